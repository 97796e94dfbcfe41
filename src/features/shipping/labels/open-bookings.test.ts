/** Bookings whose server dies: the queue takes each of them up again, whichever step of whichever attempt was the last one. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type Fault, type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import { createContext } from '#platform/http/context.ts'
import type { ExternalContext, JobOrigin } from '#platform/http/feature-module.ts'
import { sampleParty } from '#test/label-samples.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { createShipment, type FormChoices } from './booking.commands.ts'
import { leaseSeconds } from './booking.queries.ts'
import { bookingTasks, bookShipment } from './booking.server.ts'
import { labels } from './labels.contract.ts'
import { queueOpenBookings } from './open-bookings.task.ts'

let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let lead: TestUser
let label_printer_id: number
let remove: () => void = () => {}

beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  const address = { address1: 'Havnegade 1', address2: '', postcode: '5000', city: 'Odense', country: 'DK', phone: '', email: '' }
  operator = await testApp.operator({ settings: { sender: { name: 'Depot', ...address } } })
  lead = await operator.hire(['scan_admin', 'parcels_admin'])
  label_printer_id = (await lead.send(printers.list, {})).printers.find(one => one.paper === 'label')!.id
})
afterEach(async () => {
  remove()
  testApp.setNow(undefined)
  await root.query('delete from graphile_worker._private_jobs')
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const recoveries = ['idempotency_key', 'lookup', 'none'] as const

function courierOf(recovery: (typeof recoveries)[number]): SlowCourier {
  const slow = slowCourier({ agent_code: `slow${randomUUID().slice(0, 6)}`, recovery })
  remove = withCourier(slow)
  return slow
}

const passes = (seconds: number) => testApp.setNow(new Date(testApp.services.now().getTime() + seconds * 1_000))

const serverOf = ({ operator_id, company_id, companies }: Pick<JobOrigin, 'operator_id' | 'company_id' | 'companies'>): ExternalContext =>
  createContext(
    testApp.services,
    anonymous({ operator_id, id: company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' }),
    { operator_id, company_id, companies },
    { ip: '', station: '', headers: {}, signal: testApp.services.closing },
  )
const alive = () => serverOf({ ...scopeOfCompany(operator), companies: [...scopeOfCompany(operator).companies] })

class Died extends Error {}
/** A server that dies at its `last` step: before each transaction and after each commit there is one. */
function mortal(outside: ExternalContext, last: number): { outside: ExternalContext; died: () => boolean } {
  let steps = 0
  const step = () => {
    if (++steps >= last) throw new Died()
  }
  return {
    died: () => steps >= last,
    outside: {
      ...outside,
      async transaction(work) {
        step()
        const answer = await outside.transaction(work)
        step()
        return answer
      },
    },
  }
}
const untilDeath = (work: Promise<unknown>) =>
  work.catch(error => {
    if (!(error instanceof Died)) throw error
  })

interface Job {
  id: string
  payload: { shipment_id: number; carried: JobOrigin }
}

/**
 * Runs the booking's job when it is due, as the queue does: locked while it runs, deleted when it is done, and free again when its
 * server died. Answers whether there was one.
 */
