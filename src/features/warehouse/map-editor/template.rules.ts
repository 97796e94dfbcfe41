/** Warehouses to begin with: an empty floor, and the rectangular one with parallel aisles that most are. */
import { elementAt } from '#domain/objects.ts'
import { drawingLimits } from '#features/warehouse/warehouse-maps/drawing.codes.ts'
import type { Drawing, Location } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'

export const emptyFloor = (width: number, height: number, cell_mm: number): Drawing => ({
  width,
  height,
  cell_mm,
  cells: Array.from({ length: height }, () => '.'.repeat(width)),
  locations: [],
  starts: [],
  stations: [],
  zones: [],
  stairs: [],
})

export interface Template {
  /** Aisles from north to south, each with a rack on both sides. */
  aisles: number
  /** Bays along one side of an aisle. */
  bays: number
  levels: number
  /** Ways across between the first and the last, which are always there. */
  crossAisles: number
  /** Cells that an aisle is wide. */
  aisleWidth: number
  /** Every second aisle may only be walked the other way. */
  oneWay: boolean
  cell_mm: number
  /** `A, B, …` or `01, 02, …`. */
  aisleNames: 'letters' | 'numbers'
  /** `odd_even`: odd bays on the left and even ones on the right; `up_and_down`: up the left side and on down the right. */
  bayNumbers: 'odd_even' | 'up_and_down'
  separator: string
  startName: string
  stationName: string
}

/** Cells that the template would take. */
export function templateSize({ aisles, bays, crossAisles, aisleWidth }: Template): { width: number; height: number } {
  return { width: aisles * (aisleWidth + 2) + 2, height: bays + crossAisles + 3 }
}

export const templateLocations = ({ aisles, bays, levels }: Template): number => aisles * 2 * bays * levels

/** Whether a drawing may be so large. */
export function templateFits(template: Template): boolean {
  const { width, height } = templateSize(template)
  return width <= drawingLimits.side && height <= drawingLimits.side && templateLocations(template) <= drawingLimits.locations
}

/** 0 → A, 25 → Z, 26 → AA, as spreadsheets count columns. */
export const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)

export function rectangular(template: Template): Drawing {
  const { aisles, bays, levels, crossAisles, aisleWidth, oneWay, cell_mm, separator } = template
  const { width, height } = templateSize(template)
  const grid = Array.from({ length: height }, () => Array.from({ length: width }, () => '.'))
  // Bays are numbered from the front (south), where wagons start, and cross-aisles part them as evenly as they go.
  const rowOf = (bay: number) => height - 3 - bay - Math.floor((bay * (crossAisles + 1)) / bays)
  const rackRows = new Set(Array.from({ length: bays }, (_, bay) => rowOf(bay)))
  const locations: Location[] = []
  const digits = String(Math.max(10, bays * 2)).length
  for (let aisle = 0; aisle < aisles; aisle++) {
    const left = 1 + aisle * (aisleWidth + 2)
    const right = left + aisleWidth + 1
    const name = template.aisleNames === 'letters' ? letters(aisle) : String(aisle + 1).padStart(String(aisles).length, '0')
    for (const y of rackRows) {
      for (const x of [left, right]) elementAt(grid, y)[x] = '#'
      if (oneWay) for (let x = left + 1; x < right; x++) elementAt(grid, y)[x] = aisle % 2 === 0 ? '^' : 'v'
    }
    for (let bay = 0; bay < bays; bay++)
      for (const [side, x] of [
        ['e', left],
        ['w', right],
      ] as const) {
        const number = template.bayNumbers === 'odd_even' ? bay * 2 + (side === 'e' ? 1 : 2) : side === 'e' ? bay + 1 : 2 * bays - bay
        for (let level = 1; level <= levels; level++)
          locations.push({
            code: [name, String(number).padStart(digits, '0'), ...(levels > 1 ? [String(level)] : [])].join(separator),
            x,
            y: rowOf(bay),
            side,
            level: levels > 1 ? level : 0,
          })
      }
  }
  return {
    ...emptyFloor(width, height, cell_mm),
    cells: grid.map(row => row.join('')),
    locations,
    starts: [{ name: template.startName, x: 1, y: height - 1 }],
    stations: [{ name: template.stationName, x: width - 2, y: height - 1 }],
  }
}
