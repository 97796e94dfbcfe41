/** Reading the rule of a request: its mistakes are refused, the sentence of each under its path. */
import { type AppError, unprocessable } from '#contract/errors.ts'
import { compilePattern } from './rule-evaluation.ts'
import { parseRule, type Rule, type RuleError } from './rule-grammar.ts'

/** @throws {AppError} 422 with the path and the sentence of each mistake */
export function readRule(json: unknown, kind: Parameters<typeof parseRule>[1], field: string): Rule {
  const { rule, errors } = parseRule(json, kind, { isPattern: pattern => compilePattern(pattern) !== null })
  if (rule) return rule
  throw ruleInvalid(errors, field)
}

/** `field` is the name of the rule in the body: a mistake is named `conditions.all[1].op`. */
function ruleInvalid(errors: readonly RuleError[], field: string): AppError {
  const first = errors[0] ?? { path: '', text: 'This part of the rule cannot be read', values: {} }
  const fields = Object.fromEntries(errors.map(({ path, text }) => [path === '' ? field : `${field}.${path}`, text]))
  return unprocessable('rule_invalid', first.text, { ...first.values, path: first.path }, { fields })
}
