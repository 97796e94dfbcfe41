/** The days of the demo's past, computed: who picked and packed which order when, and what became of its parcel. */
/** An integer from 0, below `sides`. */
export type Dice = (sides: number) => number

export interface PastLine {
  id: number
  product_id: number | null
  sku: string | null
  name: string
  variant: string | null
  bin: string | null
  barcode: string | null
  qty: number
  weight_g: number | null
  serial_required: boolean
}

export interface PastOrder {
  id: number
  company_id: number
  order_no: string
  /** When it was ready for picking. */
  ready_at: number
  country: string
  lines: PastLine[]
}

/** One scan; instants are milliseconds. */
interface PastScan {
  at: number
  line: PastLine
  /** False: another product was in the hand. */
  right: boolean
  quantity: number
  result: string
}

export interface PastPacking<Order extends PastOrder = PastOrder> {
  order: Order
  slot_no: number
  opened_at: number
  ended_at: number
  /** 0: the packer, 1: the lead, who helps on busy days. */
  packer: 0 | 1
  scans: PastScan[]
}

interface PastWagon<Order extends PastOrder = PastOrder> {
  wagon_no: number
  started_at: number
  picked_at: number
  walk_dm: number
  picks: (PastScan & { order: Order; slot_no: number; walk_no: number })[]
  packings: PastPacking<Order>[]
}

