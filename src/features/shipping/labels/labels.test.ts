/** Labels over HTTP: made, printed again, fetched, taken back, followed – and the record of every exchange. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { slowCourier } from '#integrations/couriers/slow.fake.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { labels } from './labels.contract.ts'
import type { Shipment } from './labels.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
/** Takes ZPL. */
let printer_id: number
/** Takes PDF. */
let pdf_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2, settings: { sender } })
  kim = await operator.hire(['scan', 'parcels'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  const { printers: known } = await lead.send(printers.list, {})
  printer_id = known.find(one => one.paper === 'label')!.id
  await lead.send(printers.change, { id: printer_id, body: { raw_override: true } })
  pdf_printer_id = known.find(one => one.paper === 'a4')!.id
})
afterAll(() => testApp.close())

/** An order of two pieces, packed at the station with its label made and printed. */
async function packed({
  at = operator.main,
  agent_code = 'own',
  shipping_method = 'van',
  close = true,
}: {
  at?: BuiltCompany
  agent_code?: string
  shipping_method?: string
  close?: boolean
} = {}): Promise<{ id: number; order_no: string; shipment: Shipment }> {
  const barcode = `B-${randomUUID()}`
  const order_no = `L${randomUUID().slice(0, 8)}`
  const id = await testApp.services.database.transaction({ ...scopeOfCompany(operator, at), companies: [at.id] }, async db => {
    const { id: order_id } = await db
      .insertInto('orders')
      .values({
        external_id: randomUUID(),
        order_no,
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
        agent_code,
        shipping_method,
        fingerprint: Buffer.from('x'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sku = randomUUID()
    const product = await db.insertInto('products').values({ sku, name: 'Thing', weight_g: 300 }).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('product_barcodes').values({ product_id: product.id, barcode, quantity: 1 }).execute()
    await db.insertInto('order_lines').values({ order_id, line_no: 1, sku, product_id: product.id, name: 'Thing', qty: 2 }).execute()
    return order_id
  })
  if (!close) return { id, order_no, shipment: {} as Shipment }
  await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  for (let i = 0; i < 2; i++) await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: barcode } })
  await kim.send(packing.close, { id, body: { label_printer_id: printer_id } })
  const [shipment] = await kim.send(labels.ofOrders, { ids: String(id) })
  return { id, order_no, shipment: shipment! }
}

/** The bytes that went to the printer. */
async function printedBytes(print_job_id: number): Promise<Buffer> {
  const file = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .selectFrom('print_jobs as p')
      .innerJoin('files as f', 'f.id', 'p.file_id')
      .select('f.sha256')
      .where('p.id', '=', print_job_id)
      .executeTakeFirstOrThrow(),
  )
  return testApp.services.files.get(operator.operator_id, file.sha256)
}
const jobsOf = (order_id: number) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('print_jobs').select(['id', 'copy_no', 'state']).where('order_id', '=', order_id).orderBy('id').execute(),
  )
const phaseOf = async (id: number) => (await kim.send(packing.get, { id })).phase
const event = (barcode: string | null, event: 'handed_over' | 'delivered' | 'delivery_failed', who = kim, place: string | null = null) =>
  who.send(labels.event, { body: { barcode: barcode ?? '', event, place } })
const numbersIn = async (pdf: Uint8Array) => (await readLabel(pdf)).filter(code => code.format === 'Code128').map(code => code.text)

