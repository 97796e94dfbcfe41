/** Pick lists over HTTP: what goes along and what does not, no order twice, and orders that leave again. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BuiltCompany, buildMap, buildOrder, scopeOfCompany } from '#app/demo/builders.ts'
import { demoFloor } from '#app/demo/floor.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { listCode } from '#domain/codes.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { openTestApp, Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { reasonSentences } from './order-selection.rules.ts'
import { watchLists } from './pick-list-schedules.task.ts'
import { pickLists } from './pick-lists.contract.ts'
import { leaveList, settleList } from './pick-lists.queries.ts'
import type { LeftOutReason, WagonTypeFields } from './pick-lists.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let picker: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
})
afterAll(() => testApp.close())
/** Every rule has a warehouse of its own. */
beforeEach(async () => {
  operator = await testApp.operator({ shops: 2 })
  lead = await operator.hire(['admin'], operator.main, 'Lone')
  picker = await operator.hire(['pick'], operator.main, 'Kim')
})

const inDb = <T>(work: Parameters<TestApp['services']['database']['transaction']>[1], company?: BuiltCompany) =>
  testApp.services.database.transaction(scopeOfCompany(operator, company), work) as Promise<T>

interface Line {
  bin?: string | null
  qty?: number
  sku?: string
  weight_g?: number
  name?: string
}
let numbers = 0
type Over = Parameters<typeof buildOrder>[2] & { lines?: never }

/** A released order of these lines; `A-01-1` and so on where no bin is said. */
async function place(lines: Line[] = [{}], over: Omit<NonNullable<Over>, 'lines'> = {}, company: BuiltCompany = operator.shops[0]!) {
  testApp.setNow(undefined)
  const order = await buildOrder(testApp.services, scopeOfCompany(operator, company), {
    order_no: `N${++numbers}`,
    external_id: `n${numbers}`,
    ...over,
    lines: lines.map((line, i) => ({
      external_id: String(i + 1),
      sku: line.sku ?? `SKU-${line.bin ?? `A-${String(i + 1).padStart(2, '0')}-1`}`,
      name: line.name ?? 'Thing',
      qty: String(line.qty ?? 1),
      unit_price_excl_vat: '10.00',
      vat_percent: '25',
      weight_g: line.weight_g ?? 100,
      ...(line.bin === null ? {} : { bin: line.bin ?? `A-${String(i + 1).padStart(2, '0')}-1` }),
    })),
  })
  return { ...order, company_id: company.id }
}
const placeMany = async (n: number, lines: (i: number) => Line[] = () => [{}]) => {
  const placed = []
  for (let i = 0; i < n; i++) placed.push(await place(lines(i)))
  return placed
}

/** Orders are too recent at first: two minutes later they are not. */
const later = () => testApp.setNow(new Date(Date.now() + 120_000))
const preview = async (body: RequestInput<typeof pickLists.preview>['body'] = {}, who = picker) => {
  later()
  return who.send(pickLists.preview, { body })
}
const create = async (body: RequestInput<typeof pickLists.create>['body'] = {}, who = picker) => {
  later()
  return who.send(pickLists.create, { body })
}
const setOrder = (id: number, set: Record<string, unknown>) =>
  inDb(async db => {
    await db
      .updateTable('orders')
      .set(set as never)
      .where('id', '=', id)
      .execute()
    await restoreStatus(db, [id])
  })
const orderNow = (id: number) =>
  inDb<{ work_state: string; phase: string; put_back_due: boolean; held: boolean }>(db =>
    db.selectFrom('orders').select(['work_state', 'phase', 'put_back_due', 'held']).where('id', '=', id).executeTakeFirstOrThrow(),
  )
const reasonOf = async (id: number, body: RequestInput<typeof pickLists.preview>['body'] = {}): Promise<LeftOutReason | undefined> =>
  (await preview(body)).left_out.find(one => one.order_id === id)?.reason
const wagonType = (over: Partial<WagonTypeFields> = {}): WagonTypeFields => {
  const rows = over.rows ?? 2
  const columns = over.columns ?? 2
  return {
    name: `Wagon ${++numbers}`,
    rows,
    columns,
    slots: Array.from({ length: rows * columns }, () => ({ colour: 'red' as const, max_weight_g: null, max_volume_ml: null })),
    max_weight_g: null,
    active: true,
    ...over,
  }
}

