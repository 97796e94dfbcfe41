/** The processes of one server: they share limits and notifications, and the death of one loses nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword, hashToken, newToken } from '#platform/crypto/vault.ts'
import { scopeOfCompany } from '../src/app/demo/builders.ts'
import { type PlacedOrder, placeOrder } from './orders.ts'
import { type HttpReply, type ServerProcess, send, startServer } from './server-process.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

const metricsToken = 'a token of sixteen'
const callsOfKey = 10

let testApp: TestApp
let data_dir: string
let operator: TestOperator
let admin: TestUser
let server: ServerProcess
beforeAll(async () => {
  // Only its database is used, and its ways to fill it.
  testApp = await openTestApp()
  data_dir = await mkdtemp(join(tmpdir(), 'pakhus-processes-'))
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
  server = await start()
})
afterEach(async () => {
  if (server.process.exitCode !== null || server.process.signalCode !== null) server = await start()
  await until('two processes answer calls and one runs jobs', async () => {
    const text = await metrics()
    return text.includes('pakhus_processes{role="requests"} 2') && text.includes('pakhus_processes{role="jobs"} 1')
  })
})
afterAll(async () => {
  await server?.kill('SIGTERM')
  await testApp.close()
  await rm(data_dir, { recursive: true, force: true })
})

const start = () =>
  startServer({
    DATABASE_URL: testApp.url,
    DATA_DIR: data_dir,
    WORKERS: '2',
    LOG_LEVEL: 'info',
    METRICS_TOKEN: metricsToken,
    API_KEY_CALLS_PER_MINUTE: String(callsOfKey),
  })

async function until(what: string, holds: () => Promise<boolean> | boolean, patience = 60_000): Promise<void> {
  const end = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It never came about that ${what}: ${server.written().slice(-2_000)}`)
    await pause(50)
  }
}

const ask = (method: string, path: string, body?: unknown, token = admin.token): Promise<HttpReply> =>
  send(server.port, { method, path, company: operator.main.code, token, ...(body !== undefined && { body }) })

const metrics = async (): Promise<string> => {
  const { body } = await ask('GET', '/metrics', undefined, `Bearer ${metricsToken}`).catch(() => ({ body: '' }))
  return String(body)
}

/** The processes that the server has started, by what they do. */
function childrenOf(pid: number): Map<number, string> {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return new Map(ids.map(id => [id, readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()]))
}
const serverPid = (): number => server.process.pid as number
const pidsOf = (role: 'requests' | 'jobs'): number[] =>
  [...childrenOf(serverPid())].filter(([, name]) => name === `pakhus ${role}`).map(([pid]) => pid)

/** Which processes have answered a call, since the log had this length. */
function answeredBy(line: string, from = 0): Set<number> {
  const entries = server
    .written()
    .slice(from)
    .split('\n')
    .filter(text => text.startsWith('{') && text.includes('"answered"'))
    .map(text => JSON.parse(text) as { pid: number; line: string })
  return new Set(entries.filter(entry => entry.line === line).map(({ pid }) => pid))
}

interface Stream {
  status: number
  received(): string
  close(): void
}

/** Opens a stream of notifications on a connection of its own. */
function openStream(token: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    let received = ''
    const { code } = operator.main
    const request = http.get(
      {
        host: '127.0.0.1',
        port: server.port,
        path: `/api/${code}/live?missed=0`,
        agent: false,
        headers: { host: `${code}.localhost:${server.port}`, authorization: token },
      },
      answer => {
        answer.on('data', part => (received += part))
        answer.on('error', () => undefined)
        resolve({ status: answer.statusCode ?? 0, received: () => received, close: () => request.destroy() })
      },
    )
    request.on('error', reject)
  })
}

