/**
 * A day of packing stations at once: wrong scans, repeated requests, take-overs, holds, cancels, partial shipments and labels that fail.
 * At its end every total agrees. `ORDERS=2000 STATIONS=20 SEED=7 npm test -- day-simulation` runs a whole day.
 */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

/** Drawn again by the same seed. */
const seed = fc.readConfigureGlobal()?.seed ?? 1
const count = Number(process.env.ORDERS ?? 18)
const stations = Number(process.env.STATIONS ?? 4)

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let label_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ settings: { sender } })
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  const list = await lead.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.paper === 'label')?.id ?? 0
})
afterAll(() => testApp.close())

type Fate = 'plain' | 'parcels' | 'partial' | 'cancel_rest' | 'hold' | 'cancel' | 'label_error' | 'take_over' | 'undo'
const fates: readonly (readonly [Fate, number])[] = [
  ['plain', 0.6],
  ['parcels', 0.12],
  ['partial', 0.06],
  ['cancel_rest', 0.04],
  ['hold', 0.04],
  ['cancel', 0.04],
  ['label_error', 0.04],
  ['take_over', 0.03],
  ['undo', 0.03],
]

function fateOf(random: () => number): Fate {
  let at = random()
  for (const [fate, share] of fates) {
    if (at < share) return fate
    at -= share
  }
  return 'plain'
}

/** Two products, of which the first is wanted at least twice. */
const codes = ['SIM-A', 'SIM-B'] as const
async function place(fate: Fate, random: () => number) {
  const line = (sku: string, qty: number) => ({
    ...{ sku, barcode: sku, name: sku, qty, unit_price_excl_vat: '80.00', vat_percent: '25' },
    weight_g: fate === 'label_error' ? 40_000 : 200,
  })
  const placed = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [line(codes[0], 2 + Math.floor(random() * 3)), line(codes[1], 1 + Math.floor(random() * 2))],
  })
  return placed.id
}

/** What a request of a station came to; a refusal is an answer too. */
const settled = async <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined)

async function pack(packer: TestUser, station: string, id: number, fate: Fate, random: () => number): Promise<void> {
  const start = (who: TestUser, at: string, take_over = false) => who.send(packing.start, { id, body: { station: at, take_over } })
  let who = packer
  let order = await start(packer, station)
  const scan = async (code: string) => {
    const body = { scan_id: randomUUID(), code }
    const answer = await settled(who.send(packing.scan, { id, body }))
    // The answer was lost on its way: the same scan is sent again.
    if (random() < 0.05) await settled(who.send(packing.scan, { id, body }))
    return answer
  }
  const close = (more: object = {}) => settled(who.send(packing.close, { id, body: { label_printer_id, ...more } }))
  const wanted = order.lines.flatMap(line => Array.from({ length: line.qty }, () => line.sku ?? ''))
  for (const [nth, code] of wanted.entries()) {
    if (random() < 0.05) await scan('NOT-IN-ANY-ORDER')
    if (nth === wanted.length - 1 && (fate === 'partial' || fate === 'cancel_rest')) break
    await scan(code)
    if (nth !== 0) continue
    if (fate === 'take_over') {
      who = lead
      order = await start(lead, `${station} lead`, true)
    }
    if (fate === 'undo') {
      await settled(who.send(packing.undo, { id, body: { scan_id: randomUUID() } }))
      await scan(code)
    }
    if (fate === 'parcels') {
      const body = { label_printer_id, scan_id: randomUUID() }
      await settled(who.send(packing.nextParcel, { id, body }))
      await settled(who.send(packing.nextParcel, { id, body }))
    }
    if (fate === 'hold') await lead.send(orderLocks.hold, { id, body: { reason: 'address', note: 'She moves' } })
    if (fate === 'cancel') await lead.send(orders.setState, { id, state: 'cancelled' })
  }
  if (fate === 'partial') await close({ rest: 'backorder' })
  else if (fate === 'cancel_rest') {
    who = lead
    await start(lead, `${station} lead`, true)
    await close({ rest: 'cancel' })
  } else {
    const closing = await close()
    if (closing?.outcome === 'label_error') await close({ weight_g: 1_000, weight_confirmed: true })
    // A second press of the same key.
    if (random() < 0.1) await close()
  }
}

