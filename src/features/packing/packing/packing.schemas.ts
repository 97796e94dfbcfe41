/** Schemas of the calls in packing.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Station, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { skipReasons } from '#features/orders/additional-products/additional-products.codes.ts'
import { OrderAddition } from '#features/orders/additional-products/additional-products.schemas.ts'
import { rests } from '#features/orders/partial-shipments/partial-shipments.codes.ts'
import { approvedActs } from '#features/packing/approval/approval.codes.ts'
import { askSchemas, OrderApproval } from '#features/packing/approval/approval.schemas.ts'
import { missingPhotoReasons } from '#features/packing/packing-photos/packing-photos.codes.ts'
import { weightSources } from '#features/packing/weighings/weighings.codes.ts'
import { ParcelCrate } from '#features/shipping/crate-choice/crate-choice.schemas.ts'
import { reportedKinds, sessionStates } from './packing.codes.ts'

const Values = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

/** Why an order must not go out now. */
const Stopped = z.object({
  kind: z.enum(['cancelled', 'hold', 'manual', 'auto']),
  /** A sentence with places: the translation key. */
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  note: z.string(),
  actor: z.string(),
  at: z.string(),
  until: z.string().nullable(),
})

export const PackingLine = z.object({
  order_line_id: z.number().int(),
  line_no: z.number().int(),
  sku: z.string().nullable(),
  name: z.string(),
  variant: z.string().nullable(),
  bin: z.string().nullable(),
  product_id: z.number().int().nullable(),
  has_picture: z.boolean(),
  image_url: z.string().nullable(),
  /** What is to be packed: ordered less cancelled. */
  qty: z.number().int(),
  packed_qty: z.number().int(),
  needs_serial: z.boolean(),
  /** May be counted by hand without a right. */
  no_barcode: z.boolean(),
  /** Barcodes that mean it, with the pieces that each stands for: a station without a connection reads scans by them. */
  codes: z.array(z.object({ code: z.string(), quantity: z.number().int() })),
  serials: z.array(z.string()),
  /** The bundle of which it is a part. */
  bundle: z.string().nullable(),
  /** Packed pieces whose serial number is asked for before the parcel is closed. */
  missing_serials: z.number().int(),
  custom: z.record(z.string(), z.unknown()),
})
export type PackingLine = z.infer<typeof PackingLine>
const PackingSession = z.object({
  id: z.number().int(),
  state: z.enum(sessionStates),
  user_id: z.number().int(),
  user_name: z.string(),
  station: z.string(),
  parcel_no: z.number().int(),
  opened_at: z.string(),
  last_scan_at: z.string(),
  /** No one has touched it for a quarter of an hour, or it was set aside: anyone may go on. */
  free: z.boolean(),
  parked_reason: z.string().nullable(),
})

const PackingParcel = z.object({
  shipment_id: z.number().int(),
  parcel_no: z.number().int(),
  state: z.string(),
  agent_code: z.string(),
  shipping_method: z.string(),
  tracking_no: z.string().nullable(),
  weight_g: z.number().int(),
  error: z.string().nullable(),
  error_field: z.string().nullable(),
})

/** An outer pack whose pieces count one by one, each with its serial number. */
const PackOfSerials = z.object({
  order_line_id: z.number().int(),
  pieces: z.number().int(),
  /** Pieces that are counted. */
  given: z.number().int(),
})

