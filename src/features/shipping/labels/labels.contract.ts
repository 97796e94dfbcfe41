/** Labels: made, printed, fetched again, cancelled, and every exchange with a courier on record. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { labelsSchemas } from './labels.schemas.ts'

const reprinters = [...access.bench, 'pick_admin', 'pick'] as const

export const labels = contract<typeof labelsSchemas>({
  name: 'labels',
  area: 'shipping',
  access: access.bench,
  tenantScope: 'operator',
}).calls({
  makeReturn: call('POST label_generator/return/{order_id}/using/{agent_code}/on/{operation_code}/from/{packing_station}', {
    workClass: 'scan',
    timeout: 'long',
    external: true,
  }),
  // A group may allow others at stations to print a label again.
  print: call('POST orders/print_shipping_label/{order_id}/on/{printer_id}/from/{packing_station}', {
    access: reprinters,
    workClass: 'scan',
    timeout: 'long',
    external: true,
    ipLock: true,
  }),
  download: call('GET orders/download_shipping_label/{order_id}/from/{packing_station}', { media: 'application/pdf', external: true }),
  ofOrders: call('GET label_status/order/{ids*}'),
  status: call('GET label_status/{ids}'),
  cancel: call('DELETE label_cancel/{agent_code}/{barcode}', { external: true }),
  setup: call('GET label_generator/setup'),
  template: call('GET label_generator/template/{parts}'),
  create: call('POST label_generator/create/{agent_code}/using/{shipping_method}/{operation_code}', { timeout: 'long', external: true }),
  logSearch: call('GET label_generator/log/search/', { workClass: 'search' }),
  log: call('GET label_generator/log/{id}'),
  logCreateArgs: call('GET label_generator/log/create_args/{id}'),
  logPdf: call('GET label_generator/log/download/pdf/{id}', { media: 'application/pdf', external: true }),
  logPrint: call('GET label_generator/log/print/pdf/{shipment_id}/on/{printer_id}', { timeout: 'long', external: true, ipLock: true }),

  search: call('GET shipments', { workClass: 'search', access: access.parcels, internal: true }),
  get: call('GET shipments/{id}', { internal: true }),
  file: call('GET shipments/{id}/label', { media: 'application/pdf', external: true, internal: true }),
  event: call('POST shipments/scan_event', { workClass: 'scan', internal: true, ipLock: true }),
  settle: call('POST shipments/{id}/settle', { access: access.parcelsAdmin, internal: true }),
})
