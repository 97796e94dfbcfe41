/** The walkable floor: a grid of cells with racks, one-way cells, zones with higher cost and stairs that connect cells. */

export interface Cell {
  readonly x: number
  readonly y: number
}

/** Structurally the drawing of a warehouse. A floor is immutable, so that derived data can be cached. */
export interface Floor {
  readonly width: number
  readonly height: number
  /** Side of a cell in millimetres. */
  readonly cell_mm: number
  /** One string per row, from the north: `.` is walkable, `#` and `x` are not, from `^ v < >` only the neighbour in its direction may be entered. */
  readonly cells: readonly string[]
  /** A step costs the mean of its two cells' costs; of overlapping zones the highest cost counts. */
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

/** The cell in which a picker stands to reach a location: the neighbour on its side. It may be outside or a rack: check `isWalkable`. */
export function accessOf({ x, y, side }: { x: number; y: number; side: 'n' | 'e' | 's' | 'w' }): Cell {
  const [right, down] = sideSteps[side]
  return { x: x + right, y: y + down }
}

export function isWalkable({ width, height, cells }: Pick<Floor, 'width' | 'height' | 'cells'>, { x, y }: Cell): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false
  const sign = cells[y]?.[x]
  return sign !== undefined && '.^v<>'.includes(sign)
}
