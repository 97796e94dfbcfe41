/** The punch clock over HTTP: who is let in, what counts once, what a gap in the network leaves, and who decides about whose times. */
import { constants, createPublicKey, publicEncrypt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { boards } from '#features/company/boards/boards.contract.ts'
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { payLists } from '../salary/salary.contract.ts'
import { schedule } from '../schedule/schedule.contract.ts'
import { timesheet } from '../timesheet/timesheet.contract.ts'
import { flagForgotten } from './forgotten-punches.task.ts'
import { groupedWork } from './grouped-work.rules.ts'
import type { EarlyWhy } from './punch.codes.ts'
import { punchClock } from './punch-clock.contract.ts'
import type { SyncEntry } from './punch-clock.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let kiosk: TestUser
let kim: TestUser
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  kiosk = await operator.hire(['punchclock'], operator.main, 'Kiosk')
  kim = await operator.hire(['scan', 'punchclock'], operator.main, 'Kim Lund')
  lead = await operator.hire(['punchclock_admin'], operator.main, 'Jonas Krogh')
})
afterEach(() => testApp.setNow(undefined))

const clock = (text: string) => testApp.setNow(new Date(`2026-11-24T${text}Z`))
const badgeOf = async (user: TestUser) => (await admin.send(credentials.makeBadge, { id: user.user_id })).code
const tapIn = async (badge: string, over: object = {}) =>
  kiosk.send(punchClock.punchIn, { body: { client_id: randomUUID(), who: { badge }, ...over } })
const tapOut = async (badge: string) => kiosk.send(punchClock.punchOut, { x: 0, body: { client_id: randomUUID(), who: { badge } } })

describe('at the kiosk a person', () => {
  it('clocks in by badge, takes a break, comes back and clocks out, and reads the sums', async () => {
    const badge = await badgeOf(kim)
    clock('05:00:00')
    expect(await tapIn(badge)).toMatchObject({
      punch: { type: 'work', state: 'open', work_date: '2026-11-24', source: 'kiosk', way: 'badge', user_name: 'Kim Lund' },
      person: { first_name: 'Kim', open: { type: 'work' }, today_s: 0 },
      duplicate: false,
    })
    clock('09:00:00')
    await tapIn(badge, { type: 'break' })
    clock('09:30:00')
    await tapIn(badge, { type: 'work' })
    clock('13:00:00')
    expect(await tapOut(badge)).toMatchObject({ punch: { state: 'closed' }, person: { open: null, today_s: 27_000, week_s: 27_000 } })
    const { rows } = await kim.send(punchClock.last, {})
    expect(rows.map(row => `${row.type} ${row.state}`)).toEqual(['work closed', 'break closed', 'work closed'])
    expect((await kim.send(punchClock.current, {})).punch).toBeNull()
  })

  it('is among those who are in, with and without a badge or PIN', async () => {
    const names = async () => {
      const { roster } = await kiosk.send(punchClock.kiosk, {})
      return roster.map(({ first_name, state, has_pin }) => `${first_name} ${state} ${has_pin}`)
    }
    expect(await names()).toEqual([])
    await kim.send(punchClock.punchIn, { body: { client_id: randomUUID() } })
    await admin.send(credentials.setPin, { id: lead.user_id, body: { pin: '4711' } })
    expect(await names()).toEqual(['Jonas null true', 'Kim work false'])
  })

  it('is recognised by number and PIN, and a wrong PIN answers like an unknown number', async () => {
    const { database } = testApp.services
    await database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('users').set({ employee_no: '1003' }).where('id', '=', kim.user_id).execute(),
    )
    await admin.send(credentials.setPin, { id: kim.user_id, body: { pin: '4711' } })
    const known = await kiosk.send(punchClock.identify, { body: { who: { employee_no: '1003', pin: '4711' } } })
    expect(known.person).toMatchObject({ first_name: 'Kim', open: null })
    const wrong = kiosk.ask(punchClock.identify, { body: { who: { employee_no: '1003', pin: '0000' } } })
    const unknown = kiosk.ask(punchClock.identify, { body: { who: { employee_no: '9999', pin: '0000' } } })
    expect((await wrong).json()).toEqual((await unknown).json())
    expect((await wrong).statusCode).toBe(403)
    const byPicture = await kiosk.send(punchClock.identify, { body: { who: { user_id: kim.user_id, pin: '4711' } } })
    expect(byPicture.person.user_id).toBe(kim.user_id)
    const tapped = await kiosk.send(punchClock.punchIn, { body: { client_id: randomUUID(), who: { ticket: byPicture.ticket } } })
    expect(tapped.punch.way).toBe('picture_pin')
    const elsewhere = await operator.hire(['punchclock'])
    await expect(
      elsewhere.send(punchClock.punchOut, { x: 0, body: { client_id: randomUUID(), who: { ticket: tapped.ticket } } }),
    ).rejects.toMatchObject({ code: 'ticket_ended' })
  })

  it('waits longer after each wrong PIN', async () => {
    await admin.send(credentials.setPin, { id: kim.user_id, body: { pin: '4711' } })
    const codes: string[] = []
    for (let i = 0; i < 8; i++) {
      const answer = await kiosk.ask(punchClock.identify, { body: { who: { user_id: kim.user_id, pin: '0000' } } })
      codes.push(String(answer.json().code))
    }
    expect(codes[0]).toBe('wrong_pin')
    expect(codes.at(-1)).toBe('too_many_tries')
  })

  it('is refused outside the warehouse network, with a foreign badge and without one', async () => {
    const badge = await badgeOf(kim)
    await expect(tapIn('U1-abcdefghijkl')).rejects.toMatchObject({ status: 404, code: 'unknown_badge' })
    const shop = elementAt(operator.shops, 0)
    const stranger = await operator.hire(['punchclock'], shop)
    await expect(stranger.send(punchClock.punchIn, { body: { client_id: randomUUID(), who: { badge } } })).rejects.toMatchObject({
      code: 'unknown_badge',
    })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      changeSettings(db, operator.main.id, { packing_ip_pattern: '10\\.0\\.0\\.1' }, { name: 'Astrid Holm', at: new Date() }),
    )
    testApp.services.notifier.publish([{ topic: 'people', operator_id: operator.operator_id, company_id: operator.main.id }])
    await expect
      .poll(async () => (await kiosk.ask(punchClock.punchIn, { body: { client_id: randomUUID(), who: { badge } } })).json().code, {
        timeout: 8_000,
      })
      .toBe('outside_warehouse_network')
  })
})

