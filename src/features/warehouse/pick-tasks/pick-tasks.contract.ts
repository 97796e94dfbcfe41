/** Pick tasks: what picking leaves to decide and to do – pieces that were short, bins to count, and goods to put back. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { pickTasksSchemas } from './pick-tasks.schemas.ts'

/** Who says what becomes of a short order; pickers see it. */
export const deciders = ['admin', 'list_admin', 'pick_admin', 'parcels_admin'] as const

export const pickTasks = contract<typeof pickTasksSchemas>({
  name: 'pickTasks',
  area: 'warehouse',
  access: access.picks,
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  count: call('GET pick_tasks/count', { workClass: 'search' }),

  shorts: call('GET pick_tasks/shorts'),
  short: call('GET pick_tasks/shorts/{id}'),
  photo: call('GET pick_tasks/shorts/{id}/photo', {
    media: 'image/*',
    external: true,
  }),
  decide: call('POST pick_tasks/shorts/{id}/decide', { access: deciders }),
  decideMany: call('POST pick_tasks/shorts/decide', { access: deciders, external: true }),
  exportShorts: call('GET pick_tasks/export/shorts', { media: 'text/csv', timeout: 'long' }),

  counts: call('GET pick_tasks/counts'),
  ask: call('POST pick_tasks/counts'),
  counted: call('POST pick_tasks/counts/{id}/done'),
  exportCounts: call('GET pick_tasks/export/counts', { media: 'text/csv', timeout: 'long' }),

  putBacks: call('GET pick_tasks/put_backs'),
  putBack: call('POST pick_tasks/put_backs/{id}/done'),
  putBackMany: call('POST pick_tasks/put_backs/done', { external: true }),
  exportPutBacks: call('GET pick_tasks/export/put_backs', { media: 'text/csv', timeout: 'long' }),
})