describe('printing again', () => {
  it('marks every label after the first one as a copy, on whatever printer, and each still decodes to its number', async () => {
    const { id, shipment } = await packed()
    const [first] = await jobsOf(id)
    expect((await printedBytes(first!.id)).toString()).not.toContain('COPY')
    const raw = await kim.send(labels.print, { order_id: id, printer_id, packing_station: 'Bench 1' })
    const zpl = (await printedBytes(raw.print_jobs.at(-1)!.id)).toString()
    expect(zpl).toContain('COPY 1')
    expect(zpl).toContain(shipment.barcode)
    const plain = await kim.send(labels.print, { order_id: id, printer_id: pdf_printer_id, packing_station: 'Bench 1' })
    const pdf = await printedBytes(plain.print_jobs.at(-1)!.id)
    expect((await readText(pdf)).join(' ')).toContain('COPY 2 · Kim')
    expect(await numbersIn(pdf)).toEqual([shipment.barcode])
    expect((await jobsOf(id)).map(job => job.copy_no)).toEqual([0, 1, 2])
  })

  it('prints once for one client id, however often it is asked', async () => {
    const { id, shipment } = await packed()
    const client_id = randomUUID()
    const ask = () => kim.send(labels.logPrint, { shipment_id: shipment.shipment_id, printer_id, client_id })
    const answers = [await ask(), await ask(), ...(await Promise.all([ask(), ask()]))]
    expect(new Set(answers.map(answer => answer.print_job_id)).size).toBe(1)
    expect(await jobsOf(id)).toHaveLength(2)
  })

  it('prints a label that never came out once for one client id, and asks for such an id', async () => {
    const [shipment] = (
      await kim.send(labels.create, {
        agent_code: 'own',
        shipping_method: 'van',
        operation_code: 'outbound',
        body: { order_id: (await packed()).id, parcels: [{}] },
      })
    ).shipments.slice(-1)
    const shipment_id = shipment!.shipment_id
    const client_id = randomUUID()
    const ask = () => kim.send(labels.logPrint, { shipment_id, printer_id, client_id })
    const answers = [await ask(), await ask(), await ask()]
    expect(new Set(answers.map(answer => answer.print_job_id)).size).toBe(1)
    const without = await kim.ask(labels.logPrint, { shipment_id, printer_id })
    expect([without.statusCode, without.json().fields]).toMatchObject([400, { client_id: expect.any(String) }])
  })

  it('refuses what has no label yet, and what was cancelled', async () => {
    const { id } = await packed({ close: false })
    await expect(kim.send(labels.print, { order_id: id, printer_id, packing_station: 'Bench 1' })).rejects.toMatchObject({ status: 409 })
    const { shipment } = await packed()
    await kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })
    await expect(
      kim.send(labels.logPrint, { shipment_id: shipment.shipment_id, printer_id, client_id: randomUUID() }),
    ).rejects.toMatchObject({
      key: 'This label was cancelled: it is not printed again',
    })
  })
})

