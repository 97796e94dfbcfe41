/** What a wagon fetches, in the order of its walk. */
import type { Db } from '#platform/database/database.ts'

export interface WagonLines {
  map_result_id: number | null
  lines: { bin: string | null; cell: number | null; asked: number }[]
}

/** What one wagon fetches, in the order of its walk; null where there is no such wagon. */
export async function wagonLines(db: Db, pick_list_id: number, wagon_no: number): Promise<WagonLines | null> {
  const wagon = await db
    .selectFrom('pick_wagons as w')
    .innerJoin('pick_lists as p', 'p.id', 'w.pick_list_id')
    .select('p.map_result_id')
    .where('w.pick_list_id', '=', pick_list_id)
    .where('w.wagon_no', '=', wagon_no)
    .executeTakeFirst()
  if (!wagon) return null
  const lines = await db
    .selectFrom('pick_lines')
    .select(['bin', 'cell', 'asked'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', '<>', 'gone')
    .orderBy('walk_no')
    .orderBy('id')
    .execute()
  return { map_result_id: wagon.map_result_id, lines }
}

/** The first wagon of the newest list. */
export const newestWagon = (db: Db): Promise<{ pick_list_id: number; wagon_no: number } | undefined> =>
  db
    .selectFrom('pick_wagons')
    .select(['pick_list_id', 'wagon_no'])
    .where('state', '<>', 'cancelled')
    .orderBy('pick_list_id', 'desc')
    .orderBy('wagon_no')
    .limit(1)
    .executeTakeFirst()
