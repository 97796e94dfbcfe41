/** Couriers: bookings through an adapter whose fake answers at once, events that they send, their shops, and what customs asks for. */
import Fastify from 'fastify'
import { type CustomsFacts, decide } from '#domain/customs/decision.ts'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import type { BenchApp, Server, Tenant } from '../bench-app.ts'
import { largeCompany } from '../large-company.ts'
import { inTurns, load, median, ms, once, per, type Row, share } from '../measure.ts'
import { api, asAdmin, ask, recipient } from '../requests.ts'
import { parcelShops } from './parcel-shops.ts'

const clients = 8
const seconds = 3
/** Deliveries of one turn; a courier may send 3,000 a minute. */
const deliveries = 800

const booking = {
  recipient,
  parcels: [{ weight_g: 900 }],
}

export async function couriers(testApp: BenchApp): Promise<Row[]> {
  const { tenant } = await largeCompany(testApp)
  const bring = await openFakeBring()
  const server = await testApp.startServer({
    NODE_OPTIONS: `--import=${new URL('../bring-at-fake.ts', import.meta.url).href}`,
    BENCH_BRING_URL: bring.server.url,
  })
  try {
    await ask(server.port, tenant, 'POST', 'res/parcel_shop/bring', {
      version: 0,
      settings: { ...bringAccount, client_url: 'https://shop.example', mode: 'live' },
    })
    const small = await smallServer(testApp, bring)
    const rows = [...(await bookings(testApp, server, tenant, bring, small.url)), ...(await events(testApp, server, tenant, small.url))]
    await small.close()
    return [...rows, ...(await parcelShops(testApp)), decisions()]
  } finally {
    await server.stop()
    await bring.close()
  }
}

/** What a booking and an event need at least: the courier's calls of a booking and two rows, and one row of an event. */
async function smallServer(testApp: BenchApp, bring: FakeBring): Promise<{ url: string; close(): Promise<void> }> {
  await testApp.plain.query('create table bench_entries (id bigint generated always as identity primary key, text text not null)')
  const insert = (text: string) =>
    testApp.plain.query({ name: 'bench-entry', text: 'insert into bench_entries (text) values ($1)', values: [text] })
  const app = Fastify()
  app.post('/event', async request => void (await insert(JSON.stringify(request.body))))
  app.post('/booking', async request => {
    await insert(JSON.stringify(request.body))
    const first = bring.server.requests.find(one => one.path.startsWith('/booking/api/booking'))
    const label = bring.server.requests.find(one => one.path.startsWith('/labels/'))
    if (!first || !label) throw new Error('Nothing was booked before')
    const headers = Object.fromEntries(Object.entries(first.headers).filter(([name]) => /^(x-|content-type)/.test(name))) as Record<
      string,
      string
    >
    const booked = await fetch(bring.server.url + first.path, { method: 'POST', headers, body: first.text })
    await booked.text()
    await (await fetch(bring.server.url + label.path, { headers })).arrayBuffer()
    await insert(first.text)
    return {}
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, close: () => app.close() }
}

async function bookings(testApp: BenchApp, server: Server, tenant: Tenant, bring: FakeBring, small: string): Promise<Row[]> {
  let asked = 0
  const one = () => {
    asked++
    return {
      method: 'POST',
      path: api(tenant, 'label_generator/create/bring/using/PICKUP_PARCEL/outbound'),
      headers: asAdmin(tenant),
      body: JSON.stringify(booking),
    }
  }
  await load(server.url, 1, 0.5, one)
  let limited = 0
  const measured = await inTurns(
    3,
    async () => {
      const { per_second, requests } = await load(small, clients, seconds, () => ({
        method: 'POST',
        path: '/booking',
        body: JSON.stringify(booking),
      }))
      limited += requests
      return per_second
    },
    async () => (await load(server.url, clients, seconds, one)).per_second,
  )
  const { rows } = await testApp.plain.query<{ n: number }>(
    "select count(*)::integer n from shipments where operator_id = $1 and agent_code = 'bring' and state = 'booked'",
    [tenant.scope.operator_id],
  )
  const there = bring.parcels.length - limited
  return [
    {
      name: 'couriers',
      what: `labels booked with Bring, its fake at once, ${clients} at a time`,
      ours: per(measured.ours),
      limit: `${per(measured.limit)} the same calls and two rows`,
      ratio: share(measured.ratio),
      goal: '≥ 40 %',
      ok: measured.ratio >= 0.4,
    },
    {
      name: 'couriers',
      what: 'parcels, here and at the courier',
      ours: `${rows[0]?.n} and ${there}`,
      limit: `${asked} asked for`,
      ratio: '',
      goal: 'exactly',
      ok: rows[0]?.n === asked && there === asked,
    },
  ]
}

/** As Event Cast sends them; source: developer.bring.com. Each moves its parcel or adds to its history. */
async function events(testApp: BenchApp, server: Server, tenant: Tenant, small: string): Promise<Row[]> {
  const { secret } = await ask<{ secret: string }>(server.port, tenant, 'POST', 'courier_webhooks/bring')
  const { rows: parcels } = await testApp.plain.query<{ tracking_no: string }>(
    "select tracking_no from shipments where operator_id = $1 and agent_code = 'bring' order by id",
    [tenant.scope.operator_id],
  )
  const began = Date.now() - 86_400_000
  let sent = 0
  const next = () => {
    const n = sent++
    const status = ['HANDED_IN', 'IN_TRANSIT', 'TRANSPORT_TO_RECIPIENT'][Math.floor(n / parcels.length)] ?? 'TERMINAL'
    const created = new Date(began + n * 1_000).toISOString().replace(/\.\d+Z/, '+0000')
    return JSON.stringify({
      ...{ status, id: `${n}`, shipment: '70438101268018539', package: parcels[n % parcels.length]?.tracking_no, created, pushed: created },
    })
  }
  const deliver = async (url: string, path: string, headers: Record<string, string>): Promise<number> => {
    const { hostname, port } = new URL(url)
    const from = performance.now()
    let left = deliveries
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (left-- > 0) {
          const { status, text } = await once(undefined, hostname, Number(port), { method: 'POST', path, headers, body: next() })
          if (status >= 400) throw new Error(`An event was answered with ${status}: ${text.slice(0, 300)}`)
        }
      }),
    )
    return deliveries / ((performance.now() - from) / 1_000)
  }
  const headers = { host: asAdmin(tenant).host, 'x-pakhus-secret': secret, 'x-bring-application': 'BMEC' }
  const measured = await inTurns(
    3,
    () => deliver(small, '/event', {}),
    () => deliver(server.url, api(tenant, 'courier_webhooks/bring/receive'), headers),
  )
  const { rows } = await testApp.plain.query<{ n: number }>(
    "select count(*)::integer n from shipment_events where operator_id = $1 and source = 'bring' and courier_key is not null",
    [tenant.scope.operator_id],
  )
  return [
    {
      name: 'couriers',
      what: `events that Bring sends, applied, ${clients} at a time`,
      ours: per(measured.ours),
      limit: `${per(measured.limit)} one row each`,
      ratio: share(measured.ratio),
      goal: '≥ 25 %',
      ok: measured.ratio >= 0.25 && rows[0]?.n === 3 * deliveries,
    },
  ]
}

