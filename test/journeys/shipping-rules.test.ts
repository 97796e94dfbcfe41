/** Journey: a rule for the shipping method is written with the keyboard, previewed, saved, and the next order goes by it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { methodRules } from '#features/shipping/shipping-methods/method-rules.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  lead = await operator.hire(['admin'], operator.main, 'Mette Friis')
  for (const method of ['van', 'pickup']) await lead.send(shippingMethods.setActive, { active: 'true', agent_code: 'own', method })
})
afterAll(() => services?.close())

const order = (order_no: string, country: string) => {
  const ship_to = { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0150', city: 'Oslo', country }
  return buildOrder(services.services, scopeOfCompany(operator), { order_no, ship_to })
}

it('writes a rule, sees what it would have met, and the next order gets its method', async () => {
  await order('N1', 'NO')
  await order('D1', 'DK')
  const page = await services.open(lead, '/settings/shipping-config')
  await page.getByRole('button', { name: 'Add rule' }).click()
  const drawer = page.getByRole('dialog', { name: 'New rule' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('To Norway')
  await drawer.getByText('Without a condition every order is met.').waitFor()
  await drawer.getByText('Would have met 2 of 2 orders in 30 days').waitFor()

  await drawer.getByRole('button', { name: 'Add condition', exact: true }).click()
  const country = drawer.getByRole('group', { name: 'Country', exact: true })
  await drawer.getByRole('button', { name: 'Save' }).click()
  await country.getByText('Select a country').waitFor()
  await country
    .getByRole('combobox', { name: 'Value' })
    .or(country.getByRole('textbox', { name: 'Value' }))
    .first()
    .fill('Norw')
  await page.getByRole('option', { name: 'Norway' }).click()
  await drawer.getByText('Country is Norway', { exact: true }).waitFor()
  await drawer.getByText('Would have met 1 of 2 orders in 30 days').waitFor()
  await drawer.getByRole('link', { name: 'N1' }).waitFor()

  // Enter in a value adds the next row; Ctrl+Backspace removes it again.
  await country.getByRole('combobox', { name: 'Comparison' }).press('Enter')
  await expect.poll(() => drawer.getByRole('group', { name: 'Country', exact: true }).count()).toBe(2)
  await press(page, 'Escape')
  await press(page, 'Control+Backspace')
  await expect.poll(() => drawer.getByRole('group', { name: 'Country', exact: true }).count()).toBe(1)

  await drawer
    .getByRole('combobox', { name: 'Shipping method' })
    .or(drawer.getByRole('textbox', { name: 'Shipping method' }))
    .first()
    .click()
  await page.getByRole('option', { name: /Collect in shop/ }).click()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('To Norway → Collect in shop').waitFor()
  expect((await lead.send(methodRules.list, {})).map(rule => rule.conditions)).toEqual([
    { v: 1, all: [{ field: 'ship.country', op: 'eq', value: 'NO' }] },
  ])

  const { id } = await order('N2', 'NO')
  const details = await services.open(lead, `/parcels/orders?id=${id}`)
  await details.getByText('Chosen by rule 1: country is Norway').waitFor()
})

it('asks before it throws away a changed rule, looks back 30 or 90 days, and Esc leaves an unchanged one', async () => {
  const page = await services.open(lead, '/settings/shipping-config')
  const edit = page.getByRole('button', { name: 'Edit rule 1' })
  const drawer = page.getByRole('dialog', { name: 'Edit rule' })
  await edit.click()
  await drawer.getByText('in 30 days').waitFor()
  await drawer.getByText('90 days', { exact: true }).click()
  await drawer.getByText('in 90 days').waitFor()
  await press(page, 'Escape')
  await drawer.waitFor({ state: 'hidden' })

  await edit.click()
  await drawer.getByRole('textbox', { name: 'Name' }).fill('To Oslo')
  await press(page, 'Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.waitFor()
  await press(page, 'Escape')
  await question.waitFor({ state: 'hidden' })
  expect(await drawer.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('To Oslo')
  await press(page, 'Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await drawer.waitFor({ state: 'hidden' })
  expect((await lead.send(methodRules.list, {}))[0]?.name).toBe('To Norway')
})
