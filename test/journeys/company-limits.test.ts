/** Journey: the main company limits the users of a shop, and the shop's admin reads so where one too many is added. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BuiltCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let shop: BuiltCompany
let boss: TestUser
let own: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ shops: 1 })
  shop = operator.shops[0] as BuiltCompany
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  own = await operator.hire(['admin'], shop, 'Nina Nord')
})
afterAll(() => services?.close())

it('a company that has all its users is refused one more in the form, until its limit is raised', async () => {
  const page = await services.open(boss, `/settings/global-config/company?id=${shop.id}`)
  const limits = page.locator('section', { hasText: 'Imports in 24 hours' })
  await limits.getByText('1 used now').waitFor()
  await limits.getByRole('textbox', { name: 'Users' }).fill('1')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('The limits are saved').first().waitFor()
  await limits.getByText('Limit reached').waitFor()

  const theirs = await services.open(own, '/users')
  await theirs.getByRole('button', { name: 'New user' }).click()
  const form = theirs.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Bo Lind')
  await form.getByRole('textbox', { name: 'User name' }).fill('bolind')
  await form.getByRole('button', { name: 'Create user' }).click()
  await form.getByText('Your company may have 1 user. Remove one, or ask the main company for more.').waitFor()

  await limits.getByRole('textbox', { name: 'Users' }).fill('2')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await limits.getByText('Nearly reached').or(limits.getByText('Limit reached')).waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Create user' }).click()
  await limits.getByText('2 used now').waitFor()
  await limits.getByText('Limit reached').waitFor()
  await expect.poll(() => theirs.getByText('Bo Lind').count()).toBeGreaterThan(0)
})
