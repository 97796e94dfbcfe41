/** Journey: a return is announced on the order, scanned at the desk, inspected, restocked, and its refund proposed and confirmed. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

let services: JourneyApp
let operator: TestOperator
let mette: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  mette = await operator.hire(['parcels_admin', 'rma_admin', 'pick'], operator.main, 'Mette Friis')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

/** An order that was sent. */
async function sentOrder() {
  const scope = scopeOfCompany(operator)
  const order = await placeOrder(services.services.database, scope, { work_state: 'handed_over' })
  await services.services.database.transaction(scope, async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', order.id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        order_id: order.id,
        agent_code: 'own',
        shipping_method: 'van',
        state: 'delivered',
        idempotency_key: randomUUID(),
        reference: order.order_no,
        handed_over_at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
        delivered_at: new Date(Date.now() - 2 * 86_400_000).toISOString(),
      })
      .execute()
  })
  return order
}

it('goes from the order to the desk, back into the bin, and to the confirmed refund', async () => {
  const order = await sentOrder()
  const page = await services.open(mette, `/parcels/orders?id=${order.id}`, { station: null })
  const panel = page.getByRole('region', { name: 'Returns' })
  await panel.getByRole('button', { name: 'New return' }).click()
  const asked = page.getByRole('dialog', { name: 'New return' })
  await asked.getByRole('textbox', { name: 'Items of T-shirt' }).fill('2')
  await asked.getByRole('combobox', { name: 'Reason' }).selectOption({ label: 'Does not fit' })
  await picture(page, 'new-return')
  await asked.getByRole('button', { name: 'Announce return' }).click()
  const title = page.getByRole('heading', { level: 1 })
  await expect.poll(() => title.textContent()).toMatch(/^R\d{7}$/)
  const rma_no = (await title.textContent()) ?? ''
  await page.getByText('Approved', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('grid', { name: 'Returns' }).getByRole('link', { name: rma_no }).waitFor()
  await picture(page, 'returns-list')
  await scan(page, rma_no)
  await page.getByRole('heading', { level: 1, name: rma_no }).waitFor()
  await page.getByText('Arrived', { exact: true }).first().waitFor()
  await picture(page, 'return-arrived')

  await page.getByRole('button', { name: 'Inspect' }).first().click()
  const inspection = page.getByRole('dialog', { name: 'Inspect T-shirt' })
  await inspection.getByText('C: used').click()
  await inspection.getByText('This condition needs a photo').waitFor()
  await picture(page, 'return-inspect')
  await inspection.getByText('A: as new').click()
  await inspection.getByRole('button', { name: 'Inspected' }).click()
  await inspection.waitFor({ state: 'detached' })
  const absent = page.getByRole('button', { name: 'Not in the parcel' })
  await expect.poll(() => absent.count()).toBe(1)
  await absent.click()
  await page.getByText('Missing', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Decide' }).first().click()
  const decision = page.getByRole('dialog', { name: 'What becomes of 1 item?' })
  await decision.getByRole('textbox', { name: 'Bin' }).fill('A-01-1')
  await picture(page, 'return-decide')
  await decision.getByRole('button', { name: 'Decide' }).click()
  await page.getByText('Put back into A-01-1').waitFor()
  expect((await mette.send(pickTasks.putBacks, {})).rows).toMatchObject([{ reason: 'return', bin: 'A-01-1', order_no: order.order_no }])

  await page.getByRole('button', { name: 'Propose refund' }).click()
  const proposal = page.getByRole('dialog', { name: 'Propose refund' })
  await picture(page, 'return-propose')
  await proposal.getByRole('button', { name: /^Propose / }).click()
  const refund = page.getByRole('region', { name: 'Refunds' })
  await refund.getByRole('button', { name: 'Mark as refunded' }).click()
  const confirmed = page.getByRole('dialog', { name: 'Mark as refunded' })
  await confirmed.getByRole('textbox', { name: 'Reference of the refund' }).fill('RF-1')
  await confirmed.getByRole('button', { name: 'Mark as refunded' }).click()
  await page.getByText('Resolved', { exact: true }).first().waitFor()
  await picture(page, 'return-resolved')
  const { rows } = await mette.send(returns.search, { view: 'closed' })
  expect(rows).toMatchObject([{ rma_no, status: 'resolved', money: 'confirmed' }])
})

it('keeps a parcel that no one knows with a photo', async () => {
  const page = await services.open(mette, '/returns', { station: null })
  await page.getByRole('button', { name: 'Scan return' }).first().click()
  await page.getByRole('textbox', { name: 'Return, label, order, serial' }).fill('JJD-77-1')
  await page.getByRole('button', { name: 'Open return' }).click()
  const unknown = page.getByRole('dialog', { name: 'Unknown parcel' })
  await unknown.getByRole('textbox', { name: 'Shelf' }).fill('R-3')
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  await unknown.locator('input[type=file]').setInputFiles({ name: 'parcel.png', mimeType: 'image/png', buffer: png })
  await picture(page, 'unknown-parcel')
  await unknown.getByRole('button', { name: 'Keep parcel' }).click()
  await page.getByText('No order is known for this return. Link it to one.').waitFor()
  await picture(page, 'return-orphan')
})
