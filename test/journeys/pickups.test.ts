/** The office books three parcels at once, sees them together, and asks the courier to collect them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { pickups } from '#features/shipping/pickups/pickups.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { openFakeUps, upsAccount } from '#integrations/couriers/ups/ups.fake.ts'
import { upsAt } from '#integrations/couriers/ups/ups.ts'
import { sender } from '../sender.ts'
import type { TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let clerk: TestUser
let ups: Awaited<ReturnType<typeof openFakeUps>>
let forget: () => void
beforeAll(async () => {
  services = await openJourneyApp()
  ups = await openFakeUps()
  const host = { url: ups.server.url }
  forget = withCourier(upsAt({ live: host, test: host }))
  const operator = await services.operator({ settings: { sender: { ...sender, phone: '+45 70 10 20 30' } } })
  clerk = await operator.hire(['admin'], operator.main, 'Mette Friis')
  await clerk.send(parcelShops.setConfig, { agent_code: 'ups', body: { version: 0, settings: { ...upsAccount, mode: 'live' } } })
})
afterAll(async () => {
  forget?.()
  await ups?.close()
  await services?.close()
})

it('three parcels are booked at once, and shown and taken back together', async () => {
  const page = await services.open(clerk, '/parcels/shipments/new', { viewport: { width: 1440, height: 900 } })
  await page.getByRole('combobox', { name: 'Shipping method' }).click()
  await page.getByRole('option', { name: 'UPS: UPS Standard', exact: true }).click()
  const fill = (name: string, value: string) => page.getByRole('textbox', { name, exact: true }).first().fill(value)
  await fill('Name', 'Mads Friis')
  await fill('Street and number', 'Torvet 2')
  await fill('Postcode', '8000')
  await fill('City', 'Aarhus C')
  await fill('Phone', '+45 20 11 22 33')
  await page.getByRole('textbox', { name: 'Number of parcels' }).fill('3')
  await page.getByText('UPS takes up to 20 of them in one booking').waitFor()
  for (const [nth, grams] of ['1200', '900', '2400'].entries())
    await page
      .getByRole('region', { name: `Parcel ${nth + 1}` })
      .getByRole('textbox', { name: 'Weight', exact: true })
      .fill(grams)
  await page.getByRole('button', { name: 'Create 3 labels' }).click()
  await page.getByRole('button', { name: 'Save label' }).nth(2).waitFor()
  expect(ups.parcels).toHaveLength(3)
  expect(new Set(ups.parcels.map(one => one.shipment_no)).size).toBe(1)
  const [first] = ups.parcels
  await page.getByRole('link', { name: first!.number, exact: true }).click()
  const together = page.getByRole('region', { name: 'Booked together' })
  await together.getByText('Parcel 3').waitFor()
  await page.getByRole('button', { name: 'Cancel 3 labels' }).click()
  await page.getByRole('dialog', { name: 'Cancel 3 labels?' }).getByRole('button', { name: 'Cancel 3 labels' }).click()
  await expect.poll(() => ups.parcels.map(one => one.voided), { timeout: 20_000 }).toEqual([true, true, true])
})

it('a pickup is ordered with what is wrong beside its field, listed, and cancelled', async () => {
  const page = await services.open(clerk, '/parcels/shipments/pickups', { viewport: { width: 1440, height: 900 } })
  await page.getByText('No pickups').waitFor()
  await page.getByRole('button', { name: 'Order pickup' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Order pickup' })
  await drawer.getByLabel('Until', { exact: true }).fill('13:00')
  await drawer.getByRole('button', { name: 'Order pickup' }).click()
  await drawer.getByText('The end must be after the start').waitFor()
  await drawer.getByLabel('Until', { exact: true }).fill('17:00')
  await drawer.getByRole('textbox', { name: 'Note to the driver' }).fill('Gate 2')
  await drawer.getByRole('button', { name: 'Order pickup' }).click()
  await page.getByRole('row', { name: /Ordered.*Gate 2/ }).click()
  await page.getByRole('button', { name: 'Cancel pickup' }).click()
  await page.getByRole('dialog', { name: 'Cancel pickup?' }).getByRole('button', { name: 'Cancel pickup' }).click()
  await expect.poll(() => ups.pickups.map(one => one.cancelled), { timeout: 20_000 }).toEqual([true])
  await expect
    .poll(async () => (await clerk.send(pickups.list, { view: 'all' })).rows.map(row => row.state), { timeout: 20_000 })
    .toEqual(['cancelled'])
})
