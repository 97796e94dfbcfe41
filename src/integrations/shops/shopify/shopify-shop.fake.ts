/**
 * A Shopify shop that answers the queries and mutations of its connector over HTTP and keeps its own state. Source: shopify.dev, GraphQL
 * Admin API: refusals come with the status 200, in `errors` or in `userErrors`; goods are fulfilled from fulfilment orders, never more than
 * remains there; a wrong token is answered 401. It reads the operation from the text of the query, and no GraphQL beyond that.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
type Fault = (query: string) => 'take and drop' | 'throttle' | undefined

interface Line {
  id: number
  sku: string
  quantity: number
  sent: number
  location: number
}
interface Order {
  id: number
  name: string
  createdAt: string
  updatedAt: string
  cancelledAt: string | null
  lines: Line[]
  fulfilments: { id: string; number: string; status: string }[]
  address1: string
}

const token = 'shpat_0123456789abcdef0123456789abcdef'
const money = (amount: string) => ({ shopMoney: { amount, currencyCode: 'DKK' } })

export async function startShopifyShop(now: () => Date) {
  const orders = new Map<number, Order>()
  const asked: { query: string; variables: Json }[] = []
  let fault: Fault = () => undefined
  let nextId = 5_000_000_001

  const statusOf = (order: Order): string => {
    const sent = order.lines.reduce((sum, line) => sum + line.sent, 0)
    const all = order.lines.reduce((sum, line) => sum + line.quantity, 0)
    return sent === 0 ? 'UNFULFILLED' : sent < all ? 'PARTIALLY_FULFILLED' : 'FULFILLED'
  }
  const locations = (order: Order) => [...new Set(order.lines.map(line => line.location))]
  const address = (order: Order) => ({ name: 'Lene Prøve', address1: order.address1, city: 'Odense C', zip: '5000', countryCodeV2: 'DK' })
  const nodeOf = (order: Order) => ({
    id: `gid://shopify/Order/${order.id}`,
    name: order.name,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    closedAt: null,
    displayFinancialStatus: 'PAID',
    displayFulfillmentStatus: statusOf(order),
    tags: [],
    email: 'lene@example.test',
    currencyCode: 'DKK',
    taxesIncluded: true,
    customer: { id: 'gid://shopify/Customer/7' },
    shippingAddress: address(order),
    billingAddress: address(order),
    shippingLines: { nodes: [] },
    lineItems: {
      pageInfo: { hasNextPage: false },
      nodes: order.lines.map(line => ({
        id: `gid://shopify/LineItem/${line.id}`,
        name: line.sku,
        title: line.sku,
        sku: line.sku,
        quantity: line.quantity,
        currentQuantity: line.quantity,
        unfulfilledQuantity: line.quantity - line.sent,
        requiresShipping: true,
        isGiftCard: false,
        originalUnitPriceSet: money('100.00'),
        totalDiscountSet: money('0.00'),
        taxLines: [{ rate: 0.25, priceSet: money('20.00') }],
      })),
    },
    fulfillments: order.fulfilments.map(({ id, number, status }) => ({ id, status, trackingInfo: [{ number }] })),
    fulfillmentOrders: {
      nodes: locations(order).map(location => {
        const lines = order.lines.filter(line => line.location === location)
        return {
          id: `gid://shopify/FulfillmentOrder/${order.id}${location}`,
          status: lines.every(line => line.sent === line.quantity) ? 'CLOSED' : 'OPEN',
          lineItems: {
            nodes: lines.map(line => ({
              id: `gid://shopify/FulfillmentOrderLineItem/${line.id}`,
              remainingQuantity: line.quantity - line.sent,
              lineItem: { id: `gid://shopify/LineItem/${line.id}` },
            })),
          },
        }
      }),
    },
  })
  const touch = (order: Order) => {
    order.updatedAt = now().toISOString()
  }
  const idIn = (gid: unknown) => Number(String(gid).replace(/^.*\//, ''))

  function answer(query: string, variables: Json): Json {
    if (query.includes('fulfillmentCreate(')) {
      const { lineItemsByFulfillmentOrder: parts, trackingInfo } = variables.f as {
        lineItemsByFulfillmentOrder: { fulfillmentOrderId: string; fulfillmentOrderLineItems: { id: string; quantity: number }[] }[]
        trackingInfo: { number: string }
      }
      const refuse = (message: string) => ({ data: { fulfillmentCreate: { fulfillment: null, userErrors: [{ field: null, message }] } } })
      if (parts.length !== 1) return refuse('All fulfillment orders must be assigned to the same location.')
      const order = [...orders.values()].find(one => locations(one).some(at => parts[0]?.fulfillmentOrderId.endsWith(`/${one.id}${at}`)))
      if (!order) return refuse('Fulfillment order does not exist.')
      const wanted = parts[0]?.fulfillmentOrderLineItems ?? []
      for (const { id, quantity } of wanted) {
        const line = order.lines.find(one => one.id === idIn(id))
        if (!line || line.sent + quantity > line.quantity) return refuse('Invalid fulfillment order line item quantity requested.')
      }
      for (const { id, quantity } of wanted) for (const line of order.lines) if (line.id === idIn(id)) line.sent += quantity
      const made = { id: `gid://shopify/Fulfillment/${nextId++}`, number: trackingInfo.number, status: 'SUCCESS' }
      order.fulfilments.push(made)
      touch(order)
      return { data: { fulfillmentCreate: { fulfillment: made, userErrors: [] } } }
    }
    if (query.includes('fulfillmentTrackingInfoUpdate(')) {
      const order = [...orders.values()].find(one => one.fulfilments.some(({ id }) => id === variables.id))
      const found = order?.fulfilments.find(({ id }) => id === variables.id)
      if (!order || !found)
        return {
          data: {
            fulfillmentTrackingInfoUpdate: { fulfillment: null, userErrors: [{ field: null, message: 'Fulfillment does not exist.' }] },
          },
        }
      found.number = (variables.t as { number: string }).number
      touch(order)
      return { data: { fulfillmentTrackingInfoUpdate: { fulfillment: found, userErrors: [] } } }
    }
    if (query.includes('orderCancel(')) {
      const order = orders.get(idIn(variables.id))
      const message = !order ? 'Order does not exist' : statusOf(order) === 'UNFULFILLED' ? undefined : 'Cannot cancel a fulfilled order'
      if (order && message === undefined) {
        order.cancelledAt = now().toISOString()
        touch(order)
      }
      return { data: { orderCancel: { job: { id: '1' }, orderCancelUserErrors: message === undefined ? [] : [{ field: null, message }] } } }
    }
    if (query.includes('order(id:')) {
      const order = orders.get(idIn(variables.id))
      return { data: { order: order ? nodeOf(order) : null } }
    }
    if (query.includes('orders(first:'))
      return { data: { orders: search(String(variables.q), Number(variables.n ?? 5), variables.after, query) } }
    if (query.includes('shop{name}'))
      return {
        data: {
          shop: { name: 'Sample Shop' },
          currentAppInstallation: { accessScopes: [{ handle: 'read_orders' }, { handle: 'write_merchant_managed_fulfillment_orders' }] },
        },
      }
    return { errors: [{ message: 'Field does not exist', extensions: { code: 'undefinedField' } }] }
  }

  function search(q: string, first: number, after: unknown, query: string) {
    const from = /(updated|created)_at:>='([^']+)'/.exec(q)
    const name = /name:'([^']+)'/.exec(q)?.[1]
    // Without it the real shop leaves out what is cancelled.
    const any = q.includes('status:any')
    const found = [...orders.values()]
      .filter(order => any || order.cancelledAt === null)
      .filter(order => !from?.[2] || (from[1] === 'updated' ? order.updatedAt : order.createdAt) >= from[2])
      .filter(order => name === undefined || order.name.replace('#', '') === name.replace('#', ''))
      .sort((one, other) => one.updatedAt.localeCompare(other.updatedAt) || one.id - other.id)
    const start = typeof after === 'string' ? Number(after) : 0
    const nodes = found.slice(start, start + first).map(nodeOf)
    const more = start + first < found.length
    return { ...(query.includes('pageInfo') && { pageInfo: { hasNextPage: more, endCursor: String(start + first) } }), nodes }
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const send = (status: number, body: Json) => {
        response.writeHead(status, { 'content-type': 'application/json', 'x-shopify-api-version': '2026-07' }).end(JSON.stringify(body))
      }
      if (request.headers['x-shopify-access-token'] !== token)
        return send(401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
      if (!/^\/admin\/api\/\d{4}-\d{2}\/graphql\.json$/.test(request.url ?? '')) return send(404, { errors: 'Not Found' })
      const { query, variables = {} } = JSON.parse(Buffer.concat(parts).toString()) as { query: string; variables?: Json }
      asked.push({ query, variables })
      const wrong = fault(query)
      if (wrong === 'throttle')
        return send(200, {
          errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
          extensions: {
            cost: { requestedQueryCost: 400, throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 100, restoreRate: 100 } },
          },
        })
      const body = answer(query, variables)
      if (wrong === 'take and drop') return void request.socket.destroy()
      send(200, body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: { access_token: token },
    asked,
    place({ quantities = [2], locations: at = [] }: { quantities?: number[]; locations?: number[] } = {}): Order {
      const id = nextId++
      const stamp = now().toISOString()
      const lines = quantities.map((quantity, place) => ({
        id: nextId++,
        sku: `TS-${place + 1}`,
        quantity,
        sent: 0,
        location: at[place] ?? 1,
      }))
      const order = {
        id,
        name: `#${1_000 + orders.size}`,
        createdAt: stamp,
        updatedAt: stamp,
        cancelledAt: null,
        lines,
        fulfilments: [],
        address1: 'Prøvevej 5',
      }
      orders.set(id, order)
      return order
    },
    order: (id: number) => orders.get(id),
    setFault(next: Fault): void {
      fault = next
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>(resolve => void server.close(() => resolve()))
    },
  }
}
