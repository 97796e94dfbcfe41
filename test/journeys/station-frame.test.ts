/** The frame of the packing station: header, stage, side column, last answer and keys stand at the same places in every state. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { company } from '#features/company/companies/companies.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { disabledControls } from './screen-measures.ts'
import { camera, candle, chalk, done, feedback, heading, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

/** A folder for pictures of every state, for people to look at. */
const pictures = process.env.JOURNEY_PICTURES

let at: StationApp
beforeAll(async () => {
  at = await openStationApp()
  if (pictures) mkdirSync(pictures, { recursive: true })
})
afterAll(() => at?.testApp.close())

const parts = ['header', '[data-part="stage"]', '[data-part="side"]', '[data-part="answer"]', 'footer']

const boxes = (page: Page) =>
  page.evaluate(
    selectors =>
      Object.fromEntries(
        selectors.map(selector => {
          const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
          return [selector, [x, y, width, height].map(Math.round)]
        }),
      ),
    parts,
  )

/** By how many pixels the content of each is larger than its box, in the larger direction. */
const overflowOf = (page: Page, selectors: readonly string[]) =>
  page.evaluate(
    all =>
      all.map(selector => {
        const element = document.querySelector(selector)
        return element ? Math.max(element.scrollHeight - element.clientHeight, element.scrollWidth - element.clientWidth) : Number.NaN
      }),
    selectors,
  )

