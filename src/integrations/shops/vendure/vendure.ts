/**
 * Vendure by its admin API, GraphQL. Source: observed with Vendure 3.5.2; docs.vendure.io. Refusals of mutations are one kind of answer
 * and come with the status 200; so does a login that ran out.
 *
 * `updatedAt` of an order stays as it was when the order is paid, changed, shipped or cancelled (observed with 3.5.2). Its history says when
 * that happened, and no list can be asked by it: the times of all open orders are read at each pull, and the orders that changed in full.
 */
import * as z from 'zod'
import { optionsOf, rowOf } from '../order-parts.ts'
import {
  type ConnectionTest,
  type PulledPage,
  type PulledRow,
  type PullRequest,
  type PushFact,
  type PushOutcome,
  type ShopAccess,
  type ShopConnector,
  ShopError,
} from '../shop-connector.ts'
import { readShop } from '../shop-http.ts'
import { type Json, object, objects, parsed, text } from '../shop-order.ts'
import { instantOf, newest, placeAfter, placeOf } from '../shop-pages.ts'
import { readVendureOrder, vendureChangedAt, vendureDrafts } from './vendure-order.ts'

const pageSize = 50
/** Orders of one page of changes: the times of all are read for each page. */
const changedSize = 200
/** Orders of which only the times are read. */
const scanSize = 100
/** An order that leaves the list while it is read moves the others up: so many are read twice. */
const scanOverlap = 10
/** Orders that are no longer open are looked at for so long after they were placed. */
const closedFor = 30 * 86_400_000

/** States in which the shop has accepted the order. */
const pulledStates = ['PaymentSettled', 'PartiallyShipped', 'Shipped', 'PartiallyDelivered', 'Delivered', 'Cancelled']

const address = '{fullName company streetLine1 streetLine2 city province postalCode countryCode phoneNumber}'
const orderFields = `{
  id code state orderPlacedAt createdAt updatedAt currencyCode total totalWithTax couponCodes
  customer{id title firstName lastName emailAddress phoneNumber}
  shippingAddress${address} billingAddress${address}
  shippingLines{id shippingMethod{code name} discountedPrice discountedPriceWithTax}
  surcharges{id description price taxRate}
  payments{state method}
  lines{id quantity orderPlacedQuantity unitPrice taxRate linePrice proratedLinePrice productVariant{sku name}}
  history(options:{sort:{createdAt:DESC},take:1}){items{createdAt}}
}`
const fulfilmentFields = '{id state fulfillments{id state method trackingCode lines{orderLineId quantity}}}'

const queries = {
  login: `mutation($user:String!,$password:String!){login(username:$user,password:$password){__typename ...on CurrentUser{id} ...on ErrorResult{errorCode message}}}`,
  decimals: '{globalSettings{serverConfig{moneyStrategyPrecision}}}',
  channel: '{activeChannel{code}}',
  orders: `query($options:OrderListOptions){orders(options:$options){totalItems items${orderFields}}}`,
  times:
    'query($options:OrderListOptions){orders(options:$options){items{id updatedAt orderPlacedAt history(options:{sort:{createdAt:DESC},take:1}){items{createdAt}}}}}',
  order: `query($id:ID!){order(id:$id)${orderFields}}`,
  fulfilments: `query($id:ID!){order(id:$id)${fulfilmentFields}}`,
  notes: `query($id:ID!){order(id:$id){id history(options:{filter:{type:{eq:"ORDER_NOTE"}}}){items{data}}}}`,
  fulfil: `mutation($input:FulfillOrderInput!){addFulfillmentToOrder(input:$input){__typename ...on Fulfillment{id state} ...on ErrorResult{errorCode message}}}`,
  ship: `mutation($id:ID!){transitionFulfillmentToState(id:$id,state:"Shipped"){__typename ...on Fulfillment{id state} ...on ErrorResult{errorCode message} ...on FulfillmentStateTransitionError{transitionError}}}`,
  cancel: `mutation($input:CancelOrderInput!){cancelOrder(input:$input){__typename ...on Order{id state} ...on ErrorResult{errorCode message}}}`,
  note: `mutation($input:AddNoteToOrderInput!){addNoteToOrder(input:$input){id}}`,
} as const

const Reply = z.object({ data: z.record(z.string(), z.unknown()).nullish(), errors: z.array(z.unknown()).optional() })

