/** The walk of a wagon: that it has begun, and the way from here. */

import { resultMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { renumberWalk } from '#features/warehouse/pick-lists/wagon-pickers.commands.ts'
import { shortestTour } from '#optimization/routes/tour.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Key } from './wagon-state.queries.ts'

/**
 * The walk of what is left, from here: the open lines by the shortest way, what was set aside after them. The lines change their
 * numbers among themselves, so that what is picked keeps its own. Answers the new numbers.
 */
export async function walkOn(
  db: Db,
  services: Pick<Services, 'files'>,
  { pick_list_id, wagon_no }: Key,
  from: { cell: number | null; map_result_id: number | null },
): Promise<{ id: number; walk_no: number }[]> {
  const lines = await db
    .selectFrom('pick_lines')
    .select(['id', 'walk_no', 'cell', 'state', 'bin'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', 'in', ['open', 'skipped'])
    .orderBy('walk_no')
    .orderBy('id')
    .execute()
  const map = from.map_result_id === null ? null : await resultMap(db, services, from.map_result_id)
  type Row = (typeof lines)[number]
  const tourOf = (some: readonly Row[], start: number | null): Row[] => {
    const placed = some.flatMap(line => (line.cell === null ? [] : [{ line, cell: line.cell }]))
    if (!map || start === null || placed.length < 2) return [...some]
    const between = (one: number, other: number) => map.distances.between(one, other)
    // All phones wait meanwhile: a good walk at once, not the best one.
    const stops = [...new Set(placed.map(({ cell }) => cell))]
    const { order, length } = shortestTour(between, { start, end: map.end, stops, patience_ms: 2 })
    if (!Number.isFinite(length)) return [...some]
    const place = new Map(order.map((cell, i) => [cell, i]))
    const sorted = placed.toSorted((a, b) => (place.get(a.cell) ?? 0) - (place.get(b.cell) ?? 0) || a.line.walk_no - b.line.walk_no)
    return [...sorted.map(({ line }) => line), ...some.filter(line => line.cell === null)]
  }
  const first = tourOf(
    lines.filter(line => line.state === 'open'),
    from.cell,
  )
  const last = tourOf(
    lines.filter(line => line.state === 'skipped'),
    first.findLast(line => line.cell !== null)?.cell ?? from.cell,
  )
  const numbers = lines.map(line => line.walk_no).sort((a, b) => a - b)
  const walk = [...first, ...last].map((line, i) => ({ id: line.id, walk_no: numbers[i] ?? line.walk_no }))
  await renumberWalk(db, walk)
  return walk
}
