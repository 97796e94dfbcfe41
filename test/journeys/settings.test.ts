/** Journeys: settings – a field is found by its German word, changed, and set back by somebody else. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { company } from '../../src/features/company/companies/companies.contract.ts'
import type { TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let mette: TestUser
let olav: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  const operator = await services.operator()
  mette = await operator.hire(['admin'], operator.main, 'Mette Friis')
  olav = await operator.hire(['settings_admin'], operator.main, 'Olav Berg')
})
afterAll(() => services?.close())

const cutOff = (page: Page) => page.getByRole('textbox', { name: 'Cut-off' })

it('finds “Bestellschluss” in an English interface, and says who changed it', async () => {
  const page = await services.open(mette, '/settings/company-config')
  await cutOff(page).waitFor()
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('Bestellschluss')
  await page.getByRole('link', { name: /^Cut-off.*Bestellschluss/ }).click()
  await expect.poll(() => cutOff(page).evaluate(input => document.activeElement === input)).toBe(true)
  await cutOff(page).fill('15:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Cut-off changed from 16:00 to 15:00 by Mette Friis/).waitFor()
})

it('is set back by a colleague, and the page and the history show it', async () => {
  const page = await services.open(olav, '/settings/company-config')
  await page.getByText(/^Cut-off changed from 16:00 to 15:00 by Mette Friis/).waitFor()
  expect(await cutOff(page).inputValue()).toBe('15:00')
  await page.getByRole('button', { name: 'Set back' }).click()
  await page.getByText(/^Cut-off changed from 15:00 to 16:00 by Olav Berg/).waitFor()
  await expect.poll(() => cutOff(page).inputValue()).toBe('16:00')
  expect((await olav.send(company.config, {})).cut_off).toBe('16:00')
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History of settings', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('row', { name: /Cut-off/ }).count()).toBe(2)
})

it('finds a field from the palette', async () => {
  const page = await services.open(mette, '/settings/me')
  await page.getByRole('heading', { name: 'My settings', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /^Orders, products/ }).fill('hjemland')
  await page
    .getByRole('group', { name: 'Fields of settings' })
    .getByRole('button', { name: /^Home country/ })
    .click()
  await page.getByRole('heading', { name: 'Countries', level: 1 }).waitFor()
})
