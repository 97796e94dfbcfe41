/** Stations in the database: one list an operator, names alike whatever their letters' case. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { KnownStation } from './stations.schemas.ts'

export const stationColumns = ['id', 'name', 'first_used_at', 'last_used_at', 'scanner'] as const
type Row = Omit<KnownStation, 'scanner'> & { scanner: unknown }
export const stationOf = (row: Row): KnownStation => ({ ...row, scanner: (row.scanner ?? null) as KnownStation['scanner'] })

export async function allStations(db: Db): Promise<KnownStation[]> {
  const rows = await db.selectFrom('stations').select(stationColumns).orderBy(sql`lower(name)`).limit(500).execute()
  return rows.map(stationOf)
}
