/** Payroll over HTTP: what is earned, what blocks an export, what an export freezes, corrections, the pay list as a job, rights. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { permissions } from '#contract/access.ts'
import type { Call } from '#contract/endpoint.ts'
import { elementAt } from '#domain/objects.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import { timesheet } from '#features/people/timesheet/timesheet.contract.ts'
import { countDays } from '#features/people/work-figures/work-figures.commands.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { lessorColumns, lessorFirstLine } from './salary.codes.ts'
import { payLists, salary } from './salary.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let payroll: TestUser
let kim: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  payroll = await operator.hire(['salary_admin'], operator.main, 'Mette Friis')
  kim = await operator.hire(['punchclock'], operator.main, 'Kim Lund')
  await number(kim, '1004')
  testApp.setNow(new Date('2026-11-24T20:00:00Z'))
})
afterEach(() => testApp.setNow(undefined))

const inScope = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)
const number = (user: TestUser, employee_no: string | null) =>
  inScope(db => db.updateTable('users').set({ employee_no }).where('id', '=', user.user_id).execute())

const pay = (user: TestUser, more: object = {}) =>
  payroll.send(employees.addPayTerm, {
    id: user.user_id,
    body: { valid_from: '2026-01-01', salary_type: 'hourly', rate: 18_550, ...more },
  })
/** Work that was clocked; two hours earlier by UTC than the clock in summer, one in winter. */
const worked = (user: TestUser, day: string, from = '06:00', to = '14:00') =>
  lead.send(punchClock.update, {
    id: 0,
    body: {
      ...{ client_id: randomUUID(), user_id: user.user_id, note: 'From the paper' },
      ...{ started_at: `${day}T${from}:00Z`, ended_at: `${day}T${to}:00Z` },
    },
  })
const approve = (user: TestUser, ...days: string[]) =>
  lead.send(timesheet.approve, { body: { days: days.map(work_date => ({ user_id: user.user_id, work_date })) } })
const october = { from_day: '2026-10-01', to_day: '2026-10-31' }
const november = { from_day: '2026-11-01', to_day: '2026-11-23' }
const useDanlon = async () => {
  const { settings } = await payroll.send(salary.rules, {})
  const { currency: _currency, time_zone: _zone, ...fields } = settings
  return payroll.send(salary.setSettings, { body: { ...fields, employer_no: '12345678' } })
}
const evening = {
  ...{ kind: 'supplement' as const, name: 'Evening', valid_from: '2026-01-01', from_local: '17:00', to_local: '22:00' },
  ...{ rate_micro: 25_500_000, pay_code: '20' },
}
const addRule = (fields: object = evening) => payroll.send(salary.addRule, { body: { ...evening, ...fields, client_id: randomUUID() } })
const freeze = (period: { id: number; version: number }, format: 'danlon' | 'csv' = 'danlon') =>
  payroll.send(salary.export, { id: period.id, body: { version: period.version, format } })
const textOf = async (id: number) => (await payroll.ask(salary.file, { id })).body

