/** Journey: the week of two hundred people. Only the rows in sight are drawn, and nothing that a lead does notices it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { addDays, mondayOf } from '#domain/local-time.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { hasFocus, press } from './keyboard.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
const monday = addDays(mondayOf(new Date().toISOString().slice(0, 10)), 7)
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  lead = await operator.hire(['schedule_admin'], operator.main, 'Aa Lead')
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('users')
      .values(
        Array.from({ length: 200 }, (_, n) => ({
          operator_id: operator.operator_id,
          company_id: operator.main.id,
          name: `Person ${String(n + 1).padStart(3, '0')}`,
        })),
      )
      .execute(),
  )
})
afterAll(() => testApp?.close())

const names = (page: Page) => page.locator('tbody th[scope="row"] b').allTextContents()
const open = async (view: 'week' | 'day') => {
  const page = await testApp.open(lead, `/schedule?day=${monday}&view=${view}`)
  await page.getByRole('grid', { name: 'Schedule' }).waitFor()
  return page
}

for (const view of ['week', 'day'] as const) {
  it(`draws the rows in sight of the ${view}, others when they come into sight, and says how many there are`, async () => {
    const page = await open(view)
    await expect.poll(async () => (await names(page)).length).toBeGreaterThan(10)
    expect((await names(page)).length).toBeLessThan(60)
    expect(await names(page)).not.toContain('Person 200')
    expect(await page.getByRole('grid', { name: 'Schedule' }).getAttribute('aria-rowcount')).toBe('203')
    await page.getByRole('grid', { name: 'Schedule' }).evaluate(grid => grid.parentElement?.scrollTo({ top: 1_000_000 }))
    await expect.poll(() => names(page)).toContain('Person 200')
    expect((await names(page)).length).toBeLessThan(60)
  })
}

it('takes the keys from the first row to the last, with each cell in sight', async () => {
  const page = await open('week')
  await page.locator('[data-cell="0:0"]').focus()
  for (let step = 0; step < 201; step++) await page.keyboard.press('ArrowDown')
  await hasFocus(page.locator('[data-cell="201:0"]'))
  const last = page.locator('[data-cell="201:0"]')
  const grid = page.getByRole('grid', { name: 'Schedule' })
  const hidden = await last.evaluate(cell => {
    const { left, top, width, height } = cell.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-cell]') !== cell
  })
  expect(hidden).toBe(false)
  await press(page, 'n')
  await page.getByRole('dialog', { name: 'New shift' }).getByLabel('Begins').fill('07:00')
  await press(page, 'Enter')
  await expect.poll(() => last.locator('[data-chip]').count()).toBe(1)
  // The wheel takes it out of sight; the keys go on where they were.
  await grid.evaluate(table => table.parentElement?.scrollTo({ top: 0 }))
  await expect.poll(() => names(page)).toContain('Person 001')
  await page.keyboard.press('ArrowUp')
  await hasFocus(page.locator('[data-cell="200:0"]'))
  await expect.poll(() => names(page)).toContain('Person 190')
})

it('prints all of them', async () => {
  const page = await open('week')
  const printed = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'))
    return document.querySelectorAll('tbody th[scope="row"]').length
  })
  expect(printed).toBe(202)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect.poll(async () => (await names(page)).length).toBeLessThan(60)
})
