/** The interface that every courier adapter implements, so that no code outside this folder depends on one courier. */

import type { Party } from '#domain/party.ts'

export interface BookingRequest {
  /** Idempotency key: the same key always means the same parcel, and a courier that supports keys returns the first booking again. */
  idempotency_key: string
  /** Our reference, printed on the label and used to find a booking after a time-out. */
  reference: string
  /** For couriers whose parcel numbers we issue: reserved in the transaction that commits the intent. */
  reserved_number: string | null
  order_no: string
  shipping_method: string
  sender: Party
  receiver: Party
  service_point_id: string | null
  /** Grams. */
  weight_g: number
  /** Position of this parcel among the parcels of the order. */
  parcel_no: number
  parcel_count: number
  /** URL in the recipient's QR code, or null where tracking is off. */
  tracking_url: string | null
  /** The company's settings for this courier, as its `SettingField`s declare them. */
  settings: Record<string, string>
}

type LabelFormat = 'pdf' | 'a4' | 'zpl'
export type Labels = Partial<Record<LabelFormat, Uint8Array>>

export interface Booking {
  tracking_no: string
  /** Exact content of the label's barcode, without the symbology prefix: label check and scan-out compare with it. */
  barcode: string
  /** Our reference as the courier returns it, if it does: detects an answer that belongs to another parcel. */
  reference?: string
  /** The cage in which the parcel waits for collection, if the courier's labels name one. */
  cage?: string | null
  labels: Labels
  /** Request and response without secrets, for `label_generator/log`. */
  exchange: { request: unknown; response: unknown }
}

export interface Finding {
  field: string
  severity: 'error' | 'warning'
  /** A sentence with placeholders, which is also the translation key. */
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
  /** Text of several lines. */
  multiline?: boolean
  /** One of these values, by default the first; each has a name that needs no translation. */
  choices?: readonly { value: string; name: string }[]
  /** A linear-time pattern, and the sentence shown when the value matches neither it nor the choices. */
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
  /** Who issues parcel numbers: with `ours`, the intent reserves one from the company's series. */
  numbers: 'ours' | 'theirs'
  /** What the adapter can look up after an unknown outcome. */
  recovery: 'idempotency_key' | 'lookup' | 'none'
  cancel: 'yes' | 'before_hand_over' | 'no'
  required: readonly ('phone' | 'email' | 'weight')[]
  settings: readonly SettingField[]
}

export interface Courier {
  capabilities: Capabilities
  /** Problems with this parcel, found before booking; empty when there are none. */
  validate(request: Omit<BookingRequest, 'idempotency_key' | 'reference' | 'reserved_number' | 'tracking_url'>): Finding[]
  /** Problems with the settings that their patterns cannot find, checked before saving; `field` is the setting's name. */
  checkSettings?(settings: Record<string, string>): Finding[]
  /** The cages that labels with these settings name, each with its collection time (HH:MM, local), if it has one. */
  cages?(settings: Record<string, string>): { name: string; cut_off: string | null }[]
  /** Books the parcel and fetches the label. Throws only `CourierRefused`, `CourierUnavailable` or `OutcomeUnknown`. */
  book(request: BookingRequest, signal: AbortSignal): Promise<Booking>
  /** The booking with this reference, or null when the courier has none. */
  find(request: BookingRequest, signal: AbortSignal): Promise<Booking | null>
  /** Answers separately whether it is cancelled here, whether at the courier, and whether the money is returned. */
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

/** The courier rejects the request with a reason: a person corrects the named field. */
export class CourierRefused extends Error {
  readonly field: string | null
  constructor(message: string, field: string | null = null) {
    super(message)
    this.name = 'CourierRefused'
    this.field = field
  }
}
/** Nothing was booked; a retry is safe. */
export class CourierUnavailable extends Error {
  override name = 'CourierUnavailable'
}
/** The courier may have booked: look up by reference before any retry. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}
