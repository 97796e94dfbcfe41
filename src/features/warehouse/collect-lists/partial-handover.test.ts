/** An order that leaves in two parcels, over HTTP: each goes with the courier as soon as it is packed, whatever the rest waits for. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import type { CollectRow } from './collect-lists.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

/** A Wednesday, ten in the morning in Copenhagen. */
const at = (time: string) => new Date(`2026-03-11T${time}:00Z`)

beforeEach(async () => {
  testApp.setNow(at('09:00'))
  operator = await testApp.operator({ settings: { sender } })
  lead = await operator.hire(['list_admin', 'parcels_admin', 'scan_admin'], operator.main, 'Jonas')
  await testApp.services.database.transaction({ ...scopeOfCompany(operator), companies: [operator.main.id] }, db =>
    db
      .insertInto('courier_settings')
      .values({ company_id: operator.main.id, agent_code: 'own', settings: JSON.stringify({ routes: 'Fyn; 5000-5999; B7; 15:30' }) })
      .execute(),
  )
})

const [shirt, cap] = ['5701234567890', '5701234567891']
const piece = (barcode: string, name: string) => ({ sku: name, barcode, name, qty: 1, weight_g: 200 })

const openAt = (id: number) => lead.send(packing.start, { id, body: { station: 'Bench 1', take_over: false } })
const pack = (id: number, code: string) => lead.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
const closeAt = (id: number, rest?: 'hold' | 'backorder' | 'cancel') => lead.send(packing.close, { id, body: rest ? { rest } : {} })

/** Two lines, of which the first is packed, labelled and closed at the station. */
async function sentInPart(rest: 'hold' | 'backorder' = 'hold') {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [piece(shirt, 'Shirt'), piece(cap, 'Cap')],
  })
  await openAt(id)
  await pack(id, shirt)
  const closed = await closeAt(id, rest)
  expect(closed).toMatchObject({ outcome: 'labelled', parcels: [{ parcel_no: 1, state: 'booked' }] })
  return { id, number: closed.parcels[0]!.tracking_no!, shipment_id: closed.parcels[0]!.shipment_id }
}

/** The rest is let go, packed and closed: the second parcel. */
async function sendRest(id: number) {
  for (const { lock_id } of (await orderOf(id)).locks) await lead.send(orderLocks.releaseHold, { id, lock_id })
  await openAt(id)
  await pack(id, cap)
  const closed = await closeAt(id)
  const second = closed.parcels.find(one => one.parcel_no === 2)!
  return { number: second.tracking_no!, shipment_id: second.shipment_id }
}

const start = (): Promise<CollectRow> => lead.send(collectLists.create, { body: { agent_code: 'own', cage: 'B7' } })
const scan = (list: { id: number }, code: string) => lead.send(collectListsOwn.scan, { id: list.id, body: { scan_id: randomUUID(), code } })
const finish = async (list: { id: number }, driver: string) => {
  await lead.send(collectListsOwn.close, { id: list.id, body: { reasons: [] } })
  return lead.send(collectListsOwn.handOver, { id: list.id, body: { driver } })
}
const full = (list: { id: number }) => lead.send(collectLists.get, { id: list.id })
const waiting = async () => (await lead.send(collectLists.count, { x: 'own' })).count
const orderOf = (id: number) => lead.send(orders.get, { id })
const states = async (id: number) => (await orderOf(id)).parcels.map(one => one.state)
const shipped = async (id: number) => (await orderOf(id)).lines.map(line => line.shipped_qty)
const timelineOf = async (id: number) => (await lead.send(orders.timeline, { id, limit: 200 })).rows.map(entry => entry.text)
const tracked = async (id: number) => {
  const link = new URL(trackingUrl(testApp.services, operator.main, { order_id: id })).searchParams
  return testApp.visitor(operator.main).send(tracking.order, { o: Number(link.get('o')), s: link.get('s') ?? '' })
}

