/** Brings the tables up to date with Kysely's Migrator: plain SQL files, forward only, each in a transaction, one server at a time. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { type DatabaseIntrospector, Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { errorOf, textIn } from '#domain/thrown.ts'
import { applySettings } from './session-settings.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const migrationTableName = 'migrations'
const migrationLockTableName = 'migrations_lock'
/** Milliseconds for which a statement waits for a lock: readers queue behind one that waits. It then gives up and is tried again. */
const lockTimeout = 700
const lockPause = 300
const mostTries = 200
/** Codes of PostgreSQL: the lock was not free, and two transactions wait for each other. */
const lockErrors = ['55P03', '40P01']
/** First line of a file whose one statement fills rows that exist: it runs until it changes nothing, each run in a transaction. */
const batchMark = '-- in batches\n'

interface MigrationTables {
  migrations: { name: string; sha256: string | null }
}
interface SqlMigration extends Migration {
  sha256: string
}

export interface MigrateOptions {
  /** Leaves out files whose names sort from here on: the tables of an older release. */
  before?: string
  /** Applies these files alone: the tables of a backup. */
  only?: ReadonlySet<string>
  /** Called after each file with the milliseconds that it took. */
  onApplied?(name: string, took_ms: number): void
}

/** The Migrator looks for its own two tables before each file, and would read all tables with all their columns for that. */
class MigratorDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return {
      getSchemas: () => super.createIntrospector(db).getSchemas(),
      async getTables() {
        const { rows } = await sql<{ name: string }>`
          select name from unnest(${[migrationTableName, migrationLockTableName]}::text[]) name where to_regclass(name) is not null`.execute(
          db,
        )
        return rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }))
      },
    }
  }
}

/** Returns the names of the files that were applied now. Throws when an applied file was changed afterwards. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    onConnect: applySettings({ lock_timeout: `${lockTimeout}`, idle_in_transaction_session_timeout: '0' }),
  })
  // An idle connection that breaks is opened anew when it is needed; without a listener it would end the process.
  pool.on('error', () => undefined)
  const db = new Kysely<MigrationTables>({ dialect: new MigratorDialect({ pool }) })
  try {
    // Any number will do as long as every server uses the same. The lock covers the queue's tables and the checksums too.
    return await db.connection().execute(async lock => {
      await sql`set lock_timeout = 0`.execute(lock)
      await sql`select pg_advisory_lock(732419)`.execute(lock)
      return await migrateLocked(db, url, options)
    })
  } finally {
    await db.destroy()
  }
}

async function migrateLocked(db: Kysely<MigrationTables>, url: string, { before, only, onApplied }: MigrateOptions): Promise<string[]> {
  await prepareMigrationTable(db)
  // The queue's tables come first: migrations build on its functions.
  await runMigrations({ connectionString: url })
  const files = await readMigrations(url, before, only)
  const recorded = await db.selectFrom('migrations').selectAll().execute()
  for (const { name, sha256 } of recorded)
    if (sha256 && files[name] && files[name].sha256 !== sha256)
      throw new Error(`Migration ${name} was changed after it had been applied; write a new one instead`)

  // A file that only a newer release has is applied already: an older server still starts on its tables.
  const newer = recorded.filter(({ name }) => !files[name]).map(({ name }) => [name, { up: async () => {} }] as const)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...files, ...Object.fromEntries(newer) }) },
    migrationTableName,
    migrationLockTableName,
    // Branches add files side by side, so a lower number may arrive later than a higher one.
    allowUnorderedMigrations: true,
  })
  const applied: string[] = []
  // One step is one transaction. All files in one transaction would hold the locks of the first until the end of the last.
  for (;;) {
    const began = performance.now()
    const name = await retryOnLock(async () => {
      const { error, results = [] } = await migrator.migrateUp()
      const name = results[0]?.migrationName
      if (error) throw new Error(`Migration ${name ?? 'table'}: ${errorOf(error).message}`, { cause: error })
      return name
    })
    if (!name) break
    applied.push(name)
    onApplied?.(name, performance.now() - began)
  }
  if (before === undefined && !only) await retryOnLock(() => sql`select create_month_partitions(now())`.execute(db))
  for (const [name, { sha256 }] of Object.entries(files))
    await db.updateTable('migrations').set({ sha256 }).where('name', '=', name).where('sha256', 'is', null).execute()
  return applied
}

/** Tries again what did not get its lock in time; nothing of it has happened. */
async function retryOnLock<T>(step: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await step()
    } catch (error) {
      const code = textIn(errorOf(error).cause, 'code') ?? textIn(error, 'code') ?? ''
      if (tries >= mostTries || !lockErrors.includes(code)) throw error
      await setTimeout(lockPause)
    }
}

/** The hash of each file, by its name. */
export async function migrationSums(): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await readMigrations('')).map(([name, { sha256 }]) => [name, sha256]))
}

async function readMigrations(url: string, before = '~', only?: ReadonlySet<string>): Promise<Record<string, SqlMigration>> {
  const migrations: Record<string, SqlMigration> = {}
  for (const name of (await readdir(folder)).filter(file => file.endsWith('.sql') && file < before && (only?.has(file) ?? true))) {
    const text = await readFile(new URL(name, folder), 'utf8')
    migrations[name] = {
      sha256: createHash('sha256').update(text).digest('hex'),
      up: async db => {
        if (text.startsWith(batchMark)) await runInBatches(url, text)
        else await sql.raw(text).execute(db)
      },
    }
  }
  return migrations
}

/**
 * Other servers work on the rows meanwhile. A file that was interrupted goes on with the rows that are left. The migrator's own
 * transaction is idle until the end, which takes minutes where there are many rows: no time-out may end it.
 */
async function runInBatches(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let left = true
    while (left) {
      await client.query('begin')
      // Row-level security is forced for the owner of the tables too.
      await client.query('set local role pakhus_system')
      left = (await client.query(text)).rows.length > 0
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

/** Creates the table of applied migrations, or adds the Migrator's column `timestamp` to the table of release 0.1.0. */
async function prepareMigrationTable(db: Kysely<MigrationTables>): Promise<void> {
  const iso = (time: string) => sql.raw(`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  await db.transaction().execute(async trx => {
    await sql`create table if not exists migrations (name text primary key, sha256 text, applied_at timestamptz not null default now())`.execute(
      trx,
    )
    await sql`alter table migrations alter sha256 drop not null, add column if not exists timestamp text`.execute(trx)
    await sql`update migrations set timestamp = ${iso('applied_at')} where timestamp is null`.execute(trx)
    // A server of release 0.1.0 that starts later writes no timestamp.
    await sql`alter table migrations alter timestamp set default ${iso('now()')}, alter timestamp set not null`.execute(trx)
  })
}
