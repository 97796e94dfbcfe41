/** Schemas of the calls in warehouse-maps.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { keysOf } from '#domain/objects.ts'
import { Drawing, Spot, Stair, Zone } from './drawing.schemas.ts'
import { findingKinds } from './warehouse-maps.codes.ts'

const Title = text(120).min(1, 'A map needs a title')
export const Metres = z.number()
export const Point = z.object({ x: z.number().int(), y: z.number().int() })

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
export type FindingKind = keyof typeof findingKinds

export const Finding = z.object({
  kind: z.enum(keysOf(findingKinds)),
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
export const Floor = z.object({
  width: z.number().int(),
  height: z.number().int(),
  cell_mm: z.number().int(),
  cells: z.array(z.string()),
  starts: z.array(Spot),
  stations: z.array(Spot),
  zones: z.array(Zone),
  stairs: z.array(Stair),
})
export type Floor = z.infer<typeof Floor>

export const warehouseMapsSchemas = {
  components: { Point, MapRow, WarehouseMap, Finding, Check, Imported, Stop, Floor },
  calls: {
    search: {
      query: pageQuery.extend({ query: z.string().max(200).default('') }),
      reply: page(MapRow),
      summary: 'Searches warehouse maps.',
    },
    get: {
      reply: WarehouseMap,
      summary: 'One warehouse map with its drawing.',
    },
    create: {
      body: z.strictObject({ title: Title, drawing: Drawing }),
      reply: WarehouseMap,
      summary: 'Makes a warehouse map.',
    },
    update: {
      body: z.strictObject({ version: z.number().int(), title: Title, drawing: Drawing }),
      reply: WarehouseMap,
      summary: 'Refused with the map as it is now when somebody else changed it meanwhile.',
    },
  },
} satisfies ContractSchemas

export const warehouseMapsOwnSchemas = {
  calls: {
    check: {
      body: z.strictObject({ drawing: Drawing }),
      reply: Check,
      summary: 'What is wrong with a drawing, saved or not, and which products have no place on it.',
    },
    import: {
      body: z.strictObject({
        format: z.enum(['csv', 'json']),
        text: z.string().max(4_000_000),
        /** CSV adds its locations to this drawing, and replaces those of the same code; null begins a new one around them. */
        onto: Drawing.nullable().default(null),
      }),
      reply: Imported,
      summary: 'Reads `location,x,y,side,level` or an exported map into a drawing. Nothing is saved.',
    },
    exportCsv: {
      summary: 'The locations of a map as CSV.',
    },
    exportJson: {
      summary: 'A map as JSON, to be imported elsewhere.',
    },
  },
} satisfies ContractSchemas
