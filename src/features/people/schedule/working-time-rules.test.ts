/** Rules of working time that a company sets itself, over HTTP: from their day on, never weaker than the law without a reason. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { addDays, weekdayOf } from '#domain/local-time.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { employees } from '../employees/employees.contract.ts'
import { leaveReasons } from './schedule.codes.ts'
import { schedule } from './schedule.contract.ts'
import type { NewWorkingTimeRow } from './schedule.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  testApp.setNow(new Date('2026-11-25T09:00:00Z'))
})
afterAll(() => testApp.close())

let people = 0
const open = async () => {
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['schedule_admin'], operator.main, `Lead ${++people}`)
  return operator.hire(['schedule'], operator.main, `Person ${people}`)
}
const set = (more: Partial<NewWorkingTimeRow>) =>
  lead.send(schedule.setWorkingTimeRule, {
    body: { country: 'DK', rule: 'rest', valid_from: '2027-01-01', minutes: 720, reason: '', version: 0, ...more },
  })
const plan = (user: TestUser, work_date: string, start_local: string, end_local: string, break_s = 1_800) =>
  lead.send(schedule.create, {
    body: { client_id: randomUUID(), kind: 'shift', user_id: user.user_id, work_date, start_local, end_local, break_s },
  })
const approve = (user: TestUser, days: readonly string[], hours = 9) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('timesheet_days')
      .values(
        days.map(work_date => ({
          ...{ user_id: user.user_id, work_date, state: 'approved' as const, intervals: '[]', from_versions: '{}', paid_s: hours * 3600 },
          ...{ approved_by_name: 'Jonas Krogh', approved_at: '2026-11-25T08:00:00Z', auto: false, own: false },
        })),
      )
      .execute(),
  )
/** Eleven and a half hours of rest before the second day. */
const shortRest = async (user: TestUser, first: string, second: string) => {
  await plan(user, first, '14:00', '22:00')
  return (await plan(user, second, '09:30', '16:00')).warnings
}

describe('a rule of the company', () => {
  it('that is stricter than the law warns from its day on, says since when it holds, and publishing needs a reason', async () => {
    const kim = await open()
    expect(await set({})).toMatchObject([{ rule: 'rest', minutes: 720, version: 1 }])
    expect(await shortRest(kim, '2026-12-29', '2026-12-30')).toEqual([])
    expect(await shortRest(kim, '2027-01-05', '2027-01-06')).toMatchObject([
      { rule: 'rest', have_s: 11.5 * 3600, need_s: 12 * 3600, own_since: '2027-01-01', refused: false },
    ])
    await expect(lead.send(schedule.publish, { body: { from: '2027-01-05', to: '2027-01-06' } })).rejects.toMatchObject({
      code: 'rules_broken',
    })
  })

  it('reaches the board for the people whose law it stands beside, and no other company', async () => {
    const kim = await open()
    await set({ rule: 'long_day', minutes: 540 })
    const office = await operator.hire(['users_admin'])
    const ulf = await operator.hire(['schedule'], operator.main, 'Ulf Berg')
    await office.send(employees.update, { id: ulf.user_id, body: { version: 0, country: 'SE' } })
    const board = await lead.send(schedule.board, { start: '2027-01-04', end: '2027-01-10' })
    const ruleOf = (user: TestUser) => board.people.find(person => person.user_id === user.user_id)?.own_rules
    expect(ruleOf(kim)).toEqual([{ rule: 'long_day', valid_from: '2027-01-01', minutes: 540 }])
    expect(ruleOf(ulf)).toEqual([])
    expect((await plan(ulf, '2027-01-05', '06:00', '17:00')).warnings).toEqual([])
    expect((await plan(kim, '2027-01-05', '06:00', '17:00')).warnings).toMatchObject([{ rule: 'long_day', need_s: 9 * 3600 }])
    await open()
    expect(await lead.send(schedule.workingTimeRules, {})).toEqual([])
  })

  it('that is weaker than the law is refused without a reason, and holds with one', async () => {
    const kim = await open()
    const weaker = 'Weaker than the law: write on what it rests, such as a collective agreement.'
    await expect(set({ minutes: 600 })).rejects.toMatchObject({ code: 'rule_weaker', fields: { reason: weaker } })
    await set({ minutes: 600, reason: 'Collective agreement, section 7' })
    await plan(kim, '2027-01-05', '14:00', '22:00')
    expect((await plan(kim, '2027-01-06', '08:30', '16:00')).warnings).toEqual([])
    expect((await plan(kim, '2027-01-07', '00:30', '06:00')).warnings).toMatchObject([
      { day: '2027-01-07', need_s: 10 * 3600, own_since: '2027-01-01' },
    ])
  })

  it('for minors is never weaker than the law, and a stricter one stops the publication', async () => {
    const young = await open()
    const office = await operator.hire(['users_admin'])
    await office.send(employees.update, { id: young.user_id, body: { version: 0, birth_date: '2010-05-04' } })
    await expect(set({ rule: 'young_day', minutes: 540, reason: 'Busy weeks' })).rejects.toMatchObject({
      code: 'rule_weaker_young',
      fields: { minutes: 'The law protects minors: nothing weaker can be set.' },
    })
    await set({ rule: 'young_day', minutes: 360 })
    expect((await plan(young, '2027-01-05', '08:00', '15:00')).warnings).toMatchObject([
      { rule: 'young_day', have_s: 6.5 * 3600, need_s: 6 * 3600, own_since: '2027-01-01', refused: true },
    ])
    await expect(lead.send(schedule.publish, { body: { from: '2027-01-05', to: '2027-01-05', reason: 'Really' } })).rejects.toMatchObject({
      code: 'young_worker',
    })
  })

  it('is replaced by its next value, changed by its version alone, and gives way to the law when it is removed', async () => {
    const kim = await open()
    await set({})
    await expect(set({ minutes: 780 })).rejects.toMatchObject({ code: 'settings_changed' })
    await set({ minutes: 780, version: 1 })
    const rows = await set({ valid_from: '2027-02-01', minutes: 660 })
    expect(rows).toMatchObject([
      { valid_from: '2027-01-01', minutes: 780, version: 2 },
      { valid_from: '2027-02-01', minutes: 660 },
    ])
    expect(await shortRest(kim, '2027-02-02', '2027-02-03')).toEqual([])
    const [first] = rows
    const id = first?.id ?? 0
    await expect(lead.send(schedule.removeWorkingTimeRule, { id, version: 1 })).rejects.toMatchObject({ code: 'settings_changed' })
    await lead.send(schedule.removeWorkingTimeRule, { id, version: 2 })
    expect(await shortRest(kim, '2027-01-05', '2027-01-06')).toEqual([])
  })

  it('is set by leads of the schedule alone, with a value that the rule can have', async () => {
    const kim = await open()
    const body = { country: 'DK', rule: 'rest', valid_from: '2027-01-01', minutes: 720, reason: '', version: 0 } as const
    await expect(kim.send(schedule.setWorkingTimeRule, { body })).rejects.toMatchObject({ code: 'permission_missing' })
    await expect(set({ minutes: 725 })).rejects.toMatchObject({ status: 400, fields: { minutes: 'This rule cannot have such a value' } })
    await expect(set({ minutes: 1_500 })).rejects.toMatchObject({ status: 400, fields: { minutes: 'This rule cannot have such a value' } })
  })
})

