/**
 * `npm run bench -- load`: 50 companies, 1,000 stations with their streams, 1,000 mixed requests a second for ten minutes, then a fifth of it
 * beside a noisy company. The bare stack answers the same arrivals before and after. Ends with the totals.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { newChance } from '#optimization/random/seeded-random.ts'
import { type BenchApp, heldMemory, openBenchApp, processorSeconds, type Server, type Tenant } from '../bench-app.ts'
import { ms, percentiles, printTable, type Row, share } from '../measure.ts'
import { makeNoise } from '../rows/noisy.ts'
import { type BareStack, openBareStack } from './bare.ts'
import { all, errorsOf, type Measured } from './open-loop.ts'
import { labelShare, openTraffic, type Totals } from './traffic.ts'

const companies = 50
/** Of every 20 orders that the bench fills in, one is ready to be packed. */
const readyOf = 20
const kinds = ['scan', 'begin', 'label', 'open', 'page', 'search', 'create'] as const
const megabytes = (kilobytes: number) => `${Math.round(kilobytes / 1_024)} MB`

export async function benchLoad(
  { orders, minutes, rate }: { orders: number; minutes: number; rate: number },
  say: (line: string) => void,
): Promise<boolean> {
  const seconds = minutes * 60
  const noisySeconds = seconds / 5
  const bareSeconds = Math.max(5, seconds / 10)
  const warmUpSeconds = Math.max(5, Math.min(30, seconds / 5))
  const stationsOfCompany = Math.max(1, Math.round(rate / companies))
  const packed = Math.ceil((seconds + noisySeconds + warmUpSeconds) * rate * labelShare * 1.1) + 2 * companies * stationsOfCompany
  if (packed * readyOf > orders) throw new Error(`So much needs at least ${(packed * readyOf).toLocaleString('en')} orders`)

  // One more is the noisy one.
  const testApp = await openBenchApp(say, companies + 1)
  try {
    await testApp.fill(orders)
    const tenants = testApp.tenants.slice(0, companies)
    const chance = newChance(15)
    // It refuses to start beside a table without row-level security.
    await testApp.server()
    const bare = await openBareStack(testApp, tenants, chance)
    try {
      return await measure({ testApp, tenants, bare, stationsOfCompany })
    } finally {
      await bare.close()
    }
  } finally {
    await testApp.close()
  }

  async function measure(world: { testApp: BenchApp; tenants: Tenant[]; bare: BareStack; stationsOfCompany: number }): Promise<boolean> {
    const { tenants, bare } = world
    const server = await testApp.server()
    const atStart = await heldMemory(server)
    const traffic = await openTraffic(testApp, server, tenants, world.stationsOfCompany, newChance(7))
    say(`${traffic.streams().toLocaleString('en')} streams are open`)
    await bare.run(rate, 3)
    const bareBefore = await bare.run(rate, bareSeconds)
    say('warming up')
    await traffic.run(rate, warmUpSeconds)

    say(`${rate} a second for ${minutes} minutes`)
    const watched = watchMemory(server)
    const used = await usedFrom(testApp, server)
    const quiet = await traffic.run(rate, seconds)
    const processor = await used()
    const held = await watched()

    say('beside a noisy company')
    const noise = await makeNoise(testApp, testApp.tenants[companies] as Tenant)
    const loud = await traffic.run(rate, noisySeconds)
    const made = await noise.stop()
    const bareAfter = await bare.run(rate, bareSeconds)
    const streams = traffic.streams()

    const bareTook = new Map(
      [...new Set([...bareBefore.measured.took.keys(), ...bareAfter.measured.took.keys()])].map(kind => [
        kind,
        [...(bareBefore.measured.took.get(kind) ?? []), ...(bareAfter.measured.took.get(kind) ?? [])],
      ]),
    )
    printKinds(quiet, loud, bareTook, seconds)

    const asked = all(quiet).length
    const bareAsked = all(bareBefore.measured).length + all(bareAfter.measured).length
    const perThousand = ((processor.server + processor.database) / asked) * 1_000
    const barePerThousand = ((bareBefore.processor + bareAfter.processor) / bareAsked) * 1_000
    const ours = percentiles(all(quiet))
    const bareAll = percentiles([...bareTook.values()].flat())
    const scans = percentiles(quiet.took.get('scan') ?? [])
    const others = percentiles(all(loud))
    const wrong = [...quiet.errors, ...loud.errors]
    const refusals = errorsOf(quiet) + errorsOf(loud) + traffic.refusedStreams.length
    const peak = Math.max(...held.all)
    const row = (what: string, text: Partial<Row>): Row => ({
      ...{ name: 'load', what, ours: '', limit: '', ratio: '', goal: '', ok: true },
      ...text,
    })
    const rows: Row[] = [
      row('all requests, p99', {
        ours: ms(ours.p99),
        limit: `${ms(bareAll.p99)} bare stack`,
        ratio: `${(ours.p99 / bareAll.p99).toFixed(1)}×`,
        ...goal('≤ 100 ms', ours.p99 <= 100),
      }),
      row(`scans, ${Math.round((quiet.took.get('scan')?.length ?? 0) / seconds)}/s, p99`, {
        ours: ms(scans.p99),
        ...goal('≤ 50 ms', scans.p99 <= 50),
      }),
      row('errors', {
        ours: String(refusals),
        limit: `of ${(asked + all(loud).length).toLocaleString('en')}`,
        ...goal('0', refusals === 0),
      }),
      row(`others beside a noisy company (${made.searches} searches, ${made.imports} files), p99`, {
        ours: ms(others.p99),
        limit: `${ms(ours.p99)} alone`,
        ratio: (others.p99 / ours.p99).toFixed(2),
        ...goal('≤ 2', others.p99 <= 2 * ours.p99),
      }),
      row('stations with a stream', {
        ours: String(streams),
        limit: `${traffic.frames().toLocaleString('en')} notices`,
        ...goal(String(companies * world.stationsOfCompany), streams === companies * world.stationsOfCompany && traffic.frames() > 0),
      }),
      row('memory of the server: start, middle, end', {
        ours: [held.all[0], held.all[Math.floor(held.all.length / 2)], held.all.at(-1)].map(at => megabytes(at ?? 0)).join(', '),
        limit: `${megabytes(atStart)} without stations, peak ${megabytes(peak)}`,
        ...goal('≤ 600 MB', peak <= 600 * 1_024),
      }),
      row('memory: last quarter against the second', {
        ours: held.growth.toFixed(2),
        ...goal('≤ 1.1', held.growth <= 1.1),
      }),
      row('processor time of a thousand requests', {
        ours: `${perThousand.toFixed(2)} s`,
        limit: `${barePerThousand.toFixed(2)} s bare stack`,
        ratio: `${(perThousand / barePerThousand).toFixed(1)}×`,
      }),
      row('processors: server, database, generator', {
        ours: `${share(processor.server / seconds)}, ${share(processor.database / seconds)}, ${share(processor.generator / seconds)}`,
        limit: 'of one',
      }),
      ...(await checkTotals(testApp, tenants, traffic.totals, refusals)),
    ]
    traffic.close()
    printTable(rows)
    for (const [text, n] of wrong.slice(0, 20)) console.log(`${n} × ${text}`)
    for (const text of traffic.refusedStreams.slice(0, 5)) console.log(`stream: ${text}`)
    console.log(
      `\n${testApp.orders.toLocaleString('en')} orders, ${companies} companies, ${rate} requests a second for ${minutes} minutes; other work on the machine changes every figure.`,
    )
    return rows.every(({ ok }) => ok)
  }
}

