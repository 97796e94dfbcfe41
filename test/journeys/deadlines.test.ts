/** Journey: an admin makes a deadline, sees its open orders on the board, opens the rows behind a figure, and a television shows it by its link. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
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
  operator = await services.operator({ settings: { release_delay_s: 0 } })
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => services?.close())

async function store(count: number): Promise<void> {
  const system = createSystemContext(services.services, scopeOfCompany(operator, operator.main))
  const orders = Array.from({ length: count }, (_, place) =>
    toOrder(
      CanonicalOrder.parse({
        ...{ order_no: `E-${place + 1}`, currency: 'DKK', payment_status: 'paid' },
        lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 1, weight_g: 500, unit_price_incl_vat: '100.00' }],
        ship_to: {
          name: 'Kari Prøve',
          address1: 'Prøvevej 5',
          postcode: '5000',
          city: 'Odense',
          country: 'DK',
          email: 'kari@example.test',
        },
      }),
    ),
  )
  await system.transaction(context => storeOrders(context, orders))
}

it('a deadline is made, its orders stand on the board, each figure opens its orders, and a television shows it by its link', async () => {
  await store(3)
  const page = await services.open(boss, '/dashboard/deadlines')
  await page.getByText('No deadlines yet').waitFor()
  await page.getByRole('link', { name: 'Add deadline' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New deadline' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('GLS')
  // Every day, so that the journey is the same on each day of the week.
  for (const day of ['Sat', 'Sun']) await drawer.getByText(day, { exact: true }).click()
  await drawer.getByLabel('Cut-off').fill('23:59')
  await drawer.getByRole('button', { name: 'Add deadline' }).click()
  await drawer.getByText('The cut-off lies after the pickup.', { exact: false }).waitFor()
  await drawer.getByLabel('Pickup', { exact: true }).fill('23:59')
  await drawer.getByText('Takes 3 open orders', { exact: false }).waitFor()
  await drawer.getByRole('button', { name: 'Add deadline' }).click()
  await page.getByRole('link', { name: 'GLS' }).waitFor()
  // The queue gives the open orders their deadline.
  await expect.poll(async () => (await boss.send(deadlines.list, {})).rows[0]?.open_orders, { timeout: 20_000 }).toBe(3)

  await page.getByRole('tab', { name: 'Closed days' }).click()
  await page.getByRole('button', { name: 'Add day' }).click()
  const dayDrawer = page.getByRole('dialog', { name: 'New day' })
  await dayDrawer.getByLabel('Day', { exact: true }).fill(new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10))
  await dayDrawer.getByRole('textbox', { name: 'Note' }).fill('Stocktaking')
  await dayDrawer.getByRole('button', { name: 'Add day' }).click()
  await page.getByText('Stocktaking').first().waitFor()

  await page.getByRole('tab', { name: 'Board links' }).click()
  await page.getByRole('button', { name: 'Make link' }).first().click()
  const linkDrawer = page.getByRole('dialog', { name: 'New board link' })
  await linkDrawer.getByRole('textbox', { name: 'Name' }).fill('Packing hall')
  await linkDrawer.getByRole('button', { name: 'Make link' }).click()
  const link = await linkDrawer.locator('pre').textContent()
  expect(link).toContain('/deadlinesexternal/')
  await linkDrawer.getByRole('button', { name: 'Done' }).click()

  await page.goto(page.url().replace(/\/settings\/.*$/, '/dashboard/deadlines'))
  const card = page.getByRole('region', { name: 'GLS' })
  await card.getByText('0 / 3', { exact: false }).waitFor()
  await card.getByRole('link', { name: 'Ready: 3' }).click()
  for (const number of ['E-1', 'E-2', 'E-3']) await page.getByRole('link', { name: number }).waitFor()
  await page.getByRole('link', { name: 'E-1' }).click()
  await page.getByText('GLS', { exact: false }).first().waitFor()

  const television = await services.open({ company: operator.main }, new URL(link ?? '').pathname, {
    viewport: { width: 1920, height: 1080 },
  })
  await television.getByText('Packing hall').waitFor()
  await television.getByText('0 / 3').waitFor()
  expect(television.url()).toMatch(/\/deadlinesexternal\/board\?board=\d+$/)
  // A reload needs the cookie alone.
  await television.reload()
  await television.getByText('0 / 3').waitFor()
  expect(await television.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)).toBe(true)
  services.expectOutages()
  await television.context().setOffline(true)
  await television.waitForTimeout(3_000)
  await television.getByText('0 / 3').waitFor()
  await television.context().setOffline(false)
})
