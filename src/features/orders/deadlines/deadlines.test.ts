/** Deadlines: who sets them, which orders get them, and when their ship-by dates move. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { giveAllDeadlines } from '#features/orders/orders/deadlines/give-deadlines.task.ts'
import { orderDeadlines } from '#features/orders/orders/deadlines/order-deadlines.contract.ts'
import { orderEdits } from '#features/orders/orders/edits/order-edits.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { deadlines } from './deadlines.contract.ts'
import type { DeadlineFields } from './deadlines.schemas.ts'
import { recordLateOrders } from './late-orders.task.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let viewer: TestUser
let shop: TestUser
let office: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-11-11T08:00:00Z'))
  operator = await testApp.operator({
    shops: 2,
    settings: { release_delay_s: 0, sender, time_zone: 'Europe/Copenhagen', cut_off: '17:00' },
  })
  lead = await operator.hire(['dashboard_admin'])
  viewer = await operator.hire(['dashboard'])
  shop = await operator.hire(['settings_admin', 'dashboard'], elementAt(operator.shops, 0))
  office = await operator.hire(['parcels_admin'])
})
afterEach(() => testApp.setNow(undefined))

const fields: DeadlineFields = {
  ...{ name: 'GLS', company_ids: [], agent_codes: [], shipping_methods: [], countries: [], weekdays: [1, 2, 3, 4, 5] },
  ...{ cut_off: '14:00', pickup_time: '16:00', sla_days: 0, target: 'packed', holidays: 'DK', active: true },
}
const add = (more: Partial<DeadlineFields> & { client_id?: string } = {}, by = lead) =>
  by.send(deadlines.create, { body: { ...fields, ...more } })

const system = (company = operator.main) => createSystemContext(testApp.services, scopeOfCompany(operator, company))
/** What the queue does after a change. */
const follow = () => giveAllDeadlines({}, { ...system(), last_try: false })

let numbers = 0
type Plan = Partial<Omit<WrittenOrder, 'ship_to' | 'lines'>> & { country?: string }
const written = ({ country = 'DK', ...plan }: Plan) =>
  toOrder(
    CanonicalOrder.parse({
      ...{ order_no: `D${++numbers}`, currency: 'DKK', payment_status: 'paid', ordered_at: '2026-11-11T08:00:00Z' },
      lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 2, weight_g: 500, unit_price_incl_vat: '100.00' }],
      ...plan,
      ship_to: { name: 'Kari Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense', country },
    }),
  )
