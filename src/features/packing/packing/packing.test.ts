/** The station over HTTP: opening, scanning, closing – and what happens when somebody or something comes between. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { packingPin } from '#features/company/packing-pin/packing-pin.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let label_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({
    shops: 1,
    settings: {
      sender,
    },
  })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['scan_admin', 'parcels_admin', 'settings_admin'], operator.main, 'Jonas')
  const list = await lead.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.name.toLowerCase().includes('label'))!.id
})
afterAll(() => testApp.close())

interface Thing {
  barcode: string
  qty: number
  serial?: boolean
  pack?: { barcode: string; quantity: number }
}

/** An order of these products, ready to be packed. */
async function order(things: Thing[], company: BuiltCompany = operator.main): Promise<{ id: number; lines: number[] }> {
  const scope = { ...scopeOfCompany(operator, company), companies: [company.id] }
  return testApp.services.database.transaction(scope, async db => {
    const { id } = await db
      .insertInto('orders')
      .values({
        external_id: randomUUID(),
        order_no: `T${Math.floor(Math.random() * 1e9)}`,
        work_state: 'ready',
        phase: 'ready',
        currency: 'DKK',
        ordered_at: new Date().toISOString(),
        customer_name: 'Lene Hansen',
        ship_country: 'DK',
        ship_to: JSON.stringify({
          name: 'Lene Hansen',
          address1: 'Skibhusvej 52',
          postcode: '5000',
          city: 'Odense C',
          country: 'DK',
          phone: '+4512345678',
        }),
        agent_code: 'own',
        shipping_method: 'van',
        fingerprint: Buffer.from('x'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lines: number[] = []
    for (const [i, { barcode, qty, serial, pack }] of things.entries()) {
      const sku = `SKU-${randomUUID().slice(0, 8)}`
      const product = await db
        .insertInto('products')
        .values({ sku, name: `Thing ${i + 1}`, weight_g: 300, serial_required: serial ?? false })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const one of [{ barcode, quantity: 1 }, ...(pack ? [pack] : [])])
        await db
          .insertInto('product_barcodes')
          .values({ product_id: product.id, ...one })
          .execute()
      const line = await db
        .insertInto('order_lines')
        .values({ order_id: id, line_no: i + 1, sku, product_id: product.id, name: `Thing ${i + 1}`, qty })
        .returning('id')
        .executeTakeFirstOrThrow()
      lines.push(line.id)
    }
    return { id, lines }
  })
}

let next = 1000
const barcode = () => `B-${next++}`
const start = (who: TestUser, id: number, station = 'Bench 1', take_over = false) =>
  who.send(packing.start, { id, body: { station, take_over } })
const scan = (who: TestUser, id: number, code: string, more: object = {}) =>
  who.send(packing.scan, { id, body: { scan_id: randomUUID(), code, ...more } })
const close = (who: TestUser, id: number, more: object = {}) => who.send(packing.close, { id, body: { label_printer_id, ...more } })
const hold = (id: number, note = 'Customer called') => lead.send(orderLocks.lock, { id, body: { note } })

it('lists a barcode once that stands at the line and at its product', async () => {
  const [a, b] = [barcode(), barcode()]
  const { id, lines } = await order([{ barcode: a, qty: 2, pack: { barcode: b, quantity: 6 } }])
  const own = (code: string) =>
    testApp.services.database.systemTransaction('the line has a barcode of its own', db =>
      db
        .updateTable('order_lines')
        .set({ barcode: code })
        .where('id', '=', lines[0] ?? 0)
        .execute(),
    )
  const codes = async () => (await kim.send(packing.get, { id })).lines[0]?.codes
  const of_product = [
    { code: a, quantity: 1 },
    { code: b, quantity: 6 },
  ]
  await own(a)
  expect(await codes()).toEqual(of_product)
  await own('OWN-1')
  expect(await codes()).toEqual([...of_product, { code: 'OWN-1', quantity: 1 }])
})

describe('an order at the bench', () => {
  it('is opened, scanned to the last piece, closed, labelled and printed', async () => {
    const [a, b] = [barcode(), barcode()]
    const { id } = await order([
      { barcode: a, qty: 2 },
      { barcode: b, qty: 1 },
    ])
    const opened = await start(kim, id)
    expect(opened).toMatchObject({ packed: 0, to_pack: 3, session: { state: 'open', station: 'Bench 1' } })
    expect(await scan(kim, id, a)).toMatchObject({ result: 'ok', packed: 1 })
    expect(await scan(kim, id, a)).toMatchObject({ result: 'line_done', packed: 2 })
    expect(await scan(kim, id, b)).toMatchObject({ result: 'order_done', packed: 3 })
    const closed = await close(kim, id)
    expect(closed).toMatchObject({ outcome: 'labelled', parcels: [{ state: 'booked', parcel_no: 1, weight_g: 200 + 3 * 300 }] })
    expect(closed.print_jobs).toMatchObject([{ document: 'label', state: expect.stringMatching(/accepted|done/) }])
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'packed', packed_by: 'Kim', session: null })
  })

  it('counts the same scan once even when it arrives five times at the same moment', async () => {
    const a = barcode()
    const { id } = await order([{ barcode: a, qty: 5 }])
    await start(kim, id)
    const scan_id = randomUUID()
    await Promise.allSettled(Array.from({ length: 5 }, () => kim.send(packing.scan, { id, body: { scan_id, code: a } })))
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 1 })
  })

  it('never counts more than was ordered, however many scans race', async () => {
    const a = barcode()
    const { id } = await order([{ barcode: a, qty: 3 }])
    await start(kim, id)
    await Promise.allSettled(Array.from({ length: 12 }, () => scan(kim, id, a)))
    expect((await kim.send(packing.get, { id })).packed).toBe(3)
  })

  it('is packed by main-company staff for a shop, and the rows stay the shop’s', async () => {
    const a = barcode()
    const shop = operator.shops[0]!
    const { id } = await order([{ barcode: a, qty: 1 }], shop)
    await start(kim, id, 'Bench 9')
    await scan(kim, id, a)
    expect(await close(kim, id)).toMatchObject({ outcome: 'labelled' })
    const owners = await testApp.services.database.transaction(scopeOfCompany(operator), async db => ({
      scans: await db.selectFrom('packing_scans').select('company_id').where('order_id', '=', id).execute(),
      shipments: await db.selectFrom('shipments').select('company_id').where('order_id', '=', id).execute(),
      jobs: await db.selectFrom('print_jobs').select('company_id').where('order_id', '=', id).execute(),
    }))
    expect([...owners.scans, ...owners.shipments, ...owners.jobs].every(row => row.company_id === shop.id)).toBe(true)
    const stranger = await operator.hire(['scan'], shop, 'Shop packer')
    const foreign = await order([{ barcode: barcode(), qty: 1 }])
    await expect(start(stranger, foreign.id)).rejects.toMatchObject({ status: 404 })
  })

  it('records the serial number that the rule of the product reads from a longer code, also where no product was scanned before', async () => {
    const s = barcode()
    const { id, lines } = await order([{ barcode: s, qty: 2, serial: true }])
    const manager = await operator.hire(['sn_admin'])
    const extract = JSON.stringify([{ kind: 'position', start: 5, length: 11 }])
    await manager.send(serialNumbers.update, { regex: 'c[0-9]{10}', barcode: s, extract })
    await start(kim, id)
    expect(await scan(kim, id, 'c1234567890', { serial_for: lines[0]! })).toMatchObject({ result: 'serial_refused' })
    expect(await scan(kim, id, '0457c1234567890XX', { serial_for: lines[0]! })).toMatchObject({ result: 'ok', packed: 1 })
    expect(await scan(kim, id, '0458c1234567890YY', { serial_for: lines[0]! })).toMatchObject({ result: 'serial_refused', counted: 0 })
    expect(await scan(kim, id, '0457c1234567891XX')).toMatchObject({ result: 'order_done' })
    expect((await kim.send(packing.get, { id })).lines).toMatchObject([{ serials: ['c1234567890', 'c1234567891'] }])
  })

  it('needs a right to be counted by hand', async () => {
    const { id, lines } = await order([{ barcode: barcode(), qty: 2 }])
    await start(kim, id)
    const body = { scan_id: randomUUID(), order_line_id: lines[0]!, quantity: 2 }
    await expect(kim.send(packing.count, { id, body })).rejects.toMatchObject({ status: 403 })
    await start(lead, id, 'Bench 1', true)
    expect(await lead.send(packing.count, { id, body })).toMatchObject({ result: 'order_done', packed: 2 })
  })

  it('goes out in two parcels, each with a label of its own', async () => {
    const [a, b] = [barcode(), barcode()]
    const { id } = await order([
      { barcode: a, qty: 1 },
      { barcode: b, qty: 1 },
    ])
    await start(kim, id)
    await scan(kim, id, a)
    await kim.send(packing.nextParcel, { id, body: {} })
    await scan(kim, id, b)
    const closed = await close(kim, id)
    expect(closed.parcels.map(parcel => parcel.state)).toEqual(['booked', 'booked'])
    expect(new Set(closed.parcels.map(parcel => parcel.tracking_no)).size).toBe(2)
    expect(closed.print_jobs).toHaveLength(2)
  })

  it('is sent in part, and the rest is packed another day into the next parcel', async () => {
    const [a, b] = [barcode(), barcode()]
    const { id } = await order([
      { barcode: a, qty: 1 },
      { barcode: b, qty: 1 },
    ])
    await start(kim, id)
    await scan(kim, id, a)
    await expect(close(kim, id)).rejects.toMatchObject({ status: 409, message: '1 items are not packed yet' })
    expect(await close(kim, id, { rest: 'backorder' })).toMatchObject({ outcome: 'labelled' })
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'ready' })
    await start(kim, id)
    await scan(kim, id, b)
    const closed = await close(kim, id)
    expect(closed.parcels.map(parcel => parcel.parcel_no)).toEqual([1, 2])
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'packed' })
  })
})

