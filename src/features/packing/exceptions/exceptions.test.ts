/** Exceptions over HTTP: how an order becomes one, who sees to it, and how it ends. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { users } from '#features/company/users/users.contract.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { packingStation } from '#features/packing/station/station.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { slowCourier } from '#integrations/couriers/slow.fake.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { exceptions } from './exceptions.contract.ts'
import { remindOfExceptions } from './overdue-exceptions.task.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let office: TestUser
let label_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['scan_admin', 'settings_admin'], operator.main, 'Jonas')
  office = await operator.hire(['parcels'], operator.main, 'Astrid')
  label_printer_id = (await lead.send(printers.list, {})).printers.find(one => one.name.toLowerCase().includes('label'))!.id
})
beforeEach(() => testApp.setNow(undefined))
afterAll(() => testApp.close())

const place = (company = operator.main) =>
  placeOrder(testApp.services.database, scopeOfCompany(operator, company), {
    lines: [{ sku: 'CAP-01', name: 'Cap', qty: 2, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' }],
    agent_code: 'own',
    shipping_method: 'van',
  })
const start = (who: TestUser, id: number) => who.send(packing.start, { id, body: { station: 'Bench 1' } })
const count = (who: TestUser, id: number, line: number, quantity: number) =>
  who.send(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: line, quantity } })
const park = (
  who: TestUser,
  id: number,
  body: { kind?: 'short' | 'damaged' | 'weight' | 'no_crate' | 'other'; reason?: string; order_line_id?: number } = {},
) => who.send(packing.park, { id, body })
const listed = async (who: TestUser, query: object = {}) => (await who.send(exceptions.list, { limit: 500, ...query })).rows
const of = async (order_id: number, query: object = {}) => (await listed(office, query)).filter(row => row.order_id === order_id)

/** An order with one piece packed and one missing. */
async function missingOne() {
  const order = await place()
  await start(lead, order.id)
  await count(lead, order.id, order.lines[0]!, 1)
  await park(lead, order.id, { kind: 'short', reason: 'One is missing', order_line_id: order.lines[0]! })
  const [exception] = await of(order.id)
  return { ...order, exception: exception! }
}

describe('an order that a packer moves to the exceptions', () => {
  it('has a reason, the product, who reported it where, and a time by which someone sees to it', async () => {
    testApp.setNow(new Date('2026-11-17T10:00:00Z'))
    const { exception } = await missingOne()
    expect(exception).toMatchObject({
      kind: 'short',
      state: 'open',
      item: 'Cap',
      note: 'One is missing',
      reported_by: 'Jonas',
      owner_name: null,
      due_at: '2026-11-17T11:00:00Z',
      reports: 1,
    })
  })

  it('joins its open exception when it is reported again for the same reason', async () => {
    const { id, lines, exception } = await missingOne()
    await start(lead, id)
    await park(lead, id, { kind: 'short', reason: 'Still missing', order_line_id: lines[0]! })
    expect(await of(id)).toMatchObject([{ id: exception.id, reports: 2, note: 'One is missing\nStill missing', due_at: exception.due_at }])
  })

  it('has two exceptions for two reasons', async () => {
    const { id } = await missingOne()
    await start(lead, id)
    await park(lead, id, { kind: 'damaged', reason: 'Broken' })
    expect((await of(id)).map(row => row.kind).toSorted()).toEqual(['damaged', 'short'])
  })

  it('takes no product of another order', async () => {
    const other = await place()
    const order = await place()
    await start(lead, order.id)
    await park(lead, order.id, { kind: 'short', order_line_id: other.lines[0]! })
    expect(await of(order.id)).toMatchObject([{ item: null }])
  })
})

describe('an order whose label the courier refuses', () => {
  it('is an exception with the courier’s words and the field, until its label is booked', async () => {
    const order = await place()
    await start(lead, order.id)
    await count(lead, order.id, order.lines[0]!, 2)
    const refused = await lead.send(packing.close, { id: order.id, body: { label_printer_id, weight_g: 900_000, weight_confirmed: true } })
    expect(refused.outcome).toBe('label_error')
    const [exception] = await of(order.id, { view: 'label_error' })
    expect(exception).toMatchObject({
      kind: 'label_error',
      reported_by: 'Jonas',
      station: 'Bench 1',
      field: expect.stringContaining('weight'),
    })
    expect(exception?.note).not.toBe('')

    await park(lead, order.id, { kind: 'other', reason: 'Too heavy' })
    expect(await of(order.id)).toMatchObject([{ id: exception?.id, kind: 'label_error', reports: 2 }])

    await start(lead, order.id)
    expect((await lead.send(packing.close, { id: order.id, body: { label_printer_id, weight_g: 400 } })).outcome).toBe('labelled')
    expect(await of(order.id)).toEqual([])
    expect(await of(order.id, { view: 'resolved' })).toMatchObject([{ resolution: 'label_booked' }])
  })
})

