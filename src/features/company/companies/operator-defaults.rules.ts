/** Settings whose value an operator may set for all its companies; a company with a value of its own keeps it. */

export const inheritedSettings = [
  'cut_off',
  'release_delay_s',
  'close_after_days',
  'on_short',
  'pack_without_pick_list',
  'open_by_product',
  'bypass_needs_pin',
  'label_when',
  'print_slip',
  'partial_notice',
  'parcel_photos',
  'weigh_parcels',
  'typed_weight',
  'weight_tolerance_g',
  'weight_tolerance_percent',
  'packaging_weight_g',
  'default_weight_g',
] as const
export type InheritedSetting = (typeof inheritedSettings)[number]

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Names of the settings that differ. */
type Settings = Readonly<Record<string, unknown>>
export const differingSettings = (one: Settings, other: Settings): string[] =>
  Object.keys(one).filter(name => !same(one[name], other[name]))

/** The settings that a company has set itself; where none were noted yet, those that differ from the product's. */
export const ownSettings = (
  { own_settings, settings }: { own_settings: readonly string[] | null; settings: Settings },
  product: Settings,
): readonly string[] => own_settings ?? differingSettings(settings, product)
