/** The sums of invoices by worked examples. Rates of the examples: 1 EUR = DKK 7.46 = NOK 11.75 = SEK 11.20. */
import { describe, expect, it } from 'vitest'
import { converted, shared } from '#domain/customs/conversion.ts'
import { gapsOf, invoiceSums, type ParcelItem } from './invoice-calculation.rules.ts'

const dkk = { from: 'DKK', to: 'NOK', rate: '1.57506702' }
const sek = { from: 'SEK', to: 'NOK', rate: '1.04910714' }

describe('an amount in another currency', () => {
  it.each([
    ['480.00 DKK', 48_000, dkk, 75_603],
    ['99.00 DKK', 9_900, dkk, 15_593],
    ['33.33 DKK', 3_333, dkk, 5_250],
    ['99.99 DKK', 9_999, dkk, 15_749],
    ['1,904.68 DKK', 190_468, dkk, 300_000],
    ['1.25 SEK', 125, sek, 131],
    ['750.00 SEK', 75_000, sek, 78_683],
    ['a credit of 480.00 DKK', -48_000, dkk, -75_603],
    ['1,999 ISK, without decimals', 1_999, { from: 'ISK', to: 'NOK', rate: '0.08' }, 15_992],
    ['a half', 1, { from: 'DKK', to: 'NOK', rate: '0.5' }, 1],
  ])('%s', (_, amount, rate, expected) => {
    expect(converted(amount, rate)).toBe(expected)
  })
})

it.each([
  ['100.00 over three equal lines', 10_000, [1, 1, 1], [3_334, 3_333, 3_333]],
  ['by weight', 620, [400, 72], [525, 95]],
  ['over lines without a weight', 10, [0, 0], [5, 5]],
])('shares %s', (_, amount, weights, expected) => {
  expect(shared(amount, weights)).toEqual(expected)
})

const item = (of: Partial<ParcelItem> & { value: number }, currency: string): ParcelItem => ({
  ...{ sku: null, description: 'Goods', quantity: 1, hs_code: '61091000', origin: 'PT', net_g: 200, currency },
  ...of,
})
const tee = (quantity: number, value: number, currency: string) =>
  item({ description: 'T-shirt, knitted cotton', quantity, value, net_g: 200 * quantity, sku: 'TEE' }, currency)
const cap = (quantity: number, value: number, currency: string) =>
  item({ description: 'Cap, cotton', quantity, value, hs_code: '6505 00 30', origin: 'CN', net_g: 72 * quantity, sku: 'CAP' }, currency)
const sock = (value: number, currency: string) =>
  item({ description: 'Socks, cotton', value, hs_code: '6115.94.00', origin: 'PT', net_g: 95, sku: 'SOCK' }, currency)

const three = [
  { shipment_id: 1, weight_g: 620, items: [tee(2, 43_200, 'NOK'), cap(1, 10_728, 'NOK')] },
  { shipment_id: 2, weight_g: 830, items: [tee(3, 48_000, 'DKK'), cap(1, 9_900, 'DKK')] },
  { shipment_id: 3, weight_g: 512, items: [tee(1, 3_333, 'DKK'), cap(1, 3_333, 'DKK'), sock(3_333, 'DKK')] },
]
const terms = { currency: 'NOK', grouping: 'hs_origin', hs_digits: 8, rates: new Map([['DKK', dkk.rate]]) } as const

describe('three parcels to Norway, one in NOK and two in DKK', () => {
  it('are one line for each tariff code and origin, with the rest on the largest line of its parcel', () => {
    const sums = invoiceSums(three, terms)
    expect(sums.lines.map(line => [line.hs_code, line.origin, line.quantity, line.value, line.net_g, line.rounding, line.parcels])).toEqual(
      [
        ['61091000', 'PT', 6, 124_052, 1_200, -1, 3],
        ['61159400', 'PT', 1, 5_250, 95, 0, 1],
        ['65050030', 'CN', 3, 31_571, 216, 0, 3],
      ],
    )
    expect(sums).toMatchObject({ total: 160_873, rounding: -1, net_g: 1_511, gross_g: 1_962, missing_rates: [] })
    expect(sums.parcels.map(parcel => parcel.value)).toEqual([53_928, 91_196, 15_749])
  })

  it('weigh the same by lines and by parcels', () => {
    const { lines, gross_g } = invoiceSums(three, terms)
    expect(lines.reduce((sum, line) => sum + line.gross_g, 0)).toBe(gross_g)
  })

  it('are one line for each product where products are kept apart, and fewer by six digits', () => {
    const other = { ...tee(1, 1_000, 'NOK'), sku: 'TEE-RED', hs_code: '61091099' }
    const parcels = [{ shipment_id: 1, weight_g: 300, items: [tee(1, 1_000, 'NOK'), other] }]
    expect(invoiceSums(parcels, terms).lines).toHaveLength(2)
    expect(invoiceSums(parcels, { ...terms, hs_digits: 6 }).lines).toHaveLength(1)
    expect(invoiceSums(parcels, { ...terms, hs_digits: 6, grouping: 'hs_origin_sku' }).lines.map(line => line.sku)).toEqual([
      'TEE',
      'TEE-RED',
    ])
  })

  it('name the currency that has no rate', () => {
    expect(invoiceSums(three, { ...terms, rates: new Map() }).missing_rates).toEqual(['DKK'])
  })
})

