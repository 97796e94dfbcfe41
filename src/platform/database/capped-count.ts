/** Counting for lists: to an end that people page to, never through a million rows. */

import { type SelectQueryBuilder, sql } from 'kysely'
import { countCap } from '#contract/page.ts'
import type { Db } from './database.ts'
import type { DB } from './schema.ts'

/** How many rows `from` has, counted to `countedTo`. Give it the filtered query without order, limit and columns. */
export async function cappedCount<Tables, T extends keyof Tables, O>(
  db: Db,
  from: SelectQueryBuilder<Tables, T, O>,
): Promise<{ total: number; total_is_more: boolean }> {
  const few = from.select(sql<number>`1`.as('one')).limit(countCap + 1) as unknown as SelectQueryBuilder<DB, never, { one: number }>
  const { n } = await db
    .selectFrom(few.as('few'))
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { total: Math.min(n, countCap), total_is_more: n > countCap }
}
