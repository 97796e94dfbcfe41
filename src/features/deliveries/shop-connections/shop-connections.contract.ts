/** Connections to shops: their orders are read, and the shops learn what becomes of them. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { shopConnectionsSchemas } from './shop-connections.schemas.ts'

/** Each of them asks a shop. */
const asking = { external: true, rateLimit: { max: 20, seconds: 60 } } as const

export const shopConnections = contract<typeof shopConnectionsSchemas>({
  name: 'shopConnections',
  area: 'deliveries',
  access: access.settings,
  internal: true,
}).calls({
  systems: call('GET shop_connections/systems'),
  list: call('GET shop_connections'),
  try: call('POST shop_connections/try', asking),
  create: call('POST shop_connections'),
  change: call('POST shop_connections/{id}'),
  remove: call('DELETE shop_connections/{id}'),
  test: call('POST shop_connections/{id}/test', asking),
  pause: call('POST shop_connections/{id}/pause'),
  resume: call('POST shop_connections/{id}/resume'),
  backfill: call('POST shop_connections/{id}/backfill'),
  fetch: call('POST shop_connections/{id}/fetch', asking),
  log: call('GET shop_connections/{id}/log'),
  waiting: call('GET shop_connections/{id}/waiting'),
  retry: call('POST shop_connections/{id}/waiting/{delivery}/retry'),
  drop: call('POST shop_connections/{id}/waiting/{delivery}/drop'),
})