interface Kept {
  token: string
  decimals: number
}

function keptIn({ session }: ShopAccess): Kept | undefined {
  const { token, decimals } = object(parsed(Buffer.from(session.get() ?? '')))
  return typeof token === 'string' && typeof decimals === 'number' ? { token, decimals } : undefined
}

interface Asked {
  data: Json
  headers: Headers
  errors: Json[]
}

async function send(access: ShopAccess, query: string, variables: Json, purpose: 'read' | 'write', token?: string): Promise<Asked> {
  const answer = await access.http.ask({
    path: `/${access.settings.api_path || 'admin-api'}`,
    method: 'POST',
    purpose,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: { query, variables },
  })
  const { data, errors } = readShop(Reply, answer, purpose)
  return { data: data ?? {}, headers: answer.headers, errors: objects(errors) }
}

const isForbidden = ({ errors }: Asked): boolean => errors.some(error => object(error.extensions).code === 'FORBIDDEN')

async function login(access: ShopAccess): Promise<Kept> {
  const { credentials, session } = access
  const answer = await send(access, queries.login, { user: credentials.user ?? '', password: credentials.password ?? '' }, 'read')
  const said = object(answer.data.login)
  const token = answer.headers.get('vendure-auth-token')
  if (text(said.id) === null) {
    const words = text(said.message) ?? text(answer.errors[0]?.message) ?? 'The shop refuses the login'
    throw new ShopError('denied', words, { status: 200 })
  }
  if (!token) throw new ShopError('unreadable', 'The shop gives no token: its authOptions.tokenMethod needs bearer', { status: 200 })
  // A user who may not read the settings of the server gets the documented default.
  const settings = await send(access, queries.decimals, {}, 'read', token)
  const decimals = object(object(settings.data.globalSettings).serverConfig).moneyStrategyPrecision
  const kept = { token, decimals: typeof decimals === 'number' ? decimals : 2 }
  session.set(JSON.stringify(kept))
  return kept
}

/** Asks with the kept token, and once more with a new one when the shop does not know it any more. */
async function ask(access: ShopAccess, query: string, variables: Json, purpose: 'read' | 'write' = 'read') {
  const first = keptIn(access)
  let kept = first ?? (await login(access))
  let answer = await send(access, query, variables, purpose, kept.token)
  if (isForbidden(answer) && first !== undefined) {
    access.session.set(undefined)
    kept = await login(access)
    answer = await send(access, query, variables, purpose, kept.token)
  }
  const [error] = answer.errors
  if (error)
    throw new ShopError(isForbidden(answer) ? 'denied' : 'refused', text(error.message) ?? 'The shop refuses the question', { status: 200 })
  return { data: answer.data, decimals: kept.decimals }
}

function row(access: ShopAccess, body: unknown, decimals: number, otherwise: string): PulledRow {
  const order = object(body)
  const state = text(order.state)
  const head = {
    external_id: text(order.id),
    order_no: text(order.code),
    changed_at: vendureChangedAt(order) ?? otherwise,
    status: state,
  }
  if (head.external_id !== null && state !== null && vendureDrafts.has(state))
    return {
      kind: 'ignored',
      external_id: head.external_id,
      changed_at: head.changed_at,
      status: state,
      words: 'The customer has not ordered yet',
    }
  return rowOf(head, readVendureOrder(body, { ...optionsOf(access), decimals }))
}

const List = z.object({ items: z.array(z.unknown()) })

