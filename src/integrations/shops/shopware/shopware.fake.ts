/** Shopware 6 on the loopback, as developer.shopware.com describes the admin API. It keeps its own books, state machines and tokens. */
import * as z from 'zod'
import { type FakeReply, type FakeRequest, openFakeCourier } from '../../couriers/courier-server.fake.ts'
import { type Json, object, objects } from '../shop-order.ts'
import { type FakeShop, fakeClock, faultsMeet } from '../shop-server.fake.ts'
import { shopware } from './shopware.ts'

const idOf = (number: number): string => number.toString(16).padStart(32, 'a')
const machine = (technicalName: string) => ({ technicalName, name: technicalName })

export const shopwareAddress = {
  firstName: 'Lene',
  lastName: 'Hansen',
  street: 'Skibhusvej 52',
  additionalAddressLine1: '2. tv',
  zipcode: '5000',
  city: 'Odense C',
  phoneNumber: '12 34 56 78',
  country: { iso: 'DK' },
  countryState: null,
}

export function shopwareLine(over: Json): Json {
  return {
    type: 'product',
    label: 'Linen tea towel',
    quantity: 2,
    unitPrice: 50,
    totalPrice: 100,
    parentId: null,
    good: true,
    states: ['is-physical'],
    price: {
      unitPrice: 50,
      quantity: 2,
      totalPrice: 100,
      calculatedTaxes: [{ tax: 20, taxRate: 25, price: 100 }],
      taxRules: [{ taxRate: 25, percentage: 100 }],
    },
    payload: { productNumber: 'TOWEL-1', options: [{ group: 'Farve', option: 'Hvid' }] },
    ...over,
  }
}

export function shopwareOrder(over: Json = {}): Json {
  return {
    id: idOf(7),
    orderNumber: '10007',
    orderDateTime: '2026-11-10T10:30:00.000+00:00',
    createdAt: '2026-11-10T10:30:00.120+00:00',
    updatedAt: null,
    amountTotal: 139,
    amountNet: 111.2,
    shippingTotal: 39,
    taxStatus: 'gross',
    price: { netPrice: 111.2, totalPrice: 139, taxStatus: 'gross' },
    customerComment: null,
    customFields: null,
    stateMachineState: machine('open'),
    orderCustomer: { firstName: 'Lene', lastName: 'Hansen', email: 'lene@example.test', customerNumber: '10026', vatIds: null },
    currency: { isoCode: 'DKK' },
    billingAddress: { ...shopwareAddress },
    lineItems: [shopwareLine({ id: idOf(70) })],
    deliveries: [
      {
        id: idOf(7_000),
        trackingCodes: [],
        shippingCosts: { unitPrice: 39, totalPrice: 39, taxRules: [{ taxRate: 25, percentage: 100 }] },
        shippingOrderAddress: { ...shopwareAddress },
        shippingMethod: { name: 'GLS Pakkeshop', technicalName: 'shipping_gls' },
        stateMachineState: machine('open'),
      },
    ],
    transactions: [{ createdAt: '2026-11-10T10:30:00.200+00:00', stateMachineState: machine('paid') }],
    ...over,
  }
}

/** Steps of each machine: from which states they lead where. */
const steps: Record<string, Record<string, { from: string[]; to: string }>> = {
  order: {
    process: { from: ['open'], to: 'in_progress' },
    complete: { from: ['in_progress'], to: 'completed' },
    cancel: { from: ['open', 'in_progress'], to: 'cancelled' },
    reopen: { from: ['completed', 'cancelled'], to: 'open' },
  },
  order_delivery: {
    ship: { from: ['open', 'shipped_partially'], to: 'shipped' },
    ship_partially: { from: ['open'], to: 'shipped_partially' },
    cancel: { from: ['open', 'shipped'], to: 'cancelled' },
  },
}

const Search = z.strictObject({
  page: z.int().min(1),
  limit: z.int().min(1).max(500),
  filter: z.array(z.record(z.string(), z.unknown())),
  sort: z.array(z.strictObject({ field: z.string(), order: z.enum(['ASC', 'DESC']) })).optional(),
  associations: z.record(z.string(), z.unknown()),
})

const refused = (status: number, code: string, title: string, detail: string): FakeReply => ({
  status,
  body: { errors: [{ status: String(status), code, title, detail }] },
})

export type FakeShopware = FakeShop & { orders: Json[]; clock: ReturnType<typeof fakeClock>; tokens: Set<string>; logins: number }

