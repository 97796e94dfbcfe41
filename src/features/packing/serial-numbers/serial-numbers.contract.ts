/** Serial numbers: which products ask for one, what it must look like, and where it went. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { serialNumbersSchemas } from './serial-numbers.schemas.ts'

const readers = [...access.serials, 'settings_admin', 'settings', 'scan_admin', 'scan'] as const
const writers = [...access.serials, 'settings_admin'] as const

export const serialNumbers = contract<typeof serialNumbersSchemas>({
  name: 'serialNumbers',
  area: 'packing',
  access: access.serials,
  tenantScope: 'operator',
}).calls({
  config: call('GET company/product_unique_identifier', { access: readers }),
  // `{company}` in the specification: that name stands for the first part of every path.
  configure: call('POST company/product_unique_identifier/{code}/{property}/{value}', { access: writers }),
  checks: call('GET product_unique_identifier/checks', { access: readers }),
  update: call('POST product_unique_identifier/update/{regex}/with/{barcode}', { access: writers }),
  remove: call('DELETE product_unique_identifier/delete/{id}', { access: writers }),
  search: call('GET product_unique_identifier/search/{q}', { workClass: 'search' }),
  list: call('GET product_unique_identifier/list', { workClass: 'search' }),

  tryRule: call('GET serials/rules/try', { access: readers, internal: true }),
  export: call('GET serials/export', { media: 'text/csv', timeout: 'long', internal: true }),
  recall: call('GET serials/recall/{sku}', { workClass: 'search', internal: true }),
  recallCsv: call('GET serials/recall/{sku}/csv', { media: 'text/csv', timeout: 'long', internal: true }),
})
