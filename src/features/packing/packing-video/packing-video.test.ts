/** Packing video over HTTP: recorders and their keys, clips that arrive in pieces, who sees them, and how long they stay. */
import { createHash, randomUUID } from 'node:crypto'
import { appendFile, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { LightMyRequestResponse } from 'fastify'
import { BufferSource, EncodedPacketSink, Input, MP4, WEBM } from 'mediabunny'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { liveClip } from '#test/videos.ts'
import { packingVideo } from './packing-video.contract.ts'
import { deleteDue, endForgotten } from './video-retention.task.ts'
import { uploadPath } from './video-uploads.server.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let kim: TestUser
let office: TestUser
let shopOffice: TestUser
/** A program in the warehouse with the key of a recorder. */
let recorder: TestUser
let recorderId: number
let clip: Buffer

const station = 'Bench 1'
const on = { enabled: true, retention_days: 30, quality: '720p', storage_gb: 100, notices: {} } as const

beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  admin = await operator.hire(['admin'], operator.main, 'Jonas')
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  office = await operator.hire(['parcels_admin'], operator.main, 'Astrid')
  shopOffice = await operator.hire(['parcels'], operator.shops[0], 'Shop')
  await admin.send(packingVideo.setSettings, { body: on })
  const made = await admin.send(packingVideo.addRecorder, { body: { name: 'Rack', channels: [{ station, channel: '101' }] } })
  recorderId = made.row.id
  recorder = { ...testApp.visitor(operator.main), ...withToken(made.key) }
  clip = await liveClip({ sound: true })
})
beforeEach(() => testApp.setNow(undefined))
afterAll(() => testApp.close())

/** The calls of a user with another token. */
function withToken(token: string): Pick<TestUser, 'token' | 'ask' | 'send'> {
  const visitor = testApp.visitor(operator.main)
  const headers = { authorization: token }
  return {
    token,
    ask: (call, input, options) => visitor.ask(call, input, { ...options, headers: { ...headers, ...options?.headers } }),
    send: (call, input, options) => visitor.send(call, input, { ...options, headers: { ...headers, ...options?.headers } }),
  }
}

/** An order that Kim has opened, and its packing session. */
async function opened(at = station, who = operator.main): Promise<{ id: number; session: number }> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator, who), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ sku: 'MUG', barcode: 'MUG-1', name: 'Mug', qty: 3, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  const { session } = await kim.send(packing.start, { id, body: { station: at } })
  return { id, session: session?.id ?? 0 }
}
const scan = (id: number, code: string) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
const begin = async (session: number, body: object = {}, who: TestUser = kim) => {
  const made = await who.send(packingVideo.create, { order_overview_id: session, body: { media_type: 'video/webm', ...body } })
  return { video_id: made.video_id, upload_id: made.upload?.upload_id ?? 0 }
}
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const put = (id: number, offset: number, bytes: Uint8Array, who: TestUser = kim, hash = sha(bytes)): Promise<LightMyRequestResponse> =>
  who.ask(packingVideo.upload, { id, offset, upload: bytes }, { headers: { 'x-chunk-sha256': hash } })
const stateOf = async (order: number, video_id: number) =>
  (await office.send(packingVideo.list, { id: order })).rows.find(row => row.id === video_id)
const until = (order: number, video_id: number, state: string) =>
  vi.waitFor(async () => expect((await stateOf(order, video_id))?.state).toBe(state), { timeout: 20_000 })

/** Sends a clip in pieces, ends it, and waits for what becomes of it. */
async function deliver(bytes: Buffer, state = 'available', body: object = {}, more: { who?: TestUser; at?: string } = {}) {
  const { who = kim } = more
  const order = await opened(more.at)
  const made = await begin(order.session, body, who)
  for (let offset = 0; offset < bytes.length; offset += 4_000_000)
    expect((await put(made.upload_id, offset, bytes.subarray(offset, offset + 4_000_000), who)).statusCode).toBe(204)
  expect((await who.ask(packingVideo.finish, { id: made.upload_id, body: { bytes: bytes.length } })).statusCode).toBe(202)
  await until(order.id, made.video_id, state)
  return { ...order, ...made }
}
const cookieOf = (answer: LightMyRequestResponse): string => String(answer.headers['set-cookie']).split(';')[0] ?? ''
const getWith = (who: TestUser, id: number, headers: Record<string, string> = {}) => who.ask(packingVideo.get, { id }, { headers })
const withoutLogin = (id: number, headers: Record<string, string>, at = operator.main) => getWith(testApp.visitor(at), id, headers)

