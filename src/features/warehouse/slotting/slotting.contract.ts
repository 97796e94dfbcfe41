/** Slotting: the most wanted products on the map, and which products should change places. */
import { call, contract } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import { mapReaders } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { slottingOwnSchemas, slottingSchemas } from './slotting.schemas.ts'

/** Main company only. */
export const slotting = contract<typeof slottingSchemas>({
  name: 'slotting',
  area: 'warehouse',
  access: settingsPages['warehouse-map'],
  tenantScope: 'operator',
  company: 'main',
}).calls({
  hotSpots: call('GET warehouse_map_draw/link/products', { workClass: 'bulk', access: mapReaders, external: true, timeout: 'long' }),
})

export const slottingOwn = contract<typeof slottingOwnSchemas>({
  name: 'slotting',
  area: 'warehouse',
  access: settingsPages['warehouse-map'],
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  advice: call('GET warehouse/map/slotting', { workClass: 'bulk', external: true, timeout: 'long' }),
})
