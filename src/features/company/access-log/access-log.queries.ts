/** Who looked at a person's data, the newest first. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'

export interface AccessRow {
  at: string
  user_name: string
  company_id: number
  what: string
  /** What was searched for, or why somebody looked. */
  criteria: string | null
}

export async function accessesTo(
  db: Db,
  subject: { type: 'customer' | 'order' | 'user'; ids: readonly number[] },
  query: { page: number; limit: number },
): Promise<Page<AccessRow>> {
  const all = db
    .selectFrom('access_log')
    .where('subject_type', '=', subject.type)
    .where('subject_id', '=', sql<number>`any(${subject.ids})`)
  const rows = await all
    .select(['at', 'user_name', 'company_id', 'what', 'criteria'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(pageOffset(query))
    .execute()
  return { rows, ...(await cappedCount(db, all)), offset: pageOffset(query), limit: query.limit }
}
