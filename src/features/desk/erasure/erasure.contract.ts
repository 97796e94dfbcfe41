/** Personal data: finding a person's orders, asking for a copy of what is stored or for its erasure, and what was asked before. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { erasureSchemas } from './erasure.schemas.ts'

export const erasures = contract<typeof erasureSchemas>({
  name: 'erasures',
  area: 'desk',
  access: access.admin,
  company: 'main',
  tenantScope: 'operator',
  internal: true,
}).calls({
  orders: call('GET personal_data/orders', { workClass: 'search' }),
  list: call('GET personal_data/requests'),
  request: call('POST personal_data/requests', { external: true }),
  file: call('GET personal_data/requests/{id}/file', { media: 'application/octet-stream' }),
})
