/** Journey: what a page is called, whom it sends to the login, and the language that it keeps. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mySettings } from '#contract/my-settings.ts'
import { apiKeys } from '#features/company/api-keys/api-keys.contract.ts'
import { documentTitle } from '#ui/navigation/document-title.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser

beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator({ shops: 1, settings: { locale: 'sv_SE' } })
  lead = await operator.hire(['admin'], operator.main, 'Lone')
})
afterAll(() => testApp?.close())

it('sends visitors to the login from every path that is not public', async () => {
  for (const path of ['/no/such/place', '/parcels/messages', '/settings/printer-management', '/users']) {
    const page = await testApp.open({ company: operator.main }, path)
    await page.waitForURL('**/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }
})

it('names the page that is not found', async () => {
  const page = await testApp.open(lead, '/no/such/place')
  await page.getByText('Page not found').waitFor()
  expect(await page.title()).toBe(documentTitle(operator.main.code, 'Page not found'))
})

it('keeps the language of the company after a reload, and a new own language', async () => {
  const page = await testApp.open(lead, '/settings/me')
  await page.evaluate(() => localStorage.removeItem('locale'))
  await page.reload()
  const language = () => page.locator('html').getAttribute('lang')
  await expect.poll(language).toBe('sv-SE')
  await page.reload()
  await expect.poll(language).toBe('sv-SE')
  await page.getByRole('combobox', { name: 'Mitt språk' }).selectOption('de_DE')
  await expect.poll(language).toBe('de-DE')
  await page.reload()
  await expect.poll(language).toBe('de-DE')
  await lead.send(mySettings.set, { body: { locale: null } })
})

it('begins with the page that the user chose in the own settings', async () => {
  const clerk = await operator.hire(['parcels', 'scan'], operator.main, 'Maja')
  await clerk.send(mySettings.set, { body: { locale: 'en_GB' } })
  const page = await testApp.open(clerk, '/settings/me')
  await page.getByRole('combobox', { name: 'Start page' }).selectOption({ label: 'Orders' })
  await page.getByText('Your start page is saved').waitFor()
  await page.goto(new URL('/login', page.url()).href)
  await page.waitForURL('**/parcels/orders')
})

it('leads an owner from the bare address to Home, and to the station when it is wanted', async () => {
  const page = await testApp.open(lead, '/', { station: null })
  await page.waitForURL('**/dashboard')
  await page.getByRole('link', { name: 'Pack', exact: true }).click()
  await page.getByRole('heading', { name: 'Which station is this?' }).waitFor()
  // A reload at the station stays there.
  await page.reload()
  await page.getByRole('heading', { name: 'Which station is this?' }).waitFor()
})

it('takes the PrintNode key on the page of the printers', async () => {
  await lead.send(mySettings.set, { body: { locale: 'en_GB' } })
  const page = await testApp.open(lead, '/settings/printer?tab=printers')
  await page.getByRole('textbox', { name: 'API key' }).fill('a-key-of-printnode-1234')
  await page.getByRole('button', { name: 'Keep key' }).click()
  await page.getByText('The PrintNode key is kept').waitFor()
  expect((await lead.send(apiKeys.get, {})).printnode).toBe('1234')
  await lead.send(mySettings.set, { body: { locale: null } })
})

it('offers the permission for CPR numbers beside everything, since no administrator has it by that alone', async () => {
  const page = await testApp.open(lead, `/users?id=${lead.user_id}`)
  await page.getByRole('button', { name: 'Picker' }).waitFor()
  await page.getByRole('radiogroup', { name: 'CPR numbers' }).waitFor()
  await page.getByRole('switch', { name: 'Everything' }).check({ force: true })
  await page.getByRole('radiogroup', { name: 'CPR numbers' }).waitFor()
  expect(await page.getByRole('radiogroup', { name: 'Payroll' }).count()).toBe(0)
})