/** As a phone picks: so many pieces of a line lie in the tote now. */
async function pick(list: number, order_id: number, quantity: number): Promise<void> {
  await inDb(async db => {
    const line = await db
      .selectFrom('pick_lines')
      .select(['id', 'order_line_id', 'wagon_no', 'asked'])
      .where('pick_list_id', '=', list)
      .where('order_id', '=', order_id)
      .orderBy('walk_no')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('pick_lines')
      .set({ picked: quantity, state: quantity === line.asked ? 'picked' : 'open' })
      .where('id', '=', line.id)
      .execute()
    await db.updateTable('order_lines').set({ picked_qty: quantity }).where('id', '=', line.order_line_id).execute()
    await db
      .updateTable('pick_wagons')
      .set({ state: 'picking', last_at: new Date().toISOString() })
      .where('pick_list_id', '=', list)
      .where('wagon_no', '=', line.wagon_no)
      .execute()
    await settleList(silent(db), list, line.wagon_no)
  })
}
const silent = (db: Parameters<typeof settleList>[0]['db']) => ({
  db,
  recordEvent: async () => {},
  recordEvents: async () => {},
  notify: () => {},
})
const codes = (n: number) =>
  inDb(db =>
    db
      .insertInto('paperless_codes')
      .values(Array.from({ length: n }, (_, i) => ({ digits: String(i + 1) })))
      .execute(),
  )
const codeStates = () =>
  inDb<{ digits: string; state: string }[]>(db => db.selectFrom('paperless_codes').select(['digits', 'state']).orderBy('id').execute())

