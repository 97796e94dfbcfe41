/** What of an alert an order met. Apart from the rules, since screens never evaluate one. */
import { type Evaluation, nodeMatches } from '#domain/rules/rule-evaluation.ts'
import type { OrderFacts } from '#domain/rules/rule-fields.ts'
import type { AlertSignal } from './order-alerts.codes.ts'
import { type AlertRule, hasConditions, thresholdNodes } from './order-alerts.rules.ts'

/** Sorted: the same set of signals is reported once for an order. */
export function signalsOf(alert: AlertRule, facts: OrderFacts, evaluation: Evaluation): AlertSignal[] {
  const met: AlertSignal[] = thresholdNodes(alert).flatMap(({ signal, node }) => (nodeMatches(node, facts, evaluation) ? signal : []))
  return [...met, ...(hasConditions(alert.conditions) ? (['conditions'] as const) : [])].toSorted()
}
