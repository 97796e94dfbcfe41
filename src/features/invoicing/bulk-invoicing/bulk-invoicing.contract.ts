/** Bulk invoicing: how parcels of one courier to one country are invoiced together. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { bulkInvoicingSchemas } from './bulk-invoicing.schemas.ts'

/** Those who set it up, and those who invoice by it. */
const configReaders = [...access.settingsRead, 'list_admin', 'list'] as const

export const bulkInvoicing = contract<typeof bulkInvoicingSchemas>({
  name: 'bulkInvoicing',
  area: 'invoicing',
  access: access.settings,
}).calls({
  list: call('GET bulk_invoicing_conf/list', { access: configReaders }),
  get: call('GET bulk_invoicing_conf/get/{id}', { access: configReaders }),
  setActive: call('POST bulk_invoicing_conf/set_active/{config_id}/{active}'),
  sendTo: call('POST bulk_invoicing_conf/send_to/{config_id}'),
  create: call('POST bulk_invoicing_conf/create/{agent_code}/in/{country_id}'),
  update: call('POST bulk_invoicing_conf/update/{config_id}'),
  copy: call('POST bulk_invoicing_conf/copy/{config_id}/to/{agent_code}/in/{country_id}'),
})
