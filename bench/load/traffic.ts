/** What warehouses ask for: stations that scan, close and print, offices that list, search and open, shops that send orders. */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { Chance } from '#optimization/random/seeded-random.ts'
import { type BenchApp, type Server, type Tenant, worker } from '../bench-app.ts'
import { type Ask, once } from '../measure.ts'
import { anyIds, api, asAdmin, asShop, newOrder } from '../requests.ts'
import { post, type Station } from '../rows/packing.ts'
import { arrivals, type Measured, note, nothingMeasured, play } from './open-loop.ts'

/**
 * Shares of the arrivals, in thousandths. A station begins an order, scans nine times (three of them wrong pieces that it takes back) and
 * closes it, so 611 of its arrivals are 500 scans, 56 beginnings and 56 labels.
 */
export const shares = { station: 611, open: 120, page: 110, search: 109, create: 50 } as const
type ArrivalKind = keyof typeof shares
export const scansOfOrder = 9
const stepsOfOrder = scansOfOrder + 2
/** Requests a second of which one is a label, and of which one is a scan. */
export const labelShare = shares.station / stepsOfOrder / 1_000

export interface Totals {
  scans: number
  undone: number
  begun: number
  labels: number
  created: number
}

interface WorkingStation extends Station {
  step: number
  /** One after the other, as a person works. */
  last: Promise<void>
  stream?: http.ClientRequest
}

export interface Traffic {
  /** Plays `seconds` at `rate`, with other shares or with the first companies alone where they are given. */
  run(rate: number, seconds: number, shares?: Partial<Record<ArrivalKind, number>>, companies?: number): Promise<Measured>
  /** Each station takes its next steps, one station after the other; answers how many requests that were. */
  inTurn(steps: number): Promise<number>
  /** Each of the first companies gets so many orders of its shop, a hundred a request; answers how many that were. */
  importOrders(ofCompany: number, companies: number): Promise<number>
  totals: Totals
  streams(): number
  frames(): number
  /** What streams were refused with. */
  refusedStreams: readonly string[]
  close(): void
}

interface ReadyOrder {
  id: number
  codes: string[]
}

