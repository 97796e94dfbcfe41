/** Journey: what a page is called, whom it sends to the login, and the language that it keeps. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mySettings } from '#contract/my-settings.ts'
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

it('offers no permissions of areas that do not exist yet', async () => {
  const page = await testApp.open(lead, `/users?id=${lead.user_id}`)
  await page.getByRole('button', { name: 'Picker' }).waitFor()
  expect(await page.getByText('Punch clock').count()).toBe(0)
})
