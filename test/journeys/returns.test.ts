/** Journey: a return is announced on the order, scanned at the desk, inspected, restocked, and its refund proposed and confirmed. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { type OrderPlan, placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

let services: JourneyApp
let operator: TestOperator
let mette: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ shops: 1 })
  mette = await operator.hire(['parcels_admin', 'rma_admin', 'pick'], operator.main, 'Mette Friis')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** An order that was sent. */
async function sentOrder({ company = operator.main, ...plan }: OrderPlan & { company?: TestOperator['main'] } = {}) {
  const scope = scopeOfCompany(operator, company)
  const order = await placeOrder(services.services.database, scope, { work_state: 'handed_over', ...plan })
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
  await inspection.waitFor()
  await page.keyboard.press('3')
  await inspection.getByText('This condition needs a photo').waitFor()
  await picture(page, 'return-inspect')
  // A scan that begins with a digit is no choice.
  await page.keyboard.type('4012345', { delay: 5 })
  const isChosen = (name: string) => inspection.getByRole('radio', { name }).isChecked()
  expect(await isChosen('C: used')).toBe(true)
  const press = async () => {
    await page.keyboard.press('1')
    return isChosen('A: as new')
  }
  // A key of a person stands alone.
  await expect.poll(press, { interval: 300 }).toBe(true)
  await page.keyboard.press('Enter')
  await inspection.waitFor({ state: 'detached' })
  const absent = page.getByRole('button', { name: 'Not in the parcel' })
  await expect.poll(() => absent.count()).toBe(1)
  await absent.click()
  await page.getByText('Missing', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Decide' }).first().click()
  const decision = page.getByRole('dialog', { name: 'What becomes of 1 item?' })
  await decision.waitFor()
  await page.keyboard.press('3')
  await decision.getByRole('textbox', { name: 'Bin' }).waitFor({ state: 'detached' })
  await decision.getByRole('combobox', { name: 'Decision' }).selectOption('restock')
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
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText(`Return ${rma_no} is resolved`).waitFor()
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Write message' }).waitFor()
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
  await unknown.getByRole('button', { name: 'Register parcel' }).click()
  await page.getByText('No order is known for this return. Link it to one.').waitFor()
  await picture(page, 'return-orphan')
})

it('keeps a parcel that no one knows at the bench, by scanner and keys alone', async () => {
  const page = await services.open(mette, '/returns/desk', { station: 'Bench 1' })
  await page.getByRole('heading', { name: 'Scan a returned parcel' }).waitFor()
  await scan(page, 'JJD-88-1')
  await page.getByRole('heading', { name: 'Unknown parcel' }).waitFor()
  const press = async (key: string) => {
    await page.waitForTimeout(150)
    await page.keyboard.press(key)
  }
  await press('Enter')
  await page.getByRole('status').getByText('Take a photo first').waitFor()
  const chooser = page.waitForEvent('filechooser')
  await press('F2')
  await (await chooser).setFiles({ name: 'box.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') })
  await page.getByText('Photo taken: box.png').waitFor()
  await scan(page, 'SHELF-04')
  await expect.poll(() => page.getByRole('textbox', { name: 'Shelf' }).inputValue()).toBe('SHELF-04')
  await picture(page, 'bench-unknown')
  await press('Enter')
  await page.getByRole('heading', { name: 'Nothing is announced' }).waitFor()
  const { rows } = await mette.send(returns.search, { view: 'orphans' })
  expect(rows.length).toBeGreaterThan(0)

  const phone = await services.open(mette, '/returns/desk', {
    ...{ station: null, language: 'de_DE', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  })
  await phone.getByRole('heading', { name: 'Retourenpaket scannen' }).waitFor()
  await scan(phone, 'JJD-88-3')
  await phone.getByRole('heading', { name: 'Unbekanntes Paket' }).waitFor()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await picture(phone, 'bench-unknown-phone-de-dark')
  await phone.close()

  await page.setViewportSize({ width: 1024, height: 768 })
  await page.getByRole('button', { name: 'Esc' }).click()
  await scan(page, 'JJD-88-2')
  await page.getByRole('heading', { name: 'Unknown parcel' }).waitFor()
  await press('Escape')
  await page.getByRole('heading', { name: 'Scan a returned parcel' }).waitFor()
})

const announced = async (order: { id: number; lines: number[] }, qty = 1) =>
  await mette.send(returns.create, {
    body: {
      client_id: randomUUID(),
      order_id: order.id,
      items: [{ order_line_id: order.lines[0]!, qty, reason: 'changed_mind', outcome: 'refund' }],
    },
  })

