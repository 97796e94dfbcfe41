/** Journey: two orders to one address are compared, combined into one parcel, taken apart and combined again from the list. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { prices } from '#features/shipping/prices/prices.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
const ids: number[] = []

beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  clerk = await operator.hire(['parcels_admin'], operator.main, 'Mette Friis')
  for (const order_no of ['7001', '7002', '7003']) {
    const made = await buildOrder(services.services, scopeOfCompany(operator), {
      order_no,
      lines: [{ sku: `MUG-${order_no}`, name: `Mug of ${order_no}`, qty: 1, weight_g: 350 }],
      notes: order_no === '7002' ? [{ text: 'A birthday present' }] : [],
      ...(order_no === '7003' && { currency: 'SEK' }),
    })
    ids.push(made.id)
  }
  await services.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .updateTable('orders')
      .set({ agent_code: 'own', shipping_method: 'van', work_state: 'ready', phase: 'ready', release_at: null })
      .where('id', 'in', ids)
      .execute(),
  )
})
afterAll(() => services?.close())

it('combines from the page of an order, and takes apart again', async () => {
  const [first = 0, second = 0] = ids
  const page = await services.open(clerk, `/parcels/orders?id=${first}`, { viewport: { width: 1440, height: 900 } })
  const offer = page.getByRole('region', { name: '1 other order goes to the same address' })
  await offer.getByRole('button', { name: 'Combine', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A birthday present').waitFor()
  await dialog.getByText('One parcel instead of 2: 2 items').waitFor()
  await dialog.getByRole('button', { name: 'Combine 2 orders' }).click()
  await page.getByText('Combined into 7001', { exact: true }).waitFor()
  const parcel = page.getByRole('region', { name: 'In one parcel with' })
  await parcel.getByRole('link', { name: '7002' }).waitFor()
  await page.getByText('Mug of 7002', { exact: true }).waitFor()
  await parcel.getByRole('link', { name: '7002' }).click()
  await page.getByRole('heading', { name: '7002', exact: true, level: 1 }).waitFor()
  await page.getByText('Combined into order 7001: both go in one parcel').waitFor()
  await page.getByRole('button', { name: 'Take out of the parcel' }).click()
  await page.getByText('The order goes by itself again').waitFor()
  await expect.poll(() => clerk.send(orders.get, { id: second }), { timeout: 20_000 }).toMatchObject({ phase: 'ready', combined: null })
})

it('combines orders of the list, leaves out what does not fit, and undoes it from the toast', async () => {
  const page = await services.open(clerk, '/parcels/orders', { viewport: { width: 1440, height: 900 } })
  for (const order_no of ['7001', '7002', '7003'])
    await page
      .getByRole('row', { name: new RegExp(order_no) })
      .getByRole('checkbox')
      .check()
  await page.getByRole('toolbar', { name: 'With the selected rows' }).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Combine into one parcel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It is paid in another currency').waitFor()
  await dialog.getByRole('button', { name: 'Leave out 7003' }).click()
  await dialog.getByRole('button', { name: 'Combine 2 orders' }).click()
  await page.getByText('Combined into 7001', { exact: true }).waitFor()
  await page.getByRole('row', { name: /7002.*Combined/ }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('The orders go by themselves again').waitFor()
  await expect.poll(() => clerk.send(orders.get, { id: ids[1] ?? 0 }), { timeout: 20_000 }).toMatchObject({ phase: 'ready' })
})

it('combines all that the filter finds as one job, with what labels cost less, and undoes it from the report', async () => {
  const admin = await operator.hire(['admin'])
  await admin.send(prices.create, {
    body: { agent_code: 'own', shipping_method: 'van', max_g: 5_000, amount: 3_900, currency: 'DKK', valid_from: '2026-01-01' },
  })
  const page = await services.open(clerk, '/parcels/orders?combinable=1', { viewport: { width: 1440, height: 900 } })
  await page.getByRole('row', { name: /7002.*Combinable/ }).waitFor()
  await page.getByRole('row', { name: /7001.*Combinable/ }).waitFor()
  expect(await page.getByRole('row', { name: /7003/ }).count()).toBe(0)
  for (const order_no of ['7001', '7002'])
    await page
      .getByRole('row', { name: new RegExp(order_no) })
      .getByRole('checkbox')
      .check()
  await page.getByRole('toolbar', { name: 'With the selected rows' }).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Combine by recipient' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('They become 1 parcel.').waitFor()
  await dialog.getByText(/^Saves DKK\s39.00 in label costs$/).waitFor()
  await dialog.getByText('In the parcel of 7001').waitFor()
  await dialog.getByRole('button', { name: 'Combine 2 orders' }).click()
  await dialog.getByText('Done: 2. Left alone: 0.').waitFor()
  await dialog.getByRole('link', { name: 'Report and undo' }).click()
  await page.getByText('In the parcel of 7001').first().waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('heading', { name: 'Undo: Combine orders by recipient' }).waitFor()
  await expect.poll(() => clerk.send(orders.get, { id: ids[1] ?? 0 }), { timeout: 20_000 }).toMatchObject({ phase: 'ready' })
})
