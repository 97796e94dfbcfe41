/** Journey: a station films an order across a reload, the office finds an item in the video, keeps it and shares it by link. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { done, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
beforeAll(async () => {
  at = await openStationApp({ camera: true })
  await at.jonas.send(packingVideo.setSettings, {
    body: { enabled: true, retention_days: 30, quality: '480p', storage_gb: 10, notices: { en_GB: 'We film what goes into the box.' } },
  })
})
afterAll(() => at?.testApp.close())

const videosOf = async (order: number) => (await at.jonas.send(packingVideo.list, { id: order })).rows
const recording = (page: Page) => page.getByRole('button', { name: 'Recording video' })

async function switchCamera(page: Page, to: 'on' | 'off') {
  await page.getByRole('button', { name: /^(Camera is|Recording video)/ }).click()
  await page.getByText('We film what goes into the box.').waitFor()
  await page.getByRole('button', { name: `Switch camera ${to}` }).click()
  await page.getByRole('button', { name: to === 'on' ? 'Switch camera off' : 'Switch camera on' }).waitFor()
  await press(page, 'Escape')
  await page.getByText('We film what goes into the box.').waitFor({ state: 'detached' })
}

it('films an order from its opening, goes on in a second part after a reload, and shows that it records', {
  timeout: 240_000,
}, async () => {
  const order = await at.order({ product: mug, qty: 1 }, { product: lamp, qty: 1 })
  const page = await at.openStation(at.kim)
  await idle(page)
  await switchCamera(page, 'on')
  expect(await page.title()).not.toContain('●')

  await scan(page, order.code)
  await recording(page).waitFor()
  await expect.poll(() => page.title()).toMatch(/^● /)
  await page.waitForTimeout(4_000)
  await scan(page, mug.barcode)
  await page.getByText('1 of 2 packed').waitFor()
  // What was filmed in the last two seconds is lost with the page.
  await page.waitForTimeout(8_000)
  await page.reload()
  await recording(page).waitFor()
  await page.waitForTimeout(2_500)
  await scan(page, lamp.barcode)
  await done(page)
  // It goes on for a while, in which the last hand movements are seen; switched off it ends at once.
  await recording(page).waitFor()
  await switchCamera(page, 'off')
  await expect.poll(() => page.title()).not.toContain('●')
  await expect
    .poll(async () => (await videosOf(order.id)).map(video => [video.part_no, video.state, video.source]), { timeout: 90_000 })
    .toEqual([
      [1, 'available', 'station'],
      [2, 'available', 'station'],
    ])
  // Nothing stays on the device.
  const kept = await page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opened = indexedDB.open('pakhus-video')
        opened.onerror = () => reject(opened.error)
        opened.onsuccess = () => {
          const count = opened.result.transaction('pieces').objectStore('pieces').count()
          count.onsuccess = () => resolve(count.result)
        }
      }),
  )
  expect(kept).toBe(0)

  const office = await at.testApp.open(at.jonas, `/parcels/orders?id=${order.id}`)
  const panel = office.getByRole('region', { name: 'Video' })
  await panel.getByRole('button', { name: 'Show video' }).first().click()
  const player = panel.getByLabel('Video of Bench 1')
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState), { timeout: 30_000 }).toBeGreaterThanOrEqual(1)
  const [first] = await videosOf(order.id)
  expect(first?.marks.map(one => one.text)).toContain(mug.name)
  const mark = first?.marks.find(one => one.text === mug.name)
  expect(mark?.t_ms).toBeGreaterThan(1_000)
  await panel.getByRole('list', { name: 'Marks' }).getByRole('button', { name: mug.name }).click()
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => (video.seeking ? -1 : Math.round(video.currentTime * 1_000))))
    .toBe(mark?.t_ms)
  expect(await player.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  // Each mark has its still, and the picture on the screen is saved.
  const stills = panel.getByRole('list', { name: 'Marks' }).locator('img')
  await expect.poll(() => stills.count(), { timeout: 30_000 }).toBe(first?.marks.length)
  expect(await stills.first().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(160)
  const [download] = await Promise.all([office.waitForEvent('download'), panel.getByRole('button', { name: 'Save this picture' }).click()])
  expect(download.suggestedFilename()).toBe(`${mark?.t_ms}.jpg`)
  if (process.env.JOURNEY_PICTURES) await office.screenshot({ path: join(process.env.JOURNEY_PICTURES, 'video.png') })

  await panel.getByRole('button', { name: 'More for this video' }).first().click()
  await office.getByRole('menuitem', { name: 'Keep video' }).click()
  const keep = office.getByRole('dialog', { name: 'Keep video' })
  await keep.getByRole('button', { name: 'Keep video' }).click()
  await keep.getByText('Say why it is kept').waitFor()
  await keep.getByRole('textbox', { name: 'Reason' }).fill('Claim 88')
  await keep.getByRole('button', { name: 'Keep video' }).click()
  await panel.getByText(/^Kept until .* by Jonas Krogh: Claim 88$/).waitFor()

  await panel.getByRole('button', { name: 'More for this video' }).first().click()
  await office.getByRole('menuitem', { name: 'Share by link' }).click()
  const share = office.getByRole('dialog', { name: 'Share by link' })
  await share.getByRole('combobox', { name: 'How long it works' }).selectOption({ label: '3 days' })
  await share.getByRole('button', { name: 'Create link' }).click()
  const once = office.getByRole('dialog', { name: 'Copy the link now' })
  const link = (await once.locator('pre').textContent()) ?? ''
  await once.getByRole('button', { name: 'Link copied' }).click()
  const { pathname, hash } = new URL(link)

  const visitor = await at.testApp.open({ company: at.operator.main }, `${pathname}${hash}`)
  const shown = visitor.getByLabel('Packing video', { exact: true })
  await expect.poll(() => shown.evaluate((video: HTMLVideoElement) => video.readyState), { timeout: 30_000 }).toBeGreaterThanOrEqual(1)
  await visitor.getByRole('button', { name: 'Item packed' }).waitFor()
  expect(await visitor.content()).not.toContain(mug.name)
  expect(await visitor.content()).not.toContain(order.order_no)
  await panel.getByRole('button', { name: 'End link' }).click()
  await panel.getByRole('button', { name: 'End link' }).waitFor({ state: 'detached' })
  await visitor.reload()
  await visitor.getByText('This link does not work').waitFor()

  const settings = await at.testApp.open(at.jonas, '/settings/dvr-config?tab=held')
  await settings.getByRole('grid', { name: 'Kept videos' }).getByText('Claim 88').waitFor()
  await settings.getByRole('tab', { name: 'Access log' }).click()
  await settings.getByText('By shared link').waitFor()
})
