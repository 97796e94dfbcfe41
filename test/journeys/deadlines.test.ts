/** Journey: an admin makes a deadline, sees its open orders on the board, opens the rows behind a figure, and a television shows it by its link. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { deadlineBoard } from '#features/insight/deadline-board/deadline-board.contract.ts'
import { lookAtDeadlines } from '#features/insight/deadline-board/watch-deadlines.task.ts'
import { deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { CanonicalOrder } from '../../src/domain/order/canonical-order.ts'
import { toOrder } from '../../src/domain/order/canonical-order-checks.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp({}, { serviceWorker: true })
  operator = await services.operator({ settings: { release_delay_s: 0 } })
  // Who sets deadlines needs no other settings.
  boss = await operator.hire(['dashboard_admin', 'parcels'], operator.main, 'Astrid Holm')
})
afterAll(() => services?.close())
afterEach(() => services.setNow(undefined))

async function store(count: number, of = operator, ordered_at?: string): Promise<void> {
  const system = createSystemContext(services.services, scopeOfCompany(of, of.main))
  const orders = Array.from({ length: count }, (_, place) =>
    toOrder(
      CanonicalOrder.parse({
        ...{ order_no: `E-${place + 1}`, currency: 'DKK', payment_status: 'paid', ...(ordered_at && { ordered_at }) },
        lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 1, weight_g: 500, unit_price_incl_vat: '100.00' }],
        ship_to: {
          name: 'Kari Prøve',
          address1: 'Prøvevej 5',
          postcode: '5000',
          city: 'Odense',
          country: 'DK',
          email: 'kari@example.test',
        },
      }),
    ),
  )
  await system.transaction(context => storeOrders(context, orders))
}

it('a deadline is made, its orders stand on the board, each figure opens its orders, and a television shows it by its link', async () => {
  await store(3)
  const page = await services.open(boss, '/dashboard/deadlines')
  await page.getByText('No deadlines yet').waitFor()
  await page.getByRole('link', { name: 'Add deadline' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New deadline' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('GLS')
  // Every day, so that the journey is the same on each day of the week.
  for (const day of ['Sat', 'Sun']) await drawer.getByText(day, { exact: true }).click()
  await drawer.getByLabel('Cut-off').fill('23:59')
  await drawer.getByRole('button', { name: 'Add deadline' }).click()
  await drawer.getByText('The cut-off lies after the pickup.', { exact: false }).waitFor()
  await drawer.getByLabel('Pickup', { exact: true }).fill('23:59')
  await drawer.getByText('Takes 3 open orders', { exact: false }).waitFor()
  await drawer.getByRole('button', { name: 'Add deadline' }).click()
  await page.getByRole('link', { name: 'GLS' }).waitFor()
  // The queue gives the open orders their deadline.
  await expect.poll(async () => (await boss.send(deadlines.list, {})).rows[0]?.open_orders, { timeout: 20_000 }).toBe(3)

  await page.getByRole('tab', { name: 'Closed days' }).click()
  await page.getByRole('button', { name: 'Add day' }).click()
  const dayDrawer = page.getByRole('dialog', { name: 'New day' })
  await dayDrawer.getByLabel('Day', { exact: true }).fill(new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10))
  await dayDrawer.getByRole('textbox', { name: 'Note' }).fill('Stocktaking')
  await dayDrawer.getByRole('button', { name: 'Add day' }).click()
  await page.getByText('Stocktaking').first().waitFor()

  await page.getByRole('tab', { name: 'Board links' }).click()
  await page.getByRole('button', { name: 'Make link' }).first().click()
  const linkDrawer = page.getByRole('dialog', { name: 'New board link' })
  await linkDrawer.getByRole('textbox', { name: 'Name' }).fill('Packing hall')
  await linkDrawer.getByRole('button', { name: 'Make link' }).click()
  const link = await linkDrawer.locator('pre').textContent()
  expect(link).toContain('/deadlinesexternal/')
  await linkDrawer.getByRole('button', { name: 'Done' }).click()

  await page.goto(page.url().replace(/\/settings\/.*$/, '/dashboard/deadlines'))
  await page.getByRole('region', { name: 'GLS' }).waitFor()
  const fills = () => page.evaluate(() => document.fullscreenElement !== null)
  await page.keyboard.press('f')
  await expect.poll(fills).toBe(true)
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(fills).toBe(false)
  await page.keyboard.press('n')
  await page.getByRole('dialog', { name: 'New deadline' }).waitFor()
  await page.goBack()
  const card = page.getByRole('region', { name: 'GLS' })
  await card.getByText('0 / 3', { exact: false }).waitFor()
  await card.getByRole('link', { name: 'Ready: 3' }).click()
  for (const number of ['E-1', 'E-2', 'E-3']) await page.getByRole('link', { name: number }).waitFor()
  await page.getByRole('link', { name: 'E-1' }).click()
  await page.getByText('GLS', { exact: false }).first().waitFor()

  const television = await services.open({ company: operator.main }, new URL(link ?? '').pathname, {
    viewport: { width: 1920, height: 1080 },
  })
  await television.getByText('Packing hall').waitFor()
  await television.getByText('0 / 3').waitFor()
  expect(television.url()).toMatch(/\/deadlinesexternal\/board\?board=\d+$/)
  // A reload needs the cookie alone.
  await television.reload()
  await television.getByText('0 / 3').waitFor()
  expect(await television.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)).toBe(true)
})

it('a television draws the afternoon, an alarm is looked after, and neither a lost network nor a new version stops the board', async () => {
  const minute = (at: string) => services.setNow(new Date(`2026-11-11T${at}:00Z`))
  minute('13:00')
  const hall = await services.operator({ settings: { release_delay_s: 0, time_zone: 'Europe/Copenhagen' } })
  const lead = await hall.hire(['admin'], hall.main, 'Astrid Holm')
  await lead.send(deadlines.create, {
    body: {
      ...{ name: 'GLS', company_ids: [], agent_codes: [], shipping_methods: [], countries: [], weekdays: [1, 2, 3, 4, 5] },
      ...{ cut_off: '14:00', pickup_time: '16:00', sla_days: 0, target: 'packed', holidays: null, active: true },
    },
  })
  await store(43, hall, '2026-11-11T08:00:00Z')
  await createSystemContext(services.services, scopeOfCompany(hall)).transaction(async ({ db }) => {
    await db.updateTable('orders').set({ phase: 'picked' }).execute()
    await db
      .insertInto('work_daily')
      .values({
        ...{ user_id: lead.user_id, day: '2026-11-10', kind: 'pack', orders: 120, lines: 1, pieces: 1, grams: 1, wagons: 0, scans: 1 },
        ...{ wrong: 0, shorts: 0, wagon_claims: 0, active_s: 18_000, break_s: 0 },
      })
      .execute()
  })
  for (const at of ['13:00', '13:30', '14:00', '14:31', '14:32']) {
    minute(at)
    await lookAtDeadlines(services.services)
  }
  const page = await services.open(lead, '/dashboard/deadlines')
  const card = page.getByRole('region', { name: 'GLS', exact: true })
  await card.getByText('43 orders will miss GLS 16:00', { exact: false }).waitFor()
  await card.getByText('Under 30 minutes').waitFor()
  await card.getByRole('img', { name: 'GLS: 43 left', exact: false }).locator('svg').first().waitFor()
  await card.getByText('Table', { exact: true }).click()
  await card.getByRole('rowheader', { name: '15:32' }).waitFor()
  await card.getByRole('button', { name: 'I look after it: GLS' }).click()
  await card.getByText('Seen by Astrid Holm at 15:32').waitFor()
  await page.getByRole('button', { name: 'Sound is on' }).click()
  await page.getByRole('button', { name: 'Sound is off' }).waitFor()

  const { url } = await lead.send(deadlineBoard.makeToken, { body: { name: 'Packing hall' } })
  const television = await services.open({ company: hall.main }, '/stats', { viewport: { width: 1920, height: 1080 } })
  await television.clock.install()
  await television.goto(new URL(url ?? '', television.url()).href)
  await television.getByText('43 orders will miss GLS 16:00', { exact: false }).waitFor()
  await television.getByRole('img', { name: 'GLS: 43 left', exact: false }).locator('svg').first().waitFor()
  await television.getByText('Seen 15:32').waitFor()
  await television.getByText('Sound is off. Press any key.', { exact: false }).waitFor()
  expect(await television.content()).not.toContain('Astrid')
  expect(
    await television.evaluate(
      () => document.documentElement.scrollHeight <= window.innerHeight && document.documentElement.scrollWidth <= window.innerWidth,
    ),
  ).toBe(true)

  services.expectOutages()
  await television.context().setOffline(true)
  await television.clock.fastForward(90_000)
  await television.getByText('Last data 15:32', { exact: false }).waitFor()
  await television.getByText('0 / 43').waitFor()
  await television.context().setOffline(false)
  await expect
    .poll(
      async () => {
        await television.clock.fastForward(20_000)
        return television.getByText('Live', { exact: false }).isVisible()
      },
      { timeout: 30_000 },
    )
    .toBe(true)

  let loads = 0
  television.on('domcontentloaded', () => {
    loads++
  })
  await television.route('**/conf.json', route => route.fulfill({ json: { version: '99.0.0', build: 'next' } }))
  await television.clock.fastForward(75_000)
  await television.getByText('New version ready').waitFor({ state: 'attached' })
  // It loads the version by itself: no notice takes a part of the screen meanwhile.
  expect(await television.evaluate(() => document.elementFromPoint(60, 12)?.closest('#page') !== null)).toBe(true)
  await expect
    .poll(
      async () => {
        await television.clock.fastForward(90_000)
        return loads
      },
      // The page loads anew each time that its clock asks: a load that has begun gets time to end.
      { timeout: 40_000, interval: 3_000 },
    )
    .toBeGreaterThan(0)
  await television.getByText('0 / 43').waitFor()
})
