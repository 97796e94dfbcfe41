/** The search terms of an order, and the spellings in which users type them. */
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import type { ImportedOrder } from './canonical-order-checks.ts'

const longForms: Record<string, string> = {
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ł: 'l',
}
const shortForms: Record<string, string> = { æ: 'ae', ø: 'o', ß: 'ss', œ: 'oe', þ: 'th', ð: 'd', ł: 'l', đ: 'd', ı: 'i' }

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ascii = /^[\u0000-\u007f]*$/

/**
 * The spellings of one word: `'Åse'` → `åse`, `aase`, `ase`. Lower case.
 * Stored and searched words are both folded, so that either spelling finds the other.
 */
export function foldings(word: string): string[] {
  const lower = word.normalize('NFC').toLowerCase()
  if (ascii.test(lower)) return [lower]
  const long = lower.replace(/[æøåäöüßœþðł]/g, letter => longForms[letter]!)
  const strip = (text: string) =>
    text
      .replace(/[æøßœþðłđı]/g, letter => shortForms[letter]!)
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
  return [...new Set([lower, strip(long), strip(lower)])]
}

const callingCodes = new Map<string, string>()
function callingCode(country: string): string {
  let code = callingCodes.get(country)
  if (code === undefined) {
    code = isSupportedCountry(country) ? getCountryCallingCode(country) : ''
    callingCodes.set(country, code)
  }
  return code
}

const mostWords = 100
const longestWord = 100
/** Users search generated ids only as a whole; five words unique to one order would only enlarge the index. */
const machineMade = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The search terms of the order, as whole lower-case words; at most 100, the most useful first. */
export function searchWords(order: ImportedOrder): string[] {
  const words = new Set<string>()
  const whole = (text: string | null) => {
    if (text) for (const word of foldings(text)) words.add(word.slice(0, longestWord))
  }
  const parts = (text: string | null) => {
    if (text) for (const part of text.split(/[^\p{L}\p{M}\p{N}]+/u)) if (part.length > 1) whole(part)
  }
  const numbers = (e164: string | null, raw: string | null, country: string) => {
    if (e164) {
      const digits = e164.slice(1)
      const code = callingCode(country)
      words.add(digits)
      if (code !== '' && digits.startsWith(code)) words.add(digits.slice(code.length))
      words.add(digits.slice(-8))
    }
    const written = raw?.replace(/\D/g, '') ?? ''
    if (written.length > 4) words.add(written)
  }

  const { ship_to, bill_to, customer } = order
  whole(order.order_no)
  whole(order.order_no.replace(/^#+/, ''))
  if (!machineMade.test(order.order_no)) parts(order.order_no)
  whole(order.external_id)
  for (const name of [ship_to.name, ship_to.company, ship_to.attention, customer.name, bill_to?.name ?? null, bill_to?.company ?? null])
    parts(name)
  numbers(ship_to.phone, ship_to.phone_raw, ship_to.country)
  numbers(customer.phone, null, bill_to?.country || ship_to.country)
  for (const email of new Set([ship_to.email, customer.email, bill_to?.email ?? null])) {
    whole(email)
    parts(email)
  }
  parts(ship_to.city)
  whole(customer.external_id)
  for (const tag of order.tags) {
    whole(tag)
    parts(tag)
  }
  for (const line of order.lines) {
    if (words.size >= mostWords) break
    whole(line.sku)
  }
  words.delete('')
  return [...words].slice(0, mostWords)
}
