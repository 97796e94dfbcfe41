/** Measured results of warehouse maps: handlers. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { measuredCells } from '#features/warehouse/warehouse-maps/drawing.rules.ts'
import { deleteMap } from '#features/warehouse/warehouse-maps/maps.commands.ts'
import { lockMap, mapById } from '#features/warehouse/warehouse-maps/maps.queries.ts'
import { type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { mapResults, mapResultsOwn } from './map-results.contract.ts'
import { mapResultsOwnSchemas, mapResultsSchemas } from './map-results.schemas.ts'
import { mustBeMeasurable } from './measure-map.task.ts'
import { resultMap } from './measured-maps.queries.ts'
import { activate, deleteResults, insertResult, stopComputing } from './results.commands.ts'
import { activeResult, resultById, resultRow, searchedResults } from './results.queries.ts'
import { newestWagon, wagonLines } from './wagon-lines.queries.ts'
import { cellAt, lengthByBinText, metres, pathThrough, walkThrough } from './walks.rules.ts'

export const mapResultsServer = implement(mapResults, mapResultsSchemas, {
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

  search: (query, { db }) => searchedResults(db, query),

  get: ({ id }, { db }) => resultById(db, id),

  async setActive({ id }, { db, now, recordEvent, notify }) {
    const { before } = await activate(db, id, now())
    if (before !== id) {
      await recordEvent({ kind: 'warehouse_map.activated', subject: 'map_result', subject_id: id, data: { before } })
      notify('map', id)
    }
    return resultRow(db, id)
  },

  async remove({ id }, context) {
    const { db, recordEvent, notify } = context
    const { map_id } = await resultRow(db, id)
    await deleteResults(context, { result_id: id })
    await recordEvent({ kind: 'warehouse_map.result_removed', subject: 'map_result', subject_id: id, data: { map_id } })
    notify('map', map_id)
  },

  async active(_, { db }) {
    const result = await activeResult(db)
    if (!result) return { active: null }
    const { result_id, map_id, map_title, title, map_hash, outdated, cells, activated_at, drawing } = result
    return { active: { result_id, map_id, map_title, title, hash: map_hash, outdated, cells: cells ?? 0, activated_at, drawing } }
  },

  async removeMap({ id }, context) {
    const { db, recordEvent, notify } = context
    await lockMap(db, id)
    await deleteResults(context, { map_id: id })
    await deleteMap(db, id)
    await recordEvent({ kind: 'warehouse_map.removed', subject: 'map', subject_id: id })
    notify('map', id)
  },
})

export const mapResultsOwnServer: FeatureModule = implement(mapResultsOwn, mapResultsOwnSchemas, {
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
})
