/** Exceptions about items over HTTP: the missing ones are picked again, follow later or are cancelled, decided from the exception itself. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { buildPickList } from '#test/pick-list.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { BulkResolution, DecidedResolution } from './exceptions.codes.ts'
import { exceptions } from './exceptions.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let office: TestUser
let clerk: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan_admin'], operator.main, 'Kim')
  lead = await operator.hire(['scan_admin'], operator.main, 'Jonas')
  office = await operator.hire(['parcels_admin', 'pick'], operator.main, 'Mia')
  clerk = await operator.hire(['parcels'], operator.main, 'Astrid')
})
afterAll(() => testApp.close())

const start = (id: number) => kim.send(packing.start, { id, body: { station: 'Packing 1' } })
const count = (id: number, line: number, quantity: number) =>
  kim.send(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: line, quantity } })
const decide = (id: number, resolution: DecidedResolution, by = lead) => by.send(exceptions.resolve, { id, body: { resolution } })
const phaseOf = async (id: number) => (await office.send(orders.get, { id })).phase
const linesOf = async (id: number) =>
  (await office.send(orders.get, { id })).lines.map(({ sku, qty, cancelled_qty, packed_qty }) => [sku, qty, cancelled_qty, packed_qty])
const timelineOf = async (id: number) => (await office.send(orders.timeline, { id })).rows.map(row => row.text)

type Kind = 'short' | 'damaged' | 'wrong_item' | 'address' | 'other'
async function setAside(id: number, kind: Kind, order_line_id?: number) {
  await kim.send(packing.park, { id, body: { kind, reason: kind, ...(order_line_id !== undefined && { order_line_id }) } })
  const { rows } = await office.send(exceptions.list, { limit: 500 })
  return rows.find(row => row.order_id === id && row.kind === kind)!
}

/** Two caps and a scarf, of which one cap and the scarf are packed; the other cap is the exception. */
async function capMissing({ packed = [1, 1], kind = 'short' as Kind } = {}) {
  const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [
      { sku: 'CAP', name: 'Cap', qty: 2, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' },
      { sku: 'SCARF', name: 'Scarf', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' },
    ],
  })
  await start(id)
  for (const [at, quantity] of packed.entries()) if (quantity > 0) await count(id, lines[at]!, quantity)
  return { id, lines, exception: await setAside(id, kind, lines[0]!) }
}

const possible = async (id: number, by: TestUser) =>
  Object.fromEntries(
    (await by.send(exceptions.get, { id })).possible.map(({ resolution, refused }) => [resolution, refused?.key ?? 'possible']),
  )

describe('missing items that are cancelled', () => {
  it('leave the order, which goes back to the stations with the rest', async () => {
    const { id, exception } = await capMissing()
    expect(await decide(exception.id, 'cancel_lines')).toMatchObject({
      state: 'resolved',
      resolution: 'cancel_lines',
      resolved_by: 'Jonas',
    })
    expect(await linesOf(id)).toEqual([
      ['CAP', 2, 1, 1],
      ['SCARF', 1, 0, 1],
    ])
    expect(await timelineOf(id)).toContain('Exception resolved: the missing items are cancelled')
    expect(await start(id)).toMatchObject({ packed: 2, to_pack: 2, session: { user_name: 'Kim' } })
    expect(await kim.send(packing.close, { id, body: {} })).toMatchObject({ outcome: 'labelled' })
    expect(await phaseOf(id)).toBe('packed')
  })

  it('are cancelled only by those who may cancel lines', async () => {
    const { id, exception } = await capMissing()
    expect(await possible(exception.id, clerk)).toEqual({
      refill: 'possible',
      ship_partial: 'possible',
      cancel_lines: 'You do not have permission to cancel lines. Ask a lead.',
      order_cancelled: 'You do not have permission to cancel orders. Ask a lead.',
    })
    await expect(decide(exception.id, 'cancel_lines', clerk)).rejects.toMatchObject({ status: 403, code: 'cancel_lines_forbidden' })
    expect(await linesOf(id)).toContainEqual(['CAP', 2, 0, 1])
    expect(await office.send(exceptions.get, { id: exception.id })).toMatchObject({ state: 'open', missing: 1 })
  })

  it('take the order with them where nothing else is left of it', async () => {
    const { id, lines } = await capMissing({ packed: [0, 0] })
    const all = await office.send(exceptions.list, { limit: 500 })
    const cap = all.rows.find(row => row.order_id === id)!
    await decide(cap.id, 'cancel_lines')
    await start(id)
    const scarf = await setAside(id, 'damaged', lines[1]!)
    expect(await decide(scarf.id, 'cancel_lines')).toMatchObject({ resolution: 'cancel_lines' })
    expect(await phaseOf(id)).toMatch(/^cancelled/)
  })
})

