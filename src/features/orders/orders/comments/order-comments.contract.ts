/** Comments: what people write to each other about an order, by type. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderCommentsSchemas } from './order-comments.schemas.ts'

export const orderComments = contract<typeof orderCommentsSchemas>({
  name: 'orderComments',
  area: 'orders',
  access: access.bench,
  tenantScope: 'operator',
}).calls({
  list: call('GET order_comments/{ids}'),
  add: call('POST order_comments/{id}/{type}'),
})
