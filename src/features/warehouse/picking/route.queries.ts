/** The walk of a wagon: that it has begun, and the way from here. */

import { sql } from 'kysely'
import { resultMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { shortestTour } from '#optimization/routes/tour.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Key } from './wagon-state.queries.ts'

/** A picker is at work: the wagon moves. Answers false when it did so before. */
export async function beginWalking(db: Db, { pick_list_id, wagon_no }: Key, states: readonly string[]): Promise<boolean> {
  const changed = await db
    .updateTable('pick_wagons')
    .set(eb => ({
      state: 'picking',
      started_at: sql<string>`coalesce(started_at, clock_timestamp())`,
      last_at: sql<string>`clock_timestamp()`,
      picked_at: null,
      version: eb('version', '+', 1),
    }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', '=', sql<'open'>`any(${states}::text[])`)
    .returning('wagon_no')
    .execute()
  return changed.length > 0
}

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
    const placed = some.filter(line => line.cell !== null)
    if (!map || start === null || placed.length < 2) return [...some]
    const between = (one: number, other: number) => map.distances.between(one, other)
    // All phones wait meanwhile: a good walk at once, not the best one.
    const stops = [...new Set(placed.map(line => line.cell as number))]
    const { order, length } = shortestTour(between, { start, end: map.end, stops, patience_ms: 2 })
    if (!Number.isFinite(length)) return [...some]
    const place = new Map(order.map((cell, i) => [cell, i]))
    const sorted = placed.toSorted(
      (a, b) => (place.get(a.cell as number) ?? 0) - (place.get(b.cell as number) ?? 0) || a.walk_no - b.walk_no,
    )
    return [...sorted, ...some.filter(line => line.cell === null)]
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
  const walk = [...first, ...last].map((line, i) => ({ id: line.id, walk_no: numbers[i] as number }))
  await sql`update pick_lines l set walk_no = n.walk_no from unnest(${walk.map(one => one.id)}::bigint[], ${walk.map(one => one.walk_no)}::integer[]) n (id, walk_no)
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = n.id and l.walk_no <> n.walk_no`.execute(
    db,
  )
  return walk
}