describe('missing items that follow later', () => {
  it('need no decision of the packer, and are in the next parcel', async () => {
    const { id, lines, exception } = await capMissing({ packed: [1, 0] })
    expect(await decide(exception.id, 'ship_partial', clerk)).toMatchObject({ resolution: 'ship_partial' })
    expect((await start(id)).partial.later_by).toBeNull()
    await expect(kim.send(packing.close, { id, body: {} })).rejects.toMatchObject({ code: 'order_incomplete' })
    await count(id, lines[1]!, 1)
    expect((await kim.send(packing.get, { id })).partial).toMatchObject({ later_by: 'Astrid', later_lines: [lines[0]] })
    expect(await kim.send(packing.close, { id, body: {} })).toMatchObject({ outcome: 'labelled' })
    expect(await office.send(orders.get, { id })).toMatchObject({ phase: 'ready', backorder: true })

    // The decision was for one parcel.
    await start(id)
    expect((await kim.send(packing.get, { id })).partial.later_by).toBeNull()
    await count(id, lines[0]!, 1)
    expect((await kim.send(packing.close, { id, body: {} })).parcels.map(parcel => parcel.parcel_no)).toEqual([1, 2])
  })

  it('are refused where nothing else is left to send', async () => {
    const { exception } = await capMissing({ packed: [0, 0], kind: 'other' })
    expect((await possible(exception.id, lead)).ship_partial).toBe('possible')
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      lines: [{ sku: 'CAP', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' }],
    })
    await start(id)
    const only = await setAside(id, 'short')
    await expect(decide(only.id, 'ship_partial')).rejects.toMatchObject({ status: 409, code: 'nothing_to_send' })
  })
})

describe('missing items that are picked again', () => {
  it('wait for the next pick list where the order has no place on a wagon', async () => {
    const { id, lines, exception } = await capMissing()
    expect(await decide(exception.id, 'refill')).toMatchObject({ resolution: 'refill' })
    expect(await office.send(orders.get, { id })).toMatchObject({ phase: 'ready', backorder: true })
    expect(await start(id)).toMatchObject({ packed: 2, to_pack: 3 })
    await count(id, lines[0]!, 1)
    expect(await kim.send(packing.close, { id, body: {} })).toMatchObject({ outcome: 'labelled' })
  })

  it('are open again on the wagon of the order, whose picker fetches just those', async () => {
    const built = await buildPickList(testApp.services.database, operator, [
      {
        company: operator.main,
        lines: [
          { bin: 'A-1', qty: 3, barcode: '5733333333331', sku: 'POT', name: 'Teapot' },
          { bin: 'A-2', qty: 2, barcode: '5733333333332', sku: 'CUP', name: 'Cup' },
        ],
      },
    ])
    const [{ id, lines }] = built.orders as [(typeof built.orders)[0]]
    const services = testApp.services
    const within = <T>(work: Parameters<typeof services.database.transaction<T>>[1]) =>
      services.database.transaction(scopeOfCompany(operator), work)
    const tools = { recordEvent: async () => {}, recordEvents: async () => {}, notify: () => {} }
    await within(async db => {
      await sql`update pick_wagons set state = 'picking' where operator_id = current_operator_id() and pick_list_id = ${built.id}`.execute(
        db,
      )
      await sql`update pick_lines set state = 'picked', picked = asked, decided_at = now() where operator_id = current_operator_id()
        and pick_list_id = ${built.id}`.execute(db)
      await sql`update order_lines set picked_qty = qty where operator_id = current_operator_id() and order_id = ${id}`.execute(db)
      await settleList({ db, ...tools }, built.id, 1)
    })
    expect(await phaseOf(id)).toBe('picked')
    await start(id)
    await count(id, lines[0]!.order_line_id, 2)
    const damaged = await setAside(id, 'damaged', lines[0]!.order_line_id)
    await decide(damaged.id, 'refill')
    expect(await phaseOf(id)).toBe('in_pick')
    const read = () =>
      within(async db => ({
        lines: await db.selectFrom('pick_lines').select(['asked', 'picked', 'state']).where('order_id', '=', id).orderBy('id').execute(),
        wagon: await db.selectFrom('pick_wagons').select('state').where('pick_list_id', '=', built.id).executeTakeFirstOrThrow(),
        picked: await db.selectFrom('order_lines').select('picked_qty').where('order_id', '=', id).orderBy('id').execute(),
      }))
    expect(await read()).toEqual({
      lines: [
        { asked: 3, picked: 2, state: 'open' },
        { asked: 2, picked: 2, state: 'picked' },
      ],
      wagon: { state: 'paused' },
      picked: [{ picked_qty: 2 }, { picked_qty: 2 }],
    })
    expect((await office.send(pickTasks.putBacks, { limit: 100 })).rows.filter(row => row.order_id === id)).toEqual([])
    await expect(start(id)).rejects.toMatchObject({ code: 'order_in_picking' })
  })
})

