/** Warehouse maps in the database, and the decoded distances of those that are walked by, kept at hand. */
import { type Distances, decode } from '#routing/distances.ts'
import { accessOf } from '#routing/floor.ts'
import type { Db } from '#server/database.ts'
import type { House } from '#server/serve.ts'
import { binIndex } from './bins.rules.ts'
import { Drawing } from './drawing.contract.ts'

/** A measured map, ready to walk by. Cells are indices into `distances.cells`. */
export interface ActiveMap {
  result_id: number
  map_id: number
  hash: string
  drawing: Drawing
  distances: Distances
  /** The cell from which a bin is picked; null where the map does not have the bin. Exact text first, then whatever case and blanks. */
  cellOfBin(bin: string): number | null
  /** Where wagons start, and the station at which they end (the start where there is none). */
  start: number
  end: number
}

/** The map by which new lists are walked, or null where none is active. */
export async function activeMap(db: Db, house: Pick<House, 'files'>): Promise<ActiveMap | null> {
  const row = await db.selectFrom('warehouse_map_results').select('id').where('state', '=', 'active').executeTakeFirst()
  return row ? resultMap(db, house, row.id) : null
}

/** The map of one result, whatever became of it since: old lists keep theirs. Null where it does not exist or was never measured. */
export async function resultMap(db: Db, house: Pick<House, 'files'>, result_id: number): Promise<ActiveMap | null> {
  // Asked every time: the wall decides who may see it, memory only spares reading and decoding.
  const row = await db
    .selectFrom('warehouse_map_results as r')
    .innerJoin('files as f', join => join.onRef('f.id', '=', 'r.file_id').onRef('f.operator_id', '=', 'r.operator_id'))
    .select(['r.operator_id', 'r.map_id', 'f.sha256'])
    .where('r.id', '=', result_id)
    .where('r.state', 'in', ['ready', 'active', 'superseded'])
    .executeTakeFirst()
  if (!row) return null
  const known = kept.get(result_id)
  if (known) {
    kept.delete(result_id)
    kept.set(result_id, known)
    return known.map
  }
  const { drawing } = await db.selectFrom('warehouse_map_results').select('drawing').where('id', '=', result_id).executeTakeFirstOrThrow()
  const bytes = await house.files.get(row.operator_id, row.sha256)
  const map = walkable({ result_id, map_id: row.map_id, drawing: Drawing.parse(drawing), bytes })
  keep(result_id, map, bytes.length)
  return map
}

/** A drawing and its measured distances, joined. */
export function walkable({
  result_id,
  map_id,
  drawing,
  bytes,
}: {
  result_id: number
  map_id: number
  drawing: Drawing
  bytes: Uint8Array
}): ActiveMap {
  const distances = decode(bytes)
  const at = new Map(distances.cells.map(({ x, y }, i) => [y * drawing.width + x, i]))
  const indexOf = ({ x, y }: { x: number; y: number }) => at.get(y * drawing.width + x)
  const cellOf = binIndex(
    drawing.locations.flatMap(location => {
      const cell = indexOf(accessOf(location))
      return cell === undefined ? [] : [[location.code, cell] as const]
    }),
  )
  const start = drawing.starts[0] && indexOf(drawing.starts[0])
  if (start === undefined) throw new Error(`The result ${result_id} does not know its own start`)
  const station = drawing.stations[0] && indexOf(drawing.stations[0])
  return {
    result_id,
    map_id,
    hash: distances.hash,
    drawing,
    distances,
    cellOfBin: bin => cellOf(bin) ?? null,
    start,
    end: station ?? start,
  }
}

/** Least recently used first. Ids are deployment-wide, so one memory serves all operators; every use asks the wall first. */
const kept = new Map<number, { map: ActiveMap; bytes: number }>()
const mostKept = 8
const mostBytes = 268_435_456

function keep(result_id: number, map: ActiveMap, bytes: number): void {
  kept.set(result_id, { map, bytes })
  let sum = [...kept.values()].reduce((all, one) => all + one.bytes, 0)
  for (const [id, one] of kept) {
    if (kept.size === 1 || (kept.size <= mostKept && sum <= mostBytes)) break
    kept.delete(id)
    sum -= one.bytes
  }
}
