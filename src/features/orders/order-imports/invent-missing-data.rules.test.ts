/** What is invented is the same every time, and fits where it is put. */
import fc from 'fast-check'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { describe, expect, it } from 'vitest'
import { checkDigit, inventAddress, inventProduct } from './invent-missing-data.rules.ts'

const countries =
  'GB DK NO SE FI IS FO GL DE NL BE LU FR ES PT IT AT CH LI IE PL CZ SK HU SI HR RO BG GR EE LV LT CY MT US CA AU NZ JP SG IL BR ZA SA'.split(
    ' ',
  )

describe('invented data', () => {
  it('are the same for the same order, and other ones for another', () => {
    expect(inventAddress('536365', 'GB')).toEqual(inventAddress('536365', 'GB'))
    expect(inventAddress('536365', 'GB')).not.toEqual(inventAddress('536366', 'GB'))
  })

  it('say themselves that they are invented', () => {
    const { name, address1, city, email } = inventAddress('536365', 'GB')
    expect(name).toBe('Sample Customer 536365')
    expect(address1).toMatch(/^Sample Street \d{1,3}$/)
    expect(city).toBe('Sampleton')
    expect(email).toBe('order-536365@example.test')
  })

  it.each(countries)('have a postcode that fits %s', country => {
    for (let order = 0; order < 50; order++) {
      const { postcode } = inventAddress(String(order), country)
      expect(postcodeValidatorExistsForCountry(country) && postcodeValidator(postcode, country), postcode).toBe(true)
    }
  })

  it('ring at no one: only numbers that are kept for stories', () => {
    expect(inventAddress('1', 'GB').phone).toMatch(/^\+447700900\d{3}$/)
    expect(inventAddress('1', 'US').phone).toMatch(/^\+120255501\d{2}$/)
    expect(inventAddress('1', 'DK').phone).toBeNull()
  })

  it('have in-store EAN-13 with a right check digit for any SKU, whatever its case', () => {
    expect(checkDigit('400638133393')).toBe('1')
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), sku => {
        const { barcode, weight_g, bin } = inventProduct(sku)
        expect(barcode).toMatch(/^2\d{12}$/)
        expect(checkDigit(barcode.slice(0, 12))).toBe(barcode[12])
        expect(weight_g).toBeGreaterThanOrEqual(20)
        expect(bin).toMatch(/^[A-H]-\d{2}-\d$/)
      }),
    )
    expect(inventProduct('85123a')).toEqual(inventProduct(' 85123A '))
  })

  it('give ten thousand products ten thousand barcodes', () => {
    expect(new Set(Array.from({ length: 10_000 }, (_, index) => inventProduct(String(20_000 + index)).barcode)).size).toBe(10_000)
  })
})
