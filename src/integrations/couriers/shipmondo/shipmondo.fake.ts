/** Shipmondo's API on the loopback, after its OpenAPI document. Holds its own books. Some sentences of errors are invented. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = z.string().trim().min(1)
const Party = z.strictObject({
  type: z.enum(['sender', 'receiver']),
  name: text,
  attention: text.optional(),
  address1: text,
  address2: text.optional(),
  postal_code: text,
  city: text,
  country_code: z.string().regex(/^[A-Z]{2}$/),
  email: z.email().optional(),
  phone: text.optional(),
})
const Shipment = z.strictObject({
  own_agreement: z.boolean(),
  label_format: z.enum(['a4_pdf', '10x19_pdf', '10x19_zpl']),
  product_code: text,
  service_codes: z.string(),
  reference: text,
  additional_reference: text.optional(),
  service_point_id: text.optional(),
  automatic_select_service_point: z.boolean().optional(),
  term_of_trade: text.optional(),
  parties: z.array(Party).length(2),
  delivery_details: z.strictObject({ instruction: text }).optional(),
  parcels: z
    .array(
      z.strictObject({
        quantity: z.literal(1),
        weight: z.number().int().positive(),
        length: z.number().int().positive().optional(),
        width: z.number().int().positive().optional(),
        height: z.number().int().positive().optional(),
        description: text.optional(),
      }),
    )
    .min(1),
  customs: z
    .strictObject({
      export_reason: z.enum(['sale_of_goods', 'gift', 'documents', 'commercial_samples', 'returned_goods', 'other']),
      currency_code: z.string().length(3),
      goods: z.array(
        z.strictObject({
          quantity: z.number().positive(),
          unit: z.enum(['piece', 'm2']),
          country_code: z.string().length(2).optional(),
          content: text,
          commodity_code: z.string().optional(),
          unit_value: z.number(),
          unit_weight: z.number().int(),
        }),
      ),
    })
    .optional(),
})

interface FakeShipment {
  id: number
  reference: string
  number: string
  numbers: string[]
  body: z.infer<typeof Shipment>
  created_at: string
  cancelled: boolean
}

interface FakeProduct {
  code: string
  name: string
  carrier: { id: number; code: string; name: string }
  own_agreement_available: boolean
  service_point_available: boolean
  service_point_required: boolean
  sender_country_code: string
  receiver_country_code: string
  required_fields: string
  required_parcel_fields: string
  available_services: { code: string; name: string; required_fields: string }[]
  required_services: { code: string; name: string; required_fields: string }[]
  weight_intervals: { from_weight: number; to_weight: number }[]
  ta_weight_intervals: { from_weight: number; to_weight: number }[]
}

export interface FakeShipmondo {
  server: FakeCourierServer
  shipments: FakeShipment[]
  products: FakeProduct[]
  /** What the next bookings are refused with, one after the other. */
  refusals: string[]
  /** Bookings answer without the label, and none can be fetched. */
  withoutLabels: boolean
  /** What the carrier says to a cancellation. */
  carrierCancels: boolean
  close(): Promise<void>
}

export const shipmondoAccount = { user: 'api-user', key: 'key-of-an-account', sender_country: 'DK', agreement: 'own', mode: 'live' }

const authorization = `Basic ${Buffer.from(`${shipmondoAccount.user}:${shipmondoAccount.key}`).toString('base64')}`
const mail = { code: 'EMAIL_NT', name: 'Email notification', required_fields: 'receiver_email' }
const sms = { code: 'SMS_NT', name: 'SMS notification', required_fields: 'receiver_mobile' }
const flex = { code: 'FLEX', name: 'Flex delivery', required_fields: '' }
const gls = { id: 7, code: 'gls', name: 'GLS Denmark' }

export const fakeProduct = (given: Partial<FakeProduct>): FakeProduct => ({
  code: 'GLSDK_SD',
  name: 'Shop Delivery',
  carrier: gls,
  own_agreement_available: true,
  service_point_available: true,
  service_point_required: true,
  sender_country_code: 'DK',
  receiver_country_code: 'DK',
  required_fields: 'receiver_mobile,service_point_id',
  required_parcel_fields: 'quantity,weight',
  available_services: [mail, sms],
  required_services: [mail],
  weight_intervals: [{ from_weight: 0, to_weight: 5_000 }],
  ta_weight_intervals: [
    { from_weight: 0, to_weight: 10_000 },
    { from_weight: 10_000, to_weight: 20_000 },
  ],
  ...given,
})

const refused = (error: string): FakeReply => ({ status: 422, body: { error } })

