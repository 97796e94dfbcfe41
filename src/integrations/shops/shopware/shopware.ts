/**
 * Shopware 6 by its admin API. Source: developer.shopware.com (admin API, search criteria, state machine). The token is kept until the shop
 * refuses it. An order that was never changed has no `updatedAt`: changes are two lists, which are joined here.
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
import { readShop, type ShopAnswer, type ShopQuestion, wordsIn } from '../shop-http.ts'
import { type Json, list, object, text } from '../shop-order.ts'
import { instantOf, newest, placeAfter, placeOf } from '../shop-pages.ts'
import { changedAt, deliveryOf, readShopwareOrder, stateOf, statusOf } from './shopware-order.ts'

const pageSize = 100
const Token = z.object({ access_token: z.string().min(1).max(8_000) })
const Found = z.object({ data: z.array(z.unknown()) })

/** Since 6.6 what is not named here is null. */
const associations = {
  lineItems: {},
  deliveries: {
    associations: {
      shippingOrderAddress: { associations: { country: {}, countryState: {} } },
      shippingMethod: {},
      stateMachineState: {},
    },
  },
  transactions: { associations: { stateMachineState: {} } },
  billingAddress: { associations: { country: {}, countryState: {} } },
  stateMachineState: {},
  orderCustomer: {},
  currency: {},
}

async function login({ credentials, http, session }: ShopAccess): Promise<string> {
  const answer = await http.ask({
    path: '/api/oauth/token',
    method: 'POST',
    purpose: 'read',
    body: { grant_type: 'client_credentials', client_id: credentials.client_id ?? '', client_secret: credentials.client_secret ?? '' },
  })
  const { access_token } = readShop(Token, answer)
  session.set(access_token)
  return access_token
}

async function ask(access: ShopAccess, question: ShopQuestion): Promise<ShopAnswer> {
  const { http, session } = access
  const { accepts = [], headers } = question
  const send = (token: string) =>
    http.ask({ ...question, accepts: [...accepts, 401], headers: { ...headers, authorization: `Bearer ${token}` } })
  const kept = session.get()
  let answer = await send(kept ?? (await login(access)))
  if (answer.status === 401) {
    session.set(undefined)
    if (kept !== undefined) answer = await send(await login(access))
    if (answer.status === 401) throw new ShopError('denied', wordsIn(answer), { status: 401 })
  }
  // A change is answered with JSON or with nothing: a page of HTML comes from another program.
  if (question.purpose !== 'read' && answer.text !== '' && answer.body === undefined)
    throw new ShopError('unknown', `The answer of the shop makes no sense (${wordsIn(answer)})`, { status: answer.status })
  return answer
}

interface Search {
  filter: object[]
  sort?: string
  page?: number
  limit?: number
}

async function search(access: ShopAccess, { filter, sort, page = 1, limit = pageSize }: Search): Promise<unknown[]> {
  const answer = await ask(access, {
    path: '/api/search/order',
    method: 'POST',
    purpose: 'read',
    body: {
      page,
      limit,
      filter,
      ...(sort && { sort: [sort, 'id'].map(field => ({ field, order: 'ASC' })) }),
      associations,
    },
  })
  return readShop(Found, answer).data
}

const equals = (field: string, value: string) => ({ type: 'equals', field, value })
const range = (field: string, parameters: { gte: string; lt?: string }) => ({ type: 'range', field, parameters })

async function orderOf(access: ShopAccess, id: string): Promise<Json | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null
  const [found] = await search(access, { filter: [equals('id', id)], limit: 1 })
  return found === undefined ? null : object(found)
}

function row(access: ShopAccess, body: unknown, otherwise: string): PulledRow {
  const order = object(body)
  return rowOf(
    {
      external_id: text(order.id),
      order_no: text(order.orderNumber),
      changed_at: changedAt(order) ?? otherwise,
      status: statusOf(order),
    },
    readShopwareOrder(body, optionsOf(access)),
  )
}

