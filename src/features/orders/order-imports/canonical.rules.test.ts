/** What is stored of an order, what is warned of, and by which words it is found. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCanonical } from './canonical.contract.ts'
import {
  type Badge,
  badges,
  fingerprint,
  foldings,
  type ImportedOrder,
  phoneOf,
  postcodeOf,
  searchWords,
  toOrder,
} from './canonical.rules.ts'

type Json = Record<string, unknown>

const written = (over: Json = {}, line: Json = {}, ship: Json = {}): Json => ({
  external_id: '5940139491234',
  order_no: '#1001',
  currency: 'dkk',
  ship_to: {
    name: 'Lene Ærø-Hansen',
    address1: 'Skibhusvej 52',
    postcode: '5000',
    city: 'Odense C',
    country: 'dk',
    phone: '20 12 34 56',
    email: 'lene@example.test',
    ...ship,
  },
  lines: [
    {
      sku: 'ts001-wh',
      name: ' T-shirt\n hvid ',
      qty: '2.0',
      unit_price_excl_vat: '800.00',
      vat_percent: '25.00',
      weight_g: 200,
      hs_code: '6109 10',
      origin: 'pt',
      ...line,
    },
  ],
  ...over,
})
const imported = (over: Json = {}, line: Json = {}, ship: Json = {}): ImportedOrder => {
  const { order, problems } = readCanonical(written(over, line, ship))
  if (!order) throw new Error(JSON.stringify(problems))
  return toOrder(order)
}

describe('the order that is stored', () => {
  it('has whole amounts, comparable text and upper-case codes', () => {
    const order = imported({ ordered_at: '2026-11-10T10:30:00+01:00', locale: 'da-dk', tags: ['b', 'a', 'b'] })
    expect(order).toMatchObject({
      currency: 'DKK',
      ordered_at: '2026-11-10T09:30:00.000Z',
      locale: 'da_DK',
      tags: ['a', 'b'],
      totals: { excl_vat: 160_000, vat: 40_000, incl_vat: 200_000 },
    })
    expect(order.ship_to).toMatchObject({ country: 'DK', phone: '+4520123456', phone_raw: '20 12 34 56' })
    expect(order.lines[0]).toMatchObject({
      external_id: '1',
      sku: 'ts001-wh',
      sku_key: 'TS001-WH',
      name: 'T-shirt hvid',
      qty: 2,
      unit_price_excl_vat: 80_000,
      unit_price_incl_vat: 100_000,
      vat_percent: '25',
      hs_code: '610910',
      origin: 'PT',
    })
  })

  it('takes the order number where the shop has no other id', () => {
    expect(imported({ external_id: null }).external_id).toBe('#1001')
  })

  it('makes every discount negative, and counts the discount of a line', () => {
    const order = imported({
      lines: [
        { name: 'a', qty: '2', unit_price_excl_vat: '10', discount_excl_vat: '-1.50', vat_percent: '25' },
        { type: 'discount', name: 'Voucher', qty: '1', unit_price_excl_vat: '5', vat_percent: '25' },
      ],
    })
    expect(order.lines[1]).toMatchObject({ unit_price_excl_vat: -500, unit_price_incl_vat: -625 })
    expect(order.totals.excl_vat).toBe(2_000 - 150 - 500)
  })

  it('tells no total where a line has no price', () => {
    expect(imported({}, { unit_price_excl_vat: null }).totals).toEqual({ excl_vat: null, vat: null, incl_vat: null })
  })

  it('gives each line an id of its own, also beside ids that look like places', () => {
    const order = imported({
      lines: [
        { external_id: '2', name: 'a', qty: '1' },
        { name: 'b', qty: '1' },
        { name: 'c', qty: '1' },
      ],
    })
    expect(order.lines.map(line => line.external_id)).toEqual(['2', '_2', '3'])
  })

  it.each([
    ['20123456', 'DK', '+4520123456'],
    ['+45 20 12 34 56', 'NO', '+4520123456'],
    ['0045 20123456', 'DK', '+4520123456'],
    ['070-123 45 67', 'SE', '+46701234567'],
    ['0664 123456', 'AT', '+43664123456'],
    ['(201) 555-0123', 'US', '+12015550123'],
    ['12', 'DK', null],
    ['ring first', 'DK', null],
    ['', 'DK', null],
  ])('reads the phone number %j in %s as %s', (raw, country, e164) => {
    expect(phoneOf(raw, country)).toBe(e164)
  })

  it.each([
    ['dk-5000', 'DK', '5000'],
    ['S-123 45', 'SE', '123 45'],
    ['SE-12345', 'SE', '12345'],
    ['D-10115', 'DE', '10115'],
    ['N-0155', 'NO', '0155'],
    ['fo-100', 'FO', '100'],
    ['sw1a  1aa', 'GB', 'SW1A 1AA'],
    ['1010', 'LV', 'LV-1010'],
    ['lv-1010', 'LV', 'LV-1010'],
    ['lt 01100', 'LT', 'LT-01100'],
    ['S-1234', 'SE', 'S-1234'],
    ['00-950', 'PL', '00-950'],
    ['', 'AE', ''],
  ])('writes the postcode %j of %s as %j', (raw, country, postcode) => {
    expect(postcodeOf(raw, country)).toBe(postcode)
  })
})

describe('the fingerprint', () => {
  it('is the same for the same content however it is written', () => {
    const one = fingerprint(imported({ tags: ['a', 'b'], attributes: { x: 1, y: 2 }, version: 1 }))
    const other = fingerprint(
      imported(
        { tags: ['b', 'a'], attributes: { y: 2, x: 1 }, version: 2 },
        { qty: 2, unit_price_excl_vat: '800', vat_percent: '25', name: 'T-shirt hvid' },
        { country: 'DK', name: ' Lene  Ærø-Hansen' },
      ),
    )
    expect(other).toBe(one)
  })

  it('differs when anything but the version does', () => {
    const one = fingerprint(imported())
    const others = [
      imported({ status: 'cancelled' }),
      imported({}, { qty: '3' }),
      imported({}, {}, { address2: '2. tv' }),
      imported({ notes: [{ text: 'x' }] }),
      imported({}, { custom: { a: '1' } }),
    ].map(fingerprint)
    expect(new Set([one, ...others]).size).toBe(6)
  })
})

describe('badges', () => {
  const of = (order: ImportedOrder, kind: Badge['kind']) => badges(order).find(badge => badge.kind === kind)!

  it('are all well for a complete order', () => {
    expect(badges(imported()).map(({ kind, severity }) => `${kind} ${severity}`)).toEqual([
      'address ok',
      'phone ok',
      'email ok',
      'postcode ok',
      'weight ok',
      'customs ok',
    ])
  })

  it.each<[string, Json, Json, Badge['kind'], Badge['severity'], string]>([
    ['no street', {}, { address1: '' }, 'address', 'error', 'The address has no street'],
    ['no house number', {}, { address1: 'Skibhusvej' }, 'address', 'warning', 'The street has no house number'],
    ['no name', {}, { name: ' ' }, 'address', 'error', 'The address has no name'],
    ['no phone', {}, { phone: null }, 'phone', 'warning', 'There is no phone number: the courier cannot announce the delivery'],
    ['a bad phone', {}, { phone: '12' }, 'phone', 'warning', '{{phone}} is not a phone number of {{country}}'],
    ['a bad e-mail', {}, { email: 'lene@' }, 'email', 'warning', '{{email}} is not an e-mail address'],
    ['a strange postcode', {}, { postcode: '50000' }, 'postcode', 'warning', '{{postcode}} does not look like a postcode of {{country}}'],
    ['no postcode', {}, { postcode: '' }, 'postcode', 'error', 'The address has no postcode'],
    ['no postcode where none is needed', {}, { postcode: '', country: 'AE' }, 'postcode', 'ok', 'No postcode is needed in {{country}}'],
    ['no weight', { weight_g: null }, {}, 'weight', 'warning', 'The weight of {{count}} of {{total}} products is not known'],
    [
      'no tariff code abroad',
      { hs_code: null },
      { country: 'NO', postcode: '0155' },
      'customs',
      'error',
      '{{count}} of {{total}} products have no tariff code of at least 6 digits',
    ],
    ['no tariff code inside', { hs_code: null }, { country: 'DE', postcode: '10115' }, 'customs', 'ok', 'No customs papers are needed'],
    [
      'no origin abroad',
      { origin: null },
      { country: 'GB', postcode: 'SW1A 1AA' },
      'customs',
      'error',
      '{{count}} of {{total}} products have no country of origin',
    ],
    ['complete abroad', {}, { country: 'CH', postcode: '8001' }, 'customs', 'ok', 'The customs data are complete'],
  ])('tell of %s', (_, line, ship, kind, severity, text) => {
    expect(of(imported({}, line, ship), kind)).toMatchObject({ severity, text })
  })

  it('do not weigh what is not sent', () => {
    const order = imported({
      lines: [
        { name: 'Voucher by e-mail', qty: '1', requires_shipping: false },
        { type: 'fee', name: 'Fee', qty: '1' },
      ],
    })
    expect(of(order, 'weight')).toMatchObject({ severity: 'warning', text: 'There is nothing to ship' })
  })
})

describe('search words', () => {
  it('looks for a number by its parts, but not for what a machine made up', () => {
    expect(searchWords(imported({ order_no: 'WEB-1042' }))).toEqual(expect.arrayContaining(['web-1042', 'web', '1042']))
    const made = searchWords(imported({ order_no: '5f0c1a73-90b0-4e83-8eb5-3c1be3a0fefb' }))
    expect(made).toContain('5f0c1a73-90b0-4e83-8eb5-3c1be3a0fefb')
    expect(made).not.toContain('90b0')
  })

  it('hold number, names, phone, e-mail, SKU and tags', () => {
    const words = searchWords(imported({ tags: ['Gift wrap'] }))
    expect(words).toEqual(
      expect.arrayContaining([
        '#1001',
        '1001',
        '5940139491234',
        'lene',
        'ærø',
        'aeroe',
        'aero',
        'hansen',
        '4520123456',
        '20123456',
        'lene@example.test',
        'example',
        'odense',
        'ts001-wh',
        'gift',
        'wrap',
        'gift wrap',
      ]),
    )
  })

  it.each([
    ['Åse', ['åse', 'aase', 'ase']],
    ['Ærø', ['ærø', 'aeroe', 'aero']],
    ['Müller', ['müller', 'mueller', 'muller']],
    ['Weiß', ['weiß', 'weiss']],
    ['José', ['josé', 'jose']],
    ['Plain', ['plain']],
  ])('fold %s', (word, expected) => {
    expect(foldings(word)).toEqual(expected)
  })

  it('are at most 100, lower case, none empty, none twice, for any names', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.array(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 200 }),
        (name, skus) => {
          const lines = skus.filter(sku => sku.trim() !== '').map(sku => ({ sku, name: 'x', qty: '1' }))
          const { order } = readCanonical(written({ lines: lines.length > 0 ? lines : [{ name: 'x', qty: '1' }] }, {}, { name }))
          if (!order) return
          const words = searchWords(toOrder(order))
          expect(words.length).toBeLessThanOrEqual(100)
          expect(new Set(words).size).toBe(words.length)
          for (const word of words) {
            expect(word).not.toBe('')
            expect(word.length).toBeLessThanOrEqual(100)
          }
        },
      ),
    )
  })
})