describe('the parcel of an order that was sent in part', () => {
  it('waits for the courier, is scanned out and leaves, and the rest stays held', async () => {
    const { id, number, shipment_id } = await sentInPart()
    expect(await waiting()).toBe(1)
    testApp.setNow(at('09:30'))
    const list = await start()
    expect(list).toMatchObject({ expected: 1 })
    expect(await scan(list, number)).toMatchObject({ result: 'ok', counts: { expected: 1, scanned: 1, missing: 0 } })
    expect((await full(list)).parcels).toMatchObject([{ shipment_id, standing: 'scanned', packed_at: '2026-03-11T09:00:00Z' }])
    await finish(list, 'Ole')
    expect(await orderOf(id)).toMatchObject({ work_state: 'ready', held: true, phase: 'held', parcels: [{ state: 'handed_over' }] })
    expect(await shipped(id)).toEqual([1, 0])
  })

  it('is followed by the rest, whose hand-over ends the order', async () => {
    const first = await sentInPart()
    const list = await start()
    await scan(list, first.number)
    await finish(list, 'Ole')
    expect(await tracked(first.id)).toMatchObject({
      stage: 'on_its_way',
      headline: { text: 'Part of your order is on its way' },
      advice: { text: 'The shop will tell you what happens to the rest.' },
      parcels: [{ parcel_no: 1, state: 'on_its_way', items: [{ name: 'Shirt', qty: 1 }] }],
      waiting: [{ name: 'Cap', qty: 1 }],
    })
    testApp.setNow(at('11:00'))
    const second = await sendRest(first.id)
    expect(await waiting()).toBe(1)
    expect(await tracked(first.id)).toMatchObject({
      headline: { text: '{{moving}} of {{count}} parcels are on their way', values: { moving: 1, count: 2 } },
      waiting: [],
    })
    const later = await start()
    expect((await full(later)).parcels).toMatchObject([{ shipment_id: second.shipment_id, packed_at: '2026-03-11T11:00:00Z' }])
    await scan(later, second.number)
    await finish(later, 'Ida')
    expect(await orderOf(first.id)).toMatchObject({ work_state: 'handed_over', held: false })
    expect(await states(first.id)).toEqual(['handed_over', 'handed_over'])
    expect(await shipped(first.id)).toEqual([1, 1])
    expect((await tracked(first.id)).parcels.map(one => one.items)).toEqual([[{ name: 'Shirt', qty: 1 }], [{ name: 'Cap', qty: 1 }]])
    const sayings = await timelineOf(first.id)
    expect(sayings.filter(text => text === 'Collect list {{list}}: {{driver}} took the parcel from cage {{cage}}')).toHaveLength(2)
    expect(sayings.filter(text => text === 'Handed over to the courier')).toHaveLength(1)
  })

  it('goes while somebody packs the rest, and counts as sent alone', async () => {
    const first = await sentInPart('backorder')
    await openAt(first.id)
    await pack(first.id, cap)
    const list = await start()
    expect(await scan(list, first.number)).toMatchObject({ result: 'ok' })
    await finish(list, 'Ole')
    expect(await orderOf(first.id)).toMatchObject({ work_state: 'in_pack' })
    expect(await shipped(first.id)).toEqual([1, 0])
  })

  it('counts as sent when the rest has its label already', async () => {
    const first = await sentInPart()
    const list = await start()
    await scan(list, first.number)
    await lead.send(collectListsOwn.close, { id: list.id, body: { reasons: [] } })
    await sendRest(first.id)
    await lead.send(collectListsOwn.handOver, { id: list.id, body: { driver: 'Ole' } })
    expect(await states(first.id)).toEqual(['handed_over', 'booked'])
    expect(await orderOf(first.id)).toMatchObject({ work_state: 'packed' })
    expect(await shipped(first.id)).toEqual([1, 0])
  })

  it('stays when the order is locked, held for another reason or cancelled, and says so', async () => {
    const [locked, held, cancelled] = [await sentInPart(), await sentInPart(), await sentInPart()]
    const list = await start()
    expect(list).toMatchObject({ expected: 3 })
    await lead.send(orderLocks.lock, { id: locked.id, body: { note: 'Customer called' } })
    await lead.send(orderLocks.hold, { id: held.id, body: { reason: 'payment', note: 'Not paid', until: null } })
    await lead.send(orders.setState, { id: cancelled.id, state: 'cancelled' })
    expect(await full(list)).toMatchObject({ expected: 0, parcels: [] })
    expect(await scan(list, locked.number)).toMatchObject({ result: 'stopped', values: { note: 'Customer called' } })
    expect(await scan(list, held.number)).toMatchObject({ result: 'stopped', values: { note: 'Not paid' } })
    expect(await scan(list, cancelled.number)).toMatchObject({ result: 'cancelled' })
    expect(await waiting()).toBe(0)
    const [hold] = (await orderOf(held.id)).locks.filter(lock => lock.reason === 'payment')
    await lead.send(orderLocks.releaseHold, { id: held.id, lock_id: hold!.lock_id })
    expect(await scan(list, held.number)).toMatchObject({ result: 'ok' })
  })

  it('must come out of the cage again when the order is locked after the scan', async () => {
    const { id, number, shipment_id } = await sentInPart()
    const list = await start()
    await scan(list, number)
    await lead.send(orderLocks.lock, { id, body: { note: 'Customer called' } })
    expect((await full(list)).parcels).toMatchObject([{ standing: 'take_out' }])
    await expect(finish(list, 'Ole')).rejects.toMatchObject({ status: 409 })
    await lead.send(collectListsOwn.takeOut, { id: list.id, body: { shipment_id } })
    expect((await full(list)).parcels).toMatchObject([{ standing: 'taken_out', reason: 'stopped' }])
  })

  it('is booked again when its hand-over is taken back, and nothing of the order has left', async () => {
    const { id, number } = await sentInPart()
    const list = await start()
    await scan(list, number)
    await finish(list, 'Ole')
    await lead.send(collectListsOwn.reopen, { id: list.id, body: { note: 'Wrong van' } })
    expect(await orderOf(id)).toMatchObject({ work_state: 'ready', held: true, parcels: [{ state: 'booked' }] })
    expect(await shipped(id)).toEqual([0, 0])
    expect(await tracked(id)).toMatchObject({ stage: 'packed', parcels: [{ state: 'packed' }] })
  })

  it('leaves the order to those who send the rest: its address may change once nothing labelled is in the warehouse', async () => {
    const { id, number } = await sentInPart()
    const may = async () => (await orderOf(id)).supported_actions.find(one => one.action === 'edit_address')
    expect(await may()).toMatchObject({ allowed: false, reason: 'A label is printed for this order: cancel the label first' })
    const list = await start()
    await scan(list, number)
    await finish(list, 'Ole')
    expect(await may()).toMatchObject({ allowed: true })
  })
})

