/** Status histories: what is said to the shop about an order, and how the shop reads it. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { shopHistoriesSchemas, statusHistoriesSchemas } from './status-histories.schemas.ts'

export const statusHistories = contract<typeof statusHistoriesSchemas>({
  name: 'statusHistories',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
}).calls({
  list: call('GET orders/cms/status_histories/{id}'),
  add: call('POST orders/cms/status_histories/{id}'),
})

/** With the shop's own key. */
export const shopHistories = contract<typeof shopHistoriesSchemas>({
  name: 'shopHistories',
  area: 'orders',
  access: 'shop',
  internal: true,
}).calls({
  read: call('GET cms/status_histories'),
})