/** A figure of the database; 0 where all is well. */
const figures = {
  'pieces that are packed and lie in no parcel': sql`
    select count(*) n from order_lines l where l.operator_id = current_operator_id() and l.packed_qty <> coalesce((select sum(b.qty) from parcel_lines b
      where b.operator_id = l.operator_id and b.order_line_id = l.id), 0)`,
  'lines with more than was ordered': sql`select count(*) n from order_lines where operator_id = current_operator_id() and packed_qty > qty - cancelled_qty`,
  'scans that do not come to what is packed': sql`
    select count(*) n from order_lines l where l.operator_id = current_operator_id() and l.packed_qty <> coalesce((select sum(s.quantity) from packing_scans s
      where s.operator_id = l.operator_id and s.order_line_id = l.id), 0)`,
  'parcels with two live labels': sql`
    select count(*) n from (select from shipments where operator_id = current_operator_id() and operation_code = 'outbound'
      and state not in ('cancelled', 'blocked', 'error', 'draft') group by order_id, parcel_no having count(*) > 1) twice`,
  'labels that were printed twice without a copy mark': sql`
    select count(*) n from (select from print_jobs where operator_id = current_operator_id() and document = 'label' and copy_no = 0
      and state in ('accepted', 'done') group by shipment_id having count(*) > 1) twice`,
  'orders that were packed twice': sql`
    select count(*) n from (select from events where operator_id = current_operator_id() and kind = 'order.packed' group by order_id having count(*) > 1) twice`,
  'labels of orders that were stopped': sql`
    select count(*) n from shipments s join orders o on o.operator_id = s.operator_id and o.id = s.order_id where s.operator_id = current_operator_id()
      and (o.held or o.cancelled_at is not null) and s.state = 'booked'`,
  'sessions that are open without a stop': sql`
    select count(*) n from packing_sessions s join orders o on o.operator_id = s.operator_id and o.id = s.order_id where s.operator_id = current_operator_id()
      and s.ended_at is null and not o.held and o.cancelled_at is null`,
}

it(
  `${stations} stations pack ${count} orders, and every total agrees`,
  async () => {
    const random = newChance(seed).next
    const planned = Array.from({ length: count }, () => fateOf(random))
    // Each fate is there also in a short day.
    for (const [at, [fate]] of fates.entries()) if (at < count) planned[at] = fate
    const queue: { id: number; fate: Fate }[] = []
    for (const fate of planned) queue.push({ id: await place(fate, random), fate })
    const packers = await Promise.all(Array.from({ length: stations }, (_, at) => operator.hire(['scan'], operator.main, `Packer ${at}`)))
    await Promise.all(
      packers.map(async (packer, at) => {
        for (let next = queue.shift(); next; next = queue.shift()) await pack(packer, `S${at}`, next.id, next.fate, random)
      }),
    )
    const read = (figure: (typeof figures)[keyof typeof figures]) =>
      testApp.services.database.transaction(scopeOfCompany(operator), async db =>
        Number((await figure.execute(db)).rows.map(row => (row as { n: number }).n)[0]),
      )
    await expect.poll(() => read(figures['sessions that are open without a stop']), { timeout: 15_000 }).toBe(0)
    const wrong: Record<string, number> = {}
    for (const [name, figure] of Object.entries(figures)) {
      const n = await read(figure)
      if (n !== 0) wrong[name] = n
    }
    expect(wrong, `SEED=${seed}`).toEqual({})
    const { packed } = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .selectFrom('orders')
        .select(sql<number>`count(*) filter (where work_state = 'packed')::integer`.as('packed'))
        .executeTakeFirstOrThrow(),
    )
    expect(packed).toBe(planned.filter(fate => !['partial', 'hold', 'cancel'].includes(fate)).length)
  },
  10 * 60_000,
)
