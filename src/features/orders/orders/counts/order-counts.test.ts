/** The stored counts of orders are what a plain count of the orders says, after any work, in any order, by any number at once. */
import * as fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTools, scopeOfCompany } from '#app/demo/builders.ts'
import { readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { giveDeadlines } from '../deadlines/order-deadlines.commands.ts'
import * as state from '../order-state.commands.ts'
import { orders } from '../orders.contract.ts'
import { openPhases, phases, unsentPhases } from '../orders.rules.ts'
import { deleteImported, retryOrderConflict, storeOrders } from '../upsert/order-upsert.commands.ts'
import { addUpCounts, checkDueCounts } from './order-counts.task.ts'

let testApp: TestApp
let root: pg.Pool
beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Pool({ connectionString: testApp.url })
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

interface Counted {
  company_id: string
  phase: string
  ship_country: string
  n: string
}
interface CountedByDeadline {
  company_id: string
  phase: string
  deadline_id: string
  deadline_at: string
  n: string
  work: string
}
const order = (rows: Counted[]) => rows.map(row => `${row.company_id} ${row.phase} ${row.ship_country}: ${row.n}`).sort()
const orderByDeadline = (rows: CountedByDeadline[]) =>
  rows.map(row => `${row.company_id} ${row.phase} ${row.deadline_id} ${row.deadline_at}: ${row.n}, ${row.work}`).sort()
/** Counts of finished orders are kept while their pickup is ahead; the clock of some tests runs up to seven hours fast. */
const kept = `(phase = any ($2) or deadline_at > now() + interval '8 hours')`

/** What the orders of an operator say themselves. */
const plainCounts = async ({ operator_id }: TestOperator) => [
  ...order(
    (
      await root.query<Counted>(
        `select company_id, phase, case when phase = any ($2) then ship_country else '' end as ship_country, count(*) as n
          from orders where operator_id = $1 group by 1, 2, 3`,
        [operator_id, openPhases],
      )
    ).rows,
  ),
  ...orderByDeadline(
    (
      await root.query<CountedByDeadline>(
        `select company_id, phase, deadline_id, deadline_at, count(*) as n, sum(least(500, 100 + 15 * greatest(0, item_count - 1))) as work
          from orders where operator_id = $1 and deadline_id is not null and ${kept} group by 1, 2, 3, 4`,
        [operator_id, unsentPhases],
      )
    ).rows,
  ),
]
const storedCounts = async ({ operator_id }: TestOperator) => [
  ...order(
    (
      await root.query<Counted>(
        `select company_id, phase, ship_country, sum(n) as n from (select company_id, phase, ship_country, n from order_counts where operator_id = $1
          union all select company_id, phase, ship_country, n from order_count_changes where operator_id = $1) c
          group by 1, 2, 3 having sum(n) <> 0`,
        [operator_id],
      )
    ).rows,
  ),
  ...orderByDeadline(
    (
      await root.query<CountedByDeadline>(
        `select company_id, phase, deadline_id, deadline_at, sum(n) as n, sum(work) as work from (
            select company_id, phase, deadline_id, deadline_at, n, work from deadline_counts where operator_id = $1
            union all select company_id, phase, deadline_id, deadline_at, n, work from order_count_changes where operator_id = $1 and deadline_id is not null) c
          where ${kept} group by 1, 2, 3, 4 having sum(n) <> 0 or sum(work) <> 0`,
        [operator_id, unsentPhases],
      )
    ).rows,
  ),
]
const rowsOf = async (table: 'order_counts' | 'order_count_changes', { operator_id }: TestOperator) =>
  Number((await root.query(`select count(*) from ${table} where operator_id = $1`, [operator_id])).rows[0].count)

const written = (n: number, over: Partial<WrittenOrder> = {}) => {
  const reading = readCanonical({
    external_id: `count-${n}`,
    order_no: `N${n}`,
    currency: 'DKK',
    payment_status: 'paid',
    ship_to: { name: 'Åse Holm', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
    lines: [{ external_id: '1', sku: 'TS-1', name: 'T-shirt', qty: '1' }],
    ...over,
  })
  if (reading.problems) throw new Error(JSON.stringify(reading.problems))
  return toOrder(reading.order)
}

const store = (scope: TenantScope, some: readonly ReturnType<typeof written>[], options: { import_id?: number; ends?: boolean } = {}) =>
  retryOrderConflict(() =>
    testApp.services.database.transaction(scope, db => storeOrders(buildTools(testApp.services, db, scope), some, options)),
  )

const at = '2026-03-02T09:00:00.000Z'
const contextOf = (tools: state.StateTools) => ({ ...tools, now: () => new Date() })

/** Two pickups of an operator: one for a single country, so that orders change their deadline. */
const addDeadlines = async ({ operator_id }: TestOperator) => {
  for (const [name, pickup, countries] of [
    ['Home', '16:00', ['DK']],
    ['All', '18:00', []],
  ] as const)
    await root.query(
      `insert into deadlines (operator_id, client_id, name, countries, weekdays, cut_off, pickup_time, target, time_zone)
        values ($1, gen_random_uuid(), $2, $4, '{1,2,3,4,5,6,7}', '12:00', $3, 'packed', 'Europe/Copenhagen')`,
      [operator_id, name, pickup, countries],
    )
}
const slots = (ids: readonly number[]) => ids.map(order_id => ({ order_id, list: 1, wagon: 1, slot: 1 }))
const commands: readonly ((tools: state.StateTools, ids: readonly number[]) => Promise<unknown>)[] = [
  state.releaseOrders,
  state.restoreOrders,
  (tools, ids) => state.startPicking(tools, slots(ids)),
  (tools, ids) => state.finishPicking(tools, slots(ids)),
  state.resumePicking,
  state.returnToReady,
  state.waitForStock,
  (tools, ids) => state.setShort(tools, ids, true),
  (tools, ids) => state.setShort(tools, ids, false),
  state.startPacking,
  state.stopPacking,
  state.failLabel,
  (tools, ids) => state.finishPacking(tools, ids, { at, event: { kind: 'order.packed' } as never }),
  (tools, ids) => state.finishPackingInPart(tools, ids, { event: { kind: 'order.packed' } as never }),
  (tools, ids) => state.reopenOrders(tools, ids, { unpack: true }),
  state.handOverOrders,
  state.undoHandOver,
  (tools, ids) => state.deliverOrders(tools, ids, { at }),
  state.closeOrders,
  state.closeUnstarted,
  (tools, ids) => state.cancelOrders(tools, ids, { at }),
  state.finishPutBack,
  state.skipPutBack,
  async (tools, ids) => {
    for (const id of ids) await state.editOrder(tools, id, { content: { pinned_at: at }, clears_label_error: true })
  },
  async (tools, ids) => {
    await tools.db.updateTable('orders').set({ work_state: 'picked' }).where('id', 'in', ids).execute()
    await state.restoreStatus(tools.db, ids)
  },
  (tools, ids) => giveDeadlines(contextOf(tools), ids, { moves: true }),
  // The pickups of all orders move, those of these orders are given anew.
  async (tools, ids) => {
    await tools.db
      .updateTable('deadlines')
      .set({
        pickup_time: sql<string>`case when pickup_time like '%:00' then left(pickup_time, 3) || '30' else left(pickup_time, 3) || '00' end`,
      })
      .execute()
    await giveDeadlines(contextOf(tools), ids)
  },
  async (tools, ids) => {
    for (const id of ids) await state.editOrder(tools, id, { content: { deadline_id: null, deadline_at: null } })
  },
  async (tools, ids) => {
    const alone = await tools.db
      .selectFrom('orders')
      .select(['id', 'company_id', 'order_no', 'item_count', 'weight_g'])
      .where('id', 'in', ids)
      .where('phase', '=', 'ready')
      .where('combined_into', 'is', null)
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('orders as m').select('m.id').whereRef('m.combined_into', '=', 'orders.id'))),
      )
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const [lead, ...members] of Map.groupBy(alone, row => row.company_id).values())
      if (lead && members.length > 0) await state.combineOrders(tools, [{ lead, members }])
  },
  state.separateOrders,
]

