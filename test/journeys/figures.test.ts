/** Journey: the figures of today stand on Home beside those of yesterday, and a link shows the public ones without a sign-in. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSystemContext } from '#platform/http/context.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  const scope = scopeOfCompany(operator, operator.main)
  const now = new Date().toISOString()
  for (let n = 0; n < 6; n++) {
    const { id } = await placeOrder(services.services.database, scope)
    await createSystemContext(services.services, scope).transaction(async ({ db }) => {
      await db
        .insertInto('packing_sessions')
        .values({ order_id: id, user_id: boss.user_id, user_name: 'Kim', station: 'Bench 1', state: 'done', ended_at: now })
        .execute()
      await db
        .insertInto('shipments')
        .values({
          ...{ order_id: id, agent_code: 'own', shipping_method: 'van', state: 'handed_over', handed_over_at: now },
          ...{ idempotency_key: `test:${id}`, reference: `R${id}` },
        })
        .execute()
    })
  }
})
afterAll(() => services?.close())

it('shows what came in, was packed and left, lets the period be chosen, and publishes it by a link', async () => {
  const page = await services.open(boss, '/dashboard')
  const panel = page.getByRole('region', { name: 'Figures' })
  const figure = (title: string) => panel.locator('dl > div').filter({ has: page.getByText(title, { exact: true }) })
  await figure('Received').getByText('6', { exact: true }).waitFor()
  await figure('Handed over').getByText('before: 0').waitFor()
  await figure('On time').getByText('100').waitFor()
  await panel.getByRole('link', { name: 'Own delivery', exact: true }).waitFor()
  await panel.getByRole('link', { name: 'Own delivery, before: 0' }).click()
  await page.getByRole('heading', { name: 'Shipments', exact: true }).waitFor()
  await page.goBack()
  // Each figure opens the list behind it, which says what it is narrowed to.
  await figure('Received').getByRole('link', { name: 'Received: 6' }).click()
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('row').count(), { timeout: 20_000 }).toBe(7)
  await page.getByText('Received', { exact: false }).first().waitFor()
  await page.goBack()
  await figure('Handed over').getByRole('link', { name: 'Handed over: 6' }).click()
  await page.getByRole('heading', { name: 'Shipments', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('row').count(), { timeout: 20_000 }).toBe(7)
  await page.goBack()
  await figure('Late now').getByText('0', { exact: true }).waitFor()
  await panel.getByLabel('Compare with').selectOption('none')
  await figure('Received').getByText('before', { exact: false }).waitFor({ state: 'detached' })
  await panel.getByLabel('Period').selectOption('month')
  await figure('Received').getByText('6', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('period')).toBe('month')

  await page.goto(new URL('/settings/dashboard?tab=links', page.url()).href)
  await page.getByRole('button', { name: 'Make link' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New board link' })
  await drawer.getByRole('combobox', { name: 'Shows' }).selectOption('stats')
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Our shop')
  await drawer.getByRole('button', { name: 'Make link' }).click()
  const link = (await drawer.locator('pre').textContent()) ?? ''
  expect(link).toContain('/stats#')
  await drawer.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Public figures').first().waitFor()

  const visitor = await services.open({ company: operator.main }, '/stats')
  await visitor.getByText('This board link is no longer valid. Ask for a new one.').waitFor()
  await visitor.goto(link)
  await visitor.reload()
  const day = visitor.getByRole('region', { name: 'Today' })
  await day.getByText('Own delivery').waitFor()
  await visitor.getByRole('heading', { name: 'Our shop' }).waitFor()
  expect(visitor.url()).not.toContain('#')
})
