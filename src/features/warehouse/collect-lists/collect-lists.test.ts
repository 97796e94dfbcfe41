/** Collect lists over HTTP: cages, scanning out, closing, handing over, opening again – and everybody at once. */
import { randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { listCode } from '#domain/codes.ts'
import { sscc } from '#domain/gs1.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import { extraOf } from './collect-lists.rules.ts'
import type { CollectRow, ScanAnswer } from './collect-lists.schemas.ts'
import { workingHoursBefore } from './cutoffs.server.ts'
import { watchCouriers } from './overdue-handover.task.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let clerk: TestUser
let parcels: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

/** A Wednesday, ten in the morning in Copenhagen; in the past, since logins end by the clock of the database. */
const morning = new Date('2026-03-11T09:00:00Z')
const at = (time: string) => new Date(`2026-03-11T${time}:00Z`)

beforeEach(async () => {
  testApp.setNow(morning)
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['list_admin'], operator.main, 'Jonas')
  clerk = await operator.hire(['list'], operator.main, 'Kim')
  parcels = await operator.hire(['parcels'], operator.main, 'Mette')
  await routes(operator.main, 'Nørrebro; 2100-2200; B7; 15:30\nAmager; 2300; B8; 17:00')
})

const inside = <T>(company: BuiltCompany, work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction({ ...scopeOfCompany(operator, company), companies: [company.id] }, work)

const routes = (company: BuiltCompany, text: string) =>
  inside(company, db =>
    db
      .insertInto('courier_settings')
      .values({ company_id: company.id, agent_code: 'own', settings: JSON.stringify({ routes: text }) })
      .execute(),
  )

let serial = 0
interface Parcel {
  shipment_id: number
  order_id: number
  order_no: string
  number: string
  barcode: string
}
/** A packed parcel with its label, as the station leaves it. */
async function parcel(
  plan: {
    cage?: string | null
    at?: BuiltCompany
    method?: string
    work_state?: 'packed' | 'in_pack'
    state?: 'booked' | 'error'
    order?: { id: number; order_no: string }
    parcel_no?: number
    packed_at?: Date
  } = {},
): Promise<Parcel> {
  const company = plan.at ?? operator.main
  const scope = { ...scopeOfCompany(operator, company), companies: [company.id] }
  const order = plan.order ?? (await placeOrder(testApp.services.database, scope, { work_state: plan.work_state ?? 'packed' }))
  const number = sscc('5790001', 3, ++serial)
  return inside(company, async db => {
    await db
      .updateTable('orders')
      .set({ packed_at: (plan.packed_at ?? morning).toISOString() })
      .where('id', '=', order.id)
      .execute()
    const { id } = await db
      .insertInto('shipments')
      .values({
        company_id: company.id,
        order_id: order.id,
        parcel_no: plan.parcel_no ?? 1,
        agent_code: 'own',
        shipping_method: plan.method ?? 'van',
        state: plan.state ?? 'booked',
        idempotency_key: randomUUID(),
        reference: randomUUID(),
        tracking_no: number,
        barcode: `00${number}`,
        cage: plan.cage === undefined ? 'B7' : plan.cage,
        weight_g: 1_500,
        booked_at: morning.toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { shipment_id: id, order_id: order.id, order_no: order.order_no, number, barcode: `00${number}` }
  })
}

const start = (cage = 'B7', who = clerk): Promise<CollectRow> => who.send(collectLists.create, { body: { agent_code: 'own', cage } })
const scan = (list: { id: number }, code: string, who = clerk, scan_id: string = randomUUID()): Promise<ScanAnswer> =>
  who.send(collectListsOwn.scan, { id: list.id, body: { scan_id, code } })
const close = (
  list: { id: number },
  reasons: { shipment_id: number; reason: 'not_found' | 'damaged' | 'next_pickup' }[] = [],
  who = clerk,
) => who.send(collectListsOwn.close, { id: list.id, body: { reasons } })
const leave = (list: { id: number }, driver = 'Ole', who = clerk) => who.send(collectListsOwn.handOver, { id: list.id, body: { driver } })
const full = (list: { id: number }) => clerk.send(collectLists.get, { id: list.id })
const shipmentOf = async (one: Parcel) => (await parcels.send(labels.status, { ids: String(one.shipment_id) }))[0]!
const orderOf = (one: Parcel) => parcels.send(orders.get, { id: one.order_id })
const refused = async (promise: Promise<unknown>): Promise<Refused> => {
  const outcome = await promise.then(
    () => new Error('It was not refused'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof Refused)) throw outcome
  return outcome
}
const hold = (one: Parcel) =>
  parcels.send(orderLocks.hold, { id: one.order_id, body: { reason: 'address', note: 'Ask first', until: null } })

describe('cages', () => {
  it('follow from the routes of all companies while no one made any, each with its time', async () => {
    await routes(operator.shops[0]!, 'City; 1000-1999; B7; 14:00\nNorth; 3000; N1;')
    const cages = await clerk.send(collectListsOwn.cages, {})
    expect(cages.filter(cage => cage.agent_code === 'own').map(cage => [cage.name, cage.route_cut_off, cage.rest, cage.id])).toEqual([
      ['B7', '14:00', false, null],
      ['B8', '17:00', false, null],
      ['N1', null, false, null],
      ['Own delivery', null, true, null],
    ])
  })

  it('count what waits in each of them, over all companies', async () => {
    await parcel()
    await parcel({ at: operator.shops[0]! })
    await parcel({ cage: 'B8' })
    await parcel({ cage: null, method: 'pickup' })
    expect(await clerk.send(collectLists.count, { x: 'own' })).toMatchObject({
      count: 4,
      cages: [
        { cage: 'B7', count: 2 },
        { cage: 'B8', count: 1 },
        { cage: 'Own delivery', count: 1 },
      ],
    })
    await expect(clerk.send(collectLists.count, { x: 'unknown' })).rejects.toMatchObject({ status: 404, code: 'courier_not_found' })
  })

  it('take parcels by what the label names, then by method, then the rest', async () => {
    await lead.send(collectListsOwn.createCage, {
      body: { agent_code: 'own', name: 'Counter', methods: ['pickup'], cut_off: '12:00', colour: 'green' },
    })
    await parcel({ cage: null, method: 'pickup' })
    await parcel({ cage: 'B7', method: 'pickup' })
    await parcel({ cage: 'gone', method: 'van' })
    const { cages } = await clerk.send(collectLists.count, { x: 'own' })
    expect(Object.fromEntries(cages.map(one => [one.cage, one.count]))).toEqual({ B7: 1, B8: 0, Counter: 1, 'Own delivery': 1 })
  })

  it('are made, changed and removed by those who run the lists, one version after the other', async () => {
    const body = { agent_code: 'own', name: 'Ramp', cut_off: '16:00', days: [1, 2, 3] }
    expect((await refused(clerk.send(collectListsOwn.createCage, { body }))).status).toBe(403)
    const cage = await lead.send(collectListsOwn.createCage, { body })
    expect(cage).toMatchObject({ name: 'Ramp', rest: true, version: 1 })
    expect(await refused(lead.send(collectListsOwn.createCage, { body: { ...body, name: 'ramp' } }))).toMatchObject({
      status: 409,
      fields: { name: 'This name is taken' },
    })
    const id = cage.id!
    const changed = await lead.send(collectListsOwn.updateCage, { id, body: { ...body, cut_off: '16:30', version: 1 } })
    expect(changed).toMatchObject({ cut_off: '16:30', version: 2 })
    const stale = await refused(lead.send(collectListsOwn.updateCage, { id, body: { ...body, version: 1 } }))
    expect(stale).toMatchObject({ status: 409, current: { version: 2 } })
    const list = await start('Ramp')
    expect((await refused(lead.send(collectListsOwn.removeCage, { id }))).message).toBe(
      `List ${listCode('CL', list.id)} of this cage is not handed over yet`,
    )
  })

  it('keep the name of a cage on its old lists when it is removed', async () => {
    const cage = await lead.send(collectListsOwn.createCage, { body: { agent_code: 'own', name: 'Ramp', methods: ['pickup'] } })
    const one = await parcel({ cage: null, method: 'pickup' })
    const list = await start('Ramp')
    await scan(list, one.number)
    await close(list)
    await leave(list)
    await lead.send(collectListsOwn.removeCage, { id: cage.id! })
    expect(await full(list)).toMatchObject({ cage: 'Ramp', cage_id: null, can_reopen: false })
  })
})

describe('a list', () => {
  it('is made of everything that waits in its cage, and nothing else', async () => {
    const mine = await parcel()
    const shop = await parcel({ at: operator.shops[0]! })
    await parcel({ cage: 'B8' })
    await parcel({ state: 'error' })
    await parcel({ work_state: 'in_pack' })
    const stopped = await parcel()
    await hold(stopped)
    const list = await start()
    expect(list).toMatchObject({ code: listCode('CL', list.id), cage: 'B7', state: 'open', expected: 2, scanned: 0, created_by: 'Kim' })
    expect(list.cut_off_at).toBe('2026-03-11T14:30:00Z')
    expect((await full(list)).parcels.map(one => one.tracking_no)).toEqual([mine.number, shop.number])
  })

  it('runs once in a cage: a person who starts a second one learns which runs', async () => {
    const list = await start()
    const error = await refused(start())
    expect(error).toMatchObject({ status: 409, message: `B7 has a running list already: ${listCode('CL', list.id)}` })
    const others = await Promise.allSettled(Array.from({ length: 6 }, () => start('B8')))
    expect(others.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  })

  it('takes in what is packed later, until it is closed', async () => {
    const list = await start()
    const late = await parcel()
    expect(await full(list)).toMatchObject({ expected: 1, parcels: [{ tracking_no: late.number, standing: 'expected' }] })
    expect((await clerk.send(collectLists.search, {})).rows[0]).toMatchObject({ id: list.id, expected: 1 })
    expect((await refused(close(list))).message).toContain('1 have no reason yet')
    await close(list, [{ shipment_id: late.shipment_id, reason: 'next_pickup' }])
    const after = await parcel()
    expect((await full(list)).parcels).toHaveLength(1)
    expect((await start()).expected).toBe(2)
    expect(after.shipment_id).toBeGreaterThan(0)
  })

  it('asks for the cage where a courier has several', async () => {
    expect(await refused(clerk.send(collectLists.create, { body: { agent_code: 'own' } }))).toMatchObject({
      status: 422,
      fields: { cage: 'Select a cage' },
    })
    expect((await refused(start('B99'))).status).toBe(404)
  })

  it('is found by number, cage, driver, courier, state and local day', async () => {
    const one = await parcel()
    const list = await start()
    await start('B8')
    await scan(list, one.number)
    await close(list)
    await leave(list, 'Ole Vognmand')
    const rows = async (query: object) => (await clerk.send(collectLists.search, query)).rows.map(row => row.cage)
    expect(await rows({ query: listCode('CL', list.id) })).toEqual(['B7'])
    expect(await rows({ query: 'vogn' })).toEqual(['B7'])
    expect(await rows({ query: 'b8' })).toEqual(['B8'])
    expect(await rows({ state: 'handed_over' })).toEqual(['B7'])
    expect(await rows({ courier: 'own' })).toEqual(['B8', 'B7'])
    expect(await rows({ courier: 'gls' })).toEqual([])
    expect(await rows({ day: '2026-03-11', sort: 'id' })).toEqual(['B7', 'B8'])
    expect(await rows({ day: '2026-03-10' })).toEqual([])
    const { bytes } = (await clerk.send(collectListsOwn.export, { state: 'handed_over', locale: 'da_DK' })) as { bytes: Uint8Array }
    expect(Buffer.from(bytes).toString('utf8')).toContain(`${listCode('CL', list.id)};handed_over;own;B7;1;1;0;1500`)
  })

  it('refuses characters that no list can hold, in the export before it begins', async () => {
    for (const filters of [{ query: 'a\0b' }, { courier: '\0' }])
      for (const call of [collectLists.search, collectListsOwn.export])
        expect((await clerk.ask(call, filters)).statusCode, JSON.stringify(filters)).toBe(400)
  })
})

describe('a scan', () => {
  const ways: [string, (one: Parcel) => string][] = [
    ['its number', one => one.number],
    ['the SSCC with 00', one => one.barcode],
    ['GS1-128 as a scanner sends it', one => `]C1${one.barcode}`],
    ['an element string with more in it', one => `]C1${one.barcode}4202100`],
    ['brackets, as it is read', one => `(00)${one.number}`],
    ['a GS1 digital link', one => `https://id.example.test/00/${one.number}`],
    ['the QR code of the tracking page', one => trackingUrl(testApp.services, operator.main, { order_id: one.order_id })],
  ]
  it.each(ways)('finds the parcel by %s', async (_, code) => {
    const one = await parcel()
    const list = await start()
    expect(await scan(list, code(one))).toMatchObject({
      result: 'ok',
      parcel: { shipment_id: one.shipment_id, standing: 'scanned', scanned_by: 'Kim' },
      counts: { expected: 1, scanned: 1, missing: 0 },
    })
    expect((await full(list)).state).toBe('scanning')
  })

  it('lets in a parcel that was packed after the list was made', async () => {
    const list = await start()
    const one = await parcel()
    expect(await scan(list, one.number)).toMatchObject({ result: 'ok', counts: { expected: 1, scanned: 1 } })
  })

  it('says who scanned it before', async () => {
    const one = await parcel()
    const list = await start()
    await scan(list, one.number)
    expect(await scan(list, one.barcode, lead)).toMatchObject({
      result: 'again',
      text: 'Already scanned by {{name}}',
      values: { name: 'Kim' },
      counts: { scanned: 1 },
    })
  })

  it('names the cage of a parcel that lies in the wrong one', async () => {
    const one = await parcel({ cage: 'B8' })
    const list = await start()
    expect(await scan(list, one.number)).toMatchObject({
      result: 'elsewhere',
      values: { cage: 'B8' },
      cage: { name: 'B8' },
      parcel: { order_no: one.order_no },
      counts: { expected: 0 },
    })
    expect((await full(list)).over).toMatchObject([{ result: 'elsewhere', code: one.number, by: 'Kim' }])
  })

  it('calls for a parcel whose label was cancelled, and takes it off the list', async () => {
    const one = await parcel()
    const list = await start()
    await parcels.send(labels.cancel, { agent_code: 'own', barcode: one.barcode })
    expect(await full(list)).toMatchObject({ expected: 0, parcels: [] })
    expect(await scan(list, one.number)).toMatchObject({ result: 'cancelled', text: 'Label cancelled: take the parcel out' })
    await close(list)
  })

  it('calls for a parcel whose order was stopped after it was packed, with the stop’s own words', async () => {
    const one = await parcel()
    const list = await start()
    await hold(one)
    expect(await scan(list, one.number)).toMatchObject({ result: 'stopped', values: { note: 'Ask first' }, counts: { expected: 0 } })
    expect((await full(list)).parcels).toMatchObject([{ standing: 'taken_out', reason: 'stopped' }])
  })

  it('sends a parcel that is not packed back to the bench', async () => {
    const list = await start()
    const one = await parcel({ work_state: 'in_pack' })
    expect(await scan(list, one.number)).toMatchObject({ result: 'not_packed' })
  })

  it('knows what was handed over already', async () => {
    const one = await parcel()
    const list = await start()
    await scan(list, one.number)
    await close(list)
    await leave(list)
    const next = await start()
    expect(await scan(next, one.number)).toMatchObject({ result: 'gone' })
  })

  it('does not know other operators’ parcels, nor nonsense', async () => {
    const list = await start()
    const home = operator
    operator = await testApp.operator()
    const foreign = await parcel()
    operator = home
    for (const code of [
      foreign.number,
      'hello',
      ']C1',
      '(00)',
      '5701234567890',
      trackingUrl(testApp.services, operator.main, { order_id: foreign.order_id }),
    ])
      expect(await scan(list, code)).toMatchObject({ result: 'unknown', parcel: null })
    expect((await full(list)).over.length).toBe(6)
  })

  it('removes a code that is no parcel’s, however often it was scanned, and only such a code', async () => {
    const one = await parcel({ cage: 'B8' })
    const list = await start()
    for (const code of ['hello', 'hello', 'other']) await scan(list, code)
    await scan(list, one.number)
    const { over } = await full(list)
    expect(extraOf(over).map(each => each.code)).toEqual([one.number])
    const remove = (unknown_scan_id: string) =>
      clerk.send(collectListsOwn.undo, { id: list.id, body: { scan_id: randomUUID(), unknown_scan_id } })
    const named = (code: string) => over.find(each => each.code === code)?.scan_id ?? ''
    expect(await remove(named('hello'))).toMatchObject({ result: 'undone', text: 'Removed: {{code}}', values: { code: 'hello' } })
    expect((await full(list)).over.map(each => each.code).sort()).toEqual([one.number, 'other'].sort())
    await expect(remove(named(one.number))).rejects.toMatchObject({ status: 409, code: 'nothing_to_undo' })
  })

  it('asks for the bar code where the QR code means an order of several parcels', async () => {
    const one = await parcel()
    await parcel({ order: { id: one.order_id, order_no: one.order_no }, parcel_no: 2 })
    const list = await start()
    expect(await scan(list, trackingUrl(testApp.services, operator.main, { order_id: one.order_id }))).toMatchObject({
      result: 'unknown',
      text: 'This order has several parcels: scan the bar code of the label',
    })
  })

  it('is one scan however often it is sent, and is answered the same', async () => {
    const one = await parcel()
    const list = await start()
    const scan_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => scan(list, one.number, clerk, scan_id)))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.result).toBe('ok')
    await close(list)
    expect(await scan(list, one.number, clerk, scan_id)).toEqual(answers[0])
  })

  it('counts once when two people scan the same parcel at the same moment', async () => {
    const one = await parcel()
    const list = await start()
    for (let run = 0; run < 5; run++) {
      const answers = await Promise.all([scan(list, one.number, clerk), scan(list, one.barcode, lead)])
      expect(answers.map(answer => answer.result).sort()).toEqual(['again', 'ok'])
      await clerk.send(collectListsOwn.undo, { id: list.id, body: { scan_id: randomUUID(), shipment_id: one.shipment_id } })
    }
  })

  it('is taken back: the own last one, or the one that is named', async () => {
    const [one, two] = [await parcel(), await parcel()]
    const list = await start()
    await scan(list, one.number)
    await scan(list, two.number)
    const scan_id = randomUUID()
    const undo = { id: list.id, body: { scan_id } }
    expect(await clerk.send(collectListsOwn.undo, undo)).toMatchObject({
      result: 'undone',
      values: { parcel: two.number },
      counts: { scanned: 1, missing: 1 },
    })
    expect(await clerk.send(collectListsOwn.undo, undo)).toMatchObject({ values: { parcel: two.number }, counts: { scanned: 1 } })
    expect((await refused(lead.send(collectListsOwn.undo, { id: list.id, body: { scan_id: randomUUID() } }))).message).toBe(
      'No scan to undo',
    )
    await lead.send(collectListsOwn.undo, { id: list.id, body: { scan_id: randomUUID(), shipment_id: one.shipment_id } })
    expect(await full(list)).toMatchObject({ scanned: 0, expected: 2, over: [] })
  })
})

describe('closing', () => {
  it('asks for a reason for each parcel that is missing, and frees it for the next list', async () => {
    const [here, lost, broken, later] = [await parcel(), await parcel(), await parcel(), await parcel()]
    const list = await start()
    await scan(list, here.number)
    const some = [{ shipment_id: lost.shipment_id, reason: 'not_found' as const }]
    expect(await refused(close(list, some))).toMatchObject({ status: 409, current: { missing: [broken.shipment_id, later.shipment_id] } })
    const closed = await close(list, [
      ...some,
      { shipment_id: broken.shipment_id, reason: 'damaged' },
      { shipment_id: later.shipment_id, reason: 'next_pickup' },
    ])
    expect(closed).toMatchObject({ state: 'closed', expected: 1, scanned: 1, missing: 3, closed_by: 'Kim', weight_g: 1_500 })
    expect(closed.methods).toEqual([{ method: 'van', name: 'Own delivery', count: 1, weight_g: 1_500 }])
    expect((await start()).expected).toBe(3)
    const said = (await parcels.send(orders.timeline, { id: lost.order_id })).rows
    expect(said.map(entry => entry.text)).toContain('Not found when collect list {{list}} was closed')
  })

  it('waits until a parcel whose label was cancelled after its scan is out of the cage', async () => {
    const one = await parcel()
    const list = await start()
    await scan(list, one.number)
    await parcels.send(labels.cancel, { agent_code: 'own', barcode: one.barcode })
    expect(await full(list)).toMatchObject({ scanned: 0, take_out: 1, parcels: [{ standing: 'take_out' }] })
    expect((await refused(close(list))).message).toContain(one.number)
    expect(await clerk.send(collectListsOwn.takeOut, { id: list.id, body: { shipment_id: one.shipment_id } })).toMatchObject({
      take_out: 0,
      parcels: [{ standing: 'taken_out', reason: 'cancelled' }],
    })
    await close(list)
    expect((await refused(leave(list))).message).toContain('there is nothing to hand over')
  })

  it('and a scan at the same moment: the parcel is on the list, or missing with its reason, never both and never neither', async () => {
    for (let run = 0; run < 6; run++) {
      const one = await parcel()
      const list = await start()
      const [scanned, closed] = await Promise.allSettled([
        scan(list, one.number, lead),
        close(list, [{ shipment_id: one.shipment_id, reason: 'not_found' }]),
      ])
      expect(closed.status).toBe('fulfilled')
      const [parcelNow] = (await full(list)).parcels
      if (scanned.status === 'fulfilled') {
        expect(parcelNow?.standing).toBe('scanned')
        await leave(list)
      } else {
        expect((scanned.reason as Refused).message).toContain('is closed: nothing more is scanned onto it')
        expect(parcelNow).toMatchObject({ standing: 'missing', reason: 'not_found' })
        const next = await start()
        await scan(next, one.number)
        await close(next)
        await leave(next)
      }
    }
  })

  it('happens once', async () => {
    const list = await start()
    await close(list)
    expect((await refused(close(list))).message).toBe(`List ${listCode('CL', list.id)} is closed already`)
    expect((await refused(scan(list, 'x'))).status).toBe(409)
  })
})

describe('the hand-over', () => {
  it('moves shipments and orders, of every company, with the driver’s name', async () => {
    const [one, shop] = [await parcel(), await parcel({ at: operator.shops[0]! })]
    const list = await start()
    for (const each of [one, shop]) await scan(list, each.number)
    expect((await refused(leave(list))).message).toBe(`Close list ${listCode('CL', list.id)} first`)
    await close(list)
    testApp.setNow(at('13:00'))
    expect(await leave(list)).toMatchObject({
      state: 'handed_over',
      handed_to: 'Ole',
      handed_over_by: 'Kim',
      handed_over_at: '2026-03-11T13:00:00Z',
    })
    for (const each of [one, shop]) {
      expect(await shipmentOf(each)).toMatchObject({ state: 'handed_over', handed_over_at: '2026-03-11T13:00:00Z' })
      expect(await orderOf(each)).toMatchObject({ work_state: 'handed_over' })
      const said = (await parcels.send(orders.timeline, { id: each.order_id })).rows.map(entry => entry.text)
      expect(said).toContain('Collect list {{list}}: {{driver}} took the parcel from cage {{cage}}')
      expect(said).toContain('Handed over to the courier')
    }
    expect(await parcels.send(labels.get, { id: one.shipment_id })).toMatchObject({
      collect_list: { id: list.id, cage: 'B7', state: 'handed_over', handed_to: 'Ole' },
      events: [{ state: 'handed_over', user: 'Kim' }],
    })
  })

  it('is the same when it is sent again, and refused to another driver', async () => {
    const one = await parcel()
    const list = await start()
    await scan(list, one.number)
    await close(list)
    await Promise.all([leave(list), leave(list)])
    expect((await refused(leave(list, 'Per'))).message).toBe(`List ${listCode('CL', list.id)} was handed over to Ole already`)
    expect((await parcels.send(labels.get, { id: one.shipment_id })).events).toHaveLength(1)
  })

  it('leaves an order packed while one of its parcels is still here', async () => {
    const one = await parcel()
    const two = await parcel({ order: { id: one.order_id, order_no: one.order_no }, parcel_no: 2, cage: 'B8' })
    const list = await start()
    await scan(list, one.number)
    await close(list)
    await leave(list)
    expect(await orderOf(one)).toMatchObject({ work_state: 'packed' })
    const other = await start('B8')
    await scan(other, two.number)
    await close(other)
    await leave(other)
    expect(await orderOf(one)).toMatchObject({ work_state: 'handed_over' })
  })

  it('and a cancelled label at the same moment: it left and is not cancelled, or is cancelled and did not leave', async () => {
    for (let run = 0; run < 5; run++) {
      const [one, two] = [await parcel(), await parcel()]
      const list = await start()
      for (const each of [one, two]) await scan(list, each.number)
      await close(list)
      const [left, cancelled] = await Promise.allSettled([
        leave(list),
        parcels.send(labels.cancel, { agent_code: 'own', barcode: one.barcode }),
      ])
      const { state } = await shipmentOf(one)
      if (left.status === 'fulfilled') {
        expect(state).toBe('handed_over')
        if (cancelled.status === 'fulfilled') expect(cancelled.value).toMatchObject({ cancelled: false })
      } else {
        expect(['cancelled', 'blocked']).toContain(state)
        await clerk.send(collectListsOwn.takeOut, { id: list.id, body: { shipment_id: one.shipment_id } })
        await leave(list)
      }
      expect(await shipmentOf(two)).toMatchObject({ state: 'handed_over' })
    }
  })
})

describe('opening again', () => {
  const handedOver = async () => {
    const [one, lost] = [await parcel(), await parcel()]
    const list = await start()
    await scan(list, one.number)
    await close(list, [{ shipment_id: lost.shipment_id, reason: 'not_found' }])
    await leave(list)
    return { one, lost, list }
  }
  const reopen = (list: { id: number }, who = lead) =>
    who.send(collectListsOwn.reopen, { id: list.id, body: { note: 'The van came back' } })

  it('is for those who run the lists, on the same day, with a note', async () => {
    const { list } = await handedOver()
    expect((await refused(reopen(list, clerk))).status).toBe(403)
    expect((await full(list)).can_reopen).toBe(false)
    expect((await lead.send(collectLists.get, { id: list.id })).can_reopen).toBe(true)
    testApp.setNow(new Date('2026-03-11T23:30:00Z'))
    expect((await refused(reopen(list))).message).toBe('A list is opened again on the day on which it was closed, and on no other')
    testApp.setNow(at('22:30'))
    expect(await reopen(list)).toMatchObject({ state: 'scanning', reopen_note: 'The van came back', handed_to: null, closed_at: null })
  })

  it('takes the hand-over back, and what was missing may turn up', async () => {
    const { one, lost, list } = await handedOver()
    testApp.setNow(at('10:00'))
    await reopen(list)
    expect(await shipmentOf(one)).toMatchObject({ state: 'booked', handed_over_at: null })
    expect(await orderOf(one)).toMatchObject({ work_state: 'packed' })
    // The event is one of the parcel, so that a webhook gets it in the order of the parcel's others.
    const event = await inside(operator.main, db =>
      db
        .selectFrom('events')
        .select(['subject', 'subject_id', 'order_id'])
        .where('kind', '=', 'shipment.hand_over_undone')
        .where('order_id', '=', one.order_id)
        .execute(),
    )
    expect(event).toEqual([{ subject: 'shipment', subject_id: one.shipment_id, order_id: one.order_id }])
    expect(await full(list)).toMatchObject({ expected: 2, scanned: 1, missing: 0 })
    await scan(list, lost.number)
    await close(list)
    await leave(list)
    expect(await orderOf(lost)).toMatchObject({ work_state: 'handed_over' })
  })

  it('leaves handed over what the courier has seen since', async () => {
    const { one, list } = await handedOver()
    await inside(operator.main, async db => {
      await db
        .insertInto('shipment_events')
        .values({
          company_id: operator.main.id,
          shipment_id: one.shipment_id,
          order_id: one.order_id,
          state: 'in_transit',
          at: at('11:00').toISOString(),
          text: 'Sorted',
          source: 'own',
        })
        .execute()
    })
    testApp.setNow(at('12:00'))
    await reopen(list)
    expect(await shipmentOf(one)).toMatchObject({ state: 'handed_over' })
    expect(await orderOf(one)).toMatchObject({ work_state: 'handed_over' })
  })

  it('waits for the list that runs in the cage, and leaves it what it took', async () => {
    const { list, lost } = await handedOver()
    const next = await start()
    expect((await refused(reopen(list))).message).toBe(`B7 has a running list already: ${listCode('CL', next.id)}`)
    await scan(next, lost.number)
    await close(next)
    await reopen(list)
    expect((await full(list)).parcels.find(one => one.shipment_id === lost.shipment_id)).toMatchObject({ standing: 'missing' })
  })
})

describe('the watch', () => {
  it('asks after what no courier has scanned within a day', async () => {
    const [one, seen] = [await parcel(), await parcel()]
    const list = await start()
    for (const each of [one, seen]) await scan(list, each.number)
    await close(list)
    await leave(list)
    await parcels.send(labels.event, { body: { barcode: seen.barcode, event: 'delivered' } })
    testApp.setNow(new Date(morning.getTime() + 23.9 * 3_600_000))
    await watchCouriers(testApp.services)
    expect(await shipmentOf(one)).toMatchObject({ state: 'handed_over' })
    testApp.setNow(new Date(morning.getTime() + 24.1 * 3_600_000))
    await watchCouriers(testApp.services)
    await watchCouriers(testApp.services)
    expect(await shipmentOf(one)).toMatchObject({
      state: 'needs_attention',
      error: 'The courier has not scanned this parcel within 24 working hours',
    })
    expect(await shipmentOf(seen)).toMatchObject({ state: 'delivered' })
    expect((await parcels.send(labels.get, { id: one.shipment_id })).events.map(event => event.state)).toEqual([
      'needs_attention',
      'handed_over',
    ])
    expect((await parcels.send(labels.search, { board: 'no_scan' })).rows.map(row => row.shipment_id)).toContain(one.shipment_id)
    expect((await clerk.send(collectListsOwn.overview, {})).unscanned).toBe(1)
    await parcels.send(labels.event, { body: { barcode: one.barcode, event: 'delivered' } })
    expect(await shipmentOf(one)).toMatchObject({ state: 'delivered', error: null })
  })

  it('lets a weekend pass, which is no time for a courier', async () => {
    // Friday, four in the afternoon in Copenhagen.
    const friday = new Date('2026-03-13T15:00:00Z')
    const one = await parcel()
    testApp.setNow(friday)
    const list = await start()
    await scan(list, one.number)
    await close(list)
    await leave(list)
    const stateAfter = async (hours: number) => {
      testApp.setNow(new Date(friday.getTime() + hours * 3_600_000))
      await watchCouriers(testApp.services)
      return (await shipmentOf(one)).state
    }
    expect(await stateAfter(25)).toBe('handed_over')
    expect(await stateAfter(71.9)).toBe('handed_over')
    expect(await stateAfter(72.1)).toBe('needs_attention')
  })

  it.each([
    ['2026-03-11T12:00:00Z', [1, 2, 3, 4, 5], '2026-03-10T12:00:00.000Z'],
    // Monday noon: half of it, and half of Friday.
    ['2026-03-16T11:00:00Z', [1, 2, 3, 4, 5], '2026-03-13T11:00:00.000Z'],
    // In the middle of a Sunday no time has passed since Friday ended.
    ['2026-03-15T12:00:00Z', [1, 2, 3, 4, 5], '2026-03-12T23:00:00.000Z'],
    // The clocks went forward on the Sunday.
    ['2026-03-30T10:00:00Z', [1, 2, 3, 4, 5], '2026-03-27T11:00:00.000Z'],
    ['2026-03-16T11:00:00Z', [], '2026-03-15T11:00:00.000Z'],
  ])('counts a day back from %s over the working days %j', (now, working_days, before) => {
    expect(workingHoursBefore(new Date(now), 24, { time_zone: 'Europe/Copenhagen', working_days }).toISOString()).toBe(before)
  })
})

describe('the tiles', () => {
  const tile = async (cage: string) => (await clerk.send(collectListsOwn.overview, {})).tiles.find(one => one.cage.name === cage)

  it('show what waits, what is scanned, and the minutes until the courier comes', async () => {
    const one = await parcel()
    await parcel()
    expect(await tile('B7')).toMatchObject({
      waiting: 2,
      scanned: 0,
      expected: 2,
      weight_g: 3_000,
      running: null,
      cut_off_at: '2026-03-11T14:30:00.000Z',
      minutes: 330,
      late: false,
      left_behind: 0,
    })
    const list = await start()
    await scan(list, one.number)
    expect(await tile('B7')).toMatchObject({
      waiting: 1,
      scanned: 1,
      expected: 2,
      running: { id: list.id, state: 'scanning', take_out: 0 },
    })
    expect(await tile('Own delivery')).toBeUndefined()
  })

  it('warn the same evening of what was packed and never scanned out', async () => {
    const one = await parcel()
    await parcel()
    const list = await start()
    await scan(list, one.number)
    testApp.setNow(at('14:40'))
    await parcel({ packed_at: at('14:35') })
    expect(await tile('B7')).toMatchObject({ late: true, left_behind: 1, minutes: -10 })
    const waiting = (await full(list)).parcels.filter(each => each.standing === 'expected')
    await close(
      list,
      waiting.map(each => ({ shipment_id: each.shipment_id, reason: 'next_pickup' as const })),
    )
    expect(await tile('B7')).toMatchObject({ late: true, left_behind: 1, closed: [{ id: list.id, scanned: 1 }] })
    await leave(list)
    expect(await tile('B7')).toMatchObject({ late: true, left_behind: 1, closed: [] })
  })

  it('look at the next working day when nothing was left behind', async () => {
    await parcel({ packed_at: at('15:00') })
    testApp.setNow(at('15:10'))
    expect(await tile('B7')).toMatchObject({ late: false, left_behind: 0, cut_off_at: '2026-03-12T14:30:00.000Z' })
    testApp.setNow(new Date('2026-03-13T16:00:00Z'))
    expect(await tile('B8')).toMatchObject({ late: false, cut_off_at: '2026-03-16T16:00:00.000Z' })
  })
})

/** The drawing commands of a PDF. */
function drawnIn(pdf: Uint8Array): string {
  const file = Buffer.from(pdf).toString('latin1')
  return [...file.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)]
    .map(([, stream = '']) => {
      try {
        return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
      } catch {
        // A font or a picture.
        return ''
      }
    })
    .join('\n')
}

