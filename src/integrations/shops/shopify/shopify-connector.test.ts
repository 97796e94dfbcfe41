/** Shopify's connector against a shop that follows its documents. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FulfilmentFact, ShopAccess } from '../shop-connector.ts'
import { openShopHttp } from '../shop-http.ts'
import { shopifyConnector } from './shopify-connector.ts'
import { startShopifyShop } from './shopify-shop.fake.ts'

let clock = Date.parse('2026-11-20T10:00:00Z')
let shop: Awaited<ReturnType<typeof startShopifyShop>>
beforeEach(async () => {
  clock = Date.parse('2026-11-20T10:00:00Z')
  shop = await startShopifyShop(() => new Date(clock))
})
afterEach(() => shop.close())

const access = (access_token = shop.keys.access_token): ShopAccess => ({
  base_url: shop.url,
  credentials: { access_token },
  settings: {},
  shop: 'main',
  country: 'DK',
  timeZone: 'Europe/Copenhagen',
  http: openShopHttp({
    base_url: shop.url,
    allowedNetworks: ['127.0.0.0/8'],
    signal: AbortSignal.timeout(20_000),
    secrets: [access_token],
  }),
  session: { get: () => undefined, set: () => undefined },
})
const from = '2026-11-20T09:00:00.000Z'
const pull = (page: string | null = null) => shopifyConnector.pull(access(), { by: 'changed', from, to: null, page })

const parcel = (
  order: { id: number; name: string; lines: { id: number }[] },
  quantities: number[],
  more: Partial<FulfilmentFact> = {},
): FulfilmentFact => {
  const one = {
    tracking_no: 'GLS1',
    tracking_url: 'https://track.example/GLS1',
    courier_code: 'gls',
    courier_name: 'GLS',
    lines: quantities.map((qty, at) => ({ external_id: String(order.lines[at]?.id), sku: null, qty })),
  }
  return {
    kind: 'fulfilment',
    key: 'parcel-1',
    external_id: String(order.id),
    order_no: order.name,
    refs: [],
    parcel: one,
    parcels: [one],
    is_last: true,
    notify_customer: true,
    ...more,
  }
}

it('reads orders in pages, the cancelled ones too', async () => {
  for (let n = 0; n < 27; n++) {
    clock += 1_000
    shop.place()
  }
  const first = await pull()
  expect(first.rows).toHaveLength(25)
  expect(first.rows[0]).toMatchObject({ kind: 'order', status: 'UNFULFILLED', order: { order_no: '#1000', status: 'ready' } })
  const [last] = (await pull(first.next)).rows.slice(-1)
  await shopifyConnector.push(access(), { kind: 'cancellation', key: 'c', external_id: last!.external_id, order_no: '', refs: [] })
  clock += 1_000
  const again = await pull(first.next)
  expect(again.rows.find(row => row.external_id === last!.external_id)).toMatchObject({
    status: 'CANCELLED',
    order: { status: 'cancelled' },
  })
  expect(again.next).toBeNull()
})

it('finds an order by its number and by its id', async () => {
  const placed = shop.place()
  expect(await shopifyConnector.get(access(), '1000')).toMatchObject({ external_id: String(placed.id) })
  expect(await shopifyConnector.get(access(), String(placed.id))).toMatchObject({ external_id: String(placed.id) })
  expect(await shopifyConnector.get(access(), '1999')).toBeNull()
})

it('fulfils what is in the parcel, and says partly and wholly fulfilled', async () => {
  const order = shop.place({ quantities: [2, 1] })
  expect(await shopifyConnector.push(access(), parcel(order, [1, 0], { is_last: false }))).toMatchObject({
    kind: 'done',
    status: 'PARTIALLY_FULFILLED',
  })
  const second = parcel(order, [1, 1], { key: 'parcel-2' })
  const rest = { ...second, parcel: { ...second.parcel, tracking_no: 'GLS2' } }
  expect(await shopifyConnector.push(access(), rest)).toMatchObject({ kind: 'done', status: 'FULFILLED' })
  expect(shop.order(order.id)?.fulfilments.map(one => one.number)).toEqual(['GLS1', 'GLS2'])
})

it('makes a fulfilment for each place that the goods of one parcel belong to', async () => {
  const order = shop.place({ quantities: [1, 1], locations: [1, 2] })
  expect(await shopifyConnector.push(access(), parcel(order, [1, 1]))).toMatchObject({ kind: 'done', status: 'FULFILLED' })
  expect(shop.order(order.id)?.fulfilments).toHaveLength(2)
})

it('finds a parcel that was taken though its answer was lost', async () => {
  const order = shop.place()
  shop.setFault(query => (query.includes('fulfillmentCreate(') ? 'take and drop' : undefined))
  await expect(shopifyConnector.push(access(), parcel(order, [2]))).rejects.toMatchObject({ failure: 'unknown' })
  shop.setFault(() => undefined)
  expect(await shopifyConnector.findDone(access(), parcel(order, [2]))).toMatchObject({ kind: 'done', status: 'FULFILLED' })
  expect(await shopifyConnector.findDone(access(), parcel(shop.place(), [2]))).toBeNull()
})

it('changes the number of a fulfilment', async () => {
  const order = shop.place()
  const fact = parcel(order, [2])
  const done = await shopifyConnector.push(access(), fact)
  const refs = done.kind === 'done' ? (done.refs ?? []).map(ref => ({ ...ref, key: fact.key })) : []
  const { is_last: _last, ...head } = fact
  const changed = { ...fact.parcel, tracking_no: 'GLS9' }
  await shopifyConnector.push(access(), {
    ...head,
    kind: 'tracking',
    refs,
    fulfilment_key: fact.key,
    old_tracking_no: 'GLS1',
    parcel: changed,
    parcels: [changed],
  })
  expect(shop.order(order.id)?.fulfilments.map(one => one.number)).toEqual(['GLS9'])
})

it.each([
  ['a wrong token', async () => shopifyConnector.test(access('shpat_wrong00')), { failure: 'denied', message: /Invalid API key/ }],
  [
    'too many points',
    async () => {
      shop.setFault(() => 'throttle')
      return pull()
    },
    { failure: 'unavailable', retry_after_s: 3 },
  ],
  [
    'a parcel of an order that is gone',
    async () => shopifyConnector.push(access(), parcel({ id: 9, name: '#9', lines: [{ id: 1 }] }, [1])),
    { failure: 'refused' },
  ],
])('says what the shop says about %s', async (_case, work, expected) => {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown as Error & { failure: string },
  )
  const { message, ...rest } = expected as { message?: RegExp }
  expect(error).toMatchObject(rest)
  if (message) expect(error?.message).toMatch(message)
})

it('refuses a parcel whose goods the shop has sent already, in one sentence', async () => {
  const order = shop.place()
  await shopifyConnector.push(access(), parcel(order, [2]))
  const other = parcel(order, [2], { key: 'parcel-2' })
  expect(await shopifyConnector.push(access(), { ...other, parcel: { ...other.parcel, tracking_no: 'GLS2' } })).toMatchObject({
    kind: 'refused',
  })
})

it('reports nothing of a parcel that holds only the rest of a bundle', async () => {
  const order = shop.place()
  expect(await shopifyConnector.push(access(), parcel(order, []))).toMatchObject({ kind: 'done' })
  expect(await shopifyConnector.push(access(), parcel(order, [2], { key: 'parcel-2' }))).toMatchObject({ kind: 'done', refs: [{}] })
})
