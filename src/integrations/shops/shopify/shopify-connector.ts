/**
 * Shopify by its Admin API in GraphQL. Source: shopify.dev, Admin API 2026-07: errors come with the status 200, at the top or beside each
 * mutation; goods are fulfilled by fulfilment orders, not by lines of the order.
 */
import * as z from 'zod'
import { optionsOf, packUnpaid } from '../order-parts.ts'
import {
  type FulfilmentFact,
  type PulledRow,
  type PushedParcel,
  type PushOutcome,
  type ShopAccess,
  type ShopConnector,
  ShopError,
  type TrackingFact,
} from '../shop-connector.ts'
import { readShop } from '../shop-http.ts'
import { object, objects, text } from '../shop-order.ts'
import { readShopifyOrder } from '../shopify.ts'

const version = '2026-07'
const perPage = 25

const Reply = z.looseObject({
  data: z.looseObject({}).nullish(),
  errors: z.union([z.array(z.looseObject({ message: z.string().catch('') })), z.string()]).optional(),
})
const money = 'shopMoney{amount currencyCode}'
const address = 'name firstName lastName company address1 address2 city zip provinceCode countryCodeV2 phone'
const orderFields = `id name createdAt updatedAt cancelledAt closedAt displayFinancialStatus displayFulfillmentStatus note tags email phone test
  taxesIncluded currencyCode customerLocale currentTotalPriceSet{${money}} currentTotalTaxSet{${money}}
  customAttributes{key value} customer{id displayName} shippingAddress{${address}} billingAddress{${address}}
  shippingLines(first:5){nodes{id title code isRemoved originalPriceSet{${money}} discountedPriceSet{${money}} taxLines{rate priceSet{${money}}}}}
  lineItems(first:100){pageInfo{hasNextPage} nodes{id name title sku variantTitle quantity currentQuantity unfulfilledQuantity requiresShipping isGiftCard
    originalUnitPriceSet{${money}} totalDiscountSet{${money}} taxLines{rate priceSet{${money}}} customAttributes{key value}}}`

/** Asks; a login that is wrong and a query that costs too much differ from what the shop refuses. */
async function graphql(
  access: ShopAccess,
  query: string,
  variables: object,
  purpose: 'read' | 'write' = 'read',
): Promise<Record<string, unknown>> {
  const answer = await access.http.ask({
    method: 'POST',
    path: `/admin/api/${version}/graphql.json`,
    headers: { 'x-shopify-access-token': access.credentials.access_token ?? '' },
    body: { query, variables },
    purpose,
  })
  const { data, errors } = readShop(Reply, answer, purpose)
  const list = objects(errors)
  const words = typeof errors === 'string' ? errors : list.map(error => text(error.message) ?? '').join('; ')
  if (words !== '') {
    const codes = list.map(error => text(object(error.extensions).code) ?? '')
    if (codes.includes('THROTTLED')) throw new ShopError('unavailable', words, { retry_after_s: restoreSeconds(answer.body) })
    if (codes.includes('ACCESS_DENIED')) throw new ShopError('denied', words)
    if (codes.includes('INTERNAL_SERVER_ERROR')) throw new ShopError(purpose === 'write' ? 'unknown' : 'unavailable', words)
    throw new ShopError('refused', words)
  }
  if (!data) throw new ShopError(purpose === 'write' ? 'unknown' : 'unreadable', 'The answer holds no data')
  return data
}

/** Seconds until as many points are there as the query asked for. */
function restoreSeconds(body: unknown): number {
  const cost = object(object(object(body).extensions).cost)
  const status = object(cost.throttleStatus)
  const missing = Number(cost.requestedQueryCost) - Number(status.currentlyAvailable)
  const seconds = Math.ceil(missing / Number(status.restoreRate))
  return Number.isFinite(seconds) ? Math.min(60, Math.max(1, seconds)) : 5
}

/** What a mutation refuses, in the shop's words. */
const userErrors = (payload: unknown): string =>
  [...objects(object(payload).userErrors), ...objects(object(payload).orderCancelUserErrors)]
    .map(error => text(error.message) ?? '')
    .join('; ')

