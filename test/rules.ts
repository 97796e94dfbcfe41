/** Drawn rules and order facts, and an evaluator that is slow and plain. */
import fc from 'fast-check'
import {
  fieldDefinition,
  fieldsOf,
  isLineField,
  type LineFacts,
  type OrderFacts,
  operatorsOf,
  type RuleField,
  ruleFields,
} from '#domain/rules/rule-fields.ts'
import type { Condition, Rule, RuleNode } from '#domain/rules/rule-grammar.ts'

const codes = ['A', 'b 1', 'B2', '0150', '900', '12 345', 'SW1A 1AA', 'æ', 'DKK']
const texts = ['Åse', 'ase', 'gift', 'A gift for Åse', 'Straße', 'ø', 'x']
const patterns = ['.*gift.*', '[a-z]+', 'a.e', '(x|gift)']
const tags = ['vip', 'VIP', 'Åben', 'aben', 'cold']
const countries = ['DK', 'NO', 'SE', 'DE', 'GB']
const instants = [
  '2026-03-28T23:30:00.000Z',
  '2026-03-29T00:30:00.000Z',
  '2026-03-29T01:30:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-06-15T22:10:00.000Z',
]
const clocks = ['00:00', '02:30', '08:00', '16:00', '23:30']
const periods = ['P1D', 'P3D', 'PT12H', 'P2W', 'P200D']
export const zones = ['Europe/Copenhagen', 'America/New_York', 'Asia/Kathmandu', 'UTC']

const small = fc.integer({ min: -2, max: 6 })
const money = fc.record({ amount: fc.integer({ min: -1, max: 5 }), currency: fc.constantFrom('DKK', 'EUR') })
const twoOf = <T>(values: readonly T[]) => fc.tuple(fc.constantFrom(...values), fc.constantFrom(...values))
const someOf = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 })
const ordered = (pair: fc.Arbitrary<[number, number]>) => pair.map(([a, b]) => [Math.min(a, b), Math.max(a, b)])

function valueFor(field: RuleField, op: string): fc.Arbitrary<unknown> {
  const { type, values } = fieldDefinition(field)
  if (op === 'is' || op === 'is_empty') return fc.boolean()
  if (op === 'weekday_in') return fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 })
  if (op === 'within') return fc.constantFrom(...periods, '-P3D', '-PT12H')
  if (op === 'older_than') return fc.constantFrom(...periods)
  if (type === 'text') return fc.constantFrom(...(op === 'matches' ? patterns : texts))
  if (type === 'set') return someOf(tags)
  if (type === 'money')
    return op === 'between'
      ? fc
          .tuple(money, money)
          .map(([a, b]) => (a.amount <= b.amount ? [a, { ...b, currency: a.currency }] : [{ ...b, currency: a.currency }, a]))
      : money
  if (type === 'int' || type === 'grams' || type === 'cm3') return op === 'between' ? ordered(fc.tuple(small, small)) : small
  if (type === 'instant' && op !== 'between') return fc.constantFrom(...instants)
  if (type === 'instant' || type === 'clock') return twoOf(clocks)
  if (op === 'between') return fc.constantFrom(['0150', '900'], ['A', 'SW1A1AA'], ['12345', '12345'])
  const list = type === 'country' ? countries : (values ?? codes)
  return op === 'in' || op === 'not_in' ? someOf(list) : fc.constantFrom(...list)
}

/** A condition on one of these fields. */
const conditionOn = (fields: readonly RuleField[]): fc.Arbitrary<Condition> =>
  fc
    .constantFrom(...fields)
    .chain(field =>
      fc
        .constantFrom(...operatorsOf(fieldDefinition(field).type))
        .chain(op => valueFor(field, op).map(value => ({ field, op, value }) as Condition)),
    )

export const shippingFields = fieldsOf('shipping_method')

/** Rules with groups, negations and conditions on items, within the bounds of the grammar. */
export function drawnRules(fields: readonly RuleField[] = shippingFields): fc.Arbitrary<Rule> {
  const ofOrder = conditionOn(fields.filter(field => !isLineField(field)))
  const ofLine = conditionOn(fields.filter(isLineField))
  const match: fc.Arbitrary<RuleNode> = fc.oneof(
    ofLine,
    fc.array(ofLine, { maxLength: 3 }).map(all => ({ all })),
    ofLine.map(not => ({ not })),
  )
  const leaf: fc.Arbitrary<RuleNode> = fc.oneof(
    { weight: 3, arbitrary: ofOrder },
    { weight: 1, arbitrary: fc.record({ lines: fc.constantFrom('some', 'every', 'none'), match }) as fc.Arbitrary<RuleNode> },
  )
  const group = (inner: fc.Arbitrary<RuleNode>): fc.Arbitrary<RuleNode> =>
    fc.oneof(
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map(all => ({ all })) },
      { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map(any => ({ any })) },
      { weight: 1, arbitrary: leaf.map(not => ({ not })) },
    )
  const nodes = fc.array(group(leaf), { minLength: 1, maxLength: 4 })
  return fc.oneof(
    nodes.map((all): Rule => ({ v: 1, all })),
    nodes.map((any): Rule => ({ v: 1, any })),
  )
}

