/** Clients that do not read their answers, and clients that are only slow. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followAnswers, unreadPatience } from './unread-answers.ts'

/** More than the buffers of a connection hold. */
const large = Buffer.alloc(30_000_000, 'x')
let server: Server
let answers: ReturnType<typeof followAnswers>
let served: Socket
let client: Socket
/** Ends the answer of `/later`. */
let answer: () => void
beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/large') return void response.end(large)
    answer = () => response.end('at last')
  })
  answers = followAnswers(server)
  server.on('connection', socket => (served = socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  client.on('error', () => undefined)
})
afterEach(async () => {
  client.destroy()
  server.closeAllConnections()
  await new Promise<void>(resolve => server.close(() => resolve()))
})

const ask = async (path: string) => {
  const asked = once(server, 'request')
  client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await asked
}
const sent = () => served.bytesWritten - served.writableLength

describe('an answer', () => {
  it('that its client does not read for two minutes ends with its connection', async () => {
    client.pause()
    await ask('/large')
    await expect.poll(() => served.writableLength, { timeout: 20_000 }).toBeGreaterThan(0)
    answers.closeUnread(0)
    answers.closeUnread(unreadPatience - 1)
    expect(served.destroyed).toBe(false)
    answers.closeUnread(unreadPatience)
    expect(served.destroyed).toBe(true)
  })

  it('that is read slowly goes on', async () => {
    client.pause()
    await ask('/large')
    await expect.poll(() => served.writableLength, { timeout: 20_000 }).toBeGreaterThan(0)
    for (let look = 0; look < 3; look++) {
      answers.closeUnread(look * unreadPatience)
      const before = sent()
      client.resume()
      // The end of a piece, or of all.
      await expect.poll(() => sent() > before || served.writableLength === 0, { timeout: 20_000 }).toBe(true)
      client.pause()
    }
    answers.closeUnread(3 * unreadPatience)
    expect(served.destroyed).toBe(false)
  })

  it('for which nothing is ready yet is waited for', async () => {
    await ask('/later')
    for (let look = 0; look < 5; look++) answers.closeUnread(look * unreadPatience)
    expect(served.destroyed).toBe(false)
    const read = once(client, 'data')
    answer()
    expect(String((await read)[0])).toContain('at last')
  })
})
