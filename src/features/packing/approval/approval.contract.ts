/** Rules by which the packing station asks a lead first, the requests, and their log. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { approverCodes } from './approval.codes.ts'
import type { approvalRulesSchemas, approvalsSchemas } from './approval.schemas.ts'

export const approvalRules = contract<typeof approvalRulesSchemas>({
  name: 'approvalRules',
  area: 'packing',
  access: access.settings,
}).calls({
  list: call('GET order_product_require_password/rule/list/', { access: [...access.settingsRead, 'scan_admin', 'scan'] }),
  get: call('GET order_product_require_password/rule/{id}', { access: [...access.settingsRead, 'scan_admin', 'scan'] }),
  set: call('POST order_product_require_password/rule'),
  remove: call('DELETE order_product_require_password/rule/{id}'),
})

export const approvals = contract<typeof approvalsSchemas>({
  name: 'approvals',
  area: 'packing',
  access: approverCodes,
  tenantScope: 'operator',
  internal: true,
}).calls({
  // A group may allow packers to answer.
  open: call('GET approvals/open', { access: [...approverCodes, 'scan'] }),
  // Not locked to the addresses of the warehouse, as asking is: a lead may be elsewhere.
  answer: call('POST approvals/{id}/answer', { access: [...approverCodes, 'scan'] }),
  log: call('GET approvals/log', { access: [...access.settings, 'parcels_admin', 'scan_admin'], workClass: 'search' }),
  totals: call('GET approvals/totals', { access: [...access.settings, 'parcels_admin', 'scan_admin'], workClass: 'search' }),
  exportTotals: call('GET approvals/totals/export', {
    access: [...access.settings, 'parcels_admin', 'scan_admin'],
    media: 'text/csv',
    timeout: 'long',
  }),
  photo: call('GET approvals/{id}/photo', {
    access: [...access.settings, 'parcels_admin', 'scan_admin'],
    media: 'image/*',
    external: true,
  }),
  export: call('GET approvals/export', { access: [...access.settings, 'parcels_admin', 'scan_admin'], media: 'text/csv', timeout: 'long' }),
})
