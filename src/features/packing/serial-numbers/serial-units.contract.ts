/** Serial numbers that a company knows before they are packed: imported, searched, recalled, taken out. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { serialUnitsSchemas } from './serial-units.schemas.ts'

export const serialUnits = contract<typeof serialUnitsSchemas>({
  name: 'serialUnits',
  area: 'packing',
  access: access.serials,
  tenantScope: 'operator',
}).calls({
  list: call('GET serials/units', { workClass: 'search', internal: true }),
  write: call('POST serials/units', { workClass: 'bulk', internal: true }),
  import: call('POST serials/import', { workClass: 'bulk', upload: limits.productFile, external: true, internal: true }),

  export: call('GET serials/units/export', { media: 'text/csv', timeout: 'long', internal: true }),
  mark: call('POST serials/units/mark', { internal: true }),
  recall: call('POST serials/recall/{sku}', { workClass: 'bulk', timeout: 'long', internal: true }),
})
