/** Codes that screens and schemas of the exceptions share. */

import type { ExceptionKind } from '../packing/packing.codes.ts'

export { exceptionKinds, labelKinds } from '../packing/packing.codes.ts'

/** `open`: no one has begun · `in_work`: it has an owner. The others are ends. */
export const exceptionStates = ['open', 'in_work', 'resolved', 'cancelled'] as const

/**
 * `solved`: someone says so · `back_to_queue`: and the order waits for a station again · `refill`: what is missing is picked again · `ship_partial`: it
 * follows in a later parcel · `cancel_lines`: it is cancelled · `label_booked`, `packed` and `order_cancelled`: what happened to the order ended it.
 */
export const resolutions = [
  'solved',
  'back_to_queue',
  'refill',
  'ship_partial',
  'cancel_lines',
  'label_booked',
  'packed',
  'order_cancelled',
] as const

/** What a person decides about an order, beside saying that the problem is solved. */
export const decidedResolutions = ['refill', 'ship_partial', 'cancel_lines', 'order_cancelled'] as const
export type DecidedResolution = (typeof decidedResolutions)[number]

/** What is wrong with these is an item, and so what becomes of it can be decided. */
export const kindsOfItems: readonly ExceptionKind[] = ['short', 'damaged', 'wrong_item', 'other']

export const exceptionViews = ['open', 'mine', 'unassigned', 'overdue', 'label_error', 'resolved'] as const
