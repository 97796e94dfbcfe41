/** Exports of the list of orders, as a job whose file is kept for seven days. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderExportsSchemas } from './order-exports.schemas.ts'

export const orderExports = contract<typeof orderExportsSchemas>({
  name: 'orderExports',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  start: call('POST orders/export_job', { workClass: 'search' }),
})
