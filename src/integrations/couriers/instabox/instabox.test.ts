/** Instabox, through the courier interface and against its fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCourier } from '#test/courier-suite.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { type BookingRequest, CourierRefused, OutcomeUnknown } from '../courier.ts'
import { type FakeInstabox, instaboxAccount, openFakeInstabox } from './instabox.fake.ts'
import { instaboxAt } from './instabox.ts'

const never = new AbortController().signal
const settings = instaboxAccount
const home = sampleParty({ email: 'aase@example.com' })
const locker: NonNullable<BookingRequest['service_point']> = {
  id: 'DK-B2',
  name: 'Instabox Rantzausgade',
  address1: '',
  postcode: '',
  city: '',
  country: 'DK',
}
let serial = 0
/** Each parcel has a number of its own, as the series gives it. */
const booking = ({ parcel, parties, ...given }: SampleBooking = {}) =>
  sampleBooking({
    method: 'locker',
    settings,
    parties: { recipient: home, ...parties },
    parcel: { reserved_number: `OWN7${String(++serial).padStart(10, '0')}`, size_mm: [301, 200, 95], ...parcel },
    ...given,
  })
const at = (fake: FakeInstabox) => {
  const host = { url: fake.server.url }
  return instaboxAt({ login: host, availability: host, orders: host, labels: host })
}

describeCourier(
  async () => {
    const fake = await openFakeInstabox()
    return {
      courier: at(fake),
      server: fake.server,
      booked: () => fake.parcels.map(one => one.order_number),
      close: fake.close,
    }
  },
  { request: reference => booking({ reference, order_no: null }), secret: settings.client_secret },
)

let fake: FakeInstabox
let instabox: ReturnType<typeof instaboxAt>
beforeAll(async () => {
  fake = await openFakeInstabox()
  instabox = at(fake)
})
afterAll(() => fake.close())

const sent = () => fake.parcels.at(-1)
const to = (given: Parameters<typeof sampleParty>[0]): SampleBooking => ({ parties: { recipient: { ...home, ...given } } })
const findings = (given: SampleBooking) => {
  const request = booking(given)
  return [...capabilityFindings(instabox.capabilities, request), ...instabox.validate(request)].map(
    one => `${one.severity} ${one.field}: ${one.text}`,
  )
}

describe('what Instabox is sent', () => {
  it('is an order into the locker that the recipient chose, under a number of ours', async () => {
    const line = { order_line_id: null, sku: null, description: 'Te', quantity: 2, hs_code: null, origin: null, net_weight_g: null }
    const { parcels } = await instabox.book(
      booking({
        service_point: locker,
        parcel: { reserved_number: '095287654321012346', lines: [{ ...line, value: { amount: 19950, currency: 'DKK' } }] },
      }),
      never,
    )
    expect(parcels).toMatchObject([{ ok: true, tracking_no: '47115432101234', barcode: '47115432101234' }])
    expect(sent()?.body).toMatchObject({
      parcel_id: '47115432101234',
      order_number: '100023',
      recipient: {
        name: 'Åse Bjørn Sørensen',
        street: 'Nørrebrogade 112, 3. tv',
        zip: '2200',
        city: 'København N',
        country_code: 'DK',
        mobile_phone_number: '+4534412345',
        email_address: 'aase@example.com',
      },
      service_type: 'EXPRESS',
      delivery_option: { sort_code: 'DK-B2' },
      details: { total_weight: 2400, total_value: 199.5 },
    })
  })

  it('is the first locker that Instabox names where none was chosen, and an evening at home', async () => {
    await instabox.book(booking(), never)
    expect(sent()?.body.delivery_option.sort_code).toBe('DK-A1')
    await instabox.book(booking({ method: 'home' }), never)
    expect(sent()?.body).toMatchObject({ service_type: 'INSTAHOME', delivery_option: { sort_code: 'EVENING' } })
  })

  it('goes with a new token where the kept one ended', async () => {
    await instabox.book(booking(), never)
    fake.tokens.clear()
    const before = fake.parcels.length
    await instabox.book(booking(), never)
    expect(fake.parcels.length).toBe(before + 1)
  })
})

