/** Why a crate is not the suggested one. */
export const leftOutReasons = [
  'off',
  'used_up',
  'other_courier',
  'other_currency',
  'side_sum',
  'rule',
  'too_small',
  'too_heavy',
  'volume',
  'weight',
  'arrangement',
  'dearer',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]
