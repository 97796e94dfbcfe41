/** UPS's OAuth, Shipping v2409 and Tracking v1 on the loopback, after its OpenAPI documents. Holds its own books. */
import bwipjs from 'bwip-js'
import sharp from 'sharp'
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const line = (most: number) => z.string().min(1).max(most)
const digits = (most: number) => z.string().regex(new RegExp(`^[0-9]{1,${most}}$`))
/** The tag alone means yes. */
const flag = z.literal('')
const country = z.string().regex(/^[A-Z]{2}$/)
const address = {
  AddressLine: z.array(line(35)).min(1).max(3),
  City: line(30),
  StateProvinceCode: line(5).optional(),
  PostalCode: line(9).optional(),
  CountryCode: country,
}
const Address = z.strictObject(address)
const phone = z.strictObject({ Number: digits(15), Extension: digits(4).optional() })
const party = { Name: line(35), AttentionName: line(35).optional(), Phone: phone.optional() }
const coded = <T extends z.ZodType>(codes: T) => z.strictObject({ Code: codes, Description: line(35).optional() })
const account = z.string().regex(/^[0-9A-Z]{6}$/)
const amount = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)
const day = z.string().regex(/^\d{8}$/)
const dimension = z.string().regex(/^\d{1,3}$/)

const Product = z.strictObject({
  Description: z.array(line(35)).min(1).max(3),
  Unit: z.strictObject({
    Number: digits(7),
    UnitOfMeasurement: coded(z.string().length(3)),
    Value: amount.refine(value => Number(value) > 0),
  }),
  CommodityCode: z
    .string()
    .regex(/^[0-9A-Za-z]{6,15}$/)
    .optional(),
  PartNumber: line(35),
  OriginCountryCode: country.optional(),
})
const InternationalForms = z.strictObject({
  FormType: z.array(z.enum(['01', '07'])).min(1),
  OverridePaperlessIndicator: flag.optional(),
  InvoiceNumber: line(35),
  InvoiceDate: day,
  ReasonForExport: z.enum(['SALE', 'GIFT', 'SAMPLE', 'RETURN', 'REPAIR', 'INTERCOMPANYDATA', 'Any other reason']),
  CurrencyCode: z.string().regex(/^[A-Z]{3}$/),
  TermsOfShipment: z.enum(['CFR', 'CIF', 'CIP', 'CPT', 'DAF', 'DAP', 'DDP', 'DEQ', 'DES', 'EXW', 'FAS', 'FCA', 'FOB']).optional(),
  Contacts: z.strictObject({
    SoldTo: z.strictObject({ Name: line(35), AttentionName: line(35), Phone: phone, EMailAddress: line(50).optional(), Address }),
  }),
  Product: z.array(Product).min(1).max(50),
})
const Registrations = z.strictObject({
  AgentTaxIdentificationNumber: z
    .array(
      z.strictObject({
        AgentRole: z.enum(['20', '30']),
        TaxIdentificationNumber: z
          .array(
            z.strictObject({
              IdentificationNumber: line(35),
              IDNumberCustomerRole: z.enum(['05', '06', '18', '37']),
              IDNumberEncryptionIndicator: z.enum(['0', '1']),
              IDNumberIssuingCntryCd: country.optional(),
              IDNumberPurposeCode: z.enum(['00', '01', '02', '99']),
              IDNumberTypeCode: z.enum(['0000', '0001', '0002', '0005', '1001', '1002', '1003', '1004', '1005', '1006']),
            }),
          )
          .max(8),
      }),
    )
    .max(4),
})
const Shipment = z.strictObject({
  Description: line(50).optional(),
  ReturnService: coded(z.enum(['2', '3', '5', '8', '9'])).optional(),
  Shipper: z.strictObject({ ...party, ShipperNumber: account, Address }),
  ShipTo: z.strictObject({
    ...party,
    EMailAddress: line(50).optional(),
    Address: z.strictObject({ ...address, ResidentialAddressIndicator: flag.optional() }),
  }),
  ShipFrom: z.strictObject({ ...party, Address }),
  PaymentInformation: z.strictObject({
    ShipmentCharge: z
      .array(z.strictObject({ Type: z.enum(['01', '02']), BillShipper: z.strictObject({ AccountNumber: account }) }))
      .min(1)
      .max(3),
  }),
  Service: coded(z.enum(['07', '08', '11', '17', '54', '65', '70', '72', '74'])),
  ReferenceNumber: z.array(z.strictObject({ Code: line(2).optional(), Value: line(35) })).optional(),
  GlobalTaxInformation: Registrations.optional(),
  ShipmentServiceOptions: z.strictObject({ InternationalForms: InternationalForms.optional() }).optional(),
  Package: z
    .array(
      z.strictObject({
        Description: line(35).optional(),
        Packaging: coded(z.enum(['01', '02', '03', '04', '21', '24', '25', '2a', '2b', '2c', '30'])),
        Dimensions: z
          .strictObject({ UnitOfMeasurement: coded(z.enum(['CM', 'IN'])), Length: dimension, Width: dimension, Height: dimension })
          .optional(),
        PackageWeight: z.strictObject({
          UnitOfMeasurement: coded(z.enum(['KGS', 'LBS', 'OZS'])),
          Weight: z
            .string()
            .max(5)
            .regex(/^\d+(\.\d+)?$/),
        }),
      }),
    )
    .min(1),
})
type Shipment = z.infer<typeof Shipment>
const ShipmentRequest = z.strictObject({
  ShipmentRequest: z.strictObject({
    Request: z.strictObject({
      RequestOption: z.enum(['validate', 'nonvalidate']),
      SubVersion: z.string().max(4).optional(),
      TransactionReference: z.strictObject({ CustomerContext: z.string().max(512) }).optional(),
    }),
    Shipment,
    LabelSpecification: z.strictObject({
      LabelImageFormat: coded(z.enum(['GIF', 'ZPL', 'EPL', 'SPL'])),
      HTTPUserAgent: line(64).optional(),
      LabelStockSize: z.strictObject({ Height: z.enum(['6', '8']), Width: z.literal('4') }),
      CharacterSet: z
        .enum(
          'dan nld fin fra deu itl nor pol por spa swe ces hun slk rus tur ron bul est ell lav lit eng'.split(' ') as [string, ...string[]],
        )
        .optional(),
    }),
  }),
})

