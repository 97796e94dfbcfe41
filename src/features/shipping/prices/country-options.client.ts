/** Countries as choices, by their names in the reader's language. */
import { countryCodes } from '#domain/countries.ts'
import { compare, country } from '#ui/kit/format.ts'

export const countryOptions = (): { value: string; label: string }[] =>
  countryCodes.map(value => ({ value, label: country(value) })).toSorted((a, b) => compare(a.label, b.label))
