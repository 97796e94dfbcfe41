/** Picking over HTTP: claiming wagons, events that are counted once, two phones at one line, and orders that are stopped in between. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMap, scopeOfCompany } from '#app/demo/builders.ts'
import { demoFloor } from '#app/demo/floor.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { resultMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { pickLists } from '#features/warehouse/pick-lists/pick-lists.contract.ts'
import { dropStoppedOrder } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { type BuiltList, buildPickList, type PlannedOrder } from '#test/pick-list.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { picking } from './picking.contract.ts'
import { freeUnbegun, pauseIdle } from './picking.server.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2 })
  lead = await operator.hire(['admin'], operator.main, 'Lone')
})
afterAll(() => testApp.close())

let next = 1
const barcode = () => `BAR-${next++}`
const digits = () => `${5_000 + next++}`
const picker = (name = `Picker ${next++}`) => operator.hire(['pick'], operator.main, name)
const line = (qty = 1, more: Partial<PlannedOrder['lines'][number]> = {}) => ({ bin: `A-${next++}`, qty, barcode: barcode(), ...more })
const listOf = (plans: PlannedOrder[], more: Parameters<typeof buildPickList>[3] = {}) =>
  buildPickList(testApp.services.database, operator, plans, more)
const inDb = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)

const claim = (who: TestUser, list: BuiltList, wagon_no = 1, body: { take_over?: boolean; join?: boolean } = {}) =>
  who.send(picking.claim, { pick_list_id: list.id, wagon_no, body })
type Given = Parameters<typeof eventOf>[0]
const eventOf = (event: Record<string, unknown> & { kind: string }) => ({ id: randomUUID(), at: new Date().toISOString(), ...event })
const sendAll = (who: TestUser, list: BuiltList, events: Given[], wagon_no = 1) =>
  who.send(picking.send, { pick_list_id: list.id, wagon_no, body: { events: events.map(eventOf) as never } }).then(reply => reply.answers)
const sendOne = async (who: TestUser, list: BuiltList, event: Given, wagon_no = 1) => (await sendAll(who, list, [event], wagon_no))[0]!
const look = (who: TestUser, list: BuiltList, wagon_no = 1) => who.send(picking.wagon, { pick_list_id: list.id, wagon_no })

/** Pieces in totes and pieces of orders must be the same number, always. */
async function balanced(list: BuiltList): Promise<void> {
  const { rows } = await inDb(db =>
    sql<{ order_line_id: number; picked: number; picked_qty: number; scanned: number }>`
      select l.order_line_id, l.picked, o.picked_qty,
        (select coalesce(sum(x.quantity), 0)::integer from pick_scans x where x.operator_id = l.operator_id and x.pick_line_id = l.id
          and x.kind in ('pick', 'undo') and (x.answer->>'ok')::boolean) scanned
      from pick_lines l join order_lines o on o.operator_id = l.operator_id and o.id = l.order_line_id
      where l.pick_list_id = ${list.id} and l.state <> 'gone'`.execute(db),
  )
  for (const row of rows) expect([row.picked_qty, row.scanned], `line ${row.order_line_id}`).toEqual([row.picked, row.picked])
}
const orderRow = (id: number) =>
  inDb(db => db.selectFrom('orders').select(['work_state', 'phase', 'short']).where('id', '=', id).executeTakeFirstOrThrow())
const listState = (list: BuiltList) =>
  inDb(db => db.selectFrom('pick_lists').select('state').where('id', '=', list.id).executeTakeFirstOrThrow()).then(row => row.state)

