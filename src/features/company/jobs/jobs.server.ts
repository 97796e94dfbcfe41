/** Jobs: show their progress, and cancel them. */
import * as z from 'zod'
import { isAllowed } from '#contract/access.ts'
import { conflict, forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { jobs } from './jobs.contract.ts'
import { cancelJob, fileOfJob, jobById, newestJobs } from './jobs.queries.ts'
import { type Job, JobKind, jobRights, jobsSchemas } from './jobs.schemas.ts'

export const jobsServer = implement(jobs, jobsSchemas, {
  list: (query, { db, principal }) =>
    newestJobs(
      db,
      JobKind.options.filter(kind => isAllowed(principal.permissions, jobRights[kind].see)),
      query,
    ),

  get: ({ id }, context) => seenJob(id, context),

  async file({ id }, context) {
    const { result } = await seenJob(id, context)
    const made = MadeFile.safeParse(result)
    const row = made.success && (await fileOfJob(context.db, made.data.file_id))
    if (!row) throw notFound('job_file_not_found', 'This job has no file, or its time has ended')
    return { bytes: row, media_type: row.media_type, name: row.name }
  },

  async cancel({ id }, context) {
    const { db, now, notify, recordEvent, principal } = context
    const job = await seenJob(id, context)
    if (!isAllowed(principal.permissions, jobRights[job.kind].stop))
      throw forbidden('job_cancel_forbidden', 'You may see this job but not stop it')
    if (!(await cancelJob(db, id, now()))) throw conflict('job_ended', 'This job has ended already')
    await recordEvent({ kind: 'job.cancel_asked', subject: 'job', subject_id: id })
    notify('job', id)
  },
})

const MadeFile = z.object({ file_id: z.number().int() })

/** A job outside the user's permissions answers as if it did not exist. */
async function seenJob(id: number, { db, principal }: Pick<Context, 'db' | 'principal'>): Promise<Job> {
  const job = await jobById(db, id)
  return orNotFound(
    job && JobKind.safeParse(job.kind).success && isAllowed(principal.permissions, jobRights[job.kind].see) ? job : undefined,
    'job_not_found',
    'Job not found',
  )
}
