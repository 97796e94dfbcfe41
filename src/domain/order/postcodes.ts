/** Postcodes by country: the normal form, and whether it matches the country's pattern. A mismatch is only a doubt, because such lists age. */

import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { elementAt } from '../objects.ts'

/** Patterns where the library has none, or a looser one than parcels need. */
const SHAPES: Record<string, RegExp> = {
  FO: /^\d{3}$/,
  GL: /^39\d{2}$/,
  CY: /^\d{4}$/,
  GB: /^(GIR ?0AA|[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2})$/,
  SE: /^[1-9]\d{2} ?\d{2}$/,
  NL: /^[1-9]\d{3} ?(?!SA|SD|SS)[A-Z]{2}$/,
  FI: /^\d{5}$/,
  LV: /^LV-\d{4}$/,
  LT: /^LT-\d{5}$/,
  PL: /^\d{2}-\d{3}$/,
  PT: /^\d{4}-\d{3}$/,
}
/** Letters that people write before a code, as on car plates. */
const PREFIXES: Record<string, string> = {
  ...{ SE: 'S', NO: 'N', DE: 'D', FI: 'FIN', AT: 'A', BE: 'B', FR: 'F', IT: 'I', ES: 'E' },
  ...{ LU: 'L', PT: 'P', HU: 'H' },
}

export interface PlainPostcode {
  /** Upper case, single spaces, and without a country prefix unless the country's own form has one. */
  postcode: string
  /** Null when the country has no pattern or no postcodes. */
  fits: boolean | null
}

export function plainPostcode(written: string, country: string): PlainPostcode {
  const postcode = written.slice(0, 20).trim().replace(/\s+/g, ' ').toUpperCase()
  const fits = shapeOf(country)
  if (!fits) return { postcode, fits: null }
  if (fits(postcode)) return { postcode, fits: true }
  const rest = /^([A-Z]{1,3}) ?[-–] ?(.+)$/.exec(postcode)
  if (rest && (rest[1] === country || rest[1] === PREFIXES[country]) && fits(elementAt(rest, 2)))
    return { postcode: elementAt(rest, 2), fits: true }
  const owned = `${country}-${postcode.replace(/^[A-Z]{2} ?[-–]? ?/, '')}`
  if ((country === 'LV' || country === 'LT') && fits(owned)) return { postcode: owned, fits: true }
  return { postcode, fits: false }
}

function shapeOf(country: string): ((postcode: string) => boolean) | null {
  const shape = SHAPES[country]
  if (shape) return postcode => shape.test(postcode)
  return postcodeValidatorExistsForCountry(country) ? postcode => postcodeValidator(postcode, country) : null
}