describe('a wagon', () => {
  it('is offered to everybody, claimed by one, and then stands among their own', async () => {
    const list = await listOf([{ lines: [line(2)] }])
    const kim = await picker('Kim')
    const seen = (await kim.send(picking.wagons, {})).free.find(card => card.pick_list_id === list.id)
    expect(seen).toMatchObject({ wagon_no: 1, state: 'open', orders: 1, lines: 1, pieces: 2, user_name: null })
    const wagon = await claim(kim, list)
    expect(wagon).toMatchObject({ state: 'claimed', user_name: 'Kim', pickers: [{ user_name: 'Kim' }], lines: 1 })
    expect(wagon.pick_lines[0]?.barcodes).toHaveLength(1)
    const { mine } = await kim.send(picking.wagons, {})
    expect(mine.map(card => card.pick_list_id)).toEqual([list.id])
    await balanced(list)
  })

  it('is one at a time for each person, also when two phones claim at once', async () => {
    const [one, two] = [await listOf([{ lines: [line()] }]), await listOf([{ lines: [line()] }])]
    const kim = await picker()
    const tries = await Promise.allSettled([claim(kim, one), claim(kim, two)])
    expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect(tries.find(one => one.status === 'rejected')).toMatchObject({
      reason: { status: 409, key: 'You have wagon {{wagon}} of list {{list}} already. Finish it, or hand it over.' },
    })
  })

  it('goes to one of many who claim it at the same moment', async () => {
    const list = await listOf([{ lines: [line()] }])
    const people = await Promise.all(Array.from({ length: 8 }, () => picker()))
    const tries = await Promise.allSettled(people.map(who => claim(who, list)))
    expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  })

  it('of somebody else is taken over only on request, and the other is notified', async () => {
    const list = await listOf([{ lines: [line(2)] }])
    const [kim, bo] = [await picker('Kim'), await picker('Bo')]
    await claim(kim, list)
    await expect(claim(bo, list)).rejects.toMatchObject({ status: 409, key: '{{name}} is already picking this wagon. Take it over?' })
    const before = new Date().toISOString()
    expect(await claim(bo, list, 1, { take_over: true })).toMatchObject({ user_name: 'Bo', pickers: [{ user_name: 'Bo' }] })
    await new Promise(resolve => setTimeout(resolve, 5))
    const id = list.orders[0]!.lines[0]!.id
    expect(await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1 })).toMatchObject({
      ok: false,
      result: 'not_yours',
      text: '{{name}} has taken this wagon over',
      values: { name: 'Bo' },
      reload: true,
    })
    // What Kim put into the tote before, in a dead spot, lies there.
    expect(await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1, at: before })).toMatchObject({ ok: true, line: { picked: 1 } })
    await balanced(list)
  })

  it('can be walked with by several, and goes on with the other when one hands it over', async () => {
    const list = await listOf([{ lines: [line(), line()] }])
    const [kim, bo] = [await picker('Kim'), await picker('Bo')]
    await claim(kim, list)
    expect((await claim(bo, list, 1, { join: true })).pickers.map(one => one.user_name)).toEqual(['Kim', 'Bo'])
    const [a, b] = list.orders[0]!.lines
    expect(await sendOne(kim, list, { kind: 'product', line: a!.id })).toMatchObject({ ok: true, line: { taken_by_name: 'Kim' } })
    expect(await sendOne(bo, list, { kind: 'product', line: a!.id })).toMatchObject({ ok: false, result: 'taken', values: { name: 'Kim' } })
    expect(await sendOne(bo, list, { kind: 'pick', line: b!.id, quantity: 1 })).toMatchObject({ ok: true })
    expect(await sendOne(kim, list, { kind: 'hand_over' })).toMatchObject({ ok: true, wagon_state: 'picking' })
    expect(await look(bo, list)).toMatchObject({ user_name: 'Bo', pickers: [{ user_name: 'Bo' }] })
    expect(await sendOne(bo, list, { kind: 'product', line: a!.id })).toMatchObject({ ok: true })
    expect(await sendOne(bo, list, { kind: 'hand_over' })).toMatchObject({ wagon_state: 'paused' })
    expect((await kim.send(picking.wagons, {})).free.some(card => card.pick_list_id === list.id)).toBe(true)
  })

  it('that was idle for twenty minutes is paused, and others see that it waits', async () => {
    const list = await listOf([{ lines: [line(2)] }])
    const kim = await picker()
    await claim(kim, list)
    await sendOne(kim, list, { kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 1 })
    expect(await look(kim, list)).toMatchObject({ state: 'picking' })
    await pauseIdle.run({ ...testApp.services, now: () => new Date(Date.now() + 21 * 60_000) })
    expect(await look(kim, list)).toMatchObject({ state: 'paused' })
    const bo = await picker()
    expect((await bo.send(picking.wagons, {})).others.find(card => card.pick_list_id === list.id)).toMatchObject({ idle: true })
    expect(await sendOne(kim, list, { kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 1 })).toMatchObject({
      result: 'wagon_done',
    })
  })

  it('that was claimed and never begun is anybody’s again after 15 minutes', async () => {
    const [list, walked] = [await listOf([{ lines: [line()] }]), await listOf([{ lines: [line(2)] }])]
    const [kim, bo, ida] = [await picker('Kim'), await picker('Bo'), await picker('Ida')]
    await claim(kim, list)
    await claim(ida, walked)
    await sendOne(ida, walked, { kind: 'pick', line: walked.orders[0]!.lines[0]!.id, quantity: 1 })
    const at = (minutes: number) => ({ ...testApp.services, now: () => new Date(Date.now() + minutes * 60_000) })
    await freeUnbegun.run(at(14))
    expect(await look(kim, list)).toMatchObject({ state: 'claimed', user_name: 'Kim' })
    await freeUnbegun.run(at(16))
    expect(await look(bo, list)).toMatchObject({ state: 'open', user_name: null, claimed_at: null, pickers: [] })
    expect(await look(ida, walked)).toMatchObject({ state: 'picking', user_name: 'Ida' })
    expect((await bo.send(picking.wagons, {})).free.some(card => card.pick_list_id === list.id)).toBe(true)
    expect(await claim(bo, list)).toMatchObject({ state: 'claimed', user_name: 'Bo' })
    expect(await sendOne(kim, list, { kind: 'product', line: list.orders[0]!.lines[0]!.id })).toMatchObject({ result: 'not_yours' })
  })

  it('that was freed stays with the picker who worked offline, unless another has it', async () => {
    const list = await listOf([{ lines: [line(2)] }])
    const kim = await picker('Kim')
    await claim(kim, list)
    await freeUnbegun.run({ ...testApp.services, now: () => new Date(Date.now() + 16 * 60_000) })
    await new Promise(resolve => setTimeout(resolve, 5))
    const id = list.orders[0]!.lines[0]!.id
    expect(await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1 })).toMatchObject({ ok: true, line: { picked: 1 } })
    expect(await look(kim, list)).toMatchObject({ state: 'picking', user_name: 'Kim', pickers: [{ user_name: 'Kim' }] })
    await balanced(list)
  })

  it('is taken back only by the lead, from any picker', async () => {
    const list = await listOf([{ lines: [line(2)] }])
    const [kim, bo] = [await picker('Kim'), await picker('Bo')]
    const takeBack = (who: TestUser) => who.send(pickLists.takeBack, { pick_list_id: list.id, wagon_no: 1 })
    await expect(takeBack(lead)).rejects.toMatchObject({ status: 409, key: 'This wagon is unassigned' })
    await claim(kim, list)
    await expect(takeBack(bo)).rejects.toMatchObject({ status: 403 })
    expect(await takeBack(lead)).toEqual({ state: 'open' })
    await claim(bo, list)
    await sendOne(bo, list, { kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 1 })
    expect(await takeBack(lead)).toEqual({ state: 'paused' })
    expect(await claim(kim, list)).toMatchObject({ state: 'picking', user_name: 'Kim', pick_lines: [{ picked: 1 }] })
  })

  it('is out of sight for other companies and other operators', async () => {
    const list = await listOf([{ lines: [line()] }])
    const shop = await operator.hire(['pick'], operator.shops[0])
    await expect(claim(shop, list)).rejects.toMatchObject({ status: 403 })
    const other = await testApp.operator()
    const stranger = await other.hire(['pick'])
    await expect(claim(stranger, list)).rejects.toMatchObject({ status: 404 })
    await expect(sendOne(stranger, list, { kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 1 })).rejects.toMatchObject({
      status: 404,
    })
    const kim = await picker()
    expect(await sendOne(kim, list, { kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 1 })).toMatchObject({
      result: 'not_yours',
    })
    await balanced(list)
  })
})

