/** Events that couriers report, and who can learn of each. */

export const courierEvents = [
  'registered',
  'handed_over',
  'in_transit',
  'customs',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
  'delayed',
  'address_problem',
  'returning',
  'returned',
] as const
export type CourierEvent = (typeof courierEvents)[number]

/** What an event says beside the state of the parcel. */
export type EventReason = Extract<CourierEvent, 'customs' | 'delayed' | 'address_problem'>

/** Events that somebody has to look into: they may open an exception of the shipment. */
export const exceptionEvents = [
  'customs',
  'delivery_failed',
  'delayed',
  'address_problem',
  'returning',
  'returned',
] as const satisfies readonly CourierEvent[]

/** Events with an occasion of messages: its active template is sent where no other is chosen. */
export const occasionEvents = [
  'handed_over',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
] as const satisfies readonly CourierEvent[]

/** What the warehouse gets of an event: an exception of the shipment, or a tag on its order. */
export const usActions = ['exception', 'tag'] as const
export type UsAction = (typeof usActions)[number]