const nodes = (connection: unknown) => objects(object(connection).nodes)
const idOf = (gid: unknown): string => (text(gid) ?? '').replace(/^.*\//, '').replace(/\?.*$/, '')
const gidOf = (kind: string, id: string): string => (id.startsWith('gid://') ? id : `gid://shopify/${kind}/${id}`)
const amount = (set: unknown): unknown => object(object(set).shopMoney).amount
const lower = (value: unknown): string | null => text(value)?.toLowerCase() ?? null
const taxes = (lines: unknown) => objects(lines).map(line => ({ rate: line.rate, price: amount(line.priceSet) }))
const attributes = (list: unknown) => objects(list).map(({ key, value }) => ({ name: key, value }))

const addressOf = (given: unknown): Record<string, unknown> | null => {
  const from = object(given)
  return text(from.countryCodeV2) === null && text(from.address1) === null
    ? null
    : {
        ...from,
        first_name: from.firstName,
        last_name: from.lastName,
        country_code: from.countryCodeV2,
        province_code: from.provinceCode,
      }
}

/** The order as a webhook would write it: one reader for both. */
function restOrderOf(node: Record<string, unknown>): Record<string, unknown> {
  const fulfilment = text(node.displayFulfillmentStatus)
  const customer = object(node.customer)
  return {
    id: idOf(node.id),
    name: node.name,
    created_at: node.createdAt,
    processed_at: node.createdAt,
    updated_at: node.updatedAt,
    cancelled_at: node.cancelledAt,
    closed_at: node.closedAt,
    financial_status: lower(node.displayFinancialStatus),
    fulfillment_status: fulfilment === 'FULFILLED' ? 'fulfilled' : null,
    note: node.note,
    tags: Array.isArray(node.tags) ? node.tags.join(', ') : node.tags,
    email: node.email,
    phone: node.phone,
    test: node.test,
    taxes_included: node.taxesIncluded,
    currency: node.currencyCode,
    customer_locale: node.customerLocale,
    current_total_price: amount(node.currentTotalPriceSet),
    current_total_tax: amount(node.currentTotalTaxSet),
    total_price: amount(node.currentTotalPriceSet),
    total_tax: amount(node.currentTotalTaxSet),
    note_attributes: attributes(node.customAttributes),
    customer: customer.id === undefined ? null : { id: idOf(customer.id) },
    shipping_address: addressOf(node.shippingAddress),
    billing_address: addressOf(node.billingAddress),
    shipping_lines: nodes(node.shippingLines).map(line => ({
      id: idOf(line.id),
      title: line.title,
      code: line.code,
      is_removed: line.isRemoved,
      price: amount(line.originalPriceSet),
      discounted_price: amount(line.discountedPriceSet),
      tax_lines: taxes(line.taxLines),
    })),
    line_items: nodes(node.lineItems).map(line => ({
      id: idOf(line.id),
      product_id: idOf(line.id),
      title: line.title ?? line.name,
      name: line.name,
      sku: line.sku,
      variant_title: line.variantTitle,
      quantity: line.quantity,
      current_quantity: line.currentQuantity,
      fulfillable_quantity: line.unfulfilledQuantity,
      requires_shipping: line.requiresShipping,
      gift_card: line.isGiftCard,
      price: amount(line.originalUnitPriceSet),
      total_discount: amount(line.totalDiscountSet),
      tax_lines: taxes(line.taxLines),
      properties: attributes(line.customAttributes),
    })),
  }
}

/** Cancelled beats everything: the status that comes back of a cancellation of ours. */
const statusOf = (node: Record<string, unknown>): string =>
  text(node.cancelledAt) === null ? (text(node.displayFulfillmentStatus) ?? '') : 'CANCELLED'

function rowOf(node: Record<string, unknown>, access: ShopAccess): PulledRow {
  const head = { external_id: idOf(node.id), status: statusOf(node), changed_at: text(node.updatedAt) ?? new Date(0).toISOString() }
  const items = nodes(node.lineItems)
  if (object(object(node.lineItems).pageInfo).hasNextPage === true)
    return {
      ...head,
      kind: 'refused',
      order_no: text(node.name),
      problems: [{ field: 'lines', text: 'An order of Shopify with more than {{count}} lines is not read', values: { count: 100 } }],
    }
  if (items.length > 0 && items.every(item => item.requiresShipping === false || item.isGiftCard === true))
    return { ...head, kind: 'ignored', words: 'Nothing of it is sent' }
  const reading = readShopifyOrder(restOrderOf(node), optionsOf(access))
  return reading.problems
    ? { ...head, kind: 'refused', order_no: text(node.name), problems: reading.problems }
    : { ...head, kind: 'order', order: reading.order }
}

const quoted = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`

const fulfilmentQuery = `query($id:ID!){ order(id:$id){ id displayFulfillmentStatus cancelledAt
  fulfillments(first:100){id status trackingInfo{number}}
  fulfillmentOrders(first:25){nodes{id status assignedLocation{name} lineItems(first:100){nodes{id remainingQuantity lineItem{id}}}}} } }`

async function orderForPush(access: ShopAccess, external_id: string): Promise<Record<string, unknown>> {
  const { order } = await graphql(access, fulfilmentQuery, { id: gidOf('Order', external_id) })
  if (!order) throw new ShopError('refused', 'The shop has no such order')
  return object(order)
}

const fulfilmentWith = (order: Record<string, unknown>, tracking_no: string) =>
  objects(order.fulfillments).find(
    one => text(one.status) !== 'CANCELLED' && objects(one.trackingInfo).some(({ number }) => text(number) === tracking_no),
  )

const trackingOf = ({ courier_name, tracking_no, tracking_url }: PushedParcel) => ({
  company: courier_name,
  number: tracking_no,
  ...(tracking_url !== null && { url: tracking_url }),
})

/** Open fulfilment orders that hold what is in the parcel; one call stays within one of them. */
function takenFrom(order: Record<string, unknown>, parcel: PushedParcel) {
  const wanted = new Map(parcel.lines.map(line => [line.external_id, line.qty]))
  const parts: { fulfillmentOrderId: string; fulfillmentOrderLineItems: { id: string; quantity: number }[] }[] = []
  for (const one of nodes(order.fulfillmentOrders)) {
    if (!['OPEN', 'IN_PROGRESS'].includes(text(one.status) ?? '')) continue
    const items: { id: string; quantity: number }[] = []
    for (const item of nodes(one.lineItems)) {
      const id = idOf(object(item.lineItem).id)
      const quantity = Math.min(wanted.get(id) ?? 0, Number(item.remainingQuantity) || 0)
      if (quantity < 1) continue
      wanted.set(id, (wanted.get(id) ?? 0) - quantity)
      items.push({ id: text(item.id) ?? '', quantity })
    }
    if (items.length > 0) parts.push({ fulfillmentOrderId: text(one.id) ?? '', fulfillmentOrderLineItems: items })
  }
  return { parts, missing: [...wanted.values()].some(quantity => quantity > 0) }
}

async function pushFulfilment(access: ShopAccess, { external_id, parcel, notify_customer }: FulfilmentFact): Promise<PushOutcome> {
  const order = await orderForPush(access, external_id)
  const known = fulfilmentWith(order, parcel.tracking_no)
  if (known) return { kind: 'done', refs: [{ external_type: 'fulfillment', external_id: text(known.id) ?? '' }], status: statusOf(order) }
  if (parcel.lines.length === 0) return { kind: 'done', words: 'The parcel holds nothing that the shop knows' }
  const { parts, missing } = takenFrom(order, parcel)
  if (parts.length === 0)
    return { kind: 'refused', words: 'The shop has nothing of this parcel left to fulfil: its items are sent, held or removed' }
  const refs: { external_type: string; external_id: string }[] = []
  for (const part of parts) {
    const { fulfillmentCreate: made } = await graphql(
      access,
      'mutation($f:FulfillmentInput!){ fulfillmentCreate(fulfillment:$f){ fulfillment{id status} userErrors{field message} } }',
      { f: { lineItemsByFulfillmentOrder: [part], notifyCustomer: notify_customer, trackingInfo: trackingOf(parcel) } },
      'write',
    )
    const words = userErrors(made)
    if (words !== '') return { kind: 'refused', words }
    refs.push({ external_type: 'fulfillment', external_id: text(object(object(made).fulfillment).id) ?? '' })
  }
  const status = statusOf(await orderForPush(access, external_id))
  return { kind: 'done', refs, status, ...(missing && { words: 'Reported, but the shop has less of it open than was packed' }) }
}

async function pushTracking(access: ShopAccess, fact: TrackingFact): Promise<PushOutcome> {
  const order = await orderForPush(access, fact.external_id)
  const ids = fact.refs.filter(ref => ref.external_type === 'fulfillment' && ref.key === fact.fulfilment_key).map(ref => ref.external_id)
  const old = fact.old_tracking_no === null ? undefined : fulfilmentWith(order, fact.old_tracking_no)
  const all = ids.length > 0 ? ids : [text(old?.id)].filter(id => id !== null)
  if (all.length === 0) return { kind: 'refused', words: 'The shop has no fulfilment for this parcel any more' }
  for (const id of all) {
    const { fulfillmentTrackingInfoUpdate: changed } = await graphql(
      access,
      'mutation($id:ID!,$t:FulfillmentTrackingInput!,$n:Boolean){ fulfillmentTrackingInfoUpdate(fulfillmentId:$id, trackingInfoInput:$t, notifyCustomer:$n){ fulfillment{id} userErrors{field message} } }',
      { id, t: trackingOf(fact.parcel), n: fact.notify_customer },
      'write',
    )
    const words = userErrors(changed)
    if (words !== '') return { kind: 'refused', words }
  }
  return { kind: 'done', refs: all.map(external_id => ({ external_type: 'fulfillment', external_id })), status: statusOf(order) }
}

export const shopifyConnector: ShopConnector = {
  system: 'shopify',
  title: 'Shopify',
  address_example: 'https://your-shop.myshopify.com',
  capabilities: {
    facts: ['fulfilment', 'tracking', 'cancellation'],
    cancel_warning: 'Shopify cannot take a cancellation back, and gives up reserved payments',
    notifies_customer: true,
    backfill_limit: 'Shopify shows only orders of the last 60 days unless the app has the permission read_all_orders',
    rate: { requests: 20, seconds: 10 },
  },
  credentials: [
    {
      name: 'access_token',
      label: 'Access token of the app',
      hint: 'Of an app with the permissions read_orders, write_orders and write_merchant_managed_fulfillment_orders',
      required: true,
      secret: true,
      pattern: 'shp[a-z]{2}_[0-9A-Za-z]{8,200}',
      refusal: 'An access token begins with shpat_ or shpca_',
    },
  ],
  settings: [packUnpaid],

  async test(access) {
    const data = await graphql(access, '{ shop{name} currentAppInstallation{accessScopes{handle}} }', {})
    const scopes = objects(object(data.currentAppInstallation).accessScopes).map(scope => text(scope.handle))
    const warnings = [
      ...(scopes.some(scope => scope?.startsWith('write_') && scope.endsWith('_fulfillment_orders'))
        ? []
        : ['The app may not write fulfilments: parcels cannot be reported']),
      ...(scopes.includes('read_all_orders')
        ? []
        : ['Shopify shows only orders of the last 60 days unless the app has the permission read_all_orders']),
    ]
    return { words: text(object(data.shop).name) ?? access.base_url, shop_time: null, warnings }
  },

  async pull(access, { by, from, to, page }) {
    const q =
      by === 'changed'
        ? `updated_at:>=${quoted(from)} status:any`
        : `created_at:>=${quoted(from)}${to === null ? '' : ` created_at:<${quoted(to)}`} status:any`
    const { orders } = await graphql(
      access,
      `query($q:String!,$n:Int!,$after:String,$sort:OrderSortKeys!){ orders(first:$n, after:$after, query:$q, sortKey:$sort){ pageInfo{hasNextPage endCursor} nodes{${orderFields}} } }`,
      { q, n: perPage, after: page, sort: by === 'changed' ? 'UPDATED_AT' : 'CREATED_AT' },
    )
    const info = object(object(orders).pageInfo)
    return { rows: nodes(orders).map(node => rowOf(node, access)), next: info.hasNextPage === true ? text(info.endCursor) : null }
  },

  async get(access, id_or_number) {
    if (/^\d{6,20}$/.test(id_or_number)) {
      const { order } = await graphql(access, `query($id:ID!){ order(id:$id){${orderFields}} }`, { id: gidOf('Order', id_or_number) })
      if (order) return rowOf(object(order), access)
    }
    const { orders } = await graphql(access, `query($q:String!){ orders(first:5, query:$q){ nodes{${orderFields}} } }`, {
      q: `name:${quoted(id_or_number)} status:any`,
    })
    const wanted = id_or_number.replace(/^#/, '')
    const found = nodes(orders).find(node => (text(node.name) ?? '').replace(/^#/, '') === wanted)
    return found ? rowOf(found, access) : null
  },

  async push(access, fact) {
    if (fact.kind === 'fulfilment') return pushFulfilment(access, fact)
    if (fact.kind === 'tracking') return pushTracking(access, fact)
    if (fact.kind !== 'cancellation') return { kind: 'refused', words: `Shopify has no place for this: ${fact.kind}` }
    const { orderCancel: cancelled } = await graphql(
      access,
      'mutation($id:ID!){ orderCancel(orderId:$id, reason:OTHER, refund:false, restock:false, notifyCustomer:false){ job{id} orderCancelUserErrors{field message} } }',
      { id: gidOf('Order', fact.external_id) },
      'write',
    )
    const words = userErrors(cancelled)
    return words === '' ? { kind: 'done', status: 'CANCELLED' } : { kind: 'refused', words }
  },

  async findDone(access, fact) {
    if (fact.kind === 'status_history' || fact.kind === 'note') return null
    const order = await orderForPush(access, fact.external_id)
    const status = statusOf(order)
    if (fact.kind === 'cancellation') return status === 'CANCELLED' ? { kind: 'done', status } : null
    const known = fulfilmentWith(order, fact.parcel.tracking_no)
    // A parcel of two places has a fulfilment of each: one of them is not enough while something of it is open.
    if (!known || (fact.kind === 'fulfilment' && takenFrom(order, fact.parcel).parts.length > 0 && fact.is_last)) return null
    return { kind: 'done', status, refs: [{ external_type: 'fulfillment', external_id: text(known.id) ?? '' }] }
  },
}
