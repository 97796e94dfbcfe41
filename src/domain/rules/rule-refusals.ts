/** The refusal of a rule with mistakes: the sentence of each under its path. */
import { type AppError, unprocessable } from '#contract/errors.ts'
import type { RuleError } from './rule-grammar.ts'

/** `field` is the name of the rule in the body: a mistake is named `conditions.all[1].op`. */
export function ruleInvalid(errors: readonly RuleError[], field: string): AppError {
  const first = errors[0] ?? { path: '', text: 'This part of the rule cannot be read', values: {} }
  const fields = Object.fromEntries(errors.map(({ path, text }) => [path === '' ? field : `${field}.${path}`, text]))
  return unprocessable('rule_invalid', first.text, { ...first.values, path: first.path }, { fields })
}
