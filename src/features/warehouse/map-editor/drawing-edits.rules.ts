/** Changing a drawing by hand: every change makes a new drawing that shares with the old one whatever it left alone. */
import { elementAt, isOneOf } from '#domain/objects.ts'
import { binKey } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import { drawingLimits } from '#features/warehouse/warehouse-maps/drawing.codes.ts'
import type { Drawing, Location, Side, Spot, Stair, Zone } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { accessOf, type Cell, isWalkable } from '#optimization/distances/floor.ts'

const kinds = ['.', '#', 'x', '^', 'v', '<', '>'] as const
export type Kind = (typeof kinds)[number]

/** A rectangle of cells. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const areaBetween = (a: Cell, b: Cell): Area => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x) + 1,
  height: Math.abs(a.y - b.y) + 1,
})
export const isWithin = (area: Area, { x, y }: Cell): boolean =>
  x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height

/** What of an area lies on the grid. */
export function clipped({ width, height }: Pick<Drawing, 'width' | 'height'>, area: Area): Area | null {
  const x = Math.max(0, area.x)
  const y = Math.max(0, area.y)
  const right = Math.min(width, area.x + area.width)
  const bottom = Math.min(height, area.y + area.height)
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null
}

export function boxOf(cells: Iterable<Cell | Area>): Area | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const one of cells) {
    left = Math.min(left, one.x)
    top = Math.min(top, one.y)
    right = Math.max(right, one.x + ('width' in one ? one.width : 1))
    bottom = Math.max(bottom, one.y + ('height' in one ? one.height : 1))
  }
  return right > left ? { x: left, y: top, width: right - left, height: bottom - top } : null
}

function* cellsOf(area: Area): Generator<Cell> {
  for (let y = area.y; y < area.y + area.height; y++) for (let x = area.x; x < area.x + area.width; x++) yield { x, y }
}

/** The cells of a straight stroke, both ends included (Bresenham). */
export function lineBetween(from: Cell, to: Cell): Cell[] {
  const cells: Cell[] = []
  const [wide, high] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
  const [right, down] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)]
  let { x, y } = from
  let error = wide - high
  for (;;) {
    cells.push({ x, y })
    if (x === to.x && y === to.y) return cells
    const twice = 2 * error
    if (twice > -high) {
      error -= high
      x += right
    }
    if (twice < wide) {
      error += wide
      y += down
    }
  }
}

/** Where a stroke from one cell to another points. */
export function directionOf(from: Cell, to: Cell): '^' | 'v' | '<' | '>' {
  const [right, down] = [to.x - from.x, to.y - from.y]
  if (Math.abs(right) >= Math.abs(down)) return right < 0 ? '<' : '>'
  return down < 0 ? '^' : 'v'
}

export function kindAt({ cells }: Pick<Drawing, 'cells'>, { x, y }: Cell): Kind | undefined {
  const sign = cells[y]?.[x]
  return isOneOf(kinds, sign) ? sign : undefined
}

const inside = ({ width, height }: Pick<Drawing, 'width' | 'height'>, { x, y }: Cell): boolean =>
  x >= 0 && y >= 0 && x < width && y < height
const keyOf = ({ width }: Pick<Drawing, 'width'>, { x, y }: Cell): number => y * width + x

/** Cells as keys: what is chosen may have any shape. */
export type Mask = ReadonlySet<number>

export function maskOf(drawing: Pick<Drawing, 'width' | 'height'>, areas: Iterable<Area>): Mask {
  const mask = new Set<number>()
  for (const area of areas) {
    const part = clipped(drawing, area)
    if (part) for (const cell of cellsOf(part)) mask.add(keyOf(drawing, cell))
  }
  return mask
}

export const maskOfCells = (drawing: Drawing, cells: Iterable<Cell>): Mask =>
  new Set([...cells].filter(cell => inside(drawing, cell)).map(cell => keyOf(drawing, cell)))

const has = (drawing: Drawing, mask: Mask, cell: Cell): boolean => inside(drawing, cell) && mask.has(keyOf(drawing, cell))