describe('an order whose label is refused for its customs data', () => {
  it('is an exception about customs, also when the packer moves it on, until its label is booked', async () => {
    const remove = withCourier(
      slowCourier({ agent_code: 'slow', recovery: 'lookup', offers: { customs: { numbers: ['voec'], max_lines: 13 }, postal: 'all' } }),
    )
    const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      ...{ currency: 'NOK', agent_code: 'slow', shipping_method: 'parcel' },
      ship_to: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0155', city: 'Oslo', country: 'NO' },
      lines: [{ sku: 'WOOL', name: 'Wool cap', qty: 1, weight_g: 72, unit_price_excl_vat: '107.28', hs_code: null, origin: 'CN' }],
    })
    await start(lead, order.id)
    await count(lead, order.id, order.lines[0]!, 1)
    const close = () => lead.send(packing.close, { id: order.id, body: { label_printer_id } })
    expect((await close()).outcome).toBe('label_error')
    expect(await of(order.id)).toMatchObject([{ kind: 'customs', field: 'parcels.0.lines.0.hs_code', reports: 1 }])
    await park(lead, order.id, { kind: 'other', reason: 'The office has to see to it' })
    const [exception, ...others] = await of(order.id)
    expect(others).toEqual([])
    expect(exception).toMatchObject({ kind: 'customs', reports: 2, note: expect.stringContaining('The office has to see to it') })
    expect((await listed(office, { kind: 'customs' })).map(row => row.id)).toEqual([exception?.id])
    expect((await listed(office, { view: 'label_error' })).map(row => row.id)).toContain(exception?.id)

    const admin = await operator.hire(['admin'], operator.main, 'Ida')
    await admin.send(orderLines.setTariff, { item_id: order.lines[0]!, tariff: '6505.00.30' })
    await start(lead, order.id)
    expect((await close()).outcome).toBe('labelled')
    expect(await of(order.id, { view: 'resolved' })).toMatchObject([{ kind: 'customs', resolution: 'label_booked' }])
    remove()
  })
})

it('a packer moves an order on for a weight that differs, or because no box fits, each with its own time', async () => {
  testApp.setNow(new Date('2026-11-17T10:00:00Z'))
  for (const [kind, due_at] of [
    ['weight', '2026-11-17T10:30:00Z'],
    ['no_crate', '2026-11-17T11:00:00Z'],
  ] as const) {
    const { id } = await place()
    await start(lead, id)
    await park(lead, id, { kind, reason: kind })
    expect(await of(id, { kind })).toMatchObject([{ kind, due_at }])
  }
})

