/**
 * Magento 2 and Adobe Commerce by REST, V1. Source: the Adobe Commerce web API guide (search criteria, ship, tracks, comments).
 * Goods are shipped by the top-level item: the product with options or the bundle, never by its parts.
 */
import * as z from 'zod'
import { optionsOf, packUnpaid, rowOf } from '../order-parts.ts'
import {
  type ConnectionTest,
  type PulledRow,
  type PushedParcel,
  type PushFact,
  type PushOutcome,
  type ShopAccess,
  type ShopConnector,
  ShopError,
} from '../shop-connector.ts'
import { readShop, wordsIn } from '../shop-http.ts'
import { type Json, object, objects, text } from '../shop-order.ts'
import { newest, placeAfter, placeOf } from '../shop-pages.ts'
import { type MagentoOptions, magentoTime, readMagentoOrder, remainingOf } from './magento-order.ts'

const pageSize = 100
const Page = z.object({ items: z.array(z.unknown()).nullable(), total_count: z.number() })
const Order = z.looseObject({ entity_id: z.union([z.number(), z.string()]), items: z.array(z.unknown()) })
const Id = z.union([z.number(), z.string()]).transform(String)

/** Seconds are the finest that Magento keeps; cut, so that nothing of the second is missed. */
const written = (instant: string): string => instant.slice(0, 19).replace('T', ' ')

type Condition = readonly [field: string, condition: 'eq' | 'gteq' | 'lt', value: string]

/** Filters of one group are alternatives, groups must all hold. */
function criteria(groups: readonly (readonly Condition[])[], sort: string, page: number, size = pageSize): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [group, conditions] of groups.entries())
    for (const [index, [field, condition, value]] of conditions.entries()) {
      const filter = `searchCriteria[filter_groups][${group}][filters][${index}]`
      query[`${filter}[field]`] = field
      query[`${filter}[value]`] = value
      query[`${filter}[condition_type]`] = condition
    }
  for (const [index, field] of [sort, 'entity_id'].entries()) {
    query[`searchCriteria[sortOrders][${index}][field]`] = field
    query[`searchCriteria[sortOrders][${index}][direction]`] = 'ASC'
  }
  query['searchCriteria[pageSize]'] = String(size)
  query['searchCriteria[currentPage]'] = String(page)
  return query
}

interface Question {
  query?: Record<string, string>
  body?: object
  accepts?: readonly number[]
}

/** Messages have placeholders: `%1` of a list, `%fieldName` of names. */
function substituted(words: string, parameters: unknown): string {
  const values = Array.isArray(parameters)
    ? Object.fromEntries(parameters.map((value, index) => [String(index + 1), value]))
    : object(parameters)
  return words.replace(/%(\w{1,40})/g, (whole, name: string) => text(values[name]) ?? whole)
}

async function ask(access: ShopAccess, path: string, { query, body, accepts = [] }: Question = {}) {
  const store = access.settings.store_code || 'default'
  const answer = await access.http.ask({
    path: `/rest/${encodeURIComponent(store)}/V1${path}`,
    ...(query && { query }),
    ...(body && { body, method: 'POST' as const }),
    headers: { authorization: `Bearer ${access.credentials.access_token ?? ''}` },
    accepts: [...accepts, 400, 401, 403],
  })
  if (accepts.includes(answer.status)) return answer
  if (answer.status < 400) {
    if (body && answer.body === undefined)
      throw new ShopError('unknown', `The answer of the shop makes no sense (${wordsIn(answer)})`, { status: answer.status })
    return answer
  }
  const refusal = object(answer.body)
  const words = substituted(text(refusal.message) ?? `status ${answer.status}`, refusal.parameters)
  throw new ShopError(answer.status === 400 ? 'refused' : 'denied', words, { status: answer.status })
}

const readOptions = (access: ShopAccess): MagentoOptions => {
  const unit = access.settings.weight_unit
  return { ...optionsOf(access), ...((unit === 'kg' || unit === 'lb') && { weightUnit: unit }) }
}

function row(access: ShopAccess, item: unknown, otherwise: string): PulledRow {
  const order = object(item)
  return rowOf(
    {
      external_id: text(order.entity_id),
      order_no: text(order.increment_id),
      changed_at: magentoTime(order.updated_at) ?? otherwise,
      status: text(order.state),
    },
    readMagentoOrder(item, readOptions(access)),
  )
}

async function orderOf(access: ShopAccess, external_id: string): Promise<Json | null> {
  if (!/^\d{1,18}$/.test(external_id)) return null
  const answer = await ask(access, `/orders/${external_id}`, { accepts: [404] })
  return answer.status === 404 ? null : readShop(Order, answer)
}

