/** A pay list as a job with progress and cancel. Its result names the list, which is read where the right is checked. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { makePayList } from './pay-list.server.ts'

export const makePayListTask: Tasks['pay.list'] = async ({ job_id, from, to, companies }, context) => {
  const company = { ...context.principal.company, is_main: companies.length > 0 }
  const principal = { ...context.principal, company, operatorCompanies: companies }
  return doJob(context, job_id, async progress => {
    const { id } = await makePayList({ ...context, principal }, { from, to }, progress)
    return { list_id: id }
  })
}
