/** How much each company of the operator may have. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { companyLimitsSchemas } from './company-limits.schemas.ts'

export const companyLimits = contract<typeof companyLimitsSchemas>({
  name: 'companyLimits',
  area: 'desk',
  access: access.admin,
  company: 'main',
  tenantScope: 'operator',
  internal: true,
}).calls({
  get: call('GET company/companies/{company_id}/limits'),
  set: call('POST company/companies/{company_id}/limits'),
})
