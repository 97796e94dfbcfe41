/** The state of an order: which status follows from which facts, and which command moves an order from where to where. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { NewEvent } from '#contract/events.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import * as state from './order-state.commands.ts'
import { type Phase, type WorkState, workStates } from './orders.rules.ts'

let testApp: TestApp
let scope: TenantScope

beforeAll(async () => {
  testApp = await openTestApp()
  scope = scopeOfCompany(await testApp.operator())
})
afterAll(() => testApp.close())

interface Facts {
  work_state: WorkState
  cancelled: boolean
  put_back_due: boolean
  delivered: boolean
  held: boolean
  label_error: boolean
  short: boolean
  combined: boolean
}

/** The precedence in words: the first line that holds names the status. */
const precedence: readonly [Phase, (facts: Facts) => boolean][] = [
  ['cancelled_return_to_stock', facts => facts.cancelled && facts.put_back_due],
  ['cancelled', facts => facts.cancelled],
  ['closed', facts => facts.work_state === 'closed'],
  ['delivered', facts => facts.delivered],
  ['handed_over', facts => facts.work_state === 'handed_over'],
  ['held', facts => facts.held],
  ['label_error', facts => facts.label_error && facts.work_state !== 'packed'],
  ['short', facts => facts.short && facts.work_state !== 'packed'],
  ['combined', facts => facts.combined && (facts.work_state === 'new' || facts.work_state === 'ready')],
  ...workStates.map(name => [name, (facts: Facts) => facts.work_state === name] as [Phase, (facts: Facts) => boolean]),
]
const statusOf = (facts: Facts): Phase => precedence.find(([, holds]) => holds(facts))![0]

const either = [false, true]
const everyFact: readonly Facts[] = workStates.flatMap(work_state =>
  either.flatMap(cancelled =>
    either.flatMap(put_back_due =>
      either.flatMap(delivered =>
        either.flatMap(held =>
          either.flatMap(label_error =>
            either.flatMap(short =>
              either.map(combined => ({ work_state, cancelled, put_back_due, delivered, held, label_error, short, combined })),
            ),
          ),
        ),
      ),
    ),
  ),
)

const now = '2026-03-02T09:00:00.000Z'
const storedFacts = (facts: Facts) => ({
  work_state: facts.work_state,
  cancelled_at: facts.cancelled ? now : null,
  put_back_due: facts.put_back_due,
  delivered_at: facts.delivered ? now : null,
  held: facts.held,
  label_error: facts.label_error,
  short: facts.short,
  combined_into: facts.combined ? 1 : null,
})

/** Runs a command in a transaction of its own, and answers what it changed, recorded and announced. */
async function run<T>(command: (tools: state.StateTools) => Promise<T>) {
  const events: NewEvent[] = []
  const notices: (number | undefined)[] = []
  const changed = await testApp.services.database.transaction(scope, db =>
    command({
      db,
      recordEvents: added => Promise.resolve(void events.push(...added)),
      notify: (_, id) => void notices.push(id),
    }),
  )
  return { changed, events, notices }
}

async function orderWith(facts: Partial<Facts> = {}): Promise<number> {
  const { id } = await placeOrder(testApp.services.database, scope)
  const whole = {
    work_state: 'new',
    cancelled: false,
    put_back_due: false,
    delivered: false,
    held: false,
    label_error: false,
    short: false,
  }
  await testApp.services.database.transaction(scope, async db => {
    await db
      .updateTable('orders')
      .set(storedFacts({ ...whole, ...facts } as Facts))
      .where('id', '=', id)
      .execute()
    await state.restoreStatus(db, [id])
  })
  return id
}