describe('a preview', () => {
  it('says how much there is to pick, and changes nothing', async () => {
    const placed = await placeMany(14, () => [{}, { qty: 2 }])
    const seen = await preview()
    expect(seen).toMatchObject({ orders: 14, lines: 28, pieces: 42, metres: null, left_out_count: 0, map_result_id: null })
    expect(seen.wagons.map(wagon => wagon.orders)).toEqual([12, 2])
    expect(seen.wagon_type).toMatchObject({ id: null, rows: 4, columns: 3 })
    expect(seen.stops).toBe(4)
    expect((await orderNow(placed[0]!.id)).work_state).toBe('ready')
  })

  it('says metres where a map is walked by, and what is not on it', async () => {
    await buildMap(testApp.services, scopeOfCompany(operator), { title: 'Hall', drawing: demoFloor() })
    const code = demoFloor().locations[0]!.code
    const far = demoFloor().locations.at(-1)!.code
    await place([{ bin: code }, { bin: far }])
    const off = await place([{ bin: 'NOWHERE' }])
    const seen = await preview()
    expect(seen.left_out).toMatchObject([{ order_id: off.id, reason: 'off_map', values: { bin: 'NOWHERE' } }])
    expect(seen.metres).toBeGreaterThan(10)
    expect((await preview({ without_place: 'last' })).orders).toBe(2)
  })

  it('leaves out what is held, locked, waiting, unpaid or not released, and says so', async () => {
    const [held, locked, waiting, unreleased] = await placeMany(4)
    const unpaid = await place([{}], { payment_status: 'pending' })
    await lead.send(orderLocks.hold, { id: held!.id, body: { reason: 'address', note: 'Street is missing' } })
    await lead.send(orderLocks.lock, { id: locked!.id, body: { note: 'Mine' } })
    await lead.send(orderLocks.lockAuto, { id: waiting!.id, body: { condition: 'Until Monday', until: null } as never })
    await setOrder(unreleased!.id, { work_state: 'new' })
    const seen = await preview()
    expect(seen.orders).toBe(0)
    expect(new Map(seen.left_out.map(one => [one.order_id, one.reason]))).toEqual(
      new Map([
        [held!.id, 'held'],
        [locked!.id, 'locked'],
        [waiting!.id, 'waiting'],
        [unreleased!.id, 'not_released'],
        [unpaid.id, 'unpaid'],
      ]),
    )
    expect(seen.left_out.find(one => one.reason === 'held')).toMatchObject({
      text: 'Put on hold by {{name}}: {{note}}',
      values: { name: 'Lone', note: 'Street is missing' },
      company: operator.shops[0]!.name,
    })
    expect(seen.reasons.map(one => [one.reason, one.count])).toContainEqual(['unpaid', 1])
  })

  it('leaves out what lies nowhere, in a bin that is to be counted, or elsewhere than asked', async () => {
    const nowhere = await place([{}, { bin: null, sku: 'LOOSE' }])
    const blocked = await place([{ bin: 'B-07-1' }])
    const here = await place([{ bin: 'C-01-1' }])
    await inDb(db =>
      db
        .insertInto('bin_counts')
        .values({ company_id: blocked.company_id, bin: 'b-07-1', reason: 'short', blocks: true, asked_by: 'Kim' })
        .execute(),
    )
    expect(await reasonOf(nowhere.id)).toBe('no_bin')
    expect(await reasonOf(blocked.id)).toBe('blocked_bin')
    expect(await reasonOf(here.id)).toBeUndefined()
    const inC = await preview({ only_bins: 'C-' })
    expect(inC.orders).toBe(1)
    expect(inC.left_out.find(one => one.order_id === blocked.id)).toMatchObject({ reason: 'elsewhere', values: { bin: 'B-07-1' } })
    await inDb(db => db.updateTable('bin_counts').set({ done_at: new Date().toISOString() }).execute())
    expect(await reasonOf(blocked.id)).toBeUndefined()
    expect((await preview({ without_place: 'last' })).orders).toBe(3)
  })

  it('leaves out what lacks customs data, pieces or a label, and what somebody packs', async () => {
    const customs = await place([{}], {
      ship_to: { name: 'Kari', address1: 'Storgata 1', postcode: '0155', city: 'Oslo', country: 'NO' } as never,
    })
    const [short, failed, packing, done, cancelled] = await placeMany(5)
    await setOrder(short!.id, { short: true })
    await setOrder(failed!.id, { label_error: true })
    await setOrder(packing!.id, { work_state: 'in_pack' })
    await setOrder(done!.id, { work_state: 'packed' })
    await setOrder(cancelled!.id, { cancelled_at: new Date().toISOString() })
    const seen = await preview()
    expect(new Map(seen.left_out.map(one => [one.order_id, one.reason]))).toEqual(
      new Map([
        [customs.id, 'customs'],
        [short!.id, 'short'],
        [failed!.id, 'label_error'],
        [packing!.id, 'being_packed'],
      ]),
    )
    expect(seen.left_out.find(one => one.reason === 'customs')?.text).toMatch(/tariff code/)
    expect(await reasonOf(done!.id, { order_ids: [done!.id] })).toBe('done')
    expect(await reasonOf(cancelled!.id, { order_ids: [cancelled!.id] })).toBe('cancelled')
    expect(await reasonOf(987_654_321, { order_ids: [987_654_321] })).toBe('unknown')
  })

  it('leaves out what came in less than a minute ago, unless it is asked for by id', async () => {
    const recent = await place()
    const now = (body: RequestInput<typeof pickLists.preview>['body']) => picker.send(pickLists.preview, { body })
    expect((await now({})).left_out.map(one => one.reason)).toEqual(['young'])
    expect((await now({ order_ids: [recent.id] })).orders).toBe(1)
    expect(await reasonOf(recent.id, { order_ids: [recent.id], countries: ['SE'] })).toBe('not_asked')
  })

  it('takes only what the wave asks for', async () => {
    const one = await place([{}], { tags: ['gift'] })
    const other = await place([{}], {}, operator.shops[1])
    const late = await place()
    await setOrder(late.id, { ship_by: '2030-01-01T12:00:00Z', agent_code: 'own', shipping_method: 'standard' })
    expect((await preview({ companies: [other.company_id] })).orders).toBe(1)
    expect((await preview({ tags: ['gift'] })).orders).toBe(1)
    expect((await preview({ countries: ['DK'] })).orders).toBe(3)
    expect((await preview({ countries: ['SE'] })).orders).toBe(0)
    expect((await preview({ agent_codes: ['own'] })).orders).toBe(1)
    expect((await preview({ methods: ['own:standard'] })).orders).toBe(1)
    expect((await preview({ methods: ['own:express'] })).orders).toBe(0)
    expect((await preview({ ship_by_until: '2031-01-01T00:00:00Z', order_ids: [late.id] })).orders).toBe(1)
    expect((await preview({ order_ids: [one.id, other.id] })).orders).toBe(2)
  })

  it('puts pinned orders first, then what has to leave first', async () => {
    const [plain, later, sooner, pinned] = await placeMany(4)
    await setOrder(later!.id, { ship_by: '2030-01-02T12:00:00Z' })
    await setOrder(sooner!.id, { ship_by: '2030-01-01T12:00:00Z' })
    await setOrder(plain!.id, { ship_by: '2030-01-03T12:00:00Z' })
    await setOrder(pinned!.id, { ship_by: '2030-01-04T12:00:00Z', pinned_at: new Date().toISOString() })
    const chosen: number[] = []
    for (let most = 1; most <= 4; most++) {
      const out = new Set((await preview({ max_orders: most })).left_out.map(one => one.order_id))
      chosen.push(...[pinned!, sooner!, later!, plain!].map(order => order.id).filter(id => !out.has(id) && !chosen.includes(id)))
    }
    expect(chosen).toEqual([pinned!.id, sooner!.id, later!.id, plain!.id])
    expect(await reasonOf(plain!.id, { max_orders: 3 })).toBe('enough')
  })

  it('keeps to slots, weight and volume, and says what is too heavy, too large or too much', async () => {
    const small = await lead.send(pickLists.createWagonType, {
      body: wagonType({
        rows: 1,
        columns: 2,
        slots: [
          { colour: 'blue', max_weight_g: 5_000, max_volume_ml: 1_000 },
          { colour: 'red', max_weight_g: 2_000, max_volume_ml: 1_000 },
        ],
        max_weight_g: 6_000,
      }),
    })
    const heavy = await place([{ weight_g: 9_000 }])
    const large = await place([{ sku: 'LARGE' }])
    await inDb(db =>
      db.updateTable('products').set({ length_mm: 400, width_mm: 300, height_mm: 200, bin: 'A-01-1' }).where('sku', '=', 'LARGE').execute(),
    )
    await placeMany(3)
    const seen = await preview({ wagon_type_id: small.id, most_wagons: 1 })
    expect(seen).toMatchObject({ orders: 2, wagon_type: { id: small.id } })
    const reasons = new Map(seen.left_out.map(one => [one.order_id, one]))
    expect(reasons.get(heavy.id)).toMatchObject({ reason: 'too_heavy', values: { kilograms: 9 } })
    expect(reasons.get(large.id)).toMatchObject({ reason: 'too_large', values: { litres: 24 } })
    expect(seen.left_out.filter(one => one.reason === 'no_slot')).toHaveLength(1)
    expect((await preview({ wagon_type_id: small.id })).wagons.map(wagon => wagon.orders)).toEqual([2, 1])
  })

  it('says every reason in words', () => {
    for (const { one, all } of Object.values(reasonSentences)) expect([one, all].every(text => /^[A-Z{]/.test(text))).toBe(true)
  })
})

describe('singles', () => {
  it('are orders of one piece, whose lines of one product are neighbours', async () => {
    for (const bin of ['B-01-1', 'A-01-1', 'B-01-1', 'A-01-1', 'B-01-1']) await place([{ bin }])
    const two = await place([{ qty: 2 }])
    expect(await reasonOf(two.id, { type: 'singles' })).toBe('not_single')
    expect(await picker.send(pickLists.available, { x: 'singles' })).toEqual({ count: 5, is_more: false })
    expect(await picker.send(pickLists.available, { x: 'cluster' })).toEqual({ count: 6, is_more: false })
    const list = await create({ type: 'singles' })
    const wagon = await picker.send(pickLists.wagon, { id: list.id, wagon_no: 1 })
    expect(wagon.pick_lines.map(line => line.bin)).toEqual(['A-01-1', 'A-01-1', 'B-01-1', 'B-01-1', 'B-01-1'])
    expect(wagon.slots.map(slot => slot.slot_no)).toEqual([1, 2, 3, 4, 5])
  })
})

describe('a list', () => {
  it('takes its orders, walks bins in order, and shows in each order’s timeline', async () => {
    const placed = await placeMany(3, i => [{ bin: `A-1${i}-1` }, { bin: `A-${i + 1}-1` }])
    const list = await create({ seed: 7 })
    expect(list).toMatchObject({
      state: 'open',
      order_count: 3,
      line_count: 6,
      piece_count: 6,
      wagon_count: 1,
      lines_done: 0,
      created_by_name: 'Kim',
    })
    const wagon = await picker.send(pickLists.wagon, { id: list.id, wagon_no: 1 })
    expect(wagon.pick_lines.map(line => line.bin)).toEqual(['A-1-1', 'A-2-1', 'A-3-1', 'A-10-1', 'A-11-1', 'A-12-1'])
    expect(wagon.slots).toHaveLength(3)
    expect(wagon.slots[0]).toMatchObject({ slot_no: 10, row: 4, column: 1, state: 'open', phase: 'in_pick', live: true })
    expect(await orderNow(placed[0]!.id)).toMatchObject({ work_state: 'in_pick' })
    const timeline = await lead.send(orders.timeline, { id: placed[0]!.id })
    expect(timeline.rows[0]).toMatchObject({
      text: 'Put on pick list {{list}}: wagon {{wagon}}, slot {{slot}}',
      values: { list: list.id, wagon: 1 },
    })
    expect(await reasonOf(placed[0]!.id)).toBe('on_list')
  })

  it('is refused when nothing can go on it, with what is left out', async () => {
    const held = await place()
    await lead.send(orderLocks.hold, { id: held.id, body: { reason: 'other', note: 'Wait' } })
    const error = await create().catch(error => error)
    expect(error).toBeInstanceOf(Refused)
    expect(error).toMatchObject({ status: 409, key: 'No order can go on a list now', current: { left_out_count: 1 } })
  })

  it('never shares an order with another, also when sixteen are made at once', async () => {
    const placed = await placeMany(64)
    const made = await Promise.allSettled(Array.from({ length: 16 }, () => create({ max_orders: 6 })))
    const lists = made.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409 })
    const slots = await inDb<{ order_id: number }[]>(db =>
      db.selectFrom('pick_slots').select('order_id').where('live', '=', true).execute(),
    )
    expect(new Set(slots.map(slot => slot.order_id)).size).toBe(slots.length)
    expect(slots).toHaveLength(lists.reduce((sum, list) => sum + list.order_count, 0))
    expect(lists.length).toBeGreaterThanOrEqual(10)
    const { n } = await inDb<{ n: number }>(db =>
      db
        .selectFrom('orders')
        .select(eb => eb.fn.countAll<number>().as('n'))
        .where('work_state', '=', 'in_pick')
        .executeTakeFirstOrThrow(),
    )
    expect(n).toBe(slots.length)
    expect(placed.length).toBe(64)
  })

  it('keeps the lowest free codes for its slots, bound at once only where it is asked for', async () => {
    await codes(3)
    await placeMany(2)
    const list = await create()
    const wagon = await picker.send(pickLists.wagon, { id: list.id, wagon_no: 1 })
    const kept = (digits: string) => [{ digits, state: 'reserved', full: false }]
    expect(wagon.slots.map(slot => slot.codes)).toEqual([kept('1'), kept('2')])
    await place()
    const bound = await create({ bind: 'now' })
    expect(bound.job_id).toBeNull()
    expect((await codeStates()).map(code => code.state)).toEqual(['reserved', 'reserved', 'bound'])
  })

  it('is found by its number, by an order on it, by a paperless code and by its picker', async () => {
    await codes(1)
    const order = await place()
    const list = await create()
    await place()
    const other = await create()
    await inDb(db =>
      db.updateTable('pick_wagons').set({ user_name: 'Bo Ege', state: 'claimed' }).where('pick_list_id', '=', list.id).execute(),
    )
    const find = async (query: string, more: object = {}) =>
      (await picker.send(pickLists.search, { query, ...more })).rows.map(row => row.id)
    expect(await find(listCode('PL', list.id))).toEqual([list.id])
    expect(await find(order.order_no)).toEqual([list.id])
    expect(await find(`${order.company_id}:${order.id}`)).toEqual([list.id])
    expect(await find('PP1')).toEqual([list.id])
    expect(await find('bo e')).toEqual([list.id])
    expect(await find('unknown')).toEqual([])
    expect(await find('')).toEqual([other.id, list.id])
    expect(await find('', { sort: 'oldest' })).toEqual([list.id, other.id])
    expect(await find('', { state: 'completed' })).toEqual([])
    expect(await find('', { state: 'open,picking' })).toHaveLength(2)
    expect(await picker.send(pickLists.searchOrder, { query: order.order_no })).toMatchObject([
      { pick_list_id: list.id, wagon_no: 1, slot_no: 10, live: true, order_no: order.order_no },
    ])
  })

  it('follows its wagons, and its wagons their lines', async () => {
    const [one, two] = await placeMany(2)
    const list = await create()
    await pick(list.id, one!.id, 1)
    expect(await picker.send(pickLists.get, { id: list.id })).toMatchObject({
      state: 'picking',
      lines_done: 1,
      wagons: [{ state: 'picking' }],
    })
    expect(await orderNow(one!.id)).toMatchObject({ work_state: 'picked' })
    await pick(list.id, two!.id, 1)
    expect(await picker.send(pickLists.get, { id: list.id })).toMatchObject({ state: 'picked', wagons: [{ state: 'picked' }] })
    await setOrder(one!.id, { work_state: 'in_pack' })
    await inDb(db => settleList(silent(db), list.id))
    expect(await picker.send(pickLists.get, { id: list.id })).toMatchObject({ state: 'packing', wagons: [{ state: 'at_packing' }] })
    for (const order of [one!, two!]) await setOrder(order.id, { work_state: 'packed' })
    await watchLists(testApp.services)
    const done = await picker.send(pickLists.get, { id: list.id })
    expect(done).toMatchObject({
      state: 'completed',
      wagons: [{ state: 'released', slots: [{ state: 'packed', live: false }, { state: 'packed' }] }],
    })
    expect(done.completed_at).not.toBeNull()
  })
})

