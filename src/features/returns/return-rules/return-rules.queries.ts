/** Reads of the rules of returns, and what they would have done to past returns. */
import * as z from 'zod'
import type { Evaluation } from '#domain/rules/rule-evaluation.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import { asksForShares, daysSince, factsOfItem, returnShares } from '#features/returns/returns/return-policy.queries.ts'
import {
  feeOfItems,
  fieldsOfPolicy,
  keepsItem,
  needsReview,
  noEffects,
  type PolicyRule,
  policyOf,
  refusalOf,
} from '#features/returns/returns/return-policy.rules.ts'
import { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import { shopWindow, withdrawalWindow } from '#features/returns/returns/return-window.rules.ts'
import { amountOfPiece, arrivalDays, leftOfOrders, returnReasons } from '#features/returns/returns/returns.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { type ChangedMind, DryRun, type ReturnRules } from './return-rules.schemas.ts'

const Stored = z.array(ReturnRule)

export async function rulesOfCompany(db: Db, company_id: number): Promise<ReturnRules> {
  const rows = await db
    .selectFrom('return_rule_sets')
    .select(['state', 'rules', 'hash', 'dry_run', 'dry_run_at', 'changed_at', 'changed_by', 'version'])
    .where('company_id', '=', company_id)
    .where('state', 'in', ['draft', 'active'])
    .execute()
  const draft = rows.find(row => row.state === 'draft')
  const active = rows.find(row => row.state === 'active')
  const rules = draft ? Stored.parse(draft.rules) : []
  return {
    rules,
    version: draft?.version ?? 0,
    changed_at: draft?.changed_at ?? null,
    changed_by: draft?.changed_by ?? '',
    dry_run: DryRun.nullable()
      .catch(null)
      .parse(draft?.dry_run ?? null),
    dry_run_at: draft?.dry_run_at ?? null,
    in_force: draft ? draft.hash === active?.hash : true,
    active: active ? { count: Stored.parse(active.rules).filter(rule => rule.active).length, since: active.changed_at } : null,
    broken: rules.filter(({ conditions }) => parseRule(conditions, 'return').rule === undefined).map(rule => rule.id),
  }
}

const batchSize = 200

/** Returns that customers or the desk asked for since then, newest first; withdrawals are left out, because no rule concerns them. */
export async function pastReturns(db: Db, company_id: number, since: Date, before: number) {
  const rows = await db
    .selectFrom('returns as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .select(['r.id', 'r.rma_no', 'r.order_id', 'o.order_no', 'r.requested_at', 'r.fee', 'r.currency'])
    .where('r.company_id', '=', company_id)
    .where('r.id', '<', before)
    .where('r.requested_at', '>=', since.toISOString())
    .where('r.source', 'in', ['portal', 'desk'])
    .where('r.withdrawal', '=', false)
    .orderBy('r.id', 'desc')
    .limit(batchSize)
    .execute()
  return { rows: rows.flatMap(({ order_id, ...row }) => (order_id === null ? [] : [{ ...row, order_id }])), ended: rows.length < batchSize }
}
type PastReturn = Awaited<ReturnType<typeof pastReturns>>['rows'][number]

type Sample = DryRun['rules'][number]['sample'][number]
interface Looked {
  sample: Sample
  rules: string[]
  not_compared: boolean
}

/**
 * What the rules would have said of these returns on the day on which they were asked for. How often a customer sends back is taken as it
 * is today, and so are tags.
 */
export async function lookAt(db: Db, company_id: number, rules: readonly PolicyRule[], past: readonly PastReturn[]): Promise<Looked[]> {
  if (past.length === 0) return []
  const ids = past.map(one => one.id)
  const orders = [...new Set(past.map(one => one.order_id))]
  const fields = fieldsOfPolicy(rules)
  const settings = await companySettings(db, company_id)
  const { time_zone, returns } = settings
  const [facts, shares, days, reasons, items, photos] = await Promise.all([
    ordersWithFacts(db, orders, fields),
    asksForShares(fields) ? returnShares(db, orders) : new Map<number, number>(),
    arrivalDays(db, orders, time_zone),
    returnReasons(db, company_id),
    db
      .selectFrom('return_items')
      .select(['return_id', 'order_line_id', 'reason_code', 'outcome'])
      .select(eb => eb.fn.sum<number>('amount').as('value'))
      .where('return_id', 'in', ids)
      .where('order_line_id', 'is not', null)
      .where('unannounced', '=', false)
      .groupBy(['return_id', 'order_line_id', 'reason_code', 'outcome'])
      .execute(),
    db.selectFrom('return_files').select('return_id').distinct().where('return_id', 'in', ids).where('kind', '=', 'customer').execute(),
  ])
  const factsOf = new Map(facts.map(one => [one.id, one]))
  const itemsOf = Map.groupBy(items, one => one.return_id)
  const withPhoto = new Set(photos.map(one => one.return_id))
  return past.flatMap(({ order_id, id, fee, ...one }) => {
    const known = factsOf.get(order_id)
    if (!known) return []
    const now = new Date(one.requested_at)
    const evaluation: Evaluation = { now, zone: time_zone, not_compared: 0 }
    const arrived_on = days.get(order_id) ?? null
    const counted = (itemsOf.get(id) ?? []).flatMap(({ order_line_id, reason_code, outcome, value }) => {
      if (order_line_id === null) return []
      const policy = policyOf(
        rules,
        factsOfItem(
          known,
          { order_line_id, reason: reason_code, outcome },
          {
            days: arrived_on === null ? null : daysSince(arrived_on, now, time_zone),
            value: Number(value),
            currency: one.currency,
            share: shares.get(order_id) ?? null,
          },
        ),
        evaluation,
      )
      const window = (length: number) => (arrived_on === null ? null : shopWindow(arrived_on, length, time_zone))
      // Public holidays are left out: they make the legal period a day or two longer, never shorter.
      const withdrawal = arrived_on === null ? null : withdrawalWindow(arrived_on, returns.withdrawal_days, time_zone, new Set())
      const refusal = refusalOf(policy, { shop: window(policy.window_days ?? returns.window_days), withdrawal }, now)
      const fault = reasons.find(({ code }) => code === reason_code)?.fault ?? ('customer' as const)
      return [
        {
          policy,
          fault,
          keeps: keepsItem(policy, outcome),
          value: Number(value),
          refused: refusal !== null && (refusal.why === 'rule' || policy.window_days !== null),
        },
      ]
    })
    const review = returns.review === 'always'
    return [
      {
        sample: {
          ...one,
          return_id: id,
          refused: counted.some(item => item.refused),
          review: needsReview(counted, review) && !review,
          keep: counted.some(({ keeps }) => keeps),
          question: counted.some(({ policy }) => policy.question !== null),
          destination: counted.some(({ policy }) => policy.destination !== null),
          photo: !withPhoto.has(id) && counted.some(({ policy }) => policy.photo),
          fee_before: fee,
          fee: Math.min(
            feeOfItems(counted, returns.fee),
            counted.reduce((sum, { value }) => sum + value, 0),
          ),
        },
        rules: [...new Set(counted.flatMap(({ policy }) => policy.rules.map(rule => rule.id)))],
        not_compared: evaluation.not_compared > 0,
      },
    ]
  })
}

/** A parcel may be on its way for so long: older hand-overs are not looked at. */
const longestWayDays = 30

/** Orders whose last parcel was delivered since then, by their newest parcel, in pages downwards. */
export async function deliveredOrders(db: Db, company_id: number, since: Date, before: number) {
  const rows = await db
    .selectFrom('shipments as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.id as shipment_id', 'o.id', 'o.order_no', 'o.currency'])
    .where('s.company_id', '=', company_id)
    .where('s.id', '<', before)
    .where('s.operation_code', '=', 'outbound')
    .where('s.handed_over_at', '>=', new Date(since.getTime() - longestWayDays * 86_400_000).toISOString())
    .where('s.delivered_at', '>=', since.toISOString())
    .where('s.state', 'not in', ['cancelled', 'blocked', 'error', 'draft'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('shipments as later')
            .select('later.id')
            .whereRef('later.operator_id', '=', 's.operator_id')
            .whereRef('later.order_id', '=', 's.order_id')
            .whereRef('later.id', '>', 's.id')
            .where('later.operation_code', '=', 'outbound')
            .where('later.delivered_at', '>=', since.toISOString())
            .where('later.state', 'not in', ['cancelled', 'blocked', 'error', 'draft']),
        ),
      ),
    )
    .orderBy('s.id', 'desc')
    .limit(batchSize)
    .execute()
  return { rows, last: rows.at(-1)?.shipment_id ?? 0, ended: rows.length < batchSize }
}
type DeliveredOrder = Pick<Awaited<ReturnType<typeof deliveredOrders>>['rows'][number], 'id' | 'order_no' | 'currency'>

