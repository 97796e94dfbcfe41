/** Imported serial numbers: they come from files and programs, follow the orders that they go out with, and are held back by people. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCompany, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { setSerialReturned } from '#features/packing/packing/serials.commands.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { serialUnits } from './serial-units.contract.ts'
import { UnitImport } from './serial-units.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let shop: BuiltCompany
let manager: TestUser
let packers: TestUser[]
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  shop = operator.shops[0] as BuiltCompany
  manager = await operator.hire(['sn_admin'])
  packers = await Promise.all(['Kim', 'Bo'].map(name => operator.hire(['scan'], operator.main, name)))
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  for (const sku of ['LAMP', 'LENS']) await product(sku)
})

const scopeOf = (company: BuiltCompany = operator.main) => ({ ...scopeOfCompany(operator, company), companies: [company.id] })
const product = (sku: string, company?: BuiltCompany) =>
  buildProduct(testApp.services, scopeOf(company), { sku, name: sku, serial_required: true, barcodes: [`${sku}-BARCODE`] })
const write = (...units: unknown[]) => manager.send(serialUnits.write, { body: { units } })
const lamps = (...serials: string[]) => write(...serials.map(serial => ({ sku: 'LAMP', serial })))
const box = (...serials: string[]) => write(...serials.map(serial => ({ sku: 'LAMP', serial, pack_code: 'BOX-7' })))
const listed = async (asked: object = {}) => (await manager.send(serialUnits.list, asked)).rows
const states = async () => Object.fromEntries((await listed()).map(unit => [unit.serial, unit.in_packing ? 'in packing' : unit.state]))
const idOf = async (serial: string) => (await listed({ query: serial }))[0]?.id ?? 0
const saidOf = async (serial: string, company = operator.main) => {
  const id = await idOf(serial)
  return testApp.services.database.transaction(scopeOf(company), db =>
    db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('subject', '=', 'serial_unit')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute(),
  )
}
const mark = async (as: 'recalled' | 'removed' | 'in_stock', ...serials: string[]) =>
  manager.send(serialUnits.mark, { body: { ids: await Promise.all(serials.map(idOf)), as } })
const configure = (property: string, value: string) => manager.send(serialNumbers.configure, { code: operator.main.code, property, value })
const refusals = ({ problems }: Pick<UnitImport, 'problems'>) =>
  problems.map(({ row, text, values }) => `${row} ${text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))}`)

async function bring(csv: string, company?: string): Promise<{ id: number; state: string; result: unknown; message: string | null }> {
  const { job_id } = await manager.send(
    serialUnits.import,
    { upload: Buffer.from(csv) as never, ...(company && { company }) },
    { headers: { 'x-file-name': 'serials.csv' } },
  )
  await expect.poll(async () => (await manager.send(jobs.get, { id: job_id })).state, { timeout: 10_000 }).toMatch(/done|failed|cancelled/)
  return manager.send(jobs.get, { id: job_id })
}

/** An order of so many lamps, open at a station. */
async function openOrder({ qty = 1, sku = 'LAMP', packer = packers[0] as TestUser } = {}) {
  const placed = await placeOrder(testApp.services.database, scopeOf(), {
    ...{ agent_code: 'own', shipping_method: 'van' },
    lines: [{ sku, name: sku, qty, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  const { id } = placed
  const order_line_id = placed.lines[0] ?? 0
  await testApp.services.database.transaction(scopeOf(), async db => {
    const { id: product_id } = await db.selectFrom('products').select('id').where('sku', '=', sku).executeTakeFirstOrThrow()
    await db.updateTable('order_lines').set({ product_id }).where('id', '=', order_line_id).execute()
  })
  const start = () => packer.send(packing.start, { id, body: { station: `Station ${packer.user_id}` } })
  await start()
  const scan = (code: string, more: object = {}) => packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code, ...more } })
  return {
    ...{ id, order_no: placed.order_no, order_line_id, packer, start, scan },
    serial: (code: string) => scan(code, { serial_for: order_line_id }),
    undo: () => packer.send(packing.undo, { id, body: { scan_id: randomUUID() } }),
    close: () => packer.send(packing.close, { id, body: {} }),
    read: () => packer.send(packing.get, { id }),
  }
}
const sentenceOf = ({ text, values }: { text: string; values: Record<string, unknown> }) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

describe('serial numbers of a program', () => {
  it('are added, changed by what is named, and unchanged when they come again', async () => {
    const unit = { sku: 'lamp', serial: 'S100', pack_code: 'BOX-7', lot: 'L4', expiry: '2030-01-31' }
    expect(await write(unit)).toEqual({ added: 1, changed: 0, unchanged: 0, refused: 0, problems: [] })
    expect(await write(unit)).toMatchObject({ added: 0, unchanged: 1 })
    expect(await write({ sku: 'LAMP', serial: 'S100', lot: '' })).toMatchObject({ changed: 1 })
    expect(await listed()).toMatchObject([
      {
        sku: 'LAMP',
        serial: 'S100',
        product: 'LAMP',
        state: 'in_stock',
        pack_code: 'BOX-7',
        lot: null,
        expiry: '2030-01-31',
        order_no: null,
      },
    ])
  })

  it('are judged one by one, each refusal with its row and a sentence', async () => {
    await manager.send(serialNumbers.update, { regex: 'SN[0-9]{3}', barcode: 'LENS' })
    await write({ sku: 'LENS', serial: 'SN001', pack_code: 'BOX-9' })
    const result = await write(
      { sku: 'LAMP', serial: 'S100' },
      { sku: 'CHAIR', serial: 'S101' },
      { sku: 'LENS', serial: '12345' },
      { sku: 'LAMP', serial: 'S1' },
      { sku: 'LAMP', serial: 'S100' },
      { sku: 'LAMP', serial: 'S102', pack_code: 'BOX-9' },
      { sku: 'LAMP', serial: 'S103', pack_code: 'LAMP-BARCODE' },
      { sku: 'LAMP', serial: 'S104', expiry: '31/1' },
      { sku: 'LAMP', serial: ' ' },
      { sku: 'LAMP', serial: 'S105', colour: 'red' },
      'S106',
    )
    expect(result).toMatchObject({ added: 1, refused: 10 })
    expect(refusals(result)).toEqual([
      '2 No product has the SKU CHAIR',
      '3 12345 is not a serial number of LENS',
      '4 S1 is too short for a serial number',
      '5 Row 1 has the same serial number',
      '6 BOX-9 is the multipack of LENS',
      '7 LAMP-BARCODE is the barcode of a product',
      '8 Enter the day as 2026-11-21',
      '9 The serial number is missing',
      '10 The row is no serial number with its SKU',
      '11 The row is no serial number with its SKU',
    ])
    expect(Object.keys(await states())).toEqual(['S100', 'SN001'])
  })

  it('come 500 at once, and 200 in one pack', async () => {
    const many = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, at) => ({ sku: 'LAMP', serial: `M${at + 1_000}`, ...more }))
    expect(await write(...many(500))).toMatchObject({ added: 500 })
    await expect(write(...many(501))).rejects.toMatchObject({ status: 400 })
    const packed = await write(...many(201, { pack_code: 'BOX-7' }))
    expect(packed).toMatchObject({ changed: 200, refused: 1 })
    expect(refusals(packed)).toEqual(['201 A multipack holds at most 200 items'])
  })

  it('are read by the rule of their product', async () => {
    const extract = JSON.stringify([{ kind: 'part', separator: '-', part: -1 }])
    await manager.send(serialNumbers.update, { regex: '[0-9]{4}', barcode: 'LAMP', extract })
    await lamps('A-1234')
    expect(await listed()).toMatchObject([{ serial: '1234' }])
    expect((await (await openOrder()).serial('A-1234')).result).toBe('order_done')
    expect(await states()).toEqual({ 1234: 'in packing' })
  })

  it('that went out before they came are sent at once', async () => {
    await (await openOrder()).serial('S100')
    await lamps('S100', 'S200')
    expect(await states()).toEqual({ S100: 'in packing', S200: 'in_stock' })
  })

  it('are the company’s own: a shop has others, sees no more, and changes no more', async () => {
    await product('LAMP', shop)
    const owner = await operator.hire(['sn_admin'], shop)
    await lamps('S100')
    expect((await owner.send(serialUnits.list, {})).rows).toEqual([])
    await owner.send(serialUnits.write, { body: { units: [{ sku: 'LAMP', serial: 'S900' }] } })
    expect((await owner.send(serialUnits.list, {})).rows).toMatchObject([{ serial: 'S900', company: shop.code }])
    expect(await owner.send(serialUnits.mark, { body: { ids: [await idOf('S100')], as: 'recalled' } })).toEqual({ changed: 0, ids: [] })
    expect(await owner.send(serialUnits.recall, { sku: 'LAMP', body: {} })).toEqual({ recalled: 1 })
    expect(await saidOf('S900', shop)).toEqual([{ kind: 'serial_unit.recalled', data: { sku: 'LAMP' } }])
    expect(await states()).toEqual({ S100: 'in_stock', S900: 'recalled' })
    await expect(
      owner.send(serialUnits.write, { body: { units: [{ sku: 'LAMP', serial: 'S1000' }], company: operator.main.code } }),
    ).rejects.toMatchObject({ status: 404 })
    const stranger = await (await testApp.operator()).hire(['sn_admin'])
    expect((await stranger.send(serialUnits.list, {})).rows).toEqual([])
    await expect((packers[0] as TestUser).send(serialUnits.list, {})).rejects.toMatchObject({ status: 403 })
  })
})

