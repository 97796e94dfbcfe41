/** Stations in the database: one list an operator, names alike whatever their letters' case. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { KnownStation } from './stations.contract.ts'

const columns = ['id', 'name', 'first_used_at', 'last_used_at', 'scanner'] as const
type Row = Omit<KnownStation, 'scanner'> & { scanner: unknown }
const stationOf = (row: Row): KnownStation => ({ ...row, scanner: (row.scanner ?? null) as KnownStation['scanner'] })

export async function allStations(db: Db): Promise<KnownStation[]> {
  const rows = await db.selectFrom('stations').select(columns).orderBy(sql`lower(name)`).limit(500).execute()
  return rows.map(stationOf)
}

/** Registers the station at its first use. Within a minute of the last use nothing is written. */
export async function touchStation(db: Db, name: string, now: Date): Promise<KnownStation> {
  const known = await db
    .selectFrom('stations')
    .select(columns)
    .where(eb => eb(eb.fn<string>('lower', ['name']), '=', name.toLowerCase()))
    .executeTakeFirst()
  if (known && now.getTime() - Date.parse(known.last_used_at) < 60_000) return stationOf(known)
  const at = now.toISOString()
  const row = await db
    .insertInto('stations')
    .values({ name, first_used_at: at, last_used_at: at })
    .onConflict(one => one.expression(sql`operator_id, lower(name)`).doUpdateSet({ last_used_at: at }))
    .returning(columns)
    .executeTakeFirstOrThrow()
  return stationOf(row)
}

export async function saveScanner(db: Db, name: string, scanner: object | null, now: Date): Promise<KnownStation> {
  const { id } = await touchStation(db, name, now)
  const row = await db
    .updateTable('stations')
    .set({ scanner: scanner && JSON.stringify(scanner) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return stationOf(row)
}
