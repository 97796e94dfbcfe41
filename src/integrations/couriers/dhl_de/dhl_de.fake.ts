/** DHL's Parcel DE Shipping 2.1.13, Pickup 3.0.0, unified tracking and location finder on the loopback. Holds its own books. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const postalCode = z
  .string()
  .min(3)
  .max(10)
  .regex(/^[0-9A-Za-z]+([ -]?[0-9A-Za-z]+)*$/)
const country = z.string().regex(/^[A-Z]{3}$/)
const line = (most: number) => z.string().min(1).max(most)
const email = z.string().min(3).max(80)
const address = {
  name1: line(50),
  name2: line(50).optional(),
  name3: line(50).optional(),
  addressStreet: line(50),
  postalCode: postalCode.optional(),
  city: line(40),
  country,
  contactName: z.string().min(3).max(80).optional(),
  email: email.optional(),
}
const ContactAddress = z.strictObject({
  ...address,
  dispatchingInformation: line(35).optional(),
  additionalAddressInformation1: line(60).optional(),
  additionalAddressInformation2: line(60).optional(),
  state: line(20).optional(),
  phone: line(20).optional(),
})
const postNumber = z.string().regex(/^[0-9]{6,10}$/)
const Locker = z.strictObject({
  name: line(50),
  lockerID: z.number().int().min(100).max(999),
  postNumber,
  city: z.string().max(40),
  country: country.optional(),
  postalCode,
})
const PostOffice = z.strictObject({
  name: line(50),
  retailID: z.number().int().min(401).max(999),
  postNumber: postNumber.optional(),
  email: email.optional(),
  city: z.string().max(80),
  country: country.optional(),
  postalCode,
})
const Value = z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), value: z.number().min(0).max(100_000) })
const Weight = z.strictObject({ uom: z.enum(['g', 'kg']), value: z.number().min(0).max(31_500) })
const billingNumber = z.string().regex(/^\w{10}\d{2}\w{2}$/)
const age = z.enum(['A16', 'A18'])
const Services = z.strictObject({
  preferredNeighbour: z.string().max(100).optional(),
  preferredLocation: z.string().max(100).optional(),
  preferredDay: z.iso.date().optional(),
  visualCheckOfAge: age.optional(),
  namedPersonOnly: z.boolean().optional(),
  identCheck: z.strictObject({ firstName: line(35), lastName: line(35), minimumAge: age.optional() }).optional(),
  signedForByRecipient: z.boolean().optional(),
  noNeighbourDelivery: z.boolean().optional(),
  endorsement: z.enum(['RETURN', 'ABANDON']).optional(),
  additionalInsurance: Value.optional(),
  bulkyGoods: z.boolean().optional(),
  premium: z.boolean().optional(),
  closestDropPoint: z.boolean().optional(),
  parcelOutletRouting: z.string().optional(),
  goGreenPlus: z.boolean().optional(),
  dhlRetoure: z
    .strictObject({ billingNumber, refNo: z.string().min(6).max(50).optional(), returnAddress: ContactAddress.optional() })
    .optional(),
  postalDeliveryDutyPaid: z.boolean().optional(),
})
const Customs = z.strictObject({
  exportType: z.enum(['OTHER', 'PRESENT', 'COMMERCIAL_SAMPLE', 'DOCUMENT', 'RETURN_OF_GOODS', 'COMMERCIAL_GOODS']),
  exportDescription: z.string().max(80).optional(),
  shippingConditions: z.enum(['DAP', 'DDP']).optional(),
  postalCharges: Value,
  shipperCustomsRef: z.string().max(35).optional(),
  items: z
    .array(
      z.strictObject({
        itemDescription: line(256),
        countryOfOrigin: country.optional(),
        hsCode: z.string().min(6).max(11).optional(),
        packagedQuantity: z.number().int(),
        itemValue: Value,
        itemWeight: Weight,
      }),
    )
    .min(1)
    .max(99),
})
const Shipment = z.strictObject({
  product: z.enum(['V01PAK', 'V53WPAK', 'V54EPAK', 'V62WP', 'V62KP', 'V66WPI']),
  billingNumber,
  refNo: z.string().min(8).max(35),
  costCenter: z.string().max(50).optional(),
  shipDate: z.iso.date().optional(),
  shipper: z.strictObject(address),
  consignee: z.union([ContactAddress, Locker, PostOffice]),
  details: z.strictObject({
    dim: z
      .strictObject({ uom: z.enum(['cm', 'mm']), height: z.number().int(), length: z.number().int(), width: z.number().int() })
      .optional(),
    weight: Weight,
  }),
  services: Services.optional(),
  customs: Customs.optional(),
})
type Shipment = z.infer<typeof Shipment>
const Order = z.strictObject({ profile: z.string().max(35), shipments: z.array(Shipment).min(1).max(30) })

/** `PickupOrder`. */
const Pickup = z.strictObject({
  customerDetails: z.strictObject({ billingNumber }).optional(),
  pickupLocation: z.strictObject({
    type: z.literal('Address'),
    pickupAddress: z.strictObject({
      name1: line(50),
      name2: line(50).optional(),
      addressStreet: line(70),
      addressHouse: line(10),
      postalCode: line(7),
      city: line(35),
      country: z.string().length(2),
    }),
  }),
  businessHours: z
    .array(z.strictObject({ timeFrom: z.string().regex(/^\d{2}:\d{2}$/), timeUntil: z.string().regex(/^\d{2}:\d{2}$/) }))
    .max(3)
    .optional(),
  contactPerson: z
    .array(z.strictObject({ name: line(50), phone: z.string().max(50), email: z.string().max(250).optional() }))
    .max(2)
    .optional(),
  pickupDetails: z.strictObject({
    pickupDate: z.strictObject({ type: z.literal('Date'), value: z.iso.date() }),
    totalWeight: z.strictObject({ uom: z.enum(['g', 'kg']), value: z.number() }).optional(),
    comment: z.string().max(100).optional(),
  }),
  shipmentDetails: z.strictObject({
    shipments: z
      .array(
        z.strictObject({
          transportationType: z.enum(['PAKET', 'ROLLBEHAELTER', 'WECHSELBEHAELTER', 'PALETTEN', 'SPERRGUT']),
          size: z.enum(['S', 'M', 'L']).optional(),
          customerReference: z.string().max(20).optional(),
        }),
      )
      .min(1),
  }),
})
const LoginForm = z.strictObject({
  grant_type: z.literal('password'),
  username: z.string(),
  password: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
})

