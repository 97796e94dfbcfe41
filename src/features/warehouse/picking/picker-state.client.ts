/** What the picker's phone shows, and what it needs of the device that it runs on. */
import type { send as sendCall } from '#ui/query/calls.ts'
import type { Sound } from '#ui/scanner/sounds.ts'
import type { PickShelf } from './offline-store.client.ts'
import type { Wagon } from './picking.contract.ts'
import type { Hand, Line, Say } from './picking.rules.ts'

export type Tone = 'ok' | 'line' | 'done' | 'attention' | 'error' | 'quiet'
export type Sheet = 'problem' | 'short' | 'damaged' | 'full' | 'zero' | 'type' | 'menu' | 'lines' | 'slots'
export interface PhoneState {
  /** What the device kept is read. */
  ready: boolean
  /** As it will be once everything here is sent. */
  wagon: Wagon | null
  hand: Hand | null
  /** The picker has seen the wagon and walks. */
  begun: boolean
  /** `nth` tells two equal ones apart. */
  message: (Say & { tone: Tone; nth: number }) | null
  /** Stopped orders, refused events: read before going on. */
  news: readonly Say[]
  sheet: Sheet | null
  /** A short whose photo may be taken. */
  photoFor: string | null
  /** Pieces that lie in the bin by the books, for the question whether it is empty. */
  zeroOf: Line | null
  canUndo: boolean
  unsent: number
  cutOff: boolean
  /** A claim or a command is on its way. */
  busy: boolean
}

export const nothing: PhoneState = {
  ready: false,
  wagon: null,
  hand: null,
  begun: false,
  message: null,
  news: [],
  sheet: null,
  photoFor: null,
  zeroOf: null,
  canUndo: false,
  unsent: 0,
  cutOff: false,
  busy: false,
}

export interface PhoneDoors {
  send: typeof sendCall
  shelf: PickShelf
  play: (sound: Sound) => void
  vibrate: (pattern: number | number[]) => void
  me: () => number | undefined
  newId: () => string
}

export const phoneSentences = {
  emptyTote: 'Scan an empty tote for number {{slot}}',
  left: 'You no longer walk with this wagon',
} as const
