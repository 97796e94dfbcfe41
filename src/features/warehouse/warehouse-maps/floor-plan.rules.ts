/** Drawing a floor as few large shapes: cells merged into rectangles, a walk as one line with arrows. Units are cells. */
import { elementAt, isKeyOf } from '#domain/objects.ts'
import type { Cell, Floor } from '#optimization/distances/floor.ts'

/** One path of rectangles over all cells whose sign is among `signs`. */
export function shapeOf(cells: readonly string[], signs: string): string {
  interface Run {
    left: number
    right: number
    top: number
  }
  let open = new Map<string, Run>()
  let path = ''
  const close = ({ left, right, top }: Run, bottom: number) => {
    path += `M${left} ${top}H${right}V${bottom}H${left}z`
  }
  for (let y = 0; y <= cells.length; y++) {
    const row = cells[y] ?? ''
    const next = new Map<string, Run>()
    for (let x = 0; x < row.length; x++) {
      if (!signs.includes(elementAt(row, x))) continue
      const left = x
      while (x < row.length && signs.includes(elementAt(row, x))) x++
      const key = `${left}-${x}`
      next.set(key, open.get(key) ?? { left, right: x, top: y })
    }
    for (const [key, run] of open) if (!next.has(key)) close(run, y)
    open = next
  }
  return path
}

const turns = { '^': [0, -1], v: [0, 1], '<': [-1, 0], '>': [1, 0] } as const

/** An arrow head around a point, `size` long. */
function arrow(x: number, y: number, right: number, down: number, size: number): string {
  const [tipX, tipY] = [x + (right * size) / 2, y + (down * size) / 2]
  const [backX, backY] = [x - (right * size) / 2, y - (down * size) / 2]
  const at = (value: number) => Number(value.toFixed(3))
  return `M${at(backX - (down * size) / 2)} ${at(backY + (right * size) / 2)}L${at(tipX)} ${at(tipY)}L${at(backX + (down * size) / 2)} ${at(backY - (right * size) / 2)}`
}

interface OneWay extends Cell {
  sign: keyof typeof turns
}

export function oneWayCells(cells: readonly string[]): OneWay[] {
  const found: OneWay[] = []
  for (const [y, row] of cells.entries()) for (const [x, sign] of [...row].entries()) if (isKeyOf(turns, sign)) found.push({ x, y, sign })
  return found
}

/** An arrow in each of these cells. */
export const oneWayArrows = (cells: readonly OneWay[]): string =>
  cells.map(({ x, y, sign }) => arrow(x + 0.5, y + 0.5, turns[sign][0], turns[sign][1], 0.44)).join('')

/** A square part of a large drawing, so that what is out of sight need not be drawn. */
export interface Tile {
  key: string
  x: number
  y: number
  path: string
}
/** Cells of a tile's side. */
export const tileSide = 24

export function tilesOf<T extends Cell>(items: readonly T[], draw: (items: readonly T[]) => string): Tile[] {
  const place = (value: number) => Math.floor(value / tileSide)
  return [...Map.groupBy(items, one => `${place(one.x)} ${place(one.y)}`)].map(([key, some]) => ({
    key,
    x: place(elementAt(some, 0).x) * tileSide,
    y: place(elementAt(some, 0).y) * tileSide,
    path: draw(some),
  }))
}

const openings = {
  n: [0.14, 0.06, 0.72, 0.13],
  s: [0.14, 0.81, 0.72, 0.13],
  w: [0.06, 0.14, 0.13, 0.72],
  e: [0.81, 0.14, 0.13, 0.72],
} as const

/** The side from which each location is picked, as a bar along it; levels lie over one another. */
export function pickSides(locations: readonly { x: number; y: number; side: 'n' | 'e' | 's' | 'w' }[]): string {
  const drawn = new Set<string>()
  let path = ''
  for (const { x, y, side } of locations) {
    const key = `${x}.${y}.${side}`
    if (drawn.has(key)) continue
    drawn.add(key)
    const [left, top, width, height] = openings[side]
    path += `M${x + left} ${y + top}h${width}v${height}h${-width}z`
  }
  return path
}