const format = z.enum([
  'A4',
  '910-300-600',
  '910-300-610',
  '910-300-700',
  '910-300-700-oz',
  '910-300-710',
  '910-300-300',
  '910-300-300-oz',
  '910-300-400',
  '910-300-410',
  '100x70mm',
])
const Documents = {
  docFormat: z.enum(['PDF', 'ZPL2']).default('PDF'),
  printFormat: format.optional(),
  retourePrintFormat: format.optional(),
  includeDocs: z.enum(['include', 'URL']).optional(),
  combine: z.enum(['true', 'false']).optional(),
}
const yes = z.enum(['true', 'false']).optional()
const PostQuery = z.strictObject({ ...Documents, validate: yes, mustEncode: yes })
const GetQuery = z.strictObject({ ...Documents, shipment: z.string() })
const DeleteQuery = z.strictObject({ profile: z.string(), shipment: z.string() })
const LocationsQuery = z.strictObject({
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  postalCode: z.string().optional(),
  addressLocality: z.string().optional(),
  streetAddress: z.string().optional(),
  providerType: z.enum(['parcel', 'express']).optional(),
  serviceType: z.string().optional(),
  radius: z.coerce.number().optional(),
  limit: z.coerce.number().optional(),
})

interface FakeParcel {
  reference: string
  number: string
  test: boolean
  cancelled: boolean
  manifested: boolean
  order: Shipment
}