describe('fetching', () => {
  it('answers a cancelled label only as a picture with the word across it', async () => {
    const { shipment, id } = await packed()
    const entry = (await kim.send(labels.logSearch, { query: shipment.tracking_no! })).rows.find(
      row => row.shipment_id === shipment.shipment_id,
    )!
    const before = await kim.send(labels.logPdf, { id: entry.id, format: 'pdf' })
    expect((await readText(before.bytes as Buffer)).join(' ')).not.toContain('CANCELLED')
    await kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })
    const marked = await kim.send(labels.logPdf, { id: entry.id, format: 'pdf' })
    expect((await readText(marked.bytes as Buffer)).join(' ')).toContain('CANCELLED')
    const [job] = await jobsOf(id)
    expect((await kim.ask(labels.logPdf, { id: entry.id, format: 'zpl' })).statusCode).toBe(409)
    expect((await kim.ask(printJobs.document, { id: job!.id })).json()).toMatchObject({ code: 'label_cancelled_not_reprinted' })
  })

  it('takes ids joined by commas, slashes or the letter s, and refuses a courier that does not exist', async () => {
    const [first, second] = [await packed(), await packed()]
    const ids = [first.shipment.shipment_id, second.shipment.shipment_id]
    for (const sign of [',', 's'])
      expect((await kim.send(labels.status, { ids: ids.join(sign) })).map(one => one.shipment_id).sort()).toEqual(ids)
    for (const sign of [',', 's', '/']) expect(await kim.send(labels.ofOrders, { ids: [first.id, second.id].join(sign) })).toHaveLength(2)
    for (const [call, input] of [
      [labels.search, { agent_code: 'nowhere' }],
      [labels.logSearch, { agent_code: 'nowhere' }],
      [labels.cancel, { agent_code: 'nowhere', barcode: first.shipment.barcode }],
      [orders.search, { agent_code: 'nowhere' }],
    ] as const)
      expect((await kim.ask(call, input)).json()).toMatchObject({ code: 'courier_not_found' })
  })

  it('makes a return only of an order that is packed', async () => {
    const { id } = await packed({ close: false })
    const back = () =>
      kim.ask(labels.makeReturn, { order_id: id, agent_code: 'own', operation_code: 'return', packing_station: 'Bench 1', body: {} })
    expect((await back()).json()).toMatchObject({ code: 'order_not_packed_for_return' })
  })

  it('answers the label as PDF, on A4 and as ZPL, each with the parcel’s number', async () => {
    const { id, shipment } = await packed()
    expect(shipment.label_formats).toEqual(['pdf', 'a4', 'zpl'])
    for (const format of ['pdf', 'a4'] as const) {
      const { bytes, media_type } = await kim.send(labels.download, { order_id: id, packing_station: 'Bench 1', format })
      expect(media_type).toBe('application/pdf')
      expect(await numbersIn(bytes as Uint8Array)).toEqual([shipment.barcode])
    }
    const zpl = await kim.send(labels.download, { order_id: id, packing_station: 'Bench 1', format: 'zpl' })
    expect(Buffer.from(zpl.bytes as Uint8Array).toString()).toContain(shipment.barcode)
  })

  it('does not answer another company’s label', async () => {
    const { id, shipment } = await packed()
    const shop = await operator.hire(['scan', 'parcels_admin'], operator.shops[0])
    await expect(shop.send(labels.download, { order_id: id, packing_station: 'Bench 1' })).rejects.toMatchObject({ status: 404 })
    expect(await shop.send(labels.ofOrders, { ids: String(id) })).toEqual([])
    expect(await shop.send(labels.status, { ids: `${shipment.shipment_id},999999` })).toEqual([])
    await expect(shop.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })).rejects.toMatchObject({ status: 404 })
    await expect(event(shipment.barcode, 'handed_over', shop)).rejects.toMatchObject({ status: 404 })
    expect((await shop.send(labels.search, { query: shipment.tracking_no! })).rows).toEqual([])
    expect((await shop.send(labels.logSearch, {})).rows).toEqual([])
  })

  it('answers main-company staff what belongs to a shop, and shop staff what is their own', async () => {
    const { id, shipment } = await packed({ at: operator.shops[0]! })
    const shop = await operator.hire(['parcels'], operator.shops[0])
    expect(await shop.send(labels.ofOrders, { ids: `${id}` })).toMatchObject([
      { shipment_id: shipment.shipment_id, company: operator.shops[0]!.code },
    ])
    expect((await kim.send(labels.search, { company_id: operator.shops[0]!.id })).rows.map(row => row.shipment_id)).toContain(
      shipment.shipment_id,
    )
  })

  it('takes ids joined by slashes or commas, and refuses what is no id', async () => {
    const [a, b] = [await packed(), await packed()]
    expect((await kim.send(labels.ofOrders, { ids: `${a.id}/${b.id}` })).map(one => one.order_id)).toEqual([a.id, b.id])
    expect(await kim.send(labels.status, { ids: `${a.shipment.shipment_id}, ${b.shipment.shipment_id}` })).toHaveLength(2)
    for (const ids of ['x', '1/x', '-1', '1.5', '1t2'])
      expect((await kim.ask(labels.status, { ids })).statusCode, ids.slice(0, 10)).toBe(400)
  })
})

describe('taking back', () => {
  it('distinguishes its three answers, keeps the number, and sends the order back to the bench', async () => {
    const { id, shipment } = await packed()
    expect(await kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })).toEqual({
      cancelled: true,
      cancelled_at_carrier: true,
      refunded: true,
    })
    expect(await kim.send(labels.status, { ids: String(shipment.shipment_id) })).toMatchObject([
      { state: 'cancelled', tracking_no: shipment.tracking_no },
    ])
    expect(await phaseOf(id)).toBe('picked')
    await expect(kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })).rejects.toMatchObject({
      key: 'This label was cancelled already',
    })
    await expect(event(shipment.barcode, 'handed_over')).rejects.toMatchObject({ key: 'This label was cancelled: take the parcel out' })
  })

  it('is refused once the parcel has left, and for another courier’s name', async () => {
    const { shipment } = await packed()
    await expect(kim.send(labels.cancel, { agent_code: 'gls', barcode: shipment.barcode! })).rejects.toMatchObject({ status: 404 })
    await event(shipment.barcode, 'handed_over')
    await expect(kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })).rejects.toMatchObject({
      key: 'Only a label that has not been handed over can be cancelled',
    })
  })

  it('gives a packed order a new label with a new number', async () => {
    const { id, shipment } = await packed()
    await kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })
    await kim.send(packing.start, { id, body: { station: 'Bench 2' } })
    expect(await kim.send(packing.close, { id, body: { label_printer_id: printer_id } })).toMatchObject({ outcome: 'labelled' })
    const all = await kim.send(labels.ofOrders, { ids: String(id) })
    expect(all.map(one => one.state)).toEqual(['cancelled', 'booked'])
    expect(all[1]!.tracking_no).not.toBe(all[0]!.tracking_no)
  })
})

