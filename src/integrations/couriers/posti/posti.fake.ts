/** Posti's login and gateway on one host of the loopback. Holds its own books. The sentences of errors are invented. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = z.string().trim().min(1)
const Party = z.strictObject({
  name: text,
  address1: text,
  zipcode: text,
  city: text,
  country: z.string().regex(/^[A-Z]{2}$/),
  phone: text.optional(),
  email: z.email().optional(),
})
const Order = z.strictObject({
  printConfig: z.strictObject({ target1Media: z.enum(['laser-a5', 'thermo-se', 'thermo-225']) }),
  shipment: z.strictObject({
    senderPartners: z.tuple([z.strictObject({ id: z.literal('POSTI'), custNo: text })]),
    sender: Party,
    receiver: Party,
    agent: z.strictObject({ quickId: text }).optional(),
    service: z.strictObject({ id: text }),
    parcels: z.tuple([
      z.strictObject({
        copies: z.literal(1),
        weight: z.number().positive(),
        packageCode: z.literal('PKT'),
        contents: text,
        valuePerParcel: z.boolean(),
      }),
    ]),
  }),
})
const Search = z.strictObject({
  searchCriteria: z.strictObject({
    location: z.strictObject({
      street: z.string().optional(),
      postcode: text,
      countryCode: z.string().length(2),
      radius: z.strictObject({ unit: z.literal('m'), value: z.number().int().positive() }),
    }),
    serviceFilters: z.strictObject({ product: z.strictObject({ code: text }) }),
  }),
  limit: z.number().int().positive(),
})

export interface FakePosti {
  server: FakeCourierServer
  parcels: { contents: string; number: string; body: z.infer<typeof Order>['shipment'] }[]
  tokens: Set<string>
  withoutLabels: boolean
  /** Where labels lie; by default another path of this host. */
  storage: string | null
  close(): Promise<void>
}

export const postiAccount = {
  client_id: 'client-of-a-shop',
  client_secret: 'secret-of-a-shop',
  gateway_secret: 'secret-of-the-gateway',
  customer_no: '677503',
  mode: 'live',
}

const failed = (status: number, errorCode: string, message: string): FakeReply => ({ status, body: { errorCode, message, details: [] } })

export async function openFakePosti(): Promise<FakePosti> {
  let next = 1
  const fake: FakePosti = {
    server: await openFakeCourier(answer, ({ path }) => path.endsWith('/shipping/order')),
    parcels: [],
    tokens: new Set(),
    withoutLabels: false,
    storage: null,
    close: () => fake.server.close(),
  }

  function answer({ method, path, query, headers, body, text: sent }: FakeRequest, server: FakeCourierServer): FakeReply {
    if (method === 'POST' && path === '/api/v1/token') return login(new URLSearchParams(sent))
    if (!fake.tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return failed(401, 'INVALID_TOKEN', 'The token is not valid')
    if (method === 'POST' && path === '/2026-04/pickuppoints') return points(body)
    if (method === 'GET' && path === '/2026-04/pickuppoints/FI') return pageOf(query)
    if (headers['x-gateway-secret'] !== postiAccount.gateway_secret) return failed(403, 'FORBIDDEN', 'The gateway secret is missing')
    if (method === 'GET' && path.startsWith('/prints/'))
      return fake.withoutLabels ? { status: 500 } : { headers: { 'content-type': 'application/pdf' }, body: fakePdf(path) }
    if (method === 'POST' && path === '/shippingapi/api/v2/shipping/order') return book(body, server)
    return { status: 404 }
  }

  function login(form: URLSearchParams): FakeReply {
    const { client_id, client_secret } = postiAccount
    const right =
      form.get('grant_type') === 'client_credentials' && form.get('client_id') === client_id && form.get('client_secret') === client_secret
    if (!right) return failed(401, 'UNAUTHORIZED', 'Wrong credentials')
    const token = `token-${next++}`
    fake.tokens.add(token)
    return { body: { access_token: token, token_type: 'Bearer', expires_in: 3600 } }
  }

  function book(body: unknown, server: FakeCourierServer): FakeReply {
    const read = Order.safeParse(body)
    if (!read.success) return failed(400, 'VALIDATION_ERROR', z.prettifyError(read.error).slice(0, 200))
    const { shipment } = read.data
    if (shipment.senderPartners[0].custNo !== postiAccount.customer_no) return failed(400, 'CLIENT_ERROR', 'Unknown contract')
    if (shipment.receiver.zipcode === '99999') return failed(400, 'VALIDATION_ERROR', 'The postcode does not exist')
    const number = `JJFI${String(next++).padStart(14, '0')}`
    fake.parcels.push({ contents: shipment.parcels[0].contents, number, body: shipment })
    const href = fake.storage ?? `${server.url}/prints/${number}`
    return {
      body: [
        {
          id: `${next}`,
          status: 'PRINTED',
          shipmentNo: `S${number}`,
          parcels: [{ parcelNo: number }],
          prints: [{ href, pdf_type: 'ADDRESSLABEL' }],
        },
      ],
    }
  }

  return fake
}

/** The whole list in pages of two, with the token of the next one. */
function pageOf(query: URLSearchParams): FakeReply {
  if ([...query.keys()].some(key => key !== 'pagingContinuationToken')) return failed(400, 'VALIDATION_ERROR', 'A parameter is not known')
  const token = query.get('pagingContinuationToken')
  const from = token === null ? 0 : Number(/^page-(\d)$/.exec(token)?.[1] ?? Number.NaN)
  if (Number.isNaN(from)) return failed(400, 'VALIDATION_ERROR', 'The token is not valid')
  const all = ['00100', '00120', '20100', '33100', '90100'].map((postcode, i) => ({
    id: String(i + 1),
    publicName: `Noutopiste ${i + 1}`,
    parcelLocker: i % 2 === 0,
    location: { country: 'FI', street: `Annankatu ${i + 1}`, postcode, city: 'Helsinki', municipality: 'Helsinki' },
    pupCode: `20120012${i}`,
  }))
  const next = from + 2
  return { body: { pickupPoints: all.slice(from, next), ...(next < all.length && { pagingContinuationToken: `page-${next}` }) } }
}

function points(body: unknown): FakeReply {
  const read = Search.safeParse(body)
  if (!read.success) return failed(400, 'VALIDATION_ERROR', z.prettifyError(read.error).slice(0, 200))
  const { postcode } = read.data.searchCriteria.location
  if (postcode === '99999') return { body: { pickupPoints: [] } }
  return {
    body: {
      pickupPoints: [
        {
          id: '1',
          publicName: 'K-Market Kamppi',
          parcelLocker: true,
          location: { country: 'FI', street: 'Annankatu 18', postcode, city: 'Helsinki', municipality: 'Helsinki' },
          distanceInMeters: 310,
          pupCode: '201200123',
        },
      ],
    },
  }
}
