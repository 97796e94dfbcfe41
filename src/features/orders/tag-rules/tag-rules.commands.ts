/** Writing tag rules, and giving orders the tags whose rules they meet. */
import { sql } from 'kysely'
import { conflict, unprocessable } from '#contract/errors.ts'
import type { Evaluation } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { addTagsByRule } from '#features/company/tags/tags.commands.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostTagRules, tagRuleWords } from './tag-rules.codes.ts'
import { tagRuleById, tagRulesInForce } from './tag-rules.queries.ts'
import type { TagRule, TagRuleFields } from './tag-rules.schemas.ts'

/** Writers of one company come one after the other. */
const lockCompany = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

async function checked({ db }: Context, { conditions, ...fields }: TagRuleFields) {
  const rule = readRule(conditions, 'tag', 'conditions')
  if (('all' in rule ? rule.all : rule.any).length === 0)
    throw unprocessable('tag_rule_empty', tagRuleWords.empty, {}, { fields: { conditions: tagRuleWords.empty } })
  const tag = await db.selectFrom('tags').select('id').where('id', '=', fields.tag_id).executeTakeFirst()
  if (!tag) throw unprocessable('tag_not_found', 'Tag not found', {}, { fields: { tag_id: tagRuleWords.tag } })
  return { ...fields, conditions: JSON.stringify(rule) }
}

async function changed(context: Context, id: number): Promise<TagRule> {
  const rule = await tagRuleById(context.db, id)
  await context.recordEvent({ kind: 'tag_rule.set', subject: 'tag_rule', subject_id: id, data: { tag: rule.tag, active: rule.active } })
  context.notify('tag_rule')
  return rule
}

/** `id` is that of a rule that comes back. */
export async function createTagRule(
  context: Context,
  { client_id, id: restored, ...sent }: TagRuleFields & { client_id?: string | undefined; id?: number },
): Promise<TagRule> {
  const { db } = context
  await lockCompany(context)
  if (client_id !== undefined) {
    const before = await db.selectFrom('tag_rules').select('id').where('client_id', '=', client_id).executeTakeFirst()
    if (before) return tagRuleById(db, before.id)
  }
  const { n } = await db
    .selectFrom('tag_rules')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= mostTagRules)
    throw conflict('tag_rules_full', 'There are {{count}} tag rules already. Remove one first.', { count: mostTagRules })
  const fields = await checked(context, sent)
  const { id } = await db
    .insertInto('tag_rules')
    .values({ ...fields, ...(restored !== undefined && { id: restored }), ...(client_id !== undefined && { client_id }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(context, id)
}

export async function updateTagRule(
  context: Context,
  id: number,
  { version, ...sent }: TagRuleFields & { version: number },
): Promise<TagRule> {
  const { db } = context
  await lockCompany(context)
  const current = await tagRuleById(db, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const fields = await checked(context, sent)
  await db
    .updateTable('tag_rules')
    .set(eb => ({ ...fields, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

/** What is gone already stays gone. */
export async function removeTagRule(context: Context, id: number): Promise<void> {
  await lockCompany(context)
  const rule = await context.db
    .selectFrom('tag_rules as r')
    .innerJoin('tags as t', 't.id', 'r.tag_id')
    .select('t.name')
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (!rule) return
  await context.db.deleteFrom('tag_rules').where('id', '=', id).execute()
  await context.recordEvent({ kind: 'tag_rule.removed', subject: 'tag_rule', subject_id: id, data: { tag: rule.name } })
  context.notify('tag_rule')
}

/** Rules of a tag that was merged give the other one; rules of a tag that was removed go with it. */
export async function followTag({ db, notify }: Context, tag_id: number, into: number | null): Promise<void> {
  if (into === null) await db.deleteFrom('tag_rules').where('tag_id', '=', tag_id).execute()
  else
    await db
      .updateTable('tag_rules')
      .set(eb => ({ tag_id: into, version: eb('version', '+', 1) }))
      .where('tag_id', '=', tag_id)
      .execute()
  notify('tag_rule')
}

type Tools = Pick<Context, 'db' | 'recordEvents' | 'notify' | 'now'>

/** Gives these orders the tags whose rules they meet now, each rule once. Packed orders keep what they have. */
export async function tagByRules(tools: Tools, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { db, now } = tools
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'company_id'])
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('cancelled_at', 'is', null)
    .where('work_state', 'in', ['new', 'ready', 'in_pick', 'picked', 'in_pack'])
    .orderBy('id')
    .execute()
  if (orders.length === 0) return
  const rules = await tagRulesInForce(db, [...new Set(orders.map(order => order.company_id))])
  if (rules.length === 0) return
  const fields = new Set<RuleField>(rules.flatMap(({ rule }) => [...rule.fields]))
  const facts = await ordersWithFacts(
    db,
    orders.map(order => order.id),
    fields,
  )
  const met = facts.flatMap(order => {
    const evaluation: Evaluation = { now: now(), zone: order.zone, not_compared: 0 }
    return rules
      .filter(({ company_id, rule }) => company_id === order.company_id && rule.matches(order.facts, evaluation))
      .map(({ id, tag_id }) => ({ tag_rule_id: id, tag_id, order_id: order.id, company_id: order.company_id }))
  })
  if (met.length === 0) return
  const fresh = await db
    .insertInto('tag_rule_hits')
    .values(met.map(({ tag_id: _tag, ...hit }) => hit))
    .onConflict(conflicting => conflicting.doNothing())
    .returning(['tag_rule_id', 'order_id'])
    .execute()
  const keys = new Set(fresh.map(hit => `${hit.tag_rule_id}/${hit.order_id}`))
  await addTagsByRule(
    tools,
    met.filter(hit => keys.has(`${hit.tag_rule_id}/${hit.order_id}`)),
  )
}
