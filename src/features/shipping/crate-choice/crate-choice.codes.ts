/** Why a crate is not the suggested one. */
export const leftOutReasons = [
  'off',
  'used_up',
  'other_courier',
  'other_currency',
  'side_sum',
  'no_price',
  'rule',
  'too_small',
  'too_heavy',
  'volume',
  'weight',
  'arrangement',
  'dearer',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/** What a person decided about the suggestion for a basket; `open`: nothing yet. */
export const basketStates = ['open', 'adopted', 'ignored'] as const
export type BasketState = (typeof basketStates)[number]
