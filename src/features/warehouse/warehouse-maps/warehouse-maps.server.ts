/** Warehouse maps: handlers. */
import { conflict } from '#contract/errors.ts'
import { type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { findingOf, findingsOf, measuredCells } from './drawing.rules.ts'
import { locationsAsCsv, mapAsJson, readLocations, readMap } from './drawing-import-export.server.ts'
import { changeMap, insertMap } from './maps.commands.ts'
import { hashOf, mapById, searchedMaps } from './maps.queries.ts'
import { productFindings } from './product-findings.queries.ts'
import { warehouseMaps, warehouseMapsOwn } from './warehouse-maps.contract.ts'
import { warehouseMapsOwnSchemas, warehouseMapsSchemas } from './warehouse-maps.schemas.ts'

export const warehouseMapsServer = implement(warehouseMaps, warehouseMapsSchemas, {
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
        'Someone else changed this map',
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
})

export const warehouseMapsOwnServer: FeatureModule = implement(warehouseMapsOwn, warehouseMapsOwnSchemas, {
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
})
