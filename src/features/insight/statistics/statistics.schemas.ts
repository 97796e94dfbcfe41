/** Schemas of the calls in statistics.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { segmentKinds } from './statistics.codes.ts'

const count = z.number().int()
/** A calendar day of the company's own time zone. */
const Day = z.iso.date('Enter the day as 2026-11-21')

/** One person on one day; every screen, chart and file sums these up. */
const personDay = {
  user_id: count,
  user_name: z.string(),
  day: z.string(),
  pieces: count,
  lines: count,
  orders: count,
  scans: count,
  wrong: count,
  /** Seconds between events that are less than the gap apart. */
  active_s: count,
  /** Seconds of longer gaps; a gap of more than four hours is not a break but another shift. */
  break_s: count,
}

export const PickDay = z.object({ ...personDay, wagons: count, shorts: count, skips: count, walk_dm: count })
export type PickDay = z.infer<typeof PickDay>

export const PackDay = z.object({ ...personDay, parcels: count, /** Seconds from opening orders to their labels. */ pack_s: count })
export type PackDay = z.infer<typeof PackDay>

const about = {
  /** The stored answer can be read again by this number. */
  id: count,
  from: z.string(),
  to: z.string(),
  made_at: z.string(),
  /** A gap of this many seconds is a break. */
  gap_s: count,
}

export const PickStatistics = z.object({
  ...about,
  rows: z.array(PickDay),
  /** Wagons in use in the period, the newest first. */
  wagons: z.array(
    z.object({
      pick_list_id: count,
      wagon_no: count,
      user_name: z.string(),
      began_at: z.string(),
      ended_at: z.string(),
      pieces: count,
    }),
  ),
})
export type PickStatistics = z.infer<typeof PickStatistics>

const PackStatistics = z.object({ ...about, rows: z.array(PackDay) })
export const WagonTime = z.object({
  pick_list_id: count,
  wagon_no: count,
  pickers: z.array(z.string()),
  began_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  gap_s: count,
  segments: z.array(
    z.object({
      kind: z.enum(segmentKinds),
      from: z.string(),
      to: z.string(),
      /** The bin that was walked to or picked from. */ bin: z.string().nullable(),
    }),
  ),
  totals: z.object({ walking: count, picking: count, break: count, paused: count }),
})
export type WagonTime = z.infer<typeof WagonTime>

const period = { start: Day, end: Day }

export const statisticsSchemas = {
  components: { PickDay, PackDay, PickStatistics, PackStatistics, WagonTime },
  calls: {
    picks: {
      params: period,
      reply: PickStatistics,
      summary: 'Picking by person and day, both days included. Asked day by day: it stops when the caller goes.',
    },
    kept: {
      reply: PickStatistics,
      summary: 'An answer again, as it was, for seven days.',
    },
    breaks: {
      params: {
        pick_list: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER),
        wagon: z.coerce.number<unknown>().int().positive().max(10_000),
      },
      reply: WagonTime,
      summary: 'The pauses while one wagon was picked.',
    },
    packs: {
      params: period,
      reply: PackStatistics,
      summary: 'What each packer packed between two days.',
    },
  },
} satisfies ContractSchemas