describe('the keys of recorders', () => {
  it('are shown once, and two are active at most', async () => {
    const other = await testApp.operator({})
    const boss = await other.hire(['settings_admin'])
    const first = await boss.send(packingVideo.addRecorder, { body: { name: 'One' } })
    expect(first.key).toMatch(new RegExp(`^pkv_${first.row.id}_[\\w-]{43}$`))
    await boss.send(packingVideo.addRecorder, { body: { name: 'Two' } })
    const third = await boss.ask(packingVideo.addRecorder, { body: { name: 'Three' } })
    expect([third.statusCode, third.json().code]).toEqual([409, 'two_keys'])
    const list = await boss.ask(packingVideo.recorders, {})
    expect(list.json().keys).toHaveLength(2)
    expect(list.body).not.toContain(first.key.slice(-43))
  })

  it('are revoked by name where two are active, and at once', async () => {
    const other = await testApp.operator({})
    const boss = await other.hire(['admin'])
    const first = await boss.send(packingVideo.addRecorder, { body: { name: 'One' } })
    await boss.send(packingVideo.addRecorder, { body: { name: 'Two' } })
    expect((await boss.ask(packingVideo.revokeRecorder, {})).json().code).toBe('id_missing')
    const ask = () => testApp.visitor(other.main).ask(packingVideo.requests, {}, { headers: { authorization: first.key } })
    expect((await ask()).statusCode).toBe(200)
    expect((await boss.ask(packingVideo.revokeRecorder, { id: first.row.id })).statusCode).toBe(204)
    await expect.poll(async () => (await ask()).statusCode).toBe(401)
    expect((await boss.ask(packingVideo.revokeRecorder, { id: first.row.id })).json().code).toBe('recorder_not_found')
    expect((await boss.ask(packingVideo.revokeRecorder, {})).statusCode).toBe(204)
  })

  it('are made by the main company alone', async () => {
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect((await shop.ask(packingVideo.addRecorder, { body: { name: 'Mine' } })).json().code).toBe('main_company_only')
    expect((await shop.send(packingVideo.recorders, {})).keys).toEqual([])
  })

  it('read themselves alone', async () => {
    const extra = await admin.send(packingVideo.addRecorder, { body: { name: 'Extra' } })
    expect((await recorder.send(packingVideo.recorders, {})).keys.map(key => key.id)).toEqual([recorderId])
    await admin.send(packingVideo.revokeRecorder, { id: extra.row.id })
  })

  it('open no call that is not for recorders', async () => {
    const { id, session } = await opened()
    expect((await recorder.ask(packingVideo.list, { id })).statusCode).toBe(401)
    expect((await recorder.ask(packing.get, { id })).statusCode).toBe(401)
    expect((await recorder.ask(packingVideo.get, { id: 1 })).statusCode).toBe(401)
    const atShop = await testApp
      .visitor(operator.shops[0]!)
      .ask(packingVideo.create, { order_overview_id: session, body: {} }, { headers: { authorization: recorder.token } })
    expect(atShop.statusCode).toBe(404)
  })

  it('film their own channels at their own stations alone', async () => {
    const { session } = await opened('Bench 9')
    const other = await recorder.ask(packingVideo.create, { order_overview_id: session, body: { channel: '101' } })
    expect([other.statusCode, other.json().code]).toEqual([404, 'video_not_found'])
    const own = await opened()
    const wrong = await recorder.ask(packingVideo.create, { order_overview_id: own.session, body: { channel: '102' } })
    expect(wrong.statusCode).toBe(404)
  })
})

