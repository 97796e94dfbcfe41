/** Reads JSON from a shop: every field is checked, and nothing in it can make the reader throw. */

import { withoutVat } from '#domain/money.ts'
import { isRecord } from '#domain/objects.ts'
import type { WrittenOrder } from '#domain/order/canonical-order.ts'
import type { Problem } from '#domain/order/validation-issues.ts'

export type Json = Record<string, unknown>
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a delivery contains. Only `order` and `removed` change anything. */
export type Delivery =
  | { kind: 'order'; delivery_id: string | null; order: import('#domain/order/canonical-order.ts').CanonicalOrder }
  | { kind: 'removed'; delivery_id: string | null; external_id: string }
  /** A request to erase or disclose personal data, with the orders it names; answered 200. */
  | { kind: 'privacy'; delivery_id: string | null; topic: string; external_ids: string[]; customer_external_id: string | null }
  /** Not relevant here; answered 200, or the shop repeats it and then stops delivering. */
  | { kind: 'ignored'; delivery_id: string | null; text: string; values: Record<string, string> }
  | { kind: 'refused'; delivery_id: string | null; problems: Problem[] }
  /** The signature does not match: answered 401. */
  | { kind: 'forged' }

export const object = (value: unknown): Json => (isRecord(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const objects = (value: unknown): Json[] => list(value).map(object)

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are removed
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/gu

/** Text or a number as text, trimmed, without characters that cannot be stored; null for anything else and for an empty text. */
export function text(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  return value.replace(unstorable, '').trim() || null
}

/** The same, cut to a length: for text that may lose its end, such as a product's name. Never for addresses. */
export function clipped(value: unknown, most: number): string | null {
  const whole = text(value)
  if (whole === null || whole.length <= most) return whole
  // Do not cut inside a surrogate pair.
  return `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

export const joined = (...parts: unknown[]): string =>
  parts
    .map(text)
    .filter(part => part !== null)
    .join(' ')

/** The shop's own fields, kept beside the order: at most 100 scalars of bounded length. Names that start with `_` are internal by convention of both shops. */
export function keepsakes(pairs: readonly (readonly [unknown, unknown])[]): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of pairs) {
    const key = clipped(name, 100)
    const words = typeof value === 'boolean' ? String(value) : clipped(value, 2_000)
    if (key === null || key.startsWith('_') || key === '__proto__' || words === null) continue
    kept[key] = words
    if (Object.keys(kept).length === 100) break
  }
  return kept
}

// ——— Amounts in millionths, exact: shops divide and discount, and floating point loses cents.

const millionth = 1_000_000n

/** `'12.5'` or 12.5 → millionths; null for anything but an amount. More than six decimals are cut. */
export function micro(value: unknown): bigint | null {
  const parts = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(text(value) ?? '')
  if (!parts) return null
  const amount = BigInt(parts[2]! + (parts[3] ?? '').slice(0, 6).padEnd(6, '0'))
  return parts[1] === '-' ? -amount : amount
}

/** Millionths → decimal text without trailing zeros. */
export function amountText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Rounds half away from zero. */
export function divided(amount: bigint, by: bigint): bigint {
  const negative = amount < 0n !== by < 0n
  const top = amount < 0n ? -amount : amount
  const bottom = by < 0n ? -by : by
  const result = (top * 2n + bottom) / (bottom * 2n)
  return negative ? -result : result
}

/** A floating-point rate such as 7.000000000000001 as the intended percentage. */
export const percentText = (percent: number): string | null =>
  Number.isFinite(percent) && percent >= 0 && percent < 1_000 ? String(Number(percent.toFixed(4))) : null

/** An amount with VAT in millionths → the amount without VAT. */
export function exclusive(amount: bigint, percent: string): bigint {
  const whole = Number(amount)
  return Number.isSafeInteger(whole)
    ? BigInt(withoutVat(whole, percent))
    : divided(amount * 100n * millionth, 100n * millionth + (micro(percent) ?? 0n))
}

/** A header by its name in lower case; the first value of several. */
export function header(headers: Headers, ...names: string[]): string | null {
  for (const name of names) {
    const value = headers[name]
    const first = typeof value === 'string' ? value : value?.[0]
    if (first !== undefined && first !== '') return first
  }
  return null
}

/** JSON from bytes; undefined for invalid JSON. */
export function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return undefined
  }
}

export const countryOr = (value: unknown, otherwise: string | undefined): string => (text(value) ?? otherwise ?? '').toUpperCase()

export type WrittenLine = WrittenOrder['lines'][number]

export const shopSentences = {
  notJson: 'The body is not JSON',
  noOrder: 'The body is not an order: it has no id',
  draft: 'Order {{order_no}} is a draft: it comes again when the customer has ordered',
  nothing: 'Order {{order_no}} has nothing to ship',
  topic: 'Deliveries of the topic {{topic}} are not used',
} as const
