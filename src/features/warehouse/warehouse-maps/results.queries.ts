/** Results of measuring a map: computed, compared, one of them active. */

import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { Drawing } from './drawing.contract.ts'
import { containing, livingStates } from './maps.queries.ts'
import { type MapResult, Quality, type ResultRow, type WarehouseMap } from './warehouse-maps.contract.ts'

// ——— Results

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

const noResult = 'This result does not exist'

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

/** The new result, computing, of a map that is locked. */
export async function insertResult(
  db: Db,
  { map, title, job_id, created_by, at }: { map: WarehouseMap; title: string; job_id: number | null; created_by: string; at: Date },
): Promise<number> {
  const computing = await db
    .selectFrom('warehouse_map_results')
    .select('id')
    .where('map_id', '=', map.map_id)
    .where('state', '=', 'computing')
    .executeTakeFirst()
  if (computing) throw conflict('map_measuring', 'This map is being measured already')
  const { id } = await db
    .insertInto('warehouse_map_results')
    .values({
      map_id: map.map_id,
      title,
      map_hash: map.hash,
      drawing: JSON.stringify(map.drawing),
      job_id,
      created_by,
      created_at: at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** False where it was stopped or deleted meanwhile. */
export async function finishResult(db: Db, id: number, done: { file_id: number; cells: number; quality: Quality }): Promise<boolean> {
  const row = await db
    .updateTable('warehouse_map_results')
    .set({ state: 'ready', file_id: done.file_id, cells: done.cells, quality: JSON.stringify(done.quality), error: null })
    .where('id', '=', id)
    .where('state', '=', 'computing')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Leaves a result that will never be ready as failed, and says why. */
export async function failResult(db: Db, id: number, error: string): Promise<boolean> {
  const row = await db
    .updateTable('warehouse_map_results')
    .set({ state: 'failed', error: error.slice(0, 500) })
    .where('id', '=', id)
    .where('state', '=', 'computing')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Asks a result's job to stop; one that has not begun ends at once. */
export async function stopComputing(db: Db, id: number, at: Date): Promise<{ job_id: number | null }> {
  const result = orNotFound(
    await db.selectFrom('warehouse_map_results').select(['state', 'job_id']).where('id', '=', id).forUpdate().executeTakeFirst(),
    'map_result_not_found',
    noResult,
  )
  if (result.state !== 'computing') throw conflict('map_result_not_computing', 'This result is not being computed any more')
  const asked = { cancel_asked_at: at.toISOString() }
  const waiting = await db
    .updateTable('jobs')
    .set({ ...asked, state: 'cancelled', finished_at: at.toISOString() })
    .where('id', '=', result.job_id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  const running =
    waiting ??
    (await db
      .updateTable('jobs')
      .set(asked)
      .where('id', '=', result.job_id)
      .where('state', '=', 'running')
      .returning('id')
      .executeTakeFirst())
  if (waiting || !running) await failResult(db, id, 'It was stopped')
  return { job_id: result.job_id }
}

/** What is walked by now steps back and this one takes its place: both, or neither. */
export async function activate(db: Db, id: number, at: Date): Promise<{ before: number | null }> {
  // All that could be active, in one order: of two who activate at once the second waits, and then sees what the first did.
  const rows = await db
    .selectFrom('warehouse_map_results')
    .select(['id', 'state'])
    .where(eb => eb.or([eb('state', 'in', ['ready', 'active', 'superseded']), eb('id', '=', id)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const wanted = orNotFound(
    rows.find(one => one.id === id),
    'map_result_not_found',
    noResult,
  )
  if (wanted.state === 'active') return { before: id }
  if (wanted.state === 'computing') throw conflict('map_result_computing', 'This result is still being computed')
  if (wanted.state === 'failed') throw conflict('map_result_incomplete', 'This result was never computed to its end')
  const old = await db
    .updateTable('warehouse_map_results')
    .set({ state: 'superseded' })
    .where('state', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  await db.updateTable('warehouse_map_results').set({ state: 'active', activated_at: at.toISOString() }).where('id', '=', id).execute()
  return { before: old?.id ?? null }
}

/** Results whose computing died with its server, in all tenants: their job has ended, or nothing was heard for hours. */
export const failForgotten = (database: Database, before: Date): Promise<void> =>
  database.systemTransaction('what was forgotten may be of any tenant', async db => {
    await sql`update warehouse_map_results r set state = 'failed', error = coalesce(j.message, 'It was not computed to its end')
      from jobs j where j.operator_id = r.operator_id and j.id = r.job_id and r.state = 'computing'
        and (j.state in ('failed', 'cancelled', 'done') or coalesce(j.started_at, j.created_at) < ${before.toISOString()})`.execute(db)
  })
