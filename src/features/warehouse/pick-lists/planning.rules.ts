/** From orders that go along to wagons: what the router is asked, and what its answer means for slots, lines and figures. */
import { valueAt } from '#domain/objects.ts'
import { byBinText } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import type { Eligible, PlacedLine } from './order-selection.rules.ts'
import { secondsOf } from './pick-lists.rules.ts'
import type { WagonShape, Wave } from './pick-lists.schemas.ts'

/** Ways between the places of one plan, small enough to be handed to a thread. */
export interface Ways {
  /** Places are numbers from 0; start and end are among them. */
  places: number
  start: number
  end: number
  /** Decimetres from place to place, row by row; 65535 where there is no way. Null without a map: places are bins in their order then. */
  table: Uint16Array | null
}

/** An order as the optimizer takes it. */
export interface RoutedOrder {
  id: number
  stops: number[]
  weight_g: number
  volume_ml: number
  heaviest_g: number
  pinned: boolean
  /** Milliseconds. */
  deadline: number | null
}

export interface RoutedWagon {
  /** Slots count from 0. */
  orders: { id: number; slot: number }[]
  tour: number[]
  length: number
}

export interface PlanInput {
  orders: RoutedOrder[]
  wagon: { slots: { max_weight_g: number | null; max_volume_ml: number | null; row: number }[]; max_weight_g: number | null }
  ways: Ways
  seed: number
  most_wagons: number | null
}

const noWay = 65_535

/** Without a map two bins are as far apart as there are bins between them, and every way begins and ends for free. */
export function betweenOf({ table, places, start, end }: Ways): (from: number, to: number) => number {
  if (table)
    return (from, to) => {
      const way = table[from * places + to]!
      return way === noWay ? Number.POSITIVE_INFINITY : way
    }
  const depot = (place: number) => place === start || place === end
  return (from, to) => (depot(from) || depot(to) ? 0 : Math.abs(from - to))
}

/** What is known of the floor: nothing, or the cells of a measured map. */
export type FloorKnown = { between(from: number, to: number): number; start: number; end: number } | null

/** Places of a plan and the one of each line; a line without a place is picked last. */
export interface Placing {
  ways: Ways
  placeOf(line: Pick<PlacedLine, 'bin' | 'cell'>): number | null
}

export function placing(lines: readonly Pick<PlacedLine, 'bin' | 'cell'>[], floor: FloorKnown): Placing {
  if (!floor) {
    const bins = [...new Set(lines.flatMap(line => (line.bin === null ? [] : [line.bin])))].sort(byBinText)
    const at = new Map(bins.map((bin, i) => [bin, i + 1]))
    return {
      ways: { places: bins.length + 1, start: 0, end: 0, table: null },
      placeOf: line => (line.bin === null ? null : valueAt(at, line.bin)),
    }
  }
  const cells = [...new Set([floor.start, floor.end, ...lines.flatMap(line => (line.cell === null ? [] : [line.cell]))])]
  const at = new Map(cells.map((cell, i) => [cell, i]))
  // Shared with the thread that plans: copying it would cost as much as planning a small list.
  const table = new Uint16Array(new SharedArrayBuffer(2 * cells.length * cells.length))
  cells.forEach((from, i) => {
    cells.forEach((to, j) => {
      const way = floor.between(from, to)
      table[i * cells.length + j] = Number.isFinite(way) ? Math.min(noWay - 1, Math.round(way)) : noWay
    })
  })
  return {
    ways: { places: cells.length, start: valueAt(at, floor.start), end: valueAt(at, floor.end), table },
    placeOf: line => (line.cell === null ? null : valueAt(at, line.cell)),
  }
}

/** The slots that a wave fills on each wagon. One order alone has the whole wagon; singles lie together in it. */
export function slotsFor(type: Wave['type'], shape: WagonShape, singles_per_wagon: number): PlanInput['wagon'] {
  const free = { max_weight_g: null, max_volume_ml: null, row: 0 }
  if (type === 'order') return { slots: [free], max_weight_g: null }
  if (type === 'singles') return { slots: Array.from({ length: singles_per_wagon }, () => free), max_weight_g: shape.max_weight_g }
  return {
    slots: shape.slots.map(({ max_weight_g, max_volume_ml }, i) => ({ max_weight_g, max_volume_ml, row: Math.floor(i / shape.columns) })),
    max_weight_g: shape.max_weight_g,
  }
}

