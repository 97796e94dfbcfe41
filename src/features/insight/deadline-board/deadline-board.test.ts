/** The board of deadlines: what is left, whether it leaves in time, and who sees it by a link. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { boards } from '#features/company/boards/boards.contract.ts'
import { deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
import type { DeadlineFields } from '#features/orders/deadlines/deadlines.schemas.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { deadlineBoard } from './deadline-board.contract.ts'
import { peopleAtWork, ratesOf } from './people-at-work.rules.ts'
import { lookAtDeadlines } from './watch-deadlines.task.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let viewer: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  clock('2026-11-11T08:00:00Z')
  operator = await testApp.operator({ shops: 1, settings: { release_delay_s: 0, time_zone: 'Europe/Copenhagen' } })
  lead = await operator.hire(['dashboard_admin', 'parcels'])
  viewer = await operator.hire(['dashboard'])
})
afterEach(() => testApp.setNow(undefined))

const clock = (at: string) => testApp.setNow(new Date(at))
const fields: DeadlineFields = {
  ...{ name: 'GLS', company_ids: [], agent_codes: [], shipping_methods: [], countries: [], weekdays: [1, 2, 3, 4, 5] },
  ...{ cut_off: '14:00', pickup_time: '16:00', sla_days: 0, target: 'packed', holidays: null, active: true },
}
const add = (more: Partial<DeadlineFields> = {}) => lead.send(deadlines.create, { body: { ...fields, ...more } })

let numbers = 0
/** Orders of a company, moved on to these phases. */
async function store(phases: readonly Phase[], company = operator.main, ordered_at = '2026-11-11T08:00:00Z'): Promise<void> {
  const system = createSystemContext(testApp.services, scopeOfCompany(operator, company))
  const written = phases.map(() =>
    toOrder(
      CanonicalOrder.parse({
        ...{ order_no: `SECRET${++numbers}`, currency: 'DKK', payment_status: 'paid', ordered_at },
        lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 1, weight_g: 500, unit_price_incl_vat: '100.00' }],
        ship_to: {
          name: 'Kari Canary',
          address1: 'Prøvevej 5',
          postcode: '5000',
          city: 'Odense',
          country: 'DK',
          email: 'canary@example.test',
        },
      }),
    ),
  )
  await system.transaction(async context => {
    const stored = await storeOrders(context, written)
    for (const [place, phase] of phases.entries())
      await context.db.updateTable('orders').set({ phase }).where('id', '=', elementAt(stored, place).order_id).execute()
  })
}
const board = (by = viewer, asked: { company_id?: number; deadline_id?: number } = {}) => by.send(deadlineBoard.data, asked)

