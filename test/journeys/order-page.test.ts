/** Journey: the page of an order – what it says first, what can be undone, and the phone. */
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
const notDue = '2099-01-01T12:00:00Z'

beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  clerk = await operator.hire(['parcels_admin', 'scan'], operator.main, 'Mette Friis')
  await services.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('shipping_methods')
      .values([
        { agent_code: 'own', shipping_method: 'van', name: 'Our van' },
        { agent_code: 'own', shipping_method: 'bike', name: 'Our bike' },
      ])
      .execute(),
  )
})
afterAll(() => services?.close())

/** An order that is neither late nor pinned nor held. */
async function place(order_no: string): Promise<number> {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), { order_no })
  await change(id, { ship_by: notDue })
  return id
}
const change = (id: number, columns: Record<string, string | boolean | null>) =>
  services.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('orders').set(columns).where('id', '=', id).execute(),
  )
const open = async (id: number, order_no: string, width = 1440): Promise<Page> => {
  const page = await services.open(clerk, `/parcels/orders?id=${id}`, { viewport: { width, height: 844 } })
  await page.getByRole('heading', { name: order_no, level: 1 }).waitFor()
  return page
}
const strip = (page: Page) => page.getByRole('region', { name: 'Status' })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click()

it('holds, and undoes the hold for a while', async () => {
  const id = await place('9001')
  const page = await open(id, '9001')
  expect(await strip(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Hold', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Put order on hold' })
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Ask first')
  await dialog.getByRole('button', { name: 'Put order on hold' }).click()
  await strip(page).getByText('Ask first').waitFor()
  await undo(page)
  await strip(page).waitFor({ state: 'detached' })
  expect((await clerk.send(orders.get, { id })).held).toBe(false)
})

it('releases a hold, and undoes that with the same reason and note', async () => {
  const id = await place('9002')
  await clerk.send(orderLocks.hold, { id, body: { reason: 'payment', note: 'Not paid', until: null } })
  const page = await open(id, '9002')
  await strip(page).getByRole('button', { name: 'Release hold' }).click()
  await strip(page).waitFor({ state: 'detached' })
  await undo(page)
  await strip(page).getByText('Not paid').waitFor()
  expect((await clerk.send(orders.get, { id })).locks).toMatchObject([{ reason: 'payment', note: 'Not paid' }])
})

it('pins, and undoes the pin', async () => {
  const id = await place('9003')
  const page = await open(id, '9003')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
  await page.getByText('Pinned', { exact: true }).first().waitFor()
  await undo(page)
  await page.getByText('The change is undone').waitFor()
  expect((await clerk.send(orders.get, { id })).pinned).toBe(false)
})

it('changes the method and undoes it, but not over a method that somebody else chose since', async () => {
  const id = await place('9004')
  await clerk.send(orders.setShipping, { id, method: 'own:van' })
  const page = await open(id, '9004')
  const choose = async (method: string) => {
    await page.getByRole('button', { name: 'Select another way of sending' }).click()
    await page.getByRole('menuitem', { name: method }).click()
  }
  await choose('Our bike')
  await page.getByText('Shipping method changed', { exact: true }).waitFor()
  await undo(page)
  await page.getByText('The change is undone').waitFor()
  expect(await clerk.send(orders.get, { id })).toMatchObject({ shipping_method: 'van' })

  await choose('Our bike')
  await page.getByText('Shipping method changed', { exact: true }).waitFor()
  await clerk.send(orders.setShipping, { id, method: 'own:van' })
  await undo(page)
  await page.getByText('Someone changed this in the meantime. Nothing was undone.', { exact: true }).waitFor()
  const timeline = page.getByRole('region', { name: 'History' })
  await timeline.getByText('Shipping method: Our van → Our bike').first().waitFor()
})

it.each([
  ['ready', {}, null, 'Open at station'],
  ['ready', { ship_by: '2020-01-01T12:00:00Z' }, /^Overdue/, 'Open at station'],
  ['short', { short: true }, /^Items are missing/, 'Open at station'],
  ['packed', { work_state: 'packed' }, /^Packed without a label/, null],
  ['handed_over', { work_state: 'handed_over' }, null, 'Close order'],
  ['delivered', { work_state: 'handed_over', delivered_at: '2026-11-20T12:00:00Z' }, /^Delivered/, 'Close order'],
  ['cancelled', { cancelled_at: '2026-11-20T12:00:00Z' }, null, null],
] as const)('says first what blocks an order in the state %s, with one main action', async (phase, columns, sentence, main) => {
  const order_no = `91${phase}${Object.keys(columns).length}`
  const id = await place(order_no)
  await change(id, { phase, ...columns })
  const page = await open(id, order_no)
  if (sentence) await strip(page).getByText(sentence).waitFor()
  else expect(await strip(page).count()).toBe(0)
  const filled = page.locator('main header .mantine-Button-root:not([data-variant])')
  await expect.poll(() => filled.allTextContents()).toEqual(main ? [main] : [])
})

it('shows six facts in one row on a wide screen, four below 1280 px, and the rest under Details', async () => {
  const id = await place('9200')
  const page = await open(id, '9200')
  const facts = page.locator('[data-facts] > div:visible')
  await expect.poll(() => facts.count()).toBe(6)
  await page.setViewportSize({ width: 1100, height: 844 })
  await expect.poll(() => facts.count()).toBe(4)
  await page.getByRole('region', { name: 'Details' }).getByText('Ordered').waitFor()
})

it('has the main action and the menu in a bar above the navigation of a phone, and nothing overlaps at 360 px', async () => {
  const id = await place('9300')
  await clerk.send(orderLocks.hold, { id, body: { reason: 'address', note: 'The customer moves on Friday', until: null } })
  const page = await open(id, '9300', 360)
  const bar = page.locator('main').getByRole('button', { name: 'More', exact: true }).locator('..')
  await expect.poll(() => bar.getByRole('button', { name: 'Release hold' }).count()).toBe(1)
  const box = await bar.boundingBox()
  expect(box?.height).toBe(64)
  const navigation = await page.getByRole('navigation').and(page.locator(':visible')).boundingBox()
  expect((navigation?.y ?? 0) + (navigation?.height ?? 0)).toBe(844)
  expect((box?.y ?? 0) + 64).toBe(navigation?.y)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  const tops = await Promise.all(
    ['Products', 'Shipping address', 'Comments', 'History'].map(
      async name => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? 0,
    ),
  )
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  await bar.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Hold until…' }).waitFor()
})
