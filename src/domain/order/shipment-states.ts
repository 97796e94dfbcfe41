/** States of a shipment. */

export const shipmentStates = [
  'draft',
  'booking',
  'unknown',
  'booked',
  'handed_over',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
  'needs_attention',
  'returning',
  'returned_to_sender',
  'lost',
  'cancelled',
  'blocked',
  'error',
] as const

/** The parcel has left the warehouse. */
export const leftStates: readonly string[] = [
  'handed_over',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
  'needs_attention',
  'returning',
  'returned_to_sender',
  'lost',
]
