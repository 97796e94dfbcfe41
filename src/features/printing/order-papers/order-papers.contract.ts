/** Papers of an order, made on request: the order sheet and the packing slip. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderPapersSchemas } from './order-papers.schemas.ts'

export const orderPapers = contract<typeof orderPapersSchemas>({
  name: 'orderPapers',
  area: 'orders',
  access: access.bench,
  tenantScope: 'operator',
}).calls({
  print: call('POST orders/print/{id}/on/{printer}', { external: true, timeout: 'long', ipLock: true }),
  download: call('POST orders/download/{id}', { media: 'application/pdf', external: true }),
})
