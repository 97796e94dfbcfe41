/** Orders written and changed by hand: a new one, a copy, other items, a part that goes by itself. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderEditsSchemas } from './order-edits.schemas.ts'

export const orderEdits = contract<typeof orderEditsSchemas>({
  name: 'orderEdits',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  create: call('POST orders', { external: true }),
  copy: call('POST orders/{id}/copy', { external: true }),
  lines: call('POST orders/{id}/lines', { external: true }),
  split: call('POST orders/{id}/split', { external: true }),
  undoSplit: call('DELETE orders/{id}/split', { external: true }),
  products: call('GET orders/{id}/products', { workClass: 'search' }),
  productsOf: call('GET orders/products', { workClass: 'search' }),
})