/** Orders that changed from an instant on, with the time of it, in its order. */
async function changedSince(access: ShopAccess, from: string): Promise<{ id: string; at: string }[]> {
  const start = Date.parse(from)
  // `after` leaves out the instant itself.
  const after = new Date(start - 1).toISOString()
  const recently = { orderPlacedAt: { after: new Date(start - closedFor).toISOString() } }
  const filter = {
    _or: [
      { state: { in: ['PaymentSettled', 'PartiallyShipped'] } },
      { _and: [{ state: { in: ['Cancelled'] } }, recently] },
      { _and: [{ state: { in: pulledStates } }, { _or: [{ updatedAt: { after } }, { orderPlacedAt: { after } }] }] },
    ],
  }
  const found = new Map<string, string>()
  for (let skip = 0; ; skip += scanSize - scanOverlap) {
    const { items } = await ordersBy(access, { filter, sort: { id: 'ASC' }, take: scanSize, skip }, queries.times)
    for (const item of items.map(object)) {
      const id = text(item.id)
      const at = vendureChangedAt(item)
      if (id !== null && at !== null && at >= from) found.set(id, at)
    }
    if (items.length < scanSize) break
  }
  return [...found].map(([id, at]) => ({ id, at })).sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

async function changedPage(access: ShopAccess, request: PullRequest): Promise<PulledPage> {
  const place = placeOf(request)
  const changed = (await changedSince(access, place.from)).slice((place.page - 1) * changedSize, place.page * changedSize)
  const rows: PulledRow[] = []
  for (let first = 0; first < changed.length; first += pageSize) {
    const ids = changed.slice(first, first + pageSize).map(({ id }) => id)
    const { items, decimals } = await ordersBy(access, { filter: { id: { in: ids } }, take: pageSize })
    const bodies = new Map(items.map(item => [text(object(item).id), item]))
    for (const id of ids) if (bodies.has(id)) rows.push(row(access, bodies.get(id), decimals, place.from))
  }
  return {
    rows: rows.sort((one, other) => (one.changed_at < other.changed_at ? -1 : one.changed_at > other.changed_at ? 1 : 0)),
    next: placeAfter(place, changed.at(-1)?.at ?? null, changed.length >= changedSize),
  }
}

async function ordersBy(
  access: ShopAccess,
  options: Json,
  query: string = queries.orders,
): Promise<{ items: unknown[]; decimals: number }> {
  const { data, decimals } = await ask(access, query, { options })
  const read = List.safeParse(data.orders)
  if (!read.success) throw new ShopError('unreadable', 'The answer of the shop makes no sense (orders)')
  return { items: read.data.items, decimals }
}

const fulfilmentWith = (order: Json, tracking_no: string) =>
  objects(order.fulfillments).find(one => text(one.trackingCode) === tracking_no && text(one.state) !== 'Cancelled')
const isShipped = (fulfilment: Json): boolean => ['Shipped', 'Delivered'].includes(text(fulfilment.state) ?? '')

async function fulfilmentsOf(access: ShopAccess, id: string): Promise<Json | null> {
  const { data } = await ask(access, queries.fulfilments, { id })
  return data.order === null || data.order === undefined ? null : object(data.order)
}

const gone: PushOutcome = { kind: 'refused', words: 'The shop does not know this order any more' }
const refusalOf = (answer: Json): string =>
  text(answer.transitionError) ?? text(answer.message) ?? text(answer.errorCode) ?? 'The shop refuses it'

async function push(access: ShopAccess, fact: PushFact): Promise<PushOutcome> {
  const { external_id } = fact
  if (fact.kind === 'tracking') return { kind: 'refused', words: 'Vendure does not change the number of a fulfilment' }
  const order = await fulfilmentsOf(access, external_id)
  if (order === null) return gone
  if (fact.kind === 'cancellation') {
    if (text(order.state) === 'Cancelled') return { kind: 'done', status: 'Cancelled' }
    const { data } = await ask(access, queries.cancel, { input: { orderId: external_id, reason: 'Pakhus' } }, 'write')
    const said = object(data.cancelOrder)
    return text(said.id) === null ? { kind: 'refused', words: refusalOf(said) } : { kind: 'done', status: text(said.state) ?? undefined }
  }
  if (fact.kind === 'note' || fact.kind === 'status_history') {
    const isPublic = fact.kind === 'status_history' && fact.visible_to_customer
    await ask(access, queries.note, { input: { id: external_id, note: fact.text, isPublic } }, 'write')
    return { kind: 'done' }
  }
  const { parcel } = fact
  let fulfilment = fulfilmentWith(order, parcel.tracking_no)
  if (!fulfilment) {
    const lines = parcel.lines.map(line => ({ orderLineId: line.external_id, quantity: line.qty }))
    if (lines.length === 0) return { kind: 'done', words: 'The parcel holds nothing that the shop knows' }
    const handler = {
      code: 'manual-fulfillment',
      arguments: [
        { name: 'method', value: parcel.courier_name },
        { name: 'trackingCode', value: parcel.tracking_no },
      ],
    }
    const { data } = await ask(access, queries.fulfil, { input: { lines, handler } }, 'write')
    fulfilment = object(data.addFulfillmentToOrder)
    if (text(fulfilment.id) === null) return { kind: 'refused', words: refusalOf(fulfilment) }
  }
  const id = text(fulfilment.id) ?? ''
  if (!isShipped(fulfilment)) {
    const { data } = await ask(access, queries.ship, { id }, 'write')
    const said = object(data.transitionFulfillmentToState)
    if (text(said.id) === null) return { kind: 'refused', words: refusalOf(said) }
  }
  const status = await stateNow(access, external_id)
  return { kind: 'done', refs: [{ external_type: 'fulfillment', external_id: id }], status }
}

/** A question that fails does not undo what was written. */
async function stateNow(access: ShopAccess, id: string): Promise<string | undefined> {
  try {
    return text((await fulfilmentsOf(access, id))?.state) ?? undefined
  } catch (error) {
    if (error instanceof ShopError) return undefined
    throw error
  }
}

async function findDone(access: ShopAccess, fact: PushFact): Promise<Extract<PushOutcome, { kind: 'done' }> | null> {
  if (fact.kind === 'note' || fact.kind === 'status_history') {
    const { data } = await ask(access, queries.notes, { id: fact.external_id })
    const notes = objects(object(object(data.order).history).items)
    return notes.some(note => text(object(note.data).note) === text(fact.text)) ? { kind: 'done' } : null
  }
  const order = await fulfilmentsOf(access, fact.external_id)
  if (order === null) return null
  const status = text(order.state) ?? undefined
  if (fact.kind === 'cancellation') return status === 'Cancelled' ? { kind: 'done', status } : null
  const fulfilment = fulfilmentWith(order, fact.parcel.tracking_no)
  if (!fulfilment || !isShipped(fulfilment)) return null
  return { kind: 'done', status, refs: [{ external_type: 'fulfillment', external_id: text(fulfilment.id) ?? '' }] }
}

export const vendure: ShopConnector = {
  system: 'vendure',
  title: 'Vendure',
  address_example: 'https://shop.example.com',
  capabilities: {
    facts: ['fulfilment', 'cancellation', 'status_history', 'note'],
    cancel_warning: 'Vendure cancels the order and refunds nothing: the payment is refunded by a person in the shop',
    notifies_customer: false,
    rate: { requests: 5, seconds: 1 },
  },
  credentials: [
    { name: 'user', label: 'User name', hint: 'Of an administrator who may read and update orders', required: true },
    { name: 'password', label: 'Password', secret: true, required: true },
  ],
  settings: [
    {
      name: 'api_path',
      label: 'Path of the admin API',
      hint: 'If empty: admin-api',
      pattern: '^[A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40}){0,3}$',
      refusal: 'A path has letters, digits, dashes and slashes, and none at its ends',
    },
  ],
  async test(access): Promise<ConnectionTest> {
    access.session.set(undefined)
    const { data } = await ask(access, queries.channel, {})
    await ordersBy(access, { take: 1 })
    const code = text(object(data.activeChannel).code)
    return { words: code === null ? 'Vendure' : `Vendure, ${code}`, shop_time: null, warnings: [] }
  },
  async pull(access, request) {
    if (request.by === 'changed') return changedPage(access, request)
    const place = placeOf(request)
    const period = {
      after: new Date(Date.parse(place.from) - 1).toISOString(),
      ...(request.to !== null && { before: request.to }),
    }
    const { items, decimals } = await ordersBy(access, {
      filter: { state: { in: pulledStates }, orderPlacedAt: period },
      sort: { orderPlacedAt: 'ASC', id: 'ASC' },
      take: pageSize,
      skip: (place.page - 1) * pageSize,
    })
    const last = newest(items.map(item => instantOf(object(item).orderPlacedAt)))
    const rows = items.map(item => row(access, item, decimals, place.from))
    return { rows, next: placeAfter(place, last, items.length >= pageSize) }
  },
  async get(access, id_or_number) {
    const now = new Date(0).toISOString()
    const { data, decimals } = await ask(access, queries.order, { id: id_or_number })
    if (data.order !== null && data.order !== undefined) return row(access, data.order, decimals, now)
    const { items } = await ordersBy(access, { filter: { code: { eq: id_or_number } }, take: 1 })
    return items[0] === undefined ? null : row(access, items[0], decimals, now)
  },
  push,
  findDone,
}
