/** Journey: parcels on a USB scale, and a rest that is decided line by line, by scanner events alone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packing } from '../../src/features/packing/packing/packing.contract.ts'
import { scan } from './scan.ts'
import { done, heading, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
beforeAll(async () => {
  at = await openStationApp({ settings: { weigh_parcels: 'scale', packaging_weight_g: 200 } })
})
afterAll(() => at?.testApp.close())

/** A USB scale that was allowed before. `weigh` puts so many grams on it; a report has status, unit, exponent and the weight. */
async function withScale(page: Page): Promise<(grams: number) => Promise<void>> {
  await page.addInitScript(() => {
    const reports = new Set<(event: { data: DataView }) => void>()
    const device = {
      opened: false,
      collections: [{ usagePage: 0x8d }],
      async open() {
        this.opened = true
      },
      addEventListener: (_: string, listener: (event: { data: DataView }) => void) => reports.add(listener),
    }
    let grams = 0
    Object.defineProperty(navigator, 'hid', {
      value: { getDevices: async () => [device], requestDevice: async () => [device], addEventListener: () => undefined },
    })
    Object.assign(window, { putOnScale: (weight: number) => (grams = weight) })
    setInterval(() => {
      const bytes = new Uint8Array([grams === 0 ? 2 : 4, 2, 0, grams & 255, grams >> 8])
      for (const report of reports) report({ data: new DataView(bytes.buffer) })
    }, 50)
  })
  await page.reload()
  return grams => page.evaluate(weight => (window as unknown as { putOnScale(grams: number): void }).putOnScale(weight), grams)
}

describe('a station with a scale', () => {
  it('takes a weight that fits by itself, and asks about one that differs', async () => {
    const page = await at.openStation(at.jonas)
    const weigh = await withScale(page)
    await idle(page)
    const fits = await at.order({ product: mug, qty: 2 })
    await scan(page, fits.code)
    await heading(page, 'Stoneware mug').waitFor()
    await weigh(810)
    await scan(page, mug.barcode)
    await scan(page, mug.barcode)
    await done(page)
    expect((await at.jonas.send(packing.get, { id: fits.id })).parcels).toMatchObject([{ weight_g: 810 }])

    const differs = await at.order({ product: mug, qty: 2 })
    await scan(page, differs.code)
    await heading(page, 'Stoneware mug').waitFor()
    await weigh(1_400)
    await scan(page, mug.barcode)
    await scan(page, mug.barcode)
    await heading(page, 'Weigh the parcel').waitFor()
    await expect.poll(() => page.getByText('1,400 g').count()).toBeGreaterThan(0)
    await scan(page, 'CMD:OK')
    await heading(page, 'The weight differs').waitFor()
    await scan(page, 'CMD:2')
    await done(page)
    expect((await at.jonas.send(packing.get, { id: differs.id })).parcels).toMatchObject([{ weight_g: 1_400 }])
  })
})

describe('by scanner alone', () => {
  it('the rest is decided line by line, and an order is unpacked again', async () => {
    const page = await at.openStation(at.jonas, { station: 'Bench 2' })
    await idle(page)
    const { id, code } = await at.order({ product: mug, qty: 2 }, { product: lamp, qty: 1 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await scan(page, 'CMD:FINALIZE')
    await heading(page, 'What about the rest?').waitFor()
    await scan(page, 'CMD:4')
    await heading(page, '1 × Stoneware mug').waitFor()
    await scan(page, 'CMD:2')
    await heading(page, '1 × Table lamp').waitFor()
    await scan(page, 'CMD:ESC')
    await heading(page, '1 × Stoneware mug').waitFor()
    await scan(page, 'CMD:2')
    await scan(page, 'CMD:2')
    await heading(page, 'Notify the recipient?').waitFor()
    await scan(page, 'CMD:1')
    await done(page)
    expect(await at.jonas.send(packing.get, { id })).toMatchObject({ work_state: 'packed', packed: 1, to_pack: 1 })

    await scan(page, code)
    await heading(page, 'It is packed').waitFor()
    await scan(page, 'CMD:2')
    await heading(page, 'Unpack parcel 1?').waitFor()
    await scan(page, 'CMD:OK')
    await heading(page, 'Stoneware mug').waitFor()
    expect(await at.jonas.send(packing.get, { id })).toMatchObject({ work_state: 'in_pack', packed: 0, to_pack: 1 })
  })
})
