/** Writes the rules of returns: the draft, its trial, and which rules decide. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { conflict } from '#contract/errors.ts'
import { isRecord } from '#domain/objects.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { dryRunHours } from './return-rules.codes.ts'
import { rulesOfCompany } from './return-rules.queries.ts'
import type { DryRun, ReturnRules } from './return-rules.schemas.ts'

const StoredRules = z.array(ReturnRule)

/** The database keeps the keys of JSON in an order of its own: here they stand by name. */
const byName = (_: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))) : value

const hashOf = (rules: readonly ReturnRule[]): string => createHash('sha256').update(JSON.stringify(rules, byName)).digest('hex')

/** Writers of one company come one after the other; each says which draft it has seen. @throws {AppError} 409 settings_changed */
async function draftOf({ db, principal }: Context, version: number): Promise<ReturnRules> {
  await inLine(db, principal.company.id)
  const current = await rulesOfCompany(db, principal.company.id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  return current
}

async function writeDraft({ db, principal, now }: Context, rules: readonly ReturnRule[], version: number): Promise<void> {
  const written = {
    ...{ rules: JSON.stringify(rules), hash: hashOf(rules), dry_run: null, dry_run_at: null, version: version + 1 },
    changed_at: now().toISOString(),
    changed_by: principal.name,
  }
  const { numUpdatedRows } = await db
    .updateTable('return_rule_sets')
    .set(written)
    .where('company_id', '=', principal.company.id)
    .where('state', '=', 'draft')
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    await db
      .insertInto('return_rule_sets')
      .values({ ...written, state: 'draft' })
      .execute()
}

async function changed({ db, principal, recordEvent, notify }: Context, change: 'saved' | 'enabled' | 'reset'): Promise<ReturnRules> {
  const saved = await rulesOfCompany(db, principal.company.id)
  await recordEvent({
    kind: 'return_rules.changed',
    subject: 'company',
    subject_id: principal.company.id,
    data: { change, rules: saved.rules.length },
  })
  notify('return_rule')
  return saved
}

/** @throws {AppError} 409 settings_changed; 422 with the path of each mistake */
export async function saveRules(
  context: Context,
  { rules, version }: { rules: readonly ReturnRule[]; version: number },
): Promise<ReturnRules> {
  await draftOf(context, version)
  const checked = rules.map((rule, place) => ({ ...rule, conditions: readRule(rule.conditions, 'return', `rules.${place}.conditions`) }))
  await writeDraft(context, checked, version)
  return changed(context, 'saved')
}

export async function tryRules(context: Context, version: number): Promise<{ job_id: number }> {
  await draftOf(context, version)
  const { db, principal, enqueue, notify } = context
  const job_id = await newJob(db, { kind: 'returns.dry_run', title: '', created_by: principal.id })
  await enqueue(
    'returns.dry_run',
    { job_id, version },
    { key: `returns.dry_run/${job_id}`, queue: `returns.dry_run/${principal.company.id}` },
  )
  notify('job', job_id)
  return { job_id }
}

/** Kept with the draft that was tried; a draft that was changed meanwhile has to be tried again. */
export async function keepDryRun(
  { db, notify, now }: Pick<Context, 'db' | 'notify' | 'now'>,
  company_id: number,
  { version, found }: { version: number; found: DryRun },
): Promise<void> {
  await db
    .updateTable('return_rule_sets')
    .set({ dry_run: JSON.stringify(found), dry_run_at: now().toISOString() })
    .where('company_id', '=', company_id)
    .where('state', '=', 'draft')
    .where('version', '=', version)
    .execute()
  notify('return_rule')
}

/** @throws {AppError} 409 settings_changed, rules_not_tried */
export async function enableRules(context: Context, version: number): Promise<ReturnRules> {
  const { db, principal, now } = context
  const { rules, dry_run, dry_run_at, in_force } = await draftOf(context, version)
  if (in_force) return rulesOfCompany(db, principal.company.id)
  const isTried = dry_run !== null && dry_run_at !== null && now().getTime() - Date.parse(dry_run_at) <= dryRunHours * 3_600_000
  if (!isTried) throw conflict('rules_not_tried', 'Try these rules on the last 90 days first.')
  const company_id = principal.company.id
  await db
    .updateTable('return_rule_sets')
    .set({ state: 'retired' })
    .where('company_id', '=', company_id)
    .where('state', '=', 'active')
    .execute()
  await db
    .insertInto('return_rule_sets')
    .values({
      ...{ state: 'active' as const, hash: hashOf(rules), dry_run_at, changed_by: principal.name },
      rules: JSON.stringify(rules),
      dry_run: JSON.stringify(dry_run),
      changed_at: now().toISOString(),
    })
    .execute()
  return changed(context, 'enabled')
}

/** @throws {AppError} 409 settings_changed */
export async function resetRules(context: Context, version: number): Promise<ReturnRules> {
  const { db, principal } = context
  await draftOf(context, version)
  const row = await db
    .selectFrom('return_rule_sets')
    .select('rules')
    .where('company_id', '=', principal.company.id)
    .where('state', '=', 'active')
    .executeTakeFirst()
  await writeDraft(context, StoredRules.parse(row?.rules ?? []), version)
  return changed(context, 'reset')
}
