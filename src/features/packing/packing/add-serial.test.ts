/** Serial numbers that the office adds to a line, and where a serial number is found afterwards. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let manager: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  manager = await operator.hire(['sn_admin'])
})
afterAll(() => testApp.close())

/** An order of so many pieces of one product. */
async function order(sku: string, qty = 2, plan: { customer?: string } = {}) {
  const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
  const placed = await placeOrder(testApp.services.database, scope, {
    lines: [{ sku, name: `Product ${sku}`, qty, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }],
    agent_code: 'own',
    shipping_method: 'van',
    ...(plan.customer && { ship_to: { name: plan.customer } }),
  })
  const [line_id = 0] = placed.lines
  await testApp.services.database.transaction(scope, async db => {
    const { id } = await db
      .insertInto('products')
      .values({ sku, name: `Product ${sku}`, serial_required: true })
      .onConflict(c => c.columns(['operator_id', 'company_id', 'sku_key']).doUpdateSet({ sku }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('order_lines').set({ product_id: id }).where('id', '=', line_id).execute()
  })
  return {
    ...placed,
    line_id,
    add: (identifier: string) => manager.send(packing.addSerial, { identifier, order_item_id: line_id }),
  }
}

describe('a serial number that is added to a line', () => {
  it('is recorded without counting a piece, and answered the same when it is added again', async () => {
    const { id, line_id, add } = await order('ADD-1')
    const added = await add('a1234567890')
    expect(added).toMatchObject({ serial: 'a1234567890', order_id: id })
    expect(await add('a1234567890')).toEqual(added)
    const packer = await operator.hire(['scan'])
    expect((await packer.send(packing.get, { id })).lines).toMatchObject([
      { order_line_id: line_id, packed_qty: 0, serials: ['a1234567890'] },
    ])
  })

  it('may hold slashes and percent signs', async () => {
    const { add } = await order('ADD-2')
    expect(await add('A/7 %2F+ü')).toMatchObject({ serial: 'A/7 %2F+ü' })
  })

  it('is taken out of a GS1 code', async () => {
    const { add } = await order('ADD-3')
    expect(await add('(01)02100000000142(21)a1234567890')).toMatchObject({ serial: 'a1234567890' })
  })

  it('is read from a longer code by the steps of its rule', async () => {
    const { add } = await order('ADD-9')
    const extract = JSON.stringify([
      { kind: 'part', separator: ';', part: 1 },
      { kind: 'position', start: 4 },
    ])
    await manager.send(serialNumbers.update, { regex: 'b[0-9]{10,12}', barcode: 'ADD-9', extract })
    expect(await add('SN:b1234567890;LOT7')).toMatchObject({ serial: 'b1234567890' })
    expect(await add('SN:b1234567890;LOT8')).toMatchObject({ serial: 'b1234567890' })
    await expect(add('b1234567891')).rejects.toMatchObject({ code: 'serial_refused' })
    const { rows } = await manager.send(serialNumbers.list, { query: 'b1234567890', limit: 10 })
    expect(rows).toHaveLength(1)
  })

  it('is refused where it went out with another order, which is named', async () => {
    const [first, second] = [await order('ADD-4'), await order('ADD-4')]
    await first.add('USED-1')
    await expect(second.add('USED-1')).rejects.toMatchObject({
      status: 409,
      code: 'serial_used',
      message: expect.stringMatching(new RegExp(`^USED-1 went out with order ${first.order_no} on \\d{4}-\\d\\d-\\d\\d$`)),
    })
  })

  it('is refused where the line has one for each piece', async () => {
    const { add } = await order('ADD-5')
    await add('ONE')
    await add('TWO')
    await expect(add('THREE')).rejects.toMatchObject({
      status: 409,
      code: 'serials_full',
      message: 'Product ADD-5 has 2 of 2 serial numbers',
    })
  })

  it.each([
    ['ab', 'ab is too short for a serial number'],
    ['ADD-6', 'ADD-6 is the barcode of a product, not a serial number'],
    ['A123456789', 'A123456789 is not a serial number of Product ADD-6'],
  ])('is refused when it is %s', async (identifier, message) => {
    const { add } = await order('ADD-6')
    await manager.send(serialNumbers.update, { regex: identifier === 'ab' ? '.*' : '[a-z][0-9]{10,12}', barcode: 'ADD-6' })
    await expect(add(identifier)).rejects.toMatchObject({ status: 422, code: 'serial_refused', message })
  })

  it('passes once when two people add it to two orders in the same moment', async () => {
    const [first, second] = [await order('ADD-7'), await order('ADD-7')]
    const both = await Promise.allSettled([first.add('RACE-1'), second.add('RACE-1')])
    expect(both.map(one => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('needs a permission, and a line in reach', async () => {
    const { line_id } = await order('ADD-8')
    const asked = { identifier: 'SN-1', order_item_id: line_id }
    for (const permission of ['scan_admin', 'parcels_admin'] as const)
      expect(await (await operator.hire([permission])).send(packing.addSerial, asked)).toMatchObject({ serial: 'SN-1' })
    for (const permission of ['scan', 'parcels'] as const)
      expect((await (await operator.hire([permission])).ask(packing.addSerial, asked)).statusCode).toBe(403)
    const shop = await operator.hire(['sn_admin'], operator.shops[0])
    expect((await shop.ask(packing.addSerial, asked)).statusCode).toBe(404)
  })
})

describe('the list of serial numbers', () => {
  it('names order, customer, parcel, packer and state, and is narrowed by state, product and day', async () => {
    const { id, order_no, line_id } = await order('LIST-1', 1, { customer: 'Lene Hansen' })
    const packer = await operator.hire(['scan'], operator.main, 'Kim')
    await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
    await packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code: 'LIST-SN-1', serial_for: line_id } })
    const found = async (asked: object) => (await manager.send(serialNumbers.list, { sku: 'list-1', ...asked })).rows
    expect(await found({})).toMatchObject([
      {
        serial: 'LIST-SN-1',
        order_no,
        customer_name: 'Lene Hansen',
        packer: 'Kim',
        station: 'Bench 1',
        state: 'packing',
        tracking_no: null,
      },
    ])
    await packer.send(packing.close, { id, body: {} })
    const [row] = await found({ state: 'sent' })
    expect(row?.tracking_no).toMatch(/\w{5,}/)
    expect(await found({ state: 'packing' })).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(await found({ from: '2020-01-01', to: '2020-01-02' })).toEqual([])
    expect(await found({ from: '2020-01-01', to: `${Number(today.slice(0, 4)) + 1}-01-01` })).toHaveLength(1)
    expect((await manager.send(serialNumbers.search, { q: 'list-sn', state: 'sent' })).rows).toHaveLength(1)
    await expect(found({ from: 'yesterday' })).rejects.toMatchObject({ status: 400 })
    const file = (await manager.send(serialNumbers.export, { sku: 'LIST-1' })).bytes.toString()
    expect(file).toContain(`LIST-SN-1,LIST-1,Product LIST-1,sent,${order_no}`)
  })
})

describe('a recall', () => {
  it('reaches the customers of a range, in which SN9 comes before SN10', async () => {
    const orders = [await order('CALL-1', 2), await order('CALL-1', 2), await order('CALL-1', 2)]
    for (const [nth, serials] of [['SN8', 'SN9'], ['SN10'], ['SN11', 'SN12']].entries())
      for (const serial of serials) await orders[nth]?.add(serial)
    const range = { sku: 'call-1', first: 'SN9', last: 'SN11' }
    const ids = orders.map(({ id }) => id).toSorted((a, b) => a - b)
    expect(await manager.send(serialNumbers.recall, range)).toEqual({ serials: 3, orders: 3, order_ids: ids, unreachable: 0 })
    expect(await manager.send(serialNumbers.recall, { sku: 'CALL-1' })).toMatchObject({ serials: 5, orders: 3 })
    const file = (await manager.send(serialNumbers.recallCsv, range)).bytes.toString()
    const lines = file.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain('order_no,serial,sku,product,customer,email,phone')
    expect(file).not.toMatch(/SN8|SN12/)
    expect((await (await operator.hire(['parcels'])).ask(serialNumbers.recall, range)).statusCode).toBe(403)
  })
})
