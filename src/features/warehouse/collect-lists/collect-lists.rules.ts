/** Collect lists: which cage a parcel belongs to, when its courier comes, and what each scan says. */
import type { EventKind } from '#contract/events.ts'
import type { Cage, MissingReason, ScanResult } from './collect-lists.schemas.ts'

/** What decides on a cage. */
export interface Sorted {
  agent_code: string
  /** As its label names it. */
  cage: string | null
  shipping_method: string
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/**
 * The cage of a parcel: the one that its label names, else the one for its method, else the one for the rest. Undefined only
 * where the courier has no cage for the rest.
 */
export function cageFor<C extends Pick<Cage, 'agent_code' | 'name' | 'mark' | 'methods' | 'active' | 'rest'>>(
  parcel: Sorted,
  cages: readonly C[],
): C | undefined {
  const own = cages.filter(cage => cage.active && cage.agent_code === parcel.agent_code)
  const { cage: named } = parcel
  return (
    (named === null
      ? undefined
      : (own.find(cage => cage.mark !== null && same(cage.mark, named)) ?? own.find(cage => same(cage.name, named)))) ??
    own.find(cage => cage.methods.includes(parcel.shipping_method)) ??
    own.find(cage => cage.rest)
  )
}

/** Whether a cage takes what no other takes: it names neither a method nor a mark of labels. */
export const takesRest = (cage: Pick<Cage, 'name' | 'mark' | 'methods'>, marks: readonly string[]): boolean =>
  cage.mark === null && cage.methods.length === 0 && !marks.some(mark => same(mark, cage.name))

/** What the screen says to each result, with places. */
export const scanSentences = {
  ok: 'Scanned: {{parcel}}',
  again: 'Already scanned by {{name}}',
  againOn: 'Already scanned onto list {{list}}',
  elsewhere: 'Belongs in cage {{cage}}',
  cancelled: 'Label cancelled: take the parcel out',
  notPacked: 'This parcel is not packed yet: bring it back to the packing station',
  returned: 'This is a return label: take the parcel out',
  gone: 'Handed over already',
  unknown: 'Unknown barcode',
  several: 'This order has several parcels: scan the bar code of the label',
  undone: 'Taken back: {{parcel}}',
  removed: 'Removed: {{code}}',
  nothingToUndo: 'No scan to undo',
} as const

/** How a result sounds, and which colour carries it. */
export const soundOf = (result: ScanResult): 'ok' | 'ignored' | 'attention' | 'error' =>
  result === 'ok'
    ? 'ok'
    : result === 'again' || result === 'undone'
      ? 'ignored'
      : result === 'cancelled' || result === 'stopped'
        ? 'attention'
        : 'error'

/** Kinds of the order's events for parcels that were missing. */
export const missingEvents = {
  not_found: 'shipment.not_found',
  damaged: 'shipment.damaged',
  next_pickup: 'shipment.left_for_next',
} as const satisfies Record<MissingReason, EventKind>

/** Hours of working days after which a courier must have seen what it took. */
export const scanWithinHours = 24
export const unseenSentence = 'The courier has not scanned this parcel within 24 working hours'

/** What is too much on a list: parcels that do not belong, but not codes that are no parcel's. */
export const extraOf = <Scan extends { result: ScanResult }>(over: readonly Scan[]): Scan[] =>
  over.filter(scan => scan.result !== 'unknown')
