/** Warehouse maps: search, read, create, change, check, import and export. */
import { access, type Permission } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import type { warehouseMapsOwnSchemas, warehouseMapsSchemas } from './warehouse-maps.schemas.ts'

/** Everyone who picks by a map may read it. */
export const mapReaders: readonly Permission[] = [...new Set<Permission>([...settingsPages['warehouse-map'], ...access.picks])]

/** Who may draw, measure and activate maps: not a plain picker. */
export const mapEditors: readonly Permission[] = settingsPages['warehouse-map'].filter(code => code !== 'pick')

/** A drawing of 20,000 locations, written out. */
const drawingBody = 8_388_608

/** How many of each kind are listed; `count` counts all. */
export const listedFindings = 200

/** Main company only. */
export const warehouseMaps = contract<typeof warehouseMapsSchemas>({
  name: 'warehouseMaps',
  area: 'warehouse',
  access: mapEditors,
  tenantScope: 'operator',
  company: 'main',
}).calls({
  search: call('GET warehouse/map/search/', { workClass: 'search', access: mapReaders }),
  get: call('GET warehouse/map/get/{id}', { access: mapReaders }),
  create: call('POST warehouse/map/create', { bodyLimit: drawingBody }),
  update: call('POST warehouse/map/update/{id}', { bodyLimit: drawingBody }),
})

export const warehouseMapsOwn = contract<typeof warehouseMapsOwnSchemas>({
  name: 'warehouseMaps',
  area: 'warehouse',
  access: mapEditors,
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  check: call('POST warehouse/map/check', { bodyLimit: drawingBody }),
  import: call('POST warehouse/map/import', { workClass: 'bulk', bodyLimit: drawingBody }),
  exportCsv: call('GET warehouse/map/export/{id}/csv', { access: mapReaders, media: 'text/csv' }),
  exportJson: call('GET warehouse/map/export/{id}/json', { workClass: 'bulk', access: mapReaders, media: 'application/octet-stream' }),
})
