/** DAO, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { type BookingRequest, CourierUnavailable, OutcomeUnknown } from '../courier.ts'
import { daoAccount, type FakeDao, openFakeDao } from './dao.fake.ts'
import { daoAt } from './dao.ts'

const never = new AbortController().signal
const settings = { ...daoAccount, sender_id: '', mode: 'live' }
const shop: NonNullable<BookingRequest['service_point']> = {
  id: '95784',
  name: 'Kiosk',
  address1: '',
  postcode: '',
  city: '',
  country: 'DK',
}
const booking = ({ parcel, ...given }: SampleBooking = {}) =>
  sampleBooking({ method: 'home', settings, parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel }, ...given })

describeCourier(
  async () => {
    const fake = await openFakeDao()
    return {
      courier: daoAt({ url: fake.server.url }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: daoAccount.key },
)

let fake: FakeDao
let dao: ReturnType<typeof daoAt>
beforeAll(async () => {
  fake = await openFakeDao()
  dao = daoAt({ url: fake.server.url })
})
afterAll(() => fake.close())

const findings = (given: SampleBooking) => {
  const request = booking(given)
  return [...capabilityFindings(dao.capabilities, request), ...dao.validate(request)].map(
    one => `${one.severity} ${one.field}: ${one.text}`,
  )
}
const sent = () => fake.parcels.at(-1)
const numberOf = async (given: SampleBooking = {}) => {
  const [parcel] = (await dao.book(booking(given), never)).parcels
  return parcel?.ok ? parcel.tracking_no : ''
}

describe('what DAO is sent', () => {
  it('has the recipient under the plain names, grams, centimetres and the next day', async () => {
    const recipient = sampleParty({
      company: 'Bjørn & Co',
      address2: 'c/o Skov',
      postcode: 'DK-2200',
      email: 'aase@example.com',
      phone: '+4534412345',
    })
    await dao.book(booking({ parties: { recipient } }), never)
    expect(sent()).toMatchObject({ script: '/DAODirekte/leveringsordre.php', reference: 'PKH-100023-1' })
    expect(sent()?.parameters).toEqual({
      kundeid: '1234',
      kode: 'abc9def8ghi7',
      format: 'json',
      postnr: '2200',
      adresse: 'Nørrebrogade 112, 3. tv, c/o Skov',
      navn: 'Bjørn & Co, Åse Bjørn Sørensen',
      mobil: '34412345',
      email: 'aase@example.com',
      faktura: 'PKH-100023-1',
      vaegt: '2400',
      l: '31',
      b: '20',
      h: '10',
      dato: '2026-11-17',
    })
  })

  it('names the parcel shop that the recipient chose, and 0 for the nearest', async () => {
    await dao.book(booking({ method: 'shop', service_point: shop }), never)
    expect(sent()).toMatchObject({ script: '/DAOPakkeshop/leveringsordre.php', parameters: { shopid: '95784', dato: '2026-11-17' } })
    await dao.book(booking({ method: 'nearest_shop', ship_date: '2026-12-31' }), never)
    expect(sent()).toMatchObject({ parameters: { shopid: '0', dato: '2027-01-01' } })
    await dao.book(booking({ method: 'nearest_shop', service_point: shop }), never)
    expect(sent()).toMatchObject({ parameters: { shopid: '95784' } })
  })

  it('asks for the same day instead of a date where that is chosen', async () => {
    await dao.book(booking({ services: [{ code: 'sameday', options: {} }] }), never)
    expect(sent()?.parameters).toMatchObject({ sameday: '1' })
    expect(sent()?.parameters.dato).toBeUndefined()
  })

  it('names the stored sender of the settings', async () => {
    await dao.book(booking({ settings: { ...settings, sender_id: '77' } }), never)
    expect(sent()?.parameters).toMatchObject({ afsenderid: '77' })
  })

  it('has no number from abroad, and no size where none is known', async () => {
    const recipient = sampleParty({ phone: '+46 70 123 45 67' })
    await dao.book(booking({ parties: { recipient }, parcel: { size_mm: null } }), never)
    expect(Object.keys(sent()?.parameters ?? {}).filter(key => ['mobil', 'l', 'b', 'h'].includes(key))).toEqual([])
  })

  it('is a return with a label from the customer to the company, whatever the method', async () => {
    const customer = sampleParty({ email: 'aase@example.com' })
    const company = sampleParty({ name: 'Havnens Ting', company: 'Havnens Ting ApS', phone: null, address1: 'Kajgade 4', postcode: '2100' })
    await dao.book(booking({ operation: 'return', parties: { sender: customer, recipient: company } }), never)
    expect(sent()?.script).toBe('/DAOPakkeshop/returordre.php')
    expect(sent()?.parameters).toEqual({
      kundeid: '1234',
      kode: 'abc9def8ghi7',
      format: 'json',
      type: 'withlabel',
      navn: 'Havnens Ting ApS, Havnens Ting',
      adresse: 'Kajgade 4',
      postnr: '2100',
      afsender: 'Åse Bjørn Sørensen',
      afs_mobil: '34412345',
      afs_email: 'aase@example.com',
      faktura: 'PKH-100023-1',
    })
  })
})

describe('a test booking', () => {
  const test = { settings: { ...settings, mode: 'test' } }

  it('is checked by DAO, orders nothing and says that there is no label', async () => {
    const before = fake.parcels.length
    await expect(dao.book(booking(test), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'DAO would take this parcel. Bookings are set to test, so there is no label.',
    })
    await expect(
      dao.book(booking({ ...test, parties: { recipient: sampleParty({ address1: 'Ukendt 1' }) } }), never),
    ).rejects.toMatchObject({
      message: 'Adressen findes ikke (110)',
    })
    expect(fake.parcels.length).toBe(before)
  })

  it('is never in doubt', async () => {
    fake.server.faults.push('mute', 'mute', 'mute')
    await expect(dao.book(booking(test), never)).rejects.toBeInstanceOf(CourierUnavailable)
    expect(fake.server.faults).toEqual([])
  })
})

describe('what DAO refuses', () => {
  it('is said in its own words, though the status of the answer is 200', async () => {
    const refused = (given: SampleBooking) => expect(dao.book(booking(given), never)).rejects
    await refused({ parties: { recipient: sampleParty({ address1: 'Ukendt 1' }) } }).toMatchObject({
      name: 'CourierRefused',
      message: 'Adressen findes ikke (110)',
    })
    await refused({ method: 'shop', service_point: { ...shop, id: '99999' } }).toMatchObject({ message: 'Pakkeshoppen findes ikke (120)' })
    await refused({ settings: { ...settings, key: 'wrong' } }).toMatchObject({ message: 'Ugyldig kundeid eller kode (100)' })
  })

  it('is found before it is asked', () => {
    const swedish = sampleParty({ country: 'SE', postcode: '111 22' })
    expect(findings({ parties: { recipient: swedish } })).toContain(
      'error recipient.country: {{method}} does not go to or from {{country}}',
    )
    expect(findings({ operation: 'return', parties: { sender: sampleParty(), recipient: swedish } })).toContain(
      'error recipient.country: {{method}} does not go to or from {{country}}',
    )
    expect(findings({ method: 'shop' })).toEqual(['error service_point: {{method}} needs a parcel shop. Select one.'])
    expect(findings({ parcel: { weight_g: 5_001 } })).toEqual([
      'error parcels.0.weight_g: The parcel weighs {{weight}} kg; {{method}} takes {{limit}} kg at most',
    ])
    expect(findings({ method: 'nearest_shop', parcel: { weight_g: 15_000 } })).toEqual([])
  })

  it('is not what it leaves out: that is a warning', () => {
    expect(
      findings({ parties: { recipient: sampleParty({ phone: '+46701234567', instruction: 'Ring the bell', postcode: '220' }) } }),
    ).toEqual([
      'warning recipient.postcode: The postcode {{postcode}} does not look like one of {{country}}',
      'warning recipient.phone: {{courier}} takes only Danish phone numbers and is not given this one',
      'warning recipient.phone: Without a Danish phone number or an email address {{courier}} cannot notify the recipient',
      'warning recipient.instruction: {{courier}} takes no note to the driver',
    ])
    expect(findings({ service_point: shop })).toEqual([
      'warning service_point: {{method}} brings the parcel to the address, not to the parcel shop',
    ])
  })
})

describe('a label', () => {
  it('that does not come after the booking leaves the outcome to a person, with the number', async () => {
    fake.withoutLabels = true
    const booked = dao.book(booking(), never)
    await expect(booked).rejects.toBeInstanceOf(OutcomeUnknown)
    await expect(booked).rejects.toThrow(/^DAO has booked 000571269\d{11}, but its label did not come$/)
    fake.withoutLabels = false
  })
})

describe('a cancellation', () => {
  it('is possible until the first scan', async () => {
    const tracking_no = await numberOf()
    expect(await dao.cancel({ tracking_no, settings }, never)).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: false })
    expect(sent()).toMatchObject({ cancelled: true })
    const scanned = await numberOf()
    fake.parcels.at(-1)!.scanned = true
    expect(await dao.cancel({ tracking_no: scanned, settings }, never)).toEqual({
      cancelled: false,
      cancelled_at_carrier: false,
      refunded: false,
    })
  })

  it('that was lost on the way is sent once more, and one without an answer leaves the label blocked', async () => {
    const lost = await numberOf()
    fake.server.faults.push('lost')
    expect(await dao.cancel({ tracking_no: lost, settings }, never)).toMatchObject({ cancelled_at_carrier: true })
    const mute = await numberOf()
    fake.server.faults.push('mute')
    expect(await dao.cancel({ tracking_no: mute, settings }, never)).toMatchObject({ cancelled_at_carrier: false })
    const garbled = await numberOf()
    fake.server.faults.push('html_200')
    await expect(dao.cancel({ tracking_no: garbled, settings }, never)).rejects.toBeInstanceOf(CourierUnavailable)
  })
})

describe('what DAO tells', () => {
  it('are parcel shops in Denmark, with distance and hours', async () => {
    const near = (country: string, postcode: string) => dao.parcelShops({ country, postcode, address: 'Vestergade 2', settings }, never)
    expect(await near('DK', 'DK-7100')).toEqual([
      {
        id: '95784',
        name: 'Kiosk',
        address1: 'Torvet 1',
        postcode: '7100',
        city: 'Vejle',
        country: 'DK',
        distance_m: 400,
        opening_hours: ['Mon 08:00–22:00', 'Tue 08:00–22:00'],
      },
      expect.objectContaining({ id: '95785', distance_m: 2_652 }),
    ])
    expect(await near('SE', '11122')).toEqual([])
    await expect(near('DK', '0')).rejects.toMatchObject({ name: 'CourierRefused', message: 'Postnummeret findes ikke (130)' })
  })

  it('are the words of a parcel’s events, at Danish time where no other is given', async () => {
    const tracking_no = await numberOf()
    expect(await dao.track({ tracking_no, settings }, never)).toEqual([
      { state: '', at: '2026-11-18T05:05:00.000Z', place: 'Vejle', text: 'Delivered' },
      { state: '', at: '2026-11-18T01:10:00.000Z', place: 'Fredericia', text: '20' },
      { state: '', at: '2026-07-17T19:00:00.000Z', place: null, text: 'Received' },
    ])
    await expect(dao.track({ tracking_no: '1', settings }, never)).rejects.toMatchObject({ message: 'Stregkoden findes ikke (140)' })
  })

  it('tests the connection', async () => {
    expect(await dao.probe?.(settings, never)).toEqual({ ok: true, words: 'Kiosk, 2100 Vejle' })
    await expect(dao.probe?.({ ...settings, key: 'wrong' }, never)).rejects.toMatchObject({ name: 'CourierRefused' })
  })
})
