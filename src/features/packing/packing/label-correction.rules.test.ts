/** What can be corrected of a refused label. */
import { expect, it } from 'vitest'
import { addressFieldOf, correctionOf, lineFieldOf } from './label-correction.rules.ts'

it.each([
  ['weight_g', 'weight'],
  ['receiver.postcode', 'address'],
  ['receiver.phone', 'address'],
  ['shipping_method', 'method'],
  ['service_point', 'shop'],
  ['sender.address1', 'sender'],
  ['parcel_no', 'retry'],
  [null, 'retry'],
] as const)('offers for the field %s: %s', (field, correction) => {
  expect(correctionOf(field)).toBe(correction)
})

it('finds the field of the address form that a courier names', () => {
  expect(addressFieldOf('receiver.postcode')).toBe('postcode')
  expect(addressFieldOf('receiver.country')).toBeUndefined()
  expect(addressFieldOf(null)).toBeUndefined()
})

it('finds the line and the field of it that lacks customs data', () => {
  expect(lineFieldOf('parcels.0.lines.2.hs_code')).toEqual({ line: 2, what: 'hs_code' })
  expect(lineFieldOf('parcels.0.lines.0.net_weight_g')).toEqual({ line: 0, what: 'net_weight_g' })
  expect(lineFieldOf('parcels.0.lines.0.value')).toBeUndefined()
  expect(lineFieldOf('customs.numbers')).toBeUndefined()
  expect(lineFieldOf(null)).toBeUndefined()
})
