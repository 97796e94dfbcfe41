/** Journey: an order by hand – written on the phone, its items changed, split, sent once more, and what is said to the shop. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { statusHistories } from '#features/orders/orders/status-histories/status-histories.contract.ts'
import { buildOrder, buildProduct, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser

beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ settings: { home_country: 'SE' } })
  clerk = await operator.hire(['parcels_admin'], operator.main, 'Mette Friis')
  await buildProduct(services.services, scopeOfCompany(operator), {
    sku: 'MUG-1',
    name: 'Enamel mug',
    bin: 'C-01-1',
    barcodes: ['5700000000017'],
  })
})
afterAll(() => services?.close())

it('writes an order, with what is missing said beside its field', async () => {
  const page = await services.open(clerk, '/parcels/orders', { viewport: { width: 1440, height: 900 } })
  await page.getByRole('link', { name: 'New order' }).click()
  await page.getByRole('heading', { name: 'New order', level: 1 }).waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lene Hansen')
  // The company's own country stands there; what is typed after a click replaces it, and Enter takes what fits.
  const country = page.getByRole('combobox', { name: 'Country', exact: true })
  expect(await country.inputValue()).toBe('Sweden')
  await country.click()
  await page.keyboard.type('atlantis')
  await page.getByRole('listbox', { name: 'Country' }).getByText('No results').waitFor()
  await country.click()
  await page.keyboard.type('denm')
  await page.getByRole('option', { name: 'Denmark', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  expect(await country.inputValue()).toBe('Denmark')
  await page.getByRole('button', { name: 'Create order' }).click()
  await page.getByText('Enter the street').waitFor()
  await page.getByText('Add at least one product').waitFor()
  await page.getByRole('textbox', { name: 'Street and number' }).fill('Skibhusvej 52')
  await page.getByRole('textbox', { name: 'Postcode' }).fill('5000')
  await page.getByRole('textbox', { name: 'City' }).fill('Odense C')
  await page.getByRole('textbox', { name: 'Add product' }).fill('enamel')
  await page.getByRole('option', { name: /Enamel mug/ }).click()
  await page.getByRole('button', { name: 'Create order' }).click()
  await page.getByRole('heading', { name: /^M-\d+$/, level: 1 }).waitFor()
  const topOf = async (title: string) => (await page.getByRole('region', { name: title, exact: true }).boundingBox())?.y ?? 0
  await page.getByRole('region', { name: 'Messages', exact: true }).waitFor()
  expect(await topOf('Products')).toBeLessThan(await topOf('Messages'))
  await page.getByRole('region', { name: 'Customer', exact: true }).getByText('Lene Hansen').waitFor()
  const { rows } = await clerk.send(orders.search, { query: 'Lene' })
  expect(rows).toMatchObject([{ item_count: 1, customer_name: 'Lene Hansen' }])
})

it('changes items, splits, and makes a replacement, each with its place in the order', async () => {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), {
    order_no: '9100',
    lines: [
      { sku: 'CAP-1', name: 'Cap', qty: 2 },
      { sku: 'SOCK-1', name: 'Socks', qty: 1 },
    ],
  })
  const page = await services.open(clerk, `/parcels/orders?id=${id}`, { viewport: { width: 1440, height: 900 } })
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Edit items')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Save items' }).click()
  await drawer.getByText('Change at least one item').waitFor()
  await drawer.getByRole('textbox', { name: 'Quantity of Cap' }).fill('3')
  await drawer.getByRole('button', { name: 'Remove Socks' }).click()
  await drawer.getByRole('textbox', { name: 'Add product' }).fill('5700000000017')
  await page.getByRole('option', { name: /Enamel mug/ }).click()
  await drawer.getByRole('button', { name: 'Save items' }).click()
  await page.getByText('Items changed: Cap 2 → 3, Socks 1 → 0, Enamel mug + 1').waitFor()

  await choose('Split order')
  await drawer.getByRole('textbox', { name: 'Quantity of Cap' }).fill('1')
  await drawer.getByRole('button', { name: 'Split order' }).click()
  await page.getByRole('heading', { name: '9100-2', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Related orders' }).getByRole('link', { name: '9100', exact: true }).click()
  await page.getByRole('heading', { name: '9100', exact: true, level: 1 }).waitFor()
  expect(await clerk.send(orders.get, { id })).toMatchObject({ item_count: 3 })

  await choose('Copy as replacement')
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('Damaged')
  await drawer.getByRole('button', { name: 'Create order' }).click()
  await page.getByRole('heading', { name: /^M-\d+$/, level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Related orders' }).getByText('Replaces', { exact: true }).waitFor()
})

it('shows what somebody else changed before it is saved over', async () => {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), {
    order_no: '9101',
    lines: [{ sku: 'CAP-1', name: 'Cap', qty: 2 }],
  })
  const [page, other] = await Promise.all(
    [1, 2].map(() => services.open(clerk, `/parcels/orders?id=${id}`, { viewport: { width: 1440, height: 900 } })),
  )
  const edit = async (one: typeof page, count: string) => {
    await one?.getByRole('button', { name: 'More', exact: true }).click()
    await one?.getByRole('menuitem', { name: 'Edit items' }).click()
    await one?.getByRole('textbox', { name: 'Quantity of Cap' }).fill(count)
  }
  await edit(page, '5')
  await edit(other, '7')
  await other?.getByRole('button', { name: 'Save items' }).click()
  await page?.getByText('Cap: 2, now 7').waitFor()
  expect(await page?.getByRole('button', { name: 'Save items' }).isDisabled()).toBe(true)
  await page?.getByRole('button', { name: 'Use the new state' }).click()
  await page?.getByRole('button', { name: 'Save items' }).click()
  await page?.getByText('Items changed: Cap 7 → 5').waitFor()
})

it('says something to the shop', async () => {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), { order_no: '9102' })
  const page = await services.open(clerk, `/parcels/orders?id=${id}`, { viewport: { width: 1440, height: 900 } })
  const panel = page.getByRole('region', { name: 'Messages to the shop' })
  await panel.getByRole('textbox', { name: 'Text for the shop' }).fill('Waits for the mug')
  await panel.getByRole('textbox', { name: 'Status in the shop' }).fill('delayed')
  await panel.getByRole('checkbox', { name: 'Customer may see it' }).check()
  await panel.getByRole('button', { name: 'Send to shop' }).click()
  // The field is empty again when it is said, and the words stand above it.
  await expect.poll(() => panel.getByRole('textbox', { name: 'Text for the shop' }).inputValue()).toBe('')
  await panel.getByText('Waits for the mug').waitFor()
  expect(await clerk.send(statusHistories.list, { id })).toMatchObject([
    { status: 'delayed', comment: 'Waits for the mug', visible_to_customer: true },
  ])
})
