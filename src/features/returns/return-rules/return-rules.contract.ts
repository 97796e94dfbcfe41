/** The rules of returns: a draft, its trial on the returns of the last 90 days, and switching it on. */
import type { Permission } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { returnRulesSchemas } from './return-rules.schemas.ts'

const settings: readonly Permission[] = ['admin', 'rma_admin', 'settings_admin']

export const returnRules = contract<typeof returnRulesSchemas>({
  name: 'returnRules',
  area: 'returns',
  access: settings,
  internal: true,
}).calls({
  get: call('GET returns/rules'),
  save: call('POST returns/rules'),
  export: call('GET returns/rules/export', { media: 'text/csv' }),
  dryRun: call('POST returns/rules/dry_run', { workClass: 'bulk' }),
  enable: call('POST returns/rules/enable'),
  reset: call('POST returns/rules/reset'),
})
