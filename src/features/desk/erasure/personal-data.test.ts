/** Personal data over HTTP: a person is found, copied and erased by an admin of the main company. */
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BuiltCompany } from '#app/demo/builders.ts'
import { erasureParts } from '#app/erasure-parts.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { shopWebhooks } from '#features/orders/shop-webhooks/shop-webhooks.contract.ts'
import { shopifyDelivery, shopifyOrder } from '#integrations/shops/shopify.fake.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { erasures } from './erasure.contract.ts'
import { startWaitingErasures } from './erasure.task.ts'

let testApp: TestApp
const shop = () => operator.shops[0] as BuiltCompany
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  for (const company of [operator.main, shop()])
    await (await operator.hire(['admin'], company)).send(cmsKeys.setHook, { source: 'shopify', shop: 'dk', body: { secret } })
})
afterAll(() => testApp.close())

const secret = 'the secret of this shop'
/** An order of this person, as Shopify sends it. */
async function place(company: BuiltCompany, id: number, name: string, email: string, phone: string) {
  const written = { first_name: name, last_name: 'Holm', name: `${name} Holm`, phone, country_code: 'DK', zip: '5000', city: 'Odense' }
  const address = { ...written, address1: 'Torvet 2' }
  const order = shopifyOrder({
    id,
    name: `P-${id}`,
    email,
    contact_email: email,
    phone,
    customer: { id, first_name: name, last_name: 'Holm', email, phone },
    shipping_address: address,
    billing_address: address,
  })
  const { raw, headers } = shopifyDelivery(order, { secret })
  const answer = await testApp.visitor(company).ask(shopWebhooks.shopify, { shop: 'dk', upload: raw }, { headers })
  expect(answer.statusCode).toBe(204)
}
const found = async (query: string) => (await admin.send(erasures.orders, { query })).rows
const newest = async () => (await admin.send(erasures.list, {})).rows[0]!
const until = (state: string) => expect.poll(async () => (await newest()).state, { timeout: 20_000 }).toBe(state)

it('is found by e-mail, phone and order number, with all orders of the same customer', async () => {
  await place(operator.main, 1, 'Lene', 'lene@example.test', '+4520776655')
  await place(shop(), 2, 'Lene', 'lene@example.test', '+4520776655')
  await place(operator.main, 3, 'Bo', 'bo@example.test', '+4520112233')
  const orders = [
    ['P-1', operator.main.id],
    ['P-2', shop().id],
  ]
  for (const query of ['lene@example.test', ' LENE@example.test ', '+45 20 77 66 55', 'P-1', '#P-1', 'P-2'])
    expect((await found(query)).map(row => [row.order_no, row.company_id]).toSorted(), query).toEqual(orders)
  expect(await found('unknown@example.test')).toEqual([])
})

it('is copied by a request for each company, whose archive holds nothing of others', async () => {
  const ids = (await found('lene@example.test')).map(row => row.order_id)
  const asked = await admin.send(erasures.request, { body: { kind: 'report', order_ids: ids } })
  expect(asked.ids).toHaveLength(2)
  await expect
    .poll(async () => (await admin.send(erasures.list, {})).rows.map(row => [row.state, row.has_file]), { timeout: 20_000 })
    .toEqual([
      ['done', true],
      ['done', true],
    ])
  const { rows } = await admin.send(erasures.list, {})
  expect(rows.map(row => row.company_id).toSorted()).toEqual([operator.main.id, shop().id].toSorted())
  const texts = await Promise.all(
    rows.map(async ({ id }) => {
      const { bytes, media_type } = await admin.send(erasures.file, { id })
      expect(media_type).toBe('application/zip')
      const files = unzipSync(bytes as Uint8Array)
      expect(Object.keys(files)).toEqual(erasureParts.map(part => `${part.tables[0]}.json`))
      return Object.values(files)
        .map(content => Buffer.from(content).toString())
        .join()
    }),
  )
  for (const text of texts) {
    expect(text).toContain('lene@example.test')
    expect(text).not.toContain('bo@example.test')
  }
})

it('is erased when no order is open any more', async () => {
  const [order] = (await found('P-1')).filter(row => row.company_id === operator.main.id)
  const body = { kind: 'erase' as const, order_ids: [order!.order_id] }
  await admin.send(erasures.request, { body })
  expect(await newest()).toMatchObject({ kind: 'erase', state: 'waiting', orders: 1, requested_by: 'admin', has_file: false })
  await admin.send(orders.setState, { id: order!.order_id, state: 'cancelled' })
  await startWaitingErasures(testApp.services)
  await until('done')
  const [row] = (await found('P-1')).filter(one => one.order_id === order!.order_id)
  expect(row).toMatchObject({ erased_at: expect.any(String), customer_name: 'Erased person', customer_email: null })
})

it('belongs to admins of the main company, and to orders in their reach', async () => {
  const own = await operator.hire(['admin'], shop())
  const clerk = await operator.hire(['parcels_admin'])
  for (const user of [own, clerk]) {
    expect([403, 404]).toContain((await user.ask(erasures.orders, { query: 'P-2' })).statusCode)
    expect([403, 404]).toContain((await user.ask(erasures.list, {})).statusCode)
  }
  const other = await testApp.operator()
  const stranger = await other.hire(['admin'])
  const { id } = await newest()
  const order_ids = (await found('P-2')).map(row => row.order_id)
  expect((await stranger.send(erasures.orders, { query: 'P-2' })).rows).toEqual([])
  await expect(stranger.send(erasures.request, { body: { kind: 'erase', order_ids } })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.send(erasures.file, { id })).rejects.toMatchObject({ status: 404 })
  expect((await stranger.send(erasures.list, {})).rows).toEqual([])
})
