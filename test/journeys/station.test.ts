/** The packing station in a real browser with a scanner only, against the whole app. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { packingStation } from '#features/packing/station/station.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import type { TestUser } from '../test-app.ts'
import type { JourneyApp } from './journey-app.ts'
import { hasFocus, press } from './keyboard.ts'
import { scan } from './scan.ts'
import { camera, candle, chalk, done, feedback, heading, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
let services: JourneyApp
let kim: TestUser
let jonas: TestUser
let labelPrinter: number

beforeAll(async () => {
  at = await openStationApp({ serviceWorker: true })
  ;({ testApp: services, kim, jonas, labelPrinter } = at)
})
afterAll(() => services?.close())

const within: StationApp['within'] = step => at.within(step)
const order: StationApp['order'] = (...wanted) => at.order(...wanted)
const threeLines = () => order({ product: mug, qty: 2 }, { product: lamp, qty: 1 }, { product: camera, qty: 1 })
const shot = (page: Page, name: string) =>
  process.env.JOURNEY_PICTURES ? page.screenshot({ path: `${process.env.JOURNEY_PICTURES}/${name}.png` }) : undefined
const openStation = (worker: TestUser, station = 'Bench 1') => at.openStation(worker, { station })
/** What comes in has arrived at its place. */
const settled = (page: Page) => page.evaluate(() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => undefined))))

