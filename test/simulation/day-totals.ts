/** The totals of a day: what people were promised, what the tables say, and what the world outside has in its books must agree. */
import { packingFigures } from '../packing-figures.ts'
import type { DayBooks } from './day-actors.ts'
import type { Day } from './day-server.ts'

/** Rows that must not be there, by what they mean. */
const figures = {
  ...packingFigures,
  'orders that were stored twice': `select company_id, external_id from orders group by 1, 2 having count(*) > 1`,
  'orders that stand still': `select order_no, work_state, phase from orders where cancelled_at is null and work_state not in ('packed', 'handed_over', 'delivered', 'closed')`,
  'packed orders with less than was ordered': `select l.order_id, l.sku from order_lines l join orders o on o.id = l.order_id where l.type = 'item' and o.cancelled_at is null and o.work_state in ('packed', 'handed_over') and l.packed_qty <> l.qty - l.cancelled_qty`,
  'sessions that are open': `select s.order_id, s.state from packing_sessions s join orders o on o.id = s.order_id where s.ended_at is null and o.cancelled_at is null`,
  'packed orders without exactly one live label': `select o.order_no, count(s.id)::int n from orders o left join shipments s on s.order_id = o.id and s.state in ('booked', 'handed_over')
    where o.cancelled_at is null and o.work_state in ('packed', 'handed_over') group by 1 having count(s.id) <> 1`,
  'labels that were not printed although nothing stopped them': `select p.shipment_id, p.state from print_jobs p where p.state not in ('done', 'unknown')
    and not exists (select from order_locks l where l.order_id = p.order_id) and not exists (select from orders o where o.id = p.order_id and o.cancelled_at is not null)`,
  'orders on two open lists': `select order_id from pick_slots where live group by 1 having count(*) > 1`,
  'pick lists that are not done': `select l.id::int, l.state, w.wagon_no, w.state wagon, (select jsonb_agg(jsonb_build_array(s.order_id, s.state, s.live, o.work_state, o.held)) from pick_slots s join orders o on o.id = s.order_id where s.pick_list_id = l.id and s.wagon_no = w.wagon_no) slots
    from pick_lists l left join pick_wagons w on w.pick_list_id = l.id where l.state not in ('completed', 'cancelled')`,
  'pieces in totes that are not the scans of pickers': `select l.id::int, l.picked, l.state from pick_lines l where l.state <> 'gone' and l.picked <> coalesce((select sum(x.quantity) from pick_scans x
    where x.pick_line_id = l.id and x.kind in ('pick', 'undo') and (x.answer->>'ok')::boolean), 0)`,
  'picked pieces of orders that are not those of the lists': `select o.order_no, l.sku, l.picked_qty from order_lines l join orders o on o.id = l.order_id where l.type = 'item' and o.cancelled_at is null and l.picked_qty <> coalesce((select sum(p.picked) from pick_lines p where p.order_line_id = l.id and p.state <> 'gone'), 0)`,
  'totes that carry an order that is gone': `select c.digits, o.order_no, o.work_state from paperless_codes c join orders o on o.id = c.order_id where o.work_state in ('packed', 'handed_over') and c.state in ('reserved', 'bound', 'packing')`,
  'parcels on two lists of couriers': `select shipment_id from collect_parcels where state = 'scanned' and live group by 1 having count(*) > 1`,
  'parcels handed over without a scan': `select s.id from shipments s where s.state = 'handed_over' and not exists (select from collect_parcels p where p.shipment_id = s.id and p.state = 'scanned')`,
  'parcels scanned out and not handed over': `select p.shipment_id, l.state from collect_parcels p join collect_lists l on l.id = p.collect_list_id join shipments s on s.id = p.shipment_id
    where l.state = 'handed_over' and p.state = 'scanned' and s.state <> 'handed_over'`,
  'parcels on two invoices': `select shipment_id from trade_invoice_parcels where live group by 1 having count(*) > 1`,
  'parcels abroad without an invoice': `select s.id, s.state from shipments s join orders o on o.id = s.order_id where s.agent_code = 'own' and o.ship_country = 'NO' and s.state in ('booked', 'handed_over')
    and not exists (select from trade_invoice_parcels p where p.shipment_id = s.id and p.live)`,
  'numbers of invoices with a gap': `select company_id, series, year from trade_invoices where number is not null group by 1, 2, 3 having max(number) <> count(*) or count(distinct number) <> count(*)`,
  'invoices that are not the sum of their parcels': `select i.id, i.total, sum(p.value) parcels from trade_invoices i join trade_invoice_parcels p on p.invoice_id = i.id where i.state <> 'draft' group by i.id, i.company_id, i.total, i.rounding, i.parcel_count
    having count(*) <> i.parcel_count or i.total not between sum(p.value) - 5 and sum(p.value) + 5`,
  'numbers of the outbox with a gap': `select object_type, object_id from outbox group by 1, 2 having max(seq) <> count(*)`,
  'deliveries that were not made': `select id, state from outbox_deliveries where state <> 'delivered'`,
  'counts of orders that are not the orders': `select phase, sum(n)::int n from (
      select operator_id, company_id, phase, n from order_counts union all select operator_id, company_id, phase, n from order_count_changes
      union all select operator_id, company_id, phase, -1 from orders) c group by operator_id, company_id, phase having sum(n) <> 0`,
} as const

