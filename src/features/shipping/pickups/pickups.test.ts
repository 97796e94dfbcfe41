/** Pickups: ordered once by the courier's own call, listed, and cancelled where the courier can. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { bringAccount, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import type { Courier } from '#integrations/couriers/courier.ts'
import type { FakeCourierServer } from '#integrations/couriers/courier-server.fake.ts'
import { couriers, withCourier } from '#integrations/couriers/couriers.ts'
import { dhlAccount, openFakeDhl } from '#integrations/couriers/dhl_de/dhl_de.fake.ts'
import { dhlAt } from '#integrations/couriers/dhl_de/dhl_de.ts'
import { dpdAccount, openFakeDpd } from '#integrations/couriers/dpd/dpd.fake.ts'
import { dpdAt } from '#integrations/couriers/dpd/dpd.ts'
import { fedexAccount, openFakeFedex } from '#integrations/couriers/fedex/fedex.fake.ts'
import { fedexAt } from '#integrations/couriers/fedex/fedex.ts'
import { openFakeGls, shipitAccount } from '#integrations/couriers/gls/gls.fake.ts'
import { glsAt } from '#integrations/couriers/gls/gls.ts'
import { openFakePostnord, postnordAccount } from '#integrations/couriers/postnord/postnord.fake.ts'
import { postnordAt } from '#integrations/couriers/postnord/postnord.ts'
import { openFakeUps, upsAccount } from '#integrations/couriers/ups/ups.fake.ts'
import { upsAt } from '#integrations/couriers/ups/ups.ts'
import { sampleParty } from '#test/label-samples.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { pickups } from './pickups.contract.ts'

/** Parcels that PostNord has booked and not collected. */
const waiting = ['00373500454540000001', '00373500454540000002']
const booked = { reference: '', print_id: '', service: '17', additional: [], point: null, invoice: null, test: false }

const known = {
  bring: async () => {
    const fake = await openFakeBring()
    const account = { ...bringAccount, client_url: 'https://shop.example' }
    return {
      courier: bringAt({ url: fake.server.url }),
      server: fake.server,
      account,
      ordered: () => fake.pickups.length,
      live: () => 1,
      close: fake.close,
    }
  },
  gls: async () => {
    const fake = await openFakeGls()
    const { url } = fake.server
    const courier = glsAt({ group: { url }, sandbox: { url }, denmark: { url }, shops: { url } })
    return { courier, server: fake.server, account: shipitAccount, ordered: () => fake.pickups.length, live: () => 1, close: fake.close }
  },
  ups: async () => {
    const fake = await openFakeUps()
    const courier = upsAt({ live: { url: fake.server.url }, test: { url: fake.server.url } })
    const live = () => fake.pickups.filter(one => !one.cancelled).length
    return {
      courier,
      server: fake.server,
      account: { ...upsAccount, mode: 'live' },
      ordered: () => fake.pickups.length,
      live,
      close: fake.close,
    }
  },
  dhl_de: async () => {
    const fake = await openFakeDhl()
    const { url } = fake.server
    const live = () => fake.pickups.filter(one => !one.cancelled).length
    const courier = dhlAt({ live: { url }, test: { url: `${url}/sandbox` }, locations: { url } })
    return { courier, server: fake.server, account: dhlAccount, ordered: () => fake.pickups.length, live, close: fake.close }
  },
  dpd: async () => {
    const fake = await openFakeDpd()
    const { url } = fake.server
    const courier = dpdAt({ live: { url }, test: { url } })
    return { courier, server: fake.server, account: dpdAccount, ordered: () => fake.pickups.length, live: () => 1, close: fake.close }
  },
  postnord: async () => {
    const fake = await openFakePostnord()
    const { url } = fake.server
    const courier = postnordAt({ live: { url }, test: { url } })
    for (const number of waiting) fake.parcels.push({ ...booked, number })
    const account = postnordAccount
    return { courier, server: fake.server, account, ordered: () => fake.pickups.length, live: () => 1, close: fake.close }
  },
  fedex: async () => {
    const fake = await openFakeFedex()
    const courier = fedexAt({ live: { url: fake.server.url }, sandbox: { url: fake.server.url } })
    const live = () => fake.pickups.filter(one => !one.cancelled).length
    return { courier, server: fake.server, account: fedexAccount, ordered: () => fake.pickups.length, live, close: fake.close }
  },
}
type AgentCode = keyof typeof known
interface Used {
  courier: Courier
  server: FakeCourierServer
  /** How many pickups the courier has taken, and how many of them it has not cancelled. */
  ordered: () => number
  live: () => number
}

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let shop: TestUser
const open: (() => unknown)[] = []

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.setNow(new Date('2026-11-23T09:00:00Z'))
})
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})
afterAll(() => testApp.close())

