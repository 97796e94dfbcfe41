/** What an export was asked for: kept until its file is made. */
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { OrderExport } from './order-exports.schemas.ts'

export async function startExport(
  { db, principal, enqueue, recordEvent, notify }: Context,
  asked: OrderExport,
): Promise<{ job_id: number }> {
  const job_id = await newJob(db, { kind: 'orders.export', title: asked.format, created_by: principal.id || null })
  await db
    .insertInto('order_exports')
    .values({ ...asked, columns: [...new Set(asked.columns)], filters: JSON.stringify(asked.filters), job_id })
    .execute()
  // One after the other: a company that starts many of them must not keep other companies waiting.
  await enqueue('orders.export', { job_id }, { key: `orders.export/${job_id}`, queue: `orders.export/${principal.company.id}` })
  await recordEvent({ kind: 'export.started', subject: 'job', subject_id: job_id, data: { format: asked.format } })
  notify('job', job_id)
  return { job_id }
}

export async function askedExport(db: Db, job_id: number): Promise<OrderExport | undefined> {
  const row = await db
    .selectFrom('order_exports')
    .select(['format', 'columns', 'filters', 'sort', 'locale'])
    .where('job_id', '=', job_id)
    .executeTakeFirst()
  return row && OrderExport.parse(row)
}

export const forgetExport = (db: Db, job_id: number) => db.deleteFrom('order_exports').where('job_id', '=', job_id).execute()
