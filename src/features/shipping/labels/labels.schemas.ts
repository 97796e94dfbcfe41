/** Schemas of the calls in labels.contract.ts, with what the API documentation says of them. */

import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Station, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { customsReasons, numberKinds } from '#domain/consignment.ts'
import { shipmentStates } from '#domain/order/shipment-states.ts'
import { boards } from './labels.codes.ts'

export const ShipmentState = z.enum(shipmentStates)
export type ShipmentState = z.infer<typeof ShipmentState>

export const ShipmentDocument = z.object({
  document_no: z.number().int(),
  /** `cn22`, `cn23`, `invoice`, `proforma`, `manifest`, or a courier's own word. */
  kind: z.string(),
  format: z.enum(['pdf', 'zpl']),
  paper: z.enum(['label', 'a4']),
})
export type ShipmentDocument = z.infer<typeof ShipmentDocument>

export const Shipment = z.object({
  shipment_id: z.number().int(),
  company_id: z.number().int(),
  company: z.string(),
  /** `free`: without an order. */
  kind: z.enum(['order', 'free', 'return']),
  order_id: z.number().int().nullable(),
  /** Of a shipment without an order: the reference that a person gave it. */
  order_no: z.string().nullable(),
  reference: z.string(),
  parcel_no: z.number().int(),
  /** The parcels that the courier took in one booking have the same number; null where a parcel was booked alone. */
  consignment_id: z.number().int().nullable(),
  /** Of such a booking. */
  consignment_parcels: z.number().int(),
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
  /** Papers that the courier returned beside its labels, such as customs declarations. */
  documents: z.array(ShipmentDocument),
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
  /** The parcels of the same booking, this one among them; empty where it was booked alone. */
  siblings: z.array(
    z.object({
      shipment_id: z.number().int(),
      parcel_no: z.number().int(),
      tracking_no: z.string().nullable(),
      weight_g: z.number().int(),
      state: ShipmentState,
      on_collect_list: z.boolean(),
    }),
  ),
  /** The courier takes back all of them together or none. */
  cancels_together: z.boolean(),
  /** The courier cannot be asked any more: a person decides what became of the booking. */
  can_settle: z.boolean(),
  /** By the price table of the day on which it was booked, in minor units; null where the table had no price. */
  price: z
    .object({
      amount: z.number().int(),
      currency: z.string(),
      charged_g: z.number().int(),
      zone: z.string().nullable(),
      /** The step, whose name is empty, then each surcharge. */
      parts: z.array(z.object({ name: z.string(), amount: z.number().int() })),
    })
    .nullable(),
  /** The box that it went out in. */
  crate: z.object({ name: z.string(), cost: z.number().int(), currency: z.string() }).nullable(),
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

const word = (max: number) => text(max).nullable().default(null)
const Party = z.object({
  name: text(limits.name),
  company: word(limits.name),
  attention: word(limits.name),
  address1: text(200),
  address2: word(200),
  postcode: text(20),
  city: text(100),
  country: z.string().regex(/^[A-Z]{2}$/, 'A country is written as two capital letters'),
  phone: word(40),
  email: word(254),
  instruction: word(300),
})
const party = Party.nullable().default(null)
const pieces = z.number().int().positive().max(1_000_000)
const grams = z.number().int().nonnegative().max(100_000_000)
const day = z.iso.date()
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 15:30')

/** One kind of goods; with `order_line_id` what is absent follows from the order. */
const FormLine = z.object({
  order_line_id: z.number().int().positive().nullable().default(null),
  sku: word(100),
  description: text(300).min(1).nullable().default(null),
  quantity: pieces,
  hs_code: z
    .string()
    .regex(/^\d{6,11}$/, 'A tariff number has 6 to 11 digits')
    .nullable()
    .default(null),
  origin: z
    .string()
    .regex(/^[A-Z]{2}$/, 'A country is written as two capital letters')
    .nullable()
    .default(null),
  value: z
    .object({ amount: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER), currency: z.string().regex(/^[A-Z]{3}$/) })
    .nullable()
    .default(null),
  net_weight_g: grams.nullable().default(null),
})

const FormParcel = z.object({
  weight_g: z.number().int().positive().max(2_000_000).optional(),
  /** Length, width and height. */
  size_mm: z
    .array(z.number().int().positive().max(20_000))
    .length(3)
    .transform(([length, width, height]): [number, number, number] => [length ?? 0, width ?? 0, height ?? 0])
    .nullable()
    .default(null),
  crate: word(limits.code),
  lines: z.array(FormLine).max(500).default([]),
})

/** What makes labels: of an order, whose data fill what is absent, or of parcels without one. */
export const LabelForm = z.object({
  /** The same id again makes nothing new. */
  client_id: z.uuid().optional(),
  order_id: z.number().int().positive().nullable().default(null),
  /** Who sends a parcel without an order; by default the company of the address. */
  company_id: z.number().int().positive().optional(),
  /** Printed on the label of a parcel without an order. */
  reference: word(60),
  sender: party,
  recipient: party,
  return_to: party,
  importer: party,
  payer: party,
  service_point: z
    .object({
      id: text(60).min(1),
      name: text(limits.name).default(''),
      address1: text(200).default(''),
      postcode: text(20).default(''),
      city: text(100).default(''),
      country: text(2).default(''),
    })
    .nullable()
    .default(null),
  parcels: z
    .array(FormParcel)
    .min(1)
    .max(20)
    .default(() => [FormParcel.parse({})]),
  /** Of a single parcel; the weight in `parcels` counts before it. */
  weight_g: z.number().int().positive().max(2_000_000).optional(),
  services: z
    .array(
      z.object({
        code: text(limits.code).min(1),
        options: z.record(z.string().max(limits.code), z.union([text(limits.note), z.number(), z.boolean()])).default({}),
      }),
    )
    .max(20)
    .default([]),
  customs: z
    .object({
      reason: z.enum(customsReasons),
      terms: z
        .string()
        .regex(/^[A-Z]{3}$/, 'Terms of trade are three letters, such as DAP')
        .nullable()
        .default(null),
      numbers: z
        .array(z.object({ kind: z.enum(numberKinds), value: text(40).min(1) }))
        .max(10)
        .default([]),
      documents: z.array(text(40).min(1)).max(10).default([]),
    })
    .nullable()
    .default(null),
  pickup: z.object({ date: day, from: clock, to: clock }).nullable().default(null),
  ship_date: day.nullable().default(null),
  locale: word(20),
  /** Of a return: with a code that the customer shows where the parcel is handed in; only couriers that document it take it. */
  qr: z.boolean().optional(),
  printer_id: z.number().int().positive().nullable().default(null),
  station: Station.optional(),
})

const printer = z.coerce.number<unknown>().int().positive()
const disable_cache = z.string().optional()
const Printed = z.object({
  shipments: z.array(Shipment),
  print_jobs: z.array(z.object({ id: z.number().int(), state: z.string(), error: z.string().nullable() })),
})
const Format = z.object({
  format: z.enum(['pdf', 'a4', 'zpl']).default('pdf'),
  /** The `document_no` of another paper of the shipment; it has one format. */
  document: z.coerce.number<unknown>().int().positive().max(10_000).optional(),
})

export const labelsSchemas = {
  components: { ShipmentState, ShipmentDocument, Shipment, ShipmentStory, LabelLogRow },
  calls: {
    makeReturn: {
      params: { operation_code: z.enum(['return']), packing_station: Station },
      query: z.object({ shipping_method: z.string().max(limits.code).optional(), printer_id: printer.optional() }),
      body: LabelForm.pick({ parcels: true, weight_g: true, client_id: true, customs: true, services: true }).nullish(),
      reply: Printed,
      summary: 'Books a return label, and prints it where a printer is named.',
    },
    print: {
      params: { packing_station: Station },
      query: z.object({ disable_cache }),
      reply: Printed,
      summary: "Prints the order's labels again as marked copies; makes those that are missing. `disable_cache` books anew what failed.",
    },
    download: {
      params: { packing_station: Station },
      query: Format,
      summary: 'The label of the newest parcel of an order, or with document one of its other papers.',
    },
    ofOrders: {
      reply: z.array(Shipment),
      summary: 'The shipments of orders; the ids may be joined by commas, slashes or the letter s.',
    },
    status: {
      reply: z.array(Shipment),
      summary: 'Shipments by their ids, which may be joined by commas or the letter s.',
    },
    cancel: {
      query: z.object({
        /** With the other parcels of the same booking. */
        all: z.stringbool().optional(),
      }),
      reply: z.object({ cancelled: z.boolean(), cancelled_at_carrier: z.boolean(), refunded: z.boolean() }),
      summary: 'Cancels a label; where the courier no longer allows it, the label is blocked and never used.',
    },
    setup: {
      reply: z.array(
        z.object({
          agent_code: z.string(),
          name: z.string(),
          configured: z.boolean(),
          methods: z.array(z.object({ code: z.string(), name: z.string(), service_point: z.string(), max_weight_g: z.number().int() })),
          /** How many parcels it takes in one booking. */
          parcels_per_call: z.number().int(),
          formats: z.array(z.string()),
          cancel: z.string(),
        }),
      ),
      summary: 'What each courier can do, for the form that makes a label.',
    },
    template: {
      reply: z.record(z.string(), z.unknown()),
      summary: 'The form of a courier, method and operation (agent_method_operation): its sections, and `form` to fill in for `create`.',
    },
    create: {
      params: { operation_code: z.enum(['outbound', 'return']) },
      body: LabelForm,
      reply: Printed,
      summary:
        'Labels for one more parcel of an order, or for parcels without one; takes the form that `template` and `create_args` answer.',
    },
    logSearch: {
      query: pageQuery.extend({
        query: z.string().trim().max(100).default(''),
        outcome: z.enum(['ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found']).optional(),
        agent_code: z.string().max(limits.code).optional(),
      }),
      reply: page(LabelLogRow),
      summary: 'Searches what was asked of couriers, and what they answered.',
    },
    log: {
      reply: LabelLogRow.extend({ request: z.unknown(), response: z.unknown() }),
      summary: 'One exchange with a courier.',
    },
    logCreateArgs: {
      reply: z.record(z.string(), z.unknown()),
      summary: 'What was sent, as the body with which `create` sends it again.',
    },
    logPdf: {
      query: Format,
      summary: 'The label of an exchange, or with document another paper of its shipment.',
    },
    logPrint: {
      query: z.object({ client_id: z.uuid('Send a client_id of your own, so that a repeated request does not print twice') }),
      reply: z.object({ print_job_id: z.number().int(), state: z.string() }),
      summary: 'Prints a stored label, again as a marked copy. The same client_id answers the same print job.',
    },
    search: {
      query: pageQuery.extend({
        query: z.string().trim().max(100).default(''),
        state: ShipmentState.optional(),
        company_id: z.coerce.number<unknown>().int().positive().optional(),
        agent_code: z.string().max(limits.code).optional(),
        board: z.enum(boards).optional(),
        /** Parcels to recipients that left with a courier between these instants, the last one not included. */
        left_from: z.iso.datetime({ offset: true }).optional(),
        left_until: z.iso.datetime({ offset: true }).optional(),
      }),
      reply: page(Shipment),
      summary: 'Searches shipments, page by page.',
    },
    get: {
      reply: ShipmentStory,
      summary: 'One shipment with its events.',
    },
    file: {
      query: Format,
      summary: 'The stored label of one shipment, or with document another paper of it, as it came from the courier.',
    },
    event: {
      body: z.object({
        barcode: z.string().trim().min(1).max(limits.barcode),
        event: z.enum(['handed_over', 'delivered', 'delivery_failed']),
        place: z.string().max(100).nullable().default(null),
      }),
      reply: Shipment,
      summary: "The own courier's parcels are followed by scanning them: handed over, delivered, not delivered.",
    },
    settle: {
      body: z.object({ booked: z.boolean(), tracking_no: z.string().trim().max(64).optional() }),
      reply: Shipment,
      summary: 'A person decides a booking whose outcome the courier does not know.',
    },
  },
} satisfies ContractSchemas
