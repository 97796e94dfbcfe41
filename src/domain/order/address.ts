/** Recipient or billing party of an order: normalized text, a phone number in E.164, a postcode in its country's form. */

import { decode } from 'html-entities'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { CanonicalOrder } from './canonical-order.ts'
import { plainPostcode } from './postcodes.ts'

export interface ImportedParty {
  name: string
  attention: string | null
  company: string | null
  address1: string
  address2: string | null
  /** Text, upper case, single spaces: leading zeros are significant. */
  postcode: string
  city: string
  region: string | null
  /** ISO 3166-1 alpha-2, upper case; empty only in a billing address that names none. */
  country: string
  /** E.164, or null where the text is no phone number of its country. */
  phone: string | null
  phone_raw: string | null
  email: string | null
}

const oddSpace = /^\s|\s$|\s\s|[^\S ]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are removed
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/gu

/** Shops write their texts for web pages: `&amp;` is `&`. Only references that end in a semicolon are decoded, once: `AT&T` stays. */
export const decoded = (text: string): string =>
  text.includes('&') && text.includes(';') ? decode(text, { scope: 'strict' }).replace(unstorable, '') : text

/** One line of text: no HTML entities, composed letters (NFC), single spaces, trimmed. */
export function tidy(text: string): string {
  const composed = decoded(text).normalize('NFC')
  return oddSpace.test(composed) ? composed.replace(/\s+/g, ' ').trim() : composed
}
export const orNull = (text: string | null | undefined): string | null => (text ? tidy(text) || null : null)
let lastPhone: { raw: string; country: string; e164: string | null } = { raw: '', country: '', e164: null }

/** The number in E.164, parsed as a call within that country; null for an invalid number. */
export function phoneOf(raw: string | null, country: string): string | null {
  if (!raw) return null
  const dense = raw.replace(/[\s().\-/]/g, '')
  // Parsing costs twenty times as much as everything else here, so a number in E.164 is kept unchanged.
  if (/^\+[1-9]\d{8,14}$/.test(dense)) return dense
  // Recipient and customer usually have the same number.
  if (raw === lastPhone.raw && country === lastPhone.country) return lastPhone.e164
  const parsed = parsePhoneNumberFromString(
    raw,
    isSupportedCountry(country) ? { defaultCountry: country, extract: false } : { extract: false },
  )
  lastPhone = { raw, country, e164: parsed?.isPossible() ? parsed.number : null }
  return lastPhone.e164
}

/** Upper case, single spaces, without `DK-`, `S-`, `D-` in front where the rest is a code of the country; with `LV-` and `LT-`, which are part of the code there. */
export const postcodeOf = (written: string, country: string): string => plainPostcode(tidy(written), country).postcode

type WrittenParty = Omit<NonNullable<CanonicalOrder['bill_to']>, 'vat_no'>

export function partyOf(party: WrittenParty): ImportedParty {
  const country = party.country?.toUpperCase() ?? ''
  const phone_raw = orNull(party.phone)
  return {
    name: tidy(party.name),
    attention: orNull(party.attention),
    company: orNull(party.company),
    address1: tidy(party.address1),
    address2: orNull(party.address2),
    postcode: postcodeOf(party.postcode, country),
    city: tidy(party.city),
    region: orNull(party.region),
    country,
    phone: phoneOf(phone_raw, country),
    phone_raw,
    email: orNull(party.email),
  }
}
