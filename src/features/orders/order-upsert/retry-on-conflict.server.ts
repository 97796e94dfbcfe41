/** Trying again what the database gave up because two transactions stood in each other's way. */

/** Deadlock, serialization failure: https://www.postgresql.org/docs/current/errcodes-appendix.html; an order that somebody else made meanwhile. */
const collisions = new Set(['40P01', '40001', 'orders_external'])

/** `work` must be a whole transaction: the one that was given up never happened. */
export async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const { code, constraint } = error as { code?: string; constraint?: string }
      if (attempt >= 5 || !collisions.has(constraint ?? code ?? '')) throw error
      await new Promise(resolve => setTimeout(resolve, attempt * 20 * Math.random()))
    }
}
