/** Repeats a transaction that the database aborted because of a concurrent one. */
import { textIn } from '#domain/thrown.ts'

/** Deadlock and serialization failure: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const conflicts = ['40P01', '40001']

/**
 * Runs `work`, which must be a whole transaction, up to five times.
 * `constraints`: unique constraints that a concurrent transaction can violate and that the next attempt finds satisfied.
 */
export async function retryOnConflict<T>(work: () => Promise<T>, constraints: readonly string[] = []): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const retries = conflicts.includes(textIn(error, 'code') ?? '') || constraints.includes(textIn(error, 'constraint') ?? '')
      if (attempt >= 5 || !retries) throw error
      await new Promise(resolve => setTimeout(resolve, attempt * 20 * Math.random()))
    }
}
