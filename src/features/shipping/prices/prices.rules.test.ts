/** The price of a parcel: the worked examples of the price table, zones, volume weight and surcharges. */
import { describe, expect, it } from 'vitest'
import { readPostcodes } from '#domain/postcode-ranges.ts'
import { type PriceStep, type PriceSurcharge, type PriceTable, priceLimits, priceOf, savingOf, zoneOf } from './prices.rules.ts'

const step = (max_g: number, amount: number, more: Partial<PriceStep> = {}): PriceStep => ({
  zone_id: null,
  max_g,
  max_length_mm: null,
  max_side_sum_mm: null,
  volume_divisor: null,
  amount,
  per_kg_amount: null,
  currency: 'DKK',
  ...more,
})
const surcharge = (name: string, more: Partial<PriceSurcharge>): PriceSurcharge => ({
  name,
  zone_id: null,
  amount: null,
  currency: null,
  percent_milli: null,
  over_g: null,
  over_length_mm: null,
  ...more,
})
const parcels = [step(1_000, 3_100), step(5_000, 3_900), step(10_000, 5_200), step(20_000, 7_100)]
const table = (steps: readonly PriceStep[] = parcels, more: Partial<PriceTable> = {}): PriceTable => ({
  zones: [],
  steps,
  surcharges: [],
  ...more,
})
const here = { country: 'DK', postcode: '2100', outer_mm: null }
const amount = (of: PriceTable, weight_g: number, outer_mm: readonly [number, number, number] | null = null) => {
  const price = priceOf(of, { ...here, weight_g, outer_mm })
  return typeof price === 'string' ? price : price.amount
}

describe('the price of a parcel', () => {
  it('is that of the first step that reaches its weight', () => {
    expect([995, 1_000, 1_001, 5_000, 20_000, 20_001].map(weight => amount(table(), weight))).toEqual([
      3_100,
      3_100,
      3_900,
      3_900,
      7_100,
      'too_heavy',
    ])
  })

  it('counts the volume as a weight where the courier does', () => {
    const volume = table(parcels.map(one => ({ ...one, volume_divisor: 5_000 })))
    expect(priceOf(volume, { ...here, weight_g: 2_100, outer_mm: [400, 300, 200] })).toMatchObject({ amount: 3_900, charged_g: 4_800 })
    expect(priceOf(volume, { ...here, weight_g: 2_100, outer_mm: [400, 300, 400] })).toMatchObject({ amount: 5_200, charged_g: 9_600 })
  })

  it('is the cheaper one of a letter for what is small enough', () => {
    const letters = table([...parcels, step(1_000, 2_200, { max_side_sum_mm: 700, max_length_mm: 400 })])
    expect(amount(letters, 900, [350, 250, 30])).toBe(2_200)
    expect(amount(letters, 900, [350, 250, 130])).toBe(3_100)
    expect(amount(letters, 900)).toBe(3_100)
    expect(amount(table([step(1_000, 2_200, { max_length_mm: 300 })]), 900, [350, 250, 30])).toBe('too_large')
  })

  it('counts each begun kilogram above the step before', () => {
    const heavy = table([step(10_000, 5_200), step(30_000, 5_200, { per_kg_amount: 300 })])
    expect([10_000, 10_001, 11_000, 11_001, 30_000].map(weight => amount(heavy, weight))).toEqual([5_200, 5_500, 5_500, 5_800, 11_200])
  })

  it('adds surcharges, then percentages on the sum, each rounded half up', () => {
    const fuel = table(parcels, {
      surcharges: [
        surcharge('Island', { amount: 1_000, currency: 'DKK' }),
        surcharge('Fuel', { percent_milli: 8_550 }),
        surcharge('Toll', { percent_milli: 500 }),
        surcharge('Other currency', { amount: 900, currency: 'EUR' }),
      ],
    })
    // 41.00: 8.55 % are 3.5055, 0.5 % are 0.205.
    expect(priceOf(fuel, { ...here, weight_g: 900 })).toEqual({
      amount: 4_472,
      currency: 'DKK',
      charged_g: 900,
      zone: null,
      parts: [
        { name: '', amount: 3_100 },
        { name: 'Island', amount: 1_000 },
        { name: 'Fuel', amount: 351 },
        { name: 'Toll', amount: 21 },
      ],
    })
  })

  it('adds a surcharge for what is too long or too heavy only there', () => {
    const special = table(parcels, {
      surcharges: [surcharge('Large', { amount: 4_000, currency: 'DKK', over_g: 15_000, over_length_mm: 1_200 })],
    })
    expect(amount(special, 900, [1_200, 100, 100])).toBe(3_100)
    expect(amount(special, 900, [1_201, 100, 100])).toBe(7_100)
    expect(amount(special, 15_001)).toBe(11_100)
  })

  it('is that of the zone, and of everywhere where the zone has none', () => {
    const zones = [
      { id: 1, name: 'Denmark', countries: ['DK'], postcodes: [] },
      { id: 2, name: 'Islands', countries: ['DK'], postcodes: readPostcodes('3700-3799, 8305').ranges },
      { id: 3, name: 'Nordic', countries: ['SE', 'NO'], postcodes: [] },
    ]
    expect(zoneOf(zones, 'DK', '3720')?.name).toBe('Islands')
    expect(zoneOf(zones, 'DK', 'DK-2100')?.name).toBe('Denmark')
    expect(zoneOf(zones, 'DE', '20095')).toBeNull()
    const of = table([...parcels, step(20_000, 9_900, { zone_id: 2 })], { zones })
    expect(priceOf(of, { ...here, weight_g: 900, postcode: '3720' })).toMatchObject({ amount: 9_900, zone: 'Islands' })
    expect(priceOf(of, { ...here, weight_g: 900 })).toMatchObject({ amount: 3_100, zone: 'Denmark' })
    expect(priceOf(table([step(1_000, 1, { zone_id: 3 })], { zones }), { ...here, weight_g: 900 })).toBe('no_price')
  })
})

