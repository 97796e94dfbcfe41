import { describe, expect, it } from 'vitest'
import { phoneOf, postcodeOf } from './address.ts'

describe('the recipient of an order', () => {
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
