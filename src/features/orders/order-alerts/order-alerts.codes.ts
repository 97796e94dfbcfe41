/** Codes, limits and words of order alerts that screens and schemas share. */
import { holdReasons } from '#features/orders/orders/locks/order-locks.codes.ts'

/** What a met order gets: a warning at its comments, a hold, or a lead's PIN at the station. */
export const alertModes = ['note', 'hold', 'pin'] as const
export type AlertMode = (typeof alertModes)[number]

/** Whether a value between the two bounds is met, or one beyond them. */
export const thresholdModes = ['inside', 'outside'] as const
export type ThresholdMode = (typeof thresholdModes)[number]

export const alertMatches = ['any', 'all'] as const
export type AlertMatch = (typeof alertMatches)[number]

/** Values with a lower and an upper bound: of each row of an order, and of the whole order. */
export const thresholds = ['row_count', 'row_value', 'order_count', 'order_value'] as const
export type Threshold = (typeof thresholds)[number]
export const isAmount = (threshold: Threshold): boolean => threshold.endsWith('_value')

/** What can be met; `conditions` are those in the grammar of rules. */
export type AlertSignal = Threshold | 'conditions'

export const alertHitStates = ['open', 'released', 'kept'] as const
export type AlertHitState = (typeof alertHitStates)[number]

export const alertSorts = ['email', '-email', 'hits', '-hits', 'changed', '-changed'] as const

/** The hold of an alert may have a reason of its own, or one that only a lead releases. */
const alertHoldReason = 'alert'
export const alertHoldReasons = [alertHoldReason, ...holdReasons.filter(reason => reason !== 'cancel_requested')] as const

export const mostOrderAlerts = 50

export const alertWords = {
  range: 'The lowest value is above the highest.',
  note: 'Write what the packer reads.',
  currency: 'Enter a currency such as DKK',
} as const