describe('cancelling a list', () => {
  it('makes its orders ready, has what was picked put back, and frees the codes of empty totes at once', async () => {
    await codes(4)
    const [one, two] = await placeMany(2, () => [{ qty: 3 }])
    const list = await create({ bind: 'now' })
    await pick(list.id, one!.id, 2)
    expect(await lead.send(pickLists.cancel, { id: list.id, body: { note: 'Too late' } })).toEqual({ orders: 2, put_backs: 1 })
    for (const order of [one!, two!]) expect(await orderNow(order.id)).toMatchObject({ work_state: 'ready', phase: 'ready' })
    const backs = await inDb(db => db.selectFrom('put_backs').select(['order_id', 'quantity', 'reason', 'done', 'slot_no']).execute())
    expect(backs).toMatchObject([{ order_id: one!.id, quantity: 2, reason: 'list_cancelled', done: 0 }])
    const lines = await inDb(db => db.selectFrom('order_lines').select('picked_qty').where('order_id', '=', one!.id).execute())
    expect(lines).toEqual([{ picked_qty: 0 }])
    expect((await codeStates()).map(code => code.state).sort()).toEqual(['bound', 'free', 'free', 'free'])
    expect(await picker.send(pickLists.get, { id: list.id })).toMatchObject({
      state: 'cancelled',
      wagons: [{ state: 'cancelled' }],
      put_backs_open: 1,
    })
    expect(await lead.send(pickLists.cancel, { id: list.id, body: {} }).catch(error => error.key)).toBe('This list is cancelled already')
    expect((await preview()).orders).toBe(2)
  })

  it('waits for what is being packed', async () => {
    const [one] = await placeMany(2)
    const list = await create()
    await setOrder(one!.id, { work_state: 'in_pack' })
    await expect(lead.send(pickLists.cancel, { id: list.id, body: {} })).rejects.toMatchObject({
      status: 409,
      key: 'Order {{order}} is being packed at this moment: finish or stop that first',
    })
    await inDb(db => leaveList(silent(db), list.id, [one!.id], 'order_removed'))
    expect(await orderNow(one!.id)).toMatchObject({ work_state: 'in_pack' })
  })
})

