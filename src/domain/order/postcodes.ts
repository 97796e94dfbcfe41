/** Whether a text looks like a postcode of a country. A mismatch is only a doubt, because such lists age. Patterns: postcode-validator. */
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'

/** True too where the country has no pattern. */
export const looksLikePostcode = (postcode: string, country: string): boolean =>
  !postcodeValidatorExistsForCountry(country) || postcodeValidator(postcode, country)
