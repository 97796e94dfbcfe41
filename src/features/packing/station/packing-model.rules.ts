/** What a packing station has open, everything that its screen shows, the events that change it and the effects that follow. */
import type { Permission } from '#contract/access.ts'
import type { GivenAct } from '#contract/station-acts.ts'
import type { ChangeTopic } from '#contract/topics.ts'
import type { Code, Command } from '#domain/codes.ts'
import type { SkipReason } from '#features/orders/additional-products/additional-products.codes.ts'
import type { Rest } from '#features/orders/partial-shipments/partial-shipments.codes.ts'
import type { ApprovedAct } from '#features/packing/approval/approval.codes.ts'
import type { ReportedKind } from '#features/packing/packing/packing.codes.ts'
import type { Closing, PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import type { MissingPhotoReason, PhotoKind } from '#features/packing/packing-photos/packing-photos.codes.ts'
import type { Forecast, Forecaster } from './forecast.rules.ts'
import type { QueuedScan, ScanMethod } from './scan-format.rules.ts'
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

interface Found {
  orders: readonly FoundOrder[]
  /** The code is that of a cancelled label: why nothing may go out with it. */
  blocked: Pick<Say, 'text' | 'values'> | null
}

export type View = 'idle' | 'opening' | 'choose' | 'looking' | 'packing' | 'closing' | 'label_error' | 'label_check' | 'waiting'
export type Dialog = 'finalize' | 'exception' | 'abort' | 'bypass' | 'quantity'

/** A code whose meaning is not decided yet. */
export interface Scanned {
  code: Code
  method: ScanMethod
}

/** A document of an order that was closed here, until it is printed. */
export interface Print {
  job_id: number
  document: string
  order_id: number
  order_no: string
  /** As the list of prints has it. */
  state: string
}

/**
 * What became of the label of an order that just left. `printing`: its watched prints say so. `file`: saved as a PDF.
 * `printed`: it came out, or was scanned on its parcel. `unneeded`: nothing had to be sent. `missing`: there is none, or no print of it is known.
 * `later`: it was missing, and the packer went on.
 */
export type LastLabel = 'printing' | 'file' | 'printed' | 'unneeded' | 'missing' | 'later'

/** A packed order whose parcel still waits for its label. */
export interface Unlabelled {
  order_id: number
  order_no: string
}

/** The order that just left, for the green answer, its prints and a reprint. */
export interface LastOrder {
  order: PackingOrder
  closing: Closing
  label: LastLabel
}

/** A call that was refused or failed. */
export interface Failure {
  /** As in HTTP; 444 and 408 are a missing answer, 0 is a fault of this program. */
  status: number
  text: string
  values?: Say['values']
  /** Names of refused fields. */
  fields: readonly string[]
}

/** What lasts while orders come and go. */
interface Lasting {
  last: LastOrder | null
  /** The order without a label that has kept the next one waiting for a scan. */
  heldBy: number | null
  prints: readonly Print[]
  /** Packed here, and left without a label. */
  unlabelled: readonly Unlabelled[]
  /** Tells two equal messages apart. */
  nth: number
  /** Answers to calls of an earlier turn are void: the order was left meanwhile. */
  turn: number
  /** Scans that the server has not acknowledged. */
  waiting: readonly QueuedScan[]
  /** The queue's last request found no server, or gets no answer. */
  cutOff: boolean
  /** The line whose serial number the next scan of an order is, by order. */
  serialLines: Readonly<Record<number, number>>
  /** Sessions whose warnings were read. */
  acknowledged: readonly number[]
  /** Answers to scans of the open order, to recognise a look that began before the last one. */
  answers: number
  answeredAt: number
}

/** A rule that asks for an approval before something is counted or labelled. */
export interface AskedApproval {
  rule_id: number
  line_id: number | null
  /** Scans that are sent again once it is given; empty where the parcel is closed. */
  scans: readonly ScanAction[]
  /** Milliseconds since 1970, by this device's clock; null while no lead elsewhere is asked. */
  until: number | null
  /** Why a lead at the station approves, where the rule wants to know: null until it is chosen, empty while it is written. */
  reason?: string | null
}

/** `rule` is answered for an approval rule, the other acts for a refusal. */
interface Approving {
  act: ApprovedAct | 'rule'
  asked?: AskedApproval
  sending: boolean
  failure: Failure | null
}

/** The rest of an order is decided as a whole or line by line; then it is asked what the recipient learns. */
export type Partially =
  | { by: 'order'; rest: Rest; approval?: string }
  | { by: 'line'; lines: CloseHow['rest_lines'] & {}; approval?: string }

/** What goes on once the parcel is weighed and photographed. */
export type Waits = { kind: 'close'; how: CloseHow } | { kind: 'next'; without_photo?: MissingPhotoReason | undefined }

/** The parcel is on the scale. */
interface Weighing {
  waits: Waits | null
  /** A weight that differs from what was expected. */
  asked: { weight_g: number; source: WeightSource; expected_g: number | null } | null
}
/** The open box is in front of the camera. */
interface Photographing {
  waits: Waits | null
  /** It answers the approval rule that asks. */
  approves?: boolean
  /** The camera is taking it. */
  taking: boolean
  /** Why the camera gave none. */
  problem: MissingPhotoReason | null
}
type WeightSource = 'scale' | 'typed' | 'scanned'

/** What the device's scale says; `weight_g` is null while it says nothing that can be used. */
export interface ScaleReading {
  state: 'none' | 'ready' | 'away'
  weight_g: number | null
  stable: boolean
  /** Why it says nothing, as a sentence. */
  problem: string | null
}

/** What belongs to the open order and the screen. */
interface Current {
  view: View
  /** What the scans that wait for the connection will probably come to. */
  forecast: Forecast | null
  /** An answer that differs from the forecast is read before the next scan is sent. */
  held: boolean
  /** What is being opened, as people read it. */
  opening: string
  found: readonly FoundOrder[]
  order: PackingOrder | null
  /** Why the order cannot be packed now, in the words of the refusal. */
  refusal: Say | null
  message: (Say & { nth: number }) | null
  /** A wrong, unknown or surplus scan, until the right item or Esc. */
  wrong: (ScanAnswer & { code: string }) | null
  /** The line whose serial number is asked for. */
  asking: number | null
  /** One code that means several lines. */
  choosing: { code: string; method: ScanMethod; lines: readonly number[]; text: string; values: Say['values'] } | null
  /** An unknown code that is being linked to a product. */
  linking: { code: string; line_id: number | null } | null
  dialog: Dialog | null
  /** Packing without scanning, as its form shows it. */
  bypass: { reason: string | null; sending: boolean; failure: Failure | null }
  /** What a lead is asked to approve with PIN or badge. */
  approving: Approving | null
  /** The parcel is closed like this once each additional product is in it or left out. */
  adding: CloseHow | null
  /** What becomes of the rest, as far as it is decided. */
  partial: Partially | null
  weighing: Weighing | null
  photographing: Photographing | null
  /** The label of this parcel is to be cancelled, and the parcel unpacked. */
  unpacking: number | null
  /** The line that changed last. */
  touched: number | null
  closing: Closing | null
  /** What opens or closes the order found no server and tries again. */
  unreached: boolean
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
  /** Scans of this order, and of others, that the server has not acknowledged. */
  unsent: number
  unsentElsewhere: number
  /** A command is on its way. */
  busy: boolean
  /** The screen is hidden for privacy. */
  hidden: boolean
}

export type PackingState = Current & Lasting

/** No order is open. */
export const noOrder: Current = {
  view: 'idle',
  forecast: null,
  held: false,
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
  bypass: { reason: null, sending: false, failure: null },
  approving: null,
  adding: null,
  partial: null,
  weighing: null,
  photographing: null,
  unpacking: null,
  touched: null,
  closing: null,
  unreached: false,
  early: [],
  next: null,
  other: null,
  readdressed: false,
  warned: false,
  unsent: 0,
  unsentElsewhere: 0,
  busy: false,
  hidden: false,
}

export const initialState: PackingState = {
  ...noOrder,
  last: null,
  heldBy: null,
  prints: [],
  unlabelled: [],
  nth: 0,
  turn: 0,
  waiting: [],
  cutOff: false,
  serialLines: {},
  acknowledged: [],
  answers: 0,
  answeredAt: 0,
}

/** What the reducer knows of the device and the person at the time of an event. */
export interface Situation {
  /** Milliseconds since 1970. */
  now: number
  user: { user_id: number; permissions: readonly Permission[]; acts?: readonly GivenAct[] } | undefined
  /** Empty on a device that has no station yet. */
  station: string
  hasLabelPrinter: boolean
  /** Absent where no scale was ever connected. */
  scale?: ScaleReading | undefined
  /** Absent until it is loaded. */
  forecast?: Forecaster | undefined
}

interface OrderName {
  order_id: number
  order_no: string
}

/** What a look at the open order goes on with. */
export type AfterLook = { kind: 'say'; failure: Failure } | { kind: 'closed'; failed: boolean; next: Scanned | null } | null

/** Calls by name: what is asked, and what the server answers. */
interface Calls {
  find: { input: { code: string; purpose: 'open' | 'switch' | 'unknown_code' }; answer: Found }
  /** The order that is packed next. */
  oldest: { input: Record<never, never>; answer: { order: OrderName | null } }
  start: { input: { order_id: number; take_over: boolean; approval?: string }; answer: PackingOrder }
  look: { input: { order_id: number; seen: number; then: AfterLook }; answer: PackingOrder }
  /** Shows an order that could not be opened. */
  look_refused: { input: { order_id: number; failure: Failure }; answer: PackingOrder }
  close: { input: { order_id: number } & CloseHow; answer: Closing }
  /** Says what was printed of a label that came after a wait. */
  close_again: { input: { order_id: number; order: PackingOrder }; answer: Closing }
  check_label: { input: { session_id: number; code: string }; answer: { ok: boolean; text: string; values: Say['values']; left: number } }
  park: { input: Leaving & { kind: ReportedKind; reason: string; order_line_id: number | null }; answer: undefined }
  abort: { input: Leaving & { empty: boolean }; answer: undefined }
  put_back: { input: Leaving; answer: undefined }
  unpack: { input: { order_id: number; shipment_id: number }; answer: undefined }
  reopen: { input: { order_id: number }; answer: undefined }
  bypass: { input: { order_id: number; reason: string; pin: string; approval?: string }; answer: PackingOrder }
  approve: { input: { order_id: number; act: ApprovedAct; proof: ApprovalProof }; answer: { approval: string; approver: string } }
  ask_approval: {
    input: { order_id: number; rule_id: number; line_id: number | null; proof: ApprovalProof | null; reason?: string }
    answer: { state: string; approver: string | null; left_ms: number | null }
  }
  add: { input: { order_id: number; id: number; skip: SkipReason | null }; answer: PackingOrder }
  link_barcode: { input: { order_id: number; code: string; order_line_id: number }; answer: undefined }
  print: { input: OrderName; answer: { print_jobs: readonly { id: number; state: string; error: string | null }[] } }
  /** `announce` names the order if the file stands in for a print. */
  download: { input: { order_id: number; announce: string | null }; answer: undefined }
}
/** A lead's badge, or a lead and their PIN. */
export type ApprovalProof = { badge: string } | { user_id: number; pin: string } | { photo_id: number } | { request_id: number }
/** How an order is closed that misses something, or whose weight was corrected. */
export interface CloseHow {
  rest?: Rest
  rest_lines?: readonly { order_line_id: number; rest: Rest }[]
  notify_recipient?: boolean
  /** YYYY-MM-DD. */
  expected_on?: string
  weight_g?: number
  approval?: string
  without_photo?: MissingPhotoReason
}
/** `next`: the order that is opened in place of this one. */
interface Leaving extends OrderName {
  next: number | null
}
export type CallName = keyof Calls
export type InputOf<Name extends CallName> = Calls[Name]['input']
export type AnswerOf<Name extends CallName> = Calls[Name]['answer']

type CallEffect = {
  [Name in CallName]: {
    type: 'call'
    name: Name
    input: InputOf<Name>
    turn: number
    /** `unreachable`: sent again until the server answers; `busy`: also while it fails. */
    retry: 'never' | 'unreachable' | 'busy'
    /** The order whose scans are acknowledged first. */
    afterScansOf: number | null
  }
}[CallName]

export type ScanAction =
  | { kind: 'scan'; code: string; method: ScanMethod; serial_for?: number; line_id?: number }
  | { kind: 'count'; order_line_id: number; quantity: number }
  | { kind: 'undo'; pack?: boolean }
  | { kind: 'next'; without_photo?: MissingPhotoReason | undefined }
  | { kind: 'photo'; picture: Blob; approves?: boolean | undefined }
  | { kind: 'weight'; weight_g: number; source: WeightSource; confirmed?: boolean; approval?: string }

export type Effect =
  | CallEffect
  | { type: 'play'; tone: Tone }
  | { type: 'enqueue'; order_id: number; action: ScanAction }
  /** A photo of the open box, by the station's camera. */
  | { type: 'take_photo'; order_id: number }
  /** No scan of the order is sent before `release_queue`. */
  | { type: 'hold_queue' | 'release_queue'; order_id: number }
  /** The order for a reload of the page. */
  | { type: 'remember'; order_id: number | null }
  /** Nothing of the order stays on the device. */
  | { type: 'forget_kept' }
  | { type: 'refresh_lists' }
  | { type: 'store_acknowledged'; session_ids: readonly number[] }
  | { type: 'store_unlabelled'; orders: readonly Unlabelled[] }
  /** Opens the page on which this device's printers are chosen. */
  | { type: 'choose_printer' }
  /** Looks at the open order after a pause, in place of a look that waits already. */
  | { type: 'look_after'; ms: number }
  | { type: 'cancel_look' }

type Answered = {
  [Name in CallName]: { type: 'answered'; name: Name; input: InputOf<Name>; turn: number; answer: AnswerOf<Name> }
}[CallName]
type CallFailed = {
  [Name in CallName]: { type: 'call_failed'; name: Name; input: InputOf<Name>; turn: number; failure: Failure }
}[CallName]

export type StationEvent =
  // What a person does.
  | ({ type: 'scan' } & Scanned)
  | { type: 'command'; command: Command }
  | { type: 'primary' }
  /** Everything of the outer pack whose serial numbers are asked for. */
  | { type: 'undo_pack' }
  | { type: 'back' }
  | { type: 'choose'; number: number }
  | { type: 'ask'; dialog: Dialog }
  | { type: 'find'; code: string }
  | { type: 'open'; order_id: number; order_no?: string }
  | { type: 'leave' }
  | ({ type: 'close' } & CloseHow)
  /** What the scale says, or a person types; `confirmed` takes a weight that differs. */
  | { type: 'weigh'; weight_g: number; source: WeightSource }
  | { type: 'weigh_again' | 'take_weight' }
  /** Of the open box; `go_without_photo` where the camera gives none. */
  | { type: 'take_photo' | 'go_without_photo' }
  | { type: 'unpack'; shipment_id: number }
  | { type: 'unpack_confirmed' | 'reopen' }
  /** Of the whole rest, or of the line that is asked about. */
  | { type: 'decide_rest'; rest: Rest }
  | { type: 'decide_by_line' }
  | { type: 'notify_recipient'; said: boolean; expected_on?: string }
  | { type: 'ask_approval'; act: ApprovedAct }
  | { type: 'approve'; proof: ApprovalProof }
  /** Asks a lead elsewhere. */
  | { type: 'ask_lead' }
  | { type: 'approval_reason'; reason: string }
  | { type: 'bypass_reason'; reason: string }
  | { type: 'set_aside'; kind: ReportedKind; reason: string }
  | { type: 'give_back'; empty: boolean }
  | { type: 'put_back' }
  | { type: 'count'; order_line_id: number; quantity: number }
  | { type: 'choose_line'; line_id: number }
  | { type: 'begin_linking'; code: string }
  | { type: 'choose_linked_line'; line_id: number }
  /** An additional product is in the parcel, or left out. */
  | { type: 'add'; id: number; skip: SkipReason | null }
  | { type: 'bypass'; reason: string; pin: string }
  | ({ type: 'reprint' } & OrderName)
  | { type: 'save_label'; order_id: number }
  | { type: 'choose_printer' }
  /** The packer goes on without the label of the order that just left. */
  | { type: 'label_later' }
  /** A person says that the parcel has its label. */
  | { type: 'labelled'; order_id: number }
  | { type: 'hide' }
  // What the server and the device report.
  | Answered
  | CallFailed
  | { type: 'retrying'; turn: number; reachable: boolean }
  | { type: 'scan_answered'; scan: QueuedScan; answer: ScanAnswer }
  | { type: 'scan_refused'; order_id: number; failure: Failure }
  | { type: 'photo_made'; order_id: number; picture: Blob }
  | { type: 'photo_failed'; order_id: number; problem: MissingPhotoReason }
  | { type: 'photo_stored'; order_id: number; parcel_no: number; taken: number; photo_id: number; kind: PhotoKind }
  /** Another parcel of the order began. */
  | { type: 'parcel_begun'; order: PackingOrder }
  /** The order that was open before the page was reloaded, while no server answers. */
  | { type: 'kept_order'; order: PackingOrder }
  | { type: 'queue_changed'; waiting: readonly QueuedScan[]; offline: boolean }
  | { type: 'noticed'; topic: ChangeTopic; id: number | undefined }
  | { type: 'look_due' }
  | { type: 'print_changed'; job_id: number; state: string }
  | { type: 'print_gone'; job_id: number }
  /** One more parcel of a packed order got its label. */
  | { type: 'parcel_added'; order_no: string }
  /** A call of a view failed. */
  | { type: 'failed'; failure: Failure }
  | { type: 'acknowledged_loaded'; session_ids: readonly number[] }
  | { type: 'unlabelled_loaded'; orders: readonly Unlabelled[] }
  | { type: 'signed_out' }

/** One of a few numbered answers: a digit, its button, or `CMD:DONE` for the first. */
export interface Choice {
  key: string
  text: string
  values?: Say['values']
  /** A line that the choice is about. */
  line_id?: number
  detail?: string
  /** Shown as it is. */
  note?: string
  /** A day of the text, as YYYY-MM-DD. */
  day?: string
  company?: { name: string; color: string | null }
  /** Why it cannot be chosen. */
  closed?: string
}
export interface StationChoice extends Choice {
  event: StationEvent
}
