/** Journey: a file without rows leads to another one, and a file with bad cells says under which column they stand. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

const header = 'order_no;ordered_at;ship_name;ship_address1;ship_postcode;ship_city;ship_country;sku;name;qty;unit_price_incl_vat;currency'
const row = (order_no: string, qty: string) =>
  `${order_no};2026-11-10;Lene Hansen;Skibhusvej 1;5000;Odense C;DK;MUG-01;Mug, blue;${qty};99,00;DKK`
const file = (name: string, ...lines: string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) })

let services: JourneyApp
let clerk: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  const operator = await services.operator()
  clerk = await operator.hire(['parcels_admin'], operator.main, 'Mette Friis')
})
afterAll(() => services?.close())

it('says what is wrong with a file and takes another one in its place', async () => {
  const page = await services.open(clerk, '/parcels/orders/import', { viewport: { width: 1024, height: 768 } })
  const select = async (chosen: ReturnType<typeof file>) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Select file' }).click()
    await (await choosing).setFiles(chosen)
  }
  await page.getByRole('combobox', { name: 'Shop' }).fill('no shop!')
  await page.getByText('A shop code has up to 40 small letters, digits, dots and hyphens').first().waitFor()
  expect(await page.getByRole('button', { name: 'Select file' }).isDisabled()).toBe(true)
  await page.getByRole('combobox', { name: 'Shop' }).fill('main')

  await select(file('empty.csv', header))
  const alert = page.getByRole('alert').filter({ hasText: 'This file cannot be imported' })
  await alert.getByText('The file has no rows under its header').waitFor()

  await select(file('orders.csv', header, row('N1', '2'), row('N2', 'two')))
  await page.getByRole('heading', { name: 'What the columns mean' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Quantity: “two” is no number with the chosen decimal sign').waitFor()
  await page.getByRole('button', { name: 'Import orders' }).click()
  await page.getByText('Imported', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save refused rows' }).waitFor()
})
