/** Events that couriers send by themselves: proven, kept once, and in any order. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { courierEventSettings } from '#features/shipping/courier-events/courier-events.contract.ts'
import { courierWebhooks } from '#features/shipping/courier-webhooks/courier-webhooks.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { trackingTasks } from '#features/shipping/labels/track-shipments.task.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { shipmondo } from '#integrations/couriers/shipmondo/shipmondo.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { pushedEvents } from './pushed-events.contract.ts'

const settings = { ...bringAccount, client_url: 'https://shop.example', mode: 'live' }
const recipient = { name: 'Kari Holm', address1: 'Storgata 2', postcode: '0155', city: 'Oslo', country: 'NO', phone: '+47 91 23 45 67' }
const monday = Date.parse('2026-11-16T10:00:00Z')

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let bring: FakeBring
let remove: () => void
let secret: string

beforeAll(async () => {
  testApp = await openTestApp()
  bring = await openFakeBring()
  remove = withCourier(bringAt({ url: bring.server.url }))
})
afterAll(async () => {
  remove()
  await bring.close()
  await testApp.close()
})
beforeEach(async () => {
  testApp.setNow(new Date(monday))
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  lead = await operator.hire(['admin'])
  await lead.send(parcelShops.setConfig, { agent_code: 'bring', body: { version: 0, settings } })
  ;({ secret } = await lead.send(courierWebhooks.renew, { agent_code: 'bring' }))
  return () => testApp.setNow(undefined)
})

async function book() {
  const { shipments } = await lead.send(labels.create, {
    agent_code: 'bring',
    shipping_method: 'PICKUP_PARCEL',
    operation_code: 'outbound',
    body: { recipient, parcels: [{ weight_g: 900 }] },
  })
  return { id: shipments[0]!.shipment_id, number: shipments[0]!.tracking_no ?? '' }
}
const shipmentOf = (id: number) => lead.send(labels.get, { id })

/** As Event Cast sends it; source: developer.bring.com. */
const eventOf = (number: string, status: string, at: number) => ({
  status,
  id: `${number}-${status}`,
  shipment: '70438101268018539',
  package: number,
  created: new Date(at).toISOString().replace('.000Z', '+0000'),
  pushed: new Date(at + 60_000).toISOString().replace('.000Z', '+0000'),
})
const hour = 3_600_000

async function deliver(
  body: unknown,
  { headers = { 'x-pakhus-secret': secret }, agent_code = 'bring', company = operator.main }: Deliver = {},
): Promise<number> {
  const upload = typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
  const answer = await testApp
    .visitor(company)
    .ask(
      pushedEvents.receive,
      { agent_code, upload },
      { headers: { 'content-type': 'application/json', 'x-bring-application': 'BMEC', ...headers } },
    )
  return answer.statusCode
}
interface Deliver {
  headers?: Record<string, string>
  agent_code?: string
  company?: TestOperator['main']
}

