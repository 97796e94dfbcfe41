/** Why an order cannot be picked or packed now: each cause with its owner, since when, and what takes it away. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { whyNotSchemas } from './why-not.schemas.ts'

export const whyNot = contract<typeof whyNotSchemas>({
  name: 'whyNot',
  area: 'desk',
  access: access.bench,
  tenantScope: 'operator',
  internal: true,
}).calls({
  ask: call('GET orders/{id}/why_not'),
})
