/** Tracking: what the recipient of an order may see of it without a login. */
import { call, contract } from '#contract/endpoint.ts'
import type { trackingSchemas } from './tracking.schemas.ts'

export const tracking = contract<typeof trackingSchemas>({
  name: 'tracking',
  area: 'shipping',
  access: 'anyone',
  internal: true,
  // The recipients of its parcels follow them until the data of a closed company end.
  whileClosed: true,
}).calls({
  shop: call('GET tracking/shop'),
  order: call('GET tracking/order'),
  find: call('POST tracking/find', { workClass: 'search', external: true, rateLimit: { max: 10, seconds: 3_600 } }),
})