describe('an event that a courier sends', () => {
  it('moves the parcel, is shown with its own time, and is counted on the courier’s card', async () => {
    const { id, number } = await book()
    expect(await lead.send(courierWebhooks.get, { agent_code: 'bring' })).toMatchObject({
      offered: true,
      secret_header: 'x-pakhus-secret',
      path: 'courier_webhooks/bring/receive',
      last4: secret.slice(-4),
      received_at: null,
    })
    expect(await deliver(eventOf(number, 'IN_TRANSIT', monday + hour))).toBe(204)
    const { state, events } = await shipmentOf(id)
    expect(state).toBe('in_transit')
    expect(events.find(event => event.state === 'in_transit')).toMatchObject({ at: '2026-11-16T11:00:00Z' })
    expect(await lead.send(courierWebhooks.get, { agent_code: 'bring' })).toMatchObject({ received_at: '2026-11-16T10:00:00Z' })
  })

  it('is kept once, sent again or answered with other words, and the words of the answer are shown', async () => {
    const { id, number } = await book()
    const delivered = eventOf(number, 'DELIVERED', Date.parse('2026-11-18T13:05:00Z'))
    testApp.setNow(new Date('2026-11-18T14:00:00Z'))
    for (let times = 0; times < 3; times++) expect(await deliver(delivered)).toBe(204)
    expect((await shipmentOf(id)).events.filter(event => event.state === 'delivered')).toMatchObject([{ text: 'DELIVERED' }])
    const { id: other, number: second } = await book()
    await deliver(eventOf(second, 'HANDED_IN', Date.parse('2026-11-16T17:00:00Z')))
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('shipments').set({ next_track_at: '2026-11-18T13:00:00Z' }).where('id', '=', other).execute(),
    )
    const outside = { ...createSystemContext(testApp.services, scopeOfCompany(operator)), last_try: false }
    await trackingTasks['labels.track']({}, outside)
    expect((await shipmentOf(other)).events.filter(event => event.state === 'handed_over')).toMatchObject([
      { text: 'At KØBENHAVN', place: 'KØBENHAVN' },
    ])
  })

  it('lets the courier be asked once a day only', async () => {
    const { id, number } = await book()
    await deliver(eventOf(number, 'HANDED_IN', monday))
    const next = await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const row = await db.selectFrom('shipments').select('next_track_at').where('id', '=', id).executeTakeFirstOrThrow()
      return row.next_track_at
    })
    expect(next).toBe('2026-11-17T10:00:00Z')
  })

  it('obeys what is set for the events of its courier', async () => {
    const { events, version } = await lead.send(courierEventSettings.get, { agent_code: 'bring' })
    const body = {
      version,
      events: events.filter(one => one.event === 'in_transit').map(({ is_default: _, ...one }) => ({ ...one, to_shop: false })),
    }
    await lead.send(courierEventSettings.set, { agent_code: 'bring', body })
    const { id, number } = await book()
    expect(await deliver(eventOf(number, 'IN_TRANSIT', monday + hour))).toBe(204)
    expect((await shipmentOf(id)).state).toBe('in_transit')
  })

  it('of a parcel that is not here, or that says nothing, is answered well and changes nothing', async () => {
    const { id } = await book()
    expect(await deliver(eventOf('370438101268000000', 'DELIVERED', monday))).toBe(204)
    for (const body of ['', 'not JSON', [], { status: 'DELIVERED' }, { ...eventOf('1', 'DELIVERED', monday), created: 'yesterday' }])
      expect(await deliver(body)).toBe(204)
    expect((await shipmentOf(id)).state).toBe('booked')
  })
})

describe('a delivery is refused', () => {
  it('without the secret, with a wrong one, and for another company', async () => {
    const { id, number } = await book()
    const event = eventOf(number, 'DELIVERED', monday)
    const wrong: Record<string, string>[] = [
      {},
      { 'x-pakhus-secret': '' },
      { 'x-pakhus-secret': 'wrong' },
      { 'x-pakhus-secret': `${secret}x` },
    ]
    for (const headers of wrong) expect(await deliver(event, { headers })).toBe(401)
    expect(await deliver(event, { company: operator.shops[0]! })).toBe(401)
    expect(await deliver(event, { agent_code: 'own' })).toBe(401)
    expect(await deliver(event, { agent_code: 'unknown' })).toBe(401)
    expect((await shipmentOf(id)).state).toBe('booked')
    expect(await lead.send(courierWebhooks.get, { agent_code: 'bring' })).toMatchObject({
      received_at: null,
      refused_at: '2026-11-16T10:00:00Z',
    })
  })

  it('when it is larger than 64 kB', async () => {
    expect(await deliver('x'.repeat(70_000))).toBe(413)
  })

  it('a day after its secret was renewed, and at once when the webhook was removed', async () => {
    const { number } = await book()
    const old = { headers: { 'x-pakhus-secret': secret } }
    const { secret: fresh } = await lead.send(courierWebhooks.renew, { agent_code: 'bring' })
    expect(fresh).not.toBe(secret)
    expect(await deliver(eventOf(number, 'HANDED_IN', monday), old)).toBe(204)
    testApp.setNow(new Date(monday + 25 * hour))
    expect(await deliver(eventOf(number, 'IN_TRANSIT', monday), old)).toBe(401)
    expect(await deliver(eventOf(number, 'IN_TRANSIT', monday), { headers: { 'x-pakhus-secret': fresh } })).toBe(204)
    expect(await lead.send(courierWebhooks.remove, { agent_code: 'bring' })).toMatchObject({ last4: null })
    expect(await deliver(eventOf(number, 'DELIVERED', monday), { headers: { 'x-pakhus-secret': fresh } })).toBe(401)
  })
})

