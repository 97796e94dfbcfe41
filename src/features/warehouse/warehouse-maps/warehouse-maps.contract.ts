/** Warehouse maps: drawing the floor, measuring it, choosing which measurement pick routes follow, and what it teaches about the places of goods. */
import * as z from 'zod'
import { access, type Permission } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { text } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { settingsPages } from '#contract/settings-access.ts'
import { Drawing, Spot, Stair, Zone } from './drawing.contract.ts'

/** Whoever walks by a map may look at it. */
const reading: readonly Permission[] = [...new Set<Permission>([...settingsPages['warehouse-map'], ...access.picks])]

/** A drawing of 20,000 locations, written out. */
const drawingBody = 8_388_608

const Id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const Title = text(120).min(1, 'A map needs a title')
const Metres = z.number()
const Point = z.object({ x: z.number().int(), y: z.number().int() })

/** A map without its drawing, for lists. */
export const MapRow = z.object({
  map_id: z.number().int(),
  title: z.string(),
  version: z.number().int(),
  hash: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  cell_mm: z.number().int(),
  location_count: z.number().int(),
  result_count: z.number().int(),
  /** The result of this map by which routes are computed now. */
  active_result_id: z.number().int().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type MapRow = z.infer<typeof MapRow>

export const WarehouseMap = MapRow.extend({ drawing: Drawing })
export type WarehouseMap = z.infer<typeof WarehouseMap>

/** How a result walks what was picked (or ordered) in the seven days before it was computed. */
export const Quality = z.object({
  /** `lists`: the wagons of real pick lists; `orders`: there were none, so orders in tens by urgency; `none`: there was nothing to walk. */
  from: z.enum(['lists', 'orders', 'none']),
  since: z.string(),
  until: z.string(),
  /** Walks measured, and places visited on them that both maps know. */
  walks: z.number().int(),
  stops: z.number().int(),
  /** Metres of all walks together: by this result, by the one active then, and by this one in the order of bin texts. */
  metres: Metres,
  active_metres: Metres.nullable(),
  bin_order_metres: Metres,
  /** Places asked for that are not on this map, or that no way leads to. */
  off_map: z.number().int(),
  no_way: z.number().int(),
})
export type Quality = z.infer<typeof Quality>

export const resultStates = ['computing', 'ready', 'active', 'superseded', 'failed'] as const

export const ResultRow = z.object({
  result_id: z.number().int(),
  map_id: z.number().int(),
  map_title: z.string(),
  title: z.string(),
  state: z.enum(resultStates),
  map_hash: z.string(),
  /** The map's ways have changed since: what is walked is not what is drawn now. */
  outdated: z.boolean(),
  /** Places to stand, between all of which the way is known. */
  cells: z.number().int().nullable(),
  location_count: z.number().int(),
  /** Bytes of the distances. */
  bytes: z.number().int().nullable(),
  quality: Quality.nullable(),
  error: z.string().nullable(),
  /** The job that computes it, with its progress: `GET jobs/{id}`. */
  job_id: z.number().int().nullable(),
  job_done: z.number().int().nullable(),
  job_total: z.number().int().nullable(),
  /** Pick lists that are still walked by it. */
  living_lists: z.number().int(),
  created_by: z.string(),
  created_at: z.string(),
  activated_at: z.string().nullable(),
})
export type ResultRow = z.infer<typeof ResultRow>

/** With the map as it was when this was computed. */
export const MapResult = ResultRow.extend({ drawing: Drawing })
export type MapResult = z.infer<typeof MapResult>

/** Problems that keep a map from being measured (`error`), and those that people should know of (`warning`). */
export const findingKinds = {
  no_start: 'error',
  no_locations: 'error',
  too_many_cells: 'error',
  duplicate: 'error',
  outside: 'error',
  spot_not_walkable: 'error',
  stair_not_walkable: 'error',
  no_access: 'warning',
  unreachable: 'warning',
  no_way_back: 'warning',
  no_station: 'warning',
  product_off_map: 'warning',
  product_no_bin: 'warning',
  empty: 'note',
} as const
export type FindingKind = keyof typeof findingKinds

/** How many of each kind are listed; `count` counts all. */
export const listedFindings = 200

export const Finding = z.object({
  kind: z.enum(Object.keys(findingKinds) as [FindingKind, ...FindingKind[]]),
  severity: z.enum(['error', 'warning', 'note']),
  count: z.number().int(),
  /** The first 200: what it is about, where it is on the grid (where it is on it), and for products their company and SKU. */
  items: z.array(
    z.object({
      text: z.string(),
      x: z.number().int().nullable(),
      y: z.number().int().nullable(),
      product_id: z.number().int().optional(),
      company: z.string().optional(),
      sku: z.string().optional(),
    }),
  ),
})
export type Finding = z.infer<typeof Finding>

export const Check = z.object({
  /** False while something of severity `error` stands in the way of `calc`. */
  can_be_measured: z.boolean(),
  hash: z.string(),
  location_count: z.number().int(),
  cells: z.number().int(),
  products: z.number().int(),
  findings: z.array(Finding),
})
export type Check = z.infer<typeof Check>

export const Imported = z.object({
  /** From JSON that was exported here. */
  title: z.string().nullable(),
  drawing: Drawing,
  added: z.number().int(),
  replaced: z.number().int(),
  problem_count: z.number().int(),
  /** The first 200. Rows count as a spreadsheet counts; such rows are left out. A sentence with places, and what fills them. */
  problems: z.array(z.object({ row: z.number().int(), text: z.string(), values: z.record(z.string(), z.string()) })),
})
export type Imported = z.infer<typeof Imported>

/** One place where the picker stands. Numbers count from 1 in the order of the walk. */
export const Stop = z.object({
  no: z.number().int(),
  /** Null where the bin is not on the map. */
  x: z.number().int().nullable(),
  y: z.number().int().nullable(),
  bins: z.array(z.string()),
  lines: z.number().int(),
  pieces: z.number().int(),
})
export type Stop = z.infer<typeof Stop>

/** What a route is drawn on. */
const Floor = z.object({
  width: z.number().int(),
  height: z.number().int(),
  cell_mm: z.number().int(),
  cells: z.array(z.string()),
  starts: z.array(Spot),
  stations: z.array(Spot),
  zones: z.array(Zone),
  stairs: z.array(Stair),
})

/** A wagon's walk for whoever holds the link: places and numbers, nothing about people, customers or goods. */
export const Route = z.object({
  list: z.number().int(),
  wagon: z.number().int(),
  floor: Floor,
  stops: z.array(Stop),
  /** Cell after cell from the start to the end; a stair is a jump. */
  path: z.array(Point),
  metres: Metres,
  /** By the list's own result, or by the active one where the list was made without. */
  map_title: z.string(),
  /** When the link stops to open. */
  expires_at: z.string(),
})
export type Route = z.infer<typeof Route>

export const Simulation = z.object({
  result_id: z.number().int(),
  /** The list whose bins were walked where none were given. */
  list: z.object({ pick_list_id: z.number().int(), wagon_no: z.number().int() }).nullable(),
  stops: z.array(Stop),
  path: z.array(Point),
  metres: Metres,
  bin_order_metres: Metres,
  /** Proven to be the shortest. */
  proven: z.boolean(),
  off_map: z.array(z.string()),
  no_way: z.array(z.string()),
})
export type Simulation = z.infer<typeof Simulation>

const SlottedProduct = z.object({
  /** Null for what orders name without there being such a product. */
  product_id: z.number().int().nullable(),
  company: z.string(),
  sku: z.string(),
  name: z.string(),
  /** Order lines in the time asked for. */
  picks: z.number().int(),
})

/** One swap: what is asked for often comes near, what lies there goes where it was. */
export const Swap = z.object({
  product: SlottedProduct,
  from_bin: z.string(),
  to_bin: z.string(),
  /** What has to make room; null where the bin is free. */
  other: SlottedProduct.nullable(),
  /** Beyond what the swaps before it save. */
  saved_metres_per_day: Metres,
})
export type Swap = z.infer<typeof Swap>

export const Slotting = z.object({
  /** Null where no map is active. */
  result_id: z.number().int().nullable(),
  since: z.string(),
  /** Days on which something was picked, by which the saving is divided. */
  days: z.number().int(),
  walks: z.number().int(),
  metres_per_day: Metres,
  saved_metres_per_day: Metres,
  swaps: z.array(Swap),
})
export type Slotting = z.infer<typeof Slotting>

/** A place and how often something was taken from it. */
export const HotSpot = z.object({
  bin: z.string(),
  x: z.number().int().nullable(),
  y: z.number().int().nullable(),
  picks: z.number().int(),
  pieces: z.number().int(),
  products: z.array(SlottedProduct),
})
export type HotSpot = z.infer<typeof HotSpot>

export const HotSpots = z.object({
  /** The page that shows this; it asks for a login. */
  url: z.string(),
  result_id: z.number().int().nullable(),
  product_count: z.number().int(),
  order_from: z.string(),
  /** Most picks first. Places that are not on the active map have no coordinates. */
  spots: z.array(HotSpot),
  /** Null where it was not asked for. */
  advice: Slotting.nullable(),
})
export type HotSpots = z.infer<typeof HotSpots>

export const ActiveWarehouseMap = z.object({
  result_id: z.number().int(),
  map_id: z.number().int(),
  map_title: z.string(),
  title: z.string(),
  hash: z.string(),
  outdated: z.boolean(),
  cells: z.number().int(),
  activated_at: z.string().nullable(),
  drawing: Drawing,
})
export type ActiveWarehouseMap = z.infer<typeof ActiveWarehouseMap>

const Day = z.iso.date('A day looks like 2026-03-31')
const days = z.coerce.number<unknown>().int().min(1).max(90).default(14)

/** Main company only. */
export const warehouseMaps = calls(
  { access: settingsPages['warehouse-map'], tenantScope: 'operator' },
  {
    search: call('GET warehouse/map/search/', {
      access: reading,
      query: pageQuery.extend({ query: z.string().max(200).default('') }),
      reply: page(MapRow),
      summary: 'Searches warehouse maps.',
    }),
    get: call('GET warehouse/map/get/{id}', {
      access: reading,
      reply: WarehouseMap,
      summary: 'One warehouse map with its drawing.',
    }),
    create: call('POST warehouse/map/create', {
      body: z.strictObject({ title: Title, drawing: Drawing }),
      bodyLimit: drawingBody,
      reply: WarehouseMap,
      summary: 'Makes a warehouse map.',
    }),
    update: call('POST warehouse/map/update/{id}', {
      body: z.strictObject({ version: z.number().int(), title: Title, drawing: Drawing }),
      bodyLimit: drawingBody,
      reply: WarehouseMap,
      summary: 'Refused with the map as it is now when somebody else changed it meanwhile.',
    }),
    remove: call('DELETE warehouse/map/delete/{id}', { summary: 'Removes a warehouse map.' }),
    calc: call('POST warehouse/map/calc/{id}', {
      body: z.strictObject({ title: text(120).min(1, 'A result needs a title') }),
      reply: z.object({ result_id: z.number().int(), job_id: z.number().int() }),
      summary: 'Measures the ways between all places to stand, as a job with progress.',
    }),

    searchResults: call('GET warehouse/map/result/search/', {
      access: reading,
      query: pageQuery.extend({
        query: z.string().max(200).default(''),
        map_id: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
      }),
      reply: page(ResultRow),
      summary: 'Searches the measured results of maps.',
    }),
    getResult: call('GET warehouse/map/result/{id}', {
      access: reading,
      reply: MapResult,
      summary: 'One measured result of a map.',
    }),
    setActive: call('POST warehouse/map/result/set_active/{id}', {
      reply: ResultRow,
      summary: 'From now on new lists are walked by it; lists that exist keep theirs.',
    }),
    removeResult: call('DELETE warehouse/map/result/{id}', {
      summary: 'Removes a measured result.',
    }),

    active: call('GET picklist/active_warehouse_map', {
      access: reading,
      reply: z.object({ active: ActiveWarehouseMap.nullable() }),
      summary: 'The map and the result by which walks are computed.',
    }),

    routeLink: call('GET warehouse_map_draw/get_link/picklist/{id}/wagon/{wagon}/using/active', {
      access: reading,
      params: { wagon: z.coerce.number<unknown>().int().positive().max(10_000) },
      reply: z.object({ url: z.string(), expires_at: z.string() }),
      summary: 'A link to the drawn walk of one wagon that opens on any phone for seven days.',
    }),
    hotSpots: call('GET warehouse_map_draw/link/products', {
      access: reading,
      query: z.object({
        product_count: z.coerce.number<unknown>().int().min(1).max(500).default(50),
        /** Orders of this day and later count; without it, of the last 30 days. */
        order_from: Day.optional(),
        /** The advice is what takes seconds. */
        advice: z.enum(['yes', 'no']).default('yes'),
      }),
      reply: HotSpots,
      external: true,
      timeout: 'long',
      summary: 'Where on the map the most wanted products lie, and which should move nearer.',
    }),
  },
)

export const warehouseMapsOwn = calls(
  { access: settingsPages['warehouse-map'], tenantScope: 'operator', internal: true },
  {
    check: call('POST warehouse/map/check', {
      body: z.strictObject({ drawing: Drawing }),
      bodyLimit: drawingBody,
      reply: Check,
      summary: 'What is wrong with a drawing, saved or not, and which products have no place on it.',
    }),
    import: call('POST warehouse/map/import', {
      body: z.strictObject({
        format: z.enum(['csv', 'json']),
        text: z.string().max(4_000_000),
        /** CSV adds its locations to this drawing, and replaces those of the same code; null begins a new one around them. */
        onto: Drawing.nullable().default(null),
      }),
      bodyLimit: drawingBody,
      reply: Imported,
      summary: 'Reads `location,x,y,side,level` or an exported map into a drawing. Nothing is saved.',
    }),
    exportCsv: call('GET warehouse/map/export/{id}/csv', {
      access: reading,
      media: 'text/csv',
      summary: 'The locations of a map as CSV.',
    }),
    exportJson: call('GET warehouse/map/export/{id}/json', {
      access: reading,
      media: 'application/octet-stream',
      summary: 'A map as JSON, to be imported elsewhere.',
    }),
    cancelCalc: call('POST warehouse/map/result/cancel/{id}', {
      reply: ResultRow,
      summary: 'Stops the computing of a result; the result is left as failed.',
    }),
    simulate: call('POST warehouse/map/simulate', {
      access: reading,
      body: z.strictObject({
        result_id: Id,
        /** Empty takes the bins of the newest pick list. */
        bins: z.array(text(40).min(1)).max(300).default([]),
      }),
      reply: Simulation,
      summary: 'The walk through some bins by a result that need not be active.',
    }),
    slotting: call('GET warehouse/map/slotting', {
      query: z.object({ days, swaps: z.coerce.number<unknown>().int().min(1).max(100).default(20) }),
      reply: Slotting,
      external: true,
      timeout: 'long',
      summary: 'Which products should change places, and how much less is walked a day.',
    }),
    /** Opens with the key of the link alone. */
    route: call('GET warehouse_map_draw/route', {
      access: 'anyone',
      query: z.object({
        list: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER),
        wagon: z.coerce.number<unknown>().int().positive().max(10_000),
        key: z.string().min(1).max(64),
      }),
      reply: Route,
      external: true,
      // A warehouse's phones share one address.
      rateLimit: { max: 240, seconds: 60 },
      summary: 'The drawing behind a link made by get_link.',
    }),
  },
)
