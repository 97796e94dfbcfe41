/** Work on a database that dies meanwhile, repeated until the database confirms it. */
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds: a start after a power cut takes a minute on a machine that has other work. */
export const recoveryTime = 300_000

/** Repeats `work` until it succeeds. A failed attempt may have been committed, so `work` has to bear being done already. */
export async function untilConfirmed<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  const until = Date.now() + recoveryTime
  for (let attempt = 1; ; attempt++)
    try {
      return await work(attempt)
    } catch (error) {
      if (Date.now() > until) throw new Error('The database never confirmed it', { cause: error })
      await pause(50)
    }
}
