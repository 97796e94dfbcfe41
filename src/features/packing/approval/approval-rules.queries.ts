/** The rules of a company, and what they ask of an order that is opened. */
import { sql } from 'kysely'
import { type CompiledRule, compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { ApprovalRule, type AskedRule } from './approval.schemas.ts'

const columns = ['id', 'name', 'conditions', 'subject', 'methods', 'approver_codes', 'position', 'active', 'version'] as const
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

/** What the active rules of the order's company ask for this order, with the lines that are meant. */
export async function askedForOrder(db: Db, { id, company_id }: { id: number; company_id: number }, now: Date): Promise<AskedRule[]> {
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
    return [{ rule_id: row.id, name: row.name, subject: row.subject, lines: meant, ...Codes.parse(row) }]
  })
}

/** The permissions that a rule names; undefined when it was removed. */
export async function approversOfRule(db: Db, id: number): Promise<AskedRule['approver_codes'] | undefined> {
  const row = await db.selectFrom('approval_rules').select(['methods', 'approver_codes']).where('id', '=', id).executeTakeFirst()
  return row && Codes.parse(row).approver_codes
}