describe('an order that is cancelled from its exception', () => {
  it('ends all its exceptions', async () => {
    const { id, lines, exception } = await capMissing()
    await start(id)
    await setAside(id, 'damaged', lines[0]!)
    expect(await decide(exception.id, 'order_cancelled', office)).toMatchObject({ state: 'cancelled', resolution: 'order_cancelled' })
    expect(await phaseOf(id)).toMatch(/^cancelled/)
    const ended = (await office.send(exceptions.list, { limit: 500, view: 'resolved' })).rows.filter(row => row.order_id === id)
    expect(ended.map(row => row.state)).toEqual(['cancelled', 'cancelled'])
  })
})

describe('a decision', () => {
  it('is made once: the second hears who has made it', async () => {
    const { id, exception } = await capMissing()
    const answers = await Promise.allSettled([decide(exception.id, 'cancel_lines'), decide(exception.id, 'cancel_lines', office)])
    expect(answers.map(answer => answer.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(decide(exception.id, 'refill')).rejects.toMatchObject({ status: 409, code: 'exception_resolved' })
    expect(await linesOf(id)).toContainEqual(['CAP', 2, 1, 1])
    expect((await timelineOf(id)).filter(text => text.startsWith('Exception resolved'))).toHaveLength(1)
  })

  it('about items is refused while a packer has the order, where nothing is missing, and where no item is the problem', async () => {
    const { id, lines, exception } = await capMissing()
    await start(id)
    await expect(decide(exception.id, 'refill')).rejects.toMatchObject({ status: 409, code: 'order_in_packing' })
    await count(id, lines[0]!, 1)
    const address = await setAside(id, 'address')
    await expect(decide(exception.id, 'refill')).rejects.toMatchObject({ status: 409, code: 'nothing_missing' })
    await expect(decide(address.id, 'ship_partial')).rejects.toMatchObject({ status: 409, code: 'exception_without_items' })
    expect(await lead.send(exceptions.resolve, { id: address.id, body: {} })).toMatchObject({ resolution: 'solved' })
  })
})

describe('several exceptions', () => {
  const decideMany = (ids: number[], resolution: BulkResolution, by = lead) =>
    by.send(exceptions.resolveMany, { body: { ids, resolution } })

  it('are decided together, each for itself: what one refuses leaves the others done, and is named with its order', async () => {
    const [one, other] = [await capMissing(), await capMissing()]
    const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      lines: [{ sku: 'CAP', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' }],
    })
    await start(id)
    const alone = await setAside(id, 'short', lines[0]!)
    const ids = [one.exception.id, alone.id, other.exception.id]
    expect((await lead.send(exceptions.decisions, { ids })).resolutions).toEqual(['refill', 'ship_partial', 'cancel_lines'])
    const { results } = await decideMany(ids, 'ship_partial')
    expect(results).toMatchObject([
      { order_no: one.exception.order_no, done: true, outcome: 'ship_partial', key: null },
      { order_no: alone.order_no, done: false, outcome: null, key: 'Nothing else of the order is left to send' },
      { order_no: other.exception.order_no, done: true, outcome: 'ship_partial', key: null },
    ])
    expect(await office.send(exceptions.get, { id: alone.id })).toMatchObject({ state: 'open' })

    // Sent again after a lost answer, nothing happens a second time.
    expect((await decideMany([one.exception.id], 'ship_partial')).results).toMatchObject([
      { done: false, outcome: null, message: 'Jonas has resolved this already' },
    ])
  })

  it('are picked again or cancelled together, by right', async () => {
    const [one, other] = [await capMissing(), await capMissing()]
    const ids = [one.exception.id, other.exception.id]
    expect((await decideMany(ids, 'cancel_lines', clerk)).results.map(({ done, key }) => [done, key])).toEqual([
      [false, 'You do not have permission to cancel lines. Ask a lead.'],
      [false, 'You do not have permission to cancel lines. Ask a lead.'],
    ])
    expect((await decideMany([one.exception.id], 'refill', clerk)).results).toMatchObject([{ done: true, outcome: 'refill' }])
    expect((await decideMany([other.exception.id], 'cancel_lines')).results).toMatchObject([{ done: true, outcome: 'cancel_lines' }])
    expect(await linesOf(other.id)).toContainEqual(['CAP', 2, 1, 1])
  })

  it('have only those decisions that fit the kinds of all, and none once one is resolved', async () => {
    const { exception } = await capMissing()
    const { id } = await capMissing()
    await start(id)
    const address = await setAside(id, 'address')
    const decisions = async (...ids: number[]) => (await lead.send(exceptions.decisions, { ids })).resolutions
    expect(await decisions(exception.id)).toHaveLength(3)
    expect(await decisions(exception.id, address.id)).toEqual([])
    await decide(exception.id, 'ship_partial')
    expect(await decisions(exception.id)).toEqual([])
  })
})
