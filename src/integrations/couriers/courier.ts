/** The interface that every courier adapter implements, so that no code outside this folder depends on one courier. */

import type { ErrorCode } from '#contract/error-codes.ts'
import type { customsReasons, extraRoles, numberKinds } from '#domain/consignment.ts'
import type { Party } from '#domain/party.ts'

/** Whole minor units of an ISO 4217 currency. */
interface Money {
  amount: number
  currency: string
}

/** Who takes part beside sender and recipient; each courier declares which of them it carries. */
type ExtraRole = (typeof extraRoles)[number]
export type PartyRole = 'sender' | 'recipient' | ExtraRole
export type Parties = { sender: Party; recipient: Party } & Record<ExtraRole, Party | null>

/** One kind of goods in a parcel. */
export interface ParcelLine {
  order_line_id: number | null
  sku: string | null
  description: string
  quantity: number
  /** 6 to 11 digits. */
  hs_code: string | null
  /** ISO 3166-1 alpha-2. */
  origin: string | null
  /** Of the whole line, after its discount, without VAT; null where the price is unknown. */
  value: Money | null
  /** Grams, of the whole line. */
  net_weight_g: number | null
  /** With the products' own packaging, where it is known apart. */
  gross_weight_g?: number | null
  /** The maker's own number of the product. */
  manufacturer_no?: string | null
  gtin?: string | null
  /** With VAT, where it is declared for transit. */
  transit_value?: Money | null
}

export interface ParcelRequest {
  /** Position among the parcels of the consignment. */
  parcel_no: number
  /** Null while more parcels may follow. */
  parcel_count: number | null
  /** For couriers whose parcel numbers we issue: reserved in the transaction that commits the intent. */
  reserved_number: string | null
  /** Grams, packaging included. */
  weight_g: number
  /** Length, width and height. */
  size_mm: readonly [number, number, number] | null
  /** Code of the shipping box. */
  crate: string | null
  lines: ParcelLine[]
}

export interface ServiceChoice {
  code: string
  options: Record<string, string | number | boolean>
}

type NumberKind = (typeof numberKinds)[number]

/** What a parcel that crosses a customs border declares; the goods are the lines of its parcels. */
export interface CustomsData {
  reason: (typeof customsReasons)[number]
  /** Incoterms 2020: three letters, such as DAP. */
  terms: string | null
  numbers: { kind: NumberKind; value: string }[]
  /** Papers that the courier draws. */
  documents: DocumentKind[]
}

export interface ServicePoint {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
}

type DocumentKind = 'label' | 'cn22' | 'cn23' | 'invoice' | 'proforma' | 'manifest' | (string & {})
export type LabelFormat = 'pdf' | 'a4' | 'zpl'

export interface CourierDocument {
  kind: DocumentKind
  format: 'pdf' | 'zpl'
  paper: 'label' | 'a4'
  bytes: Uint8Array
}

export interface BookingRequest {
  /** The same key always means the same booking, and a courier that supports keys returns the first booking again. */
  idempotency_key: string
  /** Our reference, printed on the label and used to find a booking after a time-out. */
  reference: string
  operation: 'outbound' | 'return'
  /** Of a return: with a code that the customer shows where the parcel is handed in. Only couriers with `return_qr` take it. */
  qr?: boolean | undefined
  /** A `Shipping method` of the courier. */
  method: string
  services: ServiceChoice[]
  /** The order's number, or the reference that a person gave a shipment without an order. */
  order_no: string | null
  /** Local date of the sender, YYYY-MM-DD. */
  ship_date: string
  parties: Parties
  service_point: ServicePoint | null
  parcels: ParcelRequest[]
  customs: CustomsData | null
  /** The parcel crosses another country on its way inside its own, and its goods are declared for that. */
  transit?: boolean
  /** The format that the printer takes; an adapter may return more. */
  label: { format: LabelFormat }
  /** Language of the recipient. */
  locale: string
  /** When the courier collects at the sender's; null where it comes without being asked. */
  pickup: { date: string; from: string; to: string } | null
  /** URL in the recipient's QR code, or null where tracking is off. */
  tracking_url: string | null
  /** The company's settings for this courier, as its `SettingField`s declare them. */
  settings: Record<string, string>
  /** The method as the account has it, for couriers with `accountMethods`. */
  account_method?: Method | undefined
  /** When the parcel was first to be booked, as an ISO time. */
  asked_at?: string
}

/** A request before its intent is committed. */
export type BookingDraft = Omit<BookingRequest, 'idempotency_key' | 'reference' | 'tracking_url' | 'asked_at'>

type ParcelOutcome =
  | {
      ok: true
      tracking_no: string
      /** Exact content of the label's barcode, without the symbology prefix: label check and scan-out compare with it. */
      barcode: string
      /** The cage in which the parcel waits for collection, if the courier's labels name one. */
      cage: string | null
      documents: CourierDocument[]
      /** The page with the code that was asked for with `qr`. */
      qr_link?: string | null
    }
  | { ok: false; message: string; field: string | null }

