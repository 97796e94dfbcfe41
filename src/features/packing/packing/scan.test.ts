/** Scans that are not simply expected: a foreign piece that another order of the wagon waits for, a code that is linked to a product. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { type LockBarrier, openLockBarrier } from '#test/lock-barrier.ts'
import { placeOrder } from '#test/orders.ts'
import { buildPickList } from '#test/pick-list.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let gate: LockBarrier
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  gate = await openLockBarrier(testApp.url)
})
afterAll(async () => {
  await gate.close()
  await testApp.close()
})

it('says which order of the same wagon a foreign piece belongs to, until that order has it', async () => {
  const list = await buildPickList(testApp.services.database, operator, [
    { lines: [{ bin: 'A-01', qty: 1, barcode: 'W-1' }] },
    { lines: [{ bin: 'A-02', qty: 1, barcode: 'W-2', name: 'Blue cup' }] },
    { wagon_no: 2, lines: [{ bin: 'A-03', qty: 1, barcode: 'W-3', name: 'Red cup' }] },
  ])
  const [mine, beside] = list.orders
  if (!mine || !beside) throw new Error('The list has no orders')
  await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    await db.updateTable('orders').set({ work_state: 'picked', phase: 'picked' }).where('work_state', '=', 'in_pick').execute()
    await db.updateTable('pick_slots').set({ state: 'picked' }).where('pick_list_id', '=', list.id).execute()
  })
  await kim.send(packing.start, { id: mine.id, body: { station: 'Bench 1' } })
  const scan = (code: string) => kim.send(packing.scan, { id: mine.id, body: { scan_id: randomUUID(), code } })
  expect(await scan('W-2')).toMatchObject({
    result: 'wrong',
    counted: 0,
    text: '{{name}} belongs to order {{order_no}}, number {{slot}} of this wagon',
    values: { name: 'Blue cup', order_no: beside.order_no, slot: beside.slot_no },
  })
  // Another wagon's order is somebody else's business.
  expect(await scan('W-3')).toMatchObject({ result: 'wrong', text: '{{name}} does not belong to this order' })

  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('order_lines').set({ packed_qty: 1 }).where('order_id', '=', beside.id).execute(),
  )
  expect(await scan('W-2')).toMatchObject({ result: 'wrong', text: '{{name}} does not belong to this order' })
})

it('names at the station what pickers did not find, and the wagon that is still being picked', async () => {
  const other = await testApp.operator()
  const packer = await other.hire(['scan'], other.main, 'Kim')
  const list = await buildPickList(
    testApp.services.database,
    other,
    [{ lines: [{ bin: 'A-01', qty: 2, barcode: 'M-1', name: 'Blue cup' }] }, { lines: [{ bin: 'A-02', qty: 1, barcode: 'M-2' }] }],
    { codes: ['71', '72'] },
  )
  const [empty] = list.orders
  if (!empty) throw new Error('The list has no orders')
  // The tote of the slot was never filled, and its code leads to the order all the same.
  const { orders } = await packer.send(packing.find, { code: 'PP71' })
  expect(orders.map(order => order.order_id)).toEqual([empty.id])
  expect(await packer.send(packing.get, { id: empty.id })).toMatchObject({
    reported_missing: [],
    wagon: { pick_list_id: list.id, wagon_no: 1, slot_no: 1, picker: null, decided: 0, lines: 2 },
  })
  await testApp.services.database.transaction(scopeOfCompany(other), async db => {
    await db
      .insertInto('pick_shorts')
      .values({
        order_id: empty.id,
        order_line_id: empty.lines[0]?.order_line_id ?? 0,
        pick_list_id: list.id,
        wagon_no: 1,
        name: 'Blue cup',
        bin: 'A-01',
        quantity: 2,
        reason: 'not_there',
        reported_by: 'Ida',
      })
      .execute()
    await db.updateTable('pick_lines').set({ state: 'short' }).where('order_id', '=', empty.id).execute()
    await db.updateTable('pick_wagons').set({ user_name: 'Ida' }).where('pick_list_id', '=', list.id).execute()
  })
  expect(await packer.send(packing.get, { id: empty.id })).toMatchObject({
    reported_missing: [{ name: 'Blue cup', bin: 'A-01', quantity: 2, reported_by: 'Ida' }],
    wagon: { picker: 'Ida', decided: 1, lines: 2 },
  })
})

it('keeps of a linked GS1 code the article only, so that the next piece with another serial number is known', async () => {
  const jonas = await operator.hire(['scan_admin'], operator.main, 'Jonas')
  const scope = scopeOfCompany(operator)
  const placed = await placeOrder(testApp.services.database, scope, {
    lines: [{ sku: 'CUP', name: 'Cup', qty: 2, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  const [order_line_id = 0] = placed.lines
  await testApp.services.database.transaction(scope, async db => {
    const { id } = await db.insertInto('products').values({ sku: 'CUP-X', name: 'Cup' }).returning('id').executeTakeFirstOrThrow()
    await db.updateTable('order_lines').set({ product_id: id }).where('id', '=', order_line_id).execute()
  })
  await jonas.send(packing.start, { id: placed.id, body: { station: 'Bench 2' } })
  const scan = (code: string) => jonas.send(packing.scan, { id: placed.id, body: { scan_id: randomUUID(), code } })
  const piece = (serial: string) => `]d2010570999999999521${serial}`
  expect(await scan(piece('S1'))).toMatchObject({ result: 'unknown' })
  await jonas.send(packing.linkBarcode, { id: placed.id, body: { code: piece('S1'), order_line_id } })
  expect(await scan(piece('S1'))).toMatchObject({ result: 'ok' })
  expect(await scan(piece('S2'))).toMatchObject({ result: 'order_done' })
})

it('takes back a scan each when two hands take back at the same moment, never the same one twice', async () => {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator))
  await kim.send(packing.start, { id, body: { station: 'Bench 3' } })
  const scans = [randomUUID(), randomUUID()]
  for (const scan_id of scans) await kim.send(packing.scan, { id, body: { scan_id, code: '5701234567890' } })
  const undos = [randomUUID(), randomUUID()]
  const answers = await gate.atOnce('order_lines', id, ...undos.map(scan_id => () => kim.send(packing.undo, { id, body: { scan_id } })))
  expect(answers).toMatchObject([
    { result: 'undone', packed: 1 },
    { result: 'undone', packed: 0 },
  ])
  const undone_by = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('packing_scans').select('undone_by').where('id', 'in', scans).execute(),
  )
  expect(undone_by.map(row => row.undone_by).toSorted()).toEqual(undos.toSorted())
})
