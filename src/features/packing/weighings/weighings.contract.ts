/** Weighings: what parcels weighed at the packing stations. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { weighingsSchemas } from './weighings.schemas.ts'

export const weighings = contract<typeof weighingsSchemas>({
  name: 'weighings',
  area: 'packing',
  access: [...access.settings, 'parcels_admin', 'scan_admin'],
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET weighings', { workClass: 'search' }),
  export: call('GET weighings/export', { media: 'text/csv', timeout: 'long' }),
})
