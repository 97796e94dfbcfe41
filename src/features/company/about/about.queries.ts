/** Facts about the database itself, which belong to no tenant. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'

export async function aboutDatabase(db: Db): Promise<{
  version: string
  bytes: number
  migrations: { name: string; applied_at: string }[]
  queue: { waiting: number; failed: number; oldest: string | null }
}> {
  const size = await sql<{ version: string; bytes: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`.execute(db)
  const migrations = await sql<{ name: string; applied_at: string }>`select name, applied_at from applied_migrations()`.execute(db)
  const queue = await sql<{
    waiting: number
    failed: number
    oldest: string | null
  }>`select waiting, failed, oldest from queue_length()`.execute(db)
  const { version, bytes } = elementAt(size.rows, 0)
  return { version, bytes, migrations: migrations.rows, queue: elementAt(queue.rows, 0) }
}
