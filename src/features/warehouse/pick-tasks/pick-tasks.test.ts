/** Pick tasks over HTTP: one decision for each short, one count for each bin, and no piece that is forgotten on a wagon. */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { bindCode } from '#features/warehouse/paperless/bind-codes.commands.ts'
import { dropStoppedOrder, leaveList, settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { type BuiltList, buildPickList } from '#test/pick-list.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { TaskTools } from './counts.commands.ts'
import { pickTasks } from './pick-tasks.contract.ts'
import { putBack } from './put-backs.commands.ts'
import { type NewShort, reportShort, takeBackShort } from './shorts.commands.ts'

let testApp: TestApp
let operator: TestOperator
let picker: TestUser
let lead: TestUser
let office: TestUser
let codes = 0

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  picker = await operator.hire(['pick'], operator.main, 'Kim')
  lead = await operator.hire(['pick_admin'], operator.main, 'Jonas')
  office = await operator.hire(['parcels_admin', 'scan', 'pick'], operator.main, 'Mia')
})
afterAll(() => testApp.close())

const within = <T>(work: (tools: TaskTools) => Promise<T>): Promise<T> =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    work({ db, recordEvent: async () => {}, recordEvents: async () => {}, notify: () => {}, now: testApp.services.now }),
  )

const kim = { id: 0, name: 'Kim' }
let bins = 0
const bin = () => `B-${++bins}`

/** A list of one wagon: each order two lines of 3 pieces, the first of which is in the bin named. */
async function list({
  n = 1,
  wave = {},
  at = bin(),
  company = operator.main,
} = {}): Promise<BuiltList & { bin: string; digits: string[] }> {
  const built = await buildPickList(
    testApp.services.database,
    operator,
    Array.from({ length: n }, () => ({
      company,
      lines: [
        { bin: at, qty: 3, barcode: '5711111111111', sku: `SHORT-${at}`, name: 'Teapot' },
        { bin: `Z-${at}`, qty: 2, barcode: `5722${Math.floor(Math.random() * 1e9)}`, name: 'Cup' },
      ],
    })),
    { wave },
  )
  await within(({ db }) =>
    sql`update pick_wagons set state = 'picking' where operator_id = current_operator_id() and pick_list_id = ${built.id}`.execute(db),
  )
  const digits = built.orders.map(() => `${++codes}`)
  for (const [i, order] of built.orders.entries())
    await within(async tools => {
      await tools.db.insertInto('paperless_codes').values({ digits: digits[i]! }).execute()
      await bindCode(tools, digits[i]!, { ...order, pick_list_id: built.id, order_id: order.id })
    })
  return { ...built, bin: at, digits }
}

/** What the phone does: some pieces are taken, the rest of the line is short. */
async function short(
  of: BuiltList & { bin: string },
  i = 0,
  { picked = 1, more = {} }: { picked?: number; more?: Partial<NewShort> } = {},
): Promise<number> {
  const order = of.orders[i]!
  const line = order.lines[0]!
  return within(async tools => {
    const { product_id, sku } = await tools.db
      .updateTable('pick_lines')
      .set({ state: 'short', picked, decided_at: new Date().toISOString() })
      .where('id', '=', line.id)
      .returning(['product_id', 'sku'])
      .executeTakeFirstOrThrow()
    await tools.db.updateTable('order_lines').set({ picked_qty: picked }).where('id', '=', line.order_line_id).execute()
    const { short_id } = await reportShort(tools, {
      order_id: order.id,
      company_id: order.company_id,
      order_line_id: line.order_line_id,
      pick_line_id: line.id,
      pick_list_id: of.id,
      wagon_no: 1,
      product_id,
      sku,
      name: 'Teapot',
      bin: of.bin,
      quantity: 3 - picked,
      reason: 'not_there',
      by: kim,
      ...more,
    })
    await settleList(tools, of.id, 1)
    return short_id
  })
}
/** The rest of an order is taken. */
const pickRest = (of: BuiltList, i = 0) =>
  within(async tools => {
    const order = of.orders[i]!
    await sql`update pick_lines set state = 'picked', picked = asked, decided_at = now() where operator_id = current_operator_id() and order_id = ${order.id} and state = 'open'`.execute(
      tools.db,
    )
    await sql`update order_lines set picked_qty = qty where operator_id = current_operator_id() and id = ${order.lines[1]!.order_line_id}`.execute(
      tools.db,
    )
    await settleList(tools, of.id, 1)
  })

