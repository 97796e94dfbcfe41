/** Whether what a message says still holds when it is sent. */

interface OrderThen {
  /** Null where the message belongs to no order. */
  phase: string | null
  held: boolean
  delivered: boolean
}

/** Asked again before each sending: quiet hours and pauses take hours. */
export function isOutdated(trigger: string, { phase, held, delivered }: OrderThen): boolean {
  if (trigger === 'manual' || phase === null) return false
  if (phase === 'cancelled' || phase === 'cancelled_return_to_stock') return true
  if (trigger === 'on_hold_question') return !held
  if (trigger === 'item_missing_question') return ['packed', 'handed_over', 'delivered', 'closed'].includes(phase)
  if (
    [
      'shipped',
      'partially_shipped',
      'handed_over',
      'out_for_delivery',
      'ready_for_pickup',
      'delivery_failed',
      'address_changed',
      'parcel_shop_changed',
    ].includes(trigger)
  )
    return delivered
  return false
}