export async function judge(day: Day, books: DayBooks): Promise<{ wrong: Record<string, object[]>; figures: Record<string, number> }> {
  const wrong: Record<string, object[]> = {}
  const add = (what: string, found: object[]) => {
    if (found.length > 0) wrong[what] = found
  }
  for (const [what, text] of Object.entries(figures)) add(what, await day.rows(text))

  const stored = await day.rows<{ external_id: string; sku: string; qty: number }>(
    `select o.external_id, l.sku, l.qty from orders o join order_lines l on l.order_id = o.id where l.type = 'item' order by 1, 2`,
  )
  const pieces = new Map<string, Map<string, number>>()
  for (const { external_id, sku, qty } of stored) pieces.set(external_id, (pieces.get(external_id) ?? new Map()).set(sku, qty))
  add(
    'orders that are not as the shop sent them',
    [...books.placed].flatMap(([external_id, order]) => {
      const mine = pieces.get(external_id)
      const same = mine?.size === order.pieces.size && [...order.pieces].every(([sku, qty]) => mine.get(sku) === qty)
      return same ? [] : [{ external_id }]
    }),
  )
  add(
    'orders that no shop sent',
    [...pieces.keys()].filter(external_id => !books.placed.has(external_id)).map(external_id => ({ external_id })),
  )

  const scans = await day.rows<{ id: string; n: number }>('select id, count(*)::int n from packing_scans group by 1')
  const counts = new Map(scans.map(row => [row.id, row.n]))
  add(
    'scans that were answered and are not stored once',
    [...books.scans].filter(id => counts.get(id) !== 1).map(id => ({ id })),
  )
  const done = new Set(
    (await day.rows<{ order_id: number }>(`select order_id::int from packing_sessions where state = 'done'`)).map(row => row.order_id),
  )
  add(
    'orders that a station closed and that are open',
    [...books.closed].filter(id => !done.has(id)).map(order_id => ({ order_id })),
  )

  // What the couriers would invoice.
  const all = await day.rows<{ agent_code: string; reference: string; tracking_no: string; state: string }>(
    `select agent_code, reference, tracking_no, state from shipments where agent_code in ('keyed', 'lookup')`,
  )
  for (const { capabilities, books: parcels } of day.outside.couriers) {
    const shipments = all.filter(one => one.agent_code === capabilities.agent_code)
    const live = parcels.filter(parcel => parcel.live)
    add(
      `parcels that ${capabilities.agent_code} has and that are not known here`,
      live.filter(
        parcel =>
          !shipments.some(
            one =>
              one.reference === parcel.reference && one.tracking_no === parcel.tracking_no && ['booked', 'handed_over'].includes(one.state),
          ),
      ),
    )
    const references = live.map(parcel => parcel.reference)
    add(
      `parcels that ${capabilities.agent_code} has twice`,
      references.filter((one, i) => references.indexOf(one) !== i).map(reference => ({ reference })),
    )
    add(
      `labels that are booked here and not at ${capabilities.agent_code}`,
      shipments.filter(
        one => ['booked', 'handed_over'].includes(one.state) && !live.some(parcel => parcel.tracking_no === one.tracking_no),
      ),
    )
  }
  // One try of a job is one sheet; where the answer was lost, a person looks whether it came out.
  const jobs = await day.rows<{ key: string; state: string }>(`select idempotency_key as key, state from print_jobs`)
  const sheetsOf = (key: string) => day.outside.sheets.filter(sheet => sheet.key.startsWith(`${key}.`)).length
  add(
    'print jobs that are not one sheet of paper',
    jobs.flatMap(({ key, state }) => {
      const sheets = sheetsOf(key)
      return (state === 'done' ? sheets === 1 : sheets <= 1) ? [] : [{ state, sheets }]
    }),
  )
  const sheets = day.outside.sheets.length

  // At least once and in order, for each object: the first time of each number counts.
  const events = await day.rows<{ id: string; object: string; seq: number }>(
    `select distinct o.id::text, o.object_type || ' ' || o.object_id object, o.seq::int from outbox o
      join outbox_deliveries d on d.outbox_id = o.id and d.at = o.at and d.destination_kind = 'webhook'`,
  )
  const got = new Map<string, number[]>()
  for (const { object, seq } of day.outside.received) {
    const seen = got.get(object) ?? []
    if (!seen.includes(seq)) got.set(object, [...seen, seq])
  }
  add(
    'events that the receiver never got',
    events.filter(({ object, seq }) => !got.get(object)?.includes(seq)),
  )
  add(
    'events that the receiver got out of order',
    [...got].filter(([, seqs]) => seqs.some((seq, i) => i > 0 && seq < (seqs[i - 1] ?? 0))).map(([object, seqs]) => ({ object, seqs })),
  )

  const [sums] = await day.rows<Record<string, number>>(`select (select count(*) from orders)::int orders,
    (select count(*) from orders where work_state in ('packed', 'handed_over'))::int packed, (select count(*) from orders where cancelled_at is not null)::int cancelled,
    (select count(*) from packing_scans)::int scans, (select count(*) from shipments)::int shipments, (select count(*) from print_jobs)::int prints,
    (select count(*) from pick_lists)::int pick_lists, (select count(*) from collect_lists)::int collect_lists,
    (select count(*) from order_serials where removed_at is null)::int serials, (select count(*) from paperless_codes where bound_at is not null)::int totes,
    (select count(*) from trade_invoices where number is not null)::int invoices, (select count(*) from outbox)::int outbox`)
  return { wrong, figures: { ...sums, sheets, received: day.outside.received.length } }
}