describe('a tap', () => {
  it('counts once within five seconds, and is refused after them', async () => {
    const badge = await badgeOf(kim)
    clock('05:00:00.000')
    const first = await tapIn(badge)
    clock('05:00:04.900')
    expect(await tapIn(badge)).toMatchObject({ duplicate: true, punch: { id: first.punch.id } })
    clock('05:00:05.000')
    await expect(tapIn(badge)).rejects.toMatchObject({ status: 409, code: 'already_in' })
    clock('13:00:00.000')
    await tapOut(badge)
    clock('13:00:04.000')
    expect(await tapOut(badge)).toMatchObject({ duplicate: true })
    clock('13:00:06.000')
    await expect(tapOut(badge)).rejects.toMatchObject({ code: 'not_in' })
  })

  it('that is sent three times under one id is one punch', async () => {
    const badge = await badgeOf(kim)
    const client_id = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => kiosk.send(punchClock.punchIn, { body: { client_id, who: { badge } } })))
    expect(new Set(answers.map(answer => answer.punch.id)).size).toBe(1)
    expect(answers.filter(answer => !answer.duplicate)).toHaveLength(1)
  })

  it('at two kiosks at once opens one punch', async () => {
    const badge = await badgeOf(kim)
    const other = await operator.hire(['punchclock'])
    await Promise.all([kiosk, other].map(one => one.send(punchClock.punchIn, { body: { client_id: randomUUID(), who: { badge } } })))
    expect((await kim.send(punchClock.last, {})).rows).toHaveLength(1)
  })

  it('is taken back within a minute, and what it ended goes on', async () => {
    const badge = await badgeOf(kim)
    clock('05:00:00')
    await tapIn(badge)
    clock('09:00:00')
    const client_id = randomUUID()
    const { ticket } = await kiosk.send(punchClock.punchIn, { body: { client_id, type: 'break', who: { badge } } })
    const { person } = await kiosk.send(punchClock.undo, { body: { client_id, ticket } })
    expect(person.open).toMatchObject({ type: 'work', since: '2026-11-24T05:00:00.000Z' })
    await expect(kiosk.send(punchClock.undo, { body: { client_id, ticket } })).rejects.toMatchObject({ code: 'tap_not_last' })
    const again = await kiosk.send(punchClock.punchOut, { x: 0, body: { client_id: randomUUID(), who: { badge } } })
    expect(again.punch).toMatchObject({ type: 'work', state: 'closed' })
  })
})

describe('a clock-in', () => {
  const planned = async (work_date: string, start_local: string, end_local: string) => {
    const planner = await operator.hire(['schedule_admin'], operator.main, 'Mette Friis')
    const { entry } = await planner.send(schedule.create, {
      body: { client_id: randomUUID(), kind: 'shift', user_id: kim.user_id, work_date, start_local, end_local, break_s: 0 },
    })
    await planner.send(schedule.publish, { body: { from: work_date, to: work_date, reason: 'Without a break' } })
    return entry.id
  }

  it('belongs to the shift that runs or that begins within an hour, past midnight too, and a break stays with it', async () => {
    const badge = await badgeOf(kim)
    clock('09:00:00')
    const shift_id = await planned('2026-11-25', '00:30', '08:00')
    clock('22:50:00')
    expect((await tapIn(badge)).punch).toMatchObject({ shift_id, work_date: '2026-11-25' })
    testApp.setNow(new Date('2026-11-25T02:00:00Z'))
    expect((await tapIn(badge, { type: 'break' })).punch).toMatchObject({ shift_id, work_date: '2026-11-25' })
  })

  it('at night is one entry of the day on which the shift began, and the next day has none', async () => {
    const badge = await badgeOf(kim)
    clock('09:00:00')
    const shift_id = await planned('2026-11-24', '22:00', '06:00')
    clock('20:10:00')
    const { punch } = await tapIn(badge)
    expect(punch).toMatchObject({ shift_id, work_date: '2026-11-24' })
    testApp.setNow(new Date('2026-11-25T05:20:00Z'))
    expect((await tapOut(badge)).punch).toMatchObject({ id: punch.id, work_date: '2026-11-24', state: 'closed' })
    const { rows } = await lead.send(punchClock.workDone, { start: '2026-11-24', end: '2026-11-25' })
    expect(rows.map(({ work_date, worked_s }) => [work_date, worked_s])).toEqual([['2026-11-24', 9 * 3_600 + 600]])
  })

  it('without a shift belongs to its day', async () => {
    const badge = await badgeOf(kim)
    clock('09:00:00')
    await planned('2026-11-25', '06:00', '14:00')
    clock('23:30:00')
    expect((await tapIn(badge)).punch).toMatchObject({ shift_id: null, work_date: '2026-11-25' })
  })

  it('of a person who is removed has no clock-out, and the shifts to come are open to others', async () => {
    const badge = await badgeOf(kim)
    clock('04:00:00')
    const shift_id = await planned('2026-11-25', '06:00', '14:00')
    clock('05:00:00')
    const { punch } = await tapIn(badge)
    await admin.send(users.remove, { id: kim.user_id })
    expect((await lead.send(punchClock.notOut, {})).rows).toMatchObject([{ id: punch.id, state: 'missing_out', ended_at: null }])
    const sofie = await operator.hire(['schedule'], operator.main, 'Sofie Bang')
    expect((await sofie.send(schedule.future, {})).open.map(({ id }) => id)).toEqual([shift_id])
  })

  it('without a clock-out is named an hour after the end of its shift', async () => {
    const badge = await badgeOf(kim)
    clock('04:00:00')
    await planned('2026-11-24', '06:00', '14:00')
    clock('05:00:00')
    const { punch } = await tapIn(badge)
    const missing = async () => (await lead.send(punchClock.notOut, {})).rows.map(({ id }) => id)
    clock('13:59:00')
    expect(await missing()).toEqual([])
    clock('14:01:00')
    expect(await missing()).toEqual([punch.id])
  })
})

