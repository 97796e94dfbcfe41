/** Figures of the day and of longer periods: what came in, was packed and left, in time or not. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { figuresSchemas } from './figures.schemas.ts'

export const figureReaders = [
  'admin',
  'parcels_admin',
  'parcels',
  'dashboard_admin',
  'dashboard',
  'statistics_admin',
  'statistics',
] as const

export const figures = contract<typeof figuresSchemas>({
  name: 'figures',
  area: 'insight',
  access: figureReaders,
  internal: true,
}).calls({
  home: call('GET dashboard/home', { tenantScope: 'operator', external: true }),
  people: call('GET dashboard/people', { access: access.scheduleAdmin, company: 'main' }),
  published: call('GET board/stats', { access: 'anyone', external: true, rateLimit: { max: 60, seconds: 60 } }),
})
