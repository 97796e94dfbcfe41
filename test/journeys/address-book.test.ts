/** Journey: the address book – written once, chosen for a label and for an order by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressBook } from '#features/shipping/address-book/address-book.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ settings: { sender } })
  clerk = await operator.hire(['parcels_admin'], operator.main, 'Mette Friis')
})
afterAll(() => services?.close())

it('an address is written with its mistakes beside the fields, found again, changed, removed and put back', async () => {
  const page = await services.open(clerk, '/settings/address-book', { viewport: { width: 1440, height: 900 } })
  await page.getByText('No addresses yet').waitFor()
  await page.getByRole('button', { name: 'New address' }).click()
  const drawer = page.getByRole('dialog', { name: 'New address' })
  await drawer.getByRole('textbox', { name: 'Title' }).fill('Repair centre')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('Enter the postcode').waitFor()
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Workshop South')
  await drawer.getByRole('textbox', { name: 'Street and number' }).fill('Sydhavnsgade 16')
  await drawer.getByRole('textbox', { name: 'Postcode' }).fill('2450')
  await drawer.getByRole('textbox', { name: 'City' }).fill('København SV')
  await drawer.getByRole('combobox', { name: 'Country', exact: true }).click()
  await page.getByRole('option', { name: 'Denmark', exact: true }).click()
  const postcode = drawer.getByRole('textbox', { name: 'Postcode' })
  const doubt = drawer.getByText('SE-111 does not look like a postcode of Denmark')
  await postcode.fill('SE-111')
  await postcode.blur()
  await doubt.waitFor()
  await postcode.fill('2450')
  await postcode.blur()
  await expect.poll(() => doubt.count()).toBe(0)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Workshop South/ }).waitFor()
  await clerk.send(addressBook.create, {
    body: {
      kind: 'sender',
      ...{ title: 'Depot', name: 'Depot Aarhus', address1: 'Havnegade 1', postcode: '8000', city: 'Aarhus C' },
      country: 'DK',
    },
  })
  await page.reload()
  await page.getByRole('row', { name: /Depot Aarhus/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Title, name, street or city' }).fill('sydhavn')
  await expect.poll(() => page.getByRole('row', { name: /Depot Aarhus/ }).count()).toBe(0)
  await page.getByRole('row', { name: /Workshop South/ }).click()
  const form = page.getByRole('dialog', { name: 'Address', exact: true })
  await form.getByRole('textbox', { name: 'City' }).fill('København S')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /2450 København S/ }).click()
  await form.getByRole('button', { name: 'Remove address' }).click()
  // The undo of the change before stands there too, until this one comes.
  await page.getByText('Address Repair centre removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('row', { name: /2450 København S/ }).waitFor()
  expect((await clerk.send(addressBook.list, {})).rows.map(row => row.title)).toEqual(['Depot', 'Repair centre'])
})

it('a label and an order by hand take their addresses from it, and the device keeps the sender', async () => {
  const place = { country: 'DK', postcode: '8000', city: 'Aarhus C' }
  for (const body of [
    { kind: 'recipient', title: 'Photo studio', name: 'Studio Nord', address1: 'Mejlgade 40', ...place, city: 'Aarhus N' } as const,
    { kind: 'sender', title: 'Showroom', name: 'Showroom', address1: 'Vestergade 3', ...place } as const,
  ])
    await clerk.send(addressBook.create, { body })
  const page = await services.open(clerk, '/parcels/shipments/new', { viewport: { width: 1440, height: 900 } })
  const recipient = page.getByRole('textbox', { name: 'From the address book' }).first()
  await recipient.fill('studio')
  await page.getByRole('option', { name: /Photo studio/ }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'City' }).first().inputValue()).toBe('Aarhus N')
  await page.getByRole('textbox', { name: 'From the address book' }).last().click()
  await page.getByRole('option', { name: /Showroom/ }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'City' }).last().inputValue()).toBe('Aarhus C')
  await page.getByRole('textbox', { name: 'Weight' }).first().fill('900')
  await page.getByRole('button', { name: 'Create label' }).click()
  await page.getByRole('button', { name: 'Save label' }).waitFor()
  const { rows } = await clerk.send(labels.search, {})
  expect(rows).toMatchObject([{ receiver: 'Studio Nord', city: 'Aarhus N' }])

  await page.getByRole('button', { name: 'New shipment' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'City' }).last().inputValue()).toBe('Aarhus C')

  await page.goto(page.url().replace(/\/parcels\/.*$/, '/parcels/orders/new'))
  await page.getByRole('textbox', { name: 'From the address book' }).click()
  await page.getByRole('option', { name: /Photo studio/ }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Street and number' }).inputValue()).toBe('Mejlgade 40')
})
