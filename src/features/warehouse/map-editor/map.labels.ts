/** Labels of the parts and problems of a map: English, the translation keys. */
import type { Side } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import type { FindingKind } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import type { Kind, Overlap } from './drawing-edits.rules.ts'

export const kindLabels: Record<Kind, string> = {
  '.': 'Aisle',
  '#': 'Rack',
  x: 'Blocked',
  '^': 'One-way up',
  v: 'One-way down',
  '<': 'One-way left',
  '>': 'One-way right',
}

/** A side is seen on the screen before it is a point of the compass. */
export const sideLabels: Record<Side, string> = { n: 'Above', e: 'To the right', s: 'Below', w: 'To the left' }
export const sideArrows: Record<Side, string> = { n: '↑', e: '→', s: '↓', w: '←' }

export const problemLabels: Record<FindingKind | Overlap['kind'], string> = {
  no_start: 'There is no start',
  no_locations: 'There are no locations',
  too_many_cells: 'There are too many access points',
  duplicate: 'Codes that are there more than once',
  outside: 'Outside of the grid',
  spot_not_walkable: 'Starts and stations where no one can stand',
  stair_not_walkable: 'Stairs that do not lead from floor to floor',
  no_access: 'Locations without an aisle on their side',
  unreachable: 'No way leads there from the start',
  no_way_back: 'No way leads back from there',
  no_station: 'There is no packing station',
  product_off_map: 'Products whose bin is not on this map',
  product_no_bin: 'Products without a bin',
  empty: 'Locations without a product',
  same_place: 'Locations that share one place',
  on_floor: 'Locations where people walk',
}