describe('two processes that answer calls', () => {
  it('send a change made through one of them to the streams of both', async () => {
    const from = server.written().length
    const { token } = await operator.hire(['admin'])
    const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(token)))
    await until('all streams are open', () => streams.every(stream => stream.received().includes('ready')))
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator))
    const { status } = await ask('POST', `order_comments/${id}/info`, { comment: 'Seen by all' })
    expect(status).toBe(200)
    for (const stream of streams) await until('each stream has the change', () => stream.received().includes(`"id":${id}`))
    // The end of a stream is logged where it ends in order.
    await ask('DELETE', 'session', undefined, token)
    await until('both processes have held streams', () => answeredBy('GET live', from).size === 2)
  })

  it('count failed sign-ins together', async () => {
    const from = server.written().length
    const { user_id } = await operator.hire(['parcels'])
    const password_hash = await hashPassword('the right password')
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('users').set({ user_name: 'guessed', password_hash }).where('id', '=', user_id).execute(),
    )
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await ask('POST', 'session', { login: 'guessed', password: `wrong ${i}` }, '')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    await until('both processes have answered', () => answeredBy('POST session', from).size === 2)
  })

  it('count the calls of a key together', async () => {
    const from = server.written().length
    const key = newToken('pk_')
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('cms_keys')
        .values({ name: 'shop', prefix: key.slice(0, 8), key_hash: hashToken(key) })
        .execute(),
    )
    const statuses: number[] = []
    for (let i = 0; i < callsOfKey + 2; i++) statuses.push((await ask('GET', 'cms/orders/none', undefined, key)).status)
    expect(statuses).toEqual([...Array.from({ length: callsOfKey }, () => 404), 429, 429])
    await until('both processes have answered', () => answeredBy('GET cms/orders/{external_id}', from).size === 2)
  })

  it('count the streams of a user together, and forget those of a process that was killed', async () => {
    const { token } = await operator.hire(['parcels'])
    const streams = await Promise.all(Array.from({ length: 21 }, () => openStream(token)))
    expect(streams.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    const [killed] = pidsOf('requests') as [number]
    process.kill(killed, 'SIGKILL')
    await until('another process has taken its place', () => !pidsOf('requests').includes(killed) && pidsOf('requests').length === 2)
    await until('a stream can be opened again', async () => {
      const stream = await openStream(token).catch(() => undefined)
      stream?.close()
      return stream?.status === 200
    })
    for (const stream of streams) stream.close()
  })

  it('are shown together on /metrics, with how often they were started again', async () => {
    const text = await metrics()
    expect(text).toMatch(/^pakhus_process_restarts_total\{role="requests"\} [1-9]/m)
    expect(text).toMatch(/^pakhus_pool_connections\{role="requests"\} [1-9]/m)
    expect(text).toMatch(/^pakhus_pool_connections\{role="jobs"\} \d/m)
    expect(text).toMatch(/^pakhus_tasks_waiting \d/m)
    expect(text).not.toMatch(/ (null|undefined)$/m)
  })
})

it('loses nothing that was answered when a process that answers calls is killed', async () => {
  // Each writer has its order, and begins another before that one takes no more comments.
  const orders = await Promise.all(Array.from({ length: 40 }, () => placeOrder(testApp.services.database, scopeOfCompany(operator))))
  const answered: string[] = []
  let over = false
  let broken = 0
  const writers = [1, 2, 3, 4].map(async writer => {
    for (let n = 0; !over; n++) {
      const comment = `${writer}-${n}`
      const { id } = orders[(writer + 4 * Math.floor(n / 200)) % orders.length] as PlacedOrder
      const reply = await ask('POST', `order_comments/${id}/info`, { comment }).catch(() => undefined)
      if (reply?.status === 200) answered.push(comment)
      else broken++
    }
  })
  await until('the writers write', () => answered.length > 20)
  const from = server.written().length
  const [killed] = pidsOf('requests') as [number]
  process.kill(killed, 'SIGKILL')
  const next = () => pidsOf('requests').find(pid => pid !== killed && answeredBy('POST order_comments/{id}/{type}', from).has(pid))
  await until('the process that took its place answers', () => {
    const answering = answeredBy('POST order_comments/{id}/{type}', from)
    answering.delete(killed)
    return next() !== undefined && answering.size === 2
  })
  over = true
  await Promise.all(writers)
  const stored: { comment: string }[] = []
  for (const { id } of orders) {
    const { status, body } = await ask('GET', `order_comments/${id}`)
    expect(status, JSON.stringify(body)).toBe(200)
    stored.push(...(body as { comment: string }[]))
  }
  const comments = new Set(stored.map(({ comment }) => comment))
  expect(answered.filter(comment => !comments.has(comment))).toEqual([])
  expect(stored.length).toBe(comments.size)
  // Only what ran in the killed process at that moment.
  expect(broken).toBeLessThanOrEqual(writers.length)
})

