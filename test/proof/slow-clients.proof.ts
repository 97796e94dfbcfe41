/**
 * 500 clients that send their headers, their bodies or nothing byte by byte, or never read what they asked for: others are served as before, and each slow one is
 * let go within its time.
 */

import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { fillCompany } from '../fixtures.ts'
import { sendRaw } from '../raw-http.ts'
import { sender } from '../sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '../test-app.ts'

const amount = Number(process.env.PROOF_AMOUNT ?? 500)
let testApp: TestApp
let operator: TestOperator
let worker: TestUser
let port: number

/** When the server closed a connection, by the port of the client: one that does not read does not see it. */
const closedAt = new Map<number, number>()

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
  await fillCompany(testApp, operator, operator.main, 'Filled')
  worker = await operator.hire(permissions)
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  port = (testApp.app.server.address() as AddressInfo).port
  testApp.app.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket
    socket.once('close', () => closedAt.set(remotePort, performance.now()))
  })
})
afterAll(() => testApp.close())

const kinds = ['headers', 'body', 'silent', 'unread'] as const
type Kind = (typeof kinds)[number]

interface SlowClient {
  kind: Kind
  /** Milliseconds after which the server closed the connection; undefined while it is open. */
  closedAfter(): number | undefined
  step(): void
  end(): void
}

function slowClient(kind: Kind, headers: string): SlowClient {
  const began = performance.now()
  const socket: Socket = connect({ port, host: '127.0.0.1' })
  let own = 0
  socket.on('error', () => undefined)
  socket.once('connect', () => (own = socket.localPort ?? 0))
  if (kind === 'unread') socket.pause()
  else socket.resume()
  let sent = 0
  const post = `POST /api/${operator.main.code}/session HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: 5000\r\n\r\n`
  if (kind === 'body') socket.write(post)
  if (kind === 'unread') for (let i = 0; i < 50; i++) socket.write(`GET /openapi.json HTTP/1.1\r\n${headers}\r\n`)
  return {
    kind,
    closedAfter: () => {
      const at = closedAt.get(own)
      return at === undefined ? undefined : at - began
    },
    step() {
      if (kind === 'headers') socket.write(sent++ === 0 ? 'GET / HTTP/1.1\r\nhost: x' : 'x')
      if (kind === 'body') socket.write(sent++ === 0 ? '{' : ' ')
    },
    end: () => socket.destroy(),
  }
}

async function timesOf(requests: number): Promise<number[]> {
  const times: number[] = []
  const head = `host: ${operator.main.code}.localhost\r\nauthorization: ${worker.token}\r\naccept: application/json\r\nconnection: close\r\n\r\n`
  for (let i = 0; i < requests; i++) {
    const began = performance.now()
    const { status } = await sendRaw(port, `GET /api/${operator.main.code}/${orders.search.path} HTTP/1.1\r\n${head}`)
    expect(status).toBe(200)
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}
const middle = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? 0

it('serves others while clients are slow, and lets slow ones go', async () => {
  const headers = `host: ${operator.main.code}.localhost\r\n`
  await timesOf(20)
  const alone = middle(await timesOf(100))
  const before = process.memoryUsage().rss
  const clients = Array.from({ length: amount }, (_, i) => slowClient(kinds[i % kinds.length] ?? 'silent', headers))
  const ticking = setInterval(() => {
    for (const client of clients) client.step()
  }, 1_000)
  await pause(3_000)
  const beside = middle(await timesOf(100))
  // Headers must arrive within ten seconds, a whole request within two minutes; an idle connection holds thirty seconds, and an answer that is not read two minutes.
  const limits: Record<Kind, number> = { headers: 20_000, silent: 45_000, body: 140_000, unread: 180_000 }
  const waited = performance.now()
  while (performance.now() - waited < 190_000 && clients.some(client => client.closedAfter() === undefined)) await pause(500)
  clearInterval(ticking)
  const after = middle(await timesOf(100))
  const grown = (process.memoryUsage().rss - before) / 1e6
  const longest = (kind: Kind) =>
    Math.round(
      Math.max(...clients.filter(client => client.kind === kind).map(client => client.closedAfter() ?? Number.POSITIVE_INFINITY)) / 1_000,
    )
  const late = clients.filter(client => (client.closedAfter() ?? Number.POSITIVE_INFINITY) > limits[client.kind]).length
  for (const client of clients) client.end()
  console.info(
    `slow-clients: ${amount} slow clients; a list takes ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} beside them, ${after.toFixed(0)} after; closed after ${longest('headers')} s (headers), ${longest('silent')} s (silent), ${longest('body')} s (body), ${longest('unread')} s (unread); ${late} held too long; memory + ${grown.toFixed(0)} MB`,
  )
  expect(late).toBe(0)
  expect(beside).toBeLessThan(Math.max(alone * 3, alone + 100))
  expect(grown).toBeLessThan(200)
})