describe('a clock-out before the end of the shift', () => {
  const day = '2026-11-24'
  let planner: TestUser
  let badge = ''
  beforeEach(async () => {
    planner = await operator.hire(['schedule_admin', 'salary_admin'], operator.main, 'Mette Friis')
    badge = await badgeOf(kim)
    clock('05:00:00')
    await planner.send(schedule.create, {
      body: {
        ...{ client_id: randomUUID(), kind: 'shift', user_id: kim.user_id, work_date: day },
        ...{ start_local: '08:00', end_local: '16:00', break_s: 1_800 },
      },
    })
    await planner.send(schedule.publish, { body: { from: day, to: day } })
    clock('07:00:00')
    await tapIn(badge)
  })
  const outAt = async (time: string) => {
    clock(time)
    const client_id = randomUUID()
    return { client_id, ...(await kiosk.send(punchClock.punchOut, { x: 0, body: { client_id, who: { badge } } })) }
  }
  const answer = (tap: { client_id: string; ticket: string }, why: EarlyWhy) =>
    kiosk.send(punchClock.earlyOut, { body: { client_id: tap.client_id, ticket: tap.ticket, why } })
  const entriesOf = async (user: TestUser) =>
    (await planner.send(schedule.list, { user_id: user.user_id, start: day, end: day })).entries.map(entry => ({
      ...{ kind: entry.kind, part: entry.part, reason_id: entry.reason_id, state: entry.state },
      times: `${entry.start_local}–${entry.end_local}`,
    }))
  const dayOf = async () => (await planner.send(timesheet.list, { start: day, end: day })).rows.find(row => row.user_id === kim.user_id)

  it('is asked about, and stands without an answer', async () => {
    const out = await outAt('12:40:00')
    expect(out).toMatchObject({ punch: { state: 'closed', early_out: null }, early: { shift_end: `${day}T15:00:00.000Z` } })
    expect(await entriesOf(kim)).toMatchObject([{ kind: 'shift', times: '08:00–16:00' }])
  })

  it('is not asked about within a quarter of an hour, without a shift, or where the company asks no one', async () => {
    expect((await outAt('14:45:01')).early).toBeNull()
    const sofie = await operator.hire(['punchclock'], operator.main, 'Sofie Bang')
    const other = await badgeOf(sofie)
    await tapIn(other)
    clock('14:46:00')
    expect((await tapOut(other)).early).toBeNull()
    clock('14:00:00')
    await tapIn(badge)
    const settings = await planner.send(timesheet.settings, {})
    await planner.send(timesheet.setSettings, { body: { ...settings, early_out_min: 0 } })
    expect((await outAt('14:20:00')).early).toBeNull()
  })

  it('because a child is sick is the child’s first sick day until the end of the shift, in plan, timesheet and pay', async () => {
    const out = await outAt('12:40:27')
    expect(await answer(out, 'child')).toEqual({ leave_s: 8_400 })
    // Sent again it is the same leave.
    expect(await answer(out, 'child')).toEqual({ leave_s: 8_400 })
    expect(await entriesOf(kim)).toEqual([
      { kind: 'shift', part: null, reason_id: null, state: 'published', times: '08:00–13:40' },
      { kind: 'leave', part: 'rest', reason_id: 2, state: 'registered', times: '13:40–16:00' },
    ])
    expect((await planner.send(schedule.waiting, {})).rows).toMatchObject([
      { entry: { state: 'registered' }, name: 'Kim Lund', cost_milli: 0 },
    ])
    const sofie = await operator.hire(['schedule'], operator.main, 'Sofie Bang')
    const seen = await sofie.send(schedule.future, {})
    expect(seen.open).toMatchObject([{ start_local: '13:40', end_local: '16:00', reason_id: null, note: null }])
    expect(await dayOf()).toMatchObject({
      planned: { to: `${day}T12:40:00.000Z` },
      proposed: { paid_s: 18_600 },
      went_home: { from: `${day}T12:40:00.000Z`, to: `${day}T15:00:00.000Z`, leave_s: 8_400 },
      away: false,
      flags: ['break_planned'],
    })
    const [pay] = (await planner.send(payLists.payList, { start: day, end: day })).rows.filter(row => row.user_id === kim.user_id)
    expect(pay?.lines).toMatchObject([{ kind: 'leave', name: '2', units_c: 31 }])
  })

  it('counts as the first day: the next is another kind of leave, unless the company takes the day after', async () => {
    await answer(await outAt('12:40:00'), 'child')
    const own = await operator.hire(['schedule'], operator.main, 'Ida Holm')
    const childDay = (user_id: number) => ({
      body: { client_id: randomUUID(), kind: 'leave' as const, user_id, reason_id: 2, work_date: '2026-11-25' },
    })
    await expect(planner.send(schedule.create, childDay(kim.user_id))).rejects.toMatchObject({
      code: 'not_first_day',
      message: 'The first sick day was 2026-11-24. Choose another kind of leave.',
    })
    await planner.send(schedule.create, childDay(own.user_id))
    const { settings } = await planner.send(schedule.settings, {})
    await planner.send(schedule.setSettings, { body: { settings: { ...settings, child_day_next: true } } })
    expect((await planner.send(schedule.create, childDay(kim.user_id))).entry.state).toBe('registered')
  })

  it('for another reason keeps the shift, and the lead reads the reason', async () => {
    const out = await outAt('12:40:00')
    expect(await answer(out, 'agreed')).toEqual({ leave_s: null })
    expect(await entriesOf(kim)).toMatchObject([{ kind: 'shift', times: '08:00–16:00' }])
    expect(await dayOf()).toMatchObject({ early_out: 'agreed', went_home: null })
  })

  it('that is taken back takes its leave with it, and the shift is whole again', async () => {
    const out = await outAt('12:40:00')
    await answer(out, 'sick')
    await kiosk.send(punchClock.undo, { body: { client_id: out.client_id, ticket: out.ticket } })
    expect(await entriesOf(kim)).toMatchObject([{ kind: 'shift', times: '08:00–16:00' }])
    await expect(answer(out, 'sick')).rejects.toMatchObject({ code: 'not_clocked_out' })
  })

  const correctTo = async (punch: { id: number; version: number }, time: string) =>
    lead.send(punchClock.update, {
      id: punch.id,
      body: {
        ...{ client_id: randomUUID(), version: punch.version, type: 'work', note: 'Seen at the exit' },
        ...{ started_at: `${day}T07:00:00Z`, ended_at: `${day}T${time}Z` },
      },
    })
  const openShifts = async () => {
    const { entries } = await planner.send(schedule.list, { user_id: 0, start: day, end: day })
    return entries.filter(one => one.kind === 'shift' && one.user_id === null).map(one => `${one.start_local}–${one.end_local}`)
  }

  it('that a lead corrects moves the beginning of its leave, later and earlier, and the shift with it', async () => {
    const out = await outAt('12:40:00')
    await answer(out, 'sick')
    clock('18:00:00')
    const later = await correctTo(out.punch, '13:10:30')
    expect(await entriesOf(kim)).toMatchObject([
      { kind: 'shift', times: '08:00–14:10' },
      { kind: 'leave', part: 'rest', state: 'registered', times: '14:10–16:00' },
    ])
    expect(await openShifts()).toEqual(['14:10–16:00'])
    expect(await dayOf()).toMatchObject({ planned: { to: `${day}T13:10:00.000Z` }, went_home: { leave_s: 6_600 } })
    await correctTo(later, '09:00:00')
    expect(await entriesOf(kim)).toMatchObject([{ times: '08:00–10:00' }, { kind: 'leave', times: '10:00–16:00' }])
    expect(await openShifts()).toEqual(['10:00–16:00'])
    expect(await dayOf()).toMatchObject({ went_home: { leave_s: 19_800 } })
    const [pay] = (await planner.send(payLists.payList, { start: day, end: day })).rows.filter(row => row.user_id === kim.user_id)
    expect(pay?.lines).toMatchObject([{ kind: 'leave', units_c: 73 }])
  })

  it('that turns out not to be early takes its leave back, unless a lead has seen the leave', async () => {
    const out = await outAt('12:40:00')
    await answer(out, 'child')
    clock('18:00:00')
    const asked = await kim.send(punchClock.update, {
      id: out.punch.id,
      body: {
        ...{ client_id: randomUUID(), version: out.punch.version, type: 'work', note: 'Came back at once' },
        ...{ started_at: `${day}T07:00:00Z`, ended_at: `${day}T14:50:00Z` },
      },
    })
    expect(await entriesOf(kim)).toMatchObject([{ times: '08:00–13:40' }, { kind: 'leave', state: 'registered' }])
    const accepted = await lead.send(punchClock.decide, { id: out.punch.id, body: { version: asked.version, accept: true, reason: '' } })
    expect(await entriesOf(kim)).toEqual([{ kind: 'shift', part: null, reason_id: null, state: 'published', times: '08:00–16:00' }])
    expect(await openShifts()).toEqual([])
    // What was taken back stays so: whether it is leave after all, a person says.
    await correctTo(accepted, '12:40:00')
    expect(await entriesOf(kim)).toMatchObject([{ kind: 'shift', times: '08:00–16:00' }])
  })

  it('keeps a leave that a lead has seen, and its new beginning', async () => {
    const out = await outAt('12:40:00')
    await answer(out, 'sick')
    const { rows } = await planner.send(schedule.waiting, {})
    const entry = rows[0]?.entry
    if (!entry) throw new Error('nothing waits')
    await planner.send(schedule.update, { id: entry.id, body: { version: entry.version, state: 'seen' } })
    clock('18:00:00')
    const moved = await correctTo(out.punch, '13:00:00')
    expect(await entriesOf(kim)).toMatchObject([{ times: '08:00–14:00' }, { state: 'seen', times: '14:00–16:00' }])
    await correctTo(moved, '15:00:00')
    expect(await entriesOf(kim)).toMatchObject([{ times: '08:00–14:00' }, { state: 'seen', times: '14:00–16:00' }])
  })

  it('leaves the rest of the shift with the colleague who took it', async () => {
    const out = await outAt('12:40:00')
    await answer(out, 'sick')
    const { entries } = await planner.send(schedule.list, { user_id: 0, start: day, end: day })
    const open = entries.find(one => one.kind === 'shift' && one.user_id === null)
    if (!open) throw new Error('no open shift')
    const sofie = await operator.hire(['schedule'], operator.main, 'Sofie Bang')
    await planner.send(schedule.update, { id: open.id, body: { version: open.version, user_id: sofie.user_id } })
    clock('18:00:00')
    await correctTo(out.punch, '13:00:00')
    expect(await entriesOf(kim)).toMatchObject([{ times: '08:00–13:40' }, { kind: 'leave', times: '14:00–16:00' }])
    expect(await entriesOf(sofie)).toMatchObject([{ kind: 'shift', times: '13:40–16:00' }])
    expect(await dayOf()).toMatchObject({ went_home: { leave_s: 7_200 } })
  })

  it('that is corrected to the end of the shift is explained no more', async () => {
    const out = await outAt('12:40:00')
    await answer(out, 'agreed')
    clock('18:00:00')
    await correctTo(await correctTo(out.punch, '13:00:00'), '15:00:00')
    expect(await dayOf()).toMatchObject({ early_out: null, went_home: null })
  })

  it('is explained by the person of the ticket alone, and on no day of another leave', async () => {
    const out = await outAt('12:40:00')
    const sofie = await operator.hire(['punchclock'], operator.main, 'Sofie Bang')
    const { ticket } = await kiosk.send(punchClock.identify, { body: { who: { badge: await badgeOf(sofie) } } })
    await expect(answer({ client_id: out.client_id, ticket }, 'sick')).rejects.toMatchObject({ code: 'not_clocked_out' })
    await planner.send(schedule.create, {
      body: { client_id: randomUUID(), kind: 'leave', user_id: kim.user_id, reason_id: 1, work_date: day },
    })
    await expect(answer(out, 'sick')).rejects.toMatchObject({ status: 409 })
    expect((await kim.send(punchClock.last, { limit: 1 })).rows).toMatchObject([{ state: 'closed' }])
  })

  it('tells colleagues, boards, events and kiosks nothing of an illness', async () => {
    await answer(await outAt('12:40:00'), 'sick')
    const sofie = await operator.hire(['schedule', 'punchclock'], operator.main, 'Sofie Bang')
    const texts = [
      await sofie.ask(schedule.future, {}),
      await sofie.ask(schedule.list, { user_id: sofie.user_id, start: day, end: day }),
      await kiosk.ask(punchClock.kiosk, {}),
      await lead.ask(punchClock.check, {}),
      await lead.ask(punchClock.interval, { start: day, end: day }),
    ].map(one => one.body)
    for (const text of texts) expect(text).not.toMatch(/sick|child|"reason_id":[12]/)
    const events = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('events').select(['kind', 'data']).where('kind', 'in', ['leave.registered', 'punch.out', 'punch.explained']).execute(),
    )
    expect(events.length).toBeGreaterThan(1)
    expect(JSON.stringify(events)).not.toMatch(/sick|child|reason/)
  })
})

