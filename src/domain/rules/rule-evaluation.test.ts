/** What rules mean, how they are explained, and that evaluating them stays cheap. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interpolate } from '#contract/errors.ts'
import { locales } from '#contract/limits.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import { drawnFacts, drawnRules, slowlyMatches, zones } from '#test/rules.ts'
import { compilePattern, compileRule, type Evaluation } from './rule-evaluation.ts'
import { explainRule } from './rule-explanation.ts'
import { type LineFacts, type OrderFacts, type RuleField, ruleFields } from './rule-fields.ts'
import { type Condition, parseRule, type Rule, type RuleNode } from './rule-grammar.ts'
import { enumLabels, type RuleWords, reasonsSentence, ruleSentence, ruleWordSentences } from './rule-sentence.ts'

const noon = new Date('2026-06-15T12:00:00Z')
const at = (now = noon, zone = 'Europe/Copenhagen'): Evaluation => ({ now, zone, not_compared: 0 })
const unknown = Object.fromEntries((Object.keys(ruleFields) as RuleField[]).map(field => [field, null])) as unknown as OrderFacts &
  LineFacts
const order = (known: Partial<OrderFacts>): OrderFacts => ({ ...unknown, lines: [], ...known })
const item = (known: Partial<LineFacts>): LineFacts => ({ ...unknown, ...known })
const parsed = (json: unknown): Rule => {
  const { rule, errors } = parseRule(json, 'shipping_method')
  expect(errors).toBeUndefined()
  return rule!
}
const met = (nodes: unknown[], facts: OrderFacts, evaluation = at()): boolean =>
  compileRule(parsed({ v: 1, all: nodes })).matches(facts, evaluation)
const holds = (field: string, op: string, value: unknown, facts: Partial<OrderFacts>, evaluation = at()) =>
  met([{ field, op, value }], order(facts), evaluation)

describe('the evaluator', () => {
  it('answers as a plain reference does', () => {
    fc.assert(
      fc.property(drawnRules(), drawnFacts, fc.constantFrom(...zones), (drawn, facts, zone) => {
        const rule = parsed(drawn)
        expect(compileRule(rule).matches(facts, at(noon, zone))).toBe(slowlyMatches(rule, facts, noon, zone))
      }),
      { numRuns: 2_000 },
    )
  })

  it('answers false for what is not known, unless emptiness is asked for', () => {
    expect(holds('ship.country', 'ne', 'NO', {})).toBe(false)
    expect(holds('ship.country', 'not_in', ['NO'], {})).toBe(false)
    expect(holds('ship.country', 'is_empty', true, {})).toBe(true)
    expect(holds('ship.country', 'is_empty', false, { 'ship.country': 'NO' })).toBe(true)
    expect(met([{ not: { field: 'ship.country', op: 'eq', value: 'NO' } }], order({}))).toBe(true)
  })

  it('compares texts without capitals and accents, and codes without spaces', () => {
    expect(holds('ship.city', 'eq', 'ÅRHUS', { 'ship.city': 'århus' })).toBe(true)
    expect(holds('ship.city', 'starts', 'arh', { 'ship.city': 'Århus C' })).toBe(true)
    expect(holds('ship.postcode', 'eq', 'sw1a 1aa', { 'ship.postcode': 'SW1A1AA' })).toBe(true)
  })

  it('compares postcodes by number where both bounds are numbers', () => {
    expect(holds('ship.postcode', 'between', ['900', '1200'], { 'ship.postcode': '0950' })).toBe(true)
    expect(holds('ship.postcode', 'between', ['100 00', '199 99'], { 'ship.postcode': '123 45' })).toBe(true)
    expect(holds('ship.postcode', 'between', ['900', '1200'], { 'ship.postcode': '1A' })).toBe(false)
    expect(holds('ship.postcode', 'between', ['AB1', 'AB5'], { 'ship.postcode': 'ab3' })).toBe(true)
  })

  it('matches a pattern with the whole text', () => {
    expect(holds('ship.city', 'matches', 'oslo.*', { 'ship.city': 'Oslo S' })).toBe(true)
    expect(holds('ship.city', 'matches', 'slo', { 'ship.city': 'Oslo' })).toBe(false)
    expect(compilePattern('(a')).toBeNull()
  })

  it('compares money to the last minor unit, and counts what is in another currency', () => {
    const over = { amount: 900_719_925_474, currency: 'DKK' }
    expect(holds('order.value', 'gt', over, { 'order.value': { ...over, amount: over.amount + 1 } })).toBe(true)
    expect(holds('order.value', 'gt', over, { 'order.value': over })).toBe(false)
    const evaluation = at()
    expect(holds('order.value', 'lt', over, { 'order.value': { amount: 1, currency: 'EUR' } }, evaluation)).toBe(false)
    expect(evaluation.not_compared).toBe(1)
  })

  it('reads weekdays and times on the company’s clock, over midnight and over the change of summer time', () => {
    const sunday = { 'order.ordered_at': '2026-03-28T23:30:00.000Z' }
    expect(holds('order.ordered_at', 'weekday_in', [7], sunday)).toBe(true)
    expect(holds('order.ordered_at', 'weekday_in', [6], sunday, at(noon, 'America/New_York'))).toBe(true)
    expect(holds('order.ordered_at', 'between', ['22:00', '06:00'], sunday)).toBe(true)
    // 02:30 does not exist that night: at 01:30 UTC the clock shows 03:30.
    expect(holds('order.ordered_at', 'between', ['03:30', '03:30'], { 'order.ordered_at': '2026-03-29T01:30:00.000Z' })).toBe(true)
    expect(met([{ field: 'now.clock', op: 'between', value: ['14:00', '14:00'] }], order({}))).toBe(true)
    expect(met([{ field: 'now.day', op: 'weekday_in', value: [1] }], order({}))).toBe(true)
  })

  it('counts periods back from now, and forward when they are negative', () => {
    const shipBy = (hours: number) => ({ 'order.ship_by': new Date(noon.getTime() + hours * 3_600_000).toISOString() })
    expect(holds('order.ship_by', 'within', '-PT4H', shipBy(4))).toBe(true)
    expect(holds('order.ship_by', 'within', '-PT4H', shipBy(5))).toBe(false)
    expect(holds('order.ship_by', 'within', '-PT4H', shipBy(-1))).toBe(false)
    expect(holds('order.ship_by', 'older_than', 'P1D', shipBy(-25))).toBe(true)
  })

  it('asks some, every or none of the items, and without items none', () => {
    const big = { field: 'line.qty', op: 'gte', value: 5 }
    const of = (...quantities: number[]) => order({ lines: quantities.map(qty => item({ 'line.qty': qty })) })
    expect([of(1, 5), of(5, 6), of(1), of()].map(facts => met([{ lines: 'some', match: big }], facts))).toEqual([true, true, false, false])
    expect([of(1, 5), of(5, 6), of(1), of()].map(facts => met([{ lines: 'every', match: big }], facts))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect([of(1, 5), of(5, 6), of(1), of()].map(facts => met([{ lines: 'none', match: big }], facts))).toEqual([false, false, true, true])
  })

  it('wants all conditions on an item of the same item', () => {
    const both = {
      lines: 'some',
      match: {
        all: [
          { field: 'line.sku', op: 'eq', value: 'A' },
          { field: 'line.qty', op: 'gt', value: 4 },
        ],
      },
    }
    const lines = [item({ 'line.sku': 'A', 'line.qty': 1 }), item({ 'line.sku': 'B', 'line.qty': 9 })]
    expect(met([both], order({ lines }))).toBe(false)
  })
})

describe('an evaluation is linear', () => {
  const cost = (rule: Rule, facts: OrderFacts, times: number) => {
    const compiled = compileRule(rule)
    const evaluation = at()
    for (let i = 0; i < times / 4; i++) compiled.matches(facts, evaluation)
    const cpu = measureCpu()
    for (let i = 0; i < times; i++) compiled.matches(facts, evaluation)
    return cpu()
  }
  const lines = (count: number) => Array.from({ length: count }, (_, at) => item({ 'line.sku': `X${at}`, 'line.qty': 1 }))
  const noItem: Rule = { v: 1, all: [{ lines: 'some', match: { all: [{ field: 'line.sku', op: 'starts', value: 'Y' }] } }] }

  it('in the number of items', () => {
    const ratio = cost(noItem, order({ lines: lines(4_000) }), 200) / cost(noItem, order({ lines: lines(1_000) }), 200)
    expect(ratio).toBeLessThan(10)
  })

  it('in the number of conditions', () => {
    const of = (count: number): Rule => ({
      v: 1,
      any: Array.from({ length: count }, (): RuleNode => ({ field: 'ship.city', op: 'contains', value: 'zz' })),
    })
    const facts = order({ 'ship.city': 'x'.repeat(100) })
    expect(cost(of(64), facts, 4_000) / cost(of(16), facts, 4_000)).toBeLessThan(10)
  })

  it('whatever the length of a list', () => {
    const of = (count: number): Rule => ({
      v: 1,
      all: [{ lines: 'some', match: { field: 'line.sku', op: 'in', value: Array.from({ length: count }, (_, at) => `S${at}`) } }],
    })
    const facts = order({ lines: lines(1_000) })
    expect(cost(of(1_000), facts, 200) / cost(of(10), facts, 200)).toBeLessThan(5)
  })

  it('with a pattern that makes a backtracking engine slow', () => {
    const rule: Rule = { v: 1, all: [{ field: 'order.note', op: 'matches', value: '(a+)+b' }] }
    const facts = (length: number) => order({ 'order.note': 'a'.repeat(length) })
    expect(cost(rule, facts(8_000), 400) / cost(rule, facts(2_000), 400)).toBeLessThan(12)
  })
})

const english: RuleWords = {
  t: (sentence, values = {}) => interpolate(sentence, values),
  number: String,
  money: (minor, currency) => `${minor / 100} ${currency}`,
  weight: grams => `${grams / 1000} kg`,
  country: code => code,
  instant: iso => iso,
  weekday: day => `day ${day}`,
  list: values => values.join(', '),
}

describe('the explanation', () => {
  const norway: Condition = { field: 'ship.country', op: 'eq', value: 'NO' }
  const heavy: Condition = { field: 'order.weight', op: 'gt', value: 2_000 }
  const facts = order({ 'ship.country': 'NO', 'order.weight': 2_500, lines: [item({ 'line.sku': 'A1', 'line.qty': 7 })] })
  const explain = (rule: unknown) => reasonsSentence(explainRule(parsed(rule), facts, at()), english)

  it('names the conditions that decided', () => {
    expect(explain({ v: 1, all: [norway, heavy] })).toBe('country is NO and weight over 2 kg')
    expect(explain({ v: 1, any: [{ ...norway, value: 'SE' }, heavy] })).toBe('weight over 2 kg')
    expect(
      explain({
        v: 1,
        all: [
          {
            not: {
              any: [
                { ...norway, value: 'SE' },
                { ...heavy, value: 9_000 },
              ],
            },
          },
        ],
      }),
    ).toBe('not (country is SE) and not (weight over 9 kg)')
    expect(explain({ v: 1, all: [] })).toBe('every order')
  })

  it('shortens a list to the value that decided', () => {
    expect(explain({ v: 1, all: [{ field: 'ship.country', op: 'in', value: ['DK', 'NO', 'SE'] }] })).toBe('country is NO')
  })

  it('names what an item showed', () => {
    const match = {
      all: [
        { field: 'line.sku', op: 'in', value: ['A1', 'A2'] },
        { field: 'line.qty', op: 'gt', value: 4 },
      ],
    }
    expect(explain({ v: 1, all: [{ lines: 'some', match }] })).toBe('some item: SKU is A1 and quantity over 4')
  })

  it('stays short for every rule', () => {
    fc.assert(
      fc.property(drawnRules(), drawnFacts, (rule, drawn) => {
        expect(JSON.stringify(explainRule(parsed(rule), drawn, at())).length).toBeLessThan(8_000)
      }),
    )
  })

  it('holds by itself: with the same facts its conditions are met as it says', () => {
    const orderLevel = (rule: Rule) => !JSON.stringify(rule).includes('"lines"')
    fc.assert(
      fc.property(drawnRules().filter(orderLevel), drawnFacts, (drawn, given) => {
        const rule = parsed(drawn)
        if (!compileRule(rule).matches(given, at())) return
        for (const { not, ...condition } of explainRule(rule, given, at()) as (Condition & { not?: true })[])
          expect(slowlyMatches(condition, given, noon, at().zone)).toBe(!not)
      }),
    )
  })
})

it('a rule reads as a sentence', () => {
  const rule = parsed({
    v: 1,
    all: [
      { field: 'order.value', op: 'gte', value: { amount: 500_000, currency: 'DKK' } },
      {
        any: [
          { field: 'ship.country', op: 'not_in', value: ['DK', 'SE'] },
          { not: { field: 'customer.order_count', op: 'gte', value: 1 } },
        ],
      },
      { lines: 'some', match: { field: 'line.qty', op: 'between', value: [2, 4] } },
      { field: 'order.ship_by', op: 'within', value: '-PT12H' },
    ],
  })
  expect(ruleSentence(rule, english)).toBe(
    'Order value at least 5000 DKK and (country is none of DK, SE or not (earlier orders of the customer at least 1)) and some item: quantity between 2 and 4 and ship by in the next 12 hours',
  )
})

it('every field and every value of a list has a name in all languages', () => {
  const names = [...Object.values(ruleFields).map(({ label }) => label), ...Object.values(enumLabels), ...Object.values(ruleWordSentences)]
  for (const locale of locales) {
    const texts = JSON.parse(readFileSync(new URL(`../../../translations/${locale}.json`, import.meta.url), 'utf8')) as Record<
      string,
      string
    >
    expect(names.filter(name => !texts[name] && !texts[`${name}_other`])).toEqual([])
  }
})
