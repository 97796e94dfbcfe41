/** Measured results of warehouse maps: compute, compare, activate, simulate a walk. */
import { call, contract } from '#contract/endpoint.ts'
import { mapEditors, mapReaders } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { mapResultsOwnSchemas, mapResultsSchemas } from './map-results.schemas.ts'

/** Main company only. */
export const mapResults = contract<typeof mapResultsSchemas>({
  name: 'mapResults',
  area: 'warehouse',
  access: mapEditors,
  tenantScope: 'operator',
  company: 'main',
}).calls({
  calc: call('POST warehouse/map/calc/{id}'),
  search: call('GET warehouse/map/result/search/', { access: mapReaders }),
  get: call('GET warehouse/map/result/{id}', { access: mapReaders }),
  setActive: call('POST warehouse/map/result/set_active/{id}'),
  remove: call('DELETE warehouse/map/result/{id}'),
  active: call('GET picklist/active_warehouse_map', { access: mapReaders }),
  removeMap: call('DELETE warehouse/map/delete/{id}'),
})

export const mapResultsOwn = contract<typeof mapResultsOwnSchemas>({
  name: 'mapResults',
  area: 'warehouse',
  access: mapEditors,
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  cancelCalc: call('POST warehouse/map/result/cancel/{id}'),
  simulate: call('POST warehouse/map/simulate', { access: mapReaders }),
})
