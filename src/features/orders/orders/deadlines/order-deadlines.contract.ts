/** The ship-by date of an order, set by hand. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderDeadlinesSchemas } from './order-deadlines.schemas.ts'

export const orderDeadlines = contract<typeof orderDeadlinesSchemas>({
  name: 'orderDeadlines',
  area: 'orders',
  access: access.parcelsAdmin,
  tenantScope: 'operator',
  internal: true,
}).calls({
  setShipBy: call('POST orders/{id}/ship_by'),
})
