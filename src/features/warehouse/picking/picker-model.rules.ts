/** What a picker's phone shows and knows, the events that change it and the effects that follow. */

import type { ChangeTopic } from '#contract/topics.ts'
import type { ShortReason } from '#features/warehouse/pick-tasks/pick-tasks.schemas.ts'
import type { QueuedEvent } from './event-format.rules.ts'
import type { Hand, Line, Say, WrongScan } from './picking.rules.ts'
import type { EventAnswer, PickEvent, Wagon } from './picking.schemas.ts'

export type Tone = 'ok' | 'line' | 'done' | 'attention' | 'error' | 'quiet'
export type Sheet = 'problem' | 'found' | 'short' | 'damaged' | 'full' | 'zero' | 'type' | 'menu' | 'lines' | 'slots'

/** A scan that was not taken, with what was scanned and what was wanted. */
export interface Wrong {
  /** `other_tote`: a second scan of the same tote takes it. */
  result: WrongScan | 'other_tote'
  say: Say
  raw: string
  /** The line that was wanted. */
  line: number
}

/** A line just reported missing: asked about before the next line appears. */
interface Reported {
  /** The event that reported it: the photo belongs to it. */
  event: string
  line: Line
  reason: ShortReason
  /** Other lines that want the same product from the same bin: missing there too? */
  others: readonly number[]
}

/** What the screen shows. */
interface Shown {
  /** What the device stored is read. */
  ready: boolean
  /** As it will be once everything here is sent. */
  wagon: Wagon | null
  hand: Hand | null
  /** The picker has seen the wagon and walks. */
  begun: boolean
  /** `nth` distinguishes two equal ones. */
  message: (Say & { tone: Tone; nth: number }) | null
  /** Fills the screen until it is read or a right scan follows. */
  wrong: Wrong | null
  /** Stopped orders, refused events: read before going on. */
  news: readonly Say[]
  sheet: Sheet | null
  reported: Reported | null
  /** The slot whose tote is full, once it is chosen. */
  fullSlot: number | null
  /** A tote that is not the reserved one, scanned once. */
  otherTote: string | null
  /** The line for the question whether its bin is empty. */
  zeroOf: Line | null
  canUndo: boolean
  unsent: number
  /** The queue's last request found no server. */
  cutOff: boolean
  /** A claim or a command is on its way. */
  busy: boolean
}

export interface PickerState extends Shown {
  /** The wagon as the server last described it. */
  base: Wagon | null
  /** Own events that can be undone, the latest last. */
  done: readonly PickEvent[]
  /** Those that were, too: an undone event must be known until the server has answered. */
  journal: readonly PickEvent[]
  /** Events that the server has not acknowledged, oldest first. */
  waiting: readonly QueuedEvent[]
  /** Answers of the server, to recognise a look that began before the last one. */
  acknowledged: number
  /** Milliseconds by which the server's clock is ahead of this one. */
  ahead: number
  nth: number
}

export const noWagon = {
  wagon: null,
  hand: null,
  begun: false,
  wrong: null,
  sheet: null,
  reported: null,
  fullSlot: null,
  otherTote: null,
  zeroOf: null,
} as const satisfies Partial<Shown>

/** News wait until a wrong scan is read: one page fills the screen at a time, and Enter answers the one that is seen. */
export const newsShown = ({ news, wrong }: Pick<Shown, 'news' | 'wrong'>): boolean => news.length > 0 && wrong === null

export const initialState: PickerState = {
  ...noWagon,
  ready: false,
  message: null,
  news: [],
  canUndo: false,
  unsent: 0,
  cutOff: false,
  busy: false,
  base: null,
  done: [],
  journal: [],
  waiting: [],
  acknowledged: 0,
  ahead: 0,
  nth: 0,
}

/** Enough to go on where the page was: after a lock, a reload, or a battery change. The field names are those of version 0.1.0. */
export interface StoredWagon {
  user_id: number
  wagon: Wagon
  hand: Hand | null
  begun: boolean
  done: readonly PickEvent[]
  journal: readonly PickEvent[]
}

/** What the reducer knows of the device and the person at the time of an event. */
export interface Situation {
  /** Milliseconds since 1970. */
  now: number
  user_id: number | undefined
  /** Fresh ids for the events that this one sends; at most `mostEmitted` are used. */
  ids: readonly string[]
}
export const mostEmitted = 250

export interface WagonName {
  pick_list_id: number
  wagon_no: number
}

export type By = PickEvent['by']

export type PickerEvent =
  // What a person does.
  | { type: 'scan'; raw: string; by: By }
  /** The large button: the next step without a scanner. */
  | { type: 'confirm' }
  | { type: 'typed'; quantity: number }
  | { type: 'put_now' }
  | { type: 'skip' }
  /** Pieces of the line that lie in the bin, before the rest is reported missing. */
  | { type: 'found'; pieces: number }
  | { type: 'short'; reason: ShortReason }
  /** Whether the other lines miss the same product too. */
  | { type: 'also_missing'; yes: boolean }
  | { type: 'full_slot'; slot_no: number }
  | { type: 'damaged'; pieces: number }
  /** What lies in the bin that should be empty. */
  | { type: 'zero'; pieces: number }
  | { type: 'go_to'; line_id: number }
  | { type: 'begin' }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'undo' }
  | { type: 'hand_over' }
  | { type: 'finish' }
  | { type: 'open_sheet'; sheet: Sheet | null }
  | { type: 'read_news' }
  | { type: 'read_wrong' }
  | { type: 'photo'; blob: Blob }
  | { type: 'no_photo' }
  // What the server and the device report.
  | { type: 'claiming' }
  | { type: 'claim_ended' }
  | { type: 'claimed'; wagon: Wagon }
  | { type: 'answered'; queued: QueuedEvent; answer: EventAnswer }
  | { type: 'refused'; reason: Say }
  | { type: 'queue_changed'; waiting: readonly QueuedEvent[]; offline: boolean }
  | { type: 'drained'; after: 'hand_over' | 'finish' }
  /** `sending`: a request of the queue was under way when the answer came. */
  | ({ type: 'looked'; began: number; wagon: Wagon; sending: boolean } & WagonName)
  | ({ type: 'look_failed'; status: number } & WagonName)
  | { type: 'look_due' }
  | { type: 'noticed'; topic: ChangeTopic; id: number | undefined }
  | { type: 'reconnected' }
  | { type: 'clock'; ahead: number }
  | { type: 'restored'; stored: StoredWagon | undefined }
  | { type: 'ready' }
  | { type: 'signed_out' }

export type Effect =
  | { type: 'play'; tone: Exclude<Tone, 'quiet'> }
  | { type: 'vibrate'; pattern: number | number[] }
  | { type: 'enqueue'; queued: QueuedEvent }
  /** Stores the wagon for a reload, as it is after this event. */
  | { type: 'store_wagon' }
  | ({ type: 'look'; began: number } & WagonName)
  /** The soonest look counts: a later wish does not delay it. */
  | { type: 'look_after'; ms: number }
  | { type: 'cancel_look' }
  | { type: 'preload_pictures'; wagon: Wagon }
  | { type: 'send_photos' }
  | ({ type: 'store_photo'; event: string; user_id: number; blob: Blob } & WagonName)
  /** Waits until every event is acknowledged. */
  | { type: 'await_drained'; after: 'hand_over' | 'finish' }
