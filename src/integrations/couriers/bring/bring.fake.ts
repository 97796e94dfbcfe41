/** Bring's booking, pickup points and tracking on the loopback, after developer.bring.com. Holds its own books. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const short = z.string().trim().min(1).max(35)
const Contact = z.strictObject({ name: z.string().optional(), email: z.email().optional(), phoneNumber: z.string().optional() })
const Party = z.strictObject({
  name: short,
  addressLine: short,
  addressLine2: short.optional(),
  postalCode: z.string().min(1),
  city: z.string().min(1),
  countryCode: z.string().regex(/^[A-Za-z]{2}$/),
  reference: short.optional(),
  additionalAddressInfo: z.string().optional(),
  contact: Contact,
})
/** Bring marks code and weights as optional; goods in transit are refused without them. */
const Transit = z.strictObject({
  type: z.literal('NVIT'),
  consent: z.literal(true),
  natureOfCargo: z.strictObject({
    type: z.enum(['SALE_OF_GOODS', 'RETURNED_GOODS', 'GIFT', 'COMMERCIAL_SAMPLE', 'DOCUMENTS', 'OTHER']),
    detail: z.string().optional(),
  }),
  customsDeclarations: z
    .array(
      z.strictObject({
        numberOfPieces: z.number().int().positive(),
        goodsDescription: z.string().min(1),
        customsArticleNumber: z.string().regex(/^\d{6,10}$/),
        netWeight: z.number().positive(),
        grossWeight: z.number().positive(),
        amount: z.number().positive(),
        currency: z.string().regex(/^[A-Z]{3}$/),
        countryCodeOrigin: z.string().length(2).optional(),
      }),
    )
    .min(1),
})
const Booking = z.strictObject({
  testIndicator: z.boolean().optional(),
  schemaVersion: z.literal(1),
  consignments: z.array(
    z.strictObject({
      shippingDateTime: z.iso.datetime({ local: true }),
      correlationId: z.string().optional(),
      purchaseOrder: short.optional(),
      generateQrCodes: z.boolean().optional(),
      parties: z.strictObject({
        sender: Party,
        recipient: Party,
        pickupPoint: z.strictObject({ id: z.string(), countryCode: z.string() }).optional(),
      }),
      product: z.strictObject({
        id: z.string(),
        customerNumber: short,
        messageForRecipient: z.string().max(400).optional(),
        additionalServices: z.array(z.strictObject({ id: z.string(), email: z.string().optional(), mobile: z.string().optional() })),
      }),
      customsInformation: Transit.optional(),
      packages: z
        .array(
          z.strictObject({
            weightInKg: z.number(),
            goodsDescription: z.string().optional(),
            dimensions: z
              .strictObject({ heightInCm: z.number().int(), widthInCm: z.number().int(), lengthInCm: z.number().int() })
              .optional(),
            correlationId: z.string().optional(),
          }),
        )
        .min(1)
        .max(50),
    }),
  ),
})

const products = ['5800', '5600', '3584', '5000', '9300', '9350', '9650', 'PICKUP_PARCEL', 'PICKUP_PARCEL_RETURN', 'HOME_DELIVERY_PARCEL']
const offered = [...products, 'BUSINESS_PARCEL', 'BUSINESS_PARCEL_RETURN']
const places: Readonly<Record<string, RegExp>> = { no: /^\d{4}$/, dk: /^\d{4}$/, se: /^\d{3} ?\d{2}$/, fi: /^\d{5}$/ }

const PickupOrder = z.strictObject({
  testIndicator: z.boolean().optional(),
  customerInformation: z.strictObject({ customerNumber: short, companyName: short }),
  pickupAddress: z.strictObject({
    street: short,
    postalCode: z.string().min(1),
    city: z.string().min(1),
    email: z.email().optional(),
    phoneNumber: z.string().optional(),
    message: z.string().optional(),
  }),
  pickupDate: z.iso.date(),
  pickupIsReadyAtTime: z.string().regex(/^\d{2}:\d{2}:00$/),
  countryCode: z.string().length(2),
  service: z.enum(['PARCEL', 'CARGO']),
  pickupDetails: z.strictObject({
    numberOfPackages: z.number().int().min(1),
    numberOfPostContainers: z.number().int(),
    numberOfPallets: z.number().int(),
  }),
})

interface FakeParcel {
  reference: string
  number: string
  product: string
  weight_kg: number
  point: string | null
  test: boolean
}

