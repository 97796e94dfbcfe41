/** Drawn routes of wagons: the link, and the public page behind it. */
import { call, contract } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import { mapReaders } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { wagonRoutesOwnSchemas, wagonRoutesSchemas } from './wagon-routes.schemas.ts'

/** Main company only. */
export const wagonRoutes = contract<typeof wagonRoutesSchemas>({
  name: 'wagonRoutes',
  area: 'warehouse',
  access: settingsPages['warehouse-map'],
  tenantScope: 'operator',
  company: 'main',
}).calls({
  link: call('GET warehouse_map_draw/get_link/picklist/{id}/wagon/{wagon}/using/active', { access: mapReaders }),
})

export const wagonRoutesOwn = contract<typeof wagonRoutesOwnSchemas>({
  name: 'wagonRoutes',
  area: 'warehouse',
  access: settingsPages['warehouse-map'],
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  /** Opens with the key of the link alone. */
  route: call('GET warehouse_map_draw/route', {
    access: 'anyone',
    external: true,
    // A warehouse's phones share one address.
    rateLimit: { max: 240, seconds: 60 },
  }),
})
