/** Why an order cannot be picked or packed: each cause is made to happen, with its owner, since when, and what takes it away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { reasonSentences } from '#features/warehouse/pick-lists/order-selection.rules.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { whyNot } from './why-not.contract.ts'
import { packMeanings, pickMeanings } from './why-not.rules.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let scope: TenantScope

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  office = await operator.hire(['parcels'], operator.main, 'Mette Friis')
  scope = scopeOfCompany(operator)
})
afterAll(() => testApp.close())

/** One cap in a bin, unless `plan` says otherwise. */
async function place(plan: OrderPlan = {}) {
  const placed = await placeOrder(testApp.services.database, scope, { lines: [{ sku: 'CAP-01', name: 'Cap', qty: 1 }], ...plan })
  if (!plan.lines)
    await testApp.services.database.transaction(scope, db =>
      db.updateTable('order_lines').set({ bin: 'A-01-1' }).where('order_id', '=', placed.id).execute(),
    )
  return placed
}
const ask = (id: number, by: TestUser = office) => by.send(whyNot.ask, { id })
const change = (id: number, columns: object) =>
  testApp.services.database.transaction(scope, db => db.updateTable('orders').set(columns).where('id', '=', id).execute())
const codes = async (id: number) => (await ask(id)).map(cause => `${cause.step}:${cause.code}`)

describe('an order', () => {
  it('that can be picked and packed has no cause', async () => {
    expect(await ask((await place()).id)).toEqual([])
  })

  it('on hold names who holds it, since when, and offers the release', async () => {
    const { id } = await place()
    await office.send(orderLocks.hold, { id, body: { reason: 'customer', note: 'Calls back', until: null } })
    expect(await ask(id)).toMatchObject([
      { step: 'pick', code: 'held', person: 'Mette Friis', values: { note: 'Calls back' }, since: expect.any(String), fix: 'release_hold' },
    ])
  })

  it('that is locked, or waits, says so', async () => {
    const locked = await place()
    await office.send(orderLocks.lock, { id: locked.id, body: { note: 'Fraud?' } })
    expect(await ask(locked.id)).toMatchObject([{ code: 'locked', values: { note: 'Fraud?' } }])
    const waiting = await place()
    await office.send(orderLocks.lockAuto, { id: waiting.id, body: { condition: 'Payment arrives', until: null } })
    expect(await ask(waiting.id)).toMatchObject([{ code: 'waiting', values: { note: 'Payment arrives' } }])
  })

  it.each([
    ['not released', { work_state: 'new' }, ['pick:not_released']],
    ['packed', { work_state: 'packed', packed_at: '2026-11-20T10:00:00Z' }, ['pick:done']],
    ['cancelled', { cancelled_at: '2026-11-20T10:00:00Z', phase: 'cancelled' }, ['pick:cancelled']],
    [
      'cancelled with items to put back',
      { cancelled_at: '2026-11-20T10:00:00Z', put_back_due: true, phase: 'cancelled_return_to_stock' },
      ['pick:cancelled', 'pack:put_back'],
    ],
    ['short', { short: true }, ['pick:short']],
    ['with a failed label', { work_state: 'in_pack', label_error: true }, ['pick:label_error']],
    ['in picking', { work_state: 'in_pick' }, ['pick:on_list']],
  ] as const)('that is %s says so', async (_, columns, expected) => {
    const { id } = await place()
    await change(id, columns)
    expect(await codes(id)).toEqual(expected)
  })

  it('with a product without a bin, or with nothing to pick, says so', async () => {
    const without = await place({ lines: [{ sku: 'NEW-1', name: 'New thing', qty: 1 }] })
    expect(await ask(without.id)).toMatchObject([{ code: 'no_bin', values: { product: 'NEW-1' }, fix: 'product', owner: 'office' }])
    const nothing = await place({ lines: [{ type: 'fee', name: 'Fee', qty: 1 }] })
    expect(await codes(nothing.id)).toEqual(['pick:nothing_to_pick'])
  })

  it('that somebody packs names the person and the station', async () => {
    const { id } = await place()
    await change(id, { work_state: 'in_pack' })
    await testApp.services.database.transaction(scope, db =>
      db.insertInto('packing_sessions').values({ order_id: id, user_id: 1, user_name: 'Kim Lund', station: 'Bench 1' }).execute(),
    )
    expect(await ask(id)).toMatchObject([{ code: 'being_packed', person: 'Kim Lund', fix: 'station' }])
  })

  it('that goes in the parcel of another one names that one', async () => {
    const [carries, goes] = [await place({ order_no: 'WN-1' }), await place({ order_no: 'WN-2' })]
    await change(goes.id, { combined_into: carries.id, phase: 'combined' })
    expect(await ask(goes.id)).toMatchObject([
      { step: 'pick', code: 'combined' },
      { step: 'pack', code: 'packed_with', values: { order_no: 'WN-1' } },
    ])
    await office.send(orderLocks.hold, { id: goes.id, body: { reason: 'customer', note: 'Calls back', until: null } })
    expect(await ask(carries.id)).toMatchObject([
      { step: 'pick', code: 'held', text: 'Combined with {{order_no}}, which is on hold', values: { order_no: 'WN-2' }, fix: 'none' },
    ])
  })

  it('is not for strangers', async () => {
    const { id } = await place()
    const stranger = await (await testApp.operator()).hire(['parcels'])
    await expect(ask(id, stranger)).rejects.toMatchObject({ status: 404 })
  })
})

it('every reason of planning and of packing has its owner, its sentence and its way out', () => {
  expect(Object.keys(pickMeanings).sort()).toEqual(Object.keys(reasonSentences).sort())
  expect(Object.values(packMeanings).filter(one => one.text === '')).toEqual([])
})