/** Writes signs into the grid; rows without a change stay the same strings. */
function written(drawing: Drawing, signs: Iterable<readonly [Cell, string]>): string[] {
  const rows = new Map<number, string[]>()
  for (const [cell, sign] of signs) {
    if (!inside(drawing, cell) || drawing.cells[cell.y]?.[cell.x] === sign) continue
    let row = rows.get(cell.y)
    if (!row) {
      row = [...elementAt(drawing.cells, cell.y)]
      rows.set(cell.y, row)
    }
    row[cell.x] = sign
  }
  return rows.size === 0 ? drawing.cells : drawing.cells.map((row, y) => rows.get(y)?.join('') ?? row)
}

function without<T>(all: T[], isGone: (one: T) => boolean): T[] {
  return all.some(isGone) ? all.filter(one => !isGone(one)) : all
}

/** Every cell of the mask becomes `kind`. Where a rack goes, its locations go with it. */
export function painted(drawing: Drawing, mask: Mask, kind: Kind): Drawing {
  const cells = written(
    drawing,
    [...mask].map(key => [{ x: key % drawing.width, y: Math.floor(key / drawing.width) }, kind] as const),
  )
  const locations = kind === '#' ? drawing.locations : without(drawing.locations, one => has(drawing, mask, one))
  return cells === drawing.cells && locations === drawing.locations ? drawing : { ...drawing, cells, locations }
}

export interface NewLocations {
  sides: readonly Side[]
  /** Only where somebody can stand. */
  besideAisles: boolean
  lowest: number
  levels: number
}

const places = (one: Pick<Location, 'x' | 'y' | 'side' | 'level'>): string => `${one.x}.${one.y}.${one.side}.${one.level}`

/** Locations on these sides and levels of every cell of the mask. Floor that was free becomes a rack; what is there already stays. */
export function withLocations(drawing: Drawing, mask: Mask, { sides, besideAisles, lowest, levels }: NewLocations): Drawing {
  const cells = [...mask].sort((a, b) => a - b).map(key => ({ x: key % drawing.width, y: Math.floor(key / drawing.width) }))
  const racked = {
    ...drawing,
    cells: written(
      drawing,
      cells.flatMap(cell => (kindAt(drawing, cell) === '.' ? [[cell, '#'] as const] : [])),
    ),
  }
  const there = new Set(drawing.locations.map(places))
  const codes = codesOf(drawing.locations)
  const added: Location[] = []
  for (const cell of cells)
    for (const side of sides) {
      if (besideAisles && !isWalkable(racked, accessOf({ ...cell, side }))) continue
      for (let level = lowest; level < lowest + levels && drawing.locations.length + added.length < drawingLimits.locations; level++) {
        const place = { ...cell, side, level }
        if (!there.has(places(place))) added.push({ code: freeCode(codes, places(place).toUpperCase()), ...place })
      }
    }
  if (added.length === 0) return drawing
  return { ...racked, cells: racked.cells, locations: [...drawing.locations, ...added] }
}

/** A rack over the whole area, with locations along its chosen sides. */
export function withRack(drawing: Drawing, area: Area, locations: NewLocations | null): Drawing {
  const part = clipped(drawing, area)
  if (!part) return drawing
  const bare = painted(drawing, maskOf(drawing, [part]), '#')
  if (!locations) return bare
  const edges: Record<Side, Area> = {
    n: { ...part, height: 1 },
    s: { ...part, y: part.y + part.height - 1, height: 1 },
    w: { ...part, width: 1 },
    e: { ...part, x: part.x + part.width - 1, width: 1 },
  }
  return locations.sides.reduce((so, side) => withLocations(so, maskOf(so, [edges[side]]), { ...locations, sides: [side] }), bare)
}

const codesOf = (locations: readonly Location[]): Set<string> => new Set(locations.map(one => binKey(one.code)))

/** `wanted`, or something like it that no location has yet. */
function freeCode(taken: Set<string>, wanted: string): string {
  let code = wanted
  for (let i = 2; taken.has(binKey(code)); i++) code = `${wanted.slice(0, 34)}+${i}`
  taken.add(binKey(code))
  return code
}

