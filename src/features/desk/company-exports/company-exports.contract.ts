/** Everything of one company as an archive: asked for and fetched by an admin of the main company. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { companyExportsSchemas } from './company-exports.schemas.ts'

export const companyExports = contract<typeof companyExportsSchemas>({
  name: 'companyExports',
  area: 'desk',
  access: access.admin,
  company: 'main',
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET company/companies/{company_id}/exports'),
  start: call('POST company/companies/{company_id}/exports', { external: true, rateLimit: 'handler' }),
  file: call('GET company/exports/{id}/file', { media: 'application/zip', external: true }),
})
