/** An alert as one rule: its thresholds and its conditions are met together. */
import { isRecord } from '#domain/objects.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule, type Rule, type RuleNode, type RuleValue } from '#domain/rules/rule-grammar.ts'
import { type AlertMatch, isAmount, type Threshold, type ThresholdMode, thresholds } from './order-alerts.codes.ts'

export type Bounds = { readonly [B in `${Threshold}_${'min' | 'max'}`]: number | null }

export interface AlertRule extends Bounds {
  threshold_mode: ThresholdMode
  match: AlertMatch
  currency: string
  conditions: unknown
}

const fields: Record<Threshold, RuleField> = {
  row_count: 'line.qty',
  row_value: 'line.value',
  order_count: 'order.item_count',
  order_value: 'order.value',
}

/** The bounds of one threshold as a node of a rule; undefined without any. */
function thresholdNode(alert: AlertRule, threshold: Threshold): RuleNode | undefined {
  const [min, max] = [alert[`${threshold}_min`], alert[`${threshold}_max`]]
  const field = fields[threshold]
  const value = (bound: number): RuleValue => (isAmount(threshold) ? { amount: bound, currency: alert.currency } : bound)
  const outside = alert.threshold_mode === 'outside'
  const nodes: RuleNode[] = []
  if (min !== null) nodes.push({ field, op: outside ? 'lt' : 'gte', value: value(min) })
  if (max !== null) nodes.push({ field, op: outside ? 'gt' : 'lte', value: value(max) })
  const [only] = nodes
  if (only === undefined) return undefined
  const node = nodes.length === 1 ? only : outside ? { any: nodes } : { all: nodes }
  return threshold.startsWith('row_') ? { lines: 'some', match: node } : node
}

/** Each threshold that is set. */
export function thresholdNodes(alert: AlertRule): { signal: Threshold; node: RuleNode }[] {
  return thresholds.flatMap(signal => {
    const node = thresholdNode(alert, signal)
    return node ? { signal, node } : []
  })
}

export const hasConditions = (conditions: unknown): boolean =>
  isRecord(conditions) && [conditions.all, conditions.any].some(nodes => Array.isArray(nodes) && nodes.length > 0)

/** Without a threshold and a condition it would meet every order. */
export const isEmptyAlert = (alert: AlertRule): boolean => thresholdNodes(alert).length === 0 && !hasConditions(alert.conditions)

/** The whole alert as JSON of a rule, to be read as any other one. */
export function alertRuleJson(alert: AlertRule): Record<string, unknown> {
  const nodes: unknown[] = thresholdNodes(alert).map(({ node }) => node)
  const joined = alert.match === 'any' && nodes.length > 1 ? [{ any: nodes }] : nodes
  const { conditions } = alert
  if (!hasConditions(conditions) || !isRecord(conditions)) return { v: 1, all: joined }
  return { v: 1, all: [...joined, ...(Array.isArray(conditions.all) ? conditions.all : [{ any: conditions.any }])] }
}

/** Undefined where it can no longer be read. */
export const alertRule = (alert: AlertRule): Rule | undefined => parseRule(alertRuleJson(alert), 'alert').rule

/** The first pair of bounds of which the lower one is above the upper one. */
export const wrongRange = (bounds: Bounds): Threshold | undefined =>
  thresholds.find(threshold => {
    const [min, max] = [bounds[`${threshold}_min`], bounds[`${threshold}_max`]]
    return min !== null && max !== null && min > max
  })
