/** Evaluation of rules: a rule is compiled once into functions, each of which costs no more than its value and its fact. */
import { TZDate } from '@date-fns/tz'
import { RE2JS } from 're2js'
import { isRecord } from '#domain/objects.ts'
import { foldings } from '#domain/order/search-terms.ts'
import {
  type FieldType,
  fieldDefinition,
  isLineField,
  type LineFacts,
  type Operator,
  type OrderFacts,
  type RuleField,
} from './rule-fields.ts'
import {
  type Condition,
  codeForm,
  conditionsOf,
  isDigits,
  minutesOf,
  moneyOf,
  numberOf,
  pairOf,
  periodMs,
  type Rule,
  type RuleNode,
  type RuleValue,
  textOf,
  textsOf,
} from './rule-grammar.ts'

/** When and where a rule is evaluated, and what could not be compared meanwhile. */
export interface Evaluation {
  now: Date
  /** The company's time zone, for weekdays and times of day. */
  zone: string
  /** Conditions that were false because two currencies cannot be compared. */
  not_compared: number
}

type Facts = Readonly<Record<string, unknown>>
type Test = (facts: Facts, evaluation: Evaluation, lines: readonly LineFacts[]) => boolean
/** Compares a fact that is known; a fact of another type fits no condition. */
type Compare = (fact: unknown, evaluation: Evaluation) => boolean

const ofText =
  (compare: (fact: string, evaluation: Evaluation) => boolean): Compare =>
  (fact, evaluation) =>
    typeof fact === 'string' && compare(fact, evaluation)
const ofNumber =
  (compare: (fact: number) => boolean): Compare =>
  fact =>
    typeof fact === 'number' && compare(fact)

export interface CompiledRule {
  rule: Rule
  /** The fields whose facts are read. */
  fields: ReadonlySet<RuleField>
  matches(facts: OrderFacts, evaluation: Evaluation): boolean
}

export function compileRule(rule: Rule): CompiledRule {
  const test = compileNode(rule)
  return {
    rule,
    fields: fieldsOfRule(rule),
    matches: (facts, evaluation) => test(facts, evaluation, facts.lines),
  }
}

function fieldsOfRule(rule: Rule): Set<RuleField> {
  const fields = new Set(conditionsOf(rule).map(condition => condition.field))
  // A condition on items may name no field of theirs: `none` over nothing asks whether there are any.
  if (asksForLines(rule) && ![...fields].some(isLineField)) fields.add('line.sku')
  return fields
}

function asksForLines(node: RuleNode | Rule): boolean {
  if ('field' in node) return false
  if ('lines' in node) return true
  if ('not' in node) return asksForLines(node.not)
  return ('all' in node ? node.all : node.any).some(asksForLines)
}

/** Whether a node of a rule holds; inside a condition on items `line` is the item. */
export const nodeMatches = (node: RuleNode, facts: OrderFacts, evaluation: Evaluation, line?: LineFacts): boolean =>
  compileNode(node)(line ?? facts, evaluation, facts.lines)

function compileNode(node: RuleNode | Rule): Test {
  if ('field' in node) return compileCondition(node)
  if ('all' in node) {
    const tests = node.all.map(compileNode)
    return (...given) => tests.every(test => test(...given))
  }
  if ('any' in node) {
    const tests = node.any.map(compileNode)
    return (...given) => tests.some(test => test(...given))
  }
  if ('not' in node) {
    const test = compileNode(node.not)
    return (...given) => !test(...given)
  }
  const match = compileNode(node.match)
  const { lines: quantifier } = node
  return (_, evaluation, lines) => {
    if (quantifier === 'every') return lines.length > 0 && lines.every(line => match(line, evaluation, []))
    return lines.some(line => match(line, evaluation, [])) === (quantifier === 'some')
  }
}

/** What is not known makes every comparison false; only `is_empty` asks for it. */
function compileCondition({ field, op, value }: Condition): Test {
  const { type } = fieldDefinition(field)
  if (field === 'now.day' || field === 'now.clock') {
    const compare = compareWith('instant', op, value)
    return (_, evaluation) => compare(evaluation.now.toISOString(), evaluation)
  }
  if (op === 'is_empty') return facts => isEmpty(facts[field]) === value
  const compare = compareWith(type, op, value)
  return (facts, evaluation) => {
    const fact = facts[field]
    return fact !== null && fact !== undefined && compare(fact, evaluation)
  }
}

const isEmpty = (fact: unknown): boolean =>
  fact === null || fact === undefined || (typeof fact === 'string' && fact.trim() === '') || (Array.isArray(fact) && fact.length === 0)

function compareWith(type: FieldType, op: Operator, value: RuleValue): Compare {
  switch (type) {
    case 'text':
      return compareText(op, textOf(value))
    case 'code':
    case 'postcode':
      return compareCode(op, value)
    case 'enum':
    case 'country': {
      const wanted = new Set(textsOf(value))
      const negative = op === 'ne' || op === 'not_in'
      return ofText(fact => wanted.has(fact) !== negative)
    }
    case 'set':
      return compareSet(op, textsOf(value))
    case 'bool':
      return fact => fact === value
    case 'money':
      return compareMoney(op, value)
    case 'instant':
    case 'age':
    case 'day':
    case 'clock':
      return compareInstant(op, value)
    default:
      return compareNumber(op, value)
  }
}

