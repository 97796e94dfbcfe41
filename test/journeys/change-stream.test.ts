/** Journey: screens stay current, also when a change happens between request and answer, or between request and subscription. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
let colleague: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  clerk = await operator.hire(['parcels_admin'], operator.main, 'Mette Friis')
  colleague = await operator.hire(['parcels_admin'], operator.main, 'Kim Lund')
})
afterAll(() => services?.close())

const newOrder = (order_no: string) => buildOrder(services.services, scopeOfCompany(operator), { order_no })
const lock = (id: number) => colleague.send(orderLocks.lock, { id, body: { note: 'Ask for the size first' } })
const opened = async (page: Page, order_no: string) => {
  await page.getByRole('link', { name: order_no, exact: true }).click()
  await page.getByRole('heading', { name: order_no, level: 1 }).waitFor()
}
const isLocked = (page: Page) => page.getByRole('region', { name: 'Status' }).getByRole('button', { name: 'Unlock' }).waitFor()

it('shows what changed while the first answer was on its way', async () => {
  const { id } = await newOrder('8001')
  const page = await services.open(clerk, '/parcels/orders')
  let late = 0
  await page.route(new RegExp(`/orders/${id}(\\?|$)`), async route => {
    if (late++ > 0) return route.continue()
    const before = await clerk.send(orders.get, { id })
    await lock(id)
    await new Promise(resolve => setTimeout(resolve, 500))
    await route.fulfill({ json: before })
  })
  await opened(page, '8001')
  await isLocked(page)
  expect(late).toBeGreaterThan(1)
})

it('shows what changed after it asked and before it listened', async () => {
  const { id } = await newOrder('8002')
  const page = await services.open(clerk, '/parcels/orders')
  let gone = false
  await page.route('**/live?*', async route => {
    // The list's own stream may only now be asked for.
    if (!gone) return route.continue()
    gone = false
    await page.getByRole('heading', { name: '8002', level: 1 }).waitFor()
    await lock(id)
    await new Promise(resolve => setTimeout(resolve, 500))
    await route.continue()
  })
  gone = true
  await page.goto(`${services.origin(operator.main.code)}/parcels/orders?id=${id}`)
  await isLocked(page)
})

it('shows what changed while it showed something else', async () => {
  const { id } = await newOrder('8003')
  const page = await services.open(clerk, '/parcels/orders')
  await opened(page, '8003')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: '8003', exact: true }).waitFor()
  await lock(id)
  await new Promise(resolve => setTimeout(resolve, 500))
  await opened(page, '8003')
  await isLocked(page)
})

it('shows what changed between its early question and its first picture', async () => {
  const { id } = await newOrder('8004')
  const page = await services.open(clerk, '/parcels/orders')
  await page.route('**/assets/OrdersScreen-*.js', async route => {
    await answered
    await lock(id)
    await new Promise(resolve => setTimeout(resolve, 500))
    await route.continue()
  })
  const answered = page.waitForResponse(new RegExp(`/orders/${id}(\\?|$)`))
  await page.goto(`${services.origin(operator.main.code)}/parcels/orders?id=${id}`)
  await isLocked(page)
})
