/** The office: one company with as many orders as all others together, its customers, shipments, exports, bulk jobs and messages. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BulkJob, BulkPreview } from '../../src/features/orders/bulk-jobs/bulk-jobs.schemas.ts'
import { type BenchApp, memory, type Server, type Tenant } from '../bench-app.ts'
import { largeCompany } from '../large-company.ts'
import { load, ms, per, type Row, share } from '../measure.ts'
import { anyIds, api, asAdmin, ask, lookupServer } from '../requests.ts'

/** Of more orders than these only those that wait are exported. */
const exported = 100_000
const changed = 5_000
/** Orders that are put on hold one by one, for comparison. */
const compared = 50
const sent = 5_000
/** Orders of one sending, as the list of messages names them. */
const ofSending = 500

/** Asks until a job has ended; `meanwhile` is called with each look. */
async function ended<T extends { state: string }>(look: () => Promise<T>, meanwhile: () => Promise<void> = async () => {}): Promise<T> {
  for (;;) {
    const job = await look()
    if (job.state === 'done') return job
    if (job.state === 'failed' || job.state === 'cancelled') throw new Error(`The job ended as ${job.state}`)
    await meanwhile()
    await sleep(20)
  }
}

export async function office(testApp: BenchApp): Promise<Row[]> {
  const { tenant, customers, shipments } = await largeCompany(testApp)
  const server = await testApp.server()
  const rows = [
    ...(await searches(testApp, server, tenant, customers, shipments)),
    await exportOrders(server, tenant, testApp.orders),
    await changeMany(testApp, server, tenant),
    await writeMany(testApp, server, tenant),
  ]
  return rows
}

async function searches(testApp: BenchApp, server: Server, tenant: Tenant, customers: number, shipments: number): Promise<Row[]> {
  const orders = testApp.orders
  const ids = await anyIds(testApp, tenant)
  const { rows: known } = await testApp.plain.query<{ no: string }>(
    'select tracking_no as no from shipments where operator_id = $1 order by hashint8(id) limit 500',
    [tenant.scope.operator_id],
  )
  const [{ waiting = 0, pages = 1 } = {}] = (
    await testApp.plain.query<{ waiting: number; pages: number }>(
      `select count(*)::int as waiting, ceil(count(*) / 500.0)::int as pages from orders where operator_id = $1 and phase = 'ready'`,
      [tenant.scope.operator_id],
    )
  ).rows
  const lookup = await lookupServer(testApp, tenant)
  const one = await load(lookup.url, 1, 3, n => ({ path: `/orders/${ids[n % ids.length]}` }))
  await lookup.close()
  const spread = (n: number, all: number) => (n * 7_919) % all
  const places: [what: string, path: (n: number) => string, goal?: number][] = [
    [
      `customers by name or phone among ${customers.toLocaleString('en')}`,
      n =>
        `customer/search/?query=${n % 2 === 0 ? 20_000_000 + spread(n, customers) : `first${spread(n, 2_000)}%20last${(spread(n, customers) * 7_919) % 5_000}`}`,
    ],
    ['the newest customers, each of the first 20 pages', n => `customer/search/?page=${1 + (n % 20)}`],
    [`an order by tracking number among ${shipments.toLocaleString('en')}`, n => `orders/search/?query=${known[n % known.length]?.no}`],
    [`orders by number among ${orders.toLocaleString('en')}`, n => `orders/search/?query=${100_000 + spread(n, orders)}`],
    [
      'orders by name and town',
      n => `orders/search/?query=${encodeURIComponent(`first${n % 60} ${n % 2 === 0 ? `town${n % 500}` : `last${n % 40}`}`)}`,
    ],
    ['the list of orders, each of the first 20 pages', n => `orders/search/?page=${1 + (n % 20)}`],
    ['orders of two states, each of the first 20 pages', n => `orders/search/?phase=packed&phase=ready&page=${1 + (n % 20)}`],
    [
      `orders that can be combined among ${waiting.toLocaleString('en')} that wait, each page`,
      n => `orders/search/?combinable=1&page=${1 + (n % pages)}`,
      100,
    ],
    ['an order', n => `orders/${ids[n % ids.length]}`],
    ['shipments that need someone', n => `shipment_exceptions?page=${1 + (n % 20)}`],
  ]
  const rows: Row[] = []
  for (const [what, path, goal = 15] of places) {
    const measured = await load(server.url, 1, 3, n => ({ path: api(tenant, path(n)), headers: asAdmin(tenant) }))
    rows.push({
      name: 'office',
      what: `${what}, p95`,
      ours: ms(measured.p95),
      limit: `${ms(one.p95)} Fastify and one look-up`,
      ratio: `${(measured.p95 / one.p95).toFixed(1)}×`,
      goal: `≤ ${goal} ms`,
      ok: measured.p95 <= goal,
    })
  }
  return rows
}