it('asks at a scan which return or which order is meant, makes the return of an order, and says why there is none', async () => {
  const page = await services.open(mette, '/returns', { station: null })
  const field = page.getByRole('textbox', { name: 'Return, label, order, serial' })
  const type = async (code: string) => {
    await page.getByRole('button', { name: 'Scan return' }).first().click()
    await field.fill(code)
    await page.keyboard.press('Enter')
  }
  const back = async () => {
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('grid', { name: 'Returns' }).waitFor()
  }
  const title = (text: string) => page.getByRole('heading', { level: 1, name: text })

  // The field is empty: nothing is asked for.
  await page.getByRole('button', { name: 'Scan return' }).first().click()
  await expect.poll(() => field.evaluate(one => one === document.activeElement)).toBe(true)
  expect(await page.getByRole('button', { name: 'Open return' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')

  // Two returns of one order: each can be chosen, and no line of a choice is cut.
  const twice = await sentOrder()
  const [first, second] = [await announced(twice), await announced(twice)]
  await type(twice.order_no)
  const returnsAsked = page.getByRole('dialog', { name: 'Which return is it?' })
  await returnsAsked.getByRole('button', { name: first.rma_no }).waitFor()
  expect(
    await returnsAsked
      .getByRole('button', { name: second.rma_no })
      .locator('.mantine-Button-label')
      .evaluate(label => label.scrollHeight <= label.clientHeight),
  ).toBe(true)
  await returnsAsked.getByRole('button', { name: second.rma_no }).click()
  await title(second.rma_no).waitFor()
  expect((await mette.send(returns.get, { id: first.id })).arrived_at).toBeNull()
  await back()

  // Two shops with one number: the order is chosen, then its items.
  const order_no = `N-${randomUUID().slice(0, 8)}`
  const shop = operator.shops[0]!
  await sentOrder({ order_no })
  await sentOrder({ order_no, company: shop })
  await type(order_no)
  const ordersAsked = page.getByRole('dialog', { name: 'Which order is it?' })
  await ordersAsked.getByRole('button', { name: shop.name }).click()
  const none = page.getByRole('dialog', { name: `Order ${order_no} has no open return` })
  await none.getByRole('button', { name: 'Cancel' }).click()
  await field.waitFor()
  await page.keyboard.press('Enter')
  await ordersAsked.getByRole('button', { name: operator.main.name }).click()
  await none.getByRole('button', { name: 'New return' }).click()
  const asked = page.getByRole('dialog', { name: 'New return' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Enter')
  await ordersAsked.getByRole('button', { name: operator.main.name }).click()
  await none.getByRole('button', { name: 'New return' }).click()
  await asked.getByRole('textbox', { name: 'Items of T-shirt' }).fill('1')
  await asked.getByRole('button', { name: 'Announce return' }).click()
  await page.getByRole('heading', { level: 1, name: /^R\d{7}$/ }).waitFor()
  await back()

  // What was never sent cannot come back.
  const unsent = await placeOrder(services.services.database, scopeOfCompany(operator), {})
  await type(unsent.order_no)
  const early = page.getByRole('dialog', { name: `Order ${unsent.order_no} has no open return` })
  await early.getByText('Nothing of this order was sent yet.').waitFor()
  expect(await early.getByRole('button', { name: 'New return' }).isDisabled()).toBe(true)
})

it('says in German what a return is worth, and each step once', async () => {
  const order = await sentOrder()
  const made = await announced(order)
  const page = await services.open(mette, `/returns?id=${made.id}`, {
    station: null,
    language: 'de_DE',
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('button', { name: 'Prüfen' }).first().click()
  const inspection = page.getByRole('dialog', { name: 'T-shirt prüfen' })
  await inspection.getByRole('button', { name: 'Geprüft' }).click()
  await page.getByRole('button', { name: 'Entscheiden' }).first().click()
  const decision = page.getByRole('dialog', { name: 'Was wird aus 1 Stück?' })
  const deduction = decision.getByRole('textbox', { name: 'Abzug für Abnutzung' })
  await deduction.fill('12,5')
  expect(await deduction.inputValue()).toMatch(/^12,5 /)
  await page.keyboard.press('Escape')
  await decision.waitFor({ state: 'detached' })
  // The step beside the title does not stand in the menu too.
  await page
    .getByRole('button', { name: 'Weitere Aktionen' })
    .or(page.getByRole('button', { name: 'Mehr' }))
    .first()
    .click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  expect(await menu.getByRole('menuitem', { name: 'Entscheiden' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  // Date and time of two facts do not run over the edge.
  expect(
    await page
      .locator('dl')
      .first()
      .evaluate(facts => [...facts.querySelectorAll('dd')].filter(one => one.scrollWidth > one.clientWidth).length),
  ).toBe(0)
})

it('asks for the serial number at its field, and takes the one that went out', async () => {
  const order = await sentOrder()
  const serial = `SN-${order.id}`
  await services.services.database.transaction(scopeOfCompany(operator), async db => {
    await db.updateTable('order_lines').set({ serial_required: true }).where('id', '=', order.lines[0]!).execute()
    await db
      .insertInto('order_serials')
      .values({ order_id: order.id, order_line_id: order.lines[0]!, sku_key: 'TS001-WH', serial, serial_key: serial })
      .execute()
  })
  const made = await announced(order)
  const page = await services.open(mette, `/returns?id=${made.id}`, { station: null })
  await page.getByRole('button', { name: 'Inspect' }).first().click()
  const inspection = page.getByRole('dialog', { name: 'Inspect T-shirt' })
  await inspection.getByRole('button', { name: 'Inspected' }).click()
  const field = inspection.getByRole('textbox', { name: 'Serial number' })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await inspection.getByText('Scan the serial number, or say why it cannot be read.').waitFor()
  expect(await inspection.getByRole('alert').count()).toBe(0)
  await field.fill(serial)
  await inspection.getByRole('button', { name: 'Inspected' }).click()
  await inspection.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Items' }).getByText(serial).waitFor()
})

it('asks about the refund of a missing item only until it is denied', async () => {
  const made = await announced(await sentOrder(), 2)
  await mette.send(returns.missing, { id: made.id, item_id: made.items[0]!.id, body: {} })
  const page = await services.open(mette, `/returns?id=${made.id}`, { station: null })
  const asked = page.getByText('1 item is missing. Propose or deny its refund.')
  await asked.waitFor()
  await page.getByRole('button', { name: 'Deny refund' }).click()
  const reason = page.getByRole('dialog', { name: 'Deny refund' })
  await reason.getByRole('textbox', { name: 'Reason' }).fill('Empty box')
  await reason.getByRole('button', { name: 'Deny refund' }).click()
  await page.getByText('Someone has to look at this return').waitFor()
  expect(await asked.count()).toBe(0)
})

it('is worked off at the bench by keys alone: inspected, photographed, restocked with a label, and one item missing', async () => {
  const order = await sentOrder()
  const [line = 0] = order.lines
  const printer = await services.filePrinter(mette)
  const made = await mette.send(returns.create, {
    body: { client_id: randomUUID(), order_id: order.id, items: [{ order_line_id: line, qty: 2, reason: 'does_not_fit' }] },
  })
  await services.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('products')
      .values({ sku: 'BENCH', name: 'T-shirt', weight_g: 200, bin: 'B-02-1' })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) => db.updateTable('return_items').set({ product_id: id }).where('return_id', '=', made.id).execute()),
  )
  const page = await services.open(mette, '/returns/desk', { station: 'Bench 1', labelPrinter: printer })
  await page.getByRole('heading', { name: 'Scan a returned parcel' }).waitFor()
  await picture(page, 'bench-idle')
  await scan(page, made.rma_no)
  await page.getByRole('heading', { name: 'T-shirt' }).waitFor()
  await page.getByRole('region', { name: 'Sent' }).waitFor()
  await picture(page, 'bench-inspect')
  const press = async (key: string) => {
    // A key of a person stands alone.
    await page.waitForTimeout(150)
    await page.keyboard.press(key)
  }
  await press('2')
  await page.getByText('This condition needs a photo: F2').waitFor()
  const chooser = page.waitForEvent('filechooser')
  await press('F2')
  await (await chooser).setFiles({ name: 'worn.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') })
  await page.getByText('What becomes of it?').first().waitFor()
  await picture(page, 'bench-decide')
  await press('Enter')
  await page.getByText('T-shirt · Restock · B-02-1').waitFor()
  await expect
    .poll(
      async () =>
        await services.services.database.transaction(scopeOfCompany(operator), db =>
          db.selectFrom('print_jobs').select(['document', 'title']).where('document', '=', 'put_back').execute(),
        ),
    )
    .toHaveLength(1)
  await press('F8')
  await expect
    .poll(
      async () =>
        (
          await services.services.database.transaction(scopeOfCompany(operator), db =>
            db.selectFrom('print_jobs').select('id').where('document', '=', 'put_back').execute(),
          )
        ).length,
    )
    .toBe(2)
  await page.getByRole('textbox', { name: 'Weight of the box' }).fill('900')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('500 g heavier than its items').waitFor()
  await page.getByRole('heading', { name: 'T-shirt' }).click()
  await press('F4')
  await page.getByRole('heading', { name: 'All items are decided' }).waitFor()
  await picture(page, 'bench-done')
  await press('Enter')
  await page.getByRole('heading', { name: 'Scan a returned parcel' }).waitFor()
  expect((await mette.send(returns.get, { id: made.id })).items.map(({ custody }) => custody).toSorted()).toEqual(['missing', 'restocked'])

  // On a phone the stage stands above the rest, in German and dark.
  const phone = await services.open(mette, `/returns/desk?id=${made.id}`, {
    ...{ station: null, language: 'de_DE', viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
  })
  await phone.getByRole('heading', { name: 'Alles ist entschieden' }).waitFor()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await picture(phone, 'bench-phone-de-dark')
})