describe('picking', () => {
  it('counts pieces into the slot, the line and the order, and finishes slot, wagon and list with the last of them', async () => {
    const list = await listOf([{ lines: [line(3)] }, { company: operator.shops[0], lines: [line(1)] }], { codes: [digits(), digits()] })
    const kim = await picker()
    await claim(kim, list)
    const [first, second] = list.orders
    expect(await sendOne(kim, list, { kind: 'pick', line: first!.lines[0]!.id, quantity: 1 })).toMatchObject({
      ok: true,
      result: 'ok',
      line: { picked: 1, state: 'open' },
      wagon_state: 'picking',
    })
    expect(await listState(list)).toBe('picking')
    expect(await sendOne(kim, list, { kind: 'pick', line: first!.lines[0]!.id, quantity: 2 })).toMatchObject({
      result: 'slot_done',
      line: { picked: 3, state: 'picked' },
    })
    expect(await orderRow(first!.id)).toMatchObject({ work_state: 'picked' })
    expect(await orderRow(second!.id)).toMatchObject({ work_state: 'in_pick' })
    expect(await sendOne(kim, list, { kind: 'pick', line: second!.lines[0]!.id, quantity: 1 })).toMatchObject({
      result: 'wagon_done',
      wagon_state: 'picked',
    })
    expect(await listState(list)).toBe('picked')
    // The totes that were kept for the slots carry the orders now.
    expect((await look(kim, list)).slots.flatMap(slot => slot.codes.map(code => code.state))).toEqual(['bound', 'bound'])
    await balanced(list)
  })

  it('finishes a slot while much is open, and leaves the wagon as it is', async () => {
    const list = await listOf(Array.from({ length: 8 }, () => ({ lines: [line(1)] })))
    const kim = await picker()
    await claim(kim, list)
    const [first] = list.orders
    expect(await sendOne(kim, list, { kind: 'pick', line: first!.lines[0]!.id, quantity: 1 })).toMatchObject({
      result: 'slot_done',
      values: { slot: 1 },
      wagon_state: 'picking',
    })
    expect(await orderRow(first!.id)).toMatchObject({ work_state: 'picked' })
    const wagon = await look(kim, list)
    expect([wagon.state, wagon.slots[0]?.state, wagon.slots[1]?.state]).toEqual(['picking', 'picked', 'open'])
    const events = await inDb(db => db.selectFrom('events').select(['kind', 'actor_name']).where('order_id', '=', first!.id).execute())
    expect(events.map(event => event.kind)).toContain('order.picked')
  })

  it('takes held orders off when nothing else is left, however many there are', async () => {
    const list = await listOf(Array.from({ length: 6 }, () => ({ lines: [line(1)] })))
    const kim = await picker()
    await claim(kim, list)
    const [first, ...held] = list.orders
    for (const order of held) await lead.send(orderLocks.lock, { id: order.id, body: { note: 'Ask first' } })
    expect(await sendOne(kim, list, { kind: 'pick', line: first!.lines[0]!.id, quantity: 1 })).toMatchObject({ result: 'wagon_done' })
    expect(await orderRow(held[0]!.id)).toMatchObject({ work_state: 'ready' })
  })

  it('counts an event once, however often it is sent, and answers it the same way', async () => {
    const list = await listOf([{ lines: [line(3)] }])
    const kim = await picker()
    await claim(kim, list)
    const event = eventOf({ kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 1 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendOne(kim, list, event)))
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, result: 'ok', line: { picked: 1 } })
    const refused = eventOf({ kind: 'pick', line: list.orders[0]!.lines[0]!.id, quantity: 5 })
    expect(await sendOne(kim, list, refused)).toMatchObject({ ok: false, result: 'too_many' })
    expect(await sendOne(kim, list, refused)).toMatchObject({ ok: false, result: 'too_many', values: { n: 2 } })
    await balanced(list)
  })

  it('keeps the other events of a batch when one is refused, and answers each by itself', async () => {
    const list = await listOf([{ lines: [line(2), line(1)] }])
    const kim = await picker()
    await claim(kim, list)
    const [a, b] = list.orders[0]!.lines
    const answers = await sendAll(kim, list, [
      { kind: 'pick', line: a!.id, quantity: 1 },
      { kind: 'pick', line: a!.id, quantity: 7 },
      { kind: 'pick', line: 999_999_999, quantity: 1 },
      { kind: 'pick', line: b!.id, quantity: 1 },
      { kind: 'pick', line: a!.id, quantity: 1 },
    ])
    expect(answers.map(answer => answer.result)).toEqual(['ok', 'too_many', 'line_gone', 'line_done', 'wagon_done'])
    expect(answers[1]).toMatchObject({ text: 'Unable to pick more than {{n}} of {{name}}', values: { n: 1 } })
    await balanced(list)
  })

  it('never counts more than was asked, though two phones pick the same line at once', async () => {
    const list = await listOf([{ lines: [line(5), line(1)] }])
    const people = [await picker(), await picker(), await picker()]
    await claim(people[0]!, list)
    for (const who of people.slice(1)) await claim(who, list, 1, { join: true })
    const id = list.orders[0]!.lines[0]!.id
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sendOne(people[i % 3]!, list, { kind: 'pick', line: id, quantity: 1 })),
    )
    expect(answers.filter(answer => answer.ok)).toHaveLength(5)
    expect(new Set(answers.filter(answer => !answer.ok).map(answer => answer.result))).toEqual(new Set(['too_many']))
    await balanced(list)
  })

  it('finishes a slot once when its last two lines are picked by two at the same moment', async () => {
    for (let run = 0; run < 5; run++) {
      const list = await listOf([{ lines: [line(1), line(1)] }])
      const [kim, bo] = [await picker(), await picker()]
      await claim(kim, list)
      await claim(bo, list, 1, { join: true })
      const [a, b] = list.orders[0]!.lines
      await Promise.all([
        sendOne(kim, list, { kind: 'pick', line: a!.id, quantity: 1 }),
        sendOne(bo, list, { kind: 'pick', line: b!.id, quantity: 1 }),
      ])
      expect(await orderRow(list.orders[0]!.id)).toMatchObject({ work_state: 'picked' })
      expect(await look(kim, list)).toMatchObject({ state: 'picked' })
    }
  })

  it('refuses a wrong product, a wrong bin, a wrong tote and a typed small quantity, each in its own words', async () => {
    const [mine, theirs] = [line(2, { name: 'Cap' }), line(9, { name: 'Mug' })]
    const [d1, d2, free] = [digits(), digits(), digits()]
    const list = await listOf([{ lines: [mine] }, { lines: [theirs] }], { codes: [d1, d2, free] })
    const kim = await picker()
    await claim(kim, list)
    const [a, b] = list.orders.map(order => order.lines[0]!.id)
    expect(await sendOne(kim, list, { kind: 'product', line: a, code: theirs.barcode })).toMatchObject({
      ok: false,
      result: 'wrong_product',
      text: 'Wrong item: this is {{other}}. Scan {{name}}.',
      values: { other: 'Mug', name: 'Cap' },
    })
    expect(await sendOne(kim, list, { kind: 'product', line: a, code: 'UNKNOWN-1' })).toMatchObject({ result: 'wrong_product' })
    expect(await sendOne(kim, list, { kind: 'product', line: a, code: mine.barcode })).toMatchObject({ ok: true })
    expect(await sendOne(kim, list, { kind: 'bin', line: a, code: theirs.bin })).toMatchObject({
      result: 'wrong_bin',
      values: { bin: mine.bin },
    })
    expect(await sendOne(kim, list, { kind: 'bin', line: a, code: mine.bin.toLowerCase() })).toMatchObject({ ok: true })
    expect(await sendOne(kim, list, { kind: 'pick', line: b, quantity: 1, code: `PP${d2}` })).toMatchObject({ ok: true })
    expect(await sendOne(kim, list, { kind: 'pick', line: a, quantity: 1, code: `PP${d2}` })).toMatchObject({
      result: 'wrong_slot',
      values: { other: 2, slot: 1 },
    })
    expect(await sendOne(kim, list, { kind: 'pick', line: a, quantity: 2, by: 'typed' })).toMatchObject({
      result: 'not_typed',
      values: { n: 5 },
    })
    expect(await sendOne(kim, list, { kind: 'pick', line: b, quantity: 8, by: 'typed' })).toMatchObject({ ok: true })
    // Any free tote may stand in the slot; the one that was kept for it is free then.
    expect(await sendOne(kim, list, { kind: 'pick', line: a, quantity: 2, code: `PP${free}` })).toMatchObject({ ok: true })
    expect((await look(kim, list)).slots[0]?.codes).toEqual([{ digits: free, state: 'bound', full: false }])
    await balanced(list)
  })

  it('refuses a tote that carries an order elsewhere, and says where', async () => {
    const [d1, d2] = [digits(), digits()]
    const first = await listOf([{ lines: [line(1), line(1)] }], { codes: [d1] })
    const second = await listOf([{ lines: [line(1)] }], { codes: [d2] })
    const [kim, bo] = [await picker(), await picker()]
    await claim(kim, first)
    await claim(bo, second)
    await sendOne(kim, first, { kind: 'pick', line: first.orders[0]!.lines[0]!.id, quantity: 1, code: `PP${d1}` })
    expect(await sendOne(bo, second, { kind: 'pick', line: second.orders[0]!.lines[0]!.id, quantity: 1, code: `PP${d1}` })).toMatchObject({
      ok: false,
      result: 'tote_elsewhere',
      text: '{{code}} carries order {{order_no}} in slot {{slot}} of wagon {{wagon}}, list {{list}}',
    })
    await balanced(second)
  })

  it('puts a second tote beside a full one, for the same order', async () => {
    const [d1, more] = [digits(), digits()]
    const list = await listOf([{ lines: [line(4)] }], { codes: [d1, more] })
    const kim = await picker()
    await claim(kim, list)
    const id = list.orders[0]!.lines[0]!.id
    await sendOne(kim, list, { kind: 'pick', line: id, quantity: 2, code: `PP${d1}` })
    expect(await sendOne(kim, list, { kind: 'full', line: id, code: `PP${d1}` })).toMatchObject({ ok: false, result: 'wrong_slot' })
    const before = new Date().toISOString()
    expect(await sendOne(kim, list, { kind: 'full', line: id, code: `PP${more}` })).toMatchObject({ ok: true, result: 'full' })
    expect((await look(kim, list)).slots[0]?.codes).toMatchObject([
      { digits: d1, full: true },
      { digits: more, full: false },
    ])
    expect(await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1, code: `PP${d1}` })).toMatchObject({
      result: 'wrong_slot',
      text: 'Tote {{code}} is full. Put it into {{other}}.',
      values: { code: `PP${d1}`, other: `PP${more}` },
    })
    // A colleague had put a piece into it before it was said to be full, in a dead spot.
    expect(await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1, code: `PP${d1}`, at: before })).toMatchObject({ ok: true })
    expect(await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1, code: `PP${more}` })).toMatchObject({ result: 'wagon_done' })
    await balanced(list)
  })

  it('sets a line aside to the end, and asks for it until it is decided', async () => {
    const list = await listOf([{ lines: [line(1), line(1), line(1)] }])
    const kim = await picker()
    await claim(kim, list)
    const [a, b, c] = list.orders[0]!.lines.map(one => one.id)
    const skipped = await sendOne(kim, list, { kind: 'skip', line: a })
    expect(skipped).toMatchObject({ ok: true, line: { state: 'skipped', walk_no: 3 } })
    expect(skipped.walk).toEqual([
      { id: b, walk_no: 1 },
      { id: c, walk_no: 2 },
      { id: a, walk_no: 3 },
    ])
    await sendAll(kim, list, [
      { kind: 'pick', line: b, quantity: 1 },
      { kind: 'pick', line: c, quantity: 1 },
    ])
    expect(await sendOne(kim, list, { kind: 'done' })).toMatchObject({ ok: false, result: 'lines_open', values: { n: 1 } })
    expect(await sendOne(kim, list, { kind: 'pick', line: a, quantity: 1 })).toMatchObject({ result: 'wagon_done' })
    expect(await sendOne(kim, list, { kind: 'done' })).toMatchObject({ ok: true, wagon_state: 'picked' })
  })

  it('walks the shortest way from here when a line was set aside, where there is a map', async () => {
    const { result_id } = await buildMap(testApp.services, scopeOfCompany(operator), { title: `Floor ${next++}`, drawing: demoFloor() })
    const map = (await inDb(db => resultMap(db, testApp.services, result_id)))!
    const codes = map.drawing.locations.map(location => location.code)
    const bins = [0, 0.9, 0.35, 0.6, 0.15].map(share => codes[Math.floor(share * (codes.length - 1))]!)
    const lines = bins.map(bin => ({ ...line(1), bin, cell: map.cellOfBin(bin)! }))
    const list = await listOf([{ lines }], { map_result_id: result_id })
    const kim = await picker()
    await claim(kim, list)
    const [first, ...others] = (await look(kim, list)).pick_lines
    const { walk } = await sendOne(kim, list, { kind: 'skip', line: first!.id })
    const order = walk!.toSorted((a, b) => a.walk_no - b.walk_no).map(one => one.id)
    expect(order.at(-1)).toBe(first!.id)
    const cells = new Map(others.map(one => [one.id, one.cell!]))
    const metres = (ids: number[]) =>
      [first!.cell!, ...ids.map(id => cells.get(id)!), map.end].reduce(
        (sum, cell, i, all) => (i === 0 ? 0 : sum + map.distances.between(all[i - 1]!, cell)),
        0,
      )
    const ways = (ids: number[]): number[][] =>
      ids.length < 2 ? [ids] : ids.flatMap(id => ways(ids.filter(one => one !== id)).map(rest => [id, ...rest]))
    expect(metres(order.slice(0, -1))).toBe(Math.min(...ways([...cells.keys()]).map(metres)))
    expect((await look(kim, list)).pick_lines.map(one => one.id)).toEqual(order)
  })

  it('reports missing pieces with reason and photo, has the bin counted, and leaves the order short', async () => {
    const list = await listOf([{ lines: [line(3), line(1)] }])
    const kim = await picker('Kim')
    await claim(kim, list)
    const [a, b] = list.orders[0]!.lines.map(one => one.id)
    await sendOne(kim, list, { kind: 'pick', line: a, quantity: 1 })
    expect(await sendOne(kim, list, { kind: 'short', line: a })).toMatchObject({ ok: false, result: 'reason_missing' })
    const event = eventOf({ kind: 'short', line: a, reason: 'damaged', note: 'Wet' })
    const answer = await sendOne(kim, list, event)
    expect(answer).toMatchObject({ ok: true, result: 'short', line: { state: 'short', picked: 1 }, values: { n: 2 } })
    expect(await sendOne(kim, list, event)).toMatchObject({ ok: true, short_id: answer.short_id })
    const upload = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    await kim.send(picking.photo, { pick_list_id: list.id, wagon_no: 1, event: event.id, upload: upload as never })
    const short = await inDb(db =>
      db
        .selectFrom('pick_shorts')
        .selectAll()
        .where('id', '=', answer.short_id as number)
        .executeTakeFirstOrThrow(),
    )
    expect(short).toMatchObject({ quantity: 2, reason: 'damaged', note: 'Wet', reported_by: 'Kim', company_id: operator.main.id })
    expect(short.photo_file_id).not.toBeNull()
    const counts = await inDb(db =>
      db
        .selectFrom('bin_counts')
        .select(['reason', 'blocks'])
        .where('bin', '=', short.bin as string)
        .execute(),
    )
    expect(counts).toEqual([{ reason: 'damaged', blocks: true }])
    expect(await orderRow(list.orders[0]!.id)).toMatchObject({ short: true, phase: 'short' })
    expect(await sendOne(kim, list, { kind: 'pick', line: a, quantity: 1 })).toMatchObject({ result: 'line_decided' })
    expect(await sendOne(kim, list, { kind: 'pick', line: b, quantity: 1 })).toMatchObject({ result: 'wagon_done' })
    await balanced(list)
    const bo = await picker()
    await expect(
      bo.send(picking.photo, { pick_list_id: list.id, wagon_no: 1, event: event.id, upload: upload as never }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('has a bin counted that was said to be empty and is not, and believes an empty one', async () => {
    const list = await listOf([{ lines: [line(1), line(1), line(1)] }])
    const kim = await picker()
    const [a, b, c] = list.orders[0]!.lines.map(one => one.id)
    await claim(kim, list)
    expect(await sendOne(kim, list, { kind: 'zero_check', line: a, quantity: 4 })).toMatchObject({ ok: true, result: 'noted' })
    expect(await sendOne(kim, list, { kind: 'zero_check', line: b, quantity: 0 })).toMatchObject({ ok: true })
    expect(await sendOne(kim, list, { kind: 'damaged', line: c, quantity: 2 })).toMatchObject({ ok: true, result: 'noted' })
    const bins = new Map((await look(kim, list)).pick_lines.map(one => [one.id, one.bin]))
    const counts = await inDb(db =>
      db
        .selectFrom('bin_counts')
        .selectAll()
        .where('bin', 'in', [...bins.values()] as string[])
        .orderBy('id')
        .execute(),
    )
    expect(counts.map(count => [count.bin, count.reason, count.counted, count.done_at !== null])).toEqual([
      [bins.get(a!), 'zero_check', null, false],
      [bins.get(b!), 'zero_check', 0, true],
      [bins.get(c!), 'damaged', null, false],
    ])
    expect((await look(kim, list)).expected).toEqual([{ line: b, pieces: 0 }])
  })

  it('takes back a pick, a skip and a short, once each and the latest first', async () => {
    const list = await listOf([{ lines: [line(2), line(1)] }])
    const kim = await picker()
    await claim(kim, list)
    const [a, b] = list.orders[0]!.lines.map(one => one.id)
    await sendAll(kim, list, [
      { kind: 'skip', line: a },
      { kind: 'pick', line: b, quantity: 1 },
      { kind: 'short', line: a, reason: 'not_there' },
    ])
    expect(await look(kim, list)).toMatchObject({ state: 'picked' })
    const undone = eventOf({ kind: 'undo' })
    expect(await sendOne(kim, list, undone)).toMatchObject({ ok: true, line: { id: a, state: 'open' }, wagon_state: 'picking' })
    expect(await sendOne(kim, list, undone)).toMatchObject({ ok: true, line: { id: a, state: 'open' } })
    expect(await orderRow(list.orders[0]!.id)).toMatchObject({ short: false, work_state: 'in_pick' })
    expect(await sendOne(kim, list, { kind: 'undo' })).toMatchObject({ ok: true, line: { id: b, picked: 0, state: 'open' } })
    await balanced(list)
    // The line was decided since it was skipped: only what still stands is taken back.
    await sendOne(kim, list, { kind: 'pick', line: a, quantity: 2 })
    const [one, other] = await Promise.all([sendOne(kim, list, { kind: 'undo' }), sendOne(kim, list, { kind: 'undo' })])
    expect([one.result, other.result].toSorted()).toEqual(['nothing', 'undone'])
    await balanced(list)
  })

  it('pauses and goes on, and the first scan after a pause goes on as well', async () => {
    const list = await listOf([{ lines: [line(2)] }])
    const kim = await picker()
    await claim(kim, list)
    const id = list.orders[0]!.lines[0]!.id
    expect(await sendOne(kim, list, { kind: 'pause' })).toMatchObject({ ok: true, wagon_state: 'paused' })
    expect(await sendOne(kim, list, { kind: 'resume' })).toMatchObject({ ok: true, wagon_state: 'picking' })
    await sendOne(kim, list, { kind: 'pause' })
    await sendOne(kim, list, { kind: 'pick', line: id, quantity: 1 })
    expect(await look(kim, list)).toMatchObject({ state: 'picking' })
  })
})

describe('an order that is stopped while it is picked', () => {
  it('is refused with the reason once it is cancelled, its pieces go back, and the rest of the wagon goes on', async () => {
    const list = await listOf([{ lines: [line(2)] }, { lines: [line(1)] }])
    const kim = await picker()
    await claim(kim, list)
    const [first, second] = list.orders
    await sendOne(kim, list, { kind: 'pick', line: first!.lines[0]!.id, quantity: 1 })
    await lead.send(orders.setState, { id: first!.id, state: 'cancelled' } as never)
    await dropped(first!.id)
    expect(await sendOne(kim, list, { kind: 'pick', line: first!.lines[0]!.id, quantity: 1 })).toMatchObject({
      ok: false,
      result: 'cancelled',
      text: 'Someone cancelled order {{order_no}}. Leave what is in number {{slot}}.',
      values: { order_no: first!.order_no, slot: 1 },
      reload: true,
    })
    expect(await putBacks(first!.id)).toBe(1)
    expect(await sendOne(kim, list, { kind: 'pick', line: second!.lines[0]!.id, quantity: 1 })).toMatchObject({ result: 'wagon_done' })
    await balanced(list)
  })

  it('is left alone while it is held, and goes on when it is released', async () => {
    const list = await listOf([{ lines: [line(1)] }, { lines: [line(1)] }])
    const kim = await picker()
    await claim(kim, list)
    const [held] = list.orders
    await lead.send(orderLocks.lock, { id: held!.id, body: { note: 'Ask first' } })
    expect(await sendOne(kim, list, { kind: 'pick', line: held!.lines[0]!.id, quantity: 1 })).toMatchObject({ result: 'held' })
    await lead.send(orderLocks.unlock, { id: held!.id } as never)
    expect(await sendOne(kim, list, { kind: 'pick', line: held!.lines[0]!.id, quantity: 1 })).toMatchObject({ ok: true })
  })

  it('leaves the wagon when everything else on it is picked', async () => {
    const list = await listOf([{ lines: [line(1)] }, { lines: [line(1)] }])
    const kim = await picker()
    await claim(kim, list)
    const [held, other] = list.orders
    await lead.send(orderLocks.lock, { id: held!.id, body: { note: 'Ask first' } })
    expect(await sendOne(kim, list, { kind: 'pick', line: other!.lines[0]!.id, quantity: 1 })).toMatchObject({ result: 'wagon_done' })
    expect(await orderRow(held!.id)).toMatchObject({ work_state: 'ready' })
  })

  it('never has pieces that are neither in the books nor put back, though the stop and a pick meet', async () => {
    for (let run = 0; run < 6; run++) {
      const list = await listOf([{ lines: [line(3)] }])
      const kim = await picker()
      await claim(kim, list)
      const id = list.orders[0]!.lines[0]!.id
      const picks = Array.from({ length: 3 }, () => sendOne(kim, list, { kind: 'pick', line: id, quantity: 1 }))
      await Promise.all([...picks, lead.send(orders.setState, { id: list.orders[0]!.id, state: 'cancelled' } as never)])
      await dropped(list.orders[0]!.id)
      const taken = (await Promise.all(picks)).filter(answer => answer.ok).length
      expect(await putBacks(list.orders[0]!.id)).toBe(taken)
    }
  })
})

const putBacks = (order_id: number) =>
  inDb(db => db.selectFrom('put_backs').select('quantity').where('order_id', '=', order_id).execute()).then(rows =>
    rows.reduce((sum, row) => sum + row.quantity, 0),
  )

/** As the call that cancels does, or soon afterwards the clock. */
const dropped = (order_id: number) =>
  inDb(db =>
    dropStoppedOrder({ db, recordEvent: async () => undefined, recordEvents: async () => undefined, notify: () => undefined }, order_id),
  )