describe('an order sent in part, whose rest waits for a person', () => {
  const sendPart = async () => {
    const [a, b] = [barcode(), barcode()]
    const placed = await order([
      { barcode: a, qty: 1 },
      { barcode: b, qty: 1 },
    ])
    await start(kim, placed.id)
    await scan(kim, placed.id, a)
    return { ...placed, b, closed: await close(kim, placed.id, { rest: 'hold' }) }
  }

  it('has its label printed, and its parcel leaves', async () => {
    const { id, closed } = await sendPart()
    expect(closed).toMatchObject({ outcome: 'labelled', print_jobs: [{ document: 'label', state: 'done' }] })
    const event = await lead.ask(labels.event, { body: { barcode: closed.parcels[0]!.tracking_no, event: 'handed_over' } })
    expect(event.statusCode, event.body).toBe(200)
    await expect(start(kim, id)).rejects.toMatchObject({ status: 409, message: 'Put on hold by Kim: Part of the order was sent' })
  })

  it('stays in the warehouse all the same when somebody locks it', async () => {
    const { id, closed } = await sendPart()
    await hold(id)
    await expect(
      lead.send(labels.event, { body: { barcode: closed.parcels[0]!.tracking_no ?? '', event: 'handed_over' } }),
    ).rejects.toMatchObject({ status: 409, message: 'Locked by Jonas: Customer called' })
  })
})

