/** Journey: a tag rule is set, shows what it would tag, and the next order has its tag. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { tags } from '#features/company/tags/tags.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const order = (order_no: string, country: string) =>
  buildOrder(services.services, scopeOfCompany(operator), {
    order_no,
    ship_to: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0150', city: 'Oslo', country },
  })

it('a tag rule is set with its mistakes named in place, shows what it would tag, and tags the next order', async () => {
  await order('N1', 'NO')
  await order('D1', 'DK')
  await boss.send(tags.create, { body: { name: 'Abroad', color: 'c3' } })
  const page = await services.open(boss, '/settings/tag-rules')
  await page.getByText('No tag rules yet').waitFor()
  await page.getByRole('button', { name: 'Add tag rule' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New tag rule' })
  await drawer.getByRole('button', { name: 'Add tag rule' }).click()
  await drawer.getByText('Choose a tag', { exact: true }).waitFor()
  await drawer
    .getByRole('combobox', { name: 'Tag' })
    .or(drawer.getByRole('textbox', { name: 'Tag' }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Abroad' }).click()
  await drawer.getByRole('button', { name: 'Add tag rule' }).click()
  await drawer.getByText('Set at least one condition.').waitFor()
  await drawer.getByRole('button', { name: 'Add condition', exact: true }).click()
  const country = drawer.getByRole('group', { name: 'Country', exact: true })
  await country
    .getByRole('combobox', { name: 'Value' })
    .or(country.getByRole('textbox', { name: 'Value' }))
    .first()
    .fill('Norw')
  await page.getByRole('option', { name: 'Norway' }).click()
  await drawer.getByText('Would have met 1 of 2 orders in 30 days').waitFor()
  await picture(page, 'tag-rule-form')
  await drawer.getByRole('button', { name: 'Add tag rule' }).click()
  await page.getByText('Country is Norway').first().waitFor()
  await picture(page, 'tag-rules')
  const id = await order('N2', 'NO')
  await page.goto(page.url().replace(/\/settings\/.*$/, `/parcels/orders/${id}`))
  await page.getByText('Abroad').first().waitFor()
  await picture(page, 'tag-rule-order')

  await page.goto(page.url().replace(/\/parcels\/.*$/, '/settings/tag-rules'))
  await page
    .getByRole('button', { name: 'Actions' })
    .or(page.getByRole('button', { name: 'More' }))
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Remove tag rule' }).click()
  await page.getByText('Rule for tag Abroad removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The tag rule is back').waitFor()
  await page.getByText('Country is Norway').first().waitFor()
})
