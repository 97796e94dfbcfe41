/** The shortest tour over a drawn map with steps of equal length. */

import { elementAt } from '#optimization/arrays/element-at.ts'
import { type Cell, type Floor, isWalkable } from '#optimization/distances/floor.ts'
import { newWave, nodeAt, walksOf } from '#optimization/distances/grid-graph.ts'
import { shortestTour } from '#optimization/routes/tour.ts'

/** A cell of the map: its column from the west and its row from the north, both from 0. */
export type Spot = readonly [x: number, y: number]

export interface MapQuestion {
  /** One string per row: `#` and `x` are not walkable, `.` is, from `^ v < >` only the neighbour in its direction may be entered. */
  readonly grid: readonly string[]
  readonly depot: Spot
  readonly picks: readonly Spot[]
  /** End of the tour; by default the depot. */
  readonly end?: Spot | undefined
}

export interface MapTour {
  /** Every pick once, as it was given, in walking order. */
  readonly tour: Spot[]
  /** Steps from the depot over the picks back to it, or to the end. */
  readonly length: number
}

/** Proven up to 13 stops, close to the optimum beyond. Throws a RangeError with a sentence for the user. */
export function routeMap({ grid, depot, picks, end = depot }: MapQuestion): MapTour {
  const floor = floorOf(grid)
  const nameOf = ([x, y]: Spot) => y * floor.width + x
  checkSpot(floor, depot, 'depot')
  checkSpot(floor, end, 'end')
  const asked = new Map<number, Spot[]>()
  for (const [index, pick] of picks.entries()) {
    checkSpot(floor, pick, `picks[${index}]`)
    asked.set(nameOf(pick), [...(asked.get(nameOf(pick)) ?? []), pick])
  }

  // Place 0 is the depot and 1 the end; a pick may be at one of them.
  const places: Spot[] = [depot, end, ...[...asked.values()].map(([pick]) => pick!)]
  const steps = stepsBetween(
    floor,
    places.map(([x, y]) => ({ x, y })),
  )
  const between = (from: number, to: number) => steps[from * places.length + to] ?? 0
  for (const [place, spot] of places.entries()) {
    const name = place === 1 ? 'end' : `picks[${picks.findIndex(pick => nameOf(pick) === nameOf(spot))}]`
    if (between(0, place) === Number.POSITIVE_INFINITY) throw new RangeError(`No way leads from the depot to ${name} (${spot.join(', ')})`)
    if (between(place, 1) === Number.POSITIVE_INFINITY)
      throw new RangeError(`No way leads from ${place === 0 ? 'the depot' : name} (${spot.join(', ')}) to the end`)
  }

  const { order, length } = shortestTour(between, { start: 0, end: 1, stops: [...places.keys()].slice(2) })
  if (length === Number.POSITIVE_INFINITY) throw new RangeError('One-way cells leave no tour that comes to all picks')
  return { tour: order.flatMap(place => asked.get(nameOf(elementAt(places, place)))!), length }
}

/** A map without lengths: cells are one step long, and short rows are filled with rack. */
function floorOf(grid: readonly string[]): Floor {
  const width = Math.max(0, ...grid.map(row => row.length))
  const row = grid.findIndex(line => /[^.#x^v<>]/.test(line))
  if (row >= 0) throw new RangeError(`grid[${row}] holds a sign that means nothing; known are # x . ^ v < >`)
  if (width === 0) throw new RangeError('grid is empty')
  return { width, height: grid.length, cell_mm: 1000, cells: grid.map(line => line.padEnd(width, '#')), zones: [], stairs: [] }
}

function checkSpot(floor: Floor, [x, y]: Spot, name: string) {
  if (!Number.isInteger(x) || !Number.isInteger(y) || x < 0 || y < 0 || x >= floor.width || y >= floor.height)
    throw new RangeError(`${name} (${x}, ${y}) lies outside the grid of ${floor.width} × ${floor.height} cells`)
  if (!isWalkable(floor, { x, y }))
    throw new RangeError(`${name} (${x}, ${y}) is a shelf or blocked: name the cell in which the picker stands`)
}

function stepsBetween(floor: Floor, cells: readonly Cell[]): Float64Array {
  const walks = walksOf(floor)
  const nodes = cells.map(cell => nodeAt(walks, floor, cell))
  const wanted = new Uint8Array(walks.cellOf.length)
  for (const node of nodes) wanted[node] = 1
  const count = new Set(nodes).size
  const { distance, spread } = newWave(walks)
  const steps = new Float64Array(cells.length * cells.length)
  nodes.forEach((from, index) => {
    spread(from, wanted, count)
    nodes.forEach((to, other) => {
      const units = distance[to] ?? 0
      steps[index * cells.length + other] = units < 0 ? Number.POSITIVE_INFINITY : units
    })
  })
  return steps
}
