/** Figures of a period: counted from the rows, stored when a day has ended, compared, and shown to the public by a link. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { boards } from '#features/company/boards/boards.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { deadlineBoard } from '../deadline-board/deadline-board.contract.ts'
import { countEndedDays } from './count-activity.task.ts'
import { figures } from './figures.contract.ts'

let testApp: TestApp
let operator: TestOperator
let viewer: TestUser
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
afterEach(() => testApp.setNow(undefined))

beforeEach(async () => {
  // Wednesday, 13:30 in Copenhagen.
  testApp.setNow(new Date('2026-11-25T12:30:00Z'))
  operator = await testApp.operator({ shops: 1, settings: { time_zone: 'Europe/Copenhagen' } })
  viewer = await operator.hire(['parcels'])
  lead = await operator.hire(['dashboard_admin', 'parcels'])
})

interface Day {
  arrived: string
  packed?: string
  /** By when it had to be packed. */
  due?: string
  left?: string
  courier?: string
}

/** An order that arrived, was packed and left at these instants. */
async function order({ arrived, packed, due, left, courier = 'own' }: Day, company = operator.main): Promise<number> {
  const scope = scopeOfCompany(operator, company)
  const { id } = await placeOrder(testApp.services.database, scope)
  await createSystemContext(testApp.services, scope).transaction(async ({ db }) => {
    await db
      .updateTable('orders')
      .set({ created_at: arrived, ship_by: due ?? null })
      .where('id', '=', id)
      .execute()
    if (packed !== undefined)
      await db
        .insertInto('packing_sessions')
        .values({ order_id: id, user_id: viewer.user_id, user_name: 'Kim', station: 'Bench 1', state: 'done', ended_at: packed })
        .execute()
    if (left !== undefined)
      await db
        .insertInto('shipments')
        .values({
          ...{ order_id: id, agent_code: courier, shipping_method: 'van', state: 'handed_over', handed_over_at: left },
          ...{ idempotency_key: `test:${id}`, reference: `R${id}` },
        })
        .execute()
  })
  return id
}
const ask = (more: { from?: string; to?: string; compare?: 'none' | 'before' | 'last_year'; company_id?: number } = {}, by = viewer) =>
  by.send(figures.home, { from: '2026-11-25', to: '2026-11-25', ...more })

