/** Bounds of orders that are edited by hand. */
export const mostEdits = 100
export const mostParts = 20
