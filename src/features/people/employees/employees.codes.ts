/** Countries whose law of working time is known, and kinds of pay. */

export const workingTimeCountries = ['DK', 'DE', 'NO', 'SE', 'GB'] as const

export const salaryTypes = ['hourly', 'commission'] as const
