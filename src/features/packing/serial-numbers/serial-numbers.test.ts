/** Rules for serial numbers: set, matched whole, and never able to hold the server. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import { scansOnce, textsOf } from '#test/statement-plans.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { findSerials, serialPolicy } from './serial-numbers.queries.ts'
import { readSetting, scopeKey, serialKey } from './serial-numbers.rules.ts'

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
const rule = async (sku: string) =>
  testApp.services.database.transaction(scope(), async db => {
    const { id } = await db.selectFrom('products').select('id').where('sku', '=', sku).executeTakeFirstOrThrow()
    return (await serialPolicy(db, operator.main.id, [id])).rules.get(id)
  })

describe('a rule', () => {
  it('is set for a barcode, replaced by a second one, and removed', async () => {
    await buildProduct(testApp.services, scope(), { sku: 'LAMP', name: 'Head lamp', barcodes: ['2000000000015'] })
    const set = await manager.send(serialNumbers.update, { regex: 'SN[0-9]{6}', barcode: '2000000000015' })
    expect(set).toMatchObject({ regex: 'SN[0-9]{6}', barcode: '2000000000015', product: 'Head lamp' })
    expect((await rule('LAMP'))?.matches('SN123456')).toBe(true)
    expect(await manager.send(serialNumbers.update, { regex: 'X[0-9]/[0-9]+', barcode: '2000000000015' })).toMatchObject({
      id: set.id,
      regex: 'X[0-9]/[0-9]+',
    })
    expect((await manager.send(serialNumbers.checks, {})).rows).toHaveLength(1)
    await manager.send(serialNumbers.remove, { id: set.id })
    expect(await rule('LAMP')).toBeUndefined()
    await expect(manager.send(serialNumbers.remove, { id: set.id })).rejects.toMatchObject({ status: 404 })
  })

  it('is matched whole, by SKU as well', async () => {
    await buildProduct(testApp.services, scope(), { sku: 'CLOCK', name: 'Clock' })
    await manager.send(serialNumbers.update, { regex: 'SN[0-9]{6}', barcode: 'CLOCK' })
    const found = await rule('CLOCK')
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
    await manager.send(serialNumbers.update, { regex, barcode: 'CLOCK' })
    const found = await rule('CLOCK')
    const effort = measureCpu()
    found?.matches(`${'a'.repeat(4_000)}!`)
    expect(effort()).toBeLessThan(500)
  })

  it('reads serial numbers out of longer codes, and keeps its steps when only the pattern is set again', async () => {
    const extract = JSON.stringify([{ kind: 'part', separator: ';', part: -1 }])
    const set = await manager.send(serialNumbers.update, { regex: 'E[0-9]+', barcode: 'EXTRACT-1', extract })
    expect(set.extract).toEqual([{ kind: 'part', separator: ';', part: -1 }])
    expect((await manager.send(serialNumbers.update, { regex: 'E[0-9]+', barcode: 'EXTRACT-2' })).extract).toHaveLength(1)
    for (const wrong of ['no JSON', '{}', '[{"kind":"part","separator":";","part":0}]', '[{"kind":"position","start":0}]'])
      await expect(manager.send(serialNumbers.update, { regex: 'E[0-9]+', barcode: 'EXTRACT-1', extract: wrong })).rejects.toMatchObject({
        status: 422,
        code: 'bad_value',
      })
  })

  it.each([
    ['LOT7;E1234', { serial: 'E1234', fits: true }],
    ['LOT7;X1234', { serial: 'X1234', fits: false }],
    ['LOT7;E1', { serial: 'E1', fits: false }],
    ['LOT7;', { serial: '', fits: false }],
    [']d2010210000000014221LOT;E1234', { serial: 'E1234', fits: true }],
  ])('says what it reads from %s before it is saved', async (code, answer) => {
    const extract = JSON.stringify([{ kind: 'part', separator: ';', part: -1 }])
    expect(await manager.send(serialNumbers.tryRule, { code, regex: 'E[0-9]+', extract })).toEqual(answer)
  })

  it('belongs to its company and needs a permission', async () => {
    const other = await operator.hire(['sn_admin'], operator.shops[0])
    expect((await other.send(serialNumbers.checks, {})).rows).toEqual([])
    const clerk = await operator.hire(['parcels'])
    expect((await clerk.ask(serialNumbers.update, { regex: 'a', barcode: 'b' })).statusCode).toBe(403)
  })

  it('is shared by products with the same pattern, with its scope, and ends with its last product', async () => {
    const first = await manager.send(serialNumbers.update, { regex: 'W[0-9]+', barcode: 'W-1', scope: 'none' })
    const second = await manager.send(serialNumbers.update, { regex: 'W[0-9]+', barcode: 'W-2' })
    expect([first.scope, second.scope]).toEqual(['none', 'none'])
    await manager.send(serialNumbers.update, { regex: 'W[0-9]+', barcode: 'W-2', scope: 'product' })
    expect((await manager.send(serialNumbers.checks, {})).rows.filter(one => one.regex === 'W[0-9]+').map(one => one.scope)).toEqual([
      'product',
      'product',
    ])
    for (const { id } of [first, second]) await manager.send(serialNumbers.remove, { id })
    expect((await manager.send(serialNumbers.update, { regex: 'W[0-9]+', barcode: 'W-1' })).scope).toBe('product')
  })
})

describe('the settings of a company', () => {
  const defaults = {
    enabled: true,
    default_scope: 'product',
    letters: 'keep',
    min_length: 3,
    ask_at: 'pack',
    allow_typed: true,
    mode: 'outbound',
  }

  it.each([
    ['enabled', 'false', { enabled: false }],
    ['enabled', 'no', undefined],
    ['default_scope', 'none', { default_scope: 'none' }],
    ['default_scope', 'order', undefined],
    ['letters', 'upper', { letters: 'upper' }],
    ['letters', 'UPPER', undefined],
    ['min_length', '1', { min_length: 1 }],
    ['min_length', '20', { min_length: 20 }],
    ['min_length', '0', undefined],
    ['min_length', '21', undefined],
    ['min_length', '3.5', undefined],
    ['min_length', '', undefined],
    ['ask_at', 'close', { ask_at: 'close' }],
    ['ask_at', 'pick', undefined],
    ['allow_typed', 'false', { allow_typed: false }],
    ['allow_typed', '0', undefined],
    ['mode', 'stock', { mode: 'stock' }],
    ['mode', 'inbound', undefined],
  ] as const)('%s = %s is read as %o', (property, value, change) => {
    const settings = SerialSettings.parse({})
    expect(readSetting(settings, property, value)).toEqual(change && { ...settings, ...change })
  })

  it.each([
    ['a1', 'keep', 'a1'],
    ['a1', 'upper', 'A1'],
    [' A1\u00a0', 'keep', 'A1'],
    ['A\u030a1', 'keep', '\u00c51'],
  ] as const)('the serial %o with the letters %s is compared as %o', (serial, letters, key) => {
    expect(serialKey(serial, letters)).toBe(key)
  })

  it.each([
    ['product', 'p:TS-1'],
    ['company', 'c'],
    ['none', null],
  ] as const)('the scope %s compares within %o', (scope, key) => {
    expect(scopeKey(scope, 'TS-1')).toBe(key)
  })

  it('hold until they are set, one property at a time', async () => {
    const { code } = operator.main
    expect(await manager.send(serialNumbers.config, {})).toMatchObject({ company: code, ...defaults })
    expect(await manager.send(serialNumbers.configure, { code, property: 'min_length', value: '5' })).toMatchObject({
      ...defaults,
      min_length: 5,
    })
    expect(await manager.send(serialNumbers.configure, { code, property: 'letters', value: 'upper' })).toMatchObject({
      letters: 'upper',
      min_length: 5,
    })
    expect(await manager.send(serialNumbers.config, { company: code })).toMatchObject({ letters: 'upper', min_length: 5 })
    for (const [property, value] of [
      ['min_length', '3'],
      ['letters', 'keep'],
    ] as const)
      await manager.send(serialNumbers.configure, { code, property, value })
  })

  it.each([
    ['pick', 'true', 'There is no setting pick'],
    ['constructor', 'x', 'There is no setting constructor'],
    ['letters', 'lower', 'lower is no value of letters'],
  ])('%s = %s is refused in words', async (property, value, message) => {
    await expect(manager.send(serialNumbers.configure, { code: operator.main.code, property, value })).rejects.toMatchObject({
      status: 422,
      message,
    })
  })

  it('are set for a shop by staff of the main company, and by its own staff for no other company', async () => {
    const shop = operator.shops[0]!
    expect(await manager.send(serialNumbers.configure, { code: shop.code, property: 'min_length', value: '7' })).toMatchObject({
      company: shop.code,
      min_length: 7,
    })
    await manager.send(serialNumbers.update, { regex: 'S[0-9]+', barcode: 'SHOP-1', company: shop.code })
    const own = await operator.hire(['sn_admin'], shop)
    expect(await own.send(serialNumbers.config, {})).toMatchObject({ min_length: 7, rules: [{ barcode: 'SHOP-1' }] })
    expect(await manager.send(serialNumbers.config, {})).toMatchObject({ min_length: 3 })
    const foreign = await testApp.operator()
    const attempts = [
      () => own.send(serialNumbers.configure, { code: operator.main.code, property: 'min_length', value: '1' }),
      () => own.send(serialNumbers.config, { company: operator.main.code }),
      () => own.send(serialNumbers.update, { regex: 'a', barcode: 'b', company: operator.main.code }),
      () => manager.send(serialNumbers.configure, { code: foreign.main.code, property: 'min_length', value: '1' }),
      () => manager.send(serialNumbers.checks, { company: foreign.main.code }),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 404 })
    const rule_id = (await manager.send(serialNumbers.checks, {})).rows[0]!.id
    await expect(own.send(serialNumbers.remove, { id: rule_id })).rejects.toMatchObject({ status: 404 })
  })

  it('need a permission, and more to be set than to be read', async () => {
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(serialNumbers.config, {})).statusCode).toBe(200)
    expect((await packer.ask(serialNumbers.configure, { code: operator.main.code, property: 'letters', value: 'keep' })).statusCode).toBe(
      403,
    )
    expect((await (await operator.hire(['parcels'])).ask(serialNumbers.config, {})).statusCode).toBe(403)
  })

  it('refuse uniqueness in the company while a serial is out for two products, and name it', async () => {
    const order = await buildOrder(testApp.services, scope())
    await testApp.services.database.transaction(scope(), db =>
      db
        .insertInto('order_serials')
        .values(
          ['A', 'B'].map(sku_key => ({
            order_id: order.id,
            order_line_id: order.line_ids[0]!,
            sku_key,
            serial: 'TWICE',
            serial_key: 'TWICE',
          })),
        )
        .execute(),
    )
    const change = { code: operator.main.code, property: 'default_scope', value: 'company' }
    await expect(manager.send(serialNumbers.configure, change)).rejects.toMatchObject({ status: 409, current: { serials: ['TWICE'] } })
    await testApp.services.database.transaction(scope(), db =>
      db.updateTable('order_serials').set({ returned_at: new Date().toISOString() }).where('sku_key', '=', 'A').execute(),
    )
    expect(await manager.send(serialNumbers.configure, change)).toMatchObject({ default_scope: 'company' })
    await manager.send(serialNumbers.configure, { ...change, value: 'product' })
  })
})

it('finds serials by how they begin, the newest first', async () => {
  const order = await buildOrder(testApp.services, scope())
  await testApp.services.database.transaction(scope(), db =>
    db
      .insertInto('order_serials')
      .values(
        ['SN-1', 'SN-2', 'XX%', 'A/7+B#1?&=%2F', 'Ø.4 (b)'].map(serial => ({
          order_id: order.id,
          order_line_id: order.line_ids[0]!,
          sku_key: 'TS-1',
          serial,
          serial_key: serial,
        })),
      )
      .execute(),
  )
  const clerk = await operator.hire(['parcels'])
  const found = async (q: string) => (await manager.send(serialNumbers.search, { q })).rows.map(row => row.serial)
  expect(await found('SN')).toEqual(['SN-2', 'SN-1'])
  expect(await found('%')).toEqual([])
  expect(await found('sn-2')).toEqual(['SN-2'])
  for (const serial of ['A/7+B#1?&=%2F', 'Ø.4 (b)']) expect(await found(serial)).toEqual([serial])
  expect(await found('A/')).toEqual(['A/7+B#1?&=%2F'])
  for (const serial of ['A/7+B#1?&=%2F', 'Ø.4 (b)'])
    expect((await clerk.send(orders.search, { query: serial })).rows.map(row => row.id)).toEqual([order.id])
  expect((await manager.send(serialNumbers.list, {})).rows[2]).toMatchObject({
    serial: 'XX%',
    order_no: order.order_no,
    product: 'T-shirt',
  })
})

it('finds serials by the indexes of how they begin, however many went out', async () => {
  const order = await buildOrder(testApp.services, scope())
  const client = new pg.Client({ connectionString: testApp.url })
  await client.connect()
  await client.query(
    `insert into order_serials (operator_id, company_id, order_id, order_line_id, sku_key, serial, serial_key)
     select $1, $2, $3, $4, 'TS-1', 'SN-' || n, 'SN-' || n from generate_series(1, 20000) n`,
    [scope().operator_id, scope().company_id, order.id, order.line_ids[0]],
  )
  await client.query('analyze order_serials')
  await client.end()
  await testApp.services.database.transaction(scope(), async db => {
    const texts = textsOf(db)
    const found = await findSerials(db, 'sn-1999', {}, { offset: 0, limit: 50, time_zone: 'UTC' })
    expect(found).toMatchObject({ total: 11, rows: expect.arrayContaining([expect.objectContaining({ serial: 'SN-19990' })]) })
    for (const text of texts) {
      const scans = await scansOnce(db, text)
      const indexes = scans.map(scan => scan['Index Name'] ?? '').filter(name => name.startsWith('order_serials'))
      expect(indexes.toSorted()).toEqual(['order_serials_begin', 'order_serials_key_begin'])
    }
  })
})
