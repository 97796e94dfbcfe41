/** UPS, through the courier interface and against its fake. */

import { inflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFNumber, PDFRawStream } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { readLabel } from '#test/label-reader.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import type { Booking, Courier, CustomsData, ParcelLine } from '../courier.ts'
import { labelPage } from './label-page.ts'
import { type FakeUps, fakeActivity, labelPicture, openFakeUps, upsAccount } from './ups.fake.ts'
import { upsAt } from './ups.ts'

const never = new AbortController().signal
const settings = { ...upsAccount, mode: 'live' }
const sender = sampleParty({
  name: 'Havnens Ting',
  company: 'Havnens Ting ApS',
  address1: 'Kajgade 4',
  postcode: '2100',
  city: 'København Ø',
})
const booking = ({ parties, parcel, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: '11',
    settings,
    parties: { sender, ...parties },
    parcel: { reserved_number: null, size_mm: [200, 301, 95], ...parcel },
    ...given,
  })
const line = (given: Partial<ParcelLine> = {}): ParcelLine => ({
  order_line_id: 1,
  sku: 'TEE',
  description: 'T-shirt, cotton',
  quantity: 1,
  hs_code: '61091000',
  origin: 'PT',
  value: { amount: 2_400, currency: 'GBP' },
  net_weight_g: 200,
  ...given,
})
const cap = line({ sku: null, description: 'Cap, cotton', hs_code: null, origin: null, value: { amount: 1_250, currency: 'GBP' } })
const sale: CustomsData = { reason: 'sale', terms: null, numbers: [], documents: [] }
const abroad = (country: string, given: Parameters<typeof sampleParty>[0] = {}) =>
  sampleParty({ name: 'Joe Black', address1: '42 Street', postcode: '1000', city: 'Town', country, email: 'joe@example.com', ...given })
const london = abroad('GB', { postcode: 'SW1A 1AA', city: 'London', phone: '+44 20 7946 0000' })
const toLondon = ({ parcel, ...given }: SampleBooking = {}) =>
  booking({ customs: sale, ...given, parties: { recipient: london }, parcel: { lines: [line(), cap], ...parcel } })

const at = (url: string): Courier => upsAt({ live: { url }, test: { url: `${url}/cie` } })

describeCourier(
  async () => {
    const fake = await openFakeUps()
    return { courier: at(fake.server.url), server: fake.server, booked: () => fake.parcels.map(one => one.reference), close: fake.close }
  },
  { request: reference => booking({ reference }), secret: upsAccount.client_secret },
)

let fake: FakeUps
let ups: Courier
beforeAll(async () => {
  fake = await openFakeUps()
  ups = at(fake.server.url)
})
afterAll(() => fake.close())
afterEach(() => Object.assign(fake, { label: 'picture', shape: 'list', withoutForm: false, activities: null, pickupByDate: null }))
const sent = () => fake.parcels.at(-1)?.shipment
const numberIn = ({ parcels: [parcel] }: Booking) => (parcel?.ok ? parcel.tracking_no : '')
const findings = (request: ReturnType<typeof booking>) =>
  [...capabilityFindings(ups.capabilities, request), ...ups.validate(request)].map(
    one => `${one.severity} ${one.code ?? '–'} ${one.field}: ${one.text}`,
  )

