/** Writes CPR numbers, encrypted with the key for personal numbers, and opens them for those who may. */
import { notFound, orNotFound, tooMany, unavailable } from '#contract/errors.ts'
import { cprReveal, logAccess } from '#features/company/access-log/access-log.commands.ts'
import { userById } from '#features/company/users/users.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { cprOf, revealsBy } from './cpr.queries.ts'
import { cprBirthDate, hasCheckDigit, showCpr } from './cpr.rules.ts'
import { employmentOf } from './employees.queries.ts'
import type { Cpr } from './employees.schemas.ts'

/** Numbers that one person may read within an hour: a list of all staff is no daily work. */
const mostReveals = 10

/** Moved to another person's row, a number does not open. */
const cprSeal = ({ operator_id, company_id }: Context['scope'], user_id: number): string => `cpr ${operator_id}/${company_id}/${user_id}`

/** Keeps a number instead of the one before. The answer names what may be wrong with it, which does not forbid it. */
export async function setCpr(context: Context, user_id: number, digits: string, today: string): Promise<Cpr> {
  const { db, services, scope, principal, now, recordEvent, notify } = context
  const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  const row = {
    sealed: services.personalVault.encrypt(digits, cprSeal(scope, user_id)),
    set_at: now().toISOString(),
    set_by: principal.name.slice(0, 120),
  }
  await db
    .insertInto('employee_cpr')
    .values({ user_id, ...row })
    .onConflict(one => one.columns(['operator_id', 'user_id']).doUpdateSet(row))
    .execute()
  await recordEvent({ kind: 'personal.changed', subject: 'user', subject_id: user_id, data: { name: user.name, fields: ['cpr'] } })
  notify('user', user_id)
  const { birth_date } = await employmentOf(db, user_id, today)
  const hint = birth_date !== null && birth_date !== cprBirthDate(digits) ? 'birth_date' : hasCheckDigit(digits) ? null : 'check_digit'
  return { ...(await cprOf(db, user_id)), hint }
}

/** The number itself. That it was read, by whom and why, is on the disk before it is answered. */
export async function revealCpr(context: Context, user_id: number, reason: string): Promise<string> {
  const { db, services, scope, principal, now, recordEvent, notify } = context
  const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  // The reader's row is locked, so that two requests together do not exceed the limit.
  await db.selectFrom('users').select('id').where('id', '=', principal.id).forUpdate().execute()
  if ((await revealsBy(db, principal.id, new Date(now().getTime() - 3_600_000))) >= mostReveals)
    throw tooMany('cpr_reveals_many', 'You have read {{count}} numbers within an hour. Wait before you read another one.', {
      count: mostReveals,
    })
  const row = await db.selectFrom('employee_cpr').select('sealed').where('user_id', '=', user_id).executeTakeFirst()
  if (!row) throw cprMissing()
  const digits = opened(() => services.personalVault.decrypt(row.sealed, cprSeal(scope, user_id)))
  await logAccess(context, { subject_type: 'user', subject_id: user_id, what: cprReveal, criteria: reason, durable: true })
  await recordEvent({ kind: 'personal.revealed', subject: 'user', subject_id: user_id, data: { name: user.name } })
  notify('user', user_id)
  return showCpr(digits)
}

const cprMissing = () => notFound('cpr_not_found', 'No CPR number is kept for this person.')

/** Numbers of a restored database whose key is elsewhere do not open. */
function opened(open: () => string): string {
  try {
    return open()
  } catch {
    throw unavailable('personal_key_missing', 'The key for CPR numbers is missing on this server.')
  }
}

export async function removeCpr({ db, recordEvent, notify }: Context, user_id: number): Promise<void> {
  const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  const { numDeletedRows } = await db.deleteFrom('employee_cpr').where('user_id', '=', user_id).executeTakeFirst()
  if (numDeletedRows === 0n) throw cprMissing()
  await recordEvent({ kind: 'personal.changed', subject: 'user', subject_id: user_id, data: { name: user.name, fields: ['cpr'] } })
  notify('user', user_id)
}
