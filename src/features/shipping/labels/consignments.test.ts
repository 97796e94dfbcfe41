/** Several parcels in one booking: each with a label of its own, all booked once, and taken back as the courier allows. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { labels } from './labels.contract.ts'

const recipient = { name: 'Mads Friis', address1: 'Torvet 2', postcode: '8000', city: 'Aarhus C', country: 'DK' }

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let jonas: TestUser
let after: (() => void) | undefined
/** Each test has a courier of its own, whose numbers begin anew. */
let agent_code = ''
let couriers = 0

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan', 'parcels'], operator.main, 'Kim')
  jonas = await operator.hire(['admin'], operator.main, 'Jonas')
})
afterEach(() => after?.())
afterAll(() => testApp.close())

function use(options: Parameters<typeof slowCourier>[0]): SlowCourier {
  agent_code = `slow${++couriers}`
  const slow = slowCourier({ agent_code, ...options, offers: { parcels_per_call: 5, ...options.offers } })
  after = withCourier(slow)
  return slow
}

type Form = Parameters<typeof kim.send<typeof labels.create>>[1]['body']
const create = (body: Form) =>
  kim.send(labels.create, {
    agent_code,
    shipping_method: 'parcel',
    operation_code: 'outbound',
    body: { recipient, parcels: [{ weight_g: 500 }, { weight_g: 700 }, { weight_g: 900 }], ...body },
  })
const story = (id: number) => kim.send(labels.get, { id })
const cancel = (barcode: string, all = false) => kim.send(labels.cancel, { agent_code, barcode, ...(all && { all }) })

describe('three parcels', () => {
  it('are booked with one call, and each has its number, weight and label', async () => {
    const slow = use({ recovery: 'none' })
    const { shipments } = await create({})
    expect(slow.asked.book).toBe(1)
    expect(
      shipments.map(({ parcel_no, weight_g, state, consignment_parcels }) => [parcel_no, weight_g, state, consignment_parcels]),
    ).toEqual([
      [1, 500, 'booked', 3],
      [2, 700, 'booked', 3],
      [3, 900, 'booked', 3],
    ])
    expect(shipments.map(one => one.tracking_no)).toEqual(slow.books.map(one => one.tracking_no))
    expect(new Set(shipments.map(one => one.consignment_id))).toEqual(new Set([shipments[0]!.shipment_id]))
    const { siblings } = await story(shipments[1]!.shipment_id)
    expect(siblings.map(one => [one.parcel_no, one.tracking_no, one.state])).toEqual(
      shipments.map(one => [one.parcel_no, one.tracking_no, 'booked']),
    )
  })

  it('are booked one by one where the courier takes one parcel in a call, abroad through customs, and coming back', async () => {
    const alone = use({ recovery: 'none', offers: { parcels_per_call: 1 } })
    expect((await create({})).shipments.map(one => one.consignment_id)).toEqual([null, null, null])
    expect(alone.asked.book).toBe(3)
    after?.()
    const abroad = use({ recovery: 'none' })
    const oslo = { ...recipient, address1: 'Storgata 1', postcode: '0155', city: 'Oslo', country: 'NO' }
    await create({ recipient: oslo, parcels: [{ weight_g: 500 }, { weight_g: 700 }] })
    expect(abroad.asked.book).toBe(2)
    await kim.send(labels.create, {
      agent_code,
      shipping_method: 'parcel',
      operation_code: 'return',
      body: { sender: recipient, parcels: [{ weight_g: 500 }, { weight_g: 700 }] },
    })
    expect(abroad.asked.book).toBe(4)
  })

  it('are split where the courier takes fewer in a call', async () => {
    const slow = use({ recovery: 'none', offers: { parcels_per_call: 2 } })
    const { shipments } = await create({})
    expect(slow.asked.book).toBe(2)
    expect(shipments.map(one => one.consignment_parcels)).toEqual([2, 2, 0])
  })

  it('are made once, however often their request is sent', async () => {
    const slow = use({ recovery: 'none', milliseconds: 30 })
    const body = { client_id: randomUUID() }
    await Promise.all([create(body), create(body), create(body)])
    expect(slow.books).toHaveLength(3)
  })

  it('are all refused with the words of the courier, and none is booked', async () => {
    const slow = use({ recovery: 'none' })
    slow.fault = () => 'refused'
    await expect(create({})).rejects.toMatchObject({ status: 422, fields: { 'recipient.postcode': 'The postcode is not served' } })
    expect(slow.books).toEqual([])
  })

  it('of which one is refused keep the labels of the others, and the refused one says why', async () => {
    const slow = use({ recovery: 'none' })
    slow.fault = () => 'partial'
    const { shipments } = await create({})
    expect(shipments.map(one => [one.state, one.error])).toEqual([
      ['booked', null],
      ['error', 'The postcode is not served'],
      ['booked', null],
    ])
    expect(slow.books.map(one => one.parcel_no)).toEqual([1, 3])
    expect(shipments[0]!.tracking_no).toBe(slow.books[0]!.tracking_no)
    expect(shipments[2]!.tracking_no).toBe(slow.books[1]!.tracking_no)
    // The refused parcel stands among those that failed, and is booked anew from its own form.
    const { rows } = await kim.send(labels.search, { board: 'error' })
    expect(rows.map(row => row.shipment_id)).toContain(shipments[1]!.shipment_id)
  })
})

