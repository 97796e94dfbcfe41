/** Codes and limits that screens and schemas of warehouse maps share. */

/** Problems that keep a map from being measured (`error`), and those that people should know of (`warning`). */
export const findingKinds = {
  no_start: 'error',
  no_locations: 'error',
  too_many_cells: 'error',
  duplicate: 'error',
  outside: 'error',
  spot_not_walkable: 'error',
  stair_not_walkable: 'error',
  no_access: 'warning',
  unreachable: 'warning',
  no_way_back: 'warning',
  no_station: 'warning',
  product_off_map: 'warning',
  product_no_bin: 'warning',
  empty: 'note',
} as const
