/** Rules of a company about the crates of its products, by SKU. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { crateRulesSchemas } from './crate-rules.schemas.ts'

export const crateRules = contract<typeof crateRulesSchemas>({
  name: 'crateRules',
  area: 'catalog',
  access: access.crateRulesRead,
}).calls({
  list: call('GET shipping_crate/rule/list/'),
  options: call('GET shipping_crate/rule/list/opt'),
  set: call('POST shipping_crate/rule/set/{id}/for/{sku}', { access: access.crateRules }),
  remove: call('DELETE shipping_crate/rule/remove/{id}', { access: access.crateRules }),
  export: call('GET shipping_crate/rule/export', { media: 'text/csv', timeout: 'long', internal: true }),
})
