/** The search terms of an order. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported, written } from '#test/written-order.ts'
import { readCanonical } from './canonical-order.ts'
import { toOrder } from './canonical-order-checks.ts'
import { foldings, searchWords } from './search-terms.ts'

describe('search terms', () => {
  it('contain the parts of a number, but not of generated ids', () => {
    expect(searchWords(imported({ order_no: 'WEB-1042' }))).toEqual(expect.arrayContaining(['web-1042', 'web', '1042']))
    const made = searchWords(imported({ order_no: '5f0c1a73-90b0-4e83-8eb5-3c1be3a0fefb' }))
    expect(made).toContain('5f0c1a73-90b0-4e83-8eb5-3c1be3a0fefb')
    expect(made).not.toContain('90b0')
  })

  it('contain number, names, phone, e-mail, SKU and tags', () => {
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

  it('are at most 100, lower case, not empty and unique, for any names', () => {
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
