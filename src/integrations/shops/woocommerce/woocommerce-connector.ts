/**
 * WooCommerce by its REST API wc/v3. Source: the WooCommerce REST API reference. Fulfilments are a feature that shops may lack: then the
 * tracking numbers stand in the order's meta data, and its status says that it was sent.
 */
import * as z from 'zod'
import { readDate } from '#domain/dates.ts'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import {
  type FulfilmentFact,
  type PulledRow,
  type PushedParcel,
  type PushFact,
  type PushOutcome,
  type ShopAccess,
  type ShopConnector,
  ShopError,
  type TrackingFact,
} from '../shop-connector.ts'
import { readShop, type ShopAnswer, type ShopQuestion } from '../shop-http.ts'
import { object, objects, shopSentences, text } from '../shop-order.ts'
import { readWooOrder, type WooOptions } from '../woocommerce.ts'

const perPage = 50
const api = '/wp-json/wc/v3'
const drafts = new Set(['checkout-draft', 'auto-draft', 'draft'])

const Site = z.object({ name: z.string().catch(''), namespaces: z.array(z.string()).catch([]) })
const OrderBody = z.looseObject({ id: z.number().int(), status: z.string() })
const OrderList = z.array(OrderBody)
const Totals = z.array(z.object({ slug: z.string(), name: z.string() }))
const Made = z.looseObject({ id: z.union([z.number(), z.string()]) })
const Fulfilments = z.union([z.array(z.looseObject({})), z.looseObject({ fulfillments: z.array(z.looseObject({})) })])
const Notes = z.array(z.looseObject({ note: z.string().catch('') }))

const ask = ({ credentials, http }: ShopAccess, question: ShopQuestion): Promise<ShopAnswer> => {
  const keys = Buffer.from(`${credentials.consumer_key}:${credentials.consumer_secret}`).toString('base64')
  return http.ask({ ...question, headers: { ...question.headers, authorization: `Basic ${keys}` } })
}

const meanings = ['new', 'ready', 'held', 'closed', 'cancelled'] as const
/** `klar-til-pak=ready, afventer=held` */
function statusesOf(written: string): Record<string, CanonicalOrder['status']> {
  const map: Record<string, CanonicalOrder['status']> = {}
  for (const pair of written.split(',')) {
    const [code = '', meaning = ''] = pair.split('=').map(part => part.trim())
    const known = meanings.find(one => one === meaning)
    if (code !== '' && code !== '__proto__' && known) map[code.replace(/^wc-/, '')] = known
  }
  return map
}

const optionsOf = ({ shop, country, timeZone, settings }: ShopAccess): WooOptions => ({
  shop,
  country,
  timeZone,
  statuses: statusesOf(settings.statuses ?? ''),
  pickupKeys: (settings.pickup_keys ?? '')
    .split(',')
    .map(key => key.trim())
    .filter(key => key !== ''),
})

const shippedStatus = ({ settings }: ShopAccess): string => settings.shipped_status?.replace(/^wc-/, '') || 'completed'

/** Times have no zone: the GMT ones are UTC. */
const utc = (body: Record<string, unknown>, name: 'date_modified' | 'date_created', timeZone: string): string => {
  const gmt = text(body[`${name}_gmt`])
  const read =
    gmt === null
      ? readDate((text(body[name]) ?? '').replace('T', ' '), 'iso', timeZone)
      : readDate(/(Z|[+-]\d\d:?\d\d)$/.test(gmt) ? gmt : `${gmt}Z`, 'iso', 'UTC')
  return read ?? new Date(0).toISOString()
}

function rowOf(body: Record<string, unknown>, access: ShopAccess): PulledRow {
  const external_id = text(body.id) ?? ''
  const status = (text(body.status) ?? '').replace(/^wc-/, '')
  const head = { external_id, status, changed_at: utc(body, 'date_modified', access.timeZone) }
  if (drafts.has(status))
    return { ...head, kind: 'ignored', words: shopSentences.draft.replace('{{order_no}}', text(body.number) ?? external_id) }
  const reading = readWooOrder(body, optionsOf(access))
  return reading.problems
    ? { ...head, kind: 'refused', order_no: text(body.number), problems: reading.problems }
    : { ...head, kind: 'order', order: reading.order }
}

