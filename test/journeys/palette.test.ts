/** Journeys: the command palette – from any page to an order, a product, a page or a setting. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, buildProduct, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let clerk: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  const operator = await services.operator()
  clerk = await operator.hire(['admin'], operator.main, 'Mette Friis')
  await buildOrder(services.services, scopeOfCompany(operator), { order_no: '7017' })
  await buildProduct(services.services, scopeOfCompany(operator), { sku: 'LAMP-7017' })
})
afterAll(() => services?.close())

const field = (page: Page) => page.getByRole('textbox', { name: /^Orders, products/ })
const entry = (page: Page, name: RegExp) => page.getByRole('dialog').getByRole('button', { name })
async function home(): Promise<Page> {
  const page = await services.open(clerk, '/dashboard')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  return page
}

it('loses no letter that is typed before it is there, and leads to an order from any page', async () => {
  const page = await home()
  let load = () => {}
  const loading = new Promise<void>(resolve => {
    load = resolve
  })
  await page.route(/CommandPalette/, async route => {
    await loading
    await route.continue()
  })
  await press(page, 'Control+k')
  await page.keyboard.type('7017')
  load()
  await expect.poll(() => field(page).inputValue()).toBe('7017')
  await entry(page, /^7017/).waitFor()
  await entry(page, /LAMP-7017/)
    .first()
    .waitFor()
  await entry(page, /^7017/).click()
  await page.getByRole('heading', { name: '7017', level: 1 }).waitFor()
  await press(page, 'Control+k')
  await page.getByRole('group', { name: 'Recent' }).waitFor()
  await entry(page, /^7017/).waitFor()
})

it('says that it searches until the answers are there, and then what fits nothing', async () => {
  const page = await home()
  await press(page, 'Control+k')
  await field(page).waitFor()
  let answer = () => {}
  const answering = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route(/query=zzz/, async route => {
    await answering
    await route.continue()
  })
  await page.keyboard.type('zzzq')
  await page.getByText('Searching…').waitFor()
  expect(await page.getByText(/^Nothing fits/).count()).toBe(0)
  answer()
  await page.getByText('Nothing fits “zzzq”').waitFor()
})

it('keeps settings apart from pages', async () => {
  const page = await home()
  await press(page, 'Control+k')
  await field(page).fill('orders')
  await page.getByRole('group', { name: 'Pages', exact: true }).waitFor()
  await field(page).fill('e-mail')
  await page.getByRole('group', { name: 'Settings', exact: true }).waitFor()
})

it('leads to a view of the orders, and Enter takes the first entry whichever answer came last', async () => {
  const page = await home()
  let answer = () => {}
  const answering = new Promise<void>(resolve => {
    answer = resolve
  })
  // The orders answer after the products, and stand before them.
  await page.route(/orders\/search\/?\?.*query=7017/, async route => {
    await answering
    await route.continue()
  })
  await press(page, 'Control+k')
  await field(page).fill('7017')
  await entry(page, /LAMP-7017/)
    .first()
    .waitFor()
  answer()
  await entry(page, /^7017/).waitFor()
  await expect.poll(() => page.getByRole('dialog').locator('[data-selected]').allTextContents()).toEqual([expect.stringMatching(/^7017/)])
  await press(page, 'Enter')
  await page.getByRole('heading', { name: '7017', level: 1 }).waitFor()

  await press(page, 'Control+k')
  await field(page).fill('on hold')
  await page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'On hold' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('phase')).toBe('held')
})