describe('a file of serial numbers', () => {
  it('is read by the names of its columns in any language, with a fault per row', async () => {
    const { state, result } = await bring(
      'Artikelnummer;Seriennummer;Karton;Charge;Ablaufdatum\nLAMP;S100;BOX-7;L4;31.01.2030\nLAMP;S101;BOX-7;;\nCHAIR;S102;;;\nLAMP;S103;;;soon\nLAMP;;;;\n',
    )
    expect(state).toBe('done')
    const read = UnitImport.parse(result)
    expect(read).toMatchObject({ added: 2, refused: 3 })
    expect(refusals(read)).toEqual(['4 No product has the SKU CHAIR', '5 Enter the day as 2026-11-21', '6 The serial number is missing'])
    expect(await listed()).toMatchObject([
      { serial: 'S101', pack_code: 'BOX-7', expiry: null },
      { serial: 'S100', lot: 'L4', expiry: '2030-01-31' },
    ])
  })

  it.each([
    ['serial;lot\nS100;L4', 'No column is read as SKU'],
    ['sku;lot\nLAMP;L4', 'No column is read as serial'],
    ['sku;serial\n', 'The file has no rows under its header'],
  ])('%j fails: %s', async (csv, sentence) => {
    const { state, message } = await bring(csv)
    expect(state).toBe('failed')
    expect(message).toBe(sentence)
  })

  it('is imported for a shop by staff of the main company', async () => {
    await product('LAMP', shop)
    expect(UnitImport.parse((await bring('sku;serial\nLAMP;S100\n', shop.code)).result)).toMatchObject({ added: 1 })
    expect(await listed()).toMatchObject([{ serial: 'S100', company: shop.code }])
  })

  it('that was cancelled and is imported again, leaves nothing doubled', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `LAMP;M${at + 10_000};BOX-${Math.floor(at / 100)}`)
    const csv = `sku;serial;pack_code\n${rows.join('\n')}\n`
    const { job_id } = await manager.send(
      serialUnits.import,
      { upload: Buffer.from(csv) as never },
      { headers: { 'x-file-name': 'serials.csv' } },
    )
    const stored = async () => (await manager.send(serialUnits.list, {})).total
    await expect.poll(stored, { timeout: 10_000, interval: 5 }).toBeGreaterThan(0)
    await manager.send(jobs.cancel, { id: job_id })
    await expect.poll(async () => (await manager.send(jobs.get, { id: job_id })).state).toMatch(/cancelled|done/)
    expect((await manager.send(jobs.get, { id: job_id })).state).toBe('cancelled')
    const before = await stored()
    expect(before).toBeLessThan(5_000)
    expect(UnitImport.parse((await bring(csv)).result)).toMatchObject({ added: 5_000 - before, unchanged: before })
    expect(await stored()).toBe(5_000)
  })

  it('comes back as it was saved', async () => {
    await write({ sku: 'LAMP', serial: 'S100', pack_code: 'BOX-7', lot: '=1+1', expiry: '2030-01-31' })
    await lamps('S101')
    const saved = (await manager.ask(serialUnits.export, {})).body
    expect(saved.split('\n')[0]).toContain('sku,serial,pack_code,lot,expiry,state')
    expect(UnitImport.parse((await bring(saved)).result)).toMatchObject({ unchanged: 2, refused: 0 })
  })
})

