/** Attaches the orders from before there were customers, company by company, a batch at a time. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { doJob, newJob } from '#features/company/jobs/jobs.queries.ts'
import { retryOnConflict } from '#platform/database/retry-on-conflict.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { attachNextOrders } from './attach-customers.commands.ts'

const batchOrders = 500
/** After each batch the back-fill rests as long as the batch took, so that orders of the day have the database. */
const longestRest = 2_000

/** The queue's task: `{ job_id }`. All companies share one queue: one back-fill runs at a time. */
export const attachOldOrders: Tasks['customers.attach'] = ({ job_id }, context) =>
  doJob(context, job_id, async progress => {
    const { scope, transaction } = context
    const { sender, total } = await transaction(async ({ db }) => ({
      sender: (await companySettings(db, scope.company_id)).sender,
      total: (await db.selectFrom('customer_backfills').select('total').executeTakeFirst())?.total ?? 0,
    }))
    for (;;) {
      const began = performance.now()
      const { done, finished } = await retryOnConflict(() =>
        transaction(({ db }) => attachNextOrders(db, { id: scope.company_id, sender }, batchOrders)),
      )
      await progress(Math.min(done, total), total)
      if (finished) return { orders: done }
      await wait(Math.min(longestRest, performance.now() - began))
    }
  })

export const startCustomerBackfills: ScheduledTask = {
  name: 'attach earlier orders to customers',
  seconds: 60,
  run: services => startBackfills(services),
}

/** Starts back-fills that are not started yet; one that was cancelled or failed goes on after twelve hours. */
export async function startBackfills(services: Services): Promise<void> {
  const waiting = await services.database.systemTransaction('the clock knows no tenant', async db => {
    const { rows } = await sql<{ operator_id: number; company_id: number }>`
      select b.operator_id, b.company_id from customer_backfills b
      left join jobs j on j.operator_id = b.operator_id and j.id = b.job_id and j.state in ('queued', 'running')
      where b.finished_at is null and j.id is null and (b.started_at is null or b.started_at < ${services.now().toISOString()}::timestamptz - interval '12 hours')
      order by b.total limit 100`.execute(db)
    return rows
  })
  for (const { operator_id, company_id } of waiting)
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(async ({ db, enqueue, now }) => {
      const state = await db.selectFrom('customer_backfills').select(['total', 'started_at']).forUpdate().executeTakeFirstOrThrow()
      const job_id = await newJob(db, { kind: 'customers.attach', title: 'customers', total: state.total, created_by: null })
      await db.updateTable('customer_backfills').set({ job_id, started_at: now().toISOString() }).execute()
      await enqueue('customers.attach', { job_id }, { key: `customers.attach/${job_id}`, queue: 'customers' })
    })
}
