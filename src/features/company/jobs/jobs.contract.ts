/** Jobs: long work with progress and cancel. */
import { call, contract } from '#contract/endpoint.ts'
import type { jobsSchemas } from './jobs.schemas.ts'

export const jobs = contract<typeof jobsSchemas>({ name: 'jobs', area: 'company', access: 'user', internal: true }).calls({
  list: call('GET jobs'),
  get: call('GET jobs/{id}'),
  file: call('GET jobs/{id}/file', { media: 'application/octet-stream' }),
  cancel: call('POST jobs/{id}/cancel'),
})
