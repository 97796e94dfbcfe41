/** Journey: samples and gifts – the main company adds one, orders get it, and the station asks for it before it closes the parcel. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { additionalProducts } from '#features/orders/additional-products/additional-products.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { idle } from './station.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
let kim: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  kim = await operator.hire(['scan'], operator.main, 'Kim')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const lamp = { sku: 'LAMP', barcode: '2000000000022', name: 'Head lamp', qty: 1, weight_g: 200 }

it('adds a product, says beside the field what is wrong, changes and removes it', async () => {
  const page = await services.open(boss, '/settings/additional-products')
  await page.getByText('No additional products yet').waitFor()
  await picture(page, 'additional-empty')
  await page.getByRole('button', { name: 'Add product' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New additional product' })
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Tea sample')
  await drawer.getByRole('combobox', { name: 'At the station' }).selectOption('scan')
  await drawer.getByRole('textbox', { name: 'Left in stock' }).fill('50')
  await drawer.getByRole('button', { name: 'Add product' }).click()
  await drawer.getByText('Enter the barcode that the packer scans').waitFor()
  await drawer.getByRole('textbox', { name: 'Barcode' }).fill('TEA-1')
  await picture(page, 'additional-new')
  await drawer.getByRole('button', { name: 'Add product' }).click()
  const opened = page.getByRole('dialog', { name: 'Additional product', exact: true })
  await opened.getByRole('button', { name: 'Add picture' }).waitFor()
  expect((await boss.send(additionalProducts.list, {})).rows).toMatchObject([{ name: 'Tea sample', barcode: 'TEA-1', stock_left: 50 }])
  await opened.getByRole('textbox', { name: 'Left in stock' }).fill('40')
  await opened.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await boss.send(additionalProducts.list, {})).rows[0]?.stock_left).toBe(40)
  await picture(page, 'additional-open')
  await opened.getByRole('button', { name: 'Remove product' }).click()
  await page.getByRole('dialog', { name: 'Remove Tea sample?' }).getByRole('button', { name: 'Remove product' }).click()
  await page.getByText('No additional products yet').waitFor()
})

it('asks at the station for what is scanned and what is confirmed, and closes the parcel after the last one', async () => {
  const everyOrder = { v: 1 as const, all: [] }
  await boss.send(additionalProducts.create, {
    body: { name: 'Tea sample', barcode: 'TEA-1', handling: 'scan', conditions: everyOrder, texts: { en_GB: 'On top of everything' } },
  })
  await boss.send(additionalProducts.create, { body: { name: 'Gift card', conditions: everyOrder, position: 1, bin: 'G-1' } })
  await boss.send(additionalProducts.create, { body: { name: 'Winter flyer', handling: 'show', conditions: everyOrder, position: 2 } })
  const order = await placeOrder(services.services.database, scopeOfCompany(operator), { lines: [lamp] })
  const page = await services.open(kim, '/', { station: 'Bench 4' })
  await idle(page)
  await scan(page, `${order.company_id}:${order.id}`)
  await page.getByText('Head lamp', { exact: true }).first().waitFor()
  await page.getByRole('list', { name: 'Added by rules' }).getByText('1 × Winter flyer').waitFor()
  await picture(page, 'additional-packing')
  await scan(page, lamp.barcode)
  await page.getByText('Scan it into the parcel').waitFor()
  await page.getByText('On top of everything').waitFor()
  await picture(page, 'additional-scan')
  await press(page, 'Enter')
  await page.getByText('Scan it into the parcel').waitFor()
  await scan(page, 'TEA-1')
  await page.getByText('Put it into the parcel').waitFor()
  await picture(page, 'additional-confirm')
  await press(page, '2')
  await page.getByText('Put it into the parcel').waitFor({ state: 'detached' })
  const states = async () => (await boss.send(additionalProducts.ofOrder, { id: order.id })).rows.map(row => `${row.state} ${row.name}`)
  await expect.poll(states).toEqual(['packed Tea sample', 'skipped Gift card', 'packed Winter flyer'])

  const office = await services.open(boss, `/parcels/orders?id=${order.id}`)
  await office.getByRole('region', { name: 'Added by rules' }).getByText('1 × Gift card').waitFor()
  await picture(office, 'additional-order')
})
