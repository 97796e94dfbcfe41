/** Bulk jobs: one action on many orders, with a preview, a report and an undo. A started job is known by the id of its job. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { bulkJobsSchemas } from './bulk-jobs.schemas.ts'

export const bulkJobs = contract<typeof bulkJobsSchemas>({
  name: 'bulkJobs',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  preview: call('POST bulk/{action}/preview', { workClass: 'bulk' }),
  start: call('POST bulk/{id}/start'),
  get: call('GET bulk/{id}'),
  rows: call('GET bulk/{id}/rows'),
  report: call('GET bulk/{id}/report', { media: 'text/csv', external: true }),
  undo: call('POST bulk/{id}/undo', { workClass: 'bulk' }),
})
