/** Journey: an entry of a list is changed and removed by one person, and another sees who did it and brings it back. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tags } from '#features/company/tags/tags.contract.ts'
import { tagRules } from '#features/orders/tag-rules/tag-rules.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
let office: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  office = await operator.hire(['settings_admin'], operator.main, 'Olav Berg')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

it('a removed tag and its rule come back from the history of settings', async () => {
  const tag = await boss.send(tags.create, { body: { name: 'Fragile' } })
  const renamed = await office.send(tags.update, { id: tag.id, body: { name: 'Fragile glass', color: 'c3', version: tag.version } })
  const conditions = { v: 1 as const, all: [{ field: 'order.shop', op: 'eq', value: 'main' }] }
  const rule = await boss.send(tagRules.create, { body: { tag_id: tag.id, conditions } })
  const narrower = { v: 1 as const, all: [{ field: 'order.shop', op: 'eq', value: 'outlet' }] }
  await office.send(tagRules.update, { id: rule.id, body: { tag_id: tag.id, conditions: narrower, version: rule.version } })
  await office.send(tags.remove, { id: renamed.id })

  const page = await services.open(boss, '/settings/changes')
  await page.getByText('Fragile glass').first().waitFor()
  await picture(page, 'set-back-lists')
  const actions = async (name: RegExp, place = 0) => {
    const row = page.getByRole('row', { name }).nth(place)
    await row.hover()
    await row.getByRole('button', { name: 'Actions' }).click()
  }
  // The rule went with its tag, so the tag comes first.
  await actions(/^Tag .*Fragile glass.*Olav Berg/)
  await page.getByRole('menuitem', { name: 'Bring Fragile glass back' }).click()
  await expect.poll(async () => (await boss.send(tags.list, {})).rows.map(row => row.name)).toEqual(['Fragile glass'])
  await actions(/^Tag rule .*Olav Berg/)
  await picture(page, 'set-back-menu')
  await page.getByRole('menuitem', { name: 'Bring Fragile glass back' }).click()
  await expect.poll(async () => (await boss.send(tagRules.list, {})).rows.map(row => row.tag)).toEqual(['Fragile glass'])

  for (const [name, more] of [
    ['set-back-de-phone', { language: 'de_DE', viewport: { width: 390, height: 844 } }],
    ['set-back-de-dark', { language: 'de_DE', viewport: { width: 1024, height: 768 }, colorScheme: 'dark' }],
  ] as const) {
    const other = await services.open(boss, '/settings/changes', { station: null, ...more })
    await other.getByText('Fragile glass').first().waitFor()
    expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(more.viewport.width)
    await picture(other, name)
  }
})
