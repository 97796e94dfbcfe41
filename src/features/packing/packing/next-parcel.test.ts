/** Several parcels of one order: each gets its label when it is full. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { exceptions } from '#features/packing/exceptions/exceptions.contract.ts'
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
  await testApp.startWorkers()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  const list = await lead.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.paper === 'label')!.id
})
afterAll(() => testApp.close())

/** An order of so many mugs, open at the station. */
async function opened(qty: number, weight_g = 300): Promise<number> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [
      { sku: `MUG-${weight_g}`, barcode: `MUG-${weight_g}`, name: 'Mug', qty, weight_g, unit_price_excl_vat: '80.00', vat_percent: '25' },
    ],
  })
  await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  return id
}
const scan = (id: number, code = 'MUG-300') => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
const next = (id: number, printer: number | null = label_printer_id) =>
  kim.send(packing.nextParcel, { id, body: { label_printer_id: printer } })
const close = (id: number, more: object = {}) => kim.send(packing.close, { id, body: { label_printer_id, ...more } })
const parcelsOf = async (id: number) => (await kim.send(packing.get, { id })).parcels
const booked = (id: number, ...states: string[]) =>
  expect.poll(async () => (await parcelsOf(id)).map(({ state }) => state), { timeout: 10_000 }).toEqual(states)
const stored = (id: number) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('shipments').select(['parcel_no', 'request', 'state']).where('order_id', '=', id).orderBy('id').execute(),
  )

/** A packed order of two parcels with a mug each. */
async function packedInTwo(): Promise<{ id: number; parcels: Awaited<ReturnType<typeof parcelsOf>> }> {
  const id = await opened(2)
  await scan(id)
  await next(id)
  await booked(id, 'booked')
  await scan(id)
  return { id, parcels: (await close(id)).parcels }
}
const unpack = (who: TestUser, id: number, shipment_id = 0) => who.send(packing.unpack, { id, body: { shipment_id } })

describe('another parcel', () => {
  it('begins once for each request, also when its answer is lost and it is sent again', async () => {
    const id = await opened(3)
    await scan(id)
    const body = { label_printer_id: null, scan_id: randomUUID() }
    expect((await kim.send(packing.nextParcel, { id, body })).session?.parcel_no).toBe(2)
    expect((await kim.send(packing.nextParcel, { id, body })).session?.parcel_no).toBe(2)
    await scan(id)
    expect((await kim.send(packing.nextParcel, { id, body })).session?.parcel_no).toBe(2)
    const other = await opened(1)
    await scan(other)
    await expect(kim.send(packing.nextParcel, { id: other, body })).rejects.toMatchObject({ status: 409, code: 'scan_of_other_order' })
    await expect(next(id).then(() => next(id))).rejects.toMatchObject({ status: 409, code: 'parcel_empty' })
  })
})

describe('one of several parcels', () => {
  it('is unpacked before it leaves: its label is cancelled, its items are packed again, the other keeps its label', async () => {
    const { id, parcels } = await packedInTwo()
    await unpack(lead, id, parcels[1]?.shipment_id)
    expect(await kim.send(packing.get, { id })).toMatchObject({
      phase: 'picked',
      packed: 1,
      parcels: [
        { parcel_no: 1, state: 'booked' },
        { parcel_no: 2, state: expect.stringMatching(/cancelled|blocked/) },
      ],
    })
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    expect(await scan(id)).toMatchObject({ result: 'order_done' })
    expect((await close(id)).parcels.filter(({ state }) => state === 'booked')).toHaveLength(2)
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'packed' })
  })

  it('is unpacked once, however often it is asked', async () => {
    const { id, parcels } = await packedInTwo()
    await Promise.all([1, 2, 3].map(() => unpack(lead, id, parcels[0]?.shipment_id)))
    await unpack(lead, id, parcels[0]?.shipment_id)
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'picked', packed: 1 })
    const { rows } = await lead.send(orders.timeline, { id })
    expect(rows.filter(({ text }) => text === 'Parcel {{parcel_no}} was unpacked')).toHaveLength(1)
  })

  it('gives the serial numbers of its items free, and no others', async () => {
    const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
    await buildProduct(testApp.services, scope, { sku: 'CAM', name: 'Camera', weight_g: 300, serial_required: true, barcodes: ['CAM'] })
    const { id } = await buildOrder(testApp.services, scope, {
      lines: [{ external_id: '1', sku: 'CAM', name: 'Camera', qty: '2', unit_price_excl_vat: '80.00' }],
    })
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    for (const serial of ['SN-0001', 'SN-0002']) {
      await scan(id, 'CAM')
      const line = (await kim.send(packing.get, { id })).lines[0]?.order_line_id ?? 0
      await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: serial, serial_for: line } })
      if (serial === 'SN-0001') await next(id)
    }
    const { parcels } = await close(id)
    await unpack(lead, id, parcels[1]?.shipment_id)
    expect((await kim.send(packing.get, { id })).lines).toMatchObject([{ packed_qty: 1, serials: ['SN-0001'] }])
  })

  it('stays as it is once it has left, while a packer has the order, and for packers', async () => {
    const { id, parcels } = await packedInTwo()
    const [first, second] = parcels
    await expect(unpack(kim, id, first?.shipment_id)).rejects.toMatchObject({ status: 403 })
    await expect(unpack(lead, id, 1_000_000)).rejects.toMatchObject({ status: 404 })
    await lead.send(labels.event, { body: { barcode: first?.tracking_no ?? '', event: 'handed_over', place: null } })
    await expect(unpack(lead, id, first?.shipment_id)).rejects.toMatchObject({ code: 'parcel_handed_over_register_return' })
    await unpack(lead, id, second?.shipment_id)
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    await expect(unpack(lead, id, second?.shipment_id)).rejects.toMatchObject({ code: 'order_busy' })
  })
})