export interface FakeDhl {
  server: FakeCourierServer
  parcels: FakeParcel[]
  pickups: { number: string; order: z.infer<typeof Pickup>; cancelled: boolean }[]
  tokens: Set<string>
  /** Answers to bookings have no labels. */
  withoutLabels: boolean
  /** Labels cannot be had again. */
  closed: boolean
  /** Events of every parcel, newest first; those of a usual way where absent. */
  events: object[] | null
  close(): Promise<void>
}

export const dhlAccount = {
  key: 'Kx7fQm2pTz9LrWn4Hb6VsCd8',
  user: 'sandy_sandbox',
  password: 'pass-of-the-portal',
  billing_01: '33333333330102',
  billing_62: '33333333336201',
  billing_53: '33333333335301',
  billing_54: '33333333335401',
  billing_66: '33333333336601',
  billing_07: '33333333330701',
  billing_08: '33333333330801',
  app_secret: 'secret-of-the-app',
}
const authorization = `Basic ${Buffer.from(`${dhlAccount.user}:${dhlAccount.password}`).toString('base64')}`
const billed: readonly string[] = [
  dhlAccount.billing_01,
  dhlAccount.billing_53,
  dhlAccount.billing_54,
  dhlAccount.billing_62,
  dhlAccount.billing_66,
]

const problem = (status: number, title: string, detail: string): FakeReply => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ title, status, statusCode: status, detail }),
})
const base = '/parcel/de/shipping/v2'
const pickupPath = '/parcel/de/transportation/pickup/v3/orders'
const pathOf = ({ path }: FakeRequest) => path.replace(/^\/sandbox/, '')