describe('what UPS is sent', () => {
  it('holds the parties, the account, kilograms and whole centimetres as text', async () => {
    await ups.book(booking({ parcel: { weight_g: 2_410 }, parties: { recipient: sampleParty({ email: 'aase@example.com' }) } }), never)
    const shop = {
      Name: 'Havnens Ting ApS',
      AttentionName: 'Havnens Ting',
      Phone: { Number: '4534412345' },
      Address: { AddressLine: ['Kajgade 4'], City: 'København Ø', PostalCode: '2100', CountryCode: 'DK' },
    }
    expect(sent()).toEqual({
      Description: 'Goods of order 100023',
      Shipper: { ...shop, ShipperNumber: 'A82D67' },
      ShipTo: {
        Name: 'Åse Bjørn Sørensen',
        AttentionName: 'Åse Bjørn Sørensen',
        Phone: { Number: '4534412345' },
        EMailAddress: 'aase@example.com',
        Address: {
          AddressLine: ['Nørrebrogade 112, 3. tv'],
          City: 'København N',
          PostalCode: '2200',
          CountryCode: 'DK',
          ResidentialAddressIndicator: '',
        },
      },
      ShipFrom: shop,
      PaymentInformation: { ShipmentCharge: [{ Type: '01', BillShipper: { AccountNumber: 'A82D67' } }] },
      Service: { Code: '11' },
      ReferenceNumber: [{ Value: 'PKH-100023-1' }, { Value: '100023' }],
      Package: [
        {
          Packaging: { Code: '02' },
          Dimensions: { UnitOfMeasurement: { Code: 'CM' }, Length: '31', Width: '20', Height: '10' },
          PackageWeight: { UnitOfMeasurement: { Code: 'KGS' }, Weight: '2.5' },
        },
      ],
    })
    expect(fake.server.requests.at(-1)?.headers).toMatchObject({
      transid: expect.stringMatching(/^[0-9a-f]{32}$/),
      transactionsrc: 'Pakhus',
    })
  })

  it('is a business address where the recipient is a company, and names the goods', async () => {
    const recipient = sampleParty({ company: 'Bogcaféen', address2: 'Baghuset' })
    await ups.book(booking({ parties: { recipient }, parcel: { lines: [line(), line(), cap] } }), never)
    expect(sent()).toMatchObject({
      Description: 'T-shirt, cotton, Cap, cotton',
      ShipTo: { Name: 'Bogcaféen', AttentionName: 'Åse Bjørn Sørensen', Address: { AddressLine: ['Nørrebrogade 112, 3. tv', 'Baghuset'] } },
    })
    expect(sent()?.ShipTo.Address).not.toHaveProperty('ResidentialAddressIndicator')
  })

  it.each([
    ['DK', 'dan'],
    ['SE', 'swe'],
    ['PL', 'pol'],
    ['LU', null],
  ])('asks for labels to %s in its letters', async (country, letters) => {
    await ups.book(booking({ parties: { recipient: country === 'DK' ? sampleParty() : abroad(country) } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ character_set: letters })
  })

  it('is a return label of which the shop is shipper and recipient', async () => {
    const customer = sampleParty({ phone: null })
    await ups.book(booking({ operation: 'return', parties: { sender: customer, recipient: sender }, parcel: { lines: [line()] } }), never)
    expect(sent()).toMatchObject({
      ReturnService: { Code: '9' },
      Shipper: { Name: 'Havnens Ting ApS', ShipperNumber: 'A82D67' },
      ShipTo: { Name: 'Havnens Ting ApS' },
      ShipFrom: { Name: 'Åse Bjørn Sørensen', Address: { PostalCode: '2200' } },
      Package: [{ Description: 'T-shirt, cotton' }],
    })
  })

  it('goes to the integration environment where the account says so', async () => {
    await ups.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ test: true })
  })
})