export interface Booking {
  /** Our reference as the courier returns it, if it does: detects an answer that belongs to another parcel. */
  reference?: string
  /** The courier's number of the whole booking, where it is cancelled by that. */
  courier_no?: string
  /** In the order of the request, and as many. */
  parcels: ParcelOutcome[]
  /** Request and response without secrets, for `label_generator/log`. */
  exchange: { request: unknown; response: unknown }
}

export interface Finding {
  /** Stable; clients branch on it. Null for warnings and for settings, which no call refuses by themselves. */
  code: ErrorCode | null
  /** Path in the form that makes a label, such as `recipient.postcode` or `parcels.0.weight_g`. */
  field: string
  severity: 'error' | 'warning'
  /** A sentence with placeholders, which is also the translation key. */
  text: string
  values?: Record<string, string | number>
}

export interface TrackingEvent {
  state: string
  at: string
  place: string | null
  text: string
  /** The courier's own code, where an event is both sent by it and answered: the same code at the same second is one event. */
  code?: string
  /** The last day on which the parcel can be collected where it waits, as YYYY-MM-DD. */
  collect_by?: string
}

/** An event that the courier sent by itself. */
export interface PushedEvent extends TrackingEvent {
  /** As the parcel was booked. */
  tracking_no: string
}

interface CourierWebhook {
  /** The header that holds the secret; null where the courier signs with it. */
  secret_header: string | null
  /** What stands in a delivery; null where it is not signed with the secret. Throws nothing. */
  read(raw: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>, secret: string): PushedEvent[] | null
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

interface ServiceOption {
  name: string
  type: 'text' | 'number' | 'flag'
  required?: boolean
  choices?: readonly string[]
}

export interface Service {
  code: string
  name: string
  options: readonly ServiceOption[]
}

export interface Method {
  /** As stored on orders and in the specification's `{shipping_method}`. */
  code: string
  name: string
  /** With `optional` the courier chooses a shop where no one did. */
  service_point: 'none' | 'optional' | 'required'
  /** Grams. */
  max_weight_g: number
  countries: 'all' | readonly string[]
  services: readonly Service[]
  /** What it needs beyond what the courier needs of every parcel. */
  needs?: Capabilities['needs'] | undefined
  /** Codes of services that are part of it: they are booked with every parcel. */
  included?: readonly string[] | undefined
}

export interface Capabilities {
  agent_code: string
  name: string
  /** Empty where each account has its own. */
  methods: readonly Method[]
  /** Empty where the courier makes no labels through this program. */
  operations: readonly BookingRequest['operation'][]
  /** A return may be booked with a code that the customer shows instead of printing a label. */
  return_qr?: boolean
  /** Label sizes in millimetres, width × height. */
  sizes: Partial<Record<LabelFormat, readonly [number, number]>>
  /** Who issues parcel numbers: with `ours`, the intent reserves one from the company's series. */
  numbers: 'ours' | 'theirs'
  /** What the adapter can look up after an unknown outcome. */
  recovery: 'idempotency_key' | 'lookup' | 'none'
  cancel: 'yes' | 'before_hand_over' | 'no'
  /** Parcels that were booked in one call are cancelled only in one call. */
  cancels_together?: boolean
  /** Parcels that one booking takes; those over a customs border and returns are booked one by one. */
  parcels_per_call: number
  /** What the courier needs beyond name, address and country; `contact` is a phone number or an email address. */
  needs: readonly ('phone' | 'email' | 'contact' | 'weight' | 'size')[]
  parties: readonly ExtraRole[]
  /** Kinds of documents that it returns. */
  documents: readonly DocumentKind[]
  /** Null: the courier takes no customs data. */
  customs: { numbers: readonly NumberKind[]; max_lines: number | null } | null
  /** It takes data of goods that cross another country on their way inside their own. */
  transit?: boolean
  /** Countries to which its parcels go by post, with a CN22 or CN23. */
  postal?: 'all' | readonly string[]
  /** `order`: it is asked to collect, apart from any booking. `window`: it takes the time by which it must have come. */
  pickups: 'none' | 'with_booking' | 'order'
  pickup_window?: boolean
  /** Whether `track` tells where a parcel is. */
  tracking: boolean
  /** Whether `parcelShops` answers; else it is never asked. */
  parcel_shops: boolean
  settings: readonly SettingField[]
}

interface BookedParcel {
  tracking_no: string
  /** The `courier_no` of its booking. */
  courier_no?: string | null
  settings: Record<string, string>
  /** What was booked, as far as it is kept: some couriers want it again with a cancellation. */
  request?: BookingRequest
}

export interface Courier {
  capabilities: Capabilities
  /** Problems that the capabilities do not express, found before booking; empty when there are none. No network. */
  validate(request: BookingDraft): Finding[]
  /** Problems with the settings that their patterns cannot find, checked before saving; `field` is the setting's name. */
  checkSettings?(settings: Record<string, string>): Finding[]
  /** The cages that labels with these settings name, each with its collection time (HH:MM, local), if it has one. */
  cages?(settings: Record<string, string>): { name: string; cut_off: string | null }[]
  /** Books the parcels and fetches their labels. Throws only `CourierRefused`, `CourierUnavailable` or `OutcomeUnknown`. */
  book(request: BookingRequest, signal: AbortSignal): Promise<Booking>
  /** The booking with this reference, or null when the courier has none. */
  find(request: BookingRequest, signal: AbortSignal): Promise<Booking | null>
  /** Answers separately whether it is cancelled here, whether at the courier, and whether the money is returned. */
  cancel(booking: BookedParcel, signal: AbortSignal): Promise<{ cancelled: boolean; cancelled_at_carrier: boolean; refunded: boolean }>
  /** What the courier reports of the parcel, in any order. A `state` is one of a shipment, or empty for words alone. */
  track(booking: BookedParcel, signal: AbortSignal): Promise<TrackingEvent[]>
  parcelShops(
    search: { country: string; postcode: string; address: string | null; method?: string | undefined; settings: Record<string, string> },
    signal: AbortSignal,
  ): Promise<ParcelShop[]>
  /** All of its shops in a country at once, for couriers that give such a list. */
  allShops?: {
    /** Read every night; those of other countries where shops were asked for. */
    countries: readonly string[]
    /** A pattern of numbers that belong to another system of the courier: its list says nothing of them. */
    others?: string
    /** Null where this account has no such list. */
    read(search: { country: string; settings: Record<string, string> }, signal: AbortSignal): Promise<ParcelShop[] | null>
  }
  /** For couriers that send events by themselves. */
  webhook?: CourierWebhook
  /** The methods with which the account with these settings may send. */
  accountMethods?(settings: Record<string, string>, signal: AbortSignal): Promise<Method[]>
  /** Whether it delivers to a postcode, and in which of its areas that lies. */
  coverage?(search: { postcode: string; settings: Record<string, string> }, signal: AbortSignal): Promise<Coverage>
  /** The next days on which it delivers, YYYY-MM-DD. */
  deliveryDates?(settings: Record<string, string>, signal: AbortSignal): Promise<string[]>
  /** The ways in which it would deliver this parcel now. */
  availability?(search: AvailabilitySearch, signal: AbortSignal): Promise<Availability>
  /** Asks it to collect at the sender's, and takes that back where it can. Throws what `book` throws. */
  pickup?: {
    order(request: PickupRequest, signal: AbortSignal): Promise<OrderedPickup>
    cancel?(pickup: { courier_no: string; date: string; settings: Record<string, string> }, signal: AbortSignal): Promise<boolean>
  }
  /** The customer numbers on which the account with these settings may book. */
  customerNumbers?(settings: Record<string, string>, signal: AbortSignal): Promise<CustomerNumber[]>
  /** Asks something harmless with these settings and answers what the courier says. */
  probe?(settings: Record<string, string>, signal: AbortSignal): Promise<{ ok: boolean; words: string }>
}

export interface PickupRequest {
  /** Ours, and unique. */
  reference: string
  /** Local date of the sender, YYYY-MM-DD, and its hours, HH:MM. */
  date: string
  from: string
  to: string
  parcels: number
  /** Grams, of all of them. */
  weight_g: number
  note: string | null
  sender: Party
  /** Numbers of the parcels that wait for it, for couriers that collect named parcels only. */
  tracking_nos: string[]
  settings: Record<string, string>
}

export interface OrderedPickup {
  /** With it the pickup is cancelled. */
  courier_no: string | null
  /** The day on which it comes, where it says so. */
  comes_on: string | null
  /** What it says of parcels that it does not collect. */
  words?: string
  /** Request and answer without secrets. */
  exchange: { request: unknown; response: unknown }
}

export interface Coverage {
  covered: boolean
  area: string | null
}

export interface AvailabilitySearch {
  recipient: { street: string; postcode: string; city: string; country: string; email: string; phone: string }
  parcel: Pick<ParcelRequest, 'weight_g' | 'size_mm'>
  value: Money | null
  /** Methods of the courier. */
  methods: readonly string[]
  settings: Record<string, string>
}

export interface DeliveryOption {
  method: string
  /** As a booking names it. */
  sort_code: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
  lat: number | null
  lng: number | null
  /** ISO times between which it is open. */
  hours: { from: string; to: string }[]
  /** ISO times: until when it must be booked, and when the parcel is there. */
  cutoff_at: string | null
  eta: string | null
}

export interface Availability {
  token: string
  options: DeliveryOption[]
}

interface CustomerNumber {
  customer_no: string
  name: string
  country: string | null
  /** Codes of the products that it may book. */
  services: string[]
}

export interface ParcelShop {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
  distance_m: number | null
  opening_hours: string[]
  /** Degrees; null where the courier does not say. */
  lat?: number | null
  lng?: number | null
  /** A machine instead of people. */
  locker?: boolean
}

/** The courier rejects the request with a reason: a person corrects the named field. */
export class CourierRefused extends Error {
  readonly field: string | null
  readonly code: ErrorCode | null
  constructor(message: string, field: string | null = null, code: ErrorCode | null = null) {
    super(message)
    this.name = 'CourierRefused'
    this.field = field
    this.code = code
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
