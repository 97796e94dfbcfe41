/** Saved views: filters and sort order of a list under a name. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { savedViewsSchemas } from './saved-views.schemas.ts'

export const savedViews = contract<typeof savedViewsSchemas>({
  name: 'savedViews',
  area: 'company',
  access: access.customers,
  internal: true,
}).calls({
  list: call('GET saved_views/{screen}'),
  save: call('POST saved_views/{screen}'),
  remove: call('DELETE saved_views/{screen}/{id}'),
})
