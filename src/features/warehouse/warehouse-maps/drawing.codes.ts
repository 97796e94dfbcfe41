/** Codes and limits that screens and schemas of drawing share. */

/** Cells of a side, and locations: what a drawing may hold. */
export const drawingLimits = { side: 400, locations: 20_000, zones: 200, stairs: 200, places: 50 } as const

export const sides = ['n', 'e', 's', 'w'] as const
