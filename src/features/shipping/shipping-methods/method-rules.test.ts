/** Rules that choose the shipping method: who writes them, which one decides, and what the order says about it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTools, scopeOfCompany } from '#app/demo/builders.ts'
import type { WrittenOrder } from '#domain/order/canonical-order.ts'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { methodRules } from './method-rules.contract.ts'
import { shippingMethods } from './shipping-methods.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['settings_admin'])
  admin = await operator.hire(['admin'])
  for (const method of ['van', 'pickup']) await lead.send(shippingMethods.setActive, { active: 'true', agent_code: 'own', method })
})
afterAll(() => testApp.close())

const norway = { field: 'ship.country', op: 'eq', value: 'NO' }
const heavy = { field: 'order.weight', op: 'gt', value: 2_000 }
const rule = (method: string, ...all: object[]) => ({
  name: `To ${method}`,
  conditions: { v: 1 as const, all },
  agent_code: 'own',
  shipping_method: method,
})
const create = (method: string, ...all: object[]) => lead.send(methodRules.create, { body: rule(method, ...all) })

type OrderPlan = Omit<Partial<WrittenOrder>, 'ship_to'> & { ship_to?: Partial<WrittenOrder['ship_to']> }
let numbers = 0
/** Stores an order as every import does; the same `order_no` is the same order again. */
async function store({ ship_to, ...plan }: OrderPlan = {}): Promise<number> {
  const order_no = plan.order_no ?? `R${++numbers}`
  const address = { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0150', city: 'Oslo', country: 'NO' }
  const lines = [{ sku: 'TENT', name: 'Tent', qty: 1, weight_g: 2_500, unit_price_incl_vat: '500.00' }]
  const order = toOrder(CanonicalOrder.parse({ order_no, currency: 'DKK', lines, ...plan, ship_to: { ...address, ...ship_to } }))
  const scope = scopeOfCompany(operator)
  const [stored] = await testApp.services.database.transaction(scope, db => storeOrders(buildTools(testApp.services, db, scope), [order]))
  return stored!.order_id!
}
const methodOf = async (id: number) => {
  const { shipping_method, method_why } = await admin.send(orders.get, { id })
  return { method: shipping_method, why: method_why }
}

describe('rules', () => {
  it('are kept in the order in which they decide', async () => {
    const first = await create('van', norway)
    const second = await create('pickup', heavy)
    expect(first).toMatchObject({
      position: 1,
      name: 'To van',
      active: true,
      broken: false,
      version: 1,
      conditions: { v: 1, all: [norway] },
    })
    expect(second.position).toBe(2)
    const turned = await lead.send(methodRules.order, { body: { ids: [second.id, first.id] } })
    expect(turned.map(({ id, position }) => [id, position])).toEqual([
      [second.id, 1],
      [first.id, 2],
    ])
    expect(await lead.send(methodRules.list, {})).toEqual(turned)
  })

  it('that are ordered must all be named, each once', async () => {
    const { id } = await create('van', norway)
    await create('pickup', heavy)
    for (const ids of [[id], [id, id], [id, id + 1_000]])
      await expect(lead.send(methodRules.order, { body: { ids } })).rejects.toMatchObject({ status: 409 })
  })

  it('with an old version are refused with the current state', async () => {
    const { id } = await create('van', norway)
    const change = (version: number) => lead.send(methodRules.update, { id, body: { ...rule('pickup', heavy), version } })
    expect(await change(1)).toMatchObject({ version: 2, shipping_method: 'pickup' })
    await expect(change(1)).rejects.toMatchObject({ status: 409, current: { id, version: 2 } })
  })

  it('with a mistake are refused with its path and its sentence', async () => {
    const refused = create('van', norway, { any: [{ field: 'order.weight', op: 'contains', value: 1 }] })
    await expect(refused).rejects.toMatchObject({
      status: 422,
      message: '{{field}} cannot be compared this way'.replace('{{field}}', 'weight'),
      fields: { 'conditions.all[1].any[0].op': '{{field}} cannot be compared this way' },
    })
    await expect(create('van', { field: 'ship.city', op: 'matches', value: '(?=a)' })).rejects.toMatchObject({
      fields: { 'conditions.all[0].value': 'The pattern cannot be read' },
    })
    await expect(create('balloon', norway)).rejects.toMatchObject({ status: 404 })
  })

  it('are at most a hundred', async () => {
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('method_rules')
        .values(
          Array.from({ length: 100 }, (_, at) => ({
            position: at + 1,
            conditions: '{"v":1,"all":[]}',
            agent_code: 'own',
            shipping_method: 'van',
          })),
        )
        .execute(),
    )
    await expect(create('van', norway)).rejects.toMatchObject({ status: 409 })
  })

  it('are removed', async () => {
    const { id } = await create('van', norway)
    await lead.send(methodRules.remove, { id })
    await expect(lead.send(methodRules.remove, { id })).rejects.toMatchObject({ status: 404 })
  })

  it('are each company’s own, and are written only with the permission of the settings', async () => {
    const { id } = await create('van', norway)
    const sister = await operator.hire(['settings_admin'], operator.shops[0])
    expect(await sister.send(methodRules.list, {})).toEqual([])
    await expect(sister.send(methodRules.remove, { id })).rejects.toMatchObject({ status: 404 })
    await expect(sister.send(methodRules.update, { id, body: { ...rule('van', heavy), version: 1 } })).rejects.toMatchObject({
      status: 404,
    })
    const reader = await operator.hire(['settings'])
    expect(await reader.send(methodRules.list, {})).toHaveLength(1)
    await expect(reader.send(methodRules.remove, { id })).rejects.toMatchObject({ status: 403 })
    await expect((await operator.hire(['scan'])).send(methodRules.list, {})).rejects.toMatchObject({ status: 403 })
  })
})

