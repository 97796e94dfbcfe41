/** How events of couriers are named. */
import type { CourierEvent } from './courier-events.codes.ts'

export const courierEventLabels = {
  registered: 'Label booked',
  handed_over: 'Handed over',
  in_transit: 'In transit',
  customs: 'In customs',
  out_for_delivery: 'Out for delivery',
  ready_for_pickup: 'Ready for collection',
  delivered: 'Delivered',
  delivery_failed: 'Not delivered',
  delayed: 'Delayed',
  address_problem: 'Address problem',
  returning: 'Returning',
  returned: 'Returned to sender',
} as const satisfies Record<CourierEvent, string>
