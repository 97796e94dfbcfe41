/** Journeys: a company sets up a courier with its own agreement, tests it, and sends a parcel with it. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let bring: FakeBring
let remove: () => void
let operator: TestOperator
let lead: TestUser

beforeAll(async () => {
  services = await openJourneyApp()
  bring = await openFakeBring()
  remove = withCourier(bringAt({ url: bring.server.url }))
  operator = await services.operator({ settings: { sender } })
  lead = await operator.hire(['admin'], operator.main, 'Mette Friis')
})
afterAll(async () => {
  remove?.()
  await bring?.close()
  await services?.close()
})

it('sets up a courier, tests its account, and makes a label with it', async () => {
  const page = await services.open(lead, '/settings/shipping-config')
  expect(await page.getByText('Pickup parcel', { exact: true }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Couriers' }).click()
  await page.getByRole('button', { name: 'Edit Bring' }).click()
  const drawer = page.getByRole('dialog', { name: 'Bring' })
  await drawer.getByRole('textbox', { name: 'User in Mybring' }).fill(bringAccount.uid)
  await drawer.getByLabel('API key').fill(`${bringAccount.key}x`)
  await drawer.getByRole('textbox', { name: 'Customer number' }).fill(bringAccount.customer_no)
  await drawer.getByRole('textbox', { name: 'Address of your shop' }).fill('shop.example.com')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('Write an address such as https://www.example.com').waitFor()
  await drawer.getByRole('textbox', { name: 'Address of your shop' }).fill('https://shop.example.com')
  // The test of the connection uses what is saved.
  const save = async () => {
    const saved = page.waitForResponse(answer => answer.request().method() === 'POST' && answer.url().endsWith('/parcel_shop/bring'))
    await drawer.getByRole('button', { name: 'Save' }).click()
    await saved
  }
  await save()
  await drawer.getByRole('button', { name: 'Test connection' }).click()
  await drawer.getByText('Bring refuses the key of this account').waitFor()
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, 'courier.png') })

  await drawer.getByRole('button', { name: 'Replace' }).click()
  await drawer.getByLabel('API key').fill(bringAccount.key)
  await save()
  await drawer.getByRole('button', { name: 'Test connection' }).click()
  await drawer.getByText('Demo 6').waitFor()
  await drawer.getByRole('button', { name: 'Show customer numbers' }).click()
  await drawer.getByText('Demo, Denmark').waitFor()
  await press(page, 'Escape')

  await page.getByRole('tab', { name: 'Methods' }).click()
  await page.getByText('Pickup parcel', { exact: true }).waitFor()

  const form = await services.open(lead, '/parcels/shipments/new')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Kari Holm')
  await form.getByRole('textbox', { name: 'Street and number' }).fill('Storgata 2')
  await form.getByRole('textbox', { name: 'Postcode' }).fill('0155')
  await form.getByRole('textbox', { name: 'City' }).fill('Oslo')
  await form
    .getByRole('combobox', { name: 'Country', exact: true })
    .or(form.getByRole('textbox', { name: 'Country', exact: true }))
    .first()
    .fill('Norw')
  await form.getByRole('option', { name: 'Norway', exact: true }).click()
  await form.getByRole('textbox', { name: 'E-mail' }).fill('kari@example.com')
  await form
    .getByRole('combobox', { name: 'Shipping method' })
    .or(form.getByRole('textbox', { name: 'Shipping method' }))
    .first()
    .click()
  await form.getByRole('option', { name: 'Bring: Pickup parcel', exact: true }).click()
  await form.getByRole('button', { name: 'Find parcel shop' }).click()
  const finder = form.getByRole('dialog', { name: 'Find parcel shop' })
  await finder.getByText('Supermarked').click()
  if (process.env.JOURNEY_PICTURES) await form.screenshot({ path: join(process.env.JOURNEY_PICTURES, 'parcel-shop.png') })
  await finder.getByRole('button', { name: 'Use this shop' }).click()
  await form.getByText('Supermarked, Torvet 1, 0155 Odense').waitFor()
  await form.getByRole('textbox', { name: 'Weight' }).first().fill('900')
  await form.getByRole('button', { name: 'Create label' }).click()
  await expect.poll(() => bring.parcels).toMatchObject([{ point: '736432', product: 'PICKUP_PARCEL', weight_kg: 0.9 }])
  await form
    .getByText(bring.parcels[0]?.number ?? '–')
    .first()
    .waitFor()
})
