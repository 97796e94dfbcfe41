/** Serial numbers and exceptions of years: each search beside the same one in a hundredth of them. */
import { type BenchApp, fillTenant, type Server, type Tenant } from '../bench-app.ts'
import { load, ms, type Row } from '../measure.ts'
import { api, asAdmin } from '../requests.ts'

/** Orders to which they belong, however many they are. */
const orders = 2_000
/** Exceptions that wait, however many were resolved. */
const waiting = 100
const step = 50_000
/** How much slower a search may be with a hundred times as many. */
const most = 1.3

type Search = [what: string, path: (n: number, all: number) => string]

const serialNumber = (n: number) => `SN-${String(n).padStart(9, '0')}`
const spread = (n: number, all: number) => (n * 7_919) % all
const serialSearches: Search[] = [
  ['imported serial numbers by how they begin', (n, all) => `serials/units?query=${serialNumber(spread(n, all))}`],
  ['imported serial numbers by their outer pack', (n, all) => `serials/units?query=BOX-${Math.floor(spread(n, all) / 6)}`],
  ['the newest imported serial numbers, each of the first two pages', n => `serials/units?page=${1 + (n % 2)}`],
  ['serial numbers that went out by how they begin', (n, all) => `product_unique_identifier/search/${serialNumber(spread(n, all))}`],
]
const exceptionSearches: Search[] = [
  ['open exceptions, each of the first two pages', n => `exceptions?view=open&page=${1 + (n % 2)}`],
  ['how many exceptions are open, mine and late', () => 'exceptions/count'],
  ['resolved exceptions, each of the first two pages', n => `exceptions?view=resolved&page=${1 + (n % 2)}`],
]

/** Half of the units went out. */
async function fillSerials({ plain }: BenchApp, { scope }: Tenant, count: number): Promise<void> {
  const given = [scope.operator_id, scope.company_id]
  for (let at = 0; at < count; at += step)
    await plain.query(
      `with n as (select i, 'SN-' || lpad(i::text, 9, '0') as serial from generate_series($3::integer, $4::integer - 1) i),
       l as (select id, order_id, row_number() over (order by id) - 1 as place, count(*) over () as lines from order_lines where operator_id = $1),
       sent as (
         insert into order_serials (operator_id, company_id, order_id, order_line_id, sku_key, serial, serial_key)
         select $1, $2, l.order_id, l.id, 'SKU-0001', n.serial, n.serial from n join l on l.place = n.i % l.lines where n.i % 2 = 0)
       insert into serial_units (operator_id, company_id, sku_key, serial, serial_key, state, pack_code)
       select $1, $2, 'SKU-0001', serial, serial, case when i % 2 = 0 then 'sent' else 'in_stock' end, 'BOX-' || i / 6 from n`,
      [...given, at, Math.min(at + step, count)],
    )
  await plain.query('vacuum (analyze) serial_units, order_serials')
}

async function fillExceptions({ plain }: BenchApp, { scope }: Tenant, count: number): Promise<void> {
  const given = [scope.operator_id, scope.company_id]
  for (let at = 0; at < count; at += step)
    await plain.query(
      `with o as (select id, row_number() over (order by id) - 1 as place from orders where operator_id = $1)
       insert into packing_exceptions (operator_id, company_id, order_id, kind, item, reported_by, reported_at, due_at, state, resolution, resolved_by, resolved_at)
       select $1, $2, o.id, case when i % 3 = 0 then 'short' else 'damaged' end, 'Product ' || i % 2000, 'Packer', now() - i * interval '1 minute',
         now() - i * interval '1 minute' + interval '1 hour', case when i < ${waiting} then 'open' else 'resolved' end,
         case when i >= ${waiting} then 'solved' end, case when i >= ${waiting} then 'Lead' end, case when i >= ${waiting} then now() - i * interval '1 minute' end
       from generate_series($3::integer, $4::integer - 1) i join o on o.place = i % ${orders}`,
      [...given, at, Math.min(at + step, count)],
    )
  await plain.query('vacuum (analyze) packing_exceptions')
}

async function compare(
  testApp: BenchApp,
  name: string,
  all: number,
  { fill, searches }: { fill: (testApp: BenchApp, tenant: Tenant, count: number) => Promise<void>; searches: readonly Search[] },
): Promise<Row[]> {
  const sizes = [all / 100, all].map(Math.floor)
  const tenants: Tenant[] = []
  for (const count of sizes) {
    const tenant = await testApp.newTenant()
    await fillTenant(testApp.plain, tenant.scope, 0, orders)
    await testApp.plain.query('analyze orders, order_lines')
    await fill(testApp, tenant, count)
    tenants.push(tenant)
  }
  const server = await testApp.server()
  const rows: Row[] = []
  for (const search of searches) {
    const [few, many] = [await askedOf(server, tenants, sizes, search, 0), await askedOf(server, tenants, sizes, search, 1)]
    rows.push({
      name,
      what: `${search[0]} among ${all.toLocaleString('en')}, p50`,
      ours: ms(many),
      limit: `${ms(few)} among ${(sizes[0] ?? 0).toLocaleString('en')}`,
      ratio: `${(many / few).toFixed(2)}×`,
      goal: `≤ ${most}×`,
      ok: many <= few * most,
    })
  }
  return rows
}

async function askedOf(
  server: Server,
  tenants: readonly Tenant[],
  sizes: readonly number[],
  [, path]: Search,
  which: 0 | 1,
): Promise<number> {
  const tenant = tenants[which] as Tenant
  const asked = await load(server.url, 1, 3, n => ({ path: api(tenant, path(n, sizes[which] ?? 1)), headers: asAdmin(tenant) }))
  return asked.p50
}

export const serialSearch = (testApp: BenchApp, all: number): Promise<Row[]> =>
  compare(testApp, 'serials', all, { fill: fillSerials, searches: serialSearches })

export const exceptionList = (testApp: BenchApp, all: number): Promise<Row[]> =>
  compare(testApp, 'exceptions', all, { fill: fillExceptions, searches: exceptionSearches })
