/** Schemas of the calls in pickups.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { pickupSorts, pickupStates, pickupViews } from './pickups.codes.ts'

const id = z.number().int()
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 15:30')

export const Pickup = z.object({
  id,
  company_id: id,
  company: z.string(),
  agent_code: z.string(),
  day: z.string(),
  from_time: z.string(),
  to_time: z.string(),
  parcels: id,
  weight_g: id,
  note: z.string(),
  /** `ordering` becomes `unknown` when its answer did not come in time. */
  state: z.enum(pickupStates),
  courier_no: z.string().nullable(),
  /** The day on which the courier says it comes, where it is another one. */
  comes_on: z.string().nullable(),
  words: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  cancelled_at: z.string().nullable(),
  /** The courier can be asked to cancel it. */
  can_cancel: z.boolean(),
  version: id,
})
export type Pickup = z.infer<typeof Pickup>

const Question = z.object({
  query: z.string().trim().max(100).default(''),
  view: z.enum(pickupViews).default('open'),
  agent_code: z.string().max(limits.code).optional(),
  company_id: z.coerce.number<unknown>().int().positive().optional(),
  sort: z.enum(pickupSorts).default('-day'),
})
export type Question = z.output<typeof Question>

export const NewPickup = z
  .strictObject({
    /** The same id again orders nothing new. */
    client_id: z.uuid(),
    /** By default the company of the address. */
    company_id: z.number().int().positive().optional(),
    agent_code: text(limits.code).min(1, 'Select a courier'),
    day: z.iso.date('Enter the day'),
    from_time: clock,
    to_time: clock,
    parcels: z.number('Enter the number of parcels').int().min(1, 'Enter the number of parcels').max(999),
    weight_g: z.number('Enter the weight').int().min(0).max(100_000_000),
    note: text(200).default(''),
  })
  .refine(({ from_time, to_time }) => from_time < to_time, { message: 'The end must be after the start', path: ['to_time'] })
export type NewPickup = z.output<typeof NewPickup>

export const pickupsSchemas = {
  components: { Pickup },
  calls: {
    list: {
      query: Question.extend(pageQuery.shape),
      reply: page(Pickup),
      summary: 'Pickups, page by page. The query is found in numbers and notes.',
    },
    couriers: {
      query: z.object({ company_id: z.coerce.number<unknown>().int().positive().optional() }),
      reply: z.array(
        z.object({
          agent_code: z.string(),
          name: z.string(),
          can_cancel: z.boolean(),
          /** It takes the time until which it must have come. */
          window: z.boolean(),
          /** Parcels of the company that it has not got yet. */
          parcels: id,
          weight_g: id,
        }),
      ),
      summary: 'The couriers that the company can ask to collect, with what waits for each.',
    },
    exportAll: { query: Question, summary: 'The pickups that match, as CSV.' },
    order: {
      body: NewPickup,
      reply: Pickup,
      summary: 'Asks a courier to collect. The same client_id answers the pickup that it ordered before.',
    },
    cancel: { reply: Pickup, summary: 'Cancels a pickup at the courier; again is no mistake.' },
    settle: {
      body: z.strictObject({ ordered: z.boolean() }),
      reply: Pickup,
      summary: 'What the courier says to a person of a pickup whose outcome is unknown.',
    },
  },
} satisfies ContractSchemas
