/**
 * Journey: a clerk opens the portal in German, offers labels and codes of couriers and switches a rule on; a customer on a phone finds the
 * order, sends back two of three pieces with a photo and gets a code to show; the desk scans, inspects and restocks, the shop confirms the
 * refund, and the customer reads so. Another one withdraws from the contract, and
 * a third without scripts. The tracking page leads there.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { slowCourier } from '#integrations/couriers/slow.fake.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
let worker: TestUser
let remove: (() => void) | undefined
beforeAll(async () => {
  services = await openJourneyApp()
  const slow = slowCourier({ recovery: 'lookup', offers: { return_qr: true, parcel_shops: true } })
  slow.parcelShops = async ({ country, postcode }) =>
    ['Kiosk am Hafen', 'Blumen Sommer', 'Bäckerei Lund'].map((name, n) => ({
      ...{ id: `S${n}`, name, address1: `Gade ${n + 1}`, postcode, city: 'Odense', country, distance_m: 400 * (n + 1) },
      opening_hours: ['Mo–Fr 9–18'],
    }))
  remove = withCourier(slow)
  operator = await services.operator({
    settings: {
      ...{ color: '#14597a', locale: 'en_GB' },
      sender: { name: 'Nordlys', address1: 'Sundkaj 9', postcode: '2150', city: 'Nordhavn', country: 'DK' },
    } as never,
  })
  clerk = await operator.hire(['rma_admin'], operator.main, 'Ida Holm')
  worker = await operator.hire(['rma_admin', 'pick', 'settings_admin'], operator.main, 'Mette Friis')
})
afterAll(async () => {
  remove?.()
  await services?.close()
})

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const drawn = (background: string) =>
  sharp({ create: { width: 1600, height: 400, channels: 3, background } })
    .png()
    .toBuffer()

/** Two T-shirts and a cap, delivered the day before yesterday. */
async function deliver() {
  const { database } = services.services
  const scope = scopeOfCompany(operator)
  const { id, order_no } = await placeOrder(database, scope, { locale: 'de_DE', work_state: 'handed_over' })
  const at = new Date(Date.now() - 2 * 86_400_000).toISOString()
  await database.transaction(scope, async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ picked_qty: eb.ref('qty'), packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        ...{ order_id: id, agent_code: 'own', shipping_method: 'van', state: 'delivered', idempotency_key: `k${id}`, reference: `r${id}` },
        ...{ booked_at: at, handed_over_at: at, delivered_at: at },
      })
      .execute()
  })
  return { id, order_no }
}

