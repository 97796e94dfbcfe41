/** A day of 2,000 orders at ten stations, as fast as the server takes it: opened, scanned, closed with label and print. */
import { randomUUID } from 'node:crypto'
import { type BenchApp, type Tenant, watchCores, worker } from '../bench-app.ts'
import { ms, per, percentiles, type Row } from '../measure.ts'
import { asker, post, type Station } from './packing.ts'

const orders = 2_000
const stations = 10

export async function packingDay(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const ask = await asker(testApp)
  const tenant = testApp.tenants[3] as Tenant
  const { operator_id } = tenant.scope
  const { rows: queue } = await testApp.plain.query<{ id: number; codes: string[] }>(
    `select o.id, array_agg(l.barcode order by l.line_no) codes from orders o join order_lines l on l.operator_id = o.operator_id and l.order_id = o.id
     where o.operator_id = $1 and o.work_state = 'ready' group by o.id order by o.id limit $2`,
    [operator_id, orders],
  )
  const day = queue.length
  const took: Record<'open' | 'scan' | 'close', number[]> = { open: [], scan: [], close: [] }
  const step = async (kind: keyof typeof took, station: Station, path: string, body: object) => {
    const from = performance.now()
    const answer = await ask(post(station, path, body))
    took[kind].push(performance.now() - from)
    return answer
  }
  const people = await Promise.all(
    Array.from({ length: stations }, async (_, i) => ({
      ...{ tenant, station: `D${i}`, order: 0, codes: [] },
      token: await worker(testApp.database, tenant.scope),
    })),
  )
  const used = await watchCores(testApp.plain, server)
  const from = performance.now()
  await Promise.all(
    people.map(async station => {
      for (let order = queue.shift(); order; order = queue.shift()) {
        await step('open', station, `packing/order_start/${order.id}`, { station: station.station })
        for (const code of order.codes) await step('scan', station, `packing/order/${order.id}/scan`, { scan_id: randomUUID(), code })
        const { outcome } = await step('close', station, `packing/order/${order.id}/close`, { label_printer_id: tenant.label_printer_id })
        if (outcome !== 'labelled') throw new Error(`Closing ended as ${JSON.stringify(outcome)}`)
      }
    }),
  )
  const seconds = (performance.now() - from) / 1_000
  const core = await used()
  const { rows } = await testApp.plain.query<{ packed: number; labels: number; prints: number }>(
    `select (select count(*) from events where operator_id = $1 and kind = 'order.packed')::integer packed,
       (select count(*) from shipments where operator_id = $1 and state = 'booked')::integer labels,
       (select count(*) from print_jobs where operator_id = $1 and document = 'label')::integer prints`,
    [operator_id],
  )
  const { packed, labels, prints } = rows[0] as { packed: number; labels: number; prints: number }
  const [open, scan, close] = [percentiles(took.open), percentiles(took.scan), percentiles(took.close)]
  return [
    {
      name: 'packing-day',
      what: `${day.toLocaleString('en')} orders at ${stations} stations: opened, 3 scans, closed`,
      ours: `${Math.round(seconds)} s, ${per(day / seconds)}`,
      limit: `p95 ${ms(open.p95)} open, ${ms(scan.p95)} scan, ${ms(close.p95)} close`,
      ratio: `${ms((core / day) * 1_000)} of a core each`,
      goal: '≤ 50 ms of a core',
      ok: core / day <= 0.05,
    },
    {
      name: 'packing-day',
      what: 'orders, labels and print jobs of that day, counted',
      ours: `${packed}, ${labels} and ${prints}`,
      limit: `${day} of each`,
      ratio: '',
      goal: 'exactly',
      ok: packed === day && labels === day && prints === day,
    },
  ]
}
