/** Journeys: the picker's phone – one step per screen, wrong scans, missing items, full totes. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Locale } from '#contract/limits.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { type BuiltList, buildPickList, type PlannedOrder } from '../pick-list.ts'
import type { TestOperator } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'

let services: JourneyApp

beforeAll(async () => {
  services = await openJourneyApp()
})
afterAll(() => services?.close())

/** Orders of one wagon, each with a reserved tote; the picker's phone stands before it. */
async function wagon(plans: PlannedOrder[], { size = { width: 390, height: 844 }, language }: Partial<Look> = {}) {
  const operator = await services.operator()
  const codes = plans.map((_, index) => `${index + 1}`)
  const list = await buildPickList(services.services.database, operator, plans, { codes, wave: { scan_bin: true } })
  const picker = await operator.hire(['pick'], operator.main, 'Kim')
  const page = await services.open(picker, '/pick', {
    station: null,
    viewport: size,
    hasTouch: true,
    isMobile: true,
    ...(language && { language }),
  })
  await page
    .getByRole('article')
    .filter({ hasText: `${list.id}` })
    .getByRole('button')
    .first()
    .click()
  await page.locator('[data-enter]').click()
  await page.locator('[data-step="bin"]').waitFor()
  return { page, list, operator, codes }
}
interface Look {
  size: { width: number; height: number }
  language: Locale
}

const pictures = process.env.JOURNEY_PICTURES
async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

const step = (page: Page, name: 'bin' | 'product' | 'slot') => page.locator(`[data-step="${name}"]`).waitFor()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const problem = async (page: Page, name: string) => {
  await button(page, 'Problem').click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

/** What the layout rules of the phone are about, measured. */
const measured = (page: Page) =>
  page.evaluate(() => {
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)
    const texts = [...document.querySelectorAll('body *')].filter(
      element =>
        element instanceof HTMLElement &&
        element.offsetParent !== null &&
        [...element.childNodes].some(node => node.nodeType === 3 && node.textContent?.trim()),
    )
    const largest = document.querySelector('[data-largest]')
    const inLargest = largest ? [...largest.querySelectorAll('*'), largest] : []
    const others = texts.filter(element => !inLargest.includes(element))
    const main = document.querySelector('[data-enter]')?.getBoundingClientRect()
    const content = document.querySelector('[data-step] > div')
    const controls = [...document.querySelectorAll('[data-step] footer button, [data-step] > p, [data-step] > div > *')].map(one =>
      one.getBoundingClientRect(),
    )
    const overlaps = controls.flatMap((one, index) =>
      controls
        .slice(index + 1)
        .filter(
          other =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
        ),
    ).length
    return {
      largest: Math.max(0, ...inLargest.map(sizeOf)),
      next: Math.max(0, ...others.map(sizeOf)),
      mainTop: innerHeight - (main?.top ?? 0),
      mainHeight: main?.height ?? 0,
      mainInside: (main?.bottom ?? 1e6) <= innerHeight,
      fits: content !== null && content.scrollHeight <= content.clientHeight + 1 && content.scrollWidth <= content.clientWidth + 1,
      // A phone makes a page that is too wide smaller, and with it the window wider.
      sideways: Math.max(document.documentElement.scrollWidth, innerWidth) - screen.width,
      overlaps,
    }
  })

async function expectLaidOut(page: Page, least: number): Promise<void> {
  const found = await measured(page)
  expect(found).toMatchObject({ mainInside: true, fits: true, overlaps: 0 })
  expect(found.sideways).toBeLessThanOrEqual(0)
  expect(found.largest).toBeGreaterThanOrEqual(least)
  expect(found.largest).toBeGreaterThan(found.next)
  expect(found.mainTop).toBeLessThanOrEqual(120)
  expect(found.mainHeight).toBeGreaterThanOrEqual(56)
}

const lamp = { bin: 'A-04-1', qty: 3, barcode: 'LAMP', sku: 'NO-LAMP-H', name: 'Head lamp Nattsyn 400 with rechargeable battery' }
const mug = { bin: 'B-05-2', qty: 1, barcode: 'MUG-B', sku: 'MUG-B', name: 'Mug blue' }

