/** The preview of a rule: orders are read in batches, each in a transaction of its own, and evaluated as they are when they arrive. */
import { TZDate } from '@date-fns/tz'
import { sql } from 'kysely'
import { type CompiledRule, compileRule, type Evaluation } from '#domain/rules/rule-evaluation.ts'
import type { RuleSetKind } from '#domain/rules/rule-fields.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { openPhases } from '#features/orders/orders/orders.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { type OrderWithFacts, ordersWithFacts } from './order-facts.queries.ts'
import { rulePreviews } from './rule-preview.contract.ts'
import { type RulePreview, rulePreviewsSchemas } from './rule-preview.schemas.ts'

const batchSize = 500
const mostAtOnce = 20_000
const mostSamples = 20
const day = 86_400_000

export const rulePreviewServer = implement(rulePreviews, rulePreviewsSchemas, {
  async preview({ body: { kind, rule: json, days, as_job, company_ids } }, context) {
    const rule = readRule(json, kind, 'rule')
    if (!as_job) {
      const preview = await previewRule(context, compileRule(rule), days, {
        companies: previewedCompanies(kind, context.scope, company_ids),
        most: mostAtOnce,
      })
      return { state: preview ? ('done' as const) : ('too_many' as const), preview, job_id: null }
    }
    const job_id = await context.transaction(async ({ db, principal, enqueue, notify }) => {
      const id = await newJob(db, { kind: 'rules.preview', title: '', created_by: principal.id })
      // One after the other: a company that starts many of them must not keep other companies waiting.
      await enqueue(
        'rules.preview',
        { job_id: id, kind, rule, days, company_ids },
        { key: `rules.preview/${id}`, queue: `rules.preview/${principal.company.id}` },
      )
      notify('job', id)
      return id
    })
    return { state: 'started' as const, preview: null, job_id }
  },
})

/** A rule of the main company may be about the orders of all; the others are about those of the company. */
export const previewedCompanies = (
  kind: RuleSetKind,
  { company_id, companies }: TenantScope,
  asked: readonly number[] | null | undefined,
): readonly number[] =>
  kind === 'additional_product' || kind === 'alert' ? companies.filter(id => !asked || asked.includes(id)) : [company_id]

interface PreviewOptions {
  companies: readonly number[]
  /** Undefined is answered when there are more orders. */
  most?: number
  progress?: (done: number) => Promise<void>
}

/** Looks at the orders of the companies, newest first; null when there are more than `most`. */
export async function previewRule(
  context: Pick<ExternalContext, 'transaction' | 'now' | 'signal'>,
  rule: CompiledRule,
  days: number,
  { companies, most = Number.POSITIVE_INFINITY, progress }: PreviewOptions,
): Promise<RulePreview | null> {
  const now = context.now()
  const since = new Date(now.getTime() - days * day)
  const preview: RulePreview = { days, checked: 0, met: 0, open: 0, open_now: 0, not_compared: 0, sample: [], by_day: [] }
  const byDay = new Map<string, number>()
  const unclear = new Set<number>()
  const samples: Record<'open' | 'past', RulePreview['sample']> = { open: [], past: [] }

  const look = (order: OrderWithFacts, open: boolean): boolean => {
    const evaluation: Evaluation = { now: open ? now : new Date(order.created_at), zone: order.zone, not_compared: 0 }
    const met = rule.matches(order.facts, evaluation)
    if (evaluation.not_compared > 0) unclear.add(order.id)
    const list = open ? samples.open : samples.past
    if (met && list.length < mostSamples)
      list.push({
        id: order.id,
        order_no: order.order_no,
        created_at: order.created_at,
        country: order.ship_country,
        phase: order.phase,
        open,
      })
    return met
  }
  const walk = async (read: typeof openOrders, each: (order: OrderWithFacts) => void): Promise<boolean> => {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      context.signal.throwIfAborted()
      const { orders, last, ended } = await context.transaction(async ({ db }) => {
        const found = await read(db, companies, before, since)
        return { orders: await ordersWithFacts(db, found.ids, rule.fields), last: found.last, ended: found.ended }
      })
      for (const order of orders.toReversed()) each(order)
      if (preview.checked + preview.open > most) return false
      await progress?.(preview.checked + preview.open)
      if (ended) return true
      before = last
    }
  }

  const complete =
    (await walk(openOrders, order => {
      preview.open++
      if (look(order, true)) preview.open_now++
    })) &&
    (await walk(recentOrders, order => {
      preview.checked++
      if (!look(order, false)) return
      preview.met++
      const local = new TZDate(order.created_at, order.zone).toISOString().slice(0, 10)
      byDay.set(local, (byDay.get(local) ?? 0) + 1)
    }))
  if (!complete) return null
  const shown = new Set(samples.open.map(order => order.id))
  preview.sample = [...samples.open, ...samples.past.filter(order => !shown.has(order.id))].slice(0, mostSamples)
  preview.not_compared = unclear.size
  preview.by_day = [...byDay].sort(([one], [other]) => (one < other ? -1 : 1)).map(([date, met]) => ({ day: date, met }))
  return preview
}

interface Found {
  ids: number[]
  /** Where the next batch begins. */
  last: number
  ended: boolean
}

async function openOrders(db: Db, companies: readonly number[], before: number, _since: Date): Promise<Found> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('company_id', 'in', companies.length > 0 ? companies : [0])
    .where('phase', 'in', openPhases)
    .where('phase', 'not in', ['closed', 'delivered', 'cancelled', 'handed_over'])
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(batchSize)
    .execute()
  return { ids: rows.map(row => row.id), last: rows.at(-1)?.id ?? 0, ended: rows.length < batchSize }
}

/** Ids follow the time of creation but for orders that were stored at the same moment: a batch without a recent order is the end. */
async function recentOrders(db: Db, companies: readonly number[], before: number, since: Date): Promise<Found> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .select(sql<boolean>`created_at >= ${since.toISOString()}::timestamptz`.as('recent'))
    .where('company_id', 'in', companies.length > 0 ? companies : [0])
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(batchSize)
    .execute()
  const ids = rows.filter(row => row.recent).map(row => row.id)
  return { ids, last: rows.at(-1)?.id ?? 0, ended: rows.length < batchSize || ids.length === 0 }
}