describe('an imported serial number', () => {
  beforeEach(() => lamps('S100', 'S200'))

  it('is in packing with its order, sent when the order is packed, and returned with its piece', async () => {
    const order = await openOrder()
    expect((await order.serial('S100')).result).toBe('order_done')
    expect(await states()).toEqual({ S100: 'in packing', S200: 'in_stock' })
    await order.close()
    expect(await states()).toEqual({ S100: 'sent', S200: 'in_stock' })
    expect(await listed({ state: 'sent' })).toMatchObject([{ serial: 'S100', order_id: order.id, order_no: order.order_no }])
    const back = (returned_at: string | null) =>
      testApp.services.database.transaction(scopeOf(), db =>
        setSerialReturned(db, { order_line_id: order.order_line_id, serial: 'S100', returned_at }),
      )
    await back(new Date().toISOString())
    expect(await states()).toEqual({ S100: 'returned', S200: 'in_stock' })
    await back(null)
    expect(await states()).toEqual({ S100: 'sent', S200: 'in_stock' })
    await back(new Date().toISOString())
    expect((await (await openOrder({ packer: packers[1] as TestUser })).serial('S100')).result).toBe('order_done')
    expect(await states()).toEqual({ S100: 'in packing', S200: 'in_stock' })
  })

  it('is in stock again when its scan is taken back, its order is given up, its parcel is unpacked, or its order is reopened', async () => {
    const order = await openOrder()
    await order.serial('S100')
    await order.undo()
    expect(await states()).toMatchObject({ S100: 'in_stock' })
    await order.serial('S100')
    await order.packer.send(packing.abort, { id: order.id, body: { empty: true } })
    expect(await states()).toMatchObject({ S100: 'in_stock' })
    await order.start()
    await order.serial('S100')
    const { parcels } = await order.close()
    await lead.send(packing.unpack, { id: order.id, body: { shipment_id: parcels[0]?.shipment_id ?? 0 } })
    expect(await states()).toMatchObject({ S100: 'in_stock' })
    await order.start()
    await order.serial('S100')
    await order.close()
    await lead.send(orders.setState, { id: order.id, state: 'picked' })
    expect(await states()).toMatchObject({ S100: 'in_stock' })
    // Webhooks say each time that it left the order, but for a scan that was taken back.
    const removed = await testApp.services.database.readOnly(scopeOf(), db =>
      db.selectFrom('events').select(['subject', 'data']).where('order_id', '=', order.id).where('kind', '=', 'serial.removed').execute(),
    )
    expect(removed).toHaveLength(3)
    expect(removed[0]).toMatchObject({ subject: 'serial', data: { serial: 'S100' } })
  })

  it.each([
    ['recalled', 'S100 is recalled and must not go out'],
    ['removed', 'S100 was taken out of the stock'],
  ] as const)('that is %s is refused at the station and in the office, and goes out once that is taken back', async (as, sentence) => {
    expect(await mark(as, 'S100')).toMatchObject({ changed: 1 })
    const order = await openOrder()
    const answer = await order.serial('S100')
    expect(answer).toMatchObject({ result: 'serial_refused', counted: 0 })
    expect(sentenceOf(answer)).toBe(sentence)
    await expect(lead.send(packing.addSerial, { identifier: 'S100', order_item_id: order.order_line_id })).rejects.toMatchObject({
      status: 422,
      code: 'serial_refused',
    })
    expect(await states()).toMatchObject({ S100: as })
    expect(await mark('in_stock', 'S100')).toMatchObject({ changed: 1 })
    expect((await order.serial('S100')).result).toBe('order_done')
  })

  it('that is out stays out when its recall is taken back, and is not removed', async () => {
    await (await openOrder()).serial('S100')
    expect(await mark('removed', 'S100')).toMatchObject({ changed: 0 })
    expect(await mark('recalled', 'S100')).toMatchObject({ changed: 1 })
    expect(await saidOf('S100')).toEqual([{ kind: 'serial_unit.marked', data: { as: 'recalled' } }])
    expect(await mark('in_stock', 'S100')).toMatchObject({ changed: 1 })
    expect(await states()).toMatchObject({ S100: 'in packing' })
  })

  it('that is recalled while it is out stays recalled when it comes back', async () => {
    const order = await openOrder()
    await order.serial('S100')
    await mark('recalled', 'S100')
    await order.undo()
    expect(await states()).toMatchObject({ S100: 'recalled' })
  })

  it('is recorded in the office as at the station', async () => {
    const order = await openOrder()
    await lead.send(packing.addSerial, { identifier: 'S200', order_item_id: order.order_line_id })
    expect(await states()).toMatchObject({ S200: 'in packing' })
  })

  it('goes out with one of two stations in the same moment', async () => {
    const open = await Promise.all(packers.map(packer => openOrder({ packer })))
    const results = await Promise.all(open.map(async order => (await order.serial('S100')).result))
    expect(results.toSorted()).toEqual(['order_done', 'serial_refused'])
  })

  it('is found by its beginning, its pack, its state and its product', async () => {
    await write({ sku: 'LENS', serial: 's300', pack_code: 'BOX-9' })
    const found = async (asked: object) => (await listed(asked)).map(unit => unit.serial)
    expect(await found({ query: 'S1' })).toEqual(['S100'])
    expect(await found({ query: 'BOX-9' })).toEqual(['s300'])
    expect(await found({ query: 'BOX' })).toEqual([])
    expect(await found({ sku: 'lens' })).toEqual(['s300'])
    expect(await found({ state: 'sent' })).toEqual([])
    expect(await manager.send(serialUnits.list, { page: 2, limit: 2 })).toMatchObject({ rows: [{ serial: 'S100' }], total: 3 })
  })

  it('is compared as its company compares letters, from the change on', async () => {
    await lamps('s300')
    await configure('letters', 'upper')
    expect((await (await openOrder()).serial('S300')).result).toBe('order_done')
    expect(await states()).toMatchObject({ s300: 'in packing' })
    await configure('letters', 'keep')
    await lamps('x1y', 'X1Y')
    await expect(configure('letters', 'upper')).rejects.toMatchObject({ status: 409, code: 'duplicate_units' })
  })
})