describe('the steps of a line', () => {
  it.each<[Locale, number, number]>([
    ['en_GB', 390, 844],
    ['de_DE', 360, 740],
  ])(
    'show the bin, then the quantity, then the slot as the largest in %s at %i px, and overlap nothing',
    async (language, width, height) => {
      const { page, codes } = await wagon([{ lines: [lamp, mug] }], { size: { width, height }, language })
      await expectLaidOut(page, 56)
      await picture(page, `phone-go-${language}`)
      expect(await page.locator('[data-largest]').textContent()).toBe('A-04-1')
      await scan(page, 'A-04-1')
      await step(page, 'product')
      await expectLaidOut(page, 96)
      await picture(page, `phone-take-${language}`)
      for (const _ of [1, 2, 3]) await scan(page, 'LAMP')
      await step(page, 'slot')
      await expectLaidOut(page, 128)
      await picture(page, `phone-put-${language}`)
      await scan(page, `PP${codes[0]}`)
      await page.locator('[data-largest]', { hasText: 'B-05-2' }).waitFor()
    },
  )

  it('keep their place on a narrow phone while the server is slow', async () => {
    const { page } = await wagon([{ lines: [lamp, mug] }], { size: { width: 360, height: 740 }, language: 'de_DE' })
    const held = Promise.withResolvers<void>()
    await page.route('**/wagon/*/events', async route => {
      await held.promise
      await route.continue()
    })
    await scan(page, 'A-04-1')
    await step(page, 'product')
    for (const _ of [1, 2, 3]) await scan(page, 'LAMP')
    await step(page, 'slot')
    await page.getByRole('status').filter({ hasText: '4 nicht gesendet' }).waitFor()
    await expectLaidOut(page, 128)
    await picture(page, 'phone-slow-de_DE')
    held.resolve()
    await page.getByRole('status').filter({ hasText: 'nicht gesendet' }).waitFor({ state: 'detached' })
  })

  it('go on with Enter of a keyboard, though the hidden field of the scanner has the focus', async () => {
    const { page } = await wagon([{ lines: [mug] }])
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-scan'))).toBe('scan_input')
    await press(page, 'Enter')
    await step(page, 'product')
    await press(page, 'Enter')
    await step(page, 'slot')
  })

  it('open the number pad when the button is held', async () => {
    const { page } = await wagon([{ lines: [lamp] }])
    await scan(page, 'A-04-1')
    const main = page.locator('[data-enter]')
    await main.dispatchEvent('pointerdown')
    await page.getByRole('dialog', { name: 'How many?' }).waitFor()
    await main.dispatchEvent('pointerup')
  })
})

it('fills the screen with a wrong scan until the right one follows', async () => {
  const { page } = await wagon([{ lines: [mug, lamp] }])
  await scan(page, 'A-04-1')
  await scan(page, 'MUG-B')
  const wrong = page.getByRole('alertdialog', { name: 'Wrong item' })
  await wrong.getByText('Mug blue', { exact: true }).waitFor()
  await wrong.getByText(/^Put it back and scan Head lamp/).waitFor()
  const box = await wrong.boundingBox()
  expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 390, 844])
  await picture(page, 'phone-wrong')
  await scan(page, 'LAMP')
  await wrong.waitFor({ state: 'hidden' })
  await page.getByText('1 picked').waitFor()
  await scan(page, 'UNKNOWN')
  await wrong.waitFor()
  // A person's Enter comes later than the end of a scan; the time stamp says so, however fast this machine is.
  await scan(page, '', { after: 400 })
  await wrong.waitFor({ state: 'hidden' })
})

