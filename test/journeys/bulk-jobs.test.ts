/** Journey: the office tags all orders of the list after a preview, undoes it in the report, and exports the list. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tags } from '#features/company/tags/tags.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  for (const order_no of ['B-1', 'B-2', 'B-3']) await buildOrder(services.services, scopeOfCompany(operator), { order_no })
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

it('a tag is added, set on all orders after a preview, and taken back from the report', async () => {
  const page = await services.open(boss, '/settings/tags')
  await page.getByText('No tags yet').waitFor()
  await page.getByRole('button', { name: 'Add tag' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New tag' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Urgent')
  await picture(page, 'tag-form')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Urgent', { exact: true }).first().waitFor()
  await picture(page, 'tags')

  const list = await services.open(boss, '/parcels/orders')
  await list.getByRole('link', { name: 'B-3' }).waitFor()
  await list.getByRole('checkbox', { name: 'Select this page' }).check()
  const bar = list.getByRole('toolbar', { name: 'With the selected rows' })
  await bar.getByRole('button', { name: 'Tag' }).click()
  const dialog = list.getByRole('dialog', { name: 'Change tags' })
  await dialog.getByRole('combobox', { name: 'Set tags' }).click()
  await list.getByRole('option', { name: 'Urgent' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('3 orders can be changed.').waitFor()
  await picture(list, 'bulk-preview')
  await dialog.getByRole('button', { name: 'Tag 3 orders' }).click()
  await dialog.getByText('Done: 3. Left alone: 0.').waitFor()
  await picture(list, 'bulk-done')
  expect((await boss.send(tags.list, {})).rows[0]?.orders).toBe(3)
  await dialog.getByRole('link', { name: 'Report and undo' }).click()
  await list.getByRole('heading', { name: 'Change tags', level: 1 }).waitFor()
  await picture(list, 'bulk-report')
  await list.getByRole('button', { name: 'Undo' }).click()
  await list.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await list.getByRole('heading', { name: 'Undo: Change tags', level: 1 }).waitFor()
  await expect.poll(async () => (await boss.send(tags.list, {})).rows[0]?.orders).toBe(0)
})

it('the list is exported as a workbook, which the page of jobs gives again', async () => {
  const page = await services.open(boss, '/parcels/orders')
  await page.getByRole('link', { name: 'B-3' }).waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export orders' })
  await dialog.getByRole('radio', { name: 'Excel (.xlsx)' }).check()
  await picture(page, 'export')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download file' }).click()])
  expect(file.suggestedFilename()).toMatch(/^orders-.*\.xlsx$/)
  await dialog.getByRole('link', { name: 'All jobs' }).click()
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Download file' }).first().waitFor()
  await picture(page, 'jobs')
})