describe('more labels of an order', () => {
  it('makes a return label from the customer to the warehouse, and leaves the order as it is', async () => {
    const { id } = await packed()
    const { shipments } = await kim.send(labels.makeReturn, {
      order_id: id,
      agent_code: 'own',
      operation_code: 'return',
      packing_station: 'Bench 1',
      printer_id: pdf_printer_id,
      body: undefined,
    })
    const back = shipments.find(one => one.operation_code === 'return')!
    expect(back).toMatchObject({ state: 'booked', parcel_no: 1 })
    const job = (await jobsOf(id)).at(-1)!
    const words = (await readText(await printedBytes(job.id))).join(' ')
    expect(words.indexOf('Lene Hansen')).toBeLessThan(words.indexOf('Depot'))
    await event(back.barcode, 'handed_over')
    expect(await phaseOf(id)).toBe('packed')
  })

  it('makes a label for an extra parcel of a packed order only', async () => {
    const open = await packed({ close: false })
    const ask = (order_id: number) =>
      kim.send(labels.create, {
        agent_code: 'own',
        shipping_method: 'van',
        operation_code: 'outbound',
        body: { order_id, weight_g: 1_500, printer_id, station: 'Bench 1' },
      })
    await expect(ask(open.id)).rejects.toMatchObject({ status: 409 })
    const { id, shipment } = await packed()
    const { shipments, print_jobs } = await ask(id)
    expect(shipments.map(one => [one.parcel_no, one.state])).toEqual([
      [1, 'booked'],
      [2, 'booked'],
    ])
    expect(shipments[1]!.weight_g).toBe(1_500)
    expect(print_jobs).toHaveLength(2)
    // The order has left when its last parcel has.
    await event(shipment.barcode, 'handed_over')
    expect(await phaseOf(id)).toBe('packed')
    await event(shipments[1]!.barcode, 'handed_over')
    expect(await phaseOf(id)).toBe('handed_over')
  })

  it('says which field keeps a label from being made', async () => {
    const { id } = await packed()
    await expect(
      kim.send(labels.create, {
        agent_code: 'own',
        shipping_method: 'van',
        operation_code: 'outbound',
        body: { order_id: id, weight_g: 200_000, printer_id: null },
      }),
    ).rejects.toMatchObject({ status: 422, fields: { weight_g: expect.stringContaining('200') } })
  })

  it('never gives two parcels of a warehouse one number, whichever company they are of', async () => {
    const shops = operator.shops.slice(0, 2)
    const plain = [await packed(), await packed({ at: shops[0]! }), await packed({ at: shops[1]! })]
    expect(new Set(plain.map(one => one.shipment.barcode)).size).toBe(3)
    // They print under one GS1 prefix.
    for (const shop of shops) {
      const admin = await operator.hire(['admin'], shop)
      const { version } = await admin.send(company.config, {})
      await admin.send(company.setConfig, { body: { version, gs1_prefix: '5712345' } })
    }
    const numbered = await Promise.all([0, 1, 0, 1].map(i => packed({ at: shops[i]! })))
    expect(numbered.every(one => /^00\d{18}$/.test(one.shipment.barcode ?? ''))).toBe(true)
    expect(new Set(numbered.map(one => one.shipment.barcode)).size).toBe(4)
    const [first] = numbered
    expect(await kim.send(labels.event, { body: { barcode: `]C1${first!.shipment.barcode}`, event: 'handed_over' } })).toMatchObject({
      shipment_id: first!.shipment.shipment_id,
      company: shops[0]!.code,
    })
  })
})

