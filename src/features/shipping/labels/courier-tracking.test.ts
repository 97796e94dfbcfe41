/** A courier that is asked over the network: set up, booked with, and asked where the parcel is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { applyCourierEvents } from './courier-events.commands.ts'
import { labels } from './labels.contract.ts'
import type { Shipment } from './labels.schemas.ts'
import { queueTracking, trackingTasks } from './track-shipments.task.ts'

const settings = { ...bringAccount, client_url: 'https://shop.example', mode: 'live' }
const recipient = { name: 'Kari Holm', address1: 'Storgata 2', postcode: '0155', city: 'Oslo', country: 'NO', phone: '+47 91 23 45 67' }

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let bring: FakeBring
let remove: () => void

beforeAll(async () => {
  testApp = await openTestApp()
  bring = await openFakeBring()
  remove = withCourier(bringAt({ url: bring.server.url }))
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
})
afterAll(async () => {
  remove()
  await bring.close()
  await testApp.close()
})

const setUp = async (given: Record<string, string> = settings) => {
  const { version } = await lead.send(parcelShops.config, { agent_code: 'bring' })
  return lead.send(parcelShops.setConfig, { agent_code: 'bring', body: { version, settings: given } })
}
const agentsOf = async (by = lead) => new Set((await by.send(shippingMethods.list, {})).map(method => method.agent_code))

async function book(given: object = {}): Promise<Shipment> {
  const { shipments } = await lead.send(labels.create, {
    agent_code: 'bring',
    shipping_method: 'PICKUP_PARCEL',
    operation_code: 'outbound',
    body: { recipient, parcels: [{ weight_g: 900 }], ...given },
  })
  return shipments[0]!
}
const shipmentOf = (id: number) => lead.send(labels.get, { id })
const outside = () => createSystemContext(testApp.services, scopeOfCompany(operator))
const nextQuestion = (id: number) =>
  testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const row = await db.selectFrom('shipments').select('next_track_at').where('id', '=', id).executeTakeFirstOrThrow()
    return row.next_track_at
  })

describe('a courier that needs an account', () => {
  it('offers no methods and no cage before it is set up, and answers no questions', async () => {
    expect(await agentsOf()).toEqual(new Set(['own']))
    const cages = await lead.send(collectListsOwn.cages, {})
    expect(JSON.stringify(cages)).not.toContain('bring')
    const known = await lead.send(parcelShops.configured, {})
    expect(known.find(one => one.agent_code === 'bring')).toMatchObject({ configured: false, can_test: true, cancel: 'no' })
    await expect(lead.send(parcelShops.test, { agent_code: 'bring' })).rejects.toMatchObject({ status: 409, code: 'courier_not_set_up' })
    await expect(lead.send(parcelShops.bringCustomers, {})).rejects.toMatchObject({ status: 409, code: 'courier_not_set_up' })
    await expect(lead.send(parcelShops.test, { agent_code: 'own' })).rejects.toMatchObject({ status: 409, code: 'not_supported' })
  })

  it('says in its own words that the key is wrong, and who may book when it is right', async () => {
    await setUp({ ...settings, key: 'wrong' })
    expect(await lead.send(parcelShops.test, { agent_code: 'bring' })).toEqual({
      ok: false,
      words: 'Bring refuses the key of this account. Check it in the settings of the courier.',
      methods: null,
    })
    await setUp()
    expect(await lead.send(parcelShops.test, { agent_code: 'bring' })).toEqual({ ok: true, words: 'Demo 6', methods: null })
    expect(await lead.send(parcelShops.bringCustomers, {})).toMatchObject([{ customer_no: '6', name: 'Demo', country: 'DK' }])
  })

  it('offers its methods to the company that set it up, and to no other', async () => {
    expect(await agentsOf()).toEqual(new Set(['own', 'bring']))
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect(await agentsOf(shop)).toEqual(new Set(['own']))
  })

  it('finds parcel shops', async () => {
    expect(await lead.send(parcelShops.find, { agent_code: 'bring', country: 'dk', postcode: '5000' })).toMatchObject([
      { id: '736431', distance_m: 400 },
      { id: '736432' },
    ])
    expect(await lead.send(parcelShops.zipcodes, { country: 'dk' })).toEqual([{ zipcode: '5000', city: 'Odense', agent_codes: ['bring'] }])
    expect(await lead.send(parcelShops.zipcodes, { country: 'se' })).toEqual([])
    await expect(lead.send(parcelShops.zipcodes, { country: 'xx' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a parcel with it', () => {
  it('has the number and the label of the courier', async () => {
    const shipment = await book()
    expect(shipment).toMatchObject({ state: 'booked', agent_code: 'bring', tracking_no: expect.stringMatching(/^3704381012680\d{5}$/) })
    expect(bring.parcels.at(-1)).toMatchObject({ number: shipment.tracking_no, weight_kg: 0.9 })
  })

  it('is refused with the courier’s words at the field', async () => {
    await expect(book({ recipient: { ...recipient, postcode: '99' } })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('Postal code 99 is not valid'),
    })
  })

  it('is asked for two hours after the booking, and takes the state of the newest event', async () => {
    const { shipment_id, tracking_no } = await book()
    const booked = Date.now()
    expect(Date.parse((await nextQuestion(shipment_id)) ?? '') - booked).toBeGreaterThan(115 * 60_000)
    await trackingTasks['labels.track']({}, { ...outside(), last_try: false })
    expect(await shipmentOf(shipment_id)).toMatchObject({ state: 'booked' })

    testApp.setNow(new Date(booked + 3 * 3_600_000))
    await queueTracking(testApp.services)
    await trackingTasks['labels.track']({}, { ...outside(), last_try: false })
    const after = await shipmentOf(shipment_id)
    expect(after).toMatchObject({ state: 'delivered', tracking_no })
    expect(after.events.map(event => event.state).filter(state => state !== 'booked')).toEqual(
      expect.arrayContaining(['delivered', 'in_transit', 'handed_over']),
    )
    expect(await nextQuestion(shipment_id)).toBeNull()
    testApp.setNow(undefined)
  })

  it('keeps each event once, whatever order they come in, and never goes back', async () => {
    const { shipment_id } = await book()
    const apply = (...states: [string, string][]) =>
      outside().transaction(context =>
        applyCourierEvents(
          context,
          shipment_id,
          states.map(([state, at]) => ({ state, at: `2026-11-18T${at}:00.000Z`, place: 'Oslo', text: state })),
        ),
      )
    expect(await apply(['ready_for_pickup', '10:00'], ['in_transit', '08:00'])).toBe(2)
    expect(await shipmentOf(shipment_id)).toMatchObject({ state: 'ready_for_pickup' })
    expect(await apply(['in_transit', '08:00'], ['out_for_delivery', '09:00'])).toBe(1)
    expect(await shipmentOf(shipment_id)).toMatchObject({ state: 'ready_for_pickup' })
    const both = await Promise.all([apply(['delivered', '12:00']), apply(['delivered', '12:00'])])
    expect(both.toSorted()).toEqual([0, 1])
    expect(await shipmentOf(shipment_id)).toMatchObject({ state: 'delivered' })
    expect(await apply(['in_transit', '13:00'])).toBe(1)
    expect(await shipmentOf(shipment_id)).toMatchObject({ state: 'delivered' })
  })

  it('keeps until when it waits in its parcel shop, as the courier said last', async () => {
    const { shipment_id } = await book()
    const wait = (collect_by: string, hour: string) =>
      outside().transaction(context =>
        applyCourierEvents(context, shipment_id, [
          { state: 'ready_for_pickup', at: `2026-11-18T${hour}:00:00.000Z`, place: 'Oslo', text: `Waits ${hour}`, collect_by },
        ]),
      )
    const kept = () =>
      outside().transaction(({ db }) =>
        db.selectFrom('shipments').select('collect_by').where('id', '=', shipment_id).executeTakeFirstOrThrow(),
      )
    await wait('2026-11-25', '10')
    expect(await kept()).toEqual({ collect_by: '2026-11-25' })
    await wait('2026-11-27', '12')
    expect(await kept()).toEqual({ collect_by: '2026-11-27' })
  })

  it('is asked for again an hour later when the courier does not answer', async () => {
    const { shipment_id } = await book()
    const restore = withCourier({ ...bringAt({ url: bring.server.url }), track: () => Promise.reject(new Error('socket hang up')) })
    const now = new Date(Date.now() + 3 * 3_600_000)
    testApp.setNow(now)
    await trackingTasks['labels.track']({}, { ...outside(), last_try: false })
    expect(Date.parse((await nextQuestion(shipment_id))!)).toBe(now.getTime() + 3_600_000)
    expect(await shipmentOf(shipment_id)).toMatchObject({ state: 'booked' })
    restore()
    testApp.setNow(undefined)
  })
})
