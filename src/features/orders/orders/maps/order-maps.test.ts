/** The address of an order on a map: with a key in the page, else by a link, and the key is no one else's. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { apiKeys } from '#features/company/api-keys/api-keys.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { orderMaps } from './order-maps.contract.ts'
import { mapPageUrl } from './order-maps.rules.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  office = await operator.hire(['parcels'])
  id = (await placeOrder(testApp.services.database, scopeOfCompany(operator))).id
})
afterAll(() => testApp.close())

it('is a link to the street without a key, and a map to embed with one', async () => {
  expect(await office.send(orderMaps.hasKey, {})).toEqual({ has_google_maps_api_key: false })
  const link = await office.send(orderMaps.map, { id })
  expect(link).toEqual({ mode: 'link', url: mapPageUrl({ address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK' }) })
  expect(link.url).not.toContain('Lene')
  const settings = await operator.hire(['settings_admin'])
  await settings.send(apiKeys.set, { body: { printnode: 'print-key-1234' } })
  expect(await settings.send(apiKeys.set, { body: { google_maps: 'maps-key-5678' } })).toEqual({ printnode: '1234', google_maps: '5678' })
  expect(await office.send(orderMaps.hasKey, {})).toEqual({ has_google_maps_api_key: true })
  const { mode, url } = await office.send(orderMaps.map, { id })
  expect(mode).toBe('google')
  expect(url).toMatch(/^https:\/\/www\.google\.com\/maps\/embed\/v1\/place\?key=maps-key-5678&q=Skibhusvej/)
  const shop = await operator.hire(['parcels'], operator.shops[0])
  expect(await shop.send(orderMaps.hasKey, {})).toEqual({ has_google_maps_api_key: false })
  const stranger = await (await testApp.operator()).hire(['parcels'])
  await expect(stranger.send(orderMaps.map, { id })).rejects.toMatchObject({ status: 404 })
})
