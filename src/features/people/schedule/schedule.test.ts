/** The schedule over HTTP: planning, publication, leave, offers, undo, accounts and who sees what. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { employees } from '../employees/employees.contract.ts'
import { leaveReasons } from './schedule.codes.ts'
import { schedule } from './schedule.contract.ts'
import type { NewEntry } from './schedule.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
const now = '2026-11-25T09:00:00Z'
beforeAll(async () => {
  testApp = await openTestApp()
  testApp.setNow(new Date(now))
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
})
afterAll(() => testApp.close())

let people = 0
const hire = (name = `Person ${++people}`) => operator.hire(['schedule'], operator.main, name)
const early = { start_local: '06:00', end_local: '14:00', break_s: 1800 }
const plan = async (user: TestUser | null, work_date: string, more: Partial<NewEntry> = {}) =>
  lead.send(schedule.create, {
    body: { client_id: randomUUID(), kind: 'shift', user_id: user?.user_id ?? null, work_date, ...early, ...more },
  })
const publish = (from: string, to = from, more: { reason?: string; user_ids?: number[] } = {}) =>
  lead.send(schedule.publish, { body: { from, to, ...more } })
const ask = (user: TestUser, work_date: string, more: Partial<NewEntry> = {}) =>
  user.send(schedule.create, {
    body: { client_id: randomUUID(), kind: 'leave', reason_id: leaveReasons.vacation_with_pay, work_date, ...more },
  })
const approve = (id: number, version: number, more: object = {}) =>
  lead.send(schedule.update, { id, body: { version, state: 'approved', ...more } })

describe('a shift', () => {
  it('is a draft that staff do not see until it is published, and then as it was published', async () => {
    const kim = await hire('Kim Lund')
    const { entry } = await plan(kim, '2026-12-01')
    expect(entry).toMatchObject({ state: 'draft', unpublished: true, start_at: '2026-12-01T05:00:00Z' })
    expect((await kim.send(schedule.future, {})).shifts).toEqual([])
    expect(await publish('2026-12-01')).toEqual({ published: 1, people: 1 })
    const { version } =
      (await lead.send(schedule.list, { user_id: kim.user_id, start: '2026-12-01', end: '2026-12-01' })).entries[0] ?? entry
    await lead.send(schedule.update, { id: entry.id, body: { version, start_local: '08:00', end_local: '16:00' } })
    expect((await kim.send(schedule.future, {})).shifts).toMatchObject([{ id: entry.id, start_local: '06:00', end_local: '14:00' }])
    await publish('2026-12-01')
    expect((await kim.send(schedule.future, {})).shifts).toMatchObject([{ start_local: '08:00' }])
    await lead.send(schedule.remove, { id: entry.id })
    expect((await kim.send(schedule.future, {})).shifts).toHaveLength(1)
    await publish('2026-12-01')
    expect((await kim.send(schedule.future, {})).shifts).toEqual([])
  })

  it('does not overlap another one of the person, and is made once when it is sent twice', async () => {
    const kim = await hire('Sofie Bang')
    const body = { client_id: randomUUID(), kind: 'shift' as const, user_id: kim.user_id, work_date: '2026-12-02', ...early }
    const first = await lead.send(schedule.create, { body })
    expect((await lead.send(schedule.create, { body })).entry.id).toBe(first.entry.id)
    await expect(plan(kim, '2026-12-02', { start_local: '13:00', end_local: '21:00' })).rejects.toMatchObject({
      code: 'entry_overlap',
      message: 'Sofie Bang already works 06:00–14:00.',
    })
    expect((await plan(kim, '2026-12-02', { start_local: '14:00', end_local: '16:00' })).entry.id).not.toBe(first.entry.id)
  })

  it('brings the warnings of the law with their sums, and needs a reason to be published against them', async () => {
    const kim = await hire()
    await plan(kim, '2026-12-07', { start_local: '14:00', end_local: '22:00' })
    const { warnings } = await plan(kim, '2026-12-08')
    expect(warnings).toMatchObject([
      { rule: 'rest', have_s: 8 * 3600, need_s: 11 * 3600, since: '2026-12-07T21:00:00.000Z', refused: false },
    ])
    await expect(publish('2026-12-07', '2026-12-08')).rejects.toMatchObject({ code: 'rules_broken' })
    expect(await publish('2026-12-07', '2026-12-08', { reason: 'Agreed with the shop steward' })).toEqual({ published: 2, people: 1 })
  })

  it('of a minor is never published against the rules for minors', async () => {
    const office = await operator.hire(['users_admin'])
    const young = await hire()
    await office.send(employees.update, { id: young.user_id, body: { version: 0, birth_date: '2009-05-04' } })
    await plan(young, '2026-12-09', { start_local: '14:00', end_local: '21:00' })
    await expect(publish('2026-12-09', '2026-12-09', { reason: 'Really' })).rejects.toMatchObject({ code: 'young_worker' })
  })

  it('stays in the plan when the group of its person is removed: only the group is gone', async () => {
    const boss = await operator.hire(['admin'])
    const kim = await hire('Karen Juhl')
    const group = await boss.send(groups.create, { name: 'Night team' })
    await boss.send(groups.addUser, { id: group.group_id, user_id: kim.user_id })
    const { entry } = await plan(kim, '2026-12-09')
    const onBoard = async () => {
      const board = await lead.send(schedule.board, { start: '2026-12-07', end: '2026-12-13' })
      return {
        groups: board.people.find(person => person.user_id === kim.user_id)?.group_ids,
        shifts: board.entries.filter(one => one.user_id === kim.user_id).map(one => one.id),
      }
    }
    expect(await onBoard()).toEqual({ groups: [group.group_id], shifts: [entry.id] })
    await boss.send(groups.remove, { id: group.group_id })
    expect(await onBoard()).toEqual({ groups: [], shifts: [entry.id] })
  })

  it('is changed by leads alone', async () => {
    const kim = await hire()
    const { entry } = await plan(kim, '2026-12-10')
    await expect(kim.send(schedule.update, { id: entry.id, body: { version: 1, start_local: '10:00' } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(kim.send(schedule.remove, { id: entry.id })).rejects.toMatchObject({ status: 404 })
    await expect(
      plan(kim, '2026-12-10').then(() => kim.send(schedule.list, { user_id: 0, start: '2026-12-10', end: '2026-12-10' })),
    ).rejects.toMatchObject({
      code: 'entry_overlap',
    })
    const response = await kim.ask(schedule.list, { user_id: lead.user_id, start: '2026-12-10', end: '2026-12-10' })
    expect(response.statusCode).toBe(403)
  })

  it('of another company is not found', async () => {
    const foreign = await operator.hire(['schedule_admin'], operator.shops[0])
    const { entry } = await plan(await hire(), '2026-12-11')
    await expect(foreign.send(schedule.update, { id: entry.id, body: { version: 1, start_local: '10:00' } })).rejects.toMatchObject({
      status: 404,
    })
    expect((await foreign.send(schedule.list, { user_id: 0, start: '2026-12-01', end: '2026-12-31' })).entries).toEqual([])
  })
})

describe('a week', () => {
  it('is copied with the same clock, without what cannot be, and the copy is undone as one change', async () => {
    const [kim, away] = [await hire('Copied'), await hire('Away')]
    await plan(kim, '2027-02-01')
    await plan(away, '2027-02-02')
    await plan(null, '2027-02-03')
    const leave = await ask(away, '2027-02-09')
    await approve(leave.entry.id, leave.entry.version)
    const change_id = randomUUID()
    const dry = await lead.send(schedule.copyWeek, {
      body: { change_id, from_monday: '2027-02-01', to_monday: '2027-02-08', dry_run: true },
    })
    expect(dry.entries).toEqual([])
    expect(dry.skipped).toEqual([
      { name: 'Away', day: '2027-02-09', key: '{{name}} is away on {{day}}.', values: { name: 'Away', day: '2027-02-09' } },
    ])
    const copied = await lead.send(schedule.copyWeek, { body: { change_id, from_monday: '2027-02-01', to_monday: '2027-02-08' } })
    expect(copied.entries.map(entry => [entry.user_id, entry.work_date, entry.start_local])).toEqual([
      [kim.user_id, '2027-02-08', '06:00'],
      [null, '2027-02-10', '06:00'],
    ])
    const board = await lead.send(schedule.board, { start: '2027-02-08', end: '2027-02-14' })
    expect(board).toMatchObject({ undo: change_id, unpublished: 2 })
    await lead.send(schedule.undo, { change_id })
    expect((await lead.send(schedule.board, { start: '2027-02-08', end: '2027-02-14' })).unpublished).toBe(0)
    await expect(lead.send(schedule.undo, { change_id })).rejects.toMatchObject({ code: 'undo_gone' })
  })

  it('is kept under a name and planned again', async () => {
    const kim = await hire()
    await plan(kim, '2027-03-01', { station: 'Packing 1' })
    const { weeks } = await lead.send(schedule.saveWeek, { body: { name: 'Usual week', monday: '2027-03-01' } })
    const week = weeks.find(one => one.name === 'Usual week')
    expect(week?.shifts).toBe(1)
    const planned = await lead.send(schedule.applyWeek, { id: week?.id ?? 0, body: { change_id: randomUUID(), monday: '2027-03-08' } })
    expect(planned.entries).toMatchObject([{ user_id: kim.user_id, work_date: '2027-03-08', station: 'Packing 1' }])
  })
})

describe('an undo', () => {
  it('takes changes back one after the other, and they are made again in the same order', async () => {
    const kim = await hire()
    const planner = await operator.hire(['schedule_admin'])
    let second = 0
    const steps = async () => {
      testApp.setNow(new Date(Date.parse(now) + ++second * 1_000))
      const { undo, redo } = await planner.send(schedule.board, { start: '2027-04-05', end: '2027-04-11' })
      return { undo, redo }
    }
    const [made, moved, removed] = [randomUUID(), randomUUID(), randomUUID()]
    const shift = {
      user_id: kim.user_id,
      work_date: '2027-04-05',
      start_local: '06:00',
      end_local: '14:00',
      break_s: 1_800,
      station: null,
      skill: null,
    }
    const { entries } = await planner.send(schedule.change, { body: { change_id: made, shifts: [shift] } })
    const [entry] = entries
    if (!entry) throw new Error('No shift was planned')
    await planner.send(schedule.update, { id: entry.id, body: { version: entry.version, work_date: '2027-04-06', change_id: moved } })
    await planner.send(schedule.remove, { id: entry.id, change_id: removed })
    const shown = async () =>
      (await planner.send(schedule.board, { start: '2027-04-05', end: '2027-04-11' })).entries
        .filter(one => one.user_id === kim.user_id)
        .map(one => `${one.work_date} ${one.state} ${one.unpublished}`)
    expect(await steps()).toEqual({ undo: removed, redo: null })

    await planner.send(schedule.undo, { change_id: removed })
    expect(await steps()).toEqual({ undo: moved, redo: removed })
    await planner.send(schedule.undo, { change_id: moved })
    expect(await shown()).toEqual(['2027-04-05 draft true'])
    await planner.send(schedule.undo, { change_id: made })
    expect(await shown()).toEqual([])
    expect(await steps()).toEqual({ undo: null, redo: made })

    await planner.send(schedule.redo, { change_id: made })
    expect(await shown()).toEqual(['2027-04-05 draft true'])
    await planner.send(schedule.redo, { change_id: moved })
    expect(await shown()).toEqual(['2027-04-06 draft true'])
    await expect(planner.send(schedule.redo, { change_id: moved })).rejects.toMatchObject({ code: 'redo_gone' })
    await expect(lead.send(schedule.redo, { change_id: removed })).rejects.toMatchObject({ code: 'undo_not_yours' })

    await steps()
    // Once something new is planned, what was taken back is offered no more.
    await planner.send(schedule.change, { body: { change_id: randomUUID(), shifts: [{ ...shift, work_date: '2027-04-08' }] } })
    expect((await steps()).redo).toBeNull()
    await lead.send(schedule.update, {
      id: entry.id,
      body: {
        version: (await planner.send(schedule.board, { start: '2027-04-06', end: '2027-04-06' })).entries[0]?.version ?? 0,
        end_local: '15:00',
      },
    })
    await expect(planner.send(schedule.redo, { change_id: removed })).rejects.toMatchObject({ code: 'undo_changed' })
    testApp.setNow(new Date(now))
  })

  it('puts a moved shift back, and refuses where somebody has changed it since', async () => {
    const kim = await hire()
    const { entry } = await plan(kim, '2026-12-14')
    const [moved, later] = [randomUUID(), randomUUID()]
    const after = await lead.send(schedule.update, {
      id: entry.id,
      body: { version: entry.version, work_date: '2026-12-15', change_id: moved },
    })
    await lead.send(schedule.update, { id: entry.id, body: { version: after.entry.version, end_local: '15:00', change_id: later } })
    await expect(lead.send(schedule.undo, { change_id: moved })).rejects.toMatchObject({ code: 'undo_changed' })
    const { entries } = await lead.send(schedule.undo, { change_id: later })
    expect(entries).toMatchObject([{ work_date: '2026-12-15', end_local: '14:00' }])
    const other = await operator.hire(['schedule_admin'])
    await expect(other.send(schedule.undo, { change_id: moved })).rejects.toMatchObject({ code: 'undo_not_yours' })
  })
})

describe('the forecast of a day', () => {
  it('takes ended days from the counted hours of all companies, and days that are not counted from their orders', async () => {
    const { database } = testApp.services
    const counted = (at: string, n: number, company = operator.main) =>
      database.transaction(scopeOfCompany(operator, company), db =>
        db.insertInto('activity_hours').values({ company_id: company.id, at, metric: 'received', n }).execute(),
      )
    await counted('2026-11-17T10:00:00Z', 190)
    await counted('2026-11-10T09:00:00Z', 100)
    await counted('2026-11-10T10:00:00Z', 70, operator.shops[0])
    const made = await Promise.all([1, 2, 3].map(() => placeOrder(database, scopeOfCompany(operator))))
    const ids = made.map(one => one.id)
    await database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('orders').set({ created_at: '2026-11-24T10:00:00Z' }).where('id', 'in', ids).execute(),
    )
    const { forecast } = await lead.send(schedule.board, { start: '2026-12-01', end: '2026-12-02' })
    expect(forecast).toEqual([
      { day: '2026-12-01', orders: Math.round((190 + 170 + 3) / 3), people: null },
      { day: '2026-12-02', orders: null, people: null },
    ])
  })
})

describe('leave', () => {
  it('of half a day that is approved leaves the other half of the shift and opens the rest', async () => {
    const kim = await hire()
    await plan(kim, '2026-12-16', { start_local: '08:00', end_local: '16:00' })
    await publish('2026-12-16')
    const { entry } = await ask(kim, '2026-12-16', { part: 'morning' })
    expect(entry).toMatchObject({ state: 'requested', part: 'morning' })
    const decided = await approve(entry.id, entry.version)
    expect(decided.freed_shift_ids).toHaveLength(1)
    const { shifts } = await kim.send(schedule.future, {})
    expect(shifts.filter(shift => shift.work_date === '2026-12-16')).toMatchObject([
      { start_local: '12:15', end_local: '16:00', break_s: 0 },
    ])
    const taker = await hire()
    const open = (await taker.send(schedule.future, {})).open.find(shift => decided.freed_shift_ids.includes(shift.id))
    expect(open).toMatchObject({ start_local: '08:00', end_local: '12:15' })
    // Asked back in time, the shift is whole again.
    await kim.send(schedule.remove, { id: entry.id })
    expect((await kim.send(schedule.future, {})).shifts.filter(shift => shift.work_date === '2026-12-16')).toMatchObject([
      { start_local: '08:00', end_local: '16:00', break_s: 1800 },
    ])
    expect((await taker.send(schedule.future, {})).open.some(shift => shift.id === open?.id)).toBe(false)
  })

  it('may be two kinds on two halves of a day, and each half once', async () => {
    const kim = await hire()
    await ask(kim, '2026-12-17', { part: 'afternoon' })
    await ask(kim, '2026-12-17', { part: 'morning', reason_id: leaveReasons.sick_day })
    await expect(ask(kim, '2026-12-17', { part: 'morning' })).rejects.toMatchObject({ code: 'leave_taken' })
    await expect(ask(kim, '2026-12-17')).rejects.toMatchObject({ code: 'leave_taken' })
  })

  it('is decided by somebody else, with words where it is rejected', async () => {
    const own = await ask(lead, '2026-12-18')
    await expect(approve(own.entry.id, own.entry.version)).rejects.toMatchObject({ code: 'own_decision' })
    const kim = await hire()
    const { entry } = await ask(kim, '2026-12-18')
    await expect(lead.send(schedule.remove, { id: entry.id })).rejects.toMatchObject({ code: 'reason_needed' })
    const { entry: rejected } = await lead.send(schedule.reject, {
      id: entry.id,
      body: { version: entry.version, reason: 'Black Friday returns' },
    })
    expect(rejected).toMatchObject({ state: 'rejected', decision: 'Black Friday returns', decided_by: 'Jonas Krogh' })
    expect((await kim.send(schedule.future, {})).leave).toMatchObject([{ state: 'rejected', decision: 'Black Friday returns' }])
  })

  it('of sickness counts at once and is seen; the child’s day is the first day only', async () => {
    const kim = await hire()
    await plan(kim, '2026-11-25')
    await publish('2026-11-25')
    const { entry } = await ask(kim, '2026-11-25', { reason_id: leaveReasons.sick_day })
    expect(entry.state).toBe('registered')
    expect((await lead.send(schedule.update, { id: entry.id, body: { version: entry.version, state: 'seen' } })).entry.state).toBe('seen')
    // The child fell ill on a day off; where the company takes the day after being called home, that day is allowed.
    const later = () => ask(kim, '2026-11-30', { reason_id: leaveReasons.childs_first_sick_day, ill_since: '2026-11-29' })
    await expect(later()).rejects.toMatchObject({ code: 'not_first_day' })
    const { settings } = await lead.send(schedule.settings, {})
    await lead.send(schedule.setSettings, { body: { settings: { ...settings, child_day_next: true } } })
    expect((await later()).entry.state).toBe('registered')
    await lead.send(schedule.setSettings, { body: { settings } })
  })

  it('is not taken on days that the company blocks, unless a lead says why', async () => {
    const { blocks } = await lead.send(schedule.addBlock, { body: { from_day: '2027-11-22', to_day: '2027-11-28', reason: 'Black Week' } })
    const kim = await hire()
    await expect(ask(kim, '2027-11-24')).rejects.toMatchObject({
      code: 'block_date',
      message: 'No holiday can be taken on 2027-11-24: Black Week',
    })
    await lead.send(schedule.removeBlock, { id: blocks.find(block => block.reason === 'Black Week')?.id ?? 0 })
    const { entry } = await ask(kim, '2027-11-24')
    await lead.send(schedule.addBlock, { body: { from_day: '2027-11-22', to_day: '2027-11-28', reason: 'Black Week' } })
    await expect(approve(entry.id, entry.version)).rejects.toMatchObject({ code: 'block_date' })
    expect((await approve(entry.id, entry.version, { reason: 'Promised in spring' })).entry.state).toBe('approved')
  })

  it('of less than a day’s notice is asked to be cancelled, and the lead grants it', async () => {
    const kim = await hire()
    const { entry } = await ask(kim, '2026-11-26')
    await approve(entry.id, entry.version)
    const asked = await kim.send(schedule.remove, { id: entry.id })
    expect(asked.entry?.state).toBe('cancel_requested')
    const { rows } = await lead.send(schedule.waiting, { limit: 500 })
    expect(rows.some(row => row.entry.id === entry.id)).toBe(true)
    const { entry: cancelled } = await lead.send(schedule.update, {
      id: entry.id,
      body: { version: asked.entry?.version ?? 0, state: 'cancelled' },
    })
    expect(cancelled.state).toBe('cancelled')
  })

  it('stays approved when the lead rejects the wish to cancel it, with the reason', async () => {
    const kim = await hire()
    const { entry } = await ask(kim, '2026-11-26')
    await approve(entry.id, entry.version)
    const asked = await kim.send(schedule.remove, { id: entry.id })
    const version = asked.entry?.version ?? 0
    await lead.send(schedule.reject, { id: entry.id, body: { version, reason: 'Your shifts are taken' } })
    const { rows } = await lead.send(schedule.waiting, { limit: 500 })
    expect(rows.some(row => row.entry.id === entry.id)).toBe(false)
    const again = await kim.send(schedule.remove, { id: entry.id })
    expect(again.entry).toMatchObject({ state: 'cancel_requested', decision: 'Your shifts are taken' })
  })

  it('shows leads who is away, but colleagues nothing of it', async () => {
    const [one, two] = [await hire('Ida Holm'), await hire('Ole Dam')]
    for (const user of [one, two]) await ask(user, '2027-01-18')
    const waiting = await lead.send(schedule.waiting, { limit: 500 })
    const first = waiting.rows.find(row => row.name === 'Ida Holm')
    await approve(first?.entry.id ?? 0, first?.entry.version ?? 0)
    const again = (await lead.send(schedule.waiting, { limit: 500 })).rows.find(row => row.name === 'Ole Dam')
    expect(again?.away).toEqual(['Ida Holm'])
    expect((await two.ask(schedule.waiting, {})).statusCode).toBe(403)
    await expect(two.send(schedule.account, { user_id: one.user_id })).rejects.toMatchObject({ status: 403 })
  })
})

describe('a holiday account', () => {
  it('follows the employment, pays approved holiday from the oldest year and gets it back', async () => {
    const office = await operator.hire(['users_admin'])
    const kim = await hire()
    await office.send(employees.update, { id: kim.user_id, body: { version: 0, employed_from: '2026-06-01' } })
    const account = async () =>
      (await kim.send(schedule.account, { user_id: kim.user_id })).years.map(year => [year.year_start, year.left_milli])
    expect(await account()).toEqual([
      ['2026-09-01', 4_160],
      ['2025-09-01', 6_240],
    ])
    const quote = await kim.send(schedule.leaveQuote, { reason_id: 3, from: '2026-12-21', to: '2026-12-31' })
    expect(quote).toMatchObject({ cost_milli: 8_000, left_milli: 10_400 })
    const { entry } = await ask(kim, '2026-12-21', { date_to: '2026-12-31' })
    await approve(entry.id, entry.version)
    expect(await account()).toEqual([
      ['2026-09-01', 2_400],
      ['2025-09-01', 0],
    ])
    await kim.send(schedule.remove, { id: entry.id })
    expect(await account()).toEqual([
      ['2026-09-01', 4_160],
      ['2025-09-01', 6_240],
    ])
    // A wish to cancel what was approved gives its day back: the lead reads what is left after that.
    const soon = await ask(kim, '2026-11-26')
    const waiting = async () => (await lead.send(schedule.waiting, { limit: 500 })).rows.find(row => row.entry.id === soon.entry.id)
    expect(await waiting()).toMatchObject({ cost_milli: 1_000, balance_after_milli: 9_400 })
    await approve(soon.entry.id, soon.entry.version)
    await kim.send(schedule.remove, { id: soon.entry.id })
    expect(await waiting()).toMatchObject({ cost_milli: 1_000, balance_after_milli: 10_400 })
  })
})

describe('an open shift', () => {
  it('is asked for by people who can do it, and the lead decides', async () => {
    const { entry } = await plan(null, '2026-12-28', { skill: 'Forklift' })
    await publish('2026-12-28')
    const kim = await hire()
    expect((await kim.send(schedule.future, {})).open.some(shift => shift.id === entry.id)).toBe(false)
    await expect(kim.send(schedule.offer, { body: { kind: 'take', entry_id: entry.id } })).rejects.toMatchObject({ code: 'skill_missing' })
    const plain = await plan(null, '2026-12-29')
    await publish('2026-12-29')
    const offer = await kim.send(schedule.offer, { body: { kind: 'take', entry_id: plain.entry.id } })
    const rival = await hire()
    const late = await rival.send(schedule.offer, { body: { kind: 'take', entry_id: plain.entry.id } })
    expect((await lead.send(schedule.acceptOffer, { id: offer.id })).state).toBe('accepted')
    await expect(lead.send(schedule.acceptOffer, { id: late.id })).rejects.toMatchObject({ code: 'offer_gone' })
    expect((await kim.send(schedule.future, {})).shifts.map(shift => shift.id)).toContain(plain.entry.id)
  })

  it('is swapped in one step when the colleague and the lead agree', async () => {
    const [kim, ida] = [await hire(), await hire()]
    const mine = await plan(kim, '2027-01-05')
    const theirs = await plan(ida, '2027-01-05', { start_local: '10:00', end_local: '18:00' })
    await publish('2027-01-05')
    const choice = await kim.send(schedule.colleagues, { id: mine.entry.id })
    expect(choice.map(shift => shift.id)).toContain(theirs.entry.id)
    const offer = await kim.send(schedule.offer, { body: { kind: 'swap', entry_id: mine.entry.id, with_entry_id: theirs.entry.id } })
    await expect(lead.send(schedule.acceptOffer, { id: offer.id })).rejects.toMatchObject({ code: 'offer_gone' })
    await ida.send(schedule.takeOffer, { id: offer.id })
    await lead.send(schedule.acceptOffer, { id: offer.id })
    expect((await kim.send(schedule.future, {})).shifts.map(shift => shift.id)).toEqual([theirs.entry.id])
    expect((await ida.send(schedule.future, {})).shifts.map(shift => shift.id)).toEqual([mine.entry.id])
  })
})

describe('a calendar feed', () => {
  it('shows published shifts by a secret address, which ends when it is revoked', async () => {
    const kim = await hire()
    await plan(kim, '2026-12-03', { station: 'Packing 2' })
    await publish('2026-12-03')
    const { url } = await kim.send(schedule.makeCalendarLink, {})
    const token = url.slice(url.lastIndexOf('/') + 1)
    const visitor = testApp.visitor(operator.main)
    const { body } = await visitor.ask(schedule.calendar, { token })
    expect(body).toMatch(/DTSTART:20261203T050000Z\r\nDTEND:20261203T130000Z\r\nSUMMARY:Shift · Packing 2/)
    await kim.send(schedule.revokeCalendarLink, {})
    expect((await visitor.ask(schedule.calendar, { token })).statusCode).toBe(404)
  })

  it('sends nothing to a program that has it already, until a shift changes', async () => {
    const kim = await hire()
    await plan(kim, '2026-12-03')
    await publish('2026-12-03')
    const { url } = await kim.send(schedule.makeCalendarLink, {})
    const token = url.slice(url.lastIndexOf('/') + 1)
    const visitor = testApp.visitor(operator.main)
    const read = (etag = '') => visitor.ask(schedule.calendar, { token }, { headers: { 'if-none-match': etag } })
    const first = await read()
    const etag = String(first.headers.etag)
    const again = await read(etag)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await plan(kim, '2026-12-04')
    await publish('2026-12-04')
    const changed = await read(etag)
    expect(changed.statusCode).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })

  it('is read thirty times an hour, each link for itself', async () => {
    const [kim, ida] = [await hire(), await hire('Ida')]
    const tokenOf = async (user: TestUser) => {
      const { url } = await user.send(schedule.makeCalendarLink, {})
      return url.slice(url.lastIndexOf('/') + 1)
    }
    const [token, other] = [await tokenOf(kim), await tokenOf(ida)]
    const visitor = testApp.visitor(operator.main)
    for (let nth = 0; nth < 30; nth++) expect((await visitor.ask(schedule.calendar, { token })).statusCode).toBe(200)
    expect((await visitor.ask(schedule.calendar, { token })).json()).toMatchObject({ code: 'calendar_read_often' })
    expect((await visitor.ask(schedule.calendar, { token: other })).statusCode).toBe(200)
  })
})

it('the board names the groups of its people, for a filter', async () => {
  const boss = await operator.hire(['admin'])
  const kim = await hire('Kim Nightingale')
  const { group_id } = await boss.send(groups.create, { name: 'Night team' })
  await boss.send(groups.create, { name: 'No one yet' })
  await boss.send(groups.addUser, { id: group_id, user_id: kim.user_id })
  const board = await lead.send(schedule.board, { start: '2027-03-01', end: '2027-03-07' })
  expect(board.groups).toEqual([{ group_id, group_name: 'Night team' }])
  expect(board.people.filter(person => person.group_ids.includes(group_id)).map(person => person.name)).toEqual(['Kim Nightingale'])
  await boss.send(groups.remove, { id: group_id })
  expect((await lead.send(schedule.board, { start: '2027-03-01', end: '2027-03-07' })).groups).toEqual([])
})

describe('the settings', () => {
  it('name public holidays of the country, and what the company changes in them', async () => {
    const { settings, holidays } = await lead.send(schedule.settings, {})
    expect(holidays.find(one => one.day === '2026-12-25')).toMatchObject({ own: false, free: true })
    const saved = await lead.send(schedule.setSettings, {
      body: { settings: { ...settings, half_holidays: false }, overrides: [{ day: '2026-12-24', name: 'Christmas Eve', free: true }] },
    })
    expect(saved.settings.half_holidays).toBe(false)
    expect(saved.holidays.find(one => one.day === '2026-12-24')).toMatchObject({ name: 'Christmas Eve', own: true })
    await expect(ask(await hire(), '2027-04-05', { part: 'morning' })).rejects.toMatchObject({ code: 'half_not_offered' })
    await expect(lead.send(schedule.setSettings, { body: { settings: { ...settings, region: 'XX' } } })).rejects.toMatchObject({
      code: 'region_unknown',
    })
    await lead.send(schedule.setSettings, { body: { settings } })
  })

  it('keep the holidays that somebody else saved meanwhile, and those of other years', async () => {
    const { settings, holidays_version } = await lead.send(schedule.settings, {})
    const company = [{ day: '2027-06-05', name: 'Day of the company', free: true }]
    const save = (more: object) => lead.send(schedule.setSettings, { body: { settings, ...more } })
    const saved = await save({ overrides: [...company, { day: '2025-12-24', name: 'Christmas Eve', free: true }], holidays_version })
    expect(saved.holidays_version).not.toBe(holidays_version)
    await expect(save({ overrides: [{ day: '2026-12-31', name: 'New Year', free: true }], holidays_version })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: { holidays_version: saved.holidays_version },
    })
    const next = await save({ overrides: [], holidays_version: saved.holidays_version })
    expect(next.holidays.filter(one => one.own)).toEqual([])
    testApp.setNow(new Date('2025-11-25T09:00:00Z'))
    const before = (await lead.send(schedule.settings, {})).holidays
    testApp.setNow(new Date(now))
    expect(before.find(one => one.day === '2025-12-24')).toMatchObject({ own: true })
  })
})
