/** Writes employments and pay. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { userById } from '#features/company/users/users.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { employmentOf, payTermsOf } from './employees.queries.ts'
import { isUnder18 } from './employees.rules.ts'
import type { Employment, EmploymentChange, NewPayTerm, PayTerm } from './employees.schemas.ts'

export async function saveEmployment(
  { db, recordEvent, notify }: Context,
  user_id: number,
  { version, ...asked }: EmploymentChange,
  today: string,
): Promise<Employment> {
  const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  await db.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
  const current = await employmentOf(db, user_id, today)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  if (asked.birth_date !== null && asked.birth_date >= today)
    throw unprocessable(
      'birth_date_future',
      'The date of birth lies in the future',
      {},
      { fields: { birth_date: 'This day has not been yet' } },
    )
  const minor = isUnder18(asked.birth_date, today)
  const values = { ...asked, ...(minor ? {} : { guardian_name: null, guardian_phone: null, guardian_email: null }) }
  await db
    .insertInto('employees')
    .values({ user_id, ...values })
    .onConflict(row => row.columns(['operator_id', 'user_id']).doUpdateSet(eb => ({ ...values, version: eb('employees.version', '+', 1) })))
    .execute()
  await recordEvent({
    kind: 'personal.changed',
    subject: 'user',
    subject_id: user_id,
    data: { name: user.name, fields: fieldsThatDiffer(current, values) },
  })
  notify('user', user_id)
  notify('schedule')
  return employmentOf(db, user_id, today)
}

const fieldsThatDiffer = (before: Employment, after: Omit<EmploymentChange, 'version'>): string[] =>
  Object.entries(after).flatMap(([field, value]) =>
    Object.entries(before).some(([name, had]) => name === field && had !== value) ? [field] : [],
  )

export async function addPayTerm(context: Context, user_id: number, term: NewPayTerm, today: string): Promise<PayTerm[]> {
  const { db, principal, recordEvent, notify, now } = context
  const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  await db.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
  const same = (await payTermsOf(db, user_id, today)).find(one => one.valid_from === term.valid_from)
  if (same)
    throw conflict(
      'pay_term_taken',
      'Another pay holds from {{day}}.',
      { day: term.valid_from },
      { fields: { valid_from: 'Another pay holds from this day' } },
    )
  const { currency } = await companySettings(db, principal.company.id)
  await db
    .insertInto('pay_terms')
    .values({ user_id, ...term, currency, made_by: principal.name, made_at: now().toISOString() })
    .execute()
  await recordEvent({
    kind: 'pay.terms_changed',
    subject: 'user',
    subject_id: user_id,
    data: { name: user.name, valid_from: term.valid_from, salary_type: term.salary_type },
  })
  notify('user', user_id)
  return payTermsOf(db, user_id, today)
}

export async function withdrawPayTerm(context: Context, user_id: number, term_id: number, today: string): Promise<PayTerm[]> {
  const { db, recordEvent, notify, now } = context
  const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  const term = orNotFound(
    (await payTermsOf(db, user_id, today)).find(one => one.id === term_id),
    'pay_term_not_found',
    'This pay was withdrawn already.',
  )
  if (term.valid_from <= today)
    throw conflict('pay_term_used', 'This pay holds since {{day}} and stays on record. Add what holds from now on instead.', {
      day: term.valid_from,
    })
  await db.updateTable('pay_terms').set({ withdrawn_at: now().toISOString() }).where('id', '=', term_id).execute()
  await recordEvent({
    kind: 'pay.terms_withdrawn',
    subject: 'user',
    subject_id: user_id,
    data: { name: user.name, valid_from: term.valid_from, salary_type: term.salary_type },
  })
  notify('user', user_id)
  return payTermsOf(db, user_id, today)
}