/** Two lists from one time on, each with the number of its page among rows of that time. */
const writtenPlace = /^(\S{24})\|(\d{1,6})\|(\d{1,6})$/

/**
 * Both lists are ascending, and each ends where its page is full. Rows are answered up to the earlier of these ends, in one order; the next page
 * begins there.
 */
async function changedPage(access: ShopAccess, from: string, page: string | null) {
  const parts = writtenPlace.exec(page ?? '')
  const place = parts ? { from: parts[1]!, pages: [Number(parts[2]), Number(parts[3])] } : { from, pages: [1, 1] }
  const lists = []
  for (const [index, field] of ['createdAt', 'updatedAt'].entries()) {
    const rows = await search(access, { filter: [range(field, { gte: place.from })], sort: field, page: place.pages[index]! })
    const timed = rows.map(body => ({ body, at: instantOf(object(body)[field]) ?? place.from }))
    lists.push({
      // An order that was changed comes by its change, not by its creation.
      rows: field === 'createdAt' ? timed.filter(({ body }) => instantOf(object(body).updatedAt) === null) : timed,
      end: rows.length >= pageSize ? (newest(timed.map(({ at }) => at)) ?? place.from) : null,
    })
  }
  const [border = null] = lists
    .map(({ end }) => end)
    .filter(end => end !== null)
    .sort()
  const rows = lists
    .flatMap(list => list.rows)
    .filter(({ at }) => border === null || at <= border)
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ body }) => row(access, body, place.from))
  if (border === null) return { rows, next: null }
  if (border > place.from) return { rows, next: `${border}|1|1` }
  const pages = lists.map(({ end }, index) => place.pages[index]! + (end === border ? 1 : 0))
  return { rows, next: [place.from, ...pages].join('|') }
}

async function createdPage(access: ShopAccess, from: string, to: string | null, page: string | null) {
  const place = placeOf({ from, page })
  const filter = [range('createdAt', { gte: place.from, ...(to !== null && { lt: to }) })]
  const found = await search(access, { filter, sort: 'createdAt', page: place.page })
  const last = newest(found.map(body => instantOf(object(body).createdAt)))
  const rows = found.map(body => row(access, body, place.from))
  return { rows, next: placeAfter(place, last, found.length >= pageSize) }
}

/** One step of a state machine. */
async function step(access: ShopAccess, machine: 'order' | 'order_delivery', id: string, action: string, sendMail: boolean) {
  await ask(access, {
    path: `/api/_action/${machine}/${id}/state/${action}`,
    method: 'POST',
    body: { sendMail, documentIds: [], mediaIds: [] },
  })
}

/** Steps of an order by the state that they lead to. */
const stepsTo: Record<string, string> = { in_progress: 'process', completed: 'complete', cancelled: 'cancel', open: 'reopen' }

const numbersOf = (delivery: Json | undefined): string[] =>
  list(delivery?.trackingCodes)
    .map(text)
    .filter(number => number !== null)

const gone: PushOutcome = { kind: 'refused', words: 'The shop does not know this order any more' }

