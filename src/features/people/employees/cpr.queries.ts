/** Reads what is known of a CPR number without opening it: that it is there, and who has looked at it. */
import { orNotFound } from '#contract/errors.ts'
import { cprReveal } from '#features/company/access-log/access-log.commands.ts'
import { userById } from '#features/company/users/users.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Cpr } from './employees.schemas.ts'

/** Reveals that the page shows; the log keeps more. */
const shownReveals = 20

/** 404 where the person is none of this company. */
export async function cprOf(db: Db, user_id: number): Promise<Omit<Cpr, 'hint'>> {
  orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  const row = await db.selectFrom('employee_cpr').select(['set_at', 'set_by']).where('user_id', '=', user_id).executeTakeFirst()
  const reveals = await db
    .selectFrom('access_log')
    .select(['at', 'user_name', 'criteria as reason'])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', user_id)
    .where('what', '=', cprReveal)
    .orderBy('at', 'desc')
    .limit(shownReveals)
    .execute()
  return { user_id, set_at: row?.set_at ?? null, set_by: row?.set_by ?? null, reveals }
}

/** How often somebody has read a number since a moment. */
export async function revealsBy(db: Db, user_id: number, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('access_log')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('what', '=', cprReveal)
    .where('at', '>', since.toISOString())
    .executeTakeFirstOrThrow()
  return count
}