describe('the dispatch note', () => {
  it('goes with the label that it lies beside: taken back, neither comes out', async () => {
    const services = await testApp.operator({ settings: { sender, print_slip: true } })
    const [packer, office] = [await services.hire(['scan']), await services.hire(['parcels_admin', 'settings_admin'])]
    const known = (await office.send(printers.list, {})).printers
    const a4 = known.find(one => one.paper === 'a4')!
    const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(services), {
      agent_code: 'own',
      shipping_method: 'van',
    })
    await start(packer, id)
    for (const code of ['5701234567890', '5701234567890']) await scan(packer, id, code)
    const closer = await services.hire(['scan_admin'])
    await start(closer, id, 'Bench 1', true)
    await closer.send(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: lines[1]!, quantity: 1 } })
    const closed = await closer.send(packing.close, { id, body: { a4_printer_id: a4.id } })
    expect(closed.print_jobs).toMatchObject([{ document: 'slip', state: 'done' }])
    const slip = closed.print_jobs[0]!.id
    await office.send(labels.cancel, { agent_code: 'own', barcode: closed.parcels[0]!.tracking_no ?? '' })
    expect(await packer.send(printJobs.reprint, { id: slip, printer: a4.id })).toMatchObject({
      state: 'cancelled',
      error: 'The shipment was cancelled',
    })
  })
})

