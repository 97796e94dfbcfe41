/**
 * The interface that every adapter of a shop system implements: orders are pulled, and what becomes of them is pushed back. An adapter
 * knows its shop's API and nothing of our database: watermark, repetitions, order of pushes and echoes are the connections' work.
 */
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import type { ShopHttp } from './shop-question.ts'

const shopSystems = ['woocommerce', 'shopify', 'magento', 'prestashop', 'shopware', 'vendure', 'medusa'] as const
export type ShopSystem = (typeof shopSystems)[number]

/** What a person fills in. Texts are English sentences, which are translated where they are shown. */
export interface ConnectorField {
  name: string
  label: string
  hint?: string
  /** Of credentials: hidden when typed. All credentials are sealed, whatever this says. */
  secret?: boolean
  required?: boolean
  /** A person chooses one of these, by default the first; names need no translation. */
  choices?: readonly { value: string; name: string }[]
  /** One of the statuses that `statuses` answers. */
  status?: boolean
  /** A linear-time pattern of the whole value, and the sentence shown when it does not match. */
  pattern?: string
  refusal?: string
}

export interface ConnectorCapabilities {
  /** Facts that can be pushed; others are not sent, and the log says so once. */
  facts: readonly PushFact['kind'][]
  /** Said beside the switch "Cancel in the shop too", where cancelling does more than it seems. */
  cancel_warning?: string
  /** The shop mails its customers about a fulfilment when asked: the switch is shown. */
  notifies_customer: boolean
  /** Said beside the fetching of old orders, where the shop hides some. */
  backfill_limit?: string
  /** At most so many requests in so many seconds, of one connection. */
  rate: { requests: number; seconds: number }
}

/** Everything that a call of an adapter gets. */
export interface ShopAccess {
  /** As the person entered it, without a slash at its end; may have a path. */
  base_url: string
  /** By the names of `credentials`. */
  credentials: Readonly<Record<string, string>>
  /** By the names of `settings`; empty text where nothing was entered. */
  settings: Readonly<Record<string, string>>
  /** Code of the shop in this system, and country and time zone of the company, for the reading of orders. */
  shop: string
  country: string
  timeZone: string
  /** The only way to the shop: see shop-http.ts. Throws `ShopError`. */
  http: ShopHttp
  /** A token that the shop gave, kept in memory for this connection until it is dropped. */
  session: { get(): string | undefined; set(token: string | undefined): void }
}

// ——— Orders in

/** What is asked for: changed from an instant on (inclusive), or created in a period. Both in ascending order of that time. */
export interface PullRequest {
  by: 'changed' | 'created'
  /** ISO 8601 in UTC, by the shop's own clock. Inclusive. */
  from: string
  /** Of `created`: exclusive. */
  to: string | null
  /** What the page before answered as `next`, with the same `from`; null for the first one. */
  page: string | null
}

export interface PulledPage {
  /** In ascending order of `changed_at` (or, by `created`, of the creation). */
  rows: PulledRow[]
  /** Where the next page begins; null after the last one. At most 500 characters. */
  next: string | null
}

interface RowHead {
  /** The order's id in the shop. */
  external_id: string
  /** The shop's own time of its last change, ISO 8601 in UTC. The watermark moves to it. */
  changed_at: string
  /** The shop's own code of the order's status, for the recognition of our writes that come back. */
  status: string
}
export type PulledRow =
  | (RowHead & { kind: 'order'; order: CanonicalOrder })
  /** It cannot be understood: it goes to the log, and the cursor moves on. */
  | (RowHead & { kind: 'refused'; order_no: string | null; problems: Problem[] })
  /** Nothing to do, such as a draft: `words` says why, in English. */
  | (RowHead & { kind: 'ignored'; words: string })
  /** The shop has deleted it. */
  | (RowHead & { kind: 'removed' })

export interface ConnectionTest {
  /** In the shop's own words: its name or version, for the person to recognise. */
  words: string
  /** The clock of the shop, where it can be read; ISO 8601 in UTC. */
  shop_time: string | null
  /** What is not as it should be, though the connection works; English sentences. */
  warnings: readonly string[]
}

export interface ShopStatus {
  code: string
  /** As the shop calls it. */
  name: string
}

// ——— Facts out

/** A thing of the shop that we wrote: kept, and given back with later facts of the same order. */
export interface ShopRef {
  /** Of the adapter's own choice: `fulfillment`, `note` … At most 40 characters. */
  external_type: string
  /** At most 200 characters. */
  external_id: string
  /** Our key of the fact that wrote it: `PushFact.key`. */
  key: string
}

interface FactHead {
  /** The same for every attempt, at most 100 characters: a shop that keeps keys of its clients may be given it. */
  key: string
  /** The order's id and number in the shop. A part of a divided order names the order that the shop knows. */
  external_id: string
  order_no: string
  /** What earlier pushes of this order wrote. */
  refs: readonly ShopRef[]
}

