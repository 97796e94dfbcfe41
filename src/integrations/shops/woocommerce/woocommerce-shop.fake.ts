/**
 * A WooCommerce shop that answers its REST API wc/v3 over HTTP and keeps its own state. Source: the WooCommerce REST API reference: Basic
 * sign-in, `modified_after` that is exclusive and read in the site's zone unless `dates_are_gmt` is said, pages by headers, errors as
 * `{ code, message, data: { status } }`. It refuses what the real one refuses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wooOrder } from '../woocommerce.fake.ts'

type Json = Record<string, unknown>
interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: Json
}
type Fault = (asked: Asked) => { status: number; headers?: Record<string, string>; text?: string } | 'drop' | 'take and drop' | undefined

const key = 'ck_0123456789abcdef0123456789abcdef01234567'
const secret = 'cs_0123456789abcdef0123456789abcdef01234567'
const known = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
  'trash',
  'checkout-draft',
  'klar-til-pak',
]
/** Two hours before UTC: a reader that forgets `dates_are_gmt` misses orders. */
const siteOffsetHours = -2

export async function startWooShop(now: () => Date, { fulfilments = false }: { fulfilments?: boolean } = {}) {
  const orders = new Map<number, Json>()
  const notes = new Map<number, Json[]>()
  const made = new Map<number, Json[]>()
  const asked: Asked[] = []
  let fault: Fault = () => undefined
  let refuseKeys = false
  let clockAhead = 0
  let nextId = 1

  const shopNow = () => new Date(now().getTime() + clockAhead)
  const stamp = (at: Date) => at.toISOString().slice(0, 19)
  const local = (at: Date) => stamp(new Date(at.getTime() + siteOffsetHours * 3_600_000))
  const touch = (order: Json, at = shopNow()) => Object.assign(order, { date_modified_gmt: stamp(at), date_modified: local(at) })

  const error = (status: number, code: string, message: string) => ({
    status,
    body: { code, message, data: { status } } as unknown,
    headers: {} as Record<string, string>,
  })
  const good = (body: unknown, headers: Record<string, string> = {}, status = 200) => ({ status, body, headers })

  function answer({ method, path, query, body }: Asked, authorization: string | undefined) {
    if (path === '/wp-json/' && method === 'GET') return good({ name: 'Nordlys Keramik', namespaces: ['oembed/1.0', 'wp/v2', 'wc/v3'] })
    const given = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
    if (refuseKeys || given !== `${key}:${secret}`) return error(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    if (path === '/wp-json/wc/v3/orders' && method === 'GET') return list(query)
    if (path === '/wp-json/wc/v3/reports/orders/totals' && method === 'GET')
      return good(known.filter(slug => slug !== 'checkout-draft').map(slug => ({ slug, name: slug, total: 0 })))
    const [, id = '', rest = '', inner = ''] = /^\/wp-json\/wc\/v3\/orders\/(\d+)(?:\/(notes|fulfillments)(?:\/(\d+))?)?$/.exec(path) ?? []
    if (id === '' || (rest === 'fulfillments' && !fulfilments))
      return error(404, 'rest_no_route', 'No route was found matching the URL and request method.')
    const order = orders.get(Number(id))
    if (!order) return error(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
    if (rest === 'notes') return notesOf(Number(id), method, body)
    if (rest === 'fulfillments') return fulfilmentsOf(order, method, inner, body)
    if (method === 'GET') return good(order)
    if (method !== 'PUT') return error(404, 'rest_no_route', 'No route was found matching the URL and request method.')
    if (body.status !== undefined && !known.includes(String(body.status)))
      return error(400, 'rest_invalid_param', 'Invalid parameter(s): status')
    if (body.status !== undefined) order.status = body.status
    for (const meta of (body.meta_data as Json[] | undefined) ?? []) {
      const kept = order.meta_data as Json[]
      const same = kept.find(one => one.key === meta.key)
      if (same) same.value = meta.value
      else kept.push({ id: nextId++, ...meta })
    }
    touch(order)
    return good(order)
  }

  function list(query: URLSearchParams) {
    const per = Number(query.get('per_page') ?? 10)
    if (!(per >= 1 && per <= 100)) return error(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
    const page = Number(query.get('page') ?? 1)
    const gmt = query.get('dates_are_gmt') === 'true'
    const by = query.get('orderby') ?? 'date'
    if (!['date', 'modified', 'id'].includes(by)) return error(400, 'rest_invalid_param', 'Invalid parameter(s): orderby')
    const dated = (order: Json, name: string) => String(order[gmt ? `${name}_gmt` : name])
    const search = query.get('search')
    const after = query.get('after')
    const before = query.get('before')
    const modified = query.get('modified_after')
    const found = [...orders.values()]
      .filter(order => order.status !== 'trash' && order.status !== 'checkout-draft')
      .filter(order => modified === null || dated(order, 'date_modified') > modified)
      .filter(order => after === null || dated(order, 'date_created') > after)
      .filter(order => before === null || dated(order, 'date_created') < before)
      .filter(order => search === null || `${order.number} ${JSON.stringify(order.billing)}`.includes(search))
      .sort((one, other) => {
        const field = by === 'modified' ? 'date_modified_gmt' : 'date_created_gmt'
        return String(one[field]).localeCompare(String(other[field])) || Number(one.id) - Number(other.id)
      })
    if (query.get('order') !== 'asc') found.reverse()
    return good(found.slice((page - 1) * per, page * per), {
      'x-wp-total': String(found.length),
      'x-wp-totalpages': String(Math.ceil(found.length / per)),
    })
  }

  function notesOf(id: number, method: string, body: Json) {
    const own = notes.get(id) ?? []
    if (method === 'GET') return good(own)
    if (typeof body.note !== 'string' || body.note === '') return error(400, 'rest_missing_callback_param', 'Missing parameter(s): note')
    const note = { id: nextId++, note: body.note, customer_note: body.customer_note === true }
    notes.set(id, [...own, note])
    return good(note, {}, 201)
  }

  function fulfilmentsOf(order: Json, method: string, inner: string, body: Json) {
    const id = Number(order.id)
    const own = made.get(id) ?? []
    if (method === 'GET') return good({ fulfillments: own })
    const meta = (body.meta_data as Json[] | undefined) ?? []
    if (method === 'PUT') {
      const one = own.find(other => String(other.id) === inner)
      if (!one) return error(404, 'woocommerce_rest_fulfillment_invalid_id', 'Invalid ID.')
      one.meta_data = meta
      touch(order)
      return good(one)
    }
    const items = (meta.find(one => one.key === '_items')?.value as { item_id: number; qty: number }[] | undefined) ?? []
    if (items.length === 0) return error(400, 'woocommerce_rest_fulfillment_no_items', 'The fulfillment should contain at least one item.')
    for (const { item_id, qty } of items) {
      const line = (order.line_items as Json[]).find(one => one.id === item_id)
      const gone = own
        .flatMap(one => (one.meta_data as Json[]).find(other => other.key === '_items')?.value as { item_id: number; qty: number }[])
        .filter(one => one.item_id === item_id)
        .reduce((sum, one) => sum + one.qty, 0)
      if (!line || gone + qty > Number(line.quantity))
        return error(400, 'woocommerce_rest_fulfillment_invalid_item', 'Invalid item quantity.')
    }
    const one = { id: nextId++, status: body.status, is_fulfilled: body.is_fulfilled, meta_data: meta }
    made.set(id, [...own, one])
    touch(order)
    return good(one, {}, 201)
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://shop')
      const raw = Buffer.concat(parts).toString()
      const one: Asked = { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, body: raw ? JSON.parse(raw) : {} }
      asked.push(one)
      const wrong = fault(one)
      if (wrong === 'drop') return void request.socket.destroy()
      if (wrong !== undefined && wrong !== 'take and drop')
        return void response.writeHead(wrong.status, wrong.headers ?? {}).end(wrong.text ?? '')
      const { status, body, headers } = answer(one, request.headers.authorization)
      if (wrong === 'take and drop') return void request.socket.destroy()
      response
        .writeHead(status, { 'content-type': 'application/json', date: shopNow().toUTCString(), ...headers })
        .end(JSON.stringify(body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as AddressInfo).port

  return {
    url: `http://127.0.0.1:${port}`,
    keys: { consumer_key: key, consumer_secret: secret },
    asked,
    /** A customer orders. */
    place(over: Json = {}): Json & { id: number } {
      const order = wooOrder(over)
      const at = shopNow()
      Object.assign(order, {
        date_created_gmt: stamp(at),
        date_created: local(at),
        date_paid_gmt: stamp(at),
        date_paid: local(at),
        ...over,
      })
      touch(order, at)
      orders.set(Number(order.id), order)
      return order as Json & { id: number }
    },
    order: (id: number) => orders.get(id),
    /** Somebody changes an order in the shop. */
    change(id: number, change: Json): void {
      const order = orders.get(id)
      if (order) touch(Object.assign(order, change))
    },
    notes: (id: number) => notes.get(id) ?? [],
    fulfilments: (id: number) => made.get(id) ?? [],
    meta: (id: number, name: string) => ((orders.get(id)?.meta_data ?? []) as Json[]).find(one => one.key === name)?.value,
    setFault(next: Fault): void {
      fault = next
    },
    refuseKeys(yes: boolean): void {
      refuseKeys = yes
    },
    /** Milliseconds by which the shop's clock is ahead. */
    setClockAhead(by: number): void {
      clockAhead = by
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>(resolve => void server.close(() => resolve()))
    },
  }
}
export type WooShop = Awaited<ReturnType<typeof startWooShop>>
