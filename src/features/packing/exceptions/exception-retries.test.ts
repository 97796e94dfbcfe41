/** Exceptions about labels over HTTP: a refused label is tried again, as it is or after a correction, from the exception itself. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type Fault, type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { exceptions } from './exceptions.contract.ts'
import type { Exception } from './exceptions.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let office: TestUser
let mia: TestUser
let label_printer_id: number
let courier: SlowCourier
let remove: () => void
let fault: Fault
/** The courier answers nothing before it. */
let answered: Promise<void>

beforeAll(async () => {
  courier = slowCourier({ recovery: 'lookup', offers: { customs: { numbers: ['voec'], max_lines: 13 }, postal: 'all' } })
  courier.fault = () => fault
  const { book } = courier
  courier.book = async (request, signal) => {
    await answered
    return book(request, signal)
  }
  remove = withCourier(courier)
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan_admin'], operator.main, 'Kim')
  office = await operator.hire(['parcels'], operator.main, 'Astrid')
  mia = await operator.hire(['parcels_admin'], operator.main, 'Mia')
  label_printer_id = (await kim.send(printers.list, {})).printers.find(one => one.paper === 'label')!.id
})
beforeEach(() => {
  fault = 'none'
  answered = Promise.resolve()
  courier.books = []
})
afterAll(async () => {
  await testApp.close()
  remove()
})

const openOf = async (order_id: number) =>
  (await office.send(exceptions.list, { limit: 500 })).rows.filter(row => row.order_id === order_id)
const resolvedOf = async (order_id: number) =>
  (await office.send(exceptions.list, { limit: 500, view: 'resolved' })).rows.filter(row => row.order_id === order_id)
const decide = (exception: Exception, body: object, by = office) =>
  by.send(exceptions.resolve, { id: exception.id, body: { version: exception.version, resolution: 'retry_label', ...body } })
const phaseOf = async (id: number) => (await office.send(orders.get, { id })).phase
const timelineOf = async (id: number) => (await office.send(orders.timeline, { id })).rows.map(row => row.text)

const cap = { sku: 'CAP', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' }

/** A cap is packed, and its label is refused. */
async function refusedLabel(plan: OrderPlan = {}, close: object = {}) {
  const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'slow',
    shipping_method: 'parcel',
    lines: [cap],
    ...plan,
  })
  await kim.send(packing.start, { id, body: { station: 'Packing 1' } })
  await kim.send(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: lines[0]!, quantity: 1 } })
  expect(await kim.send(packing.close, { id, body: { label_printer_id, ...close } })).toMatchObject({ outcome: 'label_error' })
  const [exception] = await openOf(id)
  return { id, line: lines[0]!, exception: exception! }
}

