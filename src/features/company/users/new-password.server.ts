/** Whether a password may be set: one check for every place where people choose or give one. */
import { errorOf } from '#domain/thrown.ts'
import { isBreachedPassword } from '#integrations/breached-passwords/pwned-passwords.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { passwordFault } from './passwords.rules.ts'

/**
 * The sentence that says what is wrong with a new password, or null for a good one. Not to be called in a transaction: a service outside is asked.
 * A server without a way out sets passwords all the same.
 */
export async function newPasswordFault(
  { config, log, closing }: Pick<Services, 'config' | 'log' | 'closing'>,
  password: string,
  about: readonly string[],
): Promise<string | null> {
  const fault = passwordFault(password, about)
  if (fault) return fault
  if (config.breached_passwords_url === undefined) return null
  try {
    const breached = await isBreachedPassword({ url: config.breached_passwords_url }, password, closing)
    return breached ? 'This password was found in a data breach. Choose another one.' : null
  } catch (error) {
    log.warn({ error: errorOf(error).message }, 'a new password was not compared with breached ones')
    return null
  }
}
