/** Customers: found by what they are known by, with what people note about them. A shop sees only what it knows itself. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { customersSchemas } from './customers.schemas.ts'

/** Merging joins what several companies know, so only the main company may. */
const merging = { access: access.customersAdmin, company: 'main' } as const

export const customers = contract<typeof customersSchemas>({
  name: 'customers',
  area: 'customers',
  access: access.customers,
  tenantScope: 'operator',
}).calls({
  get: call('GET customer/get/{id}', { external: true }),
  search: call('GET customer/search/', { external: true, workClass: 'search' }),
  export: call('GET customer/export', { media: 'text/csv', external: true, internal: true, access: access.customersAdmin }),
  find: call('GET customer/find/{check_type}/{check_value}', { workClass: 'search' }),
  create: call('POST customer/create'),
  update: call('POST customer/update/{id}'),
  addLookup: call('POST customer/lookup/add/{id}'),
  removeLookup: call('DELETE customer/lookup/{id}'),
  addNote: call('POST customer/add_note/{id}'),
  removeNote: call('DELETE customer/note/{id}', { internal: true }),
  mergePreview: call('GET customer/merge/preview', { ...merging, internal: true }),
  merge: call('POST customer/merge', { ...merging, internal: true }),
  undoMerge: call('POST customer/merge/undo/{id}', { ...merging, internal: true }),
  dismiss: call('POST customer/suggestion/dismiss', { ...merging, internal: true }),
  ofOrder: call('GET customer/order/{id}', { access: [...access.bench, 'customer_admin', 'customer'], internal: true }),
  accessLog: call('GET customer/access_log/{id}', { access: access.customersAdmin, internal: true }),
})