export async function openFakeDhl(): Promise<FakeDhl> {
  let next = 1
  const fake: FakeDhl = {
    server: await openFakeCourier(answer, changesSomething),
    parcels: [],
    pickups: [],
    tokens: new Set(),
    withoutLabels: false,
    closed: false,
    events: null,
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest): FakeReply {
    const path = pathOf(request)
    if (path === '/parcel/de/account/auth/ropc/v1/token') return login(request)
    if (path === pickupPath) return request.method === 'DELETE' ? cancelPickup(request) : collect(request)
    if (request.headers['dhl-api-key'] !== dhlAccount.key) return problem(401, 'Unauthorized', 'Unauthorized for given resource.')
    if (path === '/track/shipments') return tracking(request.query.get('trackingNumber') ?? '')
    if (path === '/location-finder/v1/find-by-address') return locations(request)
    if (path !== `${base}/orders`) return problem(404, 'Not Found', 'The requested resource does not exist')
    if (request.headers.authorization !== authorization) return problem(401, 'Unauthorized', 'Unauthorized for given resource.')
    if (request.method === 'POST') return create(request)
    return request.method === 'DELETE' ? remove(request) : labels(request)
  }

  function login({ method, text }: FakeRequest): FakeReply {
    const form = LoginForm.safeParse(Object.fromEntries(new URLSearchParams(text)))
    const { user, password, key, app_secret } = dhlAccount
    const { data } = form
    const right = data?.username === user && data.password === password && data.client_id === key && data.client_secret === app_secret
    if (method !== 'POST' || !right) return problem(401, 'Unauthorized', 'The login is not known.')
    const token = `token-${fake.tokens.size + 1}`
    fake.tokens.add(`Bearer ${token}`)
    return { body: { access_token: token, token_type: 'Bearer', expires_in: 1_799 } }
  }

  const invalid = (errorCode: number, title: string, instance: string, detail: string): FakeReply => ({
    status: 422,
    body: [{ errorCode, title, instance, detail }],
  })

  function collect({ method, headers, body }: FakeRequest): FakeReply {
    if (!fake.tokens.has(headers.authorization ?? '')) return { status: 401 }
    if (method !== 'POST') return { status: 404 }
    const read = Pickup.safeParse(body)
    if (!read.success) return invalid(400, 'Invalid request', '', z.prettifyError(read.error).slice(0, 200))
    const { customerDetails, pickupLocation, pickupDetails, shipmentDetails } = read.data
    if (customerDetails === undefined && shipmentDetails.shipments.some(one => one.size === undefined))
      return invalid(457, 'The size is mandatory', 'shipmentDetails.shipments.size', '')
    if (customerDetails && customerDetails.billingNumber !== dhlAccount.billing_08)
      return invalid(456, 'Unknown billingnumber', 'customerDetails.billingNumber', customerDetails.billingNumber)
    if (pickupLocation.pickupAddress.country !== 'DE') return invalid(458, 'Unknown address', 'pickupLocation.pickupAddress', '')
    const number = String(fake.pickups.length + 1).padStart(32, 'a')
    fake.pickups.push({ number, order: read.data, cancelled: false })
    const pickupDate = pickupDetails.pickupDate.value
    const confirmedShipments = shipmentDetails.shipments.map(({ transportationType }) => ({
      transportationType,
      orderDate: `${pickupDate}T08:00:00`,
    }))
    const value = { orderID: number, pickupDate, freeOfCharge: false, pickupType: 'EZA', confirmedShipments }
    return { body: { confirmation: { type: 'ORDERPICKUP', value } } }
  }

  function cancelPickup({ headers, query }: FakeRequest): FakeReply {
    if (!fake.tokens.has(headers.authorization ?? '')) return { status: 401 }
    const orderID = query.get('orderID') ?? ''
    if (orderID.length !== 32) return { status: 400 }
    const found = fake.pickups.find(one => one.number === orderID && !one.cancelled)
    if (!found)
      return { body: { confirmedCancellations: [], failedCancellations: [{ orderID, message: 'The order cannot be cancelled' }] } }
    found.cancelled = true
    return { body: { confirmedCancellations: [{ orderID, orderState: 'STORNIERT', message: 'ok' }], failedCancellations: [] } }
  }

  function create(request: FakeRequest): FakeReply {
    const query = PostQuery.safeParse(Object.fromEntries(request.query))
    const read = Order.safeParse(request.body)
    if (!query.success) return problem(400, 'Bad Request', z.prettifyError(query.error).slice(0, 80))
    if (!read.success) {
      const validationMessages = read.error.issues.map(({ path, message }) => ({
        property: path.slice(2).join('.'),
        validationMessage: message,
        validationState: 'Error',
      }))
      return {
        status: 400,
        headers: { 'content-type': 'application/problem+json' },
        body: JSON.stringify({
          status: { title: 'Bad Request', statusCode: 400, status: 400, detail: 'JSON schema validation failed' },
          items: [{ sstatus: { title: 'Bad Request', statusCode: 400, status: 400 }, validationMessages }],
        }),
      }
    }
    const { shipments, profile } = read.data
    if (profile !== 'STANDARD_GRUPPENPROFIL') return problem(400, 'Bad Request', 'The user group profile is unknown')
    const dry = query.data.validate === 'true'
    const items = shipments.map(order => {
      const wrong = wrongIn(order, query.data.mustEncode === 'true')
      if (wrong.some(one => one.validationState === 'Error'))
        return {
          sstatus: { title: 'Bad Request', statusCode: 400, status: 400, detail: 'Die Prüfung ergab Fehler.' },
          validationMessages: wrong,
        }
      const ok = { title: 'ok', statusCode: 200, status: 200, detail: 'The Webservice call ran successfully.' }
      if (dry) return { sstatus: ok, validationMessages: wrong }
      const number = `0034043431042${String(next++).padStart(7, '0')}`
      const test = request.path.startsWith('/sandbox')
      fake.parcels.push({ reference: order.refNo, number, test, cancelled: false, manifested: false, order })
      return {
        shipmentNo: number,
        routingCode: '40327653113+99000943058020',
        sstatus: ok,
        ...(!fake.withoutLabels && { label: document(`label ${number}`, query.data) }),
        ...(order.services?.dhlRetoure && { returnShipmentNo: '999991587211', returnLabel: document(`return ${number}`, query.data) }),
        ...(order.customs && order.product === 'V53WPAK' && { customsDoc: document(`cn23 ${number}`, { docFormat: 'PDF' }, 'A4') }),
        ...(wrong.length > 0 && { validationMessages: wrong }),
      }
    })
    const failed = items.some(one => one.sstatus.status !== 200)
    const status = failed
      ? { title: 'Error', statusCode: 400, status: 400, detail: '1 of 1 shipment successfully printed.' }
      : { title: 'ok', statusCode: 200, status: 200, detail: 'The Webservice call ran successfully.' }
    return { status: items.length > 1 ? 207 : 200, body: { status, items } }
  }

  function document(
    words: string,
    { docFormat, printFormat }: { docFormat: 'PDF' | 'ZPL2'; printFormat?: string | undefined },
    paper?: string,
  ) {
    const content = docFormat === 'PDF' ? { b64: Buffer.from(fakePdf(words)).toString('base64') } : { zpl2: `^XA^FD${words}^FS^XZ` }
    return { ...content, fileFormat: docFormat, printFormat: paper ?? printFormat }
  }

  function labels(request: FakeRequest): FakeReply {
    const query = GetQuery.safeParse(Object.fromEntries(request.query))
    if (!query.success) return problem(400, 'Bad Request', z.prettifyError(query.error).slice(0, 80))
    const { shipment, ...form } = query.data
    const parcel = fake.parcels.find(one => one.number === shipment && !one.cancelled && !one.manifested)
    if (!parcel || fake.closed) return problem(404, 'Not Found', `No open shipment ${shipment}`)
    const status = { title: 'ok', statusCode: 200, status: 200 }
    return { body: { status, items: [{ shipmentNo: shipment, sstatus: status, label: document(`label ${shipment}`, form) }] } }
  }

  function remove(request: FakeRequest): FakeReply {
    const query = DeleteQuery.safeParse(Object.fromEntries(request.query))
    if (!query.success) return problem(400, 'Bad Request', z.prettifyError(query.error).slice(0, 80))
    const { shipment } = query.data
    const parcel = fake.parcels.find(one => one.number === shipment && !one.cancelled && !one.manifested)
    const sstatus = parcel
      ? { title: 'ok', statusCode: 200, status: 200 }
      : { title: 'Bad Request', statusCode: 400, status: 400, detail: 'Unknown shipment number.' }
    if (parcel) parcel.cancelled = true
    return { body: { status: { ...sstatus, detail: 'x of 1 shipments deleted' }, items: [{ shipmentNo: shipment, sstatus }] } }
  }

  function tracking(number: string): FakeReply {
    const parcel = fake.parcels.find(one => one.number === number)
    if (!parcel) return problem(404, 'No result found', 'No shipment with given tracking number found.')
    const event = (statusCode: string, timestamp: string, city: string, description: string) => ({
      timestamp,
      statusCode,
      status: statusCode.toUpperCase(),
      description,
      location: { address: { countryCode: 'DE', addressLocality: city } },
    })
    const events = fake.events ?? [
      event('delivered', '2026-11-18T14:05:00', 'Bonn', 'The shipment has been delivered'),
      event('unknown', '2026-11-18T09:00:00', '', 'The recipient was informed'),
      event('transit', '2026-11-17T22:00:00+01:00', 'Köln', 'The shipment is in the parcel centre'),
      event('pre-transit', '2026-11-16T18:00:00', '', 'The instruction data were sent to DHL'),
    ]
    return { body: { shipments: [{ id: number, service: 'parcel-de', status: events[0], events }], possibleAdditionalShipmentsUrl: [] } }
  }

  function locations(request: FakeRequest): FakeReply {
    const query = LocationsQuery.safeParse(Object.fromEntries(request.query))
    if (!query.success || query.data.postalCode === '00000')
      return problem(400, 'Bad request', 'The postal code is not valid in this country.')
    const { postalCode = '', serviceType } = query.data
    const open = (day: string, opens: string, closes: string) => ({ opens, closes, dayOfWeek: `http://schema.org/${day}` })
    const at = (type: string, keyword: string, keywordId: string | undefined, distance: number, service: string, hours: object[]) => ({
      url: `/locations/8003-4${keywordId}`,
      location: { ids: [{ locationId: `8003-4${keywordId}`, provider: 'parcel' }], keyword, keywordId, type },
      name: `${keyword} ${keywordId}`,
      distance,
      place: {
        address: { countryCode: 'DE', postalCode, addressLocality: 'Bonn', streetAddress: 'Charles-de-Gaulle-Str. 20' },
        geo: { latitude: 50.7, longitude: 7.1 },
      },
      openingHours: hours,
      closurePeriods: [],
      serviceTypes: [service, 'parcel:drop-off'],
    })
    const known = [
      at('servicepoint', 'Postfiliale', '502', 255, 'parcel:pick-up', [
        open('Saturday', '09:00:00', '13:00:00'),
        open('Monday', '14:00:00', '18:00:00'),
        open('Monday', '09:00:00', '12:30:00'),
      ]),
      at('locker', 'Packstation', '145', 52, 'parcel:pick-up-registered', [open('Monday', '00:00:00', '23:59:00')]),
      at('postbox', 'Briefkasten', undefined, 10, 'parcel:pick-up', []),
    ]
    return { body: { locations: known.filter(one => serviceType === undefined || one.serviceTypes.includes(serviceType)) } }
  }

  return fake
}

