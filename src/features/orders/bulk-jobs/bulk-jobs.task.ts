/** The task that runs a bulk job, and the schedule that forgets old ones. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { bulkRowDays } from './bulk-jobs.codes.ts'
import { doBatch, forgetBulk } from './bulk-jobs.commands.ts'
import { bulkJob, oldBulks, storedBulk } from './bulk-jobs.queries.ts'

const atOnce = 1_000

/** An interrupted job goes on with the orders of which nothing has become yet. */
export const runBulk: Tasks['orders.bulk'] = ({ job_id, bulk_id }, context) =>
  doJob(context, job_id, async progress => {
    const { company_id } = context.scope
    const begun = await context.transaction(async ({ db }) => ({
      bulk: await storedBulk(db, company_id, bulk_id),
      job: await bulkJob(db, company_id, job_id),
    }))
    if (!begun.bulk || !begun.job) return null
    let done = begun.job.asked - begun.job.waiting
    for (let some = atOnce; some > 0; ) {
      some = await doBatch(context, begun.bulk, atOnce)
      done += some
      await progress(Math.min(done, begun.job.asked), begun.job.asked)
    }
    const { bulk } = begun
    return context.transaction(async ({ db, recordEvent }) => {
      const ended = await bulkJob(db, company_id, job_id)
      const counts = { done: ended?.done ?? 0, refused: ended?.refused ?? 0 }
      await recordEvent({
        kind: bulk.undo_of === null ? 'bulk.finished' : 'bulk.undone',
        subject: 'job',
        subject_id: job_id,
        data: { action: bulk.action, ...counts },
      })
      return { bulk_id, ...counts }
    })
  })

const day = 86_400_000

export const forgetOldBulkJobs: ScheduledTask = {
  name: 'forget bulk jobs whose time has ended',
  seconds: 3_600,
  run: services => forgetOld(services),
}

export async function forgetOld(services: Services): Promise<void> {
  const now = services.now().getTime()
  const old = await services.database.systemTransaction('the clock knows no tenant', db =>
    oldBulks(db, new Date(now - day), new Date(now - bulkRowDays * day)),
  )
  for (const { operator_id, company_id, id } of old)
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(({ db }) => forgetBulk(db, id))
}
