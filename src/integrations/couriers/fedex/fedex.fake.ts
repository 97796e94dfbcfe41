/** FedEx's API on the loopback, after its documents. Holds its own books. The sentences of errors are invented. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = (limit: number) => z.string().trim().min(1).max(limit)
const Party = z.strictObject({
  contact: z.strictObject({ personName: text(70), companyName: text(35).optional(), phoneNumber: z.string().regex(/^\d{10,15}$/) }),
  address: z.strictObject({
    streetLines: z.array(text(35)).min(1).max(2),
    city: text(35),
    postalCode: text(10).optional(),
    countryCode: z.string().regex(/^[A-Z]{2}$/),
    residential: z.literal(true).optional(),
  }),
})
const Account = z.strictObject({ value: text(20) })
const Payor = z.strictObject({ responsibleParty: z.strictObject({ accountNumber: Account }) })
const Money = z.strictObject({ amount: z.number(), currency: z.string().length(3) })
const side = z.number().int().positive()

const Shipment = z.strictObject({
  labelResponseOptions: z.enum(['LABEL', 'URL_ONLY']),
  accountNumber: Account,
  requestedShipment: z.strictObject({
    shipDatestamp: z.iso.date(),
    pickupType: z.enum(['CONTACT_FEDEX_TO_SCHEDULE', 'DROPOFF_AT_FEDEX_LOCATION', 'USE_SCHEDULED_PICKUP']),
    serviceType: text(60),
    packagingType: z.literal('YOUR_PACKAGING'),
    shipper: Party,
    recipients: z.tuple([Party]),
    shippingChargesPayment: z.strictObject({ paymentType: z.literal('SENDER'), payor: Payor }),
    labelSpecification: z.strictObject({
      imageType: z.literal('PDF'),
      // Thermal formats need other stocks.
      labelStockType: z.string().startsWith('PAPER_'),
      labelFormatType: z.literal('COMMON2D'),
    }),
    customsClearanceDetail: z
      .strictObject({
        dutiesPayment: z.strictObject({ paymentType: z.enum(['SENDER', 'RECIPIENT']), payor: Payor.optional() }),
        isDocumentOnly: z.boolean(),
        totalCustomsValue: Money,
        commercialInvoice: z.strictObject({ termsOfSale: z.string().optional(), shipmentPurpose: z.enum(['SOLD', 'GIFT', 'SAMPLE']) }),
        commodities: z
          .array(
            z.strictObject({
              description: text(450),
              countryOfManufacture: z.string().length(2).optional(),
              harmonizedCode: z.string().optional(),
              quantity: z.number().int().positive(),
              quantityUnits: z.literal('PCS'),
              weight: z.strictObject({ units: z.literal('KG'), value: z.number() }),
              unitPrice: Money,
              customsValue: Money,
            }),
          )
          .min(1),
      })
      .optional(),
    requestedPackageLineItems: z
      .array(
        z.strictObject({
          sequenceNumber: z.string().regex(/^[1-9]\d?$/),
          weight: z.strictObject({ units: z.literal('KG'), value: z.number().positive() }),
          dimensions: z.strictObject({ length: side, width: side, height: side, units: z.literal('CM') }).optional(),
          customerReferences: z.array(z.strictObject({ customerReferenceType: z.literal('CUSTOMER_REFERENCE'), value: text(40) })),
        }),
      )
      .min(1),
  }),
})

const Pickup = z.strictObject({
  associatedAccountNumber: Account,
  originDetail: z.strictObject({
    pickupAddressType: z.enum(['ACCOUNT', 'SHIPPER', 'OTHER']),
    pickupLocation: z.strictObject({ ...Party.shape, accountNumber: Account }),
    readyDateTimestamp: z.iso.datetime(),
    customerCloseTime: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
  }),
  packageCount: z.number().int().positive(),
  totalWeight: z.strictObject({ units: z.literal('KG'), value: z.number().positive() }),
  carrierCode: z.enum(['FDXE', 'FDXG']),
  pickupType: z.literal('ON_CALL'),
  remarks: text(60).optional(),
})
const PickupCancel = z.strictObject({
  associatedAccountNumber: Account,
  pickupConfirmationCode: text(20),
  carrierCode: z.enum(['FDXE', 'FDXG']),
  scheduledDate: z.iso.date(),
  location: text(20).optional(),
})

export interface FakeFedex {
  server: FakeCourierServer
  parcels: { reference: string; number: string; master: string; body: z.infer<typeof Shipment>; cancelled: boolean; handedOver: boolean }[]
  pickups: { code: string; day: string; cancelled: boolean }[]
  tokens: Map<string, 'ship' | 'track'>
  /** Results of tracking by number. */
  tracks: Map<string, object[]>
  withoutLabels: boolean
  close(): Promise<void>
}

