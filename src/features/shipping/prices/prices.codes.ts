/** Columns of price files, limits and words of the price tables. */

export const mostPrices = 5_000
export const mostZones = 200
export const mostSurcharges = 200
/** Rows of one file. */
export const mostImported = 2_000

export const priceColumns = [
  'agent_code',
  'shipping_method',
  'zone',
  'max_g',
  'max_length_mm',
  'max_side_sum_mm',
  'volume_divisor',
  'amount',
  'per_kg_amount',
  'currency',
  'valid_from',
  'valid_to',
] as const
export type PriceColumn = (typeof priceColumns)[number]

export const surchargeKinds = ['amount', 'percent'] as const
export type SurchargeKind = (typeof surchargeKinds)[number]

export const priceWords = {
  method: 'Select a shipping method',
  courier: 'Select a courier',
  weight: 'Enter the weight up to which it holds',
  amount: 'Enter an amount, such as 39.00',
  currency: 'Enter a currency, such as DKK',
  day: 'Enter the day as 2026-11-21',
  backwards: 'The last day is before the first',
  name: 'Enter a name',
  countries: 'Select at least one country',
  percent: 'Enter a percentage, such as 8.5',
  overlap: 'Other prices for the same hold on these days',
} as const
