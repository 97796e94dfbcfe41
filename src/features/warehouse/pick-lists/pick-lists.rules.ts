/** What states follow from which facts, and what figures mean. */
import type { ListState, SeenWagon, WagonShape, WagonState } from './pick-lists.schemas.ts'

/** Counted over the whole wagon, for every caller. */
export interface WagonFacts {
  wagon_no: number
  /** Slots that claim their order. */
  live: number
  packed: number
  /** Live slots with lines that can be picked. */
  waiting: number
  /** Live slots with open lines whose order is held or cancelled. */
  blocked: number
  /** Live slots whose order is at a station. */
  in_pack: number
  /** Paperless codes that stand for its slots. */
  codes: number
  codes_at_packing: number
}

/** Where a wagon stands, by what is on it; who claimed it and whether they walk or pause is no fact of the slots. */
export function wagonStateOf(state: WagonState, facts: WagonFacts): WagonState {
  if (state === 'cancelled' || state === 'released') return state
  const begun = state === 'claimed' || state === 'picking' || state === 'paused'
  if (facts.live === 0) {
    // Totes with pieces that have to go back keep the wagon busy.
    if (facts.codes > 0) return facts.packed > 0 || facts.codes_at_packing > 0 ? 'at_packing' : 'picked'
    return facts.packed > 0 ? 'released' : 'cancelled'
  }
  if (facts.waiting + facts.blocked > 0) {
    if (begun || state === 'open') return state
    // A short piece turned up: anyone may go on with the wagon.
    return 'paused'
  }
  return facts.packed > 0 || facts.in_pack > 0 || facts.codes_at_packing > 0 ? 'at_packing' : 'picked'
}

/** A list stands where its wagons stand. */
export function listStateOf(wagons: readonly WagonState[]): ListState {
  const living = wagons.filter(state => state !== 'cancelled')
  if (living.length === 0) return 'cancelled'
  if (living.every(state => state === 'released')) return 'completed'
  if (living.every(state => state === 'open' || state === 'claimed')) return 'open'
  if (living.some(state => state === 'open' || state === 'claimed' || state === 'picking' || state === 'paused')) return 'picking'
  return living.every(state => state === 'picked') ? 'picked' : 'packing'
}

/** Row and column from the top left, counted from 1, and the colour; slots of singles have no place. */
export function placeOf({ rows, columns, slots }: WagonShape, slot_no: number) {
  if (slot_no > rows * columns) return { row: 0, column: 0, colour: null }
  return {
    row: Math.floor((slot_no - 1) / columns) + 1,
    column: ((slot_no - 1) % columns) + 1,
    colour: slots[slot_no - 1]?.colour ?? null,
  }
}

export const metresOf = (decimetres: number | null): number | null => (decimetres === null ? null : Math.round(decimetres / 10))
export const minutesOf = (seconds: number | null): number => (seconds === null ? 0 : Math.ceil(seconds / 60))

/** Seconds: walking a metre, finding a place, taking a piece, and beginning and ending a wagon. */
const pace = { metre: 1 / 1.1, stop: 6, piece: 3, wagon: 60 } as const

/** How long a walk takes. Where nothing is known of distances a stop stands for its way as well. */
export function secondsOf({ walk_dm, stops, pieces }: { walk_dm: number | null; stops: number; pieces: number }): number {
  const walking = walk_dm === null ? stops * 12 : (walk_dm / 10) * pace.metre
  return Math.round(pace.wagon + walking + stops * pace.stop + pieces * pace.piece)
}

/** A picker has the wagon. */
export const activeWagonStates = ['claimed', 'picking', 'paused'] as const

export const wagonSentences = {
  notClaimed: 'This wagon is unassigned',
  listCancelled: 'Someone cancelled this list. Nothing more is picked from it.',
  wagonOver: 'This wagon is picked already',
} as const

/** The id of a wagon in change notifications of the topic `pick_wagon`: list and wagon in one number. */
export const wagonTopic = ({ pick_list_id, wagon_no }: { pick_list_id: number; wagon_no: number }): number =>
  pick_list_id * 100_000 + wagon_no

/** Whether a slot's tote is empty because every line of its order was reported missing. */
export const isAllShort = (lines: readonly Pick<SeenWagon['pick_lines'][number], 'state' | 'picked'>[]): boolean => {
  const wanted = lines.filter(line => line.state !== 'gone')
  return wanted.length > 0 && wanted.every(line => line.state === 'short' && line.picked === 0)
}
