/** Writing the rules of companies about crates. */
import { sql } from 'kysely'
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { crateRuleById } from './crate-rules.queries.ts'
import type { CrateRule, CrateRuleFields } from './crate-rules.schemas.ts'
import { crateTypeById, readerOf } from './crate-types.queries.ts'
import { mayNameCrate, needsCrate } from './crates.codes.ts'

type Tools = Pick<Context, 'db' | 'principal' | 'recordEvent' | 'notify'>

/** `restored` is the number of a rule that comes back. */
export async function setCrateRule(
  tools: Tools,
  crate: number,
  sku: string,
  fields: CrateRuleFields,
  restored?: number,
): Promise<CrateRule> {
  const { db, principal, recordEvent, notify } = tools
  const { kind } = fields
  const company_id = principal.company.id
  if (needsCrate(kind) && crate === 0) throw unprocessable('kind_needs_crate', 'Select the box of this rule')
  if (!mayNameCrate(kind) && crate !== 0) throw unprocessable('kind_without_crate', 'This rule holds for every box. Leave the box out.')
  if (crate !== 0) await crateTypeById(db, readerOf(principal), crate)
  const crate_type_id = crate === 0 ? null : crate
  const values = {
    pieces: kind === 'pieces' ? fields.pieces : null,
    percent: kind === 'filler' ? fields.percent : null,
    conditions: fields.conditions === null ? null : JSON.stringify(readRule(fields.conditions, 'crate', 'conditions')),
  }
  const { id } = await db
    .insertInto('crate_rules')
    .values({ sku, kind, crate_type_id, company_id, ...values, ...(restored !== undefined && { id: restored }) })
    .onConflict(oc =>
      oc
        .expression(sql`operator_id, company_id, sku_key, kind, coalesce(crate_type_id, 0)`)
        .doUpdateSet({ ...values, updated_at: sql<string>`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'crate_rule.set', subject: 'crate_rule', subject_id: id, data: { sku, kind, crate_type_id } })
  notify('crate')
  return orNotFound(await crateRuleById(db, company_id, id), 'crate_rule_not_found', 'Box rule not found')
}

export async function removeCrateRule({ db, principal, recordEvent, notify }: Tools, id: number): Promise<void> {
  const row = await db
    .deleteFrom('crate_rules')
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .returning(['sku', 'kind'])
    .executeTakeFirst()
  if (!row) throw notFound('crate_rule_not_found', 'Box rule not found')
  await recordEvent({ kind: 'crate_rule.removed', subject: 'crate_rule', subject_id: id, data: row })
  notify('crate')
}

/** The other rules about a removed crate are kept unseen, and come back with it. @throws {AppError} 409 while a rule demands it */
export async function mustNotBeDemanded({ db }: Tools, crate: number): Promise<void> {
  const { count } = await db
    .selectFrom('crate_rules')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('crate_type_id', '=', crate)
    .where('kind', '=', 'must')
    .executeTakeFirstOrThrow()
  if (count > 0) throw conflict('crate_in_rules', 'Rules require this box: {{count}}. Change them first.', { count })
}