describe('the next parcel', () => {
  it('gives the full one its label at once, while packing goes on', async () => {
    const id = await opened(3)
    await scan(id)
    expect(await next(id)).toMatchObject({ session: { state: 'open', parcel_no: 2 }, parcels: [{ parcel_no: 1, state: 'booking' }] })
    expect(await scan(id)).toMatchObject({ result: 'ok', packed: 2 })
    await booked(id, 'booked')
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'in_pack', session: { state: 'open', parcel_no: 2 } })
    expect(await scan(id)).toMatchObject({ result: 'order_done' })
    const closed = await close(id)
    expect(closed).toMatchObject({ outcome: 'labelled', parcels: [{ parcel_no: 1 }, { parcel_no: 2, state: 'booked' }] })
    expect(closed.print_jobs.filter(job => job.document === 'label')).toHaveLength(2)
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'packed' })
  })

  it('names no number of parcels on a label while more may follow', async () => {
    const id = await opened(2)
    await scan(id)
    await next(id)
    await booked(id, 'booked')
    await scan(id)
    await close(id)
    const counts = (await stored(id)).map(({ request }) => (request as { parcel: { parcel_count: number | null } }).parcel.parcel_count)
    expect(counts).toEqual([null, 2])
  })

  it('has to wait for an item', async () => {
    const id = await opened(1)
    await expect(next(id)).rejects.toMatchObject({ status: 409, code: 'parcel_empty' })
  })

  it('keeps what lies in a parcel with a label from being taken back by a scan', async () => {
    const id = await opened(2)
    await scan(id)
    await next(id)
    const undo = () => kim.send(packing.undo, { id, body: { scan_id: randomUUID() } })
    await expect(undo()).rejects.toMatchObject({ status: 409, code: 'parcel_booked' })
    expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 1 })
    await scan(id)
    expect(await undo()).toMatchObject({ result: 'undone', packed: 1 })
  })

  it('goes on when the label of the full one fails, and tries it again when the order is closed', async () => {
    const id = await opened(2, 900_000)
    await scan(id, 'MUG-900000')
    expect(await next(id)).toMatchObject({ parcels: [{ parcel_no: 1, state: 'error' }] })
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'in_pack', session: { state: 'open' } })
    expect((await lead.send(exceptions.list, {})).rows.filter(row => row.order_id === id)).toEqual([])
    await scan(id, 'MUG-900000')
    expect(await close(id)).toMatchObject({ outcome: 'label_error' })
    expect((await stored(id)).map(({ parcel_no }) => parcel_no)).toEqual([1, 1, 2])
    expect((await lead.send(exceptions.list, {})).rows.filter(row => row.order_id === id)).toMatchObject([{ kind: 'label_error' }])
  })

  it('may be left empty when the rest of the order is sent later', async () => {
    const id = await opened(2)
    await scan(id)
    await next(id)
    await booked(id, 'booked')
    expect(await close(id, { rest: 'backorder' })).toMatchObject({ outcome: 'labelled', parcels: [{ parcel_no: 1 }] })
    expect(await kim.send(packing.get, { id })).toMatchObject({ phase: 'ready' })
  })

  it('waits with all labels on a device without a label printer', async () => {
    const id = await opened(2)
    await scan(id)
    expect(await next(id, null)).toMatchObject({ parcels: [] })
    await scan(id)
    expect((await close(id)).parcels.map(({ state }) => state)).toEqual(['booked', 'booked'])
  })

  it('waits with all labels where the company has it so', async () => {
    const config = await lead.send(company.config, {})
    await lead.send(company.setConfig, { body: { version: config.version, label_when: 'order' } })
    const id = await opened(2)
    await scan(id)
    expect(await next(id)).toMatchObject({ parcels: [] })
    await scan(id)
    expect((await close(id)).parcels.map(({ state }) => state)).toEqual(['booked', 'booked'])
  })
})
