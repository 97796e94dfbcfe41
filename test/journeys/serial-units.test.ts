/** Journey: a file brings serial numbers with a multipack, one scan packs all of it, the list shows them, and a recalled one is refused. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { scan } from './scan.ts'
import { camera, done, feedback, heading, idle, openStationApp, type StationApp } from './station.ts'

let at: StationApp
beforeAll(async () => {
  at = await openStationApp()
})
afterAll(() => at?.testApp.close())

const shot = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const file = [
  'sku;serial;pack_code;lot;expiry',
  'CAM;SN-701;BOX-7;L4;2030-01-31',
  'CAM;SN-702;BOX-7;L4;2030-01-31',
  'CAM;SN-703;BOX-7;L4;2030-01-31',
  'CAM;SN-801;;;',
  'STOOL;SN-901;;;',
].join('\n')

it('imports a file, packs a multipack with one scan, and holds a recalled number back at the station', async () => {
  const clerk = await at.operator.hire(['sn_admin', 'parcels'], at.operator.main, 'Ida Krag')
  const page = await at.testApp.open(clerk, '/serials')
  await page.getByRole('link', { name: 'Imported', exact: true }).click()
  await page.getByText('No imported serial numbers').waitFor()
  await shot(page, 'units-empty')
  await page.getByRole('button', { name: 'Import' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Import serial numbers' })
  await shot(page, 'units-import')
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose file' }).click()
  await (await choosing).setFiles({ name: 'cameras.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await dialog.getByText('4 created, 0 updated, 0 unchanged, 1 refused').waitFor()
  await dialog.getByText('No product has the SKU STOOL').waitFor()
  await shot(page, 'units-imported')
  await page.keyboard.press('Escape')
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'SN-' })
  await expect.poll(() => rows.count()).toBe(4)

  const order = await at.order({ product: camera, qty: 4 })
  const station = await at.openStation(at.kim)
  await idle(station)
  await scan(station, order.code)
  await heading(station, camera.name).waitFor()
  await scan(station, 'BOX-7')
  await feedback(station, 'Camera: 3 of 4').waitFor()
  await shot(station, 'units-station-pack')
  expect((await at.kim.send(packing.get, { id: order.id })).lines[0]?.serials).toEqual(['SN-701', 'SN-702', 'SN-703'])
  // The list follows by itself.
  await expect.poll(() => rows.filter({ hasText: 'In packing' }).count()).toBe(3)

  await rows.filter({ hasText: 'SN-801' }).getByText('SN-801').click()
  const facts = page.getByRole('dialog', { name: 'Serial number' })
  await shot(page, 'units-facts')
  await facts.getByRole('button', { name: 'Recall' }).click()
  await rows.filter({ hasText: 'SN-801' }).getByText('Recalled').waitFor()
  await shot(page, 'units-recalled')
  await scan(station, camera.barcode)
  await scan(station, 'SN-801')
  await feedback(station, 'SN-801 is recalled and must not go out').waitFor()
  await shot(station, 'units-station-recalled')
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows.filter({ hasText: 'SN-801' }).getByText('In stock').waitFor()
  await scan(station, 'SN-801')
  await done(station)
  await expect.poll(() => rows.filter({ hasText: 'Sent' }).count()).toBe(4)

  await scan(page, 'BOX-7')
  await expect.poll(() => rows.count()).toBe(3)
  await rows.first().getByRole('link', { name: order.order_no }).waitFor()
  await shot(page, 'units-pack')

  await page.getByRole('button', { name: 'Recall' }).click()
  const recall = page.getByRole('dialog', { name: 'Recall' })
  await recall.getByRole('textbox', { name: 'SKU' }).fill('cam')
  await recall.getByRole('textbox', { name: 'First serial number' }).fill('SN-702')
  await recall.getByText('Serial numbers: 3. Orders: 1.').waitFor()
  await shot(page, 'units-recall')
  await recall.getByRole('button', { name: 'Stop at stations' }).click()
  await page.getByRole('button', { name: 'Stop them' }).click()
  await page.getByText('Recalled: 3').waitFor()
  await expect.poll(() => rows.filter({ hasText: 'Recalled' }).count()).toBe(2)
})

it.runIf(process.env.JOURNEY_PICTURES)('is shown at every width, in light and dark, in English and German', async () => {
  const clerk = await at.operator.hire(['sn_admin', 'parcels'], at.operator.main, 'Pia Lund')
  for (const language of ['en_GB', 'de_DE'] as const)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 1024, 390]) {
        const page = await at.testApp.open(clerk, '/serials/stock', { language, colorScheme, viewport: { width, height: 900 } })
        await page.getByText('SN-701').first().waitFor()
        await shot(page, `units-${language}-${colorScheme}-${width}`)
      }
})