describe('a booking of several parcels without an outcome', () => {
  it('is looked up as a whole, and no parcel is booked twice', async () => {
    const slow = use({ recovery: 'lookup' })
    slow.fault = () => 'mute'
    const { shipments } = await create({})
    expect(shipments.map(one => one.state)).toEqual(['booked', 'booked', 'booked'])
    expect(slow.books).toHaveLength(3)
    expect(slow.asked).toMatchObject({ book: 1, find: 1 })
  })

  it('is settled by a person for all its parcels: the courier has none of them', async () => {
    const slow = use({ recovery: 'none' })
    slow.fault = () => 'lost'
    const { shipments } = await create({})
    expect(shipments.map(one => one.state)).toEqual(['unknown', 'unknown', 'unknown'])
    await jonas.send(labels.settle, { id: shipments[1]!.shipment_id, body: { booked: false } })
    for (const { shipment_id } of shipments) expect((await story(shipment_id)).state).toBe('error')
  })

  it('is settled by a person for all its parcels: the courier has them', async () => {
    const slow = use({ recovery: 'none' })
    slow.fault = () => 'mute'
    const { shipments } = await create({})
    await jonas.send(labels.settle, { id: shipments[1]!.shipment_id, body: { booked: true, tracking_no: 'SLOW-4711' } })
    const after = await Promise.all(shipments.map(one => story(one.shipment_id)))
    expect(after.map(one => [one.state, one.tracking_no])).toEqual([
      ['blocked', null],
      ['blocked', 'SLOW-4711'],
      ['blocked', null],
    ])
  })
})

describe('cancelling', () => {
  it('takes back one parcel of a booking where the courier allows it', async () => {
    const slow = use({ recovery: 'none' })
    const { shipments } = await create({})
    expect(await cancel(shipments[1]!.barcode!)).toMatchObject({ cancelled_at_carrier: true })
    expect(slow.books.map(one => one.live)).toEqual([true, false, true])
  })

  it('takes back all parcels of a booking', async () => {
    const slow = use({ recovery: 'none' })
    const { shipments } = await create({})
    expect(await cancel(shipments[1]!.barcode!, true)).toMatchObject({ cancelled_at_carrier: true })
    expect(slow.books.map(one => one.live)).toEqual([false, false, false])
    for (const { shipment_id } of shipments) expect((await story(shipment_id)).state).toBe('cancelled')
  })

  it('blocks one parcel where the courier takes back only all of them, and asks it with the last one', async () => {
    const slow = use({ recovery: 'none', offers: { cancels_together: true } })
    const { shipments } = await create({})
    const [first, second, third] = shipments.map(one => one.barcode!)
    expect(await cancel(first!)).toEqual({ cancelled: false, cancelled_at_carrier: false, refunded: false })
    expect(await story(shipments[0]!.shipment_id)).toMatchObject({ state: 'blocked', cancels_together: true })
    await Promise.all([cancel(second!), cancel(third!)])
    expect(slow.asked.cancel).toBe(1)
    for (const { shipment_id } of shipments)
      expect(await story(shipment_id)).toMatchObject({ state: 'cancelled', cancel_answers: { cancelled_at_carrier: true } })
    expect(slow.books.some(one => one.live)).toBe(false)
  })

  it('of all parcels asks a courier that takes back only all of them once', async () => {
    const slow = use({ recovery: 'none', offers: { cancels_together: true } })
    const { shipments } = await create({})
    expect(await cancel(shipments[0]!.barcode!, true)).toMatchObject({ cancelled_at_carrier: true })
    expect(slow.asked.cancel).toBe(1)
    for (const { shipment_id } of shipments) expect((await story(shipment_id)).state).toBe('cancelled')
  })
})

it('shows the recipient of one parcel the other parcels of the booking', async () => {
  use({ recovery: 'none' })
  const { shipments } = await create({})
  const { tracking_url } = shipments[1]!
  const { searchParams } = new URL(tracking_url!)
  const found = await kim.send(tracking.order, { p: Number(searchParams.get('p')), s: searchParams.get('s')! })
  expect(found.parcels.map(one => [one.parcel_no, one.tracking_no])).toEqual(shipments.map(one => [one.parcel_no, one.tracking_no]))
})
