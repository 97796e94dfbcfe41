/** Rules and reasons in words, in the language of the translate function that is passed. */
import { isCurrency } from '#domain/money.ts'
import { isKeyOf } from '#domain/objects.ts'
import { fieldDefinition, isRuleField, type MoneyValue, type Operator } from './rule-fields.ts'
import { periodMs, type Rule, type RuleNode, type RuleValue } from './rule-grammar.ts'
import type { Reason } from './rule-schemas.ts'

/** How a language writes what stands in a sentence. */
export interface RuleWords {
  t(sentence: string, values?: Record<string, string | number>): string
  number(value: number): string
  money(minor: number, currency: string): string
  weight(grams: number): string
  country(code: string): string
  instant(iso: string): string
  /** Monday is 1. */
  weekday(day: number): string
  list(values: readonly string[]): string
}

/** What a condition says, with places for the field and its value. */
const conditionSentences: Record<Exclude<Operator, 'is' | 'is_empty'>, string> = {
  eq: '{{field}} is {{value}}',
  ne: '{{field}} is not {{value}}',
  lt: '{{field}} under {{value}}',
  lte: '{{field}} at most {{value}}',
  gt: '{{field}} over {{value}}',
  gte: '{{field}} at least {{value}}',
  between: '{{field}} between {{value}} and {{other}}',
  in: '{{field}} is one of {{value}}',
  not_in: '{{field}} is none of {{value}}',
  contains: '{{field}} contains {{value}}',
  starts: '{{field}} starts with {{value}}',
  ends: '{{field}} ends with {{value}}',
  matches: '{{field}} matches {{value}}',
  has_any: '{{field}} have one of {{value}}',
  has_all: '{{field}} have all of {{value}}',
  has_none: '{{field}} have none of {{value}}',
  before: '{{field}} before {{value}}',
  after: '{{field}} after {{value}}',
  within: '{{field}} in the last {{value}}',
  older_than: '{{field}} more than {{value}} ago',
  weekday_in: '{{field}} on {{value}}',
}

export const ruleWordSentences = {
  next: '{{field}} in the next {{value}}',
  empty: '{{field}} is empty',
  filled: '{{field}} is not empty',
  yes: '{{field}}: yes',
  no: '{{field}}: no',
  not: 'not ({{condition}})',
  and: '{{one}} and {{other}}',
  or: '{{one}} or {{other}}',
  always: 'every order',
  some: 'some item: {{condition}}',
  every: 'every item: {{condition}}',
  none: 'no item: {{condition}}',
  days: '{{count}} days',
  hours: '{{count}} hours',
  minutes: '{{count}} minutes',
} as const

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The whole rule as one sentence, for the editor and for lists. */
export function ruleSentence(rule: Rule, words: RuleWords): string {
  const node = 'all' in rule ? { all: rule.all } : { any: rule.any }
  return upperFirst(nodeSentence(node, words, false))
}

function nodeSentence(node: RuleNode, words: RuleWords, nested: boolean): string {
  if ('field' in node) return conditionSentence(node, words)
  if ('not' in node) return words.t(ruleWordSentences.not, { condition: nodeSentence(node.not, words, false) })
  if ('lines' in node) return words.t(ruleWordSentences[node.lines], { condition: nodeSentence(node.match, words, true) })
  const nodes = 'all' in node ? node.all : node.any
  if (nodes.length === 0) return words.t(ruleWordSentences.always)
  const joined = join(
    nodes.map(one => nodeSentence(one, words, nodes.length > 1)),
    'all' in node ? 'and' : 'or',
    words,
  )
  return nested && nodes.length > 1 ? `(${joined})` : joined
}

const join = (parts: readonly string[], word: 'and' | 'or', words: RuleWords): string =>
  parts.length === 0 ? '' : parts.reduce((one, other) => words.t(ruleWordSentences[word], { one, other }))

/** `Country is NO and weight over 2 kg`. */
export const reasonsSentence = (reasons: readonly Reason[], words: RuleWords): string =>
  reasons.length === 0
    ? words.t(ruleWordSentences.always)
    : join(
        reasons.map(reason => reasonSentence(reason, words)),
        'and',
        words,
      )