it('names the date of an overdue wagon', async () => {
  const operator = await services.operator()
  const list = await buildPickList(services.services.database, operator, [{ lines: [mug] }])
  await overdue(operator, list)
  const picker = await operator.hire(['pick'], operator.main, 'Overdue picker')
  const page = await services.open(picker, '/pick', {
    station: null,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const card = page.getByRole('article').filter({ hasText: `List ${list.id}` })
  await card.getByText(/^Overdue since .*2020/).waitFor()
  await expect.poll(() => page.locator('article button[data-variant="filled"]').count()).toBe(1)
})

const overdue = (operator: TestOperator, list: BuiltList) =>
  services.services.database.transaction(scopeOfCompany(operator), async db => {
    const ids = list.orders.map(order => order.id)
    await db.updateTable('orders').set({ ship_by: '2020-11-20T12:00:00Z' }).where('id', 'in', ids).execute()
  })

it('asks once for all lines of a product that is missing, and never goes back to its bin', async () => {
  const { page, codes, list, operator } = await wagon([
    { lines: [{ ...lamp, qty: 2 }] },
    { lines: [{ ...lamp, qty: 1 }, mug] },
    { lines: [{ ...lamp, qty: 1 }] },
  ])
  const lead = await operator.hire(['admin'], operator.main, 'Lead')
  await problem(page, 'Items are missing')
  await page.getByRole('dialog', { name: 'How many did you find?' }).getByRole('button', { name: '1', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Not there' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Missing there too?' })
  await asked.getByRole('img', { name: /NO-LAMP-H/ }).waitFor()
  await picture(page, 'phone-missing')
  await asked.getByRole('button', { name: 'Missing on all 2' }).click()
  // The photo is of the product that was reported, not of the line that comes next.
  const photo = page.getByRole('alertdialog', { name: 'Photo for this product?' })
  await photo.getByRole('img', { name: /NO-LAMP-H/ }).waitFor()
  await photo.getByRole('button', { name: 'No photo' }).click()
  expect(await page.locator('[data-largest]').textContent()).toBe('B-05-2')
  await scan(page, 'MUG-B')
  await scan(page, `PP${codes[1]}`)
  // The wagon's end names what is missing in which tote, and what to do with the empty ones.
  await page.getByRole('heading', { name: 'Wagon picked' }).waitFor()
  const empty = page.getByRole('list', { name: 'Reported missing' }).getByRole('listitem').filter({ hasText: 'Nothing is in this tote.' })
  await expect.poll(() => empty.count()).toBe(1)
  await picture(page, 'phone-picked')
  await empty.getByText(/^Reported missing: Head lamp .* by Kim, at \d\d:\d\d$/).waitFor()
  const board = await services.open(lead, `/lists/pick?id=${list.id}`)
  const alert = board.getByRole('alert').filter({ hasText: 'Totes with nothing in them' })
  await alert.getByText(/^Reported missing: Head lamp .* by Kim, at \d\d:\d\d$/).waitFor()
  await alert.getByText(`PP${codes[2]}`).waitFor()
  await expect
    .poll(async () => (await lead.send(pickTasks.shorts, {})).rows.filter(row => row.pick_list_id === list.id).map(row => row.quantity))
    .toEqual([1, 1, 1])
})

it('asks which tote is full, says on the sheet what is wrong, and takes another tote only when it is scanned twice', async () => {
  const { page, codes, operator } = await wagon([{ lines: [lamp] }, { lines: [mug] }])
  await services.services.database.transaction(scopeOfCompany(operator), db =>
    db.insertInto('paperless_codes').values({ digits: '900' }).execute(),
  )
  await problem(page, 'The tote is full')
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Slot 1' }).click()
  await scan(page, `PP${codes[1]}`)
  await sheet
    .getByRole('alert')
    .getByText(/Wrong tote/)
    .waitFor()
  await press(page, 'Escape')
  await sheet.waitFor({ state: 'hidden' })

  for (const _ of [1, 2, 3]) await scan(page, 'LAMP')
  await step(page, 'slot')
  await scan(page, 'PP900')
  const other = page.getByRole('alertdialog', { name: 'Not the reserved tote' })
  await other.getByText(`PP900 is not the tote of slot 1. Scan PP900 again to use it instead of PP${codes[0]}.`).waitFor()
  await scan(page, 'PP900')
  await other.waitFor({ state: 'hidden' })
  await page.locator('[data-largest]', { hasText: 'B-05-2' }).waitFor()
})
