/** Journey: a clerk asks a customer, who answers on a phone in German; the order's page shows it. And a question from the tracking page. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tokenOf } from '#features/messages/decision-links/decision-links.queries.ts'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
const phone = { viewport: { width: 390, height: 844 }, station: null, isMobile: true, hasTouch: true } as const

beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ settings: { color: '#14597a', locale: 'en_GB', support_phone: '+45 70 10 20 30' } })
  clerk = await operator.hire(['parcels'], operator.main, 'Ida Holm')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`), fullPage: true })
}
const place = () => placeOrder(services.services.database, scopeOfCompany(operator), { locale: 'de_DE', ship_to: { phone: '+4520123456' } })

/** The secret that the recipient gets: it is stored nowhere. */
async function secretOf(order_id: number): Promise<string> {
  const scope = scopeOfCompany(operator)
  const { seed } = await services.services.database.transaction(scope, db =>
    db.selectFrom('decision_links').select('seed').where('order_id', '=', order_id).executeTakeFirstOrThrow(),
  )
  return tokenOf(services.services.vault, scope, seed)
}

it('a clerk asks from the order, a customer answers on a phone in German, and the order shows the answer', async () => {
  const order = await place()
  const page = await services.open(clerk, `/parcels/orders?id=${order.id}`)
  await page.getByRole('button', { name: 'Ask customer', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Ask customer' })
  await drawer
    .getByText(/Guten Tag Lene, wir brauchen Ihre Antwort zur Bestellung/)
    .first()
    .waitFor()
  await drawer.getByText(/1 message · \d part/).waitFor()
  await picture(page, 'ask-drawer')
  await drawer.getByRole('button', { name: 'Send question', exact: true }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByText('Waiting for answer').waitFor()
  await picture(page, 'ask-waiting')

  const customer = await services.open({ company: operator.main }, `/answer#${await secretOf(order.id)}`, phone)
  await customer.getByRole('heading', { name: 'Was sollen wir tun?' }).waitFor()
  await customer.getByText(`Bestellung ${order.order_no}`).first().waitFor()
  expect(await customer.locator('body').textContent()).not.toMatch(/Lene|Skibhusvej|Odense/)
  expect(await customer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await picture(customer, 'answer-choices-de')
  await customer.getByRole('button', { name: 'An eine andere Adresse senden' }).click()
  await customer.getByRole('heading', { name: 'Wohin soll es gehen?' }).waitFor()
  await customer.getByLabel('Bisherige Postleitzahl der Bestellung').fill('9999')
  await customer.getByLabel('Straße und Nummer').fill('Ny Vej 7')
  await customer.getByLabel('Postleitzahl', { exact: true }).fill('2100')
  await customer.getByLabel('Ort', { exact: true }).fill('København Ø')
  await customer.getByRole('button', { name: 'Bestätigen' }).click()
  await customer.getByRole('alert').getByText('Die Postleitzahl stimmt nicht. Noch 4 Versuche.').waitFor()
  await picture(customer, 'answer-address-de')
  await customer.getByLabel('Bisherige Postleitzahl der Bestellung').fill('5000')
  await customer.getByRole('button', { name: 'Bestätigen' }).click()
  await customer.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
  await picture(customer, 'answer-done-de')
  // Used up: the page knows no order any more, and speaks the language of the browser.
  await customer.reload()
  await customer.getByText('This link cannot be used any more.').waitFor()
  await picture(customer, 'answer-gone-de')

  await page.getByText('Answered', { exact: true }).waitFor()
  await page.getByText('The customer entered a new address').waitFor()
  await page.getByText('Ny Vej 7').first().waitFor()
  await picture(page, 'ask-answered')
})

it('a customer writes to the shop from the tracking page, and the question stands in the thread of the order', async () => {
  const order = await place()
  const tracked = new URL(trackingUrl(services.services, operator.main, { order_id: order.id }))
  const customer = await services.open({ company: operator.main }, tracked.pathname + tracked.search, phone)
  await customer.getByRole('button', { name: 'Dem Shop zu dieser Bestellung schreiben' }).click()
  await customer.getByLabel('Worum geht es?').selectOption('damaged')
  await customer.getByLabel('Ihre Frage').fill('Der Becher ist zerbrochen')
  await customer.getByText('Der Shop antwortet per E-Mail.').waitFor()
  await picture(customer, 'tracking-help-de')
  await customer.getByRole('button', { name: 'Frage senden' }).click()
  await customer.getByText('Der Shop hat Ihre Frage erhalten').first().waitFor()
  expect((await clerk.send(messages.thread, { id: order.id })).rows).toMatchObject([
    { direction: 'in', subject: 'Something is damaged', text: 'Der Becher ist zerbrochen', handled_at: null },
  ])
})
