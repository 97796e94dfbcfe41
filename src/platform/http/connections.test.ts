/** How long a connection may say nothing: each one that is open costs the server memory. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/test-app.ts'

let testApp: TestApp
let port: number
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  const address = testApp.app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => testApp.close())

/** Sends text and returns after how many seconds the server closed the connection, and what it said. */
function closedAfter(text: string): Promise<{ seconds: number; answer: string }> {
  return new Promise(resolve => {
    const began = performance.now()
    let answer = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text))
    socket.on('data', piece => (answer += piece.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ seconds: (performance.now() - began) / 1_000, answer }))
  })
}

it('closes a connection whose headers do not arrive within ten seconds, and one that is idle for thirty', async () => {
  const [half, idle] = await Promise.all([
    closedAfter('GET /healthz HTTP/1.1\r\nHost: localhost\r\n'),
    closedAfter('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  ])
  expect(half.answer).toContain(' 408 ')
  expect(half.seconds).toBeGreaterThan(9)
  expect(half.seconds).toBeLessThan(13)
  expect(idle.answer).toContain(' 200 ')
  expect(idle.seconds).toBeGreaterThan(29)
  expect(idle.seconds).toBeLessThan(34)
}, 60_000)

it('says that the server is being restarted to a request that comes while it stops', async () => {
  const stopping = await openTestApp()
  await stopping.app.listen({ port: 0, host: '127.0.0.1' })
  const address = stopping.app.server.address()
  const socket = connect({ port: typeof address === 'object' && address ? address.port : 0, host: '127.0.0.1' })
  socket.write('GET /api/x/session HTTP/1.1\r\nHost: x.localhost\r\nAccept: application/json\r\n')
  const [taken] = (await once(stopping.app.server, 'connection')) as [Socket]
  await expect.poll(() => taken.bytesRead).toBeGreaterThan(0)
  const stopped = stopping.close()
  socket.write('\r\n')
  let answer = ''
  for await (const piece of socket) answer += String(piece)
  await stopped
  expect(answer).toMatch(/^HTTP\/1\.1 503 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toContain('"code":"server_stopping"')
})
