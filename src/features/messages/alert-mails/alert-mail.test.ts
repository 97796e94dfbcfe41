/** Mails of order alerts over a real SMTP server: when they go out, what they say, and what they never say. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { mailDueAlerts } from '#features/orders/order-alerts/mail-alerts.task.ts'
import { orderAlertSettings, orderAlerts } from '#features/orders/order-alerts/order-alerts.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { writeAlertMail } from './alert-mail.server.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let server: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
  operator = await testApp.operator({ shops: 1 })
  main = await operator.hire(['admin'])
  server = await startMailServer()
  return () => server.close()
})

const addAccount = () =>
  main.send(mail.save, {
    body: {
      ...{
        host: '127.0.0.1',
        port: server.port,
        security: 'none' as const,
        user_name: server.signIn.user,
        password: server.signIn.password,
      },
      ...{ from_name: 'Warehouse', from_address: 'warehouse@example.com', reply_to: null, version: null },
    },
  })
const set = (fields: object) =>
  main.send(orderAlerts.update, {
    id: 0,
    body: { email: 'watch@example.com', currency: 'DKK', order_count_min: 1, note: 'Look at it', ...fields },
  })
let numbers = 0
async function store(count: number, company = operator.main): Promise<void> {
  const system = createSystemContext(testApp.services, scopeOfCompany(operator, company))
  const written = () =>
    toOrder(
      CanonicalOrder.parse({
        order_no: `M${++numbers}`,
        currency: 'DKK',
        totals: { excl_vat: '10000.00', vat: '2500.00', incl_vat: '12500.00' },
        lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 2, weight_g: 500, unit_price_incl_vat: '100.00' }],
        ship_to: {
          name: 'Kari Prøve',
          address1: 'Prøvevej 5',
          postcode: '5000',
          city: 'Odense',
          country: 'DK',
          email: 'kari@example.test',
        },
      }),
    )
  await system.transaction(context => storeOrders(context, Array.from({ length: count }, written)))
}
async function send() {
  await mailDueAlerts(testApp.services)
  await sendDeliveries(testApp.services, { mail: sendMail({ 'alert.mail': writeAlertMail }) })
  return server.received
}
const later = async (minutes: number) => {
  const { services } = testApp
  const now = services.now
  services.now = () => new Date(Date.now() + minutes * 60_000)
  try {
    return await send()
  } finally {
    services.now = now
  }
}
/** The text of a mail, its soft line ends and encoded signs read. */
const textOf = (source: string) =>
  Buffer.from(
    source.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()

it('name orders of all companies in one mail, under the sender’s name of the settings, and no person', async () => {
  await addAccount()
  await main.send(orderAlertSettings.set, { body: { from_name: 'Watch', version: 0 } })
  await set({ digest: false })
  await store(2)
  await store(1, elementAt(operator.shops, 0))
  const received = await send()
  expect(received).toMatchObject([{ from: 'warehouse@example.com', to: ['watch@example.com'] }])
  const text = textOf(elementAt(received, 0).source)
  expect(text).toContain('From: Watch <warehouse@example.com>')
  for (const said of [`M${numbers}`, `M${numbers - 2}`, '12,500.00', 'Denmark', 'Items of the order', 'Look at it'])
    expect(text.replaceAll(' ', ' ')).toContain(said)
  for (const secret of ['Kari', 'Prøve', '5000', 'Odense', 'kari@example.test']) expect(text).not.toContain(secret)
  expect(await send()).toHaveLength(1)
})

it('wait until they are gathered, unless the order is held', async () => {
  await addAccount()
  await set({})
  await store(1)
  expect(await send()).toEqual([])
  expect(await later(9)).toEqual([])
  await store(1)
  expect(await later(11)).toHaveLength(1)
  await set({ mode: 'hold', email: 'hold@example.com' })
  await store(1)
  expect((await send()).map(one => one.to)).toEqual([['watch@example.com'], ['hold@example.com']])
})

it('are not written for an alert that was removed, and wait for a mail account no longer than three days', async () => {
  const { id } = await set({ digest: false })
  await store(1)
  expect(await send()).toEqual([])
  await addAccount()
  expect(await later(3 * 24 * 60 + 1)).toEqual([])
  await store(1)
  await main.send(orderAlerts.remove, { id })
  expect(await send()).toEqual([])
})
