/** Reading warehouse maps. */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { routingText } from './drawing.rules.ts'
import { Drawing } from './drawing.schemas.ts'
import type { MapRow, WarehouseMap } from './warehouse-maps.schemas.ts'

/** SHA-256 of what routes depend on, in hexadecimal. */
export const hashOf = (drawing: Drawing): string => createHash('sha256').update(routingText(drawing)).digest('hex')

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
  const row = orNotFound(await mapsOf(db).select('m.drawing').where('m.id', '=', id).executeTakeFirst(), 'map_not_found', 'Map not found')
  return { ...row, drawing: Drawing.parse(row.drawing) }
}

/** Holds the map against everybody else who would measure or delete it. */
export async function lockMap(db: Db, id: number): Promise<void> {
  orNotFound(
    await db.selectFrom('warehouse_maps').select('id').where('id', '=', id).forUpdate().executeTakeFirst(),
    'map_not_found',
    'Map not found',
  )
}
