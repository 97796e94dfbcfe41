/** What a rule may look like, and where each mistake is named. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawnRules } from '#test/rules.ts'
import { compilePattern } from './rule-evaluation.ts'
import { type ParseOptions, parseRule, periodMs, ruleLimits } from './rule-grammar.ts'

const patterns: ParseOptions = { isPattern: pattern => compilePattern(pattern) !== null }
const errorsOf = (json: unknown) => parseRule(json, 'shipping_method', patterns).errors?.map(({ path, text }) => [path, text]) ?? []
const norway = { field: 'ship.country', op: 'eq', value: 'NO' }
const heavy = { field: 'order.weight', op: 'gt', value: 2_000 }
const inGroups = (groups: number): unknown => (groups === 0 ? norway : { all: [inGroups(groups - 1)] })

describe('a rule', () => {
  it('is read back as it is written', () => {
    const rule = {
      v: 1,
      all: [
        { field: 'order.value', op: 'gte', value: { amount: 500_000, currency: 'DKK' } },
        {
          any: [
            { field: 'ship.country', op: 'not_in', value: ['DK', 'SE'] },
            { not: { field: 'customer.order_count', op: 'gte', value: 1 } },
          ],
        },
        {
          lines: 'some',
          match: {
            all: [
              { field: 'line.sku', op: 'starts', value: 'BATT' },
              { field: 'line.qty', op: 'gt', value: 4 },
            ],
          },
        },
      ],
    }
    expect(parseRule(rule, 'shipping_method')).toEqual({ rule })
  })

  it('is read in every form that the grammar allows', () => {
    fc.assert(fc.property(drawnRules(), rule => parseRule(rule, 'shipping_method', patterns).errors === undefined))
  })

  it('stays the same when it is read again', () => {
    fc.assert(
      fc.property(drawnRules(), rule => {
        const { rule: once } = parseRule(rule, 'shipping_method')
        expect(parseRule(once, 'shipping_method').rule).toEqual(once)
      }),
    )
  })

  it('that is no rule is refused, whatever it is', () => {
    fc.assert(fc.property(fc.anything(), json => errorsOf(json).length > 0))
    fc.assert(fc.property(fc.array(fc.anything(), { minLength: 1 }), nodes => errorsOf({ v: 1, all: nodes }).length > 0))
  })

  it('has version 1 and exactly one of all and any', () => {
    for (const json of [{}, { v: 2, all: [] }, { v: 1 }, { v: 1, all: [], any: [] }, { all: [] }, null, []])
      expect(errorsOf(json)).toEqual([['', 'A rule begins with “all of” or “any of”']])
  })

  it('without conditions applies to every order, but an empty “any of” is refused', () => {
    expect(errorsOf({ v: 1, all: [] })).toEqual([])
    expect(errorsOf({ v: 1, any: [] })).toEqual([['any', 'Add a condition: an empty “any of” is never met']])
    expect(errorsOf({ v: 1, all: [{ any: [] }] })).toEqual([])
  })

  it('names each mistake where it is', () => {
    const json = {
      v: 1,
      all: [
        { field: 'order.colour', op: 'eq', value: 1 },
        {
          any: [
            { field: 'ship.country', op: 'contains', value: 'D' },
            { ...heavy, value: '2 kg' },
          ],
        },
        { not: { ...norway, value: 'XX' } },
        { field: 'line.qty', op: 'gt', value: 4 },
        { lines: 'some', match: { all: [heavy, { lines: 'some', match: heavy }] } },
        { ...norway, note: 'more' },
        { lines: 'most', match: heavy },
        7,
      ],
    }
    expect(errorsOf(json)).toEqual([
      ['all[0].field', 'This field cannot be used here'],
      ['all[1].any[0].op', '{{field}} cannot be compared this way'],
      ['all[1].any[1].value', 'Enter a whole number'],
      ['all[2].not.value', 'Select a country'],
      ['all[3].field', 'Use {{field}} in a condition on items'],
      ['all[4].match.all[0].field', '{{field}} cannot be used in a condition on items'],
      ['all[4].match.all[1]', 'A condition on items cannot hold another one'],
      ['all[5]', 'This part of the rule cannot be read'],
      ['all[6].lines', 'This part of the rule cannot be read'],
      ['all[7]', 'This part of the rule cannot be read'],
    ])
  })

  it.each([
    ['order.weight', 'eq', 1.5],
    ['order.weight', 'eq', null],
    ['order.weight', 'between', [5, 1]],
    ['order.weight', 'gt', 2 ** 53],
    ['order.value', 'gt', { amount: 1.5, currency: 'DKK' }],
    ['order.value', 'gt', { amount: 1, currency: 'kr.' }],
    ['order.value', 'gt', 100],
    [
      'order.value',
      'between',
      [
        { amount: 1, currency: 'DKK' },
        { amount: 2, currency: 'EUR' },
      ],
    ],
    ['ship.country', 'in', []],
    ['ship.country', 'in', ['DK', null]],
    ['ship.postcode', 'between', ['9000', '1000']],
    ['ship.city', 'matches', '(a'],
    ['ship.city', 'matches', '(?=a)'],
    ['ship.city', 'eq', ' '],
    ['ship.city', 'eq', 'a\u0000'],
    ['order.ordered_at', 'after', '2026-02-30'],
    ['order.ordered_at', 'within', '3 days'],
    ['order.ordered_at', 'older_than', '-P3D'],
    ['order.ordered_at', 'weekday_in', [8]],
    ['order.ordered_at', 'between', ['25:00', '26:00']],
    ['order.payment_status', 'eq', 'bartered'],
    ['order.is_abroad', 'is', 'true'],
    ['order.tags', 'has_any', 'vip'],
  ])('refuses %s %s %j', (field, op, value) => {
    expect(errorsOf({ v: 1, all: [{ field, op, value }] })).toEqual([['all[0].value', expect.any(String)]])
  })

  it('writes codes one way and each value once', () => {
    const { rule } = parseRule({ v: 1, all: [{ field: 'ship.postcode', op: 'in', value: ['sw1a 1aa', 'SW1A1AA'] }] }, 'shipping_method')
    expect(rule).toEqual({ v: 1, all: [{ field: 'ship.postcode', op: 'in', value: ['SW1A1AA'] }] })
  })

  it('does not use fields that its rule set does not know', () => {
    expect(errorsOf({ v: 1, all: [{ field: 'ship.method', op: 'eq', value: 'van' }] })).toEqual([
      ['all[0].field', 'This field cannot be used here'],
    ])
  })
})

describe('a rule is bounded', () => {
  it('in the depth of its groups', () => {
    expect(errorsOf({ v: 1, all: [inGroups(3)] })).toEqual([])
    expect(errorsOf({ v: 1, all: [inGroups(4)] })).toEqual([['all[0].all[0].all[0].all[0].all', 'Groups can be nested {{max}} deep']])
  })

  it('in the number of its conditions and groups', () => {
    expect(errorsOf({ v: 1, all: Array(64).fill(norway) })).toEqual([])
    expect(errorsOf({ v: 1, all: Array(65).fill(norway) })).toEqual([['all[64]', 'A rule can have {{max}} conditions and groups']])
    const nested = { any: Array(40).fill(norway) }
    expect(errorsOf({ v: 1, all: [nested, nested, norway] })).toEqual([['all[1].any[22]', 'A rule can have {{max}} conditions and groups']])
  })

  it('in its texts, its lists and its bytes', () => {
    const city = (value: string) => ({ v: 1, all: [{ field: 'ship.city', op: 'eq', value }] })
    expect(errorsOf(city('x'.repeat(ruleLimits.text)))).toEqual([])
    expect(errorsOf(city('x'.repeat(ruleLimits.text + 1)))).toEqual([['all[0].value', 'Enter a text of at most {{max}} characters']])
    const skus = (count: number) => ({
      v: 1,
      all: [{ lines: 'some', match: { field: 'line.sku', op: 'in', value: Array.from({ length: count }, (_, at) => `S${at}`) } }],
    })
    expect(errorsOf(skus(ruleLimits.list))).toEqual([])
    expect(errorsOf(skus(ruleLimits.list + 1))).toEqual([['all[0].match.value', 'Select 1 to {{max}} values']])
    expect(errorsOf({ v: 1, all: Array(60).fill({ field: 'ship.city', op: 'eq', value: 'å'.repeat(200) }) })).toEqual([])
    expect(errorsOf({ v: 1, all: Array(60).fill({ field: 'ship.city', op: 'in', value: Array(9).fill('å'.repeat(200)) }) })).toEqual([
      ['', 'The rule is too long'],
    ])
  })
})

it.each([
  ['P3D', 72],
  ['PT12H', 12],
  ['P1DT6H', 30],
  ['P2W', 336],
  ['-P3D', -72],
  ['P', null],
  ['PT', null],
  ['P1M', null],
  ['3D', null],
])('the period %s has %s hours', (text, hours) => {
  expect(periodMs(text)).toBe(hours === null ? null : hours * 3_600_000)
})
