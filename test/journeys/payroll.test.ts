/** Journey: an accountant writes what people are paid and how, exports a period, and a worker sees the own pay. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { salary } from '#features/people/salary/salary.contract.ts'
import { timesheet } from '#features/people/timesheet/timesheet.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
let accountant: TestUser
let kim: TestUser
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  lead = await operator.hire(['schedule_admin'], operator.main, 'Jonas Krogh')
  accountant = await operator.hire(['salary_admin'], operator.main, 'Peter Vang')
  kim = await operator.hire(['punchclock'], operator.main, 'Kim Lund')
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('users').set({ employee_no: '1004' }).where('id', '=', kim.user_id).execute(),
  )
})
afterAll(() => testApp?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

it('an accountant sets pay and rules, solves what blocks, and exports the hours for Danløn', async () => {
  const day = yesterday()
  await lead.send(punchClock.update, {
    id: 0,
    body: {
      ...{ client_id: randomUUID(), user_id: kim.user_id, note: 'From the paper' },
      ...{ started_at: `${day}T10:00:00Z`, ended_at: `${day}T18:00:00Z` },
    },
  })
  await lead.send(timesheet.approve, { body: { days: [{ user_id: kim.user_id, work_date: day }] } })

  const page = await testApp.open(accountant, '/salary')
  await page.getByText('No pay period yet').waitFor()
  await picture(page, 'payroll-empty')
  await page.getByRole('button', { name: 'Add period' }).click()
  const period = page.getByRole('dialog', { name: 'New pay period' })
  await period.getByLabel('First day').fill(day)
  await period.getByLabel('Last day').fill('2026-01-01')
  await period.getByRole('button', { name: 'Add period' }).click()
  await period.getByText('The last day lies before the first').waitFor()
  await period.getByLabel('Last day').fill(day)
  await period.getByRole('button', { name: 'Add period' }).click()

  await page.getByText('Days without pay: 1').waitFor()
  await page.getByText('Kim Lund').first().click()
  const drawer = page.getByRole('dialog', { name: 'Kim Lund' })
  await drawer.getByRole('button', { name: 'Add pay' }).click()
  await drawer.getByLabel('Rate of an hour').fill('much')
  await drawer.getByLabel('From', { exact: true }).fill('2026-01-01')
  await drawer.getByRole('button', { name: 'Add pay' }).click()
  await drawer.getByText('Enter an amount such as 185.50').waitFor()
  await drawer.getByLabel('Rate of an hour').fill('185,50')
  await drawer.getByRole('button', { name: 'Add pay' }).click()
  await drawer.getByText('Holds now').waitFor()
  await drawer.getByRole('button', { name: /Hours.*1,484\.00/ }).click()
  await drawer.getByText(/ 8 ×/).waitFor()
  await picture(page, 'payroll-person')

  await page.goto(`${testApp.origin(operator.main.code)}/salary/rules?id=new`)
  const rule = page.getByRole('dialog', { name: 'New rule' })
  await rule.getByLabel('Name').fill('Evening')
  await rule.getByLabel('From (time)').fill('17:00')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await rule.getByText('Enter both times, or none').waitFor()
  await picture(page, 'payroll-rule')
  await rule.getByLabel('To (time)').fill('22:00')
  await rule.getByLabel('Money for an hour').fill('25.50')
  await rule.getByLabel('Pay code').fill('20')
  await rule.getByLabel('Holds from').fill('2026-01-01')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await page.getByText('17:00–22:00').waitFor()
  await picture(page, 'payroll-rules')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const settings = page.getByRole('dialog', { name: 'Settings of payroll' })
  await settings.getByLabel('CVR number').fill('12345678')
  await picture(page, 'payroll-settings')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await accountant.send(salary.rules, {})).settings.employer_no).toBe('12345678')

  await page.goto(`${testApp.origin(operator.main.code)}/salary`)
  await page.getByText('Ready').waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).last().click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  const file = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export period' }).click()
  expect((await file).suggestedFilename()).toMatch(/^danlon-.*\.csv$/)
  await page.getByRole('button', { name: 'Download file' }).waitFor()
  await picture(page, 'payroll-exported')
  const [frozen] = await accountant.send(salary.periods, {})
  const text = (await accountant.ask(salary.file, { id: frozen?.exports[0]?.id ?? 0 })).body
  expect(text).toContain('12345678;1004;1;800;18550;\r\n')

  // Opened again, the period says that the next file is empty until something changes.
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reopen…' }).click()
  const reopen = page.getByRole('dialog', { name: 'Reopen this period' })
  await reopen.getByLabel('Reason').fill('An hour more')
  await reopen.getByRole('button', { name: 'Reopen' }).click()
  await page.getByRole('button', { name: 'Export', exact: true }).last().click()
  const again = page.getByRole('dialog', { name: /^Export / })
  await again.getByText('Nothing has changed since the last export: the file has no lines.').waitFor()
  await again.getByRole('button', { name: 'Cancel' }).click()

  const own = await testApp.open(kim, `/my-hours?tab=pay&from=${day}&to=${day}`)
  await own.getByRole('button', { name: /Hours.*1,484\.00/ }).waitFor()
  await picture(own, 'payroll-my-pay')
  await own.getByRole('tab', { name: 'My numbers' }).click()
  await own.getByText('No numbers in this period').waitFor()
})
