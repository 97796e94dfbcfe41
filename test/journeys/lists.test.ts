/** Journeys: what every list promises – its density, its columns, rows that are out of date, and a network that comes back. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

const address = { address1: 'Keizersgracht 5', postcode: '1015 CJ', city: 'Amsterdam', country: 'NL' }

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  services = await openJourneyApp({}, { serviceWorker: true })
  operator = await services.operator({ shops: 1 })
  clerk = await operator.hire(['parcels_admin'], operator.main, 'Mette Friis')
  for (let i = 0; i < 30; i++)
    await buildOrder(services.services, scopeOfCompany(operator), {
      order_no: String(7_000 + i),
      ...(i === 29 && { ship_to: { ...address, name: 'Wilhelmina Constantia van Oldenbarnevelt-Rozenburg' } }),
      ...(i % 10 === 3 && { status: 'held' }),
    })
})
afterAll(() => services?.close())

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /^Select row/ }) })
const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts()
const view = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
async function list(width = 1440): Promise<Page> {
  const page = await services.open(clerk, '/parcels/orders', { viewport: { width, height: 900 } })
  await rows(page).first().waitFor()
  return page
}

describe('the rows', () => {
  it('are 36 pixels high, and as close as the person wants them on this device', async () => {
    const page = await list()
    const height = () =>
      rows(page)
        .nth(3)
        .evaluate(row => row.getBoundingClientRect().height)
    expect(await height()).toBe(36)
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByText('Compact', { exact: true }).click()
    await expect.poll(height).toBe(32)
    await page.reload()
    await rows(page).first().waitFor()
    expect(await height()).toBe(32)
  })

  it('cannot be chosen or opened while they answer an earlier question', async () => {
    const page = await list()
    let answer = () => {}
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(/\/api\/.*[?&]phase=held/, async route => {
      await asked
      await route.continue()
    })
    const grid = page.getByRole('grid')
    await view(page, 'On hold').click()
    await expect.poll(() => grid.getAttribute('aria-busy')).toBe('true')
    const inert = () => grid.locator('tbody').evaluate(body => body.hasAttribute('inert') && getComputedStyle(body).opacity === '0.45')
    await expect.poll(inert).toBe(true)
    await grid.focus()
    await press(page, 'Space')
    await press(page, 'Enter')
    expect(await grid.getByRole('checkbox', { checked: true, includeHidden: true }).count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/parcels/orders')
    answer()
    await expect.poll(() => rows(page).count()).toBe(3)
    expect(await grid.getAttribute('aria-busy')).toBe('false')
  })

  it('come by themselves when the network is back', async () => {
    services.expectOutages()
    const page = await list()
    await page.context().setOffline(true)
    await view(page, 'Overdue').click()
    // The part that shows messages cannot be fetched now. The page goes on without it.
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    await page.context().setOffline(false)
    await page.getByText('No results').or(rows(page).first()).first().waitFor()
    await expect.poll(() => page.getByRole('grid').or(page.getByText('No results')).count()).toBe(1)
  })
})

describe('the columns', () => {
  it('cut names and places only, and the whole text of what they hold fits', async () => {
    const page = await list()
    const cut = await rows(page).evaluateAll(all =>
      all.flatMap(row =>
        [...row.querySelectorAll('td')].flatMap((cell, place) => (cell.scrollWidth > cell.clientWidth + 1 ? [place] : [])),
      ),
    )
    const titles = await heads(page)
    expect([...new Set(cut.map(place => titles[place]?.trim()))].filter(title => title !== 'Customer' && title !== 'To')).toEqual([])
  })

  it('leave out the last ones where they do not fit, say so, and scroll only below 1024 pixels', async () => {
    const page = await list()
    const wide = await heads(page)
    const sideways = () => page.getByRole('grid').evaluate(grid => grid.scrollWidth > (grid.parentElement?.clientWidth ?? 0) + 1)
    expect(await sideways()).toBe(false)
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.getByRole('button', { name: /^Display: \d hidden$/ }).waitFor()
    // How many fit depends on the hour: what has to leave within two hours is shown with an icon.
    await expect.poll(async () => (await heads(page)).length).toBeLessThan(wide.length)
    const narrow = await heads(page)
    expect(narrow).not.toContain('Received')
    expect(narrow).toEqual(expect.arrayContaining(['Order', 'Customer', 'Status', 'Ship by'].map(title => expect.stringContaining(title))))
    expect(await sideways()).toBe(false)
    await page.setViewportSize({ width: 900, height: 900 })
    await expect.poll(sideways).toBe(true)
  })
})

it('keeps what is overdue and what is due today in lists of their own', async () => {
  const day = 86_400_000
  const scope = scopeOfCompany(operator)
  await services.services.database.transaction(scope, async db => {
    const due = (order_no: string, ship_by: number) =>
      db
        .updateTable('orders')
        .set({ ship_by: new Date(ship_by).toISOString() })
        .where('order_no', '=', order_no)
        .execute()
    await due('7001', Date.now() - 3 * day)
    for (const order_no of ['7000', '7002', '7004', '7005', '7006', '7007', '7008', '7009']) await due(order_no, Date.now() + 3 * day)
  })
  const page = await list()
  await view(page, 'Overdue').click()
  await page.getByRole('row', { name: /7001/ }).waitFor()
  await page.getByText(/3 days late/).waitFor()
  // Where the line of views is full, the last ones stand in a menu.
  if (await view(page, 'Due today').isVisible()) await view(page, 'Due today').click()
  else {
    await page.getByTitle('More views').click()
    await page.getByRole('menuitem', { name: /^Due today/ }).click()
  }
  await expect.poll(() => page.getByRole('row', { name: /7001/ }).count()).toBe(0)
})
