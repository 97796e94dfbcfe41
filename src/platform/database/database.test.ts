/** The database: a transaction ends for every part of the work that ran in it. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { type Db, openDatabase } from './database.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
})
afterAll(() => testApp.close())

const over = 'The transaction of this statement is over'

it('lets nothing speak on after the end of its transaction, which would be somebody else’s', async () => {
  // One connection: the next caller gets the very same.
  const database = openDatabase(testApp.services.database.url, { connections: 1 })
  try {
    const scope = scopeOfCompany(operator)
    let late: Promise<unknown> = Promise.resolve()
    const next = Promise.withResolvers<void>()
    const slow = async (db: Db) => {
      await next.promise
      return sql`select 1`.execute(db)
    }
    const failed = database.transaction(scope, async db => {
      late = slow(db)
      late.catch(() => undefined)
      await sql`select 1 / 0`.execute(db)
    })
    await expect(failed).rejects.toThrow('division by zero')
    await database.transaction(scope, () => {
      next.resolve()
      return expect(late).rejects.toThrow(over)
    })

    const kept = await database.transaction(scope, async db => ({ db }))
    await expect(sql`select 1`.execute(kept.db)).rejects.toThrow(over)
  } finally {
    await database.close()
  }
})

it('lets many read at once in turn, and every one of them, also when some fail', async () => {
  const database = openDatabase(testApp.services.database.url, { connections: 2 })
  try {
    const asked = Array.from({ length: 200 }, (_, i) =>
      database.readOnly(scopeOfCompany(operator), db => sql<{ n: number }>`select 1 / ${i % 10}::int as n, ${i}::int as i`.execute(db)),
    )
    const answers = await Promise.allSettled(asked)
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(180)
    // No one kept a turn: as many again are answered.
    expect(await Promise.all(asked.map(() => database.readOnly(scopeOfCompany(operator), async () => 1)))).toHaveLength(200)
  } finally {
    await database.close()
  }
})

it('keeps connections for changes, however many read at once and however long', async () => {
  const database = openDatabase(testApp.services.database.url)
  try {
    const scope = scopeOfCompany(operator)
    let answered = 0
    const reading = Array.from({ length: 60 }, async () => {
      await database.readOnly(scope, db => sql`select pg_sleep(0.5)`.execute(db))
      answered++
    })
    await wait(100)
    await database.transaction(scope, db => sql`select 1`.execute(db))
    // Had they all the connections, it would come last.
    expect(answered).toBeLessThan(36)
    await Promise.all(reading)
  } finally {
    await database.close()
  }
})

it('answers each statement with one process of the database', async () => {
  const workers = await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const { rows } = await sql<{ most: string }>`select current_setting('max_parallel_workers_per_gather') as most`.execute(db)
    return rows
  })
  expect(workers).toEqual([{ most: '0' }])
})

it('lets no statement, no lock and no forgotten transaction last for ever', async () => {
  const patience = await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db)
    return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
  })
  expect(patience).toEqual({ statement_timeout: 110_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 })
})