describe('events', () => {
  it('move the order along: handed over, then delivered, each once', async () => {
    const { id, shipment } = await packed()
    expect(await event(shipment.barcode, 'handed_over', kim, 'Harbour')).toMatchObject({
      state: 'handed_over',
      handed_over_at: expect.any(String),
    })
    expect(await phaseOf(id)).toBe('handed_over')
    await event(shipment.tracking_no, 'handed_over')
    expect(await event(shipment.barcode, 'delivery_failed')).toMatchObject({ state: 'delivery_failed' })
    expect((await kim.send(labels.search, { board: 'failed', query: shipment.tracking_no! })).rows).toHaveLength(1)
    expect(await event(shipment.barcode, 'delivered')).toMatchObject({ state: 'delivered', delivered_at: expect.any(String) })
    expect(await phaseOf(id)).toBe('delivered')
    await expect(event(shipment.barcode, 'delivery_failed')).rejects.toMatchObject({
      status: 409,
      key: 'Only a parcel that is on its way can fail to be delivered',
    })
    const events = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('shipment_events').select(['state', 'place']).where('shipment_id', '=', shipment.shipment_id).orderBy('id').execute(),
    )
    expect(events.map(one => one.state)).toEqual(['booked', 'handed_over', 'delivery_failed', 'delivered'])
    expect((await kim.send(orders.get, { id })).phase).toBe('delivered')
  })

  it('know no parcel that was never here', async () => {
    await expect(event('OWN99999999999', 'handed_over')).rejects.toMatchObject({ status: 404, key: 'Unknown parcel' })
  })

  it('count once when two scanners say the same at the same moment', async () => {
    const { shipment } = await packed()
    await Promise.all([1, 2, 3].map(() => event(shipment.barcode, 'handed_over')))
    const events = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .selectFrom('shipment_events')
        .select('id')
        .where('shipment_id', '=', shipment.shipment_id)
        .where('state', '=', 'handed_over')
        .execute(),
    )
    expect(events).toHaveLength(1)
  })
})

