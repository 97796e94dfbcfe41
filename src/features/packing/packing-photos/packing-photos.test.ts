/** Photos of open boxes: stored once, asked for before a parcel is closed, shown with it, and deleted after their days. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packingPhotos } from './packing-photos.contract.ts'
import { photosOfOrder } from './packing-photos.queries.ts'
import { deleteDue } from './photo-retention.task.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let office: TestUser
let jpeg: Buffer

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender, parcel_photos: 'required' } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  office = await operator.hire(['admin'], operator.main, 'Jonas')
  const pixels = { width: 320, height: 180, channels: 3 as const, background: '#a60' }
  jpeg = await sharp({ create: pixels }).jpeg().toBuffer()
})
afterAll(() => testApp.close())

async function opened(packed = 1) {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ sku: 'MUG', barcode: 'MUG', name: 'Mug', qty: 2, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  for (let i = 0; i < packed; i++) await scan(id)
  return id
}
const scan = (id: number) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: 'MUG' } })
const take = (id: number, { upload = jpeg, ...more }: { photo?: string; age_ms?: number; upload?: Buffer } = {}, who = kim) =>
  who.send(packingPhotos.take, { id, photo: randomUUID(), ...more, upload: upload as never })
const close = (id: number, body: object = {}) => kim.send(packing.close, { id, body })
const photosOf = async (id: number) => (await office.send(packingPhotos.list, { id })).rows
const storyOf = async (id: number) => (await office.send(orders.timeline, { id })).rows.map(row => row.text)

async function setting(parcel_photos: 'off' | 'key' | 'required') {
  const { version } = await office.send(company.config, {})
  await office.send(company.setConfig, { body: { version, parcel_photos } })
}

describe('a parcel whose company asks for a photo', () => {
  it('is closed once there is one, and the order shows it', async () => {
    const id = await opened(2)
    expect((await kim.send(packing.get, { id })).photo).toEqual({ mode: 'required', pieces: 2, taken: 0 })
    await expect(close(id)).rejects.toMatchObject({ status: 409, code: 'photo_required' })
    expect(await take(id)).toMatchObject({ parcel_no: 1, taken: 1 })
    expect((await kim.send(packing.get, { id })).photo.taken).toBe(1)
    expect(await close(id)).toMatchObject({ outcome: 'labelled' })
    const [photo] = await photosOf(id)
    expect(photo).toMatchObject({ parcel_no: 1, station: 'Bench 1', taken_by: 'Kim' })
    const file = await office.send(packingPhotos.picture, { id: photo!.id })
    expect(file.media_type).toBe('image/jpeg')
    expect(await sharp(file.bytes as Uint8Array).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 180 })
  })

  it('needs one of each parcel', async () => {
    const id = await opened(1)
    const next = (more: object = {}) => kim.send(packing.nextParcel, { id, body: { scan_id: randomUUID(), ...more } })
    await expect(next()).rejects.toMatchObject({ code: 'photo_required' })
    await take(id)
    expect((await next()).photo).toEqual({ mode: 'required', pieces: 0, taken: 0 })
    await scan(id)
    await expect(close(id)).rejects.toMatchObject({ code: 'photo_required' })
    expect(await take(id)).toMatchObject({ parcel_no: 2, taken: 1 })
    expect(await close(id)).toMatchObject({ outcome: 'labelled' })
    expect((await photosOf(id)).map(photo => photo.parcel_no)).toEqual([1, 2])
  })

  it('is closed without one where the camera gives none, which is noted', async () => {
    const id = await opened(2)
    expect(await close(id, { without_photo: 'missing' })).toMatchObject({ outcome: 'labelled' })
    expect(await storyOf(id)).toContain('Parcel {{parcel_no}} was closed without a photo: the camera gave none')
    expect(await photosOf(id)).toEqual([])
  })

  it('is closed without one where the company does not ask for it', async () => {
    await setting('key')
    expect(await close(await opened(2))).toMatchObject({ outcome: 'labelled' })
    await setting('required')
  })
})

describe('a photo', () => {
  it('that is sent again is stored once', async () => {
    const id = await opened(1)
    const photo = randomUUID()
    const first = await take(id, { photo })
    expect(await take(id, { photo })).toEqual(first)
    expect(await photosOf(id)).toHaveLength(1)
    await expect(take(await opened(1), { photo })).rejects.toMatchObject({ code: 'photo_of_other_order' })
  })

  it('that waited for the connection keeps its time, and comes after the order was closed', async () => {
    await setting('key')
    const id = await opened(2)
    await close(id)
    await take(id, { age_ms: 120_000 })
    const [photo] = await photosOf(id)
    expect(testApp.services.now().getTime() - Date.parse(photo!.taken_at)).toBeGreaterThanOrEqual(120_000)
    await setting('required')
  })

  it('is no file of another kind, and of an order that this person packs', async () => {
    const id = await opened(1)
    await expect(take(id, { upload: Buffer.from('no picture') })).rejects.toMatchObject({ status: 400, code: 'picture_unreadable' })
    const other = await operator.hire(['scan'], operator.main, 'Bo')
    await expect(take(id, {}, other)).rejects.toMatchObject({ code: 'order_not_open' })
    await expect(kim.send(packingPhotos.list, { id })).rejects.toMatchObject({ status: 403 })
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(stranger.send(packingPhotos.list, { id })).rejects.toMatchObject({ status: 404 })
  })

  it('is deleted by those who may, with a reason that the order tells', async () => {
    const id = await opened(1)
    const { photo_id } = await take(id)
    const remove = (who: TestUser, reason = 'Shows a colleague') => who.send(packingPhotos.remove, { id: photo_id, body: { reason } })
    const clerk = await operator.hire(['parcels'], operator.main, 'Clara')
    for (const who of [kim, clerk]) await expect(remove(who)).rejects.toMatchObject({ status: 403 })
    await expect(remove(office, '  ')).rejects.toMatchObject({ status: 400, message: 'reason: Say why the photo is deleted' })
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(remove(stranger)).rejects.toMatchObject({ status: 404 })
    await remove(office)
    expect(await photosOf(id)).toEqual([])
    expect((await office.send(orders.timeline, { id })).rows).toContainEqual(
      expect.objectContaining({
        text: 'Photo of parcel {{parcel_no}} deleted: {{reason}}',
        actor: 'Jonas',
        values: expect.objectContaining({ reason: 'Shows a colleague' }),
      }),
    )
    await expect(office.send(packingPhotos.picture, { id: photo_id })).rejects.toMatchObject({ code: 'packing_photo_not_found' })
    await expect(remove(office)).rejects.toMatchObject({ status: 404 })
    // The parcel needs a photo again.
    expect((await kim.send(packing.get, { id })).photo.taken).toBe(0)
  })

  it('is deleted after the days of packing videos, unless a claim about its parcel is open', async () => {
    const [plain, claimed] = [await opened(2), await opened(2)]
    for (const id of [plain, claimed]) {
      await take(id)
      await close(id)
    }
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const { id: shipment_id } = await db.selectFrom('shipments').select('id').where('order_id', '=', claimed).executeTakeFirstOrThrow()
      await db
        .insertInto('claims')
        .values({
          ...{ shipment_id, order_id: claimed, kind: 'damage', amount: 100, currency: 'DKK', created_by: 'Jonas' },
          noticed_on: '2026-11-26',
        })
        .execute()
    })
    const photo = (await photosOf(plain))[0]?.id ?? 0
    const [kept] = await photosOf(claimed)
    expect(kept?.held).toBe(true)
    await expect(office.send(packingPhotos.remove, { id: kept!.id, body: { reason: 'Blurred' } })).rejects.toMatchObject({
      status: 409,
      code: 'packing_photo_held',
    })
    testApp.setNow(new Date(testApp.services.now().getTime() + 31 * 86_400_000))
    await deleteDue(testApp.services)
    testApp.setNow(undefined)
    expect(await photosOf(plain)).toEqual([])
    expect(await photosOf(claimed)).toHaveLength(1)
    expect(await storyOf(plain)).toContain('Photo of parcel {{parcel_no}} deleted')
    await expect(office.send(packingPhotos.picture, { id: photo })).rejects.toMatchObject({ code: 'packing_photo_not_found' })
  })

  it('stays until the day until which a lead holds it, with a reason that the order tells, and is released again', async () => {
    const id = await opened(1)
    const { photo_id } = await take(id)
    const day = (days: number) => new Date(testApp.services.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    const later = async (days: number) => {
      testApp.setNow(new Date(testApp.services.now().getTime() + days * 86_400_000))
      await deleteDue(testApp.services)
      testApp.setNow(undefined)
    }
    const hold = (until: string, reason = 'Complaint 88', who = office) =>
      who.send(packingPhotos.hold, { id: photo_id, body: { until, reason } })
    const clerk = await operator.hire(['parcels'], operator.main, 'Carla')
    for (const who of [kim, clerk]) await expect(hold(day(60), 'Mine', who)).rejects.toMatchObject({ status: 403 })
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(hold(day(60), 'Mine', stranger)).rejects.toMatchObject({ status: 404 })
    for (const until of [day(-1), day(366)]) await expect(hold(until)).rejects.toMatchObject({ status: 422, code: 'hold_too_long' })
    await expect(hold(day(60), ' ')).rejects.toMatchObject({ status: 400, message: 'reason: Say why it is kept' })

    await hold(day(60))
    expect(await photosOf(id)).toMatchObject([{ held_until: day(60), held_by_name: 'Jonas', held_reason: 'Complaint 88' }])
    expect(await storyOf(id)).toContain('Photo of parcel {{parcel_no}} kept until {{until}}: {{reason}}')
    await expect(office.send(packingPhotos.remove, { id: photo_id, body: { reason: 'Blurred' } })).rejects.toMatchObject({
      status: 409,
      code: 'packing_photo_kept',
    })
    await later(40)
    expect(await photosOf(id)).toHaveLength(1)
    await office.send(packingPhotos.release, { id: photo_id })
    await expect(office.send(packingPhotos.release, { id: photo_id })).rejects.toMatchObject({
      status: 422,
      code: 'packing_photo_not_held',
    })
    await hold(day(1))
    const over = new Date(testApp.services.now().getTime() + 2 * 86_400_000)
    const listed = await testApp.services.database.transaction(scopeOfCompany(operator), db => photosOfOrder(db, id, over))
    expect(listed).toMatchObject([{ held_until: null, held_by_name: null, held_reason: null }])
    await hold(day(60))
    await later(62)
    expect(await photosOf(id)).toEqual([])
    await expect(hold(day(60))).rejects.toMatchObject({ status: 404, code: 'packing_photo_not_found' })
  })
})
