/** Journey: boxes – the main company adds, changes and removes them, a shop sets its rules. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { elementAt } from '#domain/objects.ts'
import { crateRules } from '#features/catalog/crates/crate-rules.contract.ts'
import { crateTypes } from '#features/catalog/crates/crate-types.contract.ts'
import { crateChoice } from '#features/shipping/crate-choice/crate-choice.contract.ts'
import { buildOrder, buildProduct, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { idle } from './station.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
let owner: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({ shops: 1 })
  const shop = elementAt(operator.shops, 0)
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  owner = await operator.hire(['admin'], shop, 'Ingrid Solberg')
  await buildProduct(services.services, { ...scopeOfCompany(operator, shop), companies: [shop.id] }, { sku: 'VASE-1', name: 'Tall vase' })
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const sides = async (page: Page, group: 'Inside' | 'Outside', values: readonly [number, number, number]) => {
  for (const [axis, side] of (['Length', 'Width', 'Height'] as const).entries())
    await page.getByRole('textbox', { name: `${group}, ${side}` }).fill(String(values[axis]))
}

it('adds a box, says beside the field what is wrong, changes it, and takes its removal back', async () => {
  const page = await services.open(boss, '/settings/crates')
  await page.getByText('No boxes yet').waitFor()
  await page.getByRole('button', { name: 'Add box' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New box' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Box B4')
  await drawer.getByRole('textbox', { name: 'Code', exact: true }).fill('B 4')
  await sides(page, 'Inside', [390, 290, 190])
  await sides(page, 'Outside', [380, 300, 200])
  await drawer.getByRole('textbox', { name: 'Own weight' }).fill('210')
  await drawer.getByRole('textbox', { name: 'Heaviest when packed' }).fill('20000')
  await drawer.getByRole('textbox', { name: 'Cost of one' }).fill('3.40')
  await drawer.getByRole('textbox', { name: 'Stock' }).fill('12')
  await drawer.getByRole('textbox', { name: 'Warn at' }).fill('20')
  await drawer.getByRole('button', { name: 'Add box' }).click()
  await drawer.getByText('Letters, digits, dots, hyphens and underscores, at most 40').waitFor()
  await drawer.getByRole('textbox', { name: 'Code', exact: true }).fill('B4')
  await drawer.getByRole('button', { name: 'Add box' }).click()
  await drawer.getByText('The inner size is larger than the outer size').waitFor()
  await picture(page, 'crates-new')
  await sides(page, 'Outside', [400, 300, 200])
  await drawer.getByRole('button', { name: 'Add box' }).click()
  const opened = page.getByRole('dialog', { name: 'Box', exact: true })
  await opened.getByRole('textbox', { name: 'Cost of one' }).waitFor()
  expect((await boss.send(crateTypes.list, {})).rows).toMatchObject([{ code: 'B4', cost: 340, stock: 12, low_stock: 20 }])

  await opened.getByRole('textbox', { name: 'Stock' }).fill('300')
  await opened.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Box saved').last().waitFor()
  await expect.poll(async () => (await boss.send(crateTypes.list, {})).rows[0]?.stock).toBe(300)

  await opened.getByRole('button', { name: 'Remove box' }).click()
  await page.getByRole('dialog', { name: 'Remove Box B4?' }).getByRole('button', { name: 'Remove box' }).click()
  await page.getByText('No boxes yet').waitFor()
  await page.getByText('Box B4 removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('link', { name: 'Box B4' }).waitFor()
  await picture(page, 'crates-list')
})

it('tries which box is suggested for products, with a drawing and what is against the others', async () => {
  const sizes = { weight_g: 300, length_mm: 120, width_mm: 120, height_mm: 90 }
  await buildProduct(
    services.services,
    { ...scopeOfCompany(operator), companies: [operator.main.id] },
    { sku: 'BOWL', name: 'Serving bowl', ...sizes },
  )
  await boss.send(crateTypes.create, {
    body: {
      ...{ name: 'Box L', code: 'L', tare_g: 700, max_g: 30_000, cost: 900, currency: 'DKK' },
      inner_mm: [590, 390, 380],
      outer_mm: [600, 400, 390],
    },
  })
  const page = await services.open(boss, '/settings/crates?tab=try')
  await page.getByRole('button', { name: 'Suggest a box' }).click()
  await page.getByText('Fill this in').waitFor()
  await page.getByText('Products', { exact: true }).last().click()
  await page.getByRole('combobox', { name: 'Product' }).fill('BOWL')
  await page.getByLabel('Quantity').fill('9')
  await press(page, 'Enter')
  const answer = page.getByRole('region', { name: 'Suggestion' })
  await answer.getByText(/^Box B4: \d+\s?% full, 2\.91 kg$/).waitFor()
  await answer.getByRole('img', { name: 'Box B4, 9 items' }).waitFor()
  await answer.getByText('Box L: It costs more').waitFor()
  await picture(page, 'crates-try')
  await answer.getByRole('button', { name: 'Previous layer' }).click()
  await answer.getByText('Layer 1 of 2').waitFor()
  await page.getByText('An order', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Order number' }).fill('unknown')
  await press(page, 'Enter')
  await page.getByText('Order not found').waitFor()
})

it('shows the suggested box at the station in one line, and how to pack it', async () => {
  const packer = await operator.hire(['scan'], operator.main, 'Kim Lund')
  const order = await buildOrder(
    services.services,
    { ...scopeOfCompany(operator), companies: [operator.main.id] },
    { lines: [{ external_id: '1', sku: 'BOWL', name: 'Serving bowl', qty: '9', unit_price_excl_vat: '10.00' }] },
  )
  const page = await services.open(packer, '/', { station: 'Bench 4' })
  await idle(page)
  await scan(page, `${operator.main.id}:${order.id}`)
  const line = page.getByRole('region', { name: 'Box' })
  await line.getByText('Box B4', { exact: true }).waitFor()
  await line.getByText(/^54\s?% full · 2\.91 kg$/).waitFor()
  await picture(page, 'crates-station')
  await line.getByRole('button', { name: 'How to pack it' }).click()
  await line.getByRole('img', { name: 'Box B4, 9 items' }).waitFor()
  await picture(page, 'crates-station-pile')

  await scan(page, 'CRL')
  await line.getByText('Box L', { exact: true }).waitFor()
  await line.getByText('Scanned').waitFor()
  await page.getByText('Parcel 1 goes out in Box L').waitFor()
  await picture(page, 'crates-station-scanned')
  for (let piece = 0; piece < 9; piece++) await scan(page, 'BOWL')
  await expect.poll(async () => (await boss.send(crateChoice.report, {})).totals.parcels).toBe(1)
  const office = await services.open(boss, '/settings/crates?tab=report')
  const row = office.getByRole('row', { name: /Box B4.*Box L/ })
  await row.waitFor()
  await office.getByText(/^In the suggested box: 0 of 1 \(0\s?%\)$/).waitFor()
  await picture(office, 'crates-report')
})

it('suggests a box for what is left once a parcel is full', async () => {
  const packer = await operator.hire(['scan'], operator.main, 'Ole Berg')
  const order = await buildOrder(
    services.services,
    { ...scopeOfCompany(operator), companies: [operator.main.id] },
    { lines: [{ external_id: '1', sku: 'BOWL', name: 'Serving bowl', qty: '9', unit_price_excl_vat: '10.00' }] },
  )
  const page = await services.open(packer, '/', { station: 'Bench 5' })
  await idle(page)
  await scan(page, `${operator.main.id}:${order.id}`)
  const line = page.getByRole('region', { name: 'Box' })
  await line.getByText(/^54\s?% full · 2\.91 kg$/).waitFor()
  await scan(page, 'BOWL')
  await scan(page, 'CMD:NEXT')
  await page.getByText(/^Parcel 2 begins/).waitFor()
  await line.getByText(/^48\s?% full · 2\.61 kg$/).waitFor()
})

it('lets a shop read boxes, and set, change and remove rules of its products', async () => {
  const page = await services.open(owner, '/settings/crates')
  await page.getByRole('link', { name: 'Box B4' }).click()
  const drawer = page.getByRole('dialog', { name: 'Box', exact: true })
  await expect.poll(() => drawer.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
  expect(await drawer.getByRole('button', { name: 'Remove box' }).count()).toBe(0)
  await press(page, 'Escape')
  await drawer.waitFor({ state: 'detached' })

  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByText('No product has a box rule yet').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  const form = page.getByRole('dialog', { name: 'New rule' })
  await form
    .getByRole('combobox', { name: 'Product' })
    .or(form.getByRole('textbox', { name: 'Product' }))
    .first()
    .fill('tall')
  await page.getByRole('option', { name: 'VASE-1' }).click()
  await form.getByRole('button', { name: 'Add rule' }).click()
  await form.getByText('Select the box of this rule').waitFor()
  await form.getByRole('combobox', { name: 'Box', exact: true }).selectOption({ label: 'Box B4 (CRB4)' })
  await picture(page, 'crates-rule')
  await form.getByRole('button', { name: 'Add rule' }).click()
  const grid = page.getByRole('grid')
  await grid.getByText('Only in this box: Box B4').waitFor()

  await grid.getByRole('button', { name: 'VASE-1' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit rule' })
  await edit.getByRole('combobox', { name: 'Rule' }).selectOption({ label: 'Each item in a box of its own' })
  await edit.getByRole('button', { name: 'Save' }).click()
  await grid.getByText('Each item in a box of its own').waitFor()
  expect((await owner.send(crateRules.list, {})).rows).toMatchObject([{ sku: 'VASE-1', kind: 'alone', crate: null }])

  await page.goto(`${new URL(page.url()).origin}/parcels/products?query=vase`)
  // What is missing to begin with stands above the list, and moves it.
  await page.getByText('Labels cannot be made yet').waitFor()
  await page.getByRole('link', { name: 'VASE-1' }).click()
  const rules = page.getByRole('region', { name: 'Box rules' })
  await rules.getByText('Each item in a box of its own').waitFor()
  await rules.getByRole('link', { name: 'Edit' }).click()
  await grid.getByRole('button', { name: 'VASE-1' }).click()
  await edit.getByRole('button', { name: 'Remove rule' }).click()
  await page.getByRole('dialog', { name: 'Remove the rule of Tall vase?' }).getByRole('button', { name: 'Remove rule' }).click()
  await expect.poll(async () => (await owner.send(crateRules.list, {})).total).toBe(0)
  await page.getByText('Rule of VASE-1 removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await owner.send(crateRules.list, {})).total).toBe(1)
})
