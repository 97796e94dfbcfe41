/** What couriers charge: price steps, zones and surcharges of a company's shipping methods. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { pricesSchemas } from './prices.schemas.ts'

export const prices = contract<typeof pricesSchemas>({
  name: 'prices',
  area: 'shipping',
  access: access.settings,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET courier_prices', { access: access.settingsRead }),
  create: call('POST courier_prices'),
  update: call('POST courier_prices/{id}'),
  remove: call('DELETE courier_prices/{id}'),
  import: call('POST courier_prices/import', { timeout: 'long' }),
  export: call('GET courier_prices/export', { access: access.settingsRead, media: 'text/csv', timeout: 'long' }),
  // It reads, although it has a body.
  try: call('POST courier_prices/try', { access: access.settingsRead, workClass: 'read' }),

  savings: call('GET courier_prices/savings', { access: access.parcels, workClass: 'search' }),

  zones: call('GET courier_prices/zones', { access: access.settingsRead }),
  createZone: call('POST courier_prices/zones'),
  updateZone: call('POST courier_prices/zones/{id}'),
  removeZone: call('DELETE courier_prices/zones/{id}'),

  surcharges: call('GET courier_prices/surcharges', { access: access.settingsRead }),
  createSurcharge: call('POST courier_prices/surcharges'),
  updateSurcharge: call('POST courier_prices/surcharges/{id}'),
  removeSurcharge: call('DELETE courier_prices/surcharges/{id}'),
})