/** What the checks behind the schema find. */
function wrongIn({ product, billingNumber: number, consignee, details, shipDate, customs, services }: Shipment, mustEncode: boolean) {
  const found: { property: string; validationMessage: string; validationState: 'Error' | 'Warning' }[] = []
  const add = (property: string, validationMessage: string, validationState: 'Error' | 'Warning' = 'Error') =>
    found.push({ property, validationMessage, validationState })
  if (number.slice(10, 12) !== product.slice(1, 3) || !billed.includes(number)) add('billingNumber', 'The billing number is not valid.')
  if (shipDate !== undefined && shipDate < new Date().toISOString().slice(0, 10)) add('shipDate', 'The date is in the past.')
  const to = 'country' in consignee ? (consignee.country ?? 'DEU') : 'DEU'
  const domestic = ['V01PAK', 'V62KP', 'V62WP'].includes(product)
  if (domestic !== (to === 'DEU')) add('consignee.country', 'The product does not go to this country.')
  if (to === 'DEU' && 'phone' in consignee) add('consignee.phone', 'The phone number may not be transmitted.')
  if ('retailID' in consignee && !consignee.postNumber && !consignee.email) add('consignee.postNumber', 'Post number or e-mail is needed.')
  if (to === 'DEU' && consignee.postalCode !== undefined && !/^\d{5}$/.test(consignee.postalCode))
    add('consignee.postalCode', 'The postal code is not valid.')
  if ('addressStreet' in consignee && to === 'DEU' && consignee.addressStreet.startsWith('Existiert-Nicht-Str.'))
    add('consignee.addressStreet', 'The street is not known in this place.', mustEncode ? 'Error' : 'Warning')
  if (details.weight.value * (details.weight.uom === 'kg' ? 1_000 : 1) > 31_500) add('dimension.weight', 'The weight is too high.')
  if (customs?.items.some(one => one.itemValue.currency !== customs.postalCharges.currency))
    add('customs.postalCharges', 'The currencies must match.')
  if (customs?.exportType === 'OTHER' && !customs.exportDescription) add('customs.exportDescription', 'The description is needed.')
  if (customs?.shippingConditions && product !== 'V54EPAK') add('customs.shippingConditions', 'Only Europaket has these conditions.')
  if (!customs && ['CHE', 'NOR', 'GBR', 'USA'].includes(to)) add('customs', 'The customs details are needed.')
  if (services?.dhlRetoure && services.dhlRetoure.billingNumber !== dhlAccount.billing_07)
    add('services.dhlRetoure.billingNumber', 'The billing number is not valid.')
  if (services?.closestDropPoint && !('phone' in consignee) && !('email' in consignee))
    add('consignee.email', 'Phone number or e-mail address is needed.')
  return found
}

const changesSomething = (request: FakeRequest): boolean =>
  [`${base}/orders`, pickupPath].includes(pathOf(request)) &&
  (request.method === 'DELETE' || (request.method === 'POST' && request.query.get('validate') !== 'true'))
