/** Booking with a courier that does everything wrong: never two live labels of one parcel, and none lost. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type Fault, faults, type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { createContext } from '#platform/http/context.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { createShipment, plannedRequest, planShipment, storeShipment } from './booking.commands.ts'
import { leaseSeconds, requestOf } from './booking.queries.ts'
import { bookingTasks, bookShipment, leaseShipment, voidLabel } from './booking.server.ts'
import { labels } from './labels.contract.ts'

/** More than the usual number in a long run: `PARCELS_PER_COURIER=3400 npm test -- src/features/shipping/labels/booking.test.ts`. */
const parcels = Number(process.env.PARCELS_PER_COURIER ?? 200)
/** Grows with the number of parcels; a run of the usual number needs a fraction of it. */
const timeout = 60_000 + 100 * parcels

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let outside: ExternalContext
let label_printer_id: number
let remove: () => void = () => {}

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({
    settings: {
      sender,
    },
  })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['scan_admin', 'parcels_admin', 'settings_admin'], operator.main, 'Jonas')
  const scope = scopeOfCompany(operator)
  const company = { operator_id: operator.operator_id, ...operator.main, is_main: true, packing_ip_pattern: '' }
  outside = createContext(testApp.services, { ...anonymous(company), id: kim.user_id, name: 'Kim' }, scope, {
    ip: '127.0.0.1',
    station: 'Bench 1',
    headers: {},
    signal: new AbortController().signal,
  })
  const list = await lead.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.name.toLowerCase().includes('label'))!.id
})
afterEach(() => {
  remove()
  testApp.setNow(undefined)
})
afterAll(() => testApp.close())

function courierOf(plan: Parameters<typeof slowCourier>[0]): SlowCourier {
  const slow = slowCourier({ agent_code: `slow${randomUUID().slice(0, 6)}`, ...plan })
  remove = withCourier(slow)
  return slow
}