describe('a clock-out that was forgotten', () => {
  it('is flagged after fourteen hours and never guessed', async () => {
    const badge = await badgeOf(kim)
    testApp.setNow(new Date('2026-11-23T14:00:00Z'))
    const { punch } = await tapIn(badge)
    testApp.setNow(new Date('2026-11-24T04:00:00Z'))
    await flagForgotten(testApp.services)
    expect((await lead.send(punchClock.notOut, {})).rows).toMatchObject([{ id: punch.id, state: 'missing_out', ended_at: null }])
    clock('05:00:00')
    const next = await tapIn(badge)
    expect(next).toMatchObject({ punch: { state: 'open' }, forgotten: { id: punch.id, work_date: '2026-11-23' } })

    // The person writes the end at the kiosk; someone else accepts it.
    const forgotten = next.forgotten ?? { id: 0, version: 0, started_at: '' }
    const asked = await kiosk.send(punchClock.update, {
      id: forgotten.id,
      body: {
        version: forgotten.version,
        started_at: forgotten.started_at,
        ended_at: '2026-11-23T22:00:00Z',
        note: 'Left at eleven',
        ticket: next.ticket,
      },
    })
    expect(asked).toMatchObject({ state: 'correction_requested', ended_at: null })
    const { rows, corrections } = await lead.send(punchClock.check, {})
    expect(corrections).toBe(1)
    expect(elementAt(rows, 0).versions.at(-1)).toMatchObject({
      why: 'request',
      ended_at: '2026-11-23T22:00:00.000Z',
      note: 'Left at eleven',
      by_name: 'Kim Lund',
    })
    const accepted = await lead.send(punchClock.decide, { id: punch.id, body: { version: asked.version, accept: true } })
    expect(accepted).toMatchObject({ state: 'corrected', ended_at: '2026-11-23T22:00:00.000Z' })
    expect(await lead.send(punchClock.validate, { id: punch.id, body: { version: accepted.version } })).toMatchObject({ validated: true })
  })

  it('makes way for the next clock-in when it is older than fourteen hours', async () => {
    const badge = await badgeOf(kim)
    testApp.setNow(new Date('2026-11-23T14:00:00Z'))
    const { punch } = await tapIn(badge)
    clock('05:00:00')
    await tapIn(badge)
    const { rows } = await kim.send(punchClock.last, {})
    expect(rows.find(row => row.id === punch.id)).toMatchObject({ state: 'missing_out', ended_at: null })
    expect(rows.find(row => row.id === punch.id)?.versions.map(version => version.why)).toEqual(['made', 'system'])
  })
})

