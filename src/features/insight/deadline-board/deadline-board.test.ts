/** The board of deadlines: what is left, whether it leaves in time, and who sees it by a link. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { boards } from '#features/company/boards/boards.contract.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
import type { DeadlineFields } from '#features/orders/deadlines/deadlines.schemas.ts'
import { checkCounts } from '#features/orders/orders/counts/order-counts.commands.ts'
import { cancelOrders } from '#features/orders/orders/order-state.commands.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { writeDeadlineAlarmMail } from './alarm-mail.server.ts'
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
async function store(
  phases: readonly Phase[],
  company = operator.main,
  ordered_at = '2026-11-11T08:00:00Z',
  { counted = true } = {},
): Promise<void> {
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
  if (counted) await count(company)
}
/** The board reads what is counted; a company of which nothing is counted yet is counted in its orders. */
const count = (company = operator.main) =>
  testApp.services.database.systemTransaction('a test counts', db =>
    checkCounts(db, scopeOfCompany(operator, company), testApp.services.now()),
  )

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

  it('shows the same before anything is counted, from the counts, and after each change of an order', async () => {
    await add()
    await add({ name: 'Van', pickup_time: '18:00', target: 'handed_over', countries: ['SE'] })
    const all: Phase[] = ['ready', 'ready', 'in_pick', 'picked', 'held', 'short', 'packed', 'handed_over', 'delivered', 'cancelled']
    await store(all, operator.main, '2026-11-11T08:00:00Z', { counted: false })
    await store(['ready', 'packed'], elementAt(operator.shops, 0), '2026-11-11T08:00:00Z', { counted: false })
    clock('2026-11-11T16:00:00Z')
    const looks = async () => [await board(), await board(viewer, { company_id: operator.main.id })]
    const before = await looks()
    await count()
    expect(await looks()).toEqual(before)
    await count(elementAt(operator.shops, 0))
    expect(await looks()).toEqual(before)

    const ready = () => before[0]?.rows.map(row => row.remaining.ready)
    expect(ready()).toEqual([0, 3])
    const { rows } = await lead.send(orders.search, { phase: ['ready'], company_id: operator.main.id })
    const system = createSystemContext(testApp.services, scopeOfCompany(operator))
    await system.transaction(context => cancelOrders(context, [elementAt(rows, 0).id], { at: '2026-11-11T16:00:00Z' }))
    expect((await board()).rows.map(row => row.remaining.ready)).toEqual([0, 2])
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
    const row = async () => elementAt((await board()).rows, 0)
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
    expect(await row()).toMatchObject({
      ...{ forecast_missed: 8, finish_at: null, advice: { stage: 'pack', people: 1 }, start_by: null, alarm: null },
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

describe('the alarm', () => {
  const row = async (by = viewer) => elementAt((await board(by)).rows, 0)
  const lookAt = async (at: string) => {
    clock(`2026-11-11T${at}:00Z`)
    await lookAtDeadlines(testApp.services)
  }
  /** Orders that no one works on: all of them miss the pickup at 15:00Z. */
  async function late(): Promise<void> {
    await add()
    await store(Array.from({ length: 8 }, (): Phase => 'picked'))
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(({ db }) =>
      db
        .insertInto('work_daily')
        .values({
          ...{ user_id: viewer.user_id, day: '2026-11-10', kind: 'pack', orders: 120, lines: 1, pieces: 1, grams: 1, wagons: 0, scans: 1 },
          ...{ wrong: 0, shorts: 0, wagon_claims: 0, active_s: 18_000, break_s: 0 },
        })
        .execute(),
    )
  }
  const bring = async (phase: Phase) => {
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(({ db }) =>
      db.updateTable('orders').set({ phase }).execute(),
    )
    await count()
  }
  const finish = () => bring('packed')
  const stored = () =>
    testApp.services.database.readOnly(scopeOfCompany(operator), db =>
      db.selectFrom('deadline_alarms').select(['stage', 'missed', 'ended_at']).orderBy('id').execute(),
    )

  it('is raised once where two servers look at the same time', async () => {
    await late()
    await lookAt('14:10')
    clock('2026-11-11T14:11:00Z')
    await Promise.all([lookAtDeadlines(testApp.services), lookAtDeadlines(testApp.services)])
    expect((await stored()).map(one => one.stage)).toEqual(['watch'])
  })

  it('rises after two looks in a row, from stage to stage, each once, and stays red for half an hour after the pickup', async () => {
    await late()
    await lookAt('14:10')
    expect((await row()).alarm).toBeNull()
    await lookAt('14:11')
    expect(await row()).toMatchObject({ alarm: 'watch', alarm_id: expect.any(Number), seen_at: null })
    for (const at of ['14:12', '14:31', '14:32', '14:33', '14:46', '14:47']) await lookAt(at)
    expect((await stored()).map(one => [one.stage, one.missed])).toEqual([
      ['watch', 8],
      ['soon', 8],
      ['urgent', 8],
    ])
    expect(await row()).toMatchObject({ alarm: 'urgent' })
    await lookAt('15:01')
    await lookAt('15:02')
    expect(await row()).toMatchObject({ alarm: 'missed', missed_at: '2026-11-11T15:00:00.000Z', alarm_id: expect.any(Number) })
    await finish()
    await lookAt('15:03')
    expect((await row()).alarm).toBeNull()
    expect((await stored()).filter(one => one.stage === 'missed')).toMatchObject([{ missed: 8, ended_at: expect.any(String) }])
  })

  it('ends after two looks without late orders, and comes back without a second one of its stage', async () => {
    await late()
    for (const at of ['14:10', '14:11']) await lookAt(at)
    await finish()
    await lookAt('14:12')
    expect((await row()).alarm).toBe('watch')
    await lookAt('14:13')
    expect((await row()).alarm).toBeNull()
    await bring('picked')
    for (const at of ['14:14', '14:15']) await lookAt(at)
    expect((await row()).alarm).toBe('watch')
    expect(await stored()).toHaveLength(1)
  })

  it('is looked after by the first person who says so, whose name stands on the internal board only', async () => {
    await late()
    for (const at of ['14:40', '14:41']) await lookAt(at)
    const { alarm_id } = await row()
    const seen = await viewer.send(deadlineBoard.seen, { id: alarm_id ?? 0 })
    expect(await lead.send(deadlineBoard.seen, { id: alarm_id ?? 0 })).toEqual(seen)
    expect(await row(lead)).toMatchObject({ alarm: 'soon', seen_at: expect.any(String), seen_by: seen.seen_by })
    const { token } = await lead.send(deadlineBoard.makeToken, { body: { name: 'Hall' } })
    const visitor = testApp.visitor(operator.main)
    const opened = await visitor.ask(boards.open, { body: { token: token ?? '' } })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    const shown = await visitor.ask(deadlineBoard.shown, {}, { headers: { cookie } })
    expect(elementAt(shown.json().rows, 0)).toMatchObject({ alarm: 'soon', alarm_id, seen_at: expect.any(String), seen_by: null })
    expect(shown.body).not.toContain(seen.seen_by)
    expect((await visitor.ask(deadlineBoard.seen, { id: alarm_id ?? 0 }, { headers: { cookie } })).statusCode).toBe(401)
    expect((await viewer.ask(deadlineBoard.seen, { id: 999_999 })).json()).toMatchObject({ code: 'alarm_not_found' })
    const shop = await operator.hire(['dashboard'], elementAt(operator.shops, 0))
    expect((await shop.ask(deadlineBoard.seen, { id: alarm_id ?? 0 })).statusCode).toBe(403)
  })

  const admin = () => operator.hire(['admin'])
  /** Subjects of the mails that are due, with their recipients. */
  async function mails(): Promise<string[]> {
    const { operator_id, main } = operator
    const rows = await testApp.services.database.readOnly(scopeOfCompany(operator), db =>
      db.selectFrom('outbox').select(['payload', 'object_id']).where('kind', '=', 'deadline_alarm.mail').orderBy('id').execute(),
    )
    const written = []
    for (const row of rows)
      written.push(await writeDeadlineAlarmMail({ operator_id, company_id: main.id, ...row } as never, testApp.services))
    return written.map(one => (one ? `${one.to.address}: ${one.subject}` : 'none'))
  }
  const account = {
    ...{ host: 'mail.example.com', port: 587, security: 'starttls' as const, user_name: 'shop', password: 'of-this-test' },
    ...{ from_name: 'Shop', from_address: 'shop@example.test', reply_to: null, version: null },
  } as const
  const settings = { recipients: ['lead@example.test', 'boss@example.test'], quiet_from: null, quiet_until: null, sound: true, version: 0 }

  it('is mailed to each recipient at half an hour and a quarter, and what was missed in one mail in the evening', async () => {
    await (await admin()).send(mail.save, { body: account })
    await lead.send(deadlineBoard.setAlarms, { body: settings })
    await late()
    for (const at of ['14:10', '14:11']) await lookAt(at)
    expect(await mails()).toEqual([])
    for (const at of ['14:31', '14:32', '14:33']) await lookAt(at)
    expect(await mails()).toEqual(['lead@example.test: GLS 16:00: 8 late', 'boss@example.test: GLS 16:00: 8 late'])
    for (const at of ['14:50', '14:51', '15:01', '15:02', '18:59', '19:00', '19:01']) await lookAt(at)
    expect((await mails()).slice(4)).toEqual(['lead@example.test: Pickups missed today', 'boss@example.test: Pickups missed today'])
  })

  it('is mailed only at its last stage in quiet hours, and not without an account', async () => {
    await lead.send(deadlineBoard.setAlarms, { body: { ...settings, quiet_from: '15:00', quiet_until: '08:00' } })
    await late()
    for (const at of ['14:31', '14:32']) await lookAt(at)
    await (await admin()).send(mail.save, { body: account })
    for (const at of ['14:33', '14:34']) await lookAt(at)
    expect(await mails()).toEqual([])
    for (const at of ['14:46', '14:47']) await lookAt(at)
    expect(await mails()).toHaveLength(2)
  })

  it('has settings that refuse half a span and old versions, and that shops and viewers do not change', async () => {
    expect((await lead.ask(deadlineBoard.setAlarms, { body: { ...settings, quiet_from: '22:00' } })).json()).toMatchObject({
      fields: { quiet_until: 'Enter both times, or neither.' },
    })
    expect((await lead.ask(deadlineBoard.setAlarms, { body: { ...settings, recipients: ['lead'] } })).statusCode).toBe(400)
    expect(await lead.send(deadlineBoard.setAlarms, { body: { ...settings, sound: false } })).toMatchObject({ version: 1, can_mail: false })
    expect((await board()).sound).toBe(false)
    expect((await lead.ask(deadlineBoard.setAlarms, { body: settings })).json()).toMatchObject({
      code: 'settings_changed',
      current: { sound: false, version: 1 },
    })
    expect((await viewer.ask(deadlineBoard.setAlarms, { body: { ...settings, version: 1 } })).statusCode).toBe(403)
    const shop = await operator.hire(['dashboard_admin'], elementAt(operator.shops, 0))
    expect((await shop.ask(deadlineBoard.alarms, {})).statusCode).toBe(403)
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
