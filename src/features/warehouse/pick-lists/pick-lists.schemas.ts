/** Schemas of the calls in pick-lists.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { listSorts, listStates, listTypes, slotColours, wagonSides } from './pick-lists.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const wagonNo = z.coerce.number<unknown>().int().positive().max(10_000)
export const ListType = z.enum(listTypes)
export type ListType = z.infer<typeof ListType>
export const ListState = z.enum(listStates)
export type ListState = z.infer<typeof ListState>
export const WagonState = z.enum(['open', 'claimed', 'picking', 'paused', 'picked', 'at_packing', 'released', 'cancelled'])
export type WagonState = z.infer<typeof WagonState>
export const SlotState = z.enum(['open', 'picked', 'removed', 'packed'])
export type SlotState = z.infer<typeof SlotState>
export const LineState = z.enum(['open', 'skipped', 'picked', 'short', 'gone'])
export type LineState = z.infer<typeof LineState>
/** What becomes of pieces that are not there; `ask` leaves it to a person. */
export const ShortRule = z.enum(['ask', 'wait', 'ship_partial', 'ask_customer', 'cancel_line'])
export type ShortRule = z.infer<typeof ShortRule>
export const SlotColour = z.enum(slotColours)
export type SlotColour = z.infer<typeof SlotColour>

export const WagonSlot = z.object({
  colour: SlotColour.nullable().default(null),
  max_weight_g: z.number().int().positive().max(2_000_000).nullable().default(null),
  max_volume_ml: z.number().int().positive().max(5_000_000).nullable().default(null),
})
export type WagonSlot = z.infer<typeof WagonSlot>
export const WagonTypeFields = z
  .strictObject({
    name: text(60).min(1, 'A wagon type needs a name'),
    rows: z.number().int().min(1).max(wagonSides.rows),
    columns: z.number().int().min(1).max(wagonSides.columns),
    /** Row by row from the top. */
    slots: z.array(WagonSlot).max(wagonSides.rows * wagonSides.columns),
    max_weight_g: z.number().int().positive().max(5_000_000).nullable().default(null),
    active: z.boolean().default(true),
  })
  .superRefine(({ rows, columns, slots }, context) => {
    if (slots.length !== rows * columns)
      context.addIssue({ code: 'custom', path: ['slots'], message: 'A wagon has as many slots as rows times columns' })
  })
export type WagonTypeFields = z.output<typeof WagonTypeFields>

/** A wagon type as lists keep it. The id is null for the one that everybody has before any is made. */
export const WagonShape = z.object({
  id: id.nullable(),
  name: z.string(),
  rows: id,
  columns: id,
  slots: z.array(WagonSlot),
  max_weight_g: id.nullable(),
})
export type WagonShape = z.infer<typeof WagonShape>
export const WagonType = WagonShape.extend({ active: z.boolean(), version: id })
export type WagonType = z.infer<typeof WagonType>

const few = <T extends z.ZodType>(one: T, most = 200) => z.array(one).max(most).default([])

/** Which orders are asked for; everything given must hold. */
export const Wave = z.strictObject({
  type: ListType.default('cluster'),
  companies: few(idIn),
  agent_codes: few(text(limits.code).min(1)),
  /** Shipping methods, each as `agent_code:method`. */
  methods: few(text(200).min(1)),
  /** Only what has to leave by then (ISO 8601). */
  ship_by_until: z.iso.datetime({ offset: true }).nullable().default(null),
  /** Orders with one of these. */
  tags: few(text(limits.name).min(1)),
  /** ISO 3166-1 alpha-2. */
  countries: few(z.string().regex(/^[A-Z]{2}$/)),
  /** Only orders that lie wholly in bins that begin so. */
  only_bins: text(40).default(''),
  /** Exactly these orders, however recent. */
  order_ids: few(idIn, 5_000),
  max_orders: z.number().int().min(1).max(20_000).nullable().default(null),
  most_wagons: z.number().int().min(1).max(2_000).nullable().default(null),
  wagon_type_id: idIn.nullable().default(null),
  /** For singles: how many of them go onto one wagon. */
  singles_per_wagon: z.number().int().min(1).max(200).default(50),
  /** Products without a bin, or with one that the map does not have: their orders are left out, or picked last. */
  without_place: z.enum(['leave_out', 'last']).default('leave_out'),
  on_short: ShortRule.default('ask'),
  /** Whether the picker scans the bin before the product. */
  scan_bin: z.boolean().default(false),
})
export type Wave = z.output<typeof Wave>

