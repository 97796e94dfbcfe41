/** Rules for serial numbers: set, matched whole, and never able to hold the server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { serialRule } from './serial-numbers.queries.ts'

let testApp: TestApp
let operator: TestOperator
let manager: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  manager = await operator.hire(['sn_admin'])
})
afterAll(() => testApp.close())
const scope = () => ({ ...scopeOfCompany(operator), companies: [operator.main.id] })
const rule = (sku: string, barcodes: string[]) =>
  testApp.services.database.transaction(scope(), db => serialRule(db, operator.main.id, { sku, barcodes }))

describe('a rule', () => {
  it('is set for a barcode, replaced by a second one, and removed', async () => {
    await buildProduct(testApp.services, scope(), { sku: 'LAMP', name: 'Head lamp', barcodes: ['2000000000015'] })
    const set = await manager.send(serialNumbers.update, { regex: 'SN[0-9]{6}', barcode: '2000000000015' })
    expect(set).toMatchObject({ regex: 'SN[0-9]{6}', barcode: '2000000000015', product: 'Head lamp' })
    expect((await rule('LAMP', ['2000000000015']))?.matches('SN123456')).toBe(true)
    expect(await manager.send(serialNumbers.update, { regex: 'X[0-9]/[0-9]+', barcode: '2000000000015' })).toMatchObject({
      id: set.id,
      regex: 'X[0-9]/[0-9]+',
    })
    expect((await manager.send(serialNumbers.checks, {})).rows).toHaveLength(1)
    await manager.send(serialNumbers.remove, { id: set.id })
    expect(await rule('LAMP', ['2000000000015'])).toBeNull()
    await expect(manager.send(serialNumbers.remove, { id: set.id })).rejects.toMatchObject({ status: 404 })
  })

  it('is matched whole, by SKU as well', async () => {
    await manager.send(serialNumbers.update, { regex: 'SN[0-9]{6}', barcode: 'CLOCK' })
    const found = await rule('CLOCK', [])
    expect(found?.matches('SN123456')).toBe(true)
    expect(found?.matches('SN1234567')).toBe(false)
    expect(found?.matches('xSN123456')).toBe(false)
  })

  it.each(['(a', '(?=a)b', '(a)\\1', '[z-a]'])('with the pattern %s is refused in words', async regex => {
    await expect(manager.send(serialNumbers.update, { regex, barcode: 'X' })).rejects.toMatchObject({
      status: 422,
      fields: { regex: expect.any(String) },
    })
  })

  it.each(['(a+)+', '([a-zA-Z0-9]+\\s?)*', '(x+x+)+y'])('with the pattern %s, which hangs others, answers at once', async regex => {
    await manager.send(serialNumbers.update, { regex, barcode: 'EVIL' })
    const found = await rule('EVIL', [])
    const effort = measureCpu()
    found?.matches(`${'a'.repeat(4_000)}!`)
    expect(effort()).toBeLessThan(500)
  })

  it('belongs to its company and needs a right', async () => {
    const other = await operator.hire(['sn_admin'], operator.shops[0])
    expect((await other.send(serialNumbers.checks, {})).rows).toEqual([])
    const clerk = await operator.hire(['parcels'])
    expect((await clerk.ask(serialNumbers.update, { regex: 'a', barcode: 'b' })).statusCode).toBe(403)
    await expect(manager.send(serialNumbers.checks, { company: operator.shops[0]!.code })).rejects.toMatchObject({ status: 404 })
  })
})

it('finds serials by how they begin, the newest first', async () => {
  const order = await buildOrder(testApp.services, scope())
  await testApp.services.database.transaction(scope(), db =>
    db
      .insertInto('order_serials')
      .values(['SN-1', 'SN-2', 'XX%'].map(serial => ({ order_id: order.id, order_line_id: order.line_ids[0]!, sku_key: 'TS-1', serial })))
      .execute(),
  )
  const found = async (q: string) => (await manager.send(serialNumbers.search, { q })).rows.map(row => row.serial)
  expect(await found('SN')).toEqual(['SN-2', 'SN-1'])
  expect(await found('%')).toEqual([])
  expect((await manager.send(serialNumbers.list, {})).rows[0]).toMatchObject({
    serial: 'XX%',
    order_no: order.order_no,
    product: 'T-shirt',
  })
})