function factFor(field: RuleField): fc.Arbitrary<unknown> {
  const { type, values } = fieldDefinition(field)
  const known: Record<string, fc.Arbitrary<unknown>> = {
    text: fc.constantFrom('', ...texts),
    set: fc.array(fc.constantFrom(...tags), { maxLength: 3 }),
    bool: fc.boolean(),
    money,
    int: small,
    grams: small,
    cm3: small,
    instant: fc.constantFrom(...instants),
    age: fc.constantFrom(...instants),
    country: fc.constantFrom(...countries),
  }
  const fact = known[type] ?? fc.constantFrom(...(values ?? codes))
  return fc.option(fact, { freq: 5 })
}

const factsOn = (fields: readonly RuleField[]) => fc.record(Object.fromEntries(fields.map(field => [field, factFor(field)])))
const names = (Object.keys(ruleFields) as RuleField[]).filter(field => !field.startsWith('now.'))
export const drawnFacts: fc.Arbitrary<OrderFacts> = fc
  .tuple(factsOn(names.filter(field => !isLineField(field))), fc.array(factsOn(names.filter(isLineField)), { maxLength: 3 }))
  .map(([facts, lines]) => ({ ...facts, lines }) as unknown as OrderFacts)

const folded = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
const code = (text: string) => text.split(' ').join('').toUpperCase()

/** The same rules, read from the JSON again for every order and without any preparation. */
export function slowlyMatches(node: Rule | RuleNode, facts: OrderFacts, now: Date, zone: string, line?: LineFacts): boolean {
  if ('all' in node) return node.all.filter(one => slowlyMatches(one, facts, now, zone, line)).length === node.all.length
  if ('any' in node) return node.any.filter(one => slowlyMatches(one, facts, now, zone, line)).length > 0
  if ('not' in node) return !slowlyMatches(node.not, facts, now, zone, line)
  if ('lines' in node) {
    const met = facts.lines.filter(one => slowlyMatches(node.match, facts, now, zone, one)).length
    if (node.lines === 'some') return met > 0
    return node.lines === 'none' ? met === 0 : met > 0 && met === facts.lines.length
  }
  return conditionHolds(node, ((line ?? facts) as Record<string, unknown>)[node.field], now, zone)
}

function conditionHolds({ field, op, value }: Condition, stored: unknown, now: Date, zone: string): boolean {
  const { type } = fieldDefinition(field)
  const fact = field.startsWith('now.') ? now.toISOString() : stored
  if (op === 'is_empty') return (fact === null || fact === '' || (Array.isArray(fact) && fact.length === 0)) === value
  if (fact === null) return false
  if (op === 'is') return fact === value
  const list = (Array.isArray(value) ? value : [value]) as never[]
  if (op === 'before' || op === 'after')
    return op === 'before' ? (fact as string) < (value as string) : (fact as string) > (value as string)
  if (op === 'within' || op === 'older_than') {
    const hours = { P1D: 24, P3D: 72, PT12H: 12, P2W: 336, P200D: 4_800, '-P3D': -72, '-PT12H': -12 }[value as string]!
    const gone = (now.getTime() - Date.parse(fact as string)) / 3_600_000
    if (op === 'older_than') return gone > hours
    return hours > 0 ? gone >= 0 && gone <= hours : gone <= 0 && gone >= hours
  }
  if (type === 'instant' || type === 'age' || type === 'day' || type === 'clock') {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    const parts = Object.fromEntries(format.formatToParts(new Date(fact as string)).map(part => [part.type, part.value]))
    const weekday = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday!)
    if (op === 'weekday_in') return (list as number[]).includes(weekday)
    const time = `${parts.hour}:${parts.minute}`
    const [from, to] = list as string[]
    return from! <= to! ? from! <= time && time <= to! : from! <= time || time <= to!
  }
  if (type === 'money') {
    const amounts = list as { amount: number; currency: string }[]
    const { amount, currency } = fact as { amount: number; currency: string }
    return (
      amounts[0]!.currency === currency &&
      numberHolds(
        op,
        amount,
        amounts.map(one => one.amount),
      )
    )
  }
  if (typeof fact === 'number') return numberHolds(op, fact, list)
  if (type === 'set') {
    const wanted = [...new Set((list as string[]).map(folded))]
    const has = wanted.filter(one => (fact as string[]).some(tag => folded(tag) === one)).length
    return op === 'has_any' ? has > 0 : op === 'has_none' ? has === 0 : has === wanted.length
  }
  const form = type === 'text' ? folded : type === 'country' || type === 'enum' ? (text: string) => text : code
  const text = form(fact as string)
  const wanted = (list as string[]).map(form)
  switch (op) {
    case 'eq':
    case 'in':
      return wanted.includes(text)
    case 'ne':
    case 'not_in':
      return !wanted.includes(text)
    case 'contains':
      return text.includes(wanted[0]!)
    case 'starts':
      return text.startsWith(wanted[0]!)
    case 'ends':
      return text.endsWith(wanted[0]!)
    case 'matches':
      return new RegExp(`^(?:${value as string})$`, 'i').test((fact as string).trim())
    default: {
      const numeric = [...wanted, text].map(one => /^\d+$/.test(one))
      if (numeric[0] && numeric[1]) return numeric[2]! && Number(wanted[0]) <= Number(text) && Number(text) <= Number(wanted[1])
      return wanted[0]! <= text && text <= wanted[1]!
    }
  }
}

function numberHolds(op: string, fact: number, [from, to]: readonly number[]): boolean {
  const holds: Record<string, boolean> = {
    eq: fact === from!,
    ne: fact !== from!,
    lt: fact < from!,
    lte: fact <= from!,
    gt: fact > from!,
    gte: fact >= from!,
    between: fact >= from! && fact <= to!,
  }
  return holds[op]!
}
