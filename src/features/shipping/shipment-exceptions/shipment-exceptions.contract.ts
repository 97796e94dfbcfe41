/** Shipment exceptions: parcels that need somebody after the hand-over, who sees to each, and what comes next. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { shipmentExceptionsSchemas } from './shipment-exceptions.schemas.ts'

export const shipmentExceptions = contract<typeof shipmentExceptionsSchemas>({
  name: 'shipmentExceptions',
  area: 'shipping',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET shipment_exceptions', { workClass: 'search' }),
  count: call('GET shipment_exceptions/count', { workClass: 'search' }),
  owners: call('GET shipment_exceptions/owners'),
  exportAll: call('GET shipment_exceptions/export', { media: 'text/csv', timeout: 'long' }),
  assignMany: call('POST shipment_exceptions/assign', { external: true }),
  resolveMany: call('POST shipment_exceptions/resolve', { external: true }),
  get: call('GET shipment_exceptions/{id}'),
  assign: call('POST shipment_exceptions/{id}/assign'),
  step: call('POST shipment_exceptions/{id}/step'),
  note: call('POST shipment_exceptions/{id}/note'),
  resolve: call('POST shipment_exceptions/{id}/resolve'),
})
