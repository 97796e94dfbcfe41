/** Reversible changes of an order, and whether one may still be undone: only while the order says what the change said. */
import { among } from '#domain/guards.ts'
import { keysOf } from '#domain/objects.ts'
import { holdReasons } from '#features/orders/orders/locks/order-locks.codes.ts'
import type { OrderLock } from '#features/orders/orders/locks/order-locks.schemas.ts'
import type { Order, OrderLine } from '#features/orders/orders/orders.schemas.ts'

type Method = Pick<Order, 'agent_code' | 'shipping_method'>
export type LineValues = Pick<OrderLine, 'hs_code' | 'origin' | 'weight_g'>
type Lock = Pick<OrderLock, 'kind' | 'reason' | 'note' | 'until'>

export type OrderChange =
  | { did: 'held'; lock_id: number }
  | { did: 'released'; lock: Lock }
  | { did: 'pinned' | 'unpinned' }
  /** `before` is what `set_shipping` takes. */
  | { did: 'method'; now: Method; before: string }
  | { did: 'line'; item_id: number; now: Partial<LineValues>; before: Partial<LineValues> }

const isHoldReason = among(holdReasons)
/** The reason of a hold that a person may set; a shop and the import have reasons of their own. */
export const holdReasonOf = (lock: Lock) => (isHoldReason(lock.reason) ? lock.reason : null)

export interface ChangedFacts extends Pick<Order, 'pinned' | 'agent_code' | 'shipping_method'> {
  locks: readonly Pick<OrderLock, 'lock_id' | 'kind' | 'reason'>[]
  lines: readonly (LineValues & Pick<OrderLine, 'order_item_id'>)[]
}

/** A released hold of a shop or of the import cannot be set again by a person. */
export const canSetAgain = (lock: Lock): boolean => lock.kind !== 'hold' || holdReasonOf(lock) !== null

/** A value that was missing cannot be taken away again. */
export const canRestore = ({ before }: Extract<OrderChange, { did: 'line' }>): boolean =>
  Object.values(before).every(value => value !== null)

/** Nothing else has changed what this change changed. */
export function isStill(change: OrderChange, order: ChangedFacts): boolean {
  switch (change.did) {
    case 'held':
      return order.locks.some(lock => lock.lock_id === change.lock_id)
    case 'released':
      return !order.locks.some(lock => lock.kind === change.lock.kind && lock.reason === change.lock.reason)
    case 'pinned':
      return order.pinned
    case 'unpinned':
      return !order.pinned
    case 'method':
      return order.agent_code === change.now.agent_code && order.shipping_method === change.now.shipping_method
    case 'line': {
      const line = order.lines.find(one => one.order_item_id === change.item_id)
      return line !== undefined && keysOf(change.now).every(field => line[field] === change.now[field])
    }
  }
}