/** The same luck each time. */
function luck(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function order(agent_code: string, work_state: 'ready' | 'packed' = 'packed'): Promise<{ id: number; barcode: string }> {
  const barcode = `B-${randomUUID()}`
  const id = await outside.transaction(async ({ db }) => {
    const { id: order_id } = await db
      .insertInto('orders')
      .values({
        external_id: randomUUID(),
        order_no: `S${randomUUID().slice(0, 8)}`,
        work_state,
        phase: work_state,
        currency: 'DKK',
        ordered_at: new Date().toISOString(),
        customer_name: 'Lene Hansen',
        ship_country: 'DK',
        ship_to: JSON.stringify({ name: 'Lene Hansen', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK' }),
        agent_code,
        shipping_method: 'parcel',
        fingerprint: Buffer.from('x'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (work_state === 'ready') {
      const sku = randomUUID()
      const product = await db
        .insertInto('products')
        .values({ sku, name: 'Thing', weight_g: 300 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('product_barcodes').values({ product_id: product.id, barcode, quantity: 1 }).execute()
      await db.insertInto('order_lines').values({ order_id, line_no: 1, sku, product_id: product.id, name: 'Thing', qty: 1 }).execute()
    }
    return order_id
  })
  return { id, barcode }
}

const intend = (order_id: number) =>
  outside.transaction(context =>
    createShipment(context, {
      of: { order_id },
      session_id: null,
      parcel_no: 1,
      parcel_count: 1,
      station: 'Bench 1',
      label_printer_id,
      a4_printer_id: null,
    }),
  )

const shipmentsOf = (order_ids: readonly number[]) =>
  outside.transaction(({ db }) =>
    db
      .selectFrom('shipments')
      .select(['id', 'order_id', 'state', 'tracking_no', 'error', 'error_kind', 'attempt', 'reference', 'cancel_answers'])
      .where('order_id', 'in', [...order_ids, 0])
      .orderBy('id')
      .execute(),
  )
const printsOf = (order_id: number) =>
  outside.transaction(({ db }) =>
    db.selectFrom('print_jobs').select(['id', 'state', 'shipment_id']).where('order_id', '=', order_id).execute(),
  )
const eventsOf = (order_id: number) =>
  outside.transaction(async ({ db }) =>
    (await db.selectFrom('events').select('kind').where('order_id', '=', order_id).orderBy('id').execute()).map(row => row.kind),
  )

let elapsed = 0
/** The lease runs out: whatever the courier does late has happened by then. */
function leaseRunsOut(slow: SlowCourier): void {
  slow.tick()
  elapsed += (leaseSeconds + 1) * 1_000
  testApp.setNow(new Date(Date.now() + elapsed))
}

/** A worker that is killed at any of its steps: before a transaction, or right after its commit. */
class Killed extends Error {}
const mortal = (random: () => number, chance: number): ExternalContext => ({
  ...outside,
  async transaction(step) {
    if (random() < chance) throw new Killed()
    const answer = await outside.transaction(step)
    if (random() < chance) throw new Killed()
    return answer
  },
})
const attempt = (work: Promise<unknown>): Promise<unknown> =>
  work.catch(error => {
    if (!(error instanceof Killed)) throw error
  })

const mix = (random: () => number): Fault => {
  const dice = random()
  if (dice < 0.1) return 'lost'
  if (dice < 0.22) return 'mute'
  if (dice < 0.3) return 'late'
  if (dice < 0.36) return 'garbage'
  if (dice < 0.4) return 'crossed'
  if (dice < 0.45) return 'twice'
  if (dice < 0.5) return 'unavailable'
  return 'none'
}

describe.each(['lookup', 'idempotency_key'] as const)('a courier that knows the %s', recovery => {
  it('never has two live labels of one parcel, and loses none, whatever breaks and dies', { timeout }, async () => {
    const random = luck(recovery === 'lookup' ? 7 : 11)
    const slow = courierOf({ recovery })
    slow.fault = () => mix(random)
    slow.findFails = () => random() < 0.1
    const orders: number[] = []
    for (let i = 0; i < parcels; i++) orders.push((await order(slow.capabilities.agent_code)).id)
    // One in five dies between the intent and its first step, the others at any of them.
    for (let i = 0; i < orders.length; i += 20)
      await Promise.all(
        orders.slice(i, i + 20).map(async order_id => {
          const { shipment_id } = await intend(order_id)
          if (random() < 0.2) return
          await attempt(bookShipment(mortal(random, 0.05), shipment_id, { fresh: true }))
        }),
      )
    for (let run = 0; run < 25; run++) {
      leaseRunsOut(slow)
      const rows = await shipmentsOf(orders)
      const open = rows.filter(row => ['booking', 'unknown'].includes(row.state))
      const settled = new Set(rows.filter(row => row.state !== 'error').map(row => row.order_id))
      const failed = orders.filter(id => !settled.has(id))
      if (open.length === 0 && failed.length === 0) break
      // The queue runs a task more than once, and on more than one server.
      for (let i = 0; i < open.length; i += 10)
        await Promise.all(open.slice(i, i + 10).flatMap(row => [1, 2, 3].map(() => attempt(bookShipment(mortal(random, 0.03), row.id)))))
      // A person tries again what the courier said no to.
      for (const id of failed) {
        const { shipment_id } = await intend(id)
        await attempt(bookShipment(mortal(random, 0.03), shipment_id, { fresh: true }))
      }
    }
    slow.tick()
    const rows = await shipmentsOf(orders)
    const wrong = orders.flatMap(id => {
      const booked = rows.filter(row => row.order_id === id && row.state === 'booked')
      const references = rows.filter(row => row.order_id === id).map(row => row.reference)
      const live = slow.books.filter(parcel => parcel.live && references.includes(parcel.reference))
      const fits = booked.length === 1 && live.length === 1 && live[0]!.tracking_no === booked[0]!.tracking_no
      return fits ? [] : [{ id, booked, live }]
    })
    expect(wrong).toEqual([])
    expect(new Set(rows.filter(row => row.state === 'booked').map(row => row.tracking_no)).size).toBe(orders.length)
    // The bad luck was real.
    expect(slow.asked.book).toBeGreaterThan(parcels)
    expect(slow.asked.find).toBeGreaterThan(0.3 * parcels)
    // Each label was queued for its printer exactly once.
    const jobs = await outside.transaction(({ db }) =>
      db.selectFrom('print_jobs').select('shipment_id').where('order_id', 'in', orders).execute(),
    )
    expect(jobs.length).toBe(orders.length)
  })

  it('is asked once when nothing goes wrong, however many workers come at once', async () => {
    const slow = courierOf({ recovery, milliseconds: 20 })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    const outcomes = await Promise.all([
      bookShipment(outside, shipment_id, { fresh: true }),
      bookShipment(outside, shipment_id, { fresh: true }),
      bookShipment(outside, shipment_id),
      bookShipment(outside, shipment_id),
    ])
    expect(outcomes.toSorted()).toEqual(['booked', 'elsewhere', 'elsewhere', 'elsewhere'])
    expect(slow.asked).toMatchObject({ book: 1, find: 0 })
  })

  it('is not asked by somebody who comes after the lease and believes to be the first', async () => {
    const slow = courierOf({ recovery, milliseconds: 30 })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    leaseRunsOut(slow)
    const queue = bookShipment(outside, shipment_id)
    await vi.waitFor(() => expect(slow.asked.find).toBe(1), { interval: 2, timeout: 60_000 })
    expect(await bookShipment(outside, shipment_id, { fresh: true })).toBe('elsewhere')
    expect(await queue).toBe('booked')
    expect(slow.books).toHaveLength(1)
  })

  it('is not believed when it answers with the number of another parcel, and gives no reference', async () => {
    const slow = courierOf({ recovery })
    const { book, find } = slow
    const nameless = async (answer: ReturnType<typeof find>) => {
      const booking = await answer
      return (
        booking && {
          ...booking,
          reference: undefined as never,
          parcels: booking.parcels.map(parcel => ({ ...parcel, tracking_no: 'SAME0001', barcode: 'SAME0001' })),
        }
      )
    }
    slow.book = (...asked) => nameless(book(...asked)) as ReturnType<typeof book>
    slow.find = (...asked) => nameless(find(...asked))
    const [first, second] = [await order(slow.capabilities.agent_code), await order(slow.capabilities.agent_code)]
    expect(await bookShipment(outside, (await intend(first.id)).shipment_id, { fresh: true })).toBe('booked')
    expect(await bookShipment(outside, (await intend(second.id)).shipment_id, { fresh: true })).toBe('unknown')
    expect(await printsOf(second.id)).toEqual([])
  })

  it('is not waited for for ever, though it neither answers nor listens', async () => {
    const slow = courierOf({ recovery })
    const { timeout } = AbortSignal
    // Half a minute of patience, in the tests a moment.
    const clock = vi.spyOn(AbortSignal, 'timeout').mockImplementation(milliseconds => timeout.call(AbortSignal, Math.min(milliseconds, 50)))
    slow.book = () => new Promise(() => undefined)
    slow.find = () => new Promise(() => undefined)
    const { id } = await order(slow.capabilities.agent_code)
    expect(await bookShipment(outside, (await intend(id)).shipment_id, { fresh: true })).toBe('unknown')
    clock.mockRestore()
  })

  it('is believed when it refuses, with the field that it names', async () => {
    const slow = courierOf({ recovery })
    slow.fault = () => 'refused'
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    expect(await bookShipment(outside, shipment_id, { fresh: true })).toBe('error')
    const [shipment] = await lead.send(labels.status, { ids: String(shipment_id) })
    expect(shipment).toMatchObject({
      state: 'error',
      error: 'The postcode is not served',
      error_field: 'recipient.postcode',
      error_kind: 'validation',
    })
    expect(await printsOf(id)).toEqual([])
  })

  it('is not believed when it refuses after an answer got lost: the first may still arrive', async () => {
    const slow = courierOf({ recovery })
    const luckless: Fault[] = ['late', 'refused', 'unavailable']
    slow.fault = () => luckless.shift() ?? 'none'
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    expect(await bookShipment(outside, shipment_id, { fresh: true })).toBe('unknown')
    leaseRunsOut(slow)
    expect(await bookShipment(outside, shipment_id)).toBe('booked')
    expect(slow.books.filter(parcel => parcel.live)).toHaveLength(1)
  })
})

const exchangesOf = (shipment_id: number) =>
  outside.transaction(({ db }) =>
    db.selectFrom('label_log').select(['action', 'outcome']).where('shipment_id', '=', shipment_id).orderBy('id').execute(),
  )

it('what a courier booked stays in the record though its label could not be stored', async () => {
  const slow = courierOf({ recovery: 'lookup' })
  const { id } = await order(slow.capabilities.agent_code)
  const { shipment_id } = await intend(id)
  vi.spyOn(outside.services.files, 'put').mockRejectedValueOnce(new Error('The disk is full'))
  await expect(bookShipment(outside, shipment_id, { fresh: true })).rejects.toThrow('The disk is full')
  expect(await exchangesOf(shipment_id)).toEqual([{ action: 'book', outcome: 'ok' }])
})

it('what a courier booked that cannot be asked again is recorded before anything is made of it', async () => {
  const slow = courierOf({ recovery: 'none' })
  const { id } = await order(slow.capabilities.agent_code)
  const { shipment_id } = await intend(id)
  let left = 2
  const killed: ExternalContext = {
    ...outside,
    async transaction(step) {
      if (left-- === 0) throw new Killed()
      return outside.transaction(step)
    },
  }
  await attempt(bookShipment(killed, shipment_id, { fresh: true }))
  expect(await exchangesOf(shipment_id)).toEqual([{ action: 'book', outcome: 'ok' }])
  expect(await shipmentsOf([id])).toMatchObject([{ state: 'booking' }])
})

it('papers that a courier returns beside its labels are stored with their kind', async () => {
  const offers = { documents: ['label', 'cn23'] as const }
  const slow = courierOf({ recovery: 'lookup', offers })
  const { book } = slow
  slow.book = async (...asked) => {
    const booking = await book(...asked)
    const paper = { kind: 'cn23', format: 'pdf', paper: 'a4', bytes: Buffer.from('%PDF-1.4 customs') } as const
    return {
      ...booking,
      parcels: booking.parcels.map(parcel => (parcel.ok ? { ...parcel, documents: [...parcel.documents, paper] } : parcel)),
    }
  }
  const { id } = await order(slow.capabilities.agent_code)
  const { shipment_id } = await intend(id)
  expect(await bookShipment(outside, shipment_id, { fresh: true })).toBe('booked')
  const stored = await outside.transaction(({ db }) =>
    db.selectFrom('shipment_documents').select(['kind', 'format', 'paper']).where('shipment_id', '=', shipment_id).execute(),
  )
  expect(stored).toEqual([{ kind: 'cn23', format: 'pdf', paper: 'a4' }])
  const documents = [{ document_no: 1, kind: 'cn23', format: 'pdf', paper: 'a4' }]
  expect(await lead.send(labels.status, { ids: String(shipment_id) })).toMatchObject([{ documents }])
  expect(await lead.send(labels.ofOrders, { ids: String(id) })).toMatchObject([{ documents }])
  const { bytes } = await lead.send(labels.file, { id: shipment_id, document: 1 })
  expect(Buffer.from(bytes as Uint8Array).toString()).toBe('%PDF-1.4 customs')
  expect((await lead.ask(labels.file, { id: shipment_id, document: 2 })).statusCode).toBe(404)
  expect(await printsOf(id)).toHaveLength(1)
})

it('a parcel that a courier refuses inside its answer ends as refused, not as booked', async () => {
  const slow = courierOf({ recovery: 'lookup' })
  slow.book = async () => ({
    parcels: [{ ok: false, message: 'The street is unknown', field: 'recipient.address1' }],
    exchange: { request: {}, response: {} },
  })
  const { id } = await order(slow.capabilities.agent_code)
  const { shipment_id } = await intend(id)
  expect(await bookShipment(outside, shipment_id, { fresh: true })).toBe('error')
  expect(await lead.send(labels.status, { ids: String(shipment_id) })).toMatchObject([
    { error: 'The street is unknown', error_field: 'recipient.address1' },
  ])
})

it('what a courier’s capabilities refuse is refused before the courier is asked, and the persons stand in rows of their own', async () => {
  const slow = courierOf({ recovery: 'lookup', offers: { needs: ['phone'] } })
  const { id } = await order(slow.capabilities.agent_code)
  const { shipment_id, state } = await intend(id)
  expect(state).toBe('error')
  expect(slow.asked.book).toBe(0)
  const shipment = await outside.transaction(({ db }) =>
    db
      .selectFrom('shipments')
      .select(['error_code', 'error_field', 'error', 'request'])
      .where('id', '=', shipment_id)
      .executeTakeFirstOrThrow(),
  )
  expect(shipment).toMatchObject({
    error_code: 'phone_missing',
    error_field: 'recipient.phone',
    error: 'Slow and sure needs a phone number of the recipient',
  })
  expect(JSON.stringify(shipment.request)).not.toContain('Lene')
  const parties = await outside.transaction(({ db }) =>
    db.selectFrom('shipment_parties').select(['role', 'party']).where('shipment_id', '=', shipment_id).orderBy('role').execute(),
  )
  expect(parties).toMatchObject([
    { role: 'recipient', party: { name: 'Lene Hansen' } },
    { role: 'sender', party: { name: 'Depot' } },
  ])
})

it('a courier that is later than any lease: its second label is taken back, and the first one stays', async () => {
  const slow = courierOf({ recovery: 'lookup' })
  let arrive = () => {}
  const latch = new Promise<void>(resolve => {
    arrive = resolve
  })
  const { book } = slow
  slow.book = async (request, signal) => {
    slow.book = book
    await latch
    return book(request, signal)
  }
  const { id } = await order(slow.capabilities.agent_code)
  const { shipment_id } = await intend(id)
  const first = bookShipment(outside, shipment_id, { fresh: true })
  await vi.waitFor(() => expect(slow.book).toBe(book), { interval: 2, timeout: 60_000 })
  leaseRunsOut(slow)
  expect(await bookShipment(outside, shipment_id)).toBe('booked')
  arrive()
  expect(await first).toBe('elsewhere')
  const [shipment] = await shipmentsOf([id])
  expect(slow.books.map(parcel => [parcel.tracking_no === shipment?.tracking_no, parcel.live])).toEqual([
    [true, true],
    [false, false],
  ])
  expect(await eventsOf(id)).toContain('label.doubled')
})

it.each([
  {
    of: 'inside the country',
    to: { country: 'DK', postcode: '5000' },
    shop: { id: '4711', name: 'Kiosk', address1: '', postcode: '5000', city: 'Odense', country: 'DK' },
  },
  { of: 'over a border', to: { country: 'NO', postcode: '0150' }, shop: null },
])('is asked at once for exactly what is stored, $of', async ({ to, shop }) => {
  const slow = courierOf({ recovery: 'lookup' })
  const party = { ...sender, company: null, attention: null, address2: null, instruction: null, phone: null, email: null }
  await outside.transaction(async context => {
    const plan = await planShipment(context, {
      of: { order_id: null, company_id: operator.main.id, series: async () => 7_000 + to.postcode.length * 10 + (shop ? 1 : 0) },
      session_id: null,
      parcel_no: 1,
      parcel_count: 1,
      weight_g: 900,
      lines: [
        {
          ...{ order_line_id: null, sku: 'A-1', description: 'Cap, cotton', quantity: 2, hs_code: '650500', origin: 'PT' },
          ...{ value: { amount: 9_900, currency: 'DKK' }, net_weight_g: 300, gross_weight_g: null, gtin: '5790000000005' },
        },
        { order_line_id: null, sku: null, description: 'Card', quantity: 1, hs_code: null, origin: null, value: null, net_weight_g: null },
      ],
      station: '',
      label_printer_id: null,
      a4_printer_id: null,
      agent_code: slow.capabilities.agent_code,
      shipping_method: 'parcel',
      form: {
        ...{ sender: null, recipient: { ...party, ...to, name: 'Lene' }, return_to: null, importer: null, payer: null, services: [] },
        ...{ service_point: shop, customs: null, pickup: null, ship_date: null, locale: null, reference: 'R-1' },
      },
    })
    const stored = await storeShipment(context, plan, { leased: true })
    expect(await requestOf(context, stored.shipment_id)).toEqual(plannedRequest(context.services, plan, stored))
    expect(await leaseShipment(context, stored.shipment_id, true), 'its lease is taken').toBeUndefined()
  })
})

describe('a courier that can be asked nothing afterwards', () => {
  it('leaves what it did not answer to a person, and nothing is booked twice', { timeout }, async () => {
    const random = luck(3)
    const slow = courierOf({ recovery: 'none' })
    slow.fault = () => mix(random)
    const orders: number[] = []
    for (let i = 0; i < parcels; i++) {
      const { id } = await order(slow.capabilities.agent_code)
      orders.push(id)
      const { shipment_id } = await intend(id)
      if (random() < 0.2) continue
      await attempt(bookShipment(mortal(random, 0.05), shipment_id, { fresh: true }))
    }
    for (let run = 0; run < 3; run++) {
      leaseRunsOut(slow)
      for (const row of await shipmentsOf(orders)) await Promise.all([1, 2].map(() => attempt(bookShipment(mortal(random, 0.03), row.id))))
    }
    slow.tick()
    const rows = await shipmentsOf(orders)
    expect(rows.filter(row => row.state === 'booking')).toEqual([])
    for (const row of rows) {
      const live = slow.books.filter(parcel => parcel.reference === row.reference)
      expect(live.length).toBeLessThanOrEqual(1)
      if (row.state === 'booked') expect(live.map(parcel => parcel.tracking_no)).toEqual([row.tracking_no])
      if (row.state === 'error') expect(live).toEqual([])
      // Never silent: whatever may have been booked without our knowing stands on the list of what is unknown.
      if (row.state !== 'booked' && live.length > 0) expect(row.state).toBe('unknown')
    }
    const unknown = rows.filter(row => row.state === 'unknown')
    expect(unknown.length).toBeGreaterThan(0.15 * parcels)
    const listed: number[] = []
    for (let page = 1; listed.length < unknown.length; page++) {
      const { rows } = await lead.send(labels.search, { board: 'unknown', agent_code: slow.capabilities.agent_code, limit: 100, page })
      if (rows.length === 0) break
      listed.push(...rows.map(row => row.shipment_id))
    }
    expect(listed.toSorted((a, b) => a - b)).toEqual(unknown.map(row => row.id).toSorted((a, b) => a - b))
  })

  it('is settled by a person: not booked, and a new label is made; booked, and that label is blocked', async () => {
    const slow = courierOf({ recovery: 'none' })
    const luckless: Fault[] = ['lost', 'none', 'mute', 'none']
    slow.fault = () => luckless.shift() ?? 'none'
    for (const booked of [false, true]) {
      const { id, barcode } = await order(slow.capabilities.agent_code, 'ready')
      await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
      await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: barcode } })
      const closed = await kim.send(packing.close, { id, body: { label_printer_id } })
      expect(closed.outcome).toBe('waiting')
      const { shipment_id } = closed.parcels[0]!
      expect(await lead.send(labels.status, { ids: String(shipment_id) })).toMatchObject([{ state: 'unknown' }])
      // Asking again while no one knows makes no second label.
      expect((await kim.send(packing.close, { id, body: { label_printer_id } })).outcome).toBe('waiting')
      await expect(kim.send(labels.settle, { id: shipment_id, body: { booked } })).rejects.toMatchObject({ status: 403 })
      if (booked) await expect(lead.send(labels.settle, { id: shipment_id, body: { booked } })).rejects.toMatchObject({ status: 400 })
      const number = slow.books.find(parcel => parcel.live && booked)?.tracking_no
      await lead.send(labels.settle, { id: shipment_id, body: { booked, ...(number && { tracking_no: number }) } })
      await expect(lead.send(labels.settle, { id: shipment_id, body: { booked: false } })).rejects.toMatchObject({ status: 409 })
      expect((await kim.send(packing.get, { id })).phase).toBe('label_error')
      const again = await kim.send(packing.close, { id, body: { label_printer_id } })
      expect(again).toMatchObject({ outcome: 'labelled' })
      expect((await shipmentsOf([id])).map(row => row.state)).toEqual([booked ? 'blocked' : 'error', 'booked'])
      if (booked) {
        const alarm = kim.send(labels.event, { body: { barcode: number!, event: 'handed_over' } })
        await expect(alarm).rejects.toMatchObject({ status: 409, key: 'This label was cancelled: take the parcel out' })
      }
    }
  })
})

describe('a stop between intent and label', () => {
  it.each([
    ['takes the label back where the courier allows it', 'yes', 'cancelled'],
    ['bars the label where the courier does not', 'no', 'blocked'],
  ] as const)('%s, and nothing is printed', async (_, cancel, state) => {
    const slow = courierOf({ recovery: 'lookup', cancel })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    await lead.send(orderLocks.lock, { id, body: { note: 'Customer called' } })
    expect(await bookShipment(outside, shipment_id, { fresh: true })).toBe('stopped')
    expect(await shipmentsOf([id])).toMatchObject([{ state }])
    expect(slow.books[0]?.live).toBe(cancel === 'no')
    expect(await printsOf(id)).toEqual([])
    expect(await eventsOf(id)).toContain(`shipment.${state}`)
  })

  it('holds too when the server dies before it took the label back', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    await lead.send(orderLocks.lock, { id, body: { note: 'Customer called' } })
    slow.cancelFails = () => true
    await bookShipment(outside, shipment_id, { fresh: true })
    // No one knows whether it was cancelled, so no one may send it.
    expect(await shipmentsOf([id])).toMatchObject([{ state: 'blocked', cancel_answers: null }])
    await expect(bookingTasks['labels.void']({ shipment_id }, { ...outside, last_try: false })).rejects.toThrow('did not say')
    slow.cancelFails = () => false
    await bookingTasks['labels.void']({ shipment_id }, { ...outside, last_try: false })
    expect(await shipmentsOf([id])).toMatchObject([{ state: 'cancelled' }])
    expect(slow.books[0]?.live).toBe(false)
  })

  it('does not keep a return label from being made', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id } = await order(slow.capabilities.agent_code)
    await lead.send(orderLocks.lock, { id, body: { note: 'Customer called' } })
    const made = await lead.send(labels.makeReturn, {
      order_id: id,
      agent_code: slow.capabilities.agent_code,
      operation_code: 'return',
      body: undefined,
      packing_station: 'Office',
    })
    expect(made.shipments).toMatchObject([{ operation_code: 'return', state: 'booked' }])
  })

  it('does not keep a return label from being printed', async () => {
    const { id } = await order('own')
    await lead.send(orderLocks.lock, { id, body: { note: 'Customer called' } })
    const made = await lead.send(labels.create, {
      agent_code: 'own',
      shipping_method: 'van',
      operation_code: 'return',
      body: { order_id: id, printer_id: label_printer_id },
    })
    expect(made.shipments).toMatchObject([{ operation_code: 'return', state: 'booked' }])
    expect(made.print_jobs).toMatchObject([{ state: 'done', error: null }])
  })
})

describe('a cancellation that is being written in the very moment', () => {
  let other: pg.Client
  beforeAll(async () => {
    other = new pg.Client({ connectionString: testApp.url })
    await other.connect()
  })
  afterAll(() => other.end())

  /** Cancels in a transaction that has not ended when `work` begins, and ends it while `work` waits. */
  async function whileCancelling<T>(id: number, work: () => Promise<T>): Promise<T> {
    await other.query('begin')
    await other.query("update orders set cancelled_at = now(), phase = 'cancelled' where id = $1", [id])
    const working = work()
    await new Promise(resolve => setTimeout(resolve, 400))
    await other.query('commit')
    return working
  }

  it('is waited for before the intent: no courier is asked', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id, barcode } = await order(slow.capabilities.agent_code, 'ready')
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: barcode } })
    const closed = await whileCancelling(id, () => kim.send(packing.close, { id, body: { label_printer_id } }))
    expect(closed).toMatchObject({ outcome: 'stopped' })
    expect(slow.asked.book).toBe(0)
  })

  it('is waited for before the label: it is taken back', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    expect(await whileCancelling(id, () => bookShipment(outside, shipment_id, { fresh: true }))).toBe('stopped')
    expect(await shipmentsOf([id])).toMatchObject([{ state: 'cancelled' }])
    expect(await printsOf(id)).toEqual([])
  })

  it('is waited for before the print: nothing comes out', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id } = await order(slow.capabilities.agent_code)
    await bookShipment(outside, (await intend(id)).shipment_id, { fresh: true })
    const [print] = await printsOf(id)
    expect(await whileCancelling(id, () => sendPrint(outside, print!.id))).toMatchObject({ state: 'cancelled', accepted_at: null })
  })
})

