/** Schemas of the calls in collect-lists.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { cageColours, collectStates, missingReasons } from './collect-lists.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const count = z.number().int().min(0)
export const CollectState = z.enum(collectStates)
export type CollectState = z.infer<typeof CollectState>
export const MissingReason = z.enum(missingReasons)
export type MissingReason = z.infer<typeof MissingReason>

/**
 * How a parcel stands on its list. `take_out` was scanned, and must not go any more; `dropped` was expected, and is not any more;
 * `taken_out` is out of the cage.
 */
const standings = ['expected', 'scanned', 'missing', 'take_out', 'taken_out', 'dropped'] as const
export const Standing = z.enum(standings)
export type Standing = z.infer<typeof Standing>

/** What a scan meant: all but `ok` and `again` are not on the list. */
export const scanResults = ['ok', 'again', 'elsewhere', 'cancelled', 'stopped', 'not_packed', 'gone', 'unknown', 'undone'] as const
export const ScanResult = z.enum(scanResults)
export type ScanResult = z.infer<typeof ScanResult>
export const CageColour = z.enum(cageColours)
export type CageColour = z.infer<typeof CageColour>

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 15:30')

export const CageFields = z.strictObject({
  agent_code: text(limits.code).min(1, 'Select a courier'),
  name: text(40).min(1, 'A cage needs a name'),
  /** What the labels of its parcels name, where it is not the cage's own name. */
  mark: text(40)
    .transform(text => text || null)
    .nullable()
    .default(null),
  /** Which of the courier's methods it takes; none means: whatever no other cage takes. */
  methods: z.array(text(limits.code).min(1)).max(100).default([]),
  colour: CageColour.nullable().default(null),
  /** HH:MM in the time zone of the warehouse; null leaves it to the courier's routes, which may know one. */
  cut_off: clock.nullable().default(null),
  /** 1 is Monday. */
  days: z.array(z.number().int().min(1).max(7)).min(1, 'Select at least one day').max(7).default([1, 2, 3, 4, 5]),
  active: z.boolean().default(true),
})
export type CageFields = z.output<typeof CageFields>

export const Cage = z.object({
  /** Null while it only follows from the courier's routes: it is kept with its first list, or when it is changed. */
  id: id.nullable(),
  agent_code: z.string(),
  agent: z.string(),
  name: z.string(),
  mark: z.string().nullable(),
  methods: z.array(z.string()),
  colour: CageColour.nullable(),
  cut_off: z.string().nullable(),
  /** What the courier's routes say. */
  route_cut_off: z.string().nullable(),
  days: z.array(id),
  active: z.boolean(),
  /** It takes what no other cage of the courier takes. */
  rest: z.boolean(),
  version: id.nullable(),
})
export type Cage = z.infer<typeof Cage>

export const CollectRow = z.object({
  id,
  /** `CL00012`: what a scan of its paper opens. */
  code: z.string(),
  agent_code: z.string(),
  agent: z.string(),
  cage_id: id.nullable(),
  cage: z.string(),
  colour: CageColour.nullable(),
  state: CollectState,
  cut_off_at: z.string().nullable(),
  /** Parcels that belong on it: scanned or not. */
  expected: count,
  scanned: count,
  missing: count,
  /** Scanned parcels that must not go any more. */
  take_out: count,
  /** Grams of the scanned parcels. */
  weight_g: count,
  created_at: z.string(),
  created_by: z.string(),
  closed_at: z.string().nullable(),
  closed_by: z.string().nullable(),
  handed_to: z.string().nullable(),
  handed_over_at: z.string().nullable(),
  handed_over_by: z.string().nullable(),
  reopened_at: z.string().nullable(),
  reopen_note: z.string().nullable(),
})
export type CollectRow = z.infer<typeof CollectRow>

