/** Journey: prices of couriers, what packers use, and links at products. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { productLinks } from '#features/catalog/product-links/product-links.contract.ts'
import { prices } from '#features/shipping/prices/prices.contract.ts'
import { buildOrder, buildProduct, scopeOfCompany } from '../../src/app/demo/builders.ts'
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

it('prices come from a file whose mistakes are corrected at their cells, and are tried with a surcharge', async () => {
  const page = await services.open(boss, '/settings/shipping-config?tab=prices')
  await page.getByText('No prices yet').waitFor()
  await page.getByRole('button', { name: 'Import prices', exact: true }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Import prices' })
  const file = ['courier;method;max kg;price;currency;from', 'own;van;1;31,00;DKK;2026-01-01', 'own;plane;5;39,00;DKK;2026-01-01'].join(
    '\n',
  )
  await drawer.locator('input[type=file]').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await drawer.getByText('1 row has mistakes. Correct it here; nothing is saved yet.').waitFor()
  await drawer.getByText('The courier has no method plane').waitFor()
  await picture(page, 'prices-import')
  await drawer.getByRole('textbox', { name: 'Method, row 3' }).fill('van')
  await drawer.getByRole('button', { name: 'Check again' }).click()
  await drawer.getByText('New prices: 2').waitFor()
  await drawer.getByRole('button', { name: 'Save prices' }).click()
  await expect.poll(async () => (await boss.send(prices.list, {})).total).toBe(2)
  await page
    .getByText(/31\.00/)
    .first()
    .waitFor()
  await picture(page, 'prices-list')

  await page.getByText('Surcharges', { exact: true }).click()
  await page.getByRole('button', { name: 'Add surcharge' }).first().click()
  const form = page.getByRole('dialog', { name: 'New surcharge' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Fuel')
  await form.getByRole('textbox', { name: 'Percent of the price' }).fill('10')
  await form.getByRole('textbox', { name: 'From' }).or(form.getByLabel('From')).first().fill('2026-01-01')
  await picture(page, 'prices-surcharge')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Surcharge saved').last().waitFor()

  await page.getByText('Price steps', { exact: true }).click()
  await page.getByRole('button', { name: 'Try a price' }).click()
  const trial = page.getByRole('dialog', { name: 'Try a price' })
  await trial.getByRole('textbox', { name: 'Weight' }).fill('900')
  await trial.getByRole('button', { name: 'Calculate' }).click()
  await trial.getByRole('region', { name: 'Price' }).getByText('34.10').first().waitFor()
  await picture(page, 'prices-try')
})

it('a link stands at the name of each product that has what it needs', async () => {
  const scope = { ...scopeOfCompany(operator, operator.main), companies: [operator.main.id] }
  await buildProduct(services.services, scope, { sku: 'WOOL-42', name: 'Wool socks' })
  const order = await buildOrder(services.services, scope, {
    lines: [{ external_id: '1', sku: 'WOOL-42', name: 'Wool socks', qty: '1', unit_price_excl_vat: '80.00' }],
  })
  const page = await services.open(boss, '/settings/product-links')
  await page.getByText('No product links yet').waitFor()
  await page.getByRole('button', { name: 'Add link' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New link' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Data sheet')
  await drawer.getByRole('textbox', { name: 'Address' }).fill('javascript:alert(1)')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('Write the address with https:// or http://.').waitFor()
  await drawer.getByRole('textbox', { name: 'Address' }).fill('https://docs.example/{sku}')
  await drawer.getByText('For example https://docs.example/WOOL-42').waitFor()
  await picture(page, 'product-links')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await boss.send(productLinks.list, {})).length).toBe(1)

  await page.goto(page.url().replace(/\/settings\/.*$/, `/parcels/orders?id=${order.id}`))
  const link = page.getByRole('link', { name: 'Data sheet' }).first()
  await link.waitFor()
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual(['https://docs.example/WOOL-42', 'noopener noreferrer'])
  await picture(page, 'product-links-order')
})