describe('taking a label back', () => {
  it('is carried on by the queue when the courier gives no answer, and blocked until then', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    await bookShipment(outside, shipment_id, { fresh: true })
    slow.cancelFails = () => true
    expect(await voidLabel(outside, shipment_id)).toMatchObject({ answered: false })
    const root = new pg.Client({ connectionString: testApp.url })
    await root.connect()
    const { rows } = await root.query('select task_identifier from graphile_worker.jobs where key = $1', [`labels.void:${shipment_id}`])
    await root.end()
    expect(rows).toEqual([{ task_identifier: 'labels.void' }])
    expect(await shipmentsOf([id])).toMatchObject([{ state: 'blocked', cancel_answers: null }])
  })

  it('asks the courier once, however many ask at once, and keeps its answers', async () => {
    const slow = courierOf({ recovery: 'lookup', milliseconds: 10 })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    await bookShipment(outside, shipment_id, { fresh: true })
    await Promise.all([1, 2, 3].map(() => voidLabel(outside, shipment_id)))
    expect(await shipmentsOf([id])).toMatchObject([
      { state: 'cancelled', cancel_answers: { cancelled: true, cancelled_at_carrier: true, refunded: false } },
    ])
    expect((await eventsOf(id)).filter(kind => kind === 'shipment.cancelled')).toHaveLength(1)
  })
})