describe('the limits by which boxes are compared', () => {
  it('are the steps, without those that a heavier one undercuts', () => {
    expect(priceLimits(table(), here, 6_000)).toEqual([
      { max_g: 1_000, amount: 3_100, currency: 'DKK' },
      { max_g: 5_000, amount: 3_900, currency: 'DKK' },
      { max_g: 10_000, amount: 5_200, currency: 'DKK' },
    ])
    expect(priceLimits(table([step(1_000, 3_100), step(2_000, 3_000)]), here, 1_500)).toEqual([
      { max_g: 2_000, amount: 3_000, currency: 'DKK' },
    ])
  })

  it('are the kilograms where each one is charged, and the weight from which a surcharge holds', () => {
    const heavy = table([step(1_000, 1_000), step(30_000, 1_000, { per_kg_amount: 100 })], {
      surcharges: [surcharge('Heavy', { amount: 5_000, currency: 'DKK', over_g: 2_500 })],
    })
    expect(priceLimits(heavy, here, 3_000).map(limit => [limit.max_g, limit.amount])).toEqual([
      [1_000, 1_000],
      [2_000, 1_100],
      [2_500, 1_200],
      [3_000, 6_200],
    ])
  })

  it('are none where the volume alone exceeds the last step', () => {
    const volume = table([step(1_000, 3_100, { volume_divisor: 5_000 })])
    expect(priceLimits(volume, { ...here, outer_mm: [400, 300, 200] }, 900)).toEqual([])
  })
})

describe('one parcel instead of several', () => {
  const order = (weight_g: number) => ({ ship_country: 'DK', postcode: '2100', weight_g })
  const saving = (weights: readonly number[], of = table()) => savingOf(of, weights.map(order))

  it.each<[string, readonly number[], number]>([
    ['saves a whole label where the weight stays in its step', [300, 400], 3_100],
    ['saves the difference where it reaches the next step', [600, 700], 2 * 3_100 - 3_900],
    ['saves more with three', [600, 700, 800], 3 * 3_100 - 3_900],
  ])('%s', (_, weights, amount) => expect(saving(weights)).toEqual({ amount, currency: 'DKK' }))

  it('costs more where the step of the sum does', () => {
    expect(saving([600, 700], table([step(1_000, 1_000), step(5_000, 9_000)]))).toEqual({ amount: -7_000, currency: 'DKK' })
  })

  it('has no known saving where a price is missing', () => {
    expect(saving([15_000, 15_000])).toBeNull()
    expect(saving([300, 400], table([]))).toBeNull()
  })
})