export interface PastDay<Order extends PastOrder = PastOrder> {
  /** When the list was made. */
  created_at: number
  handed_over_at: number
  wagons: PastWagon<Order>[]
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const slotsOfWagon = 12

/** Instants of a working day: the first list, the last wagon, the courier. */
export interface WorkingDay {
  opens_at: number
  last_wagon_at: number
  handed_over_at: number
}

/** The working days of a time zone between two instants, the oldest first. */
export function workingDays(from: Date, to: Date, time_zone: string): WorkingDay[] {
  const day = (date: Date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(time_zone).toPlainDate()
  const at = (date: Temporal.PlainDate, time: string) => date.toZonedDateTime({ timeZone: time_zone, plainTime: time }).epochMilliseconds
  const days: WorkingDay[] = []
  for (let date = day(from); Temporal.PlainDate.compare(date, day(to)) <= 0; date = date.add({ days: 1 }))
    if (date.dayOfWeek <= 5) days.push({ opens_at: at(date, '07:00'), last_wagon_at: at(date, '13:30'), handed_over_at: at(date, '16:15') })
  return days
}

/** What a working day did with the orders that it found or got, the oldest first. Orders of wagons that begin after `now` stay open. */
export function dayOfWork<Order extends PastOrder>(day: WorkingDay, orders: readonly Order[], now: number, roll: Dice): PastDay<Order> {
  const loads: Order[][] = []
  for (let at = 0; at < orders.length; at += slotsOfWagon) loads.push(orders.slice(at, at + slotsOfWagon))
  const wagons: PastWagon<Order>[] = []
  const step = (day.last_wagon_at - day.opens_at) / Math.max(1, loads.length)
  let pickerFree = 0
  const packerFree: [number, number] = [0, 0]
  for (const [i, load] of loads.entries()) {
    const newest = Math.max(...load.map(order => order.ready_at))
    const started_at = Math.max(day.opens_at + i * step + roll(10) * minute, newest + 10 * minute, pickerFree)
    const wagon = pickOf(i + 1, load, started_at, roll)
    pickerFree = wagon.picked_at + 2 * minute
    for (const [slot, order] of load.entries()) {
      // The lead takes each third order of a full day.
      const packer = loads.length > 3 && slot % 3 === 2 ? 1 : 0
      const packing = packOf(order, slot + 1, Math.max(wagon.picked_at + 4 * minute, packerFree[packer]), packer, roll)
      packerFree[packer] = packing.ended_at + (12 + roll(30)) * second
      wagon.packings.push(packing)
    }
    if (Math.max(...packerFree) > Math.min(now, day.handed_over_at)) break
    wagons.push(wagon)
  }
  return { created_at: day.opens_at - 10 * minute, handed_over_at: day.handed_over_at, wagons }
}

function pickOf<Order extends PastOrder>(wagon_no: number, load: readonly Order[], started_at: number, roll: Dice): PastWagon<Order> {
  const stops = load
    .flatMap((order, slot) => order.lines.map(line => ({ order, line, slot_no: slot + 1 })))
    .sort((one, other) => (one.line.bin ?? '').localeCompare(other.line.bin ?? '') || one.slot_no - other.slot_no)
  const picks: PastWagon<Order>['picks'] = []
  let at = started_at + minute
  let walk_dm = 300
  let bin: string | null | undefined
  for (const [i, stop] of stops.entries()) {
    const moved = stop.line.bin !== bin
    bin = stop.line.bin
    at += ((moved ? 16 : 5) + roll(moved ? 26 : 8)) * second
    if (moved) walk_dm += 60 + roll(240)
    const one = { ...stop, walk_no: i + 1 }
    if (roll(70) === 0) {
      picks.push({ ...one, at, right: false, quantity: 0, result: 'wrong_product' })
      at += (6 + roll(9)) * second
    }
    picks.push({ ...one, at, right: true, quantity: stop.line.qty, result: i + 1 === stops.length ? 'wagon_done' : 'line_done' })
  }
  return { wagon_no, started_at, picked_at: at + minute, walk_dm, picks, packings: [] }
}

function packOf<Order extends PastOrder>(order: Order, slot_no: number, opened_at: number, packer: 0 | 1, roll: Dice): PastPacking<Order> {
  const scans: PastScan[] = []
  let at = opened_at + (3 + roll(5)) * second
  const last = order.lines.at(-1)
  for (const line of order.lines) {
    if (roll(90) === 0) {
      scans.push({ at, line, right: false, quantity: 0, result: 'wrong' })
      at += (5 + roll(6)) * second
    }
    for (let piece = 1; piece <= line.qty; piece++) {
      const result = piece < line.qty ? 'ok' : line === last ? 'order_done' : 'line_done'
      scans.push({ at, line, right: true, quantity: 1, result })
      at += (3 + roll(6)) * second
    }
  }
  return { order, slot_no, opened_at, ended_at: at + (18 + roll(50)) * second, packer, scans }
}

export type PastState =
  | 'in_transit'
  | 'out_for_delivery'
  | 'ready_for_pickup'
  | 'delivered'
  | 'delivery_failed'
  | 'needs_attention'
  | 'returning'
  | 'returned_to_sender'
  | 'lost'

const plain = (days: number): [PastState, number][] => [
  ['in_transit', 3],
  ['out_for_delivery', 24 * days - 8],
  ['delivered', 24 * days - 4],
]

/** What happened to a parcel after its hand-over, until now: states with their instants. Most arrive the next day, abroad a day later. */
export function journeyOf(handed_over_at: number, abroad: boolean, now: number, roll: Dice): { state: PastState; at: number }[] {
  const chance = roll(1_000)
  const steps: [PastState, number][] =
    chance < 12
      ? [
          ['in_transit', 3],
          ['out_for_delivery', 16],
          ['delivery_failed', 21],
          ['returning', 75],
          ['returned_to_sender', 140],
        ]
      : chance < 16
        ? [
            ['in_transit', 3],
            ['needs_attention', 50],
            ['lost', 260],
          ]
        : chance < 26
          ? [
              ['needs_attention', 26],
              ['in_transit', 40],
              ['out_for_delivery', 64],
              ['delivered', 68],
            ]
          : chance < 56
            ? [
                ['in_transit', 3],
                ['ready_for_pickup', 24],
                ['delivered', 30 + roll(90)],
              ]
            : chance < 76
              ? [
                  ['in_transit', 3],
                  ['out_for_delivery', 16],
                  ['delivery_failed', 21],
                  ['out_for_delivery', 40],
                  ['delivered', 44],
                ]
              : plain(abroad ? 2 : 1)
  const shift = roll(150) * minute
  return steps.map(([state, hours]) => ({ state, at: handed_over_at + hours * hour + shift })).filter(({ at }) => at <= now)
}
