/** Journey: a tag rule is set, shows what it would tag, and the next order has its tag. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tags } from '#features/company/tags/tags.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { CanonicalOrder } from '../../src/domain/order/canonical-order.ts'
import { toOrder } from '../../src/domain/order/canonical-order-checks.ts'
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
/** An order as a shop sends it. */
async function order(order_no: string, country: string): Promise<number> {
  const system = createSystemContext(services.services, scopeOfCompany(operator, operator.main))
  const written = toOrder(
    CanonicalOrder.parse({
      ...{ order_no, currency: 'DKK', payment_status: 'paid', totals: { excl_vat: '400.00', vat: '100.00', incl_vat: '500.00' } },
      lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 1, weight_g: 500, unit_price_incl_vat: '500.00' }],
      ship_to: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0150', city: 'Oslo', country },
    }),
  )
  const [stored] = await system.transaction(context => storeOrders(context, [written]))
  return stored?.order_id ?? 0
}

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
  await drawer.waitFor({ state: 'hidden' })
  await page.getByText('Country is Norway').first().waitFor()
  await picture(page, 'tag-rules')
  const id = await order('N2', 'NO')
  expect((await boss.send(orders.get, { id })).tags).toEqual(['Abroad'])
  await page.goto(page.url().replace(/\/settings\/.*$/, `/parcels/orders?id=${id}`))
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