/** Texts below 16 pixels, and what is to be pressed but lower than 44: nothing on the floor may be. */
const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const visible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const own = (element: Element) => [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} ${(element.textContent || element.ariaLabel || '').trim().slice(0, 40)}`
    const all = [...document.querySelectorAll('body *')].filter(one => visible(one) && !one.closest('svg'))
    return {
      texts: all
        .filter(element => own(element) && Number.parseFloat(getComputedStyle(element).fontSize) < 16)
        .map(element => `${named(element)}: ${getComputedStyle(element).fontSize}`),
      targets: all
        .filter(element => element.matches('button, a[href], input, textarea') && element.getBoundingClientRect().height < 44)
        .filter(element => element.getBoundingClientRect().height > 1)
        .map(element => `${named(element)}: ${Math.round(element.getBoundingClientRect().height)}`),
    }
  })

const shotAs = (page: Page, name: string) => (pictures ? page.screenshot({ path: join(pictures, `${name}.png`) }) : undefined)

describe('the frame of the station', () => {
  it.each([
    [1440, 900],
    [1024, 768],
  ])('keeps every part at its place from state to state, %d pixels wide', async (width, height) => {
    const seen: Record<string, Awaited<ReturnType<typeof boxes>>> = {}
    const look = async (page: Page, name: string) => {
      await page.evaluate(() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => undefined))))
      seen[name] = await boxes(page)
      expect({ name, over: await overflowOf(page, ['footer']) }).toEqual({ name, over: [0] })
      expect({ name, ...(await tooSmall(page)) }).toEqual({ name, texts: [], targets: [] })
      expect({ name, disabled: await disabledControls(page) }).toEqual({ name, disabled: [] })
      await shotAs(page, `${name}-${width}`)
    }
    const open = (labelPrinter: number | null) => at.testApp.open(at.kim, '/', { labelPrinter, viewport: { width, height } })
    const page = await open(at.labelPrinter)
    await idle(page)
    await look(page, 'idle')

    const first = await at.order({ product: mug, qty: 3 }, { product: lamp, qty: 1 }, { product: camera, qty: 1 })
    await scan(page, first.code)
    await heading(page, 'Stoneware mug').waitFor()
    await look(page, 'packing')
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 3').waitFor()
    await look(page, 'packing with an answer')
    await scan(page, candle.barcode)
    await heading(page, 'Wrong item').waitFor()
    await look(page, 'wrong scan')
    await scan(page, camera.barcode)
    await heading(page, 'Scan the serial number').waitFor()
    await page.getByRole('button', { name: 'Record' }).waitFor()
    await look(page, 'serial question')
    await press(page, 'Escape')
    await press(page, 'F7')
    await heading(page, 'What about the rest?').waitFor()
    await look(page, 'question')
    await press(page, '2')
    await heading(page, 'Cancel missing items?').waitFor()
    await look(page, 'approval')
    await press(page, 'Escape')
    await press(page, 'Escape')
    await at.jonas.send(orderLocks.hold, { id: first.id, body: { reason: 'address', note: 'She moves to a new address' } })
    await heading(page, /STOP|On hold/).waitFor()
    await look(page, 'hold')
    await press(page, 'Escape')
    await idle(page)

    const second = await at.order({ product: chalk, qty: 1 })
    await scan(page, second.code)
    await heading(page, 'Loose chalk').waitFor()
    await look(page, 'counting')
    await scan(page, 'CMD:DONE')
    await done(page)
    await look(page, 'done')

    const bare = await open(null)
    await heading(bare, 'Select a label printer').waitFor()
    await look(bare, 'no printer')
    const third = await at.order({ product: mug, qty: 1 })
    await scan(bare, third.code)
    await heading(bare, 'Stoneware mug').waitFor()
    await scan(bare, mug.barcode)
    await heading(bare, 'No label yet').waitFor()
    await look(bare, 'no label')

    const { idle: expected } = seen
    for (const [name, found] of Object.entries(seen)) expect({ name, ...found }).toEqual({ name, ...expected })
    const side = expected?.['[data-part="side"]'] ?? []
    expect(side[2]).toBe(Math.max(304, Math.round(width * 0.28)))
    expect(expected?.header?.[3]).toBe(56)
    expect(expected?.['[data-part="answer"]']?.[3]).toBe(64)
    expect(expected?.footer?.[3]).toBe(56)
  })

  it.each([390, 360])('lays nothing over another part on a phone of %d pixels, in German', async width => {
    const page = await at.testApp.open(at.jonas, '/', {
      labelPrinter: at.labelPrinter,
      language: 'de_DE',
      viewport: { width, height: 844 },
      hasTouch: true,
    })
    const fits = async (name: string) => {
      await page.evaluate(() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => undefined))))
      await shotAs(page, `phone-${name}-${width}`)
      expect({ name, over: await overflowOf(page, ['[data-part="stage"]', '[data-part="side"]', 'footer', 'header']) }).toEqual({
        name,
        over: [0, 0, 0, 0],
      })
      expect({ name, ...(await tooSmall(page)) }).toEqual({ name, texts: [], targets: [] })
      // Two keys and the menu of the others, large enough for a thumb.
      const keys = await page.locator('footer button:visible').evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
      expect({ name, keys: keys.length <= 3 && keys.every(height => height >= 56) }).toEqual({ name, keys: true })
      expect({ name, title: (await page.locator('header h1').boundingBox())?.height }).toEqual({
        name,
        title: expect.toSatisfy(height => height < 40),
      })
    }
    await page.getByRole('heading', { level: 2, name: 'Bestellcode scannen' }).waitFor()
    await fits('idle')
    const { code } = await at.order({ product: mug, qty: 3 }, { product: lamp, qty: 1 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    // The field to count by hand is loaded after the item.
    await page.getByRole('textbox', { name: /Stoneware mug/ }).waitFor()
    await fits('packing')
    await scan(page, candle.barcode)
    await heading(page, 'Falscher Artikel').waitFor()
    await fits('wrong scan')
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Mehr', exact: true }).click()
    await shotAs(page, `phone-menu-${width}`)
    await page.getByRole('button', { name: 'Packen abbrechen' }).last().click()
    await page.getByRole('button', { name: 'Packen abbrechen' }).waitFor({ state: 'hidden' })
  })
})

describe('the keys of the station', () => {
  it.each(['en_GB', 'da_DK', 'de_DE', 'no_NO', 'sv_SE'] as const)(
    'stand in one line on a desk’s screen where all of them do something, in %s',
    async language => {
      const { version } = await at.jonas.send(company.config, {})
      await at.jonas.send(company.setConfig, { body: { version, weigh_parcels: 'always', parcel_photos: 'required' } })
      const page = await at.testApp.open(at.jonas, '/', { labelPrinter: at.labelPrinter, language, station: `Bench ${language}` })
      const { code } = await at.order({ product: mug, qty: 3 }, { product: lamp, qty: 1 })
      await heading(page, /./).waitFor()
      await scan(page, code)
      await heading(page, 'Stoneware mug').waitFor()
      await scan(page, mug.barcode)
      await page.locator('[data-part="answer"]').getByText('Stoneware mug').waitFor()
      const lines = await page.locator('footer button:visible').evaluateAll(all =>
        all.map(key => {
          const text = document.createRange()
          text.selectNode(key.lastChild as Node)
          return [key.textContent, text.getClientRects().length]
        }),
      )
      expect(lines.length).toBeGreaterThanOrEqual(8)
      expect(lines.filter(([, count]) => count !== 1)).toEqual([])
    },
  )
})