/** A piece of a drawing, with coordinates of its own. */
export interface Piece {
  readonly width: number
  readonly height: number
  /** A blank is not part of the piece. */
  readonly cells: readonly string[]
  readonly locations: readonly Location[]
  readonly starts: readonly Spot[]
  readonly stations: readonly Spot[]
  readonly zones: readonly Zone[]
  readonly stairs: readonly Stair[]
  /** Where it was taken. */
  readonly from: Cell
}

const shifted = <T extends Cell>(one: T, right: number, down: number): T => ({ ...one, x: one.x + right, y: one.y + down })

export function copied(drawing: Drawing, mask: Mask): Piece | null {
  const all = [...mask].map(key => ({ x: key % drawing.width, y: Math.floor(key / drawing.width) }))
  const box = boxOf(all)
  if (!box) return null
  const rows: string[] = []
  for (let y = box.y; y < box.y + box.height; y++) {
    let row = ''
    for (let x = box.x; x < box.x + box.width; x++) row += mask.has(keyOf(drawing, { x, y })) ? drawing.cells[y]?.[x] : ' '
    rows.push(row)
  }
  const here = <T extends Cell>(some: readonly T[]): T[] =>
    some.filter(one => has(drawing, mask, one)).map(one => shifted(one, -box.x, -box.y))
  return {
    width: box.width,
    height: box.height,
    cells: rows,
    locations: here(drawing.locations),
    starts: here(drawing.starts),
    stations: here(drawing.stations),
    zones: drawing.zones.filter(zone => isCovered(drawing, mask, zone)).map(zone => shifted(zone, -box.x, -box.y)),
    stairs: drawing.stairs
      .filter(({ from, to }) => has(drawing, mask, from) && has(drawing, mask, to))
      .map(stair => ({ ...stair, from: shifted(stair.from, -box.x, -box.y), to: shifted(stair.to, -box.x, -box.y) })),
    from: { x: box.x, y: box.y },
  }
}

function isCovered(drawing: Drawing, mask: Mask, area: Area): boolean {
  if (area.width * area.height > mask.size) return false
  for (const cell of cellsOf(area)) if (!has(drawing, mask, cell)) return false
  return true
}

/** Floor where the mask was; what stood there is gone, and zones that lay within it. */
export function cleared(drawing: Drawing, mask: Mask): Drawing {
  const bare = painted(drawing, mask, '.')
  const isGone = (cell: Cell) => has(drawing, mask, cell)
  const starts = without(drawing.starts, isGone)
  const stations = without(drawing.stations, isGone)
  const zones = without(drawing.zones, zone => isCovered(drawing, mask, zone))
  const stairs = without(drawing.stairs, ({ from, to }) => isGone(from) || isGone(to))
  if (
    bare === drawing &&
    starts === drawing.starts &&
    stations === drawing.stations &&
    zones === drawing.zones &&
    stairs === drawing.stairs
  )
    return drawing
  return { ...bare, starts, stations, zones, stairs }
}

/** Lays a piece onto the drawing. Codes that are there already get another; what does not fit on the grid is left out. */
export function pasted(drawing: Drawing, piece: Piece, at: Cell): Drawing {
  const signs: [Cell, string][] = []
  const covered = new Set<number>()
  for (const [y, row] of piece.cells.entries())
    for (const [x, sign] of [...row].entries()) {
      const cell = { x: at.x + x, y: at.y + y }
      if (sign === ' ' || !inside(drawing, cell)) continue
      signs.push([cell, sign])
      covered.add(keyOf(drawing, cell))
    }
  const kept = without(drawing.locations, one => has(drawing, covered, one))
  const codes = codesOf(kept)
  const arrives = <T extends Cell>(some: readonly T[]): T[] => some.map(one => shifted(one, at.x, at.y)).filter(one => inside(drawing, one))
  const free = drawingLimits.locations - kept.length
  const stairs = piece.stairs
    .map(stair => ({ ...stair, from: shifted(stair.from, at.x, at.y), to: shifted(stair.to, at.x, at.y) }))
    .filter(({ from, to }) => inside(drawing, from) && inside(drawing, to))
  const zones = piece.zones.flatMap(zone => {
    const part = clipped(drawing, shifted(zone, at.x, at.y))
    return part ? [{ ...zone, ...part }] : []
  })
  return {
    ...drawing,
    cells: written(drawing, signs),
    locations: [
      ...kept,
      ...arrives(piece.locations)
        .slice(0, free)
        .map(one => ({ ...one, code: freeCode(codes, one.code) })),
    ],
    starts: [...drawing.starts, ...arrives(piece.starts)].slice(0, drawingLimits.places),
    stations: [...drawing.stations, ...arrives(piece.stations)].slice(0, drawingLimits.places),
    zones: [...drawing.zones, ...zones].slice(0, drawingLimits.zones),
    stairs: [...drawing.stairs, ...stairs].slice(0, drawingLimits.stairs),
  }
}