/** `modified_after` and `after` are exclusive and know whole seconds. */
const beforeOf = (from: string): string => new Date(Date.parse(from) - 1_000).toISOString().slice(0, 19)

const isNoRoute = ({ body }: ShopAnswer) => object(body).code === 'rest_no_route'

/** The fulfilments of an order; null where the shop does not have the feature. */
async function fulfilmentsOf(access: ShopAccess, external_id: string): Promise<Record<string, unknown>[] | null> {
  const answer = await ask(access, { path: `${api}/orders/${external_id}/fulfillments`, accepts: [404] })
  if (answer.status === 404) {
    if (isNoRoute(answer)) return null
    throw new ShopError('refused', wordsOfBody(answer), { status: 404 })
  }
  const read = readShop(Fulfilments, answer)
  return objects(Array.isArray(read) ? read : read.fulfillments)
}

const wordsOfBody = ({ status, body }: ShopAnswer): string => `${status} ${text(object(body).message) ?? ''}`.trim()

const orderOf = async (access: ShopAccess, external_id: string): Promise<Record<string, unknown>> =>
  readShop(OrderBody, await ask(access, { path: `${api}/orders/${external_id}` }))

const metaOf = (holder: Record<string, unknown>, key: string): unknown => objects(holder.meta_data).find(meta => meta.key === key)?.value

const numbersOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(text).filter(one => one !== null)

const fulfilmentMeta = ({ tracking_no, tracking_url, courier_name, lines }: PushedParcel) => [
  { key: '_items', value: lines.map(line => ({ item_id: Number(line.external_id), qty: line.qty })) },
  { key: '_tracking_number', value: tracking_no },
  { key: '_tracking_url', value: tracking_url ?? '' },
  { key: '_shipment_provider', value: courier_name },
]

/** Of a shop without fulfilments: one parcel as text, several as lists. */
function orderMeta(parcels: readonly PushedParcel[]) {
  const as = (values: readonly string[]) => (values.length === 1 ? values[0] : values)
  return [
    { key: '_tracking_number', value: as(parcels.map(one => one.tracking_no)) },
    { key: '_tracking_url', value: as(parcels.map(one => one.tracking_url ?? '')) },
    { key: '_shipment_provider', value: as(parcels.map(one => one.courier_name)) },
  ]
}

async function changeOrder(access: ShopAccess, external_id: string, body: object): Promise<string> {
  const answer = await ask(access, { method: 'PUT', path: `${api}/orders/${external_id}`, body })
  return readShop(OrderBody, answer, 'write').status
}

async function pushFulfilment(access: ShopAccess, fact: FulfilmentFact): Promise<PushOutcome> {
  const { external_id, parcel, parcels, is_last, notify_customer } = fact
  const target = shippedStatus(access)
  // A fulfilment holds an item at least: the number of a parcel that holds the rest of a bundle stands on the order.
  const known = parcel.lines.length === 0 ? null : await fulfilmentsOf(access, external_id)
  if (known === null) {
    const status = await changeOrder(access, external_id, { meta_data: orderMeta(parcels), ...(is_last && { status: target }) })
    return { kind: 'done', status }
  }
  const earlier = known.find(one => metaOf(one, '_tracking_number') === parcel.tracking_no)
  const id =
    earlier?.id ??
    readShop(
      Made,
      await ask(access, {
        method: 'POST',
        path: `${api}/orders/${external_id}/fulfillments`,
        body: { status: 'fulfilled', is_fulfilled: true, notify_customer, meta_data: fulfilmentMeta(parcel) },
      }),
      'write',
    ).id
  const refs = [{ external_type: 'fulfillment', external_id: String(id) }]
  if (!is_last) return { kind: 'done', refs, status: (text((await orderOf(access, external_id)).status) ?? '').replace(/^wc-/, '') }
  return { kind: 'done', refs, status: await changeOrder(access, external_id, { status: target }) }
}

