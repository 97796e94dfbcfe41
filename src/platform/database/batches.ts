/** Long deletions: one operator after the other, and each in transactions of bounded size, so that no lock and no log is held for long. */
import type { Database, Db } from './database.ts'

/** Rows of one table that one transaction changes. */
export const rowsAtOnce = 1_000

type Counts = Readonly<Record<string, number>>

export const addCounts = (one: Counts, other: Counts): Record<string, number> => {
  const all: Record<string, number> = { ...one }
  for (const [table, rows] of Object.entries(other)) all[table] = (all[table] ?? 0) + rows
  return all
}

/** Repeats a step in transactions of the system role until it changes nothing; answers how many rows of which table it changed in all. */
export async function inBatches(database: Database, why: string, step: (db: Db) => Promise<Counts>): Promise<Record<string, number>> {
  let all: Record<string, number> = {}
  for (;;) {
    const changed = await database.systemTransaction(why, step)
    all = addCounts(all, changed)
    if (Object.values(changed).every(rows => rows === 0)) return all
  }
}

/** Every operator of this deployment, for what the clock starts. */
export const allOperators = (database: Database): Promise<number[]> =>
  database.systemRead('the clock knows no tenant', async db =>
    (await db.selectFrom('operators').select('id').orderBy('id').execute()).map(({ id }) => id),
  )
