/** What couriers send by themselves: proofs of the sender, and bodies that anybody may have written. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const isSame = (given: Uint8Array, expected: Uint8Array): boolean => given.length === expected.length && timingSafeEqual(given, expected)

/** An empty secret is the same as none. */
export function isSameSecret(given: string | string[] | undefined, secret: string): boolean {
  return typeof given === 'string' && secret !== '' && isSame(Buffer.from(given), Buffer.from(secret))
}

/** Undefined where it is no JSON. */
export function jsonOf(raw: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof raw === 'string' ? raw : Buffer.from(raw).toString('utf8'))
  } catch {
    return undefined
  }
}

/** The claims of a JSON Web Token that was signed with HS256 and this key; undefined where it was not. No other algorithm is taken. */
export function claimsOf(token: string, key: string): unknown {
  const [head = '', body = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || key === '') return undefined
  const header = jsonOf(Buffer.from(head, 'base64url'))
  if (typeof header !== 'object' || header === null || Reflect.get(header, 'alg') !== 'HS256') return undefined
  const expected = createHmac('sha256', key).update(`${head}.${body}`).digest()
  if (!isSame(Buffer.from(signature, 'base64url'), expected)) return undefined
  const claims = jsonOf(Buffer.from(body, 'base64url'))
  // The claims of some senders are a text that holds JSON.
  return typeof claims === 'string' ? jsonOf(claims) : claims
}