interface ChangedOrder {
  difference: ChangedMind['sample'][number]
  differs: boolean
  back_before: number
  back: number
}

/** What these rules would say today, and what no rules would, if all of these orders came back because of a changed mind. */
export async function lookAtDelivered(
  db: Db,
  company_id: number,
  rules: readonly PolicyRule[],
  past: readonly DeliveredOrder[],
  now: Date,
): Promise<ChangedOrder[]> {
  if (past.length === 0) return []
  const ids = past.map(({ id }) => id)
  const fields = fieldsOfPolicy(rules)
  const { time_zone, returns } = await companySettings(db, company_id)
  const [facts, shares, days, lines] = await Promise.all([
    ordersWithFacts(db, ids, fields),
    asksForShares(fields) ? returnShares(db, ids) : new Map<number, number>(),
    arrivalDays(db, ids, time_zone),
    leftOfOrders(db, ids),
  ])
  const factsOf = new Map(facts.map(one => [one.id, one]))
  return past.flatMap(({ id, order_no, currency }) => {
    const [known, arrived_on] = [factsOf.get(id), days.get(id)]
    const left = (lines.get(id) ?? []).filter(line => line.left > 0)
    if (!known || arrived_on === undefined || left.length === 0) return []
    const withdrawal = withdrawalWindow(arrived_on, returns.withdrawal_days, time_zone, new Set())
    const counted = left.map(line => {
      const value = line.free.reduce((sum, piece) => sum + amountOfPiece(line, piece), 0)
      const item = { order_line_id: line.order_line_id, reason: 'changed_mind', outcome: 'refund' as const }
      const about = { days: daysSince(arrived_on, now, time_zone), value, currency, share: shares.get(id) ?? null }
      const policy = policyOf(rules, factsOfItem(known, item, about), { now, zone: time_zone, not_compared: 0 })
      const refused = (by: typeof policy) =>
        refusalOf(by, { shop: shopWindow(arrived_on, by.window_days ?? returns.window_days, time_zone), withdrawal }, now) !== null
      const one = { fault: 'customer' as const, value }
      return {
        before: { ...one, policy: noEffects, keeps: false, refused: refused(noEffects) },
        after: { ...one, policy, keeps: keepsItem(policy, 'refund'), refused: refused(policy) },
      }
    })
    const [before, after] = [outcomeOf(counted.map(one => one.before)), outcomeOf(counted.map(one => one.after))]
    const always = returns.review === 'always'
    const difference = {
      ...{ order_id: id, order_no, arrived_on, currency },
      ...{ fee_before: before.fee, fee: after.fee },
      refused: counted.some(one => one.after.refused && !one.before.refused),
      taken: counted.some(one => one.before.refused && !one.after.refused),
      review: !always && needsReview(after.taken, always),
      photo: after.taken.some(({ policy }) => policy.photo),
      keep: after.taken.some(({ keeps }) => keeps),
      question: after.taken.some(({ policy }) => policy.question !== null),
      destination: after.taken.some(({ policy }) => policy.destination !== null),
      rules: [...new Set(counted.flatMap(one => one.after.policy.rules.map(({ name }) => name)))],
    }
    const { refused, taken, review, photo, keep, question, destination } = difference
    const differs = refused || taken || review || photo || keep || question || destination || before.fee !== after.fee
    return [{ difference, differs, back_before: before.back, back: after.back }]
  })

  /** What is taken of an order, its fee, and what goes back to the customer. */
  function outcomeOf<T extends Parameters<typeof feeOfItems>[0][number] & { refused: boolean }>(items: readonly T[]) {
    const taken = items.filter(one => !one.refused)
    const value = taken.reduce((sum, one) => sum + one.value, 0)
    const fee = Math.min(feeOfItems(taken, returns.fee), value)
    return { taken, fee, back: value - fee }
  }
}