export const fedexAccount = {
  ship_id: 'ship-key',
  ship_secret: 'secret-of-shipping',
  track_id: 'track-key',
  track_secret: 'secret-of-tracking',
  account: '740561073',
  mode: 'live',
}

const failed = (status: number, code: string, message: string): FakeReply => ({
  status,
  body: { transactionId: '624deea6', errors: [{ code, message }] },
})

export async function openFakeFedex(): Promise<FakeFedex> {
  let next = 1
  const fake: FakeFedex = {
    server: await openFakeCourier(answer, ({ path }) => path.startsWith('/ship/') || path.startsWith('/pickup/')),
    parcels: [],
    pickups: [],
    tokens: new Map(),
    tracks: new Map(),
    withoutLabels: false,
    close: () => fake.server.close(),
  }

  function answer({ method, path, headers, body, text: sent }: FakeRequest): FakeReply {
    if (method === 'POST' && path === '/oauth/token') return login(new URLSearchParams(sent))
    const project = path.startsWith('/track/') ? 'track' : 'ship'
    if (fake.tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '') !== project)
      return failed(401, 'NOT.AUTHORIZED.ERROR', 'Access token expired. Please modify your request and try again.')
    if (headers['content-type'] !== 'application/json' || headers['x-locale'] !== 'en_US') return failed(400, 'BAD.HEADER', 'Bad header')
    if (method === 'POST' && path === '/ship/v1/shipments') return book(body, String(headers['x-customer-transaction-id']))
    if (method === 'PUT' && path === '/ship/v1/shipments/cancel') return cancel(body)
    if (method === 'POST' && path === '/pickup/v1/pickups') return order(body)
    if (method === 'PUT' && path === '/pickup/v1/pickups/cancel') return cancelPickup(body)
    if (method === 'POST' && path === '/track/v1/trackingnumbers') return track(body)
    return failed(404, 'NOT.FOUND.ERROR', 'The resource you requested is no longer available')
  }

  function login(form: URLSearchParams): FakeReply {
    const { ship_id, ship_secret, track_id, track_secret } = fedexAccount
    const keys = `${form.get('client_id')} ${form.get('client_secret')}`
    const project = keys === `${ship_id} ${ship_secret}` ? 'ship' : keys === `${track_id} ${track_secret}` ? 'track' : null
    if (form.get('grant_type') !== 'client_credentials' || !project)
      return failed(401, 'NOT.AUTHORIZED.ERROR', 'The given client credentials were not valid')
    const token = `${project}-${next++}`
    fake.tokens.set(token, project)
    return { body: { access_token: token, token_type: 'bearer', expires_in: 3599, scope: 'CXS' } }
  }

  function book(body: unknown, transaction: string): FakeReply {
    const read = Shipment.safeParse(body)
    if (!read.success) return failed(400, 'INVALID.INPUT.EXCEPTION', z.prettifyError(read.error).slice(0, 200))
    const { accountNumber, requestedShipment } = read.data
    if (accountNumber.value !== fedexAccount.account) return failed(403, 'ACCOUNT.NUMBER.MISMATCH', 'Account number mismatch')
    if (requestedShipment.recipients[0].address.postalCode === '99999')
      return failed(400, 'RECIPIENT.POSTALCODE.INVALID', 'Recipient postal code is not served')
    const items = requestedShipment.requestedPackageLineItems
    if (items.some(({ sequenceNumber }, i) => sequenceNumber !== String(i + 1)))
      return failed(400, 'PACKAGE.SEQUENCENUMBER.INVALID', 'Invalid sequence of packages')
    const numbers = items.map(() => `7946${String(next++).padStart(8, '0')}`)
    const master = numbers[0] ?? ''
    for (const [i, item] of items.entries()) {
      const reference = item.customerReferences[0]?.value ?? ''
      fake.parcels.push({ reference, number: numbers[i] ?? '', master, body: read.data, cancelled: false, handedOver: false })
    }
    return {
      body: {
        transactionId: '624deea6',
        customerTransactionId: transaction,
        output: {
          transactionShipments: [
            {
              masterTrackingNumber: master,
              serviceType: requestedShipment.serviceType,
              alerts: [{ code: 'SHIP.RECIPIENT.NOTE', alertType: 'NOTE', message: 'A note' }],
              pieceResponses: numbers.map((number, i) => ({
                trackingNumber: number,
                masterTrackingNumber: master,
                packageSequenceNumber: i + 1,
                packageDocuments: fake.withoutLabels
                  ? []
                  : [{ contentType: 'LABEL', docType: 'PDF', encodedLabel: Buffer.from(fakePdf(number)).toString('base64') }],
              })),
            },
          ],
        },
      },
    }
  }

  function cancel(body: unknown): FakeReply {
    const right = z
      .strictObject({ accountNumber: Account, trackingNumber: text(40), deletionControl: z.literal('DELETE_ALL_PACKAGES') })
      .safeParse(body)
    const parcel = fake.parcels.find(one => one.number === right.data?.trackingNumber)
    if (!parcel) return failed(400, 'TRACKING.NUMBER.INVALID', 'Tracking number is not valid')
    if (parcel.handedOver) return failed(400, 'SHIPMENT.CANCEL.FAILED', 'The shipment is under way')
    for (const one of fake.parcels) if (one.master === parcel.master) one.cancelled = true
    return { body: { output: { cancelledShipment: true } } }
  }

  function order(body: unknown): FakeReply {
    const read = Pickup.safeParse(body)
    if (!read.success) return failed(400, 'INVALID.INPUT.EXCEPTION', z.prettifyError(read.error).slice(0, 200))
    const code = String(3_000 + fake.pickups.length)
    fake.pickups.push({ code, day: read.data.originDetail.readyDateTimestamp.slice(0, 10), cancelled: false })
    return { body: { output: { pickupConfirmationCode: code, message: 'Courier on the way', location: 'COSA' } } }
  }

  /** An Express pickup is cancelled by code, day and place. */
  function cancelPickup(body: unknown): FakeReply {
    const read = PickupCancel.safeParse(body)
    const { pickupConfirmationCode, scheduledDate, location } = read.data ?? {}
    const pickup = fake.pickups.find(one => one.code === pickupConfirmationCode && one.day === scheduledDate && location === 'COSA')
    if (!pickup) return failed(400, 'PICKUP.CANCEL.FAILED', 'The pickup cannot be cancelled')
    pickup.cancelled = true
    return { body: { output: { pickupConfirmationCode, cancelConfirmationMessage: 'Requested pickup has been cancelled Successfully.' } } }
  }

  function track(body: unknown): FakeReply {
    const read = z
      .strictObject({
        includeDetailedScans: z.boolean(),
        trackingInfo: z
          .array(z.strictObject({ trackingNumberInfo: z.strictObject({ trackingNumber: text(40) }) }))
          .min(1)
          .max(30),
      })
      .safeParse(body)
    if (!read.success) return failed(400, 'TRACKING.TRACKINGNUMBER.EMPTY', 'Please provide tracking number.')
    return {
      body: {
        output: {
          completeTrackResults: read.data.trackingInfo.map(({ trackingNumberInfo: { trackingNumber } }) => ({
            trackingNumber,
            trackResults: fake.tracks.get(trackingNumber) ?? [
              { error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND', message: 'Tracking number cannot be found.' } },
            ],
          })),
        },
      },
    }
  }

  return fake
}