interface FakeParcel {
  reference: string
  number: string
  /** The number of the shipment: that of its first parcel. */
  shipment_no: string
  test: boolean
  voided: boolean
  character_set: string | null
  shipment: Shipment
}

const hour = z.string().regex(/^\d{3,4}$/)
const yesNo = z.enum(['Y', 'N'])
const PickupRequest = z.strictObject({
  PickupCreationRequest: z.strictObject({
    Request: z.strictObject({ SubVersion: z.string().optional(), TransactionReference: z.strictObject({ CustomerContext: z.string() }) }),
    RatePickupIndicator: yesNo,
    Shipper: z.strictObject({ Account: z.strictObject({ AccountNumber: z.string().regex(/^[0-9A-Z]{6}$/), AccountCountryCode: line(2) }) }),
    PickupDateInfo: z.strictObject({ CloseTime: hour, ReadyTime: hour, PickupDate: z.string().regex(/^\d{8}$/) }),
    PickupAddress: z.strictObject({
      CompanyName: line(27),
      ContactName: line(22),
      AddressLine: line(73),
      City: line(50),
      PostalCode: line(9).optional(),
      CountryCode: line(2),
      ResidentialIndicator: yesNo,
      Phone: z.strictObject({ Number: line(25) }),
    }),
    AlternateAddressIndicator: yesNo,
    PickupPiece: z.array(
      z.strictObject({
        ServiceCode: line(3),
        Quantity: z.string().regex(/^\d{1,3}$/),
        DestinationCountryCode: line(2),
        ContainerCode: line(2),
      }),
    ),
    TotalWeight: z.strictObject({ Weight: z.string().regex(/^\d+(\.\d)?$/), UnitOfMeasurement: z.enum(['KGS', 'LBS']) }).optional(),
    OverweightIndicator: yesNo,
    PaymentMethod: z.enum(['00', '01', '03', '04', '05']),
    SpecialInstruction: line(57).optional(),
    ReferenceNumber: line(35).optional(),
  }),
})

