/** Packing: an order is opened at a station, every product scanned, the parcel closed and its label printed. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { packingSchemas } from './packing.schemas.ts'

export const packing = contract<typeof packingSchemas>({
  name: 'packing',
  area: 'packing',
  access: access.scan,
  workClass: 'scan',
  tenantScope: 'operator',
  ipLock: true,
}).calls({
  get: call('GET packing/order/{id}'),
  bypass: call('POST packing/order/{id}/bypass_barcode_check', { external: true }),
  start: call('POST packing/order_start/{id}'),
  close: call('POST packing/order/{id}/close', { timeout: 'long', external: true }),
  checkLabel: call('GET packing/check_tracking_and_trace/{order_overview_id}/{barcode}', { external: true }),
  printSlip: call('POST packing/order_print/{id}/on/{printer}/from/{station}', { timeout: 'long', external: true }),
  pinRequired: call('GET packing/require_password_pin'),
  addSerial: call('POST product_unique_identifier/add/{identifier}/to/{order_item_id}', {
    access: [...access.serials, 'scan_admin', ...access.parcelsAdmin],
    ipLock: false,
    workClass: 'change',
  }),

  approvers: call('GET packing/approvers', { internal: true }),
  approve: call('POST packing/order/{id}/approve', { external: true, internal: true }),
  ask: call('POST approvals', { external: true, internal: true }),
  find: call('GET packing/find', { internal: true }),
  scan: call('POST packing/order/{id}/scan', { internal: true }),
  count: call('POST packing/order/{id}/count', { internal: true }),
  undo: call('POST packing/order/{id}/undo', { internal: true }),
  addition: call('POST packing/order/{id}/addition', { internal: true }),
  weigh: call('POST packing/order/{id}/weight', { internal: true }),
  nextParcel: call('POST packing/order/{id}/next_parcel', { internal: true }),
  park: call('POST packing/order/{id}/park', { internal: true }),
  // Leads; and packers whom a group allows it at their station.
  unpack: call('POST packing/order/{id}/unpack', {
    access: [...access.scan, ...access.parcelsAdmin],
    ipLock: false,
    workClass: 'change',
    external: true,
    internal: true,
  }),
  abort: call('POST packing/order/{id}/abort', { internal: true }),
  putBack: call('POST packing/order/{id}/put_back', { internal: true }),
  linkBarcode: call('POST packing/order/{id}/link_barcode', { access: access.scanAdmin, internal: true }),
})
