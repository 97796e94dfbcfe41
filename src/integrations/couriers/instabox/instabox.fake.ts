/** Instabox's hosts on one of the loopback, as a module of Magento asks them. Holds its own books. The sentences of errors are invented. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = z.string().trim().min(1)
const serviceType = z.enum(['EXPRESS', 'INSTAHOME'])

const AvailabilityQuestion = z.strictObject({
  recipient: z.strictObject({
    email: z.string(),
    mobile_phone_number: z.string(),
    street: text,
    zip: text,
    city: z.string(),
    country_code: z.string().regex(/^[A-Z]{2}$/),
  }),
  services: z
    .array(
      z.strictObject({
        service_type: serviceType,
        options: z.strictObject({
          num_delivery_options: z.number().int().positive(),
          num_dispatch_options: z.number().int().positive(),
          response_fields: z.array(z.enum(['OPENHOURS', 'DISTANCE'])),
        }),
      }),
    )
    .min(1),
  details: z.strictObject({
    total_value: z.number(),
    total_weight: z.number(),
    package: z.strictObject({
      width: z.number(),
      height: z.number(),
      depth: z.number(),
      weight: z.number(),
      type: z.literal('BOX'),
    }),
    products: z.array(z.unknown()),
  }),
  options: z.strictObject({
    units: z.strictObject({ dimensions: z.literal('cm'), weight: z.literal('g'), currency: z.string().length(3) }),
  }),
})

const Prebooking = z.strictObject({
  prebooking: z.strictObject({
    availability_token: text,
    service_type: serviceType,
    delivery_option: z.strictObject({ sort_code: text }),
  }),
})

const address = { name: text, street: text, zip: text, city: text, country_code: z.string().regex(/^[A-Z]{2}$/) }
const Order = z.strictObject({
  options: z.strictObject({ units: z.strictObject({ weight: z.literal('g'), currency: z.string().length(3) }) }),
  order: z.strictObject({
    availability_token: text,
    parcel_id: z.string().regex(/^4711\d{10}$/),
    order_number: text,
    recipient: z.strictObject({
      ...address,
      mobile_phone_number: z.string().regex(/^\+\d{8,15}$/),
      email_address: z.email().optional(),
    }),
    sender: z.strictObject({ ...address, street2: text.optional() }),
    service_type: serviceType,
    delivery_option: z.strictObject({ sort_code: text }),
    details: z.strictObject({ total_weight: z.number().positive(), total_value: z.number() }),
    identification_options: z.strictObject({ type: z.literal('ANY_PERSON') }),
  }),
})

export interface FakeInstabox {
  server: FakeCourierServer
  parcels: { number: string; order_number: string; body: z.infer<typeof Order>['order'] }[]
  /** Orders are taken, and their waybills do not come. */
  withoutLabels: boolean
  /** Tokens that are given out become invalid at once. */
  tokens: Set<string>
  close(): Promise<void>
}

export const instaboxAccount = { client_id: 'client-of-a-shop', client_secret: 'secret-of-a-shop', customer_no: '4711' }

const lockers = [
  { sort_code: 'DK-A1', description: 'Instabox Nørrebro', street: 'Nørrebrogade 1' },
  { sort_code: 'DK-B2', description: 'Instabox Rantzausgade', street: 'Rantzausgade 7' },
]

export async function openFakeInstabox(): Promise<FakeInstabox> {
  let next = 1
  const offers = new Map<string, Set<string>>()
  const reserved = new Set<string>()
  const fake: FakeInstabox = {
    server: await openFakeCourier(answer, changes),
    parcels: [],
    withoutLabels: false,
    tokens: new Set(),
    close: () => fake.server.close(),
  }

  function answer({ method, path, query, headers, body }: FakeRequest): FakeReply {
    if (method === 'POST' && path === '/v1/token') return login(body)
    if (!fake.tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) return { status: 401, body: { message: 'Unauthorized' } }
    if (method === 'POST' && path === '/v3/availability') return available(body)
    if (method === 'POST' && path === '/v2/prebookings') return reserve(body)
    if (method === 'POST' && path === '/v2/orders') return book(body)
    if (method === 'GET' && path === '/v1/waybills') {
      if (fake.withoutLabels) return { status: 500 }
      const number = query.get('parcel_id')
      if (!fake.parcels.some(one => one.number === number)) return { status: 404, body: { message: 'No such parcel' } }
      return { headers: { 'content-type': 'application/pdf' }, body: fakePdf(String(number)) }
    }
    return { status: 404 }
  }

  function login(body: unknown): FakeReply {
    const { client_id, client_secret } = instaboxAccount
    const right = { grant_type: 'client_credentials', client_id, client_secret }
    if (JSON.stringify(body) !== JSON.stringify(right)) return { status: 401, body: { status: 'error' } }
    const token = `token-${next++}`
    fake.tokens.add(token)
    return { body: { status: 'ok', token } }
  }

  function available(body: unknown): FakeReply {
    const read = AvailabilityQuestion.safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { recipient, services } = read.data
    const reached = recipient.zip.startsWith('22')
    const token = `availability-${next++}`
    const options = lockers.map(({ sort_code, description, street }) => ({
      sort_code,
      description,
      address: { street, zip: recipient.zip, city: 'København N', country: recipient.country_code },
      coordinates: { lat: 55.69, long: 12.55 },
      openhours: [{ open_utc: '2026-11-26T05:00:00Z', close_utc: '2026-11-26T22:00:00Z' }],
      cutoff_datetime_utc: '2026-11-26T13:00:00Z',
      eta: { datetime_utc: '2026-11-26T17:00:00Z', text_local: 'I aften' },
    }))
    offers.set(token, new Set([...lockers.map(one => one.sort_code), 'EVENING']))
    const of = (service_type: string) => ({
      show_as_option: reached,
      dispatch_options: [
        { delivery_options: service_type === 'EXPRESS' ? options : [{ sort_code: 'EVENING', description: 'I aften 17-22' }] },
      ],
    })
    return {
      body: {
        status: 'OK',
        availability_token: token,
        availability: Object.fromEntries(services.map(one => [one.service_type, of(one.service_type)])),
      },
    }
  }

  function reserve(body: unknown): FakeReply {
    const read = Prebooking.safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { availability_token, delivery_option } = read.data.prebooking
    if (!offers.get(availability_token)?.has(delivery_option.sort_code))
      return { status: 400, body: { message: 'Unknown delivery option' } }
    reserved.add(`${availability_token} ${delivery_option.sort_code}`)
    return { body: read.data }
  }

  function book(body: unknown): FakeReply {
    const read = Order.safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { order } = read.data
    if (!reserved.has(`${order.availability_token} ${order.delivery_option.sort_code}`))
      return { status: 400, body: { message: 'No prebooking' } }
    if (fake.parcels.some(one => one.number === order.parcel_id)) return { status: 409, body: { message: 'parcel_id is taken' } }
    fake.parcels.push({ number: order.parcel_id, order_number: order.order_number, body: order })
    return { body: { status: 'OK' } }
  }

  return fake
}

const unreadable = (error: z.ZodError): FakeReply => ({ status: 400, body: { message: z.prettifyError(error) } })
const changes = ({ path }: FakeRequest) => path === '/v2/orders'
