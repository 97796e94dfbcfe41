/** The API of shops: what a shop's own program may send and ask with a CMS key. */
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { shopApiSchemas } from './shop-api.schemas.ts'

export const shopApi = contract<typeof shopApiSchemas>({ name: 'shopApi', area: 'orders', access: 'shop', internal: true }).calls({
  sendOrders: call('POST cms/orders', { workClass: 'bulk', changeUpTo: 16_384, bodyLimit: limits.importBody, external: true }),
  sendProducts: call('POST cms/products', { workClass: 'bulk', changeUpTo: 16_384, bodyLimit: limits.importBody, external: true }),
  changedOrders: call('GET cms/orders'),
  order: call('GET cms/orders/{external_id}'),
})