async function push(access: ShopAccess, fact: PushFact): Promise<PushOutcome> {
  const order = await orderOf(access, fact.external_id)
  if (order === null) return gone
  const delivery = deliveryOf(order)
  const delivered = stateOf(delivery)
  const status = (order_state: string | null, delivery_state: string | null) => [order_state, delivery_state].filter(Boolean).join('/')
  if (fact.kind === 'note') return { kind: 'refused', words: 'Shopware takes no notes' }
  if (fact.kind === 'cancellation') {
    if (stateOf(order) !== 'cancelled') await step(access, 'order', fact.external_id, 'cancel', false)
    return { kind: 'done', status: status('cancelled', delivered) }
  }
  if (fact.kind === 'status_history') {
    const wanted = fact.status.trim().toLowerCase()
    const action = stepsTo[wanted]
    if (action === undefined) return { kind: 'done', words: `Shopware has no status ${fact.status}: the line stays here` }
    if (stateOf(order) !== wanted) await step(access, 'order', fact.external_id, action, fact.notify_customer)
    return { kind: 'done', status: status(wanted, delivered) }
  }
  const id = text(delivery?.id)
  if (id === null) return { kind: 'refused', words: 'The order has no delivery in the shop' }
  const old = fact.kind === 'tracking' ? fact.old_tracking_no : null
  const known = numbersOf(delivery)
  const numbers = [...new Set([...known.filter(number => number !== old), fact.parcel.tracking_no])]
  if (numbers.join('\n') !== known.join('\n'))
    await ask(access, { path: `/api/order-delivery/${id}`, method: 'PATCH', body: { trackingCodes: numbers } })
  const refs = [{ external_type: 'order_delivery', external_id: id }]
  if (fact.kind === 'tracking') return { kind: 'done', refs, status: statusOf(order) }
  if (delivered === 'shipped') return { kind: 'done', refs, status: statusOf(order) }
  if (fact.is_last) {
    await step(access, 'order_delivery', id, 'ship', fact.notify_customer)
    return { kind: 'done', refs, status: status(stateOf(order), 'shipped') }
  }
  if (delivered !== 'shipped_partially') await step(access, 'order_delivery', id, 'ship_partially', fact.notify_customer)
  return { kind: 'done', refs, status: status(stateOf(order), 'shipped_partially') }
}

async function findDone(access: ShopAccess, fact: PushFact): Promise<Extract<PushOutcome, { kind: 'done' }> | null> {
  const order = await orderOf(access, fact.external_id)
  if (order === null || fact.kind === 'note') return null
  const delivery = deliveryOf(order)
  const done = { kind: 'done' as const, status: statusOf(order) }
  if (fact.kind === 'cancellation') return stateOf(order) === 'cancelled' ? done : null
  if (fact.kind === 'status_history') return stateOf(order) === fact.status.trim().toLowerCase() ? done : null
  if (!numbersOf(delivery).includes(fact.parcel.tracking_no)) return null
  const state = stateOf(delivery)
  const stepped = fact.kind === 'tracking' || state === 'shipped' || (!fact.is_last && state === 'shipped_partially')
  return stepped ? { ...done, refs: [{ external_type: 'order_delivery', external_id: text(delivery?.id) ?? '' }] } : null
}

export const shopware: ShopConnector = {
  system: 'shopware',
  title: 'Shopware 6',
  address_example: 'https://shop.example.com',
  capabilities: {
    facts: ['fulfilment', 'tracking', 'cancellation', 'status_history'],
    notifies_customer: true,
    rate: { requests: 4, seconds: 1 },
  },
  credentials: [
    {
      name: 'client_id',
      label: 'Access key ID',
      hint: 'Of an integration under Settings → System → Integrations that may read and change orders',
      required: true,
    },
    { name: 'client_secret', label: 'Secret access key', secret: true, required: true },
  ],
  settings: [packUnpaid],
  async test(access): Promise<ConnectionTest> {
    access.session.set(undefined)
    const [order] = await search(access, { filter: [], limit: 1 })
    const number = text(object(order).orderNumber)
    return { words: number === null ? 'Shopware' : `Shopware, ${number}`, shop_time: null, warnings: [] }
  },
  pull: (access, { by, from, to, page }) =>
    by === 'changed'
      ? changedPage(access, new Date(from).toISOString(), page)
      : createdPage(access, new Date(from).toISOString(), to, page),
  async get(access, id_or_number) {
    const now = new Date(0).toISOString()
    const direct = await orderOf(access, id_or_number)
    if (direct !== null) return row(access, direct, now)
    const [found] = await search(access, { filter: [equals('orderNumber', id_or_number)], limit: 1 })
    return found === undefined ? null : row(access, found, now)
  },
  push,
  findDone,
}
