/** Journeys: a forgotten clock-out from the badge to the payroll file, and half a day off that is asked for on a phone in Danish. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { addDays, dayAt, instantAt, mondayOf } from '#domain/local-time.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { flagForgotten } from '#features/people/punch-clock/forgotten-punches.task.ts'
import { salary } from '#features/people/salary/salary.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

const zone = 'Europe/Copenhagen'
let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
let kim: TestUser
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  kim = await operator.hire(['punchclock', 'schedule'], operator.main, 'Kim Lund')
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('users').set({ employee_no: '1004' }).where('id', '=', kim.user_id).execute(),
  )
})
afterEach(() => testApp.setNow(undefined))
afterAll(() => testApp?.close())

const planned = async (work_date: string, start_local: string, end_local: string) => {
  const shift = { user_id: kim.user_id, work_date, start_local, end_local, break_s: 0, station: null, skill: null }
  await lead.send(schedule.change, { body: { change_id: randomUUID(), shifts: [shift] } })
  await lead.send(schedule.publish, { body: { from: work_date, to: work_date, reason: 'Agreed' } })
}

it('a forgotten clock-out is answered at the kiosk, accepted, approved and exported: the payroll file holds the hours', async () => {
  const admin = await operator.hire(['admin'])
  const badge = (await admin.send(credentials.makeBadge, { id: kim.user_id })).code
  const day = addDays(dayAt(Date.now(), zone), -1)
  await planned(day, '06:00', '14:00')

  testApp.setNow(new Date(instantAt(day, '05:58', zone)))
  const kiosk = await operator.hire(['punchclock'], operator.main, 'Kiosk')
  const page = await testApp.open(kiosk, '/punchclock', { viewport: { width: 1024, height: 768 } })
  await page.getByText('Scan your badge or enter your number').waitFor()
  await scan(page, badge)
  await page.getByRole('heading', { name: /Kim/ }).waitFor()
  await page.getByRole('button', { name: 'Start work' }).click()
  await page.getByText('Clocked in').waitFor()

  // Kim goes home without a word to the clock. The next day the kiosk asks after the clock-in, never before.
  testApp.setNow(undefined)
  await flagForgotten(testApp.services)
  const morning = await operator.hire(['punchclock'], operator.main, 'Kiosk 2')
  const next = await testApp.open(morning, '/punchclock', { viewport: { width: 1024, height: 768 } })
  await next.getByText('Scan your badge or enter your number').waitFor()
  await scan(next, badge)
  await next.getByRole('button', { name: 'Start work' }).click()
  await next.getByText(/^You did not clock out on /).waitFor()
  await next.getByLabel('Left at').fill('15:30')
  await next.getByRole('button', { name: 'Send to my lead' }).click()
  await next.getByText('Scan your badge or enter your number').waitFor()

  const office = await testApp.open(lead, `/schedule/timesheet?week=${day}&view=all`)
  const rows = office.getByRole('grid', { name: 'Timesheet' })
  await rows.getByRole('row').filter({ hasText: 'Kim Lund' }).first().click()
  const drawer = office.getByRole('dialog')
  await drawer.getByText('Entered at the punch clock').waitFor()
  await drawer.getByText(/ · Automatically · 05:58–/).waitFor()
  await drawer.getByRole('button', { name: 'Accept' }).click()
  await office.getByText('Correction accepted').waitFor()
  await drawer.getByRole('button', { name: 'Approve', exact: true }).click()
  await drawer.getByText('Approved').first().waitFor()

  const accountant = await operator.hire(['salary_admin'], operator.main, 'Peter Vang')
  const { settings } = await accountant.send(salary.rules, {})
  const { currency: _currency, time_zone: _zone, ...fields } = settings
  await accountant.send(salary.setSettings, { body: { ...fields, employer_no: '12345678' } })
  await accountant.send(employees.addPayTerm, {
    id: kim.user_id,
    body: { valid_from: '2026-01-01', salary_type: 'hourly', rate: 18_550 },
  })
  await accountant.send(salary.addPeriod, { body: { from_day: day, to_day: day } })
  const payroll = await testApp.open(accountant, '/salary')
  await payroll.getByText('Ready').waitFor()
  await payroll.getByRole('button', { name: 'Export', exact: true }).last().click()
  const file = payroll.waitForEvent('download')
  await payroll
    .getByRole('dialog', { name: /^Export/ })
    .getByRole('button', { name: 'Export period' })
    .click()
  expect((await file).suggestedFilename()).toMatch(/^danlon-.*\.csv$/)
  const [frozen] = await accountant.send(salary.periods, {})
  // From the planned 06:00, two minutes of tolerance, to 15:30 that Kim wrote.
  expect((await accountant.ask(salary.file, { id: frozen?.exports[0]?.id ?? 0 })).body).toBe('12345678;1004;1;950;18550;\r\n')
})

it('half a day is asked for on a phone in Danish, the lead approves, and the freed half goes to a colleague', async () => {
  const tuesday = addDays(mondayOf(dayAt(Date.now(), zone)), 15)
  await planned(tuesday, '08:00', '16:00')
  const handheld = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const phone = await testApp.open(kim, '/schedule', { ...handheld, language: 'da_DK' })
  await phone.getByRole('button', { name: 'Søg om fri' }).click()
  const ask = phone.getByRole('dialog', { name: 'Søg om fri' })
  await ask.getByRole('radio', { name: 'Ferie uden løn' }).check()
  await ask.getByLabel('Første dag').fill(tuesday)
  await ask.getByText('Formiddag').click()
  await ask.getByRole('button', { name: 'Send ansøgning' }).click()
  await ask.waitFor({ state: 'detached' })
  const own = phone.getByRole('region', { name: 'Fravær og rådighed' })
  await own.getByText('Formiddag').waitFor()

  const board = await testApp.open(lead, '/schedule/approve')
  const request = board.getByRole('article', { name: /^Kim Lund/ })
  await request.getByText('Morning').first().waitFor()
  await request.getByRole('button', { name: 'Approve' }).click()
  await board.getByText('Leave approved').waitFor()
  await own.getByText('Godkendt').waitFor()
  await phone.getByText('12:00–16:00').waitFor()

  const ida = await operator.hire(['schedule'], operator.main, 'Ida Holm')
  const colleague = await testApp.open(ida, '/schedule', handheld)
  await colleague.getByText('08:00–12:00').waitFor()
  await colleague.getByRole('button', { name: 'Take shift' }).click()
  await colleague.getByText('Asked for the shift').waitFor()
  await board.getByRole('button', { name: 'Accept' }).first().click()
  await expect
    .poll(async () =>
      (await ida.send(schedule.future, {})).shifts.map(shift => `${shift.work_date} ${shift.start_local}–${shift.end_local}`),
    )
    .toEqual([`${tuesday} 08:00–12:00`])
})
