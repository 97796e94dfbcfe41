/** Lists of parcel shops: read at night and on demand, searched without asking, and how a shop disappears. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { denmarkAccount, openFakeGls, shipitAccount } from '#integrations/couriers/gls/gls.fake.ts'
import { glsAt } from '#integrations/couriers/gls/gls.ts'
import { type FakeMatkahuolto, matkahuoltoAccount, openFakeMatkahuolto } from '#integrations/couriers/matkahuolto/matkahuolto.fake.ts'
import { matkahuoltoAt } from '#integrations/couriers/matkahuolto/matkahuolto.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { parcelShops } from './parcel-shops.contract.ts'
import { queueShopLists, shopTasks } from './read-shops.task.ts'

let testApp: TestApp
let root: pg.Pool
let operator: TestOperator
let lead: TestUser
let bring: FakeBring
let matkahuolto: FakeMatkahuolto
beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Pool({ connectionString: testApp.url, max: 1 })
})
beforeEach(async () => {
  bring = await openFakeBring()
  matkahuolto = await openFakeMatkahuolto()
  const host = { url: matkahuolto.server.url }
  const back = [withCourier(bringAt({ url: bring.server.url })), withCourier(matkahuoltoAt({ live: host, test: host }))]
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['settings_admin', 'scan'])
  return async () => {
    for (const one of back.reverse()) one()
    await Promise.all([bring.close(), matkahuolto.close()])
    testApp.setNow(undefined)
  }
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const setUp = (agent_code: string, settings: Record<string, string>) =>
  lead.send(parcelShops.setConfig, { agent_code, body: { version: 0, settings } })
const outside = () => ({
  ...createSystemContext(testApp.services, {
    operator_id: operator.operator_id,
    company_id: operator.main.id,
    companies: [operator.main.id],
  }),
  last_try: false,
})
const read = (agent_code: string, country: string) => shopTasks['couriers.shops']({ agent_code, country }, outside())
const find = (agent_code: string, country: string, postcode: string, more = {}) =>
  lead.send(parcelShops.find, { agent_code, country, postcode, ...more })
const ids = async (postcode: string) => (await find('bring', 'dk', postcode)).map(one => one.id)
const asked = () => bring.server.requests.filter(one => one.path.includes('/pickuppoint/')).length
const account = { ...bringAccount, client_url: 'https://shop.example' }
const time = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
const monday = Date.parse('2026-11-23T02:30:00Z')
const night = (days: number) => testApp.setNow(new Date(monday + days * 86_400_000))

describe('a courier’s list of a country', () => {
  it('is read with the account, answers without asking, the nearest first, and says how old it is', async () => {
    night(0)
    await setUp('bring', account)
    expect(await lead.send(parcelShops.shopLists, { agent_code: 'bring' })).toEqual({ countries: ['NO', 'SE', 'DK', 'FI'], lists: [] })
    await read('bring', 'DK')
    expect((await lead.send(parcelShops.shopLists, { agent_code: 'bring' })).lists).toMatchObject([
      { country: 'DK', shops: 3, failure: null, read_at: time(monday) },
    ])
    const before = asked()
    const found = await find('bring', 'dk', '5200')
    expect(found.map(one => [one.id, one.distance_m === 0, one.locker])).toEqual([
      ['736433', true, true],
      ['736431', false, false],
      ['736432', false, false],
    ])
    expect(found[1]).toMatchObject({ opening_hours: ['Mon 07:00–22:00', 'Sat 09:00–14:00'], seen_at: time(monday) })
    expect(asked()).toBe(before)
    expect(await find('bring', 'dk', '5000', { fresh: '1' })).toMatchObject([{ id: '736431', seen_at: null }, { id: '736432' }])
    expect(asked()).toBe(before + 1)
    expect(await lead.send(parcelShops.zipcodes, { country: 'dk' })).toEqual([
      { zipcode: '5000', city: 'Odense', agent_codes: ['bring'] },
      { zipcode: '5200', city: 'Odense', agent_codes: ['bring'] },
    ])
  })

  it('loses a shop only when two nights leave it out, and gets it back when it is named again', async () => {
    night(0)
    await setUp('bring', account)
    await read('bring', 'DK')
    bring.closed.add('736431')
    night(1)
    await read('bring', 'DK')
    expect(await ids('5000')).toContain('736431')
    night(2)
    await read('bring', 'DK')
    expect(await ids('5000')).not.toContain('736431')
    bring.closed.clear()
    night(3)
    await read('bring', 'DK')
    expect(await ids('5000')).toContain('736431')
  })

  it('that has lost more than half of its shops over night takes none away', async () => {
    night(0)
    await setUp('bring', account)
    await read('bring', 'DK')
    for (const id of ['736431', '736432']) bring.closed.add(id)
    for (const day of [1, 2, 3]) {
      night(day)
      await read('bring', 'DK')
    }
    expect((await ids('5000')).toSorted()).toEqual(['736431', '736432', '736433'])
  })

  it('that cannot be read stays as it is, and says why', async () => {
    night(0)
    await setUp('bring', account)
    await read('bring', 'DK')
    bring.withoutLists = true
    night(1)
    await read('bring', 'DK')
    expect((await lead.send(parcelShops.shopLists, { agent_code: 'bring' })).lists).toMatchObject([
      { shops: 3, read_at: time(monday), failure: expect.stringContaining('500') },
    ])
    expect(await ids('5000')).toHaveLength(3)
  }, 20_000)
})

it('shops of couriers without a list are kept as they are searched for, and answer while the courier does not', async () => {
  night(0)
  await setUp('matkahuolto', matkahuoltoAccount)
  expect(await find('matkahuolto', 'fi', '04300')).toMatchObject([{ id: '4410', seen_at: null }])
  night(1)
  await read('matkahuolto', 'FI')
  await matkahuolto.close()
  expect(await find('matkahuolto', 'fi', '04300')).toMatchObject([{ id: '4410', seen_at: time(monday + 86_400_000) }])
  matkahuolto = await openFakeMatkahuolto()
}, 20_000)

it('GLS gives all shops of a country in ShipIT; an account of GLS Denmark is asked by postcode', async () => {
  night(0)
  const gls = await openFakeGls()
  const { url } = gls.server
  const back = withCourier(glsAt({ group: { url }, sandbox: { url }, denmark: { url }, shops: { url } }))
  try {
    await setUp('gls', shipitAccount)
    await read('gls', 'DK')
    const list = async () => (await lead.send(parcelShops.shopLists, { agent_code: 'gls' })).lists
    expect(await list()).toMatchObject([{ country: 'DK', shops: 3, failure: null }])
    // The list has no places on the map: GLS is asked what is near, and the list answers while it does not.
    expect(await find('gls', 'dk', '5001')).toMatchObject([{ distance_m: 5_232, seen_at: null }])
    const asked = gls.server.requests.length
    await lead.send(parcelShops.setConfig, { agent_code: 'gls', body: { version: 1, settings: { ...denmarkAccount, system: 'gls_dk' } } })
    night(1)
    await read('gls', 'DK')
    const paths = gls.server.requests.slice(asked).map(one => one.path)
    expect(paths).toContain('/webservices_v4/wsShopFinder.asmx/GetParcelShopsInZipcode')
    expect(paths.some(one => one.includes('/parcelshop/country/'))).toBe(false)
    // Shops of the other system are not taken away by the list of this one.
    const gone = async () =>
      (
        await root.query<{ shop_id: string }>(
          `select shop_id from parcel_shops where operator_id = $1 and agent_code = 'gls' and gone_at is not null order by shop_id`,
          [operator.operator_id],
        )
      ).rows.map(row => row.shop_id)
    await root.query(`update parcel_shops set gone_at = null, missed_at = null where operator_id = $1`, [operator.operator_id])
    await lead.send(parcelShops.setConfig, { agent_code: 'gls', body: { version: 2, settings: shipitAccount } })
    for (const days of [2, 3, 4]) {
      night(days)
      await read('gls', 'DK')
    }
    expect(await gone()).not.toContain('96042')
  } finally {
    back()
    await gls.close()
  }
}, 20_000)

describe('the schedule', () => {
  const queued = async () => {
    const { rows } = await root.query<{ key: string }>('select key from graphile_worker.jobs where key like $1 order by key', [
      `couriers.shops:${operator.operator_id}:%`,
    ])
    return rows.map(row => row.key.split(':').slice(2).join(' '))
  }

  it('reads at night, each list once a day, and the countries in which shops are known', async () => {
    night(0)
    await setUp('bring', account)
    await setUp('matkahuolto', matkahuoltoAccount)
    await find('matkahuolto', 'fi', '04300')
    testApp.setNow(new Date('2026-11-23T12:00:00Z'))
    await queueShopLists(testApp.services)
    expect(await queued()).toEqual([])
    night(1)
    await queueShopLists(testApp.services)
    await queueShopLists(testApp.services)
    expect(await queued()).toEqual(['bring DK', 'bring FI', 'bring NO', 'bring SE', 'matkahuolto FI'])
  })

  it('is called by hand for a country that the courier serves', async () => {
    await expect(lead.send(parcelShops.readShops, { agent_code: 'bring', body: { country: 'DK' } })).rejects.toMatchObject({
      status: 409,
      code: 'courier_not_set_up',
    })
    await setUp('bring', account)
    expect(await lead.send(parcelShops.readShops, { agent_code: 'bring', body: { country: 'dk' } })).toEqual({ queued: true })
    await expect(lead.send(parcelShops.readShops, { agent_code: 'bring', body: { country: 'FR' } })).rejects.toMatchObject({ status: 409 })
  })
})
