/** What every courier adapter is: one shape, so that nothing above this folder knows a courier by name. */

import type { Party } from '#domain/party.ts'

export interface BookingRequest {
  /** The same key always means the same parcel: a courier that knows keys answers the first booking again. */
  idempotency_key: string
  /** Our own reference, printed on the label and used to look a booking up after a time-out. */
  reference: string
  /** For couriers whose numbers we issue ourselves: reserved in the transaction that committed the intent. */
  reserved_number: string | null
  order_no: string
  shipping_method: string
  sender: Party
  receiver: Party
  service_point_id: string | null
  /** Grams. */
  weight_g: number
  /** Which of how many parcels of the order. */
  parcel_no: number
  parcel_count: number
  /** What the recipient's QR code leads to, or null where tracking is off. */
  tracking_url: string | null
  /** The courier's settings of the company, as `SettingField`s declare them. */
  settings: Record<string, string>
}

type LabelFormat = 'pdf' | 'a4' | 'zpl'
export type Labels = Partial<Record<LabelFormat, Uint8Array>>

export interface Booking {
  tracking_no: string
  /** Exactly what the label's barcode contains, without symbology prefix: label check and scan-out compare with it. */
  barcode: string
  /** Our reference as the courier repeats it, where it does: an answer that was meant for another parcel is noticed by it. */
  reference?: string
  /** The cage in which the parcel waits for the courier, as the label names it; where the courier's labels name one. */
  cage?: string | null
  labels: Labels
  /** The exchange as it was, secrets removed, for `label_generator/log`. */
  exchange: { request: unknown; response: unknown }
}

export interface Finding {
  field: string
  severity: 'error' | 'warning'
  /** A sentence with places, which is also the translation key. */
  text: string
  values?: Record<string, string | number>
}

interface TrackingEvent {
  state: string
  at: string
  place: string | null
  text: string
}

export interface SettingField {
  name: string
  label: string
  hint?: string
  secret?: boolean
  required?: boolean
  /** A text of several lines. */
  multiline?: boolean
  /** One of these, the first where nothing was chosen; each is called by a name that needs no translation. */
  choices?: readonly { value: string; name: string }[]
  /** A linear-time pattern and the sentence shown when this or the choice does not match. */
  pattern?: string
  refusal?: string
}

export interface Method {
  /** As stored on orders and in the specification's `{shipping_method}`. */
  code: string
  name: string
  service_point: 'none' | 'required'
  /** Grams. */
  max_weight_g: number
  countries: 'all' | readonly string[]
}

export interface Capabilities {
  agent_code: string
  name: string
  methods: readonly Method[]
  /** Label sizes in millimetres, width × height. */
  sizes: Partial<Record<LabelFormat, readonly [number, number]>>
  /** Who issues parcel numbers: when `ours`, the intent reserves one from the company's series. */
  numbers: 'ours' | 'theirs'
  /** What can be asked after an unknown outcome. */
  recovery: 'idempotency_key' | 'lookup' | 'none'
  cancel: 'yes' | 'before_hand_over' | 'no'
  required: readonly ('phone' | 'email' | 'weight')[]
  settings: readonly SettingField[]
}

export interface Courier {
  capabilities: Capabilities
  /** What is wrong with this parcel before anything is booked; empty when nothing is. */
  validate(request: Omit<BookingRequest, 'idempotency_key' | 'reference' | 'reserved_number' | 'tracking_url'>): Finding[]
  /** What is wrong with the settings beyond what their patterns say, before they are saved; `field` is the setting's name. */
  checkSettings?(settings: Record<string, string>): Finding[]
  /** The cages that labels booked with these settings name, each with the time at which it is taken (HH:MM, local), if it has one. */
  cages?(settings: Record<string, string>): { name: string; cut_off: string | null }[]
  /** Books and fetches the label. Throws `CourierRefused`, `CourierUnavailable` or `OutcomeUnknown`, nothing else. */
  book(request: BookingRequest, signal: AbortSignal): Promise<Booking>
  /** The booking made under this reference, or null when the courier has none. */
  find(request: BookingRequest, signal: AbortSignal): Promise<Booking | null>
  /** Answers the three things apart: is it cancelled here, at the courier, and is money returned. */
  cancel(
    booking: { tracking_no: string; settings: Record<string, string> },
    signal: AbortSignal,
  ): Promise<{ cancelled: boolean; cancelled_at_carrier: boolean; refunded: boolean }>
  track(booking: { tracking_no: string; settings: Record<string, string> }, signal: AbortSignal): Promise<TrackingEvent[]>
  parcelShops(
    search: { country: string; postcode: string; address: string | null; settings: Record<string, string> },
    signal: AbortSignal,
  ): Promise<ParcelShop[]>
}

interface ParcelShop {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
  distance_m: number | null
  opening_hours: string[]
}

/** The courier says no and says why: a person corrects the named field. */
export class CourierRefused extends Error {
  readonly field: string | null
  constructor(message: string, field: string | null = null) {
    super(message)
    this.name = 'CourierRefused'
    this.field = field
  }
}
/** Nothing was booked and trying again is safe. */
export class CourierUnavailable extends Error {
  override name = 'CourierUnavailable'
}
/** The courier may or may not have booked: look up by reference before anything is repeated. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}