async function exportOrders(server: Server, tenant: Tenant, orders: number): Promise<Row> {
  const before = await memory(server)
  let most = before
  const from = performance.now()
  const { job_id } = await ask<{ job_id: number }>(server.port, tenant, 'POST', 'orders/export_job', {
    format: 'csv',
    filters: { received_from: '2000-01-01T00:00:00Z', ...(orders > exported && { phase: ['packed', 'ready'] }) },
  })
  const job = await ended(
    () => ask<{ state: string; done: number }>(server.port, tenant, 'GET', `jobs/${job_id}`),
    async () => {
      most = Math.max(most, await memory(server))
    },
  )
  const rate = job.done / ((performance.now() - from) / 1_000)
  return {
    name: 'office',
    what: `export of ${job.done.toLocaleString('en')} orders as CSV`,
    ours: per(rate),
    limit: '',
    ratio: `+${Math.round((most - before) / 1_024)} MB`,
    goal: '≥ 20,000/s, ≤ 100 MB',
    ok: rate >= 20_000 && most - before <= 100 * 1_024,
  }
}

async function changeMany(testApp: BenchApp, server: Server, tenant: Tenant): Promise<Row> {
  const { rows } = await testApp.plain.query<{ id: number }>(
    // Of few orders a part stays: those that are changed one by one, and those of the messages.
    `select id from orders where operator_id = $1 and phase = 'ready' order by id
     limit (select least($2, count(*) / 2) from orders where operator_id = $1 and phase = 'ready')`,
    [tenant.scope.operator_id, changed],
  )
  const ids = rows.map(row => Number(row.id))
  const from = performance.now()
  const preview = await ask<BulkPreview>(server.port, tenant, 'POST', 'bulk/hold/preview', {
    ids,
    args: { reason: 'other', note: 'Counted' },
  })
  const { job_id } = await ask<{ job_id: number }>(server.port, tenant, 'POST', `bulk/${preview.bulk_id}/start`)
  const job = await ended(() => ask<BulkJob>(server.port, tenant, 'GET', `bulk/${job_id}`))
  const seconds = (performance.now() - from) / 1_000
  const single = performance.now()
  const others = await testApp.plain.query<{ id: number }>(
    "select id from orders where operator_id = $1 and phase = 'ready' order by id desc limit $2",
    [tenant.scope.operator_id, compared],
  )
  for (const { id } of others.rows) await ask(server.port, tenant, 'POST', `orders/${id}/hold`, { reason: 'other', note: 'Counted' })
  const loop = (((performance.now() - single) / 1_000) * ids.length) / compared
  return {
    name: 'office',
    what: `${ids.length.toLocaleString('en')} orders on hold, preview and report, ${job.done.toLocaleString('en')} done`,
    ours: `${seconds.toFixed(1)} s`,
    limit: `${loop.toFixed(1)} s one by one`,
    ratio: `${(loop / seconds).toFixed(0)}×`,
    goal: '≤ 5 s, ≥ 20×',
    ok: seconds <= 5 && job.done === ids.length && loop / seconds >= 20,
  }
}

async function writeMany(testApp: BenchApp, server: Server, tenant: Tenant): Promise<Row> {
  const { rows } = await testApp.plain.query<{ id: number }>(
    "select id from orders where operator_id = $1 and phase = 'ready' order by id desc limit $2",
    [tenant.scope.operator_id, sent],
  )
  const ids = rows.map(row => Number(row.id))
  let queued = 0
  let took = 0
  for (let at = 0; at < ids.length; at += ofSending) {
    const body = { orders: ids.slice(at, at + ofSending), channel: 'sms', body: 'Hi {{ first_name }}, order {{ order_no }} is late.' }
    const { count, price_micro } = await ask<{ count: number; price_micro: number }>(
      server.port,
      tenant,
      'POST',
      'order_sms/sms/quote',
      body,
    )
    const from = performance.now()
    const answer = await ask<{ queued: number }>(server.port, tenant, 'POST', 'order_sms/sms', {
      ...body,
      confirm: { count, price_micro },
      client_id: randomUUID(),
    })
    took += performance.now() - from
    queued += answer.queued
  }
  const rate = queued / (took / 1_000)
  return {
    name: 'office',
    what: `messages into the queue, ${ofSending} a sending`,
    ours: per(rate),
    limit: '',
    ratio: share(queued / Math.max(1, ids.length)),
    goal: '≥ 1,000/s',
    ok: rate >= 1_000 && queued === ids.length,
  }
}
