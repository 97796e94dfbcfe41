/** Why a rule is met: the few conditions that decided it, short enough to be kept with the order. */
import { type Evaluation, nodeMatches } from './rule-evaluation.ts'
import type { LineFacts, OrderFacts } from './rule-fields.ts'
import { type Condition, conditionsOf, type Rule, type RuleNode } from './rule-grammar.ts'
import type { Reason } from './rule-schemas.ts'

const mostReasons = 8
const mostValues = 5

/** The conditions by which these facts meet the rule, or by which they do not. */
export function explainRule(rule: Rule, facts: OrderFacts, evaluation: Evaluation): Reason[] {
  const node = 'all' in rule ? { all: rule.all } : { any: rule.any }
  return reasonsOf(node, facts, evaluation, nodeMatches(node, facts, evaluation)).slice(0, mostReasons)
}

function reasonsOf(node: RuleNode, facts: OrderFacts, evaluation: Evaluation, met: boolean, line?: LineFacts): Reason[] {
  if ('field' in node) return [{ ...shortened(node, line ?? facts, met), ...(met ? {} : { not: true as const }) }]
  if ('not' in node) return reasonsOf(node.not, facts, evaluation, !met, line)
  if ('lines' in node) {
    // What one item shows is named by that item; what holds of all or of none, by the condition itself.
    const shown = facts.lines.find(one => nodeMatches(node.match, facts, evaluation, one))
    const match: Reason[] =
      node.lines === 'some' && met && shown
        ? reasonsOf(node.match, facts, evaluation, true, shown)
        : conditionsOf(node.match).map(condition => shortened(condition, {}, false))
    const conditions = match.flatMap(reason => ('lines' in reason ? [] : [reason])).slice(0, mostReasons)
    return [{ lines: node.lines, ...(met ? {} : { not: true as const }), match: conditions }]
  }
  const nodes = 'all' in node ? node.all : node.any
  // Of `all` every part counts when it is met, and the first that fails when it is not; of `any` it is the other way.
  if ('all' in node === met) return nodes.flatMap(one => reasonsOf(one, facts, evaluation, met, line))
  const decisive = nodes.find(one => nodeMatches(one, facts, evaluation, line) === met)
  return decisive ? reasonsOf(decisive, facts, evaluation, met, line) : []
}

/** A long list is shortened to the value that decided: `country in 27 countries` becomes `country is NO`. */
function shortened(condition: Condition, facts: Readonly<Record<string, unknown>>, met: boolean): Condition {
  const { field, op, value } = condition
  if (!Array.isArray(value) || value.length < 2 || op === 'between' || op === 'weekday_in') return condition
  const fact = facts[field]
  if (met && op === 'in' && typeof fact === 'string') return { field, op: 'eq', value: fact }
  return value.length > mostValues ? { field, op, value: value.slice(0, mostValues) } : condition
}
