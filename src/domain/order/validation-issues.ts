/** Converts schema errors of a shop's data to sentences that name the field and the expected format. */
import type * as z from 'zod'

/** One fault of an order, and its place. */
export interface Problem {
  /** `lines[1].qty`; empty for the order as a whole. */
  field: string
  /** A sentence with placeholders: the translation key. */
  text: string
  values: Record<string, string | number>
}

/** Every refusal in two forms: for a field of the order and for one of a line. */
const importSentences = {
  missing: ['{{field}} is missing', 'Line {{line}}: {{field}} is missing'],
  unknown: [
    '{{field}} is not a field of an order; data of your own go into attributes',
    'Line {{line}}: {{field}} is not a field of a line; data of your own go into custom',
  ],
  storable: ['{{field}} holds a character that cannot be stored', 'Line {{line}}: {{field}} holds a character that cannot be stored'],
  long: ['{{field}} is longer than {{max}} characters', 'Line {{line}}: {{field}} is longer than {{max}} characters'],
  many: ['{{field}} holds more than {{max}} entries', 'Line {{line}}: {{field}} holds more than {{max}} entries'],
  crowded: ['{{field}} holds more than 100 entries', 'Line {{line}}: {{field}} holds more than 100 entries'],
  empty: ['{{field}} is empty', 'Line {{line}}: {{field}} is empty'],
  high: ['{{field}} {{value}} is more than {{max}}', 'Line {{line}}: {{field}} {{value}} is more than {{max}}'],
  low: ['{{field}} {{value}} is less than {{min}}', 'Line {{line}}: {{field}} {{value}} is less than {{min}}'],
  choice: ['{{field}} {{value}} is none of {{allowed}}', 'Line {{line}}: {{field}} {{value}} is none of {{allowed}}'],
  text: ['{{field}} must be text', 'Line {{line}}: {{field}} must be text'],
  whole: ['{{field}} must be a whole number', 'Line {{line}}: {{field}} must be a whole number'],
  truth: ['{{field}} must be true or false', 'Line {{line}}: {{field}} must be true or false'],
  list: ['{{field}} must be a list', 'Line {{line}}: {{field}} must be a list'],
  object: ['{{field}} must be an object', 'Line {{line}} must be an object'],
  order: ['An order must be an object', 'An order must be an object'],
  scalar: ['{{field}} must be text, a number, true, false or null', 'Line {{line}}: {{field}} must be text, a number, true, false or null'],
  money: [
    '{{field}} {{value}} is not an amount: enter it as text such as "12.50"',
    'Line {{line}}: {{field}} {{value}} is not an amount: enter it as text such as "12.50"',
  ],
  percent: [
    '{{field}} {{value}} is not a percentage: enter it as text such as "25"',
    'Line {{line}}: {{field}} {{value}} is not a percentage: enter it as text such as "25"',
  ],
  fraction: ['Quantity {{value}} is not a whole number', 'Line {{line}}: quantity {{value}} is not a whole number'],
  none: ['Quantity {{value}} is less than 1', 'Line {{line}}: quantity {{value}} is less than 1'],
  lots: ['Quantity {{value}} is more than 999999', 'Line {{line}}: quantity {{value}} is more than 999999'],
  quantity: ['Quantity {{value}} is not a number', 'Line {{line}}: quantity {{value}} is not a number'],
  instant: [
    '{{field}} {{value}} is not an instant such as 2026-11-10T10:30:00+01:00',
    'Line {{line}}: {{field}} {{value}} is not an instant such as 2026-11-10T10:30:00+01:00',
  ],
  day: ['{{field}} {{value}} is not a day such as 2026-11-10', 'Line {{line}}: {{field}} {{value}} is not a day such as 2026-11-10'],
  country: [
    '{{field}} {{value}} is not a country code of two letters such as DK',
    'Line {{line}}: {{field}} {{value}} is not a country code of two letters such as DK',
  ],
  currency: [
    '{{field}} {{value}} is not a currency code such as DKK',
    'Line {{line}}: {{field}} {{value}} is not a currency code such as DKK',
  ],
  dimensions: [
    '{{field}} must be length, width and height in whole millimetres',
    'Line {{line}}: {{field}} must be length, width and height in whole millimetres',
  ],
  url: ['{{field}} must begin with https://', 'Line {{line}}: {{field}} must begin with https://'],
  hs_code: [
    '{{field}} {{value}} is not a customs tariff code of digits',
    'Line {{line}}: {{field}} {{value}} is not a customs tariff code of digits',
  ],
  written: ['{{field}} {{value}} is not written as expected', 'Line {{line}}: {{field}} {{value}} is not written as expected'],
  twice: ['{{field}} {{value}} stands twice', 'Line {{line}}: {{field}} {{value}} stands twice in this order'],
  bundle: ['{{field}} {{value}} names no line of this order', 'Line {{line}}: {{field}} {{value}} names no other line of this order'],
  too_dear: ['The order is worth more than can be counted', 'Line {{line}} is worth more than can be counted'],
} as const
type Sentence = keyof typeof importSentences

