/** Pickups: couriers asked to collect the parcels of a company. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { pickupsSchemas } from './pickups.schemas.ts'

export const pickups = contract<typeof pickupsSchemas>({
  name: 'pickups',
  area: 'shipping',
  access: access.pickups,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET pickups', { workClass: 'search' }),
  couriers: call('GET pickups/couriers'),
  exportAll: call('GET pickups/export', { media: 'text/csv', timeout: 'long' }),
  order: call('POST pickups', { timeout: 'long', external: true }),
  cancel: call('POST pickups/{id}/cancel', { timeout: 'long', external: true }),
  settle: call('POST pickups/{id}/settle'),
})