describe('an exception', () => {
  it('is taken by the packer who goes on with the order, and ends when the order is packed', async () => {
    const { id, lines } = await missingOne()
    await start(kim, id)
    expect(await of(id)).toMatchObject([{ state: 'in_work', owner_name: 'Kim' }])
    await count(lead, id, lines[0]!, 1).catch(() => undefined)
    await start(lead, id).catch(() => undefined)
    await kim.send(packing.park, { id, body: { kind: 'other', reason: '' } })
    await start(lead, id)
    await count(lead, id, lines[0]!, 1)
    expect((await lead.send(packing.close, { id, body: { label_printer_id } })).outcome).toBe('labelled')
    expect(await of(id)).toEqual([])
    expect((await of(id, { view: 'resolved' })).map(row => row.resolution)).toEqual(['packed', 'packed'])
  })

  it('is cancelled with its order', async () => {
    const { id } = await missingOne()
    const admin = await operator.hire(['admin'], operator.main, 'Ida')
    await admin.send(orders.setState, { id, state: 'cancelled' })
    expect(await of(id, { view: 'resolved' })).toMatchObject([{ state: 'cancelled', resolution: 'order_cancelled' }])
  })

  it('belongs to the person it is given to, who reads it under “Mine”; without one it is open again', async () => {
    const { exception } = await missingOne()
    const [astrid] = (await office.send(exceptions.owners, {})).filter(one => one.name === 'Astrid')
    const given = await lead.send(exceptions.assign, { id: exception.id, body: { user_id: astrid!.id, version: exception.version } })
    expect(given).toMatchObject({ state: 'in_work', owner_name: 'Astrid' })
    expect((await listed(office, { view: 'mine' })).map(row => row.id)).toContain(exception.id)
    expect((await listed(office, { view: 'unassigned' })).map(row => row.id)).not.toContain(exception.id)
    expect(await lead.send(exceptions.assign, { id: exception.id, body: { user_id: null } })).toMatchObject({
      state: 'open',
      owner_name: null,
    })
  })

  it('is not given to someone who may not see it', async () => {
    const { exception } = await missingOne()
    await operator.hire(['pick'], operator.main, 'Per')
    expect((await office.send(exceptions.owners, {})).map(one => one.name)).not.toContain('Per')
    const admin = await operator.hire(['users_admin'], operator.main, 'Una')
    const { rows } = await admin.send(users.list, { query: 'Per' })
    await expect(lead.send(exceptions.assign, { id: exception.id, body: { user_id: rows[0]!.user_id } })).rejects.toMatchObject({
      status: 404,
      code: 'owner_not_found',
    })
  })

  it('keeps notes with their author', async () => {
    const { exception } = await missingOne()
    const noted = await office.send(exceptions.note, { id: exception.id, body: { note: 'Asked the shop' } })
    expect(noted.note).toBe('One is missing\nAstrid: Asked the shop')
  })

  it('is refused a change that someone else has overtaken', async () => {
    const { exception } = await missingOne()
    await office.send(exceptions.note, { id: exception.id, body: { note: 'First' } })
    await expect(lead.send(exceptions.resolve, { id: exception.id, body: { version: exception.version } })).rejects.toMatchObject({
      status: 409,
      code: 'exception_changed',
    })
  })
})

describe('resolving', () => {
  it('gives the order back to the stations with what was packed, and frees it from the waiting list', async () => {
    const { id, exception } = await missingOne()
    const waiting = async () => (await kim.send(packingStation.waiting, {})).some(row => row.order_id === id)
    expect(await waiting()).toBe(true)
    const resolved = await lead.send(exceptions.resolve, { id: exception.id, body: { note: 'Found in the next bin' } })
    expect(resolved).toMatchObject({ state: 'resolved', resolution: 'back_to_queue', resolved_by: 'Jonas' })
    expect(resolved.note).toContain('Jonas: Found in the next bin')
    expect(await waiting()).toBe(false)
    expect(await start(kim, id)).toMatchObject({ packed: 1, session: { user_name: 'Kim' } })
  })

  it('leaves the order where it is while something else is wrong with it', async () => {
    const { id, exception } = await missingOne()
    await start(lead, id)
    await park(lead, id, { kind: 'damaged', reason: 'Broken' })
    expect(await lead.send(exceptions.resolve, { id: exception.id, body: {} })).toMatchObject({ resolution: 'solved' })
    expect((await kim.send(packing.get, { id })).session).toMatchObject({ state: 'parked' })
  })

  it('happens once', async () => {
    const { exception } = await missingOne()
    const answers = await Promise.allSettled([lead, office, lead].map(who => who.send(exceptions.resolve, { id: exception.id, body: {} })))
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(1)
    await expect(lead.send(exceptions.resolve, { id: exception.id, body: {} })).rejects.toMatchObject({ code: 'exception_resolved' })
  })

  it('of several reports which were not resolved', async () => {
    const [one, other] = [await missingOne(), await missingOne()]
    await lead.send(exceptions.resolve, { id: other.exception.id, body: {} })
    const { results } = await lead.send(exceptions.resolveMany, { body: { ids: [one.exception.id, other.exception.id] } })
    expect(results).toMatchObject([{ done: true }, { done: false, message: 'Jonas has resolved this already' }])
  })
})

describe('an overdue exception', () => {
  it('is said when it is due and each time that its lateness doubles, four times in all', async () => {
    testApp.setNow(new Date('2026-11-17T10:00:00Z'))
    const { id, exception } = await missingOne()
    const reminders = async () =>
      (await office.send(orders.timeline, { id })).rows.filter(entry => entry.text === 'The exception is overdue').length
    const remindersAfter = async (minutes: number) => {
      testApp.setNow(new Date(Date.parse(exception.due_at) + minutes * 60_000))
      await remindOfExceptions(testApp.services)
      await remindOfExceptions(testApp.services)
      return reminders()
    }
    expect(await remindersAfter(-1)).toBe(0)
    expect(await remindersAfter(0)).toBe(1)
    expect(await remindersAfter(29)).toBe(1)
    expect(await remindersAfter(30)).toBe(2)
    expect(await remindersAfter(60)).toBe(3)
    expect(await remindersAfter(120)).toBe(4)
    expect(await remindersAfter(400)).toBe(4)
    expect((await office.send(exceptions.count, {})).overdue).toBeGreaterThan(0)
  })
})