/** Small letters without accents: `Åse` is `ase`. */
const foldedText = (text: string): string => foldings(text.trim()).at(-1) ?? ''

/** Texts longer than this are compared by their beginning. */
const longestText = 10_000

function compareText(op: Operator, value: string): Compare {
  if (op === 'matches') {
    const pattern = compilePattern(value)
    return ofText(fact => pattern?.matches(fact.slice(0, longestText).trim()) ?? false)
  }
  const wanted = foldedText(value)
  const test: Partial<Record<Operator, (text: string) => boolean>> = {
    eq: text => text === wanted,
    ne: text => text !== wanted,
    contains: text => text.includes(wanted),
    starts: text => text.startsWith(wanted),
    ends: text => text.endsWith(wanted),
  }
  const compare = test[op]
  return ofText(fact => compare?.(foldedText(fact.slice(0, longestText))) ?? false)
}

/** A pattern that is compared in linear time with the whole text, whatever its capitals; null when it cannot be read. */
export function compilePattern(pattern: string): { matches(text: string): boolean } | null {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    return { matches: text => compiled.matches(text) }
  } catch {
    return null
  }
}

function compareCode(op: Operator, value: RuleValue): Compare {
  if (op === 'between') {
    const [from, to] = pairOf(value, textOf)
    // Numbers of different lengths: 900 is before 1000.
    if (isDigits(from) && isDigits(to))
      return ofText(fact => {
        const code = codeForm(fact)
        return isDigits(code) && Number(code) >= Number(from) && Number(code) <= Number(to)
      })
    return ofText(fact => {
      const code = codeForm(fact)
      return code >= from && code <= to
    })
  }
  if (op === 'starts') {
    const start = textOf(value)
    return ofText(fact => codeForm(fact).startsWith(start))
  }
  const wanted = new Set(textsOf(value))
  const negative = op === 'ne' || op === 'not_in'
  return ofText(fact => wanted.has(codeForm(fact)) !== negative)
}

function compareSet(op: Operator, values: readonly string[]): Compare {
  const wanted = new Set(values.map(foldedText))
  return fact => {
    if (!Array.isArray(fact)) return false
    const found = new Set(fact.map(one => foldedText(String(one)))).intersection(wanted).size
    if (op === 'has_all') return found === wanted.size
    return found > 0 === (op === 'has_any')
  }
}

function compareNumber(op: Operator, value: RuleValue): Compare {
  const [from, to] = op === 'between' ? pairOf(value, numberOf) : [numberOf(value), 0]
  return ofNumber(numberTest(op, from, to))
}

function numberTest(op: Operator, from: number, to: number): (fact: number) => boolean {
  switch (op) {
    case 'eq':
      return fact => fact === from
    case 'ne':
      return fact => fact !== from
    case 'lt':
      return fact => fact < from
    case 'lte':
      return fact => fact <= from
    case 'gt':
      return fact => fact > from
    case 'gte':
      return fact => fact >= from
    default:
      return fact => fact >= from && fact <= to
  }
}

function compareMoney(op: Operator, value: RuleValue): Compare {
  const [{ amount: from, currency }, { amount: to }] = op === 'between' ? pairOf(value, moneyOf) : [moneyOf(value), moneyOf(value)]
  const compare = numberTest(op, from, to)
  return (fact, evaluation) => {
    if (!isRecord(fact) || typeof fact.amount !== 'number') return false
    if (fact.currency === currency) return compare(fact.amount)
    evaluation.not_compared++
    return false
  }
}

function compareInstant(op: Operator, value: RuleValue): Compare {
  switch (op) {
    case 'before':
    case 'after': {
      const at = Date.parse(textOf(value))
      return ofText(fact => (op === 'before' ? Date.parse(fact) < at : Date.parse(fact) > at))
    }
    case 'within':
    case 'older_than': {
      const ms = periodMs(textOf(value)) ?? 0
      return ofText((fact, { now }) => {
        const ago = now.getTime() - Date.parse(fact)
        if (op === 'older_than') return ago > ms
        return ms > 0 ? ago >= 0 && ago <= ms : ago <= 0 && ago >= ms
      })
    }
    case 'weekday_in': {
      const days = new Set([value].flat().map(numberOf))
      return ofText((fact, { zone }) => days.has(localTime(fact, zone).weekday))
    }
    default: {
      const [from, to] = pairOf(value, one => minutesOf(textOf(one)))
      return ofText((fact, { zone }) => {
        const { minutes } = localTime(fact, zone)
        return from <= to ? minutes >= from && minutes <= to : minutes >= from || minutes <= to
      })
    }
  }
}

/** Weekday (1 is Monday) and minutes since midnight on the clock of a time zone. */
function localTime(instant: string, zone: string): { weekday: number; minutes: number } {
  const local = new TZDate(instant, zone)
  return { weekday: local.getDay() || 7, minutes: local.getHours() * 60 + local.getMinutes() }
}
