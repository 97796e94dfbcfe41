/**
 * Vendure on the loopback, with the answers observed of Vendure 3.5.2. It keeps its own books; amounts are in minor units. `updatedAt` stays as it
 * is when an order changes: only its history grows.
 */
import { type FakeReply, type FakeRequest, openFakeCourier } from '../../couriers/courier-server.fake.ts'
import { type Json, object, objects } from '../shop-order.ts'
import { type FakeShop, fakeClock, faultsMeet } from '../shop-server.fake.ts'
import { vendure } from './vendure.ts'

const address = {
  fullName: 'Lene Hansen',
  company: null,
  streetLine1: 'Skibhusvej 52',
  streetLine2: '2. tv',
  city: 'Odense C',
  province: null,
  postalCode: '5000',
  countryCode: 'DK',
  phoneNumber: '12 34 56 78',
}

export const vendureLine = (over: Json): Json => ({
  quantity: 2,
  orderPlacedQuantity: 2,
  unitPrice: 4_000,
  unitPriceWithTax: 5_000,
  taxRate: 25,
  linePrice: 8_000,
  proratedLinePrice: 8_000,
  productVariant: { sku: 'TOWEL-1', name: 'Linen tea towel' },
  ...over,
})

export const vendureOrder = (over: Json = {}): Json => ({
  id: '7',
  code: 'CR6HGLK8GDS3SE56',
  state: 'PaymentSettled',
  orderPlacedAt: '2026-11-10T10:30:00.510Z',
  createdAt: '2026-11-10T10:29:00.000Z',
  updatedAt: '2026-11-10T10:31:12.000Z',
  currencyCode: 'DKK',
  total: 11_120,
  totalWithTax: 13_900,
  couponCodes: [],
  customer: { id: '1', title: null, firstName: 'Lene', lastName: 'Hansen', emailAddress: 'lene@example.test', phoneNumber: '12 34 56 78' },
  shippingAddress: { ...address },
  billingAddress: { fullName: null, countryCode: null, streetLine1: null },
  shippingLines: [
    { id: '1', shippingMethod: { code: 'gls-shop', name: 'GLS Pakkeshop' }, discountedPrice: 3_120, discountedPriceWithTax: 3_900 },
  ],
  surcharges: [],
  payments: [{ state: 'Settled', method: 'quickpay' }],
  lines: [vendureLine({ id: '70' })],
  fulfillments: [],
  ...over,
})

const forbidden: FakeReply = {
  body: {
    errors: [{ message: 'You are not currently authorized to perform this action', path: [], extensions: { code: 'FORBIDDEN' } }],
    data: null,
  },
}
const refusal = (type: string, errorCode: string, message: string, more: Json = {}): Json => ({
  __typename: type,
  errorCode,
  message,
  ...more,
})

export type FakeVendure = FakeShop & {
  orders: Json[]
  clock: ReturnType<typeof fakeClock>
  tokens: Set<string>
  logins: number
  precision: number
}

