/** Patterns for `like` and `ilike` from what a person typed: `\`, `%` and `_` mean themselves. */

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Fits every text that holds this one. */
export const containing = (text: string): string => `%${escaped(text.trim())}%`

/** Fits every text that begins with this one. */
export const beginning = (text: string): string => `${escaped(text.trim())}%`