describe('the rest of an order that was sent in part', () => {
  const release = async (id: number) => {
    for (const { lock_id } of (await orderOf(id)).locks) await lead.send(orderLocks.releaseHold, { id, lock_id })
  }
  const leaves = async (number: string) => {
    const list = await start()
    await scan(list, number)
    return finish(list, 'Ole')
  }

  it('may be cancelled at the bench: the order goes with the parcel that it has', async () => {
    const { id, number } = await sentInPart()
    await release(id)
    await openAt(id)
    expect(await closeAt(id, 'cancel')).toMatchObject({ outcome: 'labelled', parcels: [{ parcel_no: 1, state: 'booked' }] })
    expect(await orderOf(id)).toMatchObject({ work_state: 'packed', packing: null })
    await leaves(number)
    expect(await orderOf(id)).toMatchObject({ work_state: 'handed_over' })
  })

  it('ends an order whose parcel has left when it is cancelled', async () => {
    const { id, number } = await sentInPart()
    await leaves(number)
    await release(id)
    await openAt(id)
    await closeAt(id, 'cancel')
    expect(await orderOf(id)).toMatchObject({ work_state: 'handed_over', packing: null })
    expect(await shipped(id)).toEqual([1, 0])
    expect(await tracked(id)).toMatchObject({ headline: { text: 'Your parcel is on its way' }, waiting: [] })
  })

  it('is not left for later again before anything more was packed', async () => {
    const { id } = await sentInPart()
    await release(id)
    await openAt(id)
    await expect(closeAt(id, 'hold')).rejects.toMatchObject({ status: 409, message: 'Nothing is packed yet. Set the order aside instead.' })
  })

  it('is unpacked alone when the order is opened again after its first parcel left', async () => {
    const { id, number } = await sentInPart()
    await leaves(number)
    await sendRest(id)
    await lead.send(orders.setState, { id, state: 'picked' })
    const order = await orderOf(id)
    expect(order).toMatchObject({
      work_state: 'picked',
      lines: [
        { packed_qty: 1, shipped_qty: 1 },
        { packed_qty: 0, shipped_qty: 0 },
      ],
    })
    expect(order.parcels.filter(one => one.state !== 'blocked')).toMatchObject([
      { parcel_no: 1, state: 'handed_over', lines: [{ qty: 1 }] },
    ])
    expect(await tracked(id)).toMatchObject({ waiting: [{ name: 'Cap', qty: 1 }] })
    await openAt(id)
    await pack(id, cap)
    expect(await closeAt(id)).toMatchObject({ outcome: 'labelled' })
    expect(await orderOf(id)).toMatchObject({ work_state: 'packed' })
  })

  it('keeps the serial numbers of what left, and gives back those of what is unpacked', async () => {
    const { id, number } = await sentInPart()
    await leaves(number)
    await sendRest(id)
    const { lines } = await orderOf(id)
    const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
    await testApp.services.database.transaction(scope, async db => {
      for (const { parcel_no, session_id } of await db
        .selectFrom('shipments')
        .select(['parcel_no', 'session_id'])
        .where('order_id', '=', id)
        .execute())
        await db
          .insertInto('order_serials')
          .values({
            order_id: id,
            order_line_id: lines[parcel_no - 1]!.order_item_id,
            sku_key: `K${parcel_no}`,
            serial: `SN${parcel_no}`,
            serial_key: `SN${parcel_no}`,
            session_id,
          })
          .execute()
    })
    await lead.send(orders.setState, { id, state: 'picked' })
    expect((await orderOf(id)).lines.map(line => line.serials)).toEqual([['SN1'], []])
  })
})

describe('a parcel whose order is still at the bench', () => {
  it('stays while another of the same closing has no label yet', async () => {
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      agent_code: 'own',
      shipping_method: 'van',
      lines: [piece(shirt, 'Shirt'), piece(cap, 'Cap')],
    })
    await openAt(id)
    await pack(id, shirt)
    const part = await closeAt(id, 'backorder')
    const list = await start()
    await testApp.services.database.transaction({ ...scopeOfCompany(operator), companies: [operator.main.id] }, db =>
      db.updateTable('packing_sessions').set({ state: 'labelling', ended_at: null }).where('id', '=', part.session_id).execute(),
    )
    expect(await scan(list, part.parcels[0]!.tracking_no!)).toMatchObject({ result: 'not_packed' })
  })
})