describe('the figures of a day', () => {
  it('count what came in, was packed in time or late, and left by courier, beside the day before up to the same time', async () => {
    await order({
      arrived: '2026-11-25T07:10:00Z',
      packed: '2026-11-25T09:00:00Z',
      due: '2026-11-25T15:00:00Z',
      left: '2026-11-25T12:00:00Z',
    })
    await order({ arrived: '2026-11-25T07:50:00Z', packed: '2026-11-25T11:00:00Z', due: '2026-11-24T15:00:00Z' })
    await order({ arrived: '2026-11-25T08:00:00Z' }, elementAt(operator.shops, 0))
    await order({ arrived: '2026-11-24T12:29:00Z', left: '2026-11-24T12:10:00Z', courier: 'gls' })
    await order({ arrived: '2026-11-24T12:31:00Z' })
    expect(await ask()).toMatchObject({
      unit: 'hour',
      now: { received: 3, packed: 2, packed_on_time: 1, handed_over: 1 },
      before: { from: '2026-11-24', to: '2026-11-24', received: 1, packed: 0, handed_over: 1 },
      series: [
        { at: '2026-11-25T07:00:00Z', received: 2, packed: 0 },
        { at: '2026-11-25T08:00:00Z', received: 1 },
        { at: '2026-11-25T09:00:00Z', packed: 1 },
        { at: '2026-11-25T11:00:00Z', packed: 1 },
        { at: '2026-11-25T12:00:00Z', handed_over: 1 },
      ],
      couriers: [
        { agent_code: 'own', n: 1, before: 0 },
        { agent_code: 'gls', n: 0, before: 1 },
      ],
    })
    expect((await ask({ compare: 'none', company_id: operator.main.id })).now.received).toBe(2)
    const shop = await operator.hire(['parcels'], elementAt(operator.shops, 0))
    expect(await ask({}, shop)).toMatchObject({ now: { received: 1, packed: 0 }, people: null })
  })

  it('count an order of two parcels once, and no part that was split off', async () => {
    const id = await order({ arrived: '2026-11-25T07:10:00Z', packed: '2026-11-25T09:00:00Z' })
    const part = await order({ arrived: '2026-11-25T09:30:00Z' })
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(async ({ db }) => {
      await db
        .insertInto('packing_sessions')
        .values({
          order_id: id,
          user_id: viewer.user_id,
          user_name: 'Kim',
          station: 'B',
          parcel_no: 2,
          state: 'done',
          ended_at: '2026-11-25T09:20:00Z',
        })
        .execute()
      await db.updateTable('orders').set({ split_of: id }).where('id', '=', part).execute()
    })
    expect((await ask()).now).toMatchObject({ received: 1, packed: 1, packed_on_time: 1 })
  })

  it('are each the count of the list that they open, now and in the compared period, for all companies and for one', async () => {
    const system = createSystemContext(testApp.services, scopeOfCompany(operator))
    const late = { packed: '2026-11-25T11:00:00Z', due: '2026-11-24T15:00:00Z' }
    const id = await order({ arrived: '2026-11-25T07:10:00Z', packed: '2026-11-25T09:00:00Z', left: '2026-11-25T12:00:00Z' })
    await order({ arrived: '2026-11-25T07:50:00Z', ...late }, elementAt(operator.shops, 0))
    await order({ arrived: '2026-11-24T09:00:00Z', packed: '2026-11-24T10:00:00Z', left: '2026-11-25T10:00:00Z', courier: 'gls' })
    await order({ arrived: '2026-11-24T09:00:00Z', left: '2026-11-24T11:00:00Z' })
    // Still to be sent, and late.
    await order({ arrived: '2026-11-23T09:00:00Z', due: '2026-11-24T15:00:00Z' })
    const part = await order({ arrived: '2026-11-25T09:30:00Z' })
    const held = await order({ arrived: '2026-11-23T09:00:00Z' })
    await system.transaction(async ({ db }) => {
      // A second parcel in another hour is no second order.
      await db
        .insertInto('packing_sessions')
        .values({
          ...{ order_id: id, user_id: viewer.user_id, user_name: 'Kim', station: 'B', parcel_no: 2, state: 'done' },
          ended_at: '2026-11-25T11:20:00Z',
        })
        .execute()
      await db.updateTable('orders').set({ split_of: id }).where('id', '=', part).execute()
      await db.insertInto('order_locks').values({ order_id: held, kind: 'hold', reason: 'payment' }).execute()
      await db.updateTable('orders').set({ phase: 'held', held: true }).where('id', '=', held).execute()
      const made = { shop: 'main', language: 'da_DK', method: 'none', currency: 'DKK', source: 'desk', status: 'requested' } as const
      await db
        .insertInto('returns')
        .values([
          { ...made, rma_no: 'R0000001', requested_at: '2026-11-25T08:00:00Z' },
          { ...made, rma_no: 'R0000002', requested_at: '2026-11-24T08:00:00Z' },
          { ...made, rma_no: 'R0000003', requested_at: '2026-11-24T14:00:00Z' },
        ])
        .execute()
    })
    const countOrders = async (asked: object) => (await viewer.send(orders.search, asked)).total
    const countParcels = async (asked: object) => (await viewer.send(labels.search, asked)).total
    const countReturns = async (asked: object) => (await viewer.send(returns.search, { view: 'all', ...asked })).total
    const check = async (company_id?: number) => {
      const of = company_id === undefined ? {} : { company_id }
      const found = await ask(of)
      for (const [sums, span, requested] of [
        [found.now, found.span, found.returns],
        [found.before, found.before?.span, found.before?.returns],
      ] as const) {
        if (!sums || !span) throw new Error('A period is compared')
        const between = (name: string) => ({ [`${name}_from`]: span.from, [`${name}_until`]: span.until, ...of })
        expect(await countOrders(between('received'))).toBe(sums.received)
        expect(await countOrders(between('packed'))).toBe(sums.packed)
        expect(await countOrders({ ...between('packed'), packed_in_time: 'yes' })).toBe(sums.packed_on_time)
        expect(await countOrders({ ...between('packed'), packed_in_time: 'no' })).toBe(sums.packed - sums.packed_on_time)
        expect(await countParcels(between('left'))).toBe(sums.handed_over)
        expect(
          await countReturns({
            ...between('requested'),
            ...(company_id !== undefined && { company_id: undefined, company: [company_id] }),
          }),
        ).toBe(requested)
      }
      expect(await countOrders({ due: 'late', ...of })).toBe(found.late)
      for (const { agent_code, n } of found.couriers)
        expect(await countParcels({ agent_code, left_from: found.span.from, left_until: found.span.until, ...of })).toBe(n)
      for (const { reason, n } of found.holds) expect(await countOrders({ hold_reason: reason, ...of })).toBe(n)
      return found
    }
    expect(await check()).toMatchObject({
      now: { received: 2, packed: 2, packed_on_time: 1, handed_over: 2 },
      before: { received: 2, packed: 1, handed_over: 1, returns: 1 },
      ...{ late: 2, returns: 1, holds: [{ reason: 'payment', n: 1 }] },
    })
    expect(await check(elementAt(operator.shops, 0).id)).toMatchObject({ now: { received: 1, packed: 1, packed_on_time: 0 }, late: 1 })
    // Stored hours are the same as the lists too.
    testApp.setNow(new Date('2026-11-26T08:00:00Z'))
    await countEndedDays(testApp.services)
    const stored = await ask({ from: '2026-11-24', to: '2026-11-25', compare: 'none' })
    expect(await countOrders({ packed_from: stored.span.from, packed_until: stored.span.until })).toBe(stored.now.packed)
    expect(stored.now.packed).toBe(3)
  })

  it('name who is at work to those who plan the shifts, as many as are counted', async () => {
    const planner = await operator.hire(['schedule_admin', 'dashboard'])
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(({ db }) =>
      db
        .insertInto('punches')
        .values({
          ...{ user_id: viewer.user_id, type: 'work', state: 'open', work_date: '2026-11-25', started_at: '2026-11-25T07:00:00Z' },
          ...{ source: 'kiosk', way: 'pin' },
        })
        .execute(),
    )
    const { rows } = await planner.send(figures.people, {})
    expect((await ask({}, planner)).people).toBe(rows.length)
    expect(rows).toMatchObject([{ name: expect.any(String), since: expect.stringContaining('2026-11-25') }])
    expect((await viewer.ask(figures.people, {})).statusCode).toBe(403)
  })

  it('name why orders are on hold', async () => {
    const id = await order({ arrived: '2026-11-25T07:10:00Z' })
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(async ({ db }) => {
      await db.insertInto('order_locks').values({ order_id: id, kind: 'hold', reason: 'payment' }).execute()
      await db.updateTable('orders').set({ phase: 'held', held: true }).where('id', '=', id).execute()
    })
    expect((await ask()).holds).toEqual([{ reason: 'payment', n: 1 }])
  })

  it('are the same before and after ended days are stored, and a later change of those days is counted the next night', async () => {
    for (const day of ['20', '23', '24', '24', '25'])
      await order({ arrived: `2026-11-${day}T09:00:00Z`, packed: `2026-11-${day}T10:00:00Z` })
    const period = { from: '2026-11-20', to: '2026-11-25' }
    const before = await ask(period)
    expect(before).toMatchObject({
      unit: 'day',
      now: { received: 5, packed: 5 },
      series: [{ received: 1 }, { received: 1 }, { received: 2 }, { received: 1 }],
    })
    await countEndedDays(testApp.services)
    expect(await ask(period)).toEqual(before)
    await order({ arrived: '2026-11-24T09:30:00Z' })
    expect((await ask(period)).now.received).toBe(5)
    testApp.setNow(new Date('2026-11-26T01:30:00Z'))
    await countEndedDays(testApp.services)
    expect((await ask(period)).now.received).toBe(6)
  })

  it('are stored for the ended quarters of today: what happens now counts at once, a change of an earlier one with the next count', async () => {
    const id = await order({ arrived: '2026-11-25T07:10:00Z', packed: '2026-11-25T10:00:00Z', left: '2026-11-25T11:30:00Z' })
    await order({ arrived: '2026-11-25T12:05:00Z' })
    const before = await ask()
    await countEndedDays(testApp.services)
    expect(await ask()).toEqual(before)
    await order({ arrived: '2026-11-25T12:20:00Z', packed: '2026-11-25T12:25:00Z' })
    expect((await ask()).now).toMatchObject({ received: 3, packed: 2, handed_over: 1 })
    // The order is unpacked; its parcel left an hour earlier, as the courier reports.
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(async ({ db }) => {
      await db.updateTable('packing_sessions').set({ state: 'aborted' }).where('order_id', '=', id).execute()
      await db.updateTable('shipments').set({ handed_over_at: '2026-11-25T10:30:00Z' }).where('order_id', '=', id).execute()
    })
    expect((await ask()).now.packed).toBe(2)
    await countEndedDays(testApp.services)
    expect((await ask()).now).toMatchObject({ received: 3, packed: 1, handed_over: 1 })
    expect((await ask()).series).toMatchObject([
      { at: '2026-11-25T07:00:00Z', received: 1 },
      { at: '2026-11-25T10:00:00Z', packed: 0, handed_over: 1 },
      { at: '2026-11-25T12:00:00Z', received: 2, packed: 1 },
    ])
    // At night the day becomes a whole one.
    testApp.setNow(new Date('2026-11-26T01:30:00Z'))
    await countEndedDays(testApp.services)
    expect((await ask({ compare: 'none' }, await operator.hire(['parcels']))).now).toMatchObject({ received: 3, packed: 1, handed_over: 1 })
  })

  it('are compared with the rows at night: a stored number that is wrong is corrected and kept as a difference', async () => {
    await order({ arrived: '2026-11-18T09:00:00Z', packed: '2026-11-18T10:00:00Z' })
    await order({ arrived: '2026-11-18T11:00:00Z' })
    await countEndedDays(testApp.services)
    const system = createSystemContext(testApp.services, scopeOfCompany(operator))
    const day = { from: '2026-11-18', to: '2026-11-18', compare: 'none' } as const
    await system.transaction(({ db }) => db.updateTable('activity_hours').set({ n: 7 }).where('metric', '=', 'received').execute())
    expect((await ask(day)).now.received).toBe(14)
    // By day nothing is compared, at night once.
    testApp.setNow(new Date('2026-11-26T12:30:00Z'))
    await countEndedDays(testApp.services)
    // Sessions end while time passes.
    const received = async () => (await ask(day, await operator.hire(['parcels']))).now.received
    expect(await received()).toBe(14)
    const differences = () =>
      testApp.services.database.readOnly(scopeOfCompany(operator), db =>
        db.selectFrom('counter_checks').select(['day', 'metric', 'expected', 'found']).execute(),
      )
    for (const at of ['2026-11-27T01:30:00Z', '2026-11-27T01:45:00Z']) {
      testApp.setNow(new Date(at))
      await countEndedDays(testApp.services)
    }
    expect(await received()).toBe(2)
    expect(await differences()).toEqual([{ day: '2026-11-18', metric: 'received', expected: 2, found: 14 }])
  })

  it('are zero for days to come', async () => {
    expect(await ask({ from: '2099-12-31', to: '2099-12-31' })).toMatchObject({ now: { received: 0 }, series: [] })
  })

  it('refuse a period that is reversed or too long, and people without a right to them', async () => {
    await expect(ask({ from: '2026-11-26', to: '2026-11-25' })).rejects.toMatchObject({ code: 'period_reversed' })
    await expect(ask({ from: '2024-11-26', to: '2026-11-25' })).rejects.toMatchObject({ code: 'period_too_long' })
    const picker = await operator.hire(['pick'])
    expect((await picker.ask(figures.home, { from: '2026-11-25', to: '2026-11-25' })).statusCode).toBe(403)
  })
})

