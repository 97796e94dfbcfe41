/** The service for breached passwords as its documents describe it: endings of hashes with counts, and others with the count 0 between them. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

export interface FakeBreaches {
  url: string
  /** Passwords that it knows; change it at any time. */
  known: Map<string, number>
  /** Paths that were asked for. */
  asked: string[]
  /** The status of its answers. */
  status: number
  close: () => Promise<void>
}

export async function openFakeBreaches(): Promise<FakeBreaches> {
  const fake: Omit<FakeBreaches, 'url' | 'close'> = { known: new Map(), asked: [], status: 200 }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    fake.asked.push(path)
    const asked = path.slice(path.lastIndexOf('/') + 1)
    const lines = [...fake.known].flatMap(([password, count]) => {
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
      return hash.startsWith(asked) ? [`${hash.slice(5)}:${count}`] : []
    })
    const text = ['0018A45C4D1DEF81644B54AB7F969B88D65:1', ...lines, '00D4F6E8FA6EECAD2A3AA415EEC418D38EC:0'].join('\r\n')
    response.writeHead(fake.status, { 'content-type': 'text/plain' }).end(fake.status === 200 ? text : 'Too many requests')
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}/range`,
    close: () => new Promise<void>(closed => server.close(() => closed())),
  })
}
