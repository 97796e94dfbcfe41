/** Shipmondo, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { type BookingRequest, CourierRefused, type Method, OutcomeUnknown, type ParcelLine } from '../courier.ts'
import { type FakeShipmondo, fakeProduct, openFakeShipmondo, shipmondoAccount } from './shipmondo.fake.ts'
import { shipmondoAt } from './shipmondo.ts'

const never = new AbortController().signal
const settings = shipmondoAccount
const home = sampleParty({ email: 'aase@example.com' })
const shop: Method = {
  code: 'GLSDK_SD',
  name: 'GLS Denmark Shop Delivery',
  service_point: 'optional',
  max_weight_g: 20_000,
  countries: ['DK'],
  services: [{ code: 'SMS_NT', name: 'SMS notification', options: [] }],
  needs: ['phone', 'email'],
  included: ['EMAIL_NT'],
}
const address: Method = {
  code: 'GLSDK_HD',
  name: 'GLS Denmark Private Delivery',
  service_point: 'none',
  max_weight_g: 20_000,
  countries: ['DK', 'NO'],
  services: [],
}
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: shop.code,
    account_method: shop,
    settings,
    parties: { recipient: home, ...parties },
    parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })

describeCourier(
  async () => {
    const fake = await openFakeShipmondo()
    const host = { url: fake.server.url }
    return {
      courier: shipmondoAt({ live: host, sandbox: host }),
      server: fake.server,
      booked: () => fake.shipments.flatMap(one => one.numbers.map(() => one.reference)),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: settings.key },
)

let fake: FakeShipmondo
let other: FakeShipmondo
let shipmondo: ReturnType<typeof shipmondoAt>
beforeAll(async () => {
  fake = await openFakeShipmondo()
  other = await openFakeShipmondo()
  shipmondo = shipmondoAt({ live: { url: fake.server.url }, sandbox: { url: other.server.url } })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const sent = () => fake.shipments.at(-1)
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...home, ...given } } })
const line: ParcelLine = {
  order_line_id: null,
  sku: 'SOCK',
  description: 'Socks, cotton',
  quantity: 3,
  hs_code: '61159400',
  origin: 'PT',
  value: { amount: 1000, currency: 'DKK' },
  net_weight_g: 285,
}

describe('the methods of an account', () => {
  it('are its products, each once with the countries that it reaches, as the agreement has them', async () => {
    expect(await shipmondo.accountMethods?.(settings, never)).toEqual([
      { ...shop, services: [{ code: 'SMS_NT', name: 'SMS notification', options: [] }] },
      { ...address, services: ['FLEX', 'EMAIL_NT', 'SMS_NT'].map(code => expect.objectContaining({ code })) },
    ])
    const theirs = await shipmondo.accountMethods?.({ ...settings, agreement: 'shipmondo' }, never)
    expect(theirs?.map(one => [one.code, one.max_weight_g])).toEqual([
      ['GLSDK_SD', 5_000],
      ['GLSDK_HD', 5_000],
      ['DAO_B', 5_000],
    ])
  })

  it('are read to the last page', async () => {
    const many = Array.from({ length: 120 }, (_, n) => fakeProduct({ code: `P${n}`, sender_country_code: 'FI' }))
    fake.products.push(...many)
    expect(await shipmondo.accountMethods?.({ ...settings, sender_country: 'FI' }, never)).toHaveLength(120)
  })

  it('have no limit of weight that Shipmondo does not name, and no code that a path could not hold', async () => {
    fake.products.push(
      fakeProduct({ code: 'A/B', sender_country_code: 'IS' }),
      fakeProduct({
        code: 'POST',
        sender_country_code: 'IS',
        ta_weight_intervals: [],
        required_parcel_fields: 'weight,length,width,height',
      }),
    )
    expect(await shipmondo.accountMethods?.({ ...settings, sender_country: 'IS' }, never)).toMatchObject([
      { code: 'POST', max_weight_g: 100_000, needs: ['phone', 'email', 'size'] },
    ])
  })
})

describe('what Shipmondo is sent', () => {
  it('has both parties, grams and centimetres, our reference, and the services that belong to the product', async () => {
    await shipmondo.book(
      booking({
        ...to({ company: 'Bjørn & Co', instruction: 'Ring to gange' }),
        services: [{ code: 'SMS_NT', options: {} }],
        service_point: { id: '95558', name: '', address1: '', postcode: '', city: '', country: 'DK' },
      }),
      never,
    )
    expect(sent()?.body).toEqual({
      own_agreement: true,
      label_format: '10x19_pdf',
      product_code: 'GLSDK_SD',
      service_codes: 'EMAIL_NT,SMS_NT',
      reference: 'PKH-100023-1',
      additional_reference: '100023',
      service_point_id: '95558',
      parties: [
        expect.objectContaining({ type: 'sender', postal_code: '2100', country_code: 'DK' }),
        {
          type: 'receiver',
          name: 'Bjørn & Co',
          attention: 'Åse Bjørn Sørensen',
          address1: 'Nørrebrogade 112, 3. tv',
          postal_code: '2200',
          city: 'København N',
          country_code: 'DK',
          email: 'aase@example.com',
          phone: '+4534412345',
        },
      ],
      delivery_details: { instruction: 'Ring to gange' },
      parcels: [{ quantity: 1, weight: 2400, length: 31, width: 20, height: 10 }],
    })
  })

  it('leaves the shop to Shipmondo where none is chosen, and names none for a product without shops', async () => {
    await shipmondo.book(booking(), never)
    expect(sent()?.body).toMatchObject({ automatic_select_service_point: true })
    await shipmondo.book(booking({ method: address.code, account_method: address }), never)
    expect(sent()?.body).not.toHaveProperty('automatic_select_service_point')
    expect(sent()?.body.service_codes).toBe('')
  })

  it('declares goods by the piece, split where the value does not divide', async () => {
    await shipmondo.book(
      booking({
        method: address.code,
        account_method: address,
        ...to({ country: 'NO', postcode: '0150', city: 'Oslo' }),
        customs: { reason: 'sale', terms: 'DAP', numbers: [], documents: [] },
        parcel: { lines: [line] },
      }),
      never,
    )
    const piece = { unit: 'piece', country_code: 'PT', content: 'Socks, cotton', commodity_code: '61159400', unit_weight: 95 }
    expect(sent()?.body).toMatchObject({
      term_of_trade: 'DAP',
      customs: {
        export_reason: 'sale_of_goods',
        currency_code: 'DKK',
        goods: [
          { ...piece, quantity: 2, unit_value: 3.33 },
          { ...piece, quantity: 1, unit_value: 3.34 },
        ],
      },
    })
  })

  it('goes to the sandbox, and under Shipmondo’s agreement, where the account says so', async () => {
    const before = fake.shipments.length
    await shipmondo.book(booking({ settings: { ...settings, mode: 'sandbox', agreement: 'shipmondo' } }), never)
    expect([other.shipments.length, fake.shipments.length]).toEqual([1, before])
    expect(other.shipments[0]?.body.own_agreement).toBe(false)
  })
})

describe('what Shipmondo refuses', () => {
  const findings = (given: SampleBooking) => {
    const request = booking(given)
    return [...capabilityFindings(shipmondo.capabilities, request), ...shipmondo.validate(request)].map(
      one => `${one.severity} ${one.field}`,
    )
  }

  it('is said in its own words', async () => {
    await expect(shipmondo.book(booking({ method: 'X', account_method: { ...shop, code: 'X' } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Product code is invalid',
    })
    await expect(shipmondo.book(booking({ settings: { ...settings, key: 'wrong' } }), never)).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is found before it is asked', () => {
    expect(findings(to({ phone: null, email: null }))).toEqual(['error recipient.phone', 'error recipient.email'])
    expect(findings({ method: 'OTHER', account_method: undefined })).toEqual(['error shipping_method'])
    expect(findings({ parcel: { weight_g: 20_001 } })).toEqual(['error parcels.0.weight_g'])
    expect(findings({ services: [{ code: 'FLEX', options: {} }] })).toEqual(['error services.0.code'])
    const customs = { reason: 'sale' as const, terms: null, numbers: [{ kind: 'voec' as const, value: '2000000' }], documents: [] }
    expect(findings({ customs, parcel: { lines: [{ ...line, value: null, net_weight_g: null }] } })).toEqual([
      'error customs.numbers.0.kind',
      'error parcels.0.lines.0.value',
      'error parcels.0.lines.0.net_weight_g',
    ])
  })
})

describe('after an unknown outcome', () => {
  it('the list of shipments names the booking under our reference, with its label', async () => {
    const asked = booking({ reference: 'PKH-8-1', asked_at: new Date().toISOString() })
    fake.server.faults.push('mute')
    await expect(shipmondo.book(asked, never)).rejects.toBeInstanceOf(OutcomeUnknown)
    const found = await shipmondo.find(asked, never)
    expect(found).toMatchObject({ reference: 'PKH-8-1', parcels: [{ ok: true, tracking_no: sent()?.number }] })
  })

  it('a parcel that the list does not name was not booked, when two minutes have passed', async () => {
    const asked_at = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
    const asked = booking({ reference: 'PKH-9-1' })
    await expect(shipmondo.find({ ...asked, asked_at: asked_at(60) }, never)).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(await shipmondo.find({ ...asked, asked_at: asked_at(130) }, never)).toBeNull()
  })
})

describe('a label', () => {
  it('is PDF, and ZPL beside it where the printer takes it', async () => {
    const { parcels } = await shipmondo.book(booking({ label: { format: 'zpl' } }), never)
    expect(parcels[0]?.ok ? parcels[0].documents.map(one => one.format) : []).toEqual(['pdf', 'zpl'])
  })

  it('that does not come after the booking leaves the outcome unknown, with the number', async () => {
    fake.withoutLabels = true
    await expect(shipmondo.book(booking(), never)).rejects.toThrow(`Shipmondo has booked ${sent()?.number ?? ''}`.slice(0, 30))
    fake.withoutLabels = false
  })
})

describe('a cancellation', () => {
  const numberOf = async (given: SampleBooking = {}): Promise<string> => {
    const [parcel] = (await shipmondo.book(booking(given), never)).parcels
    return parcel?.ok ? parcel.tracking_no : ''
  }

  it('answers separately for Shipmondo, carrier and money', async () => {
    const tracking_no = await numberOf()
    expect(await shipmondo.cancel({ tracking_no, settings }, never)).toEqual({
      cancelled: true,
      cancelled_at_carrier: true,
      refunded: false,
    })
    expect(sent()?.cancelled).toBe(true)
    fake.carrierCancels = false
    const second = await numberOf()
    expect(await shipmondo.cancel({ tracking_no: second, settings }, never)).toMatchObject({ cancelled: true, cancelled_at_carrier: false })
    expect(await shipmondo.cancel({ tracking_no: '404', settings }, never)).toMatchObject({ cancelled: false })
  })
})

describe('what Shipmondo tells', () => {
  const near = (postcode: string, method?: string) =>
    shipmondo.parcelShops({ country: 'DK', postcode, address: 'Hvilehøjvej 25', method, settings }, never)

  it('are the shops of a product near an address', async () => {
    expect(await near('5000', 'GLSDK_SD')).toEqual([
      {
        id: '95558',
        name: 'Påskeløkkens Købmand',
        address1: 'Paaskeløkkevej 11',
        postcode: '5000',
        city: 'Odense C',
        country: 'DK',
        distance_m: 250,
        opening_hours: ['Man: 08:00 - 20:00'],
      },
    ])
    expect(await near('9999', 'GLSDK_SD')).toEqual([])
    await expect(near('5000')).rejects.toBeInstanceOf(CourierRefused)
  })

  it('tests the connection with the balance', async () => {
    expect(await shipmondo.probe?.(settings, never)).toEqual({ ok: true, words: 'Shipmondo, 1000.5 DKK' })
    const wrong: BookingRequest['settings'] = { ...settings, user: 'wrong' }
    await expect(shipmondo.probe?.(wrong, never)).rejects.toBeInstanceOf(CourierRefused)
  })
})
