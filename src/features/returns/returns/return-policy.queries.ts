/** The rules of returns that are in force, and what they say of items of an order. */
import { sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import type { OrderFacts, RuleField } from '#domain/rules/rule-fields.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { type OrderWithFacts, ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import {
  compiledRules,
  feeOfItems,
  fieldsOfPolicy,
  type ItemPolicy,
  keepsItem,
  needsReview,
  noEffects,
  type PolicyRule,
  policyOf,
  type Refusal,
  refusalOf,
} from './return-policy.rules.ts'
import { ReturnRule, type ReturnRuleEffects } from './return-policy.schemas.ts'
import { shopWindow } from './return-window.rules.ts'
import type { Fault, ReturnOutcome } from './returns.codes.ts'
import { amountOfPiece, leftToReturn, type ReturnableLine, type ReturnWindows, returnReasons, returnWindows } from './returns.queries.ts'

export interface PolicyInForce {
  rule_set_id: number | null
  rules: readonly PolicyRule[]
}

const Rules = z.array(ReturnRule)
const noPolicy: PolicyInForce = { rule_set_id: null, rules: [] }

export async function policyInForce(db: Db, company_id: number): Promise<PolicyInForce> {
  const row = await db
    .selectFrom('return_rule_sets')
    .select(['id', 'rules'])
    .where('company_id', '=', company_id)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return row ? { rule_set_id: row.id, rules: compiledRules(Rules.parse(row.rules)) } : noPolicy
}

/** What the first rule with a question asks, for a preview; with `draft` the rules that are written, else those in force. */
export async function questionShown(db: Db, company_id: number, draft: boolean): Promise<ReturnRuleEffects['question']> {
  const row = await db
    .selectFrom('return_rule_sets')
    .select('rules')
    .where('company_id', '=', company_id)
    .where('state', 'in', draft ? ['draft', 'active'] : ['active'])
    .orderBy(sql`state = 'draft'`, 'desc')
    .limit(1)
    .executeTakeFirst()
  const rules = row ? compiledRules(Rules.parse(row.rules)) : []
  return rules.find(({ effects }) => effects.question !== null)?.effects.question ?? null
}

export interface AskedItem {
  order_line_id: number
  qty: number
  /** Null while the customer has said none. */
  reason: string | null
  outcome: ReturnOutcome | null
}

interface ItemTerms {
  order_line_id: number
  policy: ItemPolicy
  refusal: Refusal | null
  /** The last day of the window that holds for it; null before anything was sent. */
  last_day: string | null
  fault: Fault
  value: number
  /** A rule leaves it with the customer. */
  keeps: boolean
}

export interface ReturnTerms {
  rule_set_id: number | null
  items: ItemTerms[]
  /** In minor units, before it is known how much money there is to take it from. */
  fee: number
  review: boolean
  /** Names of the rules that decided something, each once. */
  applied: string[]
}

/** Percent of the items sent to customers that came back, for those with at least five orders; by order. */
export async function returnShares(db: Db, order_ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; share: number }>`
    select o.id, round(100.0 * p.back / p.sent)::integer as share
    from orders o, lateral (
      select count(distinct e.id) as orders, sum(l.shipped_qty) as sent, sum(l.returned_qty) as back
      from orders e join order_lines l on l.operator_id = e.operator_id and l.order_id = e.id and l.type = 'item'
      where e.operator_id = o.operator_id and e.company_id = o.company_id and e.customer_id = o.customer_id) p
    where o.id = any(${[...order_ids]}::bigint[]) and o.customer_id is not null and p.orders >= 5 and p.sent > 0`.execute(db)
  return new Map(rows.map(({ id, share }) => [id, share]))
}

export const asksForShares = (fields: ReadonlySet<RuleField>): boolean => fields.has('return.share')

/** The facts of an order for items of one of its lines. */
export function factsOfItem(
  { facts, line_ids }: Pick<OrderWithFacts, 'facts' | 'line_ids'>,
  item: Pick<AskedItem, 'order_line_id' | 'reason' | 'outcome'>,
  known: { days: number | null; value: number; currency: string; share: number | null },
): OrderFacts {
  return {
    ...facts,
    lines: facts.lines.filter((_, place) => line_ids[place] === item.order_line_id),
    'return.reason': item.reason,
    'return.outcome': item.outcome,
    'return.days': known.days,
    'return.value': { amount: known.value, currency: known.currency },
    'return.share': known.share,
  }
}

/** Whole days on the shop's calendar. */
export const daysSince = (arrived_on: string, now: Date, time_zone: string): number =>
  Temporal.PlainDate.from(arrived_on).until(
    Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone).toPlainDate(),
  ).days

interface Asked {
  company_id: number
  order_id: number
  items: readonly AskedItem[]
  now: Date
  /** Read already, where the caller needed them too. */
  lines?: readonly ReturnableLine[]
  windows?: ReturnWindows
}

/** What the rules and the settings of the company say of these items of an order. */
export async function returnTerms(db: Db, { company_id, order_id, items, now, ...read }: Asked): Promise<ReturnTerms> {
  const [{ rule_set_id, rules }, settings, reasons, lines, windows, order] = await Promise.all([
    policyInForce(db, company_id),
    companySettings(db, company_id),
    returnReasons(db, company_id),
    read.lines ?? leftToReturn(db, order_id),
    read.windows ?? returnWindows(db, order_id),
    db.selectFrom('orders').select('currency').where('id', '=', order_id).executeTakeFirst(),
  ])
  const { currency } = orNotFound(order, 'order_not_found', 'Order not found')
  const fields = fieldsOfPolicy(rules)
  const [known] = rules.length > 0 ? await ordersWithFacts(db, [order_id], fields) : []
  const share = asksForShares(fields) ? ((await returnShares(db, [order_id])).get(order_id) ?? null) : null
  const { arrived_on, time_zone } = windows
  const days = arrived_on === null ? null : daysSince(arrived_on, now, time_zone)
  const used = new Map<number, number>()
  const terms = items.map((item): ItemTerms => {
    const line = lines.find(one => one.order_line_id === item.order_line_id)
    const from = used.get(item.order_line_id) ?? 0
    used.set(item.order_line_id, from + item.qty)
    const value = line ? line.free.slice(from, from + item.qty).reduce((sum, no) => sum + amountOfPiece(line, no), 0) : 0
    const policy = known
      ? policyOf(rules, factsOfItem(known, item, { days, value, currency, share }), { now, zone: known.zone, not_compared: 0 })
      : noEffects
    const shop = policy.window_days !== null && arrived_on !== null ? shopWindow(arrived_on, policy.window_days, time_zone) : windows.shop
    const { withdrawal } = windows
    return {
      order_line_id: item.order_line_id,
      policy,
      refusal: refusalOf(policy, { shop, withdrawal }, now),
      last_day: (shop && withdrawal && withdrawal.last_day > shop.last_day ? withdrawal : (shop ?? withdrawal))?.last_day ?? null,
      fault: reasons.find(({ code }) => code === item.reason)?.fault ?? 'customer',
      value,
      keeps: keepsItem(policy, item.outcome),
    }
  })
  return {
    rule_set_id,
    items: terms,
    fee: feeOfItems(terms, settings.returns.fee),
    review: needsReview(terms, settings.returns.review === 'always'),
    applied: [...new Set(terms.flatMap(({ policy }) => policy.rules.map(({ name }) => name)))],
  }
}
