/** Walking by a measured map: through which cells, how far, and how well a map does on what was really picked. */
import { elementAt } from '#domain/objects.ts'
import { binIndex, byBinText } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import type { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { type Distances, decode, pathBetween } from '#optimization/distances/distances.ts'
import { accessOf, type Cell } from '#optimization/distances/floor.ts'
import { shortestTour, type Tour } from '#optimization/routes/tour.ts'
import type { Quality } from './map-results.schemas.ts'

/** A measured map, ready to walk by. Cells are indices into `distances.cells`. */
export interface ActiveMap {
  result_id: number
  map_id: number
  hash: string
  drawing: Drawing
  distances: Distances
  /** The cell from which a bin is picked; null where the map does not have the bin. Exact text first, then whatever case and blanks. */
  cellOfBin(bin: string): number | null
  /** Where wagons start, and the station at which they end (the start where there is none). */
  start: number
  end: number
}

export interface MeasuredMap {
  result_id: number
  map_id: number
  drawing: Drawing
  /** As `encode` wrote them. */
  bytes: Uint8Array
}

/** A drawing and its measured distances, joined. */
export function walkable({ result_id, map_id, drawing, bytes }: MeasuredMap): ActiveMap {
  const distances = decode(bytes)
  const at = new Map(distances.cells.map(({ x, y }, i) => [y * drawing.width + x, i]))
  const indexOf = ({ x, y }: Cell) => at.get(y * drawing.width + x)
  const cellOf = binIndex(
    drawing.locations.flatMap(location => {
      const cell = indexOf(accessOf(location))
      return cell === undefined ? [] : [[location.code, cell] as const]
    }),
  )
  const start = drawing.starts[0] && indexOf(drawing.starts[0])
  if (start === undefined) throw new Error(`The result ${result_id} does not know its own start`)
  const station = drawing.stations[0] && indexOf(drawing.stations[0])
  return {
    result_id,
    map_id,
    hash: distances.hash,
    drawing,
    distances,
    cellOfBin: bin => cellOf(bin) ?? null,
    start,
    end: station ?? start,
  }
}

type Walkable = Pick<ActiveMap, 'distances' | 'cellOfBin' | 'start' | 'end'>

export interface Walk {
  /** In the order of the walk; bins in the order of their text. */
  stops: { cell: number; bins: string[] }[]
  /** Decimetres from the start through all stops to the end. */
  dm: number
  proven: boolean
  /** Bins that are not on the map, and bins to which no way leads, or from which none leads on. */
  off_map: string[]
  no_way: string[]
}

/** Decimetres of start → cells → end. */
export function lengthOf({ distances, start, end }: Walkable, cells: readonly number[]): number {
  let sum = 0
  let at = start
  for (const cell of [...cells, end]) {
    sum += distances.between(at, cell)
    at = cell
  }
  return sum
}

/** The bins' cells, each once, without those that cannot be walked to and away from. */
function places(map: Walkable, bins: readonly string[]): Pick<Walk, 'off_map' | 'no_way'> & { byCell: Map<number, string[]> } {
  const byCell = new Map<number, string[]>()
  const off_map: string[] = []
  const no_way: string[] = []
  for (const bin of [...new Set(bins)].sort(byBinText)) {
    const cell = map.cellOfBin(bin)
    if (cell === null) off_map.push(bin)
    else if (!Number.isFinite(map.distances.between(map.start, cell)) || !Number.isFinite(map.distances.between(cell, map.end)))
      no_way.push(bin)
    else byCell.set(cell, [...(byCell.get(cell) ?? []), bin])
  }
  return { byCell, off_map, no_way }
}

/** The shortest walk through some bins, or one close to it where they are many. The same for the same map and bins. */
export function walkThrough(map: Walkable, bins: readonly string[]): Walk {
  const { byCell, off_map, no_way } = places(map, bins)
  const { order, length, proven } = tourOf(map, [...byCell.keys()])
  return { stops: order.map(cell => ({ cell, bins: byCell.get(cell) ?? [] })), dm: length, proven, off_map, no_way }
}

export const tourOf = ({ distances, start, end }: Walkable, cells: readonly number[]): Tour =>
  shortestTour((from, to) => distances.between(from, to), { start, end, stops: cells })

/** Decimetres of the walk that follows the bins' texts: what people do without a map. */
export function lengthByBinText(map: Walkable, bins: readonly string[]): number {
  // The map keeps the order in which cells came first, which is that of the texts.
  return lengthOf(map, [...places(map, bins).byCell.keys()])
}

/** What one wagon's walk visited (or, where no lists were made, what ten orders asked for). */
export interface PastWalk {
  day: string
  lines: { product_id: number | null; bin: string }[]
}

/** Past walks of a time, and what they come from. */
export interface PastWalks {
  from: Quality['from']
  since: string
  until: string
  walks: PastWalk[]
}

export const metres = (dm: number): number => Math.round(dm) / 10
/** A walk of 60 stops takes up to 20 ms to plan, by two maps. */
const mostWalks = 150

/** Enough walks to judge by, spread evenly over all of them. */
export function sampled<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all]
  return Array.from({ length: most }, (_, i) => elementAt(all, Math.floor((i * all.length) / most)))
}

/**
 * How `map` walks what was walked: compared on the bins that both maps know, so that a map does not look better for
 * knowing less.
 */
export function qualityOf(
  map: Walkable,
  active: Walkable | null,
  past: { from: Quality['from']; since: string; until: string; walks: readonly PastWalk[] },
): Quality {
  const { from, since, until } = past
  const quality: Quality = {
    from,
    since,
    until,
    walks: 0,
    stops: 0,
    metres: 0,
    active_metres: active && 0,
    bin_order_metres: 0,
    off_map: 0,
    no_way: 0,
  }
  const missing = { off_map: new Set<string>(), no_way: new Set<string>() }
  let [dm, activeDm, textDm] = [0, 0, 0]
  for (const { lines } of sampled(past.walks, mostWalks)) {
    const bins = [...new Set(lines.map(line => line.bin))]
    const all = places(map, bins)
    for (const bin of all.off_map) missing.off_map.add(bin)
    for (const bin of all.no_way) missing.no_way.add(bin)
    const known = [...all.byCell.values()].flat()
    const there = active && places(active, known)
    const common = there ? [...there.byCell.values()].flat() : known
    if (common.length === 0) continue
    const walk = walkThrough(map, common)
    const byText = lengthByBinText(map, common)
    if (!Number.isFinite(walk.dm) || !Number.isFinite(byText)) continue
    quality.walks++
    quality.stops += walk.stops.length
    dm += walk.dm
    textDm += byText
    if (active) activeDm += walkThrough(active, common).dm
  }
  return {
    ...quality,
    metres: metres(dm),
    active_metres: active && metres(activeDm),
    bin_order_metres: metres(textDm),
    off_map: missing.off_map.size,
    no_way: missing.no_way.size,
  }
}

export const cellAt = ({ distances }: ActiveMap, cell: number): { x: number; y: number } => elementAt(distances.cells, cell)

/** Every cell from the start over these to the end. */
export function pathThrough(map: ActiveMap, cells: readonly number[]): Cell[] {
  const path: Cell[] = []
  let at = map.start
  for (const cell of [...cells, map.end]) {
    const way = pathBetween(map.drawing, cellAt(map, at), cellAt(map, cell))
    path.push(...(path.length === 0 ? way : way.slice(1)))
    at = cell
  }
  return path
}
