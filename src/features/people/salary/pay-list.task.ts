/** A pay list as a job with progress and cancel. Its result names the list, which is read where the right is checked. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { makePayList } from './pay-list.server.ts'

export const makePayListTask: Tasks['pay.list'] = async ({ job_id, from, to }, context) =>
  doJob(context, job_id, async progress => {
    const { id } = await makePayList(context, { from, to }, progress)
    return { list_id: id }
  })