it('a portal is opened in German, and a customer sends back two of three pieces on a phone', async () => {
  const page = await services.open(clerk, '/settings/rma-config?language=de_DE')
  await page.getByRole('button', { name: 'Open portal' }).click()
  await page.getByText('Write the return address and the confirmation in Deutsch first.').first().waitFor()
  await page.getByRole('textbox', { name: 'Greeting' }).fill('Etwas passt nicht? Kein Problem.')
  await page.getByRole('textbox', { name: 'Return address' }).fill('Nordlys Retouren\nHafenstraße 1\n24937 Flensburg')
  await page.getByRole('textbox', { name: 'Confirmation' }).fill('Danke, wir haben Ihre Retoure.')
  await page.getByRole('region', { name: 'Preview' }).getByText('Etwas passt nicht?').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Texts saved').first().waitFor()
  await page
    .getByRole('group', { name: 'Header image' })
    .locator('xpath=..')
    .locator('input[type=file]')
    .setInputFiles({ name: 'header.png', mimeType: 'image/png', buffer: await drawn('#8a5a1c') })
  await page.getByRole('group', { name: 'Header image' }).getByRole('button', { name: 'Replace image' }).waitFor()
  await page.getByRole('button', { name: 'Open portal' }).click()
  await page.getByRole('button', { name: 'Close portal' }).waitFor()
  await page.getByRole('button', { name: 'Create preview link' }).click()
  const link = await page.getByRole('link', { name: 'Open preview in Deutsch' }).getAttribute('href')
  await picture(page, 'portal-settings')
  await page.goto(`${services.origin(operator.main.code)}/settings/rma-config?part=periods`)
  await page.getByLabel('Customers may return for').waitFor()
  await picture(page, 'portal-rules')
  await page.goto(`${services.origin(operator.main.code)}/settings/rma-config?part=offer`)
  await page.getByRole('checkbox', { name: 'Exchange' }).check()
  await page.getByRole('checkbox', { name: 'Courier label' }).check()
  await page.getByRole('combobox', { name: 'Courier and method' }).click()
  await page.getByRole('option', { name: 'Own delivery: Own delivery' }).click()
  await page.getByRole('textbox', { name: 'Price for the customer' }).fill('39')
  await page.getByRole('checkbox', { name: 'QR code' }).check()
  const qr = page.locator('section', { hasText: 'Only couriers that document it' })
  await qr.getByRole('combobox', { name: 'Courier and method' }).click()
  // The own delivery has no codes.
  await page.getByRole('option', { name: 'Slow and sure: Parcel' }).waitFor()
  expect(await page.getByRole('option', { name: 'Own delivery: Own delivery' }).count()).toBe(0)
  await page.getByRole('option', { name: 'Slow and sure: Parcel' }).click()
  await qr.getByRole('textbox', { name: 'Price for the customer' }).fill('29')
  await qr.getByRole('button', { name: 'Add country price' }).click()
  await qr.getByRole('combobox', { name: 'From country' }).fill('Denmark')
  await page.getByRole('option', { name: 'Denmark' }).click()
  await qr.getByRole('textbox', { name: 'Price', exact: true }).fill('19')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Offer saved').first().waitFor()
  await picture(page, 'portal-offer')
  await page.goto(`${services.origin(operator.main.code)}/settings/rma-config?part=reasons`)
  await page.getByRole('button', { name: 'Add reason' }).click()
  const reason = page.getByRole('dialog', { name: 'New reason' })
  await reason.getByRole('button', { name: 'Add reason' }).click()
  await reason.getByText('Write the reason in one language at least.').waitFor()
  await reason.getByRole('textbox', { name: 'Words in Deutsch' }).fill('Farbe gefällt nicht')
  await reason.getByRole('button', { name: 'Add reason' }).click()
  await reason.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Farbe gefällt nicht' }).waitFor()
  for (const away of ['Ordered twice', 'Arrived too late']) {
    await page.getByRole('button', { name: `Edit ${away}` }).click()
    await page.getByRole('dialog', { name: 'Reason' }).getByRole('switch', { name: 'In use' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('row', { name: new RegExp(`${away} ?Off`) }).waitFor()
  }
  await picture(page, 'return-reasons')
  await page.goto(`${services.origin(operator.main.code)}/settings/rma-config?part=rules`)
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).fill('Refunds alone')
  await form.getByRole('checkbox', { name: 'Refund', exact: true }).check()
  await form.getByRole('textbox', { name: 'Bin or shelf' }).fill('R-01')
  await form.getByRole('checkbox', { name: 'Ask a question' }).check()
  await form.getByRole('textbox', { name: 'Text in English' }).fill('Have you worn it?')
  await form.getByRole('textbox', { name: 'Text in Deutsch' }).fill('Haben Sie es getragen?')
  await picture(page, 'return-rule-form')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await page.getByText('Rule saved. Try it before you switch it on.').first().waitFor()
  await page.getByRole('button', { name: 'Try on last 90 days' }).click()
  await page.getByText('Would have applied to 0 of 0 returns in 90 days').waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('Return rules switched on').first().waitFor()
  await picture(page, 'return-rules')

  const phone = { viewport: { width: 390, height: 844 }, station: null, isMobile: true, hasTouch: true } as const
  const at = new URL(link ?? '')
  const preview = await services.open({ company: operator.main }, `${at.pathname}${at.search}${at.hash}`, phone)
  await preview.getByText('Etwas passt nicht? Kein Problem.').waitFor()
  await preview.getByText('Vorschau').waitFor()
  await preview.getByLabel('Bestellnummer').fill('1001')
  await preview.getByLabel('Postleitzahl oder E-Mail').fill('24937')
  await preview.getByRole('button', { name: 'Bestellung suchen' }).click()
  await preview.getByRole('heading', { name: 'Welche Artikel?' }).waitFor()
  await preview.getByRole('button', { name: 'Mehr: Water bottle' }).click()
  await preview.getByRole('button', { name: 'Weiter' }).click()
  await preview
    .getByRole('radiogroup', { name: /Water bottle/ })
    .getByText('Passt nicht')
    .click()
  await preview.getByRole('button', { name: 'Weiter' }).click()
  await preview.getByRole('alert').getByText('Der Shop hat eine Frage zu Water bottle').waitFor()
  await preview.getByLabel('Haben Sie es getragen?').fill('Nein')
  await picture(preview, 'portal-preview-question-de')
  await preview.getByRole('button', { name: 'Weiter' }).click()
  await preview.getByRole('heading', { name: 'Was wünschen Sie?' }).waitFor()

  const { id, order_no } = await deliver()
  const tracked = new URL(trackingUrl(services.services, operator.main, { order_id: id }))
  const visitor = await services.open({ company: operator.main }, tracked.pathname + tracked.search, phone)
  await visitor.getByRole('link', { name: 'Artikel zurückgeben' }).click()
  await visitor.getByRole('heading', { name: 'Artikel zurückgeben' }).waitFor()
  expect(await visitor.getByLabel('Bestellnummer').inputValue()).toBe(order_no)
  await picture(visitor, 'portal-find-de')
  await visitor.getByLabel('Postleitzahl oder E-Mail').fill('9999')
  await visitor.getByRole('button', { name: 'Bestellung suchen' }).click()
  await visitor.getByRole('alert').getByText('Wir fanden keine Bestellung').waitFor()
  await visitor.getByLabel('Postleitzahl oder E-Mail').fill('5000')
  await visitor.getByRole('button', { name: 'Bestellung suchen' }).click()

  await visitor.getByRole('heading', { name: 'Welche Artikel?' }).waitFor()
  await visitor.getByRole('button', { name: 'Mehr: T-shirt, White / L' }).click()
  await visitor.getByRole('button', { name: 'Mehr: Cap' }).click()
  await visitor.getByText('Sie erhalten zurück: 225,00').waitFor()
  await picture(visitor, 'portal-items-de')
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor
    .getByRole('radiogroup', { name: /T-shirt/ })
    .getByText('Farbe gefällt nicht')
    .click()
  expect(await visitor.getByText('Doppelt bestellt').count()).toBe(0)
  await visitor.getByRole('radiogroup', { name: /Cap/ }).getByText('Beim Transport beschädigt').click()
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByRole('alert').getByText('Fügen Sie ein Foto von Cap hinzu.').waitFor()
  await visitor.locator('input[type=file]').setInputFiles({ name: 'cap.png', mimeType: 'image/png', buffer: await drawn('#8a1c1c') })
  await visitor.getByRole('button', { name: 'Foto 1 entfernen' }).waitFor()
  await picture(visitor, 'portal-why-de')
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByRole('alert').getByText('Der Shop hat eine Frage zu T-shirt').waitFor()
  await visitor.getByLabel('Haben Sie es getragen?').first().fill('Nur anprobiert')
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByRole('alert').getByText('Beantworten Sie die Frage zu Cap.').waitFor()
  await picture(visitor, 'portal-question-de')
  await visitor.getByLabel('Haben Sie es getragen?').nth(1).fill('Nein')
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByRole('heading', { name: 'Was wünschen Sie?' }).waitFor()
  // The rule leaves no exchange.
  expect(await visitor.getByText('Umtausch').count()).toBe(0)
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByRole('heading', { name: 'Wie senden Sie es?' }).waitFor()
  await visitor.getByRole('radio', { name: /Etikett vom Paketdienst.*39,00/ }).waitFor()
  await visitor.getByRole('radio', { name: /QR-Code.*19,00/ }).check()
  await visitor.getByText('Gebühr und Etikett').waitFor()
  await visitor.getByRole('button', { name: 'Paketshops zeigen' }).click()
  await visitor.getByRole('radio', { name: /Blumen Sommer/ }).check()
  await picture(visitor, 'portal-shops-de')
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await picture(visitor, 'portal-how-de')
  await visitor.getByRole('button', { name: 'Retoure absenden' }).click()
  await visitor.getByRole('heading', { name: 'Ihre Retoure ist angemeldet' }).waitFor()
  await visitor.getByText(/^R\d{7}$/).waitFor()
  expect(await visitor.getByRole('link', { name: 'QR-Code zeigen' }).getAttribute('href')).toMatch(/^https:\/\/qr\.slow\.example\//)
  await visitor.getByRole('button', { name: 'Stattdessen ein Etikett drucken' }).waitFor()
  await visitor.getByText('Blumen Sommer, Gade 2').waitFor()
  // A lost one is replaced.
  const lost = await visitor.getByRole('link', { name: 'QR-Code zeigen' }).getAttribute('href')
  await visitor.getByRole('button', { name: 'Neuer QR-Code' }).click()
  await expect.poll(() => visitor.getByRole('link', { name: 'QR-Code zeigen' }).getAttribute('href')).not.toBe(lost)
  await picture(visitor, 'portal-progress-de')
  // The address holds the secret link: a reload shows the same return.
  await visitor.reload()
  await visitor.getByRole('heading', { name: 'Ihre Retoure ist angemeldet' }).waitFor()
  await visitor.getByRole('button', { name: 'Retoure stornieren' }).waitFor()

  // At the desk: the label of the customer, the scan, a T-shirt as new, the cap not in the parcel.
  const rma_no = (await visitor.getByText(/^R\d{7}$/).textContent()) ?? ''
  const desk = await services.open(worker, '/returns', { station: null })
  await desk.getByRole('grid', { name: 'Returns' }).getByRole('link', { name: rma_no }).click()
  const label = desk.getByRole('region', { name: 'Return label' })
  await label.getByText('Not used yet').waitFor()
  const saved = desk.waitForEvent('download')
  await label.getByRole('button', { name: 'Save as PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.pdf$/)
  await desk.getByRole('link', { name: 'Back to the list' }).click()
  await scan(desk, rma_no)
  await desk.getByRole('heading', { level: 1, name: rma_no }).waitFor()
  await desk.getByText('Nur anprobiert').waitFor()
  await label.getByText('Used: the parcel has arrived').waitFor()
  await desk.getByRole('button', { name: 'Inspect' }).first().click()
  const inspection = desk.getByRole('dialog', { name: 'Inspect T-shirt' })
  await inspection.getByText('A: as new').click()
  await inspection.getByRole('button', { name: 'Inspected' }).click()
  await inspection.waitFor({ state: 'detached' })
  await desk.getByRole('button', { name: 'Not in the parcel' }).click()
  await desk.getByText('Missing', { exact: true }).waitFor()
  await desk.getByRole('button', { name: 'Decide' }).first().click()
  const decision = desk.getByRole('dialog', { name: 'What becomes of 1 item?' })
  await decision.getByRole('textbox', { name: 'Bin' }).fill('A-01-1')
  await decision.getByRole('button', { name: 'Decide' }).click()
  await desk.getByText('Put back into A-01-1').waitFor()
  const [task] = (await worker.send(pickTasks.putBacks, {})).rows
  await worker.send(pickTasks.putBack, { id: task?.id ?? 0, body: { quantity: 1, bin: 'A-01-1' } })
  await desk.getByRole('region', { name: 'History' }).getByText('Put back: 1 × T-shirt into A-01-1').waitFor()
  await picture(desk, 'portal-return-at-the-desk')

  // The money is proposed; the shop confirms it with its key, and the customer's page says so.
  await desk.getByRole('button', { name: 'Propose refund' }).click()
  const proposal = desk.getByRole('dialog', { name: 'Propose refund' })
  await proposal.getByRole('button', { name: /^Propose / }).click()
  await proposal.waitFor({ state: 'detached' })
  const { key } = await worker.send(cmsKeys.create, { body: { name: 'Shop', shop: 'main' } })
  const headers = { authorization: key }
  const { rows } = (await services.visitor(operator.main).ask(returns.shopReturns, {}, { headers })).json()
  const total = rows.find((row: { rma_no: string }) => row.rma_no === rma_no).proposals[0].total
  const paid = { state: 'confirmed' as const, reference: 'PAY-1', amount: total }
  expect((await services.visitor(operator.main).ask(returns.shopMoney, { rma_no, body: paid }, { headers })).statusCode).toBe(200)
  await desk.getByText('Resolved', { exact: true }).first().waitFor()
  await visitor.reload()
  await visitor.getByText('Erstattet').first().waitFor()
  await picture(visitor, 'portal-refunded-de')
})

it('a customer withdraws from the contract in two steps, and reads when it was received', async () => {
  const { order_no } = await deliver()
  const visitor = await services.open({ company: operator.main }, '/rma-landing-page?lang=de_DE', {
    viewport: { width: 390, height: 844 },
    station: null,
    colorScheme: 'dark',
  })
  await visitor.getByRole('button', { name: 'Hier Vertrag widerrufen' }).click()
  await visitor.getByLabel('Name').fill('Lene Hansen')
  await visitor.getByLabel('Bestellnummer').fill(order_no)
  await visitor.getByLabel('E-Mail').fill('lene@example.test')
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByText('Ich widerrufe den Vertrag zu dieser Bestellung.').waitFor()
  await picture(visitor, 'portal-withdraw-de-dark')
  await visitor.getByRole('button', { name: 'Widerruf bestätigen' }).click()
  await visitor.getByRole('heading', { name: 'Wir haben Ihren Widerruf erhalten' }).waitFor()
  await visitor.getByText(/Eingegangen am .+ Bewahren Sie ein Bild/).waitFor()
})

it('without scripts an order is found, and one item of it withdrawn from, by plain forms', async () => {
  const { order_no } = await deliver()
  const visitor = await services.open({ company: operator.main }, '/rma-landing-page?lang=de_DE&utm=1', {
    ...{ viewport: { width: 390, height: 844 }, station: null, javaScriptEnabled: false },
  })
  await visitor.getByRole('heading', { name: 'Artikel zurückgeben' }).waitFor()
  await picture(visitor, 'portal-form-find-de')
  await visitor.getByLabel('Bestellnummer').fill(order_no)
  await visitor.getByLabel('Postleitzahl oder E-Mail').fill('9999')
  await visitor.getByRole('button', { name: 'Bestellung suchen' }).click()
  await visitor.getByRole('alert').getByText('Wir fanden keine Bestellung').waitFor()
  await visitor.getByLabel('Postleitzahl oder E-Mail').fill('5000')
  await visitor.getByRole('button', { name: 'Bestellung suchen' }).click()
  await visitor.getByRole('combobox', { name: 'Cap' }).selectOption('1')
  await visitor.getByLabel('Name').fill('Lene Hansen')
  await visitor.getByLabel('E-Mail').fill('lene@example.test')
  expect(
    await visitor
      .locator('html')
      .evaluate(page => page.scrollWidth)
      .catch(() => 390),
  ).toBeLessThanOrEqual(390)
  await picture(visitor, 'portal-form-order-de')
  await visitor.getByRole('button', { name: 'Weiter' }).click()
  await visitor.getByText('1 ×').waitFor()
  await picture(visitor, 'portal-form-confirm-de')
  await visitor.getByRole('button', { name: 'Widerruf bestätigen' }).click()
  await visitor.getByRole('heading', { name: 'Wir haben Ihren Widerruf erhalten' }).waitFor()
  await picture(visitor, 'portal-form-receipt-de')
})
