/** Magento 2 on the loopback, as the Adobe Commerce web API guide describes it. It keeps its own books; times are UTC to the second. */
import * as z from 'zod'
import { type FakeReply, type FakeRequest, openFakeCourier } from '../../couriers/courier-server.fake.ts'
import type { Json } from '../shop-order.ts'
import { type FakeShop, fakeClock, faultsMeet } from '../shop-server.fake.ts'
import { magento } from './magento.ts'

const address = {
  address_type: 'shipping',
  city: 'Odense C',
  company: null,
  country_id: 'DK',
  email: 'lene@example.test',
  entity_id: 11,
  firstname: 'Lene',
  lastname: 'Hansen',
  postcode: '5000',
  street: ['Skibhusvej 52', '2. tv'],
  telephone: '12 34 56 78',
}

export interface MagentoItem extends Json {
  item_id: number
  qty_ordered: number
  qty_shipped: number
}

export function magentoItem(over: Json & { item_id: number }): MagentoItem {
  return {
    parent_item_id: null,
    product_type: 'simple',
    is_virtual: 0,
    sku: `SKU-${over.item_id}`,
    name: 'Linen tea towel',
    qty_ordered: 2,
    qty_canceled: 0,
    qty_refunded: 0,
    qty_shipped: 0,
    qty_invoiced: 2,
    price: 40,
    price_incl_tax: 50,
    tax_percent: 25,
    discount_amount: 0,
    discount_tax_compensation_amount: 0,
    weight: 0.2,
    ...over,
  }
}

export function magentoOrder(over: Json = {}): Json {
  return {
    entity_id: 7,
    increment_id: '000000007',
    state: 'processing',
    status: 'processing',
    created_at: '2026-11-10 10:30:00',
    updated_at: '2026-11-10 10:31:12',
    base_currency_code: 'DKK',
    order_currency_code: 'DKK',
    grand_total: 139,
    tax_amount: 27.8,
    total_paid: 139,
    total_due: 0,
    shipping_amount: 31.2,
    shipping_incl_tax: 39,
    shipping_description: 'GLS - Pakkeshop',
    customer_email: 'lene@example.test',
    customer_firstname: 'Lene',
    customer_lastname: 'Hansen',
    customer_is_guest: 1,
    store_name: 'Main Website\nMain Website Store\nDefault Store View',
    billing_address: { ...address, address_type: 'billing' },
    payment: { method: 'quickpay', amount_authorized: 139 },
    items: [magentoItem({ item_id: 70 })],
    status_histories: [],
    extension_attributes: { shipping_assignments: [{ shipping: { address: { ...address }, method: 'gls_shop' } }] },
    ...over,
  }
}

const Ship = z.strictObject({
  items: z.array(z.strictObject({ order_item_id: z.int(), qty: z.number().positive() })),
  notify: z.boolean().optional(),
  tracks: z
    .array(z.strictObject({ track_number: z.string().min(1), title: z.string().min(1), carrier_code: z.string().min(1) }))
    .optional(),
})
const Track = z.strictObject({
  entity: z.strictObject({
    order_id: z.int(),
    parent_id: z.int(),
    track_number: z.string().min(1),
    title: z.string(),
    carrier_code: z.string(),
    qty: z.number(),
    weight: z.number(),
    description: z.string(),
  }),
})
const Comment = z.strictObject({
  statusHistory: z.strictObject({
    comment: z.string(),
    parent_id: z.int(),
    is_customer_notified: z.int(),
    is_visible_on_front: z.int(),
  }),
})

const missing: FakeReply = {
  status: 404,
  body: { message: "The entity that was requested doesn't exist. Verify the entity and try again.", trace: null },
}
const invalid = (message: string, ...parameters: (string | number)[]): FakeReply => ({
  status: 400,
  body: { message, parameters, trace: null },
})

interface Track {
  track_number: string
  title: string
}
interface Shipment {
  entity_id: number
  order_id: number
  items: { order_item_id: number; qty: number }[]
  tracks: Track[]
}

