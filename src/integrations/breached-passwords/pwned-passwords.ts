/**
 * Passwords that were found in data breaches. The service learns the first five of forty digits of a hash and answers all endings that it knows,
 * so it learns no password. Source: https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
import { createHash } from 'node:crypto'
import { askCourier } from '#integrations/couriers/courier-http.ts'

export interface BreachSource {
  /** Without a slash at its end. */
  url: string
  fetch?: typeof globalThis.fetch
}

const service = 'The list of breached passwords'
/** Milliseconds: a person waits for the answer. */
const patience = 3_000
const mostRead = 1_000_000

/** @throws Error with a sentence where the service gives no answer */
export async function isBreachedPassword(source: BreachSource, password: string, closing: AbortSignal): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const answer = await askCourier({
    courier: service,
    purpose: 'read',
    url: `${source.url}/${hash.slice(0, 5)}`,
    // Answers of one length show no one on the way how many endings there are.
    headers: { 'add-padding': 'true' },
    signal: AbortSignal.any([closing, AbortSignal.timeout(patience)]),
    fetch: source.fetch,
    largest: mostRead,
    once: true,
  })
  if (!answer.ok) throw new Error(`${service} answered with the status ${answer.status}`)
  const ending = hash.slice(5)
  // Endings that fill the answer up have the count 0.
  return answer.text.split(/\r?\n/).some(line => line.startsWith(`${ending}:`) && !/:0+$/.test(line.trim()))
}
