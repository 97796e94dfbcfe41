/** Invoices for customs: the parcels of one courier to one country on one paper, numbered without gaps and never changed. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { bulkInvoiceOrdersSchemas, invoicesSchemas } from './invoices.schemas.ts'

export const invoices = contract<typeof invoicesSchemas>({
  name: 'invoices',
  area: 'invoicing',
  access: access.lists,
  tenantScope: 'operator',
}).calls({
  list: call('GET invoicing/parcel/list', { workClass: 'search' }),
  orders: call('GET invoicing/parcel/{courier}/{country}/orders', { workClass: 'search' }),
  counts: call('GET invoicing/parcel_count/for/{country}'),
  count: call('GET invoicing/parcel_count/carrier/{courier}/for/{country}'),
  get: call('GET invoicing/parcel/{id}'),
  create: call('POST invoicing/parcel/{courier}/{country}/new'),
  print: call('POST invoicing/print/{invoice_id}/on/{printer_id}', { timeout: 'long', external: true, ipLock: true }),
  download: call('GET invoicing/download/{id}', { media: 'application/pdf', external: true }),
  tabs: call('GET invoicing/parcel_tabs', { internal: true }),
  export: call('GET invoicing/parcel/export', { media: 'text/csv', internal: true }),
  freeze: call('POST invoicing/parcel/{id}/freeze', { internal: true }),
  send: call('POST invoicing/parcel/{id}/send', { internal: true }),
  credit: call('POST invoicing/parcel/{id}/credit', { access: access.listsAdmin, internal: true }),
  removeDraft: call('DELETE invoicing/parcel/{id}', { internal: true }),
})

export const bulkInvoiceOrders = contract<typeof bulkInvoiceOrdersSchemas>({
  name: 'bulkInvoiceOrders',
  area: 'orders',
  access: [...access.parcels, 'list_admin', 'list'],
  tenantScope: 'operator',
}).calls({
  enqueue: call('POST orders/{id}/enqueue_for_invoice'),
  setSkip: call('POST orders/{id}/set_skip_product_for_bulk_invoicing/{skip}'),
})