/** Parcels of three lines from Denmark, to where each rule of customs is asked. */
function decisions(): Row {
  const inEuros: Record<string, number> = { DKK: 0.134, NOK: 0.085, SEK: 0.089, GBP: 1.16, CHF: 1.06, USD: 0.86, XDR: 1.21 }
  const convert: CustomsFacts['convert'] = ({ amount, currency }, to) =>
    Math.round((amount * (inEuros[currency] ?? 1)) / (inEuros[to] ?? 1))
  const places = [
    ['NO', '0150'],
    ['SE', '21145'],
    ['GB', 'SW1A 1AA'],
    ['CH', '8001'],
    ['FO', '100'],
    ['US', '10001'],
    ['DE', '27498'],
    ['ES', '35001'],
  ] as const
  const facts = places.map(
    ([country, postcode]): CustomsFacts => ({
      from: { country: 'DK', postcode: '2100' },
      to: { country, postcode },
      on: '2026-11-23',
      reason: 'sale',
      business: false,
      goods: [1, 2, 3].map(n => ({
        ...{ sku: `SKU-${n}`, description: ['T-shirt, knitted cotton', 'Cap, cotton', 'Socks, wool'][n - 1] ?? '', quantity: n },
        ...{ hs_code: ['61091000', '65050030', '61159400'][n - 1] ?? null, origin: ['PT', 'CN', 'PT'][n - 1] ?? null },
        ...{ value: { amount: 24_000 * n, currency: 'DKK' }, net_g: 200 * n, gross_g: 210 * n },
      })),
      weight_g: 1_500,
      numbers: [{ kind: 'eori', country: 'DK', value: 'DK12345678' }],
      transport: 'courier',
      bulk: false,
      convert,
    }),
  )
  const rates = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    const until = performance.now() + 1_000
    let n = 0
    while (performance.now() < until) decide(facts[n++ % facts.length] as CustomsFacts)
    const { user, system } = process.cpuUsage(before)
    return n / ((user + system) / 1_000_000)
  })
  const ours = median(rates)
  return {
    name: 'couriers',
    what: 'decisions on customs, 3 lines, per second of processor time',
    ours: per(ours),
    limit: '',
    ratio: ms(1_000 / ours),
    goal: '≥ 50,000/s',
    ok: ours >= 50_000,
  }
}