describe('an order that is stopped', () => {
  it('leaves its list at once when it is cancelled, and what was picked of it goes back', async () => {
    const [one, two] = await placeMany(2, () => [{ qty: 2 }])
    const list = await create()
    await pick(list.id, one!.id, 1)
    const answer = await lead.send(orders.setState, { id: one!.id, state: 'cancelled' })
    expect(answer.phase).toBe('cancelled_return_to_stock')
    const wagon = await picker.send(pickLists.wagon, { id: list.id, wagon_no: 1 })
    expect(wagon.pick_lines.filter(line => line.order_id === one!.id).map(line => line.state)).toEqual(['gone'])
    expect(wagon.slots.find(slot => slot.order_id === one!.id)).toMatchObject({ state: 'removed', live: false, cancelled: true })
    expect(await inDb(db => db.selectFrom('put_backs').select(['quantity', 'reason']).execute())).toEqual([
      { quantity: 1, reason: 'order_cancelled' },
    ])
    await pick(list.id, two!.id, 2)
    expect((await picker.send(pickLists.get, { id: list.id })).state).toBe('picked')
  })

  it('owes nothing when nothing of it was picked', async () => {
    const [one] = await placeMany(2)
    await create()
    await lead.send(orders.setState, { id: one!.id, state: 'cancelled' })
    expect(await orderNow(one!.id)).toMatchObject({ phase: 'cancelled', put_back_due: false })
  })

  it('leaves also when its own company cancels it, which sees nothing else of the wagon', async () => {
    const shop = await operator.hire(['parcels_admin'], operator.shops[0])
    const mine = await place()
    const theirs = await place([{}], {}, operator.shops[1])
    const list = await create()
    await shop.send(orders.setState, { id: mine.id, state: 'cancelled' })
    expect(await picker.send(pickLists.get, { id: list.id })).toMatchObject({ state: 'open', wagons: [{ state: 'open' }] })
    expect(await orderNow(theirs.id)).toMatchObject({ work_state: 'in_pick' })
    const lead2 = await operator.hire(['parcels_admin'], operator.shops[1])
    await lead2.send(orders.setState, { id: theirs.id, state: 'cancelled' })
    expect(await picker.send(pickLists.get, { id: list.id })).toMatchObject({ state: 'cancelled' })
  })

  it('leaves at the next run of the schedule when an import cancelled it', async () => {
    const [one] = await placeMany(2)
    const list = await create()
    await setOrder(one!.id, { cancelled_at: new Date().toISOString(), put_back_due: true })
    await watchLists(testApp.services)
    const seen = await picker.send(pickLists.get, { id: list.id })
    expect(seen.wagons[0]!.slots.find(slot => slot.order_id === one!.id)).toMatchObject({ state: 'removed' })
    expect(await orderNow(one!.id)).toMatchObject({ phase: 'cancelled' })
  })

  it('stays while it is held, until the rest of the wagon is decided', async () => {
    const [one, two] = await placeMany(2)
    const list = await create()
    await lead.send(orderLocks.hold, { id: one!.id, body: { reason: 'address', note: 'Ask' } })
    await watchLists(testApp.services)
    const slotOf = async () => (await picker.send(pickLists.get, { id: list.id })).wagons[0]!.slots.find(slot => slot.order_id === one!.id)
    expect(await slotOf()).toMatchObject({ live: true, held: true })
    await pick(list.id, two!.id, 1)
    expect(await slotOf()).toMatchObject({ live: false, state: 'removed' })
    expect(await orderNow(one!.id)).toMatchObject({ work_state: 'ready', held: true, phase: 'held' })
    expect((await picker.send(pickLists.get, { id: list.id })).state).toBe('picked')
  })

  it('can be taken off by hand, and then goes on the next list', async () => {
    const [one] = await placeMany(2)
    const list = await create()
    expect(await lead.send(pickLists.takeOff, { id: list.id, order_id: one!.id })).toEqual({ put_backs: 0 })
    await expect(lead.send(pickLists.takeOff, { id: list.id, order_id: one!.id })).rejects.toMatchObject({ status: 409 })
    const next = await create()
    expect(next.order_count).toBe(1)
    expect((await lead.send(pickLists.searchOrder, { query: one!.order_no })).map(row => [row.pick_list_id, row.live])).toEqual([
      [next.id, true],
      [list.id, false],
    ])
    const text = (await lead.send(orders.timeline, { id: one!.id })).rows.map(row => row.text)
    expect(text).toContain('Taken off pick list {{list}}: wagon {{wagon}}, slot {{slot}}')
  })
})