/** Moves what the mask holds; it stays on the grid. Answers how far it went. */
export function moved(drawing: Drawing, mask: Mask, right: number, down: number): { drawing: Drawing; right: number; down: number } {
  const piece = copied(drawing, mask)
  if (!piece) return { drawing, right: 0, down: 0 }
  const x = Math.min(Math.max(0, piece.from.x + right), drawing.width - piece.width)
  const y = Math.min(Math.max(0, piece.from.y + down), drawing.height - piece.height)
  const by = { right: x - piece.from.x, down: y - piece.from.y }
  return by.right === 0 && by.down === 0 ? { drawing, ...by } : { drawing: pasted(cleared(drawing, mask), piece, { x, y }), ...by }
}

const flippedSigns: Record<'horizontal' | 'vertical', Readonly<Record<string, string>>> = {
  horizontal: { '<': '>', '>': '<' },
  vertical: { '^': 'v', v: '^' },
}
const flippedSides = { horizontal: { e: 'w', w: 'e', n: 'n', s: 's' }, vertical: { n: 's', s: 'n', e: 'e', w: 'w' } } as const

/** As in a mirror: `horizontal` swaps left and right, `vertical` top and bottom. Arrows and sides turn with it. */
function flipped(piece: Piece, way: 'horizontal' | 'vertical'): Piece {
  const sign = (one: string): string => flippedSigns[way][one] ?? one
  const rows = piece.cells.map(row => [...row].map(sign))
  const at = <T extends Cell>(one: T, width = 1, height = 1): T =>
    way === 'horizontal' ? { ...one, x: piece.width - one.x - width } : { ...one, y: piece.height - one.y - height }
  return {
    ...piece,
    cells: (way === 'horizontal' ? rows.map(row => row.reverse()) : rows.reverse()).map(row => row.join('')),
    locations: piece.locations.map(one => ({ ...at(one), side: flippedSides[way][one.side] })),
    starts: piece.starts.map(one => at(one)),
    stations: piece.stations.map(one => at(one)),
    zones: piece.zones.map(one => at(one, one.width, one.height)),
    stairs: piece.stairs.map(one => ({ ...one, from: at(one.from), to: at(one.to) })),
  }
}

export function mirrored(drawing: Drawing, mask: Mask, way: 'horizontal' | 'vertical'): Drawing {
  const piece = copied(drawing, mask)
  return piece ? pasted(cleared(drawing, mask), flipped(piece, way), piece.from) : drawing
}

export interface Rack {
  cells: Cell[]
  box: Area
}

/** Racks that the mask touches, each whole: rack cells that hang together by their sides. */
export function racksAt(drawing: Drawing, mask: Mask): Rack[] {
  const seen = new Set<number>()
  const racks: Rack[] = []
  for (const key of [...mask].sort((a, b) => a - b)) {
    const first = { x: key % drawing.width, y: Math.floor(key / drawing.width) }
    if (seen.has(key) || kindAt(drawing, first) !== '#') continue
    const cells: Cell[] = []
    const queue = [first]
    seen.add(key)
    for (let cell = queue.pop(); cell; cell = queue.pop()) {
      cells.push(cell)
      for (const side of ['n', 'e', 's', 'w'] as const) {
        const next = accessOf({ ...cell, side })
        if (kindAt(drawing, next) !== '#' || !inside(drawing, next) || seen.has(keyOf(drawing, next))) continue
        seen.add(keyOf(drawing, next))
        queue.push(next)
      }
    }
    racks.push({ cells, box: boxOf(cells) as Area })
  }
  return racks
}

