/** Codes and limits that screens and schemas of packing share. */

export const sessionStates = ['open', 'closing', 'labelling', 'label_error', 'label_check', 'parked', 'done', 'aborted'] as const

/** Why a label is refused: for its customs data, or for anything else. Both end when the label is there. */
export const labelKinds = ['label_error', 'customs'] as const
/** What can be wrong with an order that leaves the station unpacked, in the words of a packer. */
export const reportedKinds = ['short', 'damaged', 'wrong_item', 'address', 'weight', 'no_crate', 'other'] as const
export const exceptionKinds = [...labelKinds, ...reportedKinds] as const
export type LabelKind = (typeof labelKinds)[number]
export type ReportedKind = (typeof reportedKinds)[number]
export type ExceptionKind = (typeof exceptionKinds)[number]
