/** The filter of statements: which words stand in a statement that names no tenant. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { DB } from './schema.ts'
import { TenantFilterPlugin } from './tenant-filter.plugin.ts'

const scope = { operator_id: 7, company_id: 11, companies: [11, 12] }
const db = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: of => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new TenantFilterPlugin(scope)],
})
const plain = ({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) => ({
  text: text.replaceAll('"', ''),
  parameters,
})

describe('a statement', () => {
  it('that reads sees the operator and the companies in reach', () => {
    expect(plain(db.selectFrom('orders').select('id').compile())).toEqual({
      text: 'select id from orders where orders.operator_id = $1 and orders.company_id = any($2)',
      parameters: [7, [11, 12]],
    })
  })

  it('keeps its own conditions, and goes by the name that it gives the table', () => {
    expect(plain(db.selectFrom('orders as o').select('o.id').where('o.id', '=', 5).compile())).toEqual({
      text: 'select o.id from orders as o where o.id = $1 and o.operator_id = $2 and o.company_id = any($3)',
      parameters: [5, 7, [11, 12]],
    })
  })

  it('fences every table that it reads from, also those of joins', () => {
    const { text } = plain(
      db.selectFrom(['orders', 'products as p']).leftJoin('order_lines as l', 'l.order_id', 'orders.id').select('orders.id').compile(),
    )
    expect(text).toBe(
      'select orders.id from orders, products as p left join order_lines as l on l.order_id = orders.id and l.operator_id = $1 and l.company_id = any($2) ' +
        'where orders.operator_id = $3 and orders.company_id = any($4) and p.operator_id = $5 and p.company_id = any($6)',
    )
  })

  it('fences a join that has no condition of its own', () => {
    expect(plain(db.selectFrom('operators').crossJoin('orders').select('orders.id').compile()).text).toContain(
      'orders on orders.operator_id = $1 and orders.company_id = any($2)',
    )
  })

  it('fences a query inside a query once', () => {
    const inner = db.selectFrom('order_lines').select('order_id').where('qty', '>', 1)
    expect(plain(db.selectFrom('orders').select('id').where('id', 'in', inner).compile()).text).toBe(
      'select id from orders where id in (select order_id from order_lines where qty > $1 and order_lines.operator_id = $2 and order_lines.company_id = any($3)) ' +
        'and orders.operator_id = $4 and orders.company_id = any($5)',
    )
  })

  it('that changes rows changes the own ones, by the own ones', () => {
    const changed = db.updateTable('orders').from('products as p').set({ version: 2 }).whereRef('p.id', '=', 'orders.id')
    expect(plain(changed.compile()).text).toBe(
      'update orders set version = $1 from products as p where p.id = orders.id and orders.operator_id = $2 and orders.company_id = any($3) ' +
        'and p.operator_id = $4 and p.company_id = any($5)',
    )
  })

  it('that deletes rows deletes the own ones, by the own ones', () => {
    expect(plain(db.deleteFrom('orders').compile()).text).toBe(
      'delete from orders where orders.operator_id = $1 and orders.company_id = any($2)',
    )
    expect(plain(db.deleteFrom('orders').using('products').whereRef('products.id', '=', 'orders.id').compile()).text).toBe(
      'delete from orders using products where products.id = orders.id and orders.operator_id = $1 and orders.company_id = any($2) ' +
        'and products.operator_id = $3 and products.company_id = any($4)',
    )
  })

  it('that reads what companies share is fenced by the operator alone', () => {
    expect(plain(db.selectFrom('deadlines').select('id').compile())).toEqual({
      text: 'select id from deadlines where deadlines.operator_id = $1',
      parameters: [7],
    })
  })

  it('that reads companies sees those in reach by their ids', () => {
    expect(plain(db.selectFrom('companies').select('name').compile()).text).toBe(
      'select name from companies where companies.operator_id = $1 and companies.id = any($2)',
    )
  })

  it('that reads tables of no tenant, or a name that it gave itself, stays as it is', () => {
    expect(plain(db.selectFrom('operators').select('id').compile()).text).toBe('select id from operators')
    const query = db
      .with('orders_of_day', of => of.selectFrom('orders').select('id'))
      .selectFrom('orders_of_day')
      .select('id')
    expect(plain(query.compile()).text).toBe(
      'with orders_of_day as (select id from orders where orders.operator_id = $1 and orders.company_id = any($2)) select id from orders_of_day',
    )
    expect(plain(db.selectFrom(sql<{ n: number }>`generate_series(1, 3)`.as('n')).select('n.n').compile()).text).toBe(
      'select n.n from generate_series(1, 3) as n',
    )
  })

  it('without a table stays as it is', () => {
    expect(plain(db.selectNoFrom(sql<number>`1`.as('one')).compile()).text).toBe('select 1 as one')
  })

  it('answers what the database answers', async () => {
    const result = { rows: [{ id: 1 }] }
    const queryId = db.selectFrom('orders').compile().queryId
    expect(await new TenantFilterPlugin(scope).transformResult({ result, queryId })).toBe(result)
  })
})
