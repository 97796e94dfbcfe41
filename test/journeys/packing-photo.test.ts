/** Journey: the open box is photographed by scanner alone, also while the network is gone, and a missing camera leaves a way on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { company } from '#features/company/companies/companies.contract.ts'
import { approvalRules } from '#features/packing/approval/approval.contract.ts'
import { packingPhotos } from '#features/packing/packing-photos/packing-photos.contract.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { done, heading, idle, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
beforeAll(async () => {
  at = await openStationApp({ camera: true, serviceWorker: true, settings: { parcel_photos: 'required' } })
})
afterAll(() => at?.testApp.close())

const photosOf = async (order: number) => (await at.jonas.send(packingPhotos.list, { id: order })).rows

it('asks for a photo before the parcel is closed, and the office sees it', async () => {
  const order = await at.order({ product: mug, qty: 1 })
  const page = await at.openStation(at.kim)
  await idle(page)
  await scan(page, order.code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await heading(page, 'Photo of the open box').waitFor()
  const picture = page.getByLabel('Picture of the camera')
  await expect.poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  await scan(page, 'CMD:PHOTO')
  await done(page)
  expect(await photosOf(order.id)).toMatchObject([{ parcel_no: 1, taken_by: 'Kim Lund' }])
  const office = await at.testApp.open(at.jonas, `/parcels/orders?id=${order.id}`)
  const panel = office.getByRole('region', { name: 'Photos of the open box' })
  const photo = panel.getByRole('img', { name: 'Parcel 1' })
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth ?? 0)).toBeGreaterThan(100)
  await panel.getByRole('button', { name: /^Parcel 1/ }).click()
  await office
    .getByRole('dialog', { name: 'Parcel 1' })
    .getByText(/^Taken by Kim Lund at Bench 1/)
    .waitFor()
})

it('keeps a photo that is taken without a connection, and sends it once it is back', async () => {
  const { version } = await at.jonas.send(company.config, {})
  await at.jonas.send(company.setConfig, { body: { version, parcel_photos: 'key' } })
  const order = await at.order({ product: mug, qty: 2 })
  const page = await at.openStation(at.kim, { station: 'Bench 2' })
  await idle(page)
  await scan(page, order.code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await page.getByText('1 of 2 packed').waitFor()
  // The camera's code is loaded with the order.
  await expect
    .poll(() =>
      page.evaluate(() =>
        ['PhotoForm', 'photo-camera'].every(name => performance.getEntriesByType('resource').some(one => one.name.includes(name))),
      ),
    )
    .toBe(true)
  at.testApp.expectOutages()
  await page.context().setOffline(true)
  await press(page, 'F3')
  await page.getByText('The photo is kept, and sent once the connection is back').waitFor()
  expect(await photosOf(order.id)).toEqual([])
  await page.context().setOffline(false)
  await expect.poll(async () => (await photosOf(order.id)).length, { timeout: 20_000 }).toBe(1)
  await scan(page, mug.barcode)
  await done(page)
})

it('where the camera gives no picture goes on without one, and says so in the order', async () => {
  const { version } = await at.jonas.send(company.config, {})
  await at.jonas.send(company.setConfig, { body: { version, parcel_photos: 'required' } })
  const order = await at.order({ product: mug, qty: 1 })
  const page = await at.openStation(at.kim, { station: 'Bench 3' })
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))
  })
  await idle(page)
  await scan(page, order.code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await heading(page, 'Photo of the open box').waitFor()
  await scan(page, 'CMD:OK')
  await heading(page, 'No camera picture').waitFor()
  await scan(page, 'CMD:2')
  await done(page)
  expect(await photosOf(order.id)).toEqual([])
})

it('answers an approval rule with a reason and a photo by scanner alone, which the log shows and a lead keeps, releases and deletes', async () => {
  const { version } = await at.jonas.send(company.config, {})
  await at.jonas.send(company.setConfig, { body: { version, parcel_photos: 'off' } })
  const { id: rule_id } = await at.jonas.send(approvalRules.set, {
    body: {
      name: 'Mugs without cracks',
      conditions: { v: 1, all: [{ lines: 'some', match: { field: 'line.sku', op: 'eq', value: mug.sku } }] },
      subject: 'line',
      methods: ['photo'],
      approver_codes: ['scan_admin'],
      reason_required: true,
    },
  })
  const order = await at.order({ product: mug, qty: 1 })
  const page = await at.openStation(at.kim, { station: 'Bench 4' })
  await idle(page)
  await scan(page, order.code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await heading(page, 'Approval needed').waitFor()
  await page.getByText('Why is it approved?').waitFor()
  await scan(page, 'CMD:1')
  await page.getByText('Reason: The items were checked').waitFor()
  await scan(page, 'CMD:PHOTO')
  await heading(page, 'Mugs without cracks: Stoneware mug').waitFor()
  const seen = page.getByLabel('Picture of the camera')
  await expect.poll(() => seen.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  await scan(page, 'CMD:PHOTO')
  await done(page)

  const office = await at.testApp.open(at.jonas, '/settings/approval?tab=log', { viewport: { width: 1440, height: 900 } })
  await office.getByRole('button', { name: 'Show photo' }).click()
  const answer = office.getByRole('dialog', { name: 'Photo for Mugs without cracks' })
  await answer.getByText(/^Taken by Kim Lund at Bench 4/).waitFor()
  await press(office, 'Escape')
  await office.getByRole('grid').getByText('The items were checked').waitFor()
  await office.goto(new URL(`/parcels/orders?id=${order.id}`, office.url()).href)
  const panel = office.getByRole('region', { name: 'Photos of the open box' })
  await panel.getByRole('button', { name: /^Approval, parcel 1/ }).click()
  await office.getByRole('dialog', { name: 'Approval, parcel 1' }).getByRole('button', { name: 'Keep photo' }).click()
  const hold = office.getByRole('dialog', { name: 'Keep photo' })
  await hold.getByLabel('Reason').fill('Complaint of the customer')
  await hold.getByRole('button', { name: 'Keep photo' }).click()
  await office.getByText('The photo is kept', { exact: true }).waitFor()
  await office.getByText(/^Kept until .* by Jonas.*: Complaint of the customer$/).waitFor()
  await office.getByRole('button', { name: 'Stop keeping' }).click()
  await office.getByRole('dialog', { name: 'Stop keeping this photo?' }).getByRole('button', { name: 'Stop keeping' }).click()
  await office.getByText('The photo is no longer kept', { exact: true }).waitFor()
  await office.getByRole('dialog', { name: 'Approval, parcel 1' }).getByRole('button', { name: 'Delete photo' }).click()
  const why = office.getByRole('dialog', { name: 'Delete photo of parcel 1?' })
  await why.getByLabel('Reason').fill('Shows a colleague')
  await why.getByRole('button', { name: 'Delete photo' }).click()
  await office.getByText('Photo deleted', { exact: true }).waitFor()
  await expect.poll(async () => (await photosOf(order.id)).length, { timeout: 20_000 }).toBe(0)
  await office.getByText('Photo of parcel 1 deleted: Shows a colleague').first().waitFor()
  await at.jonas.send(approvalRules.remove, { id: rule_id })
})
