/** Shipment exceptions: what opens them, who sees to them, what ends them, and who sees them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { courierEventSettings } from '#features/shipping/courier-events/courier-events.contract.ts'
import { applyCourierEvents } from '#features/shipping/labels/courier-events.commands.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { watchCouriers } from '#features/warehouse/collect-lists/overdue-handover.task.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeShipment } from '#test/shipments.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { shipmentExceptions } from './shipment-exceptions.contract.ts'
import { openByClock } from './silent-shipments.task.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-11-20T10:00:00Z'))
  operator = await testApp.operator({ shops: 1 })
  kim = await operator.hire(['parcels'], operator.main, 'Kim')
})

const ship = (plan: Parameters<typeof placeShipment>[2] = {}, company = operator.main) =>
  placeShipment(testApp.services.database, scopeOfCompany(operator, company), { agent_code: 'gls', ...plan })
const report = (id: number, state: string, at: string, text = '', company = operator.main) =>
  createSystemContext(testApp.services, scopeOfCompany(operator, company)).transaction(context =>
    applyCourierEvents(context, id, [{ state, at: `2026-11-${at}:00.000Z`, place: null, text }]),
  )
const open = async (by = kim) => (await by.send(shipmentExceptions.list, {})).rows
const kinds = async () => (await open()).map(row => row.kind)
async function failed() {
  const shipment = await ship()
  await report(shipment.id, 'delivery_failed', '20T08:00')
  const row = (await open()).find(one => one.shipment_id === shipment.id)
  if (!row) throw new Error('no exception was opened')
  return { ...shipment, exception: row }
}

describe('an exception of a shipment', () => {
  it.each([
    ['delivery_failed', 'The recipient was not at home', ['delivery_failed']],
    ['delivery_failed', 'The address is incorrect', ['address']],
    ['in_transit', 'Held in customs', ['customs']],
    ['needs_attention', 'The parcel is damaged', ['problem']],
    ['returning', '', ['returned']],
    ['in_transit', 'The parcel is delayed', []],
    ['in_transit', 'Arrived at the terminal', []],
  ] as const)('is opened by %s “%s” as %o', async (state, text, expected) => {
    const { id } = await ship()
    await report(id, state, '20T08:00', text)
    expect(await kinds()).toEqual(expected)
  })

  it('is opened as the settings of the courier say', async () => {
    const admin = await operator.hire(['admin'])
    const event = { to_shop: true, to_recipient: false, template_id: null }
    await admin.send(courierEventSettings.set, {
      agent_code: 'gls',
      body: {
        version: 0,
        events: [
          { ...event, event: 'delayed', to_us: true },
          { ...event, event: 'delivery_failed', to_us: false },
        ],
      },
    })
    const { id } = await ship()
    await report(id, 'delivery_failed', '20T08:00')
    expect(await kinds()).toEqual([])
    await report(id, 'in_transit', '20T09:00', 'The parcel is delayed')
    expect(await kinds()).toEqual(['delayed'])
  })

  it('is opened once, and ends when the parcel goes on or arrives', async () => {
    const { id } = await ship()
    await report(id, 'in_transit', '19T08:00', 'Held in customs')
    await report(id, 'in_transit', '19T09:00', 'Still held in customs')
    expect(await kinds()).toEqual(['customs'])
    await report(id, 'in_transit', '19T10:00', 'Released by customs')
    expect(await kinds()).toEqual([])
    await report(id, 'delivery_failed', '19T12:00')
    await report(id, 'returning', '19T13:00')
    expect(await kinds()).toEqual(['returned'])
    await report(id, 'delivered', '19T14:00')
    expect(await kinds()).toEqual([])
    const { rows } = await kim.send(shipmentExceptions.list, { view: 'resolved' })
    expect(rows.map(row => [row.kind, row.resolution]).toSorted()).toEqual([
      ['customs', 'moving'],
      ['delivery_failed', 'moving'],
      ['returned', 'delivered'],
    ])
  })

  it('goes on while the courier still names its reason', async () => {
    const { id } = await ship()
    await report(id, 'in_transit', '19T08:00', 'Held in customs')
    await report(id, 'needs_attention', '19T09:00', 'Customs need an invoice')
    await report(id, 'in_transit', '19T10:00', 'In customs')
    expect(await kinds()).toEqual(['customs'])
  })
})

describe('the clock', () => {
  it('opens what was not scanned, does not move, waits in a shop or seems lost', async () => {
    await ship({ handed_over_at: '2026-11-18T07:00:00Z' })
    const still = await ship()
    await report(still.id, 'in_transit', '16T10:00')
    const shop = await ship({ handed_over_at: '2026-11-13T10:00:00Z' })
    await report(shop.id, 'ready_for_pickup', '15T10:00')
    const lost = await ship({ handed_over_at: '2026-11-04T10:00:00Z' })
    await report(lost.id, 'in_transit', '05T10:00')
    const fine = await ship()
    await report(fine.id, 'in_transit', '19T10:00')
    await watchCouriers(testApp.services)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('shipments').set({ handed_over_at: '2026-11-04T10:00:00Z' }).where('id', 'in', [still.id, shop.id, lost.id]).execute(),
    )
    await openByClock(testApp.services)
    await openByClock(testApp.services)
    expect((await kinds()).toSorted()).toEqual(['lost', 'no_movement', 'no_scan', 'waiting_in_shop'])
    await report(still.id, 'out_for_delivery', '20T09:00')
    expect((await kinds()).toSorted()).toEqual(['lost', 'no_scan', 'waiting_in_shop'])
  })

  it('leaves alone what a person resolved since the last event', async () => {
    const { id } = await ship({ handed_over_at: '2026-11-10T10:00:00Z' })
    await report(id, 'in_transit', '15T10:00')
    await openByClock(testApp.services)
    const [row] = await open()
    await kim.send(shipmentExceptions.resolve, { id: row?.id ?? 0, body: { resolution: 'no_action' } })
    await openByClock(testApp.services)
    expect(await kinds()).toEqual([])
  })
})

describe('people', () => {
  it('take exceptions over, plan the next step, note and resolve them', async () => {
    const { exception, id: shipment_id } = await failed()
    const { id } = exception
    const taken = await kim.send(shipmentExceptions.assign, { id, body: { user_id: kim.user_id, version: 1 } })
    expect(taken).toMatchObject({ owner_name: 'Kim', version: 2 })
    await kim.send(shipmentExceptions.step, { id, body: { next_step: 'Call the courier', next_at: '2026-11-20T09:00:00Z', version: 2 } })
    expect(await kim.send(shipmentExceptions.count, {})).toMatchObject({ open: 1, mine: 1, unassigned: 0, overdue: 1 })
    expect((await kim.send(shipmentExceptions.list, { view: 'overdue' })).rows).toMatchObject([{ next_step: 'Call the courier' }])
    await kim.send(shipmentExceptions.note, { id, body: { note: 'No answer' } })
    await expect(kim.send(shipmentExceptions.resolve, { id, body: { resolution: 'lost', version: 2 } })).rejects.toMatchObject({
      status: 409,
      code: 'exception_changed',
    })
    const ended = await kim.send(shipmentExceptions.resolve, { id, body: { resolution: 'lost', note: 'The courier says so' } })
    expect(ended).toMatchObject({
      resolution: 'lost',
      resolved_by: 'Kim',
      shipment_state: 'lost',
      note: 'Kim: No answer\nKim: The courier says so',
    })
    expect(await kim.send(labels.get, { id: shipment_id })).toMatchObject({ state: 'lost' })
    await expect(kim.send(shipmentExceptions.note, { id, body: { note: 'More' } })).rejects.toMatchObject({
      code: 'exception_resolved',
    })
  })

  it('work on several at once, and learn which were left', async () => {
    const [one, other] = [await failed(), await failed()]
    const ids = [one.exception.id, other.exception.id]
    await kim.send(shipmentExceptions.assignMany, { body: { ids, user_id: kim.user_id } })
    expect((await kim.send(shipmentExceptions.list, { view: 'mine' })).total).toBe(2)
    await kim.send(shipmentExceptions.resolve, { id: one.exception.id, body: { resolution: 'solved' } })
    const { results } = await kim.send(shipmentExceptions.resolveMany, { body: { ids, resolution: 'reshipped' } })
    expect(results.map(result => result.done)).toEqual([false, true])
  })

  it('find them by number, kind and courier, and save them as CSV', async () => {
    const { tracking_no, order_no } = await failed()
    await ship()
    const found = async (query: object) => (await kim.send(shipmentExceptions.list, query)).rows.map(row => row.tracking_no)
    expect(await found({ query: tracking_no })).toEqual([tracking_no])
    expect(await found({ query: order_no })).toEqual([tracking_no])
    expect(await found({ kind: ['customs'] })).toEqual([])
    expect(await found({ agent_code: 'bring' })).toEqual([])
    expect(await found({ sort: '-since' })).toEqual([tracking_no])
    const { bytes } = await kim.send(shipmentExceptions.exportAll, {})
    expect(Buffer.from(bytes as Uint8Array).toString()).toContain(tracking_no)
  })

  it('of a shop see those of their own shop, and packers none', async () => {
    const shop = operator.shops[0]
    const { id } = await ship({}, shop)
    await report(id, 'delivery_failed', '20T08:00', '', shop)
    const theirs = await operator.hire(['parcels'], shop)
    await failed()
    expect(await open()).toHaveLength(2)
    expect(await open(theirs)).toHaveLength(1)
    const own = await open()
    const { rows } = await kim.send(shipmentExceptions.list, { company: [shop!.id] })
    expect(rows.map(row => row.company_id)).toEqual([shop!.id])
    const foreign = own.find(row => row.company_id === operator.main.id)
    await expect(theirs.send(shipmentExceptions.get, { id: foreign?.id ?? 0 })).rejects.toMatchObject({ status: 404 })
    const packer = await operator.hire(['scan'])
    await expect(open(packer)).rejects.toMatchObject({ status: 403 })
  })
})
