/** Journey: a rule holds a piece back at the station; a lead approves with PIN, or from another screen. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { approvalRules } from '#features/packing/approval/approval.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { type PlacedOrder, placeOrder } from '../orders.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { idle } from './station.ts'

let services: JourneyApp
beforeAll(async () => {
  services = await openJourneyApp()
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const lamp = {
  sku: 'LAMP',
  barcode: '2000000000022',
  name: 'Head lamp',
  qty: 3,
  weight_g: 200,
  unit_price_excl_vat: '80.00',
  vat_percent: '25',
}

it('asks before a held piece is counted, and counts it after the answer of a lead at the station or elsewhere', async () => {
  const operator = await services.operator()
  const kim = await operator.hire(['scan'], operator.main, 'Kim')
  const jonas = await operator.hire(['scan_admin', 'parcels'], operator.main, 'Jonas Holm')
  const boss = await operator.hire(['admin'], operator.main, 'Astrid')
  await boss.send(credentials.setPin, { id: jonas.user_id, body: { pin: '4711' } })
  await boss.send(approvalRules.set, {
    body: {
      name: 'A lead looks at lamps',
      conditions: { v: 1, all: [{ lines: 'some', match: { field: 'line.sku', op: 'eq', value: 'LAMP' } }] },
      subject: 'line',
      methods: ['pin', 'badge', 'remote'],
      approver_codes: ['scan_admin'],
    },
  })
  const orders: PlacedOrder[] = []
  for (let nth = 0; nth < 2; nth++) orders.push(await placeOrder(services.services.database, scopeOfCompany(operator), { lines: [lamp] }))

  const page = await services.open(kim, '/', { station: 'Bench 4' })
  const lead = await services.open(jonas, '/parcels/orders')
  const at = async (nth: number) => scan(page, `${orders[nth]?.company_id}:${orders[nth]?.id}`)
  const stage = page.getByText('Approval needed', { exact: true })

  await idle(page)
  await at(0)
  await page.getByText('Head lamp', { exact: true }).first().waitFor()
  await scan(page, lamp.barcode)
  await stage.waitFor()
  // Every way to answer is in sight, above the line of the last answer.
  const bottoms = ['OK', 'Ask a lead'].map(async name => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  })
  expect(Math.max(...(await Promise.all(bottoms)))).toBeLessThan(780)
  await picture(page, 'approval-station')
  await page.getByRole('textbox', { name: 'PIN' }).fill('4711')
  await page.getByRole('button', { name: 'OK' }).click()
  await stage.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText(/1\s*\/\s*3|1 of 3/).count()).toBeGreaterThan(0)

  await at(1)
  await page.getByText(/Scan again to switch/).waitFor()
  await at(1)
  await page.getByText(`Order ${orders[1]?.order_no}`).first().waitFor()
  await page.getByText('0 of 3 packed').waitFor()
  await scan(page, lamp.barcode)
  await stage.waitFor()
  await page.getByRole('button', { name: 'Ask a lead' }).click()
  await page.getByRole('timer').waitFor()
  const question = lead.getByRole('region', { name: 'Approvals' })
  await question.getByText('A lead looks at lamps').waitFor()
  await picture(lead, 'approval-lead')
  await question.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Jonas Holm rejected it.').waitFor()
  await picture(page, 'approval-refused')
  await page.getByRole('button', { name: 'Ask a lead' }).click()
  await question.getByRole('button', { name: 'Approve' }).click()
  await stage.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText(/1\s*\/\s*3|1 of 3/).count()).toBeGreaterThan(0)
  await question.waitFor({ state: 'detached' })

  const settings = await services.open(boss, '/settings/approval')
  // Above the list its name stands in what was changed last.
  const rule = settings.getByRole('grid').getByText('A lead looks at lamps')
  await rule.waitFor()
  await picture(settings, 'approval-rules')
  await rule.click()
  await settings.getByRole('dialog', { name: 'Edit rule' }).getByText('How it is approved').waitFor()
  await picture(settings, 'approval-rule')
  await press(settings, 'Escape')
  await settings.getByRole('tab', { name: 'Log' }).click()
  await expect.poll(() => settings.getByRole('grid').getByText('Rejected').count()).toBe(1)
  await picture(settings, 'approval-log')
})

it('lets a lead elsewhere approve that an order is taken over, and shows the totals above the log', async () => {
  const operator = await services.operator()
  const kim = await operator.hire(['scan'], operator.main, 'Kim')
  const lis = await operator.hire(['scan'], operator.main, 'Lis')
  const jonas = await operator.hire(['scan_admin', 'parcels'], operator.main, 'Jonas Holm')
  const order = await placeOrder(services.services.database, scopeOfCompany(operator), { lines: [lamp] })
  await kim.send(packing.start, { id: order.id, body: { station: 'Bench 4' } })

  const page = await services.open(lis, '/', { station: 'Bench 5' })
  await idle(page)
  await scan(page, `${order.company_id}:${order.id}`)
  await page.getByText('Kim').first().waitFor()
  await press(page, 'Enter')
  const question = page.getByText('Take this order over?', { exact: true })
  await question.waitFor()
  const alone = page.getByText('No lead is signed in at a screen right now.')
  await alone.waitFor()
  await picture(page, 'approval-no-lead')
  const lead = await services.open(jonas, '/parcels/orders')
  await alone.waitFor({ state: 'detached' })
  const corner = lead.getByRole('region', { name: 'Approvals' })
  await page.getByRole('button', { name: 'Ask a lead' }).click()
  await page.getByRole('timer').waitFor()
  await corner.getByText('Take this order over?').waitFor()
  await picture(page, 'approval-act-station')
  await picture(lead, 'approval-act-lead')
  await corner.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Jonas Holm rejected it.').waitFor()
  await page.getByRole('button', { name: 'Ask again' }).click()
  await corner.getByRole('button', { name: 'Approve' }).click()
  await question.waitFor({ state: 'detached' })
  await page.getByText('0 of 3 packed').waitFor()

  const log = await services.open(jonas, '/settings/approval?tab=log')
  await log.getByText('2 asked · 1 rejected').click()
  await log
    .getByRole('row', { name: /Lis.*Order taken over.*2.*1.*1/ })
    .first()
    .waitFor()
  await picture(log, 'approval-totals')
})
