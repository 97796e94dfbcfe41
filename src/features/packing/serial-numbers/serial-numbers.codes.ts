/** The states of a serial number that screens and schemas share. */

/** `packing`: recorded, its order not packed yet. */
export const serialStates = ['packing', 'sent', 'returned'] as const
export type SerialState = (typeof serialStates)[number]

/** Steps from a longer code to the serial number in it. */
export const mostExtractSteps = 3

/** Orders of a recall that one message reaches: as many as `order_sms/sms` takes. */
export const mostRecalled = 500
