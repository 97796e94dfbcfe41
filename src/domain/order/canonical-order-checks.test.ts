/** The stored form of an order, and the detection of changes. */
import { describe, expect, it } from 'vitest'
import { imported } from '#test/written-order.ts'
import { fingerprint } from './canonical-order-checks.ts'

describe('the order that is stored', () => {
  it('has whole amounts, normalized text and upper-case codes', () => {
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

  it('has no HTML entities: shops write their texts for web pages', () => {
    const order = imported({
      ship_to: { name: 'Bj&oslash;rn &amp; S&#248;n', address1: 'Pr&aelig;stevej 5', postcode: '5000', city: 'Odense', country: 'DK' },
      lines: [{ name: 'Mug &#8211; &quot;R&amp;amp;D&quot;', variant: '&lt;L&gt;', qty: '1' }],
      notes: [{ text: 'It&#39;s a gift\n&hearts;' }],
    })
    expect(order.ship_to).toMatchObject({ name: 'Bjørn & Søn', address1: 'Præstevej 5' })
    expect(order.lines[0]).toMatchObject({ name: 'Mug – "R&amp;D"', variant: '<L>' })
    expect(order.notes[0]?.text).toBe("It's a gift\n♥")
  })

  it.each(['AT&T', 'R&D; more', 'a &unknown; b', '5 &copy 6', '100 % & more'])('keeps %j, which holds no entity', name => {
    expect(imported({ lines: [{ name, qty: '1' }] }).lines[0]?.name).toBe(name)
  })

  it('holds no character that cannot be stored, also where an entity names one', () => {
    expect(imported({ lines: [{ name: 'a&#1;b&#xD800;c', qty: '1' }] }).lines[0]?.name).toMatch(/^ab.?c$/)
  })

  it('uses the order number where the shop has no other id', () => {
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

  it('has no total where a line has no price', () => {
    expect(imported({}, { unit_price_excl_vat: null }).totals).toEqual({ excl_vat: null, vat: null, incl_vat: null })
  })

  it('gives each line a unique id, also beside ids that look like positions', () => {
    const order = imported({
      lines: [
        { external_id: '2', name: 'a', qty: '1' },
        { name: 'b', qty: '1' },
        { name: 'c', qty: '1' },
      ],
    })
    expect(order.lines.map(line => line.external_id)).toEqual(['2', '_2', '3'])
  })
})

describe('the fingerprint', () => {
  it('is the same for the same content in any spelling', () => {
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
