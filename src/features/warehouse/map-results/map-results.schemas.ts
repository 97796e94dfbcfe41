/** Schemas of the calls in map-results.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { Metres, Point, Stop } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'

const Id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)

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

const resultStates = ['computing', 'ready', 'active', 'superseded', 'failed'] as const

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

const ActiveWarehouseMap = z.object({
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

export const mapResultsSchemas = {
  components: { Quality, ResultRow, MapResult, Simulation, ActiveWarehouseMap },
  calls: {
    calc: {
      body: z.strictObject({ title: text(120).min(1, 'A result needs a title') }),
      reply: z.object({ result_id: z.number().int(), job_id: z.number().int() }),
      summary: 'Measures the ways between all places to stand, as a job with progress.',
    },
    search: {
      query: pageQuery.extend({
        query: z.string().max(200).default(''),
        map_id: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
      }),
      reply: page(ResultRow),
      summary: 'Searches the measured results of maps.',
    },
    get: {
      reply: MapResult,
      summary: 'One measured result of a map.',
    },
    setActive: {
      reply: ResultRow,
      summary: 'From now on new lists are walked by it; lists that exist keep theirs.',
    },
    remove: {
      summary: 'Removes a measured result.',
    },
    active: {
      reply: z.object({ active: ActiveWarehouseMap.nullable() }),
      summary: 'The map and the result by which walks are computed.',
    },
    removeMap: {
      summary: 'Removes a warehouse map.',
    },
  },
} satisfies ContractSchemas

export const mapResultsOwnSchemas = {
  calls: {
    cancelCalc: {
      reply: ResultRow,
      summary: 'Stops the computing of a result; the result is left as failed.',
    },
    simulate: {
      body: z.strictObject({
        result_id: Id,
        /** Empty takes the bins of the newest pick list. */
        bins: z.array(text(40).min(1)).max(300).default([]),
      }),
      reply: Simulation,
      summary: 'The walk through some bins by a result that need not be active.',
    },
  },
} satisfies ContractSchemas
