/** A label printer of the network: reads what is sent to its port and answers nothing. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** `hangs`: takes connections and reads nothing. `resets`: breaks off after the first bytes. `waits`: reads all and keeps the connection. */
type Mood = 'reads' | 'hangs' | 'resets' | 'waits'

export interface FakeRawPrinter {
  port: number
  /** What each connection brought, in their order; connections without a byte only ask whether it is there. */
  printed(): string[]
  behave(mood: Mood): void
  stop(): Promise<void>
}

/** Listens on a port of label printers, which the adapter accepts. */
export async function fakeRawPrinter(port: number): Promise<FakeRawPrinter> {
  const printed: string[] = []
  const open = new Set<Socket>()
  let mood: Mood = 'reads'
  const server = createServer({ allowHalfOpen: true }, socket => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    if (mood === 'hangs') return
    const parts: Buffer[] = []
    socket.on('data', part => {
      parts.push(Buffer.from(part))
      if (mood === 'resets') socket.resetAndDestroy()
    })
    socket.on('end', () => {
      if (parts.length > 0) printed.push(Buffer.concat(parts).toString('utf8'))
      if (mood !== 'waits') socket.end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    printed: () => printed,
    behave(now) {
      mood = now
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