export const CollectParcel = z.object({
  shipment_id: id,
  /** Null for a parcel without an order. */
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  company: z.string(),
  parcel_no: id,
  /** How many parcels the courier took in one booking with it; 0 where it was booked alone. */
  consignment_parcels: count,
  tracking_no: z.string().nullable(),
  shipping_method: z.string(),
  weight_g: count,
  receiver: z.string(),
  city: z.string(),
  country: z.string(),
  packed_at: z.string().nullable(),
  standing: Standing,
  reason: z.enum([...missingReasons, 'cancelled', 'stopped']).nullable(),
  scanned_by: z.string().nullable(),
  scanned_at: z.string().nullable(),
})
export type CollectParcel = z.infer<typeof CollectParcel>

/** A sentence with places, and what fills them. */
const Sentence = { text: z.string(), values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) }

/** What was scanned and does not belong. */
export const OverScan = z.object({ scan_id: z.string(), code: z.string(), result: ScanResult, at: z.string(), by: z.string(), ...Sentence })
export type OverScan = z.infer<typeof OverScan>

export const CollectList = CollectRow.extend({
  parcels: z.array(CollectParcel),
  /** Parcels that were scanned here and do not belong, and codes that are no parcel’s (`unknown`), which count as nothing. */
  over: z.array(OverScan),
  methods: z.array(z.object({ method: z.string(), name: z.string(), count, weight_g: count })),
  /** What the driver drew on the screen: the path of an SVG drawing, 600 wide and 200 high. */
  driver_signature: z.string().nullable(),
  /** This person may reopen it now. */
  can_reopen: z.boolean(),
})
export type CollectList = z.infer<typeof CollectList>

/** Lines between whole points, so that it can hold nothing but a drawing. */
const Signature = z
  .string()
  .max(20_000)
  .regex(/^(?:[ML]\d{1,3} \d{1,3})+$/)

const Counts = z.object({ expected: count, scanned: count, missing: count, take_out: count })

export const ScanAnswer = z.object({
  scan_id: z.string(),
  result: ScanResult,
  ...Sentence,
  parcel: CollectParcel.nullable(),
  /** The cage it belongs to, where that is another. */
  cage: z.object({ agent: z.string(), name: z.string(), colour: CageColour.nullable() }).nullable(),
  counts: Counts,
})
export type ScanAnswer = z.infer<typeof ScanAnswer>

export const Tile = z.object({
  key: z.string(),
  cage: Cage,
  /** Parcels that wait there and were not scanned out: on the running list, or not on a list yet. */
  waiting: count,
  scanned: count,
  expected: count,
  weight_g: count,
  running: z.object({ id, code: z.string(), state: CollectState, take_out: count }).nullable(),
  /** Closed lists whose courier has not come. */
  closed: z.array(z.object({ id, code: z.string(), scanned: count, take_out: count })),
  /** The time that counts now: the one that was missed while `late`, else the next. */
  cut_off_at: z.string().nullable(),
  /** Whole minutes until then; negative when it has passed. */
  minutes: id.nullable(),
  /** The time has passed and something is still here. */
  late: z.boolean(),
  /** Parcels that were packed before the last pickup and never scanned out. */
  left_behind: count,
})
export type Tile = z.infer<typeof Tile>

export const Overview = z.object({
  at: z.string(),
  tiles: z.array(Tile),
  /** Handed over, and not seen by the courier since. */
  unscanned: count,
})
export type Overview = z.infer<typeof Overview>

const Filters = z.object({
  query: text(100).default(''),
  state: CollectState.optional(),
  courier: text(limits.code).optional(),
  /** The local day on which it was made. */
  day: z.iso.date().optional(),
  sort: z.enum(['-id', 'id', '-cut_off_at', 'cut_off_at', '-handed_over_at', 'handed_over_at']).default('-id'),
})
export type CollectFilters = z.output<typeof Filters>

const scan_id = z.uuid()