it('names the text of the highest value first, and the others as far as they fit', () => {
  const items = [
    tee(1, 1_000, 'NOK'),
    { ...tee(1, 5_000, 'NOK'), description: 'Polo shirt' },
    { ...tee(1, 10, 'NOK'), description: 'x'.repeat(90) },
  ]
  expect(invoiceSums([{ shipment_id: 1, weight_g: 900, items }], terms).lines.map(line => line.description)).toEqual([
    'Polo shirt, T-shirt, knitted cotton',
  ])
})

it.each([
  ['nothing packed', [], ['contents']],
  ['five digits', [{ ...tee(1, 1, 'NOK'), hs_code: '61091' }], ['hs']],
  ['no origin', [{ ...tee(1, 1, 'NOK'), origin: null }], ['origin']],
  ['no tariff code', [{ ...tee(1, 1, 'NOK'), hs_code: null }], ['hs']],
  ['six digits with dots', [{ ...tee(1, 1, 'NOK'), hs_code: '6109.10' }], []],
  ['the code in one of two', [tee(1, 1, 'NOK'), { ...tee(1, 1, 'NOK'), hs_code: '1' }], ['hs']],
  ['an origin of three letters', [{ ...tee(1, 1, 'NOK'), origin: 'PRT' }], ['origin']],
  ['an origin in small letters', [{ ...tee(1, 1, 'NOK'), origin: 'pt' }], ['origin']],
  ['a description', [{ ...tee(1, 1, 'NOK'), description: '  ' }], ['description']],
  ['a weight', [{ ...tee(1, 1, 'NOK'), net_g: 0 }], ['weight']],
  ['a value', [{ ...tee(1, 1, 'NOK'), value: null }], ['value']],
  ['a currency', [{ ...tee(1, 1, 'NOK'), currency: null }], ['value']],
  ['no weight and no value', [{ ...tee(1, 0, 'NOK'), net_g: null }], ['weight', 'value']],
  ['everything', [tee(1, 1, 'NOK')], []],
])('finds what a parcel lacks: %s', (_, items, expected) => {
  expect(gapsOf(items)).toEqual(expected)
})

it('takes a text that just fits, and none that is longer', () => {
  const line = (other: string) => {
    const items = [
      { ...tee(1, 5_000, 'NOK'), description: 'x'.repeat(90) },
      { ...tee(1, 1_000, 'NOK'), description: other },
    ]
    return invoiceSums([{ shipment_id: 1, weight_g: 900, items }], terms).lines[0]?.description
  }
  expect(line('eight ch')).toBe(`${'x'.repeat(90)}, eight ch`)
  expect(line('nine char')).toBe('x'.repeat(90))
  expect(line('y'.repeat(120))).toBe('x'.repeat(90))
})

it('cuts the only text after 100 characters, and takes texts without spaces around them', () => {
  const named = (description: string) =>
    invoiceSums([{ shipment_id: 1, weight_g: 900, items: [{ ...tee(1, 5_000, 'NOK'), description }] }], terms).lines[0]?.description
  expect(named('x'.repeat(120))).toBe('x'.repeat(100))
  expect(named('  Polo shirt ')).toBe('Polo shirt')
})

it('counts parcels without tariff code, origin, number and price under empty ones', () => {
  const bare = { ...tee(1, 1, 'NOK'), hs_code: null, origin: null, sku: null, value: null, net_g: null, currency: null }
  const sums = invoiceSums([{ shipment_id: 1, weight_g: 300, items: [bare] }], { ...terms, grouping: 'hs_origin_sku' })
  expect(sums.lines).toEqual([
    {
      ...{ hs_code: '', origin: '', sku: '', description: bare.description },
      ...{ quantity: 1, value: 0, net_g: 0, gross_g: 300, rounding: 0, parcels: 1 },
    },
  ])
})

it('names each currency without a rate once, in their order, and neither the own one nor those with a rate', () => {
  const items = [
    tee(1, 1, 'SEK'),
    tee(1, 1, 'NOK'),
    tee(1, 1, 'DKK'),
    { ...tee(1, 1, 'NOK'), currency: null },
    tee(1, 1, 'EUR'),
    tee(1, 1, 'SEK'),
  ]
  const sums = invoiceSums([{ shipment_id: 1, weight_g: 900, items }], terms)
  expect(sums).toMatchObject({ missing_rates: ['EUR', 'SEK'], lines: [], total: 0, gross_g: 900 })
  expect(sums.parcels).toEqual([{ shipment_id: 1, value: 0, net_g: 1_200, gross_g: 900 }])
})

it('adds up 5,000 parcels within a second', () => {
  const parcels = Array.from({ length: 5_000 }, (_, i) => ({ ...three[i % 3]!, shipment_id: i }))
  const began = performance.now()
  expect(invoiceSums(parcels, terms).parcels).toHaveLength(5_000)
  expect(performance.now() - began).toBeLessThan(1_000)
})
