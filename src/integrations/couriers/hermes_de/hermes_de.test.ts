/** Hermes Germany, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleLabel, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { CourierRefused, OutcomeUnknown } from '../courier.ts'
import { type FakeHermes, hermesAccount, openFakeHermes } from './hermes_de.fake.ts'
import { hermesDeAt } from './hermes_de.ts'

const never = new AbortController().signal
const settings = hermesAccount
const place = { country: 'DE', postcode: '24937', city: 'Flensburg' }
const recipient = sampleParty({ ...place, name: 'Anna Lena Petersen', address1: 'Hauptstr. 12a, Hinterhaus', phone: '0151 23456789' })
const sender = { ...sampleLabel().sender, ...place, address1: 'Hafendamm 4' }
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'home',
    settings,
    parties: { sender, recipient, ...parties },
    parcel: { reserved_number: null, ...parcel },
    ...given,
  })
const hosts = (url: string) => ({ login: { url }, service: { url } })

describeCourier(
  async () => {
    const fake = await openFakeHermes()
    const host = hosts(fake.server.url)
    return {
      courier: hermesDeAt({ live: host, test: host }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.body.clientReference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference, order_no: null }), secret: settings.client_secret },
)

let fake: FakeHermes
let other: FakeHermes
let hermes: ReturnType<typeof hermesDeAt>
beforeAll(async () => {
  fake = await openFakeHermes()
  other = await openFakeHermes()
  hermes = hermesDeAt({ live: hosts(fake.server.url), test: hosts(other.server.url) })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const sent = () => fake.parcels.at(-1)?.body
const book = (given: SampleBooking = {}) => hermes.book(booking(given), never)
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...recipient, ...given } } })
const shop = { id: '70123', name: 'Kiosk', address1: '', postcode: '', city: '', country: 'DE' }

describe('what Hermes is sent', () => {
  it('has the house number apart, grams and millimetres, and tells the recipient by what is known', async () => {
    await book({ parcel: { size_mm: [300, 200, 100] } })
    expect(sent()).toEqual({
      clientReference: '100023',
      receiverName: { firstname: 'Anna Lena', lastname: 'Petersen' },
      receiverAddress: {
        street: 'Hauptstr.',
        houseNumber: '12a',
        zipCode: '24937',
        town: 'Flensburg',
        countryCode: 'DE',
        addressAddition: 'Hinterhaus',
      },
      receiverContact: { phone: '+4915123456789', mobile: '+4915123456789' },
      senderName: { firstname: '', lastname: 'Havnens Ting ApS' },
      senderAddress: expect.objectContaining({ street: 'Hafendamm', houseNumber: '4', addressAddition: 'Havnens Ting' }),
      parcel: { parcelClass: 'S', parcelWeight: 2400, productType: 'PARCEL', parcelDepth: 300, parcelWidth: 200, parcelHeight: 100 },
      service: { customerAlertService: { notificationType: 'SMS', notificationNumber: '+4915123456789' } },
    })
    await book(to({ email: 'anna@example.com' }))
    expect(sent()?.service.customerAlertService).toMatchObject({ notificationType: 'EMAIL_SMS', notificationEmail: 'anna@example.com' })
  })

  it('names the parcel shop that was chosen, the class of one parcel, and the services', async () => {
    await book({ method: 'parcel_shop', service_point: shop, services: [{ code: 'parcelClass', options: { size: 'L' } }] })
    expect(sent()).toMatchObject({
      parcel: { parcelClass: 'L' },
      service: {
        parcelShopDeliveryService: {
          psID: '70123',
          psSelectionRule: 'SELECT_BY_ID',
          psCustomerFirstName: 'Anna Lena',
          psCustomerLastName: 'Petersen',
        },
      },
    })
    await book({ services: [{ code: 'signatureService', options: {} }] })
    expect(sent()).toMatchObject({ service: { signatureService: true } })
  })

  it('goes to the integration hosts in test mode, and with a new token where the kept one ended', async () => {
    await book({ settings: { ...settings, mode: 'test' } })
    expect(other.parcels.length).toBe(1)
    const { parcels } = await book()
    const tracking_no = parcels[0]?.ok ? parcels[0].tracking_no : ''
    fake.tokens.clear()
    expect(await hermes.track({ tracking_no, settings }, never)).toHaveLength(2)
    fake.tokens.clear()
    // The first booking with an ended token is refused and not made; the next one logs in.
    await expect(book()).rejects.toBeInstanceOf(CourierRefused)
    await book()
  })
})

describe('what Hermes refuses', () => {
  it('is said in its own words with its code, whatever the status says', async () => {
    await expect(book({ method: 'parcel_shop', service_point: { ...shop, id: '0' } })).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'The parcel shop is not known (e031)',
    })
    await expect(book({ settings: { ...settings, client_secret: 'wrong' } })).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is found before it is asked', () => {
    const findings = (given: SampleBooking) => {
      const request = booking(given)
      return [...capabilityFindings(hermes.capabilities, request), ...hermes.validate(request)].map(one => `${one.severity} ${one.field}`)
    }
    expect(findings({})).toEqual([])
    expect(findings(to({ address1: 'Platz der Republik' }))).toEqual(['error recipient.address1'])
    expect(findings(to({ phone: null, email: null }))).toEqual(['error recipient.phone'])
    expect(findings(to({ country: 'AT', postcode: '1010' }))).toEqual(['error recipient.country'])
    expect(findings({ method: 'parcel_shop' })).toEqual(['error service_point'])
    expect(findings({ parties: { sender: sampleLabel().sender } })).toEqual(['error sender.country'])
  })
})

it('a parcel whose label did not come with its booking is left to a person', async () => {
  fake.withoutLabels = true
  await expect(book()).rejects.toBeInstanceOf(OutcomeUnknown)
  fake.withoutLabels = false
})

it('a parcel is not taken back, and its events are words', async () => {
  const { parcels } = await book()
  const tracking_no = parcels[0]?.ok ? parcels[0].tracking_no : ''
  expect(await hermes.cancel({ tracking_no, settings }, never)).toEqual({ cancelled: false, cancelled_at_carrier: false, refunded: false })
  expect(await hermes.track({ tracking_no, settings }, never)).toEqual([
    { state: '', at: '2026-11-16T07:30:00.000Z', place: 'Hermes Germany, Hamburg', text: 'The shipment has been notified.' },
    { state: '', at: '2026-11-17T09:15:00.000Z', place: null, text: 'The shipment has arrived.' },
  ])
  expect(await hermes.track({ tracking_no: 'H1', settings }, never)).toEqual([])
})

it('the connection is tested by a login', async () => {
  expect(await hermes.probe?.(settings, never)).toEqual({ ok: true, words: 'Hermes accepts the login' })
  await expect(hermes.probe?.({ ...settings, client_id: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
})
