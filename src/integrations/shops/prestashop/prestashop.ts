/**
 * PrestaShop 1.7 and 8 by its web service. Source: devdocs.prestashop-project.org and an open-source adapter. Reading answers JSON, writing
 * takes XML and replaces the whole resource. Times are those of the shop's clock; states are the shop's own.
 */
import { TZDate } from '@date-fns/tz'
import * as z from 'zod'
import { optionsOf, packUnpaid, rowOf } from '../order-parts.ts'
import type { ConnectionTest, PulledRow, PushFact, PushOutcome, ShopAccess, ShopConnector } from '../shop-connector.ts'
import { ShopError } from '../shop-connector.ts'
import { readShop } from '../shop-http.ts'
import { type Json, object, objects, text } from '../shop-order.ts'
import { newest, placeAfter, placeOf } from '../shop-pages.ts'
import { isSet, type PrestashopReferences, prestashopName, prestashopTime, readPrestashopOrder } from './prestashop-order.ts'

const pageSize = 50
const hour = 3_600_000
/** What the web service accepts as one number of a parcel. */
const longestTracking = 64

const zoneOf = ({ settings, timeZone }: ShopAccess): string => settings.time_zone || timeZone
function mustBeZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw new ShopError('refused', 'Write the time zone as in Europe/Copenhagen')
  }
}

