/** Two at once at one order: the second waits for the first, and then goes by the state that the first has left. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { type LockBarrier, openLockBarrier } from '#test/lock-barrier.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let label_printer_id: number
let gate: LockBarrier

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  const list = await kim.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.paper === 'label')!.id
  gate = await openLockBarrier(testApp.url)
})
afterAll(async () => {
  await gate.close()
  await testApp.close()
})

const line = { sku: 'TS001', barcode: '5701234567890', name: 'T-shirt', qty: 2, weight_g: 200, unit_price_excl_vat: '80.00' }
const order = () =>
  placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ ...line, vat_percent: '25' }],
  })
const start = (who: TestUser, id: number, station = 'Bench 1') => who.send(packing.start, { id, body: { station } })
const scan = (id: number) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: line.barcode } })
const close = (id: number) => kim.send(packing.close, { id, body: { label_printer_id } })
async function packed(): Promise<number> {
  const { id } = await order()
  await start(kim, id)
  for (let n = 0; n < line.qty; n++) await scan(id)
  return id
}

describe('two stations that open one order', () => {
  it('are distinguished: the first has it, the second learns who has it where', async () => {
    const { id } = await order()
    const ole = await operator.hire(['scan'], operator.main, 'Ole')
    const [first, second] = await gate.atOnce(
      'orders',
      id,
      () => start(kim, id, 'Bench 1'),
      () => start(ole, id, 'Bench 2'),
    )
    expect(first).toMatchObject({ session: { user_name: 'Kim', station: 'Bench 1' } })
    expect(second).toBe('Kim has it at Bench 1')
  })

  it('could not both have it even if no one waited: the database holds one open session of an order', async () => {
    const { id } = await order()
    await start(kim, id)
    const another = testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.insertInto('packing_sessions').values({ order_id: id, user_id: 1, user_name: 'Ole', station: 'Bench 2' }).execute(),
    )
    await expect(another).rejects.toMatchObject({ code: '23505', constraint: 'packing_sessions_one_open' })
  })
})

describe('an order that is being closed', () => {
  it('and closed again at the same moment is packed once, with one label on one sheet, and both hear of it', async () => {
    const id = await packed()
    const [first, second] = (await gate.atOnce(
      'orders',
      id,
      () => close(id),
      () => close(id),
    )) as { outcome: string; session_id: number }[]
    expect(first).toMatchObject({ outcome: 'labelled', parcels: [{ state: 'booked' }] })
    expect([second?.session_id, second?.outcome]).toEqual([first?.session_id, expect.stringMatching(/^(labelled|waiting)$/)])
    const rows = await gate.rows(
      `select (select count(*)::int from shipments where order_id = $1) labels, (select count(*)::int from print_jobs where order_id = $1) sheets,
        (select count(*)::int from events where order_id = $1 and kind = 'order.packed') packed`,
      [id],
    )
    expect(rows).toEqual([{ labels: 1, sheets: 1, packed: 1 }])
  })

  it('waits for a piece that is just being taken back, and misses it', async () => {
    const id = await packed()
    const [undone, closed] = await gate.atOnce(
      'order_lines',
      id,
      () => kim.send(packing.undo, { id, body: { scan_id: randomUUID() } }),
      () => close(id),
    )
    expect(undone).toMatchObject({ result: 'undone', packed: 1 })
    expect(closed).toBe('1 items are not packed yet')
  })

  it('cannot be set aside at the same moment: its label would come out of a parked order', async () => {
    const id = await packed()
    const [closed, parked] = await gate.atOnce(
      'packing_sessions',
      id,
      () => close(id),
      () => kim.send(packing.park, { id, body: { reason: 'Lunch' } }),
    )
    expect(closed).toMatchObject({ outcome: 'labelled' })
    expect(parked).toMatch(/^This order is (being closed|not open at any station)$/)
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'packed', session: null })
  })
})
