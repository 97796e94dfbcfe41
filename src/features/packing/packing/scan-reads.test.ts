/** A scan looks its code up by an index, however many companies have products: the one plan for all scans is made before a code is known. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { scansOnce, textsOf } from '#test/statement-plans.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { packingState } from './packing.queries.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  const others = await Promise.all(Array.from({ length: 29 }, () => testApp.operator()))
  const client = new pg.Client({ connectionString: testApp.url })
  await client.connect()
  for (const { operator_id, main } of [operator, ...others])
    await client.query(
      `with made as (insert into products (operator_id, company_id, sku, name) select $1, $2, 'S-' || n, 'Name ' || md5(n::text) from generate_series(1, 1000) n returning id)
       insert into product_barcodes (operator_id, company_id, product_id, barcode) select $1, $2, id, 'B-' || id from made limit 50`,
      [operator_id, main.id],
    )
  await client.query('analyze products, product_barcodes')
  await client.end()
})
afterAll(() => testApp.close())

it('looks up a code by the index of product numbers and by the one of barcodes, never by all products of the company', async () => {
  await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const texts = textsOf(db)
    await packingState(db, 1, ['B-1'], '9ec2301e-39d3-4005-99b3-e2ccca594820')
    const scans = await scansOnce(db, elementAt(texts, 0))
    const indexes = scans.filter(scan => scan['Relation Name']?.startsWith('product')).map(scan => scan['Index Name'])
    expect(indexes.toSorted()).toEqual(['product_barcodes_pkey', 'products_pkey', 'products_pkey', 'products_sku'])
  })
})
