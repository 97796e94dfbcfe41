/** A new company is led to its first parcel; what is done is read from what there is. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { firstSteps } from './first-steps.contract.ts'
import type { FirstSteps } from './first-steps.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { packing_ip_pattern: '' } })
  admin = await operator.hire(['admin'])
})
afterAll(() => testApp.close())

const done = async (who = admin) => {
  const all: FirstSteps = await who.send(firstSteps.get, {})
  return Object.entries(all).flatMap(([step, yes]) => (yes ? [step] : []))
}
const configure = async (change: object) => {
  const { version } = await admin.send(company.config, {})
  await admin.send(company.setConfig, { body: { version, ...change } })
}

it('counts each step as done once what it asks for is there, and no sooner', async () => {
  expect(await done()).toEqual([])

  await configure({ sender })
  expect(await done()).toEqual(['sender'])

  await configure({ packing_ip_pattern: '203\\.0\\.113\\.9', packing_ip_confirmed: true })
  expect(await done()).toEqual(['sender'])
  await configure({ packing_ip_pattern: '127\\.0\\.0\\.1' })
  expect(await done()).toEqual(['sender', 'network'])

  const [method] = await admin.send(shippingMethods.list, {})
  const { agent_code, shipping_method } = method as { agent_code: string; shipping_method: string }
  await admin.send(shippingMethods.setActive, { agent_code, method: shipping_method, active: 'true' })
  expect(await done()).toEqual(['sender', 'network', 'shipping_method'])

  await operator.hire(['scan'])
  expect(await done()).toEqual(['sender', 'network', 'shipping_method', 'people'])

  const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
  await buildProduct(testApp.services, scope, { sku: 'WITHOUT' })
  expect(await done()).not.toContain('products')
  await buildProduct(testApp.services, scope, { sku: 'WITH', barcodes: ['5700000000010'] })
  expect(await done()).toContain('products')

  const { id } = await placeOrder(testApp.services.database, scope, { agent_code, shipping_method })
  expect(await done()).toEqual(['sender', 'network', 'shipping_method', 'people', 'products', 'orders'])

  await admin.send(packing.start, { id, body: { station: 'Bench 1' } })
  await admin.send(packing.bypass, { id, body: { reason: 'Nothing to scan' } })
  expect(await done()).not.toContain('packed')
  const { printers: known } = await admin.send(printers.list, {})
  const label_printer_id = known.find(one => one.paper === 'label')?.id ?? null
  expect(await admin.send(packing.close, { id, body: { label_printer_id } })).toMatchObject({ outcome: 'labelled' })
  expect(await done()).toHaveLength(7)
})

it('shows each company its own steps alone', async () => {
  const owner = await operator.hire(['admin'], operator.shops[0])
  expect(await done(owner)).toEqual([])
})

it('forgets colleagues who have left', async () => {
  const other = await testApp.operator()
  const [first, second] = [await other.hire(['admin']), await other.hire(['scan'])]
  expect(await done(first)).toContain('people')
  await first.send(users.remove, { id: second.user_id })
  expect(await done(first)).not.toContain('people')
})

it('is for anyone who may change settings', async () => {
  expect((await (await operator.hire(['scan'])).ask(firstSteps.get, {})).statusCode).toBe(403)
})
