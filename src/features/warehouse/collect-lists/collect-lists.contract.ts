/** Collect lists: parcels waiting in cages, scanning them out, and handing them over to the courier. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { collectListsOwnSchemas, collectListsSchemas } from './collect-lists.schemas.ts'

export const collectLists = contract<typeof collectListsSchemas>({
  name: 'collectLists',
  area: 'warehouse',
  access: access.lists,
  tenantScope: 'operator',
  company: 'main',
}).calls({
  search: call('GET shipment_list/list/', { workClass: 'search' }),
  get: call('GET shipment_list/list/{id}'),
  count: call('GET shipment_list/count/{x}', { workClass: 'search' }),
  create: call('POST shipment_list/list'),
  print: call('POST shipment_list/list/print/{id}/on/{printer}', { timeout: 'long', external: true, ipLock: true }),
  pdf: call('GET shipment_list/list/pdf/download/{id}', { media: 'application/pdf', external: true }),
})

export const collectListsOwn = contract<typeof collectListsOwnSchemas>({
  name: 'collectLists',
  area: 'warehouse',
  access: access.lists,
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  overview: call('GET shipment_list/overview'),
  export: call('GET shipment_list/export', { media: 'text/csv', external: true }),
  scan: call('POST shipment_list/list/{id}/scan', { workClass: 'scan', ipLock: true }),
  undo: call('POST shipment_list/list/{id}/undo', { workClass: 'scan' }),
  takeOut: call('POST shipment_list/list/{id}/take_out'),
  close: call('POST shipment_list/list/{id}/close'),
  handOver: call('POST shipment_list/list/{id}/hand_over'),
  reopen: call('POST shipment_list/list/{id}/reopen', { access: access.listsAdmin }),
  cages: call('GET shipment_list/cages'),
  createCage: call('POST shipment_list/cages', { access: access.listsAdmin }),
  updateCage: call('POST shipment_list/cages/{id}', { access: access.listsAdmin }),
  removeCage: call('DELETE shipment_list/cages/{id}', { access: access.listsAdmin }),
})
