/** Schemas of the calls in orders.contract.ts, with what the API documentation says of them. */

import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { shipmentStates } from '#domain/order/shipment-states.ts'
import { MethodWhy } from '#domain/rules/rule-schemas.ts'
import { shipBySources } from '#features/orders/deadlines/deadlines.codes.ts'
import { OrderComment } from '#features/orders/orders/comments/order-comments.schemas.ts'
import { OrderLock } from '#features/orders/orders/locks/order-locks.schemas.ts'
import { sorts, timelineKinds } from './orders.codes.ts'
import { actions, phases, presetNames, workStates } from './orders.rules.ts'

const WorkState = z.enum(workStates)
export const Phase = z.enum(phases)
/** What `set_state` is given in its path; ready, picked, cancelled and closed are taken. */
const OrderState = text(40)

const id = z.number().int()
const idIn = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)

/** `1`, `true` or nothing. */
const flag = z
  .preprocess(
    value => (value === undefined || value === '' ? undefined : value === '1' || value === 'true' || value === true),
    z.boolean().optional(),
  )
  .optional()

/** What narrows a list of orders; everything given must hold. */
export const OrderFilters = z.object({
  /** Order number, name, phone, e-mail, SKU, tracking number, serial, paperless code or order code. */
  query: z.string().max(200).default(''),
  view: z.enum(presetNames).optional(),
  phase: listParam(Phase, 50),
  /** Still in the warehouse. */
  open: flag,
  company_id: idIn.optional(),
  /** ISO 3166-1 alpha-2. */
  country: listParam(z.string().regex(/^[A-Za-z]{2}$/), 50),
  /** To a country other than the sender's own. */
  abroad: flag,
  agent_code: text(limits.code).optional(),
  shipping_method: text(limits.name).optional(),
  shop: text(limits.code).optional(),
  tag: text(limits.name).optional(),
  pinned: flag,
  /** What this person packs at the moment, or has locked. */
  mine: flag,
  /** Waiting to be picked, and may go in one parcel with another order of the same recipient. */
  combinable: flag,
  /** Orders whose worst validation badge is this one; `alert`: open ones that met an order alert which no one has checked. */
  badge: z.enum(['warning', 'error', 'alert']).optional(),
  /** `late`: should have left already; `today`: that, and what must leave before midnight. */
  due: z.enum(['late', 'today']).optional(),
  /** On this deadline, with pickups between these instants where they are given. */
  deadline_id: idIn.optional(),
  pickup_from: z.iso.datetime({ offset: true }).optional(),
  pickup_until: z.iso.datetime({ offset: true }).optional(),
  /** Came in between these instants, the last one not included; parts of a split order came with their whole. */
  received_from: z.iso.datetime({ offset: true }).optional(),
  received_until: z.iso.datetime({ offset: true }).optional(),
  /** Its first parcel was packed between these instants, the last one not included. */
  packed_from: z.iso.datetime({ offset: true }).optional(),
  packed_until: z.iso.datetime({ offset: true }).optional(),
  /** Of those packed between two instants: before their pickup or ship-by time, or after it. */
  packed_in_time: z.enum(['yes', 'no']).optional(),
  /** On hold, and the newest hold or lock has this reason. */
  hold_reason: text(limits.code).optional(),
  /** Packed with a scan that was let pass. */
  bypass: flag,
})
export type OrderFilters = z.output<typeof OrderFilters>

