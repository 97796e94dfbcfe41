/** Bulk jobs: the preview that fixes the orders, the start, the batches, and the undo. */
import { sql } from 'kysely'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { elementAt, isOneOf } from '#domain/objects.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { mostCombined } from '#features/orders/orders/combinations/combinations.codes.ts'
import { sortableOrders } from '#features/orders/orders/combinations/combinations.queries.ts'
import { parcelsOf } from '#features/orders/orders/combinations/combinations.rules.ts'
import { factsOfOrders, type OrderFacts, takeOrders } from '#features/orders/orders/order-facts.queries.ts'
import type { Reason } from '#features/orders/orders/orders.rules.ts'
import type { OrderFilters } from '#features/orders/orders/orders.schemas.ts'
import { filteredIds } from '#features/orders/orders/orders.server.ts'
import { compiledQuery, executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { toAppError } from '#platform/http/http-errors.ts'
import { bulkReasons, doBulk, leftAlone, undoBulk, undoLeftAlone } from './bulk-actions.commands.ts'
import { type BulkAction, mostBulkOrders, previewedRows, previewMinutes, undoableActions } from './bulk-jobs.codes.ts'
import { bulkJob, permissionsNow, type storedBulk, waitingRows } from './bulk-jobs.queries.ts'
import type { BulkArgs, BulkPreview } from './bulk-jobs.schemas.ts'

const missing = 'Bulk job not found'
/** Orders that are judged together by a preview. */
const judgedAtOnce = 5_000

function mustFit(action: BulkAction, args: BulkArgs): void {
  if (action === 'hold' && args.reason === undefined) throw unprocessable('bulk_reason_missing', 'Choose a reason')
  if (action === 'method' && args.method === undefined) throw unprocessable('bulk_method_missing', 'Choose a shipping method')
  if (action === 'tag' && args.add.length + args.remove.length === 0) throw unprocessable('bulk_tags_missing', 'Choose at least one tag')
}

export async function previewBulk(
  context: Context,
  action: BulkAction,
  {
    args,
    ids,
    filters,
    except,
  }: { args: BulkArgs; ids?: number[] | undefined; filters?: Partial<OrderFilters> | undefined; except: number[] },
): Promise<BulkPreview> {
  const { db, principal } = context
  mustFit(action, args)
  if ((ids === undefined) === (filters === undefined))
    throw unprocessable('bulk_orders_missing', 'Name the orders, or the filters that find them')
  const left = new Set(except)
  const found = filters ? await filteredIds(context, filters, mostBulkOrders + left.size + 1) : [...new Set(ids)]
  const chosen = found.filter(id => !left.has(id))
  if (chosen.length > mostBulkOrders) throw unprocessable('bulk_too_many', 'Select at most {{count}} orders.', { count: mostBulkOrders })
  const { id: bulk_id } = await db
    .insertInto('bulk_jobs')
    .values({ action, args: JSON.stringify(args), asked: 0, created_by: principal.id || null, actor: principal.name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const plan = action === 'combine' ? await planOf(db, chosen) : null
  // Orders of one parcel stand one behind the other, so that a batch holds whole parcels.
  const sorted = plan ? [...plan.parcel.keys(), ...chosen.filter(id => !plan.parcel.has(id))] : chosen
  // Of a plan for just these orders the database expects few of the company, and reads an index of them to the end.
  const rows = await executeWithGenericPlan(
    db,
    sql<{ order_id: number }>`
    insert into bulk_job_rows (company_id, bulk_job_id, order_id, n, parcel)
    select o.company_id, ${bulk_id}, o.id, i.n, i.parcel
    from unnest(${sorted}::bigint[], ${sorted.map(id => plan?.parcel.get(id)?.n ?? null)}::integer[]) with ordinality as i(id, parcel, n)
      cross join lateral (select o.id, o.company_id from orders o
        where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = i.id offset 0) o
    returning order_id`,
  )
  const there = new Set(rows.map(row => row.order_id))
  const asked = sorted.filter(id => there.has(id))
  await db.updateTable('bulk_jobs').set({ asked: asked.length }).where('id', '=', bulk_id).execute()
  const refused = new Map<string, { key: string; values: Reason['values']; count: number }>()
  const first: BulkPreview['rows'] = []
  for (let from = 0; from < asked.length; from += judgedAtOnce) {
    const some = asked.slice(from, from + judgedAtOnce)
    const orders = await factsOfOrders(db, some)
    const reasons = plan ? plan.refused : await leftAlone(db, action, args, orders, principal.permissions, new Map())
    for (const id of some) {
      const why = reasons.get(id)
      if (!why) continue
      const { text, values } = why
      const known = refused.get(text)
      refused.set(text, { key: text, values, count: (known?.count ?? 0) + 1 })
    }
    if (from > 0) continue
    const byId = new Map(orders.map(order => [order.id, order]))
    for (const id of some.slice(0, previewedRows)) {
      const order = byId.get(id)
      const why = reasons.get(id)
      if (order)
        first.push({
          order_id: id,
          order_no: order.order_no,
          phase: order.phase,
          state: why ? 'refused' : 'waiting',
          key: why?.text ?? null,
          values: why?.values ?? {},
          lead_no: plan?.parcel.get(id)?.lead_no ?? null,
        })
    }
  }
  const kinds = [...refused.values()].toSorted((one, other) => other.count - one.count)
  return {
    bulk_id,
    asked: asked.length,
    would_do: asked.length - kinds.reduce((sum, kind) => sum + kind.count, 0),
    refused: kinds,
    rows: first,
    parcels: plan?.parcels ?? null,
    undoable: isOneOf(undoableActions, action),
  }
}

/** Which of these orders go in one parcel, in the order of the parcels, the lead of each first; and why others go by themselves. */
async function planOf(db: Db, ids: readonly number[]) {
  const { parcels, refused } = parcelsOf(await sortableOrders(db, ids))
  const parcel = new Map<number, { n: number; lead_no: string }>()
  for (const [n, orders] of parcels.entries()) {
    const lead_no = elementAt(orders, 0).order_no
    for (const { id } of orders) parcel.set(id, { n, lead_no })
  }
  return { parcels: parcels.length, parcel, refused }
}

/** The row of a bulk job, locked: two presses start it once. */
async function takeBulk({ db, principal }: Context, where: { id: number } | { job_id: number }) {
  let from = db.selectFrom('bulk_jobs').select(['id', 'job_id', 'action', 'args', 'asked', 'undo_of', 'created_at', 'created_by'])
  from = 'id' in where ? from.where('id', '=', where.id) : from.where('job_id', '=', where.job_id)
  return orNotFound(await from.where('company_id', '=', principal.company.id).forUpdate().executeTakeFirst(), 'bulk_job_not_found', missing)
}

export async function startBulk(context: Context, id: number): Promise<{ job_id: number }> {
  const { principal, now } = context
  const bulk = await takeBulk(context, { id })
  if (bulk.created_by !== principal.id) throw conflict('bulk_not_yours', 'Someone else previewed this. Preview again.')
  if (bulk.job_id !== null) return { job_id: bulk.job_id }
  if (now().getTime() - Date.parse(bulk.created_at) > previewMinutes * 60_000)
    throw conflict('bulk_stale', 'The preview is older than {{count}} minutes. Preview again.', { count: previewMinutes })
  return begin(context, bulk)
}

async function begin(
  context: Context,
  { id, action, asked }: { id: number; action: BulkAction; asked: number },
): Promise<{ job_id: number }> {
  const { db, principal, enqueue, recordEvent, notify } = context
  const job_id = await newJob(db, { kind: 'orders.bulk', title: action, total: asked, created_by: principal.id || null })
  await db.updateTable('bulk_jobs').set({ job_id }).where('id', '=', id).execute()
  // One after the other: a company that starts many of them must not keep other companies waiting.
  await enqueue('orders.bulk', { job_id, bulk_id: id }, { key: `orders.bulk/${id}`, queue: `orders.bulk/${principal.company.id}` })
  await recordEvent({ kind: 'bulk.started', subject: 'job', subject_id: job_id, data: { action, asked } })
  notify('job', job_id)
  return { job_id }
}

export async function undoBulkJob(context: Context, job_id: number): Promise<{ job_id: number }> {
  const { db, principal } = context
  const bulk = await takeBulk(context, { job_id })
  const before = await db.selectFrom('bulk_jobs').select('job_id').where('undo_of', '=', bulk.id).executeTakeFirst()
  if (before?.job_id) return { job_id: before.job_id }
  const job = await bulkJob(db, principal.company.id, job_id)
  if (!job?.may_undo) throw conflict('bulk_no_undo', 'This cannot be undone.')
  const { id } = await db
    .insertInto('bulk_jobs')
    .values({
      action: bulk.action,
      args: JSON.stringify(bulk.args),
      asked: job.done,
      undo_of: bulk.id,
      created_by: principal.id || null,
      actor: principal.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into bulk_job_rows (company_id, bulk_job_id, order_id, n, parcel, before, version_after)
    select company_id, ${id}, order_id, n, parcel, before, version_after from bulk_job_rows
    where operator_id = current_operator_id() and company_id = any (current_company_ids()) and bulk_job_id = ${bulk.id} and state = 'done'`.execute(
    db,
  )
  return begin(context, { id, action: bulk.action, asked: job.done })
}

type StoredBulk = NonNullable<Awaited<ReturnType<typeof storedBulk>>>
interface Outcome {
  id: number
  state: 'done' | 'refused'
  reason?: Pick<Reason, 'text'> & { values: object }
  before?: object
}

/** Does the next batch; answers how many orders it settled. */
export async function doBatch(outside: ExternalContext, bulk: StoredBulk, most: number): Promise<number> {
  const rows = await outside.transaction(({ db }) => waitingRows(db, bulk.id, most + mostCombined))
  const last = rows[most - 1]?.parcel ?? null
  const some = rows.filter((row, place) => place < most || (last !== null && row.parcel === last))
  // What goes in one parcel is settled together.
  const units = [...Map.groupBy(some, row => (row.parcel === null ? `o${row.order_id}` : `p${row.parcel}`)).values()]
  if (units.length > 0)
    await settle(
      outside,
      bulk,
      units.map(unit => unit.map(row => row.order_id)),
    )
  return some.length
}

/** What refuses a batch is a matter of some of its orders: each half is tried by itself, down to the one. */
async function settle(outside: ExternalContext, bulk: StoredBulk, units: readonly (readonly number[])[]): Promise<void> {
  const ids = units.flat()
  try {
    await outside.transaction(context => settleIn(context, bulk, ids))
  } catch (error) {
    const { refusal, unexpected } = toAppError(error, 'a bulk job')
    if (unexpected) throw error
    if (units.length > 1) {
      const half = Math.ceil(units.length / 2)
      await settle(outside, bulk, units.slice(0, half))
      await settle(outside, bulk, units.slice(half))
      return
    }
    await outside.transaction(context =>
      store(
        context.db,
        bulk,
        ids.map(id => ({ id, state: 'refused', reason: { text: refusal.key, values: refusal.values } })),
      ),
    )
  }
}

async function settleIn(context: Context, bulk: StoredBulk, ids: readonly number[]): Promise<void> {
  const { db, principal } = context
  // Taken away meanwhile, a right ends here.
  const permissions = await permissionsNow(db, principal.id)
  const orders = await takeOrders(db, ids)
  const known = new Map(orders.map(order => [order.id, order]))
  const outcomes: Outcome[] = ids.filter(id => !known.has(id)).map(id => ({ id, state: 'refused', reason: bulkReasons.gone }))
  const refuse = (id: number, reason: Reason) => outcomes.push({ id, state: 'refused', reason })
  const busy = { code: 'busy', text: 'Someone else is changing this right now. Try again.', values: {} } as const
  const rows = new Map((await rowsNow(db, { bulk_id: bulk.id, ids })).map(row => [row.order_id, row]))
  const parcelOf = new Map([...rows.values()].flatMap(({ order_id, parcel }) => (parcel === null ? [] : [[order_id, parcel] as const])))
  if (bulk.undo_of === null) {
    const reasons = await leftAlone(db, bulk.action, bulk.args, orders, permissions, parcelOf)
    const meant = orders.filter(order => !reasons.has(order.id))
    for (const [id, why] of reasons) refuse(id, why)
    const done = meant.length === 0 ? new Map<number, object>() : await doBulk(context, bulk.action, bulk.args, meant, parcelOf)
    for (const { id } of meant) {
      const before = done.get(id)
      if (before) outcomes.push({ id, state: 'done', before })
      else refuse(id, busy)
    }
  } else {
    const meant: { order: OrderFacts; before: unknown }[] = []
    for (const order of orders) {
      const row = rows.get(order.id)
      const why =
        row?.version_after === order.version ? undoLeftAlone(bulk.action, bulk.args, order, permissions) : bulkReasons.changedSince
      if (why) refuse(order.id, why)
      else meant.push({ order, before: row?.before })
    }
    // A parcel is taken apart as a whole or not at all.
    const kept = new Set(outcomes.flatMap(one => parcelOf.get(one.id) ?? []))
    for (const { order } of meant.filter(one => kept.has(parcelOf.get(one.order.id) ?? -1))) refuse(order.id, bulkReasons.changedSince)
    const restored = meant.filter(one => !kept.has(parcelOf.get(one.order.id) ?? -1))
    const done = restored.length === 0 ? new Set<number>() : await undoBulk(context, bulk.action, restored)
    for (const { order } of restored) {
      if (done.has(order.id)) outcomes.push({ id: order.id, state: 'done' })
      else refuse(order.id, bulkReasons.changedSince)
    }
    await db
      .updateTable('bulk_job_rows')
      .set({ state: 'undone' })
      .where('bulk_job_id', '=', bulk.undo_of)
      .where('order_id', '=', sql<number>`any(${[...done]}::bigint[])`)
      .execute()
  }
  await store(db, bulk, outcomes)
}

const rowsNow = compiledQuery((db, { bulk_id, ids }: { bulk_id: number; ids: readonly number[] }) =>
  db
    .selectFrom('bulk_job_rows')
    .select(['order_id', 'parcel', 'before', 'version_after'])
    .where('bulk_job_id', '=', bulk_id)
    .where('order_id', '=', sql<number>`any(${ids}::bigint[])`),
)

/** The order's version is read after the subscribers of the change. */
async function store(db: Db, bulk: Pick<StoredBulk, 'id'>, outcomes: readonly Outcome[]): Promise<void> {
  await executeWithGenericPlan(
    db,
    sql`update bulk_job_rows r set state = u.state, reason = u.reason, reason_values = u.reason_values::jsonb,
      before = coalesce(u.before::jsonb, r.before), version_after = case when u.state = 'done' then o.version else r.version_after end
    from unnest(${outcomes.map(one => one.id)}::bigint[], ${outcomes.map(one => one.state)}::text[], ${outcomes.map(one => one.reason?.text ?? null)}::text[],
        ${outcomes.map(one => (one.reason ? JSON.stringify(one.reason.values) : null))}::text[],
        ${outcomes.map(one => (one.before ? JSON.stringify(one.before) : null))}::text[]) as u(id, state, reason, reason_values, before)
      left join lateral (select o.version from orders o where o.operator_id = current_operator_id() and o.id = u.id offset 0) o on true
    where r.operator_id = current_operator_id() and r.company_id = any (current_company_ids()) and r.bulk_job_id = ${bulk.id} and r.order_id = u.id`,
  )
}

export const forgetBulk = (db: Db, id: number) => db.deleteFrom('bulk_jobs').where('id', '=', id).execute()
