/** The order of an exchange: made once, at the time that the company has chosen, linked to the return and the first order. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { exchangeTask } from './exchange-orders.commands.ts'
import { returns } from './returns.contract.ts'

let testApp: TestApp
let operator: TestOperator
let desk: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  desk = await operator.hire(['rma_admin', 'pick', 'parcels', 'settings_admin'], operator.main, 'Mette')
})
afterAll(() => testApp.close())
beforeEach(() => testApp.setNow(undefined))

const inDatabase = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)

async function exchangeAt(exchange_at: 'never' | 'arrival' | 'decision') {
  const settings = await desk.send(returns.settings, {})
  await desk.send(returns.setSettings, { body: { ...settings, exchange_at } })
}

/** An announced exchange of two T-shirts, which fit no one. */
async function announce() {
  const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), { work_state: 'handed_over' })
  await inDatabase(db =>
    db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', order.id)
      .execute(),
  )
  const items = [{ order_line_id: elementAt(order.lines, 0), qty: 2, reason: 'does_not_fit', outcome: 'exchange' as const }]
  const made = await desk.send(returns.create, { body: { client_id: randomUUID(), order_id: order.id, items } })
  return { order, made, first: elementAt(made.items, 0), second: elementAt(made.items, 1) }
}

/** What the queue would do, twice. */
async function runTwice(return_id: number) {
  const scope = { ...scopeOfCompany(operator), company_id: operator.main.id, companies: [operator.main.id] }
  const context = { ...createSystemContext(testApp.services, scope), last_try: false }
  for (let time = 0; time < 2; time++) await exchangeTask({ return_id, company_id: operator.main.id }, context)
  return desk.send(returns.get, { id: return_id })
}
const copiesOf = (order_id: number) =>
  inDatabase(db =>
    db
      .selectFrom('orders as o')
      .innerJoin('order_lines as l', 'l.order_id', 'o.id')
      .select(['o.id', 'o.order_no', 'o.total_incl_vat', 'l.sku', 'l.qty'])
      .where('o.replacement_of', '=', order_id)
      .orderBy('l.line_no')
      .execute(),
  )

it('is made when the parcel arrives, once, without a price, and stands in both timelines', async () => {
  await exchangeAt('arrival')
  const { order, made } = await announce()
  expect((await runTwice(made.id)).items.map(item => item.exchange_order_id)).toEqual([null, null])
  await desk.send(returns.arrive, { id: made.id, body: {} })
  const after = await runTwice(made.id)
  const [copy, ...none] = await copiesOf(order.id)
  expect([copy, none]).toMatchObject([{ qty: 2, total_incl_vat: 0 }, []])
  expect(after.items.map(item => [item.exchange_order_id, item.exchange_order_no])).toEqual([
    [copy?.id, copy?.order_no],
    [copy?.id, copy?.order_no],
  ])
  const shown = JSON.stringify(await desk.send(orders.timeline, { id: order.id }))
  expect(shown).toContain(copy?.order_no)
  expect(shown).toContain(made.rma_no)
  expect(JSON.stringify(await desk.send(orders.timeline, { id: copy?.id ?? 0 }))).toContain(made.rma_no)
})

it('waits for the decision, and sends nothing for what goes back to the customer', async () => {
  await exchangeAt('decision')
  const { order, made, first, second } = await announce()
  for (const item of [first, second]) await desk.send(returns.inspect, { id: made.id, item_id: item.id, body: { condition: 'A' } })
  await runTwice(made.id)
  expect(await copiesOf(order.id)).toEqual([])
  const items = [
    { item_id: first.id, decision: 'restock' as const },
    { item_id: second.id, decision: 'send_back' as const },
  ]
  await desk.send(returns.decide, { id: made.id, body: { items } })
  expect((await runTwice(made.id)).items.map(item => item.exchange_order_id === null)).toEqual([false, true])
  expect(await copiesOf(order.id)).toMatchObject([{ qty: 1 }])
})

it('sends the product that was chosen, which a customer who wants another one waits for', async () => {
  await exchangeAt('arrival')
  await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
  const { order, made, first, second } = await announce()
  await inDatabase(db => db.updateTable('return_items').set({ exchange_other: true }).where('return_id', '=', made.id).execute())
  await desk.send(returns.arrive, { id: made.id, body: {} })
  await runTwice(made.id)
  expect(await copiesOf(order.id)).toEqual([])
  await inDatabase(db => db.insertInto('products').values({ sku: 'TS-XL', name: 'T-shirt', variant: 'XL' }).execute())
  await expect(desk.send(returns.exchange, { id: made.id, item_id: first.id, body: { code: 'nothing' } })).rejects.toMatchObject({
    status: 404,
  })
  await desk.send(returns.exchange, { id: made.id, item_id: first.id, body: { code: 'TS-XL' } })
  const after = await runTwice(made.id)
  expect(after.items.map(item => [item.exchange_product, item.exchange_order_id === null])).toEqual([
    ['T-shirt, XL, TS-XL', false],
    [null, true],
  ])
  expect(await copiesOf(order.id)).toMatchObject([{ sku: 'TS-XL', qty: 1 }])
  await expect(desk.send(returns.exchange, { id: made.id, item_id: first.id, body: { code: null } })).rejects.toMatchObject({
    code: 'exchange_made',
  })
  await desk.send(returns.exchange, { id: made.id, item_id: second.id, body: { code: null } })
  await runTwice(made.id)
  expect(await copiesOf(order.id)).toHaveLength(2)
})

it('is made by hand where the company has not chosen otherwise', async () => {
  await exchangeAt('never')
  const { order, made } = await announce()
  await desk.send(returns.arrive, { id: made.id, body: {} })
  await runTwice(made.id)
  expect(await copiesOf(order.id)).toEqual([])
})
