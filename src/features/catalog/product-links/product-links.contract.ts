/** Links at the names of products. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { productLinksSchemas } from './product-links.schemas.ts'

export const productLinks = contract<typeof productLinksSchemas>({
  name: 'productLinks',
  area: 'catalog',
  access: access.settings,
}).calls({
  list: call('GET product_link/list', { access: 'user', tenantScope: 'operator' }),
  create: call('POST product_link/create'),
  update: call('POST product_link/update/{id}'),
  remove: call('POST product_link/delete/{id}'),
})
