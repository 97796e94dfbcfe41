import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import { call, contract } from '#contract/endpoint.ts'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: () => {}, removeItem: () => {} })
vi.stubGlobal('location', { hostname: 'demo.localhost', origin: 'http://demo.localhost' })
const { send, onUnauthorized } = await import('#ui/query/calls.ts')

type Lock = { calls: { lock: { body: z.ZodObject<{ note: z.ZodString }> } } }
const calls = contract<Lock>({ name: 'test', area: 'company', access: 'user' }).calls({
  lock: call('POST order_lock/{id}'),
  remove: call('DELETE nothing'),
  label: call('GET label', { media: 'application/pdf' }),
  gone: call('GET gone'),
  cut: call('GET cut'),
  slow: call('GET slow'),
  mine: call('GET mine'),
  upload: call('POST upload', { upload: 1000 }),
})

interface Seen {
  line: string
  token: string | undefined
  type: string | undefined
  name: string | string[] | undefined
  body: string
}
const seen: Seen[] = []
let server: Server

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const path = request.url ?? ''
    seen.push({
      line: `${request.method} ${path}`,
      token: request.headers.authorization,
      type: request.headers['content-type'],
      name: request.headers['x-file-name'],
      body,
    })
    if (path.endsWith('/cut')) return void request.socket.destroy()
    if (path.endsWith('/slow')) return
    if (path.endsWith('/nothing')) return void response.writeHead(204).end()
    if (path.endsWith('/label')) {
      return void response
        .writeHead(200, { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="label.pdf"' })
        .end('%PDF')
    }
    if (path.endsWith('/mine')) {
      return void response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 'not_signed_in', message: 'Sign in first', key: 'Sign in first', values: {}, fields: {} }))
    }
    if (path.endsWith('/gone')) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('order not found')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  kept.set('api-host', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  kept.set('user-token', 'the-token')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('sending a call', () => {
  it('puts the token raw into the header and the body into JSON', async () => {
    await send(calls.lock, { id: 7, body: { note: 'Wait' } })
    expect(seen.at(-1)).toEqual({
      line: 'POST /api/demo/order_lock/7',
      token: 'the-token',
      type: 'application/json',
      body: '{"note":"Wait"}',
    })
  })

  it('gives nothing for 204 and a named file for a file call', async () => {
    expect(await send(calls.remove, {})).toBeUndefined()
    const file = await send(calls.label, {})
    expect([file.name, file.type, await file.text()]).toEqual(['label.pdf', 'application/pdf', '%PDF'])
  })

  it('throws the refusal of the server', async () => {
    await expect(send(calls.gone, {})).rejects.toMatchObject({ status: 404, formatted: '404: NOT FOUND - Order not found' })
  })

  it('is 444 when the connection closes without an answer', async () => {
    await expect(send(calls.cut, {})).rejects.toMatchObject({ formatted: '444: CONNECTION CLOSED WITHOUT RESPONSE' })
  })

  it('is 408 when it is called off', async () => {
    await expect(send(calls.slow, {}, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
      formatted: '408: REQUEST TIMEOUT',
    })
  })

  it('reports a 401 with the refused token', async () => {
    const refused: string[] = []
    onUnauthorized(token => refused.push(token))
    await expect(send(calls.mine, {})).rejects.toMatchObject({ status: 401 })
    expect(refused).toEqual(['the-token'])
  })

  it('sends an upload as it is, with its name', async () => {
    await send(calls.upload, { upload: new File(['a;b'], 'ordrer æ.csv', { type: 'text/csv' }) })
    expect(seen.at(-1)).toMatchObject({ type: 'text/csv', name: 'ordrer%20%C3%A6.csv', body: 'a;b' })
  })
})
