/** Reading measured results of maps. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { type MapResult, Quality, type ResultRow } from './map-results.schemas.ts'

export const livingStates = ['open', 'picking', 'picked', 'packing'] as const

const resultsOf = (db: Db) =>
  db
    .selectFrom('warehouse_map_results as r')
    .innerJoin('warehouse_maps as m', 'm.id', 'r.map_id')
    .leftJoin('jobs as j', 'j.id', 'r.job_id')
    .leftJoin('files as f', 'f.id', 'r.file_id')
    .select([
      'r.id as result_id',
      'r.map_id',
      'm.title as map_title',
      'r.title',
      'r.state',
      'r.map_hash',
      'r.cells',
      'r.quality',
      'r.error',
      'r.job_id',
      'r.created_by',
      'r.created_at',
      'r.activated_at',
      'f.bytes',
      'j.done as job_done',
      'j.total as job_total',
    ])
    .select(eb => [
      eb('r.map_hash', '<>', eb.ref('m.hash')).as('outdated'),
      sql<number>`coalesce(jsonb_array_length(r.drawing->'locations'), 0)`.as('location_count'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('pick_lists as p')
            .select(c => c.fn.countAll<number>().as('n'))
            .whereRef('p.map_result_id', '=', 'r.id')
            .where('p.state', 'in', livingStates),
          eb.lit(0),
        )
        .as('living_lists'),
    ])

const withQuality = <T extends { quality: unknown; outdated: unknown }>(row: T) => ({
  ...row,
  outdated: row.outdated === true,
  quality: Quality.safeParse(row.quality).data ?? null,
})

export async function searchedResults(
  db: Db,
  query: { query: string; map_id?: number | undefined; page: number; limit: number },
): Promise<Page<ResultRow>> {
  let narrowed = resultsOf(db)
  if (query.map_id !== undefined) narrowed = narrowed.where('r.map_id', '=', query.map_id)
  const text = query.query.trim() && containing(query.query)
  if (text) narrowed = narrowed.where(eb => eb.or([eb('r.title', 'ilike', text), eb('m.title', 'ilike', text)]))
  const rows = await narrowed.orderBy('r.id', 'desc').limit(query.limit).offset(pageOffset(query)).execute()
  return { rows: rows.map(withQuality), ...(await cappedCount(db, narrowed.clearSelect())), offset: pageOffset(query), limit: query.limit }
}

export const noResult = 'Result not found'

export const resultRow = async (db: Db, id: number): Promise<ResultRow> =>
  withQuality(orNotFound(await resultsOf(db).where('r.id', '=', id).executeTakeFirst(), 'map_result_not_found', noResult))

export async function resultById(db: Db, id: number): Promise<MapResult> {
  const row = orNotFound(
    await resultsOf(db).select('r.drawing').where('r.id', '=', id).executeTakeFirst(),
    'map_result_not_found',
    noResult,
  )
  return { ...withQuality(row), drawing: Drawing.parse(row.drawing) }
}

export async function activeResult(db: Db): Promise<MapResult | null> {
  const row = await db.selectFrom('warehouse_map_results').select('id').where('state', '=', 'active').executeTakeFirst()
  return row ? resultById(db, row.id) : null
}
