/** Customs of an order: decided before it is packed, refused before it is booked, and the same sums on every paper. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { customsNumbers } from '#features/company/customs-numbers/customs-numbers.contract.ts'
import { exchangeRates } from '#features/company/exchange-rates/exchange-rates.contract.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { linesOfShipment } from '#features/shipping/labels/shipment-contents.queries.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { readText } from '#test/label-reader.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { customs } from './customs.contract.ts'

let testApp: TestApp
let operator: TestOperator
let boss: TestUser
let slow: SlowCourier
let remove: () => void = () => {}

beforeAll(async () => {
  testApp = await openTestApp()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  boss = await operator.hire(['admin'])
  slow = slowCourier({
    agent_code: 'slow',
    recovery: 'lookup',
    offers: { customs: { numbers: ['vat', 'eori', 'voec'], max_lines: 13 }, postal: 'all' },
  })
  remove = withCourier(slow)
})
afterEach(() => {
  remove()
  testApp.setNow(undefined)
})
afterAll(() => testApp.close())

const oslo = { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0155', city: 'Oslo', country: 'NO' }
const tee = {
  sku: 'TEE',
  name: 'T-shirt, knitted cotton',
  qty: 2,
  weight_g: 200,
  unit_price_excl_vat: '216.00',
  hs_code: '61091000',
  origin: 'PT',
}
const cap = { sku: 'CAP', name: 'Cap, cotton', qty: 1, weight_g: 72, unit_price_excl_vat: '107.28', hs_code: '65050030', origin: 'CN' }
const place = (plan: OrderPlan = {}) =>
  placeOrder(testApp.services.database, scopeOfCompany(operator), {
    ...{ currency: 'NOK', work_state: 'packed', agent_code: 'slow', shipping_method: 'parcel', lines: [tee, cap] },
    ...plan,
    ship_to: { ...oslo, ...plan.ship_to },
  })
const book = async (order: { id: number; lines: number[] }, quantities = [2, 1], station?: string) => {
  const { shipments } = await boss.send(labels.create, {
    ...{ agent_code: 'slow', shipping_method: 'parcel', operation_code: 'outbound' as const },
    body: {
      order_id: order.id,
      parcels: [{ weight_g: 620, lines: order.lines.map((order_line_id, i) => ({ order_line_id, quantity: quantities[i] ?? 1 })) }],
      ...(station !== undefined && { station }),
    },
  })
  return elementAt(shipments, 0)
}
const paper = async (shipment: Awaited<ReturnType<typeof book>>, kind: string) => {
  const found = shipment.documents.find(one => one.kind === kind)
  const { bytes } = await boss.send(labels.file, { id: shipment.shipment_id, document: found?.document_no ?? 0 })
  return (await readText(Buffer.from(bytes as Uint8Array))).join(' ')
}
const decided = (id: number) => boss.send(customs.ofOrder, { id })
const errors = async (id: number) => (await decided(id)).findings.flatMap(one => (one.severity === 'error' ? [one.code] : []))

describe('an order', () => {
  it('inside the country needs nothing', async () => {
    const { id } = await place({ ship_to: { country: 'DK', postcode: '5000', city: 'Odense C' } })
    expect(await decided(id)).toMatchObject({ regime: 'none', papers: [], why: [], findings: [] })
  })

  it('abroad says which papers it needs, why, since when, and what is missing at which line', async () => {
    const { id, lines } = await place({ lines: [tee, { ...cap, hs_code: null }] })
    const found = await decided(id)
    expect(found).toMatchObject({ regime: 'ordinary', papers: ['cn23', 'invoice'] })
    expect(found.why[0]).toMatchObject({ rule: 'R6', from: '2024-01-01', source: 'toll.no' })
    expect(found.findings[0]).toMatchObject({ code: 'hs_missing', severity: 'error', order_item_id: lines[1], values: { name: 'CAP' } })
  })

  it('is refused before it is booked, and booked when its line is mended', async () => {
    const order = await place({ lines: [tee, { ...cap, hs_code: null }] })
    await expect(book(order)).rejects.toMatchObject({
      status: 422,
      code: 'customs_line_incomplete',
      fields: { 'parcels.0.lines.1.hs_code': 'CAP has no HS code. Enter it on the order or the product.' },
    })
    expect(slow.asked.book).toBe(0)
    await boss.send(orderLines.setTariff, { item_id: elementAt(order.lines, 1), tariff: '6505.00.30' })
    expect(await errors(order.id)).toEqual([])
    expect((await book(order)).documents.map(one => one.kind)).toEqual(['cn23', 'invoice', 'packing_list'])
  })

  it('changes its reason and terms, by its current version only', async () => {
    const { id } = await place({ work_state: 'ready' })
    const { version } = await decided(id)
    const changed = await boss.send(customs.set, { id, body: { reason: 'gift', terms: 'DAP', version } })
    expect(changed).toMatchObject({ reason: 'gift', terms: 'DAP', papers: ['cn23', 'proforma'] })
    await expect(boss.send(customs.set, { id, body: { reason: 'other', version } })).rejects.toMatchObject({ status: 409 })
    const shop = await operator.hire(['parcels'], elementAt(operator.shops, 0))
    await expect(shop.send(customs.ofOrder, { id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('papers', () => {
  it('have the same sums as the request to the courier', async () => {
    const shipment = await book(await place())
    for (const kind of ['cn23', 'invoice']) {
      const text = await paper(shipment, kind)
      expect(text, kind).toContain('539.28')
      expect(text, kind).toContain('61091000')
      expect(text, kind).toContain('0.620')
      expect(text, kind).toContain(shipment.tracking_no ?? '')
    }
    expect(await paper(shipment, 'invoice')).toContain('Export, zero-rated for VAT')
    expect(await paper(shipment, 'packing_list')).not.toContain('539.28')
  })

  it('come out of the station’s printers with the label', async () => {
    const list = await boss.send(printers.list, {})
    const a4 = elementAt(
      list.printers.filter(one => one.paper === 'a4'),
      0,
    )
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const { id: station_id } = await db.insertInto('stations').values({ name: 'Bench 1' }).returning('id').executeTakeFirstOrThrow()
      await db
        .insertInto('station_printers')
        .values(['customs', 'invoice'].map(role => ({ station_id, role: role as 'customs', printer_id: a4.id })))
        .execute()
    })
    const { shipment_id } = await book(await place(), [2, 1], 'Bench 1')
    const jobs = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('print_jobs').select(['document', 'printer_id']).where('shipment_id', '=', shipment_id).orderBy('id').execute(),
    )
    expect(jobs.map(job => job.document)).toEqual(['customs', 'customs', 'invoice', 'invoice'])
    expect(jobs.every(job => job.printer_id === a4.id)).toBe(true)
  })

  it('under VOEC do not go with the parcel: the number travels in data, the invoice is kept', async () => {
    await boss.send(customsNumbers.set, { body: { kind: 'voec', country: 'NO', value: '2000000' } })
    const shipment = await book(await place())
    expect(shipment.documents.map(one => one.kind)).toEqual(['invoice'])
    const text = await paper(shipment, 'invoice')
    expect(text).toContain('539.28')
    expect(text).not.toContain('2000000')
    const { rows } = await testApp.services.database.transaction(scopeOfCompany(operator), async db => ({
      rows: await db.selectFrom('shipments').select('request').where('id', '=', shipment.shipment_id).execute(),
    }))
    expect(rows[0]?.request).toMatchObject({ customs: { numbers: [{ kind: 'voec', value: '2000000' }] } })
  })

  it('under VOEC are in kroner of Norway, converted as a whole; without a rate it is asked for', async () => {
    await boss.send(customsNumbers.set, { body: { kind: 'voec', country: 'NO', value: '2000000' } })
    const thirds = ['TEE', 'CAP', 'SOCK'].map(sku => ({ ...tee, sku, qty: 1, unit_price_excl_vat: '33.33' }))
    const order = await place({ currency: 'DKK', lines: thirds })
    await expect(book(order, [1, 1, 1])).rejects.toMatchObject({ status: 422, fields: { customs: 'Enter the rate for DKK to NOK' } })
    await boss.send(exchangeRates.setManual, {
      body: { from_currency: 'DKK', to_currency: 'NOK', rate: '1.57506702', valid_from: '2020-01-01' },
    })
    const text = await paper(await book(order, [1, 1, 1]), 'invoice')
    expect(text).toContain('52.49')
    expect(text).toContain('157.49 NOK')
  })

  it('declare what is given away at its cost price, on a pro forma invoice', async () => {
    const { product_id } = await boss.send(products.create, {
      body: {
        ...{ sku: 'GIFT', name: 'Socks, wool', variant: null, weight_g: 102, length_mm: null, width_mm: null, height_mm: null, bin: null },
        ...{ hs_code: '61159400', origin: 'PT', customs_text: null, serial_required: false, no_barcode: true, barcodes: [] },
        ...{ net_weight_g: 95, cost_price: 9_000, cost_currency: 'NOK', customs_flags: ['textile'] },
      },
    })
    const order = await place({
      lines: [{ sku: 'GIFT', name: 'Socks, wool', qty: 1, unit_price_excl_vat: '0.00', hs_code: '61159400', origin: 'PT' }],
    })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('order_lines').set({ product_id, weight_g: null }).where('order_id', '=', order.id).execute(),
    )
    const shipment = await book(order, [1])
    expect(shipment.documents.map(one => one.kind)).toEqual(['cn23', 'proforma', 'packing_list'])
    const text = await paper(shipment, 'proforma')
    expect(text).toContain('90.00 NOK')
    expect(text).toContain('0.095')
  })
})

describe('product identifiers', () => {
  /** What people read and compare; `GOLDEN=write` writes it anew. */
  const golden = (day: string) => fileURLToPath(new URL(`golden/gb-ie-${day}.json`, import.meta.url))

  it.each(['2026-10-31', '2026-11-01'])('stand on the papers of an import into the Union from their day on: %s', async day => {
    testApp.setNow(new Date(`${day}T11:00:00Z`))
    const british = { ...sender, address1: '1 The Mall', postcode: 'SW1A 1AA', city: 'London', country: 'GB' }
    operator = await testApp.operator({ settings: { sender: british, time_zone: 'Europe/London' } })
    boss = await operator.hire(['admin'])
    const product = async (sku: string, more: object) =>
      (
        await boss.send(products.create, {
          body: {
            ...{ sku, name: sku, variant: null, weight_g: 210, length_mm: null, width_mm: null, height_mm: null, bin: null },
            ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: false, barcodes: [], ...more },
          },
        })
      ).product_id
    const barcodes = ['SHELF-7', '5790001234561', '5790001234560'].map(barcode => ({ barcode, quantity: 1 }))
    const named = await product('TEE', { manufacturer_no: 'PT-200', barcodes })
    const order = await place({
      // A number that stands nowhere else on the papers.
      order_no: 'GB-IE-1',
      currency: 'EUR',
      ship_to: { address1: '1 Grafton Street', postcode: 'D02 X285', city: 'Dublin', country: 'IE' },
    })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('order_lines').set({ product_id: named }).where('id', '=', elementAt(order.lines, 0)).execute(),
    )
    const { regime, papers, why, findings } = await decided(order.id)
    const shipment = await book(order)
    const declared = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .selectFrom('shipment_lines')
        .select(['sku', 'manufacturer_no', 'gtin'])
        .where('shipment_id', '=', shipment.shipment_id)
        .orderBy('line_no')
        .execute(),
    )
    const steady = (text: string) => text.replaceAll(shipment.tracking_no ?? '', '<number>').replaceAll(shipment.order_no ?? '', '<order>')
    const made = {
      ...{ regime, papers },
      why: why.map(({ rule, from, text, values }) => ({ rule, from, text, values })),
      findings: findings.map(({ code, severity, text, values }) => ({ code, severity, text, values })),
      declared,
      invoice: steady(await paper(shipment, 'invoice')),
      cn23: steady(await paper(shipment, 'cn23')),
    }
    if (process.env.GOLDEN === 'write') writeFileSync(golden(day), `${JSON.stringify(made, null, 2)}\n`)
    expect(made).toEqual(JSON.parse(readFileSync(golden(day), 'utf8')))
    expect(made.invoice.includes('5790001234560')).toBe(day === '2026-11-01')
  })
})