const numbersUsed = 12
const countries = ['DK', 'DE', 'SE'] as const
const step = fc.record({
  kind: fc.constantFrom('store', 'store', 'import', 'undo', 'command', 'command', 'command', 'command'),
  numbers: fc.uniqueArray(fc.nat(numbersUsed - 1), { minLength: 1, maxLength: 5 }),
  command: fc.nat(commands.length - 1),
  country: fc.constantFrom(...countries),
  status: fc.constantFrom('ready', 'ready', 'ready', 'held', 'cancelled', 'closed'),
  qty: fc.integer({ min: 1, max: 3 }),
  shop: fc.boolean(),
  fails: fc.boolean(),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class Failed extends Error {}

/** One transaction of some work; one that fails leaves nothing behind. */
async function take(operator: TestOperator, { kind, numbers, command, country, status, qty, shop, fails }: Step) {
  const main = scopeOfCompany(operator)
  const scope: TenantScope = shop ? { ...main, company_id: operator.shops[0]!.id, companies: [operator.shops[0]!.id] } : main
  const work = () =>
    testApp.services.database.transaction(scope, async db => {
      const tools = buildTools(testApp.services, db, scope)
      if (kind === 'undo') await deleteImported(db, 7)
      else if (kind === 'command') {
        const rows = await db
          .selectFrom('orders')
          .select('id')
          .where(
            'external_id',
            'in',
            numbers.map(n => `count-${n}`),
          )
          .execute()
        const ids = rows.map(row => row.id)
        if (ids.length > 0) await commands[command]!(tools, ids)
      } else
        await storeOrders(
          tools,
          numbers.map(n =>
            written(n, {
              status: status as never,
              ship_to: { name: 'Åse Holm', address1: `Vej ${qty}`, postcode: '5000', city: 'Odense C', country },
              lines: [{ external_id: '1', sku: 'TS-1', name: 'T-shirt', qty: `${qty}` }],
            }),
          ),
          kind === 'import' ? { import_id: 7 } : {},
        )
      if (fails) throw new Failed()
    })
  await retryOrderConflict(work).catch((error: unknown) => {
    if (!(error instanceof Failed)) throw error
  })
}

describe('the stored counts equal the plain count of the orders', () => {
  it('after any sequence of creating, changing, moving, cancelling and removing orders, and of changes that fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
        const operator = await testApp.operator({ shops: 1 })
        await addDeadlines(operator)
        for (const one of steps) await take(operator, one)
        expect(await storedCounts(operator)).toEqual(await plainCounts(operator))
      }),
      { numRuns: 25 },
    )
  })

  it('after many transactions at once, while changes are added up and counts are checked', async () => {
    const operator = await testApp.operator({ shops: 1 })
    await addDeadlines(operator)
    const steps = fc.sample(step, { numRuns: 160, seed: 3 })
    let done = false
    const upkeep = (async () => {
      while (!done) {
        await addUpCounts(testApp.services)
        testApp.setNow(new Date(Date.now() + 7 * 3_600_000 * Math.random()))
        await checkDueCounts(testApp.services)
      }
    })()
    const workers = Array.from({ length: 8 }, async (_, worker) => {
      for (const one of steps.filter((_step, place) => place % 8 === worker)) await take(operator, one)
    })
    await Promise.all(workers)
    done = true
    await upkeep
    testApp.setNow(undefined)
    expect(await storedCounts(operator)).toEqual(await plainCounts(operator))
  })
})

