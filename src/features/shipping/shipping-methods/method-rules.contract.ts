/** Rules that choose the shipping method of an order: the first that is met decides. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { methodRulesSchemas } from './method-rules.schemas.ts'

export const methodRules = contract<typeof methodRulesSchemas>({
  name: 'methodRules',
  area: 'shipping',
  access: access.settings,
  internal: true,
}).calls({
  list: call('GET method_rules', { access: access.settingsRead }),
  create: call('POST method_rules'),
  update: call('POST method_rules/{id}'),
  order: call('POST method_rules/order'),
  remove: call('DELETE method_rules/{id}'),
})