/** An instant as the shop's clock shows it. */
export function localTime(instant: number, timeZone: string): string {
  const at = new TZDate(instant, timeZone)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/**
 * In autumn the clock shows an hour twice. A question from a time of that hour gets what was changed in both, and so nothing of the second
 * one is missed: the start lies an hour earlier for as long as that is near.
 */
export function startBefore(instant: number, timeZone: string): number {
  const offset = (at: number) => new TZDate(at, timeZone).getTimezoneOffset()
  return offset(instant + 3 * hour) > offset(instant - 3 * hour) ? instant - hour : instant
}

const authorization = ({ credentials }: ShopAccess): string => `Basic ${Buffer.from(`${credentials.key ?? ''}:`).toString('base64')}`

/** What the web service says: in JSON `errors`, in XML each in a `message`. */
function refusalIn(status: number, body: unknown, raw: string): string {
  const said = objects(object(body).errors).map(error => text(error.message))
  const written = [...raw.slice(0, 20_000).matchAll(/<message>\s*(?:<!\[CDATA\[)?([^<\]]{1,500})/g)].map(match => text(match[1]))
  return [...said, ...written].find(words => words !== null) ?? `status ${status}`
}

const refusals = [400, 401, 403, 404, 405]

async function read(access: ShopAccess, path: string, query: Record<string, string> = {}): Promise<unknown> {
  const answer = await access.http.ask({
    path: `/api/${path}`,
    query: { ...query, ...(access.settings.shop_id && { id_shop: access.settings.shop_id }) },
    headers: { authorization: authorization(access), 'output-format': 'JSON' },
    accepts: refusals,
  })
  if (answer.status === 404) return null
  if (answer.status >= 400) {
    const denied = answer.status === 401 || answer.status === 403
    throw new ShopError(denied ? 'denied' : 'refused', refusalIn(answer.status, answer.body, answer.text), { status: answer.status })
  }
  return readShop(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), answer)
}

/** A list of a resource. An empty one is `[]` instead of an object. */
async function listOf(access: ShopAccess, resource: string, query: Record<string, string> = {}): Promise<unknown[]> {
  const body = await read(access, resource, { display: 'full', ...query })
  const rows = object(body)[resource]
  return Array.isArray(rows) ? rows : []
}

async function byIds(access: ShopAccess, resource: string, ids: Iterable<string | null>): Promise<Map<string, Json>> {
  const wanted = [...new Set(ids)].filter(id => id !== null && /^[1-9]\d{0,14}$/.test(id))
  if (wanted.length === 0) return new Map()
  const rows = await listOf(access, resource, { 'filter[id]': `[${wanted.join('|')}]` })
  return new Map(rows.map(object).map(row => [text(row.id) ?? '', row]))
}

const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

async function write(
  access: ShopAccess,
  method: 'POST' | 'PUT',
  path: string,
  resource: string,
  fields: Json,
  query: Record<string, string> = {},
): Promise<string | null> {
  const inner = Object.entries(fields).flatMap(([name, value]) => {
    if (!/^\w+$/.test(name) || (typeof value === 'object' && value !== null)) return []
    return [`<${name}>${escaped(text(value) ?? '')}</${name}>`]
  })
  const answer = await access.http.ask({
    path: `/api/${path}`,
    method,
    query: { ...query, ...(access.settings.shop_id && { id_shop: access.settings.shop_id }) },
    headers: { authorization: authorization(access), 'content-type': 'application/xml', accept: 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?><prestashop><${resource}>${inner.join('')}</${resource}></prestashop>`,
    accepts: refusals,
  })
  if (answer.status >= 400) {
    const denied = answer.status === 401 || answer.status === 403
    throw new ShopError(denied ? 'denied' : 'refused', refusalIn(answer.status, answer.body, answer.text), { status: answer.status })
  }
  if (!/<prestashop\b/.test(answer.text)) throw new ShopError('unknown', 'The answer of the shop makes no sense', { status: answer.status })
  return /<id>(?:<!\[CDATA\[)?(\d{1,15})/.exec(answer.text)?.[1] ?? null
}

const settingsOf = (access: ShopAccess) => ({
  ...optionsOf(access),
  timeZone: zoneOf(access),
  cancelledState: access.settings.cancelled_state ?? '',
  refundedState: access.settings.refunded_state ?? '',
})

async function referencesOf(access: ShopAccess, orders: readonly Json[]): Promise<PrestashopReferences> {
  const ids = (...fields: string[]) => orders.flatMap(order => fields.map(field => text(order[field])))
  if (orders.length === 0) {
    const none = new Map<string, Json>()
    return { addresses: none, customers: none, currencies: none, countries: none, carriers: none, order_states: none }
  }
  const addresses = await byIds(access, 'addresses', ids('id_address_delivery', 'id_address_invoice'))
  return {
    addresses,
    customers: await byIds(access, 'customers', ids('id_customer')),
    currencies: await byIds(access, 'currencies', ids('id_currency')),
    countries: await byIds(
      access,
      'countries',
      [...addresses.values()].map(address => text(address.id_country)),
    ),
    carriers: await byIds(access, 'carriers', ids('id_carrier')),
    order_states: await byIds(access, 'order_states', ids('current_state')),
  }
}

async function rowsOf(access: ShopAccess, orders: readonly unknown[], otherwise: string): Promise<PulledRow[]> {
  const references = await referencesOf(access, orders.map(object))
  const options = settingsOf(access)
  return orders.map(body => {
    const order = object(body)
    return rowOf(
      {
        external_id: text(order.id),
        order_no: text(order.reference),
        changed_at: prestashopTime(order.date_upd, options.timeZone) ?? otherwise,
        status: text(order.current_state),
      },
      readPrestashopOrder(body, references, options),
    )
  })
}

async function orderOf(access: ShopAccess, id: string): Promise<Json | null> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return null
  const order = object(object(await read(access, `orders/${id}`)).order)
  return text(order.id) === null ? null : order
}

const stateOf = (order: Json | null): string => text(order?.current_state) ?? ''

/** The row of the shipment: of several, the one with the highest id counts. */
async function carrierRow(access: ShopAccess, id: string): Promise<Json | null> {
  const rows = (await listOf(access, 'order_carriers', { 'filter[id_order]': `[${id}]` })).map(object)
  return rows.reduce<Json | null>((found, row) => (Number(text(row.id)) > Number(text(found?.id) ?? 0) ? row : found), null)
}

const numbersIn = (row: Json | null): string[] => (text(row?.tracking_number) ?? '').split(/[\s,;]+/).filter(number => number !== '')

/** A row has one field for numbers. Several stand in it as far as they fit, the newest first to stay. */
function joinedNumbers(numbers: readonly string[]): { written: string; left: string[] } {
  const kept = [...numbers]
  const left: string[] = []
  while (kept.length > 1 && kept.join(', ').length > longestTracking) left.push(kept.shift()!)
  return { written: kept.join(', '), left }
}

const gone: PushOutcome = { kind: 'refused', words: 'The shop does not know this order any more' }

async function enterState(access: ShopAccess, order: Json, state: string, mail: boolean): Promise<string | null> {
  if (stateOf(order) === state) return null
  const fields = { id_order: order.id, id_order_state: state }
  return write(access, 'POST', 'order_histories', 'order_history', fields, mail ? { sendemail: '1' } : {})
}

/** The state of a name or an id that a person wrote. */
async function stateCalled(access: ShopAccess, words: string): Promise<string | null> {
  const wanted = words.trim().toLowerCase()
  const states = (await listOf(access, 'order_states')).map(object)
  const found = states.find(state => text(state.id) === wanted || prestashopName(state.name)?.toLowerCase() === wanted)
  return text(found?.id)
}

async function push(access: ShopAccess, fact: PushFact): Promise<PushOutcome> {
  const order = await orderOf(access, fact.external_id)
  if (order === null) return gone
  if (fact.kind === 'cancellation') {
    const state = access.settings.cancelled_state
    if (!state) return { kind: 'refused', words: 'Choose the status of a cancelled order in the settings of this connection' }
    await enterState(access, order, state, false)
    return { kind: 'done', status: state }
  }
  if (fact.kind === 'status_history') {
    const state = await stateCalled(access, fact.status)
    if (state === null) return { kind: 'done', words: `PrestaShop has no status ${fact.status}: the line stays here` }
    const history = await enterState(access, order, state, fact.notify_customer)
    return { kind: 'done', status: state, refs: history === null ? [] : [{ external_type: 'order_history', external_id: history }] }
  }
  if (fact.kind === 'note') return { kind: 'refused', words: 'PrestaShop takes no notes' }
  // The number first: the mail of the new status then holds it.
  const row = await carrierRow(access, fact.external_id)
  const id = text(row?.id)
  if (row === null || id === null) return { kind: 'refused', words: 'The order has no carrier in the shop, so a number has no place there' }
  const old = fact.kind === 'tracking' ? fact.old_tracking_no : null
  const numbers = numbersIn(row).filter(number => number !== old && number !== fact.parcel.tracking_no)
  const { written, left } = joinedNumbers([...numbers, fact.parcel.tracking_no])
  if (text(row.tracking_number) !== written)
    await write(access, 'PUT', `order_carriers/${id}`, 'order_carrier', { ...row, tracking_number: written })
  const refs = [{ external_type: 'order_carrier', external_id: id }]
  const words = left.length > 0 ? { words: `No place for the numbers ${left.join(', ')}` } : {}
  const state = access.settings.shipped_state ?? ''
  if (fact.kind === 'tracking' || !fact.is_last || state === '') return { kind: 'done', refs, status: stateOf(order), ...words }
  await enterState(access, order, state, fact.notify_customer)
  return { kind: 'done', refs, status: state, ...words }
}

async function findDone(access: ShopAccess, fact: PushFact): Promise<Extract<PushOutcome, { kind: 'done' }> | null> {
  const order = await orderOf(access, fact.external_id)
  const status = stateOf(order)
  if (order === null || fact.kind === 'note') return null
  if (fact.kind === 'cancellation') return status !== '' && status === access.settings.cancelled_state ? { kind: 'done', status } : null
  if (fact.kind === 'status_history') return (await stateCalled(access, fact.status)) === status ? { kind: 'done', status } : null
  const row = await carrierRow(access, fact.external_id)
  if (!numbersIn(row).includes(fact.parcel.tracking_no)) return null
  const shipped = access.settings.shipped_state ?? ''
  if (fact.kind === 'fulfilment' && fact.is_last && shipped !== '' && status !== shipped) return null
  return { kind: 'done', status, refs: [{ external_type: 'order_carrier', external_id: text(row?.id) ?? '' }] }
}

export const prestashop: ShopConnector = {
  system: 'prestashop',
  title: 'PrestaShop',
  address_example: 'https://shop.example.com',
  capabilities: {
    facts: ['fulfilment', 'tracking', 'cancellation', 'status_history'],
    notifies_customer: true,
    rate: { requests: 4, seconds: 1 },
  },
  credentials: [
    {
      name: 'key',
      label: 'Web service key',
      hint: 'It reads orders and everything that they name, reads and changes order_carriers, and adds order_histories',
      secret: true,
      required: true,
    },
  ],
  settings: [
    packUnpaid,
    {
      name: 'time_zone',
      label: 'Time zone of the shop',
      hint: 'As in Europe/Copenhagen. If empty: that of the company',
      pattern: '^[A-Za-z_]+(/[A-Za-z0-9_+-]+){0,2}$',
      refusal: 'Write the time zone as in Europe/Copenhagen',
    },
    {
      name: 'shop_id',
      label: 'Number of the shop',
      hint: 'Only where one PrestaShop holds several shops',
      pattern: '^[1-9][0-9]{0,8}$',
      refusal: 'This is a whole number',
    },
    {
      name: 'shipped_state',
      label: 'Status of an order that was sent',
      hint: 'Set with the last parcel. If empty, only the tracking number is written.',
      status: true,
    },
    { name: 'cancelled_state', label: 'Status of a cancelled order', status: true, required: true },
    { name: 'refunded_state', label: 'Status of a refunded order', status: true },
  ],
  async test(access): Promise<ConnectionTest> {
    mustBeZone(zoneOf(access))
    const states = (await listOf(access, 'order_states')).map(object)
    await listOf(access, 'orders', { limit: '1' })
    const shipped = states.find(state => text(state.id) === access.settings.shipped_state)
    const warnings = shipped && !isSet(shipped.shipped) ? ['The status of an order that was sent is not marked as shipped in the shop'] : []
    const names = states.map(state => prestashopName(state.name)).filter(name => name !== null)
    return { words: `PrestaShop: ${names.slice(0, 3).join(', ')} …`, shop_time: null, warnings }
  },
  async statuses(access) {
    const states = (await listOf(access, 'order_states')).map(object).filter(state => !isSet(state.deleted))
    return states.flatMap(state => {
      const code = text(state.id)
      return code === null ? [] : [{ code, name: prestashopName(state.name) ?? code }]
    })
  },
  async pull(access, request) {
    const zone = zoneOf(access)
    mustBeZone(zone)
    const asked = placeOf(request)
    const place = request.page === null ? { ...asked, from: new Date(startBefore(Date.parse(asked.from), zone)).toISOString() } : asked
    const field = request.by === 'changed' ? 'date_upd' : 'date_add'
    const from = Math.floor(Date.parse(place.from) / 1_000) * 1_000
    // An interval has both ends; more than is after a second means from the next one on.
    const filter =
      request.to === null
        ? `>[${localTime(from - 1_000, zone)}]`
        : `[${localTime(from, zone)},${localTime(Math.ceil(Date.parse(request.to) / 1_000) * 1_000 - 1_000, zone)}]`
    const orders = await listOf(access, 'orders', {
      date: '1',
      [`filter[${field}]`]: filter,
      sort: `[${field}_ASC,id_ASC]`,
      limit: `${(place.page - 1) * pageSize},${pageSize}`,
    })
    const last = newest(orders.map(order => prestashopTime(object(order)[field], zone)))
    return { rows: await rowsOf(access, orders, place.from), next: placeAfter(place, last, orders.length >= pageSize) }
  },
  async get(access, id_or_number) {
    const now = new Date(0).toISOString()
    const direct = await orderOf(access, id_or_number)
    const found =
      direct ??
      (/^\w{1,20}$/.test(id_or_number) ? (await listOf(access, 'orders', { 'filter[reference]': `[${id_or_number}]` }))[0] : undefined)
    return found === undefined ? null : ((await rowsOf(access, [found], now))[0] ?? null)
  },
  push,
  findDone,
}
