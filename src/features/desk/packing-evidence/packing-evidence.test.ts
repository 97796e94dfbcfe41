/** Packing evidence over HTTP: what the ZIP file of an order holds, and who gets it. */
import { createHash, randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { packingPhotos } from '#features/packing/packing-photos/packing-photos.contract.ts'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { liveClip } from '#test/videos.ts'
import { packingEvidence } from './packing-evidence.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let office: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 1, settings: { sender, weigh_parcels: 'always', parcel_photos: 'required' } })
  kim = await operator.hire(['scan'], operator.main, 'Kimberley')
  office = await operator.hire(['parcels'], operator.main, 'Astrid')
  const admin = await operator.hire(['admin'])
  await admin.send(packingVideo.setSettings, { body: { enabled: true, retention_days: 30, quality: '720p', storage_gb: 100, notices: {} } })
})
afterAll(() => testApp.close())

async function opened(): Promise<{ id: number; session: number }> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ sku: 'MUG', barcode: 'MUG-1', name: 'Mug', qty: 1, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  const { session } = await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  return { id, session: session?.id ?? 0 }
}
const filesOf = async (id: number, who = office) => {
  const { bytes, media_type } = await who.send(packingEvidence.download, { id })
  return { media_type, files: unzipSync(new Uint8Array(bytes as Uint8Array)) }
}
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8')

it('holds label, packing slip, weights, timeline, photo and clip of a packed order, and names no packer', async () => {
  const { id, session } = await opened()
  const clip = await liveClip({ sound: true })
  const made = await kim.send(packingVideo.create, { order_overview_id: session, body: { media_type: 'video/webm' } })
  const upload = made.upload?.upload_id ?? 0
  const scan = (code: string) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
  await scan('NOT-HERE')
  await scan('MUG-1')
  const jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#888888' } })
    .jpeg()
    .toBuffer()
  await kim.send(packingPhotos.take, { id, photo: randomUUID(), upload: jpeg as never })
  await kim.send(packing.weigh, { id, body: { scan_id: randomUUID(), weight_g: 340 } })
  expect((await kim.send(packing.close, { id, body: {} })).outcome).toBe('labelled')
  const chunk = { headers: { 'x-chunk-sha256': createHash('sha256').update(clip).digest('hex') } }
  await kim.ask(packingVideo.upload, { id: upload, offset: 0, upload: clip }, chunk)
  await kim.send(packingVideo.finish, { id: upload, body: { bytes: clip.length } })
  await vi.waitFor(async () => expect((await office.send(packingVideo.list, { id })).rows.map(row => row.state)).toEqual(['available']), {
    timeout: 20_000,
  })

  const { media_type, files } = await filesOf(id)
  expect(media_type).toBe('application/zip')
  expect(Object.keys(files).toSorted()).toEqual([
    'clip-1.webm',
    'label.pdf',
    'photos/0001.jpg',
    'readme.txt',
    'slip.pdf',
    'timeline.csv',
    'weight.json',
  ])
  for (const paper of ['label.pdf', 'slip.pdf']) expect(textOf(files[paper]).slice(0, 5)).toBe('%PDF-')
  expect(JSON.parse(textOf(files['weight.json']))).toEqual([expect.objectContaining({ parcel_no: 1, weight_g: 340, outcome: 'ok' })])
  const timeline = textOf(files['timeline.csv']).split('\r\n')
  expect(timeline[0]).toBe('\ufeffutc,local,source,kind,sku,text')
  const of = (kind: string) => timeline.find(row => row.split(',')[3] === kind)
  expect(of('wrong')).toMatch(/NOT-HERE$/)
  expect(of('item')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,\d{4}-\d\d-\d\d \d\d:\d\d,packing,item,MUG,Mug$/)
  // The clip is the one that is shown, and its hash stands in the readme.
  const shown = await office.ask(packingVideo.get, { id: made.video_id })
  expect(Buffer.from(files['clip-1.webm'] ?? []).equals(shown.rawPayload)).toBe(true)
  expect(textOf(files['readme.txt'])).toContain(`${createHash('sha256').update(shown.rawPayload).digest('hex')}  clip-1.webm`)
  for (const text of ['readme.txt', 'weight.json', 'timeline.csv']) expect(textOf(files[text])).not.toContain('Kimberley')
  // Taking the clip away is a look at it.
  const admin = await operator.hire(['admin'])
  expect((await admin.send(packingVideo.views, {})).rows).toEqual([expect.objectContaining({ order_id: id, viewer_name: 'Astrid' })])
})

it('is there for an order without label, photo and clip, for the office and leads alone', async () => {
  const { id } = await opened()
  expect(Object.keys((await filesOf(id)).files).toSorted()).toEqual(['readme.txt', 'slip.pdf', 'timeline.csv', 'weight.json'])
  const shop = await operator.hire(['parcels'], operator.shops[0])
  await expect(shop.send(packingEvidence.download, { id })).rejects.toMatchObject({ status: 404, code: 'order_not_found' })
  await expect(kim.send(packingEvidence.download, { id })).rejects.toMatchObject({ status: 403 })
})