export type Edge = 'left' | 'right' | 'top' | 'bottom'

/** Racks to a common edge; null where they would lie over one another or over another rack. */
export function aligned(drawing: Drawing, racks: readonly Rack[], edge: Edge): Drawing | null {
  const box = boxOf(racks.map(rack => rack.box))
  if (!box) return drawing
  return placed(
    drawing,
    racks.map(rack => ({
      rack,
      right: edge === 'left' ? box.x - rack.box.x : edge === 'right' ? box.x + box.width - rack.box.x - rack.box.width : 0,
      down: edge === 'top' ? box.y - rack.box.y : edge === 'bottom' ? box.y + box.height - rack.box.y - rack.box.height : 0,
    })),
  )
}

/** The same gap between one rack and the next; the outer two stay. Null where they do not fit. */
export function distributed(drawing: Drawing, racks: readonly Rack[], way: 'horizontal' | 'vertical'): Drawing | null {
  const [at, size] = way === 'horizontal' ? (['x', 'width'] as const) : (['y', 'height'] as const)
  const sorted = racks.toSorted((a, b) => a.box[at] - b.box[at])
  const box = boxOf(racks.map(rack => rack.box))
  if (!box || sorted.length < 3) return drawing
  const gaps = box[size] - sorted.reduce((sum, rack) => sum + rack.box[size], 0)
  if (gaps < 0) return null
  let next: number = box[at]
  return placed(
    drawing,
    sorted.map(rack => {
      const by = Math.round(next) - rack.box[at]
      next += rack.box[size] + gaps / (sorted.length - 1)
      return { rack, right: way === 'horizontal' ? by : 0, down: way === 'vertical' ? by : 0 }
    }),
  )
}

function placed(drawing: Drawing, moves: readonly { rack: Rack; right: number; down: number }[]): Drawing | null {
  const masks = moves.map(({ rack }) => maskOfCells(drawing, rack.cells))
  const pieces = masks.map(mask => copied(drawing, mask))
  const bare = masks.reduce(cleared, drawing)
  const taken = new Set<number>()
  for (const { rack, right, down } of moves)
    for (const cell of rack.cells) {
      const there = shifted(cell, right, down)
      const key = keyOf(drawing, there)
      if (!inside(drawing, there) || taken.has(key) || kindAt(bare, there) === '#') return null
      taken.add(key)
    }
  if (moves.every(({ right, down }) => right === 0 && down === 0)) return drawing
  return moves.reduce((so, { right, down }, i) => {
    const piece = pieces[i]
    return piece ? pasted(so, piece, shifted(piece.from, right, down)) : so
  }, bare)
}

type Axis = 'x' | 'y'
const sizes = { x: 'width', y: 'height' } as const

/** Rows (`y`) or columns (`x`) of floor before place `at`; everything from there on moves away. */
export function inserted(drawing: Drawing, axis: Axis, at: number, count: number): Drawing {
  const size = sizes[axis]
  const more = Math.min(count, drawingLimits.side - drawing[size])
  if (more <= 0) return drawing
  const away = <T extends Cell>(one: T): T => (one[axis] >= at ? { ...one, [axis]: one[axis] + more } : one)
  const cells =
    axis === 'x'
      ? drawing.cells.map(row => row.slice(0, at) + '.'.repeat(more) + row.slice(at))
      : drawing.cells.toSpliced(at, 0, ...Array.from({ length: more }, () => '.'.repeat(drawing.width)))
  return {
    ...drawing,
    [size]: drawing[size] + more,
    cells,
    locations: drawing.locations.map(away),
    starts: drawing.starts.map(away),
    stations: drawing.stations.map(away),
    // A zone around the place grows with it.
    zones: drawing.zones.map(zone =>
      zone[axis] < at && zone[axis] + zone[size] > at ? { ...zone, [size]: zone[size] + more } : away(zone),
    ),
    stairs: drawing.stairs.map(stair => ({ ...stair, from: away(stair.from), to: away(stair.to) })),
  }
}

