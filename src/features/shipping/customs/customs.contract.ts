/** Customs: what an order needs at the borders that it crosses, and why. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { customsSchemas } from './customs.schemas.ts'

export const customs = contract<typeof customsSchemas>({
  name: 'customs',
  area: 'shipping',
  access: access.parcels,
  tenantScope: 'operator',
}).calls({
  ofOrder: call('GET orders/{id}/customs', { internal: true }),
  set: call('POST orders/{id}/customs', { internal: true }),
})
