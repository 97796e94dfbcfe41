/** A gate for tests of two at once: who comes first and who second is no matter of luck there. */
import pg from 'pg'
import { expect } from 'vitest'
import { Refused } from './test-app.ts'

export interface LockBarrier {
  /**
   * Begins these one after the other while a row of the order is taken at which all of them must wait, and lets them go when the
   * last one waits. Answers what each did, or the sentence with which it was refused.
   */
  atOnce(table: 'orders' | 'order_lines' | 'packing_sessions', order_id: number, ...works: (() => Promise<unknown>)[]): Promise<unknown[]>
  /** Reads without row-level security. */
  rows<T extends object>(text: string, values: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

export async function openLockBarrier(url: string): Promise<LockBarrier> {
  const holder = new pg.Client({ connectionString: url })
  const witness = new pg.Client({ connectionString: url })
  await Promise.all([holder.connect(), witness.connect()])
  const rows = async <T extends object>(text: string, values: readonly unknown[] = []) => (await witness.query<T>(text, [...values])).rows
  const waiting = async () =>
    (
      await rows<{ n: number }>(
        `select count(*)::int n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and usename is not null`,
      )
    )[0]?.n

  return {
    async atOnce(table, order_id, ...works) {
      await holder.query('begin')
      try {
        await holder.query(`select from ${table} where ${table === 'orders' ? 'id' : 'order_id'} = $1 for no key update`, [order_id])
        const working: Promise<unknown>[] = []
        for (const work of works) {
          const one = work().catch((error: unknown) => {
            if (error instanceof Refused) return error.message
            throw error
          })
          one.catch(() => undefined)
          working.push(one)
          await expect.poll(waiting, { interval: 5, timeout: 4_000 }).toBe(working.length)
        }
        await holder.query('rollback')
        return await Promise.all(working)
      } finally {
        await holder.query('rollback')
      }
    },
    rows,
    close: async () => void (await Promise.all([holder.end(), witness.end()])),
  }
}