describe('who sees exceptions', () => {
  it('is the office and the leads; packers and pickers are refused', async () => {
    await expect(kim.send(exceptions.list, {})).rejects.toMatchObject({ status: 403 })
  })

  it('is in a shop its own people, for its own orders', async () => {
    const { id } = await missingOne()
    const [shop] = operator.shops
    const clerk = await operator.hire(['parcels'], shop!, 'Shop')
    const own = await place(shop)
    await start(lead, own.id)
    await count(lead, own.id, own.lines[0]!, 1)
    await park(lead, own.id, { kind: 'damaged', reason: 'Broken' })
    const seen = await listed(clerk)
    expect(seen.map(row => row.order_id)).toEqual([own.id])
    expect((await listed(office)).map(row => row.order_id)).toEqual(expect.arrayContaining([id, own.id]))
  })
})

describe('the list', () => {
  it('finds by order number and product, filters by kind and company, and is exported', async () => {
    const { order_no, exception } = await missingOne()
    expect((await listed(office, { company: operator.main.id })).map(row => row.id)).toContain(exception.id)
    expect((await listed(office, { company: operator.shops[0]!.id })).map(row => row.id)).not.toContain(exception.id)
    expect((await listed(office, { query: order_no })).map(row => row.id)).toEqual([exception.id])
    expect((await listed(office, { query: 'cap' })).map(row => row.id)).toContain(exception.id)
    expect((await listed(office, { kind: 'damaged' })).map(row => row.id)).not.toContain(exception.id)
    const file = await office.send(exceptions.exportAll, { query: order_no })
    expect(Buffer.from(file.bytes as Uint8Array).toString()).toContain(order_no)
  })
})

describe('the times', () => {
  it('are set per company, for exceptions that open afterwards', async () => {
    const { version: _, ...settings } = await lead.send(exceptions.settings, {})
    await lead.send(exceptions.setSettings, { body: { ...settings, short: 15, from: '00:00', to: '24:00' } })
    testApp.setNow(new Date('2026-11-17T10:00:00Z'))
    expect((await missingOne()).exception.due_at).toBe('2026-11-17T10:15:00Z')
    await lead.send(exceptions.setSettings, { body: settings })
  })

  it('and the owners of each kind are those of the company, else those of the main company', async () => {
    const { version: _, ...settings } = await lead.send(exceptions.settings, {})
    await lead.send(exceptions.setSettings, { body: { ...settings, owners: { short: lead.user_id } } })
    const { exception } = await missingOne()
    expect(exception).toMatchObject({ state: 'in_work', owner_name: 'Jonas' })
    const { id } = await place()
    await start(lead, id)
    await park(lead, id, { kind: 'damaged', reason: 'Broken' })
    expect(await of(id)).toMatchObject([{ kind: 'damaged', state: 'open', owner_name: null }])

    // An owner who is no lead any more owns nothing that comes afterwards.
    const gone = await operator.hire(['scan_admin'], operator.main, 'Liv')
    await lead.send(exceptions.setSettings, { body: { ...settings, owners: { short: gone.user_id } } })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('users').set({ removed_at: new Date().toISOString() }).where('id', '=', gone.user_id).execute(),
    )
    expect((await missingOne()).exception).toMatchObject({ state: 'open', owner_name: null })
    await lead.send(exceptions.setSettings, { body: settings })
  })

  it('take no owner who may not see exceptions', async () => {
    const { version: _, ...settings } = await lead.send(exceptions.settings, {})
    const { user_id } = await operator.hire(['pick'], operator.main, 'Bo')
    await expect(lead.send(exceptions.setSettings, { body: { ...settings, owners: { other: user_id } } })).rejects.toMatchObject({
      status: 422,
      code: 'owner_not_found',
      fields: { owners: 'This person cannot take exceptions over' },
    })
  })

  it('are refused where the stations would close before they open', async () => {
    const settings = await lead.send(exceptions.settings, {})
    await expect(lead.send(exceptions.setSettings, { body: { ...settings, from: '18:00', to: '06:00' } })).rejects.toMatchObject({
      status: 400,
      fields: { to: 'The stations close after they open' },
    })
  })
})
