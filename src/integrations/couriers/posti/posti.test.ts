/** Posti, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { CourierRefused, OutcomeUnknown } from '../courier.ts'
import { type FakePosti, openFakePosti, postiAccount } from './posti.fake.ts'
import { postiAt } from './posti.ts'

const never = new AbortController().signal
const settings = postiAccount
const home = sampleParty({ country: 'FI', postcode: '00100', city: 'Helsinki', phone: '040 1234567', email: 'aino@example.com' })
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'PO2103',
    settings,
    parties: { recipient: home, ...parties },
    parcel: { reserved_number: null, ...parcel },
    ...given,
  })
const hosts = (url: string) => ({ login: { url }, gateway: { url } })

describeCourier(
  async () => {
    const fake = await openFakePosti()
    const host = hosts(fake.server.url)
    return {
      courier: postiAt({ live: host, test: host }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.contents),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference, order_no: null }), secret: settings.gateway_secret },
)

let fake: FakePosti
let other: FakePosti
let posti: ReturnType<typeof postiAt>
beforeAll(async () => {
  fake = await openFakePosti()
  other = await openFakePosti()
  posti = postiAt({ live: hosts(fake.server.url), test: hosts(other.server.url) })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const sent = () => fake.parcels.at(-1)?.body
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...home, ...given } } })
const point = { id: '201200123', name: '', address1: '', postcode: '', city: '', country: 'FI' }

describe('what Posti is sent', () => {
  it('has both parties, kilograms, and the pickup point that was chosen', async () => {
    await posti.book(booking({ service_point: point }), never)
    expect(sent()).toEqual({
      senderPartners: [{ id: 'POSTI', custNo: '677503' }],
      sender: expect.objectContaining({ name: 'Havnens Ting ApS', address1: 'Kajgade 4', zipcode: '2100', country: 'DK' }),
      receiver: {
        name: 'Åse Bjørn Sørensen',
        address1: 'Nørrebrogade 112, 3. tv',
        zipcode: '00100',
        city: 'Helsinki',
        country: 'FI',
        phone: '+358401234567',
        email: 'aino@example.com',
      },
      agent: { quickId: '201200123' },
      service: { id: 'PO2103' },
      parcels: [{ copies: 1, weight: 2.4, packageCode: 'PKT', contents: '100023', valuePerParcel: true }],
    })
    await posti.book(booking(), never)
    expect(sent()).not.toHaveProperty('agent')
  })

  it('goes with a new token where the kept one ended, and to the demo', async () => {
    await posti.book(booking(), never)
    fake.tokens.clear()
    const before = fake.parcels.length
    await posti.book(booking(), never)
    expect(fake.parcels.length).toBe(before + 1)
    await posti.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(other.parcels.length).toBe(1)
  })
})

describe('what Posti refuses', () => {
  it('is said in its own words', async () => {
    await expect(posti.book(booking(to({ postcode: '99999' })), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'The postcode does not exist (VALIDATION_ERROR)',
    })
    await expect(posti.book(booking({ settings: { ...settings, client_secret: 'wrong' } }), never)).rejects.toBeInstanceOf(CourierRefused)
    await expect(posti.book(booking({ settings: { ...settings, gateway_secret: 'wrong' } }), never)).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is found before it is asked', async () => {
    const findings = (given: SampleBooking) => {
      const request = booking(given)
      return [...capabilityFindings(posti.capabilities, request), ...posti.validate(request)].map(one => `${one.severity} ${one.field}`)
    }
    expect(findings(to({ phone: null, email: null }))).toEqual(['error recipient.phone', 'error recipient.email'])
    expect(findings(to({ country: 'SE', postcode: '11453' }))).toEqual(['error recipient.country'])
    await expect(posti.book(booking(to({ city: '' })), never)).rejects.toMatchObject({ code: 'recipient_city_missing' })
  })
})

it('a label is fetched from Posti alone, and one that does not come leaves the outcome to a person', async () => {
  fake.storage = 'http://169.254.169.254/latest/meta-data'
  await expect(posti.book(booking(), never)).rejects.toBeInstanceOf(OutcomeUnknown)
  fake.storage = null
  fake.withoutLabels = true
  const booked = posti.book(booking(), never)
  await expect(booked).rejects.toBeInstanceOf(OutcomeUnknown)
  await expect(booked).rejects.toThrow(`Posti has booked ${fake.parcels.at(-1)?.number}, but its label did not come`)
  fake.withoutLabels = false
}, 15_000)

it('pickup points are near an address, the nearest first', async () => {
  const near = (postcode: string) => posti.parcelShops({ country: 'FI', postcode, address: null, settings }, never)
  expect(await near('00100')).toEqual([
    {
      id: '201200123',
      name: 'K-Market Kamppi',
      address1: 'Annankatu 18',
      postcode: '00100',
      city: 'Helsinki',
      country: 'FI',
      distance_m: 310,
      opening_hours: [],
      locker: true,
    },
  ])
  expect(await near('99999')).toEqual([])
})

it('pickup points of a whole country are read page by page to the end', async () => {
  const points = await posti.allShops?.read({ country: 'FI', settings }, never)
  expect(points?.map(one => [one.id, one.postcode, one.locker])).toEqual([
    ['201200120', '00100', true],
    ['201200121', '00120', false],
    ['201200122', '20100', true],
    ['201200123', '33100', false],
    ['201200124', '90100', true],
  ])
})

it('the connection is tested by a login', async () => {
  expect(await posti.probe?.(settings, never)).toEqual({ ok: true, words: 'Posti' })
  await expect(posti.probe?.({ ...settings, client_id: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
})