describe('a clip from a recorder', () => {
  it('is asked for by time window once its session has ended, and no longer once it is delivered', async () => {
    const { id, session } = await opened()
    await scan(id, 'MUG-1')
    const own = async () => (await recorder.send(packingVideo.requests, {})).rows.filter(row => row.order_overview_id === session)
    expect(await own()).toEqual([])
    await kim.send(packing.abort, { id, body: {} })
    expect(await own()).toEqual([])
    testApp.setNow(new Date(Date.now() + 30_000))
    const [window] = await own()
    expect(window).toMatchObject({ station, channel: '101' })
    const length = Date.parse(window!.ends_at) - Date.parse(window!.starts_at)
    expect(length).toBeGreaterThanOrEqual(25_000)
    expect(length).toBeLessThan(60_000)
    const { upload_id } = await begin(session, { channel: '101' }, recorder)
    expect(await own()).toEqual([])
    expect((await put(upload_id, 0, clip, recorder)).statusCode).toBe(204)
  })

  it('is made once for a session, a channel and a part', async () => {
    const { session } = await opened()
    const first = await begin(session, { channel: '101' }, recorder)
    expect(await begin(session, { channel: '101' }, recorder)).toEqual(first)
    expect((await begin(session, { channel: '101', part_no: 2 }, recorder)).video_id).not.toBe(first.video_id)
    // The station's own camera is another one.
    expect((await begin(session)).video_id).not.toBe(first.video_id)
  })

  it('has a window of two hours at most', async () => {
    const { session } = await opened()
    const starts_at = '2026-11-20T08:00:00Z'
    const ask = (ends_at: string) =>
      recorder.ask(packingVideo.create, { order_overview_id: session, body: { channel: '101', starts_at, ends_at } })
    expect((await ask('2026-11-20T10:00:01Z')).json().code).toBe('video_window')
    expect((await ask('2026-11-20T07:59:59Z')).json().code).toBe('video_window')
    expect((await ask('2026-11-20T10:00:00Z')).json()).toMatchObject({ state: 'requested', upload: null })
  })

  it('belongs to the recorder that began it', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session, { channel: '101' }, recorder)
    expect((await put(upload_id, 0, clip)).statusCode).toBe(404)
    const own = await begin(session)
    expect((await put(own.upload_id, 0, clip, recorder)).statusCode).toBe(404)
  })

  it('is one recording of the station’s camera by its id, and another recording is the next part', async () => {
    const { id, session } = await opened()
    const [first, second] = [randomUUID(), randomUUID()]
    const one = await begin(session, { client_id: first, age_ms: 1_000 })
    expect(await begin(session, { client_id: first, age_ms: 9_000 })).toEqual(one)
    const two = await begin(session, { client_id: second })
    expect(two.video_id).not.toBe(one.video_id)
    expect([(await stateOf(id, one.video_id))?.part_no, (await stateOf(id, two.video_id))?.part_no]).toEqual([1, 2])
    // Two recordings that begin in the same moment.
    const both = [randomUUID(), randomUUID()].map(client_id =>
      kim.ask(packingVideo.create, { order_overview_id: session, body: { client_id, media_type: 'video/webm' } }),
    )
    for (const answer of await Promise.all(both)) expect(answer.statusCode === 200 || answer.json().code === 'busy').toBe(true)
  })

  it('is refused while packing video is off', async () => {
    const other = await testApp.operator({})
    const boss = await other.hire(['admin', 'scan'])
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(other), { agent_code: 'own', shipping_method: 'van' })
    const { session } = await boss.send(packing.start, { id, body: { station } })
    const answer = await boss.ask(packingVideo.create, { order_overview_id: session?.id, body: {} })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'video_off'])
    const atStation = await boss.send(packingVideo.station, {})
    expect(atStation.enabled).toBe(false)
    // Staff read it in their language also where the company has written nothing.
    expect(atStation.notices.de_DE).toContain('gefilmt')
    expect((await boss.send(packingVideo.notices, {})).standard.en_GB).toBe(atStation.notices.en_GB)
  })
})

