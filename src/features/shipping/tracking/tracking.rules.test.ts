/** What a recipient reads, and in which language and colours. */
import { describe, expect, it } from 'vitest'
import { daysLeft } from './collect-by.rules.ts'
import { contrast, shopColors } from './shop-colors.rules.ts'
import { localeOf, localeOfHeader, type PublicState, publicState, stillTrue, trackingSentences, wayOf } from './tracking.rules.ts'

const order = (parcels: PublicState[], more: Partial<Parameters<typeof wayOf>[0]> = {}) =>
  wayOf({ cancelled: false, work_state: 'ready', delivered: false, parcels, waiting: false, undecided: false, ...more })

describe('how far an order has come', () => {
  it.each<[string, ReturnType<typeof order>, string, string | null, string]>([
    ['new', order([], { waiting: true }), 'ordered', null, 'The shop is preparing your order'],
    ['packed without a parcel', order([], { work_state: 'packed' }), 'packed', null, 'Your order is packed'],
    ['cancelled', order([], { cancelled: true }), 'ordered', 'cancelled', 'This order was cancelled'],
    ['packed', order(['packed']), 'packed', null, 'Your parcel is packed'],
    ['handed over', order(['on_its_way']), 'on_its_way', null, 'Your parcel is on its way'],
    ['two of which one left', order(['on_its_way', 'packed']), 'on_its_way', null, '{{moving}} of {{count}} parcels are on their way'],
    [
      'two of which one arrived',
      order(['delivered', 'on_its_way']),
      'on_its_way',
      null,
      '{{delivered}} of {{count}} parcels were delivered',
    ],
    ['two arrived', order(['delivered', 'delivered']), 'delivered', null, 'All your parcels were delivered'],
    ['part of it arrived', order(['delivered'], { waiting: true }), 'on_its_way', null, 'Part of your order was delivered'],
    ['part of it left', order(['on_its_way'], { waiting: true }), 'on_its_way', null, 'Part of your order is on its way'],
    ['part of it packed', order(['packed'], { waiting: true }), 'packed', null, 'Your parcel is packed'],
    ['not delivered', order(['delivery_failed']), 'on_its_way', 'delivery_failed', 'Your parcel could not be delivered'],
    [
      'one of two not delivered',
      order(['delivered', 'delivery_failed']),
      'on_its_way',
      'delivery_failed',
      'One of your parcels needs attention',
    ],
    ['on its way back', order(['returning']), 'on_its_way', 'returning', 'Your parcel is on its way back to the shop'],
    ['come back', order(['returned']), 'on_its_way', 'returned', 'Your parcel came back to the shop'],
  ])('%s', (_, way, stage, trouble, text) => {
    expect({ stage: way.stage, trouble: way.trouble, text: way.headline.text }).toEqual({ stage, trouble, text })
    for (const sentence of [way.headline, way.advice]) if (sentence) expect(trackingSentences).toContain(sentence.text)
  })

  it('shows nothing of bookings that failed, were cancelled or are not decided', () => {
    expect(['draft', 'booking', 'unknown', 'error', 'cancelled', 'blocked', 'anything'].map(publicState)).toEqual(Array(7).fill(null))
  })
})

describe('the language', () => {
  it.each([
    ['da', 'da_DK'],
    ['nb_NO', 'no_NO'],
    ['nn', 'no_NO'],
    ['de-AT', 'de_DE'],
    ['EN_US', 'en_GB'],
    ['fr_FR', null],
    ['', null],
    [null, null],
  ])('of an order written as %s is %s', (written, locale) => expect(localeOf(written)).toBe(locale))

  it('of a browser is the best that we speak', () => {
    expect(localeOfHeader('fr-FR, sv;q=0.5, de;q=0.9, *;q=0.1')).toBe('de_DE')
    expect(localeOfHeader('fr')).toBeNull()
    expect(localeOfHeader(undefined)).toBeNull()
    expect(localeOfHeader(';q=,,;;q=x, da;q=0')).toBeNull()
    expect(localeOfHeader('da;q=0.1,'.repeat(100_000))).toBe('da_DK')
  })
})

describe('the colours', () => {
  it('can be read on light and on dark paper whatever the shop chose', () => {
    for (const color of [null, '#ffff00', '#ffffff', '#000000', '#ff0000', '#00ff00', '#0000ff', '#14597a', '#f5b7c9', 'red', '#12345'])
      for (const [own, paper] of [
        ['light', '#ffffff'],
        ['light', '#f3f0ea'],
        ['dark', '#14191d'],
        ['dark', '#1d2329'],
        ['dark', '#252c33'],
      ] as const) {
        const colors = shopColors(color)
        expect(contrast(colors[own], paper), `${color} on ${paper}`).toBeGreaterThanOrEqual(4.5)
        expect(contrast(colors[`on_${own}`], colors[own]), `upon ${color}`).toBeGreaterThanOrEqual(4.5)
      }
  })

  it('stay the shop’s own where they can be read already', () => {
    expect(shopColors('#14597A').light).toBe('#14597a')
    expect(shopColors('#ffd000').dark).toBe('#ffd000')
  })
})

describe('what happened to a parcel', () => {
  const shownOf = (...states: string[]) => stillTrue(states.map(state => ({ state }))).map(event => event.state)

  it.each([
    [['booked'], ['booked']],
    [
      ['handed_over', 'booked'],
      ['handed_over', 'booked'],
    ],
    [['booked', 'handed_over', 'booked'], ['booked']],
    [
      ['in_transit', 'handed_over', 'booked', 'handed_over', 'booked', 'handed_over', 'booked'],
      ['in_transit', 'handed_over', 'booked'],
    ],
    [['in_transit'], ['in_transit']],
  ])('%j is shown as %j: the newest first, packed once, and no hand-over that was taken back', (happened, said) => {
    expect(shownOf(...happened)).toEqual(said)
  })
})

describe('a parcel that waits in a parcel shop', () => {
  it.each([
    ['2026-12-03', '2026-12-01', 2],
    ['2026-12-03', '2026-12-02', 1],
    ['2026-12-03', '2026-12-03', 0],
    ['2026-12-03', '2026-12-04', null],
    ['2027-01-02', '2026-12-30', 3],
  ])('until %s has, on %s, so many days left: %s', (collect_by, today, days) => {
    expect(daysLeft(collect_by, today)).toBe(days)
  })
})