export const routed = (order: Eligible, placeOf: Placing['placeOf']): RoutedOrder => ({
  id: order.id,
  stops: [...new Set(order.lines.flatMap(line => placeOf(line) ?? []))],
  weight_g: order.weight_g,
  volume_ml: order.volume_ml,
  heaviest_g: order.heaviest_g,
  pinned: order.pinned,
  deadline: urgencyOf(order.ship_by),
})

interface PlannedLine extends PlacedLine {
  slot_no: number
  walk_no: number
}
export interface PlannedWagon {
  wagon_no: number
  orders: { order: Eligible; slot_no: number }[]
  lines: PlannedLine[]
  stops: number
  pieces: number
  weight_g: number
  walk_dm: number | null
  estimated_s: number
}

/** What people call one stop: a cell of the map, or a bin. */
export const stopOf = (line: Pick<PlacedLine, 'cell' | 'bin'>): string =>
  line.cell === null ? `bin ${line.bin ?? ''}` : `cell ${line.cell}`

/** Lines in the order in which they are walked: by the tour, then bin by bin, so that the lines of one product are neighbours. */
export function walked<T extends Pick<PlacedLine, 'bin' | 'cell' | 'sku' | 'id'> & { slot_no: number }>(
  lines: readonly T[],
  tour: readonly number[],
  { ways, placeOf }: Placing,
): (T & { walk_no: number })[] {
  const position = new Map<number, number>()
  // Without a map bins are walked upwards, whichever end the router began at.
  if (ways.table)
    tour.forEach((place, i) => {
      if (!position.has(place)) position.set(place, i)
    })
  const at = (line: T) => {
    const place = placeOf(line)
    return place === null ? Number.POSITIVE_INFINITY : ways.table ? (position.get(place) ?? Number.MAX_SAFE_INTEGER) : place
  }
  return lines
    .map(line => ({ line, at: at(line) }))
    .sort(
      (a, b) =>
        (a.at === b.at ? 0 : a.at - b.at) ||
        (a.line.bin === null ? 1 : 0) - (b.line.bin === null ? 1 : 0) ||
        byBinText(a.line.bin ?? '', b.line.bin ?? '') ||
        byBinText(a.line.sku ?? '', b.line.sku ?? '') ||
        a.line.slot_no - b.line.slot_no ||
        a.line.id - b.line.id,
    )
    .map(({ line }, i) => ({ ...line, walk_no: i + 1 }))
}

export function plannedWagon(wagon_no: number, wagon: RoutedWagon, orders: ReadonlyMap<number, Eligible>, placing: Placing): PlannedWagon {
  const on = wagon.orders.map(({ id, slot }) => ({ order: valueAt(orders, id), slot_no: slot + 1 })).sort((a, b) => a.slot_no - b.slot_no)
  const lines = walked(
    on.flatMap(({ order, slot_no }) => order.lines.map(line => ({ ...line, slot_no }))),
    wagon.tour,
    placing,
  )
  const stops = new Set(lines.map(stopOf)).size
  const pieces = lines.reduce((sum, line) => sum + line.asked, 0)
  const walk_dm = placing.ways.table ? Math.round(wagon.length) : null
  return {
    wagon_no,
    orders: on,
    lines,
    stops,
    pieces,
    weight_g: on.reduce((sum, { order }) => sum + order.weight_g, 0),
    walk_dm,
    estimated_s: secondsOf({ walk_dm, stops, pieces }),
  }
}

const hour = 3_600_000
/** Deadlines within one hour are equally urgent: only among equals may a walk be shortened. */
export const urgencyOf = (ship_by: string | null): number | null =>
  ship_by === null ? null : Math.floor(Date.parse(ship_by) / hour) * hour

/** The deadline that a wagon has to keep. */
export const shipByOf = (wagon: PlannedWagon): string | null =>
  wagon.orders
    .flatMap(({ order }) => order.ship_by ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(0) ?? null

export interface Plan {
  wagons: RoutedWagon[]
  left: { id: number; reason: 'too_heavy' | 'too_large' | 'no_slot' | 'no_way' }[]
}

export type PlanTask = { kind: 'fill'; input: PlanInput } | { kind: 'improve'; input: PlanInput; plan: Plan; limit_ms: number }

/** What the optimizer takes, with the distances of one plan. */
export const plannerInput = ({ ways, most_wagons, ...input }: PlanInput) => ({
  ...input,
  between: betweenOf(ways),
  start: ways.start,
  end: ways.end,
  ...(most_wagons === null ? {} : { most_wagons }),
})