describe('what Instabox does not take', () => {
  it('is an address that it does not reach, or a locker that is full, before anything is ordered', async () => {
    const before = fake.parcels.length
    await expect(instabox.book(booking(to({ postcode: '8000' })), never)).rejects.toMatchObject({
      name: 'CourierRefused',
      message: 'Instabox does not deliver to this postcode today',
      field: 'recipient.postcode',
    })
    await expect(instabox.book(booking({ service_point: { ...locker, id: 'DK-C3' } }), never)).rejects.toMatchObject({
      message: 'This locker takes no parcels at the moment. Select another one.',
      field: 'service_point',
    })
    expect(fake.parcels.length).toBe(before)
  })

  it('is found before it is asked', async () => {
    expect(findings({ ...to({ phone: null, city: '' }), parcel: { size_mm: null } })).toEqual([
      'error recipient.phone: {{courier}} needs a phone number of the recipient',
      'error parcels.0.size_mm: {{courier}} needs length, width and height of the parcel',
      'error recipient.city: The recipient has no city',
    ])
    expect(findings(to({ country: 'NO', postcode: '0150' }))).toEqual([
      'error recipient.country: {{method}} does not go to or from {{country}}',
    ])
    expect(findings({ method: 'home', service_point: locker })).toEqual([
      'warning service_point: {{method}} brings the parcel to the address, not to the parcel shop',
    ])
    await expect(instabox.book(booking(to({ city: ' ' })), never)).rejects.toMatchObject({ code: 'recipient_city_missing' })
  })

  it('is a key that is wrong', async () => {
    await expect(instabox.book(booking({ settings: { ...settings, client_secret: 'wrong' } }), never)).rejects.toBeInstanceOf(
      CourierRefused,
    )
    await expect(instabox.probe?.({ ...settings, client_id: 'wrong' }, never)).rejects.toBeInstanceOf(CourierRefused)
    expect(await instabox.probe?.(settings, never)).toEqual({ ok: true, words: 'Instabox' })
  })
})

describe('after an unknown outcome', () => {
  it('the waybill says that the parcel was booked', async () => {
    const asked = booking()
    fake.server.faults.push('mute')
    await expect(instabox.book(asked, never)).rejects.toBeInstanceOf(OutcomeUnknown)
    const found = await instabox.find(asked, never)
    expect(found?.parcels).toMatchObject([{ ok: true, tracking_no: sent()?.number }])
  })

  it('a parcel without a waybill was not booked, when two minutes have passed', async () => {
    const asked = booking()
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
    await expect(instabox.find({ ...asked, asked_at: ago(60) }, never)).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(await instabox.find({ ...asked, asked_at: ago(130) }, never)).toBeNull()
  })

  it('a second order of the same number is the first one', async () => {
    const asked = booking()
    await instabox.book(asked, never)
    const before = fake.parcels.length
    expect((await instabox.book(asked, never)).parcels).toMatchObject([{ ok: true, tracking_no: sent()?.number }])
    expect(fake.parcels.length).toBe(before)
  })

  it('a label that does not come leaves it unknown', async () => {
    fake.withoutLabels = true
    await expect(instabox.book(booking(), never)).rejects.toThrow('but its waybill did not come')
    fake.withoutLabels = false
  }, 15_000)
})

it('Instabox names lockers near an address, with hours, cut-off and arrival', async () => {
  const search = {
    recipient: { street: 'Nørrebrogade 112', postcode: '2200', city: 'København N', country: 'DK', email: '', phone: '' },
    parcel: { weight_g: 900, size_mm: null },
    value: null,
    methods: ['locker', 'home'],
    settings,
  }
  const { token, options } = (await instabox.availability?.(search, never)) ?? { token: '', options: [] }
  expect(token).toMatch(/^availability-/)
  expect(options[0]).toEqual({
    method: 'locker',
    sort_code: 'DK-A1',
    name: 'Instabox Nørrebro',
    address1: 'Nørrebrogade 1',
    postcode: '2200',
    city: 'København N',
    country: 'DK',
    lat: 55.69,
    lng: 12.55,
    hours: [{ from: '2026-11-26T05:00:00.000Z', to: '2026-11-26T22:00:00.000Z' }],
    cutoff_at: '2026-11-26T13:00:00.000Z',
    eta: '2026-11-26T17:00:00.000Z',
  })
  expect(options.map(one => one.sort_code)).toEqual(['DK-A1', 'DK-B2', 'EVENING'])
  const far = { ...search, recipient: { ...search.recipient, postcode: '8000' } }
  expect((await instabox.availability?.(far, never))?.options).toEqual([])
})