const order = (id: number) => within(({ db }) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
const line = (id: number) => within(({ db }) => db.selectFrom('order_lines').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
const backs = (order_id: number) =>
  within(({ db }) => db.selectFrom('put_backs').selectAll().where('order_id', '=', order_id).orderBy('id').execute())
const code = (digits: string) =>
  within(({ db }) => db.selectFrom('paperless_codes').select('state').where('digits', '=', digits).executeTakeFirstOrThrow())
const wagon = (of: BuiltList) =>
  within(({ db }) => db.selectFrom('pick_wagons').select('state').where('pick_list_id', '=', of.id).executeTakeFirstOrThrow())
const english: Record<string, string> = JSON.parse(readFileSync('translations/en_GB.json', 'utf8'))

const decide = (id: number, decision: 'wait' | 'ship_partial' | 'ask_customer' | 'cancel_line' | 'found', by = lead) =>
  by.send(pickTasks.decide, { id, body: { decision } })

describe('a short', () => {
  it('makes its order short, asks for a count that blocks the bin, and shows who else needs it', async () => {
    const one = await list({ n: 2 })
    const id = await short(one)
    expect(await order(one.orders[0]!.id)).toMatchObject({ short: true, phase: 'short' })
    const shown = await picker.send(pickTasks.short, { id })
    expect(shown).toMatchObject({
      quantity: 2,
      reason: 'not_there',
      bin: one.bin,
      reported_by: 'Kim',
      decision: null,
      decidable: true,
      on_wagon: true,
      others: 1,
      slot_no: 1,
    })
    expect(shown.needing.map(other => other.order_id)).toEqual([one.orders[1]!.id])
    const counts = await picker.send(pickTasks.counts, { query: one.bin })
    expect(counts.rows).toMatchObject([{ bin: one.bin, reason: 'short', blocks: true, shorts: 1, missing: 2 }])
    expect(shown.open_counts.map(count => count.id)).toEqual(counts.rows.map(count => count.id))
  })

  it('asks for one count only, however many report it', async () => {
    const one = await list({ n: 3 })
    await Promise.all([0, 1, 2].map(i => short(one, i)))
    expect((await picker.send(pickTasks.counts, { query: one.bin })).rows).toMatchObject([{ shorts: 3, missing: 6 }])
  })

  it('is decided by leads and the office; pickers only see it', async () => {
    const id = await short(await list())
    await expect(decide(id, 'ship_partial', picker)).rejects.toMatchObject({ status: 403 })
    expect(await decide(id, 'ship_partial', office)).toMatchObject({ decision: 'ship_partial', decided_by: 'Mia' })
  })

  it('is decided once: of many at the same moment one wins, and the others learn who it was', async () => {
    const id = await short(await list())
    const answers = await Promise.allSettled(
      (['wait', 'ship_partial', 'cancel_line', 'found'] as const).map(decision => decide(id, decision)),
    )
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 409, message: 'Jonas has decided this already' })
  })

  it('that is to wait takes the order off its wagon: its pieces go back, and it is ready again as a backorder', async () => {
    const one = await list({ n: 2 })
    const id = await short(one)
    await pickRest(one)
    await decide(id, 'wait')
    const first = one.orders[0]!
    expect(await order(first.id)).toMatchObject({ work_state: 'ready', backorder: true, short: false, phase: 'ready' })
    expect((await backs(first.id)).map(({ name, quantity, reason }) => [name, quantity, reason])).toEqual([
      ['Teapot', 1, 'short'],
      ['Cup', 2, 'short'],
    ])
    expect((await line(first.lines[0]!.order_line_id)).picked_qty).toBe(0)
    expect(await code(one.digits[0]!)).toEqual({ state: 'bound' })
    for (const back of await backs(first.id)) await picker.send(pickTasks.putBack, { id: back.id, body: { quantity: back.quantity } })
    expect(await code(one.digits[0]!)).toEqual({ state: 'free' })
  })

  it('that is to go in part lets the station open the order, which refuses it until then', async () => {
    const one = await list()
    const id = await short(one)
    await pickRest(one)
    const first = one.orders[0]!
    expect(await order(first.id)).toMatchObject({ work_state: 'picked', phase: 'short' })
    await expect(office.send(packing.start, { id: first.id, body: { station: 'Table 1' } })).rejects.toMatchObject({
      status: 409,
      message: 'Items of this order were not found: someone has to decide first what becomes of it',
    })
    await decide(id, 'ship_partial')
    expect(await order(first.id)).toMatchObject({ phase: 'picked', short: false })
    expect((await line(first.lines[0]!.order_line_id)).cancelled_qty).toBe(0)
    expect(await office.send(packing.start, { id: first.id, body: { station: 'Table 1' } })).toMatchObject({ order_id: first.id })
    await expect(decide(await short(await list()), 'found')).resolves.toBeTruthy()
  })

  it('of an order of which nothing was picked does not go in part', async () => {
    const one = await list()
    const id = await short(one, 0, { picked: 0 })
    await within(({ db }) =>
      sql`update pick_lines set state = 'short', picked = 0 where operator_id = current_operator_id() and pick_list_id = ${one.id}`.execute(
        db,
      ),
    )
    await expect(decide(id, 'ship_partial')).rejects.toMatchObject({ status: 409 })
    expect(await picker.send(pickTasks.short, { id })).toMatchObject({ decision: null })
  })

  it('that waits for the customer holds the order with a comment, and is decided once more when the answer is there', async () => {
    const one = await list()
    const id = await short(one)
    await pickRest(one)
    const first = one.orders[0]!
    await lead.send(pickTasks.decide, { id, body: { decision: 'ask_customer', note: 'Two teapots are missing' } })
    expect(await order(first.id)).toMatchObject({ phase: 'held', held: true, short: false })
    const comments = await within(({ db }) =>
      db.selectFrom('order_comments').select(['type', 'comment']).where('order_id', '=', first.id).execute(),
    )
    expect(comments).toEqual([{ type: 'warning', comment: 'Two teapots are missing' }])
    const clerk = await operator.hire(['parcels'])
    // No message goes out by itself, so nothing may say that the customer was asked.
    const { rows: entries } = await clerk.send(orders.timeline, { id: first.id })
    expect(entries.map(entry => entry.text)).toContain('{{name}} is missing: waiting for the customer')
    expect(Object.keys(english).filter(sentence => /customer is asked|ask the customer/i.test(sentence))).toEqual([])
    await expect(decide(id, 'ask_customer')).rejects.toMatchObject({ status: 409 })
    expect(await picker.send(pickTasks.short, { id })).toMatchObject({ decidable: true })
    // By the clock of the application, not of the machine.
    const noon = new Date(Date.now() + 3 * 3_600_000)
    testApp.setNow(noon)
    await decide(id, 'cancel_line')
    testApp.setNow(undefined)
    expect(await order(first.id)).toMatchObject({ phase: 'picked', held: false })
    const holds = await within(({ db }) => db.selectFrom('order_locks').select('released_at').where('order_id', '=', first.id).execute())
    expect(holds.map(hold => Date.parse(hold.released_at ?? ''))).toEqual([noon.getTime()])
    expect((await line(first.lines[0]!.order_line_id)).cancelled_qty).toBe(2)
    await expect(decide(id, 'wait')).rejects.toMatchObject({ status: 409 })
  })

  it('whose pieces are cancelled leaves the rest of the order; with nothing left the order is cancelled and goes back', async () => {
    const one = await list()
    const first = one.orders[0]!
    await decide(await short(one, 0, { picked: 1 }), 'cancel_line')
    expect(await line(first.lines[0]!.order_line_id)).toMatchObject({ qty: 3, cancelled_qty: 2 })
    expect(await order(first.id)).toMatchObject({ cancelled_at: null, work_state: 'in_pick' })
    await within(({ db }) =>
      sql`update order_lines set cancelled_qty = qty where operator_id = current_operator_id() and id = ${first.lines[1]!.order_line_id}`.execute(
        db,
      ),
    )
    await within(({ db }) =>
      sql`update order_lines set cancelled_qty = 0, qty = 2 where operator_id = current_operator_id() and id = ${first.lines[0]!.order_line_id}`.execute(
        db,
      ),
    )
    const again = await short(one)
    await decide(again, 'cancel_line')
    expect(await order(first.id)).toMatchObject({ phase: 'cancelled_return_to_stock' })
    const [back] = await backs(first.id)
    await picker.send(pickTasks.putBack, { id: back!.id, body: { quantity: 1 } })
    expect(await order(first.id)).toMatchObject({ phase: 'cancelled' })
  })

  it('that is found is open again on its wagon, and the wagon can be walked on', async () => {
    const one = await list()
    const id = await short(one)
    await pickRest(one)
    expect(await wagon(one)).toEqual({ state: 'picked' })
    await decide(id, 'found')
    expect(await order(one.orders[0]!.id)).toMatchObject({ work_state: 'in_pick', phase: 'in_pick' })
    expect(await wagon(one)).toEqual({ state: 'paused' })
    const again = await short(one)
    await decide(again, 'wait')
    const late = await short(await list())
    await within(async tools => {
      const shown = await tools.db
        .selectFrom('pick_shorts')
        .select(['order_id', 'pick_list_id'])
        .where('id', '=', late)
        .executeTakeFirstOrThrow()
      await leaveList(tools, shown.pick_list_id!, [shown.order_id], 'order_removed')
    })
    await expect(decide(late, 'found')).rejects.toMatchObject({
      status: 409,
      message: 'The order has left its wagon: Teapot is picked with the next list',
    })
  })

  it('is decided at once where the wave or the company has a rule; the wave goes first', async () => {
    const byWave = await list({ wave: { on_short: 'wait' } })
    expect(await picker.send(pickTasks.short, { id: await short(byWave) })).toMatchObject({ decision: 'wait', decided_by: 'system' })
    await within(({ db }) =>
      sql`update companies set settings = settings || '{"on_short":"ship_partial"}' where operator_id = current_operator_id() and id = ${operator.main.id}`.execute(
        db,
      ),
    )
    expect(await picker.send(pickTasks.short, { id: await short(await list()) })).toMatchObject({ decision: 'ship_partial' })
    expect(await picker.send(pickTasks.short, { id: await short(await list({ wave: { on_short: 'cancel_line' } })) })).toMatchObject({
      decision: 'cancel_line',
    })
    // The rule does not fit: the report stands, and a person decides.
    const nothing = await list()
    await within(({ db }) =>
      sql`update pick_lines set state = 'short' where operator_id = current_operator_id() and pick_list_id = ${nothing.id}`.execute(db),
    )
    const id = await short(nothing, 0, { picked: 0 })
    expect(await picker.send(pickTasks.short, { id })).toMatchObject({ decision: null })
    expect(await order(nothing.orders[0]!.id)).toMatchObject({ phase: 'short' })
    await within(({ db }) =>
      sql`update companies set settings = settings - 'on_short' where operator_id = current_operator_id() and id = ${operator.main.id}`.execute(
        db,
      ),
    )
  })

  it('can be taken back by the picker as long as it is undecided, and its count with it', async () => {
    const one = await list()
    const id = await short(one)
    await within(tools => takeBackShort(tools, id))
    expect(await order(one.orders[0]!.id)).toMatchObject({ short: false })
    expect((await picker.send(pickTasks.counts, { query: one.bin })).rows).toEqual([])
    const decided = await short(await list())
    await decide(decided, 'ship_partial')
    await expect(within(tools => takeBackShort(tools, decided))).rejects.toMatchObject({ status: 409 })
  })

  it('is decided for several at once, each on its own', async () => {
    const one = await list({ n: 2 })
    const [a, b] = [await short(one, 0), await short(one, 1)]
    await decide(a, 'ship_partial')
    const { results } = await lead.send(pickTasks.decideMany, { body: { ids: [a, b, 999_999_999], decision: 'wait' } })
    expect(results.map(result => result.done)).toEqual([false, true, false])
    expect(results[0]!.message).toBe('Jonas has decided this already')
  })

  it('is found by order, tote, product and bin, and stays in the history', async () => {
    const one = await list()
    const id = await short(one)
    for (const query of [
      one.orders[0]!.order_no,
      `${operator.main.id}:${one.orders[0]!.id}`,
      `PP${one.digits[0]}`,
      one.bin.toLowerCase(),
      `SHORT-${one.bin}`,
    ])
      expect((await picker.send(pickTasks.shorts, { query })).rows.map(row => row.id)).toEqual([id])
    expect((await picker.send(pickTasks.shorts, { query: '5711111111111' })).rows.map(row => row.id)).toContain(id)
    const before = await picker.send(pickTasks.count, {})
    await decide(id, 'ship_partial')
    expect((await picker.send(pickTasks.count, {})).shorts).toBe(before.shorts - 1)
    expect((await picker.send(pickTasks.shorts, { query: one.bin, show: 'done', decision: ['ship_partial'] })).rows).toMatchObject([
      { id, decided_by: 'Jonas' },
    ])
    const { bytes } = (await picker.send(pickTasks.exportShorts, { query: one.bin, show: 'all' })) as unknown as { bytes: Buffer }
    expect(bytes.toString()).toContain(`${one.orders[0]!.order_no},`)
  })
})

