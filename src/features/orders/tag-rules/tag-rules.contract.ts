/** Rules that give orders a tag. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { tagRulesSchemas } from './tag-rules.schemas.ts'

export const tagRules = contract<typeof tagRulesSchemas>({
  name: 'tagRules',
  area: 'orders',
  access: access.settings,
  internal: true,
}).calls({
  list: call('GET tag_rules'),
  export: call('GET tag_rules/export', { media: 'text/csv' }),
  get: call('GET tag_rules/{id}'),
  create: call('POST tag_rules'),
  update: call('POST tag_rules/{id}'),
  remove: call('DELETE tag_rules/{id}'),
})
