/** Spans and limits of trying return rules. */

/** Returns of so many days are looked at. */
export const dryRunDays = 90
/** Hours for which rules that were tried may be switched on. */
export const dryRunHours = 24
/** The newest returns of each rule that are shown. */
export const mostSamples = 20
