/** Rules of campaigns: states, rank, stages, variants, picture names. */
import { describe, expect, it } from 'vitest'
import { byRank, campaignStage, isWebAddress, missingContents, pictureParts, stateOf, variantOf } from './campaigns.rules.ts'

const at = (day: string) => new Date(`2026-11-${day}T12:00:00Z`)
const period = (from: string, to: string | null = null) => ({
  from_at: `2026-11-${from}T00:00:00Z`,
  to_at: to && `2026-11-${to}T00:00:00Z`,
})

describe('the state of a campaign', () => {
  it.each([
    ['draft', period('01'), 'draft'],
    ['published', period('01'), 'active'],
    ['published', period('11'), 'scheduled'],
    ['published', period('01', '10'), 'ended'],
    ['published', period('01', '11'), 'active'],
    ['paused', period('01'), 'paused'],
    ['paused', period('11'), 'paused'],
    ['paused', period('01', '10'), 'ended'],
    ['ended', period('01'), 'ended'],
  ] as const)('%s in %j is %s', (state, dates, expected) => {
    expect(stateOf({ state, ...dates }, at('10'))).toBe(expected)
  })
})

it('ranks by priority, then by the later start', () => {
  const one = { id: 1, priority: 5, ...period('01') }
  const later = { id: 2, priority: 5, ...period('03') }
  const top = { id: 3, priority: 7, ...period('01') }
  expect([one, later].toSorted(byRank)[0]).toBe(later)
  expect([one, later, top].toSorted(byRank).map(({ id }) => id)).toEqual([3, 2, 1])
})

describe('the stage of an order', () => {
  it.each([
    ['ordered', null, [], 'ordered'],
    ['packed', null, ['packed'], 'packed'],
    ['on_its_way', null, ['on_its_way', 'packed'], 'on_its_way'],
    ['on_its_way', null, ['on_its_way', 'out_for_delivery'], 'out_for_delivery'],
    ['on_its_way', null, ['ready_for_pickup', 'out_for_delivery'], 'ready_for_pickup'],
    ['delivered', null, ['delivered'], 'delivered'],
    ['on_its_way', 'delayed', ['delayed'], 'problem'],
    ['ordered', 'cancelled', [], null],
  ] as const)('%s with trouble %s and parcels %j is %s', (stage, trouble, parcels, expected) => {
    expect(campaignStage({ stage, trouble, parcels })).toBe(expected)
  })
})

it('gives variant B to its share of the orders, by the first four bytes', () => {
  const digest = (first: number) => Uint8Array.from([0, 0, 0, first, 9, 9])
  expect(variantOf(null, digest(0))).toBe('a')
  expect(variantOf(30, digest(29))).toBe('b')
  expect(variantOf(30, digest(30))).toBe('a')
  expect(variantOf(30, digest(129))).toBe('b')
})

it('names each language and variant that cannot be shown', () => {
  const ready = { locale: 'de_DE', variant: 'a', alt: 'Tent', picture: 'abc' } as const
  expect(missingContents({ locales: ['de_DE'], ab_share: null }, [ready])).toEqual([])
  expect(missingContents({ locales: ['de_DE', 'da_DK'], ab_share: null }, [ready, { ...ready, locale: 'da_DK', alt: '' }])).toEqual([
    { locale: 'da_DK', variant: 'a', picture: false, alt: true },
  ])
  expect(missingContents({ locales: ['de_DE'], ab_share: 50 }, [ready])).toEqual([
    { locale: 'de_DE', variant: 'b', picture: true, alt: true },
  ])
})

describe('the name of a picture', () => {
  const key = 'Ab_de_DE_b_700-_123456'
  it.each([
    ['12_de_DE', { id: 12, public_key: null, locale: 'de_DE', variant: 'a', width: 700 }],
    ['12/da_DK/b/1400', { id: 12, public_key: null, locale: 'da_DK', variant: 'b', width: 1400 }],
    ['12_da_DK_1400', { id: 12, public_key: null, locale: 'da_DK', variant: 'a', width: 1400 }],
    [`${key}_sv_SE_b_700`, { id: null, public_key: key, locale: 'sv_SE', variant: 'b', width: 700 }],
    ['12', null],
    ['12_de_DE_c', null],
    ['12_de_DE_a_900', null],
    [`12_de_DE${'_'.repeat(500)}`, null],
  ])('%s', (parts, expected) => {
    expect(pictureParts(parts)).toEqual(expected)
  })
})

it.each([
  ['https://shop.example/sale?utm_source=tracking', true],
  ['http://shop.example', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//shop.example', false],
  ['shop.example', false],
])('%s may be a link: %s', (link, expected) => {
  expect(isWebAddress(link)).toBe(expected)
})