describe('the board', () => {
  it('counts by stage what is left of the next pickup, and each figure is the list behind it', async () => {
    const gls = await add()
    const van = await add({ name: 'Van', pickup_time: '15:30', target: 'handed_over', countries: ['SE'] })
    await store(['ready', 'ready', 'new', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'packed', 'handed_over', 'cancelled'])
    await store(['ready'], elementAt(operator.shops, 0))
    const { rows, server_time, time_zone } = await board()
    expect([server_time, time_zone]).toEqual(['2026-11-11T08:00:00.000Z', 'Europe/Copenhagen'])
    expect(rows.map(row => row.deadline_id)).toEqual([van.id, gls.id])
    const row = elementAt(rows, 1)
    expect(row).toMatchObject({
      ...{ name: 'GLS', due_at: '2026-11-11T15:00:00.000Z', total: 11, done: 2, on_hold: 1, exceptions: 1, carried_over: 0, alarm: null },
      remaining: { ready: 4, picking: 1, picked: 1, packing: 1, packed: 0 },
    })
    const list = (phase: Phase[]) => lead.send(orders.search, { deadline_id: gls.id, pickup_until: row.due_at ?? '', phase })
    expect((await list(['new', 'ready'])).total).toBe(4)
    expect((await list(['held'])).total).toBe(1)
    expect(elementAt((await board(viewer, { company_id: operator.main.id, deadline_id: gls.id })).rows, 0).remaining.ready).toBe(3)
  })

  it('counts packed orders where they have to be handed over', async () => {
    await add({ target: 'handed_over' })
    await store(['ready', 'packed', 'handed_over'])
    expect(elementAt((await board()).rows, 0)).toMatchObject({ total: 3, done: 1, remaining: { ready: 1, packed: 1 } })
  })

  it('carries over what missed a pickup, and says so for half an hour', async () => {
    await add()
    await store(['ready', 'packed'])
    clock('2026-11-11T15:20:00Z')
    expect(elementAt((await board()).rows, 0)).toMatchObject({
      ...{ due_at: '2026-11-12T15:00:00.000Z', total: 1, done: 0, carried_over: 1, alarm: 'missed' },
    })
    clock('2026-11-11T15:40:00Z')
    expect(elementAt((await board()).rows, 0)).toMatchObject({ carried_over: 1, alarm: null })
  })

  it('has no forecast before anything is known of the pace, and one from the first shift on', async () => {
    await add()
    await store(Array.from({ length: 8 }, (): Phase => 'picked'))
    clock('2026-11-11T14:40:00Z')
    expect(elementAt((await board()).rows, 0)).toMatchObject({ forecast_missed: null, finish_at: null, advice: null, alarm: null })
    const system = createSystemContext(testApp.services, scopeOfCompany(operator))
    await system.transaction(({ db }) =>
      db
        .insertInto('work_daily')
        .values({
          ...{ user_id: viewer.user_id, day: '2026-11-10', kind: 'pack', orders: 120, lines: 1, pieces: 1, grams: 1, wagons: 0, scans: 1 },
          ...{ wrong: 0, shorts: 0, wagon_claims: 0, active_s: 18_000, break_s: 0 },
        })
        .execute(),
    )
    // 24 orders an hour; no one is at work, 20 minutes are left: one person packs all eight.
    expect(elementAt((await board()).rows, 0)).toMatchObject({
      ...{ forecast_missed: 8, finish_at: null, advice: { stage: 'pack', people: 1 }, start_by: null, alarm: 'soon' },
    })
  })

  it('measures each minute what is left, and draws it beside an even way to the pickup', async () => {
    await add()
    await store(['ready', 'ready', 'picked', 'held'])
    const minute = 60_000
    const start = Date.parse('2026-11-11T12:00:00Z')
    for (const [after, more] of [
      [0, 0],
      [1, 0],
      [1, 0],
      [10, 2],
    ] as const) {
      clock(new Date(start + after * minute).toISOString())
      if (more > 0) await store(Array.from({ length: more }, (): Phase => 'ready'))
      await lookAtDeadlines(testApp.services)
    }
    clock(new Date(start + 20 * minute).toISOString())
    const drawn = elementAt((await board()).rows, 0).burn_down
    const minutes = (points: readonly { at: number; left: number }[] = []) => points.map(({ at, left }) => [(at - start) / minute, left])
    // One point for every five minutes, and now.
    expect(minutes(drawn?.line)).toEqual([
      [1, 3],
      [10, 5],
      [20, 5],
    ])
    expect(minutes(drawn?.needed)).toEqual([
      [20, 5],
      [180, 0],
    ])
    const shop = await operator.hire(['dashboard'], elementAt(operator.shops, 0))
    expect(elementAt((await board(shop)).rows, 0).burn_down).toBeNull()
  })

  it('measures a pickup far away only each five minutes, and keeps the points for 90 days', async () => {
    await add()
    const counted = async () =>
      testApp.services.database.readOnly(scopeOfCompany(operator), async db =>
        (await db.selectFrom('deadline_points').select('at').execute()).map(row => new Date(row.at).toISOString()),
      )
    for (const at of ['2026-11-11T08:00:00.000Z', '2026-11-11T08:01:00.000Z', '2026-11-11T08:05:00.000Z']) {
      clock(at)
      await lookAtDeadlines(testApp.services)
    }
    expect(await counted()).toEqual(['2026-11-11T08:00:00.000Z', '2026-11-11T08:05:00.000Z'])
    clock('2027-02-10T08:00:00.000Z')
    await lookAtDeadlines(testApp.services)
    expect(await counted()).toEqual(['2027-02-10T08:00:00.000Z'])
  })

  it('shows a shop its own orders and neither pace nor people', async () => {
    const shop = await operator.hire(['dashboard'], elementAt(operator.shops, 0))
    await add()
    await store(['ready', 'ready'])
    await store(['ready'], elementAt(operator.shops, 0))
    expect(await board(shop)).toMatchObject({ totals: null, rows: [{ total: 1, forecast_missed: null }] })
  })
})

