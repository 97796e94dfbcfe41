/** What storing reads of a company that PostgreSQL has never counted: as much as the orders need, however much there is. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTools, scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { scansOnce, textsOf } from '#test/statement-plans.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { storeOrders } from './order-upsert.commands.ts'

const many = 4_000
let testApp: TestApp
let known: TestOperator
let unknown: TestOperator

/** As many products and orders as a shop brings with it, past every statistic. */
const fill = (root: pg.Client, { operator_id, main }: TestOperator) =>
  root.query(
    `with p as (insert into products (operator_id, company_id, sku, name) select $1, $2, 'SKU-' || n, 'Product ' || n from generate_series(1, ${many}) n)
     insert into orders (operator_id, company_id, external_id, order_no, currency, ordered_at, ship_country, ship_to, fingerprint)
       select $1, $2, 'E' || n, 'N' || n, 'DKK', now(), 'DK', '{}', sha256(n::text::bytea) from generate_series(1, ${many}) n`,
    [operator_id, main.id],
  )

beforeAll(async () => {
  testApp = await openTestApp()
  known = await testApp.operator()
  unknown = await testApp.operator()
  const root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  for (const table of ['products', 'orders']) await root.query(`alter table ${table} set (autovacuum_enabled = false)`)
  await fill(root, known)
  await root.query('analyze products, orders')
  await fill(root, unknown)
  await root.end()
})
afterAll(() => testApp.close())

/** Which tables the first look of a batch scans, each with the index and its condition. */
async function looksOf(operator: TestOperator, options: { import_id?: number }) {
  const scope = scopeOfCompany(operator)
  const order = toOrder(
    CanonicalOrder.parse({
      external_id: 'X1',
      order_no: 'X1',
      currency: 'DKK',
      ship_to: { name: 'Lene Hansen', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
      lines: [{ sku: 'SKU-7', name: 'Product', qty: 1 }],
    }),
  )
  return testApp.services.database.transaction(scope, async db => {
    const texts = textsOf(db)
    await storeOrders(buildTools(testApp.services, db, scope), [order], options)
    // Without its values, as the statement is planned once for all batches.
    return scansOnce(db, texts[0] ?? '')
  })
}

it.each([
  ['that is known to the planner', () => known],
  ['that is not', () => unknown],
])('a batch finds products by their numbers and orders by theirs, in a company %s', async (_, operator) => {
  for (const options of [{}, { import_id: 1 }]) {
    const looks = await looksOf(operator(), options)
    const of = (table: string) => looks.filter(look => look['Relation Name'] === table)
    expect(of('products').map(look => look['Index Name'])).toEqual(['products_sku'])
    expect(elementAt(of('products'), 0)['Index Cond']).toContain('sku_key')
    for (const look of of('orders')) expect(look['Index Cond']).toMatch(/external_id|order_no|combined_into|split_of/)
  }
})