export type FakeMagento = FakeShop & { orders: Json[]; shipments: Shipment[]; clock: ReturnType<typeof fakeClock>; token: string }

export async function openFakeMagento(): Promise<FakeMagento> {
  const clock = fakeClock()
  const orders: Json[] = []
  const shipments: Shipment[] = []
  const token = 'magento-token-of-integration'
  const now = () => clock.tick().slice(0, 19).replace('T', ' ')
  const itemsOf = (order: Json) => order.items as MagentoItem[]

  /** Search criteria: groups must all hold, filters of one group are alternatives. */
  function found(rows: Json[], query: URLSearchParams): FakeReply {
    if (![...query.keys()].some(name => name.startsWith('searchCriteria')))
      return {
        status: 400,
        body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'searchCriteria' } },
      }
    const groups = new Map<string, Json[]>()
    for (const [name, value] of query) {
      const parts = /^searchCriteria\[filter_groups\]\[(\d+)\]\[filters\]\[(\d+)\]\[(field|value|condition_type)\]$/.exec(name)
      if (!parts) continue
      const group = groups.get(parts[1]!) ?? []
      group[Number(parts[2])] = { ...group[Number(parts[2])], [parts[3]!]: value }
      groups.set(parts[1]!, group)
    }
    const holds = (row: Json, { field, value, condition_type = 'eq' }: Json): boolean => {
      const own = String(row[String(field)])
      const other = String(value)
      return condition_type === 'gteq' ? own >= other : condition_type === 'lt' ? own < other : own === other
    }
    const kept = rows.filter(row => [...groups.values()].every(group => group.some(filter => holds(row, filter))))
    const sort = query.get('searchCriteria[sortOrders][0][field]')
    // The order of a list is descending unless it is asked for.
    const sign = query.get('searchCriteria[sortOrders][0][direction]') === 'ASC' ? 1 : -1
    if (sort !== null)
      kept.sort((one, other) => {
        const [a, b] = [String(one[sort]), String(other[sort])]
        return a === b ? Number(one.entity_id) - Number(other.entity_id) : a < b ? -sign : sign
      })
    const size = Number(query.get('searchCriteria[pageSize]') ?? 20)
    const last = Math.max(1, Math.ceil(kept.length / size))
    const page = Math.min(last, Number(query.get('searchCriteria[currentPage]') ?? 1))
    return { body: { items: kept.slice((page - 1) * size, page * size), search_criteria: {}, total_count: kept.length } }
  }

  function shipped(order: Json, body: unknown): FakeReply {
    const read = Ship.safeParse(body)
    if (!read.success) return invalid('The request is not valid: %1', read.error.issues[0]?.message ?? '')
    for (const { order_item_id, qty } of read.data.items) {
      const item = itemsOf(order).find(one => one.item_id === order_item_id)
      if (!item || item.parent_item_id !== null)
        return invalid(
          'Shipment Document Validation Error(s):\n%1',
          'The shipment contains product item that is not part of the original order.',
        )
      if (item.qty_ordered - item.qty_shipped < qty)
        return invalid(
          'Shipment Document Validation Error(s):\n%1',
          `The quantity to ship must not be greater than the unshipped quantity for product SKU "${item.sku}".`,
        )
    }
    for (const { order_item_id, qty } of read.data.items) itemsOf(order).find(one => one.item_id === order_item_id)!.qty_shipped += qty
    const shipment = {
      entity_id: shipments.length + 1,
      order_id: Number(order.entity_id),
      items: read.data.items,
      tracks: [...(read.data.tracks ?? [])],
    }
    shipments.push(shipment)
    if (itemsOf(order).every(item => item.parent_item_id !== null || item.qty_shipped >= item.qty_ordered))
      Object.assign(order, { state: 'complete', status: 'complete' })
    order.updated_at = now()
    return { body: String(shipment.entity_id), headers: { 'content-type': 'application/json' } }
  }

  function answer({ method, path, query, headers, body }: FakeRequest): FakeReply {
    if (headers.authorization !== `Bearer ${token}`)
      return {
        status: 401,
        body: { message: "The consumer isn't authorized to access %resources.", parameters: { resources: 'Magento_Sales::actions_view' } },
      }
    const parts = /^\/rest\/default\/V1\/(.+)$/.exec(path)?.[1]?.split('/') ?? []
    const order = orders.find(one => String(one.entity_id) === parts[1])
    const asked = `${method} ${parts[0]} ${parts[2] ?? (parts[1] === undefined ? '' : '*')}`
    if (asked === 'GET orders ') return found([...orders], query)
    if (asked === 'GET shipments ')
      return found(
        shipments.map(shipment => ({ ...shipment })),
        query,
      )
    if (asked === 'POST shipment *' && parts[1] === 'track') {
      const read = Track.safeParse(body)
      const shipment = read.success ? shipments.find(one => one.entity_id === read.data.entity.parent_id) : undefined
      if (!read.success || !shipment) return missing
      shipment.tracks.push(read.data.entity)
      return { body: '1', headers: { 'content-type': 'application/json' } }
    }
    if (!order) return missing
    if (asked === 'GET orders *') return { body: order }
    if (asked === 'POST order ship') return shipped(order, body)
    if (asked === 'POST orders cancel') {
      const possible =
        !['complete', 'closed', 'canceled'].includes(String(order.state)) && itemsOf(order).every(item => item.qty_shipped === 0)
      if (possible) Object.assign(order, { state: 'canceled', status: 'canceled', updated_at: now() })
      return { body: String(possible), headers: { 'content-type': 'application/json' } }
    }
    if (asked === 'POST orders comments') {
      const read = Comment.safeParse(body)
      if (!read.success) return invalid('The request is not valid: %1', read.error.issues[0]?.message ?? '')
      ;(order.status_histories as Json[]).push(read.data.statusHistory)
      order.updated_at = now()
      return { body: 'true', headers: { 'content-type': 'application/json' } }
    }
    return missing
  }

  const orderOf = (id: string) => orders.find(one => String(one.entity_id) === id)!
  const shop: FakeMagento = {
    connector: magento,
    server: await openFakeCourier(answer, request => faultsMeet(shop, request, request.method === 'POST')),
    credentials: { access_token: token },
    settings: { pack_unpaid: 'no', store_code: '', weight_unit: 'none' },
    faultsOf: 'questions',
    orders,
    shipments,
    clock,
    token,
    place() {
      const id = orders.length + 1
      const at = now()
      orders.push(
        magentoOrder({
          entity_id: id,
          increment_id: String(id).padStart(9, '0'),
          created_at: at,
          updated_at: at,
          items: [magentoItem({ item_id: id * 10 }), magentoItem({ item_id: id * 10 + 1, qty_ordered: 1, name: 'Cup' })],
        }),
      )
      return { id: String(id), lines: [String(id * 10), String(id * 10 + 1)] }
    },
    move(id, street) {
      const order = orderOf(id)
      order.extension_attributes = {
        shipping_assignments: [{ shipping: { address: { ...address, street: [street] }, method: 'gls_shop' } }],
      }
      order.updated_at = now()
    },
    cancel: id => void Object.assign(orderOf(id), { state: 'canceled', status: 'canceled', updated_at: now() }),
    spoil: id => void Object.assign(orderOf(id), { order_currency_code: null, updated_at: now() }),
    parcels: id =>
      shipments
        .filter(shipment => String(shipment.order_id) === id)
        .flatMap(shipment =>
          shipment.tracks.map(track => [track.track_number, ...shipment.items.map(item => `${item.order_item_id}×${item.qty}`)].join(' ')),
        ),
    notes: id => (orderOf(id).status_histories as { comment: string }[]).map(line => line.comment),
    isSent: id => orderOf(id).state === 'complete',
    close: () => shop.server.close(),
  }
  return shop
}