/** A company that has set this courier up. */
async function use(agent_code: AgentCode): Promise<Used> {
  const german = agent_code === 'dhl_de' && { address1: 'Holm 17', postcode: '24937', city: 'Flensburg', country: 'DE' }
  operator = await testApp.operator({ settings: { sender: { ...sender, ...german, phone: '+45 20112233 00' } } })
  clerk = await operator.hire(['list'], operator.main, 'Kim')
  shop = await operator.hire(['scan'], operator.main, 'Bo')
  const lead = await operator.hire(['admin'], operator.main, 'Jonas')
  const used = await known[agent_code]()
  open.push(withCourier(used.courier), used.close)
  const fields = new Set(used.courier.capabilities.settings.map(field => field.name))
  const settings = Object.fromEntries(Object.entries(used.account).filter(([name]) => fields.has(name)))
  await lead.send(parcelShops.setConfig, { agent_code, body: { settings, version: 0 } })
  if (agent_code === 'postnord') await label(...waiting)
  return used
}

/** Parcels with labels that wait for PostNord. */
const label = (...numbers: string[]) =>
  testApp.services.database.systemTransaction('the test has labels', async db => {
    for (const tracking_no of numbers)
      await db
        .insertInto('shipments')
        .values({
          ...{
            operator_id: operator.operator_id,
            company_id: operator.main.id,
            parcel_no: 1,
            agent_code: 'postnord',
            shipping_method: '17',
          },
          ...{ kind: 'free', state: 'booked', idempotency_key: randomUUID(), reference: randomUUID(), tracking_no, weight_g: 1_000 },
        })
        .execute()
  })

const asked = (agent_code: string, more: object = {}) => ({
  ...{ client_id: randomUUID(), agent_code, day: '2026-11-24', from_time: '14:00', to_time: '17:00' },
  ...{ parcels: 3, weight_g: 4_200, note: 'Gate 2', ...more },
})
const order = (body: ReturnType<typeof asked>) => clerk.send(pickups.order, { body })
const listed = async () => (await clerk.send(pickups.list, {})).rows

describe.each(Object.keys(known) as AgentCode[])('a pickup by %s', agent_code => {
  it('is ordered once, however often its request is sent, and is listed', async () => {
    const used = await use(agent_code)
    const body = asked(agent_code)
    const answers = await Promise.all([order(body), order(body)])
    expect(new Set([...answers, await order(body)].map(one => one.id)).size).toBe(1)
    expect(used.ordered()).toBe(1)
    expect(await listed()).toMatchObject([
      { agent_code, state: 'ordered', day: '2026-11-24', parcels: 3, note: 'Gate 2', created_by: 'Kim' },
    ])
    await expect(order(asked(agent_code))).rejects.toMatchObject({ status: 409, code: 'pickup_ordered' })
    expect(used.ordered()).toBe(1)
  })

  it('is cancelled where the courier can, and says so where it cannot', async () => {
    const used = await use(agent_code)
    const { id, can_cancel } = await order(asked(agent_code))
    expect(can_cancel).toBe(used.courier.pickup?.cancel !== undefined)
    if (!can_cancel) return expect(clerk.send(pickups.cancel, { id })).rejects.toMatchObject({ code: 'pickup_not_cancellable' })
    // The courier is asked once, though two people press the button at once.
    const cancellations = () =>
      used.server.requests.filter(
        ({ method, path }) => /pickup(\/02|s\/cancel)$/.test(path) || (method === 'DELETE' && path.endsWith('/pickup/v3/orders')),
      ).length
    await Promise.allSettled([clerk.send(pickups.cancel, { id }), clerk.send(pickups.cancel, { id })])
    expect(cancellations()).toBe(1)
    const events = await testApp.services.database.systemRead('the test looks at events', db =>
      db.selectFrom('events').select('id').where('kind', '=', 'pickup.cancelled').where('subject_id', '=', id).execute(),
    )
    expect(events).toHaveLength(1)
    expect(await clerk.send(pickups.cancel, { id })).toMatchObject({ state: 'cancelled' })
    expect(cancellations()).toBe(1)
    expect(used.live()).toBe(0)
    // The day is free again.
    expect(await order(asked(agent_code))).toMatchObject({ state: 'ordered' })
  })

  it.each(agent_code === 'ups' ? (['lost', 'mute', 'garbage', 'html_200', '500'] as const) : (['mute'] as const))(
    'of which the answer is “%s” waits for a person',
    async fault => {
      const used = await use(agent_code)
      used.server.faults.push(fault)
      const { id, state } = await order(asked(agent_code))
      expect(state).toBe('unknown')
      expect(used.ordered()).toBeLessThanOrEqual(1)
      await expect(order(asked(agent_code))).rejects.toMatchObject({ code: 'pickup_ordered' })
      expect(await clerk.send(pickups.settle, { id, body: { ordered: used.ordered() === 1 } })).toMatchObject({
        state: used.ordered() === 1 ? 'ordered' : 'refused',
      })
      await expect(clerk.send(pickups.settle, { id, body: { ordered: true } })).rejects.toMatchObject({ code: 'pickup_settled' })
    },
  )

  it.each(agent_code === 'ups' ? (['html_503', '429', '401'] as const) : (['401'] as const))(
    'of which the answer is “%s” is not ordered, and is asked anew',
    async fault => {
      const used = await use(agent_code)
      used.server.faults.push(fault)
      await expect(order(asked(agent_code))).rejects.toMatchObject({ status: 422, code: 'pickup_refused' })
      expect(used.ordered()).toBe(0)
      expect(await order(asked(agent_code))).toMatchObject({ state: 'ordered' })
    },
  )
})

