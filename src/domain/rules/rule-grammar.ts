/** The grammar of rules: JSON of groups and conditions, read and checked with the path of everything that is wrong. */
import { isCountry } from '#domain/country-names.ts'
import { isCurrency } from '#domain/money.ts'
import { elementAt, isRecord } from '#domain/objects.ts'
import {
  type FieldType,
  fieldDefinition,
  fieldsOf,
  isLineField,
  isRuleField,
  type MoneyValue,
  type Operator,
  operatorsOf,
  type RuleField,
  type RuleSetKind,
} from './rule-fields.ts'

export type RuleValue = string | number | boolean | MoneyValue | (string | number | MoneyValue)[]

export interface Condition {
  field: RuleField
  op: Operator
  value: RuleValue
}
export type LinesQuantifier = 'some' | 'every' | 'none'
export type RuleNode =
  | { all: RuleNode[] }
  | { any: RuleNode[] }
  | { not: RuleNode }
  | { lines: LinesQuantifier; match: RuleNode }
  | Condition
export type Rule = { v: 1; all: RuleNode[] } | { v: 1; any: RuleNode[] }

export const ruleLimits = { depth: 4, nodes: 64, list: 1_000, text: 200, bytes: 32_000, number: 1_000_000_000_000 } as const

export interface RuleError {
  /** Where it is in the JSON: `all[1].any[0].op`; empty for the whole rule. */
  path: string
  /** A sentence with placeholders: the translation key. */
  text: string
  /** A `field` is the label of a field, which is a translation key too. */
  values: Record<string, string | number>
}

const ruleSentences = {
  root: 'A rule begins with “all of” or “any of”',
  emptyAny: 'Add a condition: an empty “any of” is never met',
  depth: 'Groups can be nested {{max}} deep',
  nodes: 'A rule can have {{max}} conditions and groups',
  large: 'The rule is too long',
  unreadable: 'This part of the rule cannot be read',
  nestedLines: 'A condition on items cannot hold another one',
  outsideLines: 'Use {{field}} in a condition on items',
  insideLines: '{{field}} cannot be used in a condition on items',
  field: 'This field cannot be used here',
  operator: '{{field}} cannot be compared this way',
  text: 'Enter a text of at most {{max}} characters',
  pattern: 'The pattern cannot be read',
  list: 'Select 1 to {{max}} values',
  number: 'Enter a whole number',
  money: 'Enter an amount with its currency',
  choice: 'Select from the list',
  country: 'Select a country',
  instant: 'Enter a date and a time',
  period: 'Enter a period of at most {{max}} days',
  clock: 'Enter a time of day, such as 16:00',
  weekday: 'Select weekdays',
  order: 'The second value is smaller than the first',
  currencies: 'Both amounts need the same currency',
} as const

export type ParsedRule = { rule: Rule; errors?: undefined } | { rule?: undefined; errors: RuleError[] }

export interface ParseOptions {
  /** Whether the evaluator reads this pattern. Without it patterns are only checked for their length. */
  isPattern?: (pattern: string) => boolean
}

/** Reads a rule of one kind of rule set; codes and countries are written one way afterwards. */
export function parseRule(json: unknown, kind: RuleSetKind, options: ParseOptions = {}): ParsedRule {
  if (sizeOf(json) > ruleLimits.bytes) return { errors: [{ path: '', text: ruleSentences.large, values: {} }] }
  const reader = new RuleReader(new Set(fieldsOf(kind)), options)
  const rule = reader.root(json)
  return reader.errors.length > 0 || !rule ? { errors: reader.errors } : { rule }
}

/** Bytes of the JSON; more than every limit when it is none. */
function sizeOf(json: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(json) ?? '').length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const hasOnly = (record: Record<string, unknown>, ...keys: string[]): boolean =>
  Object.keys(record).length === keys.length && keys.every(key => Object.hasOwn(record, key))

