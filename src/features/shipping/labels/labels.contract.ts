/** Labels: made, printed, fetched again, cancelled, and every exchange with a courier on record. */

import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits, Station } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'

export const shipmentStates = [
  'draft',
  'booking',
  'unknown',
  'booked',
  'handed_over',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
  'needs_attention',
  'returning',
  'returned_to_sender',
  'lost',
  'cancelled',
  'blocked',
  'error',
] as const
export const ShipmentState = z.enum(shipmentStates)
export type ShipmentState = z.infer<typeof ShipmentState>

export const Shipment = z.object({
  shipment_id: z.number().int(),
  company_id: z.number().int(),
  company: z.string(),
  order_id: z.number().int(),
  order_no: z.string(),
  parcel_no: z.number().int(),
  agent_code: z.string(),
  shipping_method: z.string(),
  operation_code: z.enum(['outbound', 'return']),
  state: ShipmentState,
  tracking_no: z.string().nullable(),
  barcode: z.string().nullable(),
  weight_g: z.number().int(),
  error: z.string().nullable(),
  error_field: z.string().nullable(),
  /** `validation` is corrected, `courier` is tried again, `unknown` is decided by a person. */
  error_kind: z.string().nullable(),
  receiver: z.string(),
  city: z.string(),
  country: z.string(),
  tracking_url: z.string().nullable(),
  label_formats: z.array(z.enum(['pdf', 'a4', 'zpl'])),
  created_at: z.string(),
  booked_at: z.string().nullable(),
  handed_over_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
})
export type Shipment = z.infer<typeof Shipment>

/** One shipment with everything that happened to it. */
export const ShipmentStory = Shipment.extend({
  /** Newest first. `text` is a translation key. */
  events: z.array(
    z.object({
      id: z.number().int(),
      state: z.string(),
      at: z.string(),
      text: z.string(),
      place: z.string().nullable(),
      source: z.string(),
      user: z.string().nullable(),
    }),
  ),
  /** Null while the courier has not been asked, or has not answered. */
  cancel_answers: z.object({ cancelled: z.boolean(), cancelled_at_carrier: z.boolean(), refunded: z.boolean() }).nullable(),
  cancelled_at: z.string().nullable(),
  /** The collect list it stands on or went with; null while it is on none. */
  collect_list: z
    .object({ id: z.number().int(), cage: z.string(), state: z.string(), parcel_state: z.string(), handed_to: z.string().nullable() })
    .nullable(),
  /** The courier cannot be asked any more: a person decides what became of the booking. */
  can_settle: z.boolean(),
})
export type ShipmentStory = z.infer<typeof ShipmentStory>

const LabelLogRow = z.object({
  id: z.number().int(),
  shipment_id: z.number().int().nullable(),
  order_id: z.number().int().nullable(),
  order_no: z.string().nullable(),
  company: z.string(),
  agent_code: z.string(),
  action: z.string(),
  outcome: z.enum(['ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found']),
  tracking_no: z.string().nullable(),
  error: z.string().nullable(),
  took_ms: z.number().int().nullable(),
  created_at: z.string(),
})

export type LabelLogEntry = z.infer<typeof LabelLogRow>

/** What needs somebody's eye: the columns of the exception board. */
export const boards = ['no_scan', 'error', 'unknown', 'failed', 'waiting', 'returned'] as const

const printer = z.coerce.number<unknown>().int().positive()
const disable_cache = z.string().optional()
const Printed = z.object({
  shipments: z.array(Shipment),
  print_jobs: z.array(z.object({ id: z.number().int(), state: z.string(), error: z.string().nullable() })),
})
const Format = z.object({ format: z.enum(['pdf', 'a4', 'zpl']).default('pdf') })