describe('ordering', () => {
  it('offers the couriers that are set up and collect on request', async () => {
    await use('ups')
    expect(await clerk.send(pickups.couriers, {})).toEqual([
      { agent_code: 'ups', name: 'UPS', can_cancel: true, window: true, parcels: 0, weight_g: 0 },
    ])
    await expect(order(asked('gls'))).rejects.toMatchObject({ status: 404, code: 'pickup_not_offered' })
    expect([...couriers.values()].filter(one => one.pickup).map(one => one.capabilities.agent_code)).toEqual([
      'bring',
      'dhl_de',
      'dpd',
      'fedex',
      'gls',
      'postnord',
      'ups',
    ])
  })

  it('names the parcels that PostNord collects, and says which of them it does not', async () => {
    const { server } = await use('postnord')
    await label('00370000000000000009')
    expect(await order(asked('postnord'))).toMatchObject({
      state: 'ordered',
      words: expect.stringContaining('1 of 3 parcels are not collected: The item 00370000000000000009 is not known'),
    })
    const times = { earliestPickupDate: '2026-11-24T13:00:00.000Z', latestPickupDate: '2026-11-24T16:00:00.000Z' }
    expect(server.requests.at(-1)?.body).toEqual([...waiting, '00370000000000000009'].map(itemId => ({ itemId, ...times })))
  })

  it('tells PostNord nothing while no parcel waits for it', async () => {
    const { server } = await use('postnord')
    await testApp.services.database.systemTransaction('the parcels have left', db =>
      db.updateTable('shipments').set({ state: 'delivered' }).where('operator_id', '=', operator.operator_id).execute(),
    )
    await expect(order(asked('postnord'))).rejects.toMatchObject({ code: 'pickup_refused' })
    expect(server.requests).toEqual([])
  })

  it.each([
    ['dhl_de', { address1: 'Am Hafen', country: 'DE' }, 'house number'],
    ['dhl_de', { country: 'DK' }, 'only in Germany'],
    ['postnord', { country: 'NO' }, 'only in Sweden, Denmark and Finland'],
  ] as const)('of %s from %o is refused before it is sent', async (agent_code, at, words) => {
    const { courier } = await use(agent_code)
    const request = {
      ...{ reference: 'PKH-1-1', date: '2026-11-24', from: '14:00', to: '17:00', parcels: 1, weight_g: 0, note: null },
      ...{ sender: sampleParty({ address1: 'Holm 17', ...at }), tracking_nos: [...waiting], settings: { billing_08: '', app_secret: '' } },
    }
    await expect(courier.pickup?.order(request, new AbortController().signal)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: expect.stringContaining(words),
    })
  })

  it('says beside the field what is wrong', async () => {
    await use('ups')
    await expect(order(asked('ups', { day: '2026-11-22' }))).rejects.toMatchObject({
      code: 'pickup_day_past',
      fields: { day: 'The day has passed' },
    })
    await expect(order(asked('ups', { to_time: '13:00' }))).rejects.toMatchObject({
      fields: { to_time: 'The end must be after the start' },
    })
    await expect(order(asked('ups', { parcels: 0 }))).rejects.toMatchObject({ fields: { parcels: 'Enter the number of parcels' } })
  })

  it('shows the day on which the courier comes, where it is another one', async () => {
    await use('gls')
    // A Saturday.
    expect(await order(asked('gls', { day: '2026-11-28' }))).toMatchObject({ day: '2026-11-28', comes_on: '2026-11-30' })
  })

  it('is for the office and those who hand parcels over', async () => {
    await use('ups')
    await expect(shop.send(pickups.list, {})).rejects.toMatchObject({ status: 403 })
  })

  it('is exported, found and sorted', async () => {
    await use('ups')
    await order(asked('ups'))
    await order(asked('ups', { day: '2026-11-25', note: 'Ramp' }))
    const days = async (question: object) => (await clerk.send(pickups.list, question)).rows.map(row => row.day)
    expect(await days({ sort: 'day' })).toEqual(['2026-11-24', '2026-11-25'])
    expect(await days({ query: 'ramp' })).toEqual(['2026-11-25'])
    const { bytes } = await clerk.send(pickups.exportAll, {})
    expect(Buffer.from(bytes as Uint8Array).toString()).toMatch(/ups.*2026-11-25.*Ramp/)
  })
})
