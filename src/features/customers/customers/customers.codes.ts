/** Codes of customers that screens and schemas share, and the words of their schemas. */

/** The types of lookups; where two find different customers, the earlier type decides. */
export const checkTypes = ['shop_customer', 'email', 'phone'] as const
export type CheckType = (typeof checkTypes)[number]

export const noteTypes = ['info', 'praise', 'advice', 'warning'] as const
export type NoteType = (typeof noteTypes)[number]

export const customerFlags = ['no_sms', 'no_email', 'signature', 'known_problem'] as const
export type CustomerFlag = (typeof customerFlags)[number]

export const customerViews = ['all', 'duplicates', 'blocked'] as const
/** The latest, the most and the first of the alphabet come first; a minus turns the order around. */
export const customerSorts = ['last_order', '-last_order', 'orders', '-orders', 'name', '-name'] as const
export type CustomerSort = (typeof customerSorts)[number]

export const suggestionReasons = ['shop_customer', 'email', 'phone', 'name_postcode'] as const
export type SuggestionReason = (typeof suggestionReasons)[number]

export const mostLookups = 50
export const mostNotes = 500

export const customerWords = {
  name: 'Enter a name',
  lookup: 'Enter an e-mail address, a phone number or a shop number',
  note: 'Enter the note first',
} as const