describe('the pieces of a clip', () => {
  it('are stored at their offset, and the answer says how much is there', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    const answer = await put(upload_id, 0, clip.subarray(0, 1_000))
    expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([204, '1000'])
    expect((await put(upload_id, 1_000, clip.subarray(1_000, 1_500))).headers['upload-offset']).toBe('1500')
    expect(await kim.send(packingVideo.uploadState, { id: upload_id })).toEqual({ offset: 1_500, state: 'recording' })
    expect(await readFile(uploadPath(testApp.services.config, operator.operator_id, upload_id))).toEqual(clip.subarray(0, 1_500))
  })

  it('that are known already are answered with what is there', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    await put(upload_id, 0, clip.subarray(0, 1_000))
    const again = await put(upload_id, 0, clip.subarray(0, 600))
    expect([again.statusCode, again.headers['upload-offset']]).toEqual([204, '1000'])
  })

  it('that leave a gap or overlap are refused with the offset to go on from', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    await put(upload_id, 0, clip.subarray(0, 1_000))
    for (const [offset, end] of [
      [1_001, 1_200],
      [900, 1_200],
    ] as const) {
      const answer = await put(upload_id, offset, clip.subarray(offset, end))
      expect([answer.statusCode, answer.json().code, answer.json().current]).toEqual([409, 'upload_offset', { offset: 1_000 }])
    }
  })

  it('with another hash are refused, and nothing of them is kept', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    const answer = await put(upload_id, 0, clip.subarray(0, 1_000), kim, sha(clip))
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'chunk_hash'])
    expect(await kim.send(packingVideo.uploadState, { id: upload_id })).toMatchObject({ offset: 0 })
  })

  it('are cut to the stored offset after a server was killed while it wrote', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    await put(upload_id, 0, clip.subarray(0, 1_000))
    const path = uploadPath(testApp.services.config, operator.operator_id, upload_id)
    await appendFile(path, 'half of a piece whose offset was never stored')
    await put(upload_id, 1_000, clip.subarray(1_000, 1_010))
    expect(await readFile(path)).toEqual(clip.subarray(0, 1_010))
  })

  it('that two tabs send at once are stored once', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    const answers = await Promise.all([1, 2, 3, 4].map(() => put(upload_id, 0, clip.subarray(0, 2_000))))
    expect(answers.map(answer => [answer.statusCode, answer.headers['upload-offset']])).toEqual(Array(4).fill([204, '2000']))
    expect((await stat(uploadPath(testApp.services.config, operator.operator_id, upload_id))).size).toBe(2_000)
  })

  it('have a stated length of four megabytes at most', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    const tooLong = Buffer.alloc(4_194_305)
    expect((await put(upload_id, 0, tooLong)).statusCode).toBe(413)
    const { main } = operator
    const unstated = await testApp.app.inject({
      method: 'PUT',
      url: `/api/${main.code}/dvr/uploads/${upload_id}/0`,
      headers: {
        host: `${main.code}.localhost`,
        authorization: kim.token,
        'content-type': 'application/octet-stream',
        'transfer-encoding': 'chunked',
      },
      payload: Readable.from([Buffer.from('x')]),
    })
    expect(unstated.statusCode).toBe(411)
  })

  it('of any cut give the source', async () => {
    const { session } = await opened()
    const { upload_id } = await begin(session)
    let seed = 7
    for (let offset = 0; offset < clip.length; ) {
      seed = (seed * 16_807) % 2_147_483_647
      const next = Math.min(clip.length, offset + 1 + (seed % 3_000))
      const answer = await put(upload_id, offset, clip.subarray(offset, next))
      // Now and then the answer is lost, and the sender sends again or asks.
      const isLost = seed % 5 === 0
      if (answer.statusCode === 409) offset = answer.json().current.offset
      else if (!isLost) offset = Number(answer.headers['upload-offset'])
    }
    expect(await readFile(uploadPath(testApp.services.config, operator.operator_id, upload_id))).toEqual(clip)
  })

  it('are finished when all are there, and twice alike', async () => {
    const { id, session } = await opened()
    const { upload_id, video_id } = await begin(session)
    await put(upload_id, 0, clip)
    const short = await kim.ask(packingVideo.finish, { id: upload_id, body: { bytes: clip.length + 1 } })
    expect([short.statusCode, short.json().code, short.json().current]).toEqual([409, 'upload_short', { offset: clip.length }])
    const ask = () => kim.ask(packingVideo.finish, { id: upload_id, body: { bytes: clip.length, sha256: sha(clip) } })
    expect((await ask()).json()).toEqual({ video_id, state: 'processing' })
    await until(id, video_id, 'available')
    const again = await ask()
    expect([again.statusCode, again.json().video_id]).toEqual([202, video_id])
    expect((await put(upload_id, clip.length, Buffer.from('more'))).json().code).toBe('upload_ended')
  })

  it('are refused when the clips take all that they may, and packing goes on', async () => {
    const other = await testApp.operator({})
    const boss = await other.hire(['admin', 'scan'])
    await boss.send(packingVideo.setSettings, { body: { ...on, storage_gb: 1 } })
    const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(other), { agent_code: 'own', shipping_method: 'van' })
    const { session } = await boss.send(packing.start, { id, body: { station } })
    const made = await begin(session?.id ?? 0, {}, boss)
    await testApp.services.database.transaction(scopeOfCompany(other), db =>
      db.updateTable('packing_videos').set({ bytes: 2_000_000_000, state: 'available' }).where('id', '=', made.video_id).execute(),
    )
    testApp.setNow(new Date(Date.now() + 10_000))
    const full = await boss.ask(packingVideo.create, { order_overview_id: session?.id, body: { part_no: 2, media_type: 'video/webm' } })
    expect([full.statusCode, full.json().code]).toEqual([507, 'video_storage'])
    expect((await put(made.upload_id, 0, clip, boss)).statusCode).toBe(507)
    const counted = await boss.ask(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: lines[0], quantity: 1 } })
    expect(counted.statusCode).toBe(200)
  })

  it('that stop for a day are a clip as they are; a recording of which nothing came in ten minutes has failed', async () => {
    const { id, session } = await opened()
    const begun = await begin(session)
    await put(begun.upload_id, 0, clip)
    const empty = await begin(session, { part_no: 2 })
    testApp.setNow(new Date(Date.now() + 11 * 60_000))
    await endForgotten(testApp.services)
    expect(await stateOf(id, empty.video_id)).toMatchObject({ state: 'failed', error: 'no_data' })
    expect(await stateOf(id, begun.video_id)).toMatchObject({ state: 'recording' })
    // A station that was offline may still begin it.
    expect((await begin(session, { part_no: 2 })).upload_id).toBe(empty.upload_id)
    testApp.setNow(new Date(Date.now() + 25 * 3_600_000))
    await endForgotten(testApp.services)
    testApp.setNow(undefined)
    await until(id, begun.video_id, 'available')
  })
})

