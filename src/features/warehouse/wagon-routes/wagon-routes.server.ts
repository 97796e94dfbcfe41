/** Drawn routes of wagons: handlers. */
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { activeMap, resultMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { resultRow } from '#features/warehouse/map-results/results.queries.ts'
import { type WagonLines, wagonLines } from '#features/warehouse/map-results/wagon-lines.queries.ts'
import { type ActiveMap, cellAt, lengthOf, metres, pathThrough } from '#features/warehouse/map-results/walks.rules.ts'
import type { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import type { Stop } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { type FeatureModule, implement, type Services } from '#platform/http/feature-module.ts'
import { routeKeyEnd, routeUrl } from './route-link.server.ts'
import { wagonRoutes, wagonRoutesOwn } from './wagon-routes.contract.ts'
import { type Route, wagonRoutesOwnSchemas, wagonRoutesSchemas } from './wagon-routes.schemas.ts'

export const wagonRoutesServer = implement(wagonRoutes, wagonRoutesSchemas, {
  async link({ id, wagon }, { db, services, principal }) {
    const asked = orNotFound(await wagonLines(db, id, wagon), 'pick_list_has_no_wagon', 'This pick list has no such wagon')
    if (!(await mapOf(db, services, asked))) throw conflict('no_active_map', 'No warehouse map is active')
    return routeUrl(services, principal.company, id, wagon)
  },
})

export const wagonRoutesOwnServer: FeatureModule = implement(wagonRoutesOwn, wagonRoutesOwnSchemas, {
  async route({ list, wagon, key }, { services, principal }) {
    const { operator_id, id: company_id } = principal.company
    const expires_at = routeKeyEnd(services, { company_id, list, wagon }, key)
    if (expires_at === null) throw notFound('route_link_expired', noRoute)
    const companies = await companiesOf(services.database, operator_id)
    return services.database.readOnly({ operator_id, company_id, companies }, db => routeOf(db, services, { list, wagon, expires_at }))
  },
})

const noRoute = 'This link does not open a route, or not any more'

/** By which map a wagon is drawn: its list's own, else the active one. */
const mapOf = async (db: Db, services: Services, { map_result_id }: WagonLines): Promise<ActiveMap | null> =>
  (map_result_id === null ? null : await resultMap(db, services, map_result_id)) ?? activeMap(db, services)

async function routeOf(
  db: Db,
  services: Services,
  { list, wagon, expires_at }: { list: number; wagon: number; expires_at: string },
): Promise<Route> {
  const asked = orNotFound(await wagonLines(db, list, wagon), 'route_link_expired', noRoute)
  const map = await mapOf(db, services, asked)
  if (!map) throw conflict('no_active_map', 'No warehouse map is active')
  const own = map.result_id === asked.map_result_id
  const stops: Stop[] = []
  const cells: number[] = []
  let before: { cell: number | null; bin: string } | undefined
  for (const line of asked.lines) {
    const bin = line.bin ?? ''
    const known = own && line.cell !== null && line.cell < map.distances.size ? line.cell : null
    const cell = known ?? (bin ? map.cellOfBin(bin) : null)
    const here = stops.at(-1)
    if (here && before && before.cell === cell && (cell !== null || before.bin === bin)) {
      here.lines++
      here.pieces += line.asked
      if (bin && !here.bins.includes(bin)) here.bins.push(bin)
    } else {
      stops.push({
        no: stops.length + 1,
        ...(cell === null ? { x: null, y: null } : cellAt(map, cell)),
        bins: bin ? [bin] : [],
        lines: 1,
        pieces: line.asked,
      })
      if (cell !== null) cells.push(cell)
    }
    before = { cell, bin }
  }
  const dm = lengthOf(map, cells)
  const { width, height, cell_mm, cells: grid, starts, stations, zones, stairs }: Drawing = map.drawing
  return {
    list,
    wagon,
    floor: { width, height, cell_mm, cells: grid, starts, stations, zones, stairs },
    stops,
    path: pathThrough(map, cells),
    metres: Number.isFinite(dm) ? metres(dm) : 0,
    map_title: (await resultRow(db, map.result_id)).map_title,
    expires_at,
  }
}

/** All companies of an operator: a signed link stands in for the person who was allowed to see them. */
const companiesOf = (database: Database, operator_id: number): Promise<number[]> =>
  database.systemTransaction('a signed link has no person', async db =>
    (await db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).execute()).map(one => one.id),
  )
