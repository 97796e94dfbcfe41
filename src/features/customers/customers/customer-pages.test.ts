/** Customers over HTTP: found, noted, merged with undo, and seen by each company only as far as it knows them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCompany, buildOrder, scopeOfCompany } from '#app/demo/builders.ts'
import type { WrittenOrder } from '#domain/order/canonical-order.ts'
import { customerPage } from '#features/desk/customer-page/customer-page.contract.ts'
import { takeChanges } from '#features/orders/orders/customers/customer-changes.task.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { customers } from './customers.contract.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let lead: TestUser
let shopClerk: TestUser
const shop = () => operator.shops[0]!
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 2 })
  clerk = await operator.hire(['parcels'], operator.main, 'Astrid Holm')
  lead = await operator.hire(['parcels_admin'], operator.main, 'Kim Lund')
  shopClerk = await operator.hire(['customer_admin'], shop(), 'Shop Person')
})
afterAll(() => testApp.close())

let numbers = 0
const email = () => `person-${++numbers}@example.test`
const phone = () => `+45201${10_000 + ++numbers}`

async function place(
  customer: NonNullable<WrittenOrder['customer']>,
  company: BuiltCompany = operator.main,
  over: Partial<WrittenOrder> = {},
) {
  return buildOrder(
    testApp.services,
    { ...scopeOfCompany(operator, company), companies: [company.id] },
    {
      ship_to: {
        name: customer.name ?? '',
        address1: 'Prøvevej 5',
        postcode: '5000',
        city: 'Odense C',
        country: 'DK',
        phone: customer.phone ?? null,
      },
      customer,
      ...over,
    },
  )
}
const counted = () => takeChanges(testApp.services)
const search = async (query: string, user = clerk, more: Record<string, unknown> = {}) =>
  (await user.send(customers.search, { query, ...more })).rows
const one = async (query: string, user = clerk) => {
  const rows = await search(query, user)
  expect(rows, query).toHaveLength(1)
  return rows[0]!
}

describe('a customer', () => {
  it('is found by name, e-mail, phone and postcode as soon as its order is counted', async () => {
    const [mail, number] = [email(), phone()]
    await place({ name: 'Åse Thorvaldsen', email: mail, phone: number })
    await counted()
    const national = number.slice(3)
    for (const query of [
      'thorvaldsen',
      'Aase thorv',
      'ase Thorvaldsen',
      mail.toUpperCase(),
      number,
      national,
      `${national.slice(0, 4)} ${national.slice(4)}`,
      'thorvaldsen 5000',
    ])
      expect(await one(query), query).toMatchObject({ name: 'Åse Thorvaldsen', email: mail, phone: number, order_count: 1 })
    expect(await search('thorvaldsen 9000')).toEqual([])
    expect(await search("'; drop table customers --")).toEqual([])
  })

  it('is listed by the last order, by the number of orders and by name', async () => {
    const other = await testApp.operator()
    const user = await other.hire(['customer'])
    const put = async (name: string, ordered_at: string, address: string) =>
      buildOrder(
        testApp.services,
        { ...scopeOfCompany(other), companies: [other.main.id] },
        {
          ordered_at,
          ship_to: { name, address1: 'Vej 1', postcode: '5000', city: 'Odense', country: 'DK' },
          customer: { name, email: address },
        },
      )
    const often = email()
    await put('Øjvind', '2026-05-01T10:00:00Z', often)
    await put('Øjvind', '2026-05-02T10:00:00Z', often)
    await put('Anna', '2026-05-03T10:00:00Z', email())
    await put('Bo', '2026-04-03T10:00:00Z', email())
    await counted()
    const names = async (sort: string) => (await user.send(customers.search, { sort } as never)).rows.map(row => row.name)
    expect(await names('last_order')).toEqual(['Anna', 'Øjvind', 'Bo'])
    expect((await names('orders'))[0]).toBe('Øjvind')
    expect(await names('name')).toEqual(['Anna', 'Bo', 'Øjvind'])
    for (const sort of ['last_order', 'name']) expect(await names(`-${sort}`)).toEqual((await names(sort)).toReversed())
    expect((await names('-orders')).at(-1)).toBe('Øjvind')
    const { rows, total } = await user.send(customers.search, { page: 2, limit: 2 })
    expect([rows.map(row => row.name), total]).toEqual([['Bo'], 3])
  })

  it('who was away for longest comes first by the latest order in any company, each once', async () => {
    const other = await testApp.operator({ shops: 1 })
    const user = await other.hire(['customer'])
    const [both, early] = [email(), email()]
    const put = (name: string, address: string, ordered_at: string, company: BuiltCompany) =>
      buildOrder(
        testApp.services,
        { ...scopeOfCompany(other, company), companies: [company.id] },
        {
          ordered_at,
          ship_to: { name, address1: 'Vej 1', postcode: '5000', city: 'Odense', country: 'DK' },
          customer: { name, email: address },
        },
      )
    const inShop = other.shops[0]!
    await put('Dorte', both, '2026-01-01T10:00:00Z', other.main)
    await put('Dorte', both, '2026-05-01T10:00:00Z', inShop)
    await put('Emil', early, '2026-02-01T10:00:00Z', inShop)
    await counted()
    const names = (await user.send(customers.search, { sort: '-last_order' })).rows.map(row => row.name)
    expect(names).toEqual(['Emil', 'Dorte'])
  })

  it('is found by its lookup, compared as orders are', async () => {
    const [mail, number] = [email(), phone()]
    const order = await place({ name: 'Signe Dahl', email: mail, phone: number, external_id: '4711' })
    const find = async (check_type: string, check_value: string) =>
      (await clerk.send(customers.find, { check_type, check_value })).customer?.name
    expect(await find('email', ` ${mail.toUpperCase()} `)).toBe('Signe Dahl')
    expect(await find('phone', number.slice(3))).toBe('Signe Dahl')
    expect(await find('shop_customer', '4711')).toBe('Signe Dahl')
    expect(await find('shop_customer', `${operator.main.id}:main:4711`)).toBe('Signe Dahl')
    expect(await find('email', 'no one')).toBeUndefined()
    expect((await clerk.ask(customers.find, { check_type: 'shoe', check_value: '1' })).json()).toMatchObject({ code: 'check_type_unknown' })
    expect((await clerk.send(customers.ofOrder, { id: order.id })).customer).toMatchObject({ name: 'Signe Dahl' })
  })

  it('is created by hand, changed, and refused with the state that someone else saved', async () => {
    const mail = email()
    const made = await clerk.send(customers.create, {
      body: { name: 'Hanne Vik', lookups: [{ check_type: 'email', check_value: mail.toUpperCase() }], note: 'Calls on Fridays' },
    })
    expect(made).toMatchObject({
      name: 'Hanne Vik',
      lookups: [{ check_value: mail }],
      notes: [{ note: 'Calls on Fridays' }],
      figures: { orders: 0 },
    })
    const again = await clerk.ask(customers.create, { body: { name: 'H', lookups: [{ check_type: 'email', check_value: mail }] } })
    expect(again.json()).toMatchObject({ code: 'lookup_taken', current: { customer_id: made.customer_id } })
    const bad = await clerk.ask(customers.create, { body: { name: 'H', lookups: [{ check_type: 'phone', check_value: '12' }] } })
    expect(bad.json()).toMatchObject({ code: 'lookup_invalid', fields: { 'lookups.0.check_value': expect.any(String) } })
    const changed = await clerk.send(customers.update, {
      id: made.customer_id,
      body: { version: made.version, name: 'Hanne Wik', locale: 'no_NO', flags: ['no_sms', 'known_problem'] },
    })
    expect(changed).toMatchObject({ name: 'Hanne Wik', locale: 'no_NO', flags: [{ flag: 'known_problem' }, { flag: 'no_sms' }] })
    const stale = await clerk.ask(customers.update, { id: made.customer_id, body: { version: made.version, name: 'X' } })
    expect([stale.statusCode, stale.json()]).toMatchObject([409, { code: 'customer_changed', current: { name: 'Hanne Wik' } }])
    expect(await one('wik')).toMatchObject({ flags: ['known_problem', 'no_sms'] })
    expect((await search('', clerk, { view: 'blocked' })).map(row => row.name)).toEqual(['Hanne Wik'])
    // The next order of this address is hers.
    await place({ name: 'H. Wik', email: mail })
    await counted()
    expect((await clerk.send(customers.get, { id: made.customer_id })).figures.orders).toBe(1)
  })

  it('keeps one lookup, and gives up the others', async () => {
    const made = await clerk.send(customers.create, {
      body: { name: 'Jon Berg', lookups: [{ check_type: 'email', check_value: email() }] },
    })
    const last = await clerk.ask(customers.removeLookup, { id: made.lookups[0]!.id })
    expect(last.json()).toMatchObject({ code: 'last_lookup' })
    const more = await clerk.send(customers.addLookup, { id: made.customer_id, body: { check_type: 'phone', check_value: '20 99 88 77' } })
    expect(more.lookups.map(row => row.check_value)).toContain('+4520998877')
    await clerk.send(customers.removeLookup, { id: made.lookups[0]!.id })
    expect((await clerk.send(customers.get, { id: made.customer_id })).lookups.map(row => row.check_value)).toEqual(['+4520998877'])
    expect((await clerk.ask(customers.removeLookup, { id: made.lookups[0]!.id })).json()).toMatchObject({ code: 'lookup_not_found' })
  })

  it('writes down who looked at it', async () => {
    const made = await clerk.send(customers.create, { body: { name: 'Ida Moe', lookups: [{ check_type: 'email', check_value: email() }] } })
    await clerk.send(customers.get, { id: made.customer_id })
    expect((await lead.send(customers.accessLog, { id: made.customer_id })).rows).toMatchObject([
      { user_name: 'Astrid Holm', what: 'customer/get' },
    ])
    expect((await clerk.ask(customers.accessLog, { id: made.customer_id })).statusCode).toBe(403)
  })

  it('is exported as CSV with the filters of the list, and no cell is a formula', async () => {
    await place({ name: '=SUM(1) Krogh', email: email() })
    await counted()
    const file = (await lead.send(customers.export, { query: 'krogh' } as never)) as unknown as { bytes: Uint8Array }
    const lines = Buffer.from(file.bytes).toString().trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain("'=SUM(1) Krogh")
  })
})

describe('a note', () => {
  it('is written once for one id, shown to the packer where it says so, and ends with its last day', async () => {
    const order = await place({ name: 'Pia Lund', email: email() })
    const id = (await clerk.send(customers.ofOrder, { id: order.id })).customer!.customer_id
    const body = { type: 'warning', note: 'Signs nothing without a date', at_station: true, client_id: crypto.randomUUID() } as const
    const first = await clerk.send(customers.addNote, { id, body })
    expect(await clerk.send(customers.addNote, { id, body })).toEqual(first)
    await clerk.send(customers.addNote, { id, body: { type: 'info', note: 'Office only' } })
    await clerk.send(customers.addNote, { id, body: { type: 'warning', note: 'Long over', at_station: true, until: '2020-01-01' } })
    expect((await clerk.send(customers.ofOrder, { id: order.id })).customer?.notes.map(note => note.note)).toEqual([
      body.note,
      'Office only',
    ])
    const packer = await operator.hire(['scan'])
    const { comments } = await packer.send(packing.get, { id: order.id })
    expect(comments.map(({ type, comment }) => [type, comment])).toEqual([['warning', body.note]])
    await clerk.send(customers.removeNote, { id: first.id })
    expect((await packer.send(packing.get, { id: order.id })).comments).toEqual([])
    expect((await clerk.ask(customers.removeNote, { id: first.id })).json()).toMatchObject({ code: 'note_not_found' })
  })
})

describe('a shop', () => {
  it('sees its own name, lookups, notes and orders of a customer, and nothing of another shop’s', async () => {
    const other = operator.shops[1]!
    const otherClerk = await operator.hire(['customer'], other)
    const [mail, number] = [email(), phone()]
    await place({ name: 'Nora Sand', email: mail }, shop())
    await place({ name: 'N. Sand', email: mail, phone: number }, other)
    await counted()
    const mine = await one('sand', shopClerk)
    expect(mine).toMatchObject({ name: 'Nora Sand', email: mail, phone: null, order_count: 1, company_ids: [shop().id] })
    await otherClerk.send(customers.addNote, { id: mine.customer_id, body: { type: 'warning', note: 'Secret of the other shop' } })
    const seen = await shopClerk.send(customers.get, { id: mine.customer_id })
    expect(seen).toMatchObject({ name: 'Nora Sand', notes: [], companies: [{ company_id: shop().id }], figures: { orders: 1 } })
    expect(JSON.stringify(seen)).not.toContain(number)
    expect(await search(number, shopClerk)).toEqual([])
    expect((await shopClerk.send(customers.find, { check_type: 'phone', check_value: number })).customer).toBeNull()
    const all = await clerk.send(customers.get, { id: mine.customer_id })
    expect([all.companies.length, all.figures.orders, all.notes.length]).toEqual([2, 2, 1])
    expect((await shopClerk.ask(customerPage.orders, { id: mine.customer_id, all_companies: '1' })).json()).toMatchObject({
      code: 'own_company_only',
    })
    expect((await shopClerk.send(customerPage.orders, { id: mine.customer_id })).rows).toHaveLength(1)
    expect((await clerk.send(customerPage.orders, { id: mine.customer_id, all_companies: '1' } as never)).rows).toHaveLength(2)
  })

  it('that creates a customer whom only another shop knows finds out nothing', async () => {
    const [mail, number] = [email(), phone()]
    await place({ name: 'Only There', email: mail, phone: number }, operator.shops[1]!)
    const made = await shopClerk.send(customers.create, {
      body: { name: 'New Here', lookups: [{ check_type: 'email', check_value: mail }] },
    })
    expect(made).toMatchObject({ name: 'New Here', lookups: [{ check_value: mail }], figures: { orders: 0 }, suggestions: [] })
    expect(JSON.stringify(made)).not.toContain(number)
  })

  it('does not see a customer of another shop, and merges none', async () => {
    const order = await place({ name: 'Hidden One', email: email() }, operator.shops[1]!)
    const { customer_id } = (await clerk.send(customers.ofOrder, { id: order.id })).customer!
    for (const call of [customers.get, customers.accessLog, customerPage.orders, customerPage.erase])
      expect((await shopClerk.ask(call, { id: customer_id })).statusCode).toBe(404)
    expect((await shopClerk.ask(customers.addNote, { id: customer_id, body: { note: 'x' } })).statusCode).toBe(404)
    expect((await shopClerk.ask(customers.merge, { body: { root_id: customer_id, member_id: customer_id } })).statusCode).toBe(403)
  })
})

describe('two customers', () => {
  async function two() {
    const [mail, number] = [email(), phone()]
    for (let n = 0; n < 3; n++) await place({ name: `Eva ${mail}`, email: mail })
    for (let n = 0; n < 2; n++) await place({ name: `Other ${number}`, phone: number })
    await counted()
    const a = (await clerk.send(customers.find, { check_type: 'email', check_value: mail })).customer!
    const b = (await clerk.send(customers.find, { check_type: 'phone', check_value: number })).customer!
    return { mail, number, a: a.customer_id, b: b.customer_id }
  }
  const orders = async (id: number) => (await clerk.send(customers.get, { id })).figures.orders

  it('are suggested where an order has lookups of both, and never merged by themselves', async () => {
    const { mail, number, a, b } = await two()
    await place({ name: 'Eva', email: mail, phone: number })
    await counted()
    expect(await clerk.send(customers.get, { id: a })).toMatchObject({
      figures: { orders: 4 },
      suggestions: [{ customer_id: b, reason: 'phone' }],
    })
    expect((await search('', clerk, { view: 'duplicates' })).map(row => row.customer_id)).toEqual(expect.arrayContaining([a, b]))
    await lead.send(customers.dismiss, { body: { root_id: a, member_id: b } })
    await place({ name: 'Eva', email: mail, phone: number })
    await counted()
    expect((await clerk.send(customers.get, { id: a })).suggestions).toEqual([])
  })

  it('of one name at one postcode are suggested', async () => {
    const name = `Per Olsen ${++numbers}`
    await place({ name, email: email() })
    await place({ name: name.toUpperCase(), email: email() })
    await counted()
    const rows = await search(name)
    expect(rows.map(row => row.has_double)).toEqual([true, true])
  })

  it('are merged, and separate again after undo with the order that came meanwhile', async () => {
    const { number, a, b } = await two()
    expect(await lead.send(customers.mergePreview, { root_id: a, member_id: b })).toMatchObject({
      root: { order_count: 3 },
      member: { order_count: 2 },
    })
    const merged = await lead.send(customers.merge, { body: { root_id: a, member_id: b } })
    expect(merged).toMatchObject({ customer_id: a, figures: { orders: 5 }, merges: [{ former_root_id: b, actor: 'Kim Lund' }] })
    expect(await clerk.send(customers.get, { id: b })).toMatchObject({ customer_id: a, asked_id: b })
    expect(await one(number)).toMatchObject({ customer_id: a, order_count: 5 })
    await place({ name: 'Other', phone: number })
    await counted()
    expect(await orders(a)).toBe(6)
    await lead.send(customers.undoMerge, { id: merged.merges[0]!.id })
    await counted()
    expect([await orders(a), await orders(b)]).toEqual([3, 3])
    expect(await one(number)).toMatchObject({ customer_id: b, order_count: 3 })
    expect((await lead.ask(customers.undoMerge, { id: merged.merges[0]!.id })).json()).toMatchObject({ code: 'merge_not_found' })
    expect((await clerk.ask(customers.merge, { body: { root_id: a, member_id: b } })).statusCode).toBe(403)
  })

  it('merged into a third one come back as they were before it', async () => {
    const { a, b } = await two()
    const { a: c } = await two()
    await lead.send(customers.merge, { body: { root_id: a, member_id: b } })
    const second = await lead.send(customers.merge, { body: { root_id: c, member_id: a } })
    expect([second.figures.orders, (await clerk.send(customers.get, { id: b })).customer_id]).toEqual([8, c])
    await lead.send(customers.undoMerge, { id: second.merges[0]!.id })
    expect((await clerk.send(customers.get, { id: b })).customer_id).toBe(a)
    expect([await orders(a), await orders(c)]).toEqual([5, 3])
  })

  it('merged by two people at once are merged once', async () => {
    const { a, b } = await two()
    const answers = await Promise.all([
      lead.ask(customers.merge, { body: { root_id: a, member_id: b } }),
      lead.ask(customers.merge, { body: { root_id: b, member_id: a } }),
    ])
    expect(answers.map(answer => answer.statusCode).toSorted()).toEqual([200, 409])
    expect(await orders(a)).toBe(5)
  })
})

describe('the person', () => {
  it('is erased with notes and flags although there is no order, after a preview of what would go', async () => {
    const mail = email()
    const made = await clerk.send(customers.create, {
      body: { name: 'Gone Soon', lookups: [{ check_type: 'email', check_value: mail }], note: 'Private matter' },
    })
    const preview = await lead.send(customerPage.erasePreview, { id: made.customer_id })
    expect(preview).toMatchObject({ orders: 0, open: 0, rows: { customer_notes: 1, customer_lookups: 1 } })
    expect((await clerk.send(customers.get, { id: made.customer_id })).notes).toHaveLength(1)
    await lead.send(customerPage.copy, { id: made.customer_id })
    await expect
      .poll(async () => (await lead.send(customerPage.requests, { id: made.customer_id })).rows[0], { timeout: 20_000 })
      .toMatchObject({ kind: 'report', state: 'done', has_file: true })
    await lead.send(customerPage.erase, { id: made.customer_id })
    await expect.poll(async () => (await search('gone soon')).length, { timeout: 20_000 }).toBe(0)
    await expect
      .poll(async () => (await clerk.send(customers.find, { check_type: 'email', check_value: mail })).customer, { timeout: 20_000 })
      .toBeNull()
  })

  it('waits with its erasure while an order is open', async () => {
    const order = await place({ name: 'Still Open', email: email() })
    const { customer_id } = (await clerk.send(customers.ofOrder, { id: order.id })).customer!
    expect(await lead.send(customerPage.erase, { id: customer_id })).toMatchObject({ waiting: true })
    expect((await clerk.send(customers.get, { id: customer_id })).name).toBe('Still Open')
  })
})
