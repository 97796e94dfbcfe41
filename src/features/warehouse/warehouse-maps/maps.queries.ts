/** Drawn maps in the database. */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { Drawing } from './drawing.contract.ts'
import { routingText } from './drawing.rules.ts'
import type { MapRow, WarehouseMap } from './warehouse-maps.contract.ts'

// ——— Maps

/** SHA-256 of what routes depend on, in hexadecimal. */
export const hashOf = (drawing: Drawing): string => createHash('sha256').update(routingText(drawing)).digest('hex')

export const containing = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`

const mapsOf = (db: Db) =>
  db
    .selectFrom('warehouse_maps as m')
    .select(['m.id as map_id', 'm.title', 'm.version', 'm.hash', 'm.created_by', 'm.created_at', 'm.updated_at'])
    .select(eb => [
      sql<number>`coalesce((m.drawing->>'width')::int, 0)`.as('width'),
      sql<number>`coalesce((m.drawing->>'height')::int, 0)`.as('height'),
      sql<number>`coalesce((m.drawing->>'cell_mm')::int, 0)`.as('cell_mm'),
      sql<number>`coalesce(jsonb_array_length(m.drawing->'locations'), 0)`.as('location_count'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('warehouse_map_results as r')
            .select(c => c.fn.countAll<number>().as('n'))
            .whereRef('r.map_id', '=', 'm.id'),
          eb.lit(0),
        )
        .as('result_count'),
      eb
        .selectFrom('warehouse_map_results as a')
        .select('a.id')
        .whereRef('a.map_id', '=', 'm.id')
        .where('a.state', '=', 'active')
        .as('active_result_id'),
    ])

export async function searchedMaps(db: Db, query: { query: string; page: number; limit: number }): Promise<Page<MapRow>> {
  const narrowed = query.query.trim() ? mapsOf(db).where('m.title', 'ilike', containing(query.query)) : mapsOf(db)
  const rows = await narrowed.orderBy('m.updated_at', 'desc').orderBy('m.id', 'desc').limit(query.limit).offset(pageOffset(query)).execute()
  return { rows, ...(await cappedCount(db, narrowed.clearSelect())), offset: pageOffset(query), limit: query.limit }
}

export async function mapById(db: Db, id: number): Promise<WarehouseMap> {
  const row = orNotFound(
    await mapsOf(db).select('m.drawing').where('m.id', '=', id).executeTakeFirst(),
    'map_not_found',
    'This map does not exist',
  )
  return { ...row, drawing: Drawing.parse(row.drawing) }
}

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

/** Holds the map against everybody else who would measure or delete it. */
export async function lockMap(db: Db, id: number): Promise<void> {
  orNotFound(
    await db.selectFrom('warehouse_maps').select('id').where('id', '=', id).forUpdate().executeTakeFirst(),
    'map_not_found',
    'This map does not exist',
  )
}

export const livingStates = ['open', 'picking', 'picked', 'packing'] as const

/** Deletes results that nothing living needs, and lets lists of the past forget by which map they were walked. */
export async function deleteResults(db: Db, by: { map_id: number } | { result_id: number }): Promise<void> {
  const column = 'map_id' in by ? 'map_id' : 'id'
  const value = 'map_id' in by ? by.map_id : by.result_id
  const doomed = await db
    .selectFrom('warehouse_map_results')
    .select(['id', 'file_id', 'state'])
    .where(column, '=', value)
    .forUpdate()
    .execute()
  const ids = doomed.map(one => one.id)
  const whole = 'map_id' in by
  if (doomed.some(one => one.state === 'active'))
    throw whole
      ? conflict('map_active', 'Routes are computed by this map. Set a result of another map active first.')
      : conflict('map_result_active', 'Routes are computed by this result. Set another one active first.')
  if (doomed.some(one => one.state === 'computing'))
    throw whole
      ? conflict('map_measuring_stop_first', 'This map is being measured. Stop that first.')
      : conflict('map_result_computing_stop_first', 'This result is being computed. Stop that first.')
  const living = await db
    .selectFrom('pick_lists')
    .select('id')
    .where('map_result_id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('state', 'in', livingStates)
    .orderBy('id')
    .executeTakeFirst()
  if (living) throw conflict('map_in_use', 'Pick list {{list}} is still walked by it', { list: living.id })
  await db.updateTable('pick_lists').set({ map_result_id: null }).where('map_result_id', '=', sql<number>`any(${ids}::bigint[])`).execute()
  await db.deleteFrom('warehouse_map_results').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute()
  await db
    .deleteFrom('files')
    .where('id', '=', sql<number>`any(${doomed.flatMap(one => one.file_id ?? [])}::bigint[])`)
    .execute()
}

export async function deleteMap(db: Db, id: number): Promise<void> {
  await db.deleteFrom('warehouse_maps').where('id', '=', id).execute()
}
