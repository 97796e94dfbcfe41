/** Writing the rules of a company, and choosing again for orders that change. */

import { sql } from 'kysely'
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { valueAt } from '#domain/objects.ts'
import { unlabelledStates } from '#domain/order/shipment-states.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { editOrder } from '#features/orders/orders/order-state.commands.ts'
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import { chosenMethods, methodRulesOf } from './method-rules.queries.ts'
import { type MethodRule, type MethodRuleFields, mostMethodRules } from './method-rules.schemas.ts'
import { methodBy } from './shipping-methods.queries.ts'

type Tools = Pick<Context, 'db' | 'principal' | 'recordEvent' | 'notify'>

/** Rules of one company change one after the other: each has its own place. */
const lockCompany = ({ db, principal }: Tools) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

async function ruleById({ db, principal }: Tools, id: number): Promise<MethodRule> {
  const rules = await methodRulesOf(db, principal.company.id)
  return orNotFound(
    rules.find(rule => rule.id === id),
    'rule_not_found',
    'Rule not found',
  )
}

/** `restored` is the number of a rule that comes back. */
export async function createRule(tools: Tools, fields: MethodRuleFields, restored?: number): Promise<MethodRule> {
  const { db, principal, recordEvent, notify } = tools
  const conditions = readRule(fields.conditions, 'shipping_method', 'conditions')
  await lockCompany(tools)
  await methodBy(db, principal.company.id, fields.agent_code, fields.shipping_method)
  const rules = await methodRulesOf(db, principal.company.id)
  if (rules.length >= mostMethodRules)
    throw conflict('rules_full', 'There are {{count}} rules already. Remove one first.', { count: rules.length })
  const { id } = await db
    .insertInto('method_rules')
    .values({
      ...fields,
      ...(restored !== undefined && { id: restored }),
      conditions: JSON.stringify(conditions),
      position: (rules.at(-1)?.position ?? 0) + 1,
      company_id: principal.company.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'method_rule.created', subject: 'method_rule', subject_id: id, data: { ...fields, conditions } })
  notify('shipping_method')
  return ruleById(tools, id)
}

export async function updateRule(
  tools: Tools,
  id: number,
  { version, ...fields }: MethodRuleFields & { version: number },
): Promise<MethodRule> {
  const { db, principal, recordEvent, notify } = tools
  const conditions = readRule(fields.conditions, 'shipping_method', 'conditions')
  await lockCompany(tools)
  const current = await ruleById(tools, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await methodBy(db, principal.company.id, fields.agent_code, fields.shipping_method)
  await db
    .updateTable('method_rules')
    .set(eb => ({ ...fields, conditions: JSON.stringify(conditions), version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: 'method_rule.changed', subject: 'method_rule', subject_id: id, data: { ...fields, conditions } })
  notify('shipping_method')
  return ruleById(tools, id)
}

export async function orderRules(tools: Tools, ids: readonly number[]): Promise<MethodRule[]> {
  const { db, principal, recordEvent, notify } = tools
  await lockCompany(tools)
  const rules = await methodRulesOf(db, principal.company.id)
  if (new Set(ids).size !== ids.length || ids.length !== rules.length || rules.some(rule => !ids.includes(rule.id)))
    throw conflict('rules_changed', 'Someone else changed the rules. Check them and try again.', {}, { current: rules })
  await db
    .updateTable('method_rules')
    .set({ position: sql<number>`array_position(${ids}::bigint[], id)` })
    .where('company_id', '=', principal.company.id)
    .execute()
  await recordEvent({ kind: 'method_rule.ordered', data: { ids } })
  notify('shipping_method')
  return methodRulesOf(db, principal.company.id)
}

export async function removeRule(tools: Tools, id: number): Promise<void> {
  const { db, principal, recordEvent, notify } = tools
  await lockCompany(tools)
  const { numDeletedRows } = await db
    .deleteFrom('method_rules')
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('rule_not_found', 'Rule not found')
  await recordEvent({ kind: 'method_rule.removed', subject: 'method_rule', subject_id: id })
  notify('shipping_method')
}

/** Chooses again for orders whose address, weight or lines changed; what a person chose stays, and so does a label. */
export async function chooseAgain(context: Context, events: readonly RecordedEvent[]): Promise<void> {
  const { db } = context
  const ids = [...new Set(events.flatMap(event => event.order_id ?? []))]
  const open = await db
    .selectFrom('orders as o')
    .select(['o.id', 'o.agent_code', 'o.shipping_method', 'o.method_why'])
    .where('o.id', 'in', [...ids, 0])
    .where('o.work_state', 'in', ['new', 'ready', 'in_pick', 'picked'])
    .where('o.cancelled_at', 'is', null)
    .where(eb => eb.or([eb('o.method_why', 'is', null), eb(sql`o.method_why ->> 'source'`, '<>', 'person')]))
    // Without rules of its own a company chooses by the code of the shop, which no edit changes.
    .where(eb =>
      eb.exists(
        eb.selectFrom('method_rules as r').select('r.id').whereRef('r.company_id', '=', 'o.company_id').where('r.active', '=', true),
      ),
    )
    .where(eb =>
      eb.not(
        eb.exists(
          eb.selectFrom('shipments as s').select('s.id').whereRef('s.order_id', '=', 'o.id').where('s.state', 'not in', unlabelledStates),
        ),
      ),
    )
    .execute()
  const before = new Map(open.map(order => [order.id, order]))
  for (const { order, method } of await chosenMethods(db, [...before.keys()], context.now())) {
    const was = valueAt(before, order.id)
    if (!method || (was.agent_code === method.agent_code && was.shipping_method === method.shipping_method)) continue
    const { agent_code, shipping_method, why } = method
    await editOrder(context, order.id, {
      content: { agent_code, shipping_method, method_why: JSON.stringify(why) },
      event: { kind: 'order.method_chosen', data: { agent_code, shipping_method, rule: why.position ?? null } },
    })
  }
}