export interface FakeUps {
  server: FakeCourierServer
  parcels: FakeParcel[]
  pickups: { prn: string; day: string; cancelled: boolean }[]
  logins: number
  /** Of answers to bookings. */
  label: 'picture' | 'broken' | 'none'
  withoutForm: boolean
  /** Several parcels in one answer, as UPS lists them, or one as older versions answer it. */
  shape: 'list' | 'object' | 'two'
  /** Activities of every parcel, newest first; those of a usual way where absent. */
  activities: object[] | null
  /** The last day on which a parcel can be collected, as UPS writes it. */
  pickupByDate: string | null
  /** No token is valid any more. */
  revoke(): void
  close(): Promise<void>
}

export const upsAccount = { client_id: 'Ab12Cd34Ef56Gh78', client_secret: 'kM8sWq2ZtR5vXy9B', account: 'A82D67' }
const basic = `Basic ${Buffer.from(`${upsAccount.client_id}:${upsAccount.client_secret}`).toString('base64')}`

const refused = (status: number, code: string, message: string): FakeReply => ({
  status,
  body: { response: { errors: [{ code, message }] } },
})
/** The integration environment stands under a path of its own. */
const pathOf = ({ path }: FakeRequest) => path.replace(/^\/cie/, '')

/** A label lies on its side, 7 inches wide: a corner and the bars of the number, and the conditions of carriage in its last inch. */
export async function labelPicture(number: string): Promise<Buffer> {
  const bars = await bwipjs.toBuffer({ bcid: 'code128', text: number, scale: 3, height: 25, rotate: 'L' })
  const black = (width: number, height: number) => ({ create: { width, height, channels: 3, background: '#000000' } }) as const
  return sharp({ create: { width: 1_400, height: 800, channels: 3, background: '#ffffff' } })
    .composite([
      { input: black(20, 20), left: 0, top: 780 },
      { input: bars, left: 780, top: 60 },
      { input: black(200, 800), left: 1_200, top: 0 },
    ])
    .gif({ colours: 2 })
    .toBuffer()
}

