/** Journeys: parcel shops and the webhook of a courier are set up, and an order's closed parcel shop makes place for another. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let bring: FakeBring
let operator: TestOperator
let lead: TestUser
let remove: () => void

beforeAll(async () => {
  services = await openJourneyApp()
  bring = await openFakeBring()
  remove = withCourier(bringAt({ url: bring.server.url }))
  operator = await services.operator({ settings: { sender } })
  lead = await operator.hire(['admin'], operator.main, 'Mette Friis')
  await lead.send(parcelShops.setConfig, {
    agent_code: 'bring',
    body: { version: 0, settings: { ...bringAccount, client_url: 'https://shop.example', mode: 'live' } },
  })
})
afterAll(async () => {
  remove?.()
  await bring?.close()
  await services?.close()
})

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

it('sets up the webhook of a courier, and what happens where a parcel shop is closed', async () => {
  const page = await services.open(lead, '/settings/shipping-config?tab=couriers&courier=bring')
  const drawer = page.getByRole('dialog', { name: 'Bring' })
  await drawer.getByText('Denmark').waitFor()
  await drawer.getByRole('button', { name: 'Set up webhook' }).click()
  await drawer.getByText('Copy the secret now: it is not shown again').waitFor()
  await drawer.getByText('/courier_webhooks/bring/receive').waitFor()
  await drawer.getByText('Nothing received yet').waitFor()
  await picture(page, 'webhook')
  await press(page, 'Escape')
  await page.getByRole('radio', { name: 'Take the nearest one that is open' }).click()
  await expect.poll(() => lead.send(parcelShops.replacement, {}), { timeout: 20_000 }).toEqual({ mode: 'nearest', version: 1 })
  await picture(page, 'couriers')
})

it('chooses another parcel shop on the order page', async () => {
  const { id } = await placeOrder(services.services.database, scopeOfCompany(operator), {
    agent_code: 'bring',
    shipping_method: 'PICKUP_PARCEL',
    service_point: { id: '736431', name: 'Kiosk', address1: 'Torvet 1', postcode: '5000', city: 'Odense', country: 'DK' },
  })
  const page = await services.open(lead, `/parcels/orders?id=${id}`)
  await page.getByText('Kiosk, Torvet 1, 5000 Odense, 736431').waitFor()
  await page.getByRole('button', { name: 'Choose another', exact: true }).click()
  const search = page.getByRole('dialog', { name: 'Find parcel shop' })
  await search.getByText('Supermarked').click()
  await picture(page, 'search')
  await search.getByRole('button', { name: 'Use this shop' }).click()
  await page.getByText('Supermarked, Torvet 1, 5000 Odense, 736432').waitFor()
  await picture(page, 'order')
})
