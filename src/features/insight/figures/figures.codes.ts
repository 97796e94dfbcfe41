/** Codes and limits that screens and schemas of figures share. */

export type Metric = 'received' | 'packed' | 'packed_on_time' | 'handed_over'

/** What a period is compared with: the one just before, or the same weekdays of last year. */
export const comparisons = ['none', 'before', 'last_year'] as const
export type Comparison = (typeof comparisons)[number]

/** Days of one question. */
export const mostFigureDays = 366
