/**
 * `npm run bench -- peers`: Vendure, installed from npm into a scratch folder, and Pakhus do the same work in turns on one PostgreSQL: place an
 * order of three lines, find one by its number and by a name, the newest page, and open one, beside 10 and 100 thousand orders of the shop.
 * Pakhus holds as many in each of ten companies. Ratios are of the rate of one client.
 */
import { Scratch } from '../../test/connectors/scratch-shop.ts'
import { placeVendureOrder, signInToVendure, startVendure, vendureVariants } from '../../test/connectors/vendure-shop.ts'
import { type BenchApp, openBenchApp, type Tenant } from '../bench-app.ts'
import { type Ask, load, median, ms, printTable, type Row } from '../measure.ts'
import { anyIds, api, asAdmin, asShop, newOrder } from '../requests.ts'
import { openVendureOrders, type VendureOrders } from './vendure-orders.ts'

const sizes = [10_000, 100_000] as const
const seconds = 4
const turns = 3
/** Orders that Vendure takes in one turn; each needs eight requests. */
const placed = 15

interface Work {
  what: string
  /** How many times as fast as the best peer; design/performance.md. */
  goals: readonly [number, number]
  ours: (n: number) => Ask
  theirs: (n: number) => Ask
}

export async function benchPeers(_: object, say: (line: string) => void): Promise<boolean> {
  const testApp = await openBenchApp(say)
  const scratch = new Scratch('peers')
  const rows: Row[] = []
  try {
    say('installing Vendure')
    const vendure = await openVendure(testApp, scratch)
    const server = await testApp.server()
    const tenant = testApp.tenants[0] as Tenant
    for (const [place, size] of sizes.entries()) {
      await testApp.fill(size * testApp.tenants.length)
      say(`${size.toLocaleString('en')} orders in Vendure`)
      await vendure.orders.fill(size)
      const ids = await anyIds(testApp, tenant)
      say('measuring')
      rows.push(await placing(server.url, tenant, vendure, size))
      for (const { what, goals, ours, theirs } of works(tenant, ids, vendure.orders)) {
        const rates: { ours: number; theirs: number; p50: number; their50: number }[] = []
        for (let turn = 0; turn < turns; turn++) {
          const peer = await load(vendure.url, 1, seconds, theirs)
          const own = await load(server.url, 1, seconds, ours)
          rates.push({ ours: own.per_second, theirs: peer.per_second, p50: own.p50, their50: peer.p50 })
        }
        rows.push(row(size, what, goals[place] ?? 0, rates))
      }
    }
  } finally {
    await scratch.close()
    await testApp.close()
  }
  printTable(rows)
  console.log('\nVendure 3.5.2 on the same PostgreSQL; other work on the machine changes every figure.')
  return rows.every(({ ok }) => ok)
}

const row = (size: number, what: string, goal: number, rates: { ours: number; theirs: number; p50: number; their50: number }[]): Row => {
  const ratio = median(rates.map(({ ours, theirs }) => ours / theirs))
  return {
    ...{ name: 'peers', what: `${what}, ${size.toLocaleString('en')} orders`, ours: ms(median(rates.map(({ p50 }) => p50))) },
    ...{ limit: `${ms(median(rates.map(({ their50 }) => their50)))} Vendure`, ratio: `${ratio.toFixed(1)}×` },
    ...{ goal: `≥ ${goal}×`, ok: ratio >= goal },
  }
}

type Vendure = Awaited<ReturnType<typeof openVendure>>

async function openVendure(testApp: BenchApp, scratch: Scratch) {
  await testApp.plain.query('create database vendure')
  const { hostname, port, username, password } = new URL(testApp.url)
  const database = {
    ...{ type: 'postgres', host: decodeURIComponent(hostname), port: Number(port), username: decodeURIComponent(username) },
    ...{ password: decodeURIComponent(password), database: 'vendure' },
  }
  const { url, session } = await startVendure(scratch, { pg: '^8' }, database)
  const admin = session('admin-api')
  await signInToVendure(admin)
  const variants = await vendureVariants(session('shop-api'))
  const lines = [...variants.values()].map(id => [id, 1] as const)
  const place = () => placeVendureOrder(session('shop-api'), lines)
  const orders = await openVendureOrders({ ...database, user: database.username }, await place(), `${url}/admin-api`, admin.token() ?? '')
  return { url, place, orders }
}

/** Their rate is of whole orders, each with its requests in a row, as a customer causes them. */
async function placing(url: string, tenant: Tenant, { place }: Vendure, size: number): Promise<Row> {
  const rates: { ours: number; theirs: number; p50: number; their50: number }[] = []
  await place()
  for (let turn = 0; turn < turns; turn++) {
    const from = performance.now()
    for (let n = 0; n < placed; n++) await place()
    const theirs = placed / ((performance.now() - from) / 1_000)
    const own = await load(url, 1, seconds, n => ({
      ...{ method: 'POST', path: api(tenant, 'cms/orders'), headers: asShop(tenant) },
      body: JSON.stringify(newOrder(`peer-${size}-${turn}-${n}`)),
    }))
    rates.push({ ours: own.per_second, theirs, p50: own.p50, their50: 1_000 / theirs })
  }
  return row(size, 'an order is placed', 50, rates)
}

const works = (tenant: Tenant, ids: readonly number[], { ask, code, lastName, id }: VendureOrders): Work[] => {
  const get = (path: string): Ask => ({ path: api(tenant, path), headers: asAdmin(tenant) })
  const listed = 'items{id code state orderPlacedAt totalWithTax customer{firstName lastName emailAddress}} totalItems'
  const find = (filter: string, take = 25) => ask(`{orders(options:{${filter}take:${take},sort:{orderPlacedAt:DESC}}){${listed}}}`)
  return [
    {
      what: 'found by its number',
      goals: [20, 80],
      ours: n => get(`orders/search/?limit=25&query=${100_000 + ((n * 7_919) % 10_000)}`),
      theirs: n => find(`filter:{code:{contains:"${code(n)}"}},`),
    },
    {
      what: 'found by a name',
      goals: [15, 60],
      ours: n => get(`orders/search/?limit=25&query=${encodeURIComponent(`first${n % 60} last${n % 40}`)}`),
      theirs: n => find(`filter:{customerLastName:{contains:"${lastName(n)}"}},`),
    },
    { what: 'the newest page', goals: [10, 10], ours: () => get('orders/search/?limit=25'), theirs: () => find('') },
    {
      what: 'an order is opened',
      goals: [10, 10],
      ours: n => get(`orders/${ids[n % ids.length]}`),
      theirs: n =>
        ask(
          `{order(id:"${id(n)}"){id code state total totalWithTax customer{firstName lastName emailAddress} shippingAddress{fullName streetLine1 city postalCode countryCode phoneNumber} lines{id quantity unitPriceWithTax productVariant{id sku name}} shippingLines{id priceWithTax} payments{id state amount} fulfillments{id state trackingCode} history{items{type createdAt data}}}}`,
        ),
    },
  ]
}
