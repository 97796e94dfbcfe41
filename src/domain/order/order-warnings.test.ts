/** Warnings of an imported order. */
import { describe, expect, it } from 'vitest'
import { imported, type Json } from '#test/written-order.ts'
import type { ImportedOrder } from './canonical-order-checks.ts'
import { type Badge, badges } from './order-warnings.ts'

describe('warnings', () => {
  const of = (order: ImportedOrder, kind: Badge['kind']) => badges(order).find(badge => badge.kind === kind)!

  it('are all ok for a complete order', () => {
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
  ])('warn of %s', (_, line, ship, kind, severity, text) => {
    expect(of(imported({}, line, ship), kind)).toMatchObject({ severity, text })
  })

  it('ignore the weight of what is not sent', () => {
    const order = imported({
      lines: [
        { name: 'Voucher by e-mail', qty: '1', requires_shipping: false },
        { type: 'fee', name: 'Fee', qty: '1' },
      ],
    })
    expect(of(order, 'weight')).toMatchObject({ severity: 'warning', text: 'There is nothing to ship' })
  })
})
