/** Schemas of the calls in wagon-routes.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Floor, Metres, Point, Stop } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'

/** The walk of a wagon for everyone with the link: places and numbers, nothing about people, customers or goods. */
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

export const wagonRoutesSchemas = {
  components: { Route },
  calls: {
    link: {
      params: { wagon: z.coerce.number<unknown>().int().positive().max(10_000) },
      reply: z.object({ url: z.string(), expires_at: z.string() }),
      summary: 'A link to the drawn walk of one wagon that opens on any phone for seven days.',
    },
  },
} satisfies ContractSchemas

export const wagonRoutesOwnSchemas = {
  calls: {
    route: {
      query: z.object({
        list: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER),
        wagon: z.coerce.number<unknown>().int().positive().max(10_000),
        key: z.string().min(1).max(64),
      }),
      reply: Route,
      summary: 'The drawing behind a link made by get_link.',
    },
  },
} satisfies ContractSchemas