describe('SE to NO together, and onward inside Norway', () => {
  const golden = fileURLToPath(new URL('golden/se-no-no.json', import.meta.url))
  const lamp = {
    sku: 'LAMP',
    name: 'Hand lamp with battery',
    unit_price_excl_vat: '125.00',
    hs_code: '85131000',
    origin: 'CN',
    weight_g: 220,
  }
  const north = { address1: 'Storgata 70', postcode: '9008', city: 'Tromsø' }
  const west = { address1: 'Torget 2', postcode: '5003', city: 'Bergen' }

  async function swedish(more: object = {}): Promise<void> {
    testApp.setNow(new Date('2026-11-23T11:00:00Z'))
    remove()
    slow = slowCourier({ agent_code: 'slow', recovery: 'lookup', offers: { transit: true } })
    remove = withCourier(slow)
    const address = { address1: 'Hamngatan 4', postcode: '111 47', city: 'Stockholm', country: 'SE' }
    operator = await testApp.operator({ settings: { sender: { ...sender, ...address }, time_zone: 'Europe/Stockholm' } })
    boss = await operator.hire(['admin'])
    const importer = {
      name: 'Havnens Ting AS',
      address1: 'Skippergata 1',
      postcode: '0150',
      city: 'Oslo',
      country: 'NO',
      vat_no: '912345678',
    }
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('bulk_invoice_configs')
        .values({ agent_code: 'slow', country: 'NO', currency: 'NOK', active: true, importer: JSON.stringify({ ...importer, ...more }) })
        .execute(),
    )
    const rate = { from_currency: 'SEK', to_currency: 'NOK', rate: '1.04910714', valid_from: '2020-01-01' }
    await boss.send(exchangeRates.setManual, { body: rate })
  }
  const lamps = (qty: number, ship_to: object, line: object = {}, more: OrderPlan = {}) =>
    place({ currency: 'SEK', ship_to: { ...oslo, ...ship_to }, lines: [{ ...lamp, qty, ...line }], ...more })
  const booked = (order: { id: number; lines: number[] }, qty: number) => book(order, [qty])

  it('declares for transit what goes on through Sweden, with VAT in kroner, as its stored file says', async () => {
    await swedish()
    const { product_id } = await boss.send(products.create, {
      body: {
        ...{ sku: 'LAMP', name: 'Lamp', variant: null, weight_g: 220, length_mm: null, width_mm: null, height_mm: null, bin: null },
        ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: true, barcodes: [], net_weight_g: 180 },
      },
    })
    const made: object[] = []
    for (const [qty, to] of [
      [4, north],
      [2, west],
    ] as const) {
      // A number that stands nowhere else on the papers.
      const order = await lamps(qty, to, {}, { order_no: `SE-NO-${qty}` })
      await testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db.updateTable('order_lines').set({ product_id, weight_g: null }).where('order_id', '=', order.id).execute(),
      )
      const { regime, papers, transit, why, findings } = await decided(order.id)
      const shipment = await booked(order, qty)
      const { request, lines } = await testApp.services.database.transaction(scopeOfCompany(operator), async db => ({
        ...(await db.selectFrom('shipments').select('request').where('id', '=', shipment.shipment_id).executeTakeFirstOrThrow()),
        lines: await linesOfShipment(db, shipment.shipment_id),
      }))
      const kept = shipment.documents.some(one => one.kind === 'transit') ? await paper(shipment, 'transit') : null
      made.push({
        ...{ regime, papers, transit, rules: why.map(one => one.rule), findings },
        request: { customs: (request as { customs: unknown }).customs, transit: (request as { transit?: boolean }).transit ?? false },
        goods: lines.map(({ order_line_id: _, ...line }) => line),
        documents: shipment.documents.map(one => one.kind),
        transit_list: kept?.replaceAll(shipment.tracking_no ?? '', '<number>').replaceAll(shipment.order_no ?? '', '<order>') ?? null,
      })
    }
    if (process.env.GOLDEN === 'write') writeFileSync(golden, `${JSON.stringify(made, null, 2)}\n`)
    expect(made).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
  })

  it('refuses goods without a tariff code on that way alone, and asks for the rate', async () => {
    await swedish()
    await expect(booked(await lamps(1, north, { hs_code: null }), 1)).rejects.toMatchObject({
      status: 422,
      code: 'customs_line_incomplete',
    })
    expect((await booked(await lamps(1, west, { hs_code: null }), 1)).state).toBe('booked')
    const dollars = await place({ currency: 'USD', ship_to: { ...oslo, ...north }, lines: [{ ...lamp, qty: 1 }] })
    await expect(booked(dollars, 1)).rejects.toMatchObject({ status: 422, fields: { customs: 'Enter the rate for USD to NOK' } })
  })

  it('books a return of which too little is known without data for transit', async () => {
    await swedish()
    const home = { ...sender, address1: 'Skippergata 1', postcode: '0150', city: 'Oslo', country: 'NO' }
    operator = await testApp.operator({ settings: { sender: home, time_zone: 'Europe/Oslo' } })
    boss = await operator.hire(['admin'])
    const back = async (line: object) => {
      const { id, lines } = await place({ ship_to: { ...oslo, ...north }, lines: [{ ...lamp, qty: 1, ...line }] })
      const parcels = [{ weight_g: 500, lines: [{ order_line_id: elementAt(lines, 0), quantity: 1 }] }]
      const to = { order_id: id, agent_code: 'slow', operation_code: 'return' as const, packing_station: 'Bench 1' }
      const { shipments } = await boss.send(labels.makeReturn, { ...to, body: { parcels } })
      const { shipment_id, state } = elementAt(shipments, 0)
      const { request } = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db.selectFrom('shipments').select('request').where('id', '=', shipment_id).executeTakeFirstOrThrow(),
      )
      return { state, transit: (request as { transit?: boolean }).transit ?? false }
    }
    expect(await back({})).toEqual({ state: 'booked', transit: true })
    expect(await back({ hs_code: null })).toEqual({ state: 'booked', transit: false })
  })

  it('is no transit where the importer sits behind Sweden itself', async () => {
    await swedish({ postcode: '9008' })
    expect(await decided((await lamps(1, north)).id)).toMatchObject({ regime: 'bulk', transit: false })
    expect(await decided((await lamps(1, west)).id)).toMatchObject({ regime: 'bulk', transit: true })
  })
})

describe('registration numbers', () => {
  const set = (body: object) => boss.send(customsNumbers.set, { body: body as { kind: 'eori'; country: string; value: string } })
  it('are refused in another form, kept once, and removed', async () => {
    await expect(set({ kind: 'voec', country: 'NO', value: '1234567' })).rejects.toMatchObject({
      status: 400,
      fields: { value: 'Enter the number in the form of its kind and country' },
    })
    const { id } = await set({ kind: 'eori', country: 'dk', value: 'DK 12 34 56 78' })
    expect(await set({ kind: 'eori', country: 'DK', value: 'DK12345678', valid_to: '2027-12-31' })).toMatchObject({
      id,
      value: 'DK12345678',
    })
    expect(await boss.send(customsNumbers.list, {})).toHaveLength(1)
    await boss.send(customsNumbers.remove, { id })
    await boss.send(customsNumbers.remove, { id })
    expect(await boss.send(customsNumbers.list, {})).toEqual([])
    const clerk = await operator.hire(['parcels'])
    await expect(clerk.send(customsNumbers.list, {})).rejects.toMatchObject({ status: 403 })
  })
})
