/** WooCommerce's connector against a shop that follows its documents, and the HTTP client of all connectors. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ShopAccess, ShopError } from '../shop-connector.ts'
import { openShopHttp } from '../shop-http.ts'
import { woocommerceConnector } from './woocommerce-connector.ts'
import { startWooShop, type WooShop } from './woocommerce-shop.fake.ts'

let clock = 0
let shop: WooShop
beforeEach(async () => {
  clock = Date.parse('2026-11-20T10:00:00Z')
  shop = await startWooShop(() => new Date(clock))
})
afterEach(() => shop.close())

const access = (settings: Record<string, string> = {}, base_url = shop.url): ShopAccess => ({
  base_url,
  credentials: shop.keys,
  settings,
  shop: 'main',
  country: 'DK',
  timeZone: 'Europe/Copenhagen',
  http: openShopHttp({
    base_url,
    allowedNetworks: ['127.0.0.0/8'],
    signal: AbortSignal.timeout(20_000),
    secrets: Object.values(shop.keys),
  }),
  session: { get: () => undefined, set: () => undefined },
})
const changedFrom = (from: string, settings?: Record<string, string>) =>
  woocommerceConnector.pull(access(settings), { by: 'changed', from, to: null, page: null })
const failureOf = async (work: Promise<unknown>): Promise<ShopError> => {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(thrown instanceof ShopError)) throw new Error('It did not fail')
  return thrown
}

it('asks by GMT and takes the first second too, though the shop leaves it out and lies in another zone', async () => {
  const placed = shop.place()
  const { rows } = await changedFrom('2026-11-20T10:00:00.000Z')
  expect(rows).toMatchObject([{ external_id: String(placed.id), changed_at: '2026-11-20T10:00:00.000Z', status: 'processing' }])
})

it.each([
  ['klar-til-pak', {}, 'held'],
  ['klar-til-pak', { statuses: 'klar-til-pak=ready, afventer = held' }, 'ready'],
  ['pending', {}, 'new'],
  ['completed', {}, 'closed'],
  ['refunded', {}, 'cancelled'],
])('reads an order with the status %s and the settings %o as %s', async (status, settings, meaning) => {
  shop.place({ status })
  const { rows } = await changedFrom('2026-11-20T09:00:00.000Z', settings as Record<string, string>)
  expect(rows).toMatchObject([{ status, order: { status: meaning } }])
})

it('finds an order whose number a plug-in has given', async () => {
  const placed = shop.place({ number: 'DK-2026-17' })
  expect(await woocommerceConnector.get(access(), 'DK-2026-17')).toMatchObject({ external_id: String(placed.id) })
  expect(await woocommerceConnector.get(access(), String(placed.id))).toMatchObject({ external_id: String(placed.id) })
  expect(await woocommerceConnector.get(access(), '999999')).toBeNull()
})

describe('a shop that does not answer as documented', () => {
  it.each([
    [
      'a page of a firewall',
      { status: 200, text: '<html><body>Checking your browser</body></html>' },
      'unreadable',
      'no JSON: 200 Checking your browser',
    ],
    ['another address', { status: 301, headers: { location: 'https://www.shop.example/' } }, 'unreadable', 'https://www.shop.example/'],
    [
      'a refusal',
      { status: 403, text: '{"code":"rest_forbidden","message":"Sorry, you are not allowed to do that."}' },
      'denied',
      'Sorry, you are not allowed to do that.',
    ],
    ['too much work', { status: 429, headers: { 'retry-after': '30' }, text: 'Too many requests' }, 'unavailable', '429 Too many requests'],
    ['an error', { status: 500, text: '<p>There has been a critical error</p>' }, 'unavailable', '500 There has been a critical error'],
    [
      'its keys',
      { status: 400, text: '{"message":"Unknown key cs_0123456789abcdef0123456789abcdef01234567"}' },
      'refused',
      '400 Unknown key ***',
    ],
  ])('with %s fails with its words', async (_what, answer, failure, words) => {
    shop.setFault(() => answer)
    const error = await failureOf(changedFrom('2026-11-20T09:00:00.000Z'))
    expect(error.failure).toBe(failure)
    expect(error.message).toContain(words)
  })

  it('is asked a second time when a question was lost, and not when a write was', async () => {
    const placed = shop.place()
    let lost = 0
    shop.setFault(() => (lost++ === 0 ? 'drop' : undefined))
    expect((await changedFrom('2026-11-20T09:00:00.000Z')).rows).toHaveLength(1)
    shop.setFault(({ method }) => (method === 'PUT' ? 'drop' : undefined))
    const cancellation = { kind: 'cancellation', key: 'c', external_id: String(placed.id), order_no: '1', refs: [] } as const
    expect((await failureOf(woocommerceConnector.push(access(), cancellation))).failure).toBe('unknown')
    expect(shop.asked.filter(one => one.method === 'PUT')).toHaveLength(1)
  })

  it('at an address of the own network is not asked', async () => {
    const http = openShopHttp({ base_url: shop.url, allowedNetworks: [], signal: AbortSignal.timeout(5_000), secrets: [] })
    const error = await failureOf(http.ask({ path: '/wp-json/' }))
    expect(error).toMatchObject({ failure: 'refused', message: 'This is not a public address' })
    expect(shop.asked).toEqual([])
  })
})

it('says that WooCommerce is missing at an address that is only WordPress', async () => {
  shop.setFault(({ path }) => (path === '/wp-json/' ? { status: 200, text: '{"name":"A blog","namespaces":["wp/v2"]}' } : undefined))
  expect(await failureOf(woocommerceConnector.test(access()))).toMatchObject({
    failure: 'unreadable',
    message: 'WooCommerce is not switched on at this address',
  })
})

it('writes the number of a parcel that holds only the rest of a bundle on the order', async () => {
  await shop.close()
  shop = await startWooShop(() => new Date(clock), { fulfilments: true })
  const placed = shop.place()
  const parcel = { tracking_no: 'GLS2', tracking_url: null, courier_code: 'gls', courier_name: 'GLS', lines: [] }
  const head = { key: 'parcel-2', external_id: String(placed.id), order_no: '1', refs: [] }
  const fact = { ...head, kind: 'fulfilment' as const, parcel, parcels: [parcel], is_last: true, notify_customer: false }
  expect(await woocommerceConnector.push(access(), fact)).toMatchObject({ kind: 'done', status: 'completed' })
  expect(shop.fulfilments(placed.id)).toEqual([])
  expect(shop.meta(placed.id, '_tracking_number')).toBe('GLS2')
})