describe('times', () => {
  const span = { started_at: '2026-11-24T05:00:00Z', ended_at: '2026-11-24T13:00:00Z', note: 'Forgot the badge' }
  beforeEach(() => clock('20:00:00'))

  it('of someone else are corrected at once; one’s own wait for someone else', async () => {
    const written = await lead.send(punchClock.update, { id: 0, body: { ...span, user_id: kim.user_id, client_id: randomUUID() } })
    expect(written).toMatchObject({ state: 'corrected', source: 'entry', user_id: kim.user_id, work_date: '2026-11-24' })
    const own = await lead.send(punchClock.update, { id: 0, body: { ...span, client_id: randomUUID() } })
    expect(own.state).toBe('correction_requested')
    await expect(lead.send(punchClock.decide, { id: own.id, body: { version: 1, accept: true } })).rejects.toMatchObject({
      status: 403,
      code: 'own_punch',
    })
    await expect(
      kim.send(punchClock.update, { id: 0, body: { ...span, user_id: lead.user_id, client_id: randomUUID() } }),
    ).rejects.toMatchObject({ code: 'not_your_times' })
  })

  it('may be decided by their own lead where the company says that there is no other', async () => {
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      await changeSettings(
        db,
        operator.main.id,
        {
          hours: {
            tolerance_s: 300,
            rounding_min: 0,
            early: 'from_plan',
            early_out_min: 15,
            remind_person: true,
            remind_leads: true,
            auto_approve: true,
            sole_approver: true,
          },
        },
        { name: 'Astrid Holm', at: new Date() },
      )
    })
    const own = await lead.send(punchClock.update, { id: 0, body: { ...span, client_id: randomUUID() } })
    expect((await lead.send(punchClock.decide, { id: own.id, body: { version: 1, accept: true } })).state).toBe('corrected')
  })

  it('that are rejected stay as they were, with the reason', async () => {
    const { id } = await lead.send(punchClock.update, { id: 0, body: { ...span, user_id: kim.user_id } })
    const asked = await kim.send(punchClock.update, { id, body: { ...span, ended_at: '2026-11-24T15:00:00Z', version: 1 } })
    await expect(lead.send(punchClock.decide, { id, body: { version: asked.version, accept: false } })).rejects.toMatchObject({
      code: 'reason_needed',
    })
    const refused = await lead.send(punchClock.decide, { id, body: { version: asked.version, accept: false, reason: 'You left at two' } })
    expect(refused).toMatchObject({ state: 'corrected', ended_at: '2026-11-24T13:00:00.000Z' })
    expect((await kim.send(punchClock.last, {})).rows[0]?.versions.map(version => [version.why, version.note])).toEqual([
      ['lead', 'Forgot the badge'],
      ['request', 'Forgot the badge'],
      ['refused', 'You left at two'],
    ])
  })

  it('keep a note as it was written, refuse what is no text, and a name is one first name on every screen', async () => {
    const formula = '=HYPERLINK("http://x.example","pay")<img src=x onerror=alert(1)>'
    const kept = await lead.send(punchClock.update, { id: 0, body: { ...span, note: formula, user_id: kim.user_id } })
    expect((await kim.send(punchClock.last, {})).rows[0]?.versions[0]?.note).toBe(formula)
    for (const note of ['a\u0000bc', 'ab\ud800', 'x'.repeat(501)]) {
      const answer = await kim.ask(punchClock.update, { id: kept.id, body: { ...span, note, version: kept.version } })
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.statusCode).toBeLessThan(500)
    }
    const huge = await kim.ask(punchClock.update, { id: kept.id, body: { ...span, note: 'x'.repeat(10_000_000), version: kept.version } })
    expect([400, 413, 422]).toContain(huge.statusCode)
    expect((await kim.send(punchClock.last, {})).rows[0]).toMatchObject({ version: kept.version, state: 'corrected' })
  })

  it('must make sense', async () => {
    const tries = [
      [{ ...span, ended_at: '2026-11-24T05:00:00Z' }, 'punch_order'],
      [{ ...span, ended_at: '2026-11-24T21:00:00Z' }, 'punch_future'],
      [{ ...span, started_at: '2026-11-23T05:00:00Z' }, 'punch_too_long'],
    ] as const
    for (const [body, code] of tries)
      await expect(kim.send(punchClock.update, { id: 0, body: { ...body, client_id: randomUUID() } })).rejects.toMatchObject({ code })
    await lead.send(punchClock.update, { id: 0, body: { ...span, user_id: kim.user_id } })
    await expect(
      lead.send(punchClock.update, {
        id: 0,
        body: { ...span, started_at: '2026-11-24T12:00:00Z', ended_at: '2026-11-24T14:00:00Z', user_id: kim.user_id },
      }),
    ).rejects.toMatchObject({ status: 409, code: 'punch_overlap', message: 'Overlaps 06:00–14:00.' })
  })

  it('are deleted and renamed with a reason, and by their version', async () => {
    const { id, version } = await lead.send(punchClock.update, { id: 0, body: { ...span, user_id: kim.user_id } })
    const renamed = await lead.send(punchClock.setType, { id, type: 'meeting', body: { version, reason: 'All of it' } })
    expect(renamed).toMatchObject({ type: 'meeting', version: version + 1 })
    await expect(lead.send(punchClock.remove, { id, body: { version, reason: 'Twice' } })).rejects.toMatchObject({
      code: 'settings_changed',
    })
    const asked = await kim.send(punchClock.remove, { id, body: { version: renamed.version, reason: 'Was not here' } })
    expect(asked.state).toBe('correction_requested')
    expect(await lead.send(punchClock.decide, { id, body: { version: asked.version, accept: true } })).toMatchObject({ state: 'deleted' })
    expect((await lead.send(punchClock.workDone, { start: '2026-11-24', end: '2026-11-24' })).rows).toEqual([])
  })

  it('of others are seen by leads alone', async () => {
    await lead.send(punchClock.update, { id: 0, body: { ...span, user_id: kim.user_id } })
    const sofie = await operator.hire(['punchclock'], operator.main, 'Sofie Bang')
    const period = { start: '2026-11-24', end: '2026-11-24' }
    expect((await sofie.send(punchClock.interval, period)).rows).toEqual([])
    expect((await kim.send(punchClock.interval, period)).rows).toHaveLength(1)
    expect((await lead.send(punchClock.interval, period)).rows).toHaveLength(1)
    await expect(sofie.send(punchClock.interval, { ...period, user_id: kim.user_id })).rejects.toMatchObject({ code: 'times_of_others' })
    expect((await sofie.send(punchClock.workDone, period)).rows).toEqual([])
    expect((await kim.send(punchClock.workDone, period)).rows).toMatchObject([{ worked_s: 28_800, source: 'entry, corrected' }])
    expect((await sofie.send(punchClock.search, { q: 'lund' })).rows).toEqual([
      { user_id: kim.user_id, name: 'Kim', has_image: false, state: null },
    ])
    expect((await lead.send(punchClock.search, { q: 'lund' })).rows).toMatchObject([{ name: 'Kim Lund' }])
    for (const call of [punchClock.check, punchClock.notOut, punchClock.boardTokens]) expect((await kim.ask(call, {})).statusCode).toBe(403)
    const outsider = await operator.hire(['statistics_admin', 'settings_admin', 'users_admin'])
    for (const call of [punchClock.last, punchClock.current, punchClock.kiosk]) expect((await outsider.ask(call, {})).statusCode).toBe(403)
  })
})