describe('a refused label that is tried again', () => {
  it('resolves its exception when the courier has made it, and comes out where the parcel stands', async () => {
    fault = 'refused'
    const { id, exception } = await refusedLabel()
    expect(await office.send(exceptions.get, { id: exception.id })).toMatchObject({
      label: { field: 'recipient.postcode' },
      possible: [
        { resolution: 'retry_label', refused: null },
        { resolution: 'corrected_and_retried', refused: null },
        { resolution: 'order_cancelled', refused: { key: 'You do not have permission to cancel orders. Ask a lead.' } },
      ],
    })
    fault = 'none'
    expect(await decide(exception, { note: 'They answer again' })).toMatchObject({
      state: 'open',
      retry: 'retry_label',
      retried_by: 'Astrid',
    })
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
    const [resolved] = await resolvedOf(id)
    expect(resolved).toMatchObject({ state: 'resolved', resolution: 'retry_label', resolved_by: 'Astrid', retry: null })
    expect(resolved?.note).toContain('Astrid: They answer again')
    expect(courier.books).toHaveLength(1)
    const printed = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('print_jobs').select(['printer_id', 'document']).where('order_id', '=', id).execute(),
    )
    expect(printed).toEqual([{ printer_id: label_printer_id, document: 'label' }])
    const timeline = await timelineOf(id)
    expect(timeline).toContain('The refused label is tried again')
    expect(timeline).toContain('Exception resolved: the label came at another try')
  })

  it('stays an open exception with the new words of the courier when it is refused again, and can be tried again', async () => {
    fault = 'refused'
    const { id, exception } = await refusedLabel()
    fault = 'unavailable'
    await decide(exception, {})
    await expect.poll(async () => (await openOf(id))[0]?.retry, { timeout: 10_000 }).toBeNull()
    const [again] = await openOf(id)
    expect(again).toMatchObject({
      id: exception.id,
      state: 'open',
      note: 'The postcode is not served\nThe courier is closed for a moment',
      field: null,
    })
    expect(await phaseOf(id)).toBe('label_error')
    fault = 'none'
    await decide(again!, {}, mia)
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
    expect(await resolvedOf(id)).toMatchObject([{ resolution: 'retry_label', resolved_by: 'Mia' }])
    expect(courier.books).toHaveLength(1)
  })

  it('is booked once when the request is sent again after a lost answer, also after the label has come', async () => {
    fault = 'refused'
    const { id, exception } = await refusedLabel()
    fault = 'none'
    const asked = courier.asked.book
    expect((await Promise.all([decide(exception, {}), decide(exception, {}), decide(exception, {})])).map(one => one.id)).toEqual([
      exception.id,
      exception.id,
      exception.id,
    ])
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
    expect(await decide(exception, {})).toMatchObject({ resolution: 'retry_label' })
    await expect(decide(exception, {}, mia)).rejects.toMatchObject({ status: 409, code: 'exception_resolved' })
    expect(courier.asked.book - asked).toBe(1)
    expect(courier.books).toHaveLength(1)
  })

  it('is not tried twice when the first try has failed before its request is sent again', async () => {
    fault = 'refused'
    const { id, exception } = await refusedLabel()
    await decide(exception, {})
    await expect.poll(async () => (await openOf(id))[0]?.retry, { timeout: 10_000 }).toBeNull()
    const asked = courier.asked.book
    await expect(decide(exception, {})).rejects.toMatchObject({ status: 409, code: 'exception_changed' })
    expect(courier.asked.book).toBe(asked)
  })

  it('is refused while it is being made, while the order is held, and once the order is no longer closed', async () => {
    fault = 'refused'
    const { id, exception } = await refusedLabel()
    fault = 'none'
    const courierAnswers = Promise.withResolvers<void>()
    answered = courierAnswers.promise
    await decide(exception, {})
    const { version } = await office.send(exceptions.get, { id: exception.id })
    await expect(decide({ ...exception, version }, {}, mia)).rejects.toMatchObject({ status: 409, code: 'label_booking' })
    courierAnswers.resolve()
    await expect.poll(() => phaseOf(id), { timeout: 20_000 }).toBe('packed')

    fault = 'refused'
    const held = await refusedLabel()
    await mia.send(orderLocks.hold, { id: held.id, body: { reason: 'address', note: 'Asked the shop', until: null } })
    await expect(decide(held.exception, {})).rejects.toMatchObject({ status: 409, code: 'order_on_hold' })

    const other = await refusedLabel()
    await kim.send(packing.abort, { id: other.id, body: {} })
    const [now] = await openOf(other.id)
    await expect(decide(now!, {})).rejects.toMatchObject({ status: 409, code: 'label_not_waiting' })
  })

  it('is tried again together with others, each booked once', async () => {
    fault = 'refused'
    const [one, other] = [await refusedLabel(), await refusedLabel()]
    const body = { ids: [one.exception.id, other.exception.id], resolution: 'retry_label' as const }
    expect(await office.send(exceptions.decisions, { ids: body.ids })).toEqual({ resolutions: ['retry_label'] })
    fault = 'none'
    for (const _ of ['sent', 'sent again'])
      expect((await office.send(exceptions.resolveMany, { body })).results).toMatchObject([
        { done: true, outcome: 'retry_label' },
        { done: true, outcome: 'retry_label' },
      ])
    for (const { id } of [one, other]) await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
    expect(courier.books).toHaveLength(2)
  })

  it('is none of an exception about an item', async () => {
    const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(operator), { lines: [cap] })
    await kim.send(packing.start, { id, body: { station: 'Packing 1' } })
    await kim.send(packing.park, { id, body: { kind: 'short', reason: 'Missing', order_line_id: lines[0]! } })
    const [short] = await openOf(id)
    await expect(decide(short!, {})).rejects.toMatchObject({ status: 409, code: 'exception_without_label' })
  })
})

describe('a refused label that is corrected', () => {
  it('goes to the address that was corrected', async () => {
    fault = 'refused'
    const { id, exception } = await refusedLabel()
    fault = 'none'
    const { version } = await office.send(orders.get, { id })
    await office.send(orders.setAddress, { order_id: id, body: { version, postcode: '5230', city: 'Odense M' } })
    await decide(exception, { resolution: 'corrected_and_retried' })
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
    expect(await resolvedOf(id)).toMatchObject([{ resolution: 'corrected_and_retried', resolved_by: 'Astrid' }])
    expect(await timelineOf(id)).toContain('Exception resolved: corrected, and the label came')
  })

  it('has the weight that was corrected', async () => {
    const { id, exception } = await refusedLabel({}, { weight_g: 900_000, weight_confirmed: true })
    expect(await office.send(exceptions.get, { id: exception.id })).toMatchObject({
      label: { field: expect.stringContaining('weight'), weight_g: 900_000 },
    })
    await decide(exception, { resolution: 'corrected_and_retried', weight_g: 1_250 })
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
    expect(courier.books).toMatchObject([{ weight_g: 1_250 }])
  })

  it('has the customs data that were corrected; refused for something else, the exception is of that kind', async () => {
    const { id, line, exception } = await refusedLabel({
      currency: 'NOK',
      ship_to: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0155', city: 'Oslo', country: 'NO' },
      lines: [{ sku: 'WOOL', name: 'Wool cap', qty: 1, weight_g: 72, unit_price_excl_vat: '107.28', hs_code: null, origin: 'CN' }],
    })
    expect(exception).toMatchObject({ kind: 'customs' })
    expect((await office.send(exceptions.get, { id: exception.id })).label).toMatchObject({
      field: 'parcels.0.lines.0.hs_code',
      order_line_id: line,
    })
    // What is wrong without a question to the courier is said at once.
    expect(await decide(exception, {})).toMatchObject({ kind: 'customs', retry: null, reports: 2 })

    await office.send(orderLines.setTariff, { item_id: line, tariff: '6505.00.30' })
    fault = 'refused'
    const [before] = await openOf(id)
    await decide(before!, { resolution: 'corrected_and_retried' })
    await expect.poll(async () => (await openOf(id))[0]?.retry, { timeout: 10_000 }).toBeNull()
    const [after, ...others] = await openOf(id)
    expect(others).toEqual([])
    expect(after).toMatchObject({ id: exception.id, kind: 'label_error', note: expect.stringContaining('The postcode is not served') })
    fault = 'none'
    await decide(after!, {})
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe('packed')
  })
})
