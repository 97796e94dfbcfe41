/** Journey: handover to a courier – parcels are scanned out of their cage, the list is closed, and the driver signs. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import type { Shipment } from '#features/shipping/labels/labels.schemas.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

let services: JourneyApp
let operator: TestOperator
let jonas: TestUser
let printer_id: number

beforeAll(async () => {
  services = await openJourneyApp({}, { serviceWorker: true })
  operator = await services.operator({ settings: { sender, gs1_prefix: '5790001' } })
  jonas = await operator.hire(['admin'], operator.main, 'Jonas Krogh')
  printer_id = await services.filePrinter(jonas)
  await jonas.send(parcelShops.setConfig, {
    agent_code: 'own',
    body: { settings: { routes: 'City; 1000-1999; B7; 15:30\nFyn; 5000-5999; B8; 17:00' }, version: 0 },
  })
})
afterAll(() => services?.close())

/** A packed order with its label. */
async function packed(postcode: string): Promise<Shipment> {
  const barcode = `B-${randomUUID().slice(0, 8)}`
  const line = { sku: barcode, barcode, name: 'Thing', qty: 1, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' }
  const order = await placeOrder(services.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    ship_to: { postcode },
    lines: [line],
  })
  await jonas.send(packing.start, { id: order.id, body: { station: 'Bench 1' } })
  await jonas.send(packing.scan, { id: order.id, body: { scan_id: randomUUID(), code: barcode } })
  await jonas.send(packing.close, { id: order.id, body: { label_printer_id: printer_id } })
  const [shipment] = await jonas.send(labels.ofOrders, { ids: String(order.id) })
  return shipment as Shipment
}

const result = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name }).waitFor()

describe('the hand-over to a courier', () => {
  it('takes a scanner, one reason and the driver’s name', async () => {
    const [one, two, wrong, blocked, missing] = [
      await packed('1050'),
      await packed('1060'),
      await packed('5000'),
      await packed('1070'),
      await packed('1080'),
    ]
    const page = await services.open(jonas, '/lists/collect')
    await page.getByRole('region', { name: 'Own delivery B7' }).getByRole('button', { name: 'Start a list' }).click()
    await result(page, 'Scan a parcel')

    await scan(page, one.barcode ?? '')
    await result(page, 'Scanned')
    await scan(page, one.tracking_no ?? '')
    await result(page, 'Already scanned')
    await scan(page, wrong.barcode ?? '')
    await result(page, 'Belongs in B8')
    await page
      .getByRole('status')
      .getByText(/^Order .+ · .+/)
      .waitFor()
    // A code that is no parcel's counts as nothing and can be removed.
    await scan(page, 'NO-PARCEL-1')
    await result(page, 'Unknown barcode')
    await page.getByText('Extra 1', { exact: true }).click()
    const unknown = page.getByRole('region', { name: 'Unknown codes' })
    await unknown.getByText('NO-PARCEL-1').waitFor()
    await unknown.getByRole('button', { name: 'Remove' }).click()
    await unknown.waitFor({ state: 'hidden' })
    await jonas.send(labels.cancel, { agent_code: 'own', barcode: blocked.barcode ?? '' })
    await scan(page, blocked.barcode ?? '')
    await result(page, 'Take it out: label cancelled')

    // A dead spot: the scan waits on the device.
    services.expectOutages()
    await page.context().setOffline(true)
    await scan(page, two.barcode ?? '')
    await page.getByText('1 not sent').waitFor()
    await page.context().setOffline(false)
    await result(page, 'Scanned')
    await page.getByText('2 / 3').first().waitFor()

    await scan(page, 'CMD:FINALIZE')
    const dialog = page.getByRole('dialog', { name: /^Close CL/ })
    await dialog.getByText('2 parcels are scanned.').waitFor()
    const reason = dialog.getByLabel(`Why ${missing.tracking_no} is missing`)
    await expect.poll(() => reason.evaluate(field => field === document.activeElement)).toBe(true)
    expect(await dialog.getByRole('button', { name: 'Close list' }).isDisabled()).toBe(true)
    await dialog.getByLabel(`Why ${missing.tracking_no} is missing`).selectOption('next_pickup')
    await dialog.getByRole('button', { name: 'Close list' }).click()
    const driver = page.getByRole('dialog', { name: /^Hand over CL/ })
    await driver.getByLabel('Driver’s name').fill('Ole Vognmand')
    const field = await driver.getByRole('img', { name: 'Not signed yet' }).boundingBox()
    const [left, top] = [field?.x ?? 0, field?.y ?? 0]
    await page.mouse.move(left + 20, top + 80)
    await page.mouse.down()
    for (const x of [60, 100, 140, 180]) await page.mouse.move(left + x, top + (x % 80 === 20 ? 30 : 90), { steps: 4 })
    await page.mouse.up()
    await driver.getByRole('img', { name: 'Signed' }).waitFor()
    await driver.getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('Ole Vognmand').first().waitFor()

    const states = await jonas.send(labels.status, { ids: [one, two, wrong, blocked, missing].map(each => each.shipment_id).join(',') })
    expect(states.map(each => each.state)).toEqual(['handed_over', 'handed_over', 'booked', 'cancelled', 'booked'])
    expect(await jonas.send(orders.get, { id: one.order_id! })).toMatchObject({ work_state: 'handed_over' })
  })
})
