/** Statements and what travels ahead of them: who may see what, from the first statement to the last, and no one after it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conflict } from '#contract/errors.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { executeWithGenericPlan } from './compiled-query.ts'
import { CommitInDoubtError, commitWithNextStatement, type Database, type Db, openDatabase } from './database.ts'
import type { TenantScope } from './tenant-scope.ts'

let testApp: TestApp
let database: Database
let home: TestOperator
let scope: TenantScope
beforeAll(async () => {
  testApp = await openTestApp()
  // One connection, so that the next caller is given what the last one left behind.
  database = openDatabase(testApp.url, { connections: 1 })
  home = await testApp.operator({ shops: 1 })
  scope = { operator_id: home.operator_id, company_id: home.main.id, companies: [home.main.id] }
})
afterAll(async () => {
  await database.close()
  await testApp.close()
})

const addComment = (db: Db, order_id: number) =>
  db.insertInto('order_comments').values({ order_id, type: 'info', comment: 'x', actor: 'test' }).execute()
const setting = (db: Db, name: string) =>
  sql<{ value: string | null }>`select nullif(current_setting(${name}, true), '') as value`.execute(db).then(({ rows }) => rows[0]?.value)
const codes = (db: Db) => db.selectFrom('companies').select('code').orderBy('code').execute()

describe('A read', () => {
  it('sees its scope in every statement, asked one after the other or at once', () =>
    database.readOnly(scope, async db => {
      const asked = await Promise.all([codes(db), setting(db, 'app.operator'), codes(db)])
      expect(asked).toEqual([[{ code: home.main.code }], String(home.operator_id), [{ code: home.main.code }]])
      expect(await setting(db, 'role')).toBe('pakhus_app')
    }))

  it('can change nothing, in its first statement or a later one', () =>
    database.readOnly(scope, async db => {
      await expect(db.deleteFrom('cms_keys').execute()).rejects.toThrow('read-only transaction')
      expect(await codes(db)).toHaveLength(1)
      await expect(addComment(db, 1)).rejects.toThrow('read-only transaction')
    }))

  it('goes on after a statement that failed', () =>
    database.readOnly(scope, async db => {
      await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division by zero')
      await expect(sql`select nonsense`.execute(db)).rejects.toThrow('does not exist')
      expect(await codes(db)).toHaveLength(1)
    }))

  it('leaves no scope behind on its connection', async () => {
    await database.readOnly(scope, codes)
    const { rows } = await database.pool.query<{ operator: string; role: string; read_only: string }>(
      `select coalesce(current_setting('app.operator', true), '') operator, current_user as role, current_setting('transaction_read_only') read_only`,
    )
    expect(rows).toEqual([{ operator: '', role: 'pakhus_app', read_only: 'off' }])
  })
})

describe('A look as the system', () => {
  it('sees every tenant, can change nothing, and leaves its role to no one', async () => {
    await testApp.operator()
    const seen = await database.systemRead('a test looks', async db => {
      await expect(db.deleteFrom('cms_keys').execute()).rejects.toThrow('read-only transaction')
      return await Promise.all([codes(db), setting(db, 'role')])
    })
    expect([seen[0].length > 1, seen[1]]).toEqual([true, 'pakhus_system'])
    const { rows } = await database.pool.query<{ role: string; read_only: string }>(
      `select current_user as role, current_setting('transaction_read_only') read_only`,
    )
    expect(rows).toEqual([{ role: 'pakhus_app', read_only: 'off' }])
  })
})

describe('A statement', () => {
  it('whose plan never depends on its values is planned once, wherever it stands in a transaction, and the others as before', async () => {
    const marked = (db: Db) =>
      executeWithGenericPlan(db, sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode, 'marked' as it`)
    const other = (db: Db) => sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`.execute(db).then(({ rows }) => rows)
    const modes = async (db: Db) =>
      (await Promise.all([marked(db), other(db), marked(db), marked(db), other(db), other(db)])).map(([row]) => row?.mode)
    const expected = ['force_generic_plan', 'auto', 'force_generic_plan', 'force_generic_plan', 'auto', 'auto']
    expect(await database.readOnly(scope, modes)).toEqual(expected)
    expect(await database.transaction(scope, modes)).toEqual(expected)
    expect(await database.transaction(scope, other)).toEqual([{ mode: 'auto' }])
  })
})

describe('A change', () => {
  const tag = (db: Db, name: string) =>
    db
      .insertInto('cms_keys')
      .values({ name, prefix: name, key_hash: Buffer.from(name) })
      .execute()
  const tags = () => database.readOnly(scope, db => db.selectFrom('cms_keys').select('name').orderBy('name').execute())

  it('is one transaction from its first statement on: all of it happens', async () => {
    await database.transaction(scope, async db => {
      const began = sql<{ at: string }>`select now() as at`
      const [{ rows: first }] = await Promise.all([began.execute(db), tag(db, 'one'), tag(db, 'two')])
      expect((await began.execute(db)).rows).toEqual(first)
    })
    expect(await tags()).toEqual([{ name: 'one' }, { name: 'two' }])
  })

  it('or none of it, whichever statement fails, and the connection serves the next', async () => {
    const fail = (db: Db) => sql`select 1 / 0`.execute(db)
    await expect(database.transaction(scope, db => fail(db))).rejects.toThrow('division by zero')
    await expect(database.transaction(scope, db => tag(db, 'three').then(() => fail(db)))).rejects.toThrow('division by zero')
    await expect(database.transaction(scope, db => Promise.all([tag(db, 'four'), fail(db), tag(db, 'five')]))).rejects.toThrow()
    await expect(database.transaction(scope, db => sql`selekt`.execute(db))).rejects.toThrow('syntax error')
    expect(await tags()).toHaveLength(2)
  })

  it('does not pass for done when a statement failed that no one waited for', async () => {
    await expect(
      database.transaction(scope, async db => {
        sql`select 1 / 0`.execute(db).catch(() => undefined)
        await tag(db, 'six').catch(() => undefined)
      }),
    ).rejects.toThrow('could not be committed')
    expect(await tags()).toHaveLength(2)
  })

  it('asks nothing of the database when it has nothing to ask', async () => {
    expect(await database.transaction(scope, async () => 'nothing')).toBe('nothing')
    expect(await tags()).toHaveLength(2)
  })

  it('is not taken with a scope that is no number', async () => {
    const forged = { ...scope, operator_id: "1'; drop table orders; --" as unknown as number }
    await expect(database.transaction(forged, codes)).rejects.toThrow('whole numbers')
  })
})

describe('A commit that travels with the last statement', () => {
  const key = (db: Db, name: string) =>
    db
      .insertInto('cms_keys')
      .values({ name, prefix: name, key_hash: Buffer.from(name) })
      .execute()
  const kept = async (name: string) =>
    (await database.readOnly(scope, db => db.selectFrom('cms_keys').select('name').where('name', '=', name).execute())).length
  const last = (db: Db, name: string) => {
    commitWithNextStatement(db)
    return key(db, name)
  }

  it('keeps that statement and all before it', async () => {
    expect(
      await database.transaction(scope, async db => {
        await key(db, 'before')
        await last(db, 'behind')
        return 'answer'
      }),
    ).toBe('answer')
    expect([await kept('before'), await kept('behind')]).toEqual([1, 1])
  })

  it('is the whole change where that statement is the first, and answers its rows', async () => {
    const rows = await database.transaction(scope, async db => {
      commitWithNextStatement(db)
      return db.updateTable('cms_keys').set({ name: 'alone' }).where('name', '=', 'behind').returning('prefix').execute()
    })
    expect(rows).toEqual([{ prefix: 'behind' }])
    expect(await kept('alone')).toBe(1)
  })

  it('never comes to pass when that statement, or one before it, fails', async () => {
    const fail = (db: Db) => sql`select 1 / 0`.execute(db)
    const lastFails = database.transaction(scope, async db => {
      await key(db, 'lost')
      commitWithNextStatement(db)
      await fail(db)
    })
    await expect(lastFails).rejects.toThrow('division by zero')
    const earlierFails = database.transaction(scope, async db => {
      await fail(db).catch(() => undefined)
      await last(db, 'lost')
    })
    await expect(earlierFails).rejects.toThrow('current transaction is aborted')
    const failureHidden = database.transaction(scope, async db => {
      commitWithNextStatement(db)
      await fail(db).catch(() => undefined)
    })
    await expect(failureHidden).rejects.toThrow('could not be committed')
    expect(await kept('lost')).toBe(0)
  })

  it('lets nothing follow in the same change', async () => {
    const more = database.transaction(scope, async db => {
      await last(db, 'end')
      await expect(key(db, 'after the end')).rejects.toThrow('is over')
    })
    await more
    expect([await kept('end'), await kept('after the end')]).toEqual([1, 0])
  })

  it('stands when the answer is a refusal, and is called in doubt when anything else goes wrong behind it', async () => {
    const refusing = database.transaction(scope, async db => {
      await last(db, 'refused')
      throw conflict('busy', 'No more of these')
    })
    await expect(refusing).rejects.toThrow('No more of these')
    const failing = database.transaction(scope, async db => {
      await last(db, 'failed')
      throw new TypeError('no such thing')
    })
    await expect(failing).rejects.toBeInstanceOf(CommitInDoubtError)
    expect([await kept('refused'), await kept('failed')]).toEqual([1, 1])
  })

  it('leaves the connection to the next, with no scope on it', async () => {
    await database.transaction(scope, db => last(db, 'next'))
    const { rows } = await database.pool.query<{ operator: string; role: string; open: boolean }>(
      `select coalesce(current_setting('app.operator', true), '') operator, current_user as role, now() < statement_timestamp() as open`,
    )
    expect(rows).toEqual([{ operator: '', role: 'pakhus_app', open: false }])
  })

  it('is of no consequence to a read', async () => {
    expect(
      await database.readOnly(scope, async db => {
        commitWithNextStatement(db)
        await codes(db)
        return (await codes(db)).length
      }),
    ).toBe(1)
  })
})
