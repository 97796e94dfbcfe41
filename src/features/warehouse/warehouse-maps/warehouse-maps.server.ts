/** Warehouse maps: keeping them, having them measured, choosing by which one is walked, and drawing walks on them. */
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { publicUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { pathBetween } from '#optimization/distances/distances.ts'
import type { Cell } from '#optimization/distances/floor.ts'
import { forMainCompany } from '#platform/auth/main-company.ts'
import type { Db } from '#platform/database/database.ts'
import { type ExternalContext, type FeatureModule, implement, type Services } from '#platform/http/feature-module.ts'
import type { Drawing } from './drawing.contract.ts'
import { findingOf, findingsOf, measuredCells } from './drawing.rules.ts'
import { locationsAsCsv, mapAsJson, readLocations, readMap } from './drawing-import-export.server.ts'
import { changeMap, deleteMap, deleteResults, hashOf, insertMap, lockMap, mapById, searchedMaps } from './maps.queries.ts'
import { mustBeMeasurable } from './measure.task.ts'
import { inThread } from './measure-worker.server.ts'
import { activeMap, measuredMap, resultMap } from './measured-maps.queries.ts'
import { activate, activeResult, insertResult, resultById, resultRow, searchedResults, stopComputing } from './results.queries.ts'
import { routeKeyEnd, routeUrl } from './route-link.server.ts'
import {
  companiesOf,
  mostFetched,
  newestWagon,
  pastWalks,
  placedProducts,
  productFindings,
  type WagonLines,
  wagonLines,
} from './routes.queries.ts'
import { type ActiveMap, lengthByBinText, lengthOf, metres, walkThrough } from './routes.rules.ts'
import { type HotSpot, type Route, type Slotting, type Stop, warehouseMaps, warehouseMapsOwn } from './warehouse-maps.contract.ts'

const day = 86_400_000

export const warehouseMapsServer = implement(
  warehouseMaps,
  forMainCompany<typeof warehouseMaps>({
    search: (query, { db }) => searchedMaps(db, query),
    get: ({ id }, { db }) => mapById(db, id),

    async create({ body: { title, drawing } }, { db, principal, now, recordEvent, notify }) {
      const id = await insertMap(db, { title, drawing, created_by: principal.name, at: now() })
      await recordEvent({ kind: 'warehouse_map.created', subject: 'map', subject_id: id, data: { title } })
      notify('map', id)
      return mapById(db, id)
    },

    async update({ id, body }, { db, now, recordEvent, notify }) {
      const before = await mapById(db, id)
      const stale = async () =>
        conflict(
          'map_changed',
          'Somebody else has changed this map meanwhile',
          {},
          { current: before.version === body.version ? await mapById(db, id) : before },
        )
      if (before.version !== body.version || !(await changeMap(db, id, { ...body, at: now() }))) throw await stale()
      await recordEvent({
        kind: 'warehouse_map.changed',
        subject: 'map',
        subject_id: id,
        data: { title: body.title, ways_changed: before.hash !== hashOf(body.drawing) },
      })
      notify('map', id)
      return mapById(db, id)
    },

    async remove({ id }, { db, recordEvent, notify }) {
      await lockMap(db, id)
      await deleteResults(db, { map_id: id })
      await deleteMap(db, id)
      await recordEvent({ kind: 'warehouse_map.removed', subject: 'map', subject_id: id })
      notify('map', id)
    },

    async calc({ id, body: { title } }, { db, principal, now, recordEvent, notify, enqueue }) {
      await lockMap(db, id)
      const map = await mapById(db, id)
      mustBeMeasurable(map.drawing)
      const job_id = await newJob(db, { kind: 'maps.measure', title, total: measuredCells(map.drawing).length, created_by: principal.id })
      const result_id = await insertResult(db, { map, title, job_id, created_by: principal.name, at: now() })
      // One after the other: each takes a processor and the memory of a whole floor.
      await enqueue('maps.measure', { result_id, job_id }, { key: `maps.measure/${job_id}`, queue: 'maps' })
      await recordEvent({ kind: 'warehouse_map.calc', subject: 'map_result', subject_id: result_id, data: { map_id: id, title } })
      notify('map', id)
      return { result_id, job_id }
    },

    searchResults: (query, { db }) => searchedResults(db, query),
    getResult: ({ id }, { db }) => resultById(db, id),

    async setActive({ id }, { db, now, recordEvent, notify }) {
      const { before } = await activate(db, id, now())
      if (before !== id) {
        await recordEvent({ kind: 'warehouse_map.activated', subject: 'map_result', subject_id: id, data: { before } })
        notify('map', id)
      }
      return resultRow(db, id)
    },

    async removeResult({ id }, { db, recordEvent, notify }) {
      const { map_id } = await resultRow(db, id)
      await deleteResults(db, { result_id: id })
      await recordEvent({ kind: 'warehouse_map.result_removed', subject: 'map_result', subject_id: id, data: { map_id } })
      notify('map', map_id)
    },

    async active(_, { db }) {
      const result = await activeResult(db)
      if (!result) return { active: null }
      const { result_id, map_id, map_title, title, map_hash, outdated, cells, activated_at, drawing } = result
      return { active: { result_id, map_id, map_title, title, hash: map_hash, outdated, cells: cells ?? 0, activated_at, drawing } }
    },

    async routeLink({ id, wagon }, { db, services, principal }) {
      const asked = orNotFound(await wagonLines(db, id, wagon), 'pick_list_has_no_wagon', 'This pick list has no such wagon')
      if (!(await mapOf(db, services, asked))) throw conflict('no_active_map', 'No warehouse map is active')
      return routeUrl(services, principal.company, id, wagon)
    },

    async hotSpots({ product_count, order_from, advice }, context) {
      const { services, transaction, now, principal } = context
      const until = now()
      const since = order_from ? new Date(`${order_from}T00:00:00Z`) : new Date(until.getTime() - 30 * day)
      const { map, products } = await transaction(async ({ db }) => ({
        map: await activeMap(db, services),
        products: await mostFetched(db, since, until, product_count),
      }))
      const spots = [...Map.groupBy(products, one => one.bin)].map(([bin, some]): HotSpot => {
        const sum = (of: 'picks' | 'pieces') => some.reduce((all, one) => all + one[of], 0)
        return {
          bin,
          ...placeOf(map, bin),
          picks: sum('picks'),
          pieces: sum('pieces'),
          products: some.map(({ product_id, company, sku, name, picks }) => ({ product_id, company, sku, name, picks })),
        }
      })
      const from = since.toISOString().slice(0, 10)
      return {
        url: `${publicUrl(services, principal.company.code)}/settings/warehouse-map?show=hot-spots&product_count=${product_count}&order_from=${from}`,
        result_id: map?.result_id ?? null,
        product_count,
        order_from: from,
        spots: spots.sort((a, b) => b.picks - a.picks),
        advice: advice === 'yes' ? await advised(context, since, 20) : null,
      }
    },
  }),
)

const ofMainCompany = forMainCompany<Omit<typeof warehouseMapsOwn, 'route'>>({
  async check({ body: { drawing } }, { db }) {
    const own = findingsOf(drawing)
    const { products, findings } = await productFindings(db, drawing)
    return {
      can_be_measured: !own.some(one => one.severity === 'error'),
      hash: hashOf(drawing),
      location_count: drawing.locations.length,
      cells: measuredCells(drawing).length,
      products,
      findings: [...own, ...findings.map(({ kind, items, count }) => findingOf(kind, items, count))],
    }
  },

  import: async ({ body: { format, text, onto } }) => (format === 'csv' ? readLocations(text, onto) : readMap(text)),

  async exportCsv({ id }, { db }) {
    const { title, drawing } = await mapById(db, id)
    return { bytes: Buffer.from(locationsAsCsv(drawing)), media_type: 'text/csv; charset=utf-8', name: `${title}.csv` }
  },
  async exportJson({ id }, { db }) {
    const { title, drawing } = await mapById(db, id)
    return { bytes: Buffer.from(mapAsJson(title, drawing)), media_type: 'application/json', name: `${title}.json` }
  },

  async cancelCalc({ id }, { db, now, recordEvent, notify }) {
    const { job_id } = await stopComputing(db, id, now())
    await recordEvent({ kind: 'warehouse_map.calc_stopped', subject: 'map_result', subject_id: id })
    if (job_id !== null) notify('job', job_id)
    notify('map', id)
    return resultRow(db, id)
  },

  async simulate({ body: { result_id, bins } }, { db, services }) {
    const result = await resultRow(db, result_id)
    const map = await resultMap(db, services, result_id)
    if (!map)
      throw result.state === 'failed'
        ? conflict('map_result_incomplete', 'This result was never computed to its end')
        : conflict('map_result_computing', 'This result is still being computed')
    const list =
      bins.length > 0
        ? null
        : orNotFound(await newestWagon(db), 'no_pick_list', 'There is no pick list yet. Write the bins to walk through.')
    const walked = list ? ((await wagonLines(db, list.pick_list_id, list.wagon_no))?.lines ?? []).flatMap(line => line.bin ?? []) : bins
    const walk = walkThrough(map, walked)
    const cells = walk.stops.map(one => one.cell)
    if (!Number.isFinite(walk.dm)) throw conflict('bins_unreachable', 'One-way aisles leave no walk through all of these bins')
    const byText = lengthByBinText(map, walked)
    return {
      result_id,
      list,
      stops: walk.stops.map(({ cell, bins }, i) => ({ no: i + 1, ...cellAt(map, cell), bins, lines: bins.length, pieces: bins.length })),
      path: pathThrough(map, cells),
      metres: metres(walk.dm),
      bin_order_metres: Number.isFinite(byText) ? metres(byText) : metres(walk.dm),
      proven: walk.proven,
      off_map: walk.off_map,
      no_way: walk.no_way,
    }
  },

  slotting: ({ days, swaps }, context) => advised(context, new Date(context.now().getTime() - days * day), swaps),
})

export const warehouseMapsOwnServer: FeatureModule = implement(warehouseMapsOwn, {
  ...ofMainCompany,

  async route({ list, wagon, key }, { services, principal }) {
    const { operator_id, id: company_id } = principal.company
    const expires_at = routeKeyEnd(services, { company_id, list, wagon }, key)
    if (expires_at === null) throw notFound('route_link_expired', noRoute)
    const companies = await companiesOf(services.database, operator_id)
    return services.database.readOnly({ operator_id, company_id, companies }, db => routeOf(db, services, { list, wagon, expires_at }))
  },
})

const noRoute = 'This link does not open a route, or not any more'

const cellAt = ({ distances }: ActiveMap, cell: number): { x: number; y: number } => distances.cells[cell] as Cell

function placeOf(map: ActiveMap | null, bin: string): { x: number | null; y: number | null } {
  const cell = map?.cellOfBin(bin) ?? null
  return map && cell !== null ? cellAt(map, cell) : { x: null, y: null }
}

/** By which map a wagon is drawn: its list's own, else the active one. */
const mapOf = async (db: Db, services: Services, { map_result_id }: WagonLines): Promise<ActiveMap | null> =>
  (map_result_id === null ? null : await resultMap(db, services, map_result_id)) ?? activeMap(db, services)

/** Every cell from the start over these to the end. */
function pathThrough(map: ActiveMap, cells: readonly number[]): Cell[] {
  const path: Cell[] = []
  let at = map.start
  for (const cell of [...cells, map.end]) {
    const way = pathBetween(map.drawing, cellAt(map, at), cellAt(map, cell))
    path.push(...(path.length === 0 ? way : way.slice(1)))
    at = cell
  }
  return path
}

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

async function advised({ services, transaction, now, signal }: ExternalContext, since: Date, most: number): Promise<Slotting> {
  const asked = await transaction(async ({ db }) => {
    const active = await activeResult(db)
    const map = active && (await measuredMap(db, services, active.result_id))
    if (!map) return null
    const past = await pastWalks(db, since, now())
    return { map, past, products: await placedProducts(db, past.walks) }
  })
  if (!asked)
    return { result_id: null, since: since.toISOString(), days: 0, walks: 0, metres_per_day: 0, saved_metres_per_day: 0, swaps: [] }
  const advice = await inThread({ kind: 'slot', ...asked, most }, { signal })
  return { result_id: asked.map.result_id, ...advice }
}