it('events in any order and doubled leave the parcels as the ordered ones do', async () => {
  const stories = [
    ['HANDED_IN', 'IN_TRANSIT', 'READY_FOR_PICKUP', 'DELIVERED'],
    ['HANDED_IN', 'DELIVERED', 'IN_TRANSIT', 'TERMINAL'],
    ['HANDED_IN', 'DEVIATION', 'IN_TRANSIT', 'RETURN', 'DELIVERED_SENDER'],
    ['IN_TRANSIT', 'TRANSPORT_TO_RECIPIENT', 'ATTEMPTED_DELIVERY', 'DELIVERED', 'RETURN'],
  ]
  const facts = async (id: number) => {
    const { state, events } = await shipmentOf(id)
    const row = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('shipments').select(['handed_over_at', 'delivered_at']).where('id', '=', id).executeTakeFirstOrThrow(),
    )
    return {
      state,
      ...row,
      events: events
        .map(event => `${event.at} ${event.state}`)
        .filter(one => !one.endsWith(' booked'))
        .toSorted(),
    }
  }
  let seed = 5
  const roll = (sides: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * sides)
  }
  testApp.setNow(new Date(monday + 48 * hour))
  const ordered: Awaited<ReturnType<typeof facts>>[] = []
  const mixed: { id: number; number: string; story: readonly string[] }[] = []
  for (const story of stories) {
    const { id, number } = await book()
    for (const [i, status] of story.entries()) await deliver(eventOf(number, status, monday + i * hour))
    ordered.push(await facts(id))
    mixed.push({ ...(await book()), story })
  }
  const deliveries = mixed
    .flatMap(({ number, story }) => story.map((status, i) => eventOf(number, status, monday + i * hour)))
    .flatMap(event => Array.from({ length: 1 + roll(2) }, () => event))
    .map(event => ({ event, place: roll(1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
  for (let from = 0; from < deliveries.length; from += 4)
    expect(await Promise.all(deliveries.slice(from, from + 4).map(one => deliver(one.event)))).not.toContain(500)
  for (const [i, { id }] of mixed.entries()) expect(await facts(id)).toEqual(ordered[i])
  expect(ordered.map(one => one.state)).toEqual(['delivered', 'delivered', 'returned_to_sender', 'returning'])
}, 90_000)

describe('Shipmondo', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (claims: unknown, key: string, header: object = { alg: 'HS256' }) => {
    const text = `${part(header)}.${part(claims)}`
    return Buffer.from(JSON.stringify({ data: `${text}.${createHmac('sha256', key).update(text).digest('base64url')}` }))
  }
  const monitor = {
    webhook: 'Pakhus',
    data: {
      shipment_id: 4711,
      current_status: 'AVAILABLE_FOR_DELIVERY',
      current_status_text: 'Pakken kan hentes',
      current_status_registered_at: '2026-11-17T08:25:44.557+02:00',
      carrier_code: 'dao',
      carrier_track_id: '00057151270000000000',
    },
  }
  const read = (raw: Uint8Array) => shipmondo.webhook?.read(raw, {}, 'key-of-the-webhook')

  it('signs a token, also one whose claims are a text, and names the parcel by the carrier’s number', () => {
    const expected = [
      {
        tracking_no: '00057151270000000000',
        state: 'ready_for_pickup',
        at: expect.stringMatching(/^2026-11-17T06:25:44/),
        place: null,
        text: 'Pakken kan hentes',
      },
    ]
    expect(read(signed(monitor, 'key-of-the-webhook'))).toEqual(expected)
    expect(read(signed(JSON.stringify(monitor), 'key-of-the-webhook'))).toEqual(expected)
    expect(read(signed({ data: { id: 1 } }, 'key-of-the-webhook'))).toEqual([])
  })

  it('is not believed with another key, another algorithm, or no signature', () => {
    expect(read(signed(monitor, 'another-key'))).toBeNull()
    expect(read(signed(monitor, 'key-of-the-webhook', { alg: 'none' }))).toBeNull()
    expect(read(Buffer.from(JSON.stringify({ data: `${part({ alg: 'HS256' })}.${part(monitor)}.` })))).toBeNull()
    expect(read(Buffer.from('{'))).toBeNull()
    expect(read(Buffer.from(JSON.stringify({ data: 5 })))).toBeNull()
  })
})