describe('a period', () => {
  it('holds hours and supplements of approved days, and every amount opens to what sums to it', async () => {
    await pay(kim)
    await addRule()
    await worked(kim, '2026-11-10', '10:00', '18:00')
    await approve(kim, '2026-11-10')
    const { id } = await payroll.send(salary.addPeriod, { body: november })
    const { rows } = await payroll.send(salary.period, { id })
    expect(rows).toMatchObject([
      {
        ...{ user_name: 'Kim Lund', employee_no: '1004', salary_type: 'hourly', paid_s: 28_800, total: 153_500, corrections: 0 },
        lines: [
          { kind: 'hours', pay_code: '1', units_c: 800, rate: 18_550, amount: 148_400, parts: [] },
          { kind: 'supplement', name: 'Evening', units_c: 200, rate: 2_550, amount: 5_100 },
        ],
        problems: [],
      },
    ])
    const person = await payroll.send(salary.person, { id, user_id: kim.user_id })
    expect(person.lines[1]?.parts).toMatchObject([
      { day: '2026-11-10', from: '2026-11-10T16:00:00.000Z', to: '2026-11-10T18:00:00.000Z', seconds: 7_200 },
    ])
  })

  it('names what has to be solved, and is not exported before', async () => {
    await useDanlon()
    await worked(kim, '2026-11-10')
    await approve(kim, '2026-11-10')
    await worked(kim, '2026-11-11')
    const nora = await operator.hire(['punchclock'], operator.main, 'Nora Falk')
    await number(nora, null)
    await pay(nora)
    await worked(nora, '2026-11-10')
    await approve(nora, '2026-11-10')
    const period = await payroll.send(salary.addPeriod, { body: november })
    const { rows } = await payroll.send(salary.period, { id: period.id })
    expect(rows.map(row => [row.user_name, ...row.problems.map(({ kind, count }) => `${kind} ${count}`)])).toEqual([
      ['Kim Lund', 'days_open 1', 'no_rate 1'],
      ['Nora Falk', 'no_employee_no 1'],
    ])
    await expect(freeze(period)).rejects.toMatchObject({ code: 'pay_export_blocked', message: '3 rows must be solved before the export.' })
  })

  it('holds leave as days or as hours, by what the pay code of its kind counts', async () => {
    const { settings } = await payroll.send(salary.rules, {})
    const { currency: _currency, time_zone: _zone, ...fields } = settings
    const counted = { ...fields, employer_no: '12345678', sick_code: '50', sick_unit: 'hours' as const, holiday_code: '52' }
    const saved = await payroll.send(salary.setSettings, { body: counted })
    const away = (reason_id: number, work_date: string, part: 'full' | 'morning') =>
      lead.send(schedule.create, {
        body: { client_id: randomUUID(), kind: 'leave', user_id: kim.user_id, reason_id, work_date, part },
      })
    await away(1, '2026-11-10', 'full')
    await away(1, '2026-11-11', 'morning')
    const { entry } = await away(3, '2026-11-12', 'full')
    await lead.send(schedule.update, { id: entry.id, body: { version: entry.version, state: 'approved' } })
    const period = await payroll.send(salary.addPeriod, { body: november })
    const problems = async () => (await payroll.send(salary.period, { id: period.id })).rows.flatMap(row => row.problems)
    expect(await problems()).toEqual([{ kind: 'no_week_hours', count: 2, blocks: true }])
    const owner = await operator.hire(['admin'], operator.main, 'Astrid Holm')
    const { user_id: _user, under_18: _minor, ...employment } = await owner.send(employees.get, { id: kim.user_id })
    await owner.send(employees.update, { id: kim.user_id, body: { ...employment, weekly_s: 37 * 3_600 } })
    expect(await problems()).toEqual([])
    const done = await freeze(period)
    // 7.40 + 3.70 hours of sickness, one day of holiday.
    expect(await textOf(elementAt(done.exports, 0).id)).toBe('12345678;1004;50;1110;;\r\n12345678;1004;52;100;;\r\n')
    const days = { ...counted, sick_unit: 'days' as const, version: saved.version }
    await payroll.send(salary.setSettings, { body: days })
    expect(await problems()).toEqual([{ kind: 'changed', count: 0, blocks: false }])
  })

  it('does not overlap another one, and sent again it is the same', async () => {
    const first = await payroll.send(salary.addPeriod, { body: november })
    expect((await payroll.send(salary.addPeriod, { body: november })).id).toBe(first.id)
    await expect(payroll.send(salary.addPeriod, { body: { ...november, to_day: '2026-12-01' } })).rejects.toMatchObject({
      code: 'pay_period_overlaps',
      fields: { from_day: expect.any(String) },
    })
    expect(await payroll.send(salary.removePeriod, { id: first.id })).toEqual([])
  })
})