describe('a count', () => {
  it('lifts the block and offers what can be found; it opens nothing by itself', async () => {
    const one = await list()
    const id = await short(one)
    const [count] = (await picker.send(pickTasks.counts, { query: one.bin })).rows
    const answer = await picker.send(pickTasks.counted, { id: count!.id, body: { counted: 12, version: count!.version } })
    expect(answer.count).toMatchObject({ counted: 12, done_by: 'Kim', shorts: 1 })
    expect(answer.shorts).toMatchObject([{ id, counted: 12, on_wagon: true, decision: null }])
    expect((await picker.send(pickTasks.counts, { query: one.bin })).rows).toEqual([])
    expect((await picker.send(pickTasks.counts, { query: one.bin, show: 'done' })).rows).toMatchObject([{ counted: 12 }])
  })

  it('is counted once, also by two at the same moment', async () => {
    const at = bin()
    const { id } = await picker.send(pickTasks.ask, { body: { bin: at, blocks: true } })
    const answers = await Promise.allSettled([5, 6, 7].map(counted => picker.send(pickTasks.counted, { id, body: { counted } })))
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(1)
    expect((answers.find(answer => answer.status === 'rejected') as PromiseRejectedResult).reason.message).toMatch(
      /^Kim has counted this bin already: [567]$/,
    )
    await expect(picker.send(pickTasks.counted, { id: 999_999_999, body: { counted: 1 } })).rejects.toMatchObject({ status: 404 })
  })

  it('can be asked for by hand, of a bin or of a product in it', async () => {
    const one = await list()
    const asked = await picker.send(pickTasks.ask, { body: { bin: one.bin, product: `short-${one.bin}`, note: 'Looks wrong' } })
    expect(asked).toMatchObject({ reason: 'asked', blocks: false, sku: `SHORT-${one.bin}`, name: 'Teapot', note: 'Looks wrong' })
    expect((await picker.send(pickTasks.ask, { body: { bin: one.bin, product: `SHORT-${one.bin}`, blocks: true } })).id).toBe(asked.id)
    await expect(picker.send(pickTasks.ask, { body: { bin: one.bin, product: 'no such thing' } })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a put-back', () => {
  /** A cancelled order whose two lines were picked. */
  async function cancelled() {
    const one = await list()
    await within(async tools => {
      await sql`update pick_lines set state = 'picked', picked = asked where operator_id = current_operator_id() and pick_list_id = ${one.id}`.execute(
        tools.db,
      )
      await settleList(tools, one.id, 1)
    })
    const first = one.orders[0]!
    await office.send(orders.setState, { id: first.id, state: 'cancelled' })
    await within(tools => dropStoppedOrder(tools, first.id))
    return { ...one, first }
  }

  it('may be done in parts; with the last piece the order is cancelled, its tote free and its wagon done', async () => {
    const one = await cancelled()
    expect(await order(one.first.id)).toMatchObject({ phase: 'cancelled_return_to_stock' })
    const [teapots, cups] = await backs(one.first.id)
    expect((await picker.send(pickTasks.putBacks, { query: `PP${one.digits[0]}` })).rows).toMatchObject([{ codes: [one.digits[0]] }, {}])
    const part = await picker.send(pickTasks.putBack, { id: teapots!.id, body: { quantity: 2, bin: one.bin.toLowerCase() } })
    expect(part).toMatchObject({ done: 2, done_at: null })
    await expect(picker.send(pickTasks.putBack, { id: teapots!.id, body: { quantity: 2 } })).rejects.toMatchObject({
      status: 409,
      message: 'Teapot: only 1 have to go back',
    })
    await expect(picker.send(pickTasks.putBack, { id: teapots!.id, body: { quantity: 1, bin: 'Q-9' } })).rejects.toMatchObject({
      status: 409,
      message: `This is Q-9. Teapot belongs in ${one.bin}.`,
    })
    await picker.send(pickTasks.putBack, { id: teapots!.id, body: { quantity: 1 } })
    expect(await code(one.digits[0]!)).toEqual({ state: 'bound' })
    await picker.send(pickTasks.putBack, { id: cups!.id, body: { quantity: 2 } })
    expect(await order(one.first.id)).toMatchObject({ phase: 'cancelled', put_back_due: false })
    expect(await code(one.digits[0]!)).toEqual({ state: 'free' })
    expect(await wagon(one)).toEqual({ state: 'cancelled' })
  })

  it('is done once, also by two at the same moment', async () => {
    const one = await cancelled()
    const [teapots] = await backs(one.first.id)
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => picker.send(pickTasks.putBack, { id: teapots!.id, body: { quantity: 3, version: teapots!.version } })),
    )
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(1)
    expect((await backs(one.first.id))[0]).toMatchObject({ done: 3, done_by: 'Kim' })
  })

  it('is done for several at once, and everything at once by the packer who has the tote', async () => {
    const one = await cancelled()
    const ids = (await backs(one.first.id)).map(back => back.id)
    const { results } = await picker.send(pickTasks.putBackMany, { body: { ids } })
    expect(results.every(result => result.done)).toBe(true)
    expect(await order(one.first.id)).toMatchObject({ phase: 'cancelled' })
    const two = await cancelled()
    await office.send(packing.putBack, { id: two.first.id })
    expect((await backs(two.first.id)).every(back => back.done_at !== null)).toBe(true)
    expect(await code(two.digits[0]!)).toEqual({ state: 'free' })
    expect(await wagon(two)).toEqual({ state: 'cancelled' })
  })
})

describe('pick tasks', () => {
  it('of all the operator’s companies are seen only by pickers of the main company', async () => {
    const shop = operator.shops[0]!
    const one = await list({ company: shop })
    const id = await short(one)
    expect(await picker.send(pickTasks.short, { id })).toMatchObject({ company_id: shop.id, company: expect.stringContaining('Shop 1') })
    expect((await picker.send(pickTasks.shorts, { company: [shop.id] })).rows.map(row => row.id)).toEqual([id])
    await decide(id, 'ask_customer')
    const locks = await within(({ db }) =>
      db.selectFrom('order_locks').select('company_id').where('order_id', '=', one.orders[0]!.id).execute(),
    )
    expect(locks).toEqual([{ company_id: shop.id }])
    const inShop = await operator.hire(['pick_admin', 'parcels_admin'], shop)
    for (const [call, input] of [
      [pickTasks.shorts, {}],
      [pickTasks.count, {}],
      [pickTasks.decide, { id, body: { decision: 'wait' } }],
    ] as const)
      expect((await inShop.ask(call, input)).statusCode).toBe(403)
    const stranger = await (await testApp.operator()).hire(['pick_admin'])
    await expect(stranger.send(pickTasks.short, { id })).rejects.toMatchObject({ status: 404 })
    await expect(decide(id, 'wait', stranger)).rejects.toMatchObject({ status: 404 })
    expect(await stranger.send(pickTasks.count, {})).toEqual({ shorts: 0, counts: 0, put_backs: 0 })
    await expect(within(tools => putBack(tools, 999_999_999, { quantity: 1, by: kim }))).rejects.toMatchObject({ status: 404 })
  })
})