/** Everything the station shows of an order; every counter is the server's. */
export const PackingOrder = z.object({
  order_id: z.number().int(),
  company_id: z.number().int(),
  company: z.string(),
  company_name: z.string(),
  /** The company's own colour, where it chose one. */
  company_color: z.string().nullable(),
  order_code: z.string(),
  order_no: z.string(),
  /** Numbers of the orders that go in its parcel. */
  combines: z.array(z.string()),
  phase: z.string(),
  work_state: z.string(),
  version: z.number().int(),
  pinned: z.boolean(),
  customer_name: z.string(),
  ship_to: z.object({
    name: z.string(),
    company: z.string().nullable(),
    address1: z.string(),
    postcode: z.string(),
    city: z.string(),
    country: z.string(),
  }),
  ship_by: z.string().nullable(),
  shipping: z.object({
    agent_code: z.string().nullable(),
    shipping_method: z.string().nullable(),
    name: z.string(),
    packing_text: z.string().nullable(),
    has_picture: z.boolean(),
    check_tracking_and_trace: z.boolean(),
  }),
  lines: z.array(PackingLine),
  /** Whether the company takes serial numbers that are typed. */
  may_type_serials: z.boolean(),
  /** Serial numbers are asked for with each item, or before the parcel is closed. */
  ask_serials_at: z.enum(['pack', 'close']),
  /** The outer pack whose serial numbers are asked for. */
  pack: PackOfSerials.nullable(),
  packed: z.number().int(),
  to_pack: z.number().int(),
  comments: z.array(
    z.object({
      id: z.number().int(),
      type: z.enum(['info', 'praise', 'advice', 'warning']),
      comment: z.string(),
      actor: z.string(),
      created_at: z.string(),
    }),
  ),
  session: PackingSession.nullable(),
  stopped: Stopped.nullable(),
  parcels: z.array(PackingParcel),
  packed_at: z.string().nullable(),
  /** The station at which the items of a reopened order lie. */
  goods_at: z.string().nullable(),
  packed_by: z.string().nullable(),
  packed_station: z.string().nullable(),
  /** What had been packed when the order was cancelled: where it goes back to. */
  put_back: z.boolean(),
  /** Pieces that pickers did not find, as long as it is not decided what becomes of them. */
  reported_missing: z.array(
    z.object({
      name: z.string(),
      bin: z.string().nullable(),
      quantity: z.number().int(),
      reported_by: z.string(),
      reported_at: z.string(),
    }),
  ),
  /** The crate that was scanned for the open parcel. */
  crate: ParcelCrate.nullable(),
  /** Approvals that the rules ask for while it is packed. */
  approvals: z.array(OrderApproval),
  /** What rules added to the order: no lines of it. */
  additions: z.array(OrderAddition),
  /**
   * Whether the packer is asked what the recipient of a part learns, and the days that can be named for the rest. `later_by`: who has decided in
   * the exceptions that all that is missing follows later; closing needs no `rest` then. `later_lines`: the lines of which it was decided.
   */
  partial: z.object({
    notice: z.enum(['ask', 'always', 'never']),
    days: z.array(z.string()),
    later_by: z.string().nullable(),
    later_lines: z.array(z.number().int()),
  }),
  /** How the open parcel is weighed before it is closed. */
  weighing: z.object({
    mode: z.enum(['off', 'scale', 'always']),
    /** Whether a weight may be typed. */
    typed: z.boolean(),
    /** Pieces in the open parcel. */
    pieces: z.number().int(),
    /** Grams; null where it is not weighed, or empty. */
    expected_g: z.number().int().nullable(),
    tolerance_g: z.number().int().nullable(),
    /** What it weighed since its last change. */
    weight_g: z.number().int().nullable(),
  }),
  /** Photos of the open parcel's open box. */
  photo: z.object({
    mode: z.enum(['off', 'key', 'required']),
    /** Pieces in the open parcel; 0 where no photos are taken. */
    pieces: z.number().int(),
    taken: z.number().int(),
  }),
  /** The wagon on which the order is picked. */
  wagon: z
    .object({
      pick_list_id: z.number().int(),
      wagon_no: z.number().int(),
      slot_no: z.number().int(),
      /** Who picks; null while no picker has taken it. */
      picker: z.string().nullable(),
      /** Since when, as long as it is picked. */
      since: z.string().nullable(),
      /** Lines of the whole wagon. */
      decided: z.number().int(),
      lines: z.number().int(),
    })
    .nullable(),
})
export type PackingOrder = z.infer<typeof PackingOrder>

const scanResults = [
  'ok',
  'line_done',
  'order_done',
  'over',
  'wrong',
  /** A product of another shop of the warehouse. */
  'wrong_shop',
  'unknown',
  'ambiguous',
  'serial_needed',
  /** An outer pack: the serial number of each of its pieces is asked for. */
  'serial_of_pack',
  'serial_refused',
  /** A bundle: its parts are scanned one by one. */
  'parts_shown',
  'stopped',
  /** A rule asks for an approval first: nothing was counted. */
  'approval_needed',
  /** The scanned crate is the one of the open parcel. */
  'crate_set',
  'crate_refused',
  /** An additional product of the order: no piece was counted. */
  'addition',
  /** The label of a parcel was cancelled: it must not go out. */
  'blocked_label',
  'ignored',
  'undone',
  /** Another parcel begins. */
  'parcel_next',
  /** The weight of the open parcel is taken. */
  'weight_set',
  /** It differs from what was expected: nothing was taken. */
  'weight_asked',
  'weight_refused',
] as const
export type ScanResult = (typeof scanResults)[number]