export async function openFakeShopware(): Promise<FakeShopware> {
  const clock = fakeClock()
  const orders: Json[] = []
  const tokens = new Set<string>()
  const credentials = { client_id: 'SWIAINVENTEDKEY', client_secret: 'invented-secret-access-key' }
  const now = () => clock.tick().replace('Z', '+00:00')
  const delivery = (order: Json) => objects(order.deliveries)[0]!
  const time = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

  function search(body: unknown): FakeReply {
    const read = Search.safeParse(body)
    if (!read.success) return refused(400, 'FRAMEWORK__INVALID_CRITERIA', 'Bad Request', read.error.issues[0]?.message ?? '')
    const { filter, sort, page, limit, associations } = read.data
    const holds = (order: Json, { type, field, value, parameters }: Json): boolean => {
      if (type === 'equals') return order[String(field)] === value
      const { gte, lt } = object(parameters)
      const own = time(order[String(field)])
      return own >= time(gte) && (lt === undefined || own < time(lt))
    }
    const kept = orders.filter(order => filter.every(one => holds(order, one)))
    const field = sort?.[0]?.field
    if (field !== undefined)
      kept.sort((one, other) => time(one[field]) - time(other[field]) || (String(one.id) < String(other.id) ? -1 : 1))
    const named = (order: Json) =>
      Object.fromEntries(
        Object.entries(order).map(([name, value]) => [
          name,
          ['lineItems', 'deliveries', 'transactions', 'billingAddress', 'stateMachineState', 'orderCustomer', 'currency'].includes(name) &&
          !(name in associations)
            ? null
            : value,
        ]),
      )
    return { body: { total: kept.length, data: kept.slice((page - 1) * limit, page * limit).map(named) } }
  }

  function answer({ method, path, headers, body }: FakeRequest): FakeReply {
    if (path === '/api/oauth/token') {
      const { client_id, client_secret, grant_type } = object(body)
      if (grant_type !== 'client_credentials' || client_id !== credentials.client_id || client_secret !== credentials.client_secret)
        return refused(401, '9', 'The user credentials were incorrect.', 'Client authentication failed')
      shop.logins++
      const token = `token-${shop.logins}`
      tokens.add(token)
      return { body: { token_type: 'Bearer', expires_in: 600, access_token: token } }
    }
    if (!tokens.has((headers.authorization ?? '').replace('Bearer ', '')))
      return refused(401, '9', 'The resource owner or authorization server denied the request.', 'Access token could not be verified')
    if (path === '/api/search/order') return search(body)
    const patched = /^\/api\/order-delivery\/([0-9a-f]{32})$/.exec(path)
    if (patched && method === 'PATCH') {
      const order = orders.find(one => delivery(one).id === patched[1])
      const { trackingCodes } = object(body)
      if (!order) return refused(404, 'FRAMEWORK__WRITE_TYPE_INTEND_ERROR', 'Not Found', 'The delivery does not exist')
      // The list is replaced as a whole.
      delivery(order).trackingCodes = trackingCodes
      order.updatedAt = now()
      return { status: 204 }
    }
    const stepped = /^\/api\/_action\/(order|order_delivery)\/([0-9a-f]{32})\/state\/(\w+)$/.exec(path)
    if (stepped && method === 'POST') {
      const [, kind = '', id, action = ''] = stepped
      const order = orders.find(one => (kind === 'order' ? one : delivery(one)).id === id)
      if (!order) return refused(404, 'CHECKOUT__ORDER_ORDER_NOT_FOUND', 'Not Found', 'Order not found')
      const holder = kind === 'order' ? order : delivery(order)
      const state = String(object(holder.stateMachineState).technicalName)
      const step = steps[kind]?.[action]
      if (!step?.from.includes(state))
        return refused(400, 'SYSTEM__ILLEGAL_STATE_TRANSITION', 'Bad Request', `Illegal transition "${action}" from state "${state}"`)
      holder.stateMachineState = machine(step.to)
      order.updatedAt = now()
      return { body: { ...machine(step.to) } }
    }
    return refused(404, '0', 'Not Found', `No route found for "${method} ${path}"`)
  }

  const orderOf = (id: string) => orders.find(one => one.id === id)!
  const shop: FakeShopware = {
    connector: shopware,
    server: await openFakeCourier(answer, request =>
      faultsMeet(shop, request, !/^\/api\/(search|oauth)\//.test(request.path), request.path === '/api/oauth/token'),
    ),
    credentials,
    settings: { pack_unpaid: 'no' },
    faultsOf: 'questions',
    orders,
    clock,
    tokens,
    logins: 0,
    place() {
      const number = orders.length + 1
      const at = now()
      const lines: [string, string] = [idOf(number * 10), idOf(number * 10 + 1)]
      const order = shopwareOrder({
        id: idOf(number + 100_000),
        orderNumber: String(10_000 + number),
        orderDateTime: at,
        createdAt: at,
        lineItems: [shopwareLine({ id: lines[0] }), shopwareLine({ id: lines[1], quantity: 1, label: 'Cup' })],
      })
      delivery(order).id = idOf(number + 200_000)
      orders.push(order)
      return { id: String(order.id), lines }
    },
    move(id, street) {
      delivery(orderOf(id)).shippingOrderAddress = { ...shopwareAddress, street }
      orderOf(id).updatedAt = now()
    },
    cancel: id => void Object.assign(orderOf(id), { stateMachineState: machine('cancelled'), updatedAt: now() }),
    spoil: id => void Object.assign(orderOf(id), { currency: null, updatedAt: now() }),
    parcels: id => [...(delivery(orderOf(id)).trackingCodes as string[])],
    notes: () => [],
    isSent: id => object(delivery(orderOf(id)).stateMachineState).technicalName === 'shipped',
    close: () => shop.server.close(),
  }
  return shop
}
