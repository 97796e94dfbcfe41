/** Jobs: telling how far long work is, and stopping it. */
import { may } from '#contract/access.ts'
import { conflict, forbidden, found } from '#contract/errors.ts'
import { type Context, serve } from '#platform/http/feature-module.ts'
import { type Job, JobKind, jobRights, jobs } from './jobs.contract.ts'
import { jobById, newestJobs } from './jobs.queries.ts'

export const jobsServer = serve(jobs, {
  list: (query, { db, person }) =>
    newestJobs(
      db,
      JobKind.options.filter(kind => may(person.permissions, jobRights[kind].see)),
      query,
    ),

  get: ({ id }, context) => seenJob(id, context),

  async cancel({ id }, context) {
    const { db, now, tell, record, person } = context
    const job = await seenJob(id, context)
    if (!may(person.permissions, jobRights[job.kind].stop)) throw forbidden('You may see this job but not stop it')
    if (job.state !== 'queued' && job.state !== 'running') throw conflict('This job has ended already')
    await db.updateTable('jobs').set({ cancel_asked_at: now().toISOString() }).where('id', '=', id).execute()
    await record({ kind: 'job.cancel_asked', subject: 'job', subject_id: id })
    tell('job', id)
  },
})

/** What somebody may not see does not exist for them. */
async function seenJob(id: number, { db, person }: Pick<Context, 'db' | 'person'>): Promise<Job> {
  const job = await jobById(db, id)
  return found(
    job && JobKind.safeParse(job.kind).success && may(person.permissions, jobRights[job.kind].see) ? job : undefined,
    'This job does not exist',
  )
}
