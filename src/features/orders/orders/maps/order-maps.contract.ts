/** The address of an order on a map: in the page with the company's own key, else as a link. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderMapsSchemas } from './order-maps.schemas.ts'

export const orderMaps = contract<typeof orderMapsSchemas>({
  name: 'orderMaps',
  area: 'orders',
  access: access.parcels,
}).calls({
  hasKey: call('GET orders/has_google_maps_api_key', { access: 'user' }),
  map: call('GET orders/{id}/map', { tenantScope: 'operator', internal: true }),
})
