/** Tags: who writes them, what has them, what a shop's words mean, and that companies keep theirs apart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mostTags } from './tags.codes.ts'
import { tags } from './tags.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let clerk: TestUser
let shop: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2 })
  lead = await operator.hire(['parcels_admin', 'settings_admin'])
  clerk = await operator.hire(['parcels'])
  shop = await operator.hire(['parcels_admin'], elementAt(operator.shops, 0))
})
afterAll(() => testApp.close())

const place = (plan: Parameters<typeof placeOrder>[2] = {}, company = operator.main) =>
  placeOrder(testApp.services.database, scopeOfCompany(operator, company), plan)
const tagsOf = async (id: number) => (await clerk.send(orders.get, { id })).tags
const found = async (tag: string) => (await clerk.send(orders.search, { query: '', tag })).rows.map(row => row.id)
const tagged = (ids: number[], add: string[], remove: string[] = []) =>
  clerk.send(tags.apply, { body: { object: 'order', ids, add, remove } })
const named = async (name: string) => {
  const tag = (await lead.send(tags.list, { query: name })).rows.find(one => one.name === name)
  if (!tag) throw new Error(`No tag ${name}`)
  return tag
}
/** Stores an order as a shop sends it. */
const send = (external_id: string, words: string[], version: number, name = 'Lamp') =>
  createSystemContext(testApp.services, { ...scopeOfCompany(operator), companies: [operator.main.id] }).transaction(async context => {
    const [result] = await storeOrders(context, [
      toOrder(
        CanonicalOrder.parse({
          external_id,
          order_no: external_id,
          currency: 'DKK',
          version,
          tags: words,
          lines: [{ sku: 'LAMP', name, qty: 1 }],
          ship_to: { name: 'Bo', address1: 'Vej 1', postcode: '5000', city: 'Odense', country: 'DK' },
        }),
      ),
    ])
    return result?.order_id ?? 0
  })

describe('the list of tags', () => {
  it('is written by leads and read by the office', async () => {
    const tag = await lead.send(tags.create, { body: { name: 'Urgent', color: 'c2' } })
    expect(tag).toMatchObject({ name: 'Urgent', color: 'c2', orders: 0, products: 0, customers: 0 })
    await expect(clerk.send(tags.create, { body: { name: 'Mine' } })).rejects.toMatchObject({ status: 403 })
    expect(await clerk.send(tags.names, {})).toContainEqual({ company_id: operator.main.id, name: 'Urgent', color: 'c2' })
  })

  it('takes a name once, in whatever letters', async () => {
    await lead.send(tags.create, { body: { name: 'Once' } })
    await expect(lead.send(tags.create, { body: { name: 'ONCE' } })).rejects.toMatchObject({
      code: 'tag_exists',
      fields: { name: 'There is a tag with this name already' },
    })
  })

  it('adds a tag once however often it is sent', async () => {
    const body = { name: 'Sent twice', client_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }
    const [one, other] = [await lead.send(tags.create, { body }), await lead.send(tags.create, { body })]
    expect(other.id).toBe(one.id)
  })

  it('renames with the version that was read', async () => {
    const tag = await lead.send(tags.create, { body: { name: 'Before' } })
    await lead.send(tags.update, { id: tag.id, body: { name: 'After', color: 'c3', version: tag.version } })
    await expect(lead.send(tags.update, { id: tag.id, body: { name: 'Again', version: tag.version } })).rejects.toMatchObject({
      code: 'settings_changed',
      current: expect.objectContaining({ name: 'After', color: 'c3' }),
    })
  })

  it('of one company is not that of another', async () => {
    await shop.send(tags.create, { body: { name: 'Own of the shop' } })
    expect((await lead.send(tags.list, { limit: mostTags })).rows.map(tag => tag.name)).not.toContain('Own of the shop')
    const own = (await shop.send(tags.list, {})).rows.find(tag => tag.name === 'Own of the shop')
    await expect(lead.send(tags.update, { id: own?.id ?? 0, body: { name: 'X', version: 1 } })).rejects.toMatchObject({ status: 404 })
    expect(await clerk.send(tags.names, {})).toContainEqual(expect.objectContaining({ name: 'Own of the shop' }))
    expect((await shop.send(tags.names, {})).map(tag => tag.company_id)).not.toContain(operator.main.id)
  })
})