export const ScanAnswer = z.object({
  scan_id: z.string(),
  result: z.enum(scanResults),
  counted: z.number().int(),
  /** A sentence with places: the translation key. */
  text: z.string(),
  values: Values,
  line: z
    .object({
      order_line_id: z.number().int(),
      qty: z.number().int(),
      packed_qty: z.number().int(),
      /** As in the order's lines. */
      missing_serials: z.number().int(),
    })
    .nullable(),
  /** What was scanned, where it is a product that somebody knows. */
  product: z.object({ product_id: z.number().int(), sku: z.string(), name: z.string(), has_picture: z.boolean() }).nullable(),
  /** Lines to choose between, where one code means several. */
  choices: z.array(z.number().int()),
  /** The rule that asks, and its line; null for the whole order. */
  approval: z.object({ rule_id: z.number().int(), line_id: z.number().int().nullable() }).nullable().default(null),
  /** The crate of the parcel, where a crate was scanned. */
  crate: ParcelCrate.nullable().default(null),
  /** The additional product that is in the parcel now. */
  addition: z.number().int().nullable().default(null),
  /** The outer pack whose next serial number is asked for. */
  pack: PackOfSerials.nullable().default(null),
  packed: z.number().int(),
  to_pack: z.number().int(),
})
export type ScanAnswer = z.infer<typeof ScanAnswer>

/** Made by the station: the same scan sent again is answered again and counted once. */
const scan_id = z.uuid()
const pin = z
  .string()
  .regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits')
  .optional()

/** From `approve`. */
const approval = z.string().max(200).optional()

/** Why there is no photo of the open box, where the company asks for one. */
const without_photo = z.enum(missingPhotoReasons).optional()

const Printers = z.object({
  label_printer_id: z.number().int().positive().nullable().default(null),
  a4_printer_id: z.number().int().positive().nullable().default(null),
})

export const Closing = z.object({
  /** `labelled`: done, the label is on its way. `label_check`: scan the fresh label. `waiting`: the courier has not answered yet. */
  outcome: z.enum(['labelled', 'label_check', 'label_error', 'waiting', 'stopped', 'no_parcel']),
  session_id: z.number().int(),
  parcels: z.array(PackingParcel),
  print_jobs: z.array(z.object({ id: z.number().int(), document: z.string(), state: z.string(), error: z.string().nullable() })),
  text: z.string(),
  values: Values,
})
export type Closing = z.infer<typeof Closing>

