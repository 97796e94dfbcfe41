/** FedEx, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleLabel, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { CourierRefused, type CustomsData, OutcomeUnknown, type ParcelLine } from '../courier.ts'
import { type FakeFedex, fedexAccount, openFakeFedex } from './fedex.fake.ts'
import { fedexAt } from './fedex.ts'

const never = new AbortController().signal
const settings = fedexAccount
const home = sampleParty({ country: 'DE', postcode: '10115', city: 'Berlin', phone: '+49 30 1234567' })
const sender = { ...sampleLabel().sender, phone: '+45 34 41 23 45' }
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'FEDEX_INTERNATIONAL_PRIORITY',
    settings,
    parties: { sender, recipient: home, ...parties },
    parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })

describeCourier(
  async () => {
    const fake = await openFakeFedex()
    const host = { url: fake.server.url }
    return {
      courier: fedexAt({ live: host, sandbox: host }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: settings.ship_secret },
)

let fake: FakeFedex
let other: FakeFedex
let fedex: ReturnType<typeof fedexAt>
beforeAll(async () => {
  fake = await openFakeFedex()
  other = await openFakeFedex()
  fedex = fedexAt({ live: { url: fake.server.url }, sandbox: { url: other.server.url } })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const sent = () => fake.parcels.at(-1)?.body.requestedShipment
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...home, ...given } } })
const numberOf = async (): Promise<string> => {
  const [parcel] = (await fedex.book(booking(), never)).parcels
  return parcel?.ok ? parcel.tracking_no : ''
}
const jacket: ParcelLine = {
  order_line_id: null,
  sku: 'JKT',
  description: 'Jacket, polyester',
  quantity: 3,
  hs_code: '62014010',
  origin: 'VN',
  value: { amount: 5800, currency: 'CHF' },
  net_weight_g: 900,
}
const sale: CustomsData = { reason: 'sale', terms: 'DAP', numbers: [], documents: [] }

describe('what FedEx is sent', () => {
  it('has both parties, kilograms and centimetres, and the account that pays', async () => {
    await fedex.book(booking(to({ company: 'Bjørn & Co', address2: 'Hinterhaus' })), never)
    expect(sent()).toEqual({
      shipDatestamp: '2026-11-16',
      pickupType: 'USE_SCHEDULED_PICKUP',
      serviceType: 'FEDEX_INTERNATIONAL_PRIORITY',
      packagingType: 'YOUR_PACKAGING',
      shipper: {
        contact: { personName: 'Havnens Ting', companyName: 'Havnens Ting ApS', phoneNumber: '4534412345' },
        address: { streetLines: ['Kajgade 4'], city: 'København Ø', postalCode: '2100', countryCode: 'DK' },
      },
      recipients: [
        {
          contact: { personName: 'Åse Bjørn Sørensen', companyName: 'Bjørn & Co', phoneNumber: '49301234567' },
          address: { streetLines: ['Nørrebrogade 112, 3. tv', 'Hinterhaus'], city: 'Berlin', postalCode: '10115', countryCode: 'DE' },
        },
      ],
      shippingChargesPayment: { paymentType: 'SENDER', payor: { responsibleParty: { accountNumber: { value: '740561073' } } } },
      labelSpecification: { imageType: 'PDF', labelStockType: 'PAPER_4X6', labelFormatType: 'COMMON2D' },
      requestedPackageLineItems: [
        {
          sequenceNumber: '1',
          weight: { units: 'KG', value: 2.4 },
          dimensions: { length: 31, width: 20, height: 10, units: 'CM' },
          customerReferences: [{ customerReferenceType: 'CUSTOMER_REFERENCE', value: 'PKH-100023-1' }],
        },
      ],
    })
    await fedex.book(booking(), never)
    expect(sent()?.recipients[0].address).toMatchObject({ residential: true })
  })

  it('declares goods with the value of the line, and duties by the terms', async () => {
    const abroad = { ...to({ country: 'CH', postcode: '8001', city: 'Zürich' }), parcel: { lines: [jacket] } }
    await fedex.book(booking({ ...abroad, customs: sale }), never)
    expect(sent()?.customsClearanceDetail).toEqual({
      dutiesPayment: { paymentType: 'RECIPIENT' },
      isDocumentOnly: false,
      totalCustomsValue: { amount: 58, currency: 'CHF' },
      commercialInvoice: { termsOfSale: 'DAP', shipmentPurpose: 'SOLD' },
      commodities: [
        {
          description: 'Jacket, polyester',
          countryOfManufacture: 'VN',
          harmonizedCode: '62014010',
          quantity: 3,
          quantityUnits: 'PCS',
          weight: { units: 'KG', value: 0.9 },
          unitPrice: { amount: 19.333333, currency: 'CHF' },
          customsValue: { amount: 58, currency: 'CHF' },
        },
      ],
    })
    await fedex.book(booking({ ...abroad, customs: { ...sale, terms: 'DDP' } }), never)
    expect(sent()?.customsClearanceDetail?.dutiesPayment).toMatchObject({ paymentType: 'SENDER' })
  })

  it('goes with a new token where the kept one ended, and to the sandbox', async () => {
    await fedex.book(booking(), never)
    fake.tokens.clear()
    const before = fake.parcels.length
    await fedex.book(booking(), never)
    expect(fake.parcels.length).toBe(before + 1)
    await fedex.book(booking({ settings: { ...settings, mode: 'sandbox' } }), never)
    expect(other.parcels.length).toBe(1)
  })
})

describe('what FedEx refuses', () => {
  it('is said in its own words', async () => {
    await expect(fedex.book(booking(to({ postcode: '99999' })), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Recipient postal code is not served (RECIPIENT.POSTALCODE.INVALID)',
    })
    await expect(fedex.book(booking({ settings: { ...settings, ship_secret: 'wrong' } }), never)).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is found before it is asked', async () => {
    const findings = (given: SampleBooking) => {
      const request = booking(given)
      return [...capabilityFindings(fedex.capabilities, request), ...fedex.validate(request)].map(one => `${one.severity} ${one.field}`)
    }
    expect(findings(to({ phone: null }))).toEqual(['error recipient.phone'])
    expect(findings(to({ phone: '123' }))).toEqual(['error recipient.phone'])
    expect(findings(to({ country: 'US', postcode: '10001' }))).toContain('error recipient.country')
    expect(findings(to({ country: 'CH', postcode: '8001' }))).toEqual(['error customs'])
    const bare = { ...jacket, value: null, net_weight_g: null, hs_code: '12' }
    const reason = { ...sale, reason: 'returned' as const, numbers: [{ kind: 'ioss' as const, value: 'IM2460000011' }] }
    expect(findings({ ...to({ country: 'CH', postcode: '8001' }), customs: reason, parcel: { lines: [bare] } })).toEqual([
      'error customs.numbers.0.kind',
      'error parcels.0.lines.0.value',
      'error parcels.0.lines.0.net_weight_g',
      'error parcels.0.lines.0.hs_code',
      'error customs.reason',
    ])
    await expect(fedex.book(booking(to({ city: ' ' })), never)).rejects.toMatchObject({ code: 'recipient_city_missing' })
  })
})

it('a label that does not come after the booking leaves the outcome to a person, with the number', async () => {
  fake.withoutLabels = true
  const booked = fedex.book(booking(), never)
  await expect(booked).rejects.toBeInstanceOf(OutcomeUnknown)
  await expect(booked).rejects.toThrow(`FedEx has booked ${fake.parcels.at(-1)?.number}, but its label did not come`)
  fake.withoutLabels = false
})

it('a parcel is cancelled until FedEx has it', async () => {
  const tracking_no = await numberOf()
  expect(await fedex.cancel({ tracking_no, settings }, never)).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: false })
  expect(fake.parcels.at(-1)?.cancelled).toBe(true)
  const second = await numberOf()
  const parcel = fake.parcels.at(-1)
  if (parcel) parcel.handedOver = true
  expect(await fedex.cancel({ tracking_no: second, settings }, never)).toMatchObject({ cancelled: false })
})

describe('tracking', () => {
  const scan = (date: string, eventType: string, city: string | null = null) => ({
    date,
    eventType,
    eventDescription: `Event ${eventType}`,
    scanLocation: city === null ? null : { city },
  })
  const track = (tracking_no: string, given = settings) => fedex.track({ tracking_no, settings: given }, never)

  it('has states by the codes of the scans, with the offset of each', async () => {
    fake.tracks.set('1', [
      {
        scanEvents: [
          scan('2026-11-18T12:01:00-07:00', 'DL', 'Berlin'),
          scan('2026-11-17T08:00:00+01:00', 'IT'),
          scan('2026-11-16T08:00:00+01:00', 'HA'),
        ],
      },
    ])
    expect(await track('1')).toEqual([
      { state: 'delivered', at: '2026-11-18T19:01:00.000Z', place: 'Berlin', text: 'Event DL' },
      { state: 'in_transit', at: '2026-11-17T07:00:00.000Z', place: null, text: 'Event IT' },
      { state: '', at: '2026-11-16T07:00:00.000Z', place: null, text: 'Event HA' },
    ])
  })

  it('is of the newest parcel where a number was given again', async () => {
    fake.tracks.set('2', [{ scanEvents: [scan('2024-01-01T08:00:00Z', 'DL')] }, { scanEvents: [scan('2026-11-17T08:00:00Z', 'PU')] }])
    expect(await track('2')).toMatchObject([{ state: 'handed_over' }])
  })

  it('takes a parcel that was carried for no cancelled one', async () => {
    fake.tracks.set('3', [{ scanEvents: [scan('2026-11-17T08:00:00Z', 'CA'), scan('2026-11-17T07:00:00Z', 'PU')] }])
    expect((await track('3')).map(one => one.state)).toEqual(['', 'handed_over'])
    fake.tracks.set('4', [{ scanEvents: [scan('2026-11-17T08:00:00Z', 'CA'), scan('2026-11-17T07:00:00Z', 'OC')] }])
    expect((await track('4')).map(one => one.state)).toEqual(['cancelled', 'booked'])
  })

  it('is empty for a number that FedEx does not know yet, and uses the keys of shipping where it has none', async () => {
    expect(await track('404')).toEqual([])
    await expect(track('1', { ...settings, track_id: '', track_secret: '' })).rejects.toBeInstanceOf(CourierRefused)
  })
})

it('the connection is tested with both key pairs', async () => {
  expect(await fedex.probe?.(settings, never)).toEqual({ ok: true, words: 'FedEx' })
  await expect(fedex.probe?.({ ...settings, track_secret: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
})
