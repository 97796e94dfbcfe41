/** Journey: scales and cameras are allowed to the pages that use them, also where the service worker answers instead of the server. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scan } from './scan.ts'
import { idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
beforeAll(async () => {
  at = await openStationApp({ serviceWorker: true })
})
afterAll(() => at?.testApp.close())

/** What the loaded document may use. Chromium only: the other browsers know neither the scales nor the header. */
const allowed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { featurePolicy } = document as Document & { featurePolicy?: { allowsFeature(feature: string): boolean } }
    return ['hid', 'serial', 'camera'].filter(feature => featurePolicy?.allowsFeature(feature))
  })
const all = ['hid', 'serial', 'camera']

const shows = (page: Page, name: string) => page.getByRole('heading', { name }).first().waitFor()

async function leaveAndEnter(page: Page) {
  await idle(page)
  await expect.poll(() => allowed(page)).toEqual(all)
  await page.getByRole('link', { name: /^Leave this screen/ }).click()
  await shows(page, 'Orders')
  await expect.poll(() => allowed(page)).toEqual([])
  await page.getByRole('link', { name: 'Pack', exact: true }).first().click()
  await idle(page)
  await expect.poll(() => allowed(page)).toEqual(all)
}

it('loads the page anew when the station is left and entered', async () => {
  const page = await at.openStation(at.jonas)
  await leaveAndEnter(page)
  await page.goBack()
  await shows(page, 'Orders')
  await expect.poll(() => allowed(page)).toEqual([])

  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto(`${new URL(page.url()).origin}/`)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await leaveAndEnter(page)
})

it('comes back to the order that was open', async () => {
  const { code, order_no } = await at.order({ product: mug, qty: 2 }, { product: lamp, qty: 1 })
  const page = await at.openStation(at.jonas)
  await idle(page)
  await scan(page, code)
  await scan(page, mug.barcode)
  await page.getByText('1/2').first().waitFor()
  await page.getByRole('link', { name: /^Leave this screen/ }).click()
  await shows(page, 'Orders')
  await page.getByRole('link', { name: 'Pack', exact: true }).first().click()
  await shows(page, `Order ${order_no}`)
  await page.getByText('1/2').first().waitFor()
})

it('allows the camera where it reads codes, and goes on from there without a page load', async () => {
  const page = await at.testApp.open(at.jonas, '/parcels/products')
  await shows(page, 'Products')
  expect(await allowed(page)).toEqual([])
  await page.getByRole('link', { name: 'Shipments' }).first().click()
  await shows(page, 'Shipments')
  await expect.poll(() => allowed(page)).toEqual(['camera'])
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await page.getByRole('link', { name: 'Products' }).first().click()
  await shows(page, 'Products')
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

it('opens the start page of somebody who has no station without the scales', async () => {
  const page = await at.testApp.open(at.jonas, '/', { station: null })
  await page.waitForURL(/\/dashboard/)
  await expect.poll(() => allowed(page)).toEqual([])
})
