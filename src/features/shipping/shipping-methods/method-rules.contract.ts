/** Rules that choose the shipping method of an order: the first that is met decides. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits, text } from '#contract/limits.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'

export const mostMethodRules = 100

export const MethodRule = z.object({
  id: z.number().int(),
  /** Its place, counted from 1. */
  position: z.number().int(),
  name: z.string(),
  conditions: RuleJson,
  agent_code: z.string(),
  shipping_method: z.string(),
  active: z.boolean(),
  /** True when the conditions use something that no longer exists: the rule is passed over. */
  broken: z.boolean(),
  version: z.number().int(),
})
export type MethodRule = z.infer<typeof MethodRule>

export const MethodRuleFields = z.strictObject({
  name: text(limits.name).default(''),
  conditions: RuleJson,
  agent_code: text(limits.code).min(1, 'Choose a shipping method'),
  shipping_method: text(limits.code).min(1, 'Choose a shipping method'),
  active: z.boolean().default(true),
})
export type MethodRuleFields = z.infer<typeof MethodRuleFields>

export const methodRules = calls(
  { name: 'methodRules', area: 'shipping', access: access.settings, internal: true, schemas: { RuleJson, MethodRule, MethodRuleFields } },
  {
    list: call('GET method_rules', {
      reply: z.array(MethodRule),
      access: access.settingsRead,
      summary: 'The rules in the order in which they decide. Orders that meet none go by the shop codes of the methods.',
    }),
    create: call('POST method_rules', {
      body: MethodRuleFields,
      reply: MethodRule,
      summary: 'Adds a rule behind the others; 422 `rule_invalid` names each mistake by its path, such as `conditions.all[1].op`.',
    }),
    update: call('POST method_rules/{id}', {
      body: MethodRuleFields.extend({ version: z.number().int().min(1) }),
      reply: MethodRule,
      summary: 'Changes a rule; 409 with the current state when the version is old. Orders that have a method keep it.',
    }),
    order: call('POST method_rules/order', {
      body: z.strictObject({ ids: z.array(z.number().int()).max(mostMethodRules) }),
      reply: z.array(MethodRule),
      summary: 'Puts the rules in this order; every rule is named once.',
    }),
    remove: call('DELETE method_rules/{id}', { summary: 'Removes a rule.' }),
  },
)