export const NewPickList = Wave.extend({
  /** Whether a tote belongs to its order from the start, or from its first scan on. */
  bind: z.enum(['now', 'first_scan']).default('first_scan'),
  /** The same seed gives the same wagons for the same orders. */
  seed: z.number().int().min(0).max(2_147_483_647).optional(),
})
export type NewPickList = z.output<typeof NewPickList>

const leftOutReasons = [
  'unknown',
  'not_asked',
  'cancelled',
  'not_released',
  'combined',
  'held',
  'locked',
  'waiting',
  'unpaid',
  'label_error',
  'short',
  'young',
  'on_list',
  'being_packed',
  'busy',
  'done',
  'nothing_to_pick',
  'no_bin',
  'off_map',
  'blocked_bin',
  'elsewhere',
  'not_single',
  'customs',
  'too_heavy',
  'too_large',
  'no_way',
  'no_slot',
  'enough',
] as const
export const LeftOutReason = z.enum(leftOutReasons)
export type LeftOutReason = z.infer<typeof LeftOutReason>

const Values = z.record(z.string(), z.union([z.string(), z.number()]))

/** An order that does not go along. `text` is a sentence with places, the translation key. */
export const LeftOut = z.object({
  order_id: id,
  order_no: z.string(),
  company_id: id,
  company: z.string(),
  reason: LeftOutReason,
  text: z.string(),
  values: Values,
})
export type LeftOut = z.infer<typeof LeftOut>

const figures = {
  orders: id,
  lines: id,
  pieces: id,
  stops: id,
  /** Null without an active map: nothing is known of distances then. */
  metres: id.nullable(),
  minutes: id,
}

export const PickPreview = z.object({
  ...figures,
  wagons: z.array(z.object({ wagon_no: id, ...figures, weight_g: id, ship_by: z.string().nullable() })),
  left_out: z.array(LeftOut),
  left_out_count: id,
  /** `text` is what the reason means without an order's particulars. */
  reasons: z.array(z.object({ reason: LeftOutReason, text: z.string(), count: id })),
  wagon_type: WagonShape,
  map_result_id: id.nullable(),
})
export type PickPreview = z.infer<typeof PickPreview>

export const PickListRow = z.object({
  id,
  type: ListType,
  state: ListState,
  order_count: id,
  line_count: id,
  piece_count: id,
  stop_count: id,
  metres: id.nullable(),
  /** As the list was first made. */
  first_metres: id.nullable(),
  minutes: id.nullable(),
  wagon_count: id,
  /** Lines that are picked, short or gone, of all. */
  lines_done: id,
  wagons: z.array(
    z.object({ wagon_no: id, state: WagonState, user_id: id.nullable(), user_name: z.string().nullable(), lines: id, lines_done: id }),
  ),
  /** The most urgent deadline on it. */
  ship_by: z.string().nullable(),
  created_by_name: z.string(),
  created_at: z.string(),
  completed_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
  version: id,
})
export type PickListRow = z.infer<typeof PickListRow>