describe('the record', () => {
  it('holds every exchange, ready to be sent again, without a secret and without the recipient’s link', async () => {
    const slow = slowCourier({ agent_code: 'slow_and_sure', recovery: 'lookup' })
    const remove = withCourier(slow)
    try {
      await lead.send(parcelShops.setConfig, { agent_code: 'slow_and_sure', body: { version: 0, settings: { api_key: 'canary-7351' } } })
      let heard: string | undefined
      slow.fault = request => {
        heard = request.settings.api_key
        return slow.asked.book === 1 ? 'mute' : 'refused'
      }
      const { order_no, shipment } = await packed({ agent_code: 'slow_and_sure', shipping_method: 'parcel' })
      expect(heard).toBe('canary-7351')
      const refused = await packed({ agent_code: 'slow_and_sure', shipping_method: 'parcel' })
      expect(refused.shipment).toMatchObject({ state: 'error', error: 'The postcode is not served' })
      const { rows } = await kim.send(labels.logSearch, { query: order_no })
      expect(rows.map(row => [row.action, row.outcome])).toEqual([
        ['find', 'found'],
        ['book', 'unknown'],
      ])
      expect((await kim.send(labels.logSearch, { outcome: 'refused', agent_code: 'slow_and_sure' })).rows).toMatchObject([
        { order_no: refused.order_no, error: 'The postcode is not served' },
      ])
      expect((await kim.send(labels.logSearch, { query: shipment.tracking_no! })).rows).toHaveLength(2)
      for (const row of [...rows, ...(await kim.send(labels.logSearch, { query: refused.order_no })).rows]) {
        const whole = JSON.stringify([await kim.send(labels.log, { id: row.id }), await kim.send(labels.logCreateArgs, { id: row.id })])
        expect(whole).toContain(row.order_no)
        for (const secret of ['canary', 'api_key', '/tracking?']) expect(whole).not.toContain(secret)
      }
      expect((await kim.send(labels.logPdf, { id: rows[0]!.id })).media_type).toBe('application/pdf')
      const form = await kim.send(labels.template, { parts: 'slow_and_sure_parcel_return' })
      expect(form).toMatchObject({ agent_code: 'slow_and_sure', shipping_method: 'parcel', operation_code: 'return' })
    } finally {
      remove()
    }
  })

  it('says what each courier can do', async () => {
    const [own, ...others] = await kim.send(labels.setup, {})
    expect(own).toMatchObject({ agent_code: 'own', configured: true, cancel: 'yes', formats: ['pdf', 'a4', 'zpl'] })
    expect(others.map(one => one.configured)).not.toContain(true)
    await expect(kim.send(labels.template, { parts: 'own_rocket_outbound' })).rejects.toMatchObject({ status: 404 })
    await expect(kim.send(labels.template, { parts: 'unknown' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('one shipment', () => {
  it('shows what happened to it, newest first, with the courier’s three answers, and shows its label until it is taken back', async () => {
    const { shipment } = await packed()
    const id = shipment.shipment_id
    expect(await numbersIn((await kim.send(labels.file, { id })).bytes as Uint8Array)).toEqual([shipment.barcode])
    expect(await kim.send(labels.get, { id })).toMatchObject({
      state: 'booked',
      cancel_answers: null,
      can_settle: false,
      events: [{ state: 'booked' }],
    })
    await kim.send(labels.cancel, { agent_code: 'own', barcode: shipment.barcode! })
    expect(await kim.send(labels.get, { id })).toMatchObject({
      state: 'cancelled',
      cancelled_at: expect.any(String),
      cancel_answers: { cancelled: true, cancelled_at_carrier: true, refunded: true },
    })
    await expect(kim.send(labels.file, { id })).rejects.toMatchObject({ status: 409 })
    const other = await packed()
    await event(other.shipment.barcode, 'handed_over', kim, 'Harbour')
    expect((await kim.send(labels.get, { id: other.shipment.shipment_id })).events).toMatchObject([
      { state: 'handed_over', place: 'Harbour', user: 'Kim', text: 'The parcel is on its way' },
      { state: 'booked', user: null },
    ])
    const shop = await operator.hire(['parcels'], operator.shops[0])
    await expect(shop.send(labels.get, { id })).rejects.toMatchObject({ status: 404 })
    await expect(shop.send(labels.file, { id: other.shipment.shipment_id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the list', () => {
  it('finds by parcel number as a scanner writes it, and by order number, and shows what was not scanned for a day', async () => {
    const { order_no, shipment } = await packed()
    for (const query of [shipment.tracking_no!, ` ${shipment.barcode} `, order_no])
      expect((await kim.send(labels.search, { query })).rows.map(row => row.shipment_id)).toEqual([shipment.shipment_id])
    const late = { board: 'no_scan', query: order_no } as const
    expect((await kim.send(labels.search, late)).rows).toEqual([])
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('shipments')
        .set({ booked_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
        .where('id', '=', shipment.shipment_id)
        .execute(),
    )
    expect((await kim.send(labels.search, late)).rows).toHaveLength(1)
    expect((await kim.send(labels.search, { state: 'booked', query: order_no })).rows).toHaveLength(1)
    expect((await kim.send(labels.search, { state: 'delivered', query: order_no })).rows).toEqual([])
  })
})

describe('rights', () => {
  it('let the bench print and scan, the office search, and no one else anything', async () => {
    const { id, shipment } = await packed()
    const picker = await operator.hire(['pick'])
    const scanner = await operator.hire(['scan'])
    for (const [call, input] of [
      [labels.print, { order_id: id, printer_id, packing_station: 'Bench 1' }],
      [labels.status, { ids: '1' }],
      [labels.cancel, { agent_code: 'own', barcode: shipment.barcode }],
      [labels.event, { body: { barcode: shipment.barcode, event: 'handed_over' } }],
      [labels.logSearch, {}],
    ] as const)
      expect((await picker.ask(call, input)).statusCode, call.line).toBe(403)
    expect((await scanner.ask(labels.status, { ids: '1' })).statusCode).toBe(200)
    expect((await scanner.ask(labels.search, {})).statusCode).toBe(403)
    expect((await kim.ask(labels.settle, { id: shipment.shipment_id, body: { booked: false } })).statusCode).toBe(403)
    expect((await lead.ask(labels.settle, { id: shipment.shipment_id, body: { booked: false } })).statusCode).toBe(409)
  })
})
