/** Schemas of the calls in station.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { sessionStates } from '#features/packing/packing/packing.codes.ts'

const StationOrder = z.object({
  order_id: z.number().int(),
  order_no: z.string(),
  company: z.string(),
  company_name: z.string(),
  company_color: z.string().nullable(),
  customer_name: z.string(),
})

/** An order that was set aside, or whose label failed; a person must look at it. */
export const Waiting = StationOrder.extend({
  state: z.enum(sessionStates),
  station: z.string(),
  user_name: z.string(),
  since: z.string(),
  reason: z.string().nullable(),
  packed: z.number().int(),
  to_pack: z.number().int(),
})
export type Waiting = z.infer<typeof Waiting>

export const RecentlyPacked = StationOrder.extend({
  packed_at: z.string(),
  user_name: z.string(),
  station: z.string(),
  parcels: z.number().int(),
  tracking_nos: z.array(z.string()),
})
export type RecentlyPacked = z.infer<typeof RecentlyPacked>

const Queued = StationOrder.extend({
  /** The tote in which it stands; null for an order that was not picked on a list. */
  tote: z.string().nullable(),
  ship_by: z.string().nullable(),
})

/** What can be packed now, the oldest first. */
export const Queue = z.object({
  waiting: z.number().int(),
  late: z.number().int(),
  next: z.array(Queued),
  /** Parcels of the caller since midnight. */
  packed_today: z.number().int(),
})
export type Queue = z.infer<typeof Queue>

export const packingStationSchemas = {
  components: { Waiting, RecentlyPacked, Queue },
  calls: {
    waiting: {
      reply: z.array(Waiting),
      summary:
        'The exceptions: orders set aside or with a label error, the longest waiting first, and sessions that were not touched for long.',
    },
    queue: {
      reply: Queue,
      summary: 'Orders that can be packed now: how many, how many are late, the next five, and what the caller packed today.',
    },
    recent: {
      query: z.object({ station: z.string().max(20).default('') }),
      reply: z.array(RecentlyPacked),
      summary: 'What was packed last, at this station or by the caller.',
    },
    handlingPicture: {
      summary: "The handling picture of the order's shipping method.",
    },
  },
} satisfies ContractSchemas
