/** Webhooks of a courier in any order and doubled: every parcel ends as it does when they come once and in their order. */
import { expect, it } from 'vitest'
import { courierWebhooks } from '#features/shipping/courier-webhooks/courier-webhooks.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { pushedEvents } from '#features/shipping/pushed-events/pushed-events.contract.ts'
import { bringAccount, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'
import { sender } from '../sender.ts'
import { openTestApp } from '../test-app.ts'

const monday = Date.parse('2026-11-16T10:00:00Z')
const hour = 3_600_000
/** What Event Cast says of a parcel on its way; source: developer.bring.com. */
const course = [
  'HANDED_IN',
  'IN_TRANSIT',
  'TERMINAL',
  'TRANSPORT_TO_RECIPIENT',
  'ATTEMPTED_DELIVERY',
  'READY_FOR_PICKUP',
  'DELIVERED',
] as const
/** Deliveries of a parcel that are under way at once. */
const atOnce = 8
/** Pairs of parcels that travel at once. */
const pairsAtOnce = 16

const mixed = <T>(all: readonly T[], chance: Chance): T[] => {
  const left = [...all]
  for (let i = left.length - 1; i > 0; i--) {
    const j = chance.below(i + 1)
    ;[left[i], left[j]] = [left[j] as T, left[i] as T]
  }
  return left
}

it('leave each parcel as the ordered ones do', async () => {
  const amount = Number(process.env.PROOF_AMOUNT ?? 10_000)
  const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 60) * 60_000
  const chance = newChance(Number(process.env.PROOF_SEED ?? 1))
  const testApp = await openTestApp()
  const bring = await openFakeBring()
  const remove = withCourier(bringAt({ url: bring.server.url }))
  try {
    testApp.setNow(new Date(monday))
    const operator = await testApp.operator({ settings: { sender } })
    const lead = await operator.hire(['admin'])
    await lead.send(parcelShops.setConfig, {
      agent_code: 'bring',
      body: { version: 0, settings: { ...bringAccount, client_url: 'https://shop.example', mode: 'live' } },
    })
    const { secret } = await lead.send(courierWebhooks.renew, { agent_code: 'bring' })
    const recipient = { name: 'Kari Holm', address1: 'Storgata 2', postcode: '0155', city: 'Oslo', country: 'NO', phone: '+47 91 23 45 67' }
    const book = async () => {
      const { shipments } = await lead.send(labels.create, {
        agent_code: 'bring',
        shipping_method: 'PICKUP_PARCEL',
        operation_code: 'outbound',
        body: { recipient, parcels: [{ weight_g: 900 }] },
      })
      return { id: shipments[0]?.shipment_id ?? 0, number: shipments[0]?.tracking_no ?? '' }
    }
    const deliver = async ({ number, status, at }: { number: string; status: string; at: number }) => {
      const time = (more: number) => new Date(at + more).toISOString().replace('.000Z', '+0000')
      const body = {
        status,
        id: `${number}-${status}`,
        shipment: '70438101268018539',
        package: number,
        created: time(0),
        pushed: time(60_000),
      }
      for (let tries = 0; ; tries++) {
        const answer = await testApp
          .visitor(operator.main)
          .ask(
            pushedEvents.receive,
            { agent_code: 'bring', upload: Buffer.from(JSON.stringify(body)) },
            { headers: { 'content-type': 'application/json', 'x-bring-application': 'BMEC', 'x-pakhus-secret': secret } },
          )
        if (answer.statusCode === 204) return
        // A courier sends again what was not taken.
        if (![429, 503, 409].includes(answer.statusCode) || tries > 600) throw new Error(`${answer.statusCode} ${answer.body}`)
        await new Promise(resolve => setTimeout(resolve, 200))
      }
    }
    let sent = 0
    let parcels = 0
    let different = 0
    const stateOf = async (id: number) => {
      const { state, events } = await lead.send(labels.get, { id })
      const facts = events.map(event => `${event.at} ${event.state} ${event.text}`).filter(fact => !fact.includes(' booked '))
      return JSON.stringify({ state, events: facts.toSorted() })
    }
    /** The ordered parcel and the mixed one have the same course, which is drawn before anything runs beside others. */
    const drawPair = () => {
      const some = mixed(course.slice(0, 1 + chance.below(course.length)), newChance(++parcels)).sort(
        (a, b) => course.indexOf(a) - course.indexOf(b),
      )
      const events = some.map((status, i) => ({ status, at: monday + (i + 1) * hour }))
      const queue = mixed(
        events.flatMap(event => Array.from({ length: 1 + chance.below(3) }, () => event)),
        chance,
      )
      sent += queue.length
      return { events, queue }
    }
    while (sent < amount && performance.now() < until) {
      const pairs: ReturnType<typeof drawPair>[] = []
      while (pairs.length < pairsAtOnce && sent < amount) pairs.push(drawPair())
      // One clock for all: the parcels of a batch are booked first, then they travel.
      testApp.setNow(new Date(monday))
      const booked = await Promise.all(pairs.map(async pair => ({ ...pair, ordered: await book(), other: await book() })))
      testApp.setNow(new Date(monday + 7 * 24 * hour))
      await Promise.all(
        booked.map(async ({ events, queue, ordered, other }) => {
          for (const event of events) await deliver({ ...event, number: ordered.number })
          await Promise.all(
            Array.from({ length: atOnce }, async () => {
              for (let next = queue.shift(); next; next = queue.shift()) await deliver({ ...next, number: other.number })
            }),
          )
          if ((await stateOf(ordered.id)) !== (await stateOf(other.id))) different++
        }),
      )
    }
    console.info(`courier-webhooks: ${sent} deliveries mixed and doubled, of ${parcels} parcels: ${different} differ from the ordered run`)
    expect(different).toBe(0)
  } finally {
    remove()
    await bring.close()
    await testApp.close()
  }
})
