/** Journey: a serial number leads to its order and customer, and a range of them to everyone who has one. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'

let services: JourneyApp
beforeAll(async () => {
  services = await openJourneyApp()
})
afterAll(() => services?.close())

it('finds a scanned serial number, opens its facts, and saves the recall list of its product', async () => {
  const operator = await services.operator()
  const clerk = await operator.hire(['sn_admin', 'parcels'], operator.main, 'Ida Krag')
  const lamp = { sku: 'LAMP-1', name: 'Head lamp', qty: 1, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }
  const orders: number[] = []
  for (const [nth, name] of ['Lene Hansen', 'Bo Lind'].entries()) {
    const placed = await placeOrder(services.services.database, scopeOfCompany(operator), {
      order_no: `710${nth}`,
      lines: [lamp],
      ship_to: { name },
    })
    orders.push(placed.id)
    await clerk.send(packing.addSerial, { identifier: `HL-90${nth}`, order_item_id: placed.lines[0] ?? 0 })
  }

  const page = await services.open(clerk, '/serials')
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'HL-90' })
  await expect.poll(() => rows.count()).toBe(2)
  await scan(page, 'HL-901')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByText('HL-901').click()
  const facts = page.getByRole('dialog', { name: 'Serial number' })
  await facts.getByText('Bo Lind').waitFor()
  await facts.getByRole('link', { name: '7101' }).waitFor()
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, 'serial.png') })
  await press(page, 'Escape')

  await page.getByRole('button', { name: 'Recall' }).click()
  const recall = page.getByRole('dialog', { name: 'Recall' })
  await recall.getByRole('textbox', { name: 'SKU' }).fill('lamp-1')
  await recall.getByText('Serial numbers: 2. Orders: 2.').waitFor()
  await recall.getByRole('textbox', { name: 'First serial number' }).fill('HL-901')
  await recall.getByText('Serial numbers: 1. Orders: 1.').waitFor()
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, 'recall.png') })
  const [download] = await Promise.all([page.waitForEvent('download'), recall.getByRole('button', { name: 'Save recall list' }).click()])
  const file = await readFile(await download.path(), 'utf8')
  expect(file).toContain('7101,HL-901,LAMP-1,Head lamp,Bo Lind')
  expect(file).not.toContain('HL-900')

  await recall.getByRole('button', { name: 'Write message' }).click()
  const message = page.getByRole('dialog', { name: 'Write message' })
  await message
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Hi {{ first_name }}, please do not use the lamp of order {{ order_no }}.')
  await message.getByText('Hi Bo, please do not use the lamp of order 7101.').waitFor()
  await message.getByRole('button', { name: 'Send 1 message', exact: true }).click()
  await message.waitFor({ state: 'hidden' })
  const [first, second] = orders
  expect((await clerk.send(messages.thread, { id: second ?? 0 })).rows).toMatchObject([{ text: expect.stringContaining('order 7101') }])
  expect((await clerk.send(messages.thread, { id: first ?? 0 })).rows).toEqual([])
})

it('reads a serial number from a longer code by the steps of a rule, tried before it is saved', async () => {
  const operator = await services.operator()
  const clerk = await operator.hire(['sn_admin'], operator.main, 'Ida Krag')
  const page = await services.open(clerk, '/settings/serial-number-config')
  await page.getByRole('button', { name: 'Add rule' }).click()
  const form = page.getByRole('dialog', { name: 'Add rule' })
  await form.getByRole('textbox', { name: 'SKU, barcode' }).fill('LAMP-1')
  await form.getByRole('textbox', { name: 'Pattern' }).fill('[a-z][0-9]{10,12}')
  await form.getByRole('textbox', { name: 'Try a code' }).fill('SN:a1234567890;LOT7')
  await form.getByText('SN:a1234567890;LOT7 does not fit the pattern').waitFor()
  await form.getByRole('button', { name: 'Add step' }).click()
  await form.getByText('SN:a1234567890 does not fit the pattern').waitFor()
  await form.getByRole('button', { name: 'Add step' }).click()
  await form.getByRole('combobox', { name: 'Step 2' }).selectOption('position')
  await form.getByRole('textbox', { name: 'From' }).fill('4')
  await form.getByText('Serial number a1234567890: it fits').waitFor()
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, 'serial-rule.png') })
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('gridcell', { name: 'part 1 at “;”, from character 4' }).waitFor()
})
