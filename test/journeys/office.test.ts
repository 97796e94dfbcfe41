/** Journey: office work – drafts are kept, and every list keeps its state. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { products } from '#features/catalog/products/products.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import { buildPickList } from '../pick-list.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { hasFocus, press } from './keyboard.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
const ids = new Map<string, number>()
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  clerk = await operator.hire(['parcels_admin', 'list_admin'], operator.main, 'Mette Friis')
  for (let i = 0; i < 40; i++) {
    const { id } = await buildOrder(services.services, scopeOfCompany(operator), { order_no: String(8_000 + i) })
    ids.set(String(8_000 + i), id)
  }
})
afterAll(() => services?.close())

const titled = (page: Page, order_no: string) => page.getByRole('heading', { name: order_no, level: 1 }).waitFor()
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('drafts'))

it('keeps a half-written comment over the next order and a reload, until it is sent', async () => {
  const page = await services.open(clerk, `/parcels/orders?id=${ids.get('8012')}`)
  await titled(page, '8012')
  const box = page.getByRole('textbox', { name: 'New comment' })
  await box.fill('She moves on Friday')
  await page.getByText('Warning', { exact: true }).click()

  await page.getByRole('button', { name: 'Next order in the list' }).click()
  await titled(page, '8011')
  await expect.poll(() => box.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Previous order in the list' }).click()
  await titled(page, '8012')
  await expect.poll(() => box.inputValue()).toBe('She moves on Friday')

  await page.reload()
  await titled(page, '8012')
  await expect.poll(() => box.inputValue()).toBe('She moves on Friday')
  await page.getByRole('button', { name: 'Add comment' }).click()
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByText('She moves on Friday', { exact: true }).waitFor()
  await comments.getByText('Warning', { exact: true }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
  await expect.poll(() => kept(page)).toBeNull()
})

it('shows no draft to the next person on the same device', async () => {
  const other = await operator.hire(['parcels_admin'], operator.main, 'Ida Krag')
  const mine = await services.open(clerk, `/parcels/orders?id=${ids.get('8013')}`)
  await titled(mine, '8013')
  await mine.getByRole('textbox', { name: 'New comment' }).fill('Only I know this')
  await expect.poll(() => kept(mine)).toContain('Only I know this')
  const drafts = await kept(mine)

  const page = await services.open(other, `/parcels/orders?id=${ids.get('8013')}`, { remembers: { drafts: drafts ?? '' } })
  await titled(page, '8013')
  expect(await page.getByRole('textbox', { name: 'New comment' }).inputValue()).toBe('')
})

it('keeps a half-corrected address, and says so when somebody else corrected it meanwhile', async () => {
  const id = ids.get('8014') as number
  const page = await services.open(clerk, `/parcels/orders?id=${id}`)
  const address = page.getByRole('region', { name: 'Shipping address' })
  const drawer = page.getByRole('dialog', { name: 'Shipping address' })
  await address.getByRole('button', { name: 'Edit' }).click()
  await drawer.getByRole('textbox', { name: 'City' }).fill('Svendborg')
  await press(page, 'Escape')
  await drawer.waitFor({ state: 'detached' })
  await address.getByText('Not saved yet').waitFor()
  await page.getByRole('button', { name: 'Next order in the list' }).click()
  await titled(page, '8013')

  const { version } = await clerk.send(orders.get, { id })
  await clerk.send(orders.setAddress, { order_id: id, body: { name: 'Lene Holm', version } })

  await page.getByRole('button', { name: 'Previous order in the list' }).click()
  await titled(page, '8014')
  await address.getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => drawer.getByRole('textbox', { name: 'City' }).inputValue()).toBe('Svendborg')
  await drawer.getByRole('button', { name: 'Save address' }).click()
  await drawer.getByRole('button', { name: 'Show what is saved now' }).click()
  await expect.poll(() => drawer.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Lene Holm')
  await drawer.getByRole('textbox', { name: 'City' }).fill('Svendborg')
  await drawer.getByRole('button', { name: 'Save address' }).click()
  await drawer.waitFor({ state: 'detached' })
  await address.getByText('Lene Holm').first().waitFor()
  expect(await clerk.send(orders.get, { id })).toMatchObject({ ship_to: { name: 'Lene Holm', city: 'Svendborg' } })
  await expect.poll(() => kept(page)).toBeNull()
})

it('keeps a half-corrected product when its drawer closes, until it is saved or given up', async () => {
  const page = await services.open(clerk, '/parcels/products?query=cap')
  const open = () => page.getByRole('link', { name: 'CAP-1' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await open()
  await name.fill('Cap with a brim')
  await press(page, 'Escape')
  await name.waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('query')).toBe('cap')
  await page.reload()
  await open()
  await expect.poll(() => name.inputValue()).toBe('Cap with a brim')
  await page.getByText('Not saved yet').waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => name.inputValue()).toBe('Cap')
  await expect.poll(() => kept(page)).toBeNull()
  await name.fill('Cap with a brim')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => kept(page)).toBeNull()
  expect((await clerk.send(products.search, { query: 'CAP-1' })).rows[0]).toMatchObject({ name: 'Cap with a brim' })
})

it('shows what a product file came to after a reload too', async () => {
  const page = await services.open(clerk, '/parcels/products')
  const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from('sku;barcode\nBOX-1;2000000000015\n') }
  await page.locator('input[type=file]').setInputFiles(file)
  const note = page.getByText('TS-1 has the barcode 2000000000015 as well: a scan of it does not tell the two apart')
  await note.waitFor()
  await page.reload()
  await note.waitFor()
})

it('says that an order does not exist, and leads back instead of asking again', async () => {
  const page = await services.open(clerk, '/parcels/orders?open=1&id=999999')
  await page.getByText('Order not found', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: '8039', exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.toString()).toBe('open=1')
})

it('holds until a time on the company’s clock, wherever the browser stands', async () => {
  const id = ids.get('8015') as number
  const page = await services.open(clerk, `/parcels/orders?id=${id}`, { timezoneId: 'America/New_York' })
  await page.getByRole('button', { name: 'More ways to hold' }).click()
  await page.getByRole('menuitem', { name: 'Hold until…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Put order on hold' })
  await dialog.getByText('Enter it by the company’s clock: Central European Time.').waitFor()
  await dialog.getByLabel('Until').fill('2027-07-15T10:30')
  await dialog.getByRole('button', { name: 'Put order on hold' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { locks } = await clerk.send(orders.get, { id })
  expect(locks[0]?.until && new Date(locks[0].until).toISOString()).toBe('2027-07-15T08:30:00.000Z')
  await page
    .getByRole('region', { name: 'Status' })
    .getByText(/15 Jul 2027, 10:30/)
    .first()
    .waitFor()

  const near = await services.open(clerk, `/parcels/orders?id=${ids.get('8016')}`, { timezoneId: 'Europe/Stockholm' })
  await near.getByRole('button', { name: 'More ways to hold' }).click()
  await near.getByRole('menuitem', { name: 'Hold until…' }).click()
  await near.getByRole('dialog', { name: 'Put order on hold' }).waitFor()
  expect(await near.getByText('Write it by the company’s clock').count()).toBe(0)
})

it('comes back from a pick list to the lists as they were filtered', async () => {
  await buildPickList(services.services.database, operator, [{ lines: [{ bin: 'A-1', qty: 1, barcode: '5701234567890' }] }])
  const page = await services.open(clerk, '/lists/pick?state=open&sort=walk')
  await page.getByRole('link', { name: /^PL\d+$/ }).click()
  await page.getByRole('heading', { name: /PL0*\d+$/, level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: /^PL\d+$/ }).waitFor()
  expect(new URL(page.url()).searchParams.toString()).toBe('state=open&sort=walk')
})

it('comes back on a phone to the card that was open', async () => {
  const page = await services.open(clerk, '/parcels/orders?open=1', { viewport: { width: 390, height: 844 } })
  const card = page.getByRole('button', { name: /8008/ })
  await card.scrollIntoViewIfNeeded()
  await card.click()
  await titled(page, '8008')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await card.waitFor()
  await hasFocus(card)
  const isInSight = async () => {
    const place = await card.boundingBox()
    return place !== null && place.y > 0 && place.y + place.height < 844
  }
  await expect.poll(isInSight).toBe(true)
})

it('shows at Home what needs action, and opens the list behind a number', async () => {
  const held = ids.get('8020') ?? 0
  await clerk.send(orderLocks.hold, { id: held, body: { reason: 'address', note: 'Ask first', until: null } })
  const page = await services.open(clerk, '/dashboard')
  // Orders of the tests above may be on hold too.
  const tile = page.getByRole('list', { name: 'Needs action' }).getByRole('link', { name: /^On hold \d+$/ })
  const count = Number(((await tile.textContent()) ?? '').replace(/\D/g, ''))
  await tile.click()
  await page.getByRole('link', { name: '8020', exact: true }).waitFor()
  await expect.poll(() => page.locator('tbody').getByRole('link').count()).toBe(count)
  expect(new URL(page.url()).pathname).toBe('/parcels/orders')
})

it('names a page that the role may not open and whom to ask, and leads Home', async () => {
  await operator.hire(['admin'], operator.main, 'Astrid Holm')
  const page = await services.open(clerk, '/users')
  await page.getByText('Your role has no access to Users').waitFor()
  await page.getByText('Ask Astrid Holm for access.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
})