describe('an order', () => {
  it('gets and loses tags, is found by them, and remembers who did it', async () => {
    await lead.send(tags.create, { body: { name: 'Call first' } })
    const [one, other] = [await place(), await place()]
    expect(await tagged([one.id, other.id], ['call FIRST'])).toEqual({ changed: 2 })
    expect(await tagged([one.id, other.id], ['Call first'])).toEqual({ changed: 0 })
    expect(await tagsOf(one.id)).toEqual(['Call first'])
    expect(await found('Call first')).toEqual([other.id, one.id])
    await tagged([other.id], [], ['Call first'])
    expect(await found('call first')).toEqual([one.id])
    const { rows } = await clerk.send(orders.timeline, { id: other.id })
    expect(rows.filter(row => row.text.startsWith('Tags changed')).map(row => row.values.tags)).toEqual(['− Call first', '+ Call first'])
    expect(await named('Call first')).toMatchObject({ orders: 1 })
  })

  it('of another company gets a tag of that company with the same name and colour', async () => {
    await lead.send(tags.create, { body: { name: 'Everywhere', color: 'c5' } })
    const order = await place({}, elementAt(operator.shops, 1))
    await tagged([order.id], ['Everywhere'])
    expect(await clerk.send(tags.names, {})).toContainEqual({
      company_id: elementAt(operator.shops, 1).id,
      name: 'Everywhere',
      color: 'c5',
    })
    expect(await found('Everywhere')).toEqual([order.id])
  })

  it('gets no tag that does not exist, and none where it is another one’s', async () => {
    const order = await place()
    await expect(tagged([order.id], ['Unheard of'])).rejects.toMatchObject({ code: 'tag_unknown' })
    await shop.send(tags.create, { body: { name: 'Shop only' } })
    expect(await shop.send(tags.apply, { body: { object: 'order', ids: [order.id], add: ['Shop only'] } })).toEqual({ changed: 0 })
    const advisor = await operator.hire(['customer'])
    await expect(advisor.send(tags.apply, { body: { object: 'order', ids: [order.id], add: ['Once'] } })).rejects.toMatchObject({
      status: 403,
    })
  })
})

describe('a word that a shop sends', () => {
  it('is a tag where one has its name, also for orders that came before it', async () => {
    const before = await send('word-1', ['Gift', 'plain'], 1)
    expect(await tagsOf(before)).toEqual(['Gift', 'plain'])
    await lead.send(tags.create, { body: { name: 'gift', color: 'c4' } })
    const after = await send('word-2', ['GIFT'], 1)
    expect([await tagsOf(before), await tagsOf(after)]).toEqual([['gift', 'plain'], ['gift']])
    expect(await found('gift')).toEqual([after, before])
    expect(await found('plain')).toEqual([before])
  })

  it('stays away once a person took it away, until the shop sends it anew', async () => {
    await lead.send(tags.create, { body: { name: 'wrap' } })
    const id = await send('word-3', ['wrap'], 1)
    await tagged([id], [], ['wrap'])
    await send('word-3', ['wrap'], 2, 'Other lamp')
    expect(await tagsOf(id)).toEqual([])
    await send('word-3', [], 3)
    await send('word-3', ['wrap'], 4)
    expect(await tagsOf(id)).toEqual(['wrap'])
  })

  it('goes on meaning the tag that was renamed, and the one it was merged into', async () => {
    const old = await lead.send(tags.create, { body: { name: 'old word' } })
    const kept = await lead.send(tags.create, { body: { name: 'Kept' } })
    const first = await send('word-4', ['old word'], 1)
    await lead.send(tags.update, { id: old.id, body: { name: 'New word', version: old.version } })
    expect(await tagsOf(first)).toEqual(['New word'])
    const merged = await lead.send(tags.merge, { id: old.id, body: { into: kept.id } })
    expect(merged).toMatchObject({ name: 'Kept', orders: 1 })
    const second = await send('word-5', ['old word', 'New word'], 1)
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([['Kept'], ['Kept']])
    await lead.send(tags.remove, { id: kept.id })
    await lead.send(tags.remove, { id: kept.id })
    expect(await tagsOf(first)).toEqual(['old word'])
  })
})

it('a product and a customer have tags, and their lists are narrowed by them', async () => {
  await lead.send(tags.create, { body: { name: 'Fragile' } })
  const { product_id } = await lead.send(products.create, {
    body: {
      sku: 'VASE',
      name: 'Vase',
      variant: null,
      weight_g: 1,
      length_mm: null,
      width_mm: null,
      height_mm: null,
      bin: null,
      hs_code: null,
      origin: null,
      customs_text: null,
      serial_required: false,
      no_barcode: true,
      barcodes: [],
    },
  })
  const { customer_id } = await lead.send(customers.create, {
    body: { name: 'Tagged person', lookups: [{ check_type: 'email', check_value: 'tagged@example.test' }] },
  })
  for (const [object, id] of [
    ['product', product_id],
    ['customer', customer_id],
  ] as const)
    expect(await lead.send(tags.apply, { body: { object, ids: [id], add: ['Fragile'] } })).toEqual({ changed: 1 })
  expect((await lead.send(products.search, { tag: 'fragile' })).rows.map(row => [row.sku, row.tags])).toEqual([['VASE', ['Fragile']]])
  expect((await lead.send(products.search, { tag: 'nothing' })).rows).toEqual([])
  expect((await lead.send(customers.search, { tag: 'fragile' })).rows.map(row => [row.name, row.tags])).toEqual([
    ['Tagged person', ['Fragile']],
  ])
  expect((await lead.send(customers.get, { id: customer_id })).tags).toEqual(['Fragile'])
  // What a company calls a customer is no other company's business.
  expect((await shop.ask(customers.get, { id: customer_id })).statusCode).toBe(404)
  expect(await named('Fragile')).toMatchObject({ orders: 0, products: 1, customers: 1 })
})
