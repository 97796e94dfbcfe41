/** Money: converts decimal text to whole minor units of its currency, exactly, and back. */

const decimalsByCurrency = new Map<string, number>()
// Built at first use: the list costs a millisecond, and most screens do not need it.
let known: Set<string> | undefined

/** Whether the three letters are a currency of ISO 4217 that the platform has. Upper case only. */
export function isCurrency(currency: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'))
  return known.has(currency)
}

/** How many decimals the currency has: 0 (JPY), 2 (DKK) or 3 (KWD). */
export function decimalsOf(currency: string): number {
  let decimals = decimalsByCurrency.get(currency)
  if (decimals === undefined) {
    decimals = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    decimalsByCurrency.set(currency, decimals)
  }
  return decimals
}

const decimalText = /^([-+]?)(\d+)(?:\.(\d+))?$/

/**
 * `'12.345'` in EUR → 1235. Rounds half away from zero, without floating point.
 * Throws RangeError for text that is no decimal number, or that exceeds a safe integer.
 */
export function toMinor(text: string, currency: string): number {
  const parts = decimalText.exec(text)
  if (!parts) throw new RangeError(`${text} is not a decimal number`)
  const [, sign, whole, fraction = ''] = parts
  const decimals = decimalsOf(currency)
  const kept = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const minor = (fraction[decimals] ?? '0') >= '5' ? kept + 1 : kept
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${text} is too large an amount`)
  // Never -0: two equal orders would differ.
  return sign === '-' && minor !== 0 ? -minor : minor
}

/** 1235 in EUR → `'12.35'`; the reverse of `toMinor`. */
export function fromMinor(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return `${minor < 0 ? '-' : ''}${digits.slice(0, at)}${decimals > 0 ? `.${digits.slice(at)}` : ''}`
}

/** A percentage as whole millionths of the price: `'25'` → 250000. At most four decimals count. */
function rateOf(percent: string): number {
  const parts = decimalText.exec(percent)
  if (!parts) throw new RangeError(`${percent} is not a decimal number`)
  return Number(`${parts[2]}${(parts[3] ?? '').slice(0, 4).padEnd(4, '0')}`)
}

const share = (minor: number, numerator: number, denominator: number): number => {
  const amount = Math.abs(minor)
  const doubled = amount * numerator * 2 + denominator
  // Below 2^53 every step is an integer, and the quotient of two integers is never rounded past the next one.
  const rounded = Number.isSafeInteger(doubled)
    ? Math.floor(doubled / (denominator * 2))
    : Number((BigInt(amount) * BigInt(numerator) * 2n + BigInt(denominator)) / (BigInt(denominator) * 2n))
  return minor < 0 && rounded !== 0 ? -rounded : rounded
}

const one = 1_000_000

/** The price without VAT of a price that includes it, half up. `percent` is decimal text such as `'25'` or `'5.5'`. */
export const withoutVat = (minor: number, percent: string): number => share(minor, one, one + rateOf(percent))

/** The price with VAT of a price without it, half up. */
export const withVat = (minor: number, percent: string): number => share(minor, one + rateOf(percent), one)