describe('an export', () => {
  beforeEach(async () => {
    await useDanlon()
    await pay(kim)
    await worked(kim, '2026-10-05')
    await approve(kim, '2026-10-05')
  })

  it('locks the days and freezes lines and file; asked again it is the same file', async () => {
    const period = await payroll.send(salary.addPeriod, { body: october })
    const done = await freeze(period)
    const [made] = done.exports
    expect(done).toMatchObject({ state: 'exported', exports: [{ format: 'danlon', rows: 1, total: 148_400 }] })
    expect(await textOf(made?.id ?? 0)).toBe('12345678;1004;1;800;18550;\r\n')
    expect((await freeze(period)).exports).toEqual(done.exports)
    const refused = await lead.send(timesheet.unapprove, {
      body: { days: [{ user_id: kim.user_id, work_date: '2026-10-05' }], reason: 'Wrong' },
    })
    expect(refused.done).toBe(0)
    await expect(payroll.send(salary.removePeriod, { id: period.id })).rejects.toMatchObject({ code: 'pay_period_exported' })
  })

  it('stays as it is when hours change later, and the next one holds the difference with its origin', async () => {
    const first = await freeze(await payroll.send(salary.addPeriod, { body: october }))
    const body = { from: '2026-10-05', to: '2026-10-05', reason: 'Left earlier' }
    await payroll.send(timesheet.unlock, { body })
    const intervals = [{ from: '2026-10-05T06:00:00Z', to: '2026-10-05T13:30:00Z', type: 'work' as const, paid: true }]
    await lead.send(timesheet.approve, { body: { days: [{ user_id: kim.user_id, work_date: '2026-10-05', intervals }] } })
    const frozen = await payroll.send(salary.period, { id: first.id })
    expect(frozen.rows).toMatchObject([{ total: 148_400, problems: [{ kind: 'changed', count: -9_275, blocks: false }] }])

    await worked(kim, '2026-11-10')
    await approve(kim, '2026-11-10')
    const next = await payroll.send(salary.addPeriod, { body: november })
    const { rows } = await payroll.send(salary.period, { id: next.id })
    expect(rows).toMatchObject([
      {
        ...{ total: 139_125, corrections: -9_275 },
        lines: [
          { units_c: 800, origin: null },
          { units_c: -50, amount: -9_275, origin: { from: '2026-10-01', to: '2026-10-31' } },
        ],
      },
    ])
    const done = await freeze(next)
    expect(await textOf(done.exports[0]?.id ?? 0)).toBe('12345678;1004;1;800;18550;\r\n12345678;1004;1;-50;18550;\r\n')
    expect((await payroll.send(salary.period, { id: first.id })).rows[0]?.problems).toEqual([])
  })

  it('is opened again with a reason, and then holds the differences alone', async () => {
    const first = await freeze(await payroll.send(salary.addPeriod, { body: october }))
    await expect(payroll.send(salary.reopen, { id: first.id, body: { version: 1, reason: 'Hours' } })).rejects.toMatchObject({
      code: 'settings_changed',
      current: { version: 2 },
    })
    const opened = await payroll.send(salary.reopen, { id: first.id, body: { version: first.version, reason: 'Hours are missing' } })
    expect(opened.state).toBe('reopened')
    await worked(kim, '2026-10-06')
    await approve(kim, '2026-10-06')
    const again = await freeze(opened, 'csv')
    expect(again.exports).toHaveLength(2)
    expect(await textOf(again.exports[0]?.id ?? 0)).toBe('\ufeffemployee_no;pay_code;units;rate;amount\r\n1004;1;8,00;185,50;1484,00\r\n')
  })

  it('for Lessor has the names of its columns in the first line, and no byte order mark', async () => {
    const { currency: _currency, time_zone: _zone, ...fields } = (await payroll.send(salary.rules, {})).settings
    const lessor = { decimal: '.', encoding: 'utf-8-plain', first_line: lessorFirstLine } as const
    await payroll.send(salary.setSettings, { body: { ...fields, ...lessor, columns: [...lessorColumns] } })
    const done = await freeze(await payroll.send(salary.addPeriod, { body: october }), 'csv')
    expect(await textOf(done.exports[0]?.id ?? 0)).toBe('employeeemploymentcode;paytypecode;units;rate\r\n1004;1;8.00;185.50\r\n')
    const two = { ...fields, version: fields.version + 1, first_line: 'a;b\nc;d' }
    await expect(payroll.send(salary.setSettings, { body: two })).rejects.toMatchObject({ fields: { first_line: 'Write one line' } })
  })

  it('needs a reason where somebody would pay back', async () => {
    const first = await freeze(await payroll.send(salary.addPeriod, { body: october }))
    await payroll.send(timesheet.unlock, { body: { from: '2026-10-05', to: '2026-10-05', reason: 'Was not here' } })
    const intervals = [{ from: '2026-10-05T06:00:00Z', to: '2026-10-05T07:00:00Z', type: 'work' as const, paid: true }]
    await lead.send(timesheet.approve, { body: { days: [{ user_id: kim.user_id, work_date: '2026-10-05', intervals }] } })
    const { id, version } = await payroll.send(salary.addPeriod, { body: november })
    await expect(freeze({ id, version })).rejects.toMatchObject({ code: 'pay_export_blocked' })
    const body = { version, format: 'danlon' as const, reason: 'Agreed with Kim' }
    expect(await payroll.send(salary.export, { id, body })).toMatchObject({ state: 'exported' })
    expect(first.state).toBe('exported')
  })

  it('of two people at once is made once', async () => {
    const period = await payroll.send(salary.addPeriod, { body: october })
    const both = await Promise.all([freeze(period), freeze(period)])
    expect(both.map(one => one.exports.length)).toEqual([1, 1])
  })
})