describe('the average of a week', () => {
  it('counts the law’s months back when a plan is published: approved hours, else clocked ones, else those of the plan', async () => {
    const kim = await open()
    const workdays = Array.from({ length: 108 }, (_, day) => addDays('2026-10-05', day)).filter(day => weekdayOf(day) < 7)
    // Four months to 20 January hold 122 days: 93 of nine hours are 48.02 hours a week, 92 are 47.51.
    await lead.send(schedule.change, {
      body: {
        change_id: randomUUID(),
        shifts: workdays.slice(0, 93).map(work_date => ({
          ...{ user_id: kim.user_id, work_date, start_local: '06:00', end_local: '15:30', break_s: 1_800, station: null, skill: null },
        })),
      },
    })
    await lead.send(schedule.publish, { body: { from: '2026-10-05', to: '2026-11-30' } })
    await lead.send(schedule.publish, { body: { from: '2026-12-01', to: '2027-01-19' } })
    const body = { from: '2027-01-20', to: '2027-01-20' }
    const warnings = async () => (await lead.send(schedule.list, { user_id: kim.user_id, start: body.from, end: body.to })).warnings
    expect(await warnings()).toMatchObject([{ rule: 'average', have_s: Math.round((93 * 9 * 3600 * 7) / 122), need_s: 48 * 3600 }])
    const board = await lead.send(schedule.board, { start: body.from, end: body.to })
    expect(board.people.find(person => person.user_id === kim.user_id)?.average).toEqual({
      worked_s: 92 * 9 * 3600,
      days: 122,
      neutral_days: 0,
      opted_out: false,
      night: { worked_s: 92 * 9 * 3600, days: 122, neutral_days: 0, planned_days: 92, night_days: 0, year_s: 0 },
    })
    await expect(lead.send(schedule.publish, { body })).rejects.toMatchObject({ code: 'rules_broken' })

    const clock = (more: { started_at: string; ended_at: string }) =>
      testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db
          .insertInto('punches')
          .values({
            user_id: kim.user_id,
            work_date: '2026-11-23',
            type: 'work',
            state: 'closed',
            source: 'entry',
            way: 'session',
            ...more,
          })
          .execute(),
      )
    await clock({ started_at: '2026-11-23T05:00:00Z', ended_at: '2026-11-23T13:00:00Z' })
    // Eight hours without a clocked break, less the planned one.
    expect(await warnings()).toEqual([])
    await approve(kim, ['2026-11-23'])
    expect(await warnings()).toMatchObject([{ rule: 'average', have_s: Math.round((93 * 9 * 3600 * 7) / 122) }])

    // Two Sundays of holiday leave the divisor, one without pay does not.
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('schedule_entries')
        .values(
          [
            { reason_id: leaveReasons.vacation_with_pay, work_date: '2026-12-06', date_to: '2026-12-06' },
            { reason_id: leaveReasons.sick_day, work_date: '2026-12-13', date_to: '2026-12-13' },
            { reason_id: leaveReasons.vacation_without_pay, work_date: '2026-12-20', date_to: '2026-12-20' },
          ].map(leave => ({
            ...{ kind: 'leave' as const, part: 'full' as const, state: 'approved' as const, user_id: kim.user_id, unpublished: false },
            ...{ changed_by: 'Jonas Krogh', changed_at: '2026-11-25T08:00:00Z', ...leave },
          })),
        )
        .execute(),
    )
    expect(await warnings()).toMatchObject([{ rule: 'average', have_s: Math.round((93 * 9 * 3600 * 7) / 120) }])
  })

  it('is not judged in Britain from the day on which a person agrees to more, until it is ended', async () => {
    const kim = await open()
    const office = await operator.hire(['users_admin'])
    const day = '2027-01-20'
    // 17 weeks are 119 days: 91 of nine hours are 48.2 hours a week.
    await approve(
      kim,
      Array.from({ length: 118 }, (_, back) => addDays(day, -back - 1))
        .filter(one => weekdayOf(one) < 7)
        .slice(0, 90),
    )
    await plan(kim, day, '06:00', '15:30')
    const agree = (version: number, more: { average_opt_out_from?: string; average_opt_out_to?: string; birth_date?: string }) =>
      office.send(employees.update, { id: kim.user_id, body: { version, country: 'GB', ...more } })
    const warned = async () => {
      const { warnings } = await lead.send(schedule.list, { user_id: kim.user_id, start: day, end: day })
      return warnings.filter(warning => warning.rule === 'average').map(warning => warning.have_s)
    }
    const mean = [Math.round((91 * 9 * 3600 * 7) / 119)]
    await agree(0, {})
    expect(await warned()).toEqual(mean)
    await agree(1, { average_opt_out_from: day })
    expect(await warned()).toEqual([])
    const board = await lead.send(schedule.board, { start: day, end: day })
    expect(board.people.find(person => person.user_id === kim.user_id)?.average.opted_out).toBe(true)
    await agree(2, { average_opt_out_from: '2026-12-01', average_opt_out_to: addDays(day, -1) })
    expect(await warned()).toEqual(mean)
    await agree(3, { average_opt_out_from: addDays(day, 1) })
    expect(await warned()).toEqual(mean)
    // Nor can minors agree, nor people whose law is that of another country.
    await agree(4, { average_opt_out_from: day, birth_date: '2010-05-04' })
    expect(await warned()).toEqual(mean)
    await office.send(employees.update, { id: kim.user_id, body: { version: 5, country: 'NO', average_opt_out_from: day } })
    expect(await warned()).toHaveLength(1)
    await expect(agree(6, { average_opt_out_to: day })).rejects.toMatchObject({ fields: { average_opt_out_from: 'Enter the first day' } })
    await expect(agree(6, { average_opt_out_from: day, average_opt_out_to: addDays(day, -1) })).rejects.toMatchObject({
      fields: { average_opt_out_to: 'The last day lies before the first' },
    })
  })

  it('of night workers is at most eight hours in 24 in Denmark, whatever the company allows for a week', async () => {
    const nights = await open()
    const days = await operator.hire(['schedule'], operator.main, 'Day worker')
    await set({ rule: 'average', minutes: 60 * 60, reason: 'Collective agreement, section 9', valid_from: '2026-01-01' })
    const before = Array.from({ length: 121 }, (_, back) => addDays('2027-01-20', -back - 1)).filter(one => weekdayOf(one) < 6)
    const shifts = (user: TestUser, start_local: string, end_local: string) =>
      before.map(work_date => ({ user_id: user.user_id, work_date, start_local, end_local, break_s: 0, station: null, skill: null }))
    await lead.send(schedule.change, { body: { change_id: randomUUID(), shifts: shifts(nights, '21:00', '07:30') } })
    await lead.send(schedule.change, { body: { change_id: randomUUID(), shifts: shifts(days, '08:00', '18:30') } })
    await plan(nights, '2027-01-20', '21:00', '07:30', 0)
    await plan(days, '2027-01-20', '08:00', '18:30', 0)
    const warned = async (user: TestUser) =>
      (await lead.send(schedule.list, { user_id: user.user_id, start: '2027-01-20', end: '2027-01-20' })).warnings.filter(one =>
        one.rule.endsWith('average'),
      )
    const worked_s = (before.length + 1) * 10.5 * 3600
    expect(await warned(nights)).toMatchObject([
      { rule: 'night_average', have_s: Math.round(worked_s / ((122 * 6) / 7)), need_s: 8 * 3600, own_since: null },
    ])
    expect(await warned(days)).toEqual([])
    const board = await lead.send(schedule.board, { start: '2027-01-20', end: '2027-01-20' })
    expect(board.people.find(person => person.user_id === nights.user_id)?.average.night).toEqual({
      ...{ worked_s: before.length * 10.5 * 3600, days: 122, neutral_days: 0 },
      ...{ planned_days: before.length, night_days: before.length, year_s: before.length * 7 * 3600 },
    })
  })
})