async function shipmentsOf(access: ShopAccess, external_id: string): Promise<Json[]> {
  const answer = await ask(access, '/shipments', { query: criteria([[['order_id', 'eq', external_id]]], 'created_at', 1) })
  return objects(readShop(Page, answer).items)
}

const shipmentWith = (shipments: readonly Json[], tracking_no: string) =>
  shipments.find(shipment => objects(shipment.tracks).some(track => text(track.track_number) === tracking_no))

/** The goods of a parcel by the items that Magento ships, as many as remain. */
function shippedItems(order: Json, parcel: PushedParcel): { order_item_id: number; qty: number }[] {
  const items = new Map(objects(order.items).map(item => [text(item.item_id), item]))
  const wanted = new Map<string, number>()
  for (const { external_id, qty } of parcel.lines) {
    const item = items.get(external_id)
    const parent = item && items.get(text(item.parent_item_id))
    const shipped = parent ?? item
    const id = text(shipped?.item_id)
    if (!item || !shipped || id === null) continue
    // A part of a bundle: as many bundles as begin with this parcel.
    const each = parent ? Number(text(item.qty_ordered)) / Number(text(parent.qty_ordered)) : 1
    const count = Math.ceil(qty / (each > 0 ? each : 1))
    wanted.set(id, parent ? Math.max(wanted.get(id) ?? 0, count) : (wanted.get(id) ?? 0) + count)
  }
  return [...wanted]
    .map(([id, qty]) => ({ order_item_id: Number(id), qty: Math.min(qty, remainingOf(items.get(id) ?? {})) }))
    .filter(item => item.qty > 0)
}

const trackOf = (parcel: PushedParcel) => ({
  track_number: parcel.tracking_no,
  title: parcel.courier_name,
  carrier_code: 'custom',
})

async function addTrack(access: ShopAccess, order_id: string, shipment: Json, parcel: PushedParcel): Promise<void> {
  await ask(access, '/shipment/track', {
    body: {
      entity: {
        ...trackOf(parcel),
        order_id: Number(order_id),
        parent_id: Number(text(shipment.entity_id)),
        qty: parcel.lines.reduce((sum, line) => sum + line.qty, 0),
        weight: 0,
        description: '',
      },
    },
  })
}

/** The state that comes back with the order; a question that fails does not undo what was written. */
async function statusNow(access: ShopAccess, external_id: string): Promise<string | undefined> {
  try {
    return text((await orderOf(access, external_id))?.state) ?? undefined
  } catch (error) {
    if (error instanceof ShopError) return undefined
    throw error
  }
}

const gone: PushOutcome = { kind: 'refused', words: 'The shop does not know this order any more' }

async function push(access: ShopAccess, fact: PushFact): Promise<PushOutcome> {
  const { external_id } = fact
  if (fact.kind === 'cancellation') {
    const answer = await ask(access, `/orders/${external_id}/cancel`, { body: {}, accepts: [404] })
    if (answer.status === 404) return gone
    return answer.body === false
      ? { kind: 'refused', words: 'The shop does not let this order be cancelled' }
      : { kind: 'done', status: 'canceled' }
  }
  if (fact.kind === 'note' || fact.kind === 'status_history') {
    const answer = await ask(access, `/orders/${external_id}/comments`, {
      body: {
        statusHistory: {
          comment: fact.text,
          parent_id: Number(external_id),
          is_customer_notified: fact.kind === 'status_history' && fact.notify_customer ? 1 : 0,
          is_visible_on_front: fact.kind === 'status_history' && fact.visible_to_customer ? 1 : 0,
        },
      },
      accepts: [404],
    })
    return answer.status === 404 ? gone : { kind: 'done' }
  }
  const order = await orderOf(access, external_id)
  if (order === null) return gone
  if (fact.kind === 'tracking') {
    const shipments = await shipmentsOf(access, external_id)
    const known = fact.refs.find(ref => ref.external_type === 'shipment' && ref.key === fact.fulfilment_key)?.external_id
    const shipment =
      shipments.find(one => text(one.entity_id) === known) ??
      (fact.old_tracking_no === null ? undefined : shipmentWith(shipments, fact.old_tracking_no))
    if (!shipment) return { kind: 'refused', words: 'The shop has no shipment with the old number' }
    await addTrack(access, external_id, shipment, fact.parcel)
    return { kind: 'done', words: 'The old number stays beside the new one' }
  }
  const items = shippedItems(order, fact.parcel)
  if (items.length > 0) {
    const answer = await ask(access, `/order/${external_id}/ship`, {
      body: { items, notify: fact.notify_customer, tracks: [trackOf(fact.parcel)] },
    })
    const shipment = readShop(Id, answer, 'write')
    return { kind: 'done', refs: [{ external_type: 'shipment', external_id: shipment }], status: await statusNow(access, external_id) }
  }
  // A second parcel of one bundle, or goods that were shipped in the shop: only the number is new.
  const shipment = (await shipmentsOf(access, external_id)).at(-1)
  if (!shipment) return { kind: 'refused', words: 'The shop has nothing left to send of this order' }
  await addTrack(access, external_id, shipment, fact.parcel)
  return { kind: 'done', refs: [{ external_type: 'shipment', external_id: text(shipment.entity_id) ?? '' }] }
}