/** Takes rows (`y`) or columns (`x`) out, with everything in them. At least two stay. */
export function removed(drawing: Drawing, axis: Axis, at: number, count: number): Drawing {
  const size = sizes[axis]
  const less = Math.min(count, drawing[size] - at, drawing[size] - 2)
  if (less <= 0) return drawing
  const end = at + less
  const stays = (one: Cell) => one[axis] < at || one[axis] >= end
  const nearer = <T extends Cell>(one: T): T => (one[axis] >= end ? { ...one, [axis]: one[axis] - less } : one)
  const cells = axis === 'x' ? drawing.cells.map(row => row.slice(0, at) + row.slice(end)) : drawing.cells.toSpliced(at, less)
  return {
    ...drawing,
    [size]: drawing[size] - less,
    cells,
    locations: drawing.locations.filter(stays).map(nearer),
    starts: drawing.starts.filter(stays).map(nearer),
    stations: drawing.stations.filter(stays).map(nearer),
    zones: drawing.zones.flatMap(zone => {
      const lost = Math.max(0, Math.min(end, zone[axis] + zone[size]) - Math.max(at, zone[axis]))
      if (lost === zone[size]) return []
      const first = zone[axis] < at ? zone[axis] : Math.max(zone[axis], end) - less
      return [{ ...zone, [axis]: first, [size]: zone[size] - lost }]
    }),
    stairs: drawing.stairs
      .filter(({ from, to }) => stays(from) && stays(to))
      .map(stair => ({ ...stair, from: nearer(stair.from), to: nearer(stair.to) })),
  }
}

/** Grows and shrinks at the right and at the bottom. */
export function resized(drawing: Drawing, width: number, height: number): Drawing {
  const along = (so: Drawing, axis: Axis, wanted: number): Drawing => {
    const now = so[sizes[axis]]
    const size = Math.min(drawingLimits.side, Math.max(2, wanted))
    return size > now ? inserted(so, axis, now, size - now) : size < now ? removed(so, axis, size, now - size) : so
  }
  return along(along(drawing, 'x', width), 'y', height)
}

type Things = 'locations' | 'starts' | 'stations' | 'zones' | 'stairs'
type ThingOf<K extends Things> = Drawing[K][number]

export const mostOf: Record<Things, number> = {
  locations: drawingLimits.locations,
  starts: drawingLimits.places,
  stations: drawingLimits.places,
  zones: drawingLimits.zones,
  stairs: drawingLimits.stairs,
}

export const withThing = <K extends Things>(drawing: Drawing, kind: K, thing: ThingOf<K>): Drawing =>
  drawing[kind].length < mostOf[kind] ? { ...drawing, [kind]: [...drawing[kind], thing] } : drawing

export const changedThing = <K extends Things>(drawing: Drawing, kind: K, index: number, change: Partial<ThingOf<K>>): Drawing =>
  index in drawing[kind] ? { ...drawing, [kind]: drawing[kind].with(index, { ...drawing[kind][index], ...change } as never) } : drawing

export const withoutThing = (drawing: Drawing, kind: Things, index: number): Drawing =>
  index in drawing[kind] ? { ...drawing, [kind]: drawing[kind].toSpliced(index, 1) } : drawing

/** `Zone 3`: a name that none of these has. */
export function nextName(taken: readonly { name: string }[], word: string): string {
  const names = new Set(taken.map(one => one.name.toLowerCase()))
  for (let i = 1; ; i++) {
    const name = `${word} ${i}`
    if (!names.has(name.toLowerCase())) return name
  }
}

export interface Overlap {
  kind: 'same_place' | 'on_floor'
  items: { text: string; x: number; y: number }[]
}

/** What can be meant, but seldom is: two locations in one place, and locations that lie where people walk. */
export function oddPlaces(drawing: Drawing): Overlap[] {
  const item = ({ code, x, y }: Location) => ({ text: code, x, y })
  const same = [...Map.groupBy(drawing.locations, places).values()].filter(some => some.length > 1).flat()
  const walked = drawing.locations.filter(one => isWalkable(drawing, one))
  const odd: Overlap[] = [
    { kind: 'same_place', items: same.map(item) },
    { kind: 'on_floor', items: walked.map(item) },
  ]
  return odd.filter(one => one.items.length > 0)
}
