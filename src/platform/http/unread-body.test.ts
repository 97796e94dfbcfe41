/** Refusals of requests whose body is not read, to a client that reads the answer when it has sent everything, as nginx does. */
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let port: number
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  port = (testApp.app.server.address() as AddressInfo).port
})
afterAll(() => testApp.close())

/** More than the buffers of a connection hold. */
const large = 20_000_000

/** Writes everything before it reads; answers the first line and how the connection ended. */
async function sendFirst(head: string, body: Iterable<Buffer>): Promise<{ line: string; end: string }> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.pause()
  const ended = new Promise<string>(resolve => {
    socket.on('error', ({ message }) => resolve(message))
    socket.on('close', () => resolve('closed'))
  })
  const write = (piece: Buffer | string) => Promise.race([ended, new Promise<void>(resolve => void socket.write(piece, () => resolve()))])
  await write(head)
  for (const piece of body) await write(piece)
  let answer = ''
  socket.on('data', piece => {
    answer += piece.toString('latin1')
    if (answer.includes('\r\n\r\n') && !/connection: close/i.test(answer)) socket.destroy()
  })
  socket.resume()
  const end = await ended
  return { line: answer.split('\r\n')[0] ?? '', end }
}

function* pieces(bytes: number, wrap = (piece: Buffer) => piece) {
  const piece = Buffer.alloc(100_000, '[')
  for (let sent = 0; sent < bytes; sent += piece.length) yield wrap(piece)
}
const chunk = (piece: Buffer) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])

describe.each([
  ['HTTP/1.0', 'connection: close\r\n'],
  ['HTTP/1.1', ''],
])('over %s', (version, connection) => {
  const head = (host: string, line: string, length: string) =>
    `POST ${line} ${version}\r\nhost: ${host}\r\ncontent-type: application/json\r\n${connection}${length}\r\n\r\n`

  it.each([
    ['a body over the limit of its call', 'auth/login', 413],
    ['a file without a login', 'order_imports/file', 401],
    ['a body for an address that is none', 'nothing_here', 413],
  ])('the client gets the refusal of %s', async (_, path, status) => {
    const { code } = operator.main
    const length = `content-length: ${large}`
    const { line, end } = await sendFirst(head(`${code}.localhost`, `/api/${code}/${path}`, length), pieces(large))
    expect({ line, end }).toEqual({ line: expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `)), end: 'closed' })
  })
})

it('the client gets the refusal of a body over the limit that does not say its length', async () => {
  const { code } = operator.main
  const head = `POST /api/${code}/auth/login HTTP/1.1\r\nhost: ${code}.localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  const { line, end } = await sendFirst(head, [...pieces(large, chunk), Buffer.from('0\r\n\r\n')])
  expect({ line, end }).toEqual({ line: expect.stringMatching(/^HTTP\/1.1 413 /), end: 'closed' })
})

it('a body of more than 64 MB is refused at once, without being read', async () => {
  const { code } = operator.main
  const head = `POST /api/${code}/auth/login HTTP/1.1\r\nhost: ${code}.localhost\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n`
  const began = performance.now()
  expect((await sendFirst(head, [Buffer.alloc(10)])).line).toMatch(/^HTTP\/1.1 413 /)
  expect(performance.now() - began).toBeLessThan(5_000)
})