describe('the paper', () => {
  it('names parcels, methods, weights, what is missing and where to sign, and its bar code opens the list', async () => {
    const [one, two] = [await parcel(), await parcel()]
    const list = await start()
    await scan(list, one.number)
    const pdf = async (locale: 'en_GB' | 'de_DE' = 'en_GB') =>
      ((await clerk.send(collectLists.pdf, { id: list.id, locale })) as unknown as { bytes: Uint8Array }).bytes
    expect((await readText(await pdf())).join(' ')).toContain('Not closed yet')
    await close(list, [{ shipment_id: two.shipment_id, reason: 'damaged' }])
    await leave(list, 'Ole Vognmand')
    const bytes = await pdf()
    expect((await readLabel(bytes, 150)).map(code => code.text)).toEqual([listCode('CL', list.id)])
    const words = (await readText(bytes)).join(' ')
    for (const word of [
      `Collect list ${listCode('CL', list.id)}`,
      one.number,
      two.number,
      one.order_no,
      'Own delivery',
      '1.5',
      'Damaged',
      'Parcels received: 1',
      'Ole Vognmand',
      'Signature',
      'B7',
    ])
      expect(words).toContain(word)
    const german = (await readText(await pdf('de_DE'))).join(' ')
    for (const word of ['Unterschrift', 'Eigene Zustellung']) expect(german).toContain(word)
    expect(german).not.toContain('Own')
  })

  it('carries what the driver drew on the screen, until the list is opened again', async () => {
    const one = await parcel()
    const list = await start()
    await scan(list, one.number)
    await close(list)
    const sign = (driver_signature: string) =>
      clerk.send(collectListsOwn.handOver, { id: list.id, body: { driver: 'Ole Vognmand', driver_signature } })
    expect((await refused(sign('M1 1L2 2<script>'))).status).toBe(400)
    const drawing = 'M20 150L80 40L140 150L200 40M260 100L400 120'
    expect(await sign(drawing)).toMatchObject({ handed_to: 'Ole Vognmand', driver_signature: drawing })
    const bytes = ((await clerk.send(collectLists.pdf, { id: list.id })) as unknown as { bytes: Uint8Array }).bytes
    expect(drawnIn(bytes)).toContain('80 40 l')
    await lead.send(collectListsOwn.reopen, { id: list.id, body: { note: 'One more' } })
    expect(await full(list)).toMatchObject({ handed_to: null, driver_signature: null })
  })

  it('is printed once for one wish', async () => {
    const { printers: known } = await (await operator.hire(['settings'])).send(printers.list, {})
    const printer = known.find(each => each.kind === 'file' && each.paper === 'a4')!.id
    const list = await start()
    const label = known.find(each => each.paper === 'label')!.id
    expect((await clerk.ask(collectLists.print, { id: list.id, printer: label })).json()).toMatchObject({ code: 'printer_paper_differs' })
    const request_id = randomUUID()
    const print = (more: { request_id?: string } = {}) => clerk.send(collectLists.print, { id: list.id, printer, ...more })
    const jobs = await Promise.all([print({ request_id }), print({ request_id }), print({ request_id })])
    expect(new Set(jobs.map(job => job.id)).size).toBe(1)
    expect((await print()).id).not.toBe(jobs[0]?.id)
    expect((await print()).id).toBe((await print()).id)
  })
})