describe('rules', () => {
  it('are changed from a day on: what was paid before stays', async () => {
    const rule = await addRule()
    expect((await payroll.send(salary.addRule, { body: { ...evening, client_id: randomUUID(), name: 'Other' } })).id).not.toBe(rule.id)
    const body = { ...evening, version: rule.version, valid_from: '2026-12-01', rate_micro: 30_000_000 }
    await payroll.send(salary.changeRule, { id: rule.id, body })
    await expect(payroll.send(salary.changeRule, { id: rule.id, body })).rejects.toMatchObject({ code: 'settings_changed' })
    const { rules } = await payroll.send(salary.rules, {})
    expect(
      rules.filter(one => one.name === 'Evening').map(({ valid_from, valid_to, rate_micro }) => [valid_from, valid_to, rate_micro]),
    ).toEqual([
      ['2026-12-01', null, 30_000_000],
      ['2026-01-01', '2026-11-30', 25_500_000],
    ])
  })

  it('say in place what is wrong', async () => {
    const tried = (more: object) => addRule(more).catch((error: unknown) => error)
    expect(await tried({ kind: 'tariff' })).toMatchObject({ fields: { unit: expect.any(String) } })
    expect(await tried({ to_local: null })).toMatchObject({ fields: { to_local: expect.any(String) } })
    expect(await tried({ pay_code: '' })).toMatchObject({ fields: { pay_code: expect.any(String) } })
    expect(await tried({ rate_micro: 25_505_000 })).toMatchObject({ fields: { rate_micro: expect.any(String) } })
  })

  it('of a pilot are counted beside what is paid, until they start', async () => {
    await pay(kim, { salary_type: 'commission', rate: 0, floor_rate: 15_000 })
    const tariff = { kind: 'tariff', pay_code: '', from_local: null, to_local: null, unit: 'pack_order' }
    await addRule({ ...tariff, name: 'Orders', rate_micro: 1_250_000 })
    await addRule({ ...tariff, name: 'Orders, new', rate_micro: 2_000_000, pilot: true })
    const figures = { orders: 100, lines: 0, pieces: 0, grams: 0, wagons: 0, scans: 0, wrong: 0, shorts: 0, wagon_claims: 0 }
    const counted = async () =>
      inScope(async db => {
        await db
          .insertInto('work_daily')
          .values({ user_id: kim.user_id, day: '2026-11-10', kind: 'pack', ...figures, active_s: 0, break_s: 0 })
          .onConflict(row => row.doNothing())
          .execute()
      })
    const { id } = await payroll.send(salary.addPeriod, { body: november })
    await payroll.send(salary.period, { id })
    await counted()
    expect((await payroll.send(salary.period, { id })).rows).toMatchObject([
      { total: 12_500, pilot_total: 20_000, lines: [{ kind: 'commission', amount: 12_500 }] },
    ])
    await payroll.send(salary.startPilot, { body: { from: '2026-11-01' } })
    expect((await payroll.send(salary.period, { id })).rows).toMatchObject([{ total: 20_000, pilot_total: null }])
  })
})

