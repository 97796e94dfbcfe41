/** Shipments without an order, and returns with contents of their own: made, followed, cancelled, and seen by their company alone. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { collectLists, collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { slowCourier } from '#integrations/couriers/slow.fake.ts'
import { hostileTexts } from '#test/label-samples.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { eraseLabels } from './erase-labels.commands.ts'
import { labels } from './labels.contract.ts'
import type { Shipment } from './labels.schemas.ts'

const recipient = { name: 'Mads Friis', address1: 'Torvet 2', postcode: '8000', city: 'Aarhus C', country: 'DK' }
const line = {
  description: 'Spare handle',
  quantity: 2,
  net_weight_g: 150,
  hs_code: '830242',
  origin: 'DK',
  value: { amount: 9_900, currency: 'DKK' },
}

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2, settings: { sender } })
  kim = await operator.hire(['scan', 'parcels'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  printer_id = (await lead.send(printers.list, {})).printers.find(one => one.paper === 'label')!.id
})
afterAll(() => testApp.close())

type Form = Parameters<typeof kim.send<typeof labels.create>>[1]['body']

const create = (
  body: Form,
  { by = kim, agent_code = 'own', shipping_method = 'van', operation_code = 'outbound' as 'outbound' | 'return' } = {},
) => by.send(labels.create, { agent_code, shipping_method, operation_code, body })

async function made(body: Form = {}, options: Parameters<typeof create>[1] = {}): Promise<Shipment> {
  const { shipments } = await create({ recipient, ...body }, options)
  expect(shipments).toHaveLength(1)
  return shipments[0]!
}

const within = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)

const linesOf = (id: number) =>
  within(db =>
    db
      .selectFrom('shipment_lines')
      .select(['order_line_id', 'description', 'quantity', 'value', 'net_weight_g'])
      .where('shipment_id', '=', id)
      .orderBy('line_no')
      .execute(),
  )

describe('a shipment without an order', () => {
  it('is booked with its own parties, contents and weight, and printed', async () => {
    const { shipments, print_jobs } = await create({
      recipient,
      reference: 'Spare part 7',
      parcels: [{ lines: [line] }],
      printer_id,
      station: 'Bench 1',
    })
    expect(shipments).toMatchObject([
      {
        kind: 'free',
        order_id: null,
        order_no: 'Spare part 7',
        state: 'booked',
        operation_code: 'outbound',
        company_id: operator.main.id,
        receiver: 'Mads Friis',
        city: 'Aarhus C',
        // 150 g of goods and 200 g of packaging.
        weight_g: 350,
      },
    ])
    expect(print_jobs).toMatchObject([{ state: 'done' }])
    expect(await linesOf(shipments[0]!.shipment_id)).toEqual([
      { order_line_id: null, description: 'Spare handle', quantity: 2, value: 9_900, net_weight_g: 150 },
    ])
  })

  it('makes several parcels of one consignment, each with a label', async () => {
    const { shipments } = await create({ recipient, parcels: [{ weight_g: 500 }, { weight_g: 700, size_mm: [300, 200, 100], crate: 'A' }] })
    expect(shipments.map(one => [one.parcel_no, one.weight_g, one.state])).toEqual([
      [1, 500, 'booked'],
      [2, 700, 'booked'],
    ])
    expect(new Set(shipments.map(one => one.tracking_no)).size).toBe(2)
  })

  it('is made once, however often its request is sent', async () => {
    const body = { recipient, client_id: randomUUID() }
    const answers = await Promise.all([create(body), create(body), create(body)])
    const again = await create(body)
    expect(new Set([...answers, again].map(answer => answer.shipments[0]!.shipment_id)).size).toBe(1)
  })

  it('is found by number, by reference and in the log, and its request can be sent again', async () => {
    const shipment = await made({ parcels: [{ lines: [line] }] })
    for (const query of [shipment.tracking_no!, shipment.barcode!, shipment.reference])
      expect((await kim.send(labels.search, { query })).rows.map(row => row.shipment_id)).toEqual([shipment.shipment_id])
    const [entry] = (await kim.send(labels.logSearch, { query: shipment.tracking_no! })).rows
    expect(entry).toMatchObject({ order_id: null, order_no: null, shipment_id: shipment.shipment_id })
    const args = await kim.send(labels.logCreateArgs, { id: entry!.id })
    expect(args).toMatchObject({ agent_code: 'own', shipping_method: 'van', operation_code: 'outbound', recipient })
    expect(JSON.stringify(args)).not.toMatch(/tracking\?|reserved_number|settings/)
    const { shipments } = await create(args as Form)
    expect(shipments).toMatchObject([{ kind: 'free', receiver: 'Mads Friis', weight_g: shipment.weight_g }])
    expect(shipments[0]!.shipment_id).not.toBe(shipment.shipment_id)
    expect(await linesOf(shipments[0]!.shipment_id)).toEqual(await linesOf(shipment.shipment_id))
  })

  it('is made from the form of its template', async () => {
    const template = await kim.send(labels.template, { parts: 'own_van_outbound' })
    const form = template.form as NonNullable<Form>
    expect(form.sender).toMatchObject({ name: 'Depot' })
    await expect(create(form)).rejects.toMatchObject({ status: 422, code: 'party_missing', fields: { recipient: 'Enter the address' } })
    expect((await create({ ...form, recipient })).shipments).toMatchObject([{ kind: 'free', state: 'booked' }])
    const sections = template.sections as { name: string }[]
    expect(sections.map(section => section.name)).toEqual(['sender', 'recipient', 'parcels', 'lines', 'references'])
  })

  it('is followed from hand-over to delivery, by events without an order', async () => {
    const { barcode, shipment_id } = await made()
    for (const event of ['handed_over', 'handed_over', 'delivered'] as const)
      await kim.send(labels.event, { body: { barcode: barcode!, event, place: null } })
    expect(await kim.send(labels.get, { id: shipment_id })).toMatchObject({
      state: 'delivered',
      events: [{ state: 'delivered', user: 'Kim' }, { state: 'handed_over' }, { state: 'booked' }],
    })
  })

  it('has a page for its recipient, opened by its own link and by no other', async () => {
    const shipment = await made({ parcels: [{ lines: [line] }] })
    const link = new URL(shipment.tracking_url!).searchParams
    const ask = { p: Number(link.get('p')), s: link.get('s')! }
    expect(link.has('o')).toBe(false)
    const answer = await kim.send(tracking.order, ask)
    expect(answer).toMatchObject({
      order_no: null,
      city: 'Aarhus C',
      parcels: [{ state: 'packed', tracking_no: shipment.tracking_no, items: [{ name: 'Spare handle', qty: 2 }] }],
      ticket: null,
    })
    expect(JSON.stringify(answer)).not.toContain('Mads')
    const other = await made()
    for (const wrong of [{ ...ask, p: other.shipment_id }, { o: ask.p, s: ask.s }, { s: ask.s }, { ...ask, s: 'x' }])
      await expect(kim.send(tracking.order, wrong)).rejects.toMatchObject({ status: 404, code: 'tracking_link_not_found' })
  })

  it('is printed again as a copy, and not any more once it is cancelled', async () => {
    const { shipment_id, barcode } = await made({ printer_id })
    expect(await kim.send(labels.logPrint, { shipment_id, printer_id, client_id: randomUUID() })).toMatchObject({ state: 'done' })
    expect(await kim.send(labels.cancel, { agent_code: 'own', barcode: barcode! })).toEqual({
      cancelled: true,
      cancelled_at_carrier: true,
      refunded: true,
    })
    expect(await kim.send(labels.get, { id: shipment_id })).toMatchObject({ state: 'cancelled' })
    await expect(kim.send(labels.logPrint, { shipment_id, printer_id, client_id: randomUUID() })).rejects.toMatchObject({ status: 409 })
  })

  it('comes back as a return without an order', async () => {
    const shipment = await made({ sender: recipient, recipient: null, parcels: [{ lines: [line] }] }, { operation_code: 'return' })
    expect(shipment).toMatchObject({ kind: 'return', order_id: null, operation_code: 'return', state: 'booked', receiver: 'Mads Friis' })
  })

  it('leaves the warehouse with a collect list, scanned by its number or its link', async () => {
    const [first, second] = [await made(), await made()]
    const cages = await lead.send(collectLists.create, { body: { agent_code: 'own' } })
    const id = cages.id
    for (const code of [first.barcode!, second.tracking_url!])
      expect(await lead.send(collectListsOwn.scan, { id, body: { scan_id: randomUUID(), code } })).toMatchObject({ result: 'ok' })
    const { parcels } = await lead.send(collectLists.get, { id })
    expect(parcels.filter(parcel => parcel.standing === 'scanned')).toMatchObject([
      { order_id: null, order_no: null, receiver: 'Mads Friis' },
      { order_id: null, receiver: 'Mads Friis' },
    ])
  })
})

describe('a return', () => {
  it('has its own contents, and the same parcel is returned twice', async () => {
    const { id: order_id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      agent_code: 'own',
      shipping_method: 'van',
      work_state: 'packed',
    })
    const [order_line] = await within(db => db.selectFrom('order_lines').select(['id', 'qty']).where('order_id', '=', order_id).execute())
    const back = (quantity: number) =>
      kim.send(labels.makeReturn, {
        order_id,
        agent_code: 'own',
        operation_code: 'return',
        packing_station: 'Bench 1',
        body: { parcels: [{ lines: [{ order_line_id: order_line!.id, quantity }] }] },
      })
    await back(1)
    const { shipments } = await back(1)
    expect(shipments.map(({ kind, parcel_no, state }) => ({ kind, parcel_no, state }))).toEqual([
      { kind: 'return', parcel_no: 1, state: 'booked' },
      { kind: 'return', parcel_no: 2, state: 'booked' },
    ])
    for (const { shipment_id } of shipments)
      expect(await linesOf(shipment_id)).toMatchObject([{ order_line_id: order_line!.id, quantity: 1 }])
    await expect(back(order_line!.qty + 1)).rejects.toMatchObject({
      status: 422,
      code: 'line_quantity_too_high',
      fields: { 'parcels.0.lines.0.quantity': expect.any(String) },
    })
  })

  it('holds no line of another order', async () => {
    const orders = await Promise.all(
      [1, 2].map(() => placeOrder(testApp.services.database, scopeOfCompany(operator), { work_state: 'packed' })),
    )
    const foreign = await within(db =>
      db.selectFrom('order_lines').select('id').where('order_id', '=', orders[1]!.id).executeTakeFirstOrThrow(),
    )
    await expect(
      create({ order_id: orders[0]!.id, parcels: [{ lines: [{ order_line_id: foreign.id, quantity: 1 }] }] }, { operation_code: 'return' }),
    ).rejects.toMatchObject({ status: 422, code: 'shipment_line_not_in_order' })
  })
})

describe('what a courier does not offer', () => {
  it('is refused with its code and its field before anything is stored', async () => {
    const count = () =>
      within(db =>
        db
          .selectFrom('shipments')
          .select(eb => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      )
    const before = await count()
    for (const [code, field, body] of [
      ['party_not_carried', 'importer', { importer: recipient }],
      ['customs_not_offered', 'customs', { customs: { reason: 'gift' } }],
      ['pickup_not_offered', 'pickup', { pickup: { date: '2026-12-01', from: '08:00', to: '12:00' } }],
      ['service_not_offered', 'services.0.code', { services: [{ code: 'drone' }] }],
      ['parcel_too_heavy', 'parcels.1.weight_g', { parcels: [{ weight_g: 1 }, { weight_g: 200_000 }] }],
      ['parcel_too_heavy', 'weight_g', { weight_g: 200_000 }],
      ['recipient_city_missing', 'recipient.city', { recipient: { ...recipient, city: '' } }],
    ] as const satisfies [string, string, Form][])
      await expect(create({ recipient, ...(body as Form) }), code).rejects.toMatchObject({
        status: 422,
        code,
        fields: { [field]: expect.any(String) },
      })
    expect(await count()).toEqual(before)
  })

  it('reaches a courier that offers it: importer, payer, customs with numbers and papers, services and pickup', async () => {
    const slow = slowCourier({
      agent_code: 'wide',
      recovery: 'lookup',
      offers: {
        parties: ['importer', 'payer'],
        documents: ['label', 'cn23'],
        customs: { numbers: ['voec'], max_lines: 10 },
        pickups: 'with_booking',
      },
    })
    const remove = withCourier(slow)
    try {
      const shipment = await made(
        {
          recipient: { ...recipient, country: 'NO' },
          importer: { ...recipient, name: 'Broker AS', country: 'NO' },
          payer: recipient,
          customs: { reason: 'sale', terms: 'DAP', numbers: [{ kind: 'voec', value: '2000000' }], documents: ['cn23'] },
          pickup: { date: '2026-12-01', from: '08:00', to: '12:00' },
          parcels: [{ lines: [line] }],
        },
        { agent_code: 'wide', shipping_method: 'parcel' },
      )
      const [entry] = (await kim.send(labels.logSearch, { query: shipment.tracking_no! })).rows
      expect((await kim.send(labels.log, { id: entry!.id })).request).toMatchObject({
        operation: 'outbound',
        parties: { importer: { name: 'Broker AS' }, payer: { name: 'Mads Friis' } },
        customs: { numbers: [{ kind: 'voec', value: '2000000' }], documents: ['cn23'] },
        pickup: { date: '2026-12-01' },
        parcels: [{ lines: [{ description: 'Spare handle', hs_code: '830242', value: { amount: 9_900, currency: 'DKK' } }] }],
      })
      expect(
        await within(db => db.selectFrom('shipment_documents').select('kind').where('shipment_id', '=', shipment.shipment_id).execute()),
      ).toEqual([{ kind: 'cn23' }])
    } finally {
      remove()
    }
  })
})

describe('erasing a person', () => {
  it('finds the shipments without an order and the returns, and leaves those of others', async () => {
    const person = { ...recipient, name: 'Orla Kvistgaard' }
    const sent = await made({ recipient: person })
    const back = await made({ sender: person, recipient: null }, { operation_code: 'return' })
    const other = await made()
    const erase = () => within(db => eraseLabels.erase(db, { order_ids: [], customer_ids: [], words: ['orla kvistgaard'] }, new Date()))
    expect(await erase()).toMatchObject({ shipments: 2, shipment_parties: expect.any(Number), files: 6 })
    const left = await within(db => db.selectFrom('shipment_parties').select('party').execute())
    expect(JSON.stringify(left)).not.toContain('Orla')
    for (const { shipment_id } of [sent, back])
      expect(await kim.send(labels.get, { id: shipment_id })).toMatchObject({ receiver: '', tracking_no: null })
    expect(await kim.send(labels.get, { id: other.shipment_id })).toMatchObject({ receiver: 'Mads Friis' })
    expect(Object.values(await erase()).reduce((sum, n) => sum + n, 0)).toBe(0)
  })
})

describe('companies', () => {
  it('see only their own shipments without an order', async () => {
    const [north, south] = operator.shops
    const shipment = await made({ company_id: north!.id })
    expect(shipment.company_id).toBe(north!.id)
    const owner = await operator.hire(['scan', 'parcels'], north!)
    const stranger = await operator.hire(['scan', 'parcels'], south!)
    const { shipment_id: id, barcode } = shipment
    expect(await owner.send(labels.get, { id })).toMatchObject({ kind: 'free', receiver: 'Mads Friis' })
    await expect(stranger.send(labels.get, { id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(labels.cancel, { agent_code: 'own', barcode: barcode! })).rejects.toMatchObject({ status: 404 })
    expect(await stranger.send(labels.status, { ids: String(id) })).toEqual([])
    expect((await stranger.send(labels.search, { query: barcode! })).rows).toEqual([])
    await expect(create({ recipient, company_id: north!.id }, { by: stranger })).rejects.toMatchObject({
      status: 404,
      code: 'company_not_found',
    })
    const elsewhere = await testApp.operator({ settings: { sender } })
    const other = await elsewhere.hire(['scan', 'parcels'])
    await expect(other.send(labels.get, { id })).rejects.toMatchObject({ status: 404 })
    await expect(create({ recipient, company_id: north!.id }, { by: other })).rejects.toMatchObject({ status: 404 })
  })
})

describe('hostile input', () => {
  it('is refused as a value or printed as text, and never fails', async () => {
    for (const name of hostileTexts) {
      const response = await kim.ask(labels.create, {
        agent_code: 'own',
        shipping_method: 'van',
        operation_code: 'outbound',
        body: {
          recipient: { ...recipient, name },
          reference: name.slice(0, 60),
          parcels: [{ lines: [{ ...line, description: name.slice(0, 300) }] }],
        },
      })
      expect([200, 400, 422], JSON.stringify(name)).toContain(response.statusCode)
    }
  })

  it.each([
    [{ recipient: { ...recipient, country: 'Denmark' } }],
    [{ recipient: 'Mads' }],
    [{ parcels: [] }],
    [{ parcels: Array.from({ length: 21 }, () => ({})) }],
    [{ parcels: [{ weight_g: -1 }] }],
    [{ parcels: [{ weight_g: 1.5 }] }],
    [{ parcels: [{ size_mm: [1, 2] }] }],
    [{ parcels: [{ lines: [{ ...line, quantity: 0 }] }] }],
    [{ parcels: [{ lines: [{ quantity: 1 }] }] }],
    [{ parcels: [{ lines: [{ quantity: 1, order_line_id: 1 }] }] }],
    [{ client_id: 'x' }],
    [{ order_id: 999_999_999 }],
    [{ company_id: 999_999_999 }],
    [{ pickup: { date: '2026-13-01', from: '8', to: '12' } }],
    [{ customs: { reason: 'sale', numbers: [{ kind: 'secret', value: '1' }] } }],
  ])('refuses %j', async body => {
    const response = await kim.ask(labels.create, {
      agent_code: 'own',
      shipping_method: 'van',
      operation_code: 'outbound',
      body: { recipient, ...body },
    })
    expect(response.statusCode).toBeGreaterThanOrEqual(400)
    expect(response.statusCode).toBeLessThan(500)
  })
})
