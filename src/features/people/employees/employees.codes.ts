/** Countries whose law of working time is known, and kinds of pay. */

export const workingTimeCountries = ['DK', 'DE', 'NO', 'SE', 'GB'] as const
export type WorkingTimeCountry = (typeof workingTimeCountries)[number]

/** Stands in the log in place of a reason when a number went into the person's own copy. */
export const copyReason = 'personal.copy'

/** What may be a slip in a CPR number that was saved. */
export const cprHints = ['birth_date', 'check_digit'] as const
export type CprHint = (typeof cprHints)[number]

export const salaryTypes = ['hourly', 'commission'] as const
