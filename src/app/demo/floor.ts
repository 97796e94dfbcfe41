/** The demo's warehouse: eight aisles of twenty bays, five levels high, with every bin of the demo's catalogue and of the invented orders. */
import type { Drawing, Location } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'

const ground = ['A', 'B', 'C', 'D', 'E', 'F'] as const
const mezzanine = ['G', 'H'] as const
const bays = 20
const levels = 5

const width = 28
const height = 27
/** Rows of the cross-aisles: at the back, in the middle, and in front, near packing. */
const [back, middle, front] = [0, 11, 22] as const
/** The mezzanine is drawn beside the ground floor, behind a wall. */
const wall = 20
const oneWay = 'D'

const aisles: Record<'ground' | 'mezzanine', readonly string[]> = { ground, mezzanine }
/** Column of an aisle; its racks are in the columns beside it. */
const aisleOf = (name: string): number => {
  const upstairs = aisles.mezzanine.indexOf(name)
  return upstairs >= 0 ? wall + 3 + 3 * upstairs : 2 + 3 * aisles.ground.indexOf(name)
}

/** Bays are two metres wide and counted from the front; odd ones are west of their aisle, even ones east. */
function locationsOf(aisle: string): Location[] {
  return Array.from({ length: bays }, (_, i) => {
    const pair = Math.floor(i / 2)
    const y = pair < bays / 4 ? front - 2 - 2 * pair : middle - 2 - 2 * (pair - bays / 4)
    const west = i % 2 === 0
    const x = aisleOf(aisle) + (west ? -1 : 1)
    return Array.from(
      { length: levels },
      (_, level): Location => ({
        code: `${aisle}-${String(i + 1).padStart(2, '0')}-${level + 1}`,
        x,
        y,
        side: west ? 'e' : 'w',
        level,
      }),
    )
  }).flat()
}

/** Deterministic. */
export function demoFloor(): Drawing {
  const racks = new Set([...ground, ...mezzanine].flatMap(name => [aisleOf(name) - 1, aisleOf(name) + 1]))
  const pillars = new Set(['6/24', '13/24'])
  const sign = (x: number, y: number): string => {
    if (x === wall || x === wall + 1) return 'x'
    if (y > front) return x > wall || pillars.has(`${x}/${y}`) ? 'x' : '.'
    if (y === back || y === middle || y === front) return '.'
    if (racks.has(x)) return '#'
    return x === aisleOf(oneWay) ? '^' : '.'
  }
  return {
    width,
    height,
    cell_mm: 1_000,
    cells: Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => sign(x, y)).join('')),
    locations: [...ground, ...mezzanine].flatMap(locationsOf),
    starts: [{ name: 'Wagons', x: 2, y: 24 }],
    stations: [
      { name: 'Packing 1', x: 9, y: 25 },
      { name: 'Packing 2', x: 15, y: 25 },
    ],
    zones: [{ name: 'Forklifts cross here', x: 0, y: middle, width: wall, height: 1, cost: 2 }],
    stairs: [{ name: 'Stairs to the mezzanine', from: { x: 19, y: front }, to: { x: wall + 2, y: front }, metres: 12, one_way: false }],
  }
}
