/** Actions and limits of bulk jobs. */

export const bulkActions = ['release', 'reopen', 'close', 'cancel', 'hold', 'lock', 'pin', 'unpin', 'method', 'tag', 'combine'] as const
export type BulkAction = (typeof bulkActions)[number]

/** Those whose jobs can be undone. */
export const undoableActions = ['hold', 'lock', 'pin', 'unpin', 'method', 'tag', 'combine'] as const satisfies readonly BulkAction[]

export const bulkRowStates = ['waiting', 'done', 'refused', 'undone'] as const
export type BulkRowState = (typeof bulkRowStates)[number]

export const mostBulkOrders = 50_000
/** Orders named one by one. */
export const mostNamedOrders = 5_000
/** Orders that a preview shows. */
export const previewedRows = 12
/** A preview that is older is made anew. */
export const previewMinutes = 10
/** What became of each order is kept for so long. */
export const bulkRowDays = 90