export const labels = calls(
  {
    name: 'labels',
    area: 'shipping',
    access: access.bench,
    tenantScope: 'operator',
    schemas: { ShipmentState, Shipment, ShipmentStory, LabelLogRow },
  },
  {
    makeReturn: call('POST label_generator/return/{order_id}/using/{agent_code}/on/{operation_code}/from/{packing_station}', {
      params: { operation_code: z.enum(['return']), packing_station: Station },
      query: z.object({ shipping_method: z.string().max(limits.code).optional(), printer_id: printer.optional() }),
      reply: Printed,
      timeout: 'long',
      external: true,
      summary: 'Books a return label, and prints it where a printer is named.',
    }),
    print: call('POST orders/print_shipping_label/{order_id}/on/{printer_id}/from/{packing_station}', {
      params: { packing_station: Station },
      query: z.object({ disable_cache }),
      reply: Printed,
      timeout: 'long',
      external: true,
      summary: "Prints the order's labels again as marked copies; makes those that are missing. `disable_cache` books anew what failed.",
    }),
    download: call('GET orders/download_shipping_label/{order_id}/from/{packing_station}', {
      params: { packing_station: Station },
      query: Format,
      media: 'application/pdf',
      external: true,
      summary: 'The labels of an order as a PDF.',
    }),
    ofOrders: call('GET label_status/order/{ids*}', {
      reply: z.array(Shipment),
      summary: 'The shipments of orders; their ids joined by slashes.',
    }),
    status: call('GET label_status/{ids}', { reply: z.array(Shipment), summary: 'Shipments by their ids, joined by commas.' }),
    cancel: call('DELETE label_cancel/{agent_code}/{barcode}', {
      reply: z.object({ cancelled: z.boolean(), cancelled_at_carrier: z.boolean(), refunded: z.boolean() }),
      external: true,
      summary: 'Cancels a label; where the courier no longer allows it, the label is blocked and never used.',
    }),
    setup: call('GET label_generator/setup', {
      reply: z.array(
        z.object({
          agent_code: z.string(),
          name: z.string(),
          configured: z.boolean(),
          methods: z.array(z.object({ code: z.string(), name: z.string(), service_point: z.string(), max_weight_g: z.number().int() })),
          formats: z.array(z.string()),
          cancel: z.string(),
        }),
      ),
      summary: 'What each courier can do, for the form that makes a label.',
    }),
    template: call('GET label_generator/template/{parts}', {
      reply: z.record(z.string(), z.unknown()),
      summary: 'The empty form of a courier, method and operation: agent_method_operation.',
    }),
    create: call('POST label_generator/create/{agent_code}/using/{shipping_method}/{operation_code}', {
      params: { operation_code: z.enum(['outbound', 'return']) },
      body: z.object({
        order_id: z.number().int().positive(),
        weight_g: z.number().int().positive().max(2_000_000).optional(),
        printer_id: z.number().int().positive().nullable().default(null),
        station: Station.optional(),
      }),
      reply: Printed,
      timeout: 'long',
      external: true,
      summary: 'One more parcel of an order, with a label of its own.',
    }),
    logSearch: call('GET label_generator/log/search/', {
      query: pageQuery.extend({
        query: z.string().trim().max(100).default(''),
        outcome: z.enum(['ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found']).optional(),
        agent_code: z.string().max(limits.code).optional(),
      }),
      reply: page(LabelLogRow),
      summary: 'Searches what was asked of couriers, and what they answered.',
    }),
    log: call('GET label_generator/log/{id}', {
      reply: LabelLogRow.extend({ request: z.unknown(), response: z.unknown() }),
      summary: 'One exchange with a courier.',
    }),
    logCreateArgs: call('GET label_generator/log/create_args/{id}', {
      reply: z.record(z.string(), z.unknown()),
      summary: 'What was sent, ready to be sent again in a test.',
    }),
    logPdf: call('GET label_generator/log/download/pdf/{id}', {
      query: Format,
      media: 'application/pdf',
      external: true,
      summary: 'The label of an exchange as a PDF.',
    }),
    logPrint: call('GET label_generator/log/print/pdf/{shipment_id}/on/{printer_id}', {
      query: z.object({ client_id: z.uuid().optional() }),
      reply: z.object({ print_job_id: z.number().int(), state: z.string() }),
      timeout: 'long',
      external: true,
      summary: 'Prints a stored label again as a marked copy; the same client_id prints once.',
    }),

    search: call('GET shipments', {
      query: pageQuery.extend({
        query: z.string().trim().max(100).default(''),
        state: ShipmentState.optional(),
        company_id: z.coerce.number<unknown>().int().positive().optional(),
        agent_code: z.string().max(limits.code).optional(),
        board: z.enum(boards).optional(),
      }),
      reply: page(Shipment),
      access: access.parcels,
      internal: true,
      summary: 'Searches shipments, page by page.',
    }),
    get: call('GET shipments/{id}', {
      reply: ShipmentStory,
      internal: true,
      summary: 'One shipment with its events.',
    }),
    file: call('GET shipments/{id}/label', {
      query: Format,
      media: 'application/pdf',
      external: true,
      internal: true,
      summary: 'The stored label of one shipment, as it came from the courier.',
    }),
    event: call('POST shipments/scan_event', {
      body: z.object({
        barcode: z.string().trim().min(1).max(limits.barcode),
        event: z.enum(['handed_over', 'delivered', 'delivery_failed']),
        place: z.string().max(100).nullable().default(null),
      }),
      reply: Shipment,
      internal: true,
      summary: "The own courier's parcels are followed by scanning them: handed over, delivered, not delivered.",
    }),
    settle: call('POST shipments/{id}/settle', {
      body: z.object({ booked: z.boolean(), tracking_no: z.string().trim().max(64).optional() }),
      reply: Shipment,
      access: access.parcelsAdmin,
      internal: true,
      summary: 'A person decides a booking whose outcome the courier does not know.',
    }),
  },
)