export interface PushedLine {
  /** The line's id in the shop. */
  external_id: string
  sku: string | null
  qty: number
}

export interface PushedParcel {
  tracking_no: string
  /** Where the recipient follows the parcel. */
  tracking_url: string | null
  /** Code and name of the courier: `gls`, `GLS Denmark`. */
  courier_code: string
  courier_name: string
  /** Goods in this parcel; lines of the shop only. */
  lines: readonly PushedLine[]
}

/** One parcel has left, or is packed. */
export interface FulfilmentFact extends FactHead {
  kind: 'fulfilment'
  parcel: PushedParcel
  /** All parcels of the order so far, this one included, in their order: for shops that hold a list. */
  parcels: readonly PushedParcel[]
  /** With this parcel nothing of the order remains to be sent. */
  is_last: boolean
  /** The shop may inform its customer. */
  notify_customer: boolean
}

/** A parcel that was pushed has another number: its label was made anew. */
export interface TrackingFact extends FactHead {
  kind: 'tracking'
  /** The `key` of the fulfilment that is changed, to find what it wrote among `refs`. */
  fulfilment_key: string
  old_tracking_no: string | null
  parcel: PushedParcel
  parcels: readonly PushedParcel[]
  notify_customer: boolean
}

/** The order was cancelled here. Sent only with the switch "Cancel in the shop too". */
export interface CancellationFact extends FactHead {
  kind: 'cancellation'
}

/** A person, or the program, wrote a line of the order's history. */
export interface StatusHistoryFact extends FactHead {
  kind: 'status_history'
  status: string
  text: string
  visible_to_customer: boolean
  notify_customer: boolean
}

/** Words for people in the shop, such as that a cancellation came too late. */
export interface NoteFact extends FactHead {
  kind: 'note'
  text: string
}

export type PushFact = FulfilmentFact | TrackingFact | CancellationFact | StatusHistoryFact | NoteFact

export type PushOutcome =
  | {
      kind: 'done'
      refs?: readonly Omit<ShopRef, 'key'>[]
      /** The status that the shop's order has now, as `PulledRow.status` will say it: it comes back as an echo. */
      status?: string | undefined
      /** What was not written, though the rest was; in the shop's words or an English sentence. */
      words?: string
    }
  /** The shop does not take it now; nothing was written. */
  | { kind: 'again'; words: string; retry_after_s?: number }
  /** The shop will never take it. */
  | { kind: 'refused'; words: string }

export interface ShopConnector {
  system: ShopSystem
  /** As its vendor writes it: `WooCommerce`. */
  title: string
  /** An example of the address: `https://shop.example.com`. */
  address_example: string
  capabilities: ConnectorCapabilities
  /** Keys and users: sealed apart, never shown again. */
  credentials: readonly ConnectorField[]
  /** Settings beside the common ones (pushed when, notify the customer, cancel in the shop too, take from when on). */
  settings: readonly ConnectorField[]
  /** Reads a harmless thing with the same keys. Throws `ShopError`. */
  test(access: ShopAccess): Promise<ConnectionTest>
  /** The statuses that an order of this shop can have, for settings with `status`. */
  statuses?(access: ShopAccess): Promise<ShopStatus[]>
  pull(access: ShopAccess, request: PullRequest): Promise<PulledPage>
  /** One order by its id or, where the shop can find it, by its number; null for none. */
  get(access: ShopAccess, id_or_number: string): Promise<PulledRow | null>
  /** Writes a fact. Throws `ShopError`: with `unknown` the shop may have taken it, and `findDone` is asked before the next attempt. */
  push(access: ShopAccess, fact: PushFact): Promise<PushOutcome>
  /** Whether the shop has this fact already: asked before every attempt but the first. Reads only. Null where it has not. */
  findDone(access: ShopAccess, fact: PushFact): Promise<Extract<PushOutcome, { kind: 'done' }> | null>
}

/** What went wrong between us and a shop. */
type ShopFailure =
  /** No connection, a time-out of a question, a server error, or not now (429, 503): ask again later. Nothing was written. */
  | 'unavailable'
  /** A write was sent and no answer came that says what became of it. */
  | 'unknown'
  /** The key is wrong, or may not do this: 401 and 403. */
  | 'denied'
  /** The answer is not what the documents say: another program answers there, or another version. */
  | 'unreadable'
  /** The shop refuses what was asked, for good: other 4xx. */
  | 'refused'

export class ShopError extends Error {
  override name = 'ShopError'
  readonly failure: ShopFailure
  readonly status: number | null
  readonly retry_after_s: number | undefined
  /** `words`: what the shop says, or an English sentence without its name; at most 500 characters are kept. */
  constructor(
    failure: ShopFailure,
    words: string,
    { status = null, retry_after_s }: { status?: number | null; retry_after_s?: number | undefined } = {},
  ) {
    super(words.slice(0, 500))
    this.failure = failure
    this.status = status
    this.retry_after_s = retry_after_s
  }
}
