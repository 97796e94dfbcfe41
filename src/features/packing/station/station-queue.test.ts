/** The queue of the idle station: what waits, in which order, and a product that opens the oldest order of one piece. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packingStation } from './station.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  kim = await operator.hire(['scan'], operator.main, 'Kim')
})
afterAll(() => testApp.close())

const barcode = '5704444444449'

it('names the late orders and the oldest first, and opens the oldest that wants one piece of a scanned product', async () => {
  const scope = scopeOfCompany(operator)
  const { database } = testApp.services
  const product = await database.transaction(scope, async db => {
    const { id } = await db
      .insertInto('products')
      .values({ sku: 'CUP', name: 'Cup', weight_g: 50 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('product_barcodes').values({ product_id: id, barcode }).execute()
    return id
  })
  const order = async (qty: number, ship_by: string) => {
    const { id } = await placeOrder(database, scope, {
      lines: [{ sku: 'CUP', name: 'Cup', qty, weight_g: 50, unit_price_excl_vat: '80.00', vat_percent: '25' }],
    })
    await database.transaction(scope, async db => {
      await db.updateTable('orders').set({ ship_by }).where('id', '=', id).execute()
      await db.updateTable('order_lines').set({ product_id: product }).where('order_id', '=', id).execute()
    })
    return id
  }
  const later = await order(1, '2099-01-02T12:00:00Z')
  const several = await order(2, '2020-01-01T12:00:00Z')
  const oldest = await order(1, '2099-01-01T12:00:00Z')
  const queue = await kim.send(packingStation.queue, {})
  expect(queue).toMatchObject({ waiting: 3, late: 1, packed_today: 0 })
  expect(queue.next.map(row => row.order_id)).toEqual([several, oldest, later])
  const found = async () => (await kim.send(packing.find, { code: barcode })).orders.map(row => row.order_id)
  expect(await found()).toEqual([oldest])

  await database.transaction(scope, db =>
    changeSettings(db, operator.main.id, { open_by_product: false }, { name: 'Astrid Holm', at: new Date() }),
  )
  expect(await found()).toEqual([])
})
