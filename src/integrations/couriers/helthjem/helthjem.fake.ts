/** Helthjem's login, bookings, service points, labels and tracking on the loopback, after developer.helthjem.no. Holds its own books. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const Login = z.strictObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  grant_type: z.literal('client_credentials'),
})
const asked = { shopId: z.int(), transportSolutionId: z.int() }
const country = z.string().regex(/^[A-Z]{2}$/)
const place = {
  address: z.string().min(1).max(105),
  zipCode: z.string().min(1).max(9),
  postalName: z.string().min(1).max(35),
  countryCode: country,
}
const AddressCheck = z.strictObject({ ...asked, ...place, customerName: z.string().optional(), weight: z.int().optional() })
const NearbyPoints = z.strictObject({
  ...asked,
  streetAddress: z.string().optional(),
  zipCode: z.string().min(1),
  postalName: z.string().optional(),
  countryCode: country,
})

const person = {
  name: z.string().min(1).max(105),
  ...place,
  reference: z.string().max(50),
  contact: z.string(),
  coaddress: z.string().max(255).nullable().optional(),
  phone2: z.string().nullable().optional(),
}
const Consignee = z.strictObject({ type: z.literal('consignee'), ...person, phone1: z.string().min(1), email: z.email() })
const Consignor = z.strictObject({
  type: z.literal('consignor'),
  ...person,
  phone1: z.string(),
  email: z.union([z.email(), z.literal('')]),
})
const Point = z.strictObject({
  type: z.literal('servicePoint'),
  id: z.string().min(1).max(17),
  countryCode: country,
  name: z.string().max(105).optional(),
  address: z.string().max(105).optional(),
  zipCode: z.string().max(9).optional(),
  postalName: z.string().max(35).optional(),
})
const Booking = z.strictObject({
  ...asked,
  shipmentId: z.string().max(35).nullable(),
  messageToCarrier: z.string().max(350).nullable().optional(),
  messageToConsignee: z.string().max(350).nullable().optional(),
  parties: z
    .array(z.discriminatedUnion('type', [Consignee, Consignor, Point]))
    .min(2)
    .max(3),
  items: z
    .array(
      z.strictObject({
        itemNumber: z.int(),
        trackingReference: z.string(),
        weight: z.int().positive(),
        width: z.number().optional(),
        height: z.number().optional(),
        length: z.number().optional(),
        contents: z.string().optional(),
      }),
    )
    .min(1),
})

interface FakeParcel {
  reference: string
  shipment: string
  tracking_reference: string
  solution: number
  weight_g: number
  point: string | null
}

export interface FakeHelthjem {
  server: FakeCourierServer
  parcels: FakeParcel[]
  /** Logins so far. */
  logins: number
  /** No token that was given before is taken any more. */
  expireTokens(): void
  /** The label cannot be fetched. */
  withoutLabels: boolean
  /** The answer to a booking holds the three fields that every client reads, and no more. */
  terse: boolean
  close(): Promise<void>
}

export const helthjemAccount = { client_id: 'shop-client', client_secret: 'helthjem-secret-4711', shop_id: '16' }

/** Postcodes that only a solution with other carriers reaches. */
const remote = /^9[89]/
const homeOnly = 2
const pointsOnly = 86
const withOthers = [1, 114]
const points = [
  { id: '30694', name: 'Joker Toftes Gate', streetName: 'TOFTES GATE', streetNumber: '12' },
  { id: '30700', name: 'Kiwi Sentrum', streetName: 'STORGATA', streetNumber: '9' },
]

const invalid = (message: string): FakeReply => ({ status: 400, body: { code: 400, message } })
const refused = (status: number, errorKey: string): FakeReply => ({ status, body: { errorKey, statusCode: status } })

