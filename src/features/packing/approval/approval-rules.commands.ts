/** Writes the rules by which the station asks for an approval. */
import { sql } from 'kysely'
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostApprovalRules } from './approval.codes.ts'
import type { ApprovalRule, ApprovalRuleFields } from './approval.schemas.ts'
import { cancelRequestsOfRule } from './approval-requests.commands.ts'
import { approvalRulesOf } from './approval-rules.queries.ts'

export async function ruleById({ db, principal }: Context, id: number): Promise<ApprovalRule> {
  const rules = await approvalRulesOf(db, principal.company.id)
  return orNotFound(
    rules.find(rule => rule.id === id),
    'rule_not_found',
    'Rule not found',
  )
}

/** `restored` is the number of a rule that comes back. */
export async function setRule(
  context: Context,
  {
    id,
    version,
    position,
    restored,
    ...fields
  }: ApprovalRuleFields & { id?: number | undefined; version?: number | undefined; restored?: number },
): Promise<ApprovalRule> {
  const { db, principal, recordEvent, notify } = context
  const conditions = JSON.stringify(readRule(fields.conditions, 'approval', 'conditions'))
  // Rules of one company change one after the other: each has its own place.
  await db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()
  const rules = await approvalRulesOf(db, principal.company.id)
  let rule_id = id
  if (rule_id === undefined) {
    if (rules.length >= mostApprovalRules)
      throw conflict('rules_full', 'There are {{count}} rules already. Remove one first.', { count: rules.length })
    const last = rules.at(-1)?.position ?? 0
    const added = await db
      .insertInto('approval_rules')
      .values({
        ...fields,
        ...(restored !== undefined && { id: restored }),
        conditions,
        position: position ?? last + 1,
        company_id: principal.company.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    rule_id = added.id
  } else {
    const current = await ruleById(context, rule_id)
    if (current.version !== version)
      throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
    await db
      .updateTable('approval_rules')
      .set(eb => ({
        ...fields,
        conditions,
        ...(position !== undefined && { position }),
        version: eb('version', '+', 1),
        updated_at: sql<string>`now()`,
      }))
      .where('company_id', '=', principal.company.id)
      .where('id', '=', rule_id)
      .execute()
  }
  await recordEvent({ kind: 'approval_rule.set', subject: 'approval_rule', subject_id: rule_id, data: { name: fields.name } })
  notify('approval_rule')
  return ruleById(context, rule_id)
}

export async function removeRule(context: Context, id: number): Promise<void> {
  const { db, principal, recordEvent, notify } = context
  const removed = await db
    .deleteFrom('approval_rules')
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!removed) throw notFound('rule_not_found', 'Rule not found')
  await cancelRequestsOfRule(context, id)
  await recordEvent({ kind: 'approval_rule.removed', subject: 'approval_rule', subject_id: id, data: { name: removed.name } })
  notify('approval_rule')
}
