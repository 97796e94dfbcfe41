/** The numbers of parcels that wait for an invoice: kept by what changes the queue or completes its parcels, added up, and compared with the queue. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { countryId } from '#domain/countries.ts'
import { elementAt } from '#domain/objects.ts'
import { bulkInvoicing } from '#features/invoicing/bulk-invoicing/bulk-invoicing.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { invoices } from './invoices.contract.ts'
import { addUpInvoiceQueue, checkInvoiceQueue } from './queue-counts.task.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let packer: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ settings: { sender } })
  const boss = await operator.hire(['admin'])
  clerk = await operator.hire(['list'])
  packer = await operator.hire(['scan', 'parcels'])
  const party = { name: 'Fjord AS', address1: 'Kaia 1', postcode: '0150', city: 'Oslo', country: 'NO', vat_no: '974760673' }
  const { config_id } = await boss.send(bulkInvoicing.create, {
    agent_code: 'own',
    country_id: countryId('NO'),
    body: { currency: 'NOK', importer: party, exporter: { ...party, country: 'DK', vat_no: 'DK12345678' }, hs_digits: 8 },
  })
  await boss.send(bulkInvoicing.setActive, { config_id, active: true })
})

const inScope = <T>(work: (db: Db) => Promise<T>) => testApp.services.database.transaction(scopeOfCompany(operator), work)

/** A packed order to Norway with its label; its one line says nothing to customs but what is given. */
async function packed(line: { hs_code?: string; origin?: string } = {}) {
  const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    work_state: 'packed',
    currency: 'NOK',
    ship_to: { country: 'NO', postcode: '0155', city: 'Oslo' },
    lines: [{ sku: 'CAP', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', ...line }],
  })
  const line_id = elementAt(order.lines, 0)
  const { shipments } = await packer.send(labels.create, {
    agent_code: 'own',
    shipping_method: 'van',
    operation_code: 'outbound',
    body: { order_id: order.id, parcels: [{ lines: [{ order_line_id: line_id, quantity: 1 }] }] },
  })
  return { id: order.id, line_id, shipment_id: elementAt(shipments, 0).shipment_id }
}

const setLine = (db: Db, id: number, set: { hs_code?: string | null; origin?: string | null; product_id?: number }) =>
  db.updateTable('order_lines').set(set).where('id', '=', id).execute()
const counted = async () => {
  const [tab] = await clerk.send(invoices.tabs, {})
  return [tab?.ready, tab?.incomplete]
}
const rowsOfCounts = () =>
  inScope(async db => (await db.selectFrom('invoice_queue_counts').select(['ready', 'incomplete']).execute()).map(row => ({ ...row })))

it('a parcel is ready once its line or product says what is missing, and no longer when that is taken away', async () => {
  const { line_id } = await packed()
  expect(await counted()).toEqual([0, 1])
  await inScope(db => setLine(db, line_id, { hs_code: '650500' }))
  expect(await counted()).toEqual([0, 1])
  const product = await inScope(db =>
    db.insertInto('products').values({ sku: 'HAT', name: 'Hat', origin: 'CN' }).returning('id').executeTakeFirstOrThrow(),
  )
  await inScope(db => setLine(db, line_id, { product_id: product.id }))
  expect(await counted()).toEqual([1, 0])
  const setProduct = (set: { origin?: string | null; name?: string }) =>
    inScope(db => db.updateTable('products').set(set).where('id', '=', product.id).execute())
  await setProduct({ origin: null })
  expect(await counted()).toEqual([0, 1])
  await setProduct({ name: 'Sun hat' })
  await setProduct({ origin: 'PT' })
  expect(await counted()).toEqual([1, 0])
  expect((await clerk.send(invoices.orders, { courier: 'own', country: 'NO', missing: 'only' })).rows).toEqual([])
  await inScope(db => setLine(db, line_id, { hs_code: null }))
  expect(await counted()).toEqual([0, 1])
})

it('a parcel that lacked nothing when it came in stays ready, and one that leaves is counted no more', async () => {
  const one = await packed({ hs_code: '650500', origin: 'CN' })
  await packed()
  await inScope(db => setLine(db, one.line_id, { hs_code: null }))
  expect(await counted()).toEqual([1, 1])
  await inScope(db => db.deleteFrom('invoice_queue').where('shipment_id', '=', one.shipment_id).execute())
  expect(await counted()).toEqual([0, 1])
})

it('two people who correct one parcel at once complete it', async () => {
  const { line_id } = await packed()
  const product = await inScope(db =>
    db.insertInto('products').values({ sku: 'HAT', name: 'Hat' }).returning('id').executeTakeFirstOrThrow(),
  )
  await inScope(db => setLine(db, line_id, { product_id: product.id }))
  let second: Promise<unknown> = Promise.resolve()
  await inScope(async db => {
    await setLine(db, line_id, { hs_code: '650500' })
    second = inScope(other => other.updateTable('products').set({ origin: 'CN' }).where('id', '=', product.id).execute())
    await new Promise(resolve => setTimeout(resolve, 100))
  })
  await second
  expect(await counted()).toEqual([1, 0])
})

it('the differences are added up to one row, and the check counts what the triggers have not seen', async () => {
  const { line_id } = await packed()
  await packed({ hs_code: '650500', origin: 'CN' })
  await inScope(db => setLine(db, line_id, { hs_code: '650500', origin: 'CN' }))
  expect((await rowsOfCounts()).length).toBeGreaterThan(1)
  await addUpInvoiceQueue.run(testApp.services)
  expect(await rowsOfCounts()).toEqual([{ ready: 2, incomplete: 0 }])
  const asSystem = (text: string) => testApp.services.database.systemTransaction('a test', db => sql.raw(text).execute(db))
  await asSystem('delete from invoice_queue_counts')
  await asSystem(`update invoice_queue set complete = false where operator_id = ${operator.operator_id}`)
  await checkInvoiceQueue.run(testApp.services)
  await checkInvoiceQueue.run(testApp.services)
  expect(await counted()).toEqual([2, 0])
  await addUpInvoiceQueue.run(testApp.services)
  expect(await rowsOfCounts()).toEqual([{ ready: 2, incomplete: 0 }])
})
