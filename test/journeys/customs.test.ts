/** Journey: an order to Oslo lacks an HS code; it is mended on the order, then label, CN23 and invoice have the same sum. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { slowCourier } from '#integrations/couriers/slow.fake.ts'
import { readText } from '../label-reader.ts'
import { placeOrder } from '../orders.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
let remove: () => void
beforeAll(async () => {
  services = await openJourneyApp()
  remove = withCourier(
    slowCourier({ agent_code: 'slow', recovery: 'lookup', offers: { customs: { numbers: ['eori'], max_lines: 13 }, postal: 'all' } }),
  )
  operator = await services.operator({ settings: { sender } })
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(async () => {
  remove?.()
  await services?.close()
})

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`), fullPage: true })
}

it('an order to Oslo is mended before it is booked, and its papers agree', async () => {
  const order = await placeOrder(services.services.database, scopeOfCompany(operator), {
    ...{ currency: 'NOK', work_state: 'packed', agent_code: 'slow', shipping_method: 'parcel' },
    lines: [
      {
        sku: 'TEE',
        name: 'T-shirt, knitted cotton',
        qty: 2,
        weight_g: 200,
        unit_price_excl_vat: '216.00',
        hs_code: '61091000',
        origin: 'PT',
      },
      { sku: 'CAP', name: 'Cap, cotton', qty: 1, weight_g: 72, unit_price_excl_vat: '107.28', origin: 'CN' },
    ],
    ship_to: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0155', city: 'Oslo', country: 'NO' },
  })
  const page = await services.open(boss, `/parcels/orders?id=${order.id}`)
  await page.getByText('CAP has no HS code. Enter it on the order or the product.').waitFor()
  await page.getByText('Goods to Norway are cleared by customs one parcel at a time.').waitFor()
  await picture(page, 'order-missing')
  await page.getByRole('button', { name: 'Correct weight and customs data' }).nth(1).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('textbox', { name: 'Tariff code' }).fill('6505.00.30')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('CAP has no HS code').waitFor({ state: 'hidden' })
  await page.getByText('CN23 · Commercial invoice').waitFor()

  await boss.send(labels.create, {
    ...{ agent_code: 'slow', shipping_method: 'parcel', operation_code: 'outbound' },
    body: {
      order_id: order.id,
      parcels: [
        {
          weight_g: 620,
          lines: [
            { order_line_id: elementAt(order.lines, 0), quantity: 2 },
            { order_line_id: elementAt(order.lines, 1), quantity: 1 },
          ],
        },
      ],
    },
  })
  for (const name of ['CN23', 'Commercial invoice']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Save ${name}` }).click()])
    const text = (await readText(await readFile(await download.path()))).join(' ')
    expect(text, name).toContain('539.28')
    expect(text, name).toContain('65050030')
  }
  await picture(page, 'order-papers')
})

it('a registration number is refused in another form and kept', async () => {
  const page = await services.open(boss, '/settings/customs-config')
  await page.getByRole('button', { name: 'Add number' }).first().click()
  const form = page.getByRole('dialog', { name: 'New number' })
  await form.getByRole('textbox', { name: 'Number' }).fill('12345678')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter the number in the form of its kind and country').waitFor()
  await form.getByRole('textbox', { name: 'Number' }).fill('DK12345678')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'DK12345678' }).waitFor()
  await picture(page, 'customs-numbers')
  await page.getByRole('tab', { name: 'Exchange rates' }).click()
  await page.getByText('No reference rates of the European Central Bank yet.').waitFor()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByText('Regulations (EU) 2026/382').waitFor()
  await picture(page, 'customs-rules')
})

it('three answers make the customs description of a product', async () => {
  const page = await services.open(boss, '/parcels/products?id=new')
  const form = page.getByRole('dialog', { name: 'New product' })
  await form.getByRole('button', { name: 'Describe the product' }).click()
  await form.getByRole('textbox', { name: 'What is it?' }).fill('T-shirt')
  await form.getByRole('textbox', { name: 'What is it made of?' }).fill('knitted cotton')
  await form.getByRole('textbox', { name: 'What is it used for?' }).fill('for wearing')
  expect(await form.getByRole('textbox', { name: 'Customs description' }).inputValue()).toBe('T-shirt, knitted cotton, for wearing')
  await form.getByRole('textbox', { name: 'Tariff code' }).fill('6109.10.00')
  await form.getByText('Chapter 61').waitFor()
  await form.getByRole('textbox', { name: 'SKU' }).fill('TEE-9')
  await form.getByRole('textbox', { name: 'Name' }).fill('Tee')
  await form.getByRole('textbox', { name: 'Manufacturer’s number' }).fill('PT-200')
  await picture(page, 'product-form')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Product saved').waitFor()
  const { rows } = await boss.send(products.search, { query: 'TEE-9' })
  expect(rows).toMatchObject([{ sku: 'TEE-9', manufacturer_no: 'PT-200', customs_text: 'T-shirt, knitted cotton, for wearing' }])
})
