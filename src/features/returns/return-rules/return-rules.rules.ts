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

/** With a change; nothing where neither place is left. */
export function withDestination(
  before: ReturnRule['effects']['destination'],
  change: Partial<NonNullable<ReturnRule['effects']['destination']>>,
): ReturnRule['effects']['destination'] {
  const after = { bin: '', address: '', ...before, ...change }
  return after.bin === '' && after.address === '' ? null : after
}

export const FormRule = ReturnRule.refine(({ conditions }) => parseRule(conditions, 'return').rule !== undefined, {
  path: ['conditions'],
  message: 'Complete the conditions',
})
