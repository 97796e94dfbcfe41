/** Locks and holds: what keeps an order in the warehouse, who set it, why and until when. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderLocksSchemas } from './order-locks.schemas.ts'

export const orderLocks = contract<typeof orderLocksSchemas>({
  name: 'orderLocks',
  area: 'orders',
  access: access.parcels,
  tenantScope: 'operator',
}).calls({
  get: call('GET order_lock/{id}'),
  lock: call('POST order_lock/{id}'),
  unlock: call('DELETE order_lock/{id}'),
  getAuto: call('GET order_lock/auto/{id}'),
  lockAuto: call('POST order_lock/auto/{id}'),
  unlockAuto: call('DELETE order_lock/auto/{id}'),
  hold: call('POST orders/{id}/hold', { access: access.bench, internal: true }),
  releaseHold: call('POST orders/{id}/release_hold/{lock_id}', { internal: true }),
})
