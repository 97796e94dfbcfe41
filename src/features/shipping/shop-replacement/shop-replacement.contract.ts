/** Shop replacement: an order's parcel shop that is closed or full is replaced before its label is made. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { shopReplacementSchemas } from './shop-replacement.schemas.ts'

export const shopReplacement = contract<typeof shopReplacementSchemas>({
  name: 'shopReplacement',
  area: 'shipping',
  access: access.parcels,
  internal: true,
}).calls({
  state: call('GET orders/{order_id}/parcel_shop', { access: access.bench, tenantScope: 'operator' }),
  choose: call('POST orders/{order_id}/parcel_shop', { tenantScope: 'operator' }),
})