export const Badge = z.object({
  kind: z.string(),
  severity: z.enum(['ok', 'warning', 'error']),
  /** A sentence with places, and what fills them. */
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Badge = z.infer<typeof Badge>

const StopShown = z.object({ kind: z.enum(['manual', 'auto', 'hold']), reason: z.string().nullable(), note: z.string(), actor: z.string() })

export const OrderRow = z.object({
  id,
  company_id: id,
  order_no: z.string(),
  shop: z.string(),
  phase: Phase,
  work_state: WorkState,
  version: id,
  customer_name: z.string(),
  city: z.string(),
  ship_country: z.string(),
  item_count: id,
  weight_g: id,
  ship_by: z.string().nullable(),
  ordered_at: z.string(),
  created_at: z.string(),
  pinned: z.boolean(),
  agent_code: z.string().nullable(),
  shipping_method: z.string().nullable(),
  shipping_title: z.string().nullable(),
  tags: z.array(z.string()),
  /** Warnings and errors only, the errors first. */
  badges: z.array(Badge),
  stops: z.array(StopShown),
  /** Order alerts that it met and no one has checked. */
  alerts: z.array(z.object({ mode: z.enum(['note', 'hold', 'pin']), note: z.string() })),
  /** Where somebody packs it at this moment. */
  packing: z.object({ station: z.string(), user_name: z.string(), state: z.string() }).nullable(),
  /** It may go in one parcel with another order of the same recipient. */
  combinable: z.boolean(),
})
export type OrderRow = z.infer<typeof OrderRow>

export const ShipTo = z.object({
  name: z.string().catch(''),
  attention: z.string().nullable().catch(null),
  company: z.string().nullable().catch(null),
  address1: z.string().catch(''),
  address2: z.string().nullable().catch(null),
  postcode: z.string().catch(''),
  city: z.string().catch(''),
  region: z.string().nullable().catch(null),
  /** ISO 3166-1 alpha-2. */
  country: z.string().catch(''),
  /** E.164, or null where the text is no phone number of its country. */
  phone: z.string().nullable().catch(null),
  phone_raw: z.string().nullable().catch(null),
  email: z.string().nullable().catch(null),
  instruction: z.string().nullable().catch(null),
  door_code: z.string().nullable().catch(null),
})
export type ShipTo = z.infer<typeof ShipTo>

const optional = (max: number) => text(max).nullish()

/** What may be edited of a shipping address. A country sent along is left aside: another country is another order. */
export const AddressChange = z.strictObject({
  name: text(120).optional(),
  attention: optional(120),
  company: optional(120),
  address1: text(200).optional(),
  address2: optional(200),
  postcode: text(20).optional(),
  city: text(100).optional(),
  region: optional(100),
  phone: optional(40),
  email: optional(254),
  instruction: optional(500),
  door_code: optional(40),
  /** The version that was edited; another one in the meantime answers 409 with the order as it is now. */
  version: z.number().int().optional(),
})
export type AddressChange = z.output<typeof AddressChange>

export const OrderLine = z.object({
  order_item_id: id,
  line_no: id,
  type: z.enum(['item', 'shipping', 'discount', 'gift_card', 'payment_fee', 'fee']),
  sku: z.string().nullable(),
  product_id: id.nullable(),
  /** `products/{product_id}/picture` has one. */
  has_picture: z.boolean(),
  name: z.string(),
  variant: z.string().nullable(),
  barcode: z.string().nullable(),
  qty: id,
  cancelled_qty: id,
  /** Number of the order whose line it is, where that goes in the parcel of this one. */
  of_order: z.string().nullable(),
  /** What the shop ordered, where the line was changed here; 0 for one that was added here. */
  shop_qty: id.nullable(),
  picked_qty: id,
  packed_qty: id,
  shipped_qty: id,
  returned_qty: id,
  /** Minor units of the order's currency. */
  unit_price_excl_vat: id.nullable(),
  unit_price_incl_vat: id.nullable(),
  discount_excl_vat: id,
  vat_percent: z.string().nullable(),
  weight_g: id.nullable(),
  bin: z.string().nullable(),
  hs_code: z.string().nullable(),
  origin: z.string().nullable(),
  customs_text: z.string().nullable(),
  serial_required: z.boolean(),
  requires_shipping: z.boolean(),
  bundle_of: z.string().nullable(),
  /** The line of the order that sells this one as part of a bundle. */
  part_of: id.nullable(),
  custom: z.record(z.string(), z.unknown()),
  serials: z.array(z.string()),
})
export type OrderLine = z.infer<typeof OrderLine>

export const OrderParcel = z.object({
  shipment_id: id,
  parcel_no: id,
  operation_code: z.enum(['outbound', 'return']),
  state: z.enum(shipmentStates),
  agent_code: z.string(),
  shipping_method: z.string(),
  tracking_no: z.string().nullable(),
  barcode: z.string().nullable(),
  station: z.string().nullable(),
  weight_g: id,
  error: z.string().nullable(),
  has_label: z.boolean(),
  created_at: z.string(),
  booked_at: z.string().nullable(),
  handed_over_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
  /** What lies in it, with the serial numbers of the pieces. */
  lines: z.array(z.object({ order_item_id: id, qty: id, serials: z.array(z.string()) })),
})
export type OrderParcel = z.infer<typeof OrderParcel>

const OrderPrint = z.object({
  print_job_id: id,
  title: z.string(),
  document: z.string(),
  state: z.string(),
  copy_no: id,
  printer: z.string(),
  requested_by_name: z.string().nullable(),
  created_at: z.string(),
  error: z.string().nullable(),
})

const SupportedAction = z.object({
  action: z.enum(actions),
  allowed: z.boolean(),
  /** Why not: a sentence with places, the translation key. */
  reason: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})

const PackingAt = z.object({
  order_overview_id: id,
  station: z.string(),
  user_name: z.string(),
  state: z.string(),
  parcel_no: id,
  opened_at: z.string(),
  last_scan_at: z.string(),
})

export const Order = z.object({
  id,
  company_id: id,
  /** What the order's barcode says. */
  order_code: z.string(),
  order_no: z.string(),
  external_id: z.string(),
  shop: z.string(),
  /** The order in the shop's own system. */
  shop_link: z.string().nullable(),
  source: z.string(),
  phase: Phase,
  work_state: WorkState,
  version: id,
  held: z.boolean(),
  label_error: z.boolean(),
  short: z.boolean(),
  backorder: z.boolean(),
  cancelled_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  packed_at: z.string().nullable(),
  /** The station at which the items of a reopened order lie, until they are packed again or put back. */
  goods_at: z.string().nullable(),
  pinned: z.boolean(),
  payment_state: z.string(),
  currency: z.string(),
  locale: z.string().nullable(),
  ordered_at: z.string(),
  created_at: z.string(),
  ship_by: z.string().nullable(),
  /** Who set the ship-by date; null for orders of earlier releases. */
  ship_by_source: z.enum(shipBySources).nullable(),
  /** The pickup that it is on; null where no deadline applies. */
  pickup: z.object({ deadline: z.string().nullable(), at: z.string() }).nullable(),
  customer: z.object({ external_id: z.string().nullable(), name: z.string(), email: z.string().nullable(), phone: z.string().nullable() }),
  ship_to: ShipTo,
  bill_to: z.record(z.string(), z.unknown()).nullable(),
  service_point: z.record(z.string(), z.unknown()).nullable(),
  shipping_title: z.string().nullable(),
  shipping_code: z.string().nullable(),
  agent_code: z.string().nullable(),
  shipping_method: z.string().nullable(),
  /** Why it goes by this method; null for orders from before there were rules, and while no method is chosen. */
  method_why: MethodWhy.nullable(),
  delivery: z.record(z.string(), z.unknown()),
  customs: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  total_excl_vat: id.nullable(),
  total_vat: id.nullable(),
  total_incl_vat: id.nullable(),
  item_count: id,
  weight_g: id,
  badges: z.array(Badge),
  lines: z.array(OrderLine),
  parcels: z.array(OrderParcel),
  prints: z.array(OrderPrint),
  locks: z.array(OrderLock),
  comments: z.array(OrderComment),
  packing: PackingAt.nullable(),
  /** Paperless codes that carry this order: their digits. */
  paperless: z.array(z.string()),
  /** Orders that belong to it: the whole of a part, its parts, what it replaces, what replaced it, what carries it or goes in its parcel. */
  relations: z.array(
    z.object({
      id,
      order_no: z.string(),
      phase: Phase,
      relation: z.enum(['whole', 'part', 'replaces', 'replaced_by', 'combined_into', 'combines']),
    }),
  ),
  /** Where it goes in one parcel with others: the order that carries it, null where this one does, and whether work on the parcel has begun. */
  combined: z.object({ lead_no: z.string().nullable(), begun: z.boolean(), held_no: z.string().nullable() }).nullable(),
  supported_actions: z.array(SupportedAction),
})
export type Order = z.infer<typeof Order>

export const Changed = z.object({ id, order_no: z.string(), phase: Phase, work_state: WorkState, version: id })

export const BulkResult = z.object({
  id,
  order_no: z.string().nullable(),
  done: z.boolean(),
  phase: Phase.nullable(),
  /** Why not, in English with its values filled in; the sentence with places; what fills them. */
  message: z.string().nullable(),
  key: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type BulkResult = z.infer<typeof BulkResult>

const Counted = z.object({ count: id, is_more: z.boolean() })
export const TimelineKind = z.enum(timelineKinds)
export type TimelineKind = z.infer<typeof TimelineKind>

export const TimelineEntry = z.object({
  /** Unique in the timeline: where it comes from and its id there. */
  key: z.string(),
  at: z.string(),
  kind: TimelineKind,
  actor: z.string(),
  station: z.string().nullable(),
  /** A sentence with places, and what fills them. */
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  good: z.enum(['ok', 'attention', 'wrong']).nullable(),
  /** What the change changed: a field of the address, `method`, `weight_g`, `hs_code`, `origin` or `phase`, before and after. */
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

const ShippingOption = z.object({
  /** What `set` takes: agent code and shipping method, joined by a colon. */
  method: z.string(),
  company_id: id,
  agent_code: z.string(),
  shipping_method: z.string(),
  name: z.string(),
  type: z.string(),
})

export const ordersSchemas = {
  components: {
    WorkState,
    Phase,
    OrderFilters,
    Badge,
    OrderRow,
    ShipTo,
    AddressChange,
    OrderLine,
    OrderParcel,
    OrderPrint,
    SupportedAction,
    PackingAt,
    Order,
    Changed,
    BulkResult,
    TimelineKind,
    TimelineEntry,
    ShippingOption,
  },
  calls: {
    search: {
      query: OrderFilters.extend(pageQuery.shape).extend({ sort: z.enum(sorts).default('newest') }),
      reply: page(OrderRow),
      summary:
        'Orders by anything they are known by. `ship_by` lists only what is still to be sent. Of `due`, `late` is past its time and `today` the day by the clock of the company.',
    },
    export: {
      query: OrderFilters.extend({ locale: z.string().max(10).optional() }),
      summary: 'The filtered list as CSV, newest first, at most 100,000 orders.',
    },
    count: {
      query: z.object({ company_id: idIn.optional() }),
      reply: z.object({
        /** Orders still in the warehouse. */
        open: Counted,
        phases: z.record(z.string(), Counted),
        views: z.record(z.string(), Counted),
      }),
      summary: 'How many orders are in each phase and each preset view.',
    },
    countLanguages: {
      reply: z.array(z.object({ locale: z.string().nullable(), count: id })),
      summary: 'How many open orders there are in each language.',
    },
    countLanguage: {
      params: { x: z.string().max(20) },
      reply: Counted,
      summary: 'How many open orders there are in this language.',
    },
    countState: {
      params: { x: z.string().max(40) },
      reply: Counted,
      summary: 'How many orders are in this phase.',
    },
    get: {
      reply: Order,
      summary: 'One order, whole: lines, parcels, comments, locks, and what may be done with it now.',
    },
    timeline: {
      query: pageQuery.extend({ kind: listParam(TimelineKind) }),
      reply: page(TimelineEntry),
      summary: 'Everything that happened to an order, page by page.',
    },
    setState: {
      params: { state: OrderState },
      query: z.object({ version: z.coerce.number<unknown>().int().optional() }),
      reply: Changed,
      summary: 'Releases (ready), reopens (picked), cancels or closes an order; other states follow from the work itself.',
    },
    setStateBulk: {
      params: { state: OrderState },
      body: z.object({ orders: z.array(id.positive()).min(1).max(500) }),
      reply: z.object({ results: z.array(BulkResult) }),
      summary: 'Sets the state of many orders; answers for each whether it was changed, and why not.',
    },
    setAddress: {
      body: AddressChange,
      reply: Changed,
      summary: 'Corrects the address; 409 with the current state when the version is old.',
    },
    pin: {
      summary: 'Pins an order before the others.',
    },
    unpin: {
      summary: 'Lets a pinned order stand among the others again.',
    },
    shippingOptions: {
      query: z.object({ company: z.union([idIn, text(limits.code)]).optional() }),
      reply: z.array(ShippingOption),
      summary: 'The shipping methods that an order can be given.',
    },
    setShipping: {
      params: { method: text(200) },
      query: z.object({ version: z.coerce.number<unknown>().int().optional() }),
      reply: Changed,
      summary: 'Gives an order another shipping method; 409 with the current state when the version is old.',
    },
    bypassUsed: {
      body: z.array(id.positive()).max(500),
      reply: z.array(
        z.object({
          order_id: id,
          bypasses: z.array(
            z.object({ at: z.string(), by: z.string(), station: z.string(), sku: z.string().nullable(), quantity: id, reason: z.string() }),
          ),
        }),
      ),
      summary: 'Which of these orders were packed with a check let pass: who, when, where and why.',
    },
  },
} satisfies ContractSchemas
