/** Words are found the same way whether few or most orders have them, and wherever among the orders they stand. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let scope: TenantScope
let shopScope: TenantScope
const many = 70_000

/** Every third order is the shop's; the words are read from the oldest order on. */
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  scope = scopeOfCompany(operator)
  const shop = operator.shops[0]!.id
  shopScope = { operator_id: scope.operator_id, company_id: shop, companies: [shop] }
  await testApp.services.database.transaction(scope, db =>
    sql`
      insert into order_words (operator_id, company_id, order_id, words)
      select ${scope.operator_id}, company, i, array_to_tsvector(array(select company || '/' || w from unnest(array[
        'every',
        case when i % 10 = 0 then 'often' end,
        case when i % 200 = 0 then 'some' end,
        case when i % 9000 = 1 then 'rarely' end,
        case when i <= 30000 then 'formerly' end,
        case when i <= 30000 and i % 4 = 0 then 'quarterly' end,
        case when i <= 25000 or i > ${many}::integer - 20 then 'again' end,
        case when i <= 25000 or i > ${many}::integer - 400 and i % 4 = 0 then 'burst' end,
        case when i > ${many}::integer - 150 then 'fresh' || i % 3 end]) w where w is not null))
      from generate_series(1, ${many}::integer) i cross join lateral (
        select case when i % 3 = 0 then ${shop}::bigint else ${scope.company_id}::bigint end company) c`.execute(db),
  )
  await testApp.services.database.ownerTransaction(async client => void (await client.query('analyze order_words')))
})
afterAll(() => testApp.close())

const asked = (companies: readonly number[], words: readonly string[]) =>
  companies.map(company => `(${words.map(word => word.replace(/^[^:]+/, `'${company}/$&'`)).join(' & ')})`).join(' | ')

it.each([
  [['every']],
  [['often']],
  [['some']],
  [['rarely']],
  [['formerly']],
  [['quarterly']],
  [['again']],
  [['burst']],
  [['fresh:*']],
  [['often', 'some']],
  [['quarterly', 'often']],
  [['formerly', 'again']],
  [['often', 'burs:*']],
  [['some', 'ever:*']],
  [['rarely', 'ever:*']],
  [['burst', 'form:*']],
  [['often', 'quar:*']],
  [['again', 'nowh:*']],
  [['nowhere']],
])('%s: the newest that have the words, as if every order were read', async words => {
  for (const within of [scope, shopScope])
    for (const most of [1, 201, 10_001])
      for (const common of [true, false]) {
        const query = asked(within.companies, words)
        const last = words.at(-1)!
        const parts = last.endsWith(':*') ? [asked(within.companies, words.slice(0, -1)), asked(within.companies, [last])] : []
        const [whole, beginning] = words.length > 1 ? parts : [undefined, parts[1]]
        const { found, meant } = await testApp.services.database.readOnly(within, async db => {
          const ids = async (rows: ReturnType<typeof sql<{ id: number }>>) => (await rows.execute(db)).rows.map(({ id }) => id)
          return {
            found: await ids(
              sql`select find_orders(${query}::tsquery, ${many + 1}, ${most}, ${common}, ${whole ?? null}::tsquery, ${beginning ?? null}::tsquery) id`,
            ),
            meant: await ids(
              sql`select order_id id from order_words where (words @@ ${query}::tsquery) is true order by order_id desc limit ${most}`,
            ),
          }
        })
        expect([most, common, found]).toEqual([most, common, meant])
      }
})