describe('who sees collect lists', () => {
  it('is the main company, with the right to lists', async () => {
    const list = await start()
    const shop = await operator.hire(['admin'], operator.shops[0]!)
    const packer = await operator.hire(['scan', 'parcels_admin', 'pick_admin'])
    for (const [call, input] of [
      [collectLists.search, {}],
      [collectLists.get, { id: list.id }],
      [collectLists.count, { x: 'own' }],
      [collectLists.create, { body: { agent_code: 'own', cage: 'B8' } }],
      [collectListsOwn.overview, {}],
      [collectListsOwn.scan, { id: list.id, body: { scan_id: randomUUID(), code: 'x' } }],
      [collectListsOwn.handOver, { id: list.id, body: { driver: 'x' } }],
      [collectListsOwn.cages, {}],
    ] as const) {
      expect((await shop.ask(call, input)).statusCode).toBe(403)
      expect((await packer.ask(call, input)).statusCode).toBe(403)
    }
  })

  it('is one operator: another knows nothing of its lists and parcels', async () => {
    const one = await parcel()
    const list = await start()
    const stranger = await (await testApp.operator()).hire(['admin'])
    expect((await stranger.ask(collectLists.get, { id: list.id })).statusCode).toBe(404)
    expect((await stranger.ask(collectListsOwn.scan, { id: list.id, body: { scan_id: randomUUID(), code: one.number } })).statusCode).toBe(
      404,
    )
    expect((await stranger.send(collectLists.search, {})).rows).toEqual([])
    expect((await stranger.send(collectLists.count, { x: 'own' })).count).toBe(0)
  })
})

describe('the books', () => {
  it('balance: no parcel stands on two living lists, and each that left stands on one', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => parcel({ cage: i % 3 === 0 ? 'B8' : 'B7' })))
    const lists = await Promise.all([start('B7'), start('B8')])
    await Promise.all(many.flatMap(each => lists.map((list, i) => scan(list, each.number, i === 0 ? clerk : lead))))
    for (const list of lists) {
      await close(list)
      await leave(list)
    }
    const { rows } = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      sql<{ shipment_id: number; places: number; state: string }>`
        select s.id shipment_id, s.state, count(p.shipment_id) places from shipments s
        left join collect_parcels p on p.operator_id = s.operator_id and p.shipment_id = s.id and p.live
        where s.operator_id = current_operator_id() and s.company_id = any(current_company_ids()) group by s.id, s.state`.execute(db),
    )
    expect(rows).toHaveLength(12)
    expect(rows.every(row => Number(row.places) === 1 && row.state === 'handed_over')).toBe(true)
  })
})
