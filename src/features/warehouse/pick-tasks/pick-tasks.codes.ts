/** Codes and limits that screens and schemas of pick tasks share. */

export const shortReasons = ['not_there', 'damaged', 'wrong_label', 'expired', 'other'] as const

export const shortDecisions = ['wait', 'ship_partial', 'ask_customer', 'cancel_line', 'found'] as const
export const countReasons = ['short', 'damaged', 'zero_check', 'asked'] as const
export const putBackReasons = ['order_cancelled', 'list_cancelled', 'order_removed', 'order_changed', 'short', 'return'] as const

/** What waits, what is done, or both. */
export const donenessStates = ['open', 'done', 'all'] as const