describe('who may', () => {
  it('plan and make lists: only pickers of the main company, not of a shop', async () => {
    const list = await (async () => {
      await placeMany(1)
      return create()
    })()
    const shop = await operator.hire(['admin'], operator.shops[0])
    for (const [call, input] of [
      [pickLists.search, {}],
      [pickLists.searchOrder, { query: 'N1' }],
      [pickLists.preview, { body: {} }],
      [pickLists.create, { body: {} }],
      [pickLists.config, {}],
      [pickLists.get, { id: list.id }],
      [pickLists.wagon, { id: list.id, wagon_no: 1 }],
      [pickLists.available, { x: 'cluster' }],
      [pickLists.download, { id: list.id }],
      [pickLists.cancel, { id: list.id, body: {} }],
      [pickLists.createWagonType, { body: wagonType() }],
    ] as const) {
      const answer = await shop.ask(call, input)
      expect([call.line, answer.statusCode]).toEqual([call.line, 403])
    }
    expect((await picker.ask(pickLists.cancel, { id: list.id, body: {} })).statusCode).toBe(403)
    expect((await picker.ask(pickLists.createWagonType, { body: wagonType() })).statusCode).toBe(403)
    const admin = await operator.hire(['pick_admin'])
    expect((await admin.ask(pickLists.cancel, { id: list.id, body: {} })).statusCode).toBe(200)
  })

  it('see a list: no user of another warehouse', async () => {
    await placeMany(1)
    const list = await create()
    const stranger = await (await testApp.operator()).hire(['admin'])
    expect((await stranger.ask(pickLists.get, { id: list.id })).statusCode).toBe(404)
    expect((await stranger.ask(pickLists.download, { id: list.id })).statusCode).toBe(404)
    expect((await stranger.send(pickLists.search, { query: listCode('PL', list.id) })).rows).toEqual([])
    expect((await stranger.ask(pickLists.cancel, { id: list.id, body: {} })).statusCode).toBe(404)
  })
})