describe('the report of work done', () => {
  it('is saved as a table, which stands in the log of readings, and of oneself without the permission of a lead', async () => {
    const span = { started_at: '2026-11-24T06:00:00Z', ended_at: '2026-11-24T14:00:00Z', note: 'Written from the list' }
    await lead.send(punchClock.update, {
      id: 0,
      body: { ...span, client_id: crypto.randomUUID(), user_id: kim.user_id, work_date: '2026-11-24' },
    })
    const period = { start: '2026-11-24', end: '2026-11-24' }
    const text = async (who: TestUser, more: object = {}) => {
      const { bytes } = await who.send(punchClock.exportWorkDone, { ...period, ...more })
      return Buffer.from(bytes as Uint8Array).toString()
    }
    expect(await text(lead)).toContain('Kim Lund,2026-11-24,8,0,0,0,0,8,')
    expect(await text(lead, { query: 'sofie' })).not.toContain('Kim')
    expect(await text(lead, { view: 'unfinished' })).not.toContain('Kim')
    const sofie = await operator.hire(['punchclock'], operator.main, 'Sofie Bang')
    expect(await text(sofie)).not.toContain('Kim')
    const { media_type } = await lead.send(punchClock.exportWorkDone, { ...period, format: 'xlsx', by: 'person' })
    expect(media_type).toContain('spreadsheetml')
    const rows = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('access_log').select(['user_id', 'subject_id', 'criteria']).where('what', '=', 'hours.export').orderBy('id').execute(),
    )
    expect(rows).toHaveLength(5)
    expect(rows[0]).toEqual({ user_id: lead.user_id, subject_id: null, criteria: '2026-11-24 2026-11-24' })
    expect(rows[3]).toMatchObject({ user_id: sofie.user_id, subject_id: sofie.user_id })
  })

  it('has hours by kind of time with orders, lines and pieces, today’s too, and those who worked without clocking in', async () => {
    const badge = await badgeOf(kim)
    const sofie = await operator.hire(['scan'], operator.main, 'Sofie Bang')
    for (const [time, type] of [
      ['05:00:00', 'work'],
      ['08:00:00', 'break'],
      ['08:30:00', 'meeting'],
      ['09:00:00', 'cleaning'],
      ['09:15:00', 'work'],
    ] as const) {
      clock(time)
      await tapIn(badge, { type })
    }
    clock('10:00:00')
    await tapOut(badge)
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const figures = {
        kind: 'pick' as const,
        grams: 0,
        wagons: 0,
        scans: 9,
        wrong: 0,
        shorts: 0,
        wagon_claims: 0,
        active_s: 0,
        break_s: 0,
      }
      await db
        .insertInto('work_daily')
        .values([
          { ...figures, user_id: sofie.user_id, day: '2026-11-23', orders: 2, lines: 3, pieces: 7 },
          { ...figures, user_id: kim.user_id, day: '2026-11-23', orders: 1, lines: 1, pieces: 1 },
          { ...figures, kind: 'pack', user_id: kim.user_id, day: '2026-11-23', orders: 4, lines: 5, pieces: 6 },
        ])
        .execute()
      await db.insertInto('work_days_counted').values({ day: '2026-11-23', counted_at: '2026-11-24T02:00:00Z' }).execute()
    })
    const period = { start: '2026-11-23', end: '2026-11-24' }
    const rows = (await lead.send(punchClock.workDone, period)).rows
    expect(rows).toMatchObject([
      { user_name: 'Kim Lund', work_date: '2026-11-23', worked_s: 0, orders: 5, lines: 6, pieces: 7, source: '' },
      { user_name: 'Sofie Bang', work_date: '2026-11-23', worked_s: 0, orders: 2, lines: 3, pieces: 7, source: '' },
      {
        user_name: 'Kim Lund',
        work_date: '2026-11-24',
        worked_s: 16_200,
        meeting_s: 1_800,
        cleaning_s: 900,
        other_s: 0,
        break_s: 1_800,
        source: 'kiosk',
      },
    ])
    // By person they are one row, whose kinds of time sum to the total.
    const [own] = groupedWork(rows, 'person')
    expect(own).toMatchObject({ days: 2, work_s: 13_500, worked_s: 16_200, orders: 5, unclocked: 1, source: 'kiosk' })
    expect(groupedWork(rows, 'day')).toHaveLength(3)
    expect(new Set((await kim.send(punchClock.workDone, period)).rows.map(row => row.user_id))).toEqual(new Set([kim.user_id]))
    expect((await lead.send(punchClock.today, {})).rows).toMatchObject([{ user_name: 'Kim Lund', state: null, worked_s: 16_200 }])
    await expect(lead.send(punchClock.workDone, { start: '2026-11-24', end: '2026-11-23' })).rejects.toMatchObject({
      code: 'period_reversed',
    })
    await expect(lead.send(punchClock.workDone, { start: '2025-01-01', end: '2026-11-23' })).rejects.toMatchObject({
      code: 'period_too_long',
    })
  })

  it('counts what was picked today', async () => {
    clock('10:00:00')
    const scans = { id: randomUUID(), order_id: 71, order_company_id: operator.main.id, at: '2026-11-24T09:00:00Z' }
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      await sql`insert into pick_lists (id, type, wagon_type, order_count, line_count, piece_count, stop_count) overriding system value
        values (901, 'cluster', '{}', 1, 1, 4, 1)`.execute(db)
      await sql`insert into pick_wagons (pick_list_id, wagon_no, state, user_id, user_name) values (901, 1, 'picked', ${kim.user_id}, 'Kim')`.execute(
        db,
      )
      await db
        .insertInto('pick_scans')
        .values({
          ...scans,
          pick_list_id: 901,
          wagon_no: 1,
          kind: 'pick',
          result: 'ok',
          quantity: 4,
          user_id: kim.user_id,
          user_name: 'Kim',
        })
        .execute()
    })
    expect((await lead.send(punchClock.workDone, { start: '2026-11-24', end: '2026-11-24' })).rows).toMatchObject([
      { user_name: 'Kim Lund', orders: 1, pieces: 4, source: '' },
    ])
  })
})

