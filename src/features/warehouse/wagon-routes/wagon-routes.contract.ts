/** Drawn routes of wagons: the link, and the public page behind it. */
import * as z from 'zod'
import { call, calls } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import { Floor, Metres, mapReaders, Point, Stop } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'

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

/** Main company only. */
export const wagonRoutes = calls(
  {
    name: 'wagonRoutes',
    area: 'warehouse',
    access: settingsPages['warehouse-map'],
    tenantScope: 'operator',
    company: 'main',
    schemas: { Route },
  },
  {
    link: call('GET warehouse_map_draw/get_link/picklist/{id}/wagon/{wagon}/using/active', {
      access: mapReaders,
      params: { wagon: z.coerce.number<unknown>().int().positive().max(10_000) },
      reply: z.object({ url: z.string(), expires_at: z.string() }),
      summary: 'A link to the drawn walk of one wagon that opens on any phone for seven days.',
    }),
  },
)

export const wagonRoutesOwn = calls(
  {
    name: 'wagonRoutes',
    area: 'warehouse',
    access: settingsPages['warehouse-map'],
    tenantScope: 'operator',
    company: 'main',
    internal: true,
  },
  {
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
