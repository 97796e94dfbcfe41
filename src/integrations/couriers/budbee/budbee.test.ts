/** Budbee, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { type BookingRequest, CourierRefused, CourierUnavailable, OutcomeUnknown } from '../courier.ts'
import { budbeeAccount, type FakeBudbee, openFakeBudbee } from './budbee.fake.ts'
import { budbeeAt } from './budbee.ts'

const never = new AbortController().signal
const settings = { ...budbeeAccount, mode: 'live' }
const home = sampleParty({ email: 'aase@example.com' })
const box: NonNullable<BookingRequest['service_point']> = {
  id: 'BOX0001',
  name: 'Budbee Kontorsbox',
  address1: '',
  postcode: '',
  city: '',
  country: 'SE',
}
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'home',
    settings,
    parties: { recipient: home, ...parties },
    parcel: { reserved_number: null, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })

describeCourier(
  async () => {
    const fake = await openFakeBudbee()
    const host = { url: fake.server.url }
    return {
      courier: budbeeAt({ live: host, sandbox: host }),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.reference),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference }), secret: budbeeAccount.secret },
)

let fake: FakeBudbee
let other: FakeBudbee
let budbee: ReturnType<typeof budbeeAt>
beforeAll(async () => {
  fake = await openFakeBudbee()
  other = await openFakeBudbee()
  budbee = budbeeAt({ live: { url: fake.server.url }, sandbox: { url: other.server.url } })
})
afterAll(() => Promise.all([fake.close(), other.close()]))

const findings = (given: SampleBooking) => {
  const request = booking(given)
  return [...capabilityFindings(budbee.capabilities, request), ...budbee.validate(request)].map(
    one => `${one.severity} ${one.field}: ${one.text}`,
  )
}
const sent = () => fake.parcels.at(-1)
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...home, ...given } } })
const numberOf = async () => {
  const [parcel] = (await budbee.book(booking(), never)).parcels
  return parcel?.ok ? parcel.tracking_no : ''
}

describe('what Budbee is sent', () => {
  it('has the collection point, the recipient, grams and centimetres', async () => {
    await budbee.book(
      booking(to({ company: 'Bjørn & Co', address2: 'Baghuset', postcode: 'DK-2200', instruction: ' Ring to gange ' })),
      never,
    )
    expect(sent()?.body).toEqual({
      collectionId: 4711,
      cart: { cartId: '100023' },
      delivery: {
        name: 'Bjørn & Co',
        referencePerson: 'Åse Bjørn Sørensen',
        telephoneNumber: '+4534412345',
        email: 'aase@example.com',
        outsideDoor: false,
        additionalInfo: 'Ring to gange',
        address: { street: 'Nørrebrogade 112, 3. tv', street2: 'Baghuset', postalCode: '2200', city: 'København N', country: 'DK' },
      },
      parcels: [{ shipmentId: 'PKH-100023-1', packageId: '', dimensions: { weight: 2400, length: 31, width: 20, height: 10 } }],
      requireSignature: false,
    })
  })

  it('names the parcel by our reference where there is no order, and no size where none is known', async () => {
    await budbee.book(booking({ order_no: null, parcel: { size_mm: null, weight_g: 0 } }), never)
    expect(sent()?.body).toMatchObject({ cart: { cartId: 'PKH-100023-1' } })
    expect(sent()?.body.parcels).toEqual([{ shipmentId: 'PKH-100023-1', packageId: '' }])
  })

  it('writes postcodes without spaces', async () => {
    await budbee.book(booking(to({ country: 'SE', postcode: '114 53', city: 'Stockholm', phone: '070-123 45 67' })), never)
    expect(sent()?.body.delivery).toMatchObject({ telephoneNumber: '+46701234567', address: { postalCode: '11453', country: 'SE' } })
    await budbee.book(booking(to({ country: 'NL', postcode: '1012 ab', city: 'Amsterdam', phone: '+31201234567' })), never)
    expect(sent()?.body.delivery.address.postalCode).toBe('1012AB')
  })

  it('is a delivery into the locker that the recipient chose, wherever it stands', async () => {
    await budbee.book(booking({ method: 'locker', service_point: box, ...to({ postcode: '9000' }) }), never)
    expect(sent()?.body).toMatchObject({ productCodes: ['DLVBOX'], boxDelivery: { selectedBox: 'BOX0001' } })
  })

  it('has the chosen services', async () => {
    const services = ['signature', 'unattended', 'recipient_only', 'id_check'].map(code => ({ code, options: {} }))
    await budbee.book(booking({ services }), never)
    expect(sent()?.body).toMatchObject({ requireSignature: true, delivery: { outsideDoor: true } })
    expect(sent()?.body.additionalServices).toEqual({ identificationCheckRequired: true, recipientMustMatchEndCustomer: true })
    await budbee.book(booking({ services: [{ code: 'age_check', options: { age: '18' } }] }), never)
    expect(sent()?.body.additionalServices).toEqual({ identificationCheckRequired: true, recipientMinimumAge: 18 })
  })

  it('goes to the sandbox where the account says so', async () => {
    const before = fake.parcels.length
    await budbee.book(booking({ settings: { ...settings, mode: 'sandbox' } }), never)
    expect([other.parcels.length, fake.parcels.length]).toEqual([1, before])
  })
})

describe('what Budbee refuses', () => {
  it('is said in its own words, also where the status would be one of keys', async () => {
    const refusal = (given: SampleBooking) => expect(budbee.book(booking(given), never)).rejects
    await refusal({ method: 'locker', service_point: { ...box, id: 'BOX9' } }).toMatchObject({
      name: 'CourierRefused',
      message: 'The selected box is not available',
    })
    await refusal({ settings: { ...settings, collection_id: '7' } }).toMatchObject({ message: 'Unknown collection point' })
    await refusal(to({ phone: '12' })).toMatchObject({ message: 'telephoneNumber cannot be parsed' })
    await refusal(to({ country: 'SE', postcode: '999 99' })).toMatchObject({ message: 'The postal code is not allowed' })
    await refusal({ settings: { ...settings, secret: 'wrong' } }).toMatchObject({
      message: 'Budbee refuses the key of this account. Check it in the settings of the courier.',
    })
  })

  it('is an address outside its area, before anything is ordered', async () => {
    const before = fake.server.requests.filter(one => one.method === 'POST').length
    await expect(budbee.book(booking(to({ postcode: '9000' })), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Budbee does not deliver to this postcode',
      field: 'recipient.postcode',
    })
    expect(fake.server.requests.filter(one => one.method === 'POST').length).toBe(before)
  })

  it('is found before it is asked', async () => {
    expect(findings(to({ phone: null, email: null }))).toEqual([
      'error recipient.phone: {{courier}} needs a phone number of the recipient',
      'error recipient.email: {{courier}} needs an email address of the recipient',
    ])
    expect(findings(to({ country: 'NO', postcode: '0150' }))).toEqual([
      'error recipient.country: {{method}} does not go to or from {{country}}',
    ])
    expect(findings({ method: 'locker' })).toEqual(['error service_point: {{method}} needs a parcel shop. Select one.'])
    expect(findings({ method: 'locker', service_point: box, services: [{ code: 'unattended', options: {} }] })).toEqual([
      'error services.0.code: {{courier}} does not offer the service {{service}} with {{method}}',
    ])
    expect(findings(to({ name: ' ', address1: '', city: '' }))).toEqual([
      'error recipient.name: The recipient has no name',
      'error recipient.address1: The recipient has no address',
      'error recipient.city: The recipient has no city',
    ])
    await expect(budbee.book(booking(to({ city: '' })), never)).rejects.toMatchObject({ code: 'recipient_city_missing' })
    await expect(budbee.book(booking({ operation: 'return' }), never)).rejects.toMatchObject({ code: 'operation_not_offered' })
  })

  it('is not what it leaves out: that is a warning', () => {
    expect(findings({ service_point: box, ...to({ postcode: '220' }) })).toEqual([
      'warning recipient.postcode: The postcode {{postcode}} does not look like one of {{country}}',
      'warning service_point: {{method}} brings the parcel to the address, not to the parcel shop',
    ])
  })
})

describe('a booking', () => {
  it('has the number of the order, and the barcode of the parcel', async () => {
    const { parcels } = await budbee.book(booking(), never)
    expect(parcels).toMatchObject([{ tracking_no: sent()?.order, barcode: sent()?.number }])
  })

  it('is not asked for as long as Budbee does not say whether it delivers there', async () => {
    const before = fake.server.requests.length
    const silent = budbeeAt({
      live: { url: fake.server.url, fetch: async () => new Response('', { status: 503 }) },
      sandbox: { url: fake.server.url },
    })
    await expect(silent.book(booking(), never)).rejects.toBeInstanceOf(CourierUnavailable)
    expect(fake.server.requests.length).toBe(before)
  })

  it('without a parcel leaves the outcome to a person, with the number', async () => {
    fake.withoutParcels = true
    const booked = budbee.book(booking(), never)
    await expect(booked).rejects.toBeInstanceOf(OutcomeUnknown)
    await expect(booked).rejects.toThrow(`Budbee has booked ${sent()?.order}, but its parcels make no sense`)
    fake.withoutParcels = false
  })
})

describe('a label', () => {
  const labelRequest = () => fake.server.requests.findLast(one => one.path.startsWith('/labels/'))

  it('is fetched by its signed link as it stands, without the key, and the link is not recorded', async () => {
    const { exchange } = await budbee.book(booking(), never)
    expect(labelRequest()?.query.get('expires')).toBe('1764192000')
    expect(labelRequest()?.headers.authorization).toBeUndefined()
    expect(JSON.stringify(exchange)).not.toContain('signature')
    expect(exchange.response).toEqual({ order_id: sent()?.order, package_id: sent()?.number })
  })

  it('has a link of either name', async () => {
    fake.linkName = 'labelUrl'
    expect((await budbee.book(booking(), never)).parcels).toMatchObject([{ ok: true, documents: [{ kind: 'label' }] }])
    fake.linkName = 'label'
  })

  it('that does not come after the booking leaves the outcome to a person, with the number', async () => {
    fake.withoutLabels = true
    const booked = budbee.book(booking(), never)
    await expect(booked).rejects.toBeInstanceOf(OutcomeUnknown)
    await expect(booked).rejects.toThrow(`Budbee has booked ${sent()?.order}, but its label did not come`)
    fake.withoutLabels = false
  }, 15_000)

  it('is never fetched from inside our network, nor from nowhere', async () => {
    for (const link of ['http://169.254.169.254/latest/meta-data', 'https://localhost/label.pdf', 'no link', '']) {
      fake.storage = link
      await expect(budbee.book(booking(), never)).rejects.toBeInstanceOf(OutcomeUnknown)
    }
    fake.storage = null
  })
})

describe('a cancellation', () => {
  const no = { cancelled: false, cancelled_at_carrier: false, refunded: false }

  it('is possible until Budbee has the parcel', async () => {
    const tracking_no = await numberOf()
    expect(await budbee.cancel({ tracking_no, settings }, never)).toEqual({ cancelled: true, cancelled_at_carrier: true, refunded: false })
    expect(sent()).toMatchObject({ cancelled: true })
    const collected = await numberOf()
    sent()!.collected = true
    expect(await budbee.cancel({ tracking_no: collected, settings }, never)).toEqual(no)
    expect(await budbee.cancel({ tracking_no: 'a/../b', settings }, never)).toEqual(no)
  })

  it('that was lost on the way is sent once more, and one without an answer leaves the label blocked', async () => {
    const lost = await numberOf()
    fake.server.faults.push('lost')
    expect(await budbee.cancel({ tracking_no: lost, settings }, never)).toMatchObject({ cancelled_at_carrier: true })
    const mute = await numberOf()
    fake.server.faults.push('mute')
    expect(await budbee.cancel({ tracking_no: mute, settings }, never)).toEqual(no)
    const unanswered = await numberOf()
    fake.server.faults.push('html_503', 'html_503')
    await expect(budbee.cancel({ tracking_no: unanswered, settings }, never)).rejects.toBeInstanceOf(CourierUnavailable)
    expect(sent()).toMatchObject({ cancelled: false })
  })
})

describe('what Budbee tells', () => {
  const near = (country: string, postcode: string) => budbee.parcelShops({ country, postcode, address: null, settings }, never)

  it('are lockers near a postcode, the best first, with their hours', async () => {
    expect(await near('SE', '112 47')).toEqual([
      {
        id: 'BOX0001',
        name: 'Budbee Kontorsbox',
        address1: 'Alströmergatan 39',
        postcode: '11247',
        city: 'Stockholm',
        country: 'SE',
        distance_m: null,
        opening_hours: ['Mon 08:00–19:00', 'Fri 00:00–24:00'],
      },
      expect.objectContaining({ id: 'BOX0002', opening_hours: [] }),
    ])
    expect(await near('SE', '96133')).toEqual([])
    await expect(near('SE', '99999')).rejects.toMatchObject({ name: 'CourierRefused', message: 'The postal code is not allowed' })
  })

  it('tests the connection', async () => {
    expect(await budbee.probe?.(settings, never)).toEqual({ ok: true, words: 'Budbee' })
    await expect(budbee.probe?.({ ...settings, key: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
  })

  it('is nothing of where a parcel is', async () => {
    expect(await budbee.track({ tracking_no: await numberOf(), settings }, never)).toEqual([])
    expect(budbee.capabilities.tracking).toBe(false)
  })
})
