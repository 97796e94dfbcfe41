/**
 * The benchmarks: `npm run bench` prints one table, `npm run bench -- NAME…` some rows, `--orders N` with fewer orders,
 * `--events N` the payroll with fewer scans.
 * `npm run bench -- migrate` tries the upgrade of a full database of release 0.1.0 and fails when readers wait. `npm run bench -- load` asks at
 * 1,000 requests a second for ten minutes; `--rate`, `--minutes` and `--orders` make less of it. `npm run bench -- capacity` reckons from
 * measured costs what many operators need; `npm run bench -- peers` does the same work with Vendure.
 * Every figure stands beside its limit of the same run; figures are guards that warn, never tests. Leaves nothing behind.
 */
import { parseArgs } from 'node:util'
import { buildWebIfChanged } from '../scripts/build-web.ts'
import { type BenchApp, openBenchApp } from './bench-app.ts'
import { benchCapacity } from './capacity.ts'
import { benchLoad } from './load/load.ts'
import { type Load, printTable, type Row } from './measure.ts'
import { benchMigrations } from './migrations.ts'
import { benchPeers } from './peers/peers.ts'
import { batches } from './rows/batching.ts'
import { board } from './rows/board.ts'
import { manyRows, paint, scripts, slowOrders, slowStation, startUp } from './rows/browser.ts'
import { bulkInvoices } from './rows/bulk-invoices.ts'
import { couriers } from './rows/couriers.ts'
import { crateReplay } from './rows/crate-replay.ts'
import { crates } from './rows/crates.ts'
import { importCsv } from './rows/csv.ts'
import { forecasts } from './rows/forecast.ts'
import { labels } from './rows/labels.ts'
import { noisy } from './rows/noisy.ts'
import { office } from './rows/office.ts'
import { counts, create, importApi, newest, open, processes, search } from './rows/orders.ts'
import { close, scan } from './rows/packing.ts'
import { packingDay } from './rows/packing-day.ts'
import { allEvents, payroll } from './rows/payroll.ts'
import { lists, phones } from './rows/picking.ts'
import { returnScans } from './rows/returns.ts'
import { calc, metres, routes } from './rows/routing.ts'
import { ruleEvaluation } from './rows/rules.ts'
import { weekBoard } from './rows/schedule.ts'
import { slowScreens } from './rows/screens.ts'
import { sessionOpened } from './rows/session-open.ts'
import { exceptionList, serialSearch } from './rows/station-lists.ts'
import { statistics } from './rows/statistics.ts'
import { videos } from './rows/videos.ts'

interface Entry {
  name: string
  run(testApp: BenchApp): Promise<Row[]>
  /** Needs the million. */
  full: boolean
}

const entries: readonly Entry[] = [
  { name: 'labels', full: false, run: labels },
  { name: 'routes', full: false, run: routes },
  { name: 'calc', full: false, run: calc },
  { name: 'batches', full: false, run: batches },
  { name: 'crates', full: false, run: crates },
  { name: 'crate-replay', full: false, run: crateReplay },
  { name: 'forecast', full: false, run: forecasts },
  { name: 'metres', full: false, run: metres },
  { name: 'start-up', full: false, run: startUp },
  { name: 'javascript', full: true, run: scripts },
  { name: 'many-rows', full: false, run: manyRows },
  { name: 'create', full: true, run: create },
  { name: 'import-api', full: true, run: importApi },
  { name: 'import-csv', full: true, run: importCsv },
  { name: 'open', full: true, run: open },
  { name: 'processes', full: true, run: processes },
  { name: 'newest', full: true, run: async testApp => (await newest(testApp, fewOrders)).rows },
  { name: 'search', full: true, run: search },
  { name: 'counts', full: true, run: counts },
  { name: 'scan', full: true, run: scan },
  { name: 'close', full: true, run: close },
  { name: 'packing-day', full: true, run: packingDay },
  { name: 'noisy', full: true, run: noisy },
  { name: 'lists', full: false, run: lists },
  { name: 'phones', full: false, run: phones },
  { name: 'statistics', full: false, run: statistics },
  { name: 'payroll', full: false, run: testApp => payroll(testApp, events) },
  { name: 'schedule', full: false, run: weekBoard },
  { name: 'videos', full: true, run: videos },
  { name: 'session-opened', full: false, run: sessionOpened },
  { name: 'serials', full: false, run: testApp => serialSearch(testApp, orders) },
  { name: 'exceptions', full: false, run: testApp => exceptionList(testApp, orders) },
  { name: 'return-scans', full: false, run: returnScans },
  { name: 'office', full: true, run: office },
  { name: 'board', full: true, run: board },
  { name: 'rules', full: true, run: ruleEvaluation },
  { name: 'couriers', full: true, run: couriers },
  { name: 'bulk-invoices', full: true, run: bulkInvoices },
  { name: 'paint', full: true, run: paint },
  { name: 'slow-station', full: true, run: slowStation },
  { name: 'slow-orders', full: true, run: slowOrders },
  { name: 'screens', full: false, run: slowScreens },
]
let fewOrders: Load | undefined

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: 'string', default: '1000000' },
    events: { type: 'string', default: String(allEvents) },
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '1000' },
  },
})
const [orders, events, minutes, rate] = [Number(values.orders), Number(values.events), Number(values.minutes), Number(values.rate)]
const alone = names.join()
const chosen = names.length ? entries.filter(entry => names.includes(entry.name)) : entries
const isMeant =
  Number.isSafeInteger(orders) && orders >= 10_000 && Number.isSafeInteger(events) && events >= 10_000 && minutes > 0 && rate >= 10
const works = { load: benchLoad, capacity: benchCapacity, peers: benchPeers }
const work = works[alone as keyof typeof works]
if (alone !== 'migrate' && ((!work && chosen.length === 0) || !isMeant)) {
  const known = entries.map(entry => entry.name).join(' | ')
  console.error(
    `npm run bench -- [--orders 1000000] [--events 10000000] [${known} | migrate], at least 10,000 of each; load | capacity [--minutes 10] [--rate 1000]; peers`,
  )
  process.exit(2)
}

const say = (line: string) => console.error(`· ${line}`)
if (alone === 'migrate') process.exit((await benchMigrations(orders, say)) ? 0 : 1)
await buildWebIfChanged()
if (work) process.exit((await work({ orders, minutes, rate }, say)) ? 0 : 1)
const testApp = await openBenchApp(say)
const rows: Row[] = []
let failed = false
try {
  for (const entry of chosen) {
    if (entry.full && testApp.orders < orders) {
      if (chosen.some(one => one.name === 'newest')) {
        await testApp.fill(10_000)
        fewOrders = (await newest(testApp, undefined)).measured
      }
      await testApp.fill(orders)
    }
    say(entry.name)
    try {
      rows.push(...(await entry.run(testApp)))
    } catch (error) {
      failed = true
      rows.push({
        name: entry.name,
        what: (error as Error).message.slice(0, 60),
        ours: 'failed',
        limit: '',
        ratio: '',
        goal: '',
        ok: false,
      })
      console.error(error)
    }
  }
} finally {
  await testApp.close()
}

printTable(rows)
console.log(
  `\n${testApp.orders.toLocaleString('en')} orders, ten tenants; medians of three repetitions; other work on the machine changes every figure.`,
)
process.exitCode = failed ? 1 : 0
