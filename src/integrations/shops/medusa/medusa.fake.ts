/** Medusa 2 on the loopback, with the answers observed of Medusa 2.12.3. It keeps its own books; amounts are in major units. */
import * as z from 'zod'
import { type FakeReply, type FakeRequest, openFakeCourier } from '../../couriers/courier-server.fake.ts'
import { type Json, object, objects } from '../shop-order.ts'
import { type FakeShop, fakeClock, faultsMeet } from '../shop-server.fake.ts'
import { medusa } from './medusa.ts'

const address = {
  first_name: 'Lene',
  last_name: 'Hansen',
  company: null,
  address_1: 'Skibhusvej 52',
  address_2: '2. tv',
  city: 'Odense C',
  postal_code: '5000',
  country_code: 'dk',
  province: null,
  phone: '12 34 56 78',
}

export const medusaItem = (over: Json): Json => ({
  title: 'Linen tea towel',
  product_title: 'Linen tea towel',
  variant_title: 'White',
  variant_sku: 'TOWEL-1',
  variant_barcode: null,
  thumbnail: null,
  requires_shipping: true,
  is_giftcard: false,
  is_tax_inclusive: false,
  unit_price: 40,
  quantity: 2,
  discount_subtotal: 0,
  metadata: {},
  tax_lines: [{ rate: 25 }],
  detail: { quantity: 2, fulfilled_quantity: 0, shipped_quantity: 0 },
  ...over,
})

export const medusaOrder = (over: Json = {}): Json => ({
  id: 'order_01M8AQRRVC82DFHHM6ASMA04PA',
  display_id: 7,
  status: 'pending',
  payment_status: 'authorized',
  fulfillment_status: 'not_fulfilled',
  email: 'lene@example.test',
  currency_code: 'dkk',
  created_at: '2026-11-10T10:30:00.185Z',
  updated_at: '2026-11-10T10:31:12.185Z',
  total: 139,
  tax_total: 27.8,
  metadata: null,
  customer: { id: 'cus_1', email: 'lene@example.test', first_name: null, last_name: null, phone: null },
  shipping_address: { ...address },
  billing_address: null,
  items: [medusaItem({ id: 'ordli_70' })],
  shipping_methods: [{ id: 'ordsm_1', name: 'GLS Pakkeshop', amount: 31.2, total: 39, is_tax_inclusive: false, tax_lines: [{ rate: 25 }] }],
  fulfillments: [],
  ...over,
})

