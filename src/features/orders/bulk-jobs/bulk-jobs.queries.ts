/** Reading bulk jobs. */
import { sql } from 'kysely'
import { type Permission, permissionCode } from '#contract/access.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { isOneOf } from '#domain/objects.ts'
import { effectivePermission } from '#platform/auth/effective-permission.ts'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { type BulkRowState, undoableActions } from './bulk-jobs.codes.ts'
import { BulkArgs, type BulkJob, type BulkRow, ReasonValues } from './bulk-jobs.schemas.ts'

const jobColumns = ['id', 'job_id', 'action', 'args', 'asked', 'undo_of', 'actor', 'created_at'] as const

/** As it is stored; undefined where the company has none with this id. */
export const storedBulk = (db: Db, company_id: number, id: number) =>
  db
    .selectFrom('bulk_jobs')
    .select(jobColumns)
    .where('id', '=', id)
    .where('company_id', '=', company_id)
    .executeTakeFirst()
    .then(row => row && { ...row, args: BulkArgs.parse(row.args) })

export const bulkOfJob = (db: Db, company_id: number, job_id: number) =>
  db.selectFrom('bulk_jobs').select(['id', 'undo_of']).where('job_id', '=', job_id).where('company_id', '=', company_id).executeTakeFirst()

export async function bulkJob(db: Db, company_id: number, job_id: number): Promise<BulkJob | undefined> {
  const row = await db
    .selectFrom('bulk_jobs as b')
    .innerJoin('jobs as j', 'j.id', 'b.job_id')
    .select(['b.id', 'b.action', 'b.args', 'b.asked', 'b.actor', 'b.created_at', 'j.state', 'j.started_at', 'j.finished_at'])
    .select(eb => [
      eb.selectFrom('bulk_jobs as u').select('u.job_id').whereRef('u.id', '=', 'b.undo_of').as('undo_of'),
      eb.selectFrom('bulk_jobs as w').select('w.job_id').whereRef('w.undo_of', '=', 'b.id').as('undone_by'),
    ])
    .where('b.job_id', '=', job_id)
    .where('b.company_id', '=', company_id)
    .executeTakeFirst()
  if (!row) return undefined
  const counted = await db
    .selectFrom('bulk_job_rows')
    .select('state')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('bulk_job_id', '=', row.id)
    .groupBy('state')
    .execute()
  const count = (state: BulkRowState) => Number(counted.find(one => one.state === state)?.n ?? 0)
  const { id: _id, args, ...job } = row
  const ended = job.state === 'done' || job.state === 'cancelled' || job.state === 'failed'
  return {
    ...job,
    job_id,
    args: BulkArgs.parse(args),
    waiting: count('waiting'),
    done: count('done'),
    refused: count('refused'),
    undone: count('undone'),
    may_undo: ended && row.undo_of === null && row.undone_by === null && isOneOf(undoableActions, row.action) && count('done') > 0,
  }
}

/** The order in whose parcel it goes, by a job that combines. */
const leadNo = sql<string | null>`r.before->>'lead_no'`.as('lead_no')

export async function bulkRows(
  db: Db,
  bulk_id: number,
  { state, ...paging }: { state?: readonly BulkRowState[] | undefined; page: number; limit: number },
): Promise<Page<BulkRow>> {
  const offset = pageOffset(paging)
  let from = db.selectFrom('bulk_job_rows as r').where('r.bulk_job_id', '=', bulk_id)
  if (state && state.length > 0) from = from.where('r.state', 'in', state)
  const [rows, { n }] = await Promise.all([
    from
      .innerJoin('orders as o', 'o.id', 'r.order_id')
      .select(['r.order_id', 'o.order_no', 'o.phase', 'r.state', 'r.reason', 'r.reason_values', leadNo])
      .orderBy('r.n')
      .limit(paging.limit)
      .offset(offset)
      .execute(),
    from.select(eb => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
  ])
  return {
    rows: rows.map(({ reason, reason_values, ...row }) => ({ ...row, key: reason, values: ReasonValues.parse(reason_values ?? {}) })),
    total: Number(n),
    total_is_more: false,
    offset,
    limit: paging.limit,
  }
}

/** The next orders of the list that nothing has become of. */
export const waitingRows = (db: Db, bulk_id: number, most: number) =>
  db
    .selectFrom('bulk_job_rows')
    .select(['order_id', 'parcel'])
    .where('bulk_job_id', '=', bulk_id)
    .where('state', '=', 'waiting')
    .orderBy('n')
    .limit(most)
    .execute()

/** What a person may do at this moment; nothing once the login is removed. */
export async function permissionsNow(db: Db, user_id: number): Promise<Permission[]> {
  const row = await db
    .selectFrom('users as u')
    .select(effectivePermission.as('permission'))
    .where('u.id', '=', user_id)
    .where('u.removed_at', 'is', null)
    .executeTakeFirst()
  return (row?.permission ?? []).map(permissionCode).filter(code => code !== undefined)
}

export const rowsOfReport = (db: Db, bulk_id: number, after: number, most: number) =>
  db
    .selectFrom('bulk_job_rows as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .select(['r.n', 'o.order_no', 'o.phase', 'r.state', 'r.reason', 'r.reason_values', leadNo])
    .where('r.bulk_job_id', '=', bulk_id)
    .where('r.n', '>', after)
    .orderBy('r.n')
    .limit(most)
    .execute()

interface PreviewedOrder {
  parcel: number
  id: number
  company_id: number
  agent_code: string
  shipping_method: string
  ship_country: string
  postcode: string
  weight_g: number
}

/** The orders that a preview would combine, parcel by parcel, the lead first. */
export const previewedParcels = (db: Db, company_id: number, bulk_id: number) =>
  sql<PreviewedOrder>`
    select r.parcel, o.id, o.company_id, o.agent_code, o.shipping_method, o.ship_country, coalesce(o.ship_to->>'postcode', '') as postcode, o.weight_g
    from bulk_jobs b join bulk_job_rows r on r.operator_id = b.operator_id and r.bulk_job_id = b.id
      join orders o on o.operator_id = r.operator_id and o.id = r.order_id
    where b.operator_id = current_operator_id() and b.company_id = ${company_id} and b.id = ${bulk_id} and r.parcel is not null
      and o.company_id = any (current_company_ids()) and o.agent_code is not null and o.shipping_method is not null
    order by r.n`
    .execute(db)
    .then(({ rows }) => rows)

/** Previews that no one started, and jobs whose time has ended, of every operator. */
export const oldBulks = (db: Db, previews: Date, started: Date) =>
  sql<{ operator_id: number; company_id: number; id: number }>`select operator_id, company_id, id from bulk_jobs
    where created_at < ${previews.toISOString()} and (job_id is null or created_at < ${started.toISOString()}) order by created_at limit 200`
    .execute(db)
    .then(({ rows }) => rows)

const methodRows = compiledQuery((db, { ids }: { ids: readonly number[] }) =>
  db
    .selectFrom('orders')
    .select(['id', 'agent_code', 'shipping_method', 'method_why'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`),
)

/** How orders are sent at this moment. */
export const methodsOfOrders = (db: Db, ids: readonly number[]) => methodRows(db, { ids })
