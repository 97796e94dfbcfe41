/** Changes of warehouse maps; the only writer of `warehouse_maps`. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Drawing } from './drawing.schemas.ts'
import { hashOf } from './maps.queries.ts'

const titleTaken = async (db: Db, title: string, id = 0): Promise<boolean> =>
  (await db
    .selectFrom('warehouse_maps')
    .select('id')
    .where(sql<string>`lower(title)`, '=', title.toLowerCase())
    .where('id', '<>', id)
    .executeTakeFirst()) !== undefined

async function mustBeFree(db: Db, title: string, id?: number): Promise<void> {
  if (await titleTaken(db, title, id))
    throw conflict(
      'map_title_taken',
      'There is a map with this title already',
      {},
      { fields: { title: 'There is a map with this title already' } },
    )
}

export async function insertMap(db: Db, map: { title: string; drawing: Drawing; created_by: string; at: Date }): Promise<number> {
  await mustBeFree(db, map.title)
  const { id } = await db
    .insertInto('warehouse_maps')
    .values({
      title: map.title,
      drawing: JSON.stringify(map.drawing),
      hash: hashOf(map.drawing),
      created_by: map.created_by,
      created_at: map.at.toISOString(),
      updated_at: map.at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** False when it is no longer of that version. */
export async function changeMap(db: Db, id: number, map: { version: number; title: string; drawing: Drawing; at: Date }): Promise<boolean> {
  await mustBeFree(db, map.title, id)
  const changed = await db
    .updateTable('warehouse_maps')
    .set({ title: map.title, drawing: JSON.stringify(map.drawing), hash: hashOf(map.drawing), updated_at: map.at.toISOString() })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', map.version)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

export async function deleteMap(db: Db, id: number): Promise<void> {
  await db.deleteFrom('warehouse_maps').where('id', '=', id).execute()
}
