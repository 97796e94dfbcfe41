/** Schemas of the calls in slotting.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Metres } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'

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
  /** The product that moves out; null where the bin is free. */
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

const HotSpots = z.object({
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

const Day = z.iso.date('A day looks like 2026-03-31')
const days = z.coerce.number<unknown>().int().min(1).max(90).default(14)

export const slottingSchemas = {
  components: { Swap, Slotting, HotSpot, HotSpots },
  calls: {
    hotSpots: {
      query: z.object({
        product_count: z.coerce.number<unknown>().int().min(1).max(500).default(50),
        /** Orders of this day and later count; without it, of the last 30 days. */
        order_from: Day.optional(),
        /** The advice is what takes seconds. */
        advice: z.enum(['yes', 'no']).default('yes'),
      }),
      reply: HotSpots,
      summary: 'Where on the map the most wanted products lie, and which should move nearer.',
    },
  },
} satisfies ContractSchemas

export const slottingOwnSchemas = {
  calls: {
    advice: {
      query: z.object({ days, swaps: z.coerce.number<unknown>().int().min(1).max(100).default(20) }),
      reply: Slotting,
      summary: 'Which products should change places, and how much less is walked a day.',
    },
  },
} satisfies ContractSchemas