describe('the people at work', () => {
  const now = Date.parse('2026-11-11T12:00:00Z')
  const hour = 3_600_000
  const stage = { done: 0, hours: 0, active: [] as number[], usual: null }
  const pace = { pack: stage, pick: stage, punched: [], shifts: [], stageOf: new Map<number, 'pack' | 'pick'>() }
  const at = (facts: Partial<Parameters<typeof peopleAtWork>[0]>) =>
    peopleAtWork({ ...pace, ...facts }, now)
      .filter(one => one.stage !== 'out')
      .map(one => [one.stage, (one.from - now) / hour, one.until > now + 24 * hour ? null : (one.until - now) / hour])

  it('are those who did something lately, until their shift ends, and those who come later', () => {
    const shifts = [
      { user_id: 1, from: now - hour, until: now + 2 * hour },
      { user_id: 2, from: now + hour, until: now + 4 * hour },
    ]
    expect(at({ pack: { ...stage, active: [1, 3] }, shifts, stageOf: new Map([[2, 'pick']]) })).toEqual([
      ['pack', 0, 2],
      ['pack', 0, null],
      ['pick', 1, 4],
    ])
  })

  it('are clocked in where the punch clock is used, and begin at their usual stage where none has begun', () => {
    const punched = [
      { user_id: 1, type: 'break' },
      { user_id: 2, type: 'work' },
    ]
    const stageOf = new Map([[2, 'pick' as const]])
    expect(at({ pack: { ...stage, active: [1, 3] }, punched, stageOf })).toEqual([['pick', 0, null]])
  })

  it('have a rate as soon as something is known', () => {
    expect(ratesOf(pace, 1)).toBeNull()
    expect(ratesOf({ ...pace, pack: { ...stage, usual: 24, done: 45, hours: 1.5 } }, 1)).toEqual({ pack: 28.5, pick: 40, out: 200 })
  })
})

describe('a board link', () => {
  const make = (body: object = {}) => lead.send(deadlineBoard.makeToken, { body: { name: 'Hall', ...body } })
  async function openBoard(token: string | null) {
    const visitor = testApp.visitor(operator.main)
    const opened = await visitor.ask(boards.open, { body: { token: token ?? '' } })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    return () => visitor.ask(deadlineBoard.shown, {}, { headers: { cookie } })
  }

  it('shows counts to who has it, neither names nor numbers of orders, until it is revoked', async () => {
    const gls = await add()
    await add({ name: 'Other' })
    await store(['ready'])
    const { token, url, row } = await make({ scope: { deadline_ids: [gls.id], figures: true } })
    expect(url).toBe(`/deadlinesexternal/${token}`)
    const show = await openBoard(token)
    const shown = await show()
    expect(shown.json()).toMatchObject({ name: 'Hall', rows: [{ name: 'GLS', total: 1 }], totals: { waiting: 1 } })
    expect(shown.json().rows).toHaveLength(1)
    for (const word of ['Canary', 'canary', 'SECRET', operator.main.name]) expect(shown.body).not.toContain(word)
    expect(elementAt((await lead.send(deadlineBoard.tokens, {})).rows, 0)).toMatchObject({ name: 'Hall', last_seen_at: expect.any(String) })
    expect(JSON.stringify(await lead.send(deadlineBoard.tokens, {}))).not.toContain(String(token))
    expect(await lead.send(deadlineBoard.revokeTokens, { id: row.id })).toEqual({ revoked: 1 })
    expect(await lead.send(deadlineBoard.revokeTokens, { id: row.id })).toEqual({ revoked: 0 })
    expect((await show()).statusCode).toBe(410)
    expect((await testApp.visitor(operator.main).ask(deadlineBoard.shown, {})).statusCode).toBe(410)
  })

  it('is made once, ends by its time, and all are revoked together', async () => {
    const client_id = randomUUID()
    const first = await make({ client_id, expires_at: '2026-11-12T08:00:00Z', scope: { figures: false } })
    expect(await make({ client_id })).toMatchObject({ token: null, url: null, row: { id: first.row.id } })
    const show = await openBoard(first.token)
    expect((await show()).json()).toMatchObject({ totals: null })
    clock('2026-11-12T08:00:01Z')
    expect((await show()).statusCode).toBe(410)
    const second = await openBoard((await make({ name: 'Office' })).token)
    expect((await second()).statusCode).toBe(200)
    expect(await lead.send(deadlineBoard.revokeTokens, {})).toEqual({ revoked: 2 })
    expect((await second()).statusCode).toBe(410)
  })

  it('is refused for deadlines that do not exist, past times, and people who only look', async () => {
    await expect(make({ scope: { deadline_ids: [999_999] } })).rejects.toMatchObject({ status: 422, code: 'unknown_deadline' })
    await expect(make({ expires_at: '2026-11-10T08:00:00Z' })).rejects.toMatchObject({ code: 'time_passed' })
    await expect(make({ expires_at: '2028-11-10T08:00:00Z' })).rejects.toMatchObject({ code: 'expiry_far' })
    for (const call of [deadlineBoard.tokens, deadlineBoard.revokeTokens]) expect((await viewer.ask(call, {})).statusCode).toBe(403)
  })
})
