/** Schemas of the calls in figures.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { comparisons } from './figures.codes.ts'

const whole = z.number().int()
const idIn = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)

const Sums = z.object({
  /** Orders that came in. */
  received: whole,
  /** Orders of which a parcel was packed, and of those the ones packed before their pickup or ship-by time. */
  packed: whole,
  packed_on_time: whole,
  /** Parcels that left with a courier. */
  handed_over: whole,
})
export type Sums = z.output<typeof Sums>

/** `until` does not belong to it. */
const Span = z.object({ from: z.string(), until: z.string() })

export const Figures = z.object({
  from: z.string(),
  to: z.string(),
  time_zone: z.string(),
  server_time: z.string(),
  now: Sums,
  /** The instants at which the first day begins and the last one ends: lists between them hold what is counted. */
  span: Span,
  /** The compared period, up to the same time of day where the period has not ended. Null without a comparison. */
  before: Sums.extend({ from: z.string(), to: z.string(), span: Span, returns: whole.nullable() }).nullable(),
  /** Orders in the warehouse whose ship-by time has passed, at this moment. */
  late: whole,
  /** Returns that were requested in the period; null for who may not see returns. */
  returns: whole.nullable(),
  /** By hour for one day, else by day: its start as an instant. Parts without any work are left out. */
  series: z.array(z.object({ at: z.string(), received: whole, packed: whole, handed_over: whole })),
  unit: z.enum(['hour', 'day']),
  couriers: z.array(z.object({ agent_code: z.string(), name: z.string(), n: whole, before: whole.nullable() })),
  /** Orders on hold at this moment, by reason. */
  holds: z.array(z.object({ reason: z.string(), n: whole })),
  /** How many are clocked in for work; null for shops, and where no one uses the punch clock. */
  people: whole.nullable(),
})
export type Figures = z.output<typeof Figures>

const Published = z.object({
  received: whole.nullable(),
  handed_over: whole.nullable(),
  /** Orders packed in time as a share of the packed ones, from 0 to 1. */
  on_time: z.number().nullable(),
  couriers: z.array(z.object({ name: z.string(), n: whole })),
})

export const PublishedFigures = z.object({
  name: z.string(),
  time_zone: z.string(),
  server_time: z.string(),
  today: Published,
  last_30_days: Published,
})
export type PublishedFigures = z.output<typeof PublishedFigures>

export const figuresSchemas = {
  components: { Figures, PublishedFigures },
  calls: {
    home: {
      query: z.object({
        from: z.iso.date(),
        to: z.iso.date(),
        compare: z.enum(comparisons).default('before'),
        company_id: idIn.optional(),
      }),
      reply: Figures,
      summary: 'What came in, was packed and left in a period of the warehouse’s days, compared with an earlier one.',
    },
    people: {
      reply: z.object({ rows: z.array(z.object({ name: z.string(), since: z.string() })) }),
      summary: 'Who is clocked in for work now, the longest first.',
    },
    published: {
      query: z.object({ board: idIn.optional() }),
      reply: PublishedFigures,
      summary:
        'Figures for who holds the link: counts only. A number is null where fewer than five stand behind it. 410 where the link was revoked.',
    },
  },
} satisfies ContractSchemas