describe('a clip that has arrived', () => {
  it('has its picture alone, its length and an index, and marks at scans', async () => {
    const order = await opened()
    const { video_id, upload_id } = await begin(order.session)
    await scan(order.id, 'MUG-1')
    await scan(order.id, 'NOT-HERE')
    await put(upload_id, 0, clip)
    await kim.send(packingVideo.finish, { id: upload_id, body: { bytes: clip.length } })
    await until(order.id, video_id, 'available')
    const row = await stateOf(order.id, video_id)
    expect(row).toMatchObject({ duration_ms: 4_000, media_type: 'video/webm', source: 'station', coarse: false, error: null })
    expect(row?.marks.map(({ kind, text, sku }) => ({ kind, text, sku }))).toEqual([
      { kind: 'item', text: 'Mug', sku: 'MUG' },
      { kind: 'wrong', text: 'NOT-HERE', sku: null },
    ])
    const { rawPayload } = await getWith(office, video_id)
    const input = new Input({ source: new BufferSource(rawPayload), formats: [WEBM] })
    expect(await input.getAudioTracks()).toEqual([])
    expect(Math.abs((await input.computeDuration()) - 4)).toBeLessThan(0.2)
    // The seek head in the beginning names the cues, which a live recording does not have.
    const cues = Buffer.from([0x1c, 0x53, 0xbb, 0x6b])
    expect(rawPayload.indexOf(cues)).toBeLessThan(200)
    expect(rawPayload.lastIndexOf(cues)).toBeGreaterThan(1_000)
  })

  it('of an MP4 has its index before the pictures', async () => {
    const { video_id } = await deliver(await liveClip({ format: 'mp4', sound: true }), 'available', { media_type: 'video/mp4' })
    const answer = await getWith(office, video_id)
    expect(answer.headers['content-type']).toBe('video/mp4')
    expect(answer.rawPayload.indexOf('moov')).toBeLessThan(answer.rawPayload.indexOf('mdat'))
    const input = new Input({ source: new BufferSource(answer.rawPayload), formats: [MP4] })
    expect(await input.getAudioTracks()).toEqual([])
    const track = await input.getPrimaryVideoTrack()
    expect(track && (await new EncodedPacketSink(track).getKeyPacket(2.5))?.timestamp).toBe(2)
  })

  it.each([
    ['an HTML page', 'not_video', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'an HTML page behind the first bytes of a clip',
      'damaged',
      async () => Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.from('<html>'.repeat(50))]),
    ],
    ['nothing', 'not_video', async () => Buffer.alloc(0)],
    ['a clip of two pictures', 'several_pictures', () => liveClip({ tracks: 2 })],
    ['a clip of more than two hours', 'too_long', () => liveClip({ seconds: 7_300, picturesPerSecond: 1, pictureBytes: 20 })],
  ])('is refused where it is %s', async (_, error, make) => {
    const { id, video_id } = await deliver(await make(), 'failed')
    const row = await stateOf(id, video_id)
    expect([row?.error, row?.bytes]).toEqual([error, null])
    const answer = await getWith(office, video_id)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'video_not_ready'])
  })

  it('says where seeking is rough', async () => {
    const { id, video_id } = await deliver(await liveClip({ seconds: 15, keyEvery: 14 }))
    expect((await stateOf(id, video_id))?.coarse).toBe(true)
  })

  it('is refused where its hash differs from the one that was announced', async () => {
    const { id, session } = await opened()
    const { upload_id, video_id } = await begin(session)
    await put(upload_id, 0, clip)
    await kim.send(packingVideo.finish, { id: upload_id, body: { bytes: clip.length, sha256: sha(Buffer.from('x')) } })
    await until(id, video_id, 'failed')
    expect((await stateOf(id, video_id))?.error).toBe('hash')
  })

  it('leaves no file of its upload behind', async () => {
    const { upload_id } = await deliver(clip)
    const folder = join(testApp.services.config.data_dir, 'video-uploads')
    await expect.poll(async () => (await readdir(folder)).includes(`${operator.operator_id}-${upload_id}`)).toBe(false)
  })
})