export interface FakeBring {
  server: FakeCourierServer
  parcels: FakeParcel[]
  pickups: z.infer<typeof PickupOrder>[]
  /** The label cannot be fetched. */
  withoutLabels: boolean
  /** Where labels are sent on to; by default another path of this host. */
  storage: string | null
  /** Numbers of points that are closed or full: no answer names them, and no parcel goes there. */
  closed: Set<string>
  /** The list of a country cannot be read. */
  withoutLists: boolean
  close(): Promise<void>
}

export const bringAccount = { uid: 'booking@shop.example', key: '11111111-2222-3333-4444-555555555555', customer_no: '6' }

export async function openFakeBring(): Promise<FakeBring> {
  let next = 1
  /** Pages of labels by the number of their consignment. */
  const pages = new Map<string, number>()
  const fake: FakeBring = {
    server: await openFakeCourier(answer, isBooking),
    parcels: [],
    pickups: [],
    withoutLabels: false,
    closed: new Set(),
    withoutLists: false,
    storage: null,
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest, server: FakeCourierServer): FakeReply {
    const { path } = request
    if (path.startsWith('/storage/'))
      return { headers: { 'content-type': 'application/pdf' }, body: fakePdf(path, pages.get(path.slice(9, -4)) ?? 1) }
    const { headers } = request
    if (!headers['x-bring-client-url']) return { status: 400, body: 'X-Bring-Client-URL is missing' }
    if (headers['x-mybring-api-uid'] !== bringAccount.uid || headers['x-mybring-api-key'] !== bringAccount.key)
      return { status: 401, body: 'Authentication failed' }
    if (path === '/booking/api/pickupOrder') return order(request)
    if (isBooking(request)) return book(request, server)
    if (path.startsWith('/labels/')) {
      if (fake.withoutLabels) return { status: 500 }
      return { status: 302, headers: { location: fake.storage ?? `${server.url}/storage/${path.slice(8)}` } }
    }
    if (path === '/booking/api/customers.json')
      return { body: { customers: [{ name: 'Demo', customerNumber: '6', countryCode: 'DK', products: offered.slice(7) }] } }
    const point = /^\/pickuppoint\/api\/pickuppoint\/([a-z]{2})\/postalCode\/([^/]+)\.json$/.exec(path)
    if (point) return pickupPoints(point[1] ?? '', point[2] ?? '')
    const list = /^\/pickuppoint\/api\/pickuppoint\/([a-z]{2})\/all\.json$/.exec(path)
    if (list) return fake.withoutLists ? { status: 500 } : { body: { pickupPoint: pointsOf(list[1] ?? '') } }
    if (path === '/tracking/api/v2/tracking.json') return tracking(request.query.get('q') ?? '')
    return { status: 404 }
  }

  const refused = (code: string, message: string): FakeReply => ({
    status: 400,
    body: { consignments: [{ confirmation: null, errors: [{ uniqueId: 'x', code, messages: [{ lang: 'en', message }] }] }] },
  })

  function book({ body }: FakeRequest, server: FakeCourierServer): FakeReply {
    const read = Booking.safeParse(body)
    if (!read.success) return { status: 400, body: `Unreadable request: ${z.prettifyError(read.error)}` }
    const { consignments, testIndicator = false } = read.data
    const [consignment] = consignments
    if (!consignment || consignments.length > 1) return refused('BOOK-INPUT-005', 'Exactly one consignment per request')
    const { parties, product, packages, correlationId = '' } = consignment
    if (!offered.includes(product.id)) return refused('BOOK-INPUT-020', 'Invalid product')
    if (product.customerNumber !== bringAccount.customer_no) return refused('BOOK-INPUT-021', 'Invalid customer number')
    for (const role of ['sender', 'recipient'] as const) {
      const { countryCode, postalCode } = parties[role]
      if (places[countryCode.toLowerCase()]?.test(postalCode) === false)
        return refused(`BOOK-INPUT-057-${role.toUpperCase()}`, `Postal code ${postalCode} is not valid`)
    }
    const { contact } = parties.recipient
    if (!contact.email && !contact.phoneNumber) return refused('BOOK-INPUT-072', 'Both phone numbers are missing')
    const notice = product.additionalServices.find(one => one.id === 'EVARSLING')
    if (notice && !notice.email && !notice.mobile) return refused('BOOK_VALIDATION-002', 'Phone or e-mail is needed')
    if (parties.pickupPoint && !notice) return refused('BOOK_VALIDATION-002', 'A pickup point needs eAdvising')
    if (parties.pickupPoint && (parties.pickupPoint.id === '0' || fake.closed.has(parties.pickupPoint.id)))
      return refused('BOOK-INPUT-045', 'The pickup point is not found')
    if (packages.length > 1 && product.id === '3584') return refused('BOOK-INPUT-032', 'The product does not support several packages')
    if (packages.some(one => one.weightInKg <= 0)) return refused('BOOK-INPUT-002', 'The weight is required')
    const booked = packages.map(({ weightInKg, correlationId: own }) => {
      const number = `3704381012680${String(next++).padStart(5, '0')}`
      fake.parcels.push({
        reference: correlationId,
        number,
        product: product.id,
        weight_kg: weightInKg,
        point: parties.pickupPoint?.id ?? null,
        test: testIndicator,
      })
      return {
        ...{ packageNumber: number, correlationId: own },
        qrCodeLink: consignment.generateQrCodes ? `https://qr.bring.example/${number}` : null,
      }
    })
    const consignmentNumber = `7043810126${String(next).padStart(7, '0')}`
    pages.set(consignmentNumber, packages.length)
    const links = { labels: `${server.url}/labels/${consignmentNumber}.pdf`, waybill: null, tracking: `${server.url}/tracking` }
    return { body: { consignments: [{ correlationId, confirmation: { consignmentNumber, links, packages: booked }, errors: null }] } }
  }

  function order({ body }: FakeRequest): FakeReply {
    const read = PickupOrder.safeParse(body)
    if (!read.success) return { status: 400, body: `Unreadable request: ${z.prettifyError(read.error)}` }
    if (read.data.customerInformation.customerNumber !== bringAccount.customer_no) return { status: 400, body: 'Invalid customer number' }
    fake.pickups.push(read.data)
    const day = Date.parse(`${read.data.pickupDate}T10:00:00Z`)
    const packageNumber = `PICKUP${fake.pickups.length}`
    return { body: { pickupConfirmation: { status: 'OK', earliestPickupDate: day, latestPickupDate: day, url: null, packageNumber } } }
  }

  function pickupPoints(country: string, postcode: string): FakeReply {
    if (postcode === '0000') return { status: 400, body: { message: 'Invalid postal code' } }
    const near = ['0.4', '1.25']
    return {
      body: {
        pickupPoint: pointsOf(country)
          .slice(0, 2)
          .map((point, i) => ({ ...point, postalCode: postcode, distanceInKm: near[i] })),
      },
    }
  }

  /** Those of a country that are open, without the distance. */
  function pointsOf(country: string) {
    const point = (id: string, title: string, postalCode: string, latitude: number, type = '85') => ({
      id,
      unitId: id,
      name: title,
      address: 'Torvet 1',
      postalCode,
      city: 'Odense',
      countryCode: country.toUpperCase(),
      type,
      latitude,
      longitude: 10.4,
      openingHours: [
        { day: 'SATURDAY', opening: '0900', closing: '1400' },
        { day: 'MONDAY', opening: '0700', closing: '2200' },
      ],
    })
    return [
      point('736431', 'Kiosk', '5000', 55.4),
      point('736432', 'Supermarked', '5000', 55.41),
      point('736433', 'Boks', '5200', 55.39, '43'),
    ].filter(one => !fake.closed.has(one.id))
  }

  function tracking(number: string): FakeReply {
    const parcel = fake.parcels.find(one => one.number === number)
    if (!parcel && number !== atPickupPoint)
      return { body: { apiVersion: '2', consignmentSet: [{ error: { code: 404, message: 'No shipments found' } }] } }
    const event = (status: string, dateIso: string, city: string) => ({
      status,
      dateIso,
      city,
      countryCode: 'NO',
      description: `At ${city}`,
    })
    if (number === atPickupPoint) {
      const waiting = [event('READY_FOR_PICKUP', '2026-11-19T11:20:00+01:00', 'OSLO'), event('HANDED_IN', '2026-11-16T18:00:00+01:00', '')]
      return {
        body: {
          apiVersion: '2',
          consignmentSet: [{ consignmentId: '1', packageSet: [{ packageNumber: number, dateOfReturn: '03.12.2026', eventSet: waiting }] }],
        },
      }
    }
    const eventSet = [
      event('DELIVERED', '2026-11-18T14:05:00+01:00', 'OSLO'),
      event('IN_TRANSIT', '2026-11-17T22:00:00+01:00', 'OSLO'),
      event('NOTIFICATION_SENT', '2026-11-17T09:00:00+01:00', ''),
      event('HANDED_IN', '2026-11-16T18:00:00+01:00', 'KØBENHAVN'),
    ]
    return { body: { apiVersion: '2', consignmentSet: [{ consignmentId: '1', packageSet: [{ packageNumber: number, eventSet }] }] } }
  }

  return fake
}

/** One of Bring's own test numbers. */
const atPickupPoint = 'TESTPACKAGEATPICKUPPOINT'

const isBooking = ({ method, path }: FakeRequest) => method === 'POST' && path.startsWith('/booking')
