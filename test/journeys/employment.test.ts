/** Journey: the office writes the employment of a minor and the CPR number, which is shown only with a reason and the own password. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let testApp: JourneyApp
let operator: TestOperator
let office: TestUser
let kim: TestUser
const password = 'The crane in the harbour 7'
/** Belongs to no one: it fails the check digit and is no birth on 1 January. */
const cpr = '170584-0102'
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator({ settings: { locale: 'en_GB' } })
  office = await operator.hire(['users_admin', 'personal_admin'], operator.main, 'Mette Friis')
  kim = await operator.hire(['scan'], operator.main, 'Kim Lund')
  const password_hash = await hashPassword(password)
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('users').set({ password_hash }).where('id', '=', office.user_id).execute(),
  )
})
afterAll(() => testApp?.close())

it('the office writes an employment, and shows a CPR number with a reason that stands in the log', async () => {
  const page = await testApp.open(office, `/users?id=${kim.user_id}`)
  const employment = page.getByRole('region', { name: 'Employment' })
  await employment.getByRole('button', { name: 'Edit employment' }).click()
  const years = new Date().getUTCFullYear() - 16
  await employment.getByLabel('Date of birth').fill(`${years}-05-17`)
  await employment.getByLabel('Name of the guardian').fill('Lars Lund')
  await employment.getByLabel('Hours a week').fill('many')
  await employment.getByRole('button', { name: 'Save employment' }).click()
  await employment.getByText('Enter hours such as 37 or 32.5').waitFor()
  await employment.getByLabel('Hours a week').fill('12,5')
  await employment.getByRole('button', { name: 'Save employment' }).click()
  await employment.getByText('Under 18').waitFor()
  await employment.getByText('12.5').waitFor()
  await employment.getByText('Lars Lund').waitFor()

  const number = page.getByRole('region', { name: 'CPR number' })
  await number.getByRole('button', { name: 'Enter number' }).click()
  const entering = page.getByRole('dialog', { name: 'CPR number of Kim Lund' })
  await entering.getByRole('textbox', { name: 'CPR number' }).fill('320584-0102')
  await entering.getByRole('button', { name: 'Save number' }).click()
  await entering.getByText('The first six digits are no day of the calendar').waitFor()
  await entering.getByRole('textbox', { name: 'CPR number' }).fill(cpr)
  await entering.getByRole('button', { name: 'Save number' }).click()
  await number.getByText('••••••-••••').waitFor()
  await number.getByText('The employment has another date of birth. Check both.').waitFor()

  await number.getByRole('button', { name: 'Show…' }).click()
  const asking = page.getByRole('dialog', { name: 'Show the CPR number of Kim Lund' })
  await asking.getByRole('textbox', { name: 'Reason' }).fill('Report to the tax office')
  await asking.getByRole('textbox', { name: 'Your password' }).fill('guessed')
  await asking.getByRole('button', { name: 'Show number' }).click()
  await asking.getByText('This is not your present password').waitFor()
  await asking.getByRole('textbox', { name: 'Your password' }).fill(password)
  await asking.getByRole('button', { name: 'Show number' }).click()
  await number.getByText(cpr).waitFor()
  await number.getByText('Report to the tax office').waitFor()
  await number.getByRole('button', { name: 'Hide' }).click()
  expect(await number.getByText(cpr).count()).toBe(0)

  await page.getByRole('button', { name: 'Copy for the person' }).click()
  const copying = page.getByRole('dialog', { name: 'A copy of what is stored of Kim Lund' })
  expect(await copying.getByRole('radio', { name: 'PDF' }).isChecked()).toBe(true)
  for (const format of ['PDF', 'JSON']) {
    if (format === 'JSON') await page.getByRole('button', { name: 'Copy for the person' }).click()
    await copying.getByRole('radio', { name: format }).check()
    await copying.getByRole('textbox', { name: 'Your password' }).fill(password)
    const file = page.waitForEvent('download')
    await copying.getByRole('button', { name: 'Save copy' }).click()
    expect((await file).suggestedFilename()).toMatch(new RegExp(`^staff-.*\\.${format.toLowerCase()}$`))
    await copying.waitFor({ state: 'hidden' })
  }
})