describe('a company that takes imported serial numbers only', () => {
  beforeEach(async () => {
    await lamps('S100')
    await write({ sku: 'LENS', serial: 'L100' })
    await configure('mode', 'stock')
  })

  it.each([
    ['S999', 'S999 is not among the serial numbers in stock'],
    ['L100', 'L100 is a serial number of LENS'],
  ])('is refused %s in a sentence, and nothing is counted', async (serial, sentence) => {
    const order = await openOrder()
    const answer = await order.serial(serial)
    expect(answer).toMatchObject({ result: 'serial_refused', counted: 0, packed: 0 })
    expect(sentenceOf(answer)).toBe(sentence)
    expect((await order.serial('S100')).result).toBe('order_done')
  })

  it('is refused a number that is out, whatever the scope of its rule says', async () => {
    await manager.send(serialNumbers.update, { regex: '[A-Z0-9]+', barcode: 'LAMP', scope: 'none' })
    await (await openOrder()).serial('S100')
    const answer = await (await openOrder({ packer: packers[1] as TestUser })).serial('S100')
    expect(sentenceOf(answer)).toBe('S100 went out already')
  })

  it('takes every number that fits again once it says so', async () => {
    await configure('mode', 'outbound')
    expect((await (await openOrder()).serial('S999')).result).toBe('order_done')
  })
})

