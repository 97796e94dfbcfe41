/** Countries whose law of working time is known, and kinds of pay. */

export const workingTimeCountries = ['DK', 'DE', 'NO', 'SE', 'GB'] as const
export type WorkingTimeCountry = (typeof workingTimeCountries)[number]

export const salaryTypes = ['hourly', 'commission'] as const
