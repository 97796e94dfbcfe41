/** Orders: coming in, being opened, listed and found – each beside the least that PostgreSQL and HTTP could do. */
import { availableParallelism } from 'node:os'
import { type BenchApp, type Tenant, worker } from '../bench-app.ts'
import { inTurns, type Load, listen, load, ms, per, type Row, rate, share } from '../measure.ts'
import { anyIds, api, asAdmin, asShop, lookupServer, newOrder } from '../requests.ts'

/** Numbers as shops give them: one after the other. */
let orders = 0
const nextOrder = (): string => `W-${++orders}`

/** The limit of row 1: one statement that writes an order and its lines durably, and nothing of what makes it an order. */
const oneStatement = (testApp: BenchApp, tenant: Tenant) => () =>
  testApp.plain.query({
    name: 'limit-create',
    text: `with o as (insert into orders (operator_id, company_id, external_id, order_no, currency, ordered_at, ship_country, ship_to, fingerprint)
             values ($1, $2, $3::text, $3::text, 'DKK', now(), 'DK', $4::jsonb, sha256($3::text::bytea)) returning id)
           insert into order_lines (operator_id, company_id, order_id, line_no, sku, name, qty) select $1, $2, o.id, n, 'SKU-000' || n, 'Product', 1 from o cross join generate_series(1, 3) n`,
    values: [tenant.scope.operator_id, tenant.scope.company_id, nextOrder(), JSON.stringify(newOrder('x').ship_to)],
  })

const hundredOrders = (testApp: BenchApp, tenant: Tenant) => () =>
  testApp.plain.query({
    name: 'limit-bulk',
    text: `with o as (insert into orders (operator_id, company_id, external_id, order_no, currency, ordered_at, ship_country, ship_to, fingerprint)
             select $1, $2, $3 || '-' || n, $3 || '-' || n, 'DKK', now(), 'DK', $4, sha256(($3 || '-' || n)::bytea) from generate_series(1, 100) n returning id)
           insert into order_lines (operator_id, company_id, order_id, line_no, sku, name, qty) select $1, $2, o.id, n, 'SKU-000' || n, 'Product', 1 from o cross join generate_series(1, 3) n`,
    values: [tenant.scope.operator_id, tenant.scope.company_id, nextOrder(), JSON.stringify(newOrder('x').ship_to)],
  })

export async function create(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[0] as Tenant
  const rows: Row[] = []
  for (const clients of [1, 8]) {
    const measured = await inTurns(
      3,
      () => rate(clients, 3, oneStatement(testApp, tenant)),
      async () =>
        (
          await load(server.url, clients, 3, () => ({
            method: 'POST',
            path: api(tenant, 'cms/orders'),
            headers: asShop(tenant),
            body: JSON.stringify(newOrder(nextOrder())),
          }))
        ).per_second,
    )
    rows.push({
      name: 'create',
      what: `create an order of 3 lines, ${clients} client${clients > 1 ? 's' : ''}`,
      ours: per(measured.ours),
      limit: `${per(measured.limit)} one statement`,
      ratio: share(measured.ratio),
      goal: '≥ 15 %, aim 30 %',
      ok: measured.ratio >= 0.15,
    })
  }
  rows.push(await createBeforeListeners(testApp))
  return rows
}

/** The same while 200 lists of orders are open. */
async function createBeforeListeners(testApp: BenchApp): Promise<Row> {
  const server = await testApp.server()
  const tenant = testApp.tenants[0] as Tenant
  const createFor = (seconds: number) =>
    load(server.url, 8, seconds, () => ({
      method: 'POST',
      path: api(tenant, 'cms/orders'),
      headers: asShop(tenant),
      body: JSON.stringify(newOrder(nextOrder())),
    }))
  const people = await Promise.all(Array.from({ length: 10 }, () => worker(testApp.database, tenant.scope)))
  const lists = people.flatMap(authorization =>
    Array.from({ length: 20 }, () => ({
      path: api(tenant, 'live?topics=order,job'),
      headers: { host: `${tenant.main.code}.localhost`, authorization },
    })),
  )
  const measured = await inTurns(
    3,
    async () => (await createFor(3)).per_second,
    async () => {
      const streams = await listen(server.url, lists)
      const { per_second } = await createFor(3)
      streams.stop()
      return per_second
    },
  )
  return {
    name: 'create',
    what: 'create an order of 3 lines, 8 clients, 200 lists open',
    ours: per(measured.ours),
    limit: `${per(measured.limit)} without lists`,
    ratio: share(measured.ratio),
    goal: '≥ 77 %',
    ok: measured.ratio >= 0.77,
  }
}

export async function importApi(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[1] as Tenant
  const batch = 100
  const measured = await inTurns(
    3,
    async () => batch * (await rate(2, 3, hundredOrders(testApp, tenant))),
    async () =>
      batch *
      (
        await load(server.url, 2, 3, () => ({
          method: 'POST',
          path: api(tenant, 'cms/orders'),
          headers: asShop(tenant),
          body: JSON.stringify({ orders: Array.from({ length: batch }, () => newOrder(nextOrder())) }),
        }))
      ).per_second,
  )
  return [
    {
      name: 'import-api',
      what: 'import by API, 100 orders a request',
      ours: per(measured.ours),
      limit: `${per(measured.limit)} in 100-order statements`,
      ratio: share(measured.ratio),
      goal: '≥ 30 %, aim 60 %',
      ok: measured.ratio >= 0.3,
    },
  ]
}

