/** Methods that belong to accounts, and what couriers say of postcodes and lockers. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { methodRules } from '#features/shipping/shipping-methods/method-rules.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { burdAccount, type FakeBurd, openFakeBurd } from '#integrations/couriers/burd/burd.fake.ts'
import { burdAt } from '#integrations/couriers/burd/burd.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type FakeInstabox, instaboxAccount, openFakeInstabox } from '#integrations/couriers/instabox/instabox.fake.ts'
import { instaboxAt } from '#integrations/couriers/instabox/instabox.ts'
import { type FakeShipmondo, openFakeShipmondo, shipmondoAccount } from '#integrations/couriers/shipmondo/shipmondo.fake.ts'
import { shipmondoAt } from '#integrations/couriers/shipmondo/shipmondo.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { parcelShops } from './parcel-shops.contract.ts'
import { methodTasks, queueMethods } from './read-methods.task.ts'

let testApp: TestApp
let root: pg.Pool
let operator: TestOperator
let lead: TestUser
let shipmondo: FakeShipmondo
let burd: FakeBurd
let instabox: FakeInstabox
const remove: (() => void)[] = []
beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Pool({ connectionString: testApp.url, max: 1 })
})
beforeEach(async () => {
  shipmondo = await openFakeShipmondo()
  burd = await openFakeBurd()
  instabox = await openFakeInstabox()
  const [one, two, three] = [shipmondo, burd, instabox].map(fake => ({ url: fake.server.url }))
  if (!one || !two || !three) throw new Error('A fake is missing')
  remove.push(
    withCourier(shipmondoAt({ live: one, sandbox: one })),
    withCourier(burdAt({ postcodes: two, orders: two })),
    withCourier(instaboxAt({ login: three, availability: three, orders: three, labels: three })),
  )
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  lead = await operator.hire(['admin'])
  return async () => {
    for (const back of remove.splice(0).reverse()) back()
    await Promise.all([shipmondo.close(), burd.close(), instabox.close()])
  }
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const setUp = (agent_code: string, settings: Record<string, string>, by = lead) =>
  by.send(parcelShops.setConfig, { agent_code, body: { version: 0, settings } })
const offered = async (by = lead) => (await by.send(shippingMethods.list, {})).filter(one => one.agent_code === 'shipmondo' && one.offered)
const stated = async (agent_code: string) => (await lead.send(parcelShops.configured, {})).find(one => one.agent_code === agent_code)

describe('the methods of an account', () => {
  it('are read with the test of the connection, and then stand wherever methods of a courier are listed', async () => {
    await setUp('shipmondo', shipmondoAccount)
    expect(await stated('shipmondo')).toMatchObject({ methods: 0, account_methods: { asked_at: null } })
    expect(await lead.send(parcelShops.test, { agent_code: 'shipmondo' })).toEqual({ ok: true, words: 'Shipmondo, 1000.5 DKK', methods: 2 })
    expect(await stated('shipmondo')).toMatchObject({ methods: 2, account_methods: { asked_at: expect.any(String) } })
    expect((await offered()).map(one => [one.shipping_method, one.name, one.service_point, one.max_weight_g, one.countries])).toEqual([
      ['GLSDK_SD', 'GLS Denmark Shop Delivery', 'optional', 20_000, ['DK']],
      ['GLSDK_HD', 'GLS Denmark Private Delivery', 'none', 20_000, ['DK', 'NO']],
    ])
    const setup = (await lead.send(labels.setup, {})).find(one => one.agent_code === 'shipmondo')
    expect(setup?.methods.map(one => one.code)).toEqual(['GLSDK_SD', 'GLSDK_HD'])
    expect(await lead.send(labels.template, { parts: 'shipmondo_GLSDK_SD_outbound' })).toMatchObject({
      shipping_method: 'GLSDK_SD',
      required: ['weight', 'phone', 'email'],
    })
    const rule = {
      name: 'Shops',
      conditions: { v: 1 as const, all: [] },
      agent_code: 'shipmondo',
      shipping_method: 'GLSDK_SD',
      active: true,
    }
    expect(await lead.send(methodRules.create, { body: rule })).toMatchObject({ shipping_method: 'GLSDK_SD' })
    const cage = {
      agent_code: 'shipmondo',
      name: 'GLS',
      mark: null,
      methods: ['GLSDK_SD'],
      colour: null,
      cut_off: null,
      days: [1],
      active: true,
    }
    expect(await lead.send(collectListsOwn.createCage, { body: cage })).toMatchObject({ methods: ['GLSDK_SD'] })
  })

  it('are those of each company, and a wrong key leaves them as they are', async () => {
    await setUp('shipmondo', shipmondoAccount)
    await lead.send(parcelShops.readMethods, { agent_code: 'shipmondo' })
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect(await offered(shop)).toEqual([])
    await lead.send(parcelShops.setConfig, { agent_code: 'shipmondo', body: { version: 1, settings: { key: 'wrong' } } })
    expect(await lead.send(parcelShops.test, { agent_code: 'shipmondo' })).toMatchObject({ ok: false, methods: null })
    await expect(lead.send(parcelShops.readMethods, { agent_code: 'shipmondo' })).rejects.toMatchObject({ code: 'courier_rejected' })
    expect(await offered()).toHaveLength(2)
  })

  it('that the account lost are offered no more; what was set for them stays', async () => {
    await setUp('shipmondo', shipmondoAccount)
    await lead.send(parcelShops.readMethods, { agent_code: 'shipmondo' })
    await lead.send(shippingMethods.setActive, { agent_code: 'shipmondo', method: 'GLSDK_SD', active: 'true' })
    shipmondo.products.splice(0, 1)
    expect(await lead.send(parcelShops.readMethods, { agent_code: 'shipmondo' })).toEqual({ methods: 1 })
    expect((await offered()).map(one => one.shipping_method)).toEqual(['GLSDK_HD'])
    expect(await lead.send(shippingMethods.get, { agent_code: 'shipmondo', method: 'GLSDK_SD' })).toMatchObject({
      active: true,
      offered: false,
    })
  })

  it('are read again at night, once', async () => {
    await setUp('shipmondo', shipmondoAccount)
    const waiting = async () =>
      (
        await root.query('select count(*)::int count from graphile_worker.jobs where key = $1', [
          `couriers.methods:${operator.main.id}:shipmondo`,
        ])
      ).rows[0]?.count
    testApp.setNow(new Date('2026-11-25T11:00:00Z'))
    await queueMethods(testApp.services)
    expect(await waiting()).toBe(0)
    testApp.setNow(new Date('2026-11-26T01:30:00Z'))
    await queueMethods(testApp.services)
    await queueMethods(testApp.services)
    expect(await waiting()).toBe(1)
    const scope = { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] }
    const outside = { ...createSystemContext(testApp.services, scope), last_try: false }
    await methodTasks['couriers.methods']({ agent_code: 'shipmondo' }, outside)
    await root.query('delete from graphile_worker._private_jobs')
    await queueMethods(testApp.services)
    expect(await waiting()).toBe(0)
    testApp.setNow(undefined)
    expect(await offered()).toHaveLength(2)
    const key = shipmondo.server.requests.length
    await lead.send(parcelShops.setConfig, { agent_code: 'shipmondo', body: { version: 1, settings: { key: 'wrong' } } })
    await methodTasks['couriers.methods']({ agent_code: 'shipmondo' }, outside)
    expect(shipmondo.server.requests.length).toBeGreaterThan(key)
    expect(await offered()).toHaveLength(2)
  })

  it('of a courier whose methods are its own are not asked for', async () => {
    await expect(lead.send(parcelShops.readMethods, { agent_code: 'own' })).rejects.toMatchObject({ code: 'not_supported' })
    await expect(lead.send(parcelShops.readMethods, { agent_code: 'unknown' })).rejects.toMatchObject({ status: 404 })
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(parcelShops.readMethods, { agent_code: 'shipmondo' })).statusCode).toBe(403)
  })
})

describe('a parcel with a method of an account', () => {
  const recipient = {
    name: 'Åse Sørensen',
    address1: 'Nørrebrogade 112',
    postcode: '2200',
    city: 'København N',
    country: 'DK',
    phone: '+45 34 41 23 45',
    email: 'aase@example.com',
  }
  const create = (given: object = {}, shipping_method = 'GLSDK_SD') =>
    lead.send(labels.create, {
      agent_code: 'shipmondo',
      shipping_method,
      operation_code: 'outbound',
      body: { client_id: randomUUID(), recipient: { ...recipient, ...given }, parcels: [{ weight_g: 900 }] },
    })

  it('is booked with the services that belong to it, and cancelled', async () => {
    await setUp('shipmondo', shipmondoAccount)
    await lead.send(parcelShops.test, { agent_code: 'shipmondo' })
    const { shipments } = await create()
    expect(shipmondo.shipments[0]?.body).toMatchObject({ service_codes: 'EMAIL_NT', automatic_select_service_point: true })
    const barcode = shipments[0]?.tracking_no ?? ''
    expect(barcode).toBe(shipmondo.shipments[0]?.number)
    expect(await lead.send(labels.cancel, { agent_code: 'shipmondo', barcode })).toMatchObject({ cancelled_at_carrier: true })
  })

  it('is refused where the method needs what is not there, or is not one of the account', async () => {
    await setUp('shipmondo', shipmondoAccount)
    await lead.send(parcelShops.test, { agent_code: 'shipmondo' })
    await expect(create({ email: null })).rejects.toMatchObject({
      code: 'email_missing',
      fields: { 'recipient.email': expect.any(String) },
    })
    await expect(create({}, 'GLSSE_SD')).rejects.toMatchObject({ code: 'courier_method_not_found' })
    expect(shipmondo.shipments).toEqual([])
  })

  it('finds the shops of its method', async () => {
    await setUp('shipmondo', shipmondoAccount)
    const shops = { agent_code: 'shipmondo', country: 'dk', postcode: '5000' }
    expect(await lead.send(parcelShops.find, { ...shops, method: 'GLSDK_SD' })).toMatchObject([{ id: '95558' }])
    await expect(lead.send(parcelShops.find, shops)).rejects.toMatchObject({ code: 'courier_rejected' })
  })
})

describe('Burd', () => {
  const ask = (postcodes: string, date?: string) => lead.send(parcelShops.burdPostcodes, { postcodes, ...(date && { date }) })

  it('says which postcodes it serves and when, and is asked for each once a day', async () => {
    await setUp('burd', burdAccount)
    expect(await ask('2100, 8000,2100')).toEqual([
      { postcode: '2100', covered: true, area: 'KBH-Ø', dates: ['2026-11-26', '2026-11-27', '2026-11-30'] },
      { postcode: '8000', covered: false, area: null, dates: [] },
    ])
    const asked = () => burd.server.requests.filter(one => one.path.startsWith('/v1/postcode/')).length
    expect(asked()).toBe(2)
    expect(await ask('2200,8000', '2026-11-27')).toEqual([
      { postcode: '2200', covered: true, area: 'KBH-N', dates: ['2026-11-27'] },
      { postcode: '8000', covered: false, area: null, dates: [] },
    ])
    expect(asked()).toBe(3)
    await root.query("update courier_postcodes set asked_at = asked_at - interval '25 hours'")
    burd.areas.set('8000', 'AAR')
    expect(await ask('8000')).toMatchObject([{ covered: true, area: 'AAR' }])
  })

  it('takes up to 100 postcodes of four digits, needs an account, and makes no labels', async () => {
    await expect(ask('2100')).rejects.toMatchObject({ code: 'courier_not_set_up' })
    for (const postcodes of ['', '21', '2100;2200', Array.from({ length: 101 }, () => '2100').join(',')])
      expect((await lead.ask(parcelShops.burdPostcodes, { postcodes })).statusCode).toBe(400)
    expect(await stated('burd')).toMatchObject({ makes_labels: false, account_methods: null })
    expect((await lead.send(labels.setup, {})).map(one => one.agent_code)).not.toContain('burd')
  })

  it('that refuses or does not answer is kept apart from a no', async () => {
    await setUp('burd', { ...burdAccount, password: 'wrong' })
    await expect(ask('2100')).rejects.toMatchObject({ code: 'courier_rejected' })
  })
})

describe('Instabox', () => {
  const recipient = { street: 'Nørrebrogade 112', postcode: '2200', city: 'København N', country: 'dk' }
  const ask = (given: object = {}) =>
    lead.send(parcelShops.instaboxAvailability, { body: { recipient: { ...recipient, ...given }, parcels: [{ weight_g: 900 }] } })

  it('names lockers and evenings for a parcel, and none where it does not deliver', async () => {
    await setUp('instabox', instaboxAccount)
    const { token, options } = await ask()
    expect(token).not.toBe('')
    expect(options.map(one => [one.method, one.sort_code, one.name])).toEqual([
      ['locker', 'DK-A1', 'Instabox Nørrebro'],
      ['locker', 'DK-B2', 'Instabox Rantzausgade'],
      ['home', 'EVENING', 'I aften 17-22'],
    ])
    expect(await ask({ postcode: '8000' })).toMatchObject({ options: [] })
  })

  it('books a parcel into the locker under a number of the company', async () => {
    await setUp('instabox', instaboxAccount)
    const { shipments } = await lead.send(labels.create, {
      agent_code: 'instabox',
      shipping_method: 'locker',
      operation_code: 'outbound',
      body: {
        client_id: randomUUID(),
        recipient: { name: 'Åse', address1: recipient.street, postcode: '2200', city: 'København N', country: 'DK', phone: '+4534412345' },
        service_point: { id: 'DK-B2', name: '', address1: '', postcode: '', city: '', country: 'DK' },
        parcels: [{ weight_g: 900, size_mm: [300, 200, 100] }],
      },
    })
    expect(instabox.parcels).toMatchObject([{ number: shipments[0]?.tracking_no, body: { delivery_option: { sort_code: 'DK-B2' } } }])
    expect(shipments[0]?.tracking_no).toMatch(/^4711\d{10}$/)
  })

  it('is asked only with an address, by those who make labels', async () => {
    expect(
      (await lead.ask(parcelShops.instaboxAvailability, { body: { recipient: { ...recipient, street: '' }, parcels: [] } })).statusCode,
    ).toBe(400)
    await expect(ask()).rejects.toMatchObject({ code: 'courier_not_set_up' })
    const planner = await operator.hire(['schedule'])
    const body = { recipient, parcels: [{ weight_g: 900 }] }
    expect((await planner.ask(parcelShops.instaboxAvailability, { body })).statusCode).toBe(403)
  })
})
