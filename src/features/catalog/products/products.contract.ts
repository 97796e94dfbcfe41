/** Products: codes, weight, size, place, picture and customs data of an article. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { productsSchemas } from './products.schemas.ts'

export const products = contract<typeof productsSchemas>({
  name: 'products',
  area: 'catalog',
  access: access.parcels,
  internal: true,
}).calls({
  search: call('GET products', { workClass: 'search', access: [...access.parcels, 'settings_admin'] }),
  export: call('GET products/export', { media: 'text/csv', timeout: 'long' }),
  get: call('GET products/{id}'),
  picture: call('GET products/{id}/picture', {
    media: 'image/*',
    // Pick lists show them too.
    access: [...access.station, 'list_admin', 'list'],
    tenantScope: 'operator',
  }),
  create: call('POST products', { access: access.parcelsAdmin }),
  update: call('POST products/{id}', { access: access.parcelsAdmin }),
  setPicture: call('POST products/{id}/picture', { upload: limits.picture, external: true, access: access.parcelsAdmin }),
  removePicture: call('DELETE products/{id}/picture', { access: access.parcelsAdmin }),
  importCsv: call('POST products/import', { workClass: 'bulk', upload: limits.productFile, external: true, access: access.parcelsAdmin }),
})
