/** Limits of exchange rates that screens and schemas share. */

export const mostRates = 1_000
/** Days after which a published rate is too old. */
export const oldestRateDays = 7

export const rateWords = {
  currency: 'Enter a currency such as NOK',
  rate: 'Enter a rate such as 1.0491',
  period: 'The last day is before the first.',
  same: 'Choose two different currencies.',
} as const
