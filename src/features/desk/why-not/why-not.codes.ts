/** Who can take a cause away, and what the page offers for it. */
export const causeOwners = ['office', 'lead', 'picker', 'packer', 'shop', 'system'] as const
export type CauseOwner = (typeof causeOwners)[number]
export const causeFixes = [
  'none',
  'release_hold',
  'release',
  'edit_customs',
  'shortages',
  'exceptions',
  'pick_lists',
  'new_list',
  'station',
  'product',
  'map',
  'parcels',
  'copy',
  'put_back',
] as const
export type CauseFix = (typeof causeFixes)[number]