export interface WalkPicture {
  line: string
  /** Jumps over stairs. */
  jumps: string
  arrows: string
}

/** How far from the middle of an aisle a walk is drawn, so that the way there and the way back lie beside each other. */
const beside = 0.17

/** A walk over neighbouring cells, drawn on the right-hand side; where two cells are no neighbours, stairs lie between them. */
export function walkPicture(path: readonly Cell[], { every = 4, size = 0.42 } = {}): WalkPicture {
  const picture: WalkPicture = { line: '', jumps: '', arrows: '' }
  const at = (value: number) => Number(value.toFixed(3))
  let since = every / 2
  let pen: string | null = null
  for (let i = 0; i + 1 < path.length; i++) {
    const [from, to] = [elementAt(path, i), elementAt(path, i + 1)]
    const [right, down] = [to.x - from.x, to.y - from.y]
    const [x, y, endX, endY] = [from.x + 0.5, from.y + 0.5, to.x + 0.5, to.y + 0.5]
    if (Math.abs(right) + Math.abs(down) !== 1) {
      picture.jumps += `M${x} ${y}L${endX} ${endY}`
      pen = null
      continue
    }
    const [offX, offY] = [-down * beside, right * beside]
    const begin = `${at(x + offX)} ${at(y + offY)}`
    picture.line += `${pen === null ? 'M' : 'L'}${begin}L${at(endX + offX)} ${at(endY + offY)}`
    pen = begin
    since++
    if (since >= every) {
      since = 0
      picture.arrows += arrow((x + endX) / 2 + offX, (y + endY) / 2 + offY, right, down, size)
    }
  }
  return picture
}

/** Cuts a walk at its stops: part `i` leads to stop `i`, the last one to the end. Stops that are not on the map have none. */
export function legsOf(path: readonly Cell[], stops: readonly { x: number | null; y: number | null }[]): Cell[][] {
  const legs: Cell[][] = []
  let at = 0
  for (const { x, y } of stops) {
    if (x === null || y === null) {
      legs.push([])
      continue
    }
    const there = path.findIndex((cell, i) => i >= at && cell.x === x && cell.y === y)
    if (there < 0) {
      legs.push([])
      continue
    }
    legs.push(path.slice(at, there + 1))
    at = there
  }
  legs.push(path.slice(at))
  return legs
}

const turnedSigns: Record<string, string> = { '^': '>', '>': 'v', v: '<', '<': '^' }

interface Turnable {
  floor: Floor & {
    starts: readonly NamedCell[]
    stations: readonly NamedCell[]
    stairs: readonly (Floor['stairs'][number] & { name: string })[]
  }
  stops: readonly { x: number | null; y: number | null }[]
  path: readonly Cell[]
}
interface NamedCell extends Cell {
  readonly name: string
}

/** A quarter turn to the right, so that a wide floor fills a tall phone. */
export function turned<R extends Turnable>(route: R): R {
  const { width, height, cells, starts, stations, zones, stairs } = route.floor
  const cell = <T extends Cell>(one: T): T => ({ ...one, x: height - 1 - one.y, y: one.x })
  return {
    ...route,
    floor: {
      ...route.floor,
      width: height,
      height: width,
      cells: Array.from({ length: width }, (_, x) =>
        Array.from({ length: height }, (_, i) => {
          const sign = cells[height - 1 - i]?.[x] ?? '.'
          return turnedSigns[sign] ?? sign
        }).join(''),
      ),
      starts: starts.map(cell),
      stations: stations.map(cell),
      zones: zones.map(zone => ({ ...zone, x: height - zone.y - zone.height, y: zone.x, width: zone.height, height: zone.width })),
      stairs: stairs.map(stair => ({ ...stair, from: cell(stair.from), to: cell(stair.to) })),
    },
    stops: route.stops.map(stop => (stop.x === null || stop.y === null ? stop : { ...stop, ...cell({ x: stop.x, y: stop.y }) })),
    path: route.path.map(cell),
  }
}
