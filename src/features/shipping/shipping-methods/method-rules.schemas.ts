/** Schemas of the calls in method-rules.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
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
  agent_code: text(limits.code).min(1, 'Select a shipping method'),
  shipping_method: text(limits.code).min(1, 'Select a shipping method'),
  active: z.boolean().default(true),
})
export type MethodRuleFields = z.infer<typeof MethodRuleFields>

export const methodRulesSchemas = {
  components: { RuleJson, MethodRule, MethodRuleFields },
  calls: {
    list: {
      reply: z.array(MethodRule),
      summary: 'The rules in the order in which they decide. Orders that meet none go by the shop codes of the methods.',
    },
    create: {
      body: MethodRuleFields,
      reply: MethodRule,
      summary: 'Adds a rule behind the others; 422 `rule_invalid` names each mistake by its path, such as `conditions.all[1].op`.',
    },
    update: {
      body: MethodRuleFields.extend({ version: z.number().int().min(1) }),
      reply: MethodRule,
      summary: 'Changes a rule; 409 with the current state when the version is old. Orders that have a method keep it.',
    },
    order: {
      body: z.strictObject({ ids: z.array(z.number().int()).max(mostMethodRules) }),
      reply: z.array(MethodRule),
      summary: 'Puts the rules in this order; every rule is named once.',
    },
    remove: {
      summary: 'Removes a rule.',
    },
  },
} satisfies ContractSchemas