describe('the code of a pack of imported serial numbers', () => {
  beforeEach(() => box('S101', 'S102', 'S103'))

  it('counts all its pieces with their serial numbers, once for each scan', async () => {
    const order = await openOrder({ qty: 4 })
    const body = { scan_id: randomUUID(), code: 'BOX-7' }
    const first = await order.packer.send(packing.scan, { id: order.id, body })
    expect(first).toMatchObject({ result: 'ok', counted: 3, packed: 3, to_pack: 4 })
    expect(first).not.toHaveProperty('units')
    expect(await order.packer.send(packing.scan, { id: order.id, body })).toEqual(first)
    expect(await order.read()).toMatchObject({ packed: 3, lines: [{ serials: ['S101', 'S102', 'S103'] }] })
    expect(await states()).toEqual({ S101: 'in packing', S102: 'in packing', S103: 'in packing' })
  })

  it('ends the order where its pieces are the last', async () => {
    const order = await openOrder({ qty: 3 })
    expect(await order.serial('BOX-7')).toMatchObject({ result: 'order_done', counted: 3 })
    await order.close()
    expect(await states()).toEqual({ S101: 'sent', S102: 'sent', S103: 'sent' })
  })

  it('is taken back with all its pieces in one step, and its serial numbers may go out again', async () => {
    const order = await openOrder({ qty: 4 })
    await order.serial('S900')
    await order.scan('BOX-7')
    expect(await order.undo()).toMatchObject({ result: 'undone', counted: -3, packed: 1 })
    expect(await order.read()).toMatchObject({ packed: 1, lines: [{ serials: ['S900'] }] })
    expect(await states()).toEqual({ S101: 'in_stock', S102: 'in_stock', S103: 'in_stock' })
    const other = await openOrder({ qty: 3, packer: packers[1] as TestUser })
    expect(await other.scan('BOX-7')).toMatchObject({ result: 'order_done', counted: 3 })
  })

  it('comes out of its parcel when that is unpacked', async () => {
    const order = await openOrder({ qty: 3 })
    await order.scan('BOX-7')
    const { parcels } = await order.close()
    await lead.send(packing.unpack, { id: order.id, body: { shipment_id: parcels[0]?.shipment_id ?? 0 } })
    expect(await states()).toEqual({ S101: 'in_stock', S102: 'in_stock', S103: 'in_stock' })
    await order.start()
    expect(await order.scan('BOX-7')).toMatchObject({ result: 'order_done', counted: 3 })
  })

  it('is refused where fewer pieces are missing, and counts nothing', async () => {
    const order = await openOrder({ qty: 2 })
    const answer = await order.scan('BOX-7')
    expect(answer).toMatchObject({ result: 'over', counted: 0, packed: 0 })
    expect(sentenceOf(answer)).toBe('This pack holds 3, but only 2 of LAMP are missing')
  })

  it.each([
    ['one piece is recalled', () => mark('recalled', 'S102'), 'S102 in this multipack is recalled'],
    [
      'one piece is out',
      async () => {
        await (await openOrder({ packer: packers[1] as TestUser })).serial('S102')
      },
      'S102 of this multipack is packed or sent already',
    ],
  ])('is refused as a whole where %s', async (_, before, sentence) => {
    await before()
    const order = await openOrder({ qty: 3 })
    const answer = await order.scan('BOX-7')
    expect(answer).toMatchObject({ result: 'serial_refused', counted: 0 })
    expect(sentenceOf(answer)).toBe(sentence)
    expect(await order.read()).toMatchObject({ packed: 0, lines: [{ serials: [] }] })
  })

  it('counts what is left of it once a piece was taken out', async () => {
    await mark('removed', 'S102')
    expect(await (await openOrder({ qty: 2 })).scan('BOX-7')).toMatchObject({ result: 'order_done', counted: 2 })
  })

  it('belongs to its product only', async () => {
    const answer = await (await openOrder({ sku: 'LENS' })).scan('BOX-7')
    expect(answer).toMatchObject({ result: 'serial_refused', counted: 0 })
    expect(sentenceOf(answer)).toBe('BOX-7 is a multipack of LAMP, which does not belong to this order')
  })

  it('is scanned, not typed, where the company types no serial numbers', async () => {
    await configure('allow_typed', 'false')
    expect(await (await openOrder({ qty: 3 })).scan('BOX-7', { method: 'typed' })).toMatchObject({ result: 'serial_refused', counted: 0 })
  })

  it('gives the serial numbers of pieces that were counted before', async () => {
    await configure('ask_at', 'close')
    const order = await openOrder({ qty: 3 })
    for (let piece = 0; piece < 3; piece++) await order.scan('LAMP-BARCODE')
    expect(await order.scan('BOX-7')).toMatchObject({ result: 'order_done', counted: 0, packed: 3, line: { missing_serials: 0 } })
    expect(await order.undo()).toMatchObject({ result: 'undone', counted: 0, packed: 3, line: { missing_serials: 3 } })
    expect(await states()).toEqual({ S101: 'in_stock', S102: 'in_stock', S103: 'in_stock' })
  })

  it('goes out with one of two stations in the same moment', async () => {
    const open = await Promise.all(packers.map(packer => openOrder({ qty: 3, packer })))
    const results = await Promise.all(open.map(async order => (await order.scan('BOX-7')).counted))
    expect(results.toSorted()).toEqual([0, 3])
  })
})

describe('a recall', () => {
  it('holds back a range of a product: what is in stock, what is out, and what was never imported', async () => {
    await lamps('S098', 'S099', 'S100', 'S1000')
    await write({ sku: 'LENS', serial: 'S099' })
    const order = await openOrder({ qty: 2 })
    for (const serial of ['S100', 'S101']) await order.serial(serial)
    expect(await manager.send(serialUnits.recall, { sku: 'lamp', body: { first: 'S099', last: 'S101' } })).toEqual({ recalled: 3 })
    const found = (await listed()).map(unit => `${unit.sku} ${unit.serial} ${unit.state}`).toSorted()
    expect(found).toEqual([
      'LAMP S098 in_stock',
      'LAMP S099 recalled',
      'LAMP S100 recalled',
      'LAMP S1000 in_stock',
      'LAMP S101 recalled',
      'LENS S099 in_stock',
    ])
    expect(await manager.send(serialUnits.recall, { sku: 'LAMP', body: {} })).toEqual({ recalled: 2 })
    expect(await manager.send(serialUnits.recall, { sku: 'LAMP', body: {} })).toEqual({ recalled: 0 })
  })
})