async function runDueJob(shipment_id: number, dying: (outside: ExternalContext) => ExternalContext = outside => outside): Promise<boolean> {
  const { rows } = await root.query<Job>(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test', attempts = attempts + 1
      where key = $1 and run_at <= $2 and locked_at is null and attempts < max_attempts returning id, payload`,
    [`labels.book:${shipment_id}`, testApp.services.now().toISOString()],
  )
  const [job] = rows
  if (!job) return false
  const { carried: origin, ...own } = job.payload
  try {
    await bookingTasks['labels.book'](own, { ...dying(serverOf(origin)), last_try: false })
    await root.query('delete from graphile_worker._private_jobs where id = $1', [job.id])
  } catch (error) {
    if (!(error instanceof Died)) throw error
    await root.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = $1', [job.id])
  }
  return true
}

async function intend(
  slow: SlowCourier,
  of: 'an order' | 'no order' = 'an order',
): Promise<{ order_id: number | null; shipment_id: number }> {
  const { agent_code } = slow.capabilities
  const scope = scopeOfCompany(operator)
  const order =
    of === 'an order'
      ? await placeOrder(testApp.services.database, scope, { agent_code, shipping_method: 'parcel', work_state: 'packed' })
      : undefined
  const { shipment_id } = await alive().transaction(async context => {
    const series = () => nextNumber(context.db, scope.company_id, 'free_shipment')
    return createShipment(context, {
      of: order ? { order_id: order.id } : { order_id: null, company_id: scope.company_id, series },
      session_id: null,
      parcel_no: 1,
      parcel_count: 1,
      weight_g: 400,
      station: 'Bench 1',
      label_printer_id,
      a4_printer_id: null,
      agent_code,
      shipping_method: 'parcel',
      ...(!order && { form: { ...choices, recipient: sampleParty() } }),
    })
  })
  return { order_id: order?.id ?? null, shipment_id }
}

const choices: FormChoices = {
  sender: null,
  recipient: null,
  return_to: null,
  importer: null,
  payer: null,
  services: [],
  service_point: null,
  customs: null,
  pickup: null,
  ship_date: null,
  locale: null,
  reference: null,
}

async function shipmentOf(id: number): Promise<{ state: string; tracking_no: string | null; reference: string; prints: number }> {
  const { rows } = await root.query(
    `select state, tracking_no, reference, (select count(*)::int from print_jobs p where p.shipment_id = s.id) prints from shipments s where id = $1`,
    [id],
  )
  return rows[0]
}

/** What came of it, in one line; and whether it is right depends on the courier alone. */
async function ending(slow: SlowCourier, shipment_id: number): Promise<string> {
  const shipment = await shipmentOf(shipment_id)
  const live = slow.books.filter(parcel => parcel.live && parcel.reference === shipment.reference)
  if (live.length > 1) return 'booked twice'
  if (shipment.state === 'booked')
    return live[0]?.tracking_no === shipment.tracking_no && shipment.prints === 1 ? 'booked' : 'booked with a wrong label or print'
  const { can_settle } = await lead.send(labels.get, { id: shipment_id })
  return shipment.state === 'unknown' && can_settle ? 'left to a person' : `stuck in ${shipment.state}`
}

/** Far more steps than an attempt has. */
const mostSteps = 40

const kinds = (['an order', 'no order'] as const).flatMap(of => recoveries.map(recovery => ({ recovery, of })))

describe.each(kinds)('a courier that offers for recovery: $recovery, and a shipment of $of', ({ recovery, of }) => {
  it.each([1, 2, 3].flatMap(attempt => (['none', 'mute', 'lost'] as const).map(fault => ({ attempt, fault }))))(
    'loses, doubles and leaves nothing when the server dies at any step of attempt $attempt, and the request is: $fault',
    async ({ attempt, fault }) => {
      const slow = courierOf(recovery)
      const wrong: string[] = []
      let whole = false
      let deaths = 0
      for (let last = 1; !whole; last++) {
        expect(last).toBeLessThan(mostSteps)
        const faults: Fault[] = [fault]
        slow.fault = () => faults.shift() ?? 'none'
        const { shipment_id } = await intend(slow, of)
        // The attempts before this one die with their lease taken and the courier not yet asked.
        const first = mortal(alive(), attempt === 1 ? last : 2)
        await untilDeath(bookShipment(first.outside, shipment_id, { fresh: true }))
        let died = first.died()
        for (let n = 2; n <= attempt; n++) {
          passes(leaseSeconds + 2)
          let server = mortal(alive(), Number.POSITIVE_INFINITY)
          await runDueJob(shipment_id, outside => {
            server = mortal(outside, n === attempt ? last : 2)
            return server.outside
          })
          died = server.died()
          // The server starts again at once: the lease of the dead one is still held.
          passes(10)
          await runDueJob(shipment_id)
        }
        whole = !died
        deaths += died ? 1 : 0
        for (let minute = 0; minute < 6; minute++) {
          passes(leaseSeconds + 2)
          await runDueJob(shipment_id)
        }
        const came = await ending(slow, shipment_id)
        const right = recovery === 'none' ? ['booked', 'left to a person'] : ['booked']
        if (!right.includes(came)) wrong.push(`dead at step ${last}: ${came}`)
      }
      expect(wrong).toEqual([])
      expect(deaths).toBeGreaterThan(3)
    },
  )

  it('gets a job for an open booking that has none, once its lease has run out', async () => {
    const slow = courierOf(recovery)
    const { shipment_id } = await intend(slow)
    const queued = async () =>
      (await root.query('select attempts from graphile_worker.jobs where key = $1', [`labels.book:${shipment_id}`])).rows
    const loss = [
      `delete from graphile_worker._private_jobs`,
      `update graphile_worker._private_jobs set attempts = max_attempts, run_at = now()`,
    ]
    for (const lose of loss) {
      await bookShipment(mortal(alive(), 2).outside, shipment_id).catch(() => undefined)
      await root.query(lose)
      await queueOpenBookings(testApp.services)
      expect((await queued()).filter(job => job.attempts === 0)).toEqual([])
      passes(leaseSeconds + 2)
      await queueOpenBookings(testApp.services)
      expect(await queued()).toEqual([{ attempts: 0 }])
    }
    passes(2)
    expect(await runDueJob(shipment_id)).toBe(true)
    expect(await ending(slow, shipment_id)).toBe(recovery === 'none' ? 'left to a person' : 'booked')
    passes(leaseSeconds + 2)
    await queueOpenBookings(testApp.services)
    expect(await queued()).toEqual([])
  })

  it('leaves the order to people when a booking has had no outcome for five minutes', async () => {
    const slow = courierOf(recovery)
    slow.fault = () => 'lost'
    slow.findFails = () => true
    const orders = []
    for (const _ of ['settled', 'given back']) {
      const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
        agent_code: slow.capabilities.agent_code,
        shipping_method: 'parcel',
        lines: [
          { sku: 'CAP-01', barcode: '5701234567890', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' },
        ],
      })
      await lead.send(packing.start, { id, body: { station: 'Bench 1' } })
      await lead.send(packing.scan, { id, body: { scan_id: randomUUID(), code: '5701234567890' } })
      const closed = await lead.send(packing.close, { id, body: { label_printer_id } })
      expect(closed.outcome).toBe('waiting')
      orders.push({ id, shipment_id: closed.parcels[0]!.shipment_id })
    }
    const [settled, back] = orders as [(typeof orders)[0], (typeof orders)[0]]
    const elsewhere = { station: 'Bench 2', take_over: true }
    await expect(lead.send(packing.start, { id: back.id, body: elsewhere })).rejects.toMatchObject({ status: 409 })
    await expect(lead.send(packing.abort, { id: back.id, body: {} })).rejects.toMatchObject({ status: 409 })
    if (recovery !== 'none')
      await expect(lead.send(labels.settle, { id: settled.shipment_id, body: { booked: false } })).rejects.toMatchObject({ status: 409 })
    passes(5 * 60 + 2)
    slow.fault = () => 'none'
    slow.findFails = () => false

    expect(await lead.send(labels.get, { id: settled.shipment_id })).toMatchObject({ can_settle: true })
    await lead.send(labels.settle, { id: settled.shipment_id, body: { booked: false } })
    expect((await lead.send(packing.close, { id: settled.id, body: { label_printer_id } })).outcome).toBe('labelled')
    expect(slow.books.filter(parcel => parcel.live)).toHaveLength(1)

    await lead.send(packing.start, { id: back.id, body: elsewhere })
    await lead.send(packing.abort, { id: back.id, body: {} })
    // Opened again and closed while the label is still on its way: it is finished by the label that comes.
    await lead.send(packing.start, { id: back.id, body: elsewhere })
    if (recovery === 'none') return
    await runDueJob(back.shipment_id)
    expect((await lead.send(packing.close, { id: back.id, body: { label_printer_id } })).outcome).toBe('labelled')
    expect(slow.books.filter(parcel => parcel.live)).toHaveLength(2)
  })
})
