/** Orders: searching, reading, moving them along and keeping them at hand. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { ordersSchemas } from './orders.schemas.ts'

export const orders = contract<typeof ordersSchemas>({
  name: 'orders',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
}).calls({
  search: call('GET orders/search/', { workClass: 'search' }),
  export: call('GET orders/export', { media: 'text/csv', external: true, internal: true }),
  count: call('GET orders/count', { workClass: 'search' }),
  countLanguages: call('GET orders/count/language', { workClass: 'search' }),
  countLanguage: call('GET orders/count/language/for/{x}', { workClass: 'search' }),
  countState: call('GET orders/count/{x}', { workClass: 'search' }),
  get: call('GET orders/{id}'),
  timeline: call('GET orders/{id}/timeline', { internal: true }),
  setState: call('POST orders/{id}/set_state/{state}', { access: access.bench }),
  setStateBulk: call('POST orders/set_state_bulk/{state}', { access: access.bench, external: true }),
  setAddress: call('POST orders/{order_id}/shipping_address'),
  pin: call('POST order_pinned/pin/{id}'),
  unpin: call('POST order_pinned/unpin/{id}'),
  shippingOptions: call('GET order_shipping_description/option'),
  setShipping: call('POST order_shipping_description/set/{method}/on/{id}'),
  bypassUsed: call('POST bypass_used_in_packing'),
})
