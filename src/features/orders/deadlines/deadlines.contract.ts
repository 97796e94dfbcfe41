/** Deadlines: until when orders leave with which pickup, and days that differ. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { deadlinesSchemas } from './deadlines.schemas.ts'

/** Who changes deadlines. */
export const deadlineWriters = ['admin', 'dashboard_admin', 'settings_admin'] as const
/** Who sees them. */
export const deadlineReaders = [...access.dashboard, 'settings_admin'] as const

const write = { access: deadlineWriters, company: 'main' } as const
const own = { internal: true } as const

export const deadlines = contract<typeof deadlinesSchemas>({
  name: 'deadlines',
  area: 'orders',
  access: deadlineReaders,
  tenantScope: 'operator',
}).calls({
  list: call('GET deadlines/list/'),
  create: call('POST deadlines/create', write),
  remove: call('DELETE deadlines/delete/{id}', write),
  one: call('GET deadlines/one/{id}', own),
  options: call('GET deadlines/options', own),
  update: call('POST deadlines/update/{id}', { ...own, ...write }),
  preview: call('POST deadlines/preview', { ...own, ...write, workClass: 'search' }),
  days: call('GET deadlines/days', own),
  setDay: call('POST deadlines/day', { ...own, ...write }),
  removeDay: call('DELETE deadlines/day', { ...own, ...write }),
})
