/** Brings the tables up to date: plain SQL files, forward only, each in a transaction, one migrator at a time. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)

/** Answers the names of the files that were applied now. Throws when an applied file was changed afterwards. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Any number will do as long as every server uses the same.
    await client.query('select pg_advisory_lock(732419)')
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    // The queue's tables come first: migrations build on its functions.
    await runMigrations({ connectionString: url })
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations')
    const applied = new Map(rows.map(row => [row.name, row.sha256]))
    const now: string[] = []
    for (const name of (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()) {
      const sql = await readFile(new URL(name, folder), 'utf8')
      const sha256 = createHash('sha256').update(sql).digest('hex')
      const before = applied.get(name)
      if (before === sha256) continue
      if (before) throw new Error(`Migration ${name} was changed after it had been applied; write a new one instead`)
      await client.query('begin')
      try {
        await client.query(sql)
        await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`Migration ${name}: ${(error as Error).message}`, { cause: error })
      }
      now.push(name)
    }
    return now
  } finally {
    await client.end()
  }
}
