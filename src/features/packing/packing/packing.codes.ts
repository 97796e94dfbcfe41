/** Codes and limits that screens and schemas of packing share. */

export const sessionStates = ['open', 'closing', 'labelling', 'label_error', 'label_check', 'parked', 'done', 'aborted'] as const

/** What can be wrong with an order that leaves the station unpacked. `label_error` is the courier's, the others are a packer's. */
export const reportedKinds = ['short', 'damaged', 'wrong_item', 'address', 'other'] as const
export const exceptionKinds = ['label_error', ...reportedKinds] as const
export type ReportedKind = (typeof reportedKinds)[number]
export type ExceptionKind = (typeof exceptionKinds)[number]
