/**
 * Hermes Germany's login and HSI interface on one host of the loopback. Source: the body, the result codes and the tracking answer of two
 * open-source clients. Holds its own books; the sentences of errors are invented.
 */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = z.string().trim().min(1)
const Name = z.strictObject({ firstname: z.string(), lastname: text })
const Address = z.strictObject({
  street: text,
  houseNumber: text,
  zipCode: text,
  town: text,
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  addressAddition: text.optional(),
  addressAddition2: text.optional(),
  addressAddition3: text.optional(),
})
const Order = z.strictObject({
  clientReference: text.max(20),
  receiverName: Name,
  receiverAddress: Address,
  receiverContact: z.strictObject({ phone: text.optional(), mobile: text.optional(), mail: z.email().optional() }),
  senderName: Name,
  senderAddress: Address,
  parcel: z.strictObject({
    parcelClass: z.enum(['XS', 'S', 'M', 'L', 'XL']),
    parcelWeight: z.int().positive(),
    productType: z.literal('PARCEL'),
    parcelHeight: z.int().positive().optional(),
    parcelWidth: z.int().positive().optional(),
    parcelDepth: z.int().positive().optional(),
  }),
  service: z.strictObject({
    customerAlertService: z.strictObject({
      notificationType: z.enum(['EMAIL', 'SMS', 'EMAIL_SMS']),
      notificationEmail: z.email().optional(),
      notificationNumber: text.optional(),
    }),
    parcelShopDeliveryService: z
      .strictObject({ psID: text, psSelectionRule: z.literal('SELECT_BY_ID'), psCustomerFirstName: z.string(), psCustomerLastName: text })
      .optional(),
    nextDayService: z.literal(true).optional(),
    signatureService: z.literal(true).optional(),
    householdSignatureService: z.literal(true).optional(),
  }),
})

export interface FakeHermes {
  server: FakeCourierServer
  parcels: { number: string; body: z.infer<typeof Order>; language: string | undefined }[]
  tokens: Set<string>
  withoutLabels: boolean
  close(): Promise<void>
}

export const hermesAccount = { client_id: 'client-of-a-shop', client_secret: 'hermes-secret-4711', parcel_class: 'S', mode: 'live' }

const failed = (code: string, message: string): FakeReply => ({ status: 400, body: { listOfResultCodes: [{ code, message }] } })

export async function openFakeHermes(): Promise<FakeHermes> {
  let next = 1
  const fake: FakeHermes = {
    server: await openFakeCourier(answer, ({ path }) => path === '/services/hsi/shipmentorders/labels'),
    parcels: [],
    tokens: new Set(),
    withoutLabels: false,
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest): FakeReply {
    const { method, path, query, headers } = request
    if (method === 'POST' && path === '/authorization-facade/oauth2/access_token') return login(request)
    if (!fake.tokens.has(headers.authorization ?? '')) return { status: 401 }
    if (method === 'POST' && path === '/services/hsi/shipmentorders/labels') return book(request)
    if (method === 'GET' && path === '/services/hsi/shipmentinfo') return tracking(query.getAll('shipmentID'))
    return { status: 404 }
  }

  function login({ text: form, headers }: FakeRequest): FakeReply {
    const given = new URLSearchParams(form)
    if (headers['content-type'] !== 'application/x-www-form-urlencoded' || given.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    if (given.get('client_id') !== hermesAccount.client_id || given.get('client_secret') !== hermesAccount.client_secret)
      return { status: 400, body: { error: 'invalid_client' } }
    const token = `token-${fake.tokens.size + 1}-${next++}`
    fake.tokens.add(`Bearer ${token}`)
    return { body: { access_token: token, expires_in: 3_600, token_type: 'Bearer' } }
  }

  function book({ body, headers }: FakeRequest): FakeReply {
    if (headers.accept !== 'application/shippinglabel-pdf+json') return { status: 406 }
    const read = Order.safeParse(body)
    if (!read.success) return failed('e004', z.prettifyError(read.error))
    const { receiverAddress, service } = read.data
    if (receiverAddress.countryCode === 'DE' && !/^\d{5}$/.test(receiverAddress.zipCode)) return failed('e012', 'The postcode is not valid')
    if (service.parcelShopDeliveryService?.psID === '0') return failed('e031', 'The parcel shop is not known')
    const number = `H${String(1_000_000_000_000_000_000n + BigInt(next++))}`
    fake.parcels.push({ number, body: read.data, language: headers['accept-language'] })
    return {
      headers: { 'content-type': 'application/shippinglabel-pdf+json' },
      body: JSON.stringify({
        listOfResultCodes: [{ code: 'i001', message: 'The order was created' }],
        shipmentID: number,
        shipmentOrderID: `O${next}`,
        labelImage: fake.withoutLabels ? null : Buffer.from(fakePdf(number)).toString('base64'),
        labelMediatype: 'application/pdf',
      }),
    }
  }

  function tracking(numbers: string[]): FakeReply {
    return {
      body: {
        shipmentinfo: numbers.map(number => {
          const parcel = fake.parcels.find(one => one.number === number)
          if (!parcel) return { shipmentID: number, result: { code: 'e001', message: 'There is no information for the entered value.' } }
          const unit = { name: 'Hermes Germany', city: 'Hamburg', countryCode: 'DEU' }
          return {
            shipmentID: number,
            clientReference: parcel.body.clientReference,
            status: [
              { timestamp: '2026-11-16T08:30:00+01:00', code: '0000', description: 'The shipment has been notified.', scanningUnit: unit },
              { timestamp: '2026-11-17T10:15:00', code: '2000', description: 'The shipment has arrived.', scanningUnit: null },
            ],
          }
        }),
      },
    }
  }
  return fake
}