describe('commission', () => {
  const days = ['2026-11-09', '2026-11-10', '2026-11-11']
  const unitsOf = (unit: string) => ({
    ...{ kind: 'tariff', name: unit, unit, pay_code: '', from_local: null, to_local: null, rate_micro: 1_000_000 },
  })
  /** Scans as phones send them: some wrong, some taken back. */
  async function pick(): Promise<{ id: string; line: number; order: number; quantity: number; undone: boolean }[]> {
    const { below } = newChance(operator.main.id)
    const scans = Array.from({ length: 240 }, (_, place) => ({
      ...{ id: randomUUID(), line: below(60) + 1, order: below(25) + 1, quantity: below(4) + 1, undone: below(9) === 0 },
      at: `${elementAt(days, place % days.length)}T${String(7 + below(8)).padStart(2, '0')}:${String(below(60)).padStart(2, '0')}:00Z`,
    }))
    await inScope(async db => {
      await sql`insert into pick_lists (id, type, wagon_type, order_count, line_count, piece_count, stop_count) overriding system value
        values (901, 'cluster', '{}', 25, 60, 600, 60)`.execute(db)
      await sql`insert into pick_wagons (pick_list_id, wagon_no, state, user_id, user_name) values (901, 1, 'picked', ${kim.user_id}, 'Kim')`.execute(
        db,
      )
      for (const { id, line, order, quantity, undone, at } of scans)
        await sql`insert into pick_scans (id, pick_list_id, wagon_no, pick_line_id, order_id, order_company_id, kind, result, quantity, user_id, user_name, at, undone_by)
          values (${id}, 901, 1, ${line}, ${order}, ${order % 2 === 0 ? operator.main.id : operator.shops[0]?.id}, 'pick', 'ok', ${quantity}, ${kim.user_id}, 'Kim', ${at}, ${undone ? randomUUID() : null})`.execute(
          db,
        )
    })
    return scans
  }

  it('from daily figures is what the scans sum to, and a scan that is taken back after the export is a difference', async () => {
    await pay(kim, { salary_type: 'commission', rate: 0 })
    await useDanlon()
    await addRule(unitsOf('pick_piece'))
    await addRule(unitsOf('pick_wagon'))
    const scans = await pick()
    const live = scans.filter(scan => !scan.undone)
    const pieces = live.reduce((sum, scan) => sum + scan.quantity, 0)
    // Counted by the job first: the staff works on the orders of every company.
    const { job_id } = await payroll.send(payLists.payList, { start: '2026-11-01', end: '2026-11-23', job: '1' })
    await expect.poll(async () => (await payroll.send(jobs.get, { id: job_id ?? 0 })).state, { timeout: 60_000 }).toBe('done')
    const period = await payroll.send(salary.addPeriod, { body: november })
    const { rows } = await payroll.send(salary.period, { id: period.id })
    // One wagon on each of the days.
    expect(rows).toMatchObject([{ user_name: 'Kim Lund', scans: live.length, wrong: 0, total: (pieces + days.length) * 100 }])
    const person = await payroll.send(salary.person, { id: period.id, user_id: kim.user_id })
    const units = elementAt(person.lines, 0).parts.filter(part => part.unit === 'pick_piece')
    expect(units.map(part => part.day)).toEqual(days)
    expect(units.reduce((sum, part) => sum + part.units_milli, 0)).toBe(pieces * 1_000)
    const numbers = await kim.send(salary.myNumbers, { start: '2026-11-09', end: '2026-11-11' })
    expect(numbers.reduce((sum, one) => sum + one.pieces, 0)).toBe(pieces)

    const done = await freeze(period)
    const [taken] = live
    await inScope(db => sql`update pick_scans set undone_by = ${randomUUID()} where id = ${taken?.id}`.execute(db))
    const system = createSystemContext(testApp.services, scopeOfCompany(operator))
    await countDays({ ...system, principal: { ...system.principal, operatorCompanies: scopeOfCompany(operator).companies } }, days)
    const frozen = await payroll.send(salary.period, { id: period.id })
    expect(frozen.rows).toMatchObject([
      { total: (pieces + days.length) * 100, problems: [{ kind: 'changed', count: -100 * (taken?.quantity ?? 0) }] },
    ])
    expect(done.exports[0]?.total).toBe((pieces + days.length) * 100)
  })
})

