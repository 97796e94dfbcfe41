/** An HTTP server on the loopback for the fakes of couriers: it loses requests and answers, and keeps what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

const courierFaults = [
  /** The connection breaks before the request is read. */
  'lost',
  /** The request is worked, and the connection breaks before the answer. */
  'mute',
  /** The request is worked, and half of the answer arrives. */
  'garbage',
  /** The request is worked, and a page of a proxy is answered with status 200. */
  'html_200',
  /** The page of a maintenance. */
  'html_503',
  /** Something broke, before or after the request was worked. */
  '500',
  /** Too many requests. */
  '429',
  /** The key is refused. */
  '401',
] as const
export type CourierFault = (typeof courierFaults)[number]

export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  text: string
  /** Undefined where the text is no JSON. */
  body: unknown
}

export interface FakeReply {
  status?: number
  headers?: Record<string, string>
  /** Text and bytes go as they are, everything else as JSON. */
  body?: unknown
}

export interface FakeCourierServer {
  url: string
  /** What goes wrong with the next requests, one after the other; those that change nothing are not counted. */
  faults: CourierFault[]
  requests: FakeRequest[]
  close(): Promise<void>
}

/** `changes` says which requests book or cancel: only they take a fault. */
export async function openFakeCourier(
  answer: (request: FakeRequest, server: FakeCourierServer) => FakeReply,
  changes: (request: FakeRequest) => boolean,
): Promise<FakeCourierServer> {
  const http = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', server.url)
      const text = Buffer.concat(parts).toString('utf8')
      const request = {
        method: incoming.method ?? '',
        path: pathname,
        query: searchParams,
        headers: incoming.headers,
        text,
        body: jsonOf(text),
      }
      server.requests.push(request)
      const fault = changes(request) ? server.faults.shift() : undefined
      if (fault === 'lost') return void outgoing.destroy()
      if (fault === 'html_503') return void outgoing.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
      if (fault === '500') return void outgoing.writeHead(500).end('{"message":"Internal error"}')
      if (fault === '429') return void outgoing.writeHead(429, { 'retry-after': '60' }).end()
      if (fault === '401') return void outgoing.writeHead(401).end('{"message":"Unauthorized"}')
      const { status = 200, headers = {}, body = '' } = answer(request, server)
      if (fault === 'mute') return void outgoing.destroy()
      if (fault === 'html_200') return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
      const plain = typeof body === 'string' || body instanceof Uint8Array
      const sent = plain ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
      outgoing.writeHead(status, { ...(plain ? {} : { 'content-type': 'application/json' }), ...headers })
      outgoing.end(fault === 'garbage' ? sent.subarray(0, sent.length / 2) : sent)
    })
  })
  const server: FakeCourierServer = {
    url: '',
    faults: [],
    requests: [],
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  // A server that listens on a port has an address of this kind.
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return server
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The smallest file that a viewer opens as a PDF of empty pages. */
export const fakePdf = (words: string, pages = 1): Uint8Array => {
  const numbers = Array.from({ length: pages }, (_, i) => i + 3)
  return Buffer.from(
    `%PDF-1.4\n% ${words}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[${numbers.map(no => `${no} 0 R`).join(' ')}]/Count ${pages}>>endobj ${numbers.map(no => `${no} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 539]>>endobj`).join('\n')}\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
  )
}
