/** What a bench has in hand, and everything that its screen shows. */

import type { Code } from '#domain/codes.ts'
import type { Closing, PackingOrder, ScanAnswer } from '#features/packing/packing/packing.contract.ts'
import type { Tone } from './station.rules.ts'

/** A sentence of the server or of ours, with its places; translated where it is shown. */
export interface Say {
  text: string
  values?: Record<string, string | number | null>
  tone: Tone
}

interface FoundOrder {
  order_id: number
  order_no: string
  company_name: string
  company_color: string | null
  customer_name: string
  phase: string
}

export type View = 'idle' | 'opening' | 'choose' | 'looking' | 'packing' | 'closing' | 'label_error' | 'label_check' | 'waiting'
export type Dialog = 'finalize' | 'hospital' | 'abort' | 'bypass'
export type Way = 'scan' | 'camera'
/** A code on its way to being answered. */
export interface Scanned {
  code: Code
  method: Way
}

/** A paper of an order that was closed here, until it lies on the table. */
export interface Print {
  job_id: number
  document: string
  order_id: number
  order_no: string
  /** As the list of prints has it. */
  state: string
}

/**
 * What became of the label of an order that just left. `printing`: its watched prints say so. `file`: offered or saved as a PDF.
 * `printed`: it came out, or was scanned on its parcel. `unneeded`: nothing had to be sent. `missing`: there is none, or no print of it is known.
 */
export type LastLabel = 'printing' | 'file' | 'printed' | 'unneeded' | 'missing'

/** The order that just left, for the green answer, its prints and a reprint. */
export interface LastOrder {
  order: PackingOrder
  closing: Closing
  label: LastLabel
  /** Milliseconds since 1970. */
  at: number
}

export interface BenchState {
  view: View
  /** What is being opened, as people read it. */
  opening: string
  found: readonly FoundOrder[]
  order: PackingOrder | null
  /** Why the order cannot be packed now, in the words of the refusal. */
  refusal: Say | null
  /** The last answer; `nth` tells two equal ones apart. */
  message: (Say & { nth: number }) | null
  /** A wrong, unknown or surplus scan, until the right item or Esc. */
  wrong: (ScanAnswer & { code: string }) | null
  /** The line whose serial number is asked for. */
  asking: number | null
  /** One code that means several lines. */
  choosing: { code: string; method: Way; lines: readonly number[]; text: string; values: Say['values'] } | null
  /** An unknown code on its way to become a product's. */
  linking: { code: string; line_id: number | null } | null
  dialog: Dialog | null
  /** The line that moved last. */
  touched: number | null
  closing: Closing | null
  /** What opens or closes the order found no server and tries again. */
  unreached: boolean
  last: LastOrder | null
  /** The order without a label that has kept the next one waiting for a scan. */
  heldBy: number | null
  prints: readonly Print[]
  /** Scanned while the order was still being opened. */
  early: readonly Scanned[]
  /** The code of the next order, scanned while this one is being closed. */
  next: Scanned | null
  /** The code of another order was scanned while this one is open. */
  other: { order_id: number; order_no: string; code: string } | null
  /** The address was changed while the order was being packed; shown until a scan or a key. */
  readdressed: boolean
  /** Warnings of this session that were read. */
  warned: boolean
  /** Scans that the server has not acknowledged, of this order and of all. */
  unsent: number
  unsentElsewhere: number
  cutOff: boolean
  /** A command is on its way. */
  busy: boolean
  hidden: boolean
}

/** The bench with nothing in hand. */
export const nothing: BenchState = {
  view: 'idle',
  opening: '',
  found: [],
  order: null,
  refusal: null,
  message: null,
  wrong: null,
  asking: null,
  choosing: null,
  linking: null,
  dialog: null,
  touched: null,
  closing: null,
  unreached: false,
  last: null,
  heldBy: null,
  prints: [],
  early: [],
  next: null,
  other: null,
  readdressed: false,
  warned: false,
  unsent: 0,
  unsentElsewhere: 0,
  cutOff: false,
  busy: false,
  hidden: false,
}

/** Milliseconds for which the green answer fills the bench. */
const greenFor = 6_000

/** The printer has it; before that nobody knows whether a label comes. */
const atPrinter: readonly string[] = ['accepted', 'done']
const failedPrints: readonly string[] = ['failed', 'expired', 'cancelled']
export const isFailed = ({ state }: { state: string }): boolean => failedPrints.includes(state)

/** Whether the order that just left has no label yet: none was made, or none has reached a printer or a file. */
export const lacksLabel = ({ last, prints }: Pick<BenchState, 'last' | 'prints'>): boolean =>
  last !== null &&
  (last.label === 'missing' ||
    (last.label === 'printing' &&
      prints.some(print => print.document === 'label' && print.order_id === last.order.order_id && !atPrinter.includes(print.state))))

/** Whether the bench is green for the order that just left: it has its label and papers, and nothing newer was said. */
export const isGreen = ({ last, message, prints }: Pick<BenchState, 'last' | 'message' | 'prints'>, now: number): boolean =>
  last !== null &&
  message === null &&
  now - last.at < greenFor &&
  !lacksLabel({ last, prints }) &&
  !prints.some(print => print.document !== 'label' && print.order_id === last.order.order_id && isFailed(print))

/** What became of the label when the order was closed, as far as this device knows. */
export function labelAfter({ outcome, parcels, print_jobs }: Closing, hasPrinter: boolean): LastLabel {
  if (outcome === 'no_parcel') return 'unneeded'
  if (!haveLabel(parcels)) return 'missing'
  if (print_jobs.some(job => job.document === 'label')) return 'printing'
  // Without a printer the label is offered as a file.
  return hasPrinter ? 'missing' : 'file'
}

const withoutLabel: readonly string[] = ['draft', 'booking', 'unknown', 'error', 'cancelled', 'blocked']

/** Whether a parcel of these has a label that can be printed. */
export const haveLabel = (parcels: PackingOrder['parcels']): boolean => parcels.some(parcel => !withoutLabel.includes(parcel.state))

/** The order that a reprint is about: the one on the screen; the idle screen shows the last one. */
export const orderOnScreen = ({ view, order, last }: Pick<BenchState, 'view' | 'order' | 'last'>): PackingOrder | null =>
  order ?? (view === 'idle' ? (last?.order ?? null) : null)

/** One of a few numbered answers: a digit, its button, or `CMD:DONE` for the first. */
export interface Choice {
  key: string
  text: string
  values?: Say['values']
  /** A line that the choice is about. */
  line_id?: number
  detail?: string
  company?: { name: string; color: string | null }
  /** Why it cannot be chosen. */
  closed?: string
  run: () => void
}
