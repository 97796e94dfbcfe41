/**
 * `npm run bench -- capacity`: measures what each kind of request costs the processors and the disk, reckons from it what 10, 100 and 10,000
 * operators need and what gives way first, and checks the arithmetic at two sizes against what the same traffic really used.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newChance } from '#optimization/random/seeded-random.ts'
import { type BenchApp, heldMemory, openBenchApp } from './bench-app.ts'
import {
  breakingOrder,
  bytesOf,
  type Costs,
  largeMachine,
  type Need,
  need,
  type Processor,
  processorsAt,
  type RequestKind,
  requestKinds,
  usualOperator,
} from './capacity.rules.ts'
import { usedFrom } from './load/load.ts'
import { all, errorsOf } from './load/open-loop.ts'
import { openTraffic, scansOfOrder, shares } from './load/traffic.ts'
import { printTable, type Row, share } from './measure.ts'

const companies = 40
const stationsOfCompany = 5
/** Operators of the two sizes, and how close the arithmetic has to come. */
const sizes = [10, 40] as const
const tolerance = 1.5
/** Orders of each company that are imported to learn what an order adds to the disk: a few would fit into pages that are there. */
const importedOfCompany = 200

export async function benchCapacity(
  { orders, minutes, rate }: { orders: number; minutes: number; rate: number },
  say: (line: string) => void,
): Promise<boolean> {
  const testApp = await openBenchApp(say, companies)
  try {
    await testApp.fill(orders)
    return await measure(testApp)
  } finally {
    await testApp.close()
  }

  async function measure(testApp: BenchApp): Promise<boolean> {
    const seconds = (minutes * 60) / 10
    // Far below what two processors can do: nothing waits, so that what is used is what it costs.
    const usual = rate / 5
    const server = await testApp.server()
    const withoutStreams = await heldMemory(server)
    const traffic = await openTraffic(testApp, server, testApp.tenants, stationsOfCompany, newChance(3), { spread: false })
    const withStreams = await heldMemory(server)
    // Each station packs one order, so that everything is compiled and planned.
    await traffic.inTurn(scansOfOrder + 2)
    await untilVacuumed(testApp)
    say('idle')
    const idleSeconds = Math.min(30, Math.max(5, seconds))
    const resting = await usedFrom(testApp, server)
    await pause(idleSeconds * 1_000)
    const { server: ours, database: its } = await resting()
    const idle: Processor = { server: ours / idleSeconds, database: its / idleSeconds }

    say('costs')
    /** Processor time and bytes beyond what idling takes. */
    const spent = async (work: () => Promise<number>): Promise<Spent> => {
      const bytes = await databaseSize(testApp)
      const used = await usedFrom(testApp, server)
      const began = performance.now()
      const n = await work()
      const { server: inServer, database } = await used()
      const passed = (performance.now() - began) / 1_000
      return {
        n,
        server: inServer - idle.server * passed,
        database: database - idle.database * passed,
        bytes: (await databaseSize(testApp)) - bytes,
      }
    }
    const found: Record<RequestKind, Spent> = { create: none, begin: none, scan: none, label: none, open: none, page: none, search: none }
    for (const kind of ['open', 'page', 'search', 'create'] as const)
      found[kind] = await spent(async () => all(await traffic.run(usual / 2, seconds, { [kind]: 1 })).length)
    const filesBefore = await bytesIn(testApp.folder)
    // One after the other: at once they would share their commits, which the usual traffic does not.
    for (let time = 0; time < Math.max(1, Math.round(seconds / 15)); time++) {
      found.begin = plus(found.begin, await spent(() => traffic.inTurn(1)))
      found.scan = plus(found.scan, await spent(() => traffic.inTurn(scansOfOrder)))
      found.label = plus(found.label, await spent(() => traffic.inTurn(1)))
    }
    const packed = found.label.n
    const files = (await bytesIn(testApp.folder)) - filesBefore
    const { rows: held } = await testApp.plain.query<{ n: number }>(
      `select count(*)::int n from pg_stat_activity where application_name in ('pakhus bench server', 'pakhus heartbeat')`,
    )
    const of = Object.fromEntries(
      requestKinds.map(kind => {
        const { n, server: inServer, database } = found[kind]
        return [kind, { server: Math.max(0, inServer / n), database: Math.max(0, database / n) }]
      }),
    ) as Costs['of']

    const rows: Row[] = []
    for (const operators of sizes) {
      const asked = usual * (operators / companies)
      say(`${operators} companies at ${asked} requests a second`)
      const used = await usedFrom(testApp, server)
      const began = performance.now()
      const measured = await traffic.run(asked, seconds, shares, operators)
      const passed = (performance.now() - began) / 1_000
      const { server: inServer, database } = await used()
      if (errorsOf(measured) > 0) throw new Error([...measured.errors.keys()].slice(0, 3).join('\n'))
      const rates = Object.fromEntries(requestKinds.map(kind => [kind, (measured.took.get(kind)?.length ?? 0) / passed])) as Record<
        RequestKind,
        number
      >
      const predicted = processorsAt({ idle, of }, rates)
      rows.push(
        compared(`${operators} companies: processors of the server`, predicted.server, inServer / passed, share),
        compared(`${operators} companies: processors of the database`, predicted.database, database / passed, share),
      )
    }
    // Afterwards, for the database tidies up after so many rows.
    say('disk')
    const imported = await spent(() => traffic.importOrders(importedOfCompany, companies))
    const costs: Costs = {
      ...{ idle, of },
      bytes: {
        order: imported.bytes / imported.n,
        packed: (found.begin.bytes + found.scan.bytes + found.label.bytes) / packed,
        files: files / packed,
      },
      memory: { server: withoutStreams * 1_024, stream: ((withStreams - withoutStreams) * 1_024) / traffic.streams() },
      connections: held[0]?.n ?? 0,
    }
    for (const operators of sizes) {
      const { n, bytes } = await spent(() => traffic.importOrders(importedOfCompany * 2, operators))
      rows.push(compared(`${n.toLocaleString('en')} orders: database grew`, bytesOf(costs, n, 0), bytes, bytesText))
    }
    printCosts(costs)
    traffic.close()

    const needs = [10, 100, 10_000].map(operators => need(costs, usualOperator, largeMachine, operators))
    printNeeds(needs)
    console.log('What gives way first on machines of 32 processors, 128 GB and 4 TB:')
    for (const { operators, what, remedy } of breakingOrder(costs, usualOperator, largeMachine))
      console.log(`  ${operators.toLocaleString('en')} operators: ${what} – ${remedy}`)
    console.log('')
    printTable(rows)
    console.log(
      `\n${testApp.orders.toLocaleString('en')} orders; ${packed.toLocaleString('en')} packed for the costs; other work on the machine changes every figure.`,
    )
    return rows.every(({ ok }) => ok)
  }
}