async function pushTracking(access: ShopAccess, fact: TrackingFact): Promise<PushOutcome> {
  const { external_id, parcel, parcels, refs, fulfilment_key, old_tracking_no } = fact
  const known = await fulfilmentsOf(access, external_id)
  if (known === null) return { kind: 'done', status: await changeOrder(access, external_id, { meta_data: orderMeta(parcels) }) }
  const written = refs.findLast(ref => ref.external_type === 'fulfillment' && ref.key === fulfilment_key)?.external_id
  const found = known.find(
    one => text(one.id) === written || (old_tracking_no !== null && metaOf(one, '_tracking_number') === old_tracking_no),
  )
  if (!found) return { kind: 'refused', words: 'The shop has no fulfilment for this parcel any more' }
  await ask(access, {
    method: 'PUT',
    path: `${api}/orders/${external_id}/fulfillments/${text(found.id)}`,
    body: { meta_data: fulfilmentMeta(parcel), notify_customer: fact.notify_customer },
  })
  return { kind: 'done', refs: [{ external_type: 'fulfillment', external_id: text(found.id) ?? '' }] }
}

const noteOf = (fact: PushFact): { note: string; customer_note: boolean } =>
  fact.kind === 'status_history'
    ? {
        note: [fact.status, fact.text].filter(part => part !== '').join(': '),
        // A note to the customer is mailed.
        customer_note: fact.visible_to_customer && fact.notify_customer,
      }
    : { note: fact.kind === 'note' ? fact.text : '', customer_note: false }