describe('the packing station', () => {
  it('packs, closes, labels and prints an order with scanner events only, through a wrong product and a serial number', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, order_no, code } = await threeLines()

    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()

    await scan(page, candle.barcode)
    await heading(page, 'Wrong item').waitFor()
    await expect.poll(() => page.getByText('You scanned').isVisible()).toBe(true)
    await expect.poll(() => page.getByRole('img', { name: 'Candle (CANDLE)' }).isVisible()).toBe(true)

    // The red screen goes away with the right item.
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 2 of 2').waitFor()
    expect(await heading(page, 'Wrong item').count()).toBe(0)

    await scan(page, mug.barcode)
    await heading(page, 'Too many').waitFor()

    await scan(page, camera.barcode)
    await feedback(page, 'Now its serial number').waitFor()
    await scan(page, mug.barcode)
    await heading(page, 'Not this serial number').waitFor()
    await expect.poll(() => page.getByText('Scan the serial number of this item, or go back.').isVisible()).toBe(true)
    expect(await page.getByText('No known product').count()).toBe(0)
    await scan(page, 'SN-2026-001')
    await feedback(page, 'Camera: 1 of 1').waitFor()

    await scan(page, lamp.barcode)
    await done(page)
    await feedback(page, new RegExp(`Order ${order_no}`)).waitFor()

    const packed = await kim.send(packing.get, { id })
    expect(packed).toMatchObject({ work_state: 'packed', packed: 4, to_pack: 4, session: null })
    expect(packed.lines.map(line => line.serials)).toEqual([[], [], ['SN-2026-001']])
    expect(packed.parcels).toHaveLength(1)
    const { rows } = await jonas.send(printJobs.list, { order_id: id })
    expect(rows.map(job => [job.document, job.printer_id, job.copy_no])).toEqual([['label', labelPrinter, 0]])
    await expect.poll(async () => (await jonas.send(printJobs.get, { id: rows[0]?.id ?? 0 })).state).toMatch(/accepted|done/)
  })

  it('prints the label of a full parcel while the next one is packed, by the code of the sheet', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await order({ product: mug, qty: 2 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
    await scan(page, 'CMD:NEXT')
    await feedback(page, 'Parcel 2 begins. The label of parcel 1 prints now.').waitFor()
    await page.getByText('Parcel 1: the label is made').waitFor()
    await expect.poll(async () => (await jonas.send(printJobs.list, { order_id: id })).rows.map(job => job.document)).toEqual(['label'])

    await scan(page, 'CMD:UNDO')
    await feedback(page, 'Parcel 1 has its label. Cancel the label first, then take items out.').waitFor()
    await scan(page, mug.barcode)
    await done(page)
    const { parcels, packed } = await kim.send(packing.get, { id })
    expect({ packed, parcels: parcels.map(({ parcel_no, state }) => [parcel_no, state]) }).toEqual({
      packed: 2,
      parcels: [
        [1, 'booked'],
        [2, 'booked'],
      ],
    })
    expect((await jonas.send(printJobs.list, { order_id: id })).rows.filter(job => job.document === 'label')).toHaveLength(2)

    const office = await services.open(jonas, `/parcels/orders?id=${id}`)
    await office.getByRole('button', { name: 'Unpack parcel' }).last().click()
    await office.getByRole('dialog', { name: 'Unpack parcel 2?' }).getByRole('button', { name: 'Unpack parcel' }).click()
    await office.getByText('Parcel 2 is unpacked').waitFor()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await done(page)
  })

  it('stops the packer at a label that was cancelled, with an order open and without one', async () => {
    const page = await openStation(kim)
    await idle(page)
    const first = await order({ product: mug, qty: 1 })
    await scan(page, first.code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await done(page)
    const label = (await kim.send(packing.get, { id: first.id })).parcels[0]?.tracking_no ?? ''
    await jonas.send(labels.cancel, { agent_code: 'own', barcode: label })
    await scan(page, label)
    const alarm = `This label of order ${first.order_no} was cancelled by`
    await feedback(page, new RegExp(alarm)).waitFor()

    const { code } = await order({ product: mug, qty: 1 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, label)
    await heading(page, 'Do not use this label').waitFor()
    await scan(page, mug.barcode)
    await done(page)
  })

  it('takes the next order at once', async () => {
    const page = await openStation(kim)
    await idle(page)
    for (let nth = 0; nth < 3; nth++) {
      const { id, code } = await order({ product: mug, qty: 1 })
      await scan(page, code)
      await heading(page, 'Stoneware mug').waitFor()
      await scan(page, mug.barcode)
      await expect.poll(async () => (await kim.send(packing.get, { id })).work_state).toBe('packed')
    }
  })

  it('goes on where it was after a reload, serial numbers and counters included', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await threeLines()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
    await page.reload()
    await heading(page, 'Stoneware mug').waitFor()
    expect(new URL(page.url()).searchParams.get('order')).toBe(String(id))
    await feedback(page, '1 of 4 packed').waitFor()
    for (const code of [mug.barcode, lamp.barcode, camera.barcode]) await scan(page, code)
    await feedback(page, 'Now its serial number').waitFor()
    await scan(page, 'SN-2026-002')
    await done(page)
  })

  it('asks for each serial number of an outer pack, takes back one and then the whole pack, and goes on after a reload', async () => {
    const product_id = at.products.get(camera.sku) ?? 0
    const pack = '5700000000602'
    await at.within(db => db.insertInto('product_barcodes').values({ product_id, barcode: pack, quantity: 3 }).execute())
    onTestFinished(() => at.within(db => db.deleteFrom('product_barcodes').where('barcode', '=', pack).execute()).then(() => undefined))
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await order({ product: camera, qty: 3 }, { product: lamp, qty: 1 })
    const asks = (n: number) => page.getByRole('heading', { name: `Serial ${n} of 3` }).waitFor()
    await scan(page, code)
    await heading(page, 'Camera').waitFor()
    await scan(page, pack)
    await asks(1)
    await scan(page, 'SN-P-1')
    await asks(2)
    // The label of one piece twice.
    await scan(page, 'SN-P-1')
    await heading(page, 'Not this serial number').waitFor()
    await feedback(page, 'SN-P-1 is recorded for this order already').waitFor()
    await scan(page, 'SN-P-2')
    await asks(3)
    for (const width of process.env.JOURNEY_PICTURES ? [390, 1024, 1440] : []) {
      await page.setViewportSize({ width, height: 900 })
      await shot(page, `pack-${width}`)
    }
    await scan(page, 'CMD:UNDO')
    await asks(2)
    await page.reload()
    await asks(2)
    await page.getByRole('button', { name: 'Take pack back' }).click()
    await feedback(page, 'Pack taken back: Camera, 1 pieces').waitFor()
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 0, pack: null })
    await scan(page, pack)
    for (const [at, serial] of ['SN-P-1', 'SN-P-2', 'SN-P-3'].entries()) {
      await asks(at + 1)
      await scan(page, serial)
    }
    await feedback(page, 'Camera: 3 of 3').waitFor()
    await scan(page, lamp.barcode)
    await done(page)
    expect((await kim.send(packing.get, { id })).lines.map(line => line.serials)).toEqual([['SN-P-1', 'SN-P-2', 'SN-P-3'], []])
  })

  it('shows the parts of a scanned bundle, asks for the serial number of each, and the order page shows them', async () => {
    const kit = '5700000000701'
    const { id, order_no, code } = await order({ product: camera, qty: 1 }, { product: lamp, qty: 1 })
    await within(async db => {
      await db.updateTable('order_lines').set({ bundle_of: 'kit', serial_required: true }).where('order_id', '=', id).execute()
      await db
        .insertInto('order_lines')
        .values({
          order_id: id,
          line_no: 9,
          external_id: 'kit',
          name: 'Photo kit',
          sku: 'KIT',
          barcode: kit,
          qty: 1,
          requires_shipping: false,
        })
        .execute()
    })
    const page = await openStation(kim)
    await idle(page)
    await scan(page, code)
    await heading(page, 'Camera').waitFor()
    await scan(page, kit)
    await heading(page, 'Scan the parts').waitFor()
    for (const width of process.env.JOURNEY_PICTURES ? [390, 1024, 1440] : []) {
      await page.setViewportSize({ width, height: 900 })
      await shot(page, `bundle-${width}`)
    }
    await scan(page, camera.barcode)
    await feedback(page, 'Now its serial number').waitFor()
    await scan(page, 'SN-K-1')
    await feedback(page, 'Camera: 1 of 1').waitFor()
    await scan(page, lamp.barcode)
    await feedback(page, 'Now its serial number').waitFor()
    await scan(page, 'SN-K-2')
    await done(page)

    const office = await services.open(jonas, `/parcels/orders?id=${id}`)
    await office.getByRole('heading', { name: order_no, level: 1 }).waitFor()
    await office.getByText('Bundle of 2 parts').waitFor()
    for (const serial of ['SN-K-1', 'SN-K-2']) await office.getByText(`Serial number ${serial}`, { exact: true }).waitFor()
    await office.getByText('1 × Camera (SN-K-1)').first().waitFor()
    await shot(office, 'bundle-order')
  })

  it('asks for serial numbers when everything is packed, and takes one that is typed, where the company says so', async () => {
    const configure = (property: string, value: string) =>
      jonas.send(serialNumbers.configure, { code: at.operator.main.code, property, value })
    await configure('ask_at', 'close')
    onTestFinished(async () => {
      await configure('ask_at', 'pack')
    })
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await order({ product: camera, qty: 1 }, { product: lamp, qty: 1 })
    await scan(page, code)
    await heading(page, 'Camera').waitFor()
    await scan(page, camera.barcode)
    await feedback(page, 'Camera: 1 of 1').waitFor()
    await scan(page, lamp.barcode)
    await feedback(page, 'Now its serial number').waitFor()
    const field = page.getByRole('textbox', { name: 'Serial number of Camera' })
    await field.pressSequentially('SN-TYPED-1', { delay: 120 })
    await field.press('Enter')
    await done(page)
    const packed = await kim.send(packing.get, { id })
    expect(packed.lines.map(line => line.serials)).toEqual([['SN-TYPED-1'], []])
  })

  it('says who has an order, and hands it over when somebody with the right asks', async () => {
    const first = await openStation(kim, 'Bench 1')
    const second = await openStation(jonas, 'Bench 2')
    await idle(first)
    await idle(second)
    const { code } = await threeLines()
    await scan(first, code)
    await heading(first, 'Stoneware mug').waitFor()
    await scan(first, mug.barcode)
    await feedback(first, 'Stoneware mug: 1 of 2').waitFor()

    await scan(second, code)
    await heading(second, 'Kim Lund has it at Bench 1').waitFor()
    await feedback(second, /1 of 4 items packed/).waitFor()
    await scan(second, 'CMD:DONE')
    await heading(second, 'Stoneware mug').waitFor()
    await feedback(second, '1 of 4 packed').waitFor()
    // Live: the first station shows the new holder, and its scans no longer count.
    await heading(first, 'Jonas Krogh has it at Bench 2').waitFor()
    await scan(first, mug.barcode)
    await sleep(300)
    await expect.poll(() => feedback(second, '1 of 4 packed').isVisible()).toBe(true)
  })

  it('stops at once when a hold arrives while the order is packed, and goes on when it is released', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await threeLines()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()

    const { lock_id } = await jonas.send(orderLocks.hold, { id, body: { reason: 'address', note: 'She moves to a new address' } })
    await heading(page, 'STOP – on hold').waitFor()
    await feedback(page, 'Put on hold by Jonas Krogh: She moves to a new address').waitFor()
    await scan(page, mug.barcode)
    expect((await kim.send(packing.get, { id })).packed).toBe(1)

    await jonas.send(orderLocks.releaseHold, { id, lock_id })
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 2 of 2').waitFor()
  })

  it('packs on where the network is lost before the code of the links of products has come', async () => {
    const page = await openStation(kim)
    await idle(page)
    services.expectOutages()
    await page.context().route(/ProductLinks/, route => route.abort())
    const { code } = await threeLines()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
  })

  it('keeps two scans made without a network and sends each of them once', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await threeLines()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    services.expectOutages()
    await page.context().setOffline(true)
    // A connection that is open already may take one more request.
    await page.context().route('**/api/**', route => route.abort('internetdisconnected'))
    await scan(page, mug.barcode)
    await scan(page, mug.barcode)
    await feedback(page, '2 not sent').waitFor()
    // What waits counts on the screen, and not on the server.
    await expect.poll(() => feedback(page, '2 of 4 packed').isVisible()).toBe(true)
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 0 })
    await page.context().unroute('**/api/**')
    await page.context().setOffline(false)
    await page.getByText(/not sent/).waitFor({ state: 'hidden' })
    await expect.poll(() => feedback(page, '2 of 4 packed').isVisible()).toBe(true)
    // The line goes with the first answer; the second scan may still be on its way.
    await expect.poll(async () => (await kim.send(packing.get, { id })).packed).toBe(2)
  })

  it('has the code of every part in a gap of the network, from the first visit of a device on', async () => {
    const page = await openStation(kim)
    await idle(page)
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    services.expectOutages()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Volume' }).click()
    await page.getByRole('slider', { name: 'Volume' }).waitFor()
  })

  it('packs a whole order in two parcels through a gap with a reload, and doubles nothing', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await order({ product: mug, qty: 3 }, { product: lamp, qty: 2 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    services.expectOutages()
    await page.context().setOffline(true)
    // The first request of a reloaded page may go out before the browser is offline again.
    await page.context().route('**/api/**', route => route.abort('internetdisconnected'))
    await scan(page, mug.barcode)
    await scan(page, mug.barcode)
    await page.getByRole('img', { name: 'Not confirmed yet' }).waitFor()
    await scan(page, candle.barcode)
    await heading(page, 'Unknown barcode').waitFor()
    await shot(page, 'gap-wrong')
    await press(page, 'Escape')
    await page.reload()
    await feedback(page, '2 of 5 packed').waitFor()
    await scan(page, mug.barcode)
    await scan(page, 'CMD:NEXT')
    await feedback(page, 'Parcel 2 begins').waitFor()
    await shot(page, 'gap-packing')
    await scan(page, lamp.barcode)
    await scan(page, lamp.barcode)
    await heading(page, 'Everything is packed').waitFor()
    await shot(page, 'gap-packed')
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 0, session: { parcel_no: 1 } })
    await page.context().unroute('**/api/**')
    await page.context().setOffline(false)
    await done(page)
    const packed = await kim.send(packing.get, { id })
    expect(packed).toMatchObject({ packed: 5, to_pack: 5 })
    expect(packed.parcels.map(({ parcel_no, state }) => [parcel_no, state])).toEqual([
      [1, 'booked'],
      [2, 'booked'],
    ])
  })

  it('is run by command codes: undo, part of an order, set aside, print again', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, order_no, code } = await order({ product: mug, qty: 2 }, { product: chalk, qty: 4 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await scan(page, 'CMD:UNDO')
    await feedback(page, 'Taken back: Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await scan(page, mug.barcode)
    // A product without a barcode is counted by the code that says "done".
    await heading(page, 'Loose chalk').waitFor()
    await scan(page, 'CMD:HOSPITAL')
    await heading(page, 'Why is it set aside?').waitFor()
    await press(page, '1')
    await idle(page)
    await page.getByRole('button', { name: new RegExp(`${order_no}.*An item is missing`) }).waitFor()

    await scan(page, code)
    await heading(page, 'Loose chalk').waitFor()
    await scan(page, 'CMD:FINALIZE')
    await heading(page, 'What about the rest?').waitFor()
    await scan(page, 'CMD:DONE')
    await heading(page, 'Notify the recipient?').waitFor()
    await scan(page, 'CMD:DONE')
    await done(page)
    expect(await kim.send(packing.get, { id })).toMatchObject({ work_state: 'ready', packed: 2, to_pack: 6 })

    await scan(page, 'CMD:REPRINT')
    await feedback(page, `The label of ${order_no} prints again`).waitFor()
    await expect.poll(async () => (await jonas.send(printJobs.list, { order_id: id })).rows.map(job => job.copy_no).sort()).toEqual([0, 1])

    await scan(page, code)
    await heading(page, 'Loose chalk').waitFor()
    await scan(page, 'CMD:DONE')
    await done(page)
    expect(await kim.send(packing.get, { id })).toMatchObject({ work_state: 'packed', packed: 6 })
  })

  it('does not type scans into its search box, and opens what a person types there', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { order_no, code } = await order({ product: lamp, qty: 1 })
    const box = page.getByRole('textbox', { name: 'Find an order' })
    await box.click()
    await scan(page, code)
    await heading(page, 'Table lamp').waitFor()
    await press(page, 'F10')
    await idle(page)
    expect(await box.inputValue()).toBe('')
    await box.pressSequentially(order_no, { delay: 90 })
    await press(page, 'Enter')
    await heading(page, 'Table lamp').waitFor()
  })

  it('opens the order that waits longest with Enter, and shows its keys with a question mark', async () => {
    const page = await at.openStation(kim)
    await idle(page)
    await press(page, '?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByText('F9').waitFor()
    // Behind the keys nothing is opened.
    await press(page, 'Enter')
    await keys.waitFor({ state: 'detached' })
    await idle(page)
    await order({ product: lamp, qty: 2 })
    const { next } = await kim.send(packingStation.queue, {})
    await press(page, 'Enter')
    await page.getByText(`Order ${next[0]?.order_no}`).first().waitFor()
  })

  it('asks once for the station of a new device', async () => {
    const page = await services.open(kim, '/scan', { station: null })
    await heading(page, 'Which station is this?').waitFor()
    // A code is not the name of a station, and waits for nothing.
    await scan(page, lamp.barcode)
    await heading(page, 'Which station is this?').waitFor()
    expect(await page.getByRole('combobox', { name: 'Station' }).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Start packing' }).click()
    await page.getByText('Enter a name first').waitFor()
    await hasFocus(page.getByRole('combobox', { name: 'Station' }))
    await page.keyboard.type('Bench 9', { delay: 60 })
    expect(await page.getByText('Enter a name first').count()).toBe(0)
    // The only printer is chosen already; choosing it once more keeps it.
    const printer = page.getByRole('combobox', { name: 'Label printer' })
    await expect.poll(() => printer.inputValue()).not.toBe('')
    const chosen = await printer.inputValue()
    await printer.click()
    await page.getByRole('option', { name: chosen }).click()
    expect(await printer.inputValue()).toBe(chosen)
    await page.getByRole('combobox', { name: 'Station' }).focus()
    await press(page, 'Enter')
    await idle(page)
    await page.reload()
    await idle(page)
    expect(await page.evaluate(() => localStorage.getItem('packingStation'))).toBe('Bench 9')
  })

  it('turns red when the order is cancelled while it is packed, and says where everything goes back to', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await threeLines()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
    await jonas.send(orders.setState, { id, state: 'cancelled' })
    await heading(page, /^STOP – cancelled/).waitFor()
    await feedback(page, '1 × Stoneware mug').waitFor()
    await feedback(page, 'A-MUG').waitFor()
    await scan(page, lamp.barcode)
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 1 })
    await scan(page, 'CMD:DONE')
    await idle(page)
    expect(await kim.send(packing.get, { id })).toMatchObject({ put_back: false, packed: 0, session: null })
  })

  it('counts nothing before a warning is read', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { id, code } = await order({ product: mug, qty: 2 })
    await jonas.send(orderComments.add, { id, type: 'warning', body: { comment: 'Battery inside: no air freight' } })
    await scan(page, code)
    await feedback(page, 'Read this first').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, /Read the warning first/).waitFor()
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 0 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
    // Read once, also across a reload.
    await page.reload()
    await heading(page, 'Stoneware mug').waitFor()
  })

  it('asks by number which product a shared code means, without taking the first digit of a scan for the answer', async () => {
    const page = await openStation(kim)
    await idle(page)
    await within(async db => {
      for (const sku of ['MUG', 'LAMP'])
        await db
          .insertInto('product_barcodes')
          .values({ product_id: at.products.get(sku) as number, barcode: '2000000000008' })
          .execute()
    })
    const { code } = await threeLines()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, '2000000000008')
    await heading(page, 'Which one is it?').waitFor()
    // Its code begins with a 2 too.
    await scan(page, '2000000000008')
    await sleep(300)
    await heading(page, 'Which one is it?').waitFor()
    await feedback(page, '0 of 4 packed').waitFor()
    await press(page, '2')
    await feedback(page, 'Table lamp: 1 of 1').waitFor()
  })

  it("shows the courier's words when there is no label, takes the correction in place and goes on", async () => {
    const page = await openStation(jonas)
    await idle(page)
    const { id, code } = await order({ product: candle, qty: 1 })
    await within(db =>
      db
        .updateTable('orders')
        .set({ ship_to: JSON.stringify({ name: 'Lene Hansen', address1: '', postcode: '5000', city: 'Odense C', country: 'DK' }) })
        .where('id', '=', id)
        .execute(),
    )
    await scan(page, code)
    await heading(page, 'Candle').waitFor()
    await scan(page, candle.barcode)
    await heading(page, 'There is no label').waitFor()
    await feedback(page, 'The recipient has no address').waitFor()
    await hasFocus(page.getByRole('textbox', { name: 'Street and number' }))
    await page.keyboard.type('Skibhusvej 52', { delay: 90 })
    await press(page, 'Enter')
    await done(page)
    expect(await kim.send(packing.get, { id })).toMatchObject({ work_state: 'packed' })
  })

  it('wants the fresh label scanned where the shipping method says so, and rejects the label of another order', async () => {
    await within(db =>
      db
        .insertInto('shipping_methods')
        .values({ agent_code: 'own', shipping_method: 'van', name: 'Own delivery', check_tracking_and_trace: true })
        .execute(),
    )
    onTestFinished(() => within(db => db.deleteFrom('shipping_methods').where('agent_code', '=', 'own').execute()).then(() => undefined))
    const page = await openStation(kim)
    await idle(page)
    const numbers: string[] = []
    for (let nth = 0; nth < 2; nth++) {
      const { id, order_no, code } = await order({ product: candle, qty: 1 })
      await scan(page, code)
      await heading(page, 'Candle').waitFor()
      await scan(page, candle.barcode)
      await heading(page, 'Scan the new label').waitFor()
      const [foreign] = numbers
      if (foreign) {
        await scan(page, foreign)
        await feedback(page, /This label belongs to order/).waitFor()
      }
      const { parcels } = await kim.send(packing.get, { id })
      numbers.push(parcels[0]?.tracking_no ?? '')
      await scan(page, parcels[0]?.tracking_no ?? '')
      await feedback(page, new RegExp(`Order ${order_no} · `)).waitFor()
    }
  })

  it('moves nothing on the screen from scan to scan', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { code } = await order({ product: mug, qty: 2 }, { product: camera, qty: 1 })
    const place = async (name: string) => {
      await settled(page)
      return page.getByRole('img', { name }).first().boundingBox()
    }
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    const place1 = await place('Stoneware mug (MUG)')
    await scan(page, mug.barcode)
    await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
    expect(await place('Stoneware mug (MUG)')).toEqual(place1)
    await scan(page, mug.barcode)
    await heading(page, 'Camera').waitFor()
    expect(await place('Camera (CAM)')).toEqual(place1)
    await scan(page, camera.barcode)
    await feedback(page, 'Now its serial number').waitFor()
    // The question takes the stage; the item is known already, and small.
    expect(await place('Camera (CAM)')).toMatchObject({ width: 144, height: 144 })

    // Under the red screen too, while the next scan is on its way.
    await scan(page, candle.barcode)
    await heading(page, 'Not this serial number').waitFor()
    const before = await heading(page, 'Not this serial number').boundingBox()
    const picture = await place('Camera (CAM)')
    let letThrough = () => {}
    const held = new Promise<void>(resolve => (letThrough = resolve))
    await page.route('**/scan', async route => {
      await held
      await route.continue()
    })
    await scan(page, 'SN-2026-014')
    await feedback(page, 'Received').waitFor()
    expect([await heading(page, 'Not this serial number').boundingBox(), await place('Camera (CAM)')]).toEqual([before, picture])
    letThrough()
    await done(page)
  })

  it('has in sight on a phone what leads on and what leads back', async () => {
    const page = await services.open(kim, '/', { labelPrinter, viewport: { width: 390, height: 844 }, hasTouch: true })
    await idle(page)
    const button = (name: RegExp) => page.getByRole('button', { name })
    /** Its middle and its lower edge lie on the screen, under nothing else. */
    const isInSight = async (name: RegExp) => {
      await settled(page)
      return button(name).evaluate(shown => {
        const { left, top, width, height } = shown.getBoundingClientRect()
        return [height / 2, height - 2].every(down => shown.contains(document.elementFromPoint(left + width / 2, top + down)))
      })
    }
    const { code } = await order({ product: mug, qty: 1 }, { product: chalk, qty: 4 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, candle.barcode)
    await heading(page, 'Wrong item').waitFor()
    expect(await isInSight(/^(Esc )?Back$/)).toBe(true)
    await button(/^(Esc )?Back$/).tap()
    await scan(page, mug.barcode)
    await heading(page, 'Loose chalk').waitFor()
    await feedback(page, 'Stoneware mug: 1 of 1').waitFor()
    expect(await isInSight(/^Count all 4/)).toBe(true)
    await button(/^Count all 4/).tap()
    await done(page)
  })

  it('hides names after inactivity, and a scan shows everything again', async () => {
    const page = await openStation(kim)
    await idle(page)
    const { code } = await threeLines()
    await scan(page, 'CMD:PAUSE')
    await feedback(page, 'Press a key or scan to go on, Kim Lund').waitFor()
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    expect(await page.getByText(/Press a key or scan/).count()).toBe(0)
  })
})
