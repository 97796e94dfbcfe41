/** DHL, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayAt } from '#domain/local-time.ts'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import type { Courier, CustomsData, ParcelLine, ServiceChoice } from '../courier.ts'
import { dhlAccount, type FakeDhl, openFakeDhl } from './dhl_de.fake.ts'
import { dhlAt } from './dhl_de.ts'
import { instantsOf } from './event-times.ts'

const never = new AbortController().signal
const today = dayAt(Date.now(), 'Europe/Berlin')
const settings = { ...dhlAccount, mode: 'live', shipping_fee: '14.49 EUR, 159 NOK' }
const sender = sampleParty({
  name: 'Havnens Ting',
  company: 'Havnens Ting GmbH',
  address1: 'Sträßchensweg 10',
  postcode: '53113',
  city: 'Bonn',
  country: 'DE',
  email: 'shop@example.com',
})
const maria = (given: Parameters<typeof sampleParty>[0] = {}) =>
  sampleParty({
    name: 'Maria Musterfrau',
    address1: 'Kurt-Schumacher-Str. 20',
    postcode: '53113',
    city: 'Bonn',
    country: 'DE',
    email: 'maria@example.com',
    phone: '+49 170 1234567',
    ...given,
  })
const booking = ({ parties, parcel, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'V01PAK',
    ship_date: today,
    settings,
    parties: { sender, recipient: maria(), ...parties },
    parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })
const abroad = (country: string, given: Parameters<typeof sampleParty>[0] = {}) =>
  sampleParty({
    name: 'Joe Black',
    address1: '42 Street',
    postcode: country === 'US' ? '10001' : '1000',
    city: 'Town',
    country,
    email: 'joe@example.com',
    ...given,
  })
const line = (given: Partial<ParcelLine> = {}): ParcelLine => ({
  order_line_id: 1,
  sku: 'JKT',
  description: 'Jacket, nylon, men',
  quantity: 1,
  hs_code: '6201401000',
  origin: 'VN',
  value: { amount: 16_900, currency: 'EUR' },
  net_weight_g: 900,
  ...given,
})
const socks = line({
  sku: 'SOCK',
  description: 'Socks, cotton',
  quantity: 3,
  hs_code: '6115940000',
  origin: 'PT',
  value: { amount: 1_000, currency: 'EUR' },
  net_weight_g: 285,
})
const sale: CustomsData = { reason: 'sale', terms: null, numbers: [], documents: [] }
const toCustoms = (country: string, given: SampleBooking = {}) =>
  booking({
    method: 'V53WPAK',
    customs: sale,
    ...given,
    parties: { recipient: abroad(country) },
    parcel: { lines: [line(), socks], ...given.parcel },
  })

const at = (url: string): Courier => dhlAt({ live: { url }, test: { url: `${url}/sandbox` }, locations: { url } })

describeCourier(
  async () => {
    const fake = await openFakeDhl()
    return { courier: at(fake.server.url), server: fake.server, booked: () => fake.parcels.map(one => one.reference), close: fake.close }
  },
  { request: reference => booking({ reference }), secret: dhlAccount.password },
)

let fake: FakeDhl
let dhl: Courier
beforeAll(async () => {
  fake = await openFakeDhl()
  dhl = at(fake.server.url)
})
afterAll(() => fake.close())
const sent = () => fake.parcels.at(-1)?.order
const errors = (request: ReturnType<typeof booking>) =>
  [...capabilityFindings(dhl.capabilities, request), ...dhl.validate(request)].map(
    one => `${one.severity} ${one.code ?? '–'} ${one.field}: ${one.text}`,
  )

describe('what DHL is sent', () => {
  it('holds the parties, the billing number of the product, grams and whole centimetres', async () => {
    const recipient = maria({ company: 'Muster AG', attention: 'Maria', address2: 'Hinterhaus' })
    await dhl.book(booking({ parties: { recipient } }), never)
    expect(sent()).toEqual({
      product: 'V01PAK',
      billingNumber: '33333333330102',
      refNo: 'PKH-100023-1',
      costCenter: '100023',
      shipDate: today,
      shipper: {
        name1: 'Havnens Ting GmbH',
        name2: 'Havnens Ting',
        addressStreet: 'Sträßchensweg 10',
        postalCode: '53113',
        city: 'Bonn',
        country: 'DEU',
        email: 'shop@example.com',
      },
      // Without the phone number, which DHL does not take inside Germany.
      consignee: {
        name1: 'Muster AG',
        name2: 'Maria',
        name3: 'Hinterhaus',
        addressStreet: 'Kurt-Schumacher-Str. 20',
        postalCode: '53113',
        city: 'Bonn',
        country: 'DEU',
        email: 'maria@example.com',
      },
      details: { weight: { uom: 'g', value: 2400 }, dim: { uom: 'cm', length: 31, width: 20, height: 10 } },
    })
    const { query, headers } = fake.server.requests.at(-1) ?? {}
    expect(Object.fromEntries(query ?? [])).toMatchObject({ mustEncode: 'true', printFormat: '910-300-400', docFormat: 'PDF' })
    expect(headers?.['accept-language']).toBe('en-US')
  })

  it('names a phone number and the second line of the street abroad', async () => {
    const recipient = abroad('NL', { address2: '2. Floor', phone: '+31 88 8888888' })
    await dhl.book(booking({ method: 'V53WPAK', parties: { recipient } }), never)
    expect(sent()).toMatchObject({
      product: 'V53WPAK',
      billingNumber: '33333333335301',
      consignee: { additionalAddressInformation1: '2. Floor', phone: '+31888888888', country: 'NLD' },
    })
  })

  it('is a date that has not passed, and a reference of eight letters', async () => {
    await dhl.book(booking({ ship_date: '2026-01-05', reference: '1-7-1' }), never)
    expect(sent()).toMatchObject({ shipDate: today, refNo: '0001-7-1' })
  })

  it('names the services with their values', async () => {
    const services: ServiceChoice[] = [
      { code: 'namedPersonOnly', options: {} },
      { code: 'visualCheckOfAge', options: { age: 'A18' } },
      { code: 'preferredNeighbour', options: { neighbour: 'Meier next to us' } },
      { code: 'parcelOutletRouting', options: {} },
      { code: 'additionalInsurance', options: { amount: 2500 } },
      { code: 'identCheck', options: { first_name: 'Maria', last_name: 'Musterfrau', age: 'A16' } },
    ]
    await dhl.book(booking({ services }), never)
    expect(sent()?.services).toEqual({
      namedPersonOnly: true,
      visualCheckOfAge: 'A18',
      preferredNeighbour: 'Meier next to us',
      parcelOutletRouting: 'maria@example.com',
      additionalInsurance: { currency: 'EUR', value: 2500 },
      identCheck: { firstName: 'Maria', lastName: 'Musterfrau', minimumAge: 'A16' },
    })
    const out: ServiceChoice[] = [
      { code: 'endorsement', options: { action: 'ABANDON' } },
      { code: 'closestDropPoint', options: {} },
    ]
    await dhl.book(booking({ method: 'V53WPAK', services: out, parties: { recipient: abroad('NL') } }), never)
    expect(sent()?.services).toEqual({ endorsement: 'ABANDON', closestDropPoint: true })
  })

  it('goes to the sandbox where the account says so', async () => {
    await dhl.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ test: true })
  })
})

describe('a Packstation or a Postfiliale', () => {
  const point = (id: string) => ({ id, name: '', address1: '', postcode: '53113', city: 'Bonn', country: 'DE' })

  it('is the address, with the post number that the recipient wrote', async () => {
    const recipient = maria({ address2: 'Postnummer 12345678' })
    await dhl.book(booking({ method: 'V01PAK_POINT', service_point: point('Packstation 145'), parties: { recipient } }), never)
    expect(sent()).toMatchObject({ product: 'V01PAK' })
    const name = 'Maria Musterfrau'
    const common = { name, postalCode: '53113', city: 'Bonn', country: 'DEU' }
    expect(sent()?.consignee).toEqual({ ...common, lockerID: 145, postNumber: '12345678' })
    await dhl.book(booking({ service_point: point('Postfiliale 502') }), never)
    expect(sent()?.consignee).toEqual({ ...common, retailID: 502, email: 'maria@example.com' })
  })

  it('is read from the address where it stands there', async () => {
    const recipient = maria({ company: '12345678', address1: 'DHL Packstation 145' })
    await dhl.book(booking({ parties: { recipient } }), never)
    expect(sent()?.consignee).toMatchObject({ name: 'Maria Musterfrau', lockerID: 145, postNumber: '12345678' })
  })

  it('needs the post number, its postcode and a number of DHL', () => {
    expect(errors(booking({ service_point: point('Packstation 145') }))).toEqual([
      'error post_number_missing recipient.address2: A Packstation needs the DHL customer number of the recipient: 6 to 10 digits in the second line of the address',
    ])
    const unusable =
      'error service_point_incomplete service_point: DHL needs a point such as “Packstation 145”, with its postcode and city. Select it again.'
    expect(errors(booking({ service_point: { ...point('Packstation 145'), postcode: '' } }))).toEqual([unusable])
    expect(errors(booking({ service_point: point('8003-4100502') }))).toEqual([unusable])
    expect(errors(booking({ service_point: point('Postfiliale 123') }))).toEqual([unusable])
    expect(errors(booking({ method: 'V01PAK_POINT' }))).toEqual([
      'error service_point_missing service_point: {{method}} needs a parcel shop. Select one.',
    ])
    expect(errors(booking({ service_point: point('Postfiliale 502'), parties: { recipient: maria({ email: null }) } }))).toEqual([
      'error email_missing recipient.email: {{courier}} needs an email address of the recipient',
    ])
  })

  it('cannot be chosen abroad', () => {
    expect(errors(booking({ method: 'V53WPAK', service_point: point('1'), parties: { recipient: abroad('NL') } }))).toContain(
      'warning – service_point: {{method}} brings the parcel to the address, not to the parcel shop',
    )
  })
})

describe('customs', () => {
  it('get values and weights of one piece, and the fee that the recipient paid', async () => {
    const { parcels } = await dhl.book(
      toCustoms('US', { customs: { ...sale, terms: 'DDP', numbers: [{ kind: 'eori', value: 'DE1234567' }] } }),
      never,
    )
    expect(sent()?.services).toEqual({ postalDeliveryDutyPaid: true })
    const item = { itemDescription: 'Socks, cotton', hsCode: '6115940000', countryOfOrigin: 'PRT', itemWeight: { uom: 'g', value: 95 } }
    expect(sent()?.customs).toEqual({
      exportType: 'COMMERCIAL_GOODS',
      postalCharges: { currency: 'EUR', value: 14.49 },
      shipperCustomsRef: 'DE1234567',
      items: [
        {
          itemDescription: 'Jacket, nylon, men',
          hsCode: '6201401000',
          countryOfOrigin: 'VNM',
          packagedQuantity: 1,
          itemValue: { currency: 'EUR', value: 169 },
          itemWeight: { uom: 'g', value: 900 },
        },
        { ...item, packagedQuantity: 2, itemValue: { currency: 'EUR', value: 3.33 } },
        { ...item, packagedQuantity: 1, itemValue: { currency: 'EUR', value: 3.34 } },
      ],
    })
    const sum = sent()?.customs?.items.reduce((all, one) => all + one.packagedQuantity * one.itemValue.value * 100, 0)
    expect(Math.round(sum ?? 0)).toBe(17_900)
    const papers = parcels.flatMap(one => (one.ok ? one.documents : []))
    expect(papers.map(({ kind, format, paper }) => `${kind} ${format} ${paper}`)).toEqual(['label pdf label', 'cn23 pdf a4'])
  })

  it('take the fee of the booking before that of the settings, and say what other goods are', async () => {
    const services = [{ code: 'postalCharges', options: { amount: 9.5 } }]
    await dhl.book(toCustoms('CH', { services, customs: { ...sale, reason: 'other' } }), never)
    expect(sent()?.customs).toMatchObject({
      exportType: 'OTHER',
      exportDescription: 'Jacket, nylon, men, Socks, cotton',
      postalCharges: { currency: 'EUR', value: 9.5 },
    })
    expect(sent()).not.toHaveProperty('services')
  })

  it('name the terms of Europaket', async () => {
    await dhl.book(toCustoms('CH', { method: 'V54EPAK', customs: { ...sale, terms: 'DAP' } }), never)
    expect(sent()?.customs).toMatchObject({ shippingConditions: 'DAP' })
  })

  const cases: [string, ReturnType<typeof booking>, string][] = [
    ['no customs data', toCustoms('CH', { customs: null }), 'customs_data_missing customs'],
    ['no goods', toCustoms('CH', { parcel: { lines: [] } }), 'customs_lines_missing parcels.0.lines'],
    ['no value', toCustoms('CH', { parcel: { lines: [line({ value: null })] } }), 'line_value_missing parcels.0.lines.0.value'],
    [
      'no weight',
      toCustoms('CH', { parcel: { lines: [line({ net_weight_g: 0 })] } }),
      'line_weight_missing parcels.0.lines.0.net_weight_g',
    ],
    [
      'no words',
      toCustoms('CH', { parcel: { lines: [line({ description: ' ' })] } }),
      'line_description_missing parcels.0.lines.0.description',
    ],
    [
      'a short tariff number',
      toCustoms('CH', { parcel: { lines: [line({ hs_code: '6201' })] } }),
      'hs_code_invalid parcels.0.lines.0.hs_code',
    ],
    [
      'eight digits to the USA',
      toCustoms('US', { parcel: { lines: [line(), line({ hs_code: '62014010' })] } }),
      'hs_code_short parcels.0.lines.1.hs_code',
    ],
    [
      'two currencies',
      toCustoms('CH', { parcel: { lines: [line(), line({ value: { amount: 1, currency: 'NOK' } })] } }),
      'field_invalid parcels.0.lines',
    ],
    [
      'a currency without a fee',
      toCustoms('NO', { parcel: { lines: [line({ value: { amount: 1, currency: 'SEK' } })] } }),
      'shipping_fee_missing services',
    ],
    ['terms that DHL does not know', toCustoms('CH', { customs: { ...sale, terms: 'EXW' } }), 'field_invalid customs.terms'],
    [
      'a VOEC number',
      toCustoms('NO', { customs: { ...sale, numbers: [{ kind: 'voec', value: '2000000' }] } }),
      'number_not_carried customs.numbers.0.kind',
    ],
    [
      'two EORI numbers',
      toCustoms('NO', {
        customs: {
          ...sale,
          numbers: [
            { kind: 'eori', value: 'DE1' },
            { kind: 'eori', value: 'DE2' },
          ],
        },
      }),
      'number_not_carried customs.numbers.1.kind',
    ],
    [
      'more items than DHL takes, once prices are split',
      toCustoms('CH', { parcel: { lines: Array.from({ length: 60 }, () => socks) } }),
      'too_many_customs_lines parcels',
    ],
  ]
  it.each(cases)('with %s is refused before DHL is asked', (_, request, expected) => {
    expect(errors(request).map(one => one.split(':')[0])).toEqual([`error ${expected}`])
  })

  it('to the USA took shorter numbers until the day of the rule', () => {
    const lines = [line({ hs_code: '62014010' })]
    expect(errors(toCustoms('US', { ship_date: '2026-07-23', parcel: { lines } }))).toEqual([
      'warning – parcels.0.lines.0.hs_code: Customs of the USA need an HS code of 10 digits',
    ])
    expect(errors(toCustoms('US', { ship_date: '2026-07-24', parcel: { lines } }))[0]).toContain('error hs_code_short')
  })
})

describe('what DHL refuses', () => {
  const wrongStreet = maria({ address1: 'Existiert-Nicht-Str. 20' })

  it('inside an answer of status 200 is said in its own words at the field', async () => {
    await expect(dhl.book(booking({ parties: { recipient: wrongStreet } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'consignee.addressStreet: The street is not known in this place.',
      field: 'recipient.address1',
    })
    await expect(dhl.book(booking({ parties: { recipient: maria({ postcode: '5311' }) } }), never)).rejects.toMatchObject({
      field: 'recipient.postcode',
    })
  })

  it('of the form of a request is said too', async () => {
    await expect(dhl.book(booking({ parties: { sender: { ...sender, city: '' } } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: expect.stringContaining('shipper.city: '),
      field: 'sender.city',
    })
    await expect(dhl.book(booking({ settings: { ...settings, profile: 'OTHER' } }), never)).rejects.toMatchObject({
      message: 'The user group profile is unknown',
      field: null,
    })
    const services = [{ code: 'preferredDay', options: { day: 'tomorrow' } }]
    await expect(dhl.book(booking({ services }), never)).rejects.toMatchObject({ field: 'services' })
  })

  it('is found before it is asked', async () => {
    expect(errors(booking({ settings: { ...settings, billing_01: '' } }))).toEqual([
      'error billing_number_missing shipping_method: Enter the billing number of {{product}} in the settings of the courier',
    ])
    expect(errors(booking({ method: 'V62KP', parcel: { weight_g: 1_001 } }))[0]).toContain('error parcel_too_heavy')
    expect(errors(booking({ method: 'V53WPAK' }))[0]).toContain('error country_not_served')
    expect(errors(booking({ parties: { recipient: maria({ name: 'x'.repeat(51) }) } }))).toEqual([
      'warning – recipient.name: {{courier}} takes only the first {{limit}} letters',
    ])
    await expect(dhl.book(booking({ settings: { ...settings, billing_01: '' } }), never)).rejects.toMatchObject({
      message: 'Enter the billing number of Paket in the settings of the courier',
      code: 'billing_number_missing',
    })
  })
})

describe('a label', () => {
  const kinds = async (request: ReturnType<typeof booking>) => {
    const { parcels } = await dhl.book(request, never)
    return parcels.flatMap(one => (one.ok ? one.documents.map(({ kind, format, paper }) => `${kind} ${format} ${paper}`) : []))
  }

  it('comes as ZPL or on A4 beside the PDF where the printer wants it', async () => {
    expect(await kinds(booking({ label: { format: 'zpl' } }))).toEqual(['label pdf label', 'label zpl label'])
    expect(await kinds(booking({ label: { format: 'a4' } }))).toEqual(['label pdf label', 'label pdf a4'])
  })

  it('brings the label of the return', async () => {
    expect(await kinds(booking({ services: [{ code: 'dhlRetoure', options: {} }] }))).toEqual(['label pdf label', 'return_label pdf label'])
    expect(sent()?.services?.dhlRetoure).toMatchObject({
      billingNumber: '33333333330701',
      refNo: 'PKH-100023-1',
      returnAddress: { name1: 'Havnens Ting GmbH', country: 'DEU' },
    })
  })

  it('that is not in the answer is asked for once more', async () => {
    fake.withoutLabels = true
    expect(await kinds(booking())).toEqual(['label pdf label'])
    fake.withoutLabels = false
  })

  it('that does not come leaves the outcome to a person, with the number; a ZPL alone may be missing', async () => {
    fake.closed = true
    expect(await kinds(booking({ label: { format: 'zpl' } }))).toEqual(['label pdf label'])
    fake.withoutLabels = true
    await expect(dhl.book(booking(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^DHL has booked 0034043431042\d{7}, but its label did not come$/),
    })
    fake.withoutLabels = false
    fake.closed = false
  })
})

describe('a cancellation', () => {
  const booked = async () => {
    const { parcels } = await dhl.book(booking(), never)
    const [parcel] = parcels
    return { tracking_no: parcel?.ok ? parcel.tracking_no : '', settings }
  }

  it('deletes the parcel before the day is closed, and not after it', async () => {
    expect(await dhl.cancel(await booked(), never)).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: true })
    expect(fake.parcels.at(-1)).toMatchObject({ cancelled: true })
    const late = await booked()
    for (const parcel of fake.parcels) parcel.manifested = true
    expect(await dhl.cancel(late, never)).toEqual({ cancelled: false, cancelled_at_carrier: false, refunded: false })
  })

  it('without an answer that can be read is asked again', async () => {
    const parcel = await booked()
    fake.server.faults.push('html_200')
    await expect(dhl.cancel(parcel, never)).rejects.toMatchObject({
      name: 'CourierUnavailable',
    })
  })
})

describe('what DHL says', () => {
  it('of the billing numbers is heard in a dry run that stores nothing', async () => {
    const before = fake.parcels.length
    expect(await dhl.probe?.({ ...settings, billing_54: '', billing_66: '', billing_62: '' }, never)).toEqual({
      ok: true,
      words: 'V01PAK: The Webservice call ran successfully. · V53WPAK: The Webservice call ran successfully.',
    })
    expect(await dhl.probe?.({ ...settings, billing_62: '99999999996201' }, never)).toMatchObject({
      ok: false,
      words: expect.stringContaining('V62KP: billingNumber: The billing number is not valid.'),
    })
    expect(fake.parcels.length).toBe(before)
    await expect(dhl.probe?.({ ...settings, password: 'wrong' }, never)).rejects.toMatchObject({ name: 'CourierRefused' })
    expect(dhl.checkSettings?.({ key: 'x' })).toMatchObject([{ field: 'billing_01' }])
  })

  it('are the Packstationen and Postfilialen near by, with distance and hours', async () => {
    const shops = await dhl.parcelShops({ country: 'DE', postcode: '53113', address: 'Charles-de-Gaulle-Str. 20', settings }, never)
    expect(shops).toMatchObject([
      { id: 'Packstation 145', postcode: '53113', city: 'Bonn', distance_m: 52, opening_hours: ['Mon 00:00–23:59'] },
      { id: 'Postfiliale 502', distance_m: 255, opening_hours: ['Mon 09:00–12:30', 'Mon 14:00–18:00', 'Sat 09:00–13:00'] },
    ])
    expect(await dhl.parcelShops({ country: 'NL', postcode: '1071', address: null, settings }, never)).toEqual([])
    await expect(dhl.parcelShops({ country: 'DE', postcode: '00000', address: null, settings }, never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'The postal code is not valid in this country.',
    })
  })

  it('are the events of a parcel in our words of state, local times as in Germany', async () => {
    const { parcels } = await dhl.book(booking(), never)
    const [parcel] = parcels
    const tracking_no = parcel?.ok ? parcel.tracking_no : ''
    const events = await dhl.track({ tracking_no, settings }, never)
    expect(events.map(({ state, at: when, place }) => `${when} ${state} ${place ?? ''}`.trim())).toEqual([
      '2026-11-16T17:00:00.000Z booked',
      '2026-11-17T21:00:00.000Z in_transit Köln',
      '2026-11-18T08:00:00.000Z',
      '2026-11-18T13:05:00.000Z delivered Bonn',
    ])
    expect(await dhl.track({ tracking_no: 'unknown', settings }, never)).toEqual([])
  })
})

describe('a local time', () => {
  it('that comes twice in autumn is the second where the first would lie before the event before it', () => {
    const instants = instantsOf(['2026-10-25T02:45:00', '2026-10-25T02:30:00', '2026-10-25T03:10:00'])
    expect(instants.map(at => new Date(at ?? 0).toISOString())).toEqual([
      '2026-10-25T00:45:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T02:10:00.000Z',
    ])
  })

  it('that cannot be read is none', () => {
    expect(instantsOf(['', 'yesterday', '2026-18-02T07:53:47', '2026-03-02'])).toEqual([null, null, null, null])
    expect(instantsOf(['2026-03-02T07:53:47.123Z'])).toEqual([Date.parse('2026-03-02T07:53:47.123Z')])
  })
})