describe('a kiosk without network', () => {
  const boot = randomUUID()
  let key = ''
  const sealedFor = (what: object) =>
    publicEncrypt(
      {
        key: createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha256',
      },
      Buffer.from(JSON.stringify(what)),
    ).toString('base64')
  const entry = (mark: SyncEntry['mark'], what: object, over: Partial<SyncEntry> = {}): SyncEntry => ({
    ...{ client_id: randomUUID(), seq: 1, boot_id: boot, mark_boot_id: boot, mark, elapsed_ms: 300_000, device_elapsed_ms: 300_000 },
    ...{ action: 'in', type: 'work', sealed: sealedFor(what), ...over },
  })

  it('sends its taps later: they count from the server’s time and the measured time, once', async () => {
    const badge = await badgeOf(kim)
    clock('05:00:00')
    const given = await kiosk.send(punchClock.kiosk, {})
    key = given.public_key
    expect(given.roster.map(row => row.first_name)).toEqual(['Kim'])
    const tap = entry(given.mark, { badge })
    clock('05:11:00')
    const first = await kiosk.send(punchClock.sync, { body: { entries: [tap] } })
    expect(first.results).toEqual([{ client_id: tap.client_id, outcome: 'accepted', why: null, first_name: 'Kim' }])
    expect((await kiosk.send(punchClock.sync, { body: { entries: [tap] } })).results[0]?.outcome).toBe('duplicate')
    expect((await kim.send(punchClock.last, {})).rows).toMatchObject([{ source: 'offline', started_at: '2026-11-24T05:05:00.000Z' }])
  })

  it('cannot say when a tap was after it was loaded again: a lead writes the time', async () => {
    const badge = await badgeOf(kim)
    clock('05:00:00')
    const given = await kiosk.send(punchClock.kiosk, {})
    key = given.public_key
    clock('05:11:00')
    const { results } = await kiosk.send(punchClock.sync, { body: { entries: [entry(given.mark, { badge }, { boot_id: randomUUID() })] } })
    expect(results[0]?.outcome).toBe('unverified')
    const [punch] = (await kim.send(punchClock.last, {})).rows
    expect(punch).toMatchObject({
      ...{ state: 'time_unverified', started_at: null },
      ...{ not_before: '2026-11-24T05:00:00.000Z', not_after: '2026-11-24T05:11:00.000Z' },
    })
    clock('13:00:00')
    const out = await tapOut(badge)
    expect(out.punch).toMatchObject({ state: 'time_unverified', ended_at: '2026-11-24T13:00:00.000Z' })
    const body = { version: out.punch.version }
    await expect(lead.send(punchClock.validate, { id: out.punch.id, body })).rejects.toMatchObject({ code: 'punch_time_missing' })
    const valid = await lead.send(punchClock.validate, { id: out.punch.id, body: { ...body, started_at: '2026-11-24T05:05:00Z' } })
    expect(valid).toMatchObject({ state: 'validated', started_at: '2026-11-24T05:05:00.000Z', not_before: null })
  })

  it('sends why somebody went home early too, sealed, and once', async () => {
    const planner = await operator.hire(['schedule_admin'], operator.main, 'Mette Friis')
    const badge = await badgeOf(kim)
    clock('04:00:00')
    const times = { work_date: '2026-11-24', start_local: '06:00', end_local: '14:00', break_s: 1_800 }
    await planner.send(schedule.create, { body: { client_id: randomUUID(), kind: 'shift', user_id: kim.user_id, ...times } })
    await planner.send(schedule.publish, { body: { from: times.work_date, to: times.work_date } })
    clock('05:00:00')
    await tapIn(badge)
    clock('09:00:00')
    const given = await kiosk.send(punchClock.kiosk, {})
    expect(given).toMatchObject({ early_out_min: 15, roster: [{ first_name: 'Kim', shift_end: '2026-11-24T13:00:00.000Z' }] })
    key = given.public_key
    const out = entry(given.mark, { badge }, { action: 'out' })
    const why = entry(given.mark, { badge, why: 'sick' }, { action: 'why', of: out.client_id, seq: 2 })
    expect(JSON.stringify(why)).not.toContain('sick')
    clock('09:11:00')
    for (const entries of [[out, why], [why]])
      expect((await kiosk.send(punchClock.sync, { body: { entries } })).results.at(-1)).toMatchObject({ outcome: 'accepted' })
    const { entries } = await planner.send(schedule.list, { user_id: kim.user_id, start: times.work_date, end: times.work_date })
    expect(entries).toMatchObject([
      { kind: 'shift', end_local: '10:05' },
      { kind: 'leave', part: 'rest', reason_id: 1, start_local: '10:05', end_local: '14:00' },
    ])
    // Without its clock-out it is dropped, and nothing is kept of it.
    const stray = entry(given.mark, { badge, why: 'sick' }, { action: 'why', of: randomUUID() })
    expect((await kiosk.send(punchClock.sync, { body: { entries: [stray] } })).results).toMatchObject([{ outcome: 'rejected', why: null }])
    expect((await lead.send(punchClock.check, {})).rejects).toBe(0)
  })

  it('leaves taps with a wrong badge, PIN or signature to a lead, who sees the number', async () => {
    clock('05:00:00')
    const given = await kiosk.send(punchClock.kiosk, {})
    key = given.public_key
    const other = await operator.hire(['punchclock'])
    const foreign = (await other.send(punchClock.kiosk, {})).mark
    const entries = [
      entry(given.mark, { badge: 'U1-abcdefghijkl' }, { seq: 1 }),
      entry(given.mark, { employee_no: '1004', pin: '0000' }, { seq: 2 }),
      entry({ ...given.mark, server_time: '2026-11-24T04:00:00.000Z' }, { badge: 'x' }, { seq: 3 }),
      entry(foreign, { badge: 'x' }, { seq: 4 }),
      entry(given.mark, {}, { seq: 5, sealed: Buffer.alloc(256).toString('base64') }),
    ]
    clock('05:11:00')
    const { results } = await kiosk.send(punchClock.sync, { body: { entries } })
    expect(results.map(result => result.why)).toEqual(['unknown_badge', 'wrong_pin', 'unsealed', 'unsealed', 'unsealed'])
    const check = await lead.send(punchClock.check, {})
    expect(check.rejects).toBe(5)
    expect(check.rejected.find(one => one.why === 'wrong_pin')).toMatchObject({ employee_no: '1004', estimate: '2026-11-24T05:05:00.000Z' })
    await lead.send(punchClock.seen, { client_id: elementAt(check.rejected, 0).client_id })
    expect((await lead.send(punchClock.check, {})).rejects).toBe(4)
  })
})

