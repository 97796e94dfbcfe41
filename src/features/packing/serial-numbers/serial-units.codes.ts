/** The states of imported serial numbers, and how many come at once. */
export const unitStates = ['in_stock', 'sent', 'returned', 'recalled', 'removed'] as const
export type UnitState = (typeof unitStates)[number]

/** What a person may set; `in_stock` gives the state back that its orders say. */
export const markedStates = ['in_stock', 'recalled', 'removed'] as const
export type MarkedState = (typeof markedStates)[number]

/** Rows of one file, and units of one call. */
export const mostUnitRows = 50_000
export const mostUnits = 500
/** Pieces on one outer pack: one scan counts them all. */
export const mostOfPack = 200

/** Columns of a file, and fields of a unit that a program writes. */
export type UnitColumn = 'sku' | 'serial' | 'pack_code' | 'lot' | 'expiry'
