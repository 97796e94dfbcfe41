/** Tag rules: which orders they tag, once, at arrival and at changes, and how they follow their tags. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { rulePreviews } from '#features/orders/order-rules/rule-preview.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { methodRules } from '#features/shipping/shipping-methods/method-rules.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mostTagRules } from './tag-rules.codes.ts'
import { tagRules } from './tag-rules.contract.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let office: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { release_delay_s: 0, sender } })
  main = await operator.hire(['settings_admin', 'parcels_admin'])
  office = await operator.hire(['parcels'])
})

const tag = (name: string, by = main) => by.send(tags.create, { body: { name } })
const rule = (tag_id: number, all: unknown[], by = main) =>
  by.send(tagRules.create, { body: { tag_id, conditions: { v: 1, all } as never } })

let numbers = 0
type Plan = Partial<Omit<WrittenOrder, 'lines'>> & { skus?: readonly string[]; price?: string; country?: string }
const written = ({ skus = ['MUG'], price = '100.00', country = 'DK', ...plan }: Plan) =>
  toOrder(
    CanonicalOrder.parse({
      order_no: `T${++numbers}`,
      currency: 'DKK',
      payment_status: 'paid',
      totals: { excl_vat: price, vat: '0.00', incl_vat: price },
      lines: skus.map((sku, at) => ({
        external_id: String(at + 1),
        sku,
        name: 'Thing',
        qty: 1,
        weight_g: 500,
        unit_price_incl_vat: price,
      })),
      ...plan,
      ship_to: { name: 'Kari Prøve', address1: 'Vej 5', postcode: '5000', city: 'Odense', country, email: 'kari@example.test' },
    }),
  )
async function store(plans: Plan[], company = operator.main): Promise<number[]> {
  const system = createSystemContext(testApp.services, scopeOfCompany(operator, company))
  const stored = await system.transaction(context => storeOrders(context, plans.map(written)))
  return stored.flatMap(one => one.order_id ?? [])
}
const storeOne = async (plan: Plan = {}, company = operator.main) => elementAt(await store([plan], company), 0)
const tagsOf = async (id: number) => (await office.send(orders.get, { id })).tags

async function tagCustomerOf(order_id: number, name: string): Promise<void> {
  const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
  const { customer_id } = await testApp.services.database.transaction(scope, db =>
    db.selectFrom('orders').select('customer_id').where('id', '=', order_id).executeTakeFirstOrThrow(),
  )
  await main.send(tags.apply, { body: { object: 'customer', ids: [customer_id ?? 0], add: [name], remove: [] } })
}

const value = (amount: number) => ({ field: 'order.value', op: 'gte', value: { amount, currency: 'DKK' } })

describe('an order that arrives', () => {
  it('gets the tags of the rules that it meets, with an entry in its history that names the rule', async () => {
    await rule((await tag('Valuable')).id, [value(500_000)])
    await rule((await tag('Norway')).id, [{ field: 'ship.country', op: 'eq', value: 'NO' }])
    const [both, one, none] = await store([{ price: '5000.00', country: 'NO' }, { price: '5000.00' }, {}])
    expect(await tagsOf(both ?? 0)).toEqual(['Norway', 'Valuable'])
    expect(await tagsOf(one ?? 0)).toEqual(['Valuable'])
    expect(await tagsOf(none ?? 0)).toEqual([])
    const { rows } = await office.send(orders.timeline, { id: both ?? 0 })
    expect(rows).toContainEqual(expect.objectContaining({ actor: 'Tag rule' }))
    expect((await main.send(tagRules.list, {})).rows.map(row => [row.tag, row.hits])).toEqual([
      ['Norway', 1],
      ['Valuable', 2],
    ])
  })

  it('is not tagged by a rule that is off, nor by one of another company', async () => {
    const shopLead = await operator.hire(['settings_admin', 'parcels_admin'], elementAt(operator.shops, 0))
    await rule((await tag('Theirs', shopLead)).id, [value(1)], shopLead)
    const { id, version, ...made } = await rule((await tag('Off')).id, [value(1)])
    await main.send(tagRules.update, { id, body: { tag_id: made.tag_id, conditions: made.conditions, active: false, version } })
    expect(await tagsOf(await storeOne())).toEqual([])
    expect(await tagsOf(await storeOne({}, elementAt(operator.shops, 0)))).toEqual(['Theirs'])
  })

  it('is asked for the tags of its products, of its customer and its own', async () => {
    const [fragile, vip, careful, personal, chained] = [
      await tag('Fragile'),
      await tag('VIP'),
      await tag('Careful'),
      await tag('Personal'),
      await tag('Chained'),
    ]
    const product_id = await buildProduct(testApp.services, { ...scopeOfCompany(operator), companies: [operator.main.id] }, { sku: 'VASE' })
    await main.send(tags.apply, { body: { object: 'product', ids: [product_id], add: ['Fragile'], remove: [] } })
    const first = await storeOne()
    await tagCustomerOf(first, 'VIP')
    await rule(careful.id, [{ lines: 'some', match: { field: 'line.tag', op: 'has_any', value: ['fragile'] } }])
    await rule(personal.id, [{ field: 'customer.tags', op: 'has_any', value: ['vip'] }])
    await rule(chained.id, [{ field: 'order.tags', op: 'has_all', value: ['Careful', 'Personal'] }])
    expect(await tagsOf(await storeOne({ skus: ['VASE'] }))).toEqual(['Careful', 'Chained', 'Personal'])
    expect(await tagsOf(await storeOne())).toEqual(['Personal'])
    expect([fragile.orders, vip.orders]).toEqual([0, 0])
  })
})

describe('the choice of a shipping method', () => {
  it('asks for tags of the order, its products and its customer as they are when the order arrives', async () => {
    for (const method of ['van', 'pickup']) await main.send(shippingMethods.setActive, { active: 'true', agent_code: 'own', method })
    for (const name of ['Fragile', 'Rush', 'VIP']) await tag(name)
    const product_id = await buildProduct(testApp.services, { ...scopeOfCompany(operator), companies: [operator.main.id] }, { sku: 'VASE' })
    await main.send(tags.apply, { body: { object: 'product', ids: [product_id], add: ['Fragile'], remove: [] } })
    const first = await storeOne()
    const methodOf = async (id: number) => (await office.send(orders.get, { id })).shipping_method
    const choose = (...all: object[]) =>
      main.send(methodRules.create, {
        body: { name: 'By tag', conditions: { v: 1, all } as never, agent_code: 'own', shipping_method: 'van' },
      })
    const either = (...any: object[]) => choose({ any })
    await either(
      { lines: 'some', match: { field: 'line.tag', op: 'has_any', value: ['Fragile'] } },
      { field: 'order.tags', op: 'has_any', value: ['Rush'] },
      { field: 'customer.tags', op: 'has_any', value: ['VIP'] },
    )
    expect(await methodOf(await storeOne())).not.toBe('van')
    expect(await methodOf(await storeOne({ skus: ['VASE'] }))).toBe('van')
    expect(await methodOf(await storeOne({ tags: ['rush'] }))).toBe('van')
    await tagCustomerOf(first, 'VIP')
    expect(await methodOf(await storeOne())).toBe('van')
  })
})

describe('an order that changes', () => {
  it('gets a tag whose rule it meets now, and keeps it when it meets the rule no more', async () => {
    await rule((await tag('Valuable')).id, [value(500_000)])
    const id = await storeOne({ order_no: 'CHANGE', external_id: 'CHANGE', version: 1 })
    expect(await tagsOf(id)).toEqual([])
    await store([{ order_no: 'CHANGE', external_id: 'CHANGE', version: 2, price: '6000.00' }])
    expect(await tagsOf(id)).toEqual(['Valuable'])
    await store([{ order_no: 'CHANGE', external_id: 'CHANGE', version: 3, price: '60.00' }])
    expect(await tagsOf(id)).toEqual(['Valuable'])
  })

  it('does not get a tag back that a person took away', async () => {
    await rule((await tag('Valuable')).id, [value(500_000)])
    const id = await storeOne({ order_no: 'AWAY', external_id: 'AWAY', version: 1, price: '5000.00' })
    await office.send(tags.apply, { body: { object: 'order', ids: [id], add: [], remove: ['Valuable'] } })
    await store([{ order_no: 'AWAY', external_id: 'AWAY', version: 2, price: '7000.00' }])
    expect(await tagsOf(id)).toEqual([])
  })
})

describe('a rule', () => {
  it('shows before it is saved which orders it would tag', async () => {
    const [met] = await store([{ price: '5000.00' }, {}])
    const { preview } = await main.send(rulePreviews.preview, { body: { kind: 'tag', rule: { v: 1, all: [value(500_000)] } as never } })
    expect(preview).toMatchObject({ checked: 2, met: 1, open_now: 1, sample: [{ id: met }] })
    expect(await tagsOf(met ?? 0)).toEqual([])
  })

  it('that asks about the number of lines alone reads them as well', async () => {
    await rule((await tag('Has lines')).id, [{ lines: 'some', match: { all: [] } }])
    expect(await tagsOf(await storeOne())).toEqual(['Has lines'])
  })

  it('follows its tag when that is merged, and goes with it when that is removed', async () => {
    const [old, kept, gone] = [await tag('Old'), await tag('Kept'), await tag('Gone')]
    await rule(old.id, [value(1)])
    await rule(gone.id, [value(1)])
    await main.send(tags.merge, { id: old.id, body: { into: kept.id } })
    await main.send(tags.remove, { id: gone.id })
    expect((await main.send(tagRules.list, {})).rows.map(row => row.tag)).toEqual(['Kept'])
    expect(await tagsOf(await storeOne())).toEqual(['Kept'])
  })

  it.each([
    ['without a condition', { v: 1, all: [] }, 'tag_rule_empty', 'conditions'],
    ['with an unknown field', { v: 1, all: [{ field: 'order.color', op: 'eq', value: 'x' }] }, 'rule_invalid', 'conditions.all[0].field'],
  ])('%s is refused beside its field', async (_, conditions, code, field) => {
    const { id } = await tag('Any')
    await expect(main.send(tagRules.create, { body: { tag_id: id, conditions: conditions as never } })).rejects.toMatchObject({
      status: 422,
      code,
      fields: { [field]: expect.any(String) },
    })
  })

  it('with a tag of another company or none is refused', async () => {
    const shopLead = await operator.hire(['parcels_admin'], elementAt(operator.shops, 0))
    const theirs = await tag('Theirs', shopLead)
    for (const tag_id of [theirs.id, 999_999_999])
      await expect(rule(tag_id, [value(1)])).rejects.toMatchObject({ code: 'tag_not_found', fields: { tag_id: 'Choose a tag' } })
  })

  it('is made once however often it is sent, changed by its version, and exported', async () => {
    const { id: tag_id } = await tag('Once')
    const conditions = { v: 1, all: [value(1)] } as never
    const client_id = crypto.randomUUID()
    const made = await main.send(tagRules.create, { body: { tag_id, conditions, client_id } })
    expect((await main.send(tagRules.create, { body: { tag_id, conditions, client_id } })).id).toBe(made.id)
    const changed = await main.send(tagRules.update, { id: made.id, body: { tag_id, conditions, active: false, version: 1 } })
    expect(changed).toMatchObject({ active: false, version: 2 })
    await expect(main.send(tagRules.update, { id: made.id, body: { tag_id, conditions, version: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
    })
    const { bytes } = await main.send(tagRules.export, {})
    expect(new TextDecoder().decode(bytes as Uint8Array)).toContain('Once')
    expect((await main.send(tagRules.list, { active: 'true' as never })).rows).toEqual([])
    await main.send(tagRules.remove, { id: made.id })
    await main.send(tagRules.remove, { id: made.id })
    await expect(main.send(tagRules.get, { id: made.id })).rejects.toMatchObject({ status: 404 })
    await expect(office.send(tagRules.list, {})).rejects.toMatchObject({ status: 403 })
  })

  it('beyond a hundred is refused', async () => {
    const { id } = await tag('Many')
    for (let n = 0; n < mostTagRules; n++) await rule(id, [value(n)])
    await expect(rule(id, [value(1)])).rejects.toMatchObject({ status: 409, code: 'tag_rules_full' })
  })
})