describe('two people and one order', () => {
  it('opens at one station only, and says who has it where', async () => {
    const { id } = await order([{ barcode: barcode(), qty: 1 }])
    await start(kim, id, 'Bench 1')
    await expect(start(lead, id, 'Bench 2')).rejects.toMatchObject({ status: 409, message: 'Kim has it at Bench 1' })
  })

  it('has exactly one winner when sixteen open it at once', async () => {
    const { id } = await order([{ barcode: barcode(), qty: 1 }])
    const crowd = await Promise.all(Array.from({ length: 16 }, (_, i) => operator.hire(['scan'], operator.main, `Packer ${i}`)))
    const tries = await Promise.allSettled(crowd.map((one, i) => start(one, id, `Bench ${i}`)))
    expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  })

  it('is taken over by word, with the right, and the first one’s scans no longer count', async () => {
    const a = barcode()
    const { id } = await order([{ barcode: a, qty: 2 }])
    await start(kim, id, 'Bench 1')
    await scan(kim, id, a)
    const other = await operator.hire(['scan'], operator.main, 'Ole')
    await expect(start(other, id, 'Bench 2', true)).rejects.toMatchObject({ status: 403 })
    expect(await start(lead, id, 'Bench 2', true)).toMatchObject({ packed: 1, session: { user_name: 'Jonas' } })
    await expect(scan(kim, id, a)).rejects.toMatchObject({ status: 409, message: 'Jonas has it at Bench 2' })
    expect(await scan(lead, id, a)).toMatchObject({ result: 'order_done' })
  })

  it('belongs to anyone after fifteen idle minutes', async () => {
    const { id } = await order([{ barcode: barcode(), qty: 1 }])
    await start(kim, id, 'Bench 1')
    const other = await operator.hire(['scan'], operator.main, 'Ole')
    testApp.setNow(new Date(Date.now() + 16 * 60_000))
    expect(await start(other, id, 'Bench 2')).toMatchObject({ session: { user_name: 'Ole' } })
    testApp.setNow(undefined)
  })

  it('is set aside and resumed by somebody else without a word', async () => {
    const a = barcode()
    const { id } = await order([{ barcode: a, qty: 2 }])
    await start(kim, id)
    await scan(kim, id, a)
    await kim.send(packing.park, { id, body: { reason: 'Box is broken' } })
    const other = await operator.hire(['scan'], operator.main, 'Ole')
    expect(await start(other, id, 'Bench 2')).toMatchObject({ packed: 1, session: { state: 'open', user_name: 'Ole' } })
  })
})

describe('a stop', () => {
  it('bars the next scan and the closing', async () => {
    const a = barcode()
    const { id } = await order([{ barcode: a, qty: 2 }])
    await start(kim, id)
    await scan(kim, id, a)
    await hold(id)
    expect(await scan(kim, id, a)).toMatchObject({ result: 'stopped', packed: 1 })
    await expect(start(kim, id)).rejects.toMatchObject({ status: 409, message: 'Locked by Jonas: Customer called' })
  })

  it('between the last scan and the label leaves no label and no print', async () => {
    const a = barcode()
    const { id } = await order([{ barcode: a, qty: 1 }])
    await start(kim, id)
    await scan(kim, id, a)
    await hold(id, 'Wrong address')
    expect(await close(kim, id)).toMatchObject({ outcome: 'stopped', print_jobs: [] })
    expect((await kim.send(packing.get, { id })).parcels).toEqual([])
  })
})

describe('the PIN', () => {
  it('guards the bypass, and five wrong ones lock it', async () => {
    const { id } = await order([{ barcode: barcode(), qty: 2 }])
    await lead.send(packingPin.setPin, { body: { pin: '4711' } })
    expect(await kim.send(packing.pinRequired, {})).toEqual({ required: true })
    const ole = await operator.hire(['scan'], operator.main, 'Ole')
    await start(ole, id, 'Bench P')
    const bypass = (pin?: string) =>
      ole.send(packing.bypass, { id, body: { reason: 'Barcode is torn', ...(pin && { pin }) } }, { station: 'Bench P' })
    await expect(bypass()).rejects.toMatchObject({ status: 403, fields: { pin: 'This needs the PIN' } })
    expect(await bypass('4711')).toMatchObject({ packed: 2 })
    for (let i = 0; i < 5; i++) await expect(bypass('0000')).rejects.toMatchObject({ status: 403 })
    await expect(bypass('4711')).rejects.toMatchObject({ status: 429 })
    await lead.send(packingPin.removePin, {})
  })

  it('is guessed no faster by many guesses at the same moment', async () => {
    const { id } = await order([{ barcode: barcode(), qty: 1 }])
    await lead.send(packingPin.setPin, { body: { pin: '4711' } })
    const ida = await operator.hire(['scan'], operator.main, 'Ida')
    await start(ida, id, 'Bench Q')
    const guess = (pin: string) => ida.ask(packing.bypass, { id, body: { reason: 'Barcode is torn', pin } }, { station: 'Bench Q' })
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => guess(`${1_000 + i}`)))
    const codes = answers.map(answer => answer.statusCode)
    expect(codes.toSorted()).toEqual([...Array<number>(5).fill(403), ...Array<number>(11).fill(429)])
    expect((await guess('4711')).statusCode).toBe(429)
    await lead.send(packingPin.removePin, {})
  })
})
