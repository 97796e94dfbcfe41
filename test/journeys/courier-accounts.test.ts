/** Journeys: methods come from an account, a locker is found for a parcel, and postcodes are checked. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { burdAccount, type FakeBurd, openFakeBurd } from '#integrations/couriers/burd/burd.fake.ts'
import { burdAt } from '#integrations/couriers/burd/burd.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type FakeInstabox, instaboxAccount, openFakeInstabox } from '#integrations/couriers/instabox/instabox.fake.ts'
import { instaboxAt } from '#integrations/couriers/instabox/instabox.ts'
import { type FakeShipmondo, openFakeShipmondo, shipmondoAccount } from '#integrations/couriers/shipmondo/shipmondo.fake.ts'
import { shipmondoAt } from '#integrations/couriers/shipmondo/shipmondo.ts'
import { sender } from '../sender.ts'
import type { TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let shipmondo: FakeShipmondo
let burd: FakeBurd
let instabox: FakeInstabox
let lead: TestUser
const remove: (() => void)[] = []

beforeAll(async () => {
  services = await openJourneyApp()
  shipmondo = await openFakeShipmondo()
  burd = await openFakeBurd()
  instabox = await openFakeInstabox()
  const many = { url: shipmondo.server.url }
  const evenings = { url: burd.server.url }
  const lockers = { url: instabox.server.url }
  remove.push(
    withCourier(shipmondoAt({ live: many, sandbox: many })),
    withCourier(burdAt({ postcodes: evenings, orders: evenings })),
    withCourier(instaboxAt({ login: lockers, availability: lockers, orders: lockers, labels: lockers })),
  )
  const operator = await services.operator({ settings: { sender } })
  lead = await operator.hire(['admin'], operator.main, 'Mette Friis')
})
afterAll(async () => {
  for (const back of remove.reverse()) back()
  await Promise.all([shipmondo?.close(), burd?.close(), instabox?.close()])
  await services?.close()
})

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

async function fillRecipient(form: Page): Promise<void> {
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Åse Sørensen')
  await form.getByRole('textbox', { name: 'Street and number' }).fill('Nørrebrogade 112')
  await form.getByRole('textbox', { name: 'Postcode' }).fill('2200')
  await form.getByRole('textbox', { name: 'City' }).fill('København N')
  await form.getByRole('textbox', { name: 'Phone' }).fill('34412345')
  await form.getByRole('textbox', { name: 'E-mail' }).fill('aase@example.com')
}

async function chooseMethod(form: Page, name: string): Promise<void> {
  const method = form.getByRole('combobox', { name: 'Shipping method' }).or(form.getByRole('textbox', { name: 'Shipping method' }))
  await method.first().click()
  await form.getByRole('option', { name, exact: true }).click()
}

it('sets up an account, whose products become methods, and sends a parcel with one', async () => {
  const page = await services.open(lead, '/settings/shipping-config')
  await page.getByRole('tab', { name: 'Couriers' }).click()
  await page.getByRole('button', { name: 'Edit Shipmondo' }).click()
  const drawer = page.getByRole('dialog', { name: 'Shipmondo' })
  await drawer.getByRole('textbox', { name: 'API user' }).fill(shipmondoAccount.user)
  await drawer.getByLabel('API key').fill(shipmondoAccount.key)
  await drawer.getByRole('textbox', { name: 'Country from which you send' }).fill(shipmondoAccount.sender_country)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('Not read yet. Test the connection.').waitFor()
  await drawer.getByRole('button', { name: 'Test connection' }).click()
  await drawer.getByText('Shipmondo, 1000.5 DKK').waitFor()
  await drawer.getByText('2 methods').waitFor()
  shipmondo.products.splice(1, 1)
  shipmondo.products.splice(1, 1)
  await drawer.getByRole('button', { name: 'Read methods again' }).click()
  await drawer.getByText('1 method ·').waitFor()
  await picture(page, 'account')
  await press(page, 'Escape')
  await page.getByRole('tab', { name: 'Methods' }).click()
  await page.getByText('GLS Denmark Shop Delivery', { exact: true }).waitFor()

  const form = await services.open(lead, '/parcels/shipments/new')
  await fillRecipient(form)
  await chooseMethod(form, 'Shipmondo: GLS Denmark Shop Delivery')
  await form.getByRole('button', { name: 'Find parcel shop' }).click()
  await form.getByRole('dialog', { name: 'Find parcel shop' }).getByText('Påskeløkkens Købmand').click()
  await form.getByRole('button', { name: 'Use this shop' }).click()
  await form.getByRole('textbox', { name: 'Weight' }).first().fill('900')
  await form.getByRole('button', { name: 'Create label' }).click()
  await expect
    .poll(() => shipmondo.shipments.map(one => one.body))
    .toMatchObject([{ service_point_id: '95558', service_codes: 'EMAIL_NT' }])
  await form
    .getByText(shipmondo.shipments[0]?.number ?? '–')
    .first()
    .waitFor()
})

it('checks where Burd delivers, and finds a locker of Instabox for a parcel', async () => {
  await lead.send(parcelShops.setConfig, { agent_code: 'burd', body: { version: 0, settings: burdAccount } })
  await lead.send(parcelShops.setConfig, { agent_code: 'instabox', body: { version: 0, settings: instaboxAccount } })
  const page = await services.open(lead, '/settings/shipping-config?tab=couriers&courier=burd')
  const drawer = page.getByRole('dialog', { name: 'Burd' })
  await drawer.getByRole('textbox', { name: 'Postcodes' }).fill('2100, 8000')
  await drawer.getByRole('button', { name: 'Check' }).click()
  await drawer.getByText('Served, KBH-Ø').waitFor()
  await drawer.getByText('Not served').waitFor()
  await picture(page, 'burd')

  const form = await services.open(lead, '/parcels/shipments/new')
  await fillRecipient(form)
  await chooseMethod(form, 'Instabox: Parcel locker')
  await form.getByRole('button', { name: 'Find locker' }).click()
  await form.getByRole('dialog', { name: 'Find locker' }).getByText('Instabox Rantzausgade').click()
  await picture(form, 'locker')
  await form.getByRole('button', { name: 'Use this locker' }).click()
  await form.getByText('Instabox Rantzausgade, Rantzausgade 7, 2200 København N').waitFor()
  await form.getByRole('textbox', { name: 'Weight' }).first().fill('900')
  for (const side of ['Length', 'Width', 'Height']) await form.getByRole('textbox', { name: side }).fill('200')
  await form.getByRole('button', { name: 'Create label' }).click()
  await expect.poll(() => instabox.parcels.map(one => one.body)).toMatchObject([{ delivery_option: { sort_code: 'DK-B2' } }])
  await form
    .getByText(instabox.parcels[0]?.number ?? '–')
    .first()
    .waitFor()
})
