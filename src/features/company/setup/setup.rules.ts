/** Defaults that a new installation derives from the first answers. */
import type { Locale } from '#contract/limits.ts'

const longest = 31
const spelled: Readonly<Record<string, string>> = { æ: 'ae', ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** The code that a name suggests: `Aarhus Lager ApS` → `aarhus-lager-aps`. Empty where no character of the name is valid. */
export const codeFrom = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[æøåäöüß]/g, letter => spelled[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')

/** The most likely country and currency for the language of the setup. */
export const homeOf: Readonly<Record<Locale, { country: string; currency: string }>> = {
  da_DK: { country: 'DK', currency: 'DKK' },
  de_DE: { country: 'DE', currency: 'EUR' },
  en_GB: { country: 'GB', currency: 'GBP' },
  no_NO: { country: 'NO', currency: 'NOK' },
  sv_SE: { country: 'SE', currency: 'SEK' },
}
