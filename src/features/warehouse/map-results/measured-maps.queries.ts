/** Maps whose ways are measured: the active one, and the one that a list was made with; read once and kept. */
import { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { createCache } from '#platform/caches/caches.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { type ActiveMap, type MeasuredMap, walkable } from './walks.rules.ts'

/** The map by which new lists are walked, or null where none is active. */
export async function activeMap(db: Db, services: Pick<Services, 'files'>): Promise<ActiveMap | null> {
  const row = await db.selectFrom('warehouse_map_results').select('id').where('state', '=', 'active').executeTakeFirst()
  return row ? resultMap(db, services, row.id) : null
}

/** The map of one result, whatever became of it since: old lists keep theirs. Null where it does not exist or was never measured. */
export async function resultMap(db: Db, services: Pick<Services, 'files'>, result_id: number): Promise<ActiveMap | null> {
  // Read every time: row-level security decides who may see it; the cache only saves reading and decoding.
  const row = await measuredRow(db, result_id)
  if (!row) return null
  const key = `${result_id} ${row.sha256}`
  const known = kept.get(key)
  if (known) {
    kept.delete(key)
    kept.set(key, known)
    return known.map
  }
  const measured = await measuredMap(db, services, result_id)
  if (!measured) return null
  const map = walkable(measured)
  keep(key, map, measured.bytes.length)
  return map
}

const measuredRow = (db: Db, result_id: number) =>
  db
    .selectFrom('warehouse_map_results as r')
    .innerJoin('files as f', join => join.onRef('f.id', '=', 'r.file_id').onRef('f.operator_id', '=', 'r.operator_id'))
    .select(['r.operator_id', 'r.map_id', 'f.sha256'])
    .where('r.id', '=', result_id)
    .where('r.state', 'in', ['ready', 'active', 'superseded'])
    .executeTakeFirst()

/** The same as stored, for a thread that decodes it itself. */
export async function measuredMap(db: Db, services: Pick<Services, 'files'>, result_id: number): Promise<MeasuredMap | null> {
  const row = await measuredRow(db, result_id)
  if (!row) return null
  const { drawing } = await db.selectFrom('warehouse_map_results').select('drawing').where('id', '=', result_id).executeTakeFirstOrThrow()
  return { result_id, map_id: row.map_id, drawing: Drawing.parse(drawing), bytes: await services.files.get(row.operator_id, row.sha256) }
}

/**
 * Least recently used first. Ids are unique in a database, so one cache serves all operators; every use reads the row under row-level
 * security first. The content belongs to the key: one process may see several databases, as tests do.
 */
const mostKept = 8

const kept = createCache<string, { map: ActiveMap; bytes: number }>('maps', { most: 2 * mostKept, bytesOf: ({ bytes }) => bytes })

const mostBytes = 268_435_456

function keep(key: string, map: ActiveMap, bytes: number): void {
  kept.set(key, { map, bytes })
  const all = kept.entries()
  let [count, sum] = [all.length, all.reduce((bytes, [, one]) => bytes + one.bytes, 0)]
  for (const [oldest, one] of all) {
    if (count === 1 || (count <= mostKept && sum <= mostBytes)) break
    kept.delete(oldest)
    count--
    sum -= one.bytes
  }
}
