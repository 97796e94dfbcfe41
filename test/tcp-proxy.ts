/** A TCP proxy between the server and its database that can pause or cut connections. */
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  url: string
  /** Connections are taken, and nothing passes any more in either direction. */
  hold(): void
  /** What was held passes, and everything after it. */
  release(): void
  /** Cuts the connection over which these words go next, one after the other: they arrive, the answer to the last does not. */
  cutAfter(...words: string[]): void
  /** Closes every connection and accepts none until `release`. */
  cut(): Promise<void>
  close(): Promise<void>
}

export async function openTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url)
  const pairs = new Set<[Socket, Socket]>()
  let held = false
  let fatal: string[] = []
  const server = createServer(near => {
    const far = connect(Number(target.port), target.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    let deaf = false
    let ending: NodeJS.Timeout | undefined
    let said = 0
    near.on('data', bytes => {
      far.write(bytes)
      while (said < fatal.length && bytes.toString('latin1').includes(fatal[said] as string)) said++
      if (fatal.length === 0 || said < fatal.length) return
      fatal = []
      deaf = true
    })
    far.on('data', bytes => {
      if (!deaf) return void near.write(bytes)
      // The answer shows that it was done, however long that took. What was sent along with it gets a moment to be done as well.
      clearTimeout(ending)
      ending = setTimeout(() => near.destroy(), 300)
    })
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined)
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
      if (held) one.pause()
    }
  })
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as { port: number }
  const all = () => [...pairs].flat()
  const end = () => {
    for (const socket of all()) socket.destroy()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  const near = new URL(url)
  near.port = String(port)
  return {
    url: near.href,
    hold() {
      held = true
      for (const socket of all()) socket.pause()
    },
    release() {
      held = false
      for (const socket of all()) socket.resume()
      if (!server.listening) void listen(port)
    },
    cutAfter(...words) {
      fatal = words
    },
    cut: end,
    close: end,
  }
}
