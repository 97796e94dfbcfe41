/** Tags of orders, products and customers. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { tagsSchemas } from './tags.schemas.ts'

/** Who writes the list of tags. */
export const tagEditors = ['admin', 'parcels_admin', 'settings_admin'] as const

export const tags = contract<typeof tagsSchemas>({
  name: 'tags',
  area: 'company',
  access: tagEditors,
  internal: true,
}).calls({
  list: call('GET tags'),
  names: call('GET tags/names', { access: access.customers, tenantScope: 'operator' }),
  create: call('POST tags'),
  update: call('POST tags/{id}'),
  merge: call('POST tags/{id}/merge'),
  remove: call('DELETE tags/{id}'),
  apply: call('POST tags/apply', { access: access.customers, tenantScope: 'operator' }),
})
