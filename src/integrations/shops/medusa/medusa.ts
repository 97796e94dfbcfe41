/**
 * Medusa 2 by its admin API. Source: observed with Medusa 2.12.3; docs.medusajs.com. A parcel is a fulfilment, and a shipment of it holds the
 * number. A fulfilment carries our key in its metadata, so that one whose answer was lost is found again.
 */
import * as z from 'zod'
import { optionsOf, packUnpaid, rowOf } from '../order-parts.ts'
import {
  type ConnectionTest,
  type PulledRow,
  type PushFact,
  type PushOutcome,
  type ShopAccess,
  type ShopConnector,
  ShopError,
} from '../shop-connector.ts'
import { readShop } from '../shop-http.ts'
import { type Json, object, objects, text } from '../shop-order.ts'
import { instantOf, newest, placeAfter, placeOf } from '../shop-pages.ts'
import { medusaStatus, readMedusaOrder } from './medusa-order.ts'

const pageSize = 50
const addressFields = 'first_name last_name company address_1 address_2 city country_code province postal_code phone'.split(' ')
/** Named one by one: the list answers no address otherwise. */
const orderFields = [
  ...['id', 'display_id', 'status', 'email', 'currency_code', 'created_at', 'updated_at', 'total', 'tax_total', 'metadata'],
  ...['payment_status', 'fulfillment_status', '*items', '*items.tax_lines', '*shipping_methods', '*shipping_methods.tax_lines'],
  ...['customer.id', 'customer.email', 'customer.first_name', 'customer.last_name', 'customer.phone'],
  ...addressFields.flatMap(field => [`shipping_address.${field}`, `billing_address.${field}`]),
].join(',')
const fulfilmentFields = 'id,status,fulfillment_status,metadata,*items,*items.detail,*fulfillments,*fulfillments.items,*fulfillments.labels'

const Orders = z.object({ orders: z.array(z.unknown()) })
const One = z.object({ order: z.looseObject({ id: z.string() }) })

const headers = ({ credentials }: ShopAccess) => ({
  // A secret key is the user of a login without a password.
  authorization: `Basic ${Buffer.from(`${credentials.api_key ?? ''}:`).toString('base64')}`,
})

function row(access: ShopAccess, body: unknown, otherwise: string): PulledRow {
  const order = object(body)
  const head = {
    external_id: text(order.id),
    order_no: text(order.display_id),
    changed_at: instantOf(order.updated_at) ?? otherwise,
    status: medusaStatus(order),
  }
  if (order.status === 'draft' && head.external_id !== null)
    return {
      kind: 'ignored',
      external_id: head.external_id,
      changed_at: head.changed_at,
      status: head.status,
      words: 'The order is a draft',
    }
  return rowOf(head, readMedusaOrder(body, optionsOf(access)))
}

const isId = (id: string): boolean => /^order_[0-9A-Za-z]{10,60}$/.test(id)

async function orderOf(access: ShopAccess, id: string, fields: string): Promise<Json | null> {
  if (!isId(id)) return null
  const answer = await access.http.ask({ path: `/admin/orders/${id}`, query: { fields }, headers: headers(access), accepts: [404] })
  return answer.status === 404 ? null : readShop(One, answer).order
}

/** A change; a refusal of the kind `not_allowed` is answered, everything else is thrown. */
async function change(access: ShopAccess, path: string, body: object): Promise<{ order: Json } | { refusal: string }> {
  const answer = await access.http.ask({ path, method: 'POST', headers: headers(access), body, accepts: [400, 404] })
  if (answer.status >= 400) return { refusal: text(object(answer.body).message) ?? `status ${answer.status}` }
  return { order: readShop(One, answer, 'write').order }
}

const keyOf = (fulfilment: Json): string | null => text(object(fulfilment.metadata).pakhus_key)
const labelled = (fulfilment: Json, tracking_no: string): boolean =>
  objects(fulfilment.labels).some(label => text(label.tracking_number) === tracking_no)
const standing = (order: Json): Json[] => objects(order.fulfillments).filter(fulfilment => text(fulfilment.canceled_at) === null)

const gone: PushOutcome = { kind: 'refused', words: 'The shop does not know this order any more' }

/** What we write into the metadata of an order, under a name of its own. */
function metadataOf(fact: Extract<PushFact, { kind: 'note' | 'status_history' }>): Record<string, string> {
  return fact.kind === 'note' ? { pakhus_note: fact.text } : { pakhus_status: fact.status, pakhus_status_text: fact.text }
}

