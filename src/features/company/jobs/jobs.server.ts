/** Jobs: telling how far long work is, and stopping it. */
import { conflict, found } from '#contract/errors.ts'
import { serve } from '#server/serve.ts'
import { jobs } from './jobs.contract.ts'
import { jobById, newestJobs } from './jobs.queries.ts'

export const jobsServer = serve(jobs, {
  list: (query, { db }) => newestJobs(db, query),

  get: async ({ id }, { db }) => found(await jobById(db, id), 'This job does not exist'),

  async cancel({ id }, { db, now, tell, record }) {
    const job = found(await jobById(db, id), 'This job does not exist')
    if (job.state !== 'queued' && job.state !== 'running') throw conflict('This job has ended already')
    await db.updateTable('jobs').set({ cancel_asked_at: now().toISOString() }).where('id', '=', id).execute()
    await record({ kind: 'job.cancel_asked', subject: 'job', subject_id: id })
    tell('job', id)
  },
})