export async function openFakeShipmondo(): Promise<FakeShipmondo> {
  let next = 1
  const fake: FakeShipmondo = {
    server: await openFakeCourier(answer, changes),
    shipments: [],
    products: [
      fakeProduct({}),
      fakeProduct({
        code: 'GLSDK_HD',
        name: 'Private Delivery',
        service_point_available: false,
        service_point_required: false,
        required_fields: '',
        available_services: [flex],
        required_services: [],
      }),
      fakeProduct({
        code: 'GLSDK_HD',
        name: 'Private Delivery',
        receiver_country_code: 'NO',
        service_point_available: false,
        service_point_required: false,
        required_services: [],
      }),
      fakeProduct({ code: 'DAO_B', name: 'Business', own_agreement_available: false }),
      fakeProduct({ code: 'GLSSE_SD', sender_country_code: 'SE' }),
    ],
    refusals: [],
    withoutLabels: false,
    carrierCancels: true,
    close: () => fake.server.close(),
  }

  function answer({ method, path, query, headers, body }: FakeRequest): FakeReply {
    if (headers.authorization !== authorization) return { status: 401, body: { error: 'Invalid API User or API Key' } }
    const [, called = ''] = /^\/api\/public\/v3(\/.*)$/.exec(path) ?? []
    const [, id, part] = /^\/shipments\/(\d+)\/(labels|cancel)$/.exec(called) ?? []
    if (method === 'GET' && called === '/account/balance')
      return { body: { amount: 1000.5, currency_code: 'DKK', updated_at: '2026-11-25T22:00:00.000Z' } }
    if (method === 'GET' && called === '/products') {
      const from = query.get('sender_country_code')
      return paged(
        fake.products.filter(one => one.sender_country_code === from),
        query,
      )
    }
    if (method === 'GET' && called === '/service_point/service_points') return points(query)
    if (method === 'POST' && called === '/shipments') return book(body)
    if (method === 'GET' && called === '/shipments') return listed(query)
    if (method === 'GET' && part === 'labels') return labels(Number(id), query)
    if (method === 'PUT' && part === 'cancel') return cancel(Number(id))
    return { status: 404, body: { error: 'Resource not found' } }
  }

  function book(body: unknown): FakeReply {
    const read = Shipment.safeParse(body)
    if (!read.success) return refused(z.prettifyError(read.error).slice(0, 200))
    const refusal = fake.refusals.shift()
    if (refusal !== undefined) return refused(refusal)
    const { product_code, service_codes, parties, service_point_id, automatic_select_service_point, reference } = read.data
    const product = fake.products.find(one => one.code === product_code)
    if (!product) return refused('Product code is invalid')
    const receiver = parties.find(one => one.type === 'receiver')
    const chosen = service_codes.split(',').filter(Boolean)
    const wanting = product.required_services.find(one => !chosen.includes(one.code))
    if (wanting) return refused(`${wanting.name} is required`)
    const known = [...product.available_services, ...product.required_services]
    const unknown = chosen.find(code => !known.some(one => one.code === code))
    if (unknown) return refused(`Service ${unknown} is not available`)
    if (product.required_fields.includes('receiver_mobile') && !receiver?.phone) return refused('Receiver mobile is required')
    if (product.service_point_required && !service_point_id && !automatic_select_service_point) return refused('Service point is required')
    if (service_point_id && !product.service_point_available) return refused('Product has no service points')
    const id = 1_000 + next
    const numbers = read.data.parcels.map(() => `60645187${String(next++).padStart(3, '0')}`)
    const [number = ''] = numbers
    const shipment = { id, reference, number, numbers, body: read.data, created_at: new Date().toISOString(), cancelled: false }
    fake.shipments.push(shipment)
    return {
      body: {
        ...shown(shipment),
        labels: fake.withoutLabels
          ? []
          : [{ base64: Buffer.from(fakePdf(numbers.join(' '), numbers.length)).toString('base64'), file_format: 'pdf' }],
      },
    }
  }

  function listed(query: URLSearchParams): FakeReply {
    const since = query.get('created_at_min')
    const country = query.get('receiver_country')
    const number = query.get('package_number')
    return paged(
      fake.shipments
        .filter(one => since === null || one.created_at >= since)
        .filter(one => country === null || one.body.parties.some(party => party.type === 'receiver' && party.country_code === country))
        .filter(one => number === null || one.numbers.includes(number))
        .map(shown),
      query,
    )
  }

  function labels(id: number, query: URLSearchParams): FakeReply {
    const shipment = fake.shipments.find(one => one.id === id)
    if (!shipment || fake.withoutLabels) return { status: 404, body: { error: 'Resource not found' } }
    const zpl = query.get('label_format') === '10x19_zpl'
    const bytes = zpl
      ? Buffer.from(`^XA^FD${shipment.number}^FS^XZ`)
      : Buffer.from(fakePdf(shipment.numbers.join(' '), shipment.numbers.length))
    return { body: [{ base64: bytes.toString('base64'), file_format: zpl ? 'zpl' : 'pdf' }] }
  }

  function cancel(id: number): FakeReply {
    const shipment = fake.shipments.find(one => one.id === id)
    if (!shipment) return { status: 404, body: { error: 'Resource not found' } }
    shipment.cancelled = true
    return { body: { cancelled: true, cancelled_at_carrier: fake.carrierCancels, refunded: false } }
  }

  return fake
}

const shown = ({ id, reference, number, numbers, body, created_at }: FakeShipment) => ({
  id,
  created_at,
  carrier_code: 'gls',
  product_code: body.product_code,
  reference,
  pkg_no: number,
  parcels: body.parcels.map(({ weight }, i) => ({ quantity: 1, weight, pkg_no: numbers[i], pkg_nos: [numbers[i]] })),
})

function paged(rows: readonly object[], query: URLSearchParams): FakeReply {
  const size = Number(query.get('per_page') ?? 20)
  if (size > 50) return refused('per_page is too large')
  const page = Number(query.get('page') ?? 1)
  return { body: rows.slice((page - 1) * size, page * size) }
}

function points(query: URLSearchParams): FakeReply {
  if (!query.get('product_code') || !query.get('country_code') || !query.get('zipcode'))
    return { status: 404, body: { error: 'Resource not found' } }
  if (Number(query.get('quantity')) > 20) return refused('quantity is too large')
  if (query.get('zipcode') === '9999') return { body: [] }
  return {
    body: [
      {
        id: '95558',
        name: 'Påskeløkkens Købmand',
        address: 'Paaskeløkkevej 11',
        address2: null,
        zipcode: '5000',
        city: 'Odense C',
        country: 'DK',
        distance: 250,
        carrier_code: 'gls',
        type: null,
        opening_hours: ['Man: 08:00 - 20:00'],
      },
    ],
  }
}

const changes = ({ method, path }: FakeRequest) => method === 'POST' && path.endsWith('/shipments')
