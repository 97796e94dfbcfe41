/** What a bulk job reads of very many orders: each by its index, by a plan that is made once. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { comparedOrders } from '#features/orders/orders/combinations/combinations.queries.ts'
import { fullOfLocks } from '#features/orders/orders/locks/order-locks.commands.ts'
import type { Db } from '#platform/database/database.ts'
import { plannedAnew, scansOnce, textsOf } from '#test/statement-plans.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { methodsOfOrders } from './bulk-jobs.queries.ts'

const many = 4_000
let testApp: TestApp
let operator: TestOperator
let ids: number[]

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  const root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  const of = [operator.operator_id, operator.main.id]
  const { rows } = await root.query<{ id: string }>(
    `insert into orders (operator_id, company_id, external_id, order_no, currency, ordered_at, ship_country, ship_to, fingerprint, agent_code, shipping_method)
       select $1, $2, 'E' || n, 'N' || n, 'DKK', now(), 'DK', '{}', sha256(n::text::bytea), 'own', 'van-' || n % 3 from generate_series(1, ${many}) n
       returning id`,
    of,
  )
  ids = rows.map(row => Number(row.id))
  // Each third order has a hold: every other one of them for another reason, some were released, some are full.
  await root.query(
    `insert into order_locks (operator_id, company_id, order_id, kind, reason, actor, released_at)
       select $1::bigint, $2::bigint, id, 'hold', case when n % 2 = 0 then 'payment' else 'other' end, 'Test', case when n % 5 = 0 then now() end
       from unnest($3::bigint[]) with ordinality o(id, n) where n % 3 = 0
     union all select $1::bigint, $2::bigint, id, 'hold', 'payment', 'Test', null from unnest($3::bigint[]) with ordinality o(id, n), generate_series(1, 20) where n % 500 = 0`,
    [...of, ids],
  )
  await root.query('analyze orders, order_locks')
  await root.end()
})
afterAll(() => testApp.close())

const readers: [name: string, read: (db: Db, some: readonly number[]) => Promise<unknown>][] = [
  ['by what orders are combined', comparedOrders],
  ['how they are sent', methodsOfOrders],
  ['which of them have a hold already', (db, some) => fullOfLocks(db, some, 'other')],
]

it.each(readers)('%s is read by one plan for any number of orders, which looks each of them up', async (_, read) => {
  await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const asked = textsOf(db)
    for (const count of [1, 3, 1_000]) await read(db, ids.slice(0, count))
    const texts = new Set(asked)
    expect(texts.size).toBeGreaterThan(0)
    expect(await plannedAnew(db, [...texts])).toEqual([])
    for (const text of texts)
      for (const scan of await scansOnce(db, text)) expect(scan['Index Cond']).toMatch(/\b(id|order_id|combined_into|split_of) = ANY/)
  })
})

it('of many orders the same is said as of each by itself', async () => {
  await testApp.services.database.readOnly(scopeOfCompany(operator), async db => {
    const some = ids.filter((_, n) => n % 7 === 0 || (n + 1) % 500 === 0)
    const full = await fullOfLocks(db, some, 'other')
    const compared = await comparedOrders(db, some)
    const methods = new Map((await methodsOfOrders(db, some)).map(row => [row.id, row]))
    expect([compared.map(order => order.id), [...methods.keys()].toSorted((a, b) => a - b)]).toEqual([some, some])
    expect(full.size).toBeGreaterThan(10)
    for (const [at, id] of some.entries()) {
      if (at % 10 !== 0 && !full.has(id)) continue
      const n = ids.indexOf(id) + 1
      const isFull = n % 500 === 0 || (n % 3 === 0 && n % 2 === 1 && n % 5 !== 0)
      expect([n, full.has(id)]).toEqual([n, isFull])
      expect(await fullOfLocks(db, [id], 'other')).toEqual(new Set(isFull ? [id] : []))
      expect(await comparedOrders(db, [id])).toEqual([compared[at]])
      expect(methods.get(id)?.shipping_method).toBe(`van-${n % 3}`)
    }
  })
})