function reasonSentence(reason: Reason, words: RuleWords): string {
  const sentence =
    'lines' in reason
      ? words.t(ruleWordSentences[reason.lines], { condition: reasonsSentence(reason.match, words) })
      : conditionSentence(reason, words)
  return reason.not ? words.t(ruleWordSentences.not, { condition: sentence }) : sentence
}

/** A condition as it stands in a rule, or in an explanation that may be older than this list of fields. */
interface WrittenCondition {
  field: string
  op: string
  value: RuleValue
}

function conditionSentence({ field, op, value }: WrittenCondition, words: RuleWords): string {
  const named = isRuleField(field) ? words.t(fieldDefinition(field).label) : field
  if (op === 'is_empty') return words.t(value === true ? ruleWordSentences.empty : ruleWordSentences.filled, { field: named })
  if (op === 'is') return words.t(value === true ? ruleWordSentences.yes : ruleWordSentences.no, { field: named })
  if (op === 'between') {
    const [from = '', to = ''] = [value].flat()
    return words.t(conditionSentences.between, { field: named, value: valueText(from, field, words), other: valueText(to, field, words) })
  }
  if (op === 'within' && typeof value === 'string' && value.startsWith('-'))
    return words.t(ruleWordSentences.next, { field: named, value: periodText(value, words) })
  const text = conditionText({ field, op, value }, words)
  return words.t(conditionSentences[isKeyOf(conditionSentences, op) ? op : 'eq'], { field: named, value: text })
}

function conditionText({ field, op, value }: WrittenCondition, words: RuleWords): string {
  if (op === 'within' || op === 'older_than') return periodText(String(value), words)
  if (op === 'weekday_in') return words.list([value].flat().map(day => words.weekday(Number(day))))
  return Array.isArray(value) ? words.list(value.map(one => valueText(one, field, words))) : valueText(value, field, words)
}

function valueText(value: string | number | boolean | MoneyValue, field: string, words: RuleWords): string {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'object') return isCurrency(value.currency) ? words.money(value.amount, value.currency) : String(value.amount)
  const type = isRuleField(field) ? fieldDefinition(field).type : 'text'
  if (typeof value === 'number') {
    if (type === 'grams') return words.weight(value)
    return type === 'cm3' ? `${words.number(value)} cm³` : words.number(value)
  }
  if (type === 'country') return words.country(value)
  if (type === 'enum') return words.t(enumLabels[value] ?? value)
  return type === 'instant' && value.length > 5 ? words.instant(value) : value
}

/** Names of the values of `enum` fields. */
export const enumLabels: Readonly<Record<string, string>> = {
  pending: 'not paid yet',
  authorized: 'authorized',
  partially_paid: 'partially paid',
  paid: 'paid',
  partially_refunded: 'partially refunded',
  refunded: 'refunded',
  voided: 'voided',
  ordered: 'ordered',
  packed: 'packed',
  on_its_way: 'in transit',
  out_for_delivery: 'out for delivery',
  ready_for_pickup: 'ready for collection',
  delivered: 'delivered',
  problem: 'problem with the parcel',
  does_not_fit: 'Does not fit',
  not_as_described: 'Not as described',
  damaged_in_transit: 'Damaged in transit',
  defective: 'Defective',
  wrong_item: 'Wrong item',
  late: 'Arrived too late',
  ordered_twice: 'Ordered twice',
  changed_mind: 'Changed my mind',
  missing_part: 'A part is missing',
  refund: 'Refund',
  exchange: 'Exchange',
  credit: 'Credit',
  repair: 'Repair',
}

function periodText(period: string, words: RuleWords): string {
  const minutes = Math.abs(periodMs(period) ?? 0) / 60_000
  if (minutes % 1_440 === 0) return words.t(ruleWordSentences.days, { count: minutes / 1_440 })
  if (minutes % 60 === 0) return words.t(ruleWordSentences.hours, { count: minutes / 60 })
  return words.t(ruleWordSentences.minutes, { count: minutes })
}
