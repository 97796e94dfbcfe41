/** Tenants: nothing of one company or operator is seen, counted, changed or even noticed from another – by either fence alone. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callApi, each } from './api-client.ts'
import { type CompanyFixture, dumpOf } from './fixtures.ts'
import { seedOf, valid } from './hostile-inputs.ts'
import {
  askableCalls,
  type Belongings,
  breakableFilter,
  canary,
  fillTenants,
  sisterMark,
  sweep,
  withoutRowSecurity,
} from './tenant-tries.ts'
import { openTestApp, type TestApp, type TestOperator } from './test-app.ts'

const fence = breakableFilter()
let testApp: TestApp
let root: pg.Client
let home: TestOperator
let foreign: TestOperator
let main: CompanyFixture
let shop: CompanyFixture
let sister: CompanyFixture
let strange: Belongings
let near: Belongings

beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  ;({ home, foreign, main, shop, sister, strange, near } = await fillTenants(testApp, root))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await root.end()
  await testApp.close()
})

const reading = askableCalls.filter(call => call.method === 'GET')

async function untouched(work: () => Promise<void>): Promise<void> {
  const before = await dumpOf(root, foreign.operator_id)
  await work()
  expect(await dumpOf(root, foreign.operator_id)).toEqual(before)
}

describe('the filled world', () => {
  it('has something of the other operator in every table and a mark in every row that holds text', async () => {
    const dump = await dumpOf(root, foreign.operator_id)
    expect(Object.entries(dump).flatMap(([table, text]) => (text === '' ? [table] : []))).toEqual([])
    const { rows } = await root.query<{ table: string }>(
      `select distinct c.relname "table" from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relname = any ($1) and a.atttypid in ('text'::regtype, 'jsonb'::regtype) and not a.attisdropped`,
      [Object.keys(dump)],
    )

    const marked = rows.filter(({ table }) => dump[table]?.includes(canary)).length
    expect(marked).toBeGreaterThan(rows.length * 0.9)
    expect(strange.tables.length).toBeGreaterThan(40)
  })
})

describe('another operator', () => {
  it('is nowhere in what anybody may read without naming anything', async () => {
    const leaks: string[] = []
    await untouched(async () => {
      for (const worker of [main.admin, shop.admin])
        await each(reading, async call => {
          const { body } = await callApi(testApp.app, call, {
            company: worker.company.code,
            token: worker.token,
            params: valid(call.params, seedOf(call), 1)[0] as Record<string, unknown>,
            query: call.query ? (valid(call.query, seedOf(call), 1)[0] as Record<string, unknown>) : undefined,
          })
          if (body.includes(canary)) leaks.push(`${call.line}: ${body.slice(0, 200)}`)
        })
    })
    expect(leaks).toEqual([])
  })

  it('answers every call like something that never was, and stays as it is to the byte', async () => {
    await untouched(async () => {
      const { asked, differ, leaks } = await sweep(testApp, main.admin, askableCalls, strange, canary)
      expect(leaks).toEqual([])
      expect(differ).toEqual([])
      expect(asked).toBeGreaterThan(600)
    })
  })

  it('is kept out by the words in the statements alone, with row-level security switched off', async () => {
    await withoutRowSecurity(root, () =>
      untouched(async () => {
        const { differ, leaks } = await sweep(testApp, main.admin, askableCalls, strange, canary, { compare: false })
        expect(leaks).toEqual([])
        expect(differ).toEqual([])
      }),
    )
  })

  it('is kept out by row-level security alone, with the words in the statements left away', async () => {
    fence.down = true
    try {
      await untouched(async () => {
        const { differ, leaks } = await sweep(testApp, main.admin, askableCalls, strange, canary, { compare: false })
        expect(leaks).toEqual([])
        expect(differ).toEqual([])
      })
    } finally {
      fence.down = false
    }
  })

  // The proof that the proof can see: with both fences down the same questions must find something.
  it('is seen at once when both fences are down', async () => {
    fence.down = true
    try {
      await withoutRowSecurity(root, async () => {
        const { leaks } = await sweep(testApp, main.admin, reading, strange, canary, { compare: false })
        expect(leaks.length).toBeGreaterThan(12)
      })
    } finally {
      fence.down = false
    }
  })
})

describe('the other companies of the own operator', () => {
  it('are nothing to the staff of a shop: neither its sister nor the main company', async () => {
    const before = await dumpOf(root, home.operator_id, sister.company.id)
    const { asked, differ, leaks } = await sweep(testApp, shop.admin, askableCalls, near, sisterMark)
    expect(leaks).toEqual([])
    expect(differ).toEqual([])
    expect(asked).toBeGreaterThan(600)
    expect(await dumpOf(root, home.operator_id, sister.company.id)).toEqual(before)
  })

  it('are seen by main-company staff through the calls declared so, and written by no other', async () => {
    const narrow = askableCalls.filter(call => call.tenantScope === 'company')
    const before = await dumpOf(root, home.operator_id, sister.company.id)
    const { differ, leaks } = await sweep(testApp, main.admin, narrow, near, sisterMark)
    expect(leaks).toEqual([])
    expect(differ).toEqual([])
    expect(await dumpOf(root, home.operator_id, sister.company.id)).toEqual(before)
    const wide = await sweep(
      testApp,
      main.admin,
      askableCalls.filter(call => call.tenantScope === 'operator' && call.method === 'GET'),
      near,
      sisterMark,
    )
    expect(wide.leaks.length).toBeGreaterThan(3)
  })

  it('cannot be written to from a shop even by a statement of its own', async () => {
    const scope = { operator_id: home.operator_id, company_id: shop.company.id, companies: [shop.company.id] }
    const { database } = testApp.services
    const insert = (company_id: number) =>
      database.transaction(scope, db =>
        db.insertInto('saved_views').values({ company_id, screen: 'x', name: 'x', query: '{}', user_id: 1 }).execute(),
      )
    await expect(insert(sister.company.id)).rejects.toThrow(/row-level security/)
    await expect(insert(foreign.main.id)).rejects.toThrow(/row-level security/)
    const { rows } = await root.query<{ n: number }>('select count(*)::int n from orders')
    const seen = await database.transaction(scope, db =>
      db.selectFrom('orders').select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
    )
    expect(Number(seen.n)).toBe(3)
    expect(rows[0]?.n).toBeGreaterThan(10)
    const moved = database.transaction(scope, db =>
      db
        .updateTable('orders')
        .set({ company_id: sister.company.id } as never)
        .where('id', '=', shop.orders.held)
        .execute(),
    )
    await expect(moved).rejects.toThrow(/row-level security/)
  })
})

it('a forgotten scope shows nothing instead of everything', async () => {
  await expect(testApp.services.database.pool.query('select * from orders')).rejects.toThrow(
    /app.operator|unrecognized|invalid input syntax/,
  )
})