describe('customs', () => {
  const forms = () => sent()?.ShipmentServiceOptions?.InternationalForms

  it('get an invoice of all goods, which is kept to print', async () => {
    const numbers: CustomsData['numbers'] = [{ kind: 'eori', value: 'DK12345678' }]
    const { parcels } = await ups.book(
      toLondon({ customs: { ...sale, terms: 'DAP', numbers }, settings: { ...settings, vat_no: 'GB123456789', eori: 'DK99999999' } }),
      never,
    )
    const unit = (pieces: string, Value: string) => ({ Number: pieces, UnitOfMeasurement: { Code: 'PCS' }, Value })
    expect(forms()).toEqual({
      FormType: ['01'],
      OverridePaperlessIndicator: '',
      InvoiceNumber: '100023',
      InvoiceDate: '20261116',
      ReasonForExport: 'SALE',
      CurrencyCode: 'GBP',
      TermsOfShipment: 'DAP',
      Contacts: {
        SoldTo: {
          Name: 'Joe Black',
          AttentionName: 'Joe Black',
          Phone: { Number: '442079460000' },
          EMailAddress: 'joe@example.com',
          Address: { AddressLine: ['42 Street'], City: 'London', PostalCode: 'SW1A 1AA', CountryCode: 'GB' },
        },
      },
      Product: [
        {
          Description: ['T-shirt, cotton'],
          Unit: unit('1', '24.00'),
          PartNumber: 'TEE',
          CommodityCode: '61091000',
          OriginCountryCode: 'PT',
        },
        { Description: ['Cap, cotton'], Unit: unit('1', '12.50'), PartNumber: '2' },
      ],
    })
    const registration = { IDNumberCustomerRole: '06', IDNumberEncryptionIndicator: '0' }
    expect(sent()?.GlobalTaxInformation?.AgentTaxIdentificationNumber).toEqual([
      {
        AgentRole: '20',
        TaxIdentificationNumber: [
          {
            ...registration,
            IdentificationNumber: 'GB123456789',
            IDNumberIssuingCntryCd: 'GB',
            IDNumberPurposeCode: '01',
            IDNumberTypeCode: '0001',
          },
          {
            ...registration,
            IdentificationNumber: 'DK12345678',
            IDNumberIssuingCntryCd: 'DK',
            IDNumberPurposeCode: '02',
            IDNumberTypeCode: '0002',
          },
        ],
      },
    ])
    const papers = parcels.flatMap(one => (one.ok ? one.documents : []))
    expect(papers.map(({ kind, format, paper }) => `${kind} ${format} ${paper}`)).toEqual(['label pdf label', 'invoice pdf a4'])
  })

  it('see values of one piece that add up to those of the lines', async () => {
    const lines = [line({ quantity: 3, value: { amount: 1_000, currency: 'GBP' } }), line({ quantity: 2 })]
    await ups.book(toLondon({ parcel: { lines } }), never)
    const units = forms()?.Product.map(({ Unit }) => `${Unit.Number} × ${Unit.Value}`)
    expect(units).toEqual(['2 × 3.33', '1 × 3.34', '2 × 12.00'])
  })

  it('are paid by the sender where the terms say so', async () => {
    await ups.book(toLondon({ customs: { ...sale, terms: 'DDP', reason: 'other' } }), never)
    expect(sent()?.PaymentInformation.ShipmentCharge.map(one => one.Type)).toEqual(['01', '02'])
    expect(forms()).toMatchObject({ ReasonForExport: 'Any other reason', TermsOfShipment: 'DDP' })
  })

  it('leave the outcome to a person where the invoice does not come', async () => {
    fake.withoutForm = true
    await expect(ups.book(toLondon(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^UPS has booked 1ZA82D6711\d{8}, but its customs invoice did not come$/),
    })
  })

  it.each<[string, ReturnType<typeof booking>, string]>([
    ['no customs data', toLondon({ customs: null }), 'customs_data_missing customs'],
    ['no goods', toLondon({ parcel: { lines: [] } }), 'customs_lines_missing parcels.0.lines'],
    ['no value', toLondon({ parcel: { lines: [line({ value: null })] } }), 'line_value_missing parcels.0.lines.0.value'],
    ['a piece for nothing', toLondon({ parcel: { lines: [line({ quantity: 2_401 })] } }), 'line_value_missing parcels.0.lines.0.value'],
    ['no words', toLondon({ parcel: { lines: [line({ description: ' ' })] } }), 'line_description_missing parcels.0.lines.0.description'],
    ['a short tariff number', toLondon({ parcel: { lines: [line({ hs_code: '6109' })] } }), 'hs_code_invalid parcels.0.lines.0.hs_code'],
    [
      'two currencies',
      toLondon({ parcel: { lines: [line(), line({ value: { amount: 1, currency: 'DKK' } })] } }),
      'field_invalid parcels.0.lines',
    ],
    [
      'more products than an invoice has',
      toLondon({ parcel: { lines: Array.from({ length: 26 }, () => line({ quantity: 7 })) } }),
      'too_many_customs_lines parcels',
    ],
    ['terms that UPS does not know', toLondon({ customs: { ...sale, terms: 'DAT' } }), 'field_invalid customs.terms'],
    [
      'an IOSS number',
      toLondon({ customs: { ...sale, numbers: [{ kind: 'ioss', value: 'IM2080000000' }] } }),
      'number_not_carried customs.numbers.0.kind',
    ],
    [
      'a return through customs',
      booking({ operation: 'return', customs: sale, parties: { sender: london, recipient: sender } }),
      'operation_not_offered operation',
    ],
  ])('are found to be refused with %s', (_, request, wrong) => {
    expect(findings(request)).toContainEqual(expect.stringMatching(`^error ${wrong}:`))
  })

  it('are not needed in Northern Ireland', () => {
    const belfast = { ...london, postcode: 'BT1 1AA', city: 'Belfast' }
    expect(findings(booking({ parties: { recipient: belfast } }))).toEqual([])
  })
})

