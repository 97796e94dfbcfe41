/** PostNord, through the courier interface and against its fake. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleLabel, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import type { Booking, BookingRequest, CustomsData, ParcelLine } from '../courier.ts'
import { type FakePostnord, openFakePostnord, postnordAccount } from './postnord.fake.ts'
import { postnordAt } from './postnord.ts'

const never = new AbortController().signal
const settings = { ...postnordAccount, mode: 'live', vat_no: 'DK12345678' }
const recipient = sampleParty({ email: 'aase@example.com' })
const sender = { ...sampleLabel().sender, phone: '+45 70 10 20 30' }
const booking = ({ parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: '19',
    settings,
    parcel: { reserved_number: null, size_mm: [301, 200, 95] },
    parties: { sender, recipient, ...parties },
    ...given,
  })
const at = ({ server }: FakePostnord) => postnordAt({ live: { url: server.url }, test: { url: server.url } })

describeCourier(
  async () => {
    const fake = await openFakePostnord()
    return {
      courier: at(fake),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: postnordAccount.apikey },
)

let fake: FakePostnord
let postnord: ReturnType<typeof postnordAt>
beforeAll(async () => {
  fake = await openFakePostnord()
  postnord = at(fake)
})
beforeEach(() => {
  Object.assign(fake, { labels: 'all', customsPapers: true, tracked: true, crossed: null })
})
afterAll(() => fake.close())
const findings = (request: BookingRequest) =>
  [...capabilityFindings(postnord.capabilities, request), ...postnord.validate(request)].map(
    one => `${one.severity} ${one.field} ${one.code}`,
  )
const sent = () => JSON.parse(fake.server.requests.findLast(one => one.path.endsWith('/edi/labels/pdf'))?.text ?? '{}').shipment[0]
const parcelOf = ({ parcels: [parcel] }: Booking) => {
  if (!parcel?.ok) throw new Error('The parcel is not booked')
  return parcel
}
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8')
const point = { id: '020001', name: 'Kiosk', address1: 'Torget 1', postcode: '8000', city: 'Aarhus C', country: 'DK' }

describe('what PostNord is sent', () => {
  it('holds the parties, kilograms, centimetres and the notices to the recipient', async () => {
    await postnord.book(booking(), never)
    expect(sent()).toMatchObject({
      service: { basicServiceCode: '19', additionalServiceCode: ['A3', 'A4'] },
      numberOfPackages: { value: 1 },
      totalGrossWeight: { value: 2.4, unit: 'KGM' },
      references: [{ referenceNo: 'PKH-100023-1', referenceType: 'CU' }],
      parties: {
        consignor: {
          issuerCode: 'Z11',
          partyIdentification: { partyId: '1234567890', partyIdType: '160' },
          party: { nameIdentification: { name: 'Havnens Ting', companyName: 'Havnens Ting ApS' } },
        },
        consignee: {
          party: {
            nameIdentification: { name: 'Åse Bjørn Sørensen' },
            address: { streets: ['Nørrebrogade 112, 3. tv'], postalCode: '2200', countryCode: 'DK' },
            contact: { emailAddress: 'aase@example.com', smsNo: '+4534412345' },
          },
        },
      },
      goodsItem: [{ items: [{ dimensions: { length: { value: 31 }, width: { value: 20 }, height: { value: 10 } } }] }],
    })
    expect(sent().parties).not.toHaveProperty('deliveryParty')
  })

  it('names the parcel shop that the recipient chose', async () => {
    await postnord.book(booking({ service_point: point }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ point: '020001', additional: ['A3', 'A4', 'A7'] })
  })

  it('has no notice where the service or the country takes none', async () => {
    const swedish = sampleParty({ country: 'SE', postcode: '111 52', email: 'anna@example.com' })
    await postnord.book(booking({ method: '17', settings: { ...settings, issuer: 'Z12' }, parties: { recipient: swedish } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ service: '17', additional: [] })
    expect(sent().parties.consignee.party.address.postalCode).toBe('11152')
    const faroese = sampleParty({ country: 'FO', postcode: '100', city: 'Tórshavn' })
    await postnord.book(booking({ method: '17', services: [{ code: '7', options: {} }], parties: { recipient: faroese } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ service: '17', additional: ['7'] })
  })

  it('is Return Drop Off for a return, from the customer to the shop and without a code on a phone', async () => {
    await postnord.book(booking({ operation: 'return', parties: { sender: recipient, recipient: sender } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ service: '24', additional: [] })
    expect(fake.server.requests.at(-1)).toMatchObject({ path: '/rest/shipment/v3/returns/edi/labels/pdf' })
    expect(fake.server.requests.at(-1)?.query.get('addQRCODE')).toBe('false')
    expect(sent().parties.consignor.party.nameIdentification.name).toBe('Åse Bjørn Sørensen')
  })

  it('says where an undelivered parcel goes back to', async () => {
    await postnord.book(booking({ parties: { return_to: sampleParty({ name: 'Returns', city: 'Odense' }) } }), never)
    expect(sent().parties.returnParty.party).toMatchObject({ nameIdentification: { name: 'Returns' }, address: { city: 'Odense' } })
  })

  it('goes to the host for tests, and is marked, where the account says so', async () => {
    const other = await openFakePostnord()
    const both = postnordAt({ live: { url: fake.server.url }, test: { url: other.server.url } })
    await both.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(other.parcels).toMatchObject([{ test: true }])
    await other.close()
  })

  it('keeps two long references apart', async () => {
    const long = 'x'.repeat(40)
    const first = await postnord.book(booking({ reference: `${long}1` }), never)
    await postnord.book(booking({ reference: `${long}2` }), never)
    const [one, two] = fake.parcels.slice(-2).map(({ reference }) => reference)
    expect(one).toHaveLength(35)
    expect(one).not.toBe(two)
    expect(first.reference).toBe(`${long}1`)
    expect(await postnord.find(booking({ reference: `${long}1` }), never)).toMatchObject({ parcels: [{ ok: true }] })
  })
})

describe('what PostNord refuses', () => {
  it('inside an answer of status 200 is said in its own words at the field', async () => {
    await expect(
      postnord.book(booking({ parcel: { weight_g: 1 }, settings: { ...settings, customer_no: '7' } }), never),
    ).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'The customer number is not known (CUSTOMER)',
    })
    await expect(postnord.book(booking({ parties: { recipient: { ...recipient, postcode: '99' } } }), never)).rejects.toMatchObject({
      message: 'Postal code 99 is not valid (POSTCODE)',
    })
  })

  it('with status 400 is said with its explanation, and without the key', async () => {
    const nameless = { ...recipient, city: '' }
    await expect(postnord.book(booking({ parties: { recipient: nameless } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: expect.stringMatching(/city[\s\S]*\(MANDATORY_FIELDS_MISSING\)$/),
    })
    const loud = postnordAt({
      live: { url: fake.server.url, fetch: async url => new Response(`Wrong: ${String(url)}`, { status: 400 }) },
      test: { url: fake.server.url },
    })
    const refusal = await loud.book(booking(), never).catch((error: Error) => error.message)
    expect(refusal).toContain('apikey=…')
    expect(refusal).not.toContain(postnordAccount.apikey)
  })

  it.each<[string, SampleBooking, string]>([
    [
      'a recipient who cannot be reached',
      { parties: { recipient: sampleParty({ phone: null }) } },
      'error recipient.phone contact_missing',
    ],
    ['a method of another country', { method: '32' }, 'error shipping_method shipping_method_not_offered'],
    [
      'a parcel abroad without a parcel shop',
      { parties: { recipient: { ...recipient, country: 'NO', postcode: '0150' } } },
      'error service_point service_point_missing',
    ],
    [
      'a Finnish agreement without a parcel shop',
      { settings: { ...settings, issuer: 'Z14' } },
      'error service_point service_point_missing',
    ],
    ['a parcel shop without its address', { service_point: { ...point, city: '' } }, 'error service_point service_point_missing'],
    ['a parcel shop with a home delivery', { method: '17', service_point: point }, 'warning service_point null'],
    ['a long street', { parties: { recipient: { ...recipient, address1: 'x'.repeat(51) } } }, 'warning recipient.address1 null'],
    ['a strange postcode', { parties: { recipient: { ...recipient, postcode: '99' } } }, 'warning recipient.postcode null'],
  ])('is found before it is asked: %s', (_, given, finding) => {
    expect(findings(booking(given))).toEqual([finding])
  })
})

describe('a parcel through customs', () => {
  const line = (given: Partial<ParcelLine> = {}): ParcelLine => ({
    order_line_id: null,
    sku: 'JKT',
    description: 'Jacket, woven polyester',
    quantity: 1,
    hs_code: '62014010',
    origin: 'VN',
    value: { amount: 320_000, currency: 'NOK' },
    net_weight_g: 900,
    ...given,
  })
  const socks = line({
    sku: 'SOCK',
    description: 'Socks, knitted cotton',
    quantity: 2,
    hs_code: '61159400',
    origin: 'PT',
    value: { amount: 15_840, currency: 'NOK' },
    net_weight_g: 190,
  })
  const customs: CustomsData = { reason: 'sale', terms: 'DAP', numbers: [{ kind: 'eori', value: 'DK12345678' }], documents: ['invoice'] }
  const norwegian = { ...recipient, country: 'NO', postcode: '0150', city: 'Oslo' }
  const abroad = ({ parties, parcel, ...given }: SampleBooking = {}) =>
    booking({
      customs,
      service_point: { ...point, country: 'NO', postcode: '0150' },
      parties: { recipient: norwegian, ...parties },
      parcel: { weight_g: 1_274, lines: [line(), socks], ...parcel },
      ...given,
    })

  it('is declared with a customs invoice whose lines add up to its total, which comes as a paper of its own', async () => {
    const { documents } = parcelOf(await postnord.book(abroad(), never))
    expect(sent().customsInvoice).toEqual({
      type: 'COMMERCIAL',
      declarationType: 'invoiceExportDeclaration',
      seller: {
        name: 'Havnens Ting ApS',
        streets: ['Kajgade 4'],
        city: 'København Ø',
        postalCode: '2100',
        countryCode: 'DK',
        contacts: { name: 'Havnens Ting', phoneNo: '+4570102030' },
        partyIdentification: { partyId: '1234567890', partyIdType: '160' },
        vatNo: 'DK12345678',
        eoriNo: 'DK12345678',
      },
      buyer: {
        name: 'Åse Bjørn Sørensen',
        streets: ['Nørrebrogade 112, 3. tv'],
        city: 'Oslo',
        postalCode: '0150',
        countryCode: 'NO',
        contacts: { name: 'Åse Bjørn Sørensen', phoneNo: '+4534412345', emailAddress: 'aase@example.com' },
      },
      invoice: { invoiceNo: '100023', shippingDate: '2026-11-16', reasonForExportation: '10000000', termsOfSale: 'DAP' },
      detailedDescription: [
        {
          quantity: 1,
          hsTariffNumber: '62014010',
          content: 'Jacket, woven polyester',
          countryOfOrigin: 'VN',
          netWeight: { value: 0.9, unit: 'KGM' },
          itemValue: { amount: 3200, currency: 'NOK' },
        },
        {
          quantity: 2,
          hsTariffNumber: '61159400',
          content: 'Socks, knitted cotton',
          countryOfOrigin: 'PT',
          netWeight: { value: 0.19, unit: 'KGM' },
          itemValue: { amount: 158.4, currency: 'NOK' },
        },
      ],
      totalGrossWeight: { value: 1.274, unit: 'KGM' },
      invoiceTotal: { amount: 3358.4, currency: 'NOK' },
    })
    expect(documents.map(({ kind, paper }) => `${kind} ${paper}`)).toEqual(['label label', 'invoice a4'])
    expect(documents.map(({ bytes }) => /% (\w+)/.exec(textOf(bytes))?.[1])).toEqual(['onlyLabels', 'onlyCustomsDeclarations'])
  })

  it('carries the numbers that are given before those of the account, and a pro forma invoice for a gift', async () => {
    const numbers = (['voec', 'ioss', 'vat'] as const).map((kind, i) => ({
      kind,
      value: ['2000000', 'IM1234567890', 'SE556677889901'][i] ?? '',
    }))
    const gift: CustomsData = { reason: 'gift', terms: null, numbers, documents: [] }
    const { documents } = parcelOf(
      await postnord.book(abroad({ customs: gift, settings: { ...settings, issuer: 'Z12', eori: 'SE5566778899' } }), never),
    )
    expect(sent().customsInvoice).toMatchObject({
      type: 'PROFORMA',
      voec: '2000000',
      ioss: 'IM1234567890',
      seller: { vatNo: 'SE556677889901', eoriNo: 'SE5566778899' },
      invoice: { reasonForExportation: '1000' },
    })
    expect(documents.map(({ kind }) => kind)).toEqual(['label', 'proforma'])
  })

  it('merges equal lines, of which PostNord takes 13', async () => {
    const kinds = Array.from({ length: 12 }, (_, i) => line({ description: `Kind ${i}` }))
    const lines = [...kinds, socks, { ...socks, sku: 'SOCK-2', quantity: 3 }]
    expect(findings(abroad({ parcel: { lines } }))).toEqual([])
    await postnord.book(abroad({ parcel: { lines } }), never)
    expect(sent().customsInvoice.detailedDescription).toHaveLength(13)
    expect(sent().customsInvoice.detailedDescription.at(-1)).toMatchObject({ quantity: 5, itemValue: { amount: 316.8 } })
    expect(findings(abroad({ parcel: { lines: [...lines, line({ description: 'Kind 12' })] } }))).toEqual([
      'error parcels too_many_customs_lines',
    ])
  })

  it.each<[string, SampleBooking, string]>([
    ['no line', { parcel: { lines: [] } }, 'error parcels.0.lines customs_line_incomplete'],
    ['no tariff number', { parcel: { lines: [line({ hs_code: null })] } }, 'error parcels.0.lines.0.hs_code customs_line_incomplete'],
    ['no origin', { parcel: { lines: [line({ origin: null })] } }, 'error parcels.0.lines.0.origin customs_line_incomplete'],
    [
      'no value',
      { parcel: { lines: [line({ value: { amount: 0, currency: 'NOK' } })] } },
      'error parcels.0.lines.0.value customs_line_incomplete',
    ],
    [
      'no net weight',
      { parcel: { lines: [line({ net_weight_g: null })] } },
      'error parcels.0.lines.0.net_weight_g customs_line_incomplete',
    ],
    [
      'two currencies',
      { parcel: { lines: [line(), line({ value: { amount: 1, currency: 'DKK' } })] } },
      'error parcels.0.lines field_invalid',
    ],
    ['other terms', { customs: { ...customs, terms: 'FCA' } }, 'error customs.terms field_invalid'],
    ['another paper', { customs: { ...customs, documents: ['proforma'] } }, 'error customs.documents.0 document_not_offered'],
    ['a paper of a letter', { customs: { ...customs, documents: ['cn22'] } }, 'error customs.documents.0 document_not_offered'],
    ['no VAT number', { settings: { ...settings, vat_no: '' } }, 'error customs.numbers field_invalid'],
    ['no phone of the sender', { parties: { sender: { ...sender, phone: null } } }, 'error sender.phone field_invalid'],
    ['no phone of the recipient', { parties: { recipient: { ...norwegian, phone: null } } }, 'error recipient.phone phone_missing'],
    ['a return', { operation: 'return' }, 'error operation operation_not_offered'],
  ])('is not booked with %s', async (_, given, finding) => {
    const request = abroad({ ...given, parties: { recipient: norwegian, ...given.parties } })
    expect(findings(request)).toEqual([finding])
    const before = fake.parcels.length
    await expect(postnord.book(request, never)).rejects.toMatchObject({ name: 'CourierRefused', field: finding.split(' ')[1] })
    expect(fake.parcels).toHaveLength(before)
  })

  it('without its invoice leaves the outcome to a look-up, with the number', async () => {
    fake.customsPapers = false
    await expect(postnord.book(abroad(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^PostNord has booked \d{20}, but its customs invoice did not come$/),
    })
    fake.customsPapers = true
  })
})

describe('a label', () => {
  it('that is not in the answer is fetched by its number', async () => {
    fake.labels = 'by_id'
    const { documents, tracking_no } = parcelOf(await postnord.book(booking(), never))
    expect(textOf(documents[0]?.bytes)).toContain(tracking_no)
  })

  it('that does not come at all leaves the outcome to a look-up, with the number', async () => {
    fake.labels = 'none'
    await expect(postnord.book(booking(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^PostNord has booked \d{20}, but its label did not come$/),
    })
  }, 15_000)

  it('comes as ZPL beside the PDF for a printer that takes it', async () => {
    const { documents, tracking_no } = parcelOf(await postnord.book(booking({ label: { format: 'zpl' } }), never))
    expect(documents.map(({ format }) => format)).toEqual(['pdf', 'zpl'])
    expect(textOf(documents[1]?.bytes)).toBe(`^XA^FD${tracking_no} Ø^FS^XZ`)
  })

  it('of another parcel is known by its reference', async () => {
    fake.crossed = 'PKH-9-9'
    expect((await postnord.book(booking(), never)).reference).toBe('PKH-9-9')
  })
})

describe('an unknown outcome', () => {
  it('is settled by the reference once tracking knows it, with the label', async () => {
    const request = booking({ reference: 'PKH-55-1' })
    fake.server.faults.push('mute')
    await expect(postnord.book(request, never)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
    const found = await postnord.find(request, never)
    expect(found && parcelOf(found)).toMatchObject({ tracking_no: fake.parcels.at(-1)?.number, documents: [{ kind: 'label' }] })
    expect(found?.reference).toBe('PKH-55-1')
    expect(JSON.stringify(found?.exchange)).not.toContain(postnordAccount.apikey)
  })

  it('is never taken for a no: neither while tracking does not know it, nor when several parcels have it', async () => {
    fake.tracked = false
    await expect(postnord.find(booking({ reference: 'PKH-56-1' }), never)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
    fake.tracked = true
    await postnord.book(booking({ reference: 'PKH-57-1' }), never)
    await postnord.book(booking({ reference: 'PKH-57-1' }), never)
    await expect(postnord.find(booking({ reference: 'PKH-57-1' }), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^PostNord knows several parcels with this reference: \d{20}, \d{20}$/),
    })
  })

  it.each([
    ['a failure with a number', { status: 'FAIL', ids: [{ idType: 'itemId', value: '00373500454540000001' }] }],
    ['a success without one', { status: 'OK', ids: [] }],
    ['another state', { status: 'PENDING', ids: null }],
  ])('is what %s is', async (_, shipment) => {
    const odd = postnordAt({
      live: { url: fake.server.url, fetch: async () => Response.json({ bookingResponse: { idInformation: [shipment] } }) },
      test: { url: fake.server.url },
    })
    await expect(odd.book(booking(), never)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  })
})

describe('what PostNord tells', () => {
  it('is whether its booking answers', async () => {
    expect(await postnord.probe?.(settings, never)).toEqual({ ok: true, words: 'PostNord: UP' })
    await expect(postnord.probe?.({ ...settings, apikey: 'wrong' }, never)).rejects.toMatchObject({ name: 'CourierRefused' })
  })

  it('are the parcel shops near an address, with hours from Monday on', async () => {
    const asked = { country: 'DK', postcode: '2200', address: 'Nørrebrogade 112, 3. tv', settings }
    expect(await postnord.parcelShops(asked, never)).toEqual([
      {
        id: '020001',
        name: 'Kiosk',
        address1: 'Torget 1',
        postcode: '2200',
        city: 'Solna',
        country: 'DK',
        distance_m: 1017,
        opening_hours: ['Mon 07:00–22:00', 'Sat 09:00–14:00'],
      },
    ])
    const { query } = fake.server.requests.at(-1) ?? {}
    expect([query?.get('streetName'), query?.get('streetNumber')]).toEqual(['Nørrebrogade', '112'])
    expect(await postnord.parcelShops({ ...asked, country: 'DE', postcode: '20095', address: null }, never)).toHaveLength(1)
  })

  it('is the parcel shop of the postcode where the address is not found, except in Denmark', async () => {
    const asked = { country: 'SE', postcode: '111 52', address: 'Nowhere', settings }
    expect(await postnord.parcelShops(asked, never)).toMatchObject([{ name: 'Default point', postcode: '11152' }])
    expect(await postnord.parcelShops({ ...asked, country: 'DK', postcode: '2200' }, never)).toEqual([])
    await expect(postnord.parcelShops({ ...asked, postcode: '' }, never)).rejects.toMatchObject({ message: 'Missing parameter (API-005)' })
  })

  it('are the events of a parcel in our words of state, at the clock of their place', async () => {
    const { tracking_no } = parcelOf(await postnord.book(booking(), never))
    const events = await postnord.track({ tracking_no, settings }, never)
    expect(events.map(({ state, at: time, place }) => `${time} ${state} ${place}`)).toEqual([
      '2026-11-16T10:00:00.000Z booked Odense',
      '2026-11-16T17:00:00.000Z in_transit Odense',
      '2026-11-17T07:30:00.000Z ready_for_pickup Turku',
      '2026-11-17T10:00:00.000Z  Turku',
      '2026-11-17T13:00:00.000Z delivered Turku',
    ])
    expect(await postnord.track({ tracking_no: 'unknown', settings }, never)).toEqual([])
  })

  it('cannot be cancelled', async () => {
    expect(await postnord.cancel({ tracking_no: '1', settings }, never)).toEqual({
      cancelled: false,
      cancelled_at_carrier: false,
      refunded: false,
    })
  })
})
