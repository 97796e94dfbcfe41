/** Journey: an alert is set, an order that comes in meets it, and the office checks it. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderAlertSettings, orderAlerts } from '#features/orders/order-alerts/order-alerts.contract.ts'
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

/** An order of 12,500 DKK, as a shop sends it. */
async function store(order_no: string): Promise<number> {
  const system = createSystemContext(services.services, scopeOfCompany(operator, operator.main))
  const order = toOrder(
    CanonicalOrder.parse({
      ...{ order_no, currency: 'DKK', payment_status: 'paid', totals: { excl_vat: '10000.00', vat: '2500.00', incl_vat: '12500.00' } },
      lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 2, weight_g: 500, unit_price_incl_vat: '6250.00' }],
      ship_to: { name: 'Kari Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense', country: 'DK', email: 'kari@example.test' },
    }),
  )
  const [stored] = await system.transaction(context => storeOrders(context, [order]))
  return stored?.order_id ?? 0
}

it('an alert is set with its mistakes named in place, met by an order, and checked at its page', async () => {
  await store('E-1')
  const page = await services.open(boss, '/settings/order-alerts')
  await page.getByText('No order alerts yet').waitFor()
  await page.getByText('No e-mail account yet').waitFor()
  await picture(page, 'order-alerts-empty')
  await page.getByRole('button', { name: 'Add alert' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New alert' })
  await drawer.getByRole('textbox', { name: 'Recipient' }).fill('watch')
  await drawer.getByRole('button', { name: 'Add alert' }).click()
  await drawer.getByText('This is not an e-mail address').waitFor()
  await drawer.getByText('Write what the packer reads.').waitFor()
  await drawer.getByRole('textbox', { name: 'Recipient' }).fill('watch@example.com')
  await drawer.getByRole('textbox', { name: 'Note' }).fill('Look at the payment')
  await drawer.getByRole('button', { name: 'Add alert' }).click()
  await drawer.getByText('Set at least one threshold or condition.').waitFor()
  const value = drawer.getByRole('group', { name: 'Value of the order' })
  await value.getByRole('textbox', { name: 'Lowest' }).fill('5000')
  await value.getByRole('textbox', { name: 'Highest' }).fill('4000')
  await drawer.getByRole('button', { name: 'Add alert' }).click()
  await drawer.getByText('The lowest value is above the highest.').waitFor()
  await value.getByRole('textbox', { name: 'Highest' }).fill('')
  await drawer.getByText('Would have met 1 of 1 orders in 30 days').waitFor()
  await picture(page, 'order-alerts-form')
  await drawer.getByRole('button', { name: 'Add alert' }).click()
  await page.getByText('Order value at least 5,000.00').or(page.getByText('Order value at least')).first().waitFor()
  const { rows } = await boss.send(orderAlerts.search, {})
  expect(rows).toMatchObject([{ email: 'watch@example.com', mode: 'note', order_value_min: 500_000, order_value_max: null }])

  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const settings = page.getByRole('dialog', { name: 'Settings of order alerts' })
  await settings.getByRole('textbox', { name: 'Minutes to gather alerts' }).fill('30')
  await picture(page, 'order-alerts-settings')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await boss.send(orderAlertSettings.get, {})).digest_minutes).toBe(30)

  const id = await store('E-2')
  await page.goto(page.url().replace(/\/settings\/.*$/, '/parcels/orders?badge=alert'))
  await page.getByRole('link', { name: 'E-2' }).waitFor()
  await page.getByText('Look at the payment').first().waitFor()
  expect(await page.getByRole('link', { name: 'E-1' }).count()).toBe(0)
  await picture(page, 'order-alerts-list-of-orders')
  await page.getByRole('link', { name: 'E-2' }).click()
  const met = page.getByRole('region', { name: 'Order alerts' })
  await met.getByText('Not mailed to watch@example.com yet').waitFor()
  await page.waitForTimeout(500)
  await picture(page, 'order-alerts-order')
  await met.getByRole('button', { name: 'Mark as checked' }).click()
  await met.getByText('By Astrid Holm').waitFor()
  expect((await boss.send(orderAlerts.ofOrder, { id })).rows).toMatchObject([{ state: 'kept' }])

  await page.goto(page.url().replace(/\/parcels\/.*$/, '/settings/order-alerts'))
  await page.getByRole('link', { name: 'watch@example.com' }).click()
  const open = page.getByRole('dialog', { name: 'Order alert' })
  await open.getByRole('button', { name: 'Remove alert' }).click()
  await page.getByText('Alert for watch@example.com removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'watch@example.com' }).waitFor()
  await picture(page, 'order-alerts')
})