/** Opens the streams of the stations, `stationsOfTenant` of each tenant, and has each pack a part of its first order. */
export async function openTraffic(
  testApp: BenchApp,
  server: Server,
  tenants: readonly Tenant[],
  stationsOfTenant: number,
  chance: Chance,
  { spread = true }: { spread?: boolean } = {},
): Promise<Traffic> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo' })
  const streamAgent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const totals: Totals = { scans: 0, undone: 0, begun: 0, labels: 0, created: 0 }
  let frames = 0
  let open = 0
  const refusedStreams: string[] = []
  const ready = new Map<Tenant, ReadyOrder[]>()
  const ids = new Map<Tenant, number[]>()
  const stations: WorkingStation[] = []
  for (const tenant of tenants) {
    const { rows } = await testApp.plain.query<ReadyOrder>(
      `select o.id, array_agg(l.barcode order by l.line_no) codes from orders o join order_lines l on l.operator_id = o.operator_id and l.order_id = o.id
       where o.operator_id = $1 and o.work_state = 'ready' and o.external_id like 'e%' group by o.id order by o.id`,
      [tenant.scope.operator_id],
    )
    ready.set(tenant, rows)
    ids.set(tenant, await anyIds(testApp, tenant))
  }
  // Neighbours in turn belong to different companies.
  for (let n = 0; n < stationsOfTenant; n++)
    for (const tenant of tenants)
      stations.push({
        ...{ tenant, token: await worker(testApp.database, tenant.scope), station: `L${n}`, order: 0, codes: [] },
        step: 0,
        last: Promise.resolve(),
      })

  /** As the screen of a station does: what it listens to is the order that it shows. */
  const listenTo = (station: WorkingStation, topics: string) =>
    new Promise<void>((resolve, reject) => {
      const before = station.stream
      const request = http.get(
        {
          agent: streamAgent,
          hostname: '127.0.0.1',
          port: server.port,
          path: api(station.tenant, `live?topics=${topics}`),
          headers: { host: `${station.tenant.main.code}.localhost`, authorization: station.token },
        },
        answer => {
          answer.on('error', () => undefined)
          if (answer.statusCode !== 200) return reject(new Error(`live: ${answer.statusCode}`))
          open++
          answer.once('close', () => open--)
          answer.on('data', part => {
            frames += String(part).split('event: changed').length - 1
          })
          before?.destroy()
          resolve()
        },
      )
      request.on('error', reject)
      station.stream = request
    })
  for (let n = 0; n < stations.length; n += 50)
    await Promise.all(stations.slice(n, n + 50).map(station => listenTo(station, 'packing,order')))

  const send = async (ask: Ask): Promise<string> => {
    const { status, text } = await once(agent, '127.0.0.1', server.port, ask)
    if (status >= 400) throw new Error(`${status} ${text.slice(0, 160)}`)
    return text
  }

  /** Three wrong pieces are scanned and taken back, then the three lines. */
  const stationStep = async (station: WorkingStation): Promise<string> => {
    const step = station.step
    const at = `packing/order/${station.order}`
    if (step === 0) {
      const order = ready.get(station.tenant)?.shift()
      if (!order) throw new Error('No order is ready any more: the load needs more orders')
      station.order = order.id
      station.codes = order.codes
      await send(post(station, `packing/order_start/${order.id}`, { station: station.station }))
      totals.begun++
      station.step++
      // The screen shows the order meanwhile.
      listenTo(station, `packing:${order.id},order:${order.id}`).catch(error => refusedStreams.push(String(error)))
      return 'begin'
    }
    if (step <= scansOfOrder) {
      const isUndo = step <= 6 && step % 2 === 0
      const code = step <= 6 ? station.codes[0] : station.codes[step - 7]
      if (isUndo) await send(post(station, `${at}/undo`, { scan_id: randomUUID() }))
      else await send(post(station, `${at}/scan`, { scan_id: randomUUID(), code }))
      totals[isUndo ? 'undone' : 'scans']++
      station.step++
      return 'scan'
    }
    const text = await send(post(station, `${at}/close`, { label_printer_id: station.tenant.label_printer_id }))
    const { outcome } = JSON.parse(text) as { outcome: string }
    if (outcome !== 'labelled') throw new Error(`Closing ended as ${outcome}`)
    totals.labels++
    station.step = 0
    return 'label'
  }

  let asked = 0
  const each = testApp.orders / testApp.tenants.length
  const wordsOf = (): string => {
    const n = chance.below(1_000_000)
    const i = n % each
    const shown = [`${100_000 + i}`, `${20_000_000 + i}`, `#${100_000 + i}`, `first${n % 60} last${n % 40}`, `first${n % 9} town${n % 500}`]
    return shown[asked++ % shown.length] as string
  }
  let next = 0
  const office = {
    open: async (tenant: Tenant) => {
      const some = ids.get(tenant) ?? []
      await send({ path: api(tenant, `orders/${some[chance.below(some.length)]}`), headers: asAdmin(tenant) })
    },
    page: (tenant: Tenant) => send({ path: api(tenant, 'orders/search/'), headers: asAdmin(tenant) }),
    search: (tenant: Tenant) =>
      send({ path: api(tenant, `orders/search/?query=${encodeURIComponent(wordsOf())}`), headers: asAdmin(tenant) }),
    create: async (tenant: Tenant) => {
      const body = JSON.stringify(newOrder(`L-${randomUUID()}`))
      await send({ method: 'POST', path: api(tenant, 'cms/orders'), headers: asShop(tenant), body })
      totals.created++
    },
  }

  const advance = async (atOnce: number, stepsOf: (n: number) => number): Promise<number> => {
    let taken = 0
    const left = stations.map((station, n) => ({ station, steps: stepsOf(n) }))
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let one = left.shift(); one; one = left.shift())
          for (let step = 0; step < one.steps; step++, taken++) await stationStep(one.station)
      }),
    )
    return taken
  }
  // One begins while another closes: the day does not begin with a thousand orders at once.
  if (spread) await advance(8, n => n % stepsOfOrder)

  return {
    totals,
    streams: () => open,
    frames: () => frames,
    refusedStreams,
    async importOrders(ofCompany, companies) {
      for (const tenant of tenants.slice(0, companies))
        for (let left = ofCompany; left > 0; left -= 100) {
          const orders = Array.from({ length: Math.min(100, left) }, () => newOrder(`L-${randomUUID()}`))
          await send({ method: 'POST', path: api(tenant, 'cms/orders'), headers: asShop(tenant), body: JSON.stringify({ orders }) })
          totals.created += orders.length
        }
      return ofCompany * companies
    },
    inTurn: steps => advance(1, () => steps),
    async run(rate, seconds, asked = shares, companies = tenants.length) {
      const measured = nothingMeasured()
      const fail = (kind: string, error: unknown) => {
        const text = `${kind}: ${(error as Error).message}`
        measured.errors.set(text, (measured.errors.get(text) ?? 0) + 1)
      }
      const some = stations.filter(({ tenant }) => tenants.indexOf(tenant) < companies)
      const anyTenant = () => tenants[chance.below(companies)] as Tenant
      await play(arrivals(asked, rate, seconds, chance), async (kind, from) => {
        if (kind !== 'station') {
          await office[kind](anyTenant()).then(
            () => note(measured, kind, performance.now() - from),
            error => fail(kind, error),
          )
          return
        }
        const station = some[next++ % some.length] as WorkingStation
        station.last = station.last
          .then(() => stationStep(station))
          .then(
            done => note(measured, done, performance.now() - from),
            error => fail('station', error),
          )
        await station.last
      })
      return measured
    },
    close() {
      for (const { stream } of stations) stream?.destroy()
      streamAgent.destroy()
      agent.destroy()
    },
  }
}