describe('the board', () => {
  it('shows first names to who has a live link, until it is revoked', async () => {
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      changeSettings(db, operator.main.id, { packing_ip_pattern: '127\\.0\\.0\\.1' }, { name: 'Astrid Holm', at: new Date() }),
    )
    await tapIn(await badgeOf(kim))
    const made = await lead.send(punchClock.makeBoardToken, { body: { name: 'Canteen' } })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      changeSettings(db, operator.main.id, { packing_ip_pattern: '' }, { name: 'Astrid Holm', at: new Date() }),
    )
    const visitor = testApp.visitor(operator.main)
    const opened = await visitor.ask(boards.open, { body: { token: made.token } })
    expect(opened.json()).toMatchObject({ kind: 'punchclock', name: 'Canteen' })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    const shown = await visitor.ask(punchClock.board, {}, { headers: { cookie } })
    expect(shown.json()).toMatchObject({ rows: [{ first_name: 'Kim', state: 'work' }] })
    expect(shown.body).not.toContain('Lund')
    expect((await visitor.ask(punchClock.board, {})).statusCode).toBe(410)
    expect(
      (await visitor.ask(punchClock.board, {}, { headers: { cookie: cookie.replace(/=.*/, '=aaaaaaaaaaaaaaaaaaaaaa') } })).statusCode,
    ).toBe(410)
    const elsewhere = testApp.visitor(elementAt(operator.shops, 0))
    expect((await elsewhere.ask(boards.open, { body: { token: made.token } })).statusCode).toBe(410)
    expect(elementAt((await lead.send(punchClock.boardTokens, {})).rows, 0)).toMatchObject({ name: 'Canteen' })
    await lead.send(punchClock.revokeBoardToken, { id: made.id })
    expect((await visitor.ask(punchClock.board, {}, { headers: { cookie } })).statusCode).toBe(410)
    expect((await visitor.ask(boards.open, { body: { token: made.token } })).statusCode).toBe(410)
  })

  it('needs no link in the warehouse network', async () => {
    expect((await testApp.visitor(operator.main).ask(punchClock.board, {})).statusCode).toBe(200)
  })
})

describe('an announcement', () => {
  const published = (fields: object = {}) =>
    admin.send(announcements.create, {
      body: {
        mode: 'must_agree',
        from_at: '2026-11-01T08:00:00Z',
        publish: true,
        texts: { en_GB: { title: 'Fire exits', body: 'Keep them free.' } },
        ...fields,
      },
    })

  it('is asked about after a clock-in, not after a clock-out, and is agreed to by the person who stands there', async () => {
    const { id } = await published()
    const badge = await badgeOf(kim)
    clock('05:00:00')
    const tapped = await tapIn(badge)
    expect(tapped.announcements).toMatchObject([{ id, version_no: 1, text: { title: 'Fire exits' } }])
    const [first] = tapped.announcements
    const agreement = { version_no: 1, sha256: first?.sha256 ?? '', locale: 'en_GB' as const }
    await kiosk.send(punchClock.agree, { id, body: { ticket: tapped.ticket, ...agreement } })
    const { rows } = await admin.send(announcements.readers, { id, state: 'agreed' })
    expect(rows.map(row => row.name)).toEqual(['Kim Lund'])
    clock('06:00:00')
    expect((await tapIn(badge, { type: 'break' })).announcements).toEqual([])
    await published({ texts: { en_GB: { title: 'New', body: 'One more.' } } })
    clock('07:00:00')
    expect((await tapOut(badge)).announcements).toEqual([])
    // What was agreed to stays to be read, in the version that was read, also after it was withdrawn.
    await admin.send(announcements.remove, { id })
    expect((await kim.send(announcements.mine, {})).rows).toMatchObject([
      { id, version_no: 1, latest_no: 1, mode: 'must_agree', text: { locale: 'en_GB', body: 'Keep them free.' } },
    ])
    expect((await lead.send(announcements.mine, {})).rows).toEqual([])
  })

  it('is agreed to with a ticket of this kiosk alone, and only by whom it is for', async () => {
    const { id } = await published({ everyone: false, user_ids: [lead.user_id] })
    clock('05:00:00')
    const forKim = await tapIn(await badgeOf(kim))
    expect(forKim.announcements).toEqual([])
    const forLead = await tapIn(await badgeOf(lead))
    const agreement = { version_no: 1, sha256: forLead.announcements[0]?.sha256 ?? '', locale: 'en_GB' as const }
    const other = await operator.hire(['punchclock'], operator.main, 'Another kiosk')
    const stolen = await other.ask(punchClock.agree, { id, body: { ticket: forLead.ticket, ...agreement } })
    expect(stolen.json()).toMatchObject({ code: 'ticket_ended' })
    const notKim = await kiosk.ask(punchClock.agree, { id, body: { ticket: forKim.ticket, ...agreement } })
    expect(notKim.statusCode).toBe(404)
    await kiosk.send(punchClock.agree, { id, body: { ticket: forLead.ticket, ...agreement } })
  })
})