export const packingSchemas = {
  components: { Stopped, PackingLine, PackingSession, PackingParcel, PackingOrder, ScanAnswer, Printers, Closing },
  calls: {
    get: {
      reply: PackingOrder,
      summary: 'An order as the bench shows it: what to scan next, what is packed, and who has it open.',
    },
    bypass: {
      body: z.object({ reason: text(limits.note).min(3, 'Say why the check is skipped'), pin, approval }),
      reply: PackingOrder,
      summary: 'Counts every open piece as packed without scanning; the reason is kept.',
    },
    start: {
      body: z.object({ station: Station, take_over: z.boolean().default(false), approval }),
      reply: PackingOrder,
      summary: 'Opens the order at a station, goes on where it was left, or takes it over.',
    },
    close: {
      body: Printers.extend({
        /** Grams, from a scale; absent: products and packaging. */
        weight_g: z.number().int().positive().max(2_000_000).optional(),
        weight_confirmed: z.boolean().default(false),
        /** What happens to the pieces that are not packed; absent: everything must be. */
        rest: z.enum(rests).optional(),
        /** The same for single lines; `rest` holds for the others. */
        rest_lines: z
          .array(z.object({ order_line_id: z.number().int().positive(), rest: z.enum(rests) }))
          .max(500)
          .optional(),
        /** Whether the recipient learns what follows and what was cancelled. */
        notify_recipient: z.boolean().default(true),
        /** The day on which the rest should leave, where it follows. */
        expected_on: z.iso.date('Enter a date').optional(),
        without_photo,
        approval,
      }),
      reply: Closing,
      summary: 'Closes the parcel, books its label and prints it. Asked again, it goes on where it stopped.',
    },
    checkLabel: {
      reply: z.object({
        ok: z.boolean(),
        text: z.string(),
        values: Values,
        /** Labels of this session that are still to be scanned. */
        left: z.number().int(),
      }),
      summary: 'Proves that the fresh label belongs to this packing session.',
    },
    printSlip: {
      params: { printer: z.coerce.number<unknown>().int().positive(), station: Station },
      query: z.object({ disable_cache: z.string().optional() }),
      reply: z.object({ print_job_id: z.number().int(), state: z.string() }),
      summary: 'Prints the packing slip.',
    },
    pinRequired: {
      reply: z.object({ required: z.boolean() }),
      summary: 'Whether packers need a PIN for what a lead should know of.',
    },
    addSerial: {
      params: { identifier: z.string().trim().min(1).max(limits.barcode), order_item_id: z.coerce.number<unknown>().int().positive() },
      reply: z.object({ order_serial_id: z.number().int(), serial: z.string(), order_id: z.number().int() }),
      summary: 'Records a serial number for an order line without counting a piece; the same pair again is answered as before.',
    },
    approvers: {
      query: z.object({ rule_id: z.coerce.number<unknown>().int().optional(), act: z.enum(approvedActs).optional() }),
      reply: z.array(z.object({ id: z.number().int(), name: z.string() })),
      summary: 'Leads who have a PIN and may approve what a packer asks for, or what an approval rule asks for.',
    },
    approve: {
      body: z.object({
        act: z.enum(approvedActs),
        /** The code of a badge; or a person and their PIN. */
        badge: z.string().max(limits.barcode).optional(),
        user_id: z.number().int().positive().optional(),
        pin,
        /** Of `leadQuestions.ask`, once a lead elsewhere has approved. */
        request_id: z.number().int().positive().optional(),
      }),
      reply: z.object({ approval: z.string(), approver: z.string() }),
      summary: 'A lead approves one act on one order with badge or PIN, or has approved it elsewhere; the answer counts for two minutes.',
    },
    ask: askSchemas,
    find: {
      query: z.object({ code: z.string().trim().min(1).max(limits.barcode) }),
      reply: z.object({
        orders: z.array(
          z.object({
            order_id: z.number().int(),
            order_no: z.string(),
            company: z.string(),
            company_name: z.string(),
            company_color: z.string().nullable(),
            customer_name: z.string(),
            phase: z.string(),
            found_by: z.string(),
          }),
        ),
        /** The code is that of a cancelled label: why nothing may go out with it. */
        blocked: z.object({ text: z.string(), values: Values }).nullable().default(null),
      }),
      summary: 'The orders that an order code, a paperless code, a parcel number or an order number means.',
    },
    scan: {
      body: z.object({
        scan_id,
        code: z.string().max(4 * limits.barcode),
        /** The line whose serial number the station is asking for. */
        serial_for: z.number().int().positive().optional(),
        /** The line that was chosen where a code meant several. */
        line_id: z.number().int().positive().optional(),
        /** How the code was entered. */
        method: z.enum(['scan', 'camera', 'typed']).default('scan'),
      }),
      reply: ScanAnswer,
      summary: 'Scans a code into an open order; sent again under the same scan_id it is answered as before.',
    },
    count: {
      body: z.object({ scan_id, order_line_id: z.number().int().positive(), quantity: z.number().int().min(-10_000).max(10_000), pin }),
      reply: ScanAnswer,
      summary: 'Counts by hand; needs scan_admin unless the product has no barcode.',
    },
    undo: {
      body: z.object({
        scan_id,
        /** Everything of the outer pack to which the last counted scan belongs. */
        pack: z.boolean().default(false),
      }),
      reply: ScanAnswer,
      summary: 'Takes back the last counted scan, or the outer pack to which it belongs.',
    },
    addition: {
      body: z.object({
        /** Of the addition, as the order names it. */
        addition_id: z.number().int().positive(),
        /** Why the parcel goes without it; absent: it is in the parcel. */
        skip: z.enum(skipReasons).optional(),
      }),
      reply: PackingOrder,
      summary: 'An additional product is in the parcel, or is left out with a reason; said again, it changes nothing.',
    },
    weigh: {
      body: z.object({
        scan_id,
        /** Grams. */
        weight_g: z.number().int().min(0).max(2_000_000),
        source: z.enum(weightSources).default('scale'),
        /** A weight outside of the tolerance is taken; needs scan_admin, or an approval. */
        confirmed: z.boolean().default(false),
        approval,
      }),
      reply: ScanAnswer,
      summary: 'Weighs the open parcel; sent again under the same scan_id it is answered as before.',
    },
    nextParcel: {
      body: Printers.extend({ scan_id: scan_id.optional(), without_photo }),
      reply: PackingOrder,
      summary:
        'Goes on with another parcel of the same order. The label of the full one is made in the background, where the company has it so.',
    },
    park: {
      body: z.object({
        kind: z.enum(reportedKinds).default('other'),
        reason: text(200).default(''),
        /** The line that the problem is about. */
        order_line_id: z.number().int().positive().optional(),
      }),
      summary: 'Moves the order to the exceptions with the reason; anyone may go on with it.',
    },
    unpack: {
      body: z.object({ shipment_id: z.number().int().positive() }),
      summary: 'Takes one parcel of the order apart before it leaves: its label is cancelled, its items wait to be packed again.',
    },
    abort: {
      body: z.object({ empty: z.boolean().default(false) }),
      summary: 'Gives the order back; with `empty` everything goes out of the box again.',
    },
    putBack: {
      summary: 'Everything of a cancelled order lies in its bins again.',
    },
    linkBarcode: {
      body: z.object({ code: z.string().max(limits.barcode), order_line_id: z.number().int().positive() }),
      summary: 'From now on this code means the product of this line.',
    },
  },
} satisfies ContractSchemas
