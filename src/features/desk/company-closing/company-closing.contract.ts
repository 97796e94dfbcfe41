/** Closing a company of the operator, and opening it again within its days of grace. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { companyClosingSchemas } from './company-closing.schemas.ts'

export const companyClosing = contract<typeof companyClosingSchemas>({
  name: 'companyClosing',
  area: 'desk',
  access: access.admin,
  company: 'main',
  tenantScope: 'operator',
  internal: true,
}).calls({
  get: call('GET company/companies/{company_id}'),
  close: call('POST company/companies/{company_id}/close', { external: true, rateLimit: 'handler' }),
  reopen: call('POST company/companies/{company_id}/reopen'),
})
