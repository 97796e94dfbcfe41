/** Pick lists: choosing which orders are picked together, putting them onto wagons, and following them until they are packed. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { pickListsSchemas } from './pick-lists.schemas.ts'

/** Left-out orders beyond this many are only counted. */
export const mostLeftOut = 2_000

export const pickLists = contract<typeof pickListsSchemas>({
  name: 'pickLists',
  area: 'warehouse',
  access: access.picks,
  tenantScope: 'operator',
  company: 'main',
}).calls({
  search: call('GET picklist/search/list/', { workClass: 'search' }),
  searchOrder: call('GET picklist/search/order', { workClass: 'search' }),
  preview: call('POST picklist/preview', { workClass: 'search' }),
  create: call('POST picklist'),
  print: call('POST picklist/print/{id}/on/{printer}', { external: true, timeout: 'long', ipLock: true }),
  printOverview: call('POST picklist/print_overview/{id}/on/{printer}', { external: true, timeout: 'long', ipLock: true }),
  config: call('GET picklist/config'),
  download: call('GET picklist/download/{id}', { media: 'application/pdf', external: true, timeout: 'long' }),
  downloadOverview: call('GET picklist/download_overview/{id}', { media: 'application/pdf', external: true, timeout: 'long' }),
  available: call('GET picklist/count/available_orders/{x}', { workClass: 'search' }),
  get: call('GET picklist/{id}'),
  wagon: call('GET picklist/{id}/wagon/{wagon_no}', { internal: true }),
  takeBack: call('POST picking/{pick_list_id}/wagon/{wagon_no}/take_back', { access: access.picksAdmin, internal: true }),
  cancel: call('POST picklist/{id}/cancel', { access: access.picksAdmin, internal: true }),
  takeOff: call('POST picklist/{id}/take_off/{order_id}', { access: access.picksAdmin, internal: true }),
  improve: call('POST picklist/{id}/improve', { internal: true }),
  createWagonType: call('POST picklist/wagon_type/create', { access: access.picksAdmin, internal: true }),
  updateWagonType: call('POST picklist/wagon_type/update/{id}', { access: access.picksAdmin, internal: true }),
  deleteWagonType: call('DELETE picklist/wagon_type/delete/{id}', { access: access.picksAdmin, internal: true }),
})
