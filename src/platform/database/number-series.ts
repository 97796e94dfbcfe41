/** Numbers that count up within a company, each series under its name. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Takes the next number of a series; the first one is 1 above `before`. A rolled-back transaction gives its number back. */
export async function nextNumber(db: Db, company_id: number, name: string, before = 0): Promise<number> {
  const { next } = await db
    .insertInto('number_series')
    .values({ company_id, name, next: before + 2 })
    .onConflict(c => c.columns(['operator_id', 'company_id', 'name']).doUpdateSet({ next: sql<number>`number_series.next + 1` }))
    .returning('next')
    .executeTakeFirstOrThrow()
  return next - 1
}