export async function openFakeVendure(): Promise<FakeVendure> {
  const clock = fakeClock()
  const orders: Json[] = []
  const tokens = new Set<string>()
  const notes = new Map<string, { note: string; isPublic: boolean }[]>()
  const credentials = { user: 'pakhus', password: 'invented-password' }
  let fulfilments = 0
  const happened = (order: Json): void => {
    order.history = { items: [{ createdAt: clock.tick() }] }
  }
  const byId = (id: unknown) => orders.find(order => order.id === id)

  const time = (value: unknown) => Date.parse(String(value))
  function list({ filter, sort, take, skip }: Json): Json {
    const holds = (order: Json, wanted: Json): boolean =>
      Object.entries(wanted).every(([field, condition]) => {
        if (field === '_or') return objects(condition).some(one => holds(order, one))
        if (field === '_and') return objects(condition).every(one => holds(order, one))
        const { eq, in: among, after, before } = object(condition)
        if (eq !== undefined) return order[field] === eq
        if (Array.isArray(among)) return among.includes(order[field])
        return (after === undefined || time(order[field]) > time(after)) && (before === undefined || time(order[field]) < time(before))
      })
    const kept = orders.filter(order => holds(order, object(filter)))
    const [field] = Object.keys(object(sort))
    if (field !== undefined && field !== 'id')
      kept.sort((one, other) => time(one[field]) - time(other[field]) || Number(one.id) - Number(other.id))
    else kept.sort((one, other) => Number(one.id) - Number(other.id))
    const from = Number(skip ?? 0)
    return { totalItems: kept.length, items: kept.slice(from, from + Math.min(100, Number(take ?? 10))) }
  }

  function settle(order: Json): void {
    const shipped = new Map<string, number>()
    for (const fulfilment of objects(order.fulfillments).filter(one => one.state === 'Shipped'))
      for (const line of objects(fulfilment.lines))
        shipped.set(String(line.orderLineId), (shipped.get(String(line.orderLineId)) ?? 0) + Number(line.quantity))
    const all = objects(order.lines).every(line => (shipped.get(String(line.id)) ?? 0) >= Number(line.quantity))
    order.state = all ? 'Shipped' : 'PartiallyShipped'
    happened(order)
  }

  function fulfil({ lines, handler }: Json): Json {
    const wanted = objects(lines)
    const order = orders.find(one => objects(one.lines).some(line => line.id === wanted[0]?.orderLineId))
    if (!order || wanted.some(line => !objects(order.lines).some(own => own.id === line.orderLineId)))
      return refusal('EmptyOrderLineSelectionError', 'EMPTY_ORDER_LINE_SELECTION_ERROR', 'At least one OrderLine must be specified')
    const taken = (id: unknown) =>
      objects(order.fulfillments)
        .flatMap(one => objects(one.lines))
        .filter(line => line.orderLineId === id)
        .reduce((sum, line) => sum + Number(line.quantity), 0)
    if (
      wanted.some(
        line =>
          taken(line.orderLineId) + Number(line.quantity) > Number(objects(order.lines).find(own => own.id === line.orderLineId)?.quantity),
      )
    )
      return refusal(
        'ItemsAlreadyFulfilledError',
        'ITEMS_ALREADY_FULFILLED_ERROR',
        'One or more OrderItems are already part of a Fulfillment',
      )
    const argument = (name: string) => objects(object(handler).arguments).find(one => one.name === name)?.value
    if (object(handler).code !== 'manual-fulfillment')
      return refusal(
        'InvalidFulfillmentHandlerError',
        'INVALID_FULFILLMENT_HANDLER_ERROR',
        'The specified FulfillmentHandler code is not valid',
      )
    fulfilments++
    const fulfilment = {
      id: String(fulfilments),
      state: 'Pending',
      method: argument('method'),
      trackingCode: argument('trackingCode'),
      lines: wanted,
    }
    ;(order.fulfillments as Json[]).push(fulfilment)
    happened(order)
    return { __typename: 'Fulfillment', ...fulfilment }
  }

  function ship(id: unknown): Json {
    const order = orders.find(one => objects(one.fulfillments).some(fulfilment => fulfilment.id === id))
    const fulfilment = objects(order?.fulfillments).find(one => one.id === id)
    if (!order || !fulfilment) return refusal('FulfillmentStateTransitionError', 'FULFILLMENT_STATE_TRANSITION_ERROR', 'unknown')
    if (fulfilment.state !== 'Pending')
      return refusal(
        'FulfillmentStateTransitionError',
        'FULFILLMENT_STATE_TRANSITION_ERROR',
        'errorResult.FULFILLMENT_STATE_TRANSITION_ERROR',
        {
          transitionError: `Cannot transition Fulfillment from "${fulfilment.state}" to "Shipped"`,
        },
      )
    const own = (order.fulfillments as Json[]).find(one => one.id === id)!
    own.state = 'Shipped'
    settle(order)
    return { __typename: 'Fulfillment', id, state: 'Shipped' }
  }

  function cancel(order: Json): Json {
    if (order.state === 'Cancelled')
      return refusal('EmptyOrderLineSelectionError', 'EMPTY_ORDER_LINE_SELECTION_ERROR', 'At least one OrderLine must be specified')
    order.lines = objects(order.lines).map(line => ({ ...line, quantity: 0 }))
    order.state = 'Cancelled'
    happened(order)
    return { __typename: 'Order', id: order.id, state: order.state }
  }

  function answer({ path, headers, body }: FakeRequest): FakeReply {
    if (path !== '/admin-api') return { status: 404, body: { statusCode: 404, message: `Cannot POST ${path}`, error: 'Not Found' } }
    const query = String(object(body).query)
    const variables = object(object(body).variables)
    if (/\blogin\(/.test(query)) {
      if (variables.user !== credentials.user || variables.password !== credentials.password)
        return {
          body: {
            data: { login: refusal('InvalidCredentialsError', 'INVALID_CREDENTIALS_ERROR', 'The provided credentials are invalid') },
          },
        }
      shop.logins++
      const token = `vendure-${shop.logins}`
      tokens.add(token)
      return { headers: { 'vendure-auth-token': token }, body: { data: { login: { __typename: 'CurrentUser', id: '1' } } } }
    }
    if (!tokens.has((headers.authorization ?? '').replace('Bearer ', ''))) return forbidden
    const input = object(variables.input)
    const order = byId(variables.id ?? input.orderId ?? input.id)
    const data = (name: string, value: unknown): FakeReply => ({ body: { data: { [name]: value } } })
    if (/globalSettings/.test(query)) return data('globalSettings', { serverConfig: { moneyStrategyPrecision: shop.precision } })
    if (/activeChannel/.test(query)) return data('activeChannel', { code: '__default_channel__' })
    if (/\borders\(/.test(query)) return data('orders', list(object(variables.options)))
    if (/addFulfillmentToOrder/.test(query)) return data('addFulfillmentToOrder', fulfil(input))
    if (/transitionFulfillmentToState/.test(query)) return data('transitionFulfillmentToState', ship(variables.id))
    if (/ORDER_NOTE/.test(query))
      return data(
        'order',
        order ? { id: order.id, history: { items: (notes.get(String(order.id)) ?? []).map(({ note }) => ({ data: { note } })) } } : null,
      )
    if (/\border\(/.test(query)) return data('order', order ?? null)
    if (!order)
      return {
        body: {
          errors: [{ message: `No Order with the id "${input.id}" could be found`, extensions: { code: 'ENTITY_NOT_FOUND' } }],
          data: null,
        },
      }
    if (/cancelOrder/.test(query)) return data('cancelOrder', cancel(order))
    if (/addNoteToOrder/.test(query)) {
      notes.set(String(order.id), [...(notes.get(String(order.id)) ?? []), { note: String(input.note), isPublic: input.isPublic === true }])
      return data('addNoteToOrder', { id: order.id })
    }
    return { status: 400, body: { errors: [{ message: 'Cannot query field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } }
  }

  const shop: FakeVendure = {
    connector: vendure,
    server: await openFakeCourier(answer, request => {
      const query = String(object(request.body).query)
      return faultsMeet(shop, request, query.startsWith('mutation'), /\blogin\(|globalSettings/.test(query))
    }),
    credentials,
    settings: { api_path: '' },
    faultsOf: 'questions',
    orders,
    clock,
    tokens,
    logins: 0,
    precision: 2,
    place() {
      const id = String(orders.length + 1)
      const at = clock.tick()
      const lines: [string, string] = [`${id}0`, `${id}1`]
      orders.push(
        vendureOrder({
          id,
          code: `CODE${id}`,
          orderPlacedAt: at,
          createdAt: at,
          updatedAt: at,
          lines: [vendureLine({ id: lines[0] }), vendureLine({ id: lines[1], quantity: 1, orderPlacedQuantity: 1 })],
          fulfillments: [],
        }),
      )
      return { id, lines }
    },
    move(id, street) {
      byId(id)!.shippingAddress = { ...address, streetLine1: street }
      happened(byId(id)!)
    },
    cancel: id => void cancel(byId(id)!),
    spoil(id) {
      byId(id)!.currencyCode = null
      happened(byId(id)!)
    },
    parcels: id =>
      objects(byId(id)!.fulfillments)
        .filter(one => one.state === 'Shipped')
        .map(one => [one.trackingCode, ...objects(one.lines).map(line => `${line.orderLineId}×${line.quantity}`)].join(' ')),
    notes: id => (notes.get(id) ?? []).map(({ note }) => note),
    isSent: id => byId(id)!.state === 'Shipped',
    close: () => shop.server.close(),
  }
  return shop
}