const read = (id: number) =>
  testApp.services.database.transaction(scope, db =>
    db
      .selectFrom('orders')
      .select(['work_state', 'phase', 'held', 'label_error', 'short', 'put_back_due', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )

describe('the status', () => {
  it('is the first of the precedence that holds, for every combination of facts', async () => {
    const id = await orderWith()
    const found = await testApp.services.database.transaction(scope, async db => {
      const statuses: string[] = []
      for (const facts of everyFact) {
        await db.updateTable('orders').set(storedFacts(facts)).where('id', '=', id).execute()
        await state.restoreStatus(db, [id])
        statuses.push((await db.selectFrom('orders').select('phase').where('id', '=', id).executeTakeFirstOrThrow()).phase)
      }
      return statuses
    })
    expect(everyFact.length).toBe(workStates.length * 128)
    expect(found).toEqual(everyFact.map(statusOf))
  })

  it('cannot be one that does not exist', async () => {
    const id = await orderWith()
    await expect(
      testApp.services.database.transaction(scope, db => sql`update orders set phase = 'lost' where id = ${id}`.execute(db)),
    ).rejects.toMatchObject({ constraint: 'orders_phase_check' })
  })
})

type Command = (tools: state.StateTools, ids: readonly number[]) => Promise<readonly state.ChangedOrder[]>

/** Each command with the work states that it starts from, and the one that it leads to. */
const moves: readonly [string, Command, readonly WorkState[], WorkState][] = [
  ['releasing', state.releaseOrders, ['new'], 'ready'],
  ['putting it on a pick list', (tools, ids) => state.startPicking(tools, ids.map(slotOf)), ['ready'], 'in_pick'],
  ['picking its last line', (tools, ids) => state.finishPicking(tools, ids.map(slotOf)), ['in_pick'], 'picked'],
  ['taking back a pick', state.resumePicking, ['picked'], 'in_pick'],
  ['taking it off its pick list', state.returnToReady, ['in_pick', 'picked'], 'ready'],
  ['letting it wait for stock', state.waitForStock, ['ready', 'in_pick', 'picked'], 'ready'],
  ['opening it at a station', state.startPacking, ['ready', 'picked', 'in_pack'], 'in_pack'],
  ['leaving it at a station', state.stopPacking, ['in_pack'], 'ready'],
  [
    'packing it',
    (tools, ids) => state.finishPacking(tools, ids, { at: now, event: { kind: 'order.packed' } as never }),
    ['in_pack'],
    'packed',
  ],
  ['reopening it', (tools, ids) => state.reopenOrders(tools, ids, { unpack: true }), ['packed'], 'picked'],
  ['handing it over', state.handOverOrders, ['packed'], 'handed_over'],
  ['undoing the hand-over', state.undoHandOver, ['handed_over'], 'packed'],
  ['closing it', state.closeOrders, ['handed_over'], 'closed'],
  ['closing it for the shop', state.closeUnstarted, ['new', 'ready'], 'closed'],
]
const slotOf = (order_id: number) => ({ order_id, list: 1, wagon: 1, slot: 1 })

describe.each(moves)('%s', (_, command, from, to) => {
  it.each(workStates)('from %s moves the order only where this may happen', async work_state => {
    const id = await orderWith({ work_state })
    const { changed } = await run(tools => command(tools, [id]))
    const moved = from.includes(work_state)
    expect(changed.map(order => order.id)).toEqual(moved ? [id] : [])
    expect(await read(id)).toMatchObject({ work_state: moved ? to : work_state, phase: moved ? to : work_state })
  })

  it('leaves a cancelled order alone', async () => {
    const id = await orderWith({ work_state: from[0], cancelled: true })
    const before = await read(id)
    expect((await run(tools => command(tools, [id]))).changed).toEqual([])
    expect(await read(id)).toEqual(before)
  })
})

describe('a command', () => {
  it('takes many orders at once, and records and announces each that it changed', async () => {
    const ready = [await orderWith({ work_state: 'packed' }), await orderWith({ work_state: 'packed', short: true })]
    const other = await orderWith({ work_state: 'picked' })
    const { changed, events, notices } = await run(tools => state.handOverOrders(tools, [...ready, other]))
    expect(changed.map(order => order.id).toSorted()).toEqual(ready)
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({ kind: 'order.handed_over', data: { from: 'packed', to: 'handed_over' } })
    expect(notices.toSorted()).toEqual(ready)
  })

  it('raises the version of what it changes, and of nothing else', async () => {
    const [moved, other] = [await orderWith({ work_state: 'packed' }), await orderWith({ work_state: 'ready' })]
    const before = [(await read(moved)).version, (await read(other)).version]
    await run(tools => state.handOverOrders(tools, [moved, other]))
    expect([(await read(moved)).version, (await read(other)).version]).toEqual([before[0]! + 1, before[1]])
  })

  it('does nothing without orders', async () => {
    expect(await run(tools => state.closeOrders(tools, []))).toEqual({ changed: [], events: [], notices: [] })
  })
})

describe('a cancellation', () => {
  it.each([
    ['new', false],
    ['ready', false],
    ['in_pick', true],
    ['picked', true],
    ['in_pack', true],
  ] as const)('of an order that is %s asks for goods to put back: %s', async (work_state, put_back_due) => {
    const id = await orderWith({ work_state, label_error: true })
    const { events } = await run(tools => state.cancelOrders(tools, [id], { at: now }))
    expect(events).toMatchObject([{ kind: 'order.cancelled', data: { put_back_due } }])
    expect(await read(id)).toMatchObject({
      put_back_due,
      label_error: false,
      phase: put_back_due ? 'cancelled_return_to_stock' : 'cancelled',
    })
    const { changed } = await run(tools => state.finishPutBack(tools, [id]))
    expect(changed).toMatchObject([{ phase: 'cancelled' }])
  })

  it.each(['packed', 'handed_over', 'closed'] as const)('of an order that is %s is not possible', async work_state => {
    const id = await orderWith({ work_state })
    expect((await run(tools => state.cancelOrders(tools, [id], { at: now }))).changed).toEqual([])
  })
})

it('a delivery counts only for what was handed over', async () => {
  const [sent, packed] = [await orderWith({ work_state: 'handed_over', held: true }), await orderWith({ work_state: 'packed' })]
  const { changed } = await run(tools => state.deliverOrders(tools, [sent, packed], { at: now }))
  expect(changed).toMatchObject([{ id: sent, phase: 'delivered' }])
})