async function store(plan: Plan = {}, company = operator.main): Promise<number> {
  const [stored] = await system(company).transaction(context => storeOrders(context, [written(plan)]))
  return stored?.order_id ?? 0
}
const iso = (at: string | null) => (at === null ? null : new Date(at).toISOString())
async function dates(id: number) {
  const row = await system().transaction(({ db }) =>
    db
      .selectFrom('orders')
      .select(['deadline_id', 'deadline_at', 'ship_by', 'ship_by_source'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
  return { ...row, deadline_at: iso(row.deadline_at), ship_by: iso(row.ship_by) }
}
const today = '2026-11-11T15:00:00.000Z'
const tomorrow = '2026-11-12T15:00:00.000Z'

describe('a deadline', () => {
  it('is added once, changed by its version, listed with its next pickups, and removed', async () => {
    const client_id = randomUUID()
    const made = await add({ client_id })
    expect(made).toMatchObject({ name: 'GLS', version: 1, time_zone: 'Europe/Copenhagen', open_orders: 0, next: [today, tomorrow] })
    expect((await add({ client_id })).id).toBe(made.id)
    const changed = await lead.send(deadlines.update, { id: made.id, body: { ...fields, pickup_time: '16:30', version: 1 } })
    expect(changed).toMatchObject({ pickup_time: '16:30', version: 2 })
    await expect(lead.send(deadlines.update, { id: made.id, body: { ...fields, version: 1 } })).rejects.toMatchObject({
      status: 409,
      current: expect.objectContaining({ version: 2 }),
    })
    expect((await viewer.send(deadlines.list, { query: 'gl' })).rows.map(row => row.id)).toEqual([made.id])
    expect((await viewer.send(deadlines.list, { query: 'bring' })).total).toBe(0)
    await lead.send(deadlines.remove, { id: made.id })
    await lead.send(deadlines.remove, { id: made.id })
    expect((await viewer.send(deadlines.list, {})).total).toBe(0)
    expect((await add()).name).toBe('GLS')
  })

  it('names its mistakes in the field where they stand', async () => {
    const wrong = (more: Partial<DeadlineFields>) => expect(add(more)).rejects
    await wrong({ cut_off: '17:00' }).toMatchObject({ fields: { cut_off: expect.stringContaining('after the pickup') } })
    await expect(add({ cut_off: '17:00', sla_days: 1 })).resolves.toMatchObject({ sla_days: 1 })
    await wrong({ name: 'X', weekdays: [] }).toMatchObject({ fields: { weekdays: 'Choose at least one day.' } })
    await wrong({ name: 'gls' }).toMatchObject({ status: 422, fields: { name: 'A deadline with this name exists.' } })
    await wrong({ name: 'X', agent_codes: ['unknown'] }).toMatchObject({ code: 'courier_not_found' })
    await wrong({ name: 'X', shipping_methods: ['gls:nowhere'] }).toMatchObject({ code: 'courier_method_not_found' })
    await wrong({ name: 'X', holidays: 'ZZ' }).toMatchObject({ fields: { holidays: expect.any(String) } })
    await wrong({ name: 'X', company_ids: [999_999] }).toMatchObject({ code: 'company_unknown' })
  })

  it('is set by leads of the main company, and seen by shops that it applies to without the others', async () => {
    const [one, other] = [elementAt(operator.shops, 0), elementAt(operator.shops, 1)]
    await add({ company_ids: [one.id, other.id] })
    await add({ name: 'Other', company_ids: [other.id] })
    await expect(add({ name: 'X' }, shop)).rejects.toMatchObject({ status: 403 })
    await expect(add({ name: 'X' }, viewer)).rejects.toMatchObject({ status: 403 })
    const { rows } = await shop.send(deadlines.list, {})
    expect(rows.map(row => [row.name, row.company_ids])).toEqual([['GLS', [one.id]]])
    expect((await viewer.send(deadlines.list, {})).total).toBe(2)
  })

  it('says before it is saved what it does to the open orders', async () => {
    await store()
    await store({ country: 'SE' })
    const preview = (more: Partial<DeadlineFields> & { id?: number }) => lead.send(deadlines.preview, { body: { ...fields, ...more } })
    expect(await preview({ countries: ['SE'] })).toEqual({ open_orders: 1, moved: 1, newly_late: 0 })
    expect(await preview({})).toEqual({ open_orders: 2, moved: 2, newly_late: 0 })
    testApp.setNow(new Date('2026-11-11T15:30:00Z'))
    // The pickup of the day is past, the company's own date is not.
    expect(await preview({})).toEqual({ open_orders: 2, moved: 2, newly_late: 2 })
  })
})

describe('an order', () => {
  it('gets the most specific deadline and its ship-by date when it comes in, else the date of its company', async () => {
    const before = await store()
    expect(await dates(before)).toEqual({
      deadline_id: null,
      deadline_at: null,
      ship_by: '2026-11-11T16:00:00.000Z',
      ship_by_source: 'company',
    })
    const all = await add()
    const sweden = await add({ name: 'Sweden', countries: ['SE'], pickup_time: '15:00' })
    expect(await dates(await store())).toEqual({ deadline_id: all.id, deadline_at: today, ship_by: today, ship_by_source: 'deadline' })
    expect(await dates(await store({ country: 'SE' }))).toMatchObject({ deadline_id: sweden.id, deadline_at: '2026-11-11T14:00:00.000Z' })
    const promised = await store({ delivery: { ship_by: '2026-11-12T20:00:00Z' } })
    expect(await dates(promised)).toEqual({
      deadline_id: all.id,
      deadline_at: tomorrow,
      ship_by: '2026-11-12T20:00:00.000Z',
      ship_by_source: 'shop',
    })
    // Shops cannot read the main company; its orders are on the same pickups.
    expect(await dates(await store({}, elementAt(operator.shops, 0)))).toMatchObject({ deadline_id: all.id, deadline_at: today })
    await follow()
    expect(await dates(before)).toMatchObject({ deadline_id: all.id, ship_by: today })
    expect((await viewer.send(deadlines.one, { id: all.id })).open_orders).toBe(4)
  })

  it('follows a deadline that changes, and stays late where it is late', async () => {
    const gls = await add()
    const id = await store()
    await lead.send(deadlines.update, { id: gls.id, body: { ...fields, pickup_time: '17:00', version: 1 } })
    await follow()
    expect(await dates(id)).toMatchObject({ deadline_at: '2026-11-11T16:00:00.000Z' })
    const { rows } = await office.send(orders.timeline, { id })
    expect(rows.some(entry => entry.text === 'Ship-by date changed')).toBe(true)
    testApp.setNow(new Date('2026-11-12T08:00:00Z'))
    await lead.send(deadlines.setDay, { body: { day: '2026-11-12', open: false } })
    await lead.send(deadlines.update, { id: gls.id, body: { ...fields, sla_days: 3, version: 2 } })
    await follow()
    expect(await dates(id)).toMatchObject({ deadline_at: '2026-11-11T16:00:00.000Z', ship_by: '2026-11-11T16:00:00.000Z' })
    await lead.send(deadlines.remove, { id: gls.id })
    await follow()
    expect(await dates(id)).toMatchObject({ deadline_id: gls.id, deadline_at: '2026-11-11T16:00:00.000Z' })
  })

  it('loses a deadline that is removed, and leaves by the cut-off of its company', async () => {
    const gls = await add()
    const id = await store()
    await lead.send(deadlines.remove, { id: gls.id })
    await follow()
    expect(await dates(id)).toEqual({
      deadline_id: null,
      deadline_at: null,
      ship_by: '2026-11-11T16:00:00.000Z',
      ship_by_source: 'company',
    })
  })

  it('moves by a closed day, a day with other times, and back', async () => {
    await add()
    const id = await store()
    const all = { deadline_id: null, day: '2026-11-11', cut_off: null, pickup_time: null, note: '' }
    await lead.send(deadlines.setDay, { body: { ...all, open: false, note: 'Stocktaking' } })
    await follow()
    expect(await dates(id)).toMatchObject({ deadline_at: tomorrow })
    await lead.send(deadlines.setDay, { body: { ...all, open: true, pickup_time: '12:00' } })
    await follow()
    expect(await dates(id)).toMatchObject({ deadline_at: '2026-11-11T11:00:00.000Z' })
    expect((await viewer.send(deadlines.days, { from: '2026-11-01', to: '2026-12-31' })).rows).toEqual([
      { ...all, open: true, pickup_time: '12:00' },
    ])
    await lead.send(deadlines.removeDay, { day: '2026-11-11' })
    await lead.send(deadlines.removeDay, { day: '2026-11-11' })
    await follow()
    expect(await dates(id)).toMatchObject({ deadline_at: today })
    await expect(lead.send(deadlines.setDay, { body: { ...all, day: '2026-11-10', open: false } })).rejects.toMatchObject({
      code: 'day_passed',
    })
    await expect(lead.send(deadlines.setDay, { body: { ...all, day: '2030-11-10', open: false } })).rejects.toMatchObject({
      code: 'day_far',
    })
    const { holidays } = await viewer.send(deadlines.days, { from: '2026-12-01', to: '2026-12-31' })
    expect(holidays.map(one => one.day)).toEqual(['2026-12-25', '2026-12-26'])
  })

  it('has time again after a hold that stops its clock, and none after another one', async () => {
    await add()
    const [paid, stock] = [await store(), await store()]
    for (const [id, reason] of [
      [paid, 'payment'],
      [stock, 'stock'],
    ] as const) {
      const lock = await office.send(orderLocks.hold, { id, body: { reason, note: '', until: null } })
      testApp.setNow(new Date('2026-11-12T08:00:00Z'))
      await follow()
      expect(await dates(id)).toMatchObject({ deadline_at: today })
      await office.send(orderLocks.releaseHold, { id, lock_id: lock.lock_id })
      testApp.setNow(new Date('2026-11-11T08:00:00Z'))
    }
    expect(await dates(paid)).toMatchObject({ deadline_at: tomorrow, ship_by: tomorrow })
    expect(await dates(stock)).toMatchObject({ deadline_at: today, ship_by: today })
  })

  it('follows what its shop changes: country, promise and wish', async () => {
    await add()
    const sweden = await add({ name: 'Sweden', countries: ['SE'], pickup_time: '15:00' })
    const order = { order_no: `D${++numbers}`, external_id: `X${numbers}` }
    const id = await store(order)
    expect(await store({ ...order, country: 'SE' })).toBe(id)
    expect(await dates(id)).toMatchObject({ deadline_id: sweden.id })
    await store({ ...order, country: 'SE', delivery: { not_before: '2026-11-21' } })
    expect(await dates(id)).toMatchObject({ deadline_at: '2026-11-23T14:00:00.000Z', ship_by_source: 'deadline' })
    await store({ ...order, country: 'SE', delivery: { ship_by: '2026-11-13T20:00:00Z' } })
    expect(await dates(id)).toMatchObject({ ship_by: '2026-11-13T20:00:00.000Z', ship_by_source: 'shop' })
  })

  it('keeps a date that a person set, until the person gives it back', async () => {
    const gls = await add()
    const id = await store()
    const set = (ship_by: string | null) => office.send(orderDeadlines.setShipBy, { id, body: { ship_by, reason: 'Agreed by phone' } })
    await set('2026-11-13T20:00:00Z')
    const kept = {
      deadline_id: gls.id,
      deadline_at: '2026-11-13T15:00:00.000Z',
      ship_by: '2026-11-13T20:00:00.000Z',
      ship_by_source: 'manual',
    }
    expect(await dates(id)).toEqual(kept)
    await lead.send(deadlines.update, { id: gls.id, body: { ...fields, sla_days: 2, version: 1 } })
    await follow()
    expect(await dates(id)).toEqual(kept)
    await set(null)
    expect(await dates(id)).toMatchObject({ deadline_at: '2026-11-13T15:00:00.000Z', ship_by_source: 'deadline' })
    await system().transaction(({ db }) =>
      db.updateTable('orders').set({ work_state: 'packed', phase: 'packed' }).where('id', '=', id).execute(),
    )
    await expect(set('2026-11-13T20:00:00Z')).rejects.toMatchObject({ status: 409, code: 'ship_by_final' })
  })

  it('is late once for each of its times that passes, unless a hold stops its clock or it is packed', async () => {
    await add()
    const [open, stopped, packed] = [await store(), await store(), await store()]
    await office.send(orderLocks.hold, { id: stopped, body: { reason: 'payment', note: '', until: null } })
    await system().transaction(({ db }) =>
      db.updateTable('orders').set({ work_state: 'packed', phase: 'packed' }).where('id', '=', packed).execute(),
    )
    const late = async () => {
      await recordLateOrders(testApp.services)
      return system().transaction(({ db }) =>
        db.selectFrom('events').select(['order_id', 'data']).where('kind', '=', 'order.late').orderBy('id').execute(),
      )
    }
    expect(await late()).toEqual([])
    testApp.setNow(new Date(today))
    expect(await late()).toEqual([{ order_id: open, data: { due_at: today } }])
    expect(await late()).toHaveLength(1)
    // A later time is another one.
    await office.send(orderDeadlines.setShipBy, { id: open, body: { ship_by: '2026-11-12T15:00:00Z', reason: 'Agreed by phone' } })
    testApp.setNow(new Date('2026-11-12T15:30:00Z'))
    expect((await late()).map(row => row.order_id)).toEqual([open, open])
  })

  it('gives its part the same pickup', async () => {
    await add()
    const id = await store()
    const { lines, version } = await office.send(orders.get, { id })
    const item = elementAt(lines, 0)
    const part = await office.send(orderEdits.split, {
      id,
      body: { version, client_id: randomUUID(), lines: [{ order_item_id: item.order_item_id, qty: 1 }] },
    })
    expect(await dates(part.id)).toEqual(await dates(id))
  })
})
