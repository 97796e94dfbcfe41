/**
 * Journey: lists by keys alone, some of them in each run and every one with `LISTS=all`. Tab reaches its heads, rows, tools and pages; Enter on a head sorts, both ways; arrows and
 * Space choose rows, and the next Tab leads to what can be done with them; the export opens and closes; pages turn. The focus is never lost.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { screens } from '#app/screens.ts'
import { type DemoApp, openDemoApp, settled } from './demo-app.ts'
import { press } from './keyboard.ts'

let services: DemoApp
let remembers: Record<string, string>

beforeAll(async () => {
  services = await openDemoApp()
  remembers = (await services.signIn('admin')).remembers
})
afterAll(() => services?.close())

async function visit(path: string): Promise<Page> {
  const page = await services.visit(path, { remembers })
  page.setDefaultTimeout(8_000)
  await settled(page)
  return page
}

/** What has the focus, in words: its role and its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement
    if (!one || one === document.body) return 'nothing'
    const name = one.getAttribute('aria-label') ?? one.textContent ?? ''
    const kind = one.getAttribute('role') ?? (one.closest('th') && one.tagName === 'BUTTON' ? 'head' : one.tagName.toLowerCase())
    return `${kind}: ${name.trim().slice(0, 60)}`
  })

/** Presses Tab until this has the focus; false where a whole turn through the page does not come to it. */
async function tabTo(page: Page, wanted: (focus: string) => boolean, most = 150): Promise<boolean> {
  for (let at = 0; at < most; at++) {
    if (wanted(await focused(page))) return true
    await page.keyboard.press('Tab')
  }
  return false
}

const sortOf = (page: Page, place: number) => page.locator('main [role=grid] thead th').nth(place).getAttribute('aria-sort')

/** The screens of the shell; the board of shifts is no list, and `week-plan` plans on it by keys. */
const every = screens
  .filter(
    ({ screen, path, look, access, device }) =>
      screen && !path.includes('{') && !look && access !== 'anyone' && !device && path !== '/schedule',
  )
  .map(({ path }) => path)
const some = ['/parcels/orders', '/parcels/customers', '/returns', '/users']
const isEvery = process.env.LISTS === 'all'

const walkedLists: string[] = []

/** What of a list cannot be done by keys; undefined where the screen shows none. */
async function walked(page: Page): Promise<string[] | undefined> {
  const grid = page.locator('main [role=grid]').first()
  if ((await grid.count()) === 0) return undefined
  const faults: string[] = []
  const heads = await grid
    .locator('thead th')
    .evaluateAll(cells =>
      cells.flatMap((cell, place) =>
        cell.querySelector('button') ? [{ place, name: cell.querySelector('button')?.textContent ?? '' }] : [],
      ),
    )
  await page.locator('main').evaluate(main => {
    main.tabIndex = -1
    main.focus()
  })
  for (const { place, name } of heads) {
    if (!(await tabTo(page, focus => focus === `head: ${name}`))) {
      faults.push(`Tab does not reach the head ${name}`)
      continue
    }
    for (const key of ['Enter', 'Space']) {
      const before = await sortOf(page, place)
      const address = page.url()
      await press(page, key)
      await page.waitForTimeout(50)
      await settled(page)
      if ((await sortOf(page, place)) === before) faults.push(`${key} on ${name} does not sort`)
      if (page.url() === address) faults.push(`the sort by ${name} is not in the address`)
      if ((await page.locator('main [role=alert]').count()) > 0) faults.push(`the sort by ${name} fails`)
      if ((await focused(page)) !== `head: ${name}`) faults.push(`after the sort by ${name} the focus is on ${await focused(page)}`)
    }
  }
  const rows = await grid.locator('tbody tr[aria-rowindex]').count()
  if (rows > 0) {
    if (!(await tabTo(page, focus => focus.startsWith('grid')))) faults.push('Tab does not reach the rows')
    else if ((await grid.getByRole('checkbox', { name: /^Select row/ }).count()) > 0) {
      await press(page, 'ArrowDown')
      await press(page, 'Space')
      const bar = page.getByRole('toolbar').or(page.locator('[class*=ActionBar]')).first()
      if (
        !(await bar.waitFor({ timeout: 1_500 }).then(
          () => true,
          () => false,
        ))
      )
        faults.push('Space chooses no row')
      else {
        await page.keyboard.press('Tab')
        const inBar = () => bar.evaluate(one => one.contains(document.activeElement))
        let reached = false
        for (let at = 0; at < 30 && !reached; at++) {
          reached = await inBar()
          if (!reached) await page.keyboard.press('Tab')
        }
        if (!reached) faults.push('Tab does not reach what can be done with the chosen rows')
        await press(page, 'Escape')
        await bar.waitFor({ state: 'hidden' }).catch(() => faults.push('Escape in the bar keeps the choice'))
        if (!(await focused(page)).startsWith('grid')) faults.push(`after Escape in the bar the focus is on ${await focused(page)}`)
      }
    }
  }
  if ((await page.locator('main').getByRole('button', { name: 'Export this view' }).count()) > 0) {
    if (!(await tabTo(page, focus => focus.includes('Export this view')))) faults.push('Tab does not reach the export')
    else {
      await press(page, 'Enter')
      const formats = page.getByRole('menu')
      await formats.waitFor().catch(() => faults.push('Enter does not open the export'))
      await press(page, 'ArrowDown')
      if (!/^menuitem: (Excel|CSV)$/.test(await focused(page))) faults.push(`in the export the focus is on ${await focused(page)}`)
      await press(page, 'Escape')
      await formats.waitFor({ state: 'hidden' }).catch(() => faults.push('Escape does not close the export'))
      await page.waitForTimeout(100)
      if (!(await focused(page)).includes('Export this view')) faults.push(`after the export the focus is on ${await focused(page)}`)
    }
  }
  const next = page.locator('main').getByRole('button', { name: 'Next page' })
  if ((await next.count()) > 0 && (await next.getAttribute('aria-disabled')) !== 'true' && !(await next.isDisabled())) {
    if (!(await tabTo(page, focus => focus.includes('Next page')))) faults.push('Tab does not reach the next page')
    else {
      await press(page, 'Enter')
      await page
        .getByText('Page 2', { exact: true })
        .waitFor()
        .catch(() => faults.push('Enter does not turn the page'))
      await settled(page)
      await page.waitForTimeout(100)
      if ((await focused(page)) === 'nothing') faults.push('after the page is turned nothing has the focus')
    }
  }
  return faults
}

describe('a list', () => {
  it.each(isEvery ? every : some)('%s is worked by keys alone', async path => {
    const page = await visit(path)
    const faults = await walked(page)
    if (faults) walkedLists.push(path)
    expect(faults ?? []).toEqual([])
  })

  it('stands on the screens that were walked', () => {
    expect(walkedLists.length).toBeGreaterThan(isEvery ? 30 : some.length - 1)
  })
})
