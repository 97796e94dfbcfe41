/** Helthjem, through the courier interface and against its fake. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { type FakeHelthjem, helthjemAccount, openFakeHelthjem } from './helthjem.fake.ts'
import { helthjemAt } from './helthjem.ts'

const never = new AbortController().signal
const settings = { ...helthjemAccount, mode: 'live' }
const sender = sampleParty({
  name: 'Havnens Ting',
  company: 'Havnens Ting AS',
  address1: 'Toveien 19',
  postcode: '1540',
  city: 'Vestby',
  country: 'NO',
  phone: null,
})
const recipient = sampleParty({
  address1: 'Storgata 15A H0202',
  postcode: '0161',
  city: 'Oslo',
  country: 'NO',
  phone: '+47 21 34 56 78',
  email: 'aase@example.com',
})
const booking = ({ parties, parcel, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'home',
    settings,
    parties: { sender, recipient, ...parties },
    parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })
const point = (id: string) => ({
  id,
  name: 'Joker Toftes Gate',
  address1: 'TOFTES GATE 12',
  postcode: '0556',
  city: 'OSLO',
  country: 'NO',
})
const nowhere = { url: 'http://127.0.0.1:9' }
const at = ({ server: { url } }: FakeHelthjem) => helthjemAt({ live: { url }, test: nowhere })

describeCourier(
  async () => {
    const fake = await openFakeHelthjem()
    return { courier: at(fake), server: fake.server, booked: () => fake.parcels.map(one => one.reference), close: fake.close }
  },
  { request: reference => booking({ reference }), secret: helthjemAccount.client_secret },
)

let fake: FakeHelthjem
let helthjem: ReturnType<typeof helthjemAt>
beforeAll(async () => {
  fake = await openFakeHelthjem()
  helthjem = at(fake)
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.withoutLabels = false
  fake.terse = false
})
const sentences = (given: SampleBooking) => {
  const request = booking(given)
  return [...capabilityFindings(helthjem.capabilities, request), ...helthjem.validate(request)].map(
    one => `${one.severity} ${one.field}: ${one.text}`,
  )
}
const asked = (path: string) => fake.server.requests.filter(one => one.path.startsWith(path))
const sent = (path = '/parcels/v1/bookings') => JSON.parse(asked(path).at(-1)?.text ?? '{}')
const bookedParcel = async (given: SampleBooking = {}) => {
  const [parcel] = (await helthjem.book(booking(given), never)).parcels
  if (!parcel?.ok) throw new Error('Not booked')
  return parcel
}

describe('what Helthjem is sent', () => {
  it('holds the parties, grams and whole centimetres', async () => {
    await bookedParcel({ parties: { recipient: { ...recipient, instruction: 'Ring twice' } } })
    expect(sent()).toEqual({
      shopId: 16,
      transportSolutionId: 2,
      shipmentId: null,
      messageToCarrier: 'Ring twice',
      parties: [
        {
          type: 'consignee',
          name: 'Åse Bjørn Sørensen',
          address: 'Storgata 15A H0202',
          zipCode: '0161',
          postalName: 'Oslo',
          countryCode: 'NO',
          phone1: '+4721345678',
          email: 'aase@example.com',
          reference: '100023',
          contact: '',
        },
        {
          type: 'consignor',
          name: 'Havnens Ting AS',
          address: 'Toveien 19',
          zipCode: '1540',
          postalName: 'Vestby',
          countryCode: 'NO',
          phone1: '',
          email: '',
          reference: 'PKH-100023-1',
          contact: 'Havnens Ting',
        },
      ],
      items: [{ itemNumber: 1, trackingReference: '', weight: 2_400, length: 31, width: 20, height: 10 }],
    })
  })

  it('is the address on one line, with a name for the letter box apart', async () => {
    await bookedParcel({ parties: { recipient: { ...recipient, address2: 'Oppgang B' } } })
    expect(sent().parties[0]).toMatchObject({ address: 'Storgata 15A H0202, Oppgang B' })
    await bookedParcel({ parties: { recipient: { ...recipient, address2: 'c/o Kari Nordmann' } } })
    expect(sent().parties[0]).toMatchObject({ address: 'Storgata 15A H0202', coaddress: 'Kari Nordmann' })
  })

  it('is asked about the address before a booking to the door, and not before one to a parcel shop', async () => {
    const before = asked('/parcels/v1/addresses').length
    await bookedParcel()
    expect(sent('/parcels/v1/addresses')).toEqual({
      shopId: 16,
      transportSolutionId: 2,
      customerName: 'Åse Bjørn Sørensen',
      address: 'Storgata 15A H0202',
      zipCode: '0161',
      postalName: 'Oslo',
      countryCode: 'NO',
      weight: 2_400,
    })
    await bookedParcel({ method: 'parcel_shop' })
    expect(asked('/parcels/v1/addresses').length).toBe(before + 1)
  })

  it('names the parcel shop where one was chosen', async () => {
    await bookedParcel({ method: 'parcel_shop', service_point: point('30694') })
    expect(fake.parcels.at(-1)).toMatchObject({ solution: 86, point: '30694' })
    expect(sent().parties[2]).toEqual({
      type: 'servicePoint',
      id: '30694',
      countryCode: 'NO',
      name: 'Joker Toftes Gate',
      address: 'TOFTES GATE 12',
      zipCode: '0556',
      postalName: 'OSLO',
    })
    await bookedParcel({ method: 'parcel_shop' })
    expect(fake.parcels.at(-1)).toMatchObject({ solution: 86, point: null })
  })

  it('is booked with the transport solution of the agreement', async () => {
    await bookedParcel({ method: 'home_or_shop', parcel: { weight_g: 12_000 } })
    expect(fake.parcels.at(-1)).toMatchObject({ solution: 1, weight_g: 12_000 })
    await bookedParcel({ method: 'home_or_shop', settings: { ...settings, solution_home_or_shop: '114' } })
    expect(fake.parcels.at(-1)).toMatchObject({ solution: 114 })
  })

  it('goes to the test host where the account says so', async () => {
    const testing = helthjemAt({ live: nowhere, test: { url: fake.server.url } })
    const { parcels } = await testing.book(booking({ settings: { ...settings, mode: 'test' } }), never)
    expect(parcels).toMatchObject([{ ok: true }])
  })
})

describe('what Helthjem answers', () => {
  it('is the number of the shipment, and the code of the parcel as its label has it', async () => {
    const parcel = await bookedParcel()
    const { shipment, tracking_reference } = fake.parcels.at(-1) ?? { shipment: '', tracking_reference: '' }
    expect(`(401)${parcel.tracking_no}`).toBe(shipment)
    expect(parcel.barcode).toMatch(/^00370724763243\d{6}$/)
    expect(parcel.barcode).toBe(tracking_reference.replace('(00)', '00'))
    expect(asked('/parcels/v1/labels').at(-1)?.path).toBe(`/parcels/v1/labels/%28401%29${parcel.tracking_no}/unified-large`)
  })

  it('may be no more than the number of the shipment', async () => {
    fake.terse = true
    const parcel = await bookedParcel()
    expect(parcel.barcode).toBe(parcel.tracking_no)
  })

  it('tells the parcel apart from others by our reference', async () => {
    expect(await helthjem.book(booking({ reference: 'PKH-9-1' }), never)).toMatchObject({ reference: 'PKH-9-1' })
  })
})

describe('what Helthjem refuses', () => {
  it('is an address that it does not reach, before anything is booked', async () => {
    const before = fake.parcels.length
    const far = { ...recipient, postcode: '9990', city: 'Båtsfjord' }
    await expect(helthjem.book(booking({ parties: { recipient: far } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Helthjem does not deliver to this address with this shipping method (no.carrier.support)',
      field: 'recipient.address1',
    })
    expect(fake.parcels.length).toBe(before)
    await bookedParcel({ method: 'home_or_shop', parties: { recipient: far } })
  })

  it('is a shop that is not of the login', async () => {
    await expect(helthjem.book(booking({ settings: { ...settings, shop_id: '17' } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'The login may not book for the shop ID in the settings of Helthjem (no.access.shop.id)',
    })
    await expect(helthjem.book(booking({ method: 'parcel_shop', settings: { ...settings, shop_id: '17' } }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: expect.stringContaining('(no.access.shop.id)'),
    })
  })

  it('is said in its own words', async () => {
    await expect(helthjem.book(booking({ method: 'parcel_shop', service_point: point('1') }), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Unknown service point 1',
    })
    await expect(
      helthjem.book(booking({ method: 'parcel_shop', parties: { recipient: { ...recipient, email: 'aase' } } }), never),
    ).rejects.toMatchObject({ name: 'CourierRefused', message: expect.stringContaining('Invalid email address') })
  })

  it('is found before it is asked', () => {
    expect(sentences({})).toEqual([])
    expect(sentences({ parties: { recipient: { ...recipient, phone: null, email: null } } })).toEqual([
      'error recipient.phone: {{courier}} needs a phone number of the recipient',
      'error recipient.email: {{courier}} needs an email address of the recipient',
    ])
    const heavy = 'error parcels.0.weight_g: The parcel weighs {{weight}} kg; {{method}} takes {{limit}} kg at most'
    expect(sentences({ parcel: { weight_g: 5_000 } })).toEqual([])
    expect(sentences({ parcel: { weight_g: 5_001 } })).toEqual([heavy])
    expect(sentences({ method: 'parcel_shop', parcel: { weight_g: 20_000 } })).toEqual([])
    expect(sentences({ method: 'parcel_shop', parcel: { weight_g: 20_001 } })).toEqual([heavy])
    expect(sentences({ parties: { recipient: sampleParty({ email: 'aase@example.com' }) } })).toEqual([
      'error recipient.country: {{method}} does not go to or from {{country}}',
      'error sender.country: {{courier}} takes no customs data',
    ])
    expect(sentences({ parties: { recipient: { ...recipient, name: ' ', address1: '', city: '' } } })).toEqual([
      'error recipient.name: The recipient has no name',
      'error recipient.address1: The recipient has no address',
      'error recipient.city: The recipient has no city',
    ])
    expect(sentences({ parties: { sender: { ...sender, name: '', company: null, address1: '' } } })).toEqual([
      'error sender.name: The sender has no name',
      'error sender.address1: The sender has no address',
    ])
  })

  it('is only warned of where the parcel goes all the same', () => {
    expect(sentences({ parties: { recipient: { ...recipient, postcode: '016' } } })).toEqual([
      'warning recipient.postcode: The postcode {{postcode}} does not look like one of {{country}}',
    ])
    expect(sentences({ service_point: point('30694') })).toEqual([
      'warning service_point: {{method}} brings the parcel to the address, not to the parcel shop',
    ])
    expect(sentences({ parties: { recipient: { ...recipient, address1: 'x'.repeat(106), city: 'y'.repeat(36) } } })).toEqual([
      'warning recipient.address1: {{courier}} takes only the first {{limit}} letters',
      'warning recipient.city: {{courier}} takes only the first {{limit}} letters',
    ])
    expect(sentences({ parties: { recipient: { ...recipient, address1: 'x'.repeat(100), address2: 'abc' } } })).toEqual([])
    expect(sentences({ parties: { recipient: { ...recipient, address1: 'x'.repeat(100), address2: 'abcd' } } })).toEqual([
      'warning recipient.address2: {{courier}} takes only the first {{limit}} letters',
    ])
    expect(sentences({ parties: { recipient: { ...recipient, address1: 'x'.repeat(100), address2: 'c/o Kari Nordmann' } } })).toEqual([])
  })
})

describe('a label', () => {
  it('that does not come after the booking leaves the outcome to a person, with the number', async () => {
    fake.withoutLabels = true
    await expect(helthjem.book(booking(), never)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      message: expect.stringMatching(/^Helthjem has booked 70724763243\d{6}, but its label did not come$/),
    })
  })
})

describe('a login', () => {
  it('is made once for many questions', async () => {
    const own = at(fake)
    const before = fake.logins
    await own.book(booking(), never)
    await own.book(booking(), never)
    expect(fake.logins).toBe(before + 1)
  })

  it('that ended early is made anew for a question that books nothing', async () => {
    fake.expireTokens()
    const before = fake.logins
    await bookedParcel()
    expect(fake.logins).toBe(before + 1)
  })

  it('that ended early refuses a booking once, which is not repeated by itself', async () => {
    fake.expireTokens()
    const before = fake.parcels.length
    await expect(helthjem.book(booking({ method: 'parcel_shop' }), never)).rejects.toMatchObject({ name: 'CourierRefused' })
    expect(fake.parcels.length).toBe(before)
    await bookedParcel({ method: 'parcel_shop' })
  })

  it('is tested together with the shop', async () => {
    expect(await helthjem.probe?.(settings, never)).toEqual({ ok: true, words: 'Helthjem accepts the login and the shop ID' })
    expect(await helthjem.probe?.({ ...settings, solution_home: '86' }, never)).toMatchObject({ ok: true })
    expect(await helthjem.probe?.({ ...settings, shop_id: '17' }, never)).toMatchObject({
      ok: false,
      words: expect.stringContaining('(no.access.shop.id)'),
    })
    await expect(helthjem.probe?.({ ...settings, client_secret: 'wrong' }, never)).rejects.toMatchObject({ name: 'CourierRefused' })
  })
})

describe('what Helthjem tells', () => {
  it('are the parcel shops near by, once each, with their hours', async () => {
    const shops = await helthjem.parcelShops({ country: 'NO', postcode: '0155', address: 'Storgaten 11A', settings }, never)
    expect(sent('/parcels/v1/service-points')).toEqual({
      shopId: 16,
      transportSolutionId: 86,
      streetAddress: 'Storgaten 11A',
      zipCode: '0155',
      countryCode: 'NO',
    })
    const hours = ['Mon 07:00–23:00', 'Sat 09:00–21:00']
    const common = { postcode: '0155', city: 'OSLO', country: 'NO', distance_m: null, opening_hours: hours }
    expect(shops).toEqual([
      { id: '30694', name: 'Joker Toftes Gate', address1: 'TOFTES GATE 12', ...common },
      { id: '30700', name: 'Kiwi Sentrum', address1: 'STORGATA 9', ...common },
    ])
    expect(await helthjem.parcelShops({ country: 'SE', postcode: '11122', address: null, settings }, never)).toEqual([])
    await expect(helthjem.parcelShops({ country: 'NO', postcode: '0000', address: null, settings }, never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Invalid zipCode',
    })
  })

  it('are the events of a parcel in our words of state, local times as in Norway', async () => {
    const { tracking_no } = await bookedParcel()
    expect(await helthjem.track({ tracking_no, settings }, never)).toEqual([
      { state: 'booked', at: '2026-11-16T08:00:03.390Z', place: 'Testbutikken', text: 'Transport booked' },
      { state: '', at: '2026-11-16T08:01:00.000Z', place: null, text: 'Address collector sent' },
      { state: 'out_for_delivery', at: '2026-11-17T04:30:10.000Z', place: 'Oslo', text: 'Out for delivery' },
      { state: 'delivered', at: '2026-11-17T05:12:00.000Z', place: 'Oslo', text: 'Delivered: On the doormat' },
    ])
    expect(await helthjem.track({ tracking_no: 'unknown', settings }, never)).toEqual([])
  })

  it('is nothing of a cancellation', async () => {
    expect(await helthjem.cancel({ tracking_no: '1', settings }, never)).toEqual({
      cancelled: false,
      cancelled_at_carrier: false,
      refunded: false,
    })
  })
})
