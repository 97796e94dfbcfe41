/** The floor that is walked: a grid of cells with racks, one-way cells, zones that slow and stairs that jump. */

export interface Cell {
  readonly x: number
  readonly y: number
}

/** Structurally what a drawing of a warehouse is; a floor never changes once it is made, so that what is derived from it can be kept. */
export interface Floor {
  readonly width: number
  readonly height: number
  /** Side of a cell in millimetres. */
  readonly cell_mm: number
  /** One string per row, from the north: `.` walk, `#` and `x` not, from `^ v < >` only the neighbour in its direction may be entered. */
  readonly cells: readonly string[]
  /** A step counts the mean of its two cells' costs; where zones lie over each other the dearest counts. */
  readonly zones: readonly {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
    readonly cost: number
  }[]
  readonly stairs: readonly { readonly from: Cell; readonly to: Cell; readonly metres: number; readonly one_way: boolean }[]
}

const sideSteps = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] } as const

/** The cell in which a picker stands to reach a location: the neighbour on its side. It may lie outside or be a rack: ask `isWalkable`. */
export function accessOf({ x, y, side }: { x: number; y: number; side: 'n' | 'e' | 's' | 'w' }): Cell {
  const [right, down] = sideSteps[side]
  return { x: x + right, y: y + down }
}

export function isWalkable({ width, height, cells }: Pick<Floor, 'width' | 'height' | 'cells'>, { x, y }: Cell): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false
  const sign = cells[y]?.[x]
  return sign !== undefined && '.^v<>'.includes(sign)
}