export const woocommerceConnector: ShopConnector = {
  system: 'woocommerce',
  title: 'WooCommerce',
  address_example: 'https://shop.example.com',
  capabilities: {
    facts: ['fulfilment', 'tracking', 'cancellation', 'status_history', 'note'],
    notifies_customer: true,
    rate: { requests: 50, seconds: 10 },
  },
  credentials: [
    {
      name: 'consumer_key',
      label: 'Consumer key',
      hint: 'In WooCommerce under Settings, Advanced, REST API: a key with the permission Read/Write',
      required: true,
      secret: true,
      pattern: 'ck_[0-9A-Za-z]{8,100}',
      refusal: 'A consumer key begins with ck_',
    },
    {
      name: 'consumer_secret',
      label: 'Consumer secret',
      required: true,
      secret: true,
      pattern: 'cs_[0-9A-Za-z]{8,100}',
      refusal: 'A consumer secret begins with cs_',
    },
  ],
  settings: [
    {
      name: 'shipped_status',
      label: 'Status of an order that was sent',
      hint: 'If empty: completed',
      status: true,
      pattern: '[0-9A-Za-z_-]{1,40}',
      refusal: 'A status has up to 40 letters, digits and hyphens',
    },
    {
      name: 'statuses',
      label: 'Meaning of your own statuses',
      hint: 'Such as ready-to-pack=ready, on-approval=held. What is not named is held.',
      pattern:
        ' *[0-9A-Za-z_-]{1,40} *= *(new|ready|held|closed|cancelled) *(, *[0-9A-Za-z_-]{1,40} *= *(new|ready|held|closed|cancelled) *){0,40}',
      refusal: 'Write status=meaning, with the meanings new, ready, held, closed and cancelled',
    },
    {
      name: 'pickup_keys',
      label: 'Meta keys of the chosen parcel shop',
      hint: 'Of plug-ins of your couriers, separated by commas',
      pattern: '[0-9A-Za-z_, .-]{1,400}',
      refusal: 'Meta keys have letters, digits and underscores',
    },
  ],

  async test(access) {
    const site = readShop(Site, await ask(access, { path: '/wp-json/' }))
    if (!site.namespaces.includes('wc/v3')) throw new ShopError('unreadable', 'WooCommerce is not switched on at this address')
    const answer = await ask(access, { path: `${api}/orders`, query: { per_page: '1' } })
    readShop(OrderList, answer)
    const date = Date.parse(answer.headers.get('date') ?? '')
    return { words: site.name || access.base_url, shop_time: Number.isNaN(date) ? null : new Date(date).toISOString(), warnings: [] }
  },

  async statuses(access) {
    const answer = await ask(access, { path: `${api}/reports/orders/totals` })
    return readShop(Totals, answer).map(({ slug, name }) => ({ code: slug, name }))
  },

  async pull(access, { by, from, to, page }) {
    const number = Number(page ?? '1')
    const answer = await ask(access, {
      path: `${api}/orders`,
      query: {
        ...(by === 'changed'
          ? { modified_after: beforeOf(from), orderby: 'modified' }
          : { after: beforeOf(from), ...(to !== null && { before: to.slice(0, 19) }), orderby: 'date' }),
        dates_are_gmt: 'true',
        order: 'asc',
        per_page: String(perPage),
        page: String(number),
      },
    })
    const bodies = readShop(OrderList, answer)
    const pages = Number(answer.headers.get('x-wp-totalpages') ?? Number.NaN)
    const more = Number.isInteger(pages) ? number < pages : bodies.length === perPage
    return { rows: bodies.map(body => rowOf(body, access)), next: more ? String(number + 1) : null }
  },

  async get(access, id_or_number) {
    const wanted = id_or_number.replace(/^#/, '')
    if (/^\d{1,18}$/.test(wanted)) {
      const answer = await ask(access, { path: `${api}/orders/${wanted}`, accepts: [404] })
      if (answer.status !== 404) return rowOf(readShop(OrderBody, answer), access)
    }
    // Plug-ins give orders numbers of their own.
    const found = readShop(OrderList, await ask(access, { path: `${api}/orders`, query: { search: wanted, per_page: '20' } }))
    const body = found.find(one => text(one.number) === wanted)
    return body ? rowOf(body, access) : null
  },

  async push(access, fact) {
    switch (fact.kind) {
      case 'fulfilment':
        return pushFulfilment(access, fact)
      case 'tracking':
        return pushTracking(access, fact)
      case 'cancellation':
        return { kind: 'done', status: await changeOrder(access, fact.external_id, { status: 'cancelled' }) }
      case 'status_history':
      case 'note': {
        const answer = await ask(access, { method: 'POST', path: `${api}/orders/${fact.external_id}/notes`, body: noteOf(fact) })
        const { id } = readShop(Made, answer, 'write')
        return { kind: 'done', refs: [{ external_type: 'note', external_id: String(id) }] }
      }
    }
  },

  async findDone(access, fact) {
    if (fact.kind === 'status_history' || fact.kind === 'note') {
      const notes = readShop(Notes, await ask(access, { path: `${api}/orders/${fact.external_id}/notes` }))
      const found = notes.find(({ note }) => note.trim() === noteOf(fact).note)
      return found ? { kind: 'done', refs: [{ external_type: 'note', external_id: text(found.id) ?? '' }] } : null
    }
    const order = await orderOf(access, fact.external_id)
    const status = (text(order.status) ?? '').replace(/^wc-/, '')
    if (fact.kind === 'cancellation') return status === 'cancelled' ? { kind: 'done', status } : null
    if (fact.kind === 'fulfilment' && fact.is_last && status !== shippedStatus(access)) return null
    const known = await fulfilmentsOf(access, fact.external_id)
    const { tracking_no } = fact.parcel
    if (known === null) return numbersOf(metaOf(order, '_tracking_number')).includes(tracking_no) ? { kind: 'done', status } : null
    const found = known.find(one => metaOf(one, '_tracking_number') === tracking_no)
    return found ? { kind: 'done', status, refs: [{ external_type: 'fulfillment', external_id: text(found.id) ?? '' }] } : null
  },
}
