/** What rules of returns decide, and that the right of withdrawal stands above them. */
import { describe, expect, it } from 'vitest'
import { keysOf } from '#domain/objects.ts'
import { type OrderFacts, ruleFields } from '#domain/rules/rule-fields.ts'
import {
  compiledRules,
  feeOfItems,
  methodsOfItems,
  narrowed,
  needsReview,
  noEffects,
  policyOf,
  refusalOf,
  wordsFor,
} from './return-policy.rules.ts'
import { ReturnRule, type ReturnRuleEffects } from './return-policy.schemas.ts'

const unknown = Object.fromEntries(keysOf(ruleFields).map(field => [field, null])) as unknown as OrderFacts
const facts = (known: Partial<OrderFacts>): OrderFacts => ({ ...unknown, lines: [], ...known })
let ids = 0
const rule = (conditions: object[], effects: Partial<ReturnRuleEffects>, more: object = {}) =>
  ReturnRule.parse({
    ...{ id: `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`, name: `Rule ${ids}`, conditions: { v: 1, all: conditions } },
    effects,
    ...more,
  })
const at = { now: new Date('2026-11-17T11:00:00Z'), zone: 'Europe/Copenhagen', not_compared: 0 }
const of = (rules: ReturnRule[], known: Partial<OrderFacts>) => policyOf(compiledRules(rules), facts(known), at)
const reason = (value: string) => ({ field: 'return.reason', op: 'eq', value })

describe('of each effect', () => {
  it('the first rule in order decides, and only rules that decide something are named', () => {
    const first = rule([reason('defective')], { window_days: 730, review: 'always' })
    const second = rule([], { window_days: 60, fee: { amount: 4_900 } })
    const third = rule([], { window_days: 10 })
    const off = rule([], { photo: true }, { active: false })
    const policy = of([off, first, second, third], { 'return.reason': 'defective' })
    expect(policy).toMatchObject({ window_days: 730, review: 'always', fee: { amount: 4_900 }, photo: false })
    expect(policy.rules.map(({ id }) => id)).toEqual([first.id, second.id])
    expect(of([first, second], { 'return.reason': 'late' })).toMatchObject({ window_days: 60, review: null })
  })

  it('outcomes are offered before one is chosen: a rule that asks for the chosen one does not change them', () => {
    const byOutcome = rule([{ field: 'return.outcome', op: 'eq', value: 'refund' }], { outcomes: ['credit'], fee: { percent: 10 } })
    expect(of([byOutcome], { 'return.outcome': 'refund' })).toMatchObject({ outcomes: null, fee: { percent: 10 } })
  })
})

describe('a refusal', () => {
  const window = (last_day: string, ends_at: string) => ({ last_day, ends_at })
  const passed = window('2026-11-01', '2026-11-01T23:00:00Z')
  const open = window('2026-11-23', '2026-11-23T23:00:00Z')
  const refuse = (exemption: 'hygiene' | null) => ({ refuse: { words: { en_GB: 'Opened.' }, exemption } })
  it.each([
    ['nothing is said', { refuse: null }, passed, open, null],
    ['the shop’s window has passed and the legal one has not', { refuse: null }, passed, open, null],
    ['both have passed', { refuse: null }, passed, passed, 'period'],
    ['a rule refuses in the period of withdrawal', refuse(null), open, open, null],
    ['a rule refuses after it', refuse(null), open, passed, 'rule'],
    ['the law excludes the goods', refuse('hygiene'), open, open, 'rule'],
    ['nothing was sent yet', refuse(null), null, null, 'rule'],
  ] as const)('where %s', (_, policy, shop, withdrawal, why) => {
    expect(refusalOf(policy, { shop, withdrawal }, at.now)?.why ?? null).toBe(why)
  })
})

describe('of all items of a return', () => {
  const item = (policy: Partial<typeof noEffects>, fault: 'shop' | 'customer' | 'courier' = 'customer', value = 10_000) => ({
    policy: { ...noEffects, ...policy },
    fault,
    value,
  })
  it.each([
    [[item({})], 500, 500],
    [[item({}), item({})], 500, 500],
    [[item({}, 'shop'), item({})], 500, 500],
    [[item({}, 'shop'), item({}, 'courier')], 500, 0],
    [[item({ fee: { amount: 0 } })], 500, 0],
    [[item({ fee: { amount: 900 } }), item({})], 500, 900],
    [[item({ fee: { percent: 10 } }), item({ fee: { percent: 25 } })], 500, 3_500],
    [[item({ fee: { percent: 10 } }), item({})], 500, 1_500],
    [[item({ fee: { amount: 900 } }, 'shop')], 500, 0],
  ])('the fee is taken once, and percentages of their own items (%#)', (items, standard, fee) => {
    expect(feeOfItems(items, standard)).toBe(fee)
  })

  it.each([
    [[item({})], true, true],
    [[item({ review: 'never' })], true, false],
    [[item({ review: 'never' }), item({})], true, true],
    [[item({ review: 'always' }), item({ review: 'never' })], false, true],
    [[], true, true],
  ])('one that needs a person is enough (%#)', (items, standard, review) => {
    expect(needsReview(items, standard)).toBe(review)
  })

  it('only methods that all items allow are left, and a rule never empties the offer', () => {
    const offered = ['own_label', 'bring'] as const
    expect(methodsOfItems([item({ methods: ['bring'] }), item({})], offered)).toEqual(['bring'])
    expect(methodsOfItems([item({ methods: ['bring'] }), item({ methods: ['own_label'] })], offered)).toEqual([])
    expect(narrowed(['refund'], ['credit'])).toEqual(['refund'])
  })

  it('what goes to another address goes there without the label of a courier, and not with what goes elsewhere', () => {
    const outlet = item({ destination: { bin: '', address: 'Outletvej 7' } })
    expect(methodsOfItems([outlet], ['label', 'qr', 'bring'])).toEqual(['bring', 'own_label'])
    expect(methodsOfItems([outlet, outlet], ['label'])).toEqual(['own_label'])
    expect(methodsOfItems([outlet, item({})], ['label', 'own_label'])).toEqual([])
    expect(methodsOfItems([item({ destination: { bin: 'OUTLET-1', address: '' } })], ['label'])).toEqual(['label'])
    expect(methodsOfItems([{ ...outlet, keeps: true }, item({})], ['label'])).toEqual(['label'])
  })

  it('the sentence is in the customer’s language, else in the shop’s, else in any', () => {
    const words = { da_DK: 'Nej.', en_GB: 'No.' }
    expect([wordsFor(words, 'da_DK', 'en_GB'), wordsFor(words, 'de_DE', 'en_GB'), wordsFor({ sv_SE: 'Nej!' }, 'de_DE', 'en_GB')]).toEqual([
      'Nej.',
      'No.',
      'Nej!',
    ])
  })
})
