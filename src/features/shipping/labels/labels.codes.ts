/** Codes and limits that screens and schemas of labels share. */

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

/** What needs somebody's eye: the columns of the exception board. */
export const boards = ['no_scan', 'error', 'unknown', 'failed', 'waiting', 'returned'] as const