/** Reads one rule and collects what is wrong with it. */
class RuleReader {
  readonly errors: RuleError[] = []
  readonly #fields: ReadonlySet<RuleField>
  readonly #options: ParseOptions
  #nodes = 0

  constructor(fields: ReadonlySet<RuleField>, options: ParseOptions) {
    this.#fields = fields
    this.#options = options
  }

  root(json: unknown): Rule | undefined {
    if (!isRecord(json) || json.v !== 1) return this.#refuse('', 'root')
    if (hasOnly(json, 'v', 'all') && Array.isArray(json.all)) return { v: 1, all: this.#group(json.all, 'all', 1, false) }
    if (!hasOnly(json, 'v', 'any') || !Array.isArray(json.any)) return this.#refuse('', 'root')
    if (json.any.length === 0) return this.#refuse('any', 'emptyAny')
    return { v: 1, any: this.#group(json.any, 'any', 1, false) }
  }

  #refuse(path: string, sentence: keyof typeof ruleSentences, values: RuleError['values'] = {}): undefined {
    this.errors.push({ path, text: ruleSentences[sentence], values })
  }

  #group(nodes: readonly unknown[], path: string, depth: number, inLines: boolean): RuleNode[] {
    if (depth > ruleLimits.depth) {
      this.#refuse(path, 'depth', { max: ruleLimits.depth })
      return []
    }
    const read: RuleNode[] = []
    for (const [at, node] of nodes.entries()) {
      // The first node too many is named, the rest is not read.
      if (this.#nodes >= ruleLimits.nodes) {
        if (this.#nodes++ === ruleLimits.nodes) this.#refuse(`${path}[${at}]`, 'nodes', { max: ruleLimits.nodes })
        break
      }
      const one = this.#node(node, `${path}[${at}]`, depth, inLines)
      if (one) read.push(one)
    }
    return read
  }

  #node(json: unknown, path: string, depth: number, inLines: boolean): RuleNode | undefined {
    this.#nodes++
    if (!isRecord(json)) return this.#refuse(path, 'unreadable')
    if (hasOnly(json, 'all') && Array.isArray(json.all)) return { all: this.#group(json.all, `${path}.all`, depth + 1, inLines) }
    if (hasOnly(json, 'any') && Array.isArray(json.any)) return { any: this.#group(json.any, `${path}.any`, depth + 1, inLines) }
    if (hasOnly(json, 'not')) {
      const [not] = this.#only(json.not, `${path}.not`, depth, inLines)
      return not && { not }
    }
    if (hasOnly(json, 'lines', 'match')) {
      const { lines } = json
      if (lines !== 'some' && lines !== 'every' && lines !== 'none') return this.#refuse(`${path}.lines`, 'unreadable')
      if (inLines) return this.#refuse(path, 'nestedLines')
      const [match] = this.#only(json.match, `${path}.match`, depth, true)
      return match && { lines, match }
    }
    if (hasOnly(json, 'field', 'op', 'value')) return this.#condition(json, path, inLines)
    return this.#refuse(path, 'unreadable')
  }

  /** The one node below `not` or `match`, which nests as a group does. */
  #only(json: unknown, path: string, depth: number, inLines: boolean): RuleNode[] {
    if (depth + 1 > ruleLimits.depth) this.#refuse(path, 'depth', { max: ruleLimits.depth })
    else if (this.#nodes >= ruleLimits.nodes) {
      if (this.#nodes++ === ruleLimits.nodes) this.#refuse(path, 'nodes', { max: ruleLimits.nodes })
    } else {
      const node = this.#node(json, path, depth + 1, inLines)
      return node ? [node] : []
    }
    return []
  }

  #condition({ field, op, value }: Record<string, unknown>, path: string, inLines: boolean): Condition | undefined {
    if (typeof field !== 'string' || !isRuleField(field) || !this.#fields.has(field)) return this.#refuse(`${path}.field`, 'field')
    const { type, label, values } = fieldDefinition(field)
    if (isLineField(field) !== inLines) return this.#refuse(`${path}.field`, inLines ? 'insideLines' : 'outsideLines', { field: label })
    const operator = operatorsOf(type).find(one => one === op)
    if (!operator) return this.#refuse(`${path}.op`, 'operator', { field: label })
    const read = readValue(type, operator, value, values, this.#options)
    if ('refused' in read) return this.#refuse(`${path}.value`, read.refused, { max: read.max ?? 0 })
    return { field, op: operator, value: read.value }
  }
}

type ReadValue = { value: RuleValue } | { refused: keyof typeof ruleSentences; max?: number }

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= ruleLimits.text && value.isWellFormed() && !value.includes('\u0000')
/** Spaces and capitals do not count in a code: `sw1a 1aa` is `SW1A1AA`. */
export const codeForm = (text: string): string => text.replace(/\s+/g, '').toUpperCase()
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) <= ruleLimits.number
const isMoney = (value: unknown): value is MoneyValue =>
  isRecord(value) &&
  hasOnly(value, 'amount', 'currency') &&
  isNumber(value.amount) &&
  typeof value.currency === 'string' &&
  isCurrency(value.currency)

/** The parts of a value that was read by `parseRule`; a value of another form is a fault of the program. */
export const textOf = (value: RuleValue): string => (typeof value === 'string' ? value : misread(value))
export const textsOf = (value: RuleValue): string[] => [value].flat().map(textOf)
export const numberOf = (value: RuleValue): number => (typeof value === 'number' ? value : misread(value))
export const moneyOf = (value: RuleValue): MoneyValue => (typeof value === 'object' && !Array.isArray(value) ? value : misread(value))
export function pairOf<T>(value: RuleValue, read: (one: RuleValue) => T): [T, T] {
  if (!Array.isArray(value)) return misread(value)
  return [read(elementAt(value, 0)), read(elementAt(value, 1))]
}
function misread(value: RuleValue): never {
  throw new TypeError(`The value ${JSON.stringify(value)} does not fit its condition`)
}

const refusedText: ReadValue = { refused: 'text', max: ruleLimits.text }
const refusedList: ReadValue = { refused: 'list', max: ruleLimits.list }

/** The value of a condition in the form in which it is kept, or why it does not fit. */
function readValue(
  type: FieldType,
  op: Operator,
  value: unknown,
  values: readonly string[] | undefined,
  { isPattern }: ParseOptions,
): ReadValue {
  if (op === 'is_empty' || op === 'is') return typeof value === 'boolean' ? { value } : { refused: 'choice' }
  if (op === 'weekday_in') return weekdays(value)
  if (op === 'within' || op === 'older_than') return period(value, op)
  switch (type) {
    case 'text':
      if (!isText(value)) return refusedText
      return op === 'matches' && isPattern && !isPattern(value) ? { refused: 'pattern' } : { value }
    case 'code':
    case 'postcode':
      if (op === 'between') return pair(value, isText, 'text', ([from, to]) => orderedCodes([codeForm(from), codeForm(to)]))
      if (op === 'in' || op === 'not_in') return texts(value, codeForm)
      return isText(value) ? { value: codeForm(value) } : refusedText
    case 'set':
      return texts(value, text => text.trim())
    case 'int':
    case 'grams':
    case 'cm3':
      if (op !== 'between') return isNumber(value) ? { value } : { refused: 'number' }
      return pair(value, isNumber, 'number', both => (both[0] <= both[1] ? { value: both } : { refused: 'order' }))
    case 'money':
      if (op !== 'between') return isMoney(value) ? { value } : { refused: 'money' }
      return pair(value, isMoney, 'money', both => {
        if (both[0].currency !== both[1].currency) return { refused: 'currencies' }
        return both[0].amount <= both[1].amount ? { value: both } : { refused: 'order' }
      })
    case 'enum':
    case 'country': {
      const known = (one: string) => (type === 'country' ? isCountry(one) : values?.includes(one))
      const refused = type === 'country' ? 'country' : 'choice'
      if (op !== 'in' && op !== 'not_in') return typeof value === 'string' && known(value) ? { value } : { refused }
      const list = texts(value, text => text)
      return 'refused' in list || textsOf(list.value).every(known) ? list : { refused }
    }
    case 'instant':
      if (op === 'between') return clocks(value)
      return isInstant(value) ? { value: new Date(value).toISOString() } : { refused: 'instant' }
    case 'clock':
      return clocks(value)
    default:
      return { refused: 'unreadable' }
  }
}

function texts(value: unknown, form: (text: string) => string): ReadValue {
  if (!Array.isArray(value) || value.length === 0 || value.length > ruleLimits.list) return refusedList
  return value.every(isText) ? { value: [...new Set(value.map(form))] } : refusedText
}

function pair<T>(
  value: unknown,
  fits: (one: unknown) => one is T,
  refused: keyof typeof ruleSentences,
  read: (both: [T, T]) => ReadValue,
): ReadValue {
  const [from, to, ...more]: unknown[] = Array.isArray(value) ? value : []
  return more.length === 0 && fits(from) && fits(to) ? read([from, to]) : { refused, max: ruleLimits.text }
}

export const isDigits = (text: string): boolean => /^\d{1,15}$/.test(text)

function orderedCodes(both: [string, string]): ReadValue {
  const [from, to] = both
  const ordered = isDigits(from) && isDigits(to) ? Number(from) <= Number(to) : from <= to
  return ordered ? { value: both } : { refused: 'order' }
}

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 40 && instantForm.test(value) && !Number.isNaN(Date.parse(value))

const clockForm = /^([01]\d|2[0-3]):([0-5]\d)$/
/** `16:30` → 990. */
export const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
/** A time of day may lie over midnight: 22:00 to 06:00. */
const clocks = (value: unknown): ReadValue =>
  pair(
    value,
    (one): one is string => typeof one === 'string' && clockForm.test(one),
    'clock',
    both => ({ value: both }),
  )

const isWeekday = (day: unknown): day is number => typeof day === 'number' && Number.isInteger(day) && day >= 1 && day <= 7

function weekdays(value: unknown): ReadValue {
  const days: unknown[] = Array.isArray(value) ? value : []
  return days.length > 0 && days.length <= 7 && days.every(isWeekday) ? { value: [...new Set(days)].sort() } : { refused: 'weekday' }
}

const periodForm = /^(-?)P(?=[\dT])(?:(\d{1,3})W|(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?)$/
const mostDays = 3_660
const hour = 3_600_000

/** `P3D`, `PT12H`, `-P1W` → milliseconds; null for other text. A day has 24 hours. */
export function periodMs(text: string): number | null {
  const parts = periodForm.exec(text)
  if (!parts) return null
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0] = parts
  const ms = (Number(weeks) * 168 + Number(days) * 24 + Number(hours)) * hour + Number(minutes) * 60_000
  return sign === '-' ? -ms : ms
}

function period(value: unknown, op: Operator): ReadValue {
  const text = typeof value === 'string' ? value : ''
  const ms = periodMs(text) ?? 0
  const fits = ms !== 0 && Math.abs(ms) <= mostDays * 24 * hour && (ms > 0 || op === 'within')
  return fits ? { value: text } : { refused: 'period', max: mostDays }
}

/** Every condition of a rule. */
export function conditionsOf(node: RuleNode | Rule): Condition[] {
  if ('field' in node) return [node]
  if ('all' in node) return node.all.flatMap(conditionsOf)
  if ('any' in node) return node.any.flatMap(conditionsOf)
  return conditionsOf('not' in node ? node.not : node.match)
}
