/** Bring, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { bringAccount, type FakeBring, openFakeBring } from './bring.fake.ts'
import { bringAt } from './bring.ts'

const never = new AbortController().signal
const settings = { ...bringAccount, client_url: 'https://shop.example', mode: 'live' }
const booking = (given: SampleBooking = {}) =>
  sampleBooking({ method: 'PICKUP_PARCEL', settings, parcel: { reserved_number: null, size_mm: [301, 200, 95] }, ...given })

describeCourier(
  async () => {
    const fake = await openFakeBring()
    return {
      courier: bringAt({ url: fake.server.url }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: bringAccount.key },
)

let fake: FakeBring
let bring: ReturnType<typeof bringAt>
beforeAll(async () => {
  fake = await openFakeBring()
  bring = bringAt({ url: fake.server.url })
})
afterAll(() => fake.close())
const sentences = (given: SampleBooking) => {
  const request = booking(given)
  return [...capabilityFindings(bring.capabilities, request), ...bring.validate(request)].map(
    one => `${one.severity} ${one.field}: ${one.text}`,
  )
}
const sent = () => JSON.parse(fake.server.requests.findLast(one => one.method === 'POST')?.text ?? '{}').consignments[0]

describe('what Bring is sent', () => {
  it('holds the parties, kilograms, centimetres and the notice to the recipient', async () => {
    await bring.book(booking({ parties: { recipient: sampleParty({ email: 'aase@example.com', phone: '+45 34 41 23 45' }) } }), never)
    expect(sent()).toMatchObject({
      correlationId: 'PKH-100023-1',
      purchaseOrder: '100023',
      parties: {
        sender: { name: 'Havnens Ting ApS', countryCode: 'dk', reference: 'PKH-100023-1' },
        recipient: { name: 'Åse Bjørn Sørensen', postalCode: '2200', contact: { email: 'aase@example.com', phoneNumber: '+4534412345' } },
      },
      product: {
        id: 'PICKUP_PARCEL',
        customerNumber: '6',
        additionalServices: [{ id: 'EVARSLING', email: 'aase@example.com', mobile: '+4534412345' }],
      },
      packages: [{ weightInKg: 2.4, dimensions: { lengthInCm: 31, widthInCm: 20, heightInCm: 10 } }],
    })
  })

  it('names the parcel shop that the recipient chose', async () => {
    const point = { id: '736431', name: 'Kiosk', address1: '', postcode: '', city: '', country: '' }
    await bring.book(booking({ service_point: point }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ point: '736431', product: 'PICKUP_PARCEL' })
  })

  it('is a return product for a return', async () => {
    await bring.book(booking({ operation: 'return' }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ product: 'PICKUP_PARCEL_RETURN' })
  })

  it('brings a code for a return that asks for one, and refuses it for a parcel on its way out', async () => {
    const plain = await bring.book(booking({ operation: 'return' }), never)
    expect(plain.parcels).toMatchObject([{ ok: true, qr_link: null }])
    const { parcels } = await bring.book(booking({ operation: 'return', qr: true }), never)
    expect(parcels).toMatchObject([{ ok: true, qr_link: `https://qr.bring.example/${fake.parcels.at(-1)?.number}` }])
    await expect(bring.book(booking({ qr: true }), never)).rejects.toMatchObject({ code: 'operation_not_offered' })
  })

  it('is marked as a test where the account says so', async () => {
    await bring.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(fake.parcels.at(-1)).toMatchObject({ test: true })
  })
})

describe('what Bring refuses', () => {
  it('is said in its own words at the field', async () => {
    const recipient = sampleParty({ postcode: '99' })
    await expect(bring.book(booking({ parties: { recipient } }), never)).rejects.toMatchObject({
      message: 'Postal code 99 is not valid (BOOK-INPUT-057-RECIPIENT)',
      field: 'recipient.postcode',
    })
    const point = { id: '0', name: '', address1: '', postcode: '', city: '', country: 'DK' }
    await expect(bring.book(booking({ service_point: point }), never)).rejects.toMatchObject({ field: 'service_point' })
  })

  it('is said as it stands where it cannot be read', async () => {
    const sender = sampleParty({ city: '' })
    await expect(bring.book(booking({ parties: { sender } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: expect.stringContaining('400 Unreadable request'),
    })
  })

  it('is found before it is asked', () => {
    expect(sentences({ parties: { recipient: sampleParty({ phone: null, email: null }) } })).toContain(
      'error recipient.phone: {{courier}} needs a phone number or an email address of the recipient',
    )
    expect(sentences({ parcel: { weight_g: 20_001 } })).toContain(
      'error parcels.0.weight_g: The parcel weighs {{weight}} kg; {{method}} takes {{limit}} kg at most',
    )
    expect(sentences({ parties: { recipient: sampleParty({ address1: 'x'.repeat(36) }) } })).toEqual([
      'warning recipient.address1: {{courier}} takes only the first {{limit}} letters',
    ])
  })
})

describe('a label', () => {
  it('that does not come after the booking leaves the outcome to a person, with the number', async () => {
    fake.withoutLabels = true
    await expect(bring.book(booking(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^Bring has booked 3704381012680\d{5}, but its label did not come$/),
    })
    fake.withoutLabels = false
  }, 15_000)

  it('is never fetched from inside our network', async () => {
    fake.storage = 'http://169.254.169.254/latest/meta-data'
    await expect(bring.book(booking(), never)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
    fake.storage = 'https://localhost/label.pdf'
    await expect(bring.book(booking(), never)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
    fake.storage = null
  })
})

describe('what Bring tells', () => {
  it('are the customer numbers of the user, which also test the connection', async () => {
    expect(await bring.customerNumbers?.(settings, never)).toMatchObject([{ customer_no: '6', name: 'Demo', country: 'DK' }])
    expect(await bring.probe?.(settings, never)).toEqual({ ok: true, words: 'Demo 6' })
    expect(await bring.probe?.({ ...settings, customer_no: '7' }, never)).toEqual({
      ok: false,
      words: 'The customer number is none of: 6',
    })
    await expect(bring.probe?.({ ...settings, key: 'wrong' }, never)).rejects.toMatchObject({ name: 'CourierRefused' })
  })

  it('are pickup points with distance and hours', async () => {
    const shops = await bring.parcelShops({ country: 'DK', postcode: '5000', address: 'Vestergade 2', settings }, never)
    expect(shops).toMatchObject([
      { id: '736431', name: 'Kiosk', distance_m: 400, opening_hours: ['Mon 07:00–22:00', 'Sat 09:00–14:00'] },
      { id: '736432', distance_m: 1_250 },
    ])
    await expect(bring.parcelShops({ country: 'DK', postcode: '0000', address: null, settings }, never)).rejects.toMatchObject({
      name: 'CourierRefused',
    })
  })

  it('are all pickup points of a country, with their place', async () => {
    const shops = await bring.allShops?.read({ country: 'DK', settings }, never)
    expect(shops).toMatchObject([
      { id: '736431', lat: 55.4, lng: 10.4, locker: false, distance_m: null },
      { id: '736432' },
      { id: '736433', postcode: '5200', locker: true },
    ])
  })

  it('are the events of a parcel in our words of state', async () => {
    const { parcels } = await bring.book(booking(), never)
    const [parcel] = parcels
    const tracking_no = parcel?.ok ? parcel.tracking_no : ''
    const events = await bring.track({ tracking_no, settings }, never)
    expect(events.map(({ state, at }) => `${at} ${state}`)).toEqual([
      '2026-11-18T13:05:00.000Z delivered',
      '2026-11-17T21:00:00.000Z in_transit',
      '2026-11-17T08:00:00.000Z ',
      '2026-11-16T17:00:00.000Z handed_over',
    ])
    expect(await bring.track({ tracking_no: 'unknown', settings }, never)).toEqual([])
  })

  it('says until when a parcel waits at its pickup point', async () => {
    const events = await bring.track({ tracking_no: 'TESTPACKAGEATPICKUPPOINT', settings }, never)
    expect(events.map(({ state, collect_by }) => [state, collect_by])).toEqual([
      ['ready_for_pickup', '2026-12-03'],
      ['handed_over', undefined],
    ])
  })

  it('cannot be cancelled', async () => {
    expect(await bring.cancel({ tracking_no: '1', settings }, never)).toEqual({
      cancelled: false,
      cancelled_at_carrier: false,
      refunded: false,
    })
  })
})
