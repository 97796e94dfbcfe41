/** Codes that screens and schemas of the exceptions share. */

export { exceptionKinds } from '../packing/packing.codes.ts'

/** `open`: no one has begun · `in_work`: it has an owner. The others are ends. */
export const exceptionStates = ['open', 'in_work', 'resolved', 'cancelled'] as const

/**
 * `solved`: someone says so · `back_to_queue`: and the order waits for a station again · `label_booked`, `packed` and `order_cancelled`: what happened
 * to the order ended it.
 */
export const resolutions = ['solved', 'back_to_queue', 'label_booked', 'packed', 'order_cancelled'] as const

export const exceptionViews = ['open', 'mine', 'unassigned', 'overdue', 'label_error', 'resolved'] as const
