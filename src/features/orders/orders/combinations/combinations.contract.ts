/** Several orders of one recipient in one parcel: which may go together, combined, taken apart again. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { combinationsSchemas } from './combinations.schemas.ts'

export const combinations = contract<typeof combinationsSchemas>({
  name: 'combinations',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  suggest: call('GET order_combinations'),
  preview: call('POST order_combinations/preview'),
  combine: call('POST order_combinations'),
  undo: call('DELETE order_combinations/{id}'),
  takeOut: call('POST order_combinations/{id}/take_out/{order_id}'),
})