describe('paper', () => {
  it('carries each order’s code and the list’s, bins in walking order, and a map where one is walked by', async () => {
    await buildMap(testApp.services, scopeOfCompany(operator), { title: 'Hall', drawing: demoFloor() })
    await codes(5)
    const bins = demoFloor().locations.map(one => one.code)
    const placed = await placeMany(3, i => [{ bin: bins[i * 40]!, name: `Kæmpe tæppe ${i}` }])
    const list = await create()
    const file = (await picker.send(pickLists.download, { id: list.id, locale: 'da_DK' })) as unknown as {
      bytes: Buffer
      media_type: string
    }
    expect(file.media_type).toBe('application/pdf')
    const read = (await readLabel(new Uint8Array(file.bytes), 220)).map(code => code.text)
    for (const order of placed) expect(read).toContain(`${order.company_id}:${order.id}`)
    expect(read).toContain(listCode('PL', list.id))
    expect(read.some(text => /\/route\?list=/.test(text))).toBe(true)
    const words = (await readText(new Uint8Array(file.bytes))).join(' ')
    expect(words).toContain('Vogn 1')
    expect(words).toContain('PP1')
    expect(words).toContain('Kæmpe tæppe 0')
    const overview = (await picker.send(pickLists.downloadOverview, { id: list.id })) as unknown as { bytes: Buffer }
    expect((await readText(new Uint8Array(overview.bytes))).join(' ')).toContain(placed[0]!.order_no)
    expect((await readLabel(new Uint8Array(overview.bytes), 200)).map(code => code.text)).toContain(listCode('PL', list.id))
  })

  it('is printed once for one wish', async () => {
    await placeMany(1)
    const list = await create()
    const a4 = (await picker.send(printers.list, {})).printers.find(one => one.paper === 'a4')!
    const first = await picker.send(pickLists.print, { id: list.id, printer: a4.id, key: 'k1' })
    expect(first).toMatchObject({ state: 'done', document: 'pick_list', title: listCode('PL', list.id) })
    expect((await picker.send(pickLists.print, { id: list.id, printer: a4.id, key: 'k1' })).id).toBe(first.id)
    expect((await picker.send(pickLists.printOverview, { id: list.id, printer: a4.id, key: 'k1' })).document).toBe('pick_overview')
    const label = (await picker.send(printers.list, {})).printers.find(one => one.paper === 'label')!
    for (const call of [pickLists.print, pickLists.printOverview])
      expect((await picker.ask(call, { id: list.id, printer: label.id, key: 'k2' })).json()).toMatchObject({
        code: 'printer_paper_differs',
      })
  })
})

