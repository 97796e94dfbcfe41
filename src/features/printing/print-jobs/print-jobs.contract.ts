/** Print jobs: what was sent to which printer, how far it came, and printing it again. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printJobsSchemas } from './print-jobs.schemas.ts'

export const printJobs = contract<typeof printJobsSchemas>({
  name: 'printJobs',
  area: 'printing',
  access: access.bench,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET print_jobs', { access: access.station }),
  get: call('GET print_jobs/{id}', { access: access.station }),
  retry: call('POST print_jobs/{id}/retry', { external: true, timeout: 'long', ipLock: true }),
  cancel: call('POST print_jobs/{id}/cancel', { external: true }),
  // A group may allow others at stations to print again.
  reprint: call('POST print_jobs/{id}/reprint/on/{printer}', {
    access: [...access.bench, 'pick_admin', 'pick'],
    external: true,
    timeout: 'long',
    ipLock: true,
  }),
  document: call('GET print_jobs/{id}/document', { media: 'application/pdf', external: true }),
})
