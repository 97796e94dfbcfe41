/** Journey: two packed parcels to Norway are previewed, frozen and downloaded; number and sums are the same everywhere. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countryId } from '#domain/countries.ts'
import { bulkInvoicing } from '#features/invoicing/bulk-invoicing/bulk-invoicing.contract.ts'
import { invoices } from '#features/invoicing/invoices/invoices.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { readText } from '../label-reader.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { hasFocus, press } from './keyboard.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ settings: { sender } })
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

const parcel = (description: string, hs_code: string | undefined, amount: number) =>
  boss.send(labels.create, {
    agent_code: 'own',
    shipping_method: 'van',
    operation_code: 'outbound',
    body: {
      recipient: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0155', city: 'Oslo', country: 'NO' },
      parcels: [
        {
          weight_g: 700,
          lines: [
            {
              description,
              quantity: 2,
              origin: 'PT',
              net_weight_g: 400,
              value: { amount, currency: 'NOK' },
              ...(hs_code !== undefined && { hs_code }),
            },
          ],
        },
      ],
    },
  })

it('parcels to Norway wait, are checked, and get one invoice whose PDF has the number and the sums of the screen', async () => {
  const page = await services.open(boss, '/settings/bulk-invoicing-config')
  await page.getByText('No bulk invoicing yet').waitFor()
  await page.getByRole('button', { name: 'Add country' }).first().click()
  const form = page.getByRole('dialog', { name: 'New configuration' })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter a currency such as NOK').waitFor()
  await form
    .getByRole('textbox', { name: 'Country' })
    .or(form.getByRole('combobox', { name: 'Country' }))
    .first()
    .fill('Norway')
  await page.getByRole('option', { name: 'Norway' }).click()
  await form.getByRole('textbox', { name: 'Currency' }).fill('NOK')
  await picture(page, 'bulk-invoicing-form')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Incomplete').first().waitFor()
  const [config] = await boss.send(bulkInvoicing.list, {})
  expect(config).toMatchObject({ country: 'NO', country_id: countryId('NO'), active: false })
  const party = { name: 'Fjord AS', address1: 'Kaia 1', postcode: '0150', city: 'Oslo' }
  await boss.send(bulkInvoicing.update, {
    config_id: config!.config_id,
    body: {
      importer: { ...party, country: 'NO', vat_no: '974760673' },
      exporter: { ...party, country: 'DK', vat_no: 'DK12345678' },
      version: config!.version,
    },
  })
  await boss.send(bulkInvoicing.setActive, { config_id: config!.config_id, active: true })
  await page.getByText('In use').first().waitFor()
  await picture(page, 'bulk-invoicing')

  await parcel('T-shirt, knitted cotton', '61091000', 48_000)
  await parcel('Cap, cotton', '65050030', 19_900)
  await parcel('Something else', undefined, 500)
  await page.goto(page.url().replace(/\/settings\/.*$/, '/lists/invoices'))
  await page.getByText('No invoices yet').waitFor()
  await picture(page, 'invoices-empty')
  await page.getByRole('tab', { name: /Norway 3/ }).click()
  await page.getByText('2 parcels ready, 1 incomplete').waitFor()
  await page.getByText('Tariff code').first().waitFor()
  await picture(page, 'invoices-waiting')
  await page.getByRole('button', { name: 'New invoice' }).click()
  await page.getByRole('dialog', { name: 'New invoice' }).getByRole('button', { name: 'Make draft' }).click()
  await page.getByRole('region', { name: 'Checks' }).getByText('Lines and parcels have the same sums').waitFor()
  await page.getByText('NOK 679.00').or(page.getByText('679.00')).first().waitFor()
  await picture(page, 'invoice-draft')
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze invoice' }).click()
  const year = new Date().getFullYear()
  await page.getByRole('heading', { name: `${year}-0001` }).waitFor()
  await picture(page, 'invoice-frozen')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download as PDF' }).click()
  expect((await download).suggestedFilename()).toBe(`invoice-${year}-0001.pdf`)
  const [row] = (await boss.send(invoices.list, {})).rows
  const invoice = await boss.send(invoices.get, { id: row!.id })
  const pdf = await boss.send(invoices.download, { id: row!.id })
  const text = (await readText(Buffer.from(pdf.bytes as Uint8Array))).join(' ')
  expect(text).toContain('679.00 NOK')
  expect(text).toContain(`${year}-0001`)
  expect(invoice.total).toBe(67_900)
  expect(invoice.line_rows.reduce((sum, line) => sum + line.value, 0)).toBe(67_900)
  expect(invoice.parcel_rows.reduce((sum, one) => sum + one.value, 0)).toBe(67_900)

  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('tab', { name: 'All invoices' }).click()
  await page.getByRole('link', { name: `${year}-0001` }).waitFor()
  await picture(page, 'invoices')

  // Who opens a row by keyboard goes on from it.
  const grid = page.getByRole('grid', { name: 'Invoices' })
  await grid.focus()
  await press(page, 'ArrowDown')
  await press(page, 'Enter')
  await page.getByRole('heading', { name: `${year}-0001` }).waitFor()
  await page.goBack()
  await hasFocus(grid)
})
