/** Changes of stations: registering one at its first use, and its scanner profile. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { stationColumns, stationOf } from './stations.queries.ts'
import type { KnownStation } from './stations.schemas.ts'

/** Registers the station at its first use. Within a minute of the last use nothing is written. */
export async function touchStation(db: Db, name: string, now: Date): Promise<KnownStation> {
  const known = await db
    .selectFrom('stations')
    .select(stationColumns)
    .where(eb => eb(eb.fn<string>('lower', ['name']), '=', name.toLowerCase()))
    .executeTakeFirst()
  if (known && now.getTime() - Date.parse(known.last_used_at) < 60_000) return stationOf(known)
  const at = now.toISOString()
  const row = await db
    .insertInto('stations')
    .values({ name, first_used_at: at, last_used_at: at })
    .onConflict(one => one.expression(sql`operator_id, lower(name)`).doUpdateSet({ last_used_at: at }))
    .returning(stationColumns)
    .executeTakeFirstOrThrow()
  return stationOf(row)
}

export async function saveScanner(db: Db, name: string, scanner: object | null, now: Date): Promise<KnownStation> {
  const { id } = await touchStation(db, name, now)
  const row = await db
    .updateTable('stations')
    .set({ scanner: scanner && JSON.stringify(scanner) })
    .where('id', '=', id)
    .returning(stationColumns)
    .executeTakeFirstOrThrow()
  return stationOf(row)
}