describe('what UPS refuses', () => {
  it('is said in its own words, at the field that they name', async () => {
    await expect(ups.book(booking({ parties: { recipient: sampleParty({ postcode: '99' }) } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Missing or invalid ShipTo postal code (120207)',
      field: 'recipient.postcode',
    })
    await expect(ups.book(booking({ settings: { ...settings, account: 'XXXXXX' } }), never)).rejects.toMatchObject({
      message: 'Missing or invalid shipper number (120100)',
      field: null,
    })
  })

  it('is found before it is asked', async () => {
    const recipient = sampleParty({ phone: null })
    expect(findings(booking({ parties: { recipient } }))).toEqual([
      'error phone_missing recipient.phone: {{courier}} needs a phone number of the recipient',
    ])
    expect(findings(booking({ parties: { sender: { ...sender, phone: null }, recipient: abroad('LU') } }))).toEqual([
      'error field_invalid sender.phone: {{courier}} needs a phone number of the sender for parcels abroad',
    ])
    expect(
      findings(booking({ customs: sale, parties: { recipient: abroad('US', { postcode: '10001' }) }, parcel: { lines: [line()] } })),
    ).toEqual(['error country_not_served recipient.country: {{method}} does not go to or from {{country}}'])
    expect(findings(booking({ method: '74', parties: { recipient: abroad('DE', { postcode: '53113' }) } }))).toEqual([
      'error country_not_served sender.country: {{method}} does not go to or from {{country}}',
    ])
    expect(findings(booking({ label: { format: 'zpl' } }))).toEqual([
      'error label_format_not_offered label.format: {{courier}} makes no labels in this format',
    ])
    const booked = fake.parcels.length
    const nameless = sampleParty({ name: ' ' })
    await expect(ups.book(booking({ parties: { recipient: nameless } }), never)).rejects.toMatchObject({
      message: 'The recipient has no name',
      field: 'recipient.name',
      code: 'recipient_name_missing',
    })
    expect(fake.parcels.length).toBe(booked)
  })

  it('is warned of where it takes only a part', () => {
    const point = { id: 'U12345678', name: 'Kiosk', address1: '', postcode: '', city: '', country: '' }
    const recipient = sampleParty({ address1: 'x'.repeat(36), postcode: '22' })
    expect(findings(booking({ service_point: point, parties: { recipient } }))).toEqual([
      'warning – recipient.postcode: The postcode {{postcode}} does not look like one of {{country}}',
      'warning – service_point: {{method}} brings the parcel to the address, not to the parcel shop',
      'warning – recipient.address1: {{courier}} takes only the first {{limit}} letters',
    ])
  })
})

describe('a login', () => {
  it('serves many calls, and is made anew where UPS does not take it any more', async () => {
    const before = fake.logins
    const parcel = await ups.book(booking(), never)
    expect(fake.logins).toBe(before)
    fake.revoke()
    const booked = fake.parcels.length
    await ups.book(booking(), never)
    expect(fake.parcels.length).toBe(booked + 1)
    expect(fake.logins).toBe(before + 1)
    fake.revoke()
    expect(await ups.track({ tracking_no: numberIn(parcel), settings }, never)).toHaveLength(5)
  })

  it('is tested, and refused with a wrong secret', async () => {
    const before = fake.logins
    expect(await ups.probe?.(settings, never)).toEqual({ ok: true, words: 'UPS accepts the client ID and the client secret' })
    expect(fake.logins).toBe(before + 1)
    const wrong = { ...settings, client_secret: 'wrong' }
    await expect(ups.probe?.(wrong, never)).rejects.toMatchObject({ name: 'CourierRefused' })
    await expect(ups.book(booking({ settings: wrong }), never)).rejects.toMatchObject({ name: 'CourierRefused' })
  })
})

describe('a label', () => {
  it('is a page of 4 × 6 inches', async () => {
    const { parcels } = await ups.book(booking(), never)
    const [parcel] = parcels
    const label = parcel?.ok ? parcel.documents[0] : undefined
    const pages = (await PDFDocument.load(label?.bytes ?? new Uint8Array())).getPages()
    expect(pages.map(page => page.getSize())).toEqual([{ width: 288, height: 432 }])
  })

  it('is drawn upright, with the bars of its number, and without what stands below it', async () => {
    const number = '1ZA82D671100000017'
    const page = (await labelPage(await labelPicture(number))) ?? new Uint8Array()
    expect(await readLabel(page)).toMatchObject([{ text: number, format: 'Code128' }])
    const { width, height, pixel } = await pictureIn(page)
    expect([width, height]).toEqual([800, 1_200])
    // The lower left corner of what lies on its side; none of the last inch.
    expect([pixel(0, 0), pixel(799, 0), pixel(0, 1_199), pixel(799, 1_199)]).toEqual([0, 255, 255, 255])
  })

  it('that stands upright stays as it is', async () => {
    const upright = await sharp(await labelPicture('1Z'))
      .rotate(90)
      .png()
      .toBuffer()
    const { width, height, pixel } = await pictureIn((await labelPage(upright)) ?? new Uint8Array())
    expect([width, height, pixel(0, 0), pixel(0, 1_199)]).toEqual([800, 1_200, 0, 255])
  })

  it('is none where UPS sends something else', async () => {
    expect(await labelPage(Buffer.from('^XA^XZ'))).toBeNull()
    expect(await labelPage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBeNull()
  })

  it.each(['broken', 'none'] as const)('that is %s leaves the outcome to a person, with the number', async label => {
    fake.label = label
    await expect(ups.book(booking(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^UPS has booked 1ZA82D6711\d{8}, but its label did not come$/),
    })
  })

  it('comes of one parcel, as a list or not', async () => {
    fake.shape = 'object'
    expect(numberIn(await ups.book(booking(), never))).toMatch(/^1Z/)
    fake.shape = 'two'
    await expect(ups.book(booking(), never)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  })
})

/** The one picture in a PDF. */
async function pictureIn(
  bytes: Uint8Array,
): Promise<{ width: number; height: number; pixel: (x: number, y: number) => number | undefined }> {
  const { context } = await PDFDocument.load(bytes)
  const [image] = context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream && object.dict.has(PDFName.of('Width')) ? [object] : []))
  if (!image) throw new Error('The page has no picture')
  const [width = 0, height = 0] = ['Width', 'Height'].map(key => image.dict.lookup(PDFName.of(key), PDFNumber).asNumber())
  const grey = inflateSync(image.contents)
  return { width, height, pixel: (x, y) => grey[y * width + x] }
}

describe('what UPS tells', () => {
  it('are the events of a parcel in our words of state, by the time of Greenwich', async () => {
    const tracking_no = numberIn(await ups.book(booking(), never))
    const events = await ups.track({ tracking_no, settings }, never)
    expect(events.map(({ state, at: time, place }) => `${time} ${state} ${place ?? '–'}`)).toEqual([
      '2026-11-18T13:05:00.000Z delivered Oslo',
      '2026-11-18T07:47:00.000Z out_for_delivery Oslo',
      '2026-11-17T23:00:00.000Z  Oslo',
      '2026-11-16T17:00:00.000Z handed_over København',
      '2026-11-16T09:00:00.000Z booked –',
    ])
    expect(events[0]?.text).toBe('DELIVERED')
  })

  it.each([
    ['5', 'in_transit'],
    ['012', 'in_transit'],
    ['057', 'in_transit'],
    ['037', 'out_for_delivery'],
    ['017', 'ready_for_pickup'],
    ['040', 'ready_for_pickup'],
    ['026', 'delivered'],
    ['064', 'delivery_failed'],
    ['013', 'needs_attention'],
    ['036', 'returning'],
    ['034', 'returned_to_sender'],
    ['000', ''],
    ['155', ''],
  ])('is by the code %s that a parcel is “%s”', async (code, state) => {
    fake.activities = [fakeActivity(code, 'I', '20261118', '130500', 'Words', 'Oslo')]
    const tracking_no = fake.parcels[0]?.number ?? ''
    expect(await ups.track({ tracking_no, settings }, never)).toMatchObject([{ state, text: 'Words' }])
  })

  it.each([
    ['20261203', '2026-12-03'],
    ['2026-12-03', '2026-12-03'],
    ['3 December', undefined],
    [null, undefined],
  ])('that waits in a parcel shop has the last day “%s” as %s', async (written, collect_by) => {
    fake.pickupByDate = written
    fake.activities = [
      fakeActivity('040', 'I', '20261118', '130500', 'Ready for customer pickup', 'Oslo'),
      fakeActivity('021', 'I', '20261118', '074700', 'Out For Delivery Today', 'Oslo'),
    ]
    const events = await ups.track({ tracking_no: fake.parcels[0]?.number ?? '', settings }, never)
    expect(events.map(one => [one.state, one.collect_by])).toEqual([
      ['ready_for_pickup', collect_by],
      ['out_for_delivery', undefined],
    ])
  })

  it('is that a parcel was taken back only where no one has scanned it', async () => {
    const tracking_no = fake.parcels[0]?.number ?? ''
    const taken = fakeActivity('007', 'MV', '20261117', '100000', 'Voided', '')
    const made = fakeActivity('003', 'M', '20261116', '100000', 'Label created', '')
    fake.activities = [taken, made]
    expect(await ups.track({ tracking_no, settings }, never)).toMatchObject([{ state: 'cancelled' }, { state: 'booked' }])
    fake.activities = [taken, fakeActivity('038', 'P', '20261116', '120000', 'Pickup Scan', ''), made]
    expect(await ups.track({ tracking_no, settings }, never)).toMatchObject([{ state: '' }, { state: 'handed_over' }, { state: 'booked' }])
  })

  it('is nothing of a parcel that it does not know, and of a time that is none', async () => {
    expect(await ups.track({ tracking_no: '1Z023E2X0214323462', settings }, never)).toEqual([])
    await expect(ups.track({ tracking_no: '1Z', settings }, never)).rejects.toMatchObject({ message: 'Invalid inquiry number (TV1002)' })
    fake.activities = [
      fakeActivity('011', 'D', '', '130500', 'Delivered', 'Oslo'),
      fakeActivity('011', 'D', '20261118', '', 'Delivered', 'Oslo'),
      fakeActivity('011', 'D', '20261399', '130500', 'Delivered', 'Oslo'),
    ]
    expect(await ups.track({ tracking_no: fake.parcels[0]?.number ?? '', settings }, never)).toEqual([])
  })
})

describe('a cancellation', () => {
  it('takes a parcel back once, and does not say that it costs nothing', async () => {
    const tracking_no = numberIn(await ups.book(booking(), never))
    expect(await ups.cancel({ tracking_no, settings }, never)).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: false })
    expect(fake.parcels.at(-1)).toMatchObject({ voided: true })
    expect(await ups.cancel({ tracking_no, settings }, never)).toEqual({ cancelled: false, cancelled_at_carrier: false, refunded: false })
  })

  it('whose answer makes no sense is to be repeated', async () => {
    const tracking_no = numberIn(await ups.book(booking(), never))
    fake.server.faults.push('html_200')
    await expect(ups.cancel({ tracking_no, settings }, never)).rejects.toMatchObject({ name: 'CourierUnavailable' })
  })
})
