/** Rules in the reader's language: its sentences, numbers, money, countries and weekdays. */
import type { Operator } from '#domain/rules/rule-fields.ts'
import type { RuleWords } from '#domain/rules/rule-sentence.ts'
import { country, instant, money, number, weight } from '#ui/kit/format.ts'
import { localeTag, t } from '#ui/kit/translate.ts'

/** Monday is 1. 1 January 2024 was a Monday. */
export const weekday = (day: number): string =>
  new Intl.DateTimeFormat(localeTag(), { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)))

export const ruleWords: RuleWords = { t, number, money, weight, country, instant, weekday, list: values => values.join(', ') }

/** Operators as a list offers them. */
export const operatorLabels: Record<Operator, string> = {
  eq: 'is',
  ne: 'is not',
  lt: 'less than',
  lte: 'at most',
  gt: 'more than',
  gte: 'at least',
  between: 'between',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts: 'starts with',
  ends: 'ends with',
  matches: 'matches the pattern',
  is: 'is',
  is_empty: 'is empty',
  has_any: 'have one of',
  has_all: 'have all of',
  has_none: 'have none of',
  before: 'before',
  after: 'after',
  within: 'within',
  older_than: 'longer ago than',
  weekday_in: 'on',
}
