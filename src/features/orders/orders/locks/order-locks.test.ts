/** Locks that are set and lifted at the same moment. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { type LockBarrier, openLockBarrier } from '#test/lock-barrier.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { orderLocks } from './order-locks.contract.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let gate: LockBarrier
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  clerk = await operator.hire(['parcels_admin', 'scan_admin'])
  gate = await openLockBarrier(testApp.url)
})
afterAll(async () => {
  await gate.close()
  await testApp.close()
})

const order = () => placeOrder(testApp.services.database, scopeOfCompany(operator))
const hold = (id: number, note: string) => clerk.send(orderLocks.hold, { id, body: { reason: 'customer', note } })
const release = (id: number, lock_id: number) => clerk.send(orderLocks.releaseHold, { id, lock_id })
const start = (id: number) => clerk.ask(packing.start, { id, body: { station: 'Bench 1' } })

it('an order that is held while its last hold is being lifted stays held', async () => {
  const { id } = await order()
  const { lock_id } = await hold(id, 'The first')
  await gate.atOnce(
    'orders',
    id,
    () => hold(id, 'The second'),
    () => release(id, lock_id),
  )
  expect((await start(id)).json()).toMatchObject({ message: expect.stringContaining('The second') })
})

it('an order is locked by hand once, however many lock it at the same moment', async () => {
  const { id } = await order()
  const lock = (note: string) => clerk.send(orderLocks.lock, { id, body: { note } })
  const [, second] = await gate.atOnce(
    'orders',
    id,
    () => lock('The first'),
    () => lock('The second'),
  )
  expect(second).toMatch(/has locked this order already: The first$/)
})

it('a hold that is sent again after a lost answer is the same hold; another note makes another one', async () => {
  const { id } = await order()
  const first = await hold(id, 'She moves')
  expect(await hold(id, 'She moves')).toEqual(first)
  const other = await hold(id, 'She has moved')
  await release(id, first.lock_id)
  expect((await start(id)).json()).toMatchObject({ message: expect.stringContaining('She has moved') })
  await release(id, other.lock_id)
  expect((await start(id)).statusCode).toBe(200)
})

it('a hold is lifted once, and the second person is informed', async () => {
  const { id } = await order()
  const { lock_id } = await hold(id, 'The only one')
  const [, second] = await gate.atOnce(
    'orders',
    id,
    () => release(id, lock_id),
    () => release(id, lock_id),
  )
  expect(second).toBe('This was released already')
  expect((await start(id)).statusCode).toBe(200)
})
