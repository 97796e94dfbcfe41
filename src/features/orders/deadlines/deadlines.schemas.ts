/** Schemas of the calls in deadlines.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { deadlineTargets, deadlineWords, isCutOffLate } from './deadlines.codes.ts'

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 16:00')
const Day = z.iso.date('Enter a date')
const Country = z.string().regex(/^[A-Z]{2}$/)

const Fields = z.strictObject({
  name: text(40).min(1, 'Enter a name'),
  /** Of what an order must have one; an empty list matches all. */
  company_ids: z.array(z.number().int().positive()).max(200).default([]),
  agent_codes: z.array(text(limits.code).min(1)).max(40).default([]),
  /** `agent:method`. */
  shipping_methods: z.array(text(130).min(1)).max(100).default([]),
  countries: z.array(Country).max(250).default([]),
  /** From 1 for Monday to 7 for Sunday. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1, deadlineWords.weekday).max(7),
  /** Ordered until this time, an order leaves with the pickup of the day. */
  cut_off: Clock,
  pickup_time: Clock,
  /** Further pickup days after the first one. */
  sla_days: z.number().int().min(0).max(10).default(0),
  /** What has to be done by the pickup. */
  target: z.enum(deadlineTargets).default('packed'),
  /** The country whose public holidays have no pickup. */
  holidays: Country.nullable().default(null),
  active: z.boolean().default(true),
})
type Clocks = { cut_off: string; pickup_time: string; sla_days: number }
const cutOffFits = (fields: Clocks) => !isCutOffLate(fields)
const cutOffWords = { path: ['cut_off'], message: deadlineWords.cutOff }

export const DeadlineFields = Fields.refine(cutOffFits, cutOffWords)
export type DeadlineFields = z.output<typeof Fields>

export const DeadlineDay = z.object({
  /** Null stands for all deadlines. */
  deadline_id: z.number().int().nullable(),
  day: z.string(),
  open: z.boolean(),
  cut_off: z.string().nullable(),
  pickup_time: z.string().nullable(),
  note: z.string(),
})
export type DeadlineDay = z.output<typeof DeadlineDay>

export const Deadline = z.object({
  id: z.number().int(),
  ...Fields.shape,
  /** IANA name of the clock: that of the main company. */
  time_zone: z.string(),
  version: z.number().int(),
  updated_at: z.string(),
  /** The next two pickups; empty where the next 60 days have none. */
  next: z.array(z.string()),
  /** Orders in the warehouse that it applies to. */
  open_orders: z.number().int(),
})
export type Deadline = z.output<typeof Deadline>

const DayKey = z.strictObject({
  deadline_id: z.coerce.number<unknown>().int().positive().nullable().default(null),
  day: Day,
})

export const DayFields = z.strictObject({
  /** Null stands for all deadlines. */
  deadline_id: z.number().int().positive().nullable().default(null),
  day: Day,
  open: z.boolean(),
  /** Without one the usual cut-off, or the pickup where that is earlier. */
  cut_off: Clock.nullable().default(null),
  pickup_time: Clock.nullable().default(null),
  note: text(80).default(''),
})
export type DayFields = z.output<typeof DayFields>

const flag = z.enum(['true', 'false']).transform(value => value === 'true')

export const deadlinesSchemas = {
  components: { Deadline, DeadlineFields, DeadlineDay },
  calls: {
    list: {
      query: pageQuery.extend({ query: text(limits.name).default(''), active: flag.optional() }),
      reply: page(Deadline),
      summary: 'Deadlines by their next pickup, with how many open orders each has. A shop sees those that apply to its orders.',
    },
    create: {
      body: Fields.extend({ client_id: z.uuid().optional() }).refine(cutOffFits, cutOffWords),
      reply: Deadline,
      summary:
        'Adds a deadline; open orders get it in the background. The same `client_id` again answers the same deadline. 422 names the fields that are wrong.',
    },
    remove: { summary: 'Removes a deadline; again is no mistake. Open orders get another pickup, late ones stay late.' },
    one: { reply: Deadline, summary: 'One deadline.' },
    options: {
      reply: z.object({
        methods: z.array(z.object({ method: z.string(), name: z.string(), agent_code: z.string() })),
        time_zone: z.string(),
      }),
      summary: 'What a deadline can be about: active shipping methods of all companies, as `agent:method`.',
    },
    update: {
      body: Fields.extend({ version: z.number().int().min(1) }).refine(cutOffFits, cutOffWords),
      reply: Deadline,
      summary: 'Changes a deadline; open orders follow in the background. 409 with the current state when the version is old.',
    },
    preview: {
      body: Fields.extend({ id: z.number().int().positive().nullable().default(null) }).refine(cutOffFits, cutOffWords),
      reply: z.object({
        /** Counted to 20,000. */
        open_orders: z.number().int(),
        moved: z.number().int(),
        newly_late: z.number().int(),
      }),
      summary: 'What a deadline would do to the open orders: how many it takes, moves, and makes late.',
    },
    days: {
      query: z
        .object({ from: Day, to: Day })
        .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) <= 400 * 86_400_000, {
          path: ['to'],
          message: 'Choose at most 400 days',
        }),
      reply: z.object({
        rows: z.array(DeadlineDay),
        /** Public holidays of the countries that deadlines name: no pickup unless a row opens the day. */
        holidays: z.array(z.object({ day: z.string(), name: z.string(), country: z.string() })),
      }),
      summary: 'Days of a period on which pickups differ, and the public holidays that deadlines observe.',
    },
    setDay: {
      body: DayFields,
      reply: DeadlineDay,
      summary:
        'Closes a day, opens it, or gives it other times; an earlier entry of the day is replaced. Open orders follow in the background.',
    },
    removeDay: { query: DayKey, summary: 'Removes the entry of a day; again is no mistake.' },
  },
} satisfies ContractSchemas
