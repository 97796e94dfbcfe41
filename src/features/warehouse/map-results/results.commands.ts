/** Changes of measured results; the only writer of `warehouse_map_results`. At most one result is active. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { cancelJob } from '#features/company/jobs/jobs.queries.ts'
import type { WarehouseMap } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { forgetFiles } from '#platform/files/file-store.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import type { Quality } from './map-results.schemas.ts'
import { livingStates, noResult } from './results.queries.ts'

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
  const stopped = result.job_id === null ? undefined : await cancelJob(db, result.job_id, at)
  if (stopped !== 'asked') await failResult(db, id, 'It was stopped')
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

/** Results whose server stopped while computing, in all tenants: the job has ended, or has made no progress for hours. */
export const failForgotten = (database: Database, before: Date): Promise<void> =>
  database.systemTransaction('what was forgotten may be of any tenant', async db => {
    await sql`update warehouse_map_results r set state = 'failed', error = coalesce(j.message, 'It was not computed to its end')
      from jobs j where j.operator_id = r.operator_id and j.id = r.job_id and r.state = 'computing'
        and (j.state in ('failed', 'cancelled', 'done') or coalesce(j.started_at, j.created_at) < ${before.toISOString()})`.execute(db)
  })

/** Deletes results that nothing living needs, and lets lists of the past forget by which map they were walked. */
export async function deleteResults(
  { db, runSubscribers }: Pick<TransactionContext, 'db' | 'runSubscribers'>,
  by: { map_id: number } | { result_id: number },
): Promise<void> {
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
  await runSubscribers(ids.map(subject_id => ({ kind: 'warehouse_map.result_removing', subject: 'map_result', subject_id })))
  await db.deleteFrom('warehouse_map_results').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute()
  await forgetFiles(
    db,
    doomed.flatMap(one => one.file_id ?? []),
  )
}
