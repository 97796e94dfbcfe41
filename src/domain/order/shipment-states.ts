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

/** On its way to the recipient or back, or with the recipient. */
const movingStates = [
  'handed_over',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
  'needs_attention',
  'returning',
] as const

/** The parcel has left the warehouse. */
export const leftStates: readonly string[] = [...movingStates, 'returned_to_sender', 'lost']

/** The courier was asked for a label and has not answered yet, or its answer was lost. */
export const bookingStates = ['booking', 'unknown'] as const

/** There is no label, and none is on its way. */
export const unlabelledStates = ['draft', 'error', 'cancelled', 'blocked'] as const

/** A label is there and may be printed again. */
export const printableStates = ['booked', ...movingStates] as const

/** A parcel in one of them moves no more. */
export const finalStates = ['draft', 'error', 'delivered', 'returned_to_sender', 'lost', 'cancelled', 'blocked'] as const

/** The label was taken back: it is neither printed nor scanned again. */
export const isTakenBack = ({ state }: { state: string }): boolean => state === 'cancelled' || state === 'blocked'
