/** The signature that WooCommerce and Shopify put on a delivery: base64 of HMAC-SHA256 over the raw body. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const signatureOf = (raw: Uint8Array, secret: string): string => createHmac('sha256', secret).update(raw).digest('base64')

/**
 * True when the body was signed with one of the secrets: after a rotation the old one may sign for a while. The raw bytes count, not parsed JSON.
 * An empty secret matches nothing.
 */
export function isSigned(raw: Uint8Array, signature: string | null | undefined, secrets: string | readonly string[]): boolean {
  if (!signature) return false
  const given = Buffer.from(signature.trim())
  let fits = false
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    if (secret === '') continue
    const expected = Buffer.from(signatureOf(raw, secret))
    // Lengths are not secret; timingSafeEqual throws for unequal ones.
    if (given.length === expected.length && timingSafeEqual(given, expected)) fits = true
  }
  return fits
}
