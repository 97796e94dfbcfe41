/** The totals of a packing day: what the stations were answered, the courier's books, the sheets of paper and the tables must agree exactly. */
import type pg from 'pg'
import type { FakeShipmondo } from '#integrations/couriers/shipmondo/shipmondo.fake.ts'
import { rows, sheets } from '../actors.ts'
import { packingFigures } from '../packing-figures.ts'
import type { Fate } from './fates.ts'
import type { DayBooks, PlannedOrder } from './stations.ts'

export interface TotalRow {
  total: string
  /** What the stations and the world outside say. */
  promised: number
  stored: number
  lost: number
  doubled: number
  /** The first things that differ. */
  different: string[]
}

type Counts = ReadonlyMap<string, number>

function compared(total: string, promised: Counts, stored: Counts): TotalRow {
  const row: TotalRow = { total, promised: 0, stored: 0, lost: 0, doubled: 0, different: [] }
  for (const key of new Set([...promised.keys(), ...stored.keys()])) {
    const [wanted, found] = [promised.get(key) ?? 0, stored.get(key) ?? 0]
    row.promised += wanted
    row.stored += found
    row.lost += Math.max(0, wanted - found)
    row.doubled += Math.max(0, found - wanted)
    if (wanted !== found) row.different.push(`${key}: ${wanted} and ${found}`)
  }
  return { ...row, different: row.different.slice(0, 10) }
}

const ones = (keys: Iterable<string | number>): Counts => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(String(key), (counts.get(String(key)) ?? 0) + 1)
  return counts
}

/** Labels that are live at the end of the day. */
const labelsOf = (fate: Fate): number => ({ parcels: 2, hold: 0, cancel: 0 })[fate as string] ?? 1

/** The events of an order that a day must leave exactly so often. */
function eventsOf(fate: Fate): Record<string, number> {
  const stopped = fate === 'hold' || fate === 'cancel'
  return {
    'packing.started': 1,
    'order.packed': stopped || fate === 'partial' ? 0 : 1,
    'order.packed_in_part': fate === 'partial' ? 1 : 0,
    'packing.next_parcel': fate === 'parcels' ? 1 : 0,
    'order.lines_cancelled': fate === 'cancel_rest' ? 1 : 0,
    'order.cancelled': fate === 'cancel' ? 1 : 0,
    'shipment.booked': labelsOf(fate),
  }
}

interface DayEnd {
  pool: pg.Pool
  planned: readonly PlannedOrder[]
  books: DayBooks
  courier: FakeShipmondo
  data_dir: string
  company: string
}

export async function totalsOfDay({ pool, planned, books, courier, data_dir, company }: DayEnd): Promise<TotalRow[]> {
  const counts = async (text: string): Promise<Counts> =>
    new Map((await rows<{ key: string; n: number }>(pool, text)).map(({ key, n }) => [key, n]))
  const ofOrders = (count: (fate: Fate) => number): Counts => new Map(planned.map(({ id, fate }) => [String(id), count(fate)]))
  const kinds = Object.keys(eventsOf('plain'))
  const live = `s.operation_code = 'outbound' and s.state in ('booked', 'handed_over')`
  const done = await counts(`select case document when 'label' then 'labels' else 'a4' end key, count(*)::int n from print_jobs
    where state = 'done' group by 1`)
  const paper = new Map((['labels', 'a4'] as const).map(printer => [printer as string, sheets(data_dir, company, printer)]))
  return [
    compared(
      'scans',
      ones(books.scans),
      new Map(
        [...(await counts('select id::text key, count(*)::int n from packing_scans group by 1'))].filter(([id]) => books.scans.has(id)),
      ),
    ),
    compared(
      'pieces of lines',
      books.pieces,
      await counts(`select order_id || ' ' || sku key, sum(packed_qty)::int n from order_lines where packed_qty > 0 group by 1`),
    ),
    compared(
      'serial numbers',
      ones(books.serials),
      await counts(`select n.order_id || ' ' || l.sku || ' ' || n.serial key, count(*)::int n from order_serials n
        join order_lines l on l.id = n.order_line_id where n.removed_at is null group by 1`),
    ),
    compared(
      'labels',
      ofOrders(labelsOf),
      await counts(`select s.order_id::text key, count(*)::int n from shipments s where ${live} group by 1`),
    ),
    compared(
      'labels in the books of the courier',
      ones(courier.shipments.filter(one => !one.cancelled).flatMap(one => one.numbers)),
      await counts(`select s.tracking_no key, count(*)::int n from shipments s where s.agent_code = 'shipmondo' and ${live} group by 1`),
    ),
    compared(
      'print jobs of labels',
      await counts(`select s.id::text key, 1 n from shipments s where ${live}`),
      await counts(`select shipment_id::text key, count(*)::int n from print_jobs where document = 'label' and state = 'done' group by 1`),
    ),
    compared(
      'print jobs of dispatch notes',
      ofOrders(fate => Math.min(1, labelsOf(fate))),
      await counts(`select order_id::text key, count(*)::int n from print_jobs where document = 'slip' and state = 'done' group by 1`),
    ),
    compared('sheets of paper', done, paper),
    compared(
      'events',
      new Map(planned.flatMap(({ id, fate }) => Object.entries(eventsOf(fate)).map(([kind, n]) => [`${kind} ${id}`, n] as const))),
      await counts(`select kind || ' ' || order_id key, count(*)::int n from events where kind in ('${kinds.join(`', '`)}') group by 1`),
    ),
    compared(
      'events of holds',
      await counts('select order_id::text key, count(*)::int n from order_locks group by 1'),
      await counts(`select order_id::text key, count(*)::int n from events where kind = 'order.held' group by 1`),
    ),
  ]
}

/** A hold or a cancellation leaves the session to a person. */
const openSessions = `select s.order_id, s.state from packing_sessions s join orders o on o.id = s.order_id
  where s.ended_at is null and not o.held and o.cancelled_at is null`

/** What is still under way, and what may never be. */
export async function wrongRows(pool: pg.Pool): Promise<Record<string, object[]>> {
  const wrong: Record<string, object[]> = {}
  for (const [what, text] of Object.entries({ ...packingFigures, 'sessions that are open without a stop': openSessions })) {
    const found = await rows(pool, text)
    if (found.length > 0) wrong[what] = found.slice(0, 10)
  }
  return wrong
}