describe('an order', () => {
  it('goes by the method of the first rule that it meets, and says why', async () => {
    await create('pickup', { ...norway, value: 'SE' })
    await create('pickup', norway, { ...heavy, value: 9_000 })
    const third = await create('pickup', norway, heavy)
    await create('van', norway)
    expect(await methodOf(await store())).toEqual({
      method: 'pickup',
      why: { source: 'rule', rule_id: third.id, position: 3, reasons: [norway, heavy] },
    })
  })

  it('meets conditions on its items, its customer’s address, its value and its tags', async () => {
    await create(
      'pickup',
      {
        lines: 'some',
        match: {
          all: [
            { field: 'line.sku', op: 'eq', value: 'tent' },
            { field: 'line.qty', op: 'gte', value: 2 },
          ],
        },
      },
      { field: 'order.value', op: 'gte', value: { amount: 100_000, currency: 'DKK' } },
      { field: 'order.tags', op: 'has_any', value: ['Camping'] },
      { field: 'ship.postcode', op: 'between', value: ['0001', '0999'] },
      { field: 'ship.phone_missing', op: 'is', value: true },
    )
    const tents = (qty: number) => [{ sku: 'TENT', name: 'Tent', qty, unit_price_incl_vat: '500.00', unit_price_excl_vat: '400.00' }]
    expect(await methodOf(await store({ lines: tents(2), tags: ['camping'] }))).toMatchObject({ method: 'pickup' })
    expect(await methodOf(await store({ lines: tents(1), tags: ['camping'] }))).toEqual({ method: null, why: null })
    expect(await methodOf(await store({ lines: tents(2), tags: [] }))).toMatchObject({ method: null })
    expect(await methodOf(await store({ lines: tents(2), tags: ['camping'], ship_to: { postcode: '5003' } }))).toMatchObject({
      method: null,
    })
  })

  it('passes over a rule whose method is not active, and says so', async () => {
    const off = await create('pickup', norway)
    const on = await create('van', norway)
    await lead.send(shippingMethods.setActive, { active: 'false', agent_code: 'own', method: 'pickup' })
    expect(await methodOf(await store())).toMatchObject({
      method: 'van',
      why: { source: 'rule', rule_id: on.id, skipped: [{ rule_id: off.id, position: 1 }] },
    })
  })

  it('passes over a rule that is switched off, and one that cannot be read any more', async () => {
    const { id } = await create('pickup', norway)
    await lead.send(methodRules.update, { id, body: { ...rule('pickup', norway), active: false, version: 1 } })
    const broken = await create('pickup', norway)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('method_rules')
        .set({ conditions: '{"v":1,"all":[{"field":"order.colour","op":"eq","value":"red"}]}' })
        .where('id', '=', broken.id)
        .execute(),
    )
    expect((await lead.send(methodRules.list, {})).map(one => one.broken)).toEqual([false, true])
    expect(await methodOf(await store())).toEqual({ method: null, why: null })
  })

  it('that meets no rule goes by its shop code, the name of a method, the method for all other codes, or the only active one', async () => {
    await create('pickup', { ...norway, value: 'SE' })
    const set = (method: string, shop_codes: string[]) =>
      lead.send(shippingMethods.set, { agent_code: 'own', type: 'parcel', method, body: { version: 1, shop_codes } })
    await set('van', ['Home 1'])
    expect(await methodOf(await store({ shipping: { code: 'home 1' } }))).toMatchObject({ method: 'van', why: { source: 'shop_code' } })
    expect(await methodOf(await store({ shipping: { code: 'own_pickup' } }))).toMatchObject({
      method: 'pickup',
      why: { source: 'method_name' },
    })
    expect(await methodOf(await store({ shipping: { code: 'drone' } }))).toEqual({ method: null, why: null })
    await set('pickup', ['*'])
    expect(await methodOf(await store({ shipping: { code: 'drone' } }))).toMatchObject({ method: 'pickup', why: { source: 'other_codes' } })
    await lead.send(shippingMethods.setActive, { active: 'false', agent_code: 'own', method: 'pickup' })
    expect(await methodOf(await store({ shipping: { code: 'drone' } }))).toMatchObject({ method: 'van', why: { source: 'only_active' } })
  })

  it('keeps the method that a person chose when the shop changes the order', async () => {
    await create('pickup', norway)
    const id = await store({ order_no: 'KEPT' })
    await admin.send(orders.setShipping, { method: 'own:van', id })
    await store({ order_no: 'KEPT', ship_to: { city: 'Bergen' } })
    expect(await methodOf(id)).toEqual({ method: 'van', why: { source: 'person', reasons: [] } })
    const other = await store({ order_no: 'MOVED' })
    await store({ order_no: 'MOVED', ship_to: { country: 'SE', postcode: '11122' } })
    expect(await methodOf(other)).toEqual({ method: null, why: null })
  })

  it('is chosen for again when its address or its weight changes here, but not when a person chose', async () => {
    const oslo = { field: 'ship.postcode', op: 'between', value: ['0001', '1299'] }
    await create('pickup', oslo, heavy)
    await create('van', { not: { all: [oslo, heavy] } })
    const id = await store()
    expect(await methodOf(id)).toMatchObject({ method: 'pickup' })
    await admin.send(orders.setAddress, { order_id: id, body: { postcode: '5003', city: 'Bergen' } })
    expect(await methodOf(id)).toMatchObject({ method: 'van', why: { position: 2, reasons: [{ ...oslo, not: true }] } })
    expect((await admin.send(orders.timeline, { id })).rows.map(entry => entry.text)).toContain('The shipping method was chosen again')
    await admin.send(orders.setShipping, { method: 'own:van', id })
    await admin.send(orders.setAddress, { order_id: id, body: { postcode: '0150', city: 'Oslo' } })
    expect(await methodOf(id)).toMatchObject({ method: 'van', why: { source: 'person' } })
  })

  it('is chosen for with the rules of its own company', async () => {
    const sister = await operator.hire(['settings_admin'], operator.shops[0])
    await sister.send(shippingMethods.setActive, { active: 'true', agent_code: 'own', method: 'van' })
    await sister.send(methodRules.create, { body: rule('van', norway) })
    expect(await methodOf(await store())).toEqual({ method: null, why: null })
  })
})
