/** What the form of a return rule begins with, and what it checks beside the schema of the call. */
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ReturnRule, ReturnRuleEffects } from '#features/returns/returns/return-policy.schemas.ts'

export const emptyRule = (id: string): ReturnRule => ({
  id,
  name: '',
  active: true,
  conditions: { v: 1, all: [] },
  effects: ReturnRuleEffects.parse({}),
})

/** Two years, the time in which the shop answers for defects, is what a longer window is mostly used for. */
export const withWindow = (on: boolean) => ({ window_days: on ? 730 : null })

export const FormRule = ReturnRule.refine(({ conditions }) => parseRule(conditions, 'return').rule !== undefined, {
  path: ['conditions'],
  message: 'Complete the conditions',
})
