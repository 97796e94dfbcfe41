/** Claims against couriers: for damage, loss and missing items. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { claimRulesSchemas, claimsSchemas } from './claims.schemas.ts'

export const claims = contract<typeof claimsSchemas>({
  name: 'claims',
  area: 'shipping',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET claims', { workClass: 'search' }),
  count: call('GET claims/count', { workClass: 'search' }),
  exportAll: call('GET claims/export', { media: 'text/csv', timeout: 'long' }),
  create: call('POST claims'),
  get: call('GET claims/{id}'),
  change: call('POST claims/{id}'),
  setState: call('POST claims/{id}/state/{state}'),
})

/** How long couriers take claims, by the company's agreements. */
export const claimRules = contract<typeof claimRulesSchemas>({
  name: 'claimRules',
  area: 'shipping',
  access: access.settings,
  internal: true,
}).calls({
  get: call('GET claim_rules/{agent_code}'),
  set: call('POST claim_rules/{agent_code}'),
})
