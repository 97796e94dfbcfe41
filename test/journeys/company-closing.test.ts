/** Journey: the main company exports everything of a company, closes it once nothing is open, and opens it again. */
import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let testApp: JourneyApp
let operator: TestOperator
let shop: BuiltCompany
let boss: TestUser
const password = 'The crane in the harbour 7'
beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator({ shops: 1, settings: { locale: 'en_GB' } })
  shop = operator.shops[0] as BuiltCompany
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  const password_hash = await hashPassword(password)
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('users').set({ password_hash }).where('id', '=', boss.user_id).execute(),
  )
})
afterAll(() => testApp?.close())

it('an archive of a company is fetched, and the company is closed when its last order has ended', async () => {
  const scope = { ...scopeOfCompany(operator, shop), companies: [shop.id] }
  const order = await placeOrder(testApp.services.database, scope, {})
  const page = await testApp.open(boss, '/settings/global-config')
  await page.getByRole('link', { name: shop.name, exact: true }).click()
  await page.getByRole('heading', { name: shop.name, exact: true }).waitFor()
  await page.getByRole('link', { name: '1 open order' }).waitFor()
  expect(await page.getByRole('button', { name: 'Close company' }).isDisabled()).toBe(true)

  await page.getByRole('button', { name: 'Export everything' }).click()
  const asking = page.getByRole('dialog', { name: `Export everything of ${shop.name}` })
  await asking.getByRole('textbox', { name: 'Your password' }).fill('guessed')
  await asking.getByRole('button', { name: 'Start export' }).click()
  await asking.getByText('This is not your present password').waitFor()
  await asking.getByRole('textbox', { name: 'Your password' }).fill(password)
  await asking.getByRole('button', { name: 'Start export' }).click()
  await asking.waitFor({ state: 'detached' })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^company-.+\.zip$/)
  expect((await stat(await file.path())).size).toBeGreaterThan(1_000)

  await testApp.services.database.transaction(scope, db => db.deleteFrom('orders').where('id', '=', order.id).execute())
  await page.reload()
  await page.getByText('Nothing is open: the company can be closed.').waitFor()
  await page.getByRole('button', { name: 'Close company' }).click()
  const closing = page.getByRole('dialog', { name: `Close ${shop.name}?` })
  await closing.getByRole('textbox', { name: `Type the code ${shop.code}` }).fill('another')
  await closing.getByRole('textbox', { name: 'Reason' }).fill('The contract ended')
  await closing.getByRole('textbox', { name: 'Your password' }).fill(password)
  await closing.getByRole('button', { name: 'Close company' }).click()
  await closing.getByText('This is not the code of the company').waitFor()
  await closing.getByRole('textbox', { name: `Type the code ${shop.code}` }).fill(shop.code)
  await closing.getByRole('button', { name: 'Close company' }).click()
  await page.getByText('The contract ended').waitFor()

  await page.getByRole('button', { name: 'Open again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open again' }).click()
  await page.getByText('Nothing is open: the company can be closed.').waitFor()
})