it('writers of one company do not wait for each other', async () => {
  const operator = await testApp.operator()
  const scope = scopeOfCompany(operator)
  // Both would wait for a product that is new.
  await store(scope, [written(0)])
  await testApp.services.database.transaction(scope, async db => {
    await storeOrders(buildTools(testApp.services, db, scope), [written(1)], {})
    // Meanwhile, from beside: it would fail after five seconds.
    await store(scope, [written(2)])
  })
  expect(await storedCounts(operator)).toEqual(await plainCounts(operator))
})

it('counts of finished orders are deleted a week after their pickup, and what changes in them later is not counted again', async () => {
  const operator = await testApp.operator()
  await addDeadlines(operator)
  await store(scopeOfCompany(operator), [written(1), written(2)])
  const finish = (id: number) =>
    testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const tools = buildTools(testApp.services, db, scopeOfCompany(operator))
      await state.startPacking(tools, [id])
      await state.finishPacking(tools, [id], { at, event: { kind: 'order.packed' } as never })
      await state.handOverOrders(tools, [id])
    })
  const { rows } = await root.query<{ id: string }>('select id from orders where operator_id = $1 order by id', [operator.operator_id])
  await finish(Number(rows[0]?.id))
  await addUpCounts(testApp.services)
  await checkDueCounts(testApp.services)
  const phasesCounted = async () =>
    (
      await root.query<{ phase: string }>('select phase from deadline_counts where operator_id = $1 and n <> 0 order by 1', [
        operator.operator_id,
      ])
    ).rows.map(row => row.phase)
  expect(await phasesCounted()).toEqual(['handed_over', 'ready'])
  testApp.setNow(new Date(Date.now() + 11 * 86_400_000))
  await checkDueCounts(testApp.services)
  expect(await phasesCounted()).toEqual(['ready'])
  await finish(Number(rows[1]?.id))
  await addUpCounts(testApp.services)
  testApp.setNow(undefined)
  expect(await phasesCounted()).toEqual([])
})

