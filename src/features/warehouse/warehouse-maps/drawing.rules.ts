/** What can be said of a drawing without measuring it: what routes depend on, which cells matter, and what is wrong. */
import { accessOf, type Cell, isWalkable } from '#optimization/distances/floor.ts'
import { walksOf } from '#optimization/distances/grid-graph.ts'
import { binKey } from './bins.rules.ts'
import type { Drawing, Location } from './drawing.schemas.ts'
import { findingKinds } from './warehouse-maps.codes.ts'
import { listedFindings } from './warehouse-maps.contract.ts'
import type { Finding, FindingKind } from './warehouse-maps.schemas.ts'

/** More places to stand would make a file of distances too large to keep at hand: it grows with their square. */
export const mostCells = 8_000

const inside = ({ width, height }: Drawing, { x, y }: Cell): boolean => x >= 0 && y >= 0 && x < width && y < height

/**
 * The drawing as far as routes depend on it, as one text: names of places, titles and levels are not in it, nor the order
 * in which locations, zones and stairs were drawn. The same text walks the same.
 */
export function routingText({ width, height, cell_mm, cells, locations, starts, stations, zones, stairs }: Drawing): string {
  const sorted = (texts: string[]) => texts.sort()
  const places = (spots: readonly Cell[]) => spots.map(({ x, y }) => [x, y])
  return JSON.stringify([
    width,
    height,
    cell_mm,
    cells,
    sorted(locations.map(({ code, x, y, side }) => JSON.stringify([code, x, y, side]))),
    // The first start and the first station are those of the routes.
    places(starts),
    places(stations),
    sorted(zones.map(zone => JSON.stringify([zone.x, zone.y, zone.width, zone.height, zone.cost]))),
    sorted(stairs.map(({ from, to, metres, one_way }) => JSON.stringify([from.x, from.y, to.x, to.y, metres, one_way]))),
  ])
}

/** The cells between which ways are measured, each once: starts, stations, and wherever a location is picked from. */
export function measuredCells(drawing: Drawing): Cell[] {
  const known = new Map<number, Cell>()
  for (const cell of [...drawing.starts, ...drawing.stations, ...drawing.locations.map(accessOf)])
    if (inside(drawing, cell) && isWalkable(drawing, cell)) {
      const key = cell.y * drawing.width + cell.x
      if (!known.has(key)) known.set(key, { x: cell.x, y: cell.y })
    }
  return [...known.values()]
}

interface Item {
  text: string
  x: number | null
  y: number | null
}

/** Findings of the drawing alone; findings about products are added by the caller. */
export function findingsOf(drawing: Drawing): Finding[] {
  const { starts, stations, locations, stairs, zones } = drawing
  const found = new Map<FindingKind, Item[]>()
  const note = (kind: FindingKind, item: Item) => found.set(kind, [...(found.get(kind) ?? []), item])
  const notes = (kind: FindingKind, items: readonly Item[]) => items.length > 0 && found.set(kind, [...(found.get(kind) ?? []), ...items])
  const nowhere = { text: '', x: null, y: null }
  const at = ({ x, y }: Cell, text: string) => ({ text, x, y })
  const walkable = (cell: Cell) => inside(drawing, cell) && isWalkable(drawing, cell)

  if (starts.length === 0) note('no_start', nowhere)
  if (stations.length === 0) note('no_station', nowhere)
  if (locations.length === 0) note('no_locations', nowhere)

  const spots = [...starts, ...stations]
  const ends = stairs.flatMap(({ name, from, to }) => [at(from, name), at(to, name)])
  notes('outside', [
    ...locations.filter(one => !inside(drawing, one)).map(one => at(one, one.code)),
    ...spots.filter(one => !inside(drawing, one)).map(one => at(one, one.name)),
    ...ends.filter(one => !inside(drawing, one)),
    ...zones
      .filter(({ x, y, width, height }) => !inside(drawing, { x, y }) || !inside(drawing, { x: x + width - 1, y: y + height - 1 }))
      .map(one => at(one, one.name)),
  ])
  notes(
    'spot_not_walkable',
    spots.filter(one => inside(drawing, one) && !walkable(one)).map(one => at(one, one.name)),
  )
  notes(
    'stair_not_walkable',
    ends.filter(one => inside(drawing, one) && !walkable(one)),
  )

  const byKey = Map.groupBy(locations, one => binKey(one.code))
  notes(
    'duplicate',
    [...byKey.values()].flatMap(same => (same.length > 1 ? same.map(one => at(one, one.code)) : [])),
  )

  const placed = locations.filter(one => inside(drawing, one))
  const standing = placed.filter(one => walkable(accessOf(one)))
  notes(
    'no_access',
    placed.filter(one => !walkable(accessOf(one))).map(one => at(one, one.code)),
  )
  const [start] = starts
  if (start && walkable(start)) {
    const key = ({ x, y }: Cell) => y * drawing.width + x
    const reached = spread(drawing, start, 'from')
    const lost = (location: Location) => reached[key(accessOf(location))] === 0
    notes('unreachable', [
      ...standing.filter(lost).map(one => at(one, one.code)),
      ...stations.filter(one => walkable(one) && reached[key(one)] === 0).map(one => at(one, one.name)),
    ])
    const end = stations[0] ?? start
    if (walkable(end)) {
      const leading = spread(drawing, end, 'to')
      notes(
        'no_way_back',
        standing.filter(one => !lost(one) && leading[key(accessOf(one))] === 0).map(one => at(one, one.code)),
      )
    }
  }
  const cells = measuredCells(drawing).length
  if (cells > mostCells) note('too_many_cells', { ...nowhere, text: String(cells) })
  return [...found].map(([kind, items]) => findingOf(kind, items))
}

export const findingOf = (kind: FindingKind, items: readonly Finding['items'][number][], count = items.length): Finding => ({
  kind,
  severity: findingKinds[kind],
  count,
  items: items.slice(0, listedFindings),
})

/** 1 for every cell that can be walked to from `origin` (`from`), or from which `origin` can be walked to (`to`). */
function spread(drawing: Drawing, origin: Cell, way: 'from' | 'to'): Uint8Array {
  const { cellOf, nodeOf, first, to } = walksOf(drawing)
  const ways: number[][] = Array.from(cellOf, () => [])
  for (let node = 0; node < cellOf.length; node++)
    for (let edge = first[node] ?? 0; edge < (first[node + 1] ?? 0); edge++) {
      const next = to[edge] ?? 0
      if (way === 'from') ways[node]?.push(next)
      else ways[next]?.push(node)
    }
  const reached = new Uint8Array(drawing.width * drawing.height)
  const mark = (node: number) => {
    reached[cellOf[node] ?? 0] = 1
    queue.push(node)
  }
  const queue: number[] = []
  mark(nodeOf[origin.y * drawing.width + origin.x] ?? 0)
  for (let node = queue.pop(); node !== undefined; node = queue.pop())
    for (const next of ways[node] ?? []) if (reached[cellOf[next] ?? 0] === 0) mark(next)
  return reached
}
