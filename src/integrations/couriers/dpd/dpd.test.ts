/** DPD's META API, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { CourierRefused, CourierUnavailable, OutcomeUnknown } from '../courier.ts'
import { dpdAccount, type FakeDpd, openFakeDpd } from './dpd.fake.ts'
import { dpdAt } from './dpd.ts'

const never = new AbortController().signal
const settings = dpdAccount
const home = sampleParty({ email: 'aase@example.com' })
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'classic',
    settings,
    parties: { recipient: home, ...parties },
    parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })

describeCourier(
  async () => {
    const fake = await openFakeDpd()
    const host = { url: fake.server.url }
    return {
      courier: dpdAt({ live: host, test: host }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: settings.password },
)

let fake: FakeDpd
let other: FakeDpd
let dpd: ReturnType<typeof dpdAt>
beforeAll(async () => {
  fake = await openFakeDpd()
  other = await openFakeDpd()
  dpd = dpdAt({ live: { url: fake.server.url }, test: { url: other.server.url } })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const sent = () => fake.parcels.at(-1)?.body
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...home, ...given } } })

describe('what DPD is sent', () => {
  it('has whole grams as text, centimetres, both parties and the notice by mail', async () => {
    await dpd.book(booking(to({ company: 'Bjørn & Co', address2: 'Baghuset', country: 'DE', postcode: '10115', city: 'Berlin' })), never)
    expect(sent()).toEqual({
      numberOfParcels: '1',
      customerReferenceNumbers: ['100023'],
      shipmentInfos: { productCode: 'CL', weight: '2400' },
      sender: {
        customerInfos: { customerID: 'CUST001', customerAccountNumber: 'ACC123' },
        address: {
          name1: 'Havnens Ting ApS',
          companyName: 'Havnens Ting ApS',
          street: 'Kajgade 4',
          zipCode: '2100',
          city: 'København Ø',
          country: 'DK',
        },
        contact: expect.objectContaining({ contactPerson: 'Havnens Ting' }),
      },
      receiver: {
        address: {
          name1: 'Bjørn & Co',
          companyName: 'Bjørn & Co',
          street: 'Nørrebrogade 112, 3. tv',
          addressLine2: 'Baghuset',
          zipCode: '10115',
          city: 'Berlin',
          country: 'DE',
        },
        contact: expect.objectContaining({ contactPerson: 'Åse Bjørn Sørensen', email: 'aase@example.com' }),
        legalEntity: { businessType: 'B' },
      },
      parcel: [
        {
          parcelInfos: { weight: '2400', dimensions: { length: 31, width: 20, height: 10 } },
          senderParcelRefs: ['PKH-100023-1'],
          messages: [{ messageType: 'EMAIL', messageDestination: 'aase@example.com', messageLanguage: 'DA' }],
        },
      ],
    })
  })

  it('is the product of the method, as the business unit names it', async () => {
    await dpd.book(booking({ method: 'E12' }), never)
    expect(sent()?.shipmentInfos.productCode).toBe('E12')
    await dpd.book(booking({ settings: { ...settings, classic_code: '' } }), never)
    expect(sent()?.shipmentInfos.productCode).toBe('101')
  })

  it('goes with one login a day, with a new one where DPD takes the token no more, and to the test host', async () => {
    await dpd.book(booking(), never)
    const logins = fake.logins
    await dpd.book(booking(), never)
    expect(fake.logins).toBe(logins)
    fake.tokens.clear()
    const before = fake.parcels.length
    await dpd.book(booking(), never)
    expect([fake.logins, fake.parcels.length]).toEqual([logins + 1, before + 1])
    await dpd.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(other.parcels.length).toBe(1)
  })
})

describe('what DPD refuses', () => {
  it('is said in its own words, of a list or of one error', async () => {
    await expect(dpd.book(booking(to({ country: 'DE', postcode: '99999' })), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'No route to this postcode (RTE_7)',
    })
    await expect(dpd.book(booking({ settings: { ...settings, classic_code: 'X' } }), never)).rejects.toMatchObject({
      message: 'Product X is not allowed (PRD_002)',
    })
    await expect(dpd.book(booking({ settings: { ...settings, password: 'wrong' } }), never)).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is found before it is asked', async () => {
    const findings = (given: SampleBooking) => {
      const request = booking(given)
      return [...capabilityFindings(dpd.capabilities, request), ...dpd.validate(request)].map(one => `${one.severity} ${one.field}`)
    }
    expect(findings(to({ phone: null, email: null, city: '' }))).toEqual(['error recipient.phone', 'error recipient.city'])
    expect(findings(to({ country: 'NO', postcode: '0150', city: 'Oslo' }))).toEqual(['error recipient.country'])
    expect(findings(to({ address1: 'W'.repeat(40) }))).toEqual(['warning recipient.address1'])
    await expect(dpd.book(booking(to({ country: 'CH', postcode: '8001' })), never)).rejects.toMatchObject({ code: 'customs_not_offered' })
  })
})

describe('a booking', () => {
  it('has the number of the parcel and the barcode of its label', async () => {
    const { parcels } = await dpd.book(booking(), never)
    const number = fake.parcels.at(-1)?.number
    expect(parcels).toMatchObject([{ ok: true, tracking_no: number, barcode: `${number}101276K` }])
  })

  it('without a label leaves the outcome to a person, with the number', async () => {
    fake.withoutLabels = true
    const booked = dpd.book(booking(), never)
    await expect(booked).rejects.toBeInstanceOf(OutcomeUnknown)
    await expect(booked).rejects.toThrow(`DPD has booked ${fake.parcels.at(-1)?.number}, but its label did not come`)
    fake.withoutLabels = false
  })

  it('cannot be taken back', async () => {
    expect(await dpd.cancel({ tracking_no: '0150', settings }, never)).toMatchObject({ cancelled_at_carrier: false })
    expect(dpd.capabilities.cancel).toBe('no')
  })
})

it('the connection is tested by a login', async () => {
  expect(await dpd.probe?.(settings, never)).toEqual({ ok: true, words: 'DPD' })
  await expect(dpd.probe?.({ ...settings, login: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
  const silent = dpdAt({ live: { url: fake.server.url, fetch: async () => new Response('{}') }, test: { url: '' } })
  await expect(silent.probe?.(settings, never)).rejects.toBeInstanceOf(CourierUnavailable)
})
