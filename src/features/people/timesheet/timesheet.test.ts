/** Timesheets over HTTP: what is proposed, who approves, what cannot be approved, and what a lock keeps. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { addDays } from '#domain/local-time.ts'
import { elementAt } from '#domain/objects.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { approveDueHours } from './approve-days.task.ts'
import { timesheet } from './timesheet.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let kim: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator()
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  kim = await operator.hire(['punchclock'], operator.main, 'Kim Lund')
  testApp.setNow(new Date('2026-11-24T20:00:00Z'))
})
afterEach(() => testApp.setNow(undefined))

const day = '2026-11-24'
const period = { start: '2026-11-23', end: '2026-11-29' }
const at = (clock: string) => `${day}T${clock}:00Z`
const shift = (user: TestUser, from: string, to: string) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('schedule_entries')
      .values({
        ...{ kind: 'shift', user_id: user.user_id, work_date: day, start_at: at(from), end_at: at(to), break_s: 1_800, state: 'published' },
        ...{
          published_user_id: user.user_id,
          published_date: day,
          published_start_at: at(from),
          published_end_at: at(to),
          published_break_s: 1_800,
        },
      })
      .execute(),
  )
const worked = (user: TestUser, from: string, to: string) =>
  lead.send(punchClock.update, {
    id: 0,
    body: { client_id: randomUUID(), user_id: user.user_id, started_at: at(from), ended_at: at(to), note: 'From the paper' },
  })
const rows = async () => (await lead.send(timesheet.list, period)).rows
const approveOne = (user: TestUser, by = lead) =>
  by.send(timesheet.approve, { body: { days: [{ user_id: user.user_id, work_date: day }] } })

it('shows plan, punches and proposal side by side, and approves what is inside the tolerance by itself', async () => {
  await shift(kim, '06:00', '14:00')
  await worked(kim, '05:57', '14:04')
  expect(await rows()).toMatchObject([
    {
      user_name: 'Kim Lund',
      planned: { from: '2026-11-24T06:00:00.000Z', break_s: 1_800 },
      punched: { from: '2026-11-24T05:57:00.000Z', to: '2026-11-24T14:04:00.000Z' },
      proposed: { from: '2026-11-24T06:00:00.000Z', to: '2026-11-24T14:00:00.000Z', paid_s: 27_000 },
      flags: ['break_planned'],
      auto: true,
      approved: null,
    },
  ])
  await approveDueHours(testApp.services)
  expect((await rows())[0]?.approved).toMatchObject({ paid_s: 27_000, auto: true, by: 'system', changed: false })
})

it('leaves a day outside the tolerance to a lead, who may write other hours', async () => {
  await shift(kim, '06:00', '14:00')
  await worked(kim, '05:30', '14:00')
  await approveDueHours(testApp.services)
  expect(await rows()).toMatchObject([{ approved: null, early_s: 1_800, flags: expect.arrayContaining(['early_unpaid', 'differs']) }])
  const intervals = [{ from: at('05:30'), to: at('14:00'), type: 'work' as const, paid: true }]
  await lead.send(timesheet.approve, { body: { days: [{ user_id: kim.user_id, work_date: day, intervals }] } })
  expect((await rows())[0]?.approved).toMatchObject({ paid_s: 30_600, auto: false, by: 'Jonas Krogh' })
})

it('approves many days at once and says which it leaves: the own, and those with a time that is missing', async () => {
  await worked(kim, '06:00', '14:00')
  await lead.send(punchClock.update, {
    id: 0,
    body: { client_id: randomUUID(), started_at: at('06:00'), ended_at: at('14:00'), note: 'Own day' },
  })
  const sofie = await operator.hire(['punchclock'], operator.main, 'Sofie Bang')
  await sofie.send(punchClock.update, {
    id: 0,
    body: { client_id: randomUUID(), started_at: at('06:00'), ended_at: at('14:00'), note: 'Forgot it' },
  })
  const days = [kim, lead, sofie].map(user => ({ user_id: user.user_id, work_date: day }))
  const { done, refused } = await lead.send(timesheet.approve, { body: { days } })
  expect(done).toBe(1)
  expect(refused.map(one => one.key)).toEqual([
    'Someone else must approve your own times.',
    'The day has no clock-out or an unverified time.',
  ])
})

it('keeps approved hours when a time changes afterwards, and says that it changed', async () => {
  const punch = await worked(kim, '06:00', '14:00')
  await approveOne(kim)
  await lead.send(punchClock.update, {
    id: punch.id,
    body: { version: punch.version, started_at: at('06:00'), ended_at: at('13:00'), note: 'Left earlier' },
  })
  expect((await rows())[0]?.approved).toMatchObject({ paid_s: 28_800, changed: true })
  await approveOne(kim)
  expect((await rows())[0]?.approved).toMatchObject({ paid_s: 25_200, changed: false })
  const { versions } = await lead.send(timesheet.day, { user_id: kim.user_id, day })
  expect(versions.map(version => `${version.why} ${version.paid_s}`)).toEqual(['approved 28800', 'approved 25200'])
})

it('locks a period once every day is approved, and is unlocked only by who may see pay, with a reason', async () => {
  await worked(kim, '06:00', '14:00')
  const body = { from: period.start, to: period.end }
  await expect(lead.send(timesheet.lock, { body })).rejects.toMatchObject({ status: 409, code: 'days_open' })
  await approveOne(kim)
  expect(await lead.send(timesheet.lock, { body })).toEqual({ locked: 1 })
  expect((await approveOne(kim)).refused).toHaveLength(1)
  const reason = 'Wrong break'
  expect(
    (await lead.send(timesheet.unapprove, { body: { days: [{ user_id: kim.user_id, work_date: day }], reason } })).refused,
  ).toHaveLength(1)
  expect((await lead.ask(timesheet.unlock, { body: { ...body, reason } })).statusCode).toBe(403)
  const accountant = await operator.hire(['salary_admin'])
  expect(await accountant.send(timesheet.unlock, { body: { ...body, reason } })).toEqual({ unlocked: 1 })
  expect((await lead.send(timesheet.day, { user_id: kim.user_id, day })).versions.at(-1)).toMatchObject({ why: 'unlocked', reason })
  await lead.send(timesheet.unapprove, { body: { days: [{ user_id: kim.user_id, work_date: day }], reason } })
  expect((await rows())[0]?.approved).toBeNull()
})

it('shows everyone the own hours and no others', async () => {
  await worked(kim, '06:00', '14:00')
  const packer = await operator.hire(['scan'])
  expect((await kim.send(timesheet.mine, period)).rows).toMatchObject([{ own: true, proposed: { paid_s: 28_800 } }])
  expect((await packer.send(timesheet.mine, period)).rows).toEqual([])
  expect((await kim.send(timesheet.myDay, { day })).punches).toHaveLength(1)
  for (const user of [kim, packer, await operator.hire(['users_admin', 'punchclock_admin'])])
    for (const [call, input] of [
      [timesheet.list, period],
      [timesheet.day, { user_id: kim.user_id, day }],
      [timesheet.approve, { body: { days: [{ user_id: kim.user_id, work_date: day }] } }],
    ] as const)
      expect((await user.ask(call, input)).statusCode).toBe(403)
})

it('changes its rules, and names weeks of more than 48 hours', async () => {
  const saved = await lead.send(timesheet.settings, {})
  await lead.send(timesheet.setSettings, { body: { ...saved, tolerance_s: 600 } })
  await shift(kim, '06:00', '14:00')
  await worked(kim, '05:51', '14:00')
  expect((await rows())[0]?.auto).toBe(true)
  for (const date of ['16', '17', '18', '19', '20', '21', '22'])
    await lead.send(punchClock.update, {
      id: 0,
      body: {
        ...{ client_id: randomUUID(), user_id: kim.user_id, note: 'From the paper' },
        ...{ started_at: `2026-11-${date}T06:00:00Z`, ended_at: `2026-11-${date}T14:00:00Z` },
      },
    })
  const { rows: long } = await lead.send(timesheet.list, { start: '2026-11-16', end: '2026-11-22' })
  expect(elementAt(long, 0).over_week_s).toBe(7 * 28_800)
})

it('averages over the period of the country of each person, with the rule of the company', async () => {
  const office = await operator.hire(['users_admin'], operator.main, 'Mette Friis')
  const approve = (user: TestUser, days: readonly string[], hours: number) =>
    testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('timesheet_days')
        .values(
          days.map(work_date => ({
            ...{ user_id: user.user_id, work_date, state: 'approved' as const, intervals: '[]', from_versions: '{}', paid_s: hours * 3600 },
            ...{ approved_by_name: 'Jonas Krogh', approved_at: '2026-11-24T08:00:00Z', auto: false, own: false },
          })),
        )
        .execute(),
    )
  const back = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => addDays(day, -from - place))
  // Seven hours on each day of eight weeks are 49 a week, and fewer with the shorter days before them.
  await approve(kim, back(0, 56), 7)
  await approve(kim, back(56, 168), 5.5)
  await shift(kim, '06:00', '14:00')
  const mean = async () => elementAt((await lead.send(timesheet.list, { start: day, end: day })).rows, 0).over_average_s
  let version = 0
  const under = async (country: 'DK' | 'NO' | 'GB', more: { average_opt_out_from?: string } = {}) =>
    office.send(employees.update, { id: kim.user_id, body: { version: version++, country, ...more } })
  expect(await mean()).toBe(null)
  await under('NO')
  expect(await mean()).toBe(49 * 3600)
  await under('GB')
  expect(await mean()).toBe(null)
  const rule = { rule: 'average' as const, valid_from: '2026-01-01', minutes: 42 * 60, reason: '', version: 0 }
  await lead.send(schedule.setWorkingTimeRule, { body: { country: 'GB', ...rule } })
  expect(await mean()).toBe(Math.floor(((56 * 7 + 63 * 5.5) * 3600 * 7) / 119))
  await under('GB', { average_opt_out_from: day })
  expect(await mean()).toBe(null)
})
