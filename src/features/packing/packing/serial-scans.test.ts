/** Serial numbers at the packing station: each order follows the settings and rules of its own company. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { serialUnits } from '#features/packing/serial-numbers/serial-units.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let packers: TestUser[]
let manager: TestUser
let serials = 0
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  packers = await Promise.all(['Kim', 'Bo'].map(name => operator.hire(['scan'], operator.main, name)))
  manager = await operator.hire(['sn_admin'])
})

const configure = (property: string, value: string, company: BuiltCompany = operator.main) =>
  manager.send(serialNumbers.configure, { code: company.code, property, value })
const setRule = (sku: string, scope: 'product' | 'company' | 'none', company: BuiltCompany = operator.main) =>
  manager.send(serialNumbers.update, { regex: '[A-Za-z0-9]+', barcode: sku, scope, company: company.code })

/** An order of a product that needs a serial, open at a station; `pack`: pieces in the outer pack with the code PACK. */
async function openOrder(sku: string, { company = operator.main, packer = packers[0] as TestUser, qty = 1, pack = 0, needs = true } = {}) {
  const scope = { ...scopeOfCompany(operator, company), companies: [company.id] }
  const placed = await placeOrder(testApp.services.database, scope, {
    lines: [{ sku, name: sku, qty, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  const [order_line_id = 0] = placed.lines
  await testApp.services.database.transaction(scope, async db => {
    const { id } = await db
      .insertInto('products')
      .values({ sku, name: sku, serial_required: needs })
      .onConflict(c => c.columns(['operator_id', 'company_id', 'sku_key']).doUpdateSet({ name: sku }))
      .returning('id')
      .executeTakeFirstOrThrow()
    if (pack > 0)
      await db
        .insertInto('product_barcodes')
        .values({ product_id: id, barcode: `PACK-${sku}`, quantity: pack })
        .onConflict(c => c.columns(['operator_id', 'company_id', 'product_id', 'barcode']).doNothing())
        .execute()
    await db.updateTable('order_lines').set({ product_id: id }).where('id', '=', order_line_id).execute()
  })
  await packer.send(packing.start, { id: placed.id, body: { station: `Station ${++serials}` } })
  const scan = (code: string, serial_for?: number, method?: 'typed') =>
    packer.send(packing.scan, {
      id: placed.id,
      body: { scan_id: randomUUID(), code, ...(serial_for && { serial_for }), ...(method && { method }) },
    })
  return {
    id: placed.id,
    scan,
    /** The result of this serial for the piece. */
    serial: async (code: string) => (await scan(code, order_line_id)).result,
    typedSerial: async (code: string) => (await scan(code, order_line_id, 'typed')).result,
    close: () => packer.send(packing.close, { id: placed.id, body: {} }),
    read: () => packer.send(packing.get, { id: placed.id }),
    undo: (pack = false) => packer.send(packing.undo, { id: placed.id, body: { scan_id: randomUUID(), pack } }),
    /** An answer to this serial of the pack. */
    piece: (code: string) => scan(code, order_line_id),
  }
}

describe('a serial that went out before', () => {
  it.each([
    ['product', 'CAMERA', 'serial_refused'],
    ['product', 'LENS', 'order_done'],
    ['company', 'CAMERA', 'serial_refused'],
    ['company', 'LENS', 'serial_refused'],
    ['none', 'CAMERA', 'order_done'],
    ['none', 'LENS', 'order_done'],
  ] as const)('with the scope %s of its rule and the product %s is answered with %s', async (scope, sku, result) => {
    for (const each of ['CAMERA', 'LENS']) await setRule(each, scope)
    expect(await (await openOrder('CAMERA')).serial('S100')).toBe('order_done')
    expect(await (await openOrder(sku)).serial('S100')).toBe(result)
  })

  it.each(['product', 'company', 'none'] as const)('follows the scope of its company, %s, where its product has no rule', async scope => {
    await configure('default_scope', scope)
    expect(await (await openOrder('CAMERA')).serial('S100')).toBe('order_done')
    expect(await (await openOrder('CAMERA')).serial('S100')).toBe(scope === 'none' ? 'order_done' : 'serial_refused')
    expect(await (await openOrder('LENS')).serial('S100')).toBe(scope === 'company' ? 'serial_refused' : 'order_done')
  })

  it('is known after its company has changed the scope', async () => {
    expect(await (await openOrder('CAMERA')).serial('S100')).toBe('order_done')
    await configure('default_scope', 'company')
    expect(await (await openOrder('LENS')).serial('S100')).toBe('serial_refused')
    expect(await (await openOrder('LENS')).serial('S200')).toBe('order_done')
    await configure('default_scope', 'product')
    expect(await (await openOrder('LENS')).serial('S200')).toBe('serial_refused')
  })

  it('is free again when its scan is taken back', async () => {
    const first = await openOrder('CAMERA')
    expect(await first.serial('S100')).toBe('order_done')
    await first.undo()
    expect(await (await openOrder('CAMERA')).serial('S100')).toBe('order_done')
  })

  it.each(['product', 'company'] as const)('is refused to the second of two stations in the same moment with the scope %s', async scope => {
    await configure('default_scope', scope)
    const orders = await Promise.all(packers.map(packer => openOrder('CAMERA', { packer })))
    const results = await Promise.all(orders.map(order => order.serial('S100')))
    expect(results.toSorted()).toEqual(['order_done', 'serial_refused'])
  })
})

it('counts lower and upper case as one serial where the company says so', async () => {
  expect(await (await openOrder('CAMERA')).serial('sn100')).toBe('order_done')
  expect(await (await openOrder('CAMERA')).serial('SN100')).toBe('order_done')
  await configure('letters', 'upper')
  expect(await (await openOrder('CAMERA')).serial('Sn200')).toBe('order_done')
  expect(await (await openOrder('CAMERA')).serial('sN200')).toBe('serial_refused')
})

it('refuses a serial that is shorter than the company asks for', async () => {
  await configure('min_length', '6')
  expect(await (await openOrder('CAMERA')).serial('S1234')).toBe('serial_refused')
  expect(await (await openOrder('CAMERA')).serial('S12345')).toBe('order_done')
})

it('asks for no serial in a company that records none', async () => {
  expect((await (await openOrder('CAMERA')).scan('CAMERA')).result).toBe('serial_needed')
  await configure('enabled', 'false')
  expect((await (await openOrder('CAMERA')).scan('CAMERA')).result).toBe('order_done')
})

it('follows the company of the order, not of the packer', async () => {
  const shop = operator.shops[0] as BuiltCompany
  await configure('min_length', '10', shop)
  await setRule('CAMERA', 'none', operator.main)
  expect(await (await openOrder('CAMERA', { company: shop })).serial('S100')).toBe('serial_refused')
  expect(await (await openOrder('CAMERA')).serial('S100')).toBe('order_done')
  // The same serial of the shop's own product is another one.
  await configure('min_length', '3', shop)
  expect(await (await openOrder('CAMERA', { company: shop })).serial('S100')).toBe('order_done')
  expect(await (await openOrder('CAMERA', { company: shop })).serial('S100')).toBe('serial_refused')
})

it('takes a typed serial, and only a scanned one where the company says so', async () => {
  expect(await (await openOrder('CAMERA')).typedSerial('S100')).toBe('order_done')
  await configure('allow_typed', 'false')
  const order = await openOrder('CAMERA')
  expect(await order.read()).toMatchObject({ may_type_serials: false })
  expect(await order.typedSerial('S200')).toBe('serial_refused')
  expect(await order.serial('S200')).toBe('order_done')
  const methods = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('packing_scans').select(['method', 'result']).orderBy('at').execute(),
  )
  expect(methods.map(({ method, result }) => `${method} ${result}`)).toEqual([
    'typed order_done',
    'typed serial_refused',
    'scan order_done',
  ])
})

describe('serials that a company records before the parcel is closed', () => {
  beforeEach(() => configure('ask_at', 'close'))

  it('are missing after the piece is counted, and the order does not close without them', async () => {
    const order = await openOrder('CAMERA')
    expect(await order.scan('CAMERA')).toMatchObject({ result: 'order_done', counted: 1, line: { packed_qty: 1, missing_serials: 1 } })
    expect(await order.read()).toMatchObject({ lines: [{ missing_serials: 1, serials: [] }] })
    await expect(order.close()).rejects.toMatchObject({ status: 409, message: 'CAMERA needs a serial number for each item: scan it' })
    expect(await order.scan('S100', (await order.read()).lines[0]?.order_line_id)).toMatchObject({
      result: 'order_done',
      counted: 0,
      line: { packed_qty: 1, missing_serials: 0 },
    })
    expect(await order.read()).toMatchObject({ packed: 1, lines: [{ missing_serials: 0, serials: ['S100'] }] })
    expect(['labelled', 'label_error']).toContain((await order.close()).outcome)
  })

  it('are taken back before the piece', async () => {
    const order = await openOrder('CAMERA')
    await order.scan('CAMERA')
    await order.serial('S100')
    expect(await order.undo()).toMatchObject({ result: 'undone', counted: 0, line: { packed_qty: 1, missing_serials: 1 } })
    expect(await order.undo()).toMatchObject({ result: 'undone', counted: -1, line: { packed_qty: 0, missing_serials: 0 } })
    expect(await order.undo()).toMatchObject({ result: 'ignored' })
  })

  it('are refused where they went out before', async () => {
    const first = await openOrder('CAMERA')
    await first.scan('CAMERA')
    expect(await first.serial('S100')).toBe('order_done')
    const second = await openOrder('CAMERA')
    await second.scan('CAMERA')
    expect(await second.serial('S100')).toBe('serial_refused')
    expect(await second.serial('S200')).toBe('order_done')
  })

  it('are answered as before when the scan is sent again', async () => {
    const order = await openOrder('CAMERA')
    const body = { scan_id: randomUUID(), code: 'CAMERA' }
    const [packer] = packers as [TestUser]
    const first = await packer.send(packing.scan, { id: order.id, body })
    expect(await packer.send(packing.scan, { id: order.id, body })).toEqual(first)
  })
})

describe('an outer pack of six pieces', () => {
  const openPack = (more: { qty?: number } = {}) => openOrder('CAMERA', { qty: 6, pack: 6, ...more })
  const give = async (order: Awaited<ReturnType<typeof openPack>>, serials: readonly string[]) => {
    for (const serial of serials) expect(await order.piece(serial)).toMatchObject({ counted: 1 })
  }
  const six = ['S101', 'S102', 'S103', 'S104', 'S105', 'S106']

  it('asks for the serial of each piece in turn, and counts one with each', async () => {
    const order = await openPack({ qty: 7 })
    expect(await order.scan('PACK-CAMERA')).toMatchObject({
      result: 'serial_of_pack',
      counted: 0,
      packed: 0,
      values: { n: 1, pieces: 6 },
      pack: { pieces: 6, given: 0 },
    })
    for (const [at, serial] of six.slice(0, 5).entries())
      expect(await order.piece(serial)).toMatchObject({ result: 'ok', counted: 1, packed: at + 1, pack: { pieces: 6, given: at + 1 } })
    expect(await order.piece('S106')).toMatchObject({ result: 'ok', counted: 1, packed: 6, pack: null })
    expect(await order.read()).toMatchObject({ packed: 6, pack: null, lines: [{ serials: six }] })
    // The seventh piece is asked for by itself.
    expect(await order.scan('CAMERA')).toMatchObject({ result: 'serial_needed', pack: null })
  })

  it('is refused where fewer pieces are missing, and counts nothing', async () => {
    const order = await openPack({ qty: 4 })
    expect(await order.scan('PACK-CAMERA')).toMatchObject({ result: 'over', counted: 0, packed: 0, values: { pieces: 6, left: 4 } })
  })

  it.each(['product', 'company', 'none'] as const)('takes no serial twice where its scope is %s', async scope => {
    await setRule('CAMERA', scope)
    const order = await openPack()
    await order.scan('PACK-CAMERA')
    await give(order, ['S101'])
    expect(await order.piece('S101')).toMatchObject({
      result: 'serial_refused',
      counted: 0,
      text: '{{code}} is recorded for this order already',
      pack: { given: 1 },
    })
    expect(await order.piece('S102')).toMatchObject({ counted: 1, packed: 2, pack: { given: 2 } })
  })

  it('counts no piece without its serial: not by hand, not by its barcode, not when the order is closed', async () => {
    const order = await openPack()
    await order.scan('PACK-CAMERA')
    await give(order, six.slice(0, 3))
    expect(await order.piece('CAMERA')).toMatchObject({ result: 'serial_refused', counted: 0 })
    expect(await order.scan('CAMERA')).toMatchObject({ result: 'serial_needed', counted: 0, packed: 3, pack: null })
    const lead = await operator.hire(['scan', 'scan_admin'])
    const [line] = (await order.read()).lines
    await lead.send(packing.start, { id: order.id, body: { station: 'Lead', take_over: true } })
    const body = { scan_id: randomUUID(), order_line_id: line?.order_line_id ?? 0, quantity: 3 }
    await expect(lead.send(packing.count, { id: order.id, body })).rejects.toMatchObject({ status: 409 })
    await expect(lead.send(packing.close, { id: order.id, body: {} })).rejects.toMatchObject({ status: 409 })
    expect(await order.read()).toMatchObject({ packed: 3, lines: [{ serials: six.slice(0, 3) }] })
  })

  it('is taken back piece by piece, and then itself', async () => {
    const order = await openPack()
    await order.scan('PACK-CAMERA')
    await give(order, ['S101', 'S102'])
    expect(await order.undo()).toMatchObject({ result: 'undone', counted: -1, packed: 1, pack: { given: 1 } })
    expect(await order.piece('S102')).toMatchObject({ counted: 1, packed: 2, pack: { given: 2 } })
    expect(await order.undo()).toMatchObject({ counted: -1, pack: { given: 1 } })
    expect(await order.undo()).toMatchObject({ counted: -1, packed: 0, pack: { given: 0 } })
    expect(await order.undo()).toMatchObject({ result: 'undone', counted: 0, packed: 0, pack: null })
    expect(await order.undo()).toMatchObject({ result: 'ignored' })
    expect(await order.read()).toMatchObject({ packed: 0, pack: null, lines: [{ serials: [] }] })
  })

  it('is taken back as a whole, its serials are free again, and what lay in the parcel before stays', async () => {
    const order = await openPack({ qty: 8 })
    await give(order, ['S900'])
    await order.scan('PACK-CAMERA')
    await give(order, six.slice(0, 4))
    const body = { scan_id: randomUUID(), pack: true }
    const [packer] = packers as [TestUser]
    const taken = await packer.send(packing.undo, { id: order.id, body })
    expect(taken).toMatchObject({ result: 'undone', counted: -4, packed: 1, values: { n: 4 }, pack: null })
    expect(await packer.send(packing.undo, { id: order.id, body })).toEqual(taken)
    expect(await order.read()).toMatchObject({ packed: 1, pack: null, lines: [{ serials: ['S900'] }] })
    expect(await order.undo(true)).toMatchObject({ result: 'ignored', packed: 1 })
    await order.scan('PACK-CAMERA')
    await give(order, six)
    expect(await order.undo(true)).toMatchObject({ counted: -6, packed: 1 })
    expect(await (await openOrder('CAMERA')).serial('S101')).toBe('order_done')
  })

  it('is still being asked for after a reload and a take-over, and goes on when its code is scanned again', async () => {
    const order = await openPack()
    await order.scan('PACK-CAMERA')
    await give(order, six.slice(0, 2))
    expect(await order.read()).toMatchObject({ pack: { pieces: 6, given: 2 } })
    expect(await order.scan('PACK-CAMERA')).toMatchObject({ result: 'serial_needed', counted: 0, pack: { pieces: 6, given: 2 } })
    await give(order, six.slice(2))
    expect(await order.read()).toMatchObject({ packed: 6, pack: null })
  })

  it('ends with its parcel, whose pieces keep their serials', async () => {
    const order = await openPack()
    await order.scan('PACK-CAMERA')
    await give(order, six.slice(0, 2))
    await (packers[0] as TestUser).send(packing.nextParcel, { id: order.id, body: {} })
    expect(await order.read()).toMatchObject({ pack: null, packed: 2, lines: [{ serials: six.slice(0, 2) }] })
    // The rest is less than a pack.
    expect(await order.scan('PACK-CAMERA')).toMatchObject({ result: 'over', counted: 0 })
  })

  it('answers a serial that is sent again as before, and counts it once', async () => {
    const order = await openPack()
    const [packer] = packers as [TestUser]
    await order.scan('PACK-CAMERA')
    const [line] = (await order.read()).lines
    const body = { scan_id: randomUUID(), code: 'S101', serial_for: line?.order_line_id ?? 0 }
    const first = await packer.send(packing.scan, { id: order.id, body })
    expect(first).toMatchObject({ counted: 1, pack: { given: 1 } })
    expect(await packer.send(packing.scan, { id: order.id, body })).toEqual(first)
    expect(await order.read()).toMatchObject({ packed: 1, pack: { given: 1 } })
  })
})

describe('the rules of serials', () => {
  /** What the database is asked for one call, without what begins and ends the change. */
  async function statementsOf(call: () => Promise<unknown>): Promise<string[]> {
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    await call()
    const texts = asked.mock.calls.map(([statement]) => {
      const { text, name } = statement as unknown as { text?: string; name?: string }
      return text ?? name ?? String(statement)
    })
    asked.mockRestore()
    return texts.filter(text => /packing|serial|companies|products/.test(text))
  }

  it('are read when the order is opened, and by no scan of it', async () => {
    await setRule('CAMERA', 'product')
    const order = await openOrder('CAMERA', { qty: 3 })
    // The first scan of a test file prepares what all others use.
    await order.serial('S100')
    expect(await statementsOf(() => order.scan('CAMERA'))).toHaveLength(2)
    // Whether it went out before, the number, the count.
    expect(await statementsOf(() => order.serial('S101'))).toHaveLength(4)
    // The imported number is read, and marked as sent.
    await manager.send(serialUnits.write, { body: { units: [{ sku: 'CAMERA', serial: 'S102' }] } })
    expect(await statementsOf(() => order.serial('S102'))).toHaveLength(6)
  })

  it('hold until their order is packed, and are the new ones for the next', async () => {
    await setRule('CAMERA', 'product')
    const first = await openOrder('CAMERA', { qty: 2 })
    await manager.send(serialNumbers.update, { regex: 'X[0-9]+', barcode: 'CAMERA', scope: 'product', company: operator.main.code })
    expect(await first.serial('S100')).toBe('ok')
    expect(await (await openOrder('CAMERA')).serial('S200')).toBe('serial_refused')
    expect(await (await openOrder('CAMERA')).serial('X200')).toBe('order_done')
    expect(await first.serial('S300')).toBe('order_done')
  })

  it('are read for a product that came to need serials after the order was opened', async () => {
    await manager.send(serialNumbers.update, { regex: 'X[0-9]+', barcode: 'CAMERA', scope: 'product', company: operator.main.code })
    const needsSerial = (serial_required: boolean) =>
      testApp.services.database.transaction({ ...scopeOfCompany(operator), companies: [operator.main.id] }, db =>
        db.updateTable('products').set({ serial_required }).where('sku', '=', 'CAMERA').execute(),
      )
    const order = await openOrder('CAMERA', { needs: false })
    await needsSerial(true)
    expect(await order.serial('S100')).toBe('serial_refused')
    expect(await order.serial('X100')).toBe('order_done')
  })
})