describe('improving', () => {
  const finished = async (job_id: number) => {
    await vi.waitFor(async () => expect((await lead.send(jobs.get, { id: job_id })).state).toBe('done'), { timeout: 60_000, interval: 200 })
    return lead.send(jobs.get, { id: job_id })
  }

  it('keeps every order and every line, saves metres or none, and never touches a claimed wagon', async () => {
    await buildMap(testApp.services, scopeOfCompany(operator), { title: 'Hall', drawing: demoFloor() })
    await codes(40)
    const bins = demoFloor().locations.map(one => one.code)
    await placeMany(40, i => [{ bin: bins[(i * 97) % bins.length]! }, { bin: bins[(i * 31 + 7) % bins.length]! }])
    const list = await create({ seed: 3 })
    expect(list.job_id).not.toBeNull()
    await inDb(db =>
      sql`update pick_wagons set state = 'claimed', version = version + 1 where operator_id = current_operator_id() and pick_list_id = ${list.id} and wagon_no = 1`.execute(
        db,
      ),
    )
    const standing = async () =>
      inDb<{ order_id: number; slot_no: number }[]>(db =>
        db
          .selectFrom('pick_slots')
          .select(['order_id', 'slot_no'])
          .where('pick_list_id', '=', list.id)
          .where('wagon_no', '=', 1)
          .orderBy('slot_no')
          .execute(),
      )
    const before = await standing()
    await finished(list.job_id!)
    const again = await finished((await lead.send(pickLists.improve, { id: list.id })).job_id)
    expect((again.result as { saved_metres: number }).saved_metres).toBeGreaterThanOrEqual(0)
    expect(await standing()).toEqual(before)
    const seen = await picker.send(pickLists.get, { id: list.id })
    expect(
      seen.wagons
        .flatMap(wagon => wagon.slots)
        .map(slot => slot.order_id)
        .sort(),
    ).toHaveLength(40)
    expect(new Set(seen.wagons.flatMap(wagon => wagon.slots.map(slot => slot.order_id))).size).toBe(40)
    expect(seen.metres!).toBeLessThanOrEqual(seen.first_metres!)
    for (const wagon of seen.wagons) {
      const walked = await picker.send(pickLists.wagon, { id: list.id, wagon_no: wagon.wagon_no })
      expect(walked.pick_lines.map(line => line.walk_no)).toEqual(walked.pick_lines.map((_, i) => i + 1))
      expect(walked.pick_lines).toHaveLength(wagon.slots.length * 2)
      for (const line of walked.pick_lines) expect(wagon.slots.find(slot => slot.slot_no === line.slot_no)?.order_id).toBe(line.order_id)
      for (const slot of wagon.slots) expect(slot.codes).toHaveLength(1)
    }
  })
})

describe('wagon types', () => {
  it('are made, changed by one at a time, and leave lists as they were', async () => {
    const type = await lead.send(pickLists.createWagonType, { body: wagonType({ name: 'Small' }) })
    await expect(lead.send(pickLists.createWagonType, { body: wagonType({ name: 'small' }) })).rejects.toMatchObject({ status: 409 })
    await expect(lead.send(pickLists.createWagonType, { body: { ...wagonType(), slots: [] } })).rejects.toMatchObject({ status: 400 })
    expect((await picker.send(pickLists.config, {})).default_wagon_type_id).toBe(type.id)
    await placeMany(1)
    const list = await create()
    const { id: _, version, ...fields } = type
    const changed = await lead.send(pickLists.updateWagonType, { id: type.id!, body: { ...fields, name: 'Smaller', version } })
    expect(changed).toMatchObject({ name: 'Smaller', version: version + 1 })
    await expect(lead.send(pickLists.updateWagonType, { id: type.id!, body: { ...fields, name: 'Late', version } })).rejects.toMatchObject({
      status: 409,
      current: { name: 'Smaller' },
    })
    await lead.send(pickLists.deleteWagonType, { id: type.id! })
    expect((await picker.send(pickLists.get, { id: list.id })).wagon_type).toMatchObject({ name: 'Small', rows: 2, columns: 2 })
    expect((await picker.send(pickLists.config, {})).wagon_types).toEqual([])
  })
})
