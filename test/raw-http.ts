/** Bytes over a socket, for requests that ordinary clients cannot send. */
import { connect } from 'node:net'

interface RawAnswer {
  /** 0 where nothing came back that is HTTP. */
  status: number
  text: string
}

/** Sends bytes as they are and answers what came back before the connection ended or fell silent. */
export function sendRaw(port: number, text: string | Buffer, from = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    let received = ''
    const end = () => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0), text: received })
    }
    socket.setTimeout(10_000, end)
    socket.on('data', piece => (received += piece.toString('latin1')))
    socket.on('end', end)
    socket.on('error', end)
    socket.write(text)
  })
}