describe('the queue', () => {
  it('books what a dying server left behind its intent, when the lease has run out', async () => {
    const slow = courierOf({ recovery: 'lookup' })
    const { id } = await order(slow.capabilities.agent_code)
    const { shipment_id } = await intend(id)
    const waiting = await testApp.services.database.systemTransaction('the queue belongs to no tenant', db =>
      db.selectFrom('shipments').select('id').where('id', '=', shipment_id).execute(),
    )
    expect(waiting).toHaveLength(1)
    // Too early it finds the lease held.
    await bookingTasks['labels.book']({ shipment_id }, { ...outside, last_try: false })
    expect(slow.asked.book).toBe(0)
    leaseRunsOut(slow)
    await bookingTasks['labels.book']({ shipment_id }, { ...outside, last_try: false })
    expect(slow.asked).toMatchObject({ find: 1, book: 1 })
    expect(await shipmentsOf([id])).toMatchObject([{ state: 'booked' }])
    expect(await printsOf(id)).toHaveLength(1)
  })
})

it('the faults of the courier are all in the mix', () => {
  const random = luck(1)
  const seen = new Set(Array.from({ length: 2_000 }, () => mix(random)))
  expect([...faults].filter(fault => fault !== 'refused' && fault !== 'partial').every(fault => seen.has(fault))).toBe(true)
})