async function push(access: ShopAccess, fact: PushFact): Promise<PushOutcome> {
  const { external_id } = fact
  const path = `/admin/orders/${external_id}`
  if (fact.kind === 'tracking') return { kind: 'refused', words: 'Medusa does not change the number of a shipment' }
  const order = await orderOf(access, external_id, fulfilmentFields)
  if (order === null) return gone
  if (fact.kind === 'cancellation') {
    if (text(order.status) === 'canceled') return { kind: 'done', status: medusaStatus(order) }
    const answer = await change(access, `${path}/cancel`, {})
    if ('refusal' in answer) return { kind: 'refused', words: answer.refusal }
    return { kind: 'done', status: await statusNow(access, external_id) }
  }
  if (fact.kind === 'note' || fact.kind === 'status_history') {
    const answer = await change(access, path, { metadata: metadataOf(fact) })
    return 'refusal' in answer ? { kind: 'refused', words: answer.refusal } : { kind: 'done' }
  }
  const { parcel } = fact
  const items = parcel.lines.map(line => ({ id: line.external_id, quantity: line.qty }))
  if (items.length === 0) return { kind: 'done', words: 'The parcel holds nothing that the shop knows' }
  const ours = (one: Json) => keyOf(one) === fact.key || labelled(one, parcel.tracking_no)
  let fulfilment = standing(order).find(ours)
  if (!fulfilment) {
    const { location_id } = access.settings
    const answer = await change(access, `${path}/fulfillments?fields=${encodeURIComponent('id,*fulfillments')}`, {
      items,
      ...(location_id && { location_id }),
      no_notification: !fact.notify_customer,
      metadata: { pakhus_key: fact.key },
    })
    if ('refusal' in answer) return { kind: 'refused', words: answer.refusal }
    fulfilment = standing(answer.order).find(ours)
    if (!fulfilment) throw new ShopError('unknown', 'The answer of the shop does not hold the new fulfilment')
  }
  const id = text(fulfilment.id) ?? ''
  if (text(fulfilment.shipped_at) === null) {
    const answer = await change(access, `${path}/fulfillments/${id}/shipments`, {
      items,
      labels: [{ tracking_number: parcel.tracking_no, tracking_url: parcel.tracking_url ?? '', label_url: '' }],
      no_notification: !fact.notify_customer,
    })
    if ('refusal' in answer && !/already been created/i.test(answer.refusal)) return { kind: 'refused', words: answer.refusal }
  }
  return { kind: 'done', refs: [{ external_type: 'fulfillment', external_id: id }], status: await statusNow(access, external_id) }
}

/** Medusa works the state out of the items that the question names. A question that fails does not undo what was written. */
async function statusNow(access: ShopAccess, id: string): Promise<string | undefined> {
  try {
    const order = await orderOf(access, id, fulfilmentFields)
    return order === null ? undefined : medusaStatus(order)
  } catch (error) {
    if (error instanceof ShopError) return undefined
    throw error
  }
}

async function findDone(access: ShopAccess, fact: PushFact): Promise<Extract<PushOutcome, { kind: 'done' }> | null> {
  const order = await orderOf(access, fact.external_id, fulfilmentFields)
  if (order === null || fact.kind === 'tracking') return null
  const status = medusaStatus(order)
  if (fact.kind === 'cancellation') return text(order.status) === 'canceled' ? { kind: 'done', status } : null
  if (fact.kind === 'note' || fact.kind === 'status_history') {
    const kept = object(order.metadata)
    return Object.entries(metadataOf(fact)).every(([name, value]) => text(kept[name]) === text(value)) ? { kind: 'done', status } : null
  }
  const fulfilment = standing(order).find(one => labelled(one, fact.parcel.tracking_no) && text(one.shipped_at) !== null)
  return fulfilment ? { kind: 'done', status, refs: [{ external_type: 'fulfillment', external_id: text(fulfilment.id) ?? '' }] } : null
}

export const medusa: ShopConnector = {
  system: 'medusa',
  title: 'Medusa',
  address_example: 'https://shop.example.com',
  capabilities: {
    facts: ['fulfilment', 'cancellation', 'status_history', 'note'],
    cancel_warning: 'Medusa refunds what was captured, and refuses while a fulfilment of the order stands',
    notifies_customer: true,
    rate: { requests: 5, seconds: 1 },
  },
  credentials: [
    {
      name: 'api_key',
      label: 'Secret API key',
      hint: 'It begins with sk_',
      secret: true,
      required: true,
      pattern: '^sk_[A-Za-z0-9]{16,200}$',
      refusal: 'A secret API key begins with sk_',
    },
  ],
  settings: [
    packUnpaid,
    {
      name: 'location_id',
      label: 'Stock location',
      hint: 'Its id in Medusa, which begins with sloc_. If empty, Medusa chooses.',
      pattern: '^sloc_[0-9A-Za-z]{10,60}$',
      refusal: 'The id of a stock location begins with sloc_',
    },
  ],
  async test(access): Promise<ConnectionTest> {
    const answer = await access.http.ask({
      path: '/admin/orders',
      query: { limit: '1', fields: 'id,display_id' },
      headers: headers(access),
    })
    const { orders } = readShop(Orders, answer)
    const number = text(object(orders[0]).display_id)
    const date = Date.parse(answer.headers.get('date') ?? '')
    const shop_time = Number.isNaN(date) ? null : new Date(date).toISOString()
    return { words: number === null ? 'Medusa' : `Medusa, #${number}`, shop_time, warnings: [] }
  },
  async pull(access, request) {
    const place = placeOf(request)
    const field = request.by === 'changed' ? 'updated_at' : 'created_at'
    const answer = await access.http.ask({
      path: '/admin/orders',
      query: {
        limit: String(pageSize),
        offset: String((place.page - 1) * pageSize),
        order: field,
        [`${field}[$gte]`]: place.from,
        ...(request.to !== null && { [`${field}[$lt]`]: request.to }),
        fields: orderFields,
      },
      headers: headers(access),
    })
    const { orders } = readShop(Orders, answer)
    const last = newest(orders.map(order => instantOf(object(order)[field])))
    return { rows: orders.map(order => row(access, order, place.from)), next: placeAfter(place, last, orders.length >= pageSize) }
  },
  async get(access, id_or_number) {
    const now = new Date(0).toISOString()
    const direct = await orderOf(access, id_or_number, orderFields)
    if (direct !== null) return row(access, direct, now)
    // The search also finds the number in other fields.
    const answer = await access.http.ask({
      path: '/admin/orders',
      query: { q: id_or_number.slice(0, 60), limit: '15', fields: orderFields },
      headers: headers(access),
    })
    const found = readShop(Orders, answer).orders.find(order => text(object(order).display_id) === id_or_number)
    return found === undefined ? null : row(access, found, now)
  },
  push,
  findDone,
}