async function findDone(access: ShopAccess, fact: PushFact): Promise<Extract<PushOutcome, { kind: 'done' }> | null> {
  if (fact.kind === 'fulfilment' || fact.kind === 'tracking') {
    const shipment = shipmentWith(await shipmentsOf(access, fact.external_id), fact.parcel.tracking_no)
    if (!shipment) return null
    const refs = [{ external_type: 'shipment', external_id: text(shipment.entity_id) ?? '' }]
    return { kind: 'done', refs, status: await statusNow(access, fact.external_id) }
  }
  const order = await orderOf(access, fact.external_id)
  if (fact.kind === 'cancellation') return text(order?.state) === 'canceled' ? { kind: 'done', status: 'canceled' } : null
  return objects(order?.status_histories).some(line => text(line.comment) === text(fact.text)) ? { kind: 'done' } : null
}

export const magento: ShopConnector = {
  system: 'magento',
  title: 'Magento 2, Adobe Commerce',
  address_example: 'https://shop.example.com',
  capabilities: {
    facts: ['fulfilment', 'tracking', 'cancellation', 'status_history', 'note'],
    notifies_customer: true,
    rate: { requests: 4, seconds: 1 },
  },
  credentials: [
    {
      name: 'access_token',
      label: 'Access token',
      hint: 'Of an integration under System → Extensions → Integrations. Since 2.4.4 the shop must allow it as a bearer token.',
      secret: true,
      required: true,
    },
  ],
  settings: [
    packUnpaid,
    {
      name: 'store_code',
      label: 'Code of the store view',
      hint: 'If empty: the default one',
      pattern: '^[a-z][a-z0-9_]{0,31}$',
      refusal: 'A code has small letters, digits and underscores',
    },
    {
      name: 'weight_unit',
      label: 'Unit of weights',
      hint: 'An order does not say it. Weights are read only when it is chosen.',
      choices: [
        { value: 'none', name: 'Not read' },
        { value: 'kg', name: 'kg' },
        { value: 'lb', name: 'lb' },
      ],
    },
  ],
  async test(access): Promise<ConnectionTest> {
    const answer = await ask(access, '/orders', { query: criteria([], 'updated_at', 1, 1) })
    const page = readShop(Page, answer)
    const date = Date.parse(answer.headers.get('date') ?? '')
    const name = text(object(page.items?.[0]).store_name)
      ?.split('\n')
      .map(part => part.trim())
      .join(' / ')
    return { words: name ?? 'Magento', shop_time: Number.isNaN(date) ? null : new Date(date).toISOString(), warnings: [] }
  },
  async pull(access, request) {
    const place = placeOf(request)
    const field = request.by === 'changed' ? 'updated_at' : 'created_at'
    const until: Condition[][] = request.to === null ? [] : [[[field, 'lt', written(new Date(request.to).toISOString())]]]
    const answer = await ask(access, '/orders', {
      query: criteria([[[field, 'gteq', written(place.from)]], ...until], field, place.page),
    })
    const { items, total_count } = readShop(Page, answer)
    const found = items ?? []
    const last = newest(found.map(item => magentoTime(object(item)[field])))
    // Past its end Magento answers the last page again.
    const full = found.length >= pageSize && place.page * pageSize < total_count
    return { rows: found.map(item => row(access, item, place.from)), next: placeAfter(place, last, full) }
  },
  async get(access, id_or_number) {
    const now = new Date(0).toISOString()
    const direct = await orderOf(access, id_or_number)
    if (direct !== null) return row(access, direct, now)
    const answer = await ask(access, '/orders', { query: criteria([[['increment_id', 'eq', id_or_number]]], 'updated_at', 1, 1) })
    const [found] = readShop(Page, answer).items ?? []
    return found === undefined ? null : row(access, found, now)
  },
  push,
  findDone,
}