export async function openFakeUps(): Promise<FakeUps> {
  let next = 1
  const tokens = new Set<string>()
  // As in the integration environment: all labels show this number.
  const picture = await labelPicture('1ZXXXXXXXXXXXXXXXX')
  const fake: FakeUps = {
    server: await openFakeCourier(answer, changesSomething),
    parcels: [],
    pickups: [],
    logins: 0,
    label: 'picture',
    withoutForm: false,
    shape: 'list',
    activities: null,
    pickupByDate: null,
    revoke: () => tokens.clear(),
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest): FakeReply {
    const path = pathOf(request)
    if (path === '/security/v1/oauth/token') return login(request)
    if (!tokens.has(request.headers.authorization ?? '')) return refused(401, '250003', 'Invalid Access License number')
    if (path === '/api/shipments/v2409/ship' && request.method === 'POST') return ship(request)
    if (path === '/api/pickupcreation/v2409/pickup' && request.method === 'POST') return order(request)
    if (path === '/api/shipments/v2409/pickup/02' && request.method === 'DELETE') return cancelPickup(String(request.headers.prn))
    const cancelled = /^\/api\/shipments\/v2409\/void\/cancel\/([^/]+)$/.exec(path)?.[1]
    if (cancelled && request.method === 'DELETE') return cancel(cancelled)
    const tracked = /^\/api\/track\/v1\/details\/([^/]+)$/.exec(path)?.[1]
    if (tracked) return tracking(request, tracked)
    return { status: 404 }
  }

  function login({ headers, text, method }: FakeRequest): FakeReply {
    if (method !== 'POST' || headers.authorization !== basic || text !== 'grant_type=client_credentials')
      return refused(401, '250003', 'Invalid Access License number')
    const access_token = `token-${++fake.logins}`
    tokens.add(`Bearer ${access_token}`)
    return { body: { token_type: 'Bearer', issued_at: '1685542319575', access_token, expires_in: '14399', status: 'approved' } }
  }

  function ship(request: FakeRequest): FakeReply {
    const read = ShipmentRequest.safeParse(request.body)
    if (!read.success) return refused(400, '9110010', z.prettifyError(read.error).replace(/\s+/g, ' ').slice(0, 300))
    const { Request, Shipment: shipment, LabelSpecification } = read.data.ShipmentRequest
    const wrong = wrongIn(shipment)
    if (wrong) return wrong
    if (LabelSpecification.LabelImageFormat.Code === 'GIF' && !LabelSpecification.HTTPUserAgent)
      return refused(400, '9120003', 'The HTTP user agent is missing')
    const numbers = shipment.Package.map(() => `1Z${upsAccount.account}${shipment.Service.Code}${String(next++).padStart(8, '0')}`)
    const [number = ''] = numbers
    const reference = shipment.ReferenceNumber?.[0]?.Value ?? ''
    const character_set = LabelSpecification.CharacterSet ?? null
    const test = request.path.startsWith('/cie')
    for (const one of numbers)
      fake.parcels.push({ reference, number: one, shipment_no: number, test, voided: false, character_set, shipment })
    const money = (MonetaryValue: string) => ({ CurrencyCode: 'DKK', MonetaryValue })
    const image = (code: string, bytes: Uint8Array) => ({
      ImageFormat: { Code: code, Description: code },
      GraphicImage: Buffer.from(bytes).toString('base64'),
    })
    const packages = numbers.map(TrackingNumber => ({
      TrackingNumber,
      ServiceOptionsCharges: money('0.00'),
      ...(fake.label !== 'none' && { ShippingLabel: image('GIF', fake.label === 'picture' ? picture : picture.subarray(0, 300)) }),
    }))
    const [parcel] = packages
    const forms = shipment.ShipmentServiceOptions?.InternationalForms
    return {
      body: {
        ShipmentResponse: {
          Response: {
            ResponseStatus: { Code: '1', Description: 'Success' },
            Alert: [{ Code: '120900', Description: 'User Id and Shipper Number combination is not qualified to receive negotiated rates' }],
            TransactionReference: { CustomerContext: Request.TransactionReference?.CustomerContext ?? '' },
          },
          ShipmentResults: {
            ShipmentCharges: { TransportationCharges: money('88.20'), ServiceOptionsCharges: money('0.00'), TotalCharges: money('88.20') },
            BillingWeight: { UnitOfMeasurement: { Code: 'KGS', Description: 'Kilograms' }, Weight: '2.5' },
            ShipmentIdentificationNumber: number,
            PackageResults: packages.length > 1 ? packages : { list: packages, object: parcel, two: [parcel, parcel] }[fake.shape],
            ...(forms &&
              !fake.withoutForm && {
                Form: { Code: '01', Description: 'All Requested International Forms', Image: image('PDF', fakePdf(`invoice ${number}`)) },
              }),
          },
        },
      },
    }
  }

  function order({ body }: FakeRequest): FakeReply {
    const read = PickupRequest.safeParse(body)
    if (!read.success) return refused(400, '9510100', z.prettifyError(read.error).replace(/\s+/g, ' ').slice(0, 300))
    const { PickupDateInfo } = read.data.PickupCreationRequest
    if (Number(PickupDateInfo.CloseTime) <= Number(PickupDateInfo.ReadyTime))
      return refused(400, '9510117', 'Close time is before ready time')
    const prn = `2929AONCALL${String(fake.pickups.length + 1).padStart(2, '0')}`
    fake.pickups.push({ prn, day: PickupDateInfo.PickupDate, cancelled: false })
    return {
      body: {
        PickupCreationResponse: {
          Response: { ResponseStatus: { Code: '1', Description: 'Success' } },
          PRN: prn,
          RateStatus: { Code: '02' },
        },
      },
    }
  }

  function cancelPickup(prn: string): FakeReply {
    const pickup = fake.pickups.find(one => one.prn === prn)
    if (!pickup || pickup.cancelled) return refused(400, '9510118', 'The pickup cannot be cancelled')
    pickup.cancelled = true
    return { body: { PickupCancelResponse: { Response: { ResponseStatus: { Code: '1', Description: 'Success' } }, PickupType: '01' } } }
  }

  function cancel(number: string): FakeReply {
    const parcel = fake.parcels.find(one => one.shipment_no === number)
    if (!parcel || parcel.voided) return refused(400, '190117', 'The shipment cannot be voided')
    for (const one of fake.parcels) if (one.shipment_no === number) one.voided = true
    const status = { Code: '1', Description: 'Success' }
    return {
      body: {
        VoidShipmentResponse: { Response: { ResponseStatus: status }, SummaryResult: { Status: { Code: '1', Description: 'Voided' } } },
      },
    }
  }

  function tracking({ headers, query }: FakeRequest, number: string): FakeReply {
    if (!headers.transid || !headers.transactionsrc) return refused(400, 'TV0001', 'A header is missing')
    const known = ['locale', 'returnSignature', 'returnMilestones', 'returnPOD']
    if ([...query.keys()].some(key => !known.includes(key))) return refused(400, 'TV0002', 'A parameter is not known')
    if (number.length < 7 || number.length > 34) return refused(400, 'TV1002', 'Invalid inquiry number')
    const parcel = fake.parcels.find(one => one.number === number)
    if (!parcel)
      return {
        body: {
          trackResponse: {
            shipment: [{ inquiryNumber: number, warnings: [{ code: 'TW0001', message: 'Tracking Information Not Found' }] }],
          },
        },
      }
    const activity = fake.activities ?? [
      fakeActivity('011', 'D', '20261118', '130500', 'DELIVERED', 'Oslo'),
      fakeActivity('021', 'I', '20261118', '74700', 'Out For Delivery Today', 'Oslo'),
      fakeActivity('160', 'I', '20261117', '230000', 'Import Scan', 'Oslo'),
      fakeActivity('038', 'P', '20261116', '170000', 'Pickup Scan', 'København'),
      fakeActivity('003', 'M', '20261116', '090000', 'Shipper created a label, UPS has not received the package yet.', ''),
    ]
    const { pickupByDate } = fake
    const accessPoint = pickupByDate === null ? {} : { accessPointInformation: { pickupByDate } }
    return {
      body: {
        trackResponse: {
          shipment: [{ inquiryNumber: number, package: [{ ...accessPoint, trackingNumber: number, activity, packageCount: 1 }] }],
        },
      },
    }
  }

  return fake
}

