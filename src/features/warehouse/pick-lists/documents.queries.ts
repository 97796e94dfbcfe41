/** What a printed list reads. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Lines that are still to be picked, or were, in walking order; of all wagons, or of one. */
export function paperLines(db: Db, pick_list_id: number, wagon_no?: number) {
  let asked = db
    .selectFrom('pick_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.wagon_no', 'l.slot_no', 'l.sku', 'l.name', 'l.variant', 'l.bin', 'l.cell', 'l.asked', 'p.image_file_id'])
    .where('l.pick_list_id', '=', pick_list_id)
    .where('l.state', '<>', 'gone')
  if (wagon_no !== undefined) asked = asked.where('l.wagon_no', '=', wagon_no)
  return asked.orderBy('l.wagon_no').orderBy('l.walk_no').orderBy('l.id').execute()
}

export const picturesOf = (db: Db, lines: readonly { image_file_id: number | null }[]): Promise<{ id: number; sha256: string }[]> =>
  db
    .selectFrom('files')
    .select(['id', 'sha256'])
    .where('id', '=', sql<number>`any(${[...new Set(lines.flatMap(line => line.image_file_id ?? []))]}::bigint[])`)
    .execute()