export const PickSlot = z.object({
  slot_no: id,
  row: id,
  column: id,
  colour: SlotColour.nullable(),
  order_id: id,
  company_id: id,
  company: z.string(),
  order_no: z.string(),
  /** What the order's barcode says. */
  order_code: z.string(),
  phase: z.string(),
  held: z.boolean(),
  cancelled: z.boolean(),
  state: SlotState,
  live: z.boolean(),
  weight_g: id,
  volume_ml: id,
  ship_by: z.string().nullable(),
  lines: id,
  lines_done: id,
  /** Digits after PP; `full` totes carry the order too, but nothing more goes into them. */
  codes: z.array(z.object({ digits: z.string(), state: z.string(), full: z.boolean() })),
  /** The shipping boxes that are suggested, such as `B4` or `S + S`; null while none is known. */
  crate: z.string().nullable(),
  /** Samples and gifts that the picker takes along for the order. */
  additions: z.array(z.object({ name: z.string(), qty: id, bin: z.string().nullable() })),
})
export type PickSlot = z.infer<typeof PickSlot>

export const PickWagon = z.object({
  wagon_no: id,
  state: WagonState,
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  metres: id.nullable(),
  minutes: id.nullable(),
  claimed_at: z.string().nullable(),
  started_at: z.string().nullable(),
  last_at: z.string().nullable(),
  picked_at: z.string().nullable(),
  released_at: z.string().nullable(),
  version: id,
  lines: id,
  lines_done: id,
  stops: id,
  pieces: id,
  slots: z.array(PickSlot),
})
export type PickWagon = z.infer<typeof PickWagon>

export const PickList = PickListRow.omit({ wagons: true }).extend({
  wagons: z.array(PickWagon),
  wagon_type: WagonShape,
  wave: Wave.partial(),
  map_result_id: id.nullable(),
  job_id: id.nullable(),
  /** Put-backs of this list that somebody still has to carry. */
  put_backs_open: id,
})
export type PickList = z.infer<typeof PickList>

const PickLine = z.object({
  id,
  walk_no: id,
  slot_no: id,
  order_id: id,
  company_id: id,
  order_line_id: id,
  product_id: id.nullable(),
  /** `products/{product_id}/picture` has one; its version changes with the picture. */
  has_picture: z.boolean(),
  picture_version: id.nullable(),
  sku: z.string().nullable(),
  name: z.string(),
  variant: z.string().nullable(),
  bin: z.string().nullable(),
  /** Lines of one cell are one stop; null where the bin is not on the map. */
  cell: id.nullable(),
  asked: id,
  picked: id,
  state: LineState,
  skips: id,
  taken_by: id.nullable(),
  taken_by_name: z.string().nullable(),
  decided_at: z.string().nullable(),
  barcodes: z.array(z.object({ barcode: z.string(), quantity: id })),
  no_barcode: z.boolean(),
  serial_required: z.boolean(),
})

export const SeenWagon = PickWagon.extend({
  pick_list_id: id,
  type: ListType,
  list_state: ListState,
  wagon_type: WagonShape,
  map_result_id: id.nullable(),
  on_short: ShortRule,
  scan_bin: z.boolean(),
  /** In walking order. */
  pick_lines: z.array(PickLine),
})
export type SeenWagon = z.infer<typeof SeenWagon>

export const OrderOnList = z.object({
  pick_list_id: id,
  type: ListType,
  list_state: ListState,
  wagon_no: id,
  wagon_state: WagonState,
  slot_no: id,
  slot_state: SlotState,
  live: z.boolean(),
  order_id: id,
  order_no: z.string(),
  company_id: id,
  user_name: z.string().nullable(),
  created_at: z.string(),
})
export type OrderOnList = z.infer<typeof OrderOnList>

const flag = z.preprocess(value => value === '1' || value === 'true' || value === true, z.boolean()).default(false)

/** What a printed list shows beside the lines; without `wagon_no` all wagons are on it. */
const Paper = z.object({
  pictures: flag,
  wagon_no: wagonNo.optional(),
  locale: z.string().max(10).optional(),
  /** Made by the client: the same again prints once. */
  key: z.string().max(80).optional(),
})
const OverviewPaper = Paper.pick({ locale: true, key: true })
const printer = { printer: z.coerce.number<unknown>().int().positive() }

