/** DPD's META API on the loopback, after its OpenAPI document. Holds its own books. The sentences of errors are invented. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = (limit: number) => z.string().trim().min(1).max(limit)
const Address = z.strictObject({
  name1: text(35),
  companyName: text(35).optional(),
  street: text(35),
  addressLine2: text(35).optional(),
  zipCode: text(9),
  city: text(35),
  country: z.string().regex(/^[A-Z]{2}$/),
})
const Contact = z.strictObject({
  contactPerson: text(35).optional(),
  phone1: z
    .string()
    .regex(/^\+?\d{5,29}$/)
    .optional(),
  email: z.email().max(100).optional(),
})
/** Whole grams, as text. */
const Weight = z.string().regex(/^[1-9]\d*$/)
const side = z.number().int().positive().max(999)

const Shipments = z.tuple([
  z.strictObject({
    numberOfParcels: z.string().regex(/^[1-9]\d?$/),
    customerReferenceNumbers: z.array(text(35)).optional(),
    shipmentInfos: z.strictObject({ productCode: text(10), weight: Weight }),
    sender: z.strictObject({
      customerInfos: z.strictObject({ customerID: text(17), customerAccountNumber: text(20) }),
      address: Address,
      contact: Contact,
    }),
    receiver: z.strictObject({ address: Address, contact: Contact, legalEntity: z.strictObject({ businessType: z.enum(['P', 'B']) }) }),
    parcel: z
      .array(
        z.strictObject({
          parcelInfos: z.strictObject({
            weight: Weight,
            dimensions: z.strictObject({ length: side, width: side, height: side }).optional(),
          }),
          parcelContent: text(35).optional(),
          senderParcelRefs: z.array(text(35)),
          messages: z
            .array(
              z.strictObject({
                messageType: z.enum(['EMAIL', 'PHONE', 'SMS', 'APP']),
                messageDestination: text(100),
                messageLanguage: z.string().length(2),
              }),
            )
            .optional(),
        }),
      )
      .min(1),
  }),
])
type Shipment = z.infer<typeof Shipments>[0]

/** `pickupscheduling.PickupSchedule`. */
const Pickup = z.strictObject({
  customerInfos: z.strictObject({ customerID: text(100), customerAccountNumber: text(100) }),
  pickup: z.strictObject({ date: z.iso.date() }),
  numberOfParcels: z.number().int().positive(),
  pickupAddress: Address,
  pickupContact: Contact,
  pickupWeight: Weight.max(10).optional(),
  comment: z.string().max(100).optional(),
  references: z.array(text(35)).optional(),
})

export interface FakeDpd {
  server: FakeCourierServer
  parcels: { reference: string; number: string; body: Shipment }[]
  pickups: z.infer<typeof Pickup>[]
  tokens: Set<string>
  logins: number
  /** Shipments are booked, and answered without a label. */
  withoutLabels: boolean
  close(): Promise<void>
}

export const dpdAccount = {
  unit: '001',
  login: 'a-shop',
  password: 'password-of-a-shop',
  customer_id: 'CUST001',
  account: 'ACC123',
  classic_code: 'CL',
  mode: 'live',
}

const failure = (errorCode: string, errorMessage: string) => ({ errorCode, errorMessage, originError: null })

export async function openFakeDpd(): Promise<FakeDpd> {
  let next = 1
  const fake: FakeDpd = {
    server: await openFakeCourier(answer, ({ path }) => ['/shipping/v1/shipment', '/shipping/v1/pickupscheduling'].includes(path)),
    parcels: [],
    pickups: [],
    tokens: new Set(),
    logins: 0,
    withoutLabels: false,
    close: () => fake.server.close(),
  }

  function answer({ method, path, query, headers, body }: FakeRequest): FakeReply {
    if (method !== 'POST') return { status: 404 }
    if (path === '/shipping/v1/login') return login(headers)
    if (path !== '/shipping/v1/shipment' && path !== '/shipping/v1/pickupscheduling') return { status: 404 }
    if (!fake.tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return { status: 401, body: failure('AUTH_001', 'Authentication information is missing or invalid') }
    if (path === '/shipping/v1/pickupscheduling') return collect(body)
    if (query.get('LabelPrintFormat') !== 'PDF') return refused(failure('FMT_001', 'LabelPrintFormat is missing'))
    const read = Shipments.safeParse(body)
    if (!read.success) return refused(failure('VAL_001', z.prettifyError(read.error).slice(0, 200)))
    const [shipment] = read.data
    const { productCode } = shipment.shipmentInfos
    if (!['CL', '101', 'E12', 'E18'].includes(productCode)) return refused(failure('PRD_002', `Product ${productCode} is not allowed`))
    if (shipment.receiver.address.zipCode === '99999')
      return refused({
        errorCode: 'META_10',
        errorMessage: 'Bad request',
        originError: { type: 'BU', code: 'RTE_7', description: 'No route to this postcode' },
      })
    if (shipment.numberOfParcels !== String(shipment.parcel.length))
      return refused(failure('VAL_002', 'numberOfParcels is not that of parcel'))
    const numbers = shipment.parcel.map(({ senderParcelRefs }) => {
      const number = `0150${String(next++).padStart(10, '0')}`
      fake.parcels.push({ reference: senderParcelRefs[0] ?? '', number, body: shipment })
      return number
    })
    return {
      body: {
        shipmentId: `S${numbers[0]}`,
        parcelIds: numbers,
        networkShipmentId: null,
        parcelBarcodes: numbers.map(number => ({ parcel: number, barcode: `${number}101276K`, reference: null })),
        ...(!fake.withoutLabels && {
          label: {
            base64Data: Buffer.from(fakePdf(numbers.join(' '), numbers.length)).toString('base64'),
            'media-type': 'application/pdf',
          },
        }),
      },
    }
  }

  /** What is not collected is answered without a number. */
  function collect(body: unknown): FakeReply {
    const read = Pickup.safeParse(body)
    if (!read.success) return refused(failure('VAL_001', z.prettifyError(read.error).slice(0, 200)))
    const { customerID, customerAccountNumber } = read.data.customerInfos
    if (customerID !== dpdAccount.customer_id || customerAccountNumber !== dpdAccount.account)
      return { body: { scheduledPickupResponse: [{ statusCode: 'ERROR', statusDescription: 'The customer is not known' }] } }
    fake.pickups.push(read.data)
    const pickupreference = `PU${String(fake.pickups.length).padStart(8, '0')}`
    return { body: { scheduledPickupResponse: [{ pickupreference, statusCode: 'SUCCESS', statusDescription: 'Pickup scheduled' }] } }
  }

  function login(headers: FakeRequest['headers']): FakeReply {
    fake.logins++
    const right =
      headers['x-dpd-bucode'] === dpdAccount.unit &&
      headers['x-dpd-login'] === dpdAccount.login &&
      headers['x-dpd-password'] === dpdAccount.password
    if (!right) return { status: 401, body: failure('AUTH_002', 'Wrong login') }
    const token = `token-${fake.logins}`
    fake.tokens.add(token)
    return { headers: { 'x-dpd-token': token } }
  }

  return fake
}

const refused = (error: object): FakeReply => ({ status: 400, body: [error] })