/** Limit of reported faults: with more of them, the sender has to check the whole order anyway. */
export const mostProblems = 20

type Path = readonly PropertyKey[]

const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`),
    '',
  )

export const shown = (value: unknown): string => {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a log or a screen
  const plain = words.slice(0, 60).replace(/[\u0000-\u001f\u007f\p{Cs}]/gu, '�')
  return words.length > 60 ? `${plain}…` : plain
}

export function problemAt(path: Path, sentence: Sentence, values: Record<string, string | number> = {}): Problem {
  const field = pathText(path)
  const [first, place] = path
  if (first !== 'lines' || typeof place !== 'number') return { field, text: importSentences[sentence][0], values: { field, ...values } }
  const within = pathText(path.slice(2))
  return { field, text: importSentences[sentence][1], values: { line: place + 1, field: within, ...values } }
}

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined),
    body,
  )

function quantityProblem(path: Path, value: unknown): Problem {
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(value)) ? Number(value) : Number.NaN
  const sentence: Sentence = Number.isNaN(number)
    ? 'quantity'
    : !Number.isInteger(number)
      ? 'fraction'
      : number < 1
        ? 'none'
        : number > 999_999
          ? 'lots'
          : 'quantity'
  return problemAt(path, sentence, { value: shown(value) })
}

const byExpectation: Record<string, Sentence> = {
  string: 'text',
  number: 'whole',
  int: 'whole',
  boolean: 'truth',
  array: 'list',
  object: 'object',
  record: 'object',
  tuple: 'dimensions',
}

function problemOf(issue: z.core.$ZodIssue, body: unknown): Problem[] {
  const { path } = issue
  const value = valueAt(body, path)
  if (path.length === 0 && issue.code === 'invalid_type') return [problemAt(path, 'order')]
  if (issue.code === 'unrecognized_keys') return issue.keys.slice(0, mostProblems).map(key => problemAt([...path, shown(key)], 'unknown'))
  if (issue.code === 'invalid_key') return [problemAt(path, 'storable')]
  if (value === undefined && issue.code !== 'custom') return [problemAt(path, 'missing')]
  if (issue.message === 'quantity') return [quantityProblem(path, value)]
  if (issue.message in importSentences) return [problemAt(path, issue.message as Sentence, { value: shown(value) })]
  switch (issue.code) {
    case 'invalid_type':
      return [problemAt(path, byExpectation[issue.expected] ?? 'written', { value: shown(value) })]
    case 'invalid_value':
      return [problemAt(path, 'choice', { value: shown(value), allowed: issue.values.join(', ') })]
    case 'too_big':
      return [
        problemAt(path, issue.origin === 'string' ? 'long' : issue.origin === 'array' ? 'many' : 'high', {
          value: shown(value),
          max: Number(issue.maximum),
        }),
      ]
    case 'too_small':
      return [problemAt(path, issue.origin === 'array' ? 'empty' : 'low', { value: shown(value), min: Number(issue.minimum) })]
    default:
      return [problemAt(path, 'written', { value: shown(value) })]
  }
}

/** The faults that a schema found, one per field: two findings for one fault (too long and unreadable) would only confuse. At most 20. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], body: unknown): Problem[] {
  const seen = new Set<string>()
  return issues
    .flatMap(issue => problemOf(issue, body))
    .filter(({ field }) => !seen.has(field) && seen.add(field))
    .slice(0, mostProblems)
}