export const pickListsSchemas = {
  components: {
    ListType,
    ListState,
    WagonState,
    SlotState,
    LineState,
    ShortRule,
    SlotColour,
    WagonSlot,
    WagonTypeFields,
    WagonShape,
    WagonType,
    Wave,
    NewPickList,
    LeftOutReason,
    LeftOut,
    PickPreview,
    PickListRow,
    PickSlot,
    PickWagon,
    PickList,
    PickLine,
    SeenWagon,
    OrderOnList,
  },
  calls: {
    search: {
      query: pageQuery.extend({
        /** List number, order number, order code, PP code or picker. */
        query: z.string().max(200).default(''),
        state: listParam(ListState),
        type: listParam(ListType),
        sort: z.enum(listSorts).default('newest'),
      }),
      reply: page(PickListRow),
      summary: 'Pick lists with the progress of every wagon.',
    },
    searchOrder: {
      query: z.object({ query: z.string().min(1).max(200) }),
      reply: z.array(OrderOnList),
      summary: 'Which lists an order is or was on; asked by order number, order code or PP code. The newest 100.',
    },
    preview: {
      body: Wave,
      reply: PickPreview,
      summary: 'What a list of these orders would be: figures, wagons, and every order left out with its reason. Changes nothing.',
    },
    create: {
      body: NewPickList,
      reply: PickListRow.extend({ job_id: id.nullable(), left_out_count: id }),
      summary: 'Puts the orders on wagons. A job then shortens the walks of the unclaimed wagons.',
    },
    print: {
      params: printer,
      query: Paper,
      reply: PrintJob,
      summary: 'Prints a pick list.',
    },
    printOverview: {
      params: printer,
      query: OverviewPaper,
      reply: PrintJob,
      summary: 'Prints the overview of a pick list.',
    },
    config: {
      reply: z.object({
        wagon_types: z.array(WagonType),
        default_wagon_type_id: id.nullable(),
        map: z.object({ result_id: id, map_id: id }).nullable(),
        companies: z.array(z.object({ id, code: z.string(), name: z.string() })),
        agent_codes: z.array(z.string()),
        /** As `agent_code:method`. */
        methods: z.array(z.string()),
        countries: z.array(z.string()),
        tags: z.array(z.string()),
      }),
      summary: 'Wagon types and what waiting orders can be chosen by. Main company only, as all of picklist.',
    },
    download: {
      query: Paper,
      summary: 'A pick list as a PDF.',
    },
    downloadOverview: {
      query: OverviewPaper,
      summary: 'The overview of a pick list as a PDF.',
    },
    available: {
      params: { x: ListType },
      reply: z.object({ count: id, is_more: z.boolean() }),
      summary: 'Orders that wait for a list of this type.',
    },
    get: {
      reply: PickList,
      summary: 'One pick list with its wagons.',
    },
    wagon: {
      params: { wagon_no: wagonNo },
      reply: SeenWagon,
      summary: 'One wagon with its slots and stops.',
    },
    takeBack: {
      params: { wagon_no: wagonNo },
      reply: z.object({ state: WagonState }),
      summary: 'Takes a wagon from its pickers: it is open again when work has not begun, else paused.',
    },
    cancel: {
      body: z.strictObject({ note: text(limits.note).default('') }),
      reply: z.object({ orders: id, put_backs: id }),
      summary: 'Ends a list: its orders are ready again, what was picked has to be put back.',
    },
    takeOff: {
      reply: z.object({ put_backs: id }),
      summary: 'Takes one order off the list: it is ready again, what was picked of it has to be put back.',
    },
    improve: {
      reply: z.object({ job_id: id }),
      summary: 'Shortens the walks of the unclaimed wagons; a job of at most 10 seconds.',
    },
    createWagonType: {
      body: WagonTypeFields,
      reply: WagonType,
      summary: 'Makes a type of wagon.',
    },
    updateWagonType: {
      body: WagonTypeFields.safeExtend({ version: id }),
      reply: WagonType,
      summary: 'Changes a type of wagon.',
    },
    deleteWagonType: {
      summary: 'Lists that use it keep their own copy.',
    },
  },
} satisfies ContractSchemas
