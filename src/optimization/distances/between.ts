/** The distance function that the algorithms call. */

/** Distance from one place to another, by index. It may differ by direction and is Infinity where there is no way. */
export type Between = (from: number, to: number) => number