it('reading looks at a row for each status and country, however many orders came', async () => {
  const operator = await testApp.operator()
  const scope = scopeOfCompany(operator)
  for (let n = 0; n < 40; n++)
    await store(scope, [
      written(n, { ship_to: { name: 'A', address1: 'B 1', postcode: '5000', city: 'C', country: countries[n % 3] as string } }),
    ])
  expect(await rowsOf('order_count_changes', operator)).toBe(40)
  await addUpCounts(testApp.services)
  expect(await rowsOf('order_count_changes', operator)).toBe(0)
  expect(await rowsOf('order_counts', operator)).toBe(3)
})

describe('the check', () => {
  it('counts the orders from before there were counts, and logs nothing', async () => {
    const operator = await testApp.operator()
    await addDeadlines(operator)
    await placeOrder(testApp.services.database, scopeOfCompany(operator), { work_state: 'ready' })
    await root.query(
      `update orders o set deadline_id = d.id, deadline_at = now() + interval '1 day' from deadlines d
        where o.operator_id = $1 and d.operator_id = $1 and d.name = 'Home'`,
      [operator.operator_id],
    )
    expect(await storedCounts(operator)).toEqual([])
    await checkDueCounts(testApp.services)
    expect(await storedCounts(operator)).toEqual(await plainCounts(operator))
  })

  it('corrects counts that became wrong, with a line in the log, once', async () => {
    const operator = await testApp.operator()
    await addDeadlines(operator)
    await store(scopeOfCompany(operator), [written(1), written(2)])
    // No pickup passes within this test, at whatever time of the day it runs.
    await root.query(`update orders set deadline_at = now() + interval '2 days' where operator_id = $1`, [operator.operator_id])
    await checkDueCounts(testApp.services)
    await root.query('update orders set phase = $2 where operator_id = $1', [operator.operator_id, 'closed'])
    const lines: unknown[] = []
    const services = {
      ...testApp.services,
      now: () => new Date(Date.now() + 7 * 3_600_000),
      log: Object.assign(Object.create(testApp.services.log) as typeof testApp.services.log, {
        warn: (about: { operator_id: number }) => void (about.operator_id === operator.operator_id && lines.push(about)),
      }),
    }
    await checkDueCounts(services)
    expect(await storedCounts(operator)).toEqual(await plainCounts(operator))
    expect(lines).toEqual([
      {
        operator_id: operator.operator_id,
        company_id: operator.main.id,
        differences: [
          { phase: 'closed', ship_country: '', n: 2 },
          { phase: 'ready', ship_country: 'DK', n: -2 },
          expect.objectContaining({ phase: 'closed', n: 2, work: 200 }),
          expect.objectContaining({ phase: 'ready', n: -2, work: -200 }),
        ],
      },
    ])
    await checkDueCounts({ ...services, now: () => new Date(Date.now() + 15 * 3_600_000) })
    expect(lines).toHaveLength(1)
  })
})

describe('the numbers of the lists', () => {
  let operator: TestOperator
  let admin: TestUser
  beforeAll(async () => {
    operator = await testApp.operator({ shops: 1, settings: { home_country: 'DK' } })
    admin = await operator.hire(['admin'])
    const shop = { ...scopeOfCompany(operator), company_id: operator.shops[0]!.id, companies: [operator.shops[0]!.id] }
    await store(scopeOfCompany(operator), [
      written(1),
      written(2, { ship_to: { name: 'A', address1: 'B 1', postcode: '10115', city: 'Berlin', country: 'DE' } }),
      written(3, { status: 'held' as never }),
      written(4, { status: 'closed' as never }),
    ])
    await store(shop, [
      written(5),
      written(6, { ship_to: { name: 'A', address1: 'B 1', postcode: '10115', city: 'Berlin', country: 'DE' } }),
    ])
  })

  it('are the same from the counts as from the orders, for all companies and for one', async () => {
    const asked = [undefined, operator.main.id, operator.shops[0]!.id]
    const read = () => Promise.all(asked.map(company_id => admin.send(orders.count, company_id === undefined ? {} : { company_id })))
    const before = await read()
    await checkDueCounts(testApp.services)
    // An order beside the counts shows which of the two is read.
    await placeOrder(testApp.services.database, scopeOfCompany(operator), { work_state: 'ready' })
    expect(await read()).toEqual(before)
    expect(
      before.map(({ open, views }) => [open.count, views.to_pick?.count, views.held?.count, views.abroad?.count, views.all?.count]),
    ).toEqual([
      [5, 4, 1, 2, 6],
      [3, 2, 1, 1, 4],
      [2, 2, 0, 1, 2],
    ])
    expect(Object.keys(before[0]!.phases).sort()).toEqual([...phases].sort())
    expect(await admin.send(orders.countState, { x: 'ready' })).toEqual({ count: 4, is_more: false })
  })
})