export async function openFakeHelthjem(): Promise<FakeHelthjem> {
  let next = 1
  let tokens = new Set<string>()
  const fake: FakeHelthjem = {
    server: await openFakeCourier(answer, isBooking),
    parcels: [],
    logins: 0,
    expireTokens: () => {
      tokens = new Set()
    },
    withoutLabels: false,
    terse: false,
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest): FakeReply {
    const { method, path, headers } = request
    if (method === 'POST' && headers['content-type'] !== 'application/json') return { status: 415 }
    if (method === 'POST' && path === '/auth/oauth2/v1/token') return login(request)
    if (!tokens.has(headers.authorization ?? '')) return { status: 401, body: { code: 401, message: 'Unauthorized' } }
    if (method === 'POST' && path === '/parcels/v1/addresses/find/single') return coverage(request)
    if (method === 'POST' && path === '/parcels/v1/service-points/nearby') return nearby(request)
    if (isBooking(request)) return book(request)
    const [, shipment] = /^\/parcels\/v1\/labels\/([^/()]+)\/unified-large$/.exec(path) ?? []
    if (shipment !== undefined) return label(decodeURIComponent(shipment), headers.accept)
    const [, number] = /^\/parcels\/v1\/tracking\/fetch\/([^/]+)\/EN\/false$/.exec(path) ?? []
    if (number !== undefined) return tracking(decodeURIComponent(number))
    return { status: 404, body: { code: 404, message: 'Not found' } }
  }

  function login({ body }: FakeRequest): FakeReply {
    const read = Login.safeParse(body)
    if (!read.success) return invalid(z.prettifyError(read.error))
    const { client_id, client_secret } = read.data
    if (client_id !== helthjemAccount.client_id || client_secret !== helthjemAccount.client_secret) return { status: 401 }
    const token = `token-${++fake.logins}`
    tokens.add(`Bearer ${token}`)
    return { body: { token, expires_in: 86_400, token_type: 'Bearer' } }
  }

  function reaches(solution: number, zipCode: string, weight: number): boolean {
    if (withOthers.includes(solution)) return true
    if (solution === homeOnly) return weight <= 5_000 && !remote.test(zipCode)
    return solution === pointsOnly && weight <= 20_000
  }

  function coverage({ body }: FakeRequest): FakeReply {
    const read = AddressCheck.safeParse(body)
    if (!read.success) return invalid(z.prettifyError(read.error))
    const { shopId, transportSolutionId, zipCode, weight = 0 } = read.data
    if (String(shopId) !== helthjemAccount.shop_id) return refused(403, 'no.access.shop.id')
    if (!reaches(transportSolutionId, zipCode, weight)) return refused(400, 'no.carrier.support')
    return { body: { productName: 'HELTHJEM', routeName: '21516', routing: '1-31/114-43-x21516x385', plannedDeparture: '1600' } }
  }

  function nearby({ body }: FakeRequest): FakeReply {
    const read = NearbyPoints.safeParse(body)
    if (!read.success) return invalid(z.prettifyError(read.error))
    const { shopId, zipCode } = read.data
    if (String(shopId) !== helthjemAccount.shop_id) return refused(403, 'no.access.shop.id')
    if (zipCode === '0000') return invalid('Invalid zipCode')
    const servicePoints = points.map(({ id, name, streetName, streetNumber }) => {
      const address = { postalCode: zipCode, countryCode: 'NO', streetNumber, streetName, postalName: 'OSLO' }
      return {
        servicePointExternalId: id,
        servicePointName: name,
        openingHours: [
          { from1: '09:00', to1: '21:00', day: 'SATURDAY' },
          { from1: '07:00', to1: '23:00', day: 'MONDAY' },
          { from1: '', to1: '', day: 'SUNDAY' },
        ],
        visitingAddress: address,
        deliveryAddress: address,
        routingCode: null,
        eligibleParcelOutlet: true,
        servicePointCoordinates: [{ northing: 59.92947, easting: 10.76123 }],
      }
    })
    return {
      body: {
        freightProducts: [
          { transporterId: 62, freightProductId: 55, servicePoints },
          { transporterId: 62, freightProductId: 3, servicePoints: servicePoints.slice(0, 1) },
        ],
      },
    }
  }

  function book({ body }: FakeRequest): FakeReply {
    const read = Booking.safeParse(body)
    if (!read.success) return invalid(z.prettifyError(read.error))
    const { shopId, transportSolutionId, parties, items } = read.data
    const consignee = parties.find(one => one.type === 'consignee')
    const consignor = parties.find(one => one.type === 'consignor')
    const point = parties.find(one => one.type === 'servicePoint')
    if (!consignee || !consignor) return invalid('Consignee and consignor are required')
    if (String(shopId) !== helthjemAccount.shop_id) return refused(403, 'no.access.shop.id')
    const [{ weight } = { weight: 0 }] = items
    if (!reaches(transportSolutionId, consignee.zipCode, weight)) return refused(400, 'no.carrier.support')
    if (point && !points.some(one => one.id === point.id)) return invalid(`Unknown service point ${point.id}`)
    const serial = String(next++).padStart(6, '0')
    const parcel: FakeParcel = {
      reference: consignor.reference,
      shipment: `(401)70724763243${serial}`,
      tracking_reference: `(00)370724763243${serial}`,
      solution: transportSolutionId,
      weight_g: weight,
      point: point?.id ?? null,
    }
    fake.parcels.push(parcel)
    const answered = {
      shipmentId: parcel.shipment,
      orderId: 224_204_000 + next,
      freightProductId: transportSolutionId === pointsOnly ? 55 : 1,
    }
    if (fake.terse) return { status: 201, body: answered }
    return {
      status: 201,
      body: { ...answered, parties, items: items.map(item => ({ ...item, trackingReference: parcel.tracking_reference, properties: {} })) },
    }
  }

  function label(shipment: string, accept: string | undefined): FakeReply {
    if (fake.withoutLabels || !fake.parcels.some(one => one.shipment === shipment))
      return { status: 404, body: { code: 404, message: 'Shipment not found' } }
    if (accept !== 'application/pdf') return invalid(`Unsupported type ${accept}`)
    return { headers: { 'content-type': 'application/pdf' }, body: fakePdf(shipment) }
  }

  function tracking(number: string): FakeReply {
    const parcel = fake.parcels.find(one => one.shipment === `(401)${number}`)
    if (!parcel) return { status: 404, body: { code: 404, message: 'Shipment not found' } }
    const event = (apiKey: string, description: string, eventTimeUtc: string | null, eventTime: string, given: object = {}) => ({
      eventTime,
      ...(eventTimeUtc !== null && { eventTimeUtc }),
      lat: null,
      lon: null,
      locationContext: 'Oslo',
      eventType: { apiKey, description, i18nKey: 'event.type' },
      eventGroup: { id: 3, name: 'event.type.group' },
      ...given,
    })
    const events = [
      event('001', 'Transport booked', '2026-11-16T08:00:03.390000Z', '2026-11-16 09:00:03', { locationContext: 'Testbutikken' }),
      event('007', 'Address collector sent', '2026-11-16T08:01:00Z', '2026-11-16 09:01:00', { locationContext: null }),
      event('060', 'Out for delivery', null, '2026-11-17 05:30:10'),
      event('013', 'Delivered', '2026-11-17T05:12:00Z', '2026-11-17 06:12:00', { message: 'On the doormat' }),
      event('099', 'Without a time', null, ''),
    ]
    return {
      body: [
        {
          shipmentNumber: number,
          shopId: 16,
          consignorReference: parcel.reference,
          items: [{ trackingNumber: parcel.tracking_reference.slice(4), freightProductId: 1, parcelStatus: 'DELIVERED', events }],
        },
      ],
    }
  }

  return fake
}

const isBooking = ({ method, path }: FakeRequest) => method === 'POST' && path === '/parcels/v1/bookings'