export const collectListsSchemas = {
  components: {
    CollectState,
    MissingReason,
    Standing,
    ScanResult,
    CageColour,
    CageFields,
    Cage,
    CollectRow,
    CollectParcel,
    OverScan,
    CollectList,
    CollectScanAnswer: ScanAnswer,
    Tile,
    Overview,
  },
  calls: {
    search: {
      query: pageQuery.extend(Filters.shape),
      reply: page(CollectRow),
      summary: 'The collect lists, page by page.',
    },
    get: {
      reply: CollectList,
      summary: 'One collect list with its parcels.',
    },
    count: {
      reply: z.object({
        agent_code: z.string(),
        count,
        cages: z.array(z.object({ cage_id: id.nullable(), cage: z.string(), count })),
      }),
      summary: 'Parcels that wait for a courier, named by its agent code, in each of its cages.',
    },
    create: {
      body: z.strictObject({
        agent_code: text(limits.code).min(1),
        /** The cage's name; may be left out where the courier has one cage. */
        cage: text(60)
          .transform(text => text || null)
          .nullable()
          .default(null),
      }),
      reply: CollectRow,
      summary: 'A list of everything that waits in a cage. What is packed later joins it until it is closed.',
    },
    print: {
      params: { printer: z.coerce.number<unknown>().int().positive() },
      query: z.object({ request_id: z.uuid().optional(), locale: Locale.optional() }),
      reply: PrintJob,
      summary: 'Prints the list. The same `request_id`, or without one the same state of the list, prints once.',
    },
    pdf: {
      query: z.object({ locale: Locale.optional() }),
      summary: 'A collect list as a PDF.',
    },
  },
} satisfies ContractSchemas

export const collectListsOwnSchemas = {
  calls: {
    overview: {
      reply: Overview,
      summary: 'Every cage with what waits there and when its courier comes.',
    },
    export: {
      query: Filters.extend({ locale: Locale.optional() }),
      summary: 'The filtered lists as CSV, at most 10,000.',
    },
    scan: {
      body: z.object({
        scan_id,
        code: z
          .string()
          .min(1)
          .max(limits.barcode * 2),
        method: z.enum(['scan', 'camera', 'manual']).default('scan'),
      }),
      reply: ScanAnswer,
      summary: 'A parcel leaves its cage. The same scan_id again is answered again, not counted again.',
    },
    undo: {
      body: z.object({
        scan_id,
        shipment_id: idIn.nullable().default(null),
        /** The scan of an unknown code, to remove from the list. */
        unknown_scan_id: scan_id.nullable().default(null),
      }),
      reply: ScanAnswer,
      summary: 'Takes back a scan: of the unknown code or the parcel named, else the last one of this person.',
    },
    takeOut: {
      body: z.object({ shipment_id: idIn }),
      reply: CollectList,
      summary: 'A scanned parcel that must not go any more is out of the cage.',
    },
    close: {
      body: z.object({
        reasons: z
          .array(z.object({ shipment_id: idIn, reason: MissingReason }))
          .max(20_000)
          .default([]),
      }),
      reply: CollectList,
      summary: 'Ends the scanning; every parcel that is missing needs its reason.',
    },
    handOver: {
      body: z.object({
        driver: text(80).min(1, 'Record who took the parcels'),
        driver_signature: Signature.optional(),
      }),
      reply: CollectList,
      summary: 'The courier has taken what was scanned.',
    },
    reopen: {
      body: z.object({ note: text(500).min(1, 'Record why') }),
      reply: CollectList,
      summary: 'Opens a closed or handed-over list again, on the day on which it was closed.',
    },
    cages: {
      reply: z.array(Cage),
      summary: 'The cages in which parcels wait for their courier.',
    },
    createCage: {
      body: CageFields,
      reply: Cage,
      summary: 'Makes a cage.',
    },
    updateCage: {
      body: CageFields.extend({ version: idIn }),
      reply: Cage,
      summary: 'Changes a cage; 409 with the current state when the version is old.',
    },
    removeCage: {
      summary: 'Removes a cage.',
    },
  },
} satisfies ContractSchemas