describe('the pay list', () => {
  it('is made at once or by a job, and kept for seven days', async () => {
    await pay(kim)
    await worked(kim, '2026-11-10')
    await approve(kim, '2026-11-10')
    const span = { start: '2026-11-01', end: '2026-11-23' }
    const list = await payroll.send(payLists.payList, span)
    expect(list).toMatchObject({ job_id: null, rows: [{ user_name: 'Kim Lund', total: 148_400 }] })
    expect(await payroll.send(payLists.payList, { ...span, id: list.id ?? 0 })).toEqual(list)
    await expect(payroll.send(payLists.payList, { start: '2026-11-02', end: span.end, id: list.id ?? 0 })).rejects.toMatchObject({
      code: 'pay_list_expired',
    })
    const { job_id } = await payroll.send(payLists.payList, { ...span, job: '1' })
    await expect.poll(async () => (await payroll.send(jobs.get, { id: job_id ?? 0 })).state, { timeout: 20_000 }).toBe('done')
    const { result } = await payroll.send(jobs.get, { id: job_id ?? 0 })
    expect(await payroll.send(payLists.payList, { ...span, id: Object(result).list_id })).toMatchObject({ rows: [{ total: 148_400 }] })
    expect((await lead.ask(jobs.get, { id: job_id ?? 0 })).statusCode).toBe(404)
    await inScope(db => db.updateTable('pay_lists').set({ made_at: '2026-11-10T08:00:00Z' }).execute())
    await payroll.send(payLists.payList, span)
    await expect(payroll.send(payLists.payList, { ...span, id: list.id ?? 0 })).rejects.toMatchObject({ code: 'pay_list_expired' })
  })

  it('has at most 100 days', async () => {
    await expect(payroll.send(payLists.payList, { start: '2026-01-01', end: '2026-11-23' })).rejects.toMatchObject({
      code: 'period_too_long',
    })
  })
})

describe('rights', () => {
  it('open payroll to admin and salary_admin alone, and the own pay to everyone', async () => {
    await pay(kim)
    await worked(kim, '2026-11-10')
    await approve(kim, '2026-11-10')
    const { id } = await payroll.send(salary.addPeriod, { body: november })
    const asked: readonly (readonly [Call, object])[] = [
      [salary.periods, {}],
      [salary.period, { id }],
      [salary.person, { id, user_id: kim.user_id }],
      [salary.rules, {}],
      [salary.file, { id: 1 }],
      [salary.export, { id, body: { version: 1, format: 'csv' } }],
      [salary.reopen, { id, body: { version: 1, reason: 'Because' } }],
      [salary.addPeriod, { body: october }],
      [salary.startPilot, { body: { from: '2026-11-01' } }],
      [payLists.payList, { start: '2026-11-01', end: '2026-11-23' }],
    ]
    for (const permission of permissions.filter(one => one !== 'admin' && one !== 'salary_admin')) {
      const user = await operator.hire([permission])
      for (const [call, input] of asked) expect((await user.ask(call, input)).statusCode, `${permission} ${call.line}`).toBe(403)
    }
    const own = await kim.send(salary.myPay, { start: '2026-11-01', end: '2026-11-23' })
    expect(own).toMatchObject({ pay: { user_id: kim.user_id, total: 148_400 } })
    expect(elementAt(own.pay?.lines ?? [], 0).parts).toHaveLength(1)
    expect(await lead.send(salary.myPay, { start: '2026-11-01', end: '2026-11-23' })).toMatchObject({ pay: null })
    expect(await kim.send(salary.myNumbers, { start: '2026-11-01', end: '2026-11-23' })).toEqual([])
  })

  it('end at the company', async () => {
    const { id } = await payroll.send(salary.addPeriod, { body: november })
    const other = await operator.hire(['salary_admin'], operator.shops[0])
    expect(await other.send(salary.periods, {})).toEqual([])
    expect((await other.ask(salary.period, { id })).statusCode).toBe(404)
    expect((await other.ask(salary.person, { id, user_id: kim.user_id })).statusCode).toBe(404)
  })

  it('are written down where pay is read', async () => {
    const { id } = await payroll.send(salary.addPeriod, { body: november })
    await payroll.send(salary.period, { id })
    const rows = await inScope(db => db.selectFrom('access_log').select(['user_name', 'what']).where('what', '=', 'pay.read').execute())
    expect(rows).toEqual([{ user_name: 'Mette Friis', what: 'pay.read' }])
  })
})
