/** Codes and limits that screens and schemas of paperless share. */

/**
 * `free` → `reserved` for a slot of a wagon → `bound` to its order → `at_packing` while the order is open at a station → `free`; `lost` until found.
 */
export const codeStates = ['free', 'reserved', 'bound', 'at_packing', 'lost'] as const

/** Most labels of one print. */
export const mostLabels = 500
