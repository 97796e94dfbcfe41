/** GLS, through the courier interface and against its fake: ShipIT of the group, and the national system of Denmark. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import type { ServiceChoice } from '../courier.ts'
import { readXml } from '../xml.ts'
import { denmarkAccount, type FakeGls, openFakeGls, shipitAccount } from './gls.fake.ts'
import { glsAt } from './gls.ts'

const never = new AbortController().signal
const systems = [
  ['ShipIT', { ...shipitAccount, mode: 'live' }, shipitAccount.client_secret],
  ['GLS Denmark', { ...denmarkAccount, mode: 'live' }, denmarkAccount.password],
] as const
const shipit = systems[0][1]
const denmark = systems[1][1]
const booking = (given: SampleBooking = {}) =>
  sampleBooking({ method: 'home', settings: shipit, parcel: { reserved_number: null }, ...given })
const point = (id: string) => ({ id, name: 'Kiosk', address1: '', postcode: '', city: '', country: 'DK' })

const at = ({ server: { url } }: FakeGls) => glsAt({ group: { url }, sandbox: { url }, denmark: { url }, shops: { url } })

for (const [title, settings, secret] of systems)
  describe(title, () =>
    describeCourier(
      async () => {
        const fake = await openFakeGls()
        return { courier: at(fake), server: fake.server, booked: () => fake.parcels.map(one => one.reference), close: fake.close }
      },
      { request: reference => booking({ reference, settings }), secret },
    ),
  )

let fake: FakeGls
let gls: ReturnType<typeof glsAt>
beforeAll(async () => {
  fake = await openFakeGls()
  gls = at(fake)
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.withoutLabels = false
  fake.cancelsLater = false
})
const sent = () => JSON.parse(fake.server.requests.findLast(one => one.method === 'POST')?.text ?? '{}')
const sentences = (given: SampleBooking) => {
  const request = booking(given)
  return [...capabilityFindings(gls.capabilities, request), ...gls.validate(request)].map(
    one => `${one.severity} ${one.field}: ${one.text}`,
  )
}
const bookedNumber = async (given: SampleBooking = {}) => {
  const [parcel] = (await gls.book(booking(given), never)).parcels
  return parcel?.ok ? parcel.tracking_no : ''
}

describe('what ShipIT is sent', () => {
  it('holds the address without the letters that it does not take, kilograms with two decimals and the shop as shipper', async () => {
    const recipient = sampleParty({ company: 'Nord "Nu"; ApS', email: 'aase@example.com', instruction: 'Ring (twice)' })
    await gls.book(booking({ parties: { recipient }, parcel: { weight_g: 2_405 } }), never)
    expect(sent()).toEqual({
      Shipment: {
        ShipmentReference: ['PKH-100023-1'],
        ShippingDate: '2026-11-16',
        Middleware: 'Pakhus',
        Product: 'PARCEL',
        Consignee: {
          Category: 'PRIVATE',
          Address: {
            Name1: 'Nord Nu ApS',
            Name2: 'Åse Bjørn Sørensen',
            CountryCode: 'DK',
            ZIPCode: '2200',
            City: 'København N',
            Street: 'Nørrebrogade 112 3. tv',
            eMail: 'aase@example.com',
            MobilePhoneNumber: '+4534412345',
          },
        },
        Shipper: {
          ContactID: '208a12b3cD',
          AlternativeShipperAddress: expect.objectContaining({ Name1: 'Havnens Ting ApS', ZIPCode: '2100' }),
        },
        ShipmentUnit: [{ ShipmentUnitReference: ['100023'], Weight: 2.41, Note1: 'Ring twice' }],
      },
      PrintingOptions: { ReturnLabels: { TemplateSet: 'NONE', LabelFormat: 'PDF' } },
    })
  })

  it('raises a very light parcel to the least weight', async () => {
    await gls.book(booking({ parcel: { weight_g: 40 } }), never)
    expect(sent().Shipment.ShipmentUnit[0].Weight).toBe(0.11)
  })

  it('names the parcel shop, the services and the express product', async () => {
    await gls.book(booking({ method: 'parcel_shop', service_point: point('GLS_DK-2080012345') }), never)
    expect(sent().Shipment.Service).toEqual([{ ShopDelivery: { ServiceName: 'service_shopdelivery', ParcelShopID: 'GLS_DK-2080012345' } }])
    const services: ServiceChoice[] = [
      { code: 'deposit', options: { place: 'Under the stairs, left' } },
      { code: 'flex_delivery', options: {} },
    ]
    await gls.book(booking({ services }), never)
    expect(sent().Shipment.Service).toEqual([
      { Deposit: { ServiceName: 'service_deposit', PlaceOfDeposit: 'Under the stairs left' } },
      { Service: { ServiceName: 'service_flexdelivery' } },
    ])
    await gls.book(booking({ method: 'business', services: [{ code: 'express_12', options: {} }] }), never)
    expect(sent().Shipment).toMatchObject({
      Product: 'EXPRESS',
      Consignee: { Category: 'BUSINESS' },
      Service: [{ Service: { ServiceName: 'service_1200' } }],
    })
  })

  it('has the customer of a return as consignee and the shop as the address to which it goes', async () => {
    const parties = { sender: sampleParty(), recipient: sampleParty({ name: 'Havnens Ting', postcode: '2100' }) }
    await gls.book(booking({ operation: 'return', parties }), never)
    expect(sent().Shipment).toMatchObject({
      Consignee: { Address: { Name1: 'Åse Bjørn Sørensen' } },
      Shipper: { AlternativeShipperAddress: { Name1: 'Havnens Ting' } },
      Service: [{ ShopReturn: { ServiceName: 'service_shopreturn', NumberOfLabels: 1 } }],
    })
  })

  it('carries one login until it runs out, and then a new one', async () => {
    await gls.book(booking(), never)
    const before = fake.logins
    await gls.book(booking(), never)
    expect(fake.logins).toBe(before)
    fake.expireTokens()
    await gls.book(booking(), never)
    expect(fake.logins).toBe(before + 1)
    fake.server.faults.push('401')
    await expect(gls.book(booking(), never)).rejects.toMatchObject({ name: 'CourierRefused' })
    await gls.book(booking(), never)
    expect(fake.logins).toBe(before + 2)
  })
})

describe('what GLS Denmark is sent', () => {
  it('holds the login, the number of the country and the notice by email', async () => {
    const recipient = sampleParty({ email: 'aase@example.com', country: 'SE', postcode: '214 20' })
    await gls.book(booking({ settings: denmark, parties: { recipient } }), never)
    expect(sent()).toEqual({
      UserName: '2080000001',
      Password: 'denmark-secret-4711',
      Customerid: '2080060960',
      Contactid: '208a12b3cD',
      ShipmentDate: '20261116',
      Reference: 'PKH-100023-1',
      Addresses: {
        Delivery: expect.objectContaining({ Name1: 'Åse Bjørn Sørensen', CountryNum: '752', Mobile: '+4534412345' }),
        AlternativeShipper: expect.objectContaining({ Name1: 'Havnens Ting ApS', CountryNum: '208' }),
      },
      Parcels: [{ Weight: 2.4, Reference: '100023' }],
      Services: { PrivateDelivery: 'Y', NotificationEmail: 'aase@example.com' },
    })
  })

  it('names services by their keys, and none for a business parcel', async () => {
    await gls.book(booking({ settings: denmark, method: 'parcel_shop', service_point: point('96042') }), never)
    expect(sent().Services).toEqual({ ShopDelivery: '96042' })
    await gls.book(booking({ settings: denmark, method: 'business' }), never)
    expect(sent().Services).toEqual({})
    const services: ServiceChoice[] = [
      { code: 'deposit', options: { place: 'Carport' } },
      { code: 'express_10', options: {} },
    ]
    await gls.book(booking({ settings: denmark, services }), never)
    expect(sent().Services).toEqual({ PrivateDelivery: 'Y', Deposit: 'Carport', Express10: 'Y' })
  })

  it('has the customer of a return as pickup', async () => {
    await gls.book(booking({ settings: denmark, operation: 'return' }), never)
    expect(sent()).toMatchObject({ Addresses: { Pickup: { Name1: 'Havnens Ting ApS' } }, Services: { ShopReturn: 'Y' } })
    expect(sent().Addresses).not.toHaveProperty('AlternativeShipper')
  })
})

describe('what is booked', () => {
  it('is tracked and cancelled by its track ID in ShipIT, and scanned by its parcel number', async () => {
    const { parcels, reference } = await gls.book(booking(), never)
    expect(reference).toBe('PKH-100023-1')
    expect(parcels).toMatchObject([{ tracking_no: expect.stringMatching(/^YZ8Y\d{4}$/), barcode: expect.stringMatching(/^2028\d{8}$/) }])
  })

  it('without a label leaves the outcome to a person, with the number', async () => {
    fake.withoutLabels = true
    for (const [settings, number] of [
      [shipit, 'YZ8Y\\d{4}'],
      [denmark, '6200\\d{8}'],
    ] as const)
      await expect(gls.book(booking({ settings }), never)).rejects.toMatchObject({
        name: 'OutcomeUnknown',
        message: expect.stringMatching(new RegExp(`^GLS has booked ${number}, but its label did not come$`)),
      })
  })
})

describe('what GLS refuses', () => {
  it('is said in its own words at the field', async () => {
    const recipient = sampleParty({ postcode: '99' })
    await expect(gls.book(booking({ parties: { recipient } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message:
        'Invalid field consignee.zip. Value ADDRESS_ZIPCODE_VALID is not a valid value. Shipment validation failed (INVALID_FIELD_VALUE)',
      field: 'recipient.postcode',
    })
    const sender = sampleParty({ city: '' })
    await expect(gls.book(booking({ parties: { sender } }), never)).rejects.toMatchObject({ field: 'sender.city' })
    const shop = booking({ method: 'parcel_shop', service_point: point('12') })
    await expect(gls.book(shop, never)).rejects.toMatchObject({ field: 'service_point' })
    await expect(
      gls.book(booking({ settings: denmark, parties: { recipient: sampleParty({ postcode: '' }) } }), never),
    ).rejects.toMatchObject({
      message: 'The ZipCode field is required.',
      field: 'recipient.postcode',
    })
  })

  it('never repeats the password', async () => {
    const settings = { ...denmark, password: 'wrong-secret' }
    await expect(gls.book(booking({ settings }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'The user 2080000001 has no password ***.',
      field: null,
    })
  })

  it('is a wrong secret, which is not tried again', async () => {
    const settings = { ...shipit, client_secret: 'wrong' }
    await expect(gls.book(booking({ settings }), never)).rejects.toMatchObject({ name: 'CourierRefused' })
  })

  it('is found before it is asked', () => {
    expect(sentences({ parties: { recipient: sampleParty({ phone: null, email: null }) } })).toContain(
      'error recipient.phone: {{courier}} needs a phone number or an email address of the recipient',
    )
    expect(sentences({ parties: { recipient: sampleParty({ country: 'NO', postcode: '0150' }) } })).toEqual([
      'error recipient.country: {{courier}} takes no customs data',
    ])
    expect(sentences({ settings: denmark, services: [{ code: 'signature', options: {} }] })).toEqual([
      'error services.0.code: {{courier}} does not offer the service {{service}} with {{method}}',
    ])
    expect(sentences({ settings: denmark, parties: { recipient: sampleParty({ country: 'US', postcode: '10001' }) } })).toEqual([
      'error recipient.country: {{method}} does not go to or from {{country}}',
    ])
    expect(sentences({ service_point: point('1'), parties: { recipient: sampleParty({ address1: 'x'.repeat(41) }) } })).toEqual([
      'warning service_point: {{method}} brings the parcel to the address, not to the parcel shop',
      'warning recipient.address1: {{courier}} takes only the first {{limit}} letters',
    ])
  })

  it('is not asked with settings that lack what the system needs', async () => {
    const fields = (settings: Record<string, string>) => gls.checkSettings?.(settings).map(one => one.field)
    expect(fields(shipit)).toEqual([])
    expect(fields(denmark)).toEqual([])
    expect(fields({ system: 'shipit' })).toEqual(['contact_id', 'client_id', 'client_secret'])
    expect(fields({ ...denmark, mode: 'sandbox', password: '' })).toEqual(['password', 'mode'])
    await expect(gls.book(booking({ settings: { ...denmark, user: '' } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Settings of GLS, User name: Fill this in',
    })
  })
})

describe('a cancellation', () => {
  it('is done, promised or refused in ShipIT', async () => {
    const cancel = (tracking_no: string) => gls.cancel({ tracking_no, settings: shipit }, never)
    expect(await cancel(await bookedNumber())).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: false })
    fake.cancelsLater = true
    expect(await cancel(await bookedNumber())).toEqual({ cancelled: true, cancelled_at_carrier: false, refunded: false })
    const number = await bookedNumber()
    for (const parcel of fake.parcels) if (parcel.number === number) parcel.scanned = true
    expect(await cancel(number)).toEqual({ cancelled: false, cancelled_at_carrier: false, refunded: false })
    expect(await cancel('zzZZzzZZ')).toEqual({ cancelled: false, cancelled_at_carrier: false, refunded: false })
  })

  it('is not offered by GLS Denmark', async () => {
    const before = fake.server.requests.length
    expect(await gls.cancel({ tracking_no: await bookedNumber({ settings: denmark }), settings: denmark }, never)).toEqual({
      cancelled: false,
      cancelled_at_carrier: false,
      refunded: false,
    })
    expect(fake.server.requests.length).toBe(before + 1)
  })
})

describe('tracking', () => {
  const track = (tracking_no: string, settings: Record<string, string> = shipit) => gls.track({ tracking_no, settings }, never)

  it.each([
    ['QAS_0000001', 'booked'],
    ['QAS_0000002', 'booked'],
    ['QAS_0000003', 'needs_attention'],
    ['QAS_0000004', 'booked'],
    ['QAS_0000005', 'in_transit'],
    ['QAS_0000006', 'out_for_delivery'],
    ['QAS_0000007', 'ready_for_pickup'],
    ['QAS_0000008', 'delivered'],
    ['QAS_0000009', 'in_transit'],
    ['QAS_0000010', 'delivery_failed'],
    ['QAS_0000011', 'cancelled'],
    ['QAS_0000012', ''],
  ])('says of the test parcel %s: “%s”', async (number, state) => {
    expect((await track(number))[0]).toMatchObject({ state, at: '2024-10-11T16:00:05.000Z' })
  })

  it('shows a parcel in a shop as not yet delivered, and the events as words', async () => {
    expect(await track('QAS_0000007')).toEqual([
      { state: 'ready_for_pickup', at: '2024-10-11T16:00:05.000Z', place: null, text: 'The parcel was delivered to a parcel shop' },
      { state: '', at: '2024-10-11T16:00:00.000Z', place: 'Kolding', text: 'The parcel reached the ParcelShop.' },
      { state: '', at: '2024-10-11T13:24:51.000Z', place: null, text: 'The parcel data was entered.' },
    ])
  })

  it('knows no events of an unknown parcel, and says when GLS does not answer', async () => {
    expect(await track('unknown')).toEqual([])
    await expect(track('BROKEN')).rejects.toMatchObject({ name: 'CourierUnavailable' })
    await expect(track('QUOTA')).rejects.toMatchObject({ name: 'CourierUnavailable' })
  }, 15_000)

  it('follows parcels of GLS Denmark with the login of the group', async () => {
    await expect(track('QAS_0000008', denmark)).rejects.toMatchObject({ name: 'CourierRefused' })
    expect((await track('QAS_0000008', { ...shipit, ...denmark }))[0]).toMatchObject({ state: 'delivered' })
  })
})

describe('parcel shops', () => {
  const find = (settings: Record<string, string>, address: string | null, country = 'DK', postcode = '5000') =>
    gls.parcelShops({ country, postcode, address, settings }, never)

  it('come from ShipIT with distance and hours', async () => {
    expect(await find(shipit, 'Holm 3', 'DE', '24937')).toEqual([
      {
        id: 'GLS_DE-2761234567',
        name: 'KIOSK-Shop',
        address1: 'Holm 17',
        postcode: '24937',
        city: 'Flensburg',
        country: 'DE',
        distance_m: 5_232,
        opening_hours: ['Mon 08:00–12:00, 13:00–19:30', 'Sat 09:00–12:00'],
      },
    ])
    await expect(find(shipit, null, 'XY')).rejects.toMatchObject({
      name: 'CourierRefused',
      message: expect.stringContaining('XY not found'),
    })
  })

  it('are all of a country in ShipIT, and no list in GLS Denmark', async () => {
    const all = (settings: Record<string, string>, country: string) => gls.allShops?.read({ country, settings }, never)
    expect(await all(shipit, 'DK')).toMatchObject([
      { id: 'GLS_DK-2761234567', name: 'Shop 1', address1: 'Vestergade 1', postcode: '5000', country: 'DK', distance_m: null },
      { id: 'GLS_DK-2761234568' },
      { id: 'GLS_DK-2761234569' },
    ])
    await expect(all(shipit, 'XY')).rejects.toMatchObject({ name: 'CourierRefused', message: expect.stringContaining('XY not found') })
    expect(await all(denmark, 'DK')).toBeNull()
  })

  it('come from the finder of GLS Denmark, one as well as several', async () => {
    expect(await find(denmark, 'Vestergade 2, 1. th')).toMatchObject([
      { id: '96042', name: 'Kiosk & Grill', distance_m: 400, opening_hours: ['Mon 08:00–21:00'] },
      { id: '96043', name: 'Bog & Idé', distance_m: 1_250 },
    ])
    expect(await find(denmark, 'Kort 1')).toHaveLength(2)
    expect(await find(denmark, 'Kort')).toMatchObject([{ id: '96042' }])
  })

  it('are those of the postcode where the street is not known', async () => {
    expect(await find(denmark, 'Ukendtvej 5')).toMatchObject([{ id: '96999', distance_m: null }])
    expect(await find(denmark, null)).toMatchObject([{ id: '96999' }])
  })
})

describe('an XML text', () => {
  it('is read with prefixes, comments, entities and CDATA', () => {
    expect(readXml('<?xml version="1.0"?><!-- a --><s:a x="1"><b/><c>1 &lt; &#50;</c><c><![CDATA[<d>]]></c></s:a>')).toEqual({
      name: 'a',
      text: '',
      children: [
        { name: 'b', text: '', children: [] },
        { name: 'c', text: '1 < 2', children: [] },
        { name: 'c', text: '<d>', children: [] },
      ],
    })
  })

  it.each([
    ['declares entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['is cut', '<a><b>1</b>'],
    ['closes another element', '<a><b></a></b>'],
    ['has two roots', '<a/><b/>'],
    ['is too deep', `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`],
    ['is empty', ''],
  ])('that %s is none', (_, xml) => {
    expect(readXml(xml)).toBeUndefined()
  })

  it('is read in time that grows with its length', () => {
    const began = performance.now()
    readXml(`<a>${'<b>1 &amp; 2</b>'.repeat(90_000)}</a>`)
    readXml('<!--'.repeat(1_000_000))
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

describe('a test of the connection', () => {
  it('has ShipIT check an invented shipment', async () => {
    expect(await gls.probe?.(shipit, never)).toEqual({ ok: true, words: 'GLS accepts the login and the contact ID' })
    expect(await gls.probe?.({ ...shipit, contact_id: '1' }, never)).toEqual({
      ok: false,
      words: 'COMMON Shipment.Shipper.ContactID Shipper does not exist 1',
    })
    await expect(gls.probe?.({ ...shipit, client_secret: 'wrong' }, never)).rejects.toMatchObject({ name: 'CourierRefused' })
    expect(fake.parcels.every(one => one.reference !== '')).toBe(true)
  })

  it('says that GLS Denmark cannot be tested without a booking', async () => {
    expect(await gls.probe?.(denmark, never)).toMatchObject({ ok: false })
  })
})
