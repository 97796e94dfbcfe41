/** Matkahuolto, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { hostileTexts, type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { CourierRefused, OutcomeUnknown } from '../courier.ts'
import { type FakeMatkahuolto, matkahuoltoAccount, openFakeMatkahuolto } from './matkahuolto.fake.ts'
import { matkahuoltoAt } from './matkahuolto.ts'

const never = new AbortController().signal
const settings = matkahuoltoAccount
const recipient = sampleParty({ country: 'FI', postcode: '00100', city: 'Helsinki', phone: '040 1234567', email: 'aino@example.com' })
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: '34',
    settings,
    parties: { recipient, ...parties },
    parcel: { reserved_number: null, ...parcel },
    ...given,
  })

describeCourier(
  async () => {
    const fake = await openFakeMatkahuolto()
    const host = { url: fake.server.url }
    return {
      courier: matkahuoltoAt({ live: host, test: host }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: settings.password },
)

let fake: FakeMatkahuolto
let other: FakeMatkahuolto
let matkahuolto: ReturnType<typeof matkahuoltoAt>
beforeAll(async () => {
  fake = await openFakeMatkahuolto()
  other = await openFakeMatkahuolto()
  matkahuolto = matkahuoltoAt({ live: { url: fake.server.url }, test: { url: other.server.url } })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const sent = () => fake.parcels.at(-1)?.fields
const point = { id: '2205', name: 'R-kioski Kamppi', address1: '', postcode: '', city: '', country: 'FI' }
const bookedNumber = async (given: SampleBooking = {}): Promise<string> => {
  const { parcels } = await matkahuolto.book(booking(given), never)
  return parcels[0]?.ok ? parcels[0].tracking_no : ''
}

describe('what Matkahuolto is sent', () => {
  it('has kilograms with a dot, the date as it writes it, both parties, and the point that was chosen', async () => {
    await bookedNumber({ method: '80', service_point: point })
    expect(sent()).toMatchObject({
      ShipmentType: 'N',
      MessageType: 'N',
      ShipmentDate: '16.11.2026',
      Weight: '2.4',
      Packages: '1',
      SenderId: settings.customer_no,
      SenderName1: 'Havnens Ting ApS',
      SenderReference: 'PKH-100023-1',
      ReceiverName1: 'Åse Bjørn Sørensen',
      ReceiverAddress: 'Nørrebrogade 112, 3. tv',
      ReceiverPostal: '00100',
      ReceiverContactNumber: '+358401234567',
      ProductCode: '80',
      DestinationPlaceCode: '2205',
      PayerCode: 'S',
      DocumentType: '10X15',
    })
    await bookedNumber()
    expect(sent()).not.toHaveProperty('DestinationPlaceCode')
  })

  it('stays one message whatever stands in an address', async () => {
    for (const written of hostileTexts.filter(one => one.trim() !== '')) {
      const name = written
      const before = fake.parcels.length
      await bookedNumber({ parties: { recipient: { ...recipient, name: `A${name}`, address1: written } } })
      expect(fake.parcels.length).toBe(before + 1)
      expect(sent()).toMatchObject({ ProductCode: '34', SenderId: settings.customer_no })
    }
    await bookedNumber({ parties: { recipient: { ...recipient, name: '</ReceiverName1><PayerCode>R</PayerCode>' } } })
    expect(sent()).toMatchObject({ ReceiverName1: '</ReceiverName1><PayerCode>R</PayerCode>', PayerCode: 'S' })
  })

  it('goes to the test host in test mode', async () => {
    await bookedNumber({ settings: { ...settings, mode: 'test' } })
    expect(other.parcels.length).toBe(1)
  })
})

describe('what Matkahuolto refuses', () => {
  it('is said in its own words, with its number and the field', async () => {
    await expect(bookedNumber({ method: '80', service_point: { ...point, id: '1' } })).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Unknown destination 1 (1013)',
      field: 'service_point',
    })
    await expect(bookedNumber({ settings: { ...settings, password: 'wrong' } })).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is found before it is asked', async () => {
    const findings = (given: SampleBooking) => {
      const request = booking(given)
      return [...capabilityFindings(matkahuolto.capabilities, request), ...matkahuolto.validate(request)].map(
        one => `${one.severity} ${one.field}`,
      )
    }
    expect(findings({ parties: { recipient: { ...recipient, phone: null } } })).toEqual(['error recipient.phone'])
    expect(findings({ method: '80' })).toEqual(['error service_point'])
    expect(findings({ parties: { recipient: { ...recipient, country: 'SE', postcode: '11453' } } })).toEqual(['error recipient.country'])
    await expect(bookedNumber({ parties: { recipient: { ...recipient, city: '' } } })).rejects.toMatchObject({
      code: 'recipient_city_missing',
    })
  })
})

it('a parcel whose label did not come with its booking is left to a person', async () => {
  fake.withoutLabels = true
  await expect(bookedNumber()).rejects.toBeInstanceOf(OutcomeUnknown)
  fake.withoutLabels = false
})

describe('a cancellation', () => {
  it('names the whole parcel again, and its success has the form of an error', async () => {
    const tracking_no = await bookedNumber()
    const asked = { tracking_no, settings, request: booking() }
    expect(await matkahuolto.cancel(asked, never)).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: false })
    expect(fake.parcels.find(one => one.number === tracking_no)?.live).toBe(false)
    expect(await matkahuolto.cancel(asked, never)).toMatchObject({ cancelled: false })
  })

  it('is not made of a parcel that moves, or whose recipient was erased', async () => {
    const tracking_no = await bookedNumber()
    const erased = booking({ parties: { recipient: { ...recipient, name: '' } } })
    expect(await matkahuolto.cancel({ tracking_no, settings, request: erased }, never)).toMatchObject({ cancelled: false })
    expect(await matkahuolto.cancel({ tracking_no, settings }, never)).toMatchObject({ cancelled: false })
    fake.parcels.find(one => one.number === tracking_no)?.events.push(['15', '2026-11-16T18:00:00', 'Helsinki'])
    expect(await matkahuolto.cancel({ tracking_no, settings, request: booking() }, never)).toMatchObject({ cancelled: false })
  })
})

it('events are read with their state and the time of Finland, and those of other parcels are not', async () => {
  const tracking_no = await bookedNumber()
  fake.parcels
    .find(one => one.number === tracking_no)
    ?.events.push(['50', '2026-11-18T09:30:00', 'R-kioski Kamppi'], ['777', '2026-11-18T10:00:00+02:00', ''])
  expect(await matkahuolto.track({ tracking_no, settings }, never)).toEqual([
    { state: 'booked', at: '2026-11-16T08:00:00.000Z', place: 'Helsinki', text: 'Advance notice received' },
    { state: 'ready_for_pickup', at: '2026-11-18T07:30:00.000Z', place: 'R-kioski Kamppi', text: 'Ready to be collected' },
    { state: '', at: '2026-11-18T08:00:00.000Z', place: null, text: '777' },
  ])
  expect(await matkahuolto.track({ tracking_no: 'MH1', settings }, never)).toEqual([])
})

it('offices are found by postcode, and none is an empty list', async () => {
  const near = (postcode: string, country = 'FI') => matkahuolto.parcelShops({ country, postcode, address: null, settings }, never)
  expect(await near('04300')).toEqual([
    {
      id: '4410',
      name: 'S-market Tuusula',
      address1: 'Hyryläntie 4',
      postcode: '04300',
      city: 'TUUSULA',
      country: 'FI',
      distance_m: null,
      opening_hours: [],
    },
  ])
  expect(await near('99999')).toEqual([])
  expect(await near('2200', 'DK')).toEqual([])
})

it('the connection is tested by a search and by the login', async () => {
  expect(await matkahuolto.probe?.(settings, never)).toEqual({ ok: true, words: 'R-kioski Kamppi, 00100 HELSINKI' })
  await expect(matkahuolto.probe?.({ ...settings, customer_no: '1' }, never)).rejects.toThrow('Login failed (1001)')
  await expect(matkahuolto.probe?.({ ...settings, password: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
})
