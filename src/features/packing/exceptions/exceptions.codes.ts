/** Codes that screens and schemas of the exceptions share. */

import { type ExceptionKind, labelKinds } from '../packing/packing.codes.ts'

export { exceptionKinds, labelKinds } from '../packing/packing.codes.ts'

/** `open`: no one has begun · `in_work`: it has an owner. The others are ends. */
export const exceptionStates = ['open', 'in_work', 'resolved', 'cancelled'] as const

/**
 * `solved`: someone says so · `back_to_queue`: and the order waits for a station again · `refill`: what is missing is picked again · `ship_partial`: it
 * follows in a later parcel · `cancel_lines`: it is cancelled · `retry_label` and `corrected_and_retried`: the refused label was tried again, as it was
 * or after a correction, and came · `label_booked`, `packed` and `order_cancelled`: what happened to the order ended it.
 */
export const resolutions = [
  'solved',
  'back_to_queue',
  'refill',
  'ship_partial',
  'cancel_lines',
  'retry_label',
  'corrected_and_retried',
  'label_booked',
  'packed',
  'order_cancelled',
] as const

/** A refused label is tried again: the exception is resolved when the courier has made it. */
export const retries = ['retry_label', 'corrected_and_retried'] as const
export type Retry = (typeof retries)[number]

/** What a person decides about an order, beside saying that the problem is solved. */
export const decidedResolutions = [...retries, 'refill', 'ship_partial', 'cancel_lines', 'order_cancelled'] as const
export type DecidedResolution = (typeof decidedResolutions)[number]

/** What can be decided about many at once: nothing that has to be corrected, and no cancelled order. */
export const bulkResolutions = ['retry_label', 'refill', 'ship_partial', 'cancel_lines'] as const
export type BulkResolution = (typeof bulkResolutions)[number]

/** What is wrong with these is an item, and so what becomes of it can be decided. */
const kindsOfItems: readonly ExceptionKind[] = ['short', 'damaged', 'wrong_item', 'other']

export const isRetry = (resolution: string): resolution is Retry => retries.some(one => one === resolution)
export const isOfLabel = (kind: ExceptionKind): boolean => labelKinds.some(one => one === kind)

/** Whether a problem of this kind can end in this way. */
export const fitsKind = (resolution: DecidedResolution, kind: ExceptionKind): boolean =>
  resolution === 'order_cancelled' || (isRetry(resolution) ? isOfLabel(kind) : kindsOfItems.includes(kind))

export const exceptionViews = ['open', 'mine', 'unassigned', 'overdue', 'label_error', 'resolved'] as const
