/** Journey: a WooCommerce shop is connected, its order comes in and is packed, and the shop shows the tracking number. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { pullShops } from '#features/deliveries/shop-connections/pull-shops.task.ts'
import { pushToShop } from '#features/deliveries/shop-connections/push-orders.server.ts'
import { finishPacking } from '#features/orders/orders/order-state.commands.ts'
import { startWooShop, type WooShop } from '#integrations/shops/woocommerce/woocommerce-shop.fake.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
let shop: WooShop
beforeAll(async () => {
  services = await openJourneyApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  shop = await startWooShop(() => services.services.now(), { fulfilments: true })
})
afterAll(async () => {
  await services?.close()
  await shop?.close()
})

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const later = (seconds: number) => services.setNow(new Date(services.services.now().getTime() + seconds * 1_000))
const context = () => createSystemContext(services.services, scopeOfCompany(operator))

/** The order is in one parcel with a label of the own courier. */
const pack = (order_id: number, tracking_no: string) =>
  context().transaction(async tools => {
    const { db, now } = tools
    const lines = await db
      .selectFrom('order_lines')
      .select(['id', 'qty'])
      .where('order_id', '=', order_id)
      .where('type', '=', 'item')
      .execute()
    const { id } = await db
      .insertInto('shipments')
      .values({
        order_id,
        agent_code: 'own',
        shipping_method: 'parcel',
        state: 'booked',
        tracking_no,
        barcode: tracking_no,
        reference: tracking_no,
        idempotency_key: tracking_no,
        booked_at: now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('shipment_lines')
      .values(
        lines.map((line, at) => ({ shipment_id: id, line_no: at + 1, order_line_id: line.id, description: 'Towel', quantity: line.qty })),
      )
      .execute()
    await db.updateTable('orders').set({ work_state: 'in_pack', phase: 'in_pack' }).where('id', '=', order_id).execute()
    const event = { kind: 'order.packed' as const, data: { station: 'Bench 1', packer: 'Kim', rest: null } }
    await finishPacking(tools, [order_id], { at: now().toISOString(), event })
  })

it('a shop is connected, its order comes in, is packed, and the shop shows the tracking number', async () => {
  shop.place({ number: '1001' })
  const page = await services.open(boss, '/settings/shop-connections')
  await page.getByText('No shop is connected yet').waitFor()
  await page.getByRole('button', { name: 'Connect shop' }).click()
  await page.getByRole('button', { name: 'WooCommerce' }).click()
  await page.getByRole('textbox', { name: 'Address of the shop' }).fill(shop.url)
  await page.getByRole('textbox', { name: 'Consumer key' }).fill('wrong')
  await page.getByRole('textbox', { name: 'Consumer secret' }).fill(shop.keys.consumer_secret)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('A consumer key begins with ck_').waitFor()
  await picture(page, 'shop-connections-keys')
  await page.getByRole('textbox', { name: 'Consumer key' }).fill(shop.keys.consumer_key)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('Nordlys Keramik').waitFor()
  await page.getByRole('cell', { name: '1001', exact: true }).waitFor()
  await page.getByRole('cell', { name: 'Ready to pack' }).waitFor()
  await picture(page, 'shop-connections-test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The shop tells the customer').waitFor()
  await picture(page, 'shop-connections-settings')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: 'Shop code' }).fill('keramik')
  await page.getByRole('button', { name: 'Connect shop' }).click()
  await page.getByRole('heading', { name: 'Nordlys Keramik' }).waitFor()

  // The order was placed today, and the connection takes today's.
  await expect
    .poll(
      async () => {
        await pullShops(services.services)
        return page.getByRole('link', { name: '1001', exact: true }).count()
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  const [order] = await context().read(({ db }) =>
    db.selectFrom('orders').select(['id', 'external_id']).where('shop', '=', 'keramik').execute(),
  )
  await pack(order?.id ?? 0, 'GLS7001')
  await sendDeliveries(services.services, { shop: pushToShop })
  const external = Number(order?.external_id)
  expect(JSON.stringify(shop.fulfilments(external))).toContain('GLS7001')
  expect(shop.order(external)?.status).toBe('completed')
  await page.getByText('Reported: parcel GLS7001').waitFor()

  // Somebody corrects the address in the shop; the office does not wait for the next reading.
  later(1)
  await page.getByRole('textbox', { name: 'Order number in the shop' }).fill('1001')
  await page.getByRole('button', { name: 'Fetch this order again' }).click()
  await page.getByText('The order is as it is in the shop').waitFor()
  await page.getByRole('textbox', { name: 'Order number in the shop' }).fill('4711')
  await page.getByRole('button', { name: 'Fetch this order again' }).click()
  await page.getByRole('status').filter({ hasText: 'The shop has no such order' }).waitFor()
  await picture(page, 'shop-connections-health')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Connection paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Connection resumed').waitFor()
  await page.goto(page.url().replace(/\?.*$/, ''))
  await page.getByRole('link', { name: 'Nordlys Keramik' }).waitFor()
  await picture(page, 'shop-connections-list')
})
