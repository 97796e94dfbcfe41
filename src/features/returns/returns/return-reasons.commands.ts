/** Writes the reasons of a company: what it changes of those that the product knows, and its own. */
import { conflict, notFound, unprocessable } from '#contract/errors.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { knownReasons, type ReturnReason } from './return-reasons.rules.ts'
import { returnLimits, withdrawalReason } from './returns.codes.ts'
import { returnReasons } from './returns.queries.ts'
import type { ReturnReasonFields } from './returns.schemas.ts'

const noWords = 'Write the reason in one language at least.'
/** A withdrawal needs none: what stands for it is none of them. */
const noReason = () => notFound('return_reason_not_found', 'There is no such reason.')
const known = (code: string) => knownReasons.some(one => one.code === code)

/** The reasons of the own company; the next one who writes them waits. */
async function held({ db, principal }: Context): Promise<ReturnReason[]> {
  await inLine(db, principal.company.id)
  return returnReasons(db, principal.company.id)
}

async function changed(context: Context, code: string | null): Promise<ReturnReason[]> {
  const { db, principal, recordEvent, notify } = context
  await recordEvent({ kind: 'return_reasons.changed', subject: 'company', subject_id: principal.company.id, data: { code } })
  notify('return_portal')
  return returnReasons(db, principal.company.id)
}

const stale = (current: ReturnReason[]) =>
  conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })

/** @throws {AppError} 404 return_reason_not_found; 409 settings_changed, too_many_reasons; 422 return_reason_words */
export async function saveReason(
  context: Context,
  code: string,
  { version, words, ...fields }: ReturnReasonFields & { version: number },
): Promise<ReturnReason[]> {
  if (code === withdrawalReason) throw noReason()
  const all = await held(context)
  const before = all.find(one => one.code === code)
  if ((before?.version ?? 0) !== version) throw stale(all)
  if (!before && all.length >= returnLimits.reasons)
    throw conflict('too_many_reasons', 'There are {{count}} reasons already. Remove one first.', { count: returnLimits.reasons })
  const written = Object.fromEntries(Object.entries(words).filter(([, one]) => one !== ''))
  if (!known(code) && Object.keys(written).length === 0)
    throw unprocessable('return_reason_words', noWords, {}, { fields: { words: noWords } })
  const values = { ...fields, words: JSON.stringify(written), version: version + 1 }
  await context.db
    .insertInto('return_reasons')
    .values({ ...values, code, position: before?.position ?? 1 + Math.max(...all.map(one => one.position)) })
    .onConflict(row => row.columns(['operator_id', 'company_id', 'code']).doUpdateSet(values))
    .execute()
  return changed(context, code)
}

/** @throws {AppError} 404 return_reason_not_found; 409 return_reason_used */
export async function resetReason(context: Context, code: string): Promise<ReturnReason[]> {
  const { db, principal } = context
  const all = await held(context)
  if (!all.some(one => one.code === code)) throw noReason()
  if (!known(code)) {
    const used = await db
      .selectFrom('return_items')
      .select('id')
      .where('company_id', '=', principal.company.id)
      .where(eb => eb.or([eb('reason_code', '=', code), eb('reason_seen', '=', code)]))
      .limit(1)
      .executeTakeFirst()
    if (used) throw conflict('return_reason_used', 'Returns have this reason. Switch it off instead.')
  }
  await db.deleteFrom('return_reasons').where('company_id', '=', principal.company.id).where('code', '=', code).execute()
  return changed(context, code)
}

/** @throws {AppError} 409 settings_changed where the codes are not those of the company, each once */
export async function orderReasons(context: Context, codes: readonly string[]): Promise<ReturnReason[]> {
  const all = await held(context)
  const moved = all.filter(({ code }) => code !== withdrawalReason)
  if (new Set(codes).size !== codes.length || codes.length !== moved.length || moved.some(({ code }) => !codes.includes(code)))
    throw stale(all)
  for (const [position, code] of codes.entries()) {
    const one = moved.find(reason => reason.code === code)
    if (!one || one.position === position) continue
    const { words, evidence_text, evidence_photo, fault, active, version } = one
    await context.db
      .insertInto('return_reasons')
      .values({ code, words: JSON.stringify(words), evidence_text, evidence_photo, fault, active, position, version: Math.max(1, version) })
      .onConflict(row => row.columns(['operator_id', 'company_id', 'code']).doUpdateSet({ position }))
      .execute()
  }
  return changed(context, null)
}
