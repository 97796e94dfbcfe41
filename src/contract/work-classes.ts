/** Classes of work: what goes first while the server has more to do than it can do at once. */

/**
 * From the first to the last:
 * `scan`: scanning, packing and picking, for which a person stands still; `change`: other changes; `read`: reads of few rows;
 * `search`: searches, counts and previews; `bulk`: imports, exports, statistics and measurements.
 */
export const workClasses = ['scan', 'change', 'read', 'search', 'bulk'] as const
export type WorkClass = (typeof workClasses)[number]