it('continues a job when the process for jobs is killed', async () => {
  const orders = 3_000
  const rows = Array.from(
    { length: orders },
    (_, n) => `P-${n};2026-11-10 10:30;Lene Hansen;Skibhusvej ${n % 90};5000;Odense C;DK;lene@example.test;SKU-1;Mug;1;99,00;DKK`,
  )
  const header =
    'order_no;ordered_at;ship_name;ship_address1;ship_postcode;ship_city;ship_country;ship_email;sku;name;qty;unit_price_incl_vat;currency'
  const uploaded = await fetch(`http://127.0.0.1:${server.port}/api/${operator.main.code}/order_imports/file`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', authorization: admin.token },
    body: [header, ...rows].join('\r\n'),
  })
  const { file_id } = (await uploaded.json()) as { file_id: number }
  const { form, mapping } = (await ask('POST', 'order_imports/preview', { file_id })).body as { form: unknown; mapping: unknown }
  expect((await ask('POST', 'order_imports', { file_id, form, mapping, keep: false })).status).toBe(200)
  const stored = async () => {
    const { n } = await testApp.services.database.readOnly(scopeOfCompany(operator), db =>
      db
        .selectFrom('orders')
        .where('order_no', 'like', 'P-%')
        .select(eb => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    )
    return Number(n)
  }
  await until('some orders are stored', async () => (await stored()) > 0)
  const [killed] = pidsOf('jobs') as [number]
  process.kill(killed, 'SIGKILL')
  expect(await stored()).toBeLessThan(orders)
  await until('another process has taken its place', () => pidsOf('jobs').some(pid => pid !== killed))
  await until('all orders are stored', async () => (await stored()) === orders, 120_000)
  const job = () =>
    testApp.services.database.systemRead('the test reads the job', db =>
      db.selectFrom('jobs').select('state').where('kind', '=', 'orders.import').executeTakeFirstOrThrow(),
    )
  await until('the job is done', async () => (await job()).state === 'done')
  expect(await stored()).toBe(orders)
})

/** Of the processes, those that have not ended; one that has ended may still be listed, as Z. */
const alive = (pids: readonly number[]): number[] =>
  pids.filter(pid => {
    const path = `/proc/${pid}/stat`
    return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'))
  })

it('ends in order at SIGTERM, within the time that a service manager waits, and leaves no process', async () => {
  const pids = childrenOf(serverPid()).keys()
  const all = [...pids]
  expect(all.length).toBe(3)
  const stream = await openStream(admin.token)
  const asked = Date.now()
  await server.kill('SIGTERM')
  expect(server.process.exitCode).toBe(0)
  expect(Date.now() - asked).toBeLessThan(30_000)
  expect(alive(all)).toEqual([])
  stream.close()
})

it('leaves no process that answers when the primary process is killed', async () => {
  const all = [...childrenOf(serverPid()).keys()]
  expect(all.length).toBe(3)
  await server.kill('SIGKILL')
  await until('all processes have ended', () => alive(all).length === 0, 15_000)
  await expect(ask('GET', '/healthz')).rejects.toThrow()
})