const goal = (text: string, ok: boolean) => ({ goal: text, ok })

/** Begins to measure the processor; answers how to end it. */
export async function usedFrom(testApp: BenchApp, server: Server) {
  const generator = process.cpuUsage()
  const before = await processorSeconds(testApp, server)
  return async () => {
    const after = await processorSeconds(testApp, server)
    const own = process.cpuUsage(generator)
    return {
      server: after.server - before.server,
      database: after.database - before.database,
      generator: (own.user + own.system) / 1_000_000,
    }
  }
}

/** Looks at the memory of the server every two seconds. */
function watchMemory(server: Server): () => Promise<{ all: number[]; growth: number }> {
  const samples: number[] = []
  let over = false
  const watching = (async () => {
    while (!over) {
      samples.push(await heldMemory(server))
      for (let n = 0; n < 20 && !over; n++) await pause(100)
    }
    samples.push(await heldMemory(server))
  })()
  return async () => {
    over = true
    await watching
    const part = (from: number, to: number) => {
      const some = samples.slice(Math.floor(samples.length * from), Math.max(1, Math.ceil(samples.length * to)))
      return some.reduce((sum, one) => sum + one, 0) / some.length
    }
    return { all: samples, growth: part(0.75, 1) / part(0.25, 0.5) }
  }
}

