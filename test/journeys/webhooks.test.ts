/** The company's own system gets events: a webhook is added, tested, fails, and is looked after in its log. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { webhookObjects } from '#app/webhook-objects.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { startWebhookReceiver } from '#features/deliveries/webhooks/webhook-receiver.fake.ts'
import { sendWebhooks } from '#features/deliveries/webhooks/webhook-sender.server.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  services = await openJourneyApp()
  services.services.config.allowed_networks = ['127.0.0.0/8']
  receiver = await startWebhookReceiver(() => services.services.now())
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Mette Friis')
})
afterAll(async () => {
  await receiver?.close()
  await services?.close()
})

it('a webhook is added and tested, and an event that failed is sent again from its log', async () => {
  const page = await services.open(boss, '/settings/webhooks', { viewport: { width: 1440, height: 900 } })
  await page.getByText('No webhook yet').waitFor()
  // The list of settings is longer than the screen, and shows where one is.
  const entry = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' })
  const bottom = async () => ((await entry.boundingBox())?.y ?? 0) + ((await entry.boundingBox())?.height ?? 0)
  await expect.poll(bottom).toBeLessThan(880)
  // A banner above the page takes from the list of settings too, and pushes no title out of sight.
  await page.locator('#page').evaluate(main => {
    const banner = document.createElement('div')
    banner.style.cssText = 'flex: none; height: 50px'
    main.before(banner)
  })
  await expect.poll(() => page.locator('#page').evaluate(main => main.scrollHeight - main.clientHeight)).toBe(0)
  await page.reload()
  await page.getByRole('button', { name: 'Add webhook' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add webhook' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Bookkeeping')
  await drawer.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook')
  await drawer.getByRole('button', { name: 'Add webhook' }).click()
  await drawer.getByText('Choose at least one event').waitFor()
  await drawer.getByRole('checkbox', { name: 'Orders' }).check()
  await drawer.getByRole('button', { name: 'Add webhook' }).click()
  await drawer.getByText('This is not a public address').waitFor()
  await drawer.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await drawer.getByRole('button', { name: 'Add webhook' }).click()
  const once = page.getByRole('dialog', { name: 'Copy the secret now' })
  receiver.setSecret((await once.getByText(/^whsec_/).textContent()) ?? '')
  await once.getByRole('button', { name: 'Secret copied' }).click()

  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const test = page.getByRole('dialog', { name: 'Test' })
  receiver.setAnswer(() => ({ status: 500, text: 'Not today' }))
  await test.getByRole('button', { name: 'Send test' }).click()
  await test.getByText('Not today').waitFor()
  expect(receiver.received).toMatchObject([{ genuine: true, body: { test: true } }])
  await test.getByRole('button', { name: 'Close' }).click()

  // Sentence and search do not touch.
  const [words, search] = [page.getByText('Nothing was delivered in the last 14 days.'), page.getByPlaceholder('Order, event id or answer')]
  const [above, below] = [await words.boundingBox(), await search.boundingBox()]
  expect((below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))).toBeGreaterThanOrEqual(8)

  const order = await placeOrder(services.services.database, scopeOfCompany(operator), { order_no: '24088' })
  await boss.send(orderComments.add, { id: order.id, type: 'praise', body: { comment: 'Thanks' } })
  const deliver = () => sendDeliveries(services.services, { webhook: sendWebhooks(webhookObjects) })
  await deliver()
  // An empty log takes what comes at once.
  await page.getByRole('row', { name: /order\.commented.*24088/ }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: /order\.commented.*24088.*Waiting/ }).click()
  const opened = page.getByRole('dialog', { name: 'Delivery' })
  await opened.getByText('Not today').waitFor()
  await opened.getByText('"order_no": "24088"').waitFor()
  await opened.getByText('Pakhus-Attempt: 1').waitFor()
  receiver.setAnswer(() => ({ status: 200 }))
  await opened.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('It is sent again now').waitFor()
  await deliver()
  await page.reload()
  await page.getByRole('row', { name: /order\.commented.*24088.*Delivered/ }).waitFor()
  expect(receiver.received.at(-1)).toMatchObject({ genuine: true, body: { type: 'order.commented', data: { order_no: '24088' } } })
})
