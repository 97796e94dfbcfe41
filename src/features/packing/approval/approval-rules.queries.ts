/** The rules of a company, and what they ask of an order that is opened. */
import { sql } from 'kysely'
import { type CompiledRule, compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { pinAlertsOf } from '#features/orders/order-alerts/order-alerts.queries.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { ApprovalRule, type AskedRule } from './approval.schemas.ts'

const columns = [
  'id',
  'name',
  'conditions',
  'subject',
  'methods',
  'approver_codes',
  'reason_required',
  'position',
  'active',
  'version',
] as const
const Codes = ApprovalRule.pick({ methods: true, approver_codes: true })

export async function approvalRulesOf(db: Db, company_id: number): Promise<ApprovalRule[]> {
  const rows = await db
    .selectFrom('approval_rules as r')
    .select(columns)
    .select(
      sql<number>`(select count(*)::integer from approval_requests q where q.operator_id = r.operator_id and q.company_id = r.company_id
        and q.rule_id = r.id and q.asked_at > now() - interval '30 days')`.as('last_30_days'),
    )
    .where('company_id', '=', company_id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    ...row,
    ...Codes.parse(row),
    conditions: RuleJson.catch({ v: 1, all: [] }).parse(row.conditions),
    broken: parseRule(row.conditions, 'approval').errors !== undefined,
  }))
}

/** Leads who answer for an alert about an order. */
const alertApprovers: AskedRule['approver_codes'] = ['admin', 'scan_admin', 'parcels_admin']

/** What is asked for this order: by alerts that it met, and by the active rules of its company. */
export async function askedForOrder(db: Db, order: { id: number; company_id: number }, now: Date): Promise<AskedRule[]> {
  return [...(await askedByAlerts(db, order.id)), ...(await askedByRules(db, order, now))]
}

/** An alert of an order stands among rules under its number below zero. */
async function askedByAlerts(db: Db, order_id: number): Promise<AskedRule[]> {
  return (await pinAlertsOf(db, order_id)).map(({ id, note }) => ({
    rule_id: -id,
    name: note.slice(0, 120),
    subject: 'order',
    lines: null,
    methods: ['pin'],
    approver_codes: alertApprovers,
    reason_required: false,
  }))
}

/** What the active rules ask, with the lines that are meant. */
async function askedByRules(db: Db, { id, company_id }: { id: number; company_id: number }, now: Date): Promise<AskedRule[]> {
  const rows = await db
    .selectFrom('approval_rules')
    .select(columns)
    .where('company_id', '=', company_id)
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const rules = rows.flatMap(row => {
    const { rule } = parseRule(row.conditions, 'approval')
    return rule ? [{ row, rule: compileRule(rule) }] : []
  })
  if (rules.length === 0) return []
  // Facts of lines, since a rule may be about single ones.
  const fields = new Set<RuleField>(['line.sku', ...rules.flatMap(({ rule }) => [...rule.fields])])
  const [[order], lines] = await Promise.all([
    ordersWithFacts(db, [id], fields),
    db.selectFrom('order_lines').select('id').where('order_id', '=', id).where('type', '=', 'item').orderBy('line_no').execute(),
  ])
  if (!order) return []
  const { facts, zone } = order
  const meets = (rule: CompiledRule, some = facts.lines) => rule.matches({ ...facts, lines: some }, { now, zone, not_compared: 0 })
  return rules.flatMap(({ row, rule }) => {
    const meant =
      row.subject === 'line' ? lines.flatMap(({ id: line }, at) => (meets(rule, facts.lines.slice(at, at + 1)) ? [line] : [])) : null
    if (meant ? meant.length === 0 : !meets(rule)) return []
    return [
      { rule_id: row.id, name: row.name, subject: row.subject, lines: meant, reason_required: row.reason_required, ...Codes.parse(row) },
    ]
  })
}

/** The permissions that a rule names; undefined when it was removed. */
export async function approversOfRule(db: Db, id: number): Promise<AskedRule['approver_codes'] | undefined> {
  if (id < 0) return alertApprovers
  const row = await db.selectFrom('approval_rules').select(['methods', 'approver_codes']).where('id', '=', id).executeTakeFirst()
  return row && Codes.parse(row).approver_codes
}