function printKinds(quiet: Measured, loud: Measured, bare: ReadonlyMap<string, number[]>, seconds: number): void {
  const heads = ['kind', 'a second', 'p50', 'p95', 'p99', 'p99 noisy', 'p99 bare', 'p99 ÷ bare']
  const lines = kinds.map(kind => {
    const took = quiet.took.get(kind) ?? []
    const { p50, p95, p99 } = percentiles(took)
    const noisy = percentiles(loud.took.get(kind) ?? []).p99
    const least = percentiles(bare.get(kind) ?? []).p99
    return [kind, (took.length / seconds).toFixed(1), ms(p50), ms(p95), ms(p99), ms(noisy), ms(least), `${(p99 / least).toFixed(1)}×`]
  })
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map(line => line[i]?.length ?? 0)))
  for (const line of [heads, ...lines]) console.log(line.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  '))
  console.log('')
}

/** What was answered is there, once. */
async function checkTotals(testApp: BenchApp, tenants: readonly Tenant[], totals: Totals, errors: number): Promise<Row[]> {
  const operators = [tenants.map(({ scope }) => scope.operator_id)]
  const one = async (text: string): Promise<number> => Number((await testApp.plain.query<{ n: string }>(text, operators)).rows[0]?.n)
  const found = {
    created: await one("select count(*) n from orders where operator_id = any($1) and external_id like 'L-%'"),
    scans: await one('select count(*) n from packing_scans where operator_id = any($1) and quantity > 0'),
    undone: await one('select count(*) n from packing_scans where operator_id = any($1) and undone_by is not null'),
    begun: await one('select count(*) n from packing_sessions where operator_id = any($1)'),
    labels: await one("select count(*) n from shipments where operator_id = any($1) and state = 'booked'"),
  }
  const prints = await one("select count(*) n from print_jobs where operator_id = any($1) and document = 'label'")
  const doubled = await one(
    "select count(*) n from (select from shipments where operator_id = any($1) and state = 'booked' group by operator_id, order_id having count(*) > 1) twice",
  )
  const row = (what: string, ours: number, limit: number): Row => ({
    ...{ name: 'load', what, ours: ours.toLocaleString('en'), limit: `${limit.toLocaleString('en')} answered`, ratio: '' },
    // What was not answered may have happened.
    ...(errors === 0 ? goal('exactly', ours === limit) : goal('at least', ours >= limit)),
  })
  return [
    row('orders created', found.created, totals.created),
    row('pieces scanned', found.scans, totals.scans),
    row('scans taken back', found.undone, totals.undone),
    row('orders begun', found.begun, totals.begun),
    row('labels', found.labels, totals.labels),
    row('labels printed', prints, totals.labels),
    { ...row('orders with two labels', doubled, 0), limit: '', ...goal('0', doubled === 0) },
  ]
}