const Item = z.strictObject({ id: z.string(), quantity: z.number().positive() })
const Fulfil = z.strictObject({
  items: z.array(Item).min(1),
  location_id: z.string().optional(),
  no_notification: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
const Ship = z.strictObject({
  items: z.array(Item).min(1),
  labels: z.array(z.strictObject({ tracking_number: z.string(), tracking_url: z.string(), label_url: z.string() })).optional(),
  no_notification: z.boolean().optional(),
})

const refused = (status: number, type: string, message: string): FakeReply => ({ status, body: { type, message } })

export type FakeMedusa = FakeShop & { orders: Json[]; clock: ReturnType<typeof fakeClock> }

export async function openFakeMedusa(): Promise<FakeMedusa> {
  const clock = fakeClock()
  const orders: Json[] = []
  const api_key = 'sk_43f98772e7313a1610239eec2ee3892a35f64a84f325fb8bae3e73ace21ba7bb'
  let fulfilments = 0
  const byId = (id: string | undefined) => orders.find(order => order.id === id)
  const detailOf = (order: Json, id: unknown) => object(objects(order.items).find(item => item.id === id)?.detail)

  /** The list answers an address only where its fields are named. */
  const shown = (order: Json, fields: string): Json =>
    fields.includes('shipping_address.') ? order : { ...order, shipping_address: undefined, billing_address: undefined }

  /** The state is worked out of the items: where the question does not name them, an order that is partly sent is called sent. */
  const worked = (order: Json, fields: string): Json =>
    fields.includes('*items') ? order : { ...order, fulfillment_status: String(order.fulfillment_status).replace('partially_', '') }

  function list(query: URLSearchParams): FakeReply {
    const known = ['limit', 'offset', 'order', 'fields', 'q', 'updated_at[$gte]', 'created_at[$gte]', 'created_at[$lt]', 'updated_at[$lt]']
    const strange = [...query.keys()].find(name => !known.includes(name))
    if (strange !== undefined) return refused(400, 'invalid_data', `Invalid request: Unrecognized fields: '${strange}'`)
    let rows = [...orders]
    for (const field of ['updated_at', 'created_at']) {
      const [from, to] = [query.get(`${field}[$gte]`), query.get(`${field}[$lt]`)]
      rows = rows.filter(order => (from === null || String(order[field]) >= from) && (to === null || String(order[field]) < to))
    }
    const words = query.get('q')
    if (words !== null) rows = rows.filter(order => String(order.display_id).includes(words) || String(order.email).includes(words))
    const sort = query.get('order') ?? '-created_at'
    if (sort.includes(','))
      return { status: 500, body: { code: 'unknown_error', type: 'unknown_error', message: 'An unknown error occurred.' } }
    const field = sort.replace('-', '')
    rows.sort((one, other) => (String(one[field]) < String(other[field]) ? -1 : 1))
    const offset = Number(query.get('offset') ?? 0)
    const limit = Number(query.get('limit') ?? 15)
    return {
      body: {
        orders: rows.slice(offset, offset + limit).map(order => shown(order, query.get('fields') ?? '')),
        count: rows.length,
        offset,
        limit,
      },
    }
  }

  function settle(order: Json): void {
    const sum = (field: string) => objects(order.items).reduce((total, item) => total + Number(object(item.detail)[field]), 0)
    const all = objects(order.items).reduce((total, item) => total + Number(item.quantity), 0)
    const [sent, packed] = [sum('shipped_quantity'), sum('fulfilled_quantity')]
    if (sent > 0) order.fulfillment_status = sent >= all ? 'shipped' : 'partially_shipped'
    else order.fulfillment_status = packed >= all ? 'fulfilled' : packed > 0 ? 'partially_fulfilled' : 'not_fulfilled'
    order.updated_at = clock.tick()
  }

  function fulfil(order: Json, body: unknown): FakeReply {
    const read = Fulfil.safeParse(body)
    if (!read.success) return refused(400, 'invalid_data', read.error.issues[0]?.message ?? '')
    for (const { id, quantity } of read.data.items) {
      const detail = detailOf(order, id)
      if (detail.quantity === undefined || Number(detail.fulfilled_quantity) + quantity > Number(detail.quantity))
        return refused(400, 'invalid_data', `Cannot fulfill more items than what was ordered for item ${id}.`)
    }
    for (const { id, quantity } of read.data.items)
      detailOf(order, id).fulfilled_quantity = Number(detailOf(order, id).fulfilled_quantity) + quantity
    fulfilments++
    ;(order.fulfillments as Json[]).push({
      id: `ful_${fulfilments}`,
      shipped_at: null,
      canceled_at: null,
      metadata: read.data.metadata ?? null,
      items: read.data.items.map(item => ({ line_item_id: item.id, quantity: item.quantity })),
      labels: [],
    })
    settle(order)
    return { body: { order } }
  }

  function ship(order: Json, fulfilment: Json, body: unknown): FakeReply {
    const read = Ship.safeParse(body)
    if (!read.success) return refused(400, 'invalid_data', read.error.issues[0]?.message ?? '')
    if (fulfilment.shipped_at !== null) return refused(400, 'not_allowed', 'Shipment has already been created')
    Object.assign(fulfilment, { shipped_at: clock.iso(), labels: read.data.labels ?? [] })
    for (const { id, quantity } of read.data.items)
      detailOf(order, id).shipped_quantity = Number(detailOf(order, id).shipped_quantity) + quantity
    settle(order)
    return { body: { order } }
  }

  function answer({ method, path, query, headers, body }: FakeRequest): FakeReply {
    if (headers.authorization !== `Basic ${Buffer.from(`${api_key}:`).toString('base64')}`)
      return { status: 401, body: { message: 'Unauthorized' } }
    if (path === '/admin/orders' && method === 'GET') return list(query)
    const [, id, action, fulfilmentId, last] = /^\/admin\/orders\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? []
    const order = byId(id)
    if (!order) return refused(404, 'not_found', `Order id not found: ${id}`)
    if (method === 'GET' && action === undefined) return { body: { order: worked(order, query.get('fields') ?? '') } }
    if (method !== 'POST') return { status: 404, body: `<pre>Cannot ${method} ${path}</pre>`, headers: { 'content-type': 'text/html' } }
    if (action === undefined) {
      // Named values are joined to the kept ones.
      order.metadata = { ...object(order.metadata), ...object(object(body).metadata) }
      order.updated_at = clock.tick()
      return { body: { order } }
    }
    if (action === 'cancel') {
      if (objects(order.fulfillments).some(one => one.canceled_at === null))
        return refused(400, 'not_allowed', 'All fulfillments must be canceled before canceling an order')
      Object.assign(order, { status: 'canceled', payment_status: 'canceled', total: 0, tax_total: 0, updated_at: clock.tick() })
      return { body: { order } }
    }
    if (fulfilmentId === undefined) return fulfil(order, body)
    const fulfilment = (order.fulfillments as Json[]).find(one => one.id === fulfilmentId)
    if (!fulfilment || last !== 'shipments') return refused(404, 'not_found', `Fulfillment with id: ${fulfilmentId} was not found`)
    return ship(order, fulfilment, body)
  }

  const shop: FakeMedusa = {
    connector: medusa,
    server: await openFakeCourier(answer, request => faultsMeet(shop, request, request.method === 'POST')),
    credentials: { api_key },
    settings: { pack_unpaid: 'no', location_id: '' },
    faultsOf: 'questions',
    orders,
    clock,
    place() {
      const number = orders.length + 1
      const at = clock.tick()
      const id = `order_${String(number).padStart(26, '0')}`
      const lines: [string, string] = [`ordli_${number}0`, `ordli_${number}1`]
      orders.push(
        medusaOrder({
          id,
          display_id: number,
          created_at: at,
          updated_at: at,
          items: [
            medusaItem({ id: lines[0] }),
            medusaItem({ id: lines[1], quantity: 1, detail: { quantity: 1, fulfilled_quantity: 0, shipped_quantity: 0 } }),
          ],
          fulfillments: [],
        }),
      )
      return { id, lines }
    },
    move: (id, street) => void Object.assign(byId(id)!, { shipping_address: { ...address, address_1: street }, updated_at: clock.tick() }),
    cancel: id => void Object.assign(byId(id)!, { status: 'canceled', payment_status: 'canceled', total: 0, updated_at: clock.tick() }),
    spoil: id => void Object.assign(byId(id)!, { currency_code: null, updated_at: clock.tick() }),
    parcels: id =>
      objects(byId(id)!.fulfillments)
        .filter(one => one.shipped_at !== null)
        .map(one =>
          [objects(one.labels)[0]?.tracking_number, ...objects(one.items).map(item => `${item.line_item_id}×${item.quantity}`)].join(' '),
        ),
    notes: id => {
      const kept = object(byId(id)!.metadata)
      return [kept.pakhus_note, kept.pakhus_status_text].filter(words => words !== undefined).map(String)
    },
    isSent: id => byId(id)!.fulfillment_status === 'shipped',
    close: () => shop.server.close(),
  }
  return shop
}