interface Spent extends Processor {
  n: number
  bytes: number
}
const none: Spent = { n: 0, server: 0, database: 0, bytes: 0 }
const plus = (a: Spent, b: Spent): Spent => ({
  ...{ n: a.n + b.n, bytes: a.bytes + b.bytes },
  ...{ server: a.server + b.server, database: a.database + b.database },
})

const bytesText = (n: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, n)) / 10)))
  return `${(n / 1_024 ** unit).toFixed(n / 1_024 ** unit < 10 ? 1 : 0)} ${units[unit]}`
}

function compared(what: string, predicted: number, measured: number, text: (n: number) => string): Row {
  const ratio = predicted / measured
  return {
    ...{ name: 'capacity', what, ours: `${text(predicted)} predicted`, limit: `${text(measured)} measured`, ratio: ratio.toFixed(2) },
    ...{ goal: `within ${tolerance}×`, ok: ratio <= tolerance && ratio >= 1 / tolerance },
  }
}

function printLines(lines: readonly (readonly string[])[]): void {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map(line => line[i]?.length ?? 0)))
  for (const line of lines)
    console.log(line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '))
  console.log('')
}

function printCosts({ idle, of, bytes, memory, connections }: Costs): void {
  const line = (name: string, { server, database }: Processor) => [name, (server * 1_000).toFixed(2), (database * 1_000).toFixed(2)]
  printLines([['ms of a processor', 'server', 'database'], ...requestKinds.map(kind => line(kind, of[kind])), line('idle, a second', idle)])
  console.log(
    `${bytesText(bytes.order)} an order, ${bytesText(bytes.packed)} more when packed, ${bytesText(bytes.files)} of files; ` +
      `${bytesText(memory.server)} a server, ${bytesText(memory.stream)} a stream; ${connections} connections a server\n`,
  )
}

function printNeeds(needs: readonly Need[]): void {
  const { ordersOfDay, peakHour, stations, yearsKept } = usualOperator
  console.log(
    `An operator: ${ordersOfDay.toLocaleString('en')} orders a day, ${share(peakHour)} of them in the busiest hour, ${stations} stations, ${yearsKept} years kept; machines ${share(largeMachine.busy)} busy.`,
  )
  const count = (n: number) => (n < 10 ? n.toFixed(1) : Math.round(n).toLocaleString('en'))
  printLines([
    ['operators', 'requests/s', 'server cores', 'database cores', 'servers', 'memory', 'disk', 'files', 'connections', 'shards'],
    ...needs.map(one => [
      ...[one.operators.toLocaleString('en'), count(one.requests), count(one.serverCores), count(one.databaseCores), String(one.servers)],
      ...[bytesText(one.memory), bytesText(one.disk), bytesText(one.files), one.connections.toLocaleString('en'), String(one.shards)],
    ]),
  ])
}

const databaseSize = async ({ plain }: BenchApp): Promise<number> =>
  Number((await plain.query<{ n: string }>('select pg_database_size(current_database()) n')).rows[0]?.n)

/** The housekeeping that follows the filling is none of the costs. */
async function untilVacuumed({ plain }: BenchApp): Promise<void> {
  for (const began = performance.now(); performance.now() - began < 120_000; await pause(1_000)) {
    const { rows } = await plain.query("select from pg_stat_activity where backend_type = 'autovacuum worker'")
    if (rows.length === 0) return
  }
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    files
      .filter(file => file.isFile())
      .map(file =>
        stat(join(file.parentPath, file.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