describe('who sees a clip', () => {
  let video_id: number
  let order: number
  let whole: Buffer
  beforeAll(async () => {
    const made = await deliver(clip)
    video_id = made.video_id
    order = made.id
    whole = (await getWith(office, video_id)).rawPayload
  })

  it('asks for parts of it', async () => {
    const part = await getWith(office, video_id, { range: 'bytes=100-199' })
    expect([part.statusCode, part.headers['content-range'], part.headers['accept-ranges']]).toEqual([
      206,
      `bytes 100-199/${whole.length}`,
      'bytes',
    ])
    expect(part.rawPayload).toEqual(whole.subarray(100, 200))
    const tail = await getWith(office, video_id, { range: 'bytes=-50' })
    expect(tail.rawPayload).toEqual(whole.subarray(-50))
    const rest = await getWith(office, video_id, { range: `bytes=${whole.length - 10}-`, 'if-range': String(part.headers.etag) })
    expect([rest.statusCode, rest.rawPayload.length]).toEqual([206, 10])
    expect((await getWith(office, video_id, { range: 'bytes=0-1,5-6' })).statusCode).toBe(200)
    expect((await getWith(office, video_id, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await getWith(office, video_id, { range: `bytes=${whole.length}-` })).statusCode).toBe(416)
  })

  it('gets a video that no browser takes for a page', async () => {
    const { headers } = await getWith(office, video_id)
    expect(headers).toMatchObject({ 'content-type': 'video/webm', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  it('exchanges the session for a cookie of this clip, which opens it for ten minutes', async () => {
    const now = new Date()
    testApp.setNow(now)
    const answer = await office.ask(packingVideo.ticket, { id: video_id })
    const set = String(answer.headers['set-cookie'])
    expect(set).toMatch(/^pv\d+=session\./)
    expect(set).toContain('; Path=/;')
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Max-Age=600']) expect(set).toContain(part)
    expect(set).not.toContain('Domain')
    const cookie = cookieOf(answer)
    const seen = await withoutLogin(video_id, { cookie, range: 'bytes=0-9' })
    expect([seen.statusCode, seen.rawPayload.length]).toEqual([206, 10])
    testApp.setNow(new Date(now.getTime() + 601_000))
    expect((await withoutLogin(video_id, { cookie })).statusCode).toBe(401)
  })

  it('cannot use the cookie for another clip, another call or at another company', async () => {
    const other = await deliver(clip)
    const cookie = cookieOf(await office.ask(packingVideo.ticket, { id: video_id }))
    expect((await withoutLogin(other.video_id, { cookie })).statusCode).toBe(401)
    const visitor = testApp.visitor(operator.main)
    expect((await visitor.ask(packingVideo.ticket, { id: video_id }, { headers: { cookie } })).statusCode).toBe(401)
    expect((await visitor.ask(packingVideo.list, { id: order }, { headers: { cookie } })).statusCode).toBe(401)
    expect((await withoutLogin(video_id, { cookie }, operator.shops[0])).statusCode).toBe(401)
    expect((await withoutLogin(video_id, { cookie: cookie.replace(/session\.\d+/, 'session.1') })).statusCode).toBe(401)
  })

  it('loses the cookie with the session and with the permission', async () => {
    const guest = await operator.hire(['parcels'], operator.main, 'Guest')
    const cookie = cookieOf(await guest.ask(packingVideo.ticket, { id: video_id }))
    expect((await withoutLogin(video_id, { cookie })).statusCode).toBe(200)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('users').set({ permission: [] }).where('id', '=', guest.user_id).execute(),
    )
    testApp.identities.clear()
    expect((await withoutLogin(video_id, { cookie })).statusCode).toBe(403)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('sessions').set({ ended_at: new Date().toISOString() }).where('user_id', '=', guest.user_id).execute(),
    )
    testApp.identities.clear()
    expect((await withoutLogin(video_id, { cookie })).statusCode).toBe(401)
  })

  it('is not another company', async () => {
    const stranger = await (await testApp.operator({})).hire(['admin'])
    for (const who of [shopOffice, stranger]) {
      expect((await getWith(who, video_id)).statusCode).toBe(404)
      expect((await who.ask(packingVideo.list, { id: order })).statusCode).toBe(404)
      expect((await who.ask(packingVideo.ticket, { id: video_id })).statusCode).toBe(404)
    }
    expect((await getWith(kim, video_id)).statusCode).toBe(403)
  })

  it('stands in the access log once for ten minutes', async () => {
    const watcher = await operator.hire(['parcels'], operator.main, 'Watcher')
    for (let i = 0; i < 3; i++) await getWith(watcher, video_id, { range: `bytes=${i}-` })
    const own = async () => (await admin.send(packingVideo.views, {})).rows.filter(row => row.viewer_name === 'Watcher')
    expect(await own()).toMatchObject([{ video_id, order_id: order }])
    testApp.setNow(new Date(Date.now() + 11 * 60_000))
    await getWith(watcher, video_id)
    expect(await own()).toHaveLength(2)
    expect((await admin.send(packingVideo.views, { query: 'watch' })).rows.map(row => row.viewer_name)).toEqual(['Watcher', 'Watcher'])
    const timeline = await office.send(orders.timeline, { id: order })
    expect(JSON.stringify(timeline)).toContain('Packing video viewed')
  })
})

describe('how long a clip stays', () => {
  const later = (days: number) => testApp.setNow(new Date(Date.now() + days * 86_400_000))

  it('is deleted when its days are over, and says so', async () => {
    const { id, video_id } = await deliver(clip)
    await deleteDue(testApp.services)
    expect((await stateOf(id, video_id))?.state).toBe('available')
    later(31)
    await deleteDue(testApp.services)
    // Sessions are idle by then.
    testApp.setNow(undefined)
    expect(await stateOf(id, video_id)).toMatchObject({ state: 'expired' })
    const gone = await getWith(office, video_id)
    expect([gone.statusCode, gone.json().code]).toEqual([410, 'video_expired'])
  })

  it('stays while it is held, with a reason, for a year at most', async () => {
    const { id, video_id } = await deliver(clip)
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const hold = (until: string, reason = 'Claim 88') => office.ask(packingVideo.hold, { id: video_id, body: { until, reason } })
    expect((await hold(day(366))).json().fields).toHaveProperty('until')
    expect((await hold(day(-1))).statusCode).toBe(422)
    expect((await hold(day(60), '')).json().fields).toHaveProperty('reason')
    expect((await hold(day(60))).statusCode).toBe(204)
    expect(await stateOf(id, video_id)).toMatchObject({ held_until: day(60), held_by_name: 'Astrid', held_reason: 'Claim 88' })
    const heldIn = async (query: string) => (await office.send(packingVideo.held, { query })).rows.filter(row => row.id === video_id)
    expect(await heldIn('')).toMatchObject([{ order_id: id, held_until: day(60), held_by_name: 'Astrid', held_reason: 'Claim 88' }])
    expect(await heldIn('astr')).toHaveLength(1)
    expect(await heldIn('Mette')).toEqual([])
    expect((await shopOffice.ask(packingVideo.held, {})).statusCode).toBe(403)
    const reader = await operator.hire(['parcels'])
    expect((await reader.ask(packingVideo.hold, { id: video_id, body: { until: day(9), reason: 'Mine' } })).statusCode).toBe(403)
    later(40)
    await deleteDue(testApp.services)
    testApp.setNow(undefined)
    expect((await stateOf(id, video_id))?.state).toBe('available')
    expect((await office.ask(packingVideo.release, { id: video_id })).statusCode).toBe(204)
    expect((await office.ask(packingVideo.release, { id: video_id })).json().code).toBe('video_not_held')
    later(40)
    await deleteDue(testApp.services)
    testApp.setNow(undefined)
    expect((await stateOf(id, video_id))?.state).toBe('expired')
  })

  it('stays while its order has an open return or claim, and 30 days after', async () => {
    const { id, video_id } = await deliver(clip)
    const on = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const set = (change: (db: Db) => Promise<unknown>) => testApp.services.database.transaction(scopeOfCompany(operator), change)
    const stateAfter = async (days: number) => {
      later(days)
      await deleteDue(testApp.services)
      testApp.setNow(undefined)
      return (await stateOf(id, video_id))?.state
    }
    await set(db =>
      db
        .insertInto('returns')
        .values({ order_id: id, rma_no: 'R9', source: 'desk', status: 'arrived', method: 'none', currency: 'DKK' })
        .execute(),
    )
    expect(await stateOf(id, video_id)).toMatchObject({ case_open: true })
    expect(await stateAfter(40)).toBe('available')
    await set(db =>
      db
        .updateTable('returns')
        .set({ status: 'resolved', resolved_at: on(20) })
        .where('order_id', '=', id)
        .execute(),
    )
    expect(await stateAfter(49)).toBe('available')
    await set(async db => {
      const { id: shipment_id } = await db
        .insertInto('shipments')
        .values({
          ...{
            order_id: id,
            agent_code: 'own',
            shipping_method: 'van',
            state: 'delivered',
            idempotency_key: `k${id}`,
            reference: `r${id}`,
          },
          request: '{}',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('claims')
        .values({ shipment_id, order_id: id, kind: 'damage', amount: 100, currency: 'DKK', noticed_on: on(0), created_by: 'Astrid' })
        .execute()
    })
    expect(await stateAfter(60)).toBe('available')
    await set(db =>
      db
        .updateTable('claims')
        .set({ state: 'lost', settled_at: on(30) })
        .where('order_id', '=', id)
        .execute(),
    )
    expect(await stateAfter(59)).toBe('available')
    expect(await stateAfter(61)).toBe('expired')
  })

  it('is reported: how much is stored, of how much', async () => {
    await deliver(clip)
    const report = await admin.send(packingVideo.storage, {})
    expect(report.limit_bytes).toBe(100e9)
    expect(report.clips).toBeGreaterThan(0)
    expect(report.used_bytes).toBeGreaterThan(0)
    expect(report.days[0]).toMatchObject({ day: expect.stringMatching(/^\d{4}-/) })
  })

  it('is thirty days at most', async () => {
    const answer = await admin.ask(packingVideo.setSettings, { body: { ...on, retention_days: 31 } })
    expect(answer.json().fields).toHaveProperty('retention_days')
    const fresh = await testApp.operator({})
    const boss = await fresh.hire(['admin'])
    expect(await boss.send(packingVideo.settings, {})).toMatchObject({ enabled: false, retention_days: 30 })
    // A form of other settings cannot switch it on.
    const { version } = await boss.send(company.config, {})
    expect((await boss.ask(company.setConfig, { body: { version, video: on } })).statusCode).toBe(400)
  })
})

describe('a shared link', () => {
  const tokenIn = (url: string) => url.split('#')[1] ?? ''
  const openLink = (token: string, at = operator.main) => testApp.visitor(at).ask(packingVideo.shared, { body: { token } })

  it('shows this one clip without a login and without anything of the order', async () => {
    const { id, video_id } = await deliver(clip)
    const { url } = await office.send(packingVideo.share, { id: video_id, body: {} })
    expect(url).toMatch(/\/clip#[\w-]{43}$/)
    const answer = await openLink(tokenIn(url))
    expect(Object.keys(answer.json()).toSorted()).toEqual(['duration_ms', 'expires_at', 'marks', 'ready', 'starts_at', 'video_id'])
    const cookie = cookieOf(answer)
    expect((await withoutLogin(video_id, { cookie })).statusCode).toBe(200)
    const other = await deliver(clip)
    expect((await withoutLogin(other.video_id, { cookie })).statusCode).toBe(401)
    expect((await stateOf(id, video_id))?.shares).toMatchObject([{ views: 1, created_by_name: 'Astrid' }])
    expect((await admin.send(packingVideo.views, {})).rows).toEqual(
      expect.arrayContaining([expect.objectContaining({ video_id, viewer_name: null })]),
    )
  })

  it('ends with its time, when it is revoked, and with the clip, and a visitor does not learn which', async () => {
    const { id, video_id } = await deliver(clip)
    const brief = await office.send(packingVideo.share, { id: video_id, body: { hours: 1 } })
    const long = await office.send(packingVideo.share, { id: video_id, body: { hours: 168 } })
    expect((await office.ask(packingVideo.share, { id: video_id, body: { hours: 169 } })).statusCode).toBe(400)
    const cookie = cookieOf(await openLink(tokenIn(long.url)))
    const unknown = await openLink('A'.repeat(43))
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'share_not_found'])
    testApp.setNow(new Date(Date.now() + 3_601_000))
    expect((await openLink(tokenIn(brief.url))).json()).toEqual(unknown.json())
    testApp.setNow(undefined)
    expect((await office.ask(packingVideo.revokeShare, { id: long.id })).statusCode).toBe(204)
    expect((await openLink(tokenIn(long.url))).json()).toEqual(unknown.json())
    expect((await withoutLogin(video_id, { cookie })).statusCode).toBe(404)
    expect((await office.ask(packingVideo.revokeShare, { id: long.id })).statusCode).toBe(404)
    expect((await stateOf(id, video_id))?.shares.map(share => share.id)).toEqual([brief.id])
  })

  it('ends before the label is printed, unless it is asked for whole', async () => {
    const made = await deliver(clip, 'available', { age_ms: 3_000 })
    await admin.send(printers.list, {})
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const { id: printer_id } = await db.selectFrom('printers').select('id').executeTakeFirstOrThrow()
      const { id: file_id } = await db.selectFrom('files').select('id').limit(1).executeTakeFirstOrThrow()
      const video = await db.selectFrom('packing_videos').select('starts_at').where('id', '=', made.video_id).executeTakeFirstOrThrow()
      const created_at = new Date(Date.parse(video.starts_at) + 2_000).toISOString()
      const about = { title: 'Label', document: 'label', format: 'pdf' as const, idempotency_key: randomUUID(), expires_at: created_at }
      await db
        .insertInto('print_jobs')
        .values({ ...about, printer_id, printer_company_id: operator.main.id, file_id, order_id: made.id, created_at, state: 'done' })
        .execute()
    })
    const cut = await office.send(packingVideo.share, { id: made.video_id, body: {} })
    await expect.poll(async () => (await openLink(tokenIn(cut.url))).json().ready, { timeout: 20_000, interval: 1_000 }).toBe(true)
    const answer = await openLink(tokenIn(cut.url))
    expect(answer.json()).toMatchObject({ duration_ms: 2_000 })
    const bytes = (await withoutLogin(made.video_id, { cookie: cookieOf(answer) })).rawPayload
    const length = await new Input({ source: new BufferSource(bytes), formats: [WEBM] }).computeDuration()
    expect(length).toBeGreaterThan(1.7)
    expect(length).toBeLessThanOrEqual(2)
    const whole = await office.send(packingVideo.share, { id: made.video_id, body: { cut_at_label: false } })
    expect((await openLink(tokenIn(whole.url))).json()).toMatchObject({ ready: true, duration_ms: 4_000 })
  })
})
