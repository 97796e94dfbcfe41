/**
 * GLS on the loopback: ShipIT after its REST documentation 5.0.11, Track and Trace after 1.0.7, GLS Denmark after the clients that run
 * against it. Holds the books of both systems.
 */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

/** ShipIT refuses these in texts, and what is longer than its field. */
const plain = (limit: number) =>
  z
    .string()
    .max(limit, `Value is too long. Maximum is ${limit}`)
    .regex(/^[^\\"{},;()|\n]*$/, 'Value contains characters that are not allowed')
const needed = (limit: number) => plain(limit).min(1, 'Value is mandatory')

const Address = z.strictObject({
  Name1: needed(40),
  Name2: plain(40).optional(),
  Name3: plain(40).optional(),
  CountryCode: z.string().regex(/^[A-Z]{2}$/),
  ZIPCode: needed(10),
  City: needed(40),
  Street: needed(40),
  StreetNumber: plain(40).optional(),
  eMail: z.email().max(80).optional(),
  ContactPerson: plain(40).min(6).optional(),
  FixedLinePhonenumber: plain(35).min(4).optional(),
  MobilePhoneNumber: plain(35).min(4).optional(),
})
const named = (...names: string[]) => z.enum(names)
const Service = z.union([
  z.strictObject({ ShopDelivery: z.strictObject({ ServiceName: named('service_shopdelivery'), ParcelShopID: needed(50) }) }),
  z.strictObject({ ShopReturn: z.strictObject({ ServiceName: named('service_shopreturn'), NumberOfLabels: z.int().min(1) }) }),
  z.strictObject({ Deposit: z.strictObject({ ServiceName: named('service_deposit'), PlaceOfDeposit: needed(60) }) }),
  z.strictObject({
    Service: z.strictObject({
      ServiceName: named('service_flexdelivery', 'service_signature', 'service_addresseeonly', 'service_1000', 'service_1200'),
    }),
  }),
])
const Shipment = z.strictObject({
  ShipmentReference: z.array(needed(40)).optional(),
  ShippingDate: z.iso.date().optional(),
  IncotermCode: z.string().length(2).optional(),
  Identifier: plain(40).optional(),
  Middleware: needed(40),
  Product: z.enum(['PARCEL', 'EXPRESS']),
  Consignee: z.strictObject({
    ConsigneeID: plain(40).optional(),
    Category: z.enum(['BUSINESS', 'PRIVATE']).optional(),
    Address,
  }),
  Shipper: z.strictObject({ ContactID: needed(20), AlternativeShipperAddress: Address.optional() }),
  ShipmentUnit: z
    .array(
      z.strictObject({
        ShipmentUnitReference: z.array(needed(40)).optional(),
        Weight: z.number().gt(0.1).multipleOf(0.01),
        Note1: plain(50).optional(),
        Note2: plain(50).optional(),
      }),
    )
    .min(1),
  Service: z.array(Service).optional(),
})
const ShipmentRequest = z.strictObject({
  Shipment,
  PrintingOptions: z.strictObject({
    ReturnLabels: z.strictObject({ TemplateSet: z.enum(['NONE', 'ZPL_200', 'ZPL_300']), LabelFormat: z.enum(['PDF', 'PNG', 'ZEBRA']) }),
  }),
})
const ShopSearch = z.strictObject({
  Street: plain(40).min(4).optional(),
  StreetNumber: plain(40).optional(),
  CountryCode: z.string().length(2),
  ZIPCode: needed(10),
  City: plain(40).optional(),
  Distance: z.string().optional(),
  MaxNumberOfShops: z.string().optional(),
})

const Collection = z.strictObject({
  ContactID: needed(20),
  PreferredPickUpDate: z.iso.date(),
  NumberOfParcels: z.int().positive(),
  Product: z.enum(['PARCEL', 'EXPRESS']),
  ExpectedTotalWeight: z.number().positive().optional(),
  ContainsHazGoods: z.boolean().optional(),
  AdditionalInformation: z.string().optional(),
})

const DenmarkAddress = z.strictObject({
  Name1: z.string().min(1).max(40),
  Name2: z.string().max(40),
  Name3: z.string().max(40),
  Street1: z.string().min(1).max(40),
  CountryNum: z.string().regex(/^\d{3}$/, 'The CountryNum field is not a number of ISO 3166-1.'),
  ZipCode: z.string().min(1, 'The ZipCode field is required.').max(10),
  City: z.string().min(1).max(40),
  Contact: z.string().max(40),
  Email: z.string().max(100),
  Phone: z.string().max(40),
  Mobile: z.string().max(40),
})
const yes = z.literal('Y').optional()
const DenmarkRequest = z.strictObject({
  UserName: z.string().min(1),
  Password: z.string().min(1),
  Customerid: z.string().min(1),
  Contactid: z.string().min(1),
  ShipmentDate: z.string().regex(/^\d{8}$/),
  Reference: z.string(),
  Addresses: z.strictObject({
    Delivery: DenmarkAddress,
    AlternativeShipper: DenmarkAddress.optional(),
    Pickup: DenmarkAddress.optional(),
  }),
  Parcels: z
    .array(
      z.strictObject({
        Weight: z.number().positive().max(50),
        Reference: z.string().max(50).optional(),
        Comment: z.string().max(40).optional(),
        AddOnLiabilityService: z.number().optional(),
        Cashservice: z.number().optional(),
      }),
    )
    .min(1),
  Services: z.strictObject({
    ShopDelivery: z.string().regex(/^\d+$/, 'The parcel shop is not known.').optional(),
    PrivateDelivery: yes,
    FlexDelivery: yes,
    NotificationEmail: z.email().max(100).optional(),
    Deposit: z.string().max(100).optional(),
    DirectShop: yes,
    ShopReturn: yes,
    Express10: yes,
    Express12: yes,
  }),
})

interface FakeParcel {
  reference: string
  number: string
  cancelled: boolean
  scanned: boolean
}

export interface FakeGls {
  server: FakeCourierServer
  parcels: FakeParcel[]
  pickups: z.infer<typeof Collection>[]
  /** Logins so far. */
  logins: number
  /** No token that was given before is taken any more. */
  expireTokens(): void
  /** The answer to a booking holds no label. */
  withoutLabels: boolean
  /** GLS cancels later what it is asked to cancel. */
  cancelsLater: boolean
  close(): Promise<void>
}

export const shipitAccount = { system: 'shipit', contact_id: '208a12b3cD', client_id: 'app-1', client_secret: 'shipit-secret-4711' }
export const denmarkAccount = {
  system: 'gls_dk',
  contact_id: '208a12b3cD',
  user: '2080000001',
  password: 'denmark-secret-4711',
  customer_id: '2080060960',
}

const shipments = '/shipit-farm/v1/backend/rs/shipments'
const collections = '/shipit-farm/v1/backend/rs/sporadiccollection'
const denmark = '/ws/DK/V1/CreateShipment'

export async function openFakeGls(): Promise<FakeGls> {
  let next = 1
  let tokens = new Set<string>()
  const fake: FakeGls = {
    server: await openFakeCourier(answer, changes),
    parcels: [],
    pickups: [],
    logins: 0,
    expireTokens: () => {
      tokens = new Set()
    },
    withoutLabels: false,
    cancelsLater: false,
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest): FakeReply {
    const { method, path, headers } = request
    if (method === 'POST' && path === '/oauth2/v2/token') return login(request)
    if (method === 'POST' && path === denmark) return bookInDenmark(request)
    if (path.startsWith('/webservices_v4/wsShopFinder.asmx/')) return danishShops(path.split('/').at(-1) ?? '', request.query)
    if (!tokens.has(headers.authorization ?? ''))
      return { status: 401, body: { fault: { faultstring: 'Invalid token', detail: { errorcode: 'steps.jwt.TokenExpired' } } } }
    if (path.startsWith('/track-and-trace-v1/tracking/simple/trackids/')) return tracking(decodeURIComponent(path.split('/').at(-1) ?? ''))
    if (method !== 'GET' && headers['content-type'] !== 'application/glsVersion1+json') return { status: 415 }
    if (method === 'POST' && path === collections) return collect(request)
    if (method === 'POST' && path === shipments) return book(request)
    if (method === 'POST' && path === `${shipments}/validate`) return validate(request)
    if (method === 'POST' && path.startsWith(`${shipments}/cancel/`)) return cancel(path.split('/').at(-1) ?? '')
    if (method === 'POST' && path === '/shipit-farm/v1/backend/rs/parcelshop/address') return shops(request)
    const country = /^\/shipit-farm\/v1\/backend\/rs\/parcelshop\/country\/([^/]+)$/.exec(path)?.[1]
    if (method === 'GET' && country) return shopsOf(country)
    return { status: 404 }
  }

  function login({ headers, text }: FakeRequest): FakeReply {
    const { client_id, client_secret } = shipitAccount
    const expected = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    if (headers.authorization !== expected || text !== 'grant_type=client_credentials')
      return { status: 401, body: { error: 'invalid_client' } }
    const token = `token-${++fake.logins}`
    tokens.add(`Bearer ${token}`)
    return { body: { access_token: token, token_type: 'Bearer', expires_in: 14_399 } }
  }

  /** ShipIT says what is wrong in headers. */
  const refused = (field: string, value: string, reason: string): FakeReply => ({
    status: 400,
    headers: {
      message: `Invalid field ${field}. Value ${value} is not a valid value. ${reason}`,
      error: 'INVALID_FIELD_VALUE',
      args: JSON.stringify([field, value, reason]),
    },
  })

  const unreadable = (error: z.ZodError): FakeReply => {
    const [issue] = error.issues
    if (issue?.code === 'unrecognized_keys')
      return { status: 400, body: `com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException: ${issue.message}` }
    return refused((issue?.path ?? []).filter(one => typeof one === 'string').join('.'), '', issue?.message ?? '')
  }

  function book({ body }: FakeRequest): FakeReply {
    const read = ShipmentRequest.safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { Consignee, Shipper, ShipmentReference = [], ShipmentUnit, Service: services = [] } = read.data.Shipment
    if (Shipper.ContactID !== shipitAccount.contact_id)
      return refused('Shipment.Shipper.ContactID', Shipper.ContactID, 'Shipper does not exist or is not available for the user.')
    const { CountryCode, ZIPCode, eMail, MobilePhoneNumber } = Consignee.Address
    if (CountryCode === 'DK' && !/^\d{4}$/.test(ZIPCode))
      return refused('consignee.zip', 'ADDRESS_ZIPCODE_VALID', 'Shipment validation failed')
    const shop = services.find(one => 'ShopDelivery' in one)
    if (shop && !eMail && !MobilePhoneNumber) return refused('consignee.shopDelivery', 'SHOP_CONTACT', 'Shipment validation failed')
    if (shop && !/^GLS_[A-Z]{2}-\d{10}$/.test(shop.ShopDelivery.ParcelShopID))
      return refused('routing', 'SHIPMENT_VALID_ROUTING', 'Shipment validation failed')
    const parcels = ShipmentUnit.map(() => {
      const number = `YZ8Y${String(next).padStart(4, '0')}`
      const parcelNumber = `2028${String(next++).padStart(8, '0')}`
      fake.parcels.push({ reference: ShipmentReference[0] ?? '', number, cancelled: false, scanned: false })
      return {
        TrackID: number,
        ParcelNumber: parcelNumber,
        Barcodes: { Primary2D: 'ADK 200DK 200', Secondary2D: 'A|', Primary1D: parcelNumber, Primary1DPrint: true },
        RoutingInfo: { Tour: '0815', FinalLocationCode: 'DK 200', HubLocation: 'esa' },
      }
    })
    const Data = Buffer.from(fakePdf(parcels.map(one => one.TrackID).join(' '), parcels.length)).toString('base64')
    return {
      headers: { 'content-type': 'application/glsVersion1+json;charset=UTF-8' },
      body: {
        CreatedShipment: {
          ShipmentReference,
          ParcelData: parcels,
          PrintData: fake.withoutLabels ? [] : [{ Data, LabelFormat: 'PDF' }],
          CustomerID: '2080060960',
          PickupLocation: 'DK 200',
          GDPR: [],
        },
      },
    }
  }

  function validate({ body }: FakeRequest): FakeReply {
    const read = z.strictObject({ Shipment }).safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { ContactID } = read.data.Shipment.Shipper
    const Issues =
      ContactID === shipitAccount.contact_id
        ? []
        : [{ Rule: 'COMMON', Location: 'Shipment.Shipper.ContactID', Parameters: ['Shipper does not exist', ContactID] }]
    return { body: { success: Issues.length === 0, validationResult: { Issues } } }
  }

  function cancel(TrackID: string): FakeReply {
    const parcel = fake.parcels.find(one => one.number === TrackID)
    if (!parcel) return refused('TrackID', TrackID, 'A parcel with the given ID does not exist')
    if (parcel.scanned) return { body: { TrackID, result: 'SCANNED' } }
    if (parcel.cancelled) return { status: 500 }
    parcel.cancelled = true
    return { body: { TrackID, result: fake.cancelsLater ? 'CANCELLATION_PENDING' : 'CANCELLED' } }
  }

  /** A day on which GLS does not come becomes the next working day. */
  function collect({ body }: FakeRequest): FakeReply {
    const read = Collection.safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { ContactID, PreferredPickUpDate } = read.data
    if (ContactID !== shipitAccount.contact_id)
      return {
        status: 400,
        headers: { message: `Referenced object ContactID with id ${ContactID} not found`, error: 'REFERENCED_OBJECT_NOT_FOUND' },
      }
    fake.pickups.push(read.data)
    const day = new Date(`${PreferredPickUpDate}T00:00:00Z`)
    while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1)
    return { body: { EstimatedPickUpDate: day.toISOString().slice(0, 10) } }
  }

  function shops({ body }: FakeRequest): FakeReply {
    const read = ShopSearch.safeParse(body)
    if (!read.success) return unreadable(read.error)
    const { CountryCode, ZIPCode } = read.data
    if (CountryCode === 'XY') return refused('countryCode', 'XY', 'Country XY not found.')
    const hours = (from: number, to: number) => ({ OpeningHours: [{ From: from, To: to }] })
    const Address = { Name1: 'KIOSK-Shop', CountryCode, ZIPCode, City: 'Flensburg', Street: 'Holm', StreetNumber: '17' }
    const WorkingDay = [
      { DayOfWeek: 'MON', OpeningHours: hours(25_200_000, 66_600_000), Breaks: hours(39_600_000, 43_200_000) },
      { DayOfWeek: 'SAT', OpeningHours: hours(28_800_000, 39_600_000), Breaks: hours(-3_600_000, -3_600_000) },
    ]
    return { body: { ParcelShop: [{ ParcelShopID: 'GLS_DE-2761234567', Type: 'SHOP', Address, WorkingDay, AirlineDistance: '5.2324' }] } }
  }

  /** All shops of a country: three numbers, of which a test may close some. */
  function shopsOf(CountryCode: string): FakeReply {
    if (!['DK', 'DE', 'SE'].includes(CountryCode)) return refused('countryCode', CountryCode, `Country ${CountryCode} not found.`)
    const ParcelShop = ['2761234567', '2761234568', '2761234569'].map((number, i) => ({
      ParcelShopID: `GLS_${CountryCode}-${number}`,
      Address: {
        Name1: `Shop ${i + 1}`,
        CountryCode,
        ZIPCode: `500${i}`,
        City: 'Odense',
        Street: 'Vestergade',
        StreetNumber: String(i + 1),
      },
      WorkingDay: [],
    }))
    return { body: { ParcelShop } }
  }

  /** The test parcels that GLS gives to everyone, one of each status. */
  function tracking(requested: string): FakeReply {
    if (requested === 'QUOTA')
      return { status: 429, body: { fault: { faultstring: 'Quota', detail: { errorcode: 'policies.ratelimit.QuotaViolation' } } } }
    if (requested === 'BROKEN') return { body: { parcels: [{ requested, errorCode: 'E_500_01', errorMessage: 'Internal error' }] } }
    const status = statuses[Number(/^QAS_0{5}(\d\d)$/.exec(requested)?.[1] ?? 0) - 1]
    if (!status) return { body: { parcels: [{ requested, errorCode: 'E_404_01', errorMessage: 'Resource Not Found' }] } }
    const event = (code: string, description: string, city: string, time: string) => ({
      code,
      city,
      postalCode: '',
      country: 'DK',
      description,
      eventDateTime: `2024-10-11T${time}+0200`,
    })
    const first = event('INTIAL.PREADVICE', 'The parcel data was entered.', '', '15:24:51')
    const events =
      status === 'DELIVEREDPS' ? [event('DELIVD.PS', 'The parcel reached the ParcelShop.', 'Kolding', '18:00:00'), first] : [first]
    return { body: { parcels: [{ requested, unitno: requested, status, statusDateTime: '2024-10-11T18:00:05+0200', events }] } }
  }

  function bookInDenmark({ body }: FakeRequest): FakeReply {
    const invalid = (states: Record<string, string[]>): FakeReply => ({
      status: 400,
      body: { Message: 'The request is invalid.', ModelState: states },
    })
    const read = DenmarkRequest.safeParse(body)
    if (!read.success) {
      const states: Record<string, string[]> = {}
      for (const { path, message } of read.error.issues) {
        const key = ['shipment', ...path].join('.')
        states[key] = [...(states[key] ?? []), message]
      }
      return invalid(states)
    }
    const { UserName, Password, Reference, Addresses, Parcels, Services } = read.data
    if (UserName !== denmarkAccount.user || Password !== denmarkAccount.password)
      return invalid({ 'shipment.Password': [`The user ${UserName} has no password ${Password}.`] })
    const { AlternativeShipper, Pickup } = Addresses
    if (Services.ShopReturn ? !Pickup || AlternativeShipper : Pickup)
      return invalid({ 'shipment.Addresses.Pickup': ['Pickup belongs to a ShopReturn.'] })
    const booked = Parcels.map(() => {
      const number = `6200${String(next++).padStart(8, '0')}`
      fake.parcels.push({ reference: Reference, number, cancelled: false, scanned: false })
      return { UniqueNumber: `ZD${number.slice(-6)}`, ParcelNumber: number, NdiNumber: '', Routing: { Primary2D: '', Secondary2D: '' } }
    })
    const PDF = fake.withoutLabels
      ? 'JVBERi0xLjQ='
      : Buffer.from(fakePdf(booked.map(one => one.ParcelNumber).join(' '), booked.length)).toString('base64')
    return { body: { ConsignmentId: String(next), PDF, Parcels: booked } }
  }

  return fake
}

const statuses = [
  'PLANNEDPICKUP',
  'INPICKUP',
  'NOTPICKEDUP',
  'PREADVICE',
  'INTRANSIT',
  'INDELIVERY',
  'DELIVEREDPS',
  'DELIVERED',
  'INWAREHOUSE',
  'NOTDELIVERED',
  'CANCELED',
  'FINAL',
]

const changes = ({ method, path }: FakeRequest) => method === 'POST' && (path === shipments || path === denmark || path === collections)

/** The finder of GLS Denmark: a fault for a street that it does not know, and for a parameter that is missing. */
function danishShops(operation: string, query: URLSearchParams): FakeReply {
  const wanted =
    operation === 'GetParcelShopsInZipcode' ? ['zipcode', 'countryIso3166A2'] : ['street', 'zipcode', 'countryIso3166A2', 'Amount']
  const missing = wanted.find(one => !query.get(one)) ?? [...query.keys()].find(one => !wanted.includes(one))
  if (missing) return { status: 500, headers: { 'content-type': 'text/plain' }, body: `Missing parameter: ${missing}.` }
  const xml = (inner: string): FakeReply => ({
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?>\n<${operation}Result xmlns="http://gls.dk/webservices/">${inner}</${operation}Result>`,
  })
  const shop = (number: string, company: string, metres: string) =>
    `<PakkeshopData><Number>${number}</Number><CompanyName>${company}</CompanyName><Streetname>Torvet 1</Streetname><Streetname2 />` +
    `<ZipCode>${query.get('zipcode')}</ZipCode><CityName>Odense C</CityName><CountryCode>DK</CountryCode><Longitude>10.4</Longitude>` +
    `<Latitude>55.4</Latitude><DistanceMetersAsTheCrowFlies>${metres}</DistanceMetersAsTheCrowFlies><OpeningHours><Weekday><day>Monday</day>` +
    '<openAt><From>08:00</From><To>21:00</To></openAt><breaks /></Weekday></OpeningHours></PakkeshopData>'
  if (operation === 'GetParcelShopsInZipcode') return xml(shop('96999', 'By postcode', ''))
  if (operation !== 'SearchNearestParcelShops') return { status: 500, body: 'Unknown operation' }
  const street = query.get('street')
  if (street === 'Ukendtvej 5') return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'The street was not found' }
  if (street === 'Ukendtvej') return xml('<accuracylevel>UNKNOWN</accuracylevel><parcelshops />')
  const shops = street === 'Kort' ? '' : shop('96043', '<![CDATA[Bog & Idé]]>', '1250.4')
  return xml(`<accuracylevel>ADDRESS</accuracylevel><parcelshops>${shop('96042', 'Kiosk &amp; Grill', '400')}${shops}</parcelshops>`)
}
