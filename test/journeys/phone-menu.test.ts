/** Journey: the menu at the foot of a phone, and the settings as a list that leads to its pages and back. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['admin'], operator.main, 'Lone')
})
afterAll(() => testApp?.close())

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }
const bar = (page: Page, name: string) => page.getByRole('navigation', { name })

it.each([
  ['en_GB', 'Quick access', ['Home', 'Orders', 'Search', 'Menu']],
  ['de_DE', 'Schnellzugriff', ['Start', 'Bestellungen', 'Suchen', 'Menü']],
] as const)('leads office users on a phone in four steps of 44 pixels that cover nothing (%s)', async (language, name, words) => {
  const page = await testApp.open(lead, '/parcels/orders', { ...phone, language })
  const steps = bar(page, name).locator('a, button')
  await steps.first().waitFor()
  await expect.poll(() => steps.allInnerTexts()).toEqual(words)
  for (const box of await steps.evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON() as DOMRect)))
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
  expect(await steps.locator('span').evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).length)).toBe(0)
  const [content, foot] = await Promise.all([page.locator('#page').boundingBox(), bar(page, name).boundingBox()])
  expect((content?.y ?? 0) + (content?.height ?? 0)).toBeLessThanOrEqual(Math.ceil(foot?.y ?? 0))
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual(740)
})

it('opens the search and the main menu from the foot of a phone', async () => {
  const page = await testApp.open(lead, '/dashboard', phone)
  await bar(page, 'Quick access').getByRole('button', { name: 'Search' }).click()
  await page.getByRole('textbox', { name: /^Orders, products/ }).waitFor()
  await press(page, 'Escape')
  await bar(page, 'Quick access').getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Shipments' }).click()
  await page.waitForURL('**/parcels/shipments')
})

it('has no bar on a wide screen, at the station and for those who only work there', async () => {
  const wide = await testApp.open(lead, '/dashboard')
  await wide.getByRole('heading', { name: 'Home' }).waitFor()
  expect(await bar(wide, 'Quick access').count()).toBe(0)
  const packer = await operator.hire(['scan'], operator.main, 'Pia')
  const page = await testApp.open(packer, '/settings/me', phone)
  await page.getByRole('heading', { name: 'My settings' }).waitFor()
  expect(await bar(page, 'Quick access').count()).toBe(0)
})

it('shows on a phone the settings first, and leads back from each page', async () => {
  const page = await testApp.open(lead, '/settings', phone)
  const list = page.getByRole('navigation', { name: 'Settings' })
  await list.getByText('Messages and boards').waitFor()
  await list.getByRole('link', { name: 'Shipping methods' }).click()
  await page.getByRole('heading', { name: 'Shipping methods', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await list.getByRole('link', { name: 'My settings' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
})

it('opens the company beside the list of the settings, and forms 720 pixels wide', async () => {
  const page = await testApp.open(lead, '/settings')
  await page.waitForURL('**/settings/company-config')
  const list = page.getByRole('navigation', { name: 'Settings' })
  await page.getByRole('heading', { name: 'Company', level: 1 }).waitFor()
  const width = await page
    .locator('#page form')
    .first()
    .evaluate(form => form.getBoundingClientRect().width)
  expect(width).toBeLessThanOrEqual(720)
  expect(await list.evaluate(nav => nav.closest('aside')?.getBoundingClientRect().width)).toBe(208)
})

it('keeps date and time of an order in one line beside the longest number', async () => {
  const order_no = `B2B-${'0123456789'.repeat(3)}`
  await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    order_no,
    work_state: 'handed_over',
    ship_by: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  })
  const page = await testApp.open(lead, '/parcels/orders', phone)
  const number = page.getByText(order_no, { exact: true })
  await number.waitFor()
  const { lines, over } = await number.evaluate(one => {
    const line = one.parentElement
    const when = line?.lastElementChild
    const range = document.createRange()
    if (when) range.selectNodeContents(when)
    return {
      lines: new Set([...range.getClientRects()].map(box => Math.round(box.top))).size,
      over: (line?.scrollWidth ?? 0) - (line?.clientWidth ?? 0),
    }
  })
  expect({ lines, over }).toEqual({ lines: 1, over: 0 })
})

it('offers on the card of a phone what can be done with its row, and gives the focus back', async () => {
  const page = await testApp.open(lead, '/settings/tags', phone)
  await page.getByRole('button', { name: 'Add tag' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Gift')
  await press(page, 'Enter')
  const card = page.getByRole('listitem').filter({ hasText: 'Gift' })
  const dots = card.getByRole('button', { name: 'Actions' })
  const box = await dots.boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await dots.click()
  await page.getByRole('menuitem', { name: 'Remove tag' }).click()
  await page.getByRole('dialog').waitFor()
  await press(page, 'Escape')
  await expect.poll(() => dots.evaluate(one => one === document.activeElement)).toBe(true)
  await press(page, 'Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Present')
  await press(page, 'Enter')
  await page.getByRole('listitem').filter({ hasText: 'Present' }).waitFor()
})