/** The local time is that of another zone. */
export const fakeActivity = (statusCode: string, type: string, gmtDate: string, gmtTime: string, description: string, city: string) => ({
  date: '20261118',
  time: '000000',
  gmtDate,
  gmtTime,
  gmtOffset: '+01:00',
  location: { address: { city, countryCode: 'NO', country: 'NO' }, slic: '1' },
  status: { type, code: 'XX', statusCode, description, simplifiedTextDescription: description },
})

/** What UPS checks beyond the form of the fields. The numbers of these refusals are samples. */
function wrongIn({ Shipper, ShipTo, ShipFrom, PaymentInformation, ReturnService, Package, ...shipment }: Shipment): FakeReply | null {
  if (Shipper.ShipperNumber !== upsAccount.account) return refused(400, '120100', 'Missing or invalid shipper number')
  if (PaymentInformation.ShipmentCharge.some(one => one.BillShipper.AccountNumber !== Shipper.ShipperNumber))
    return refused(400, '120110', 'The account of the payment is not that of the shipper')
  for (const [role, { Address: place }] of Object.entries({ ShipTo, ShipFrom })) {
    if (['US', 'CA'].includes(place.CountryCode) && !place.StateProvinceCode)
      return refused(400, '120206', `Missing or invalid ${role} state province code`)
    if (place.CountryCode === 'DK' && !/^\d{4}$/.test(place.PostalCode ?? ''))
      return refused(400, '120207', `Missing or invalid ${role} postal code`)
  }
  const abroad = ShipTo.Address.CountryCode !== ShipFrom.Address.CountryCode
  if (abroad && (!ShipTo.AttentionName || !ShipTo.Phone)) return refused(400, '120213', 'Missing or invalid ShipTo phone number')
  if (abroad && !Shipper.Phone) return refused(400, '120115', 'Missing or invalid shipper phone number')
  if (abroad && !shipment.Description) return refused(400, '120005', 'The description of goods is missing')
  if (ReturnService && Package.some(one => !one.Description)) return refused(400, '120006', 'The package description is missing')
  if (ReturnService && shipment.ShipmentServiceOptions?.InternationalForms)
    return refused(400, '129001', 'The form type is not valid for a return')
  const forms = shipment.ShipmentServiceOptions?.InternationalForms
  if (['NO', 'GB', 'CH'].includes(ShipTo.Address.CountryCode) && abroad && !forms) return refused(400, '129002', 'An invoice is needed')
  const duties = PaymentInformation.ShipmentCharge.some(one => one.Type === '02')
  return duties && !forms ? refused(400, '120111', 'Duties are not charged on this shipment') : null
}

const changesSomething = ({ method, path }: FakeRequest): boolean =>
  (method === 'POST' && (path.endsWith('/ship') || path.endsWith('/pickup'))) || (method === 'DELETE' && path.includes('/void/'))