describe('the public figures', () => {
  it('are counts of five and more, for who has their link, until it is revoked', async () => {
    for (let n = 0; n < 6; n++)
      await order({
        arrived: '2026-11-25T09:00:00Z',
        packed: '2026-11-25T10:00:00Z',
        due: n < 3 ? '2026-11-25T15:00:00Z' : '2026-11-24T15:00:00Z',
        left: '2026-11-25T11:00:00Z',
        courier: n < 5 ? 'own' : 'gls',
      })
    await order({ arrived: '2026-11-10T09:00:00Z' })
    const { token, url, row } = await lead.send(deadlineBoard.makeToken, { body: { kind: 'stats', name: 'Website' } })
    expect(url).toBe(`/stats#${token}`)
    const visitor = testApp.visitor(operator.main)
    const opened = await visitor.ask(boards.open, { body: { token: token ?? '' } })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    const show = () => visitor.ask(figures.published, {}, { headers: { cookie } })
    expect((await show()).json()).toMatchObject({
      name: 'Website',
      today: { received: 6, handed_over: 6, on_time: 0.5, couriers: [{ name: 'Own delivery', n: 5 }] },
      last_30_days: { received: 7 },
    })
    // A link of another kind shows nothing here.
    expect((await visitor.ask(deadlineBoard.shown, {}, { headers: { cookie } })).statusCode).toBe(410)
    await lead.send(deadlineBoard.revokeTokens, { id: row.id })
    expect((await show()).statusCode).toBe(410)
    expect((await visitor.ask(figures.published, {})).statusCode).toBe(410)
  })
})