export async function open(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[2] as Tenant
  const ids = await anyIds(testApp, tenant, "external_id like 'e%'")
  const lookup = await lookupServer(testApp, tenant)
  const id = (n: number) => ids[n % ids.length] as number
  const measured = await inTurns(
    3,
    async () => (await load(lookup.url, 8, 3, n => ({ path: `/orders/${id(n)}` }))).per_second,
    async () => (await load(server.url, 8, 3, n => ({ path: api(tenant, `orders/${id(n)}`), headers: asAdmin(tenant) }))).per_second,
  )
  const crowd = await load(server.url, 32, 4, n => ({ path: api(tenant, `orders/${id(n)}`), headers: asAdmin(tenant) }))
  await lookup.close()
  return [
    {
      name: 'open',
      what: 'open an order, 8 connections',
      ours: per(measured.ours),
      limit: `${per(measured.limit)} Fastify and one look-up`,
      ratio: share(measured.ratio),
      goal: '≥ 40 %',
      ok: measured.ratio >= 0.4,
    },
    {
      name: 'open',
      what: 'open an order, 32 connections, p99',
      ours: ms(crowd.p99),
      limit: '',
      ratio: '',
      goal: '≤ 15 ms',
      ok: crowd.p99 <= 15,
    },
  ]
}

/** What a second process that answers calls adds; the clients and the database share the processors with them. */
export async function processes(testApp: BenchApp): Promise<Row[]> {
  const tenant = testApp.tenants[2] as Tenant
  const ids = await anyIds(testApp, tenant, "external_id like 'e%'")
  const [one, two] = [await testApp.startServer({ WORKERS: '1' }), await testApp.startServer({ WORKERS: '2' })]
  const opened = async ({ url }: { url: string }) =>
    (await load(url, 32, 4, n => ({ path: api(tenant, `orders/${ids[n % ids.length]}`), headers: asAdmin(tenant) }))).per_second
  const measured = await inTurns(
    5,
    () => opened(one),
    () => opened(two),
  )
  await Promise.all([one.stop(), two.stop()])
  return [
    {
      name: 'processes',
      what: `open an order, 32 connections, two processes, ${availableParallelism()} processors`,
      ours: per(measured.ours),
      limit: `${per(measured.limit)} with one`,
      ratio: measured.ratio.toFixed(2),
      goal: '≥ 0.9',
      ok: measured.ratio >= 0.9,
    },
  ]
}

/** Before and after the filling: a page must not know how many orders there are. */
export async function newest(testApp: BenchApp, few: Load | undefined): Promise<{ rows: Row[]; measured: Load }> {
  const server = await testApp.server()
  const tenant = testApp.tenants[3] as Tenant
  const measured = await load(server.url, 1, 3, () => ({ path: api(tenant, 'orders/search/'), headers: asAdmin(tenant) }))
  if (!few) return { rows: [], measured }
  const ratio = measured.p50 / few.p50
  return {
    measured,
    rows: [
      {
        name: 'newest',
        what: `newest page among ${testApp.orders.toLocaleString('en')}`,
        ours: `${ms(measured.p50)} p50`,
        limit: `${ms(few.p50)} among ten thousand`,
        ratio: `${ratio.toFixed(2)}×`,
        goal: '≤ 1.3×',
        ok: ratio <= 1.3,
      },
    ],
  }
}

export async function search(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[4] as Tenant
  const each = testApp.orders / testApp.tenants.length
  const ask = (query: string) => ({ path: api(tenant, `orders/search/?query=${encodeURIComponent(query)}`), headers: asAdmin(tenant) })
  const code = (n: number) => {
    const i = (n * 7919) % each
    return [`${100000 + i}`, `${20000000 + i}`, `#${100000 + i}`][n % 3] as string
  }
  const words = (n: number) =>
    [`first${n % 60} last${n % 40}`, `last${n % 30}${String.fromCharCode(97 + (n % 26))}`, `first${n % 9} town${n % 500}`][n % 3] as string
  const rows: Row[] = []
  for (const [name, what, next, limit, goal] of [
    ['search-code', 'search by number and phone', code, 3, 2_000],
    ['search-words', 'search by names and words', words, 15, 500],
  ] as const) {
    const alone = await load(server.url, 1, 4, n => ask(next(n)))
    const crowd = await load(server.url, 32, 4, n => ask(next(n)))
    rows.push(
      {
        name,
        what: `${what}, one client, p95`,
        ours: ms(alone.p95),
        limit: `p50 ${ms(alone.p50)}`,
        ratio: '',
        goal: `≤ ${limit} ms`,
        ok: alone.p95 <= limit,
      },
      {
        name,
        what: `${what}, 32 connections`,
        ours: per(crowd.per_second),
        limit: `p99 ${ms(crowd.p99)}`,
        ratio: '',
        goal: `≥ ${goal}/s`,
        ok: crowd.per_second >= goal,
      },
    )
  }
  return rows
}

/** The numbers of the lists, which every change of an order asks for anew. */
export async function counts(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[5] as Tenant
  const ids = await anyIds(testApp, tenant)
  const lookup = await lookupServer(testApp, tenant)
  const measured = await inTurns(
    3,
    async () => (await load(lookup.url, 1, 3, n => ({ path: `/orders/${ids[n % ids.length]}` }))).p50,
    async () => (await load(server.url, 1, 3, () => ({ path: api(tenant, 'orders/count'), headers: asAdmin(tenant) }))).p50,
  )
  await lookup.close()
  return [
    {
      name: 'counts',
      what: `numbers of the lists among ${testApp.orders.toLocaleString('en')}, p50`,
      ours: ms(measured.ours),
      limit: `${ms(measured.limit)} Fastify and one look-up`,
      ratio: `${measured.ratio.toFixed(1)}×`,
      goal: '≤ 5 ms',
      ok: measured.ours <= 5,
    },
  ]
}
