/** Schemas of the calls in weighings.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { weighingOutcomes, weightSources } from './weighings.codes.ts'

export const Weighing = z.object({
  id: z.number().int(),
  order_id: z.number().int(),
  order_no: z.string(),
  company: z.string(),
  parcel_no: z.number().int(),
  /** Grams. */
  weight_g: z.number().int(),
  source: z.enum(weightSources),
  expected_g: z.number().int(),
  tolerance_g: z.number().int(),
  outcome: z.enum(weighingOutcomes),
  /** Who took a weight outside of the tolerance. */
  overridden_by: z.string().nullable(),
  weighed_by: z.string(),
  station: z.string(),
  weighed_at: z.string(),
  /** What a piece of the only product without a weight weighs by this weighing. */
  learned: z.object({ sku: z.string(), weight_g: z.number().int() }).nullable(),
})
export type Weighing = z.infer<typeof Weighing>

const Day = z.iso.date('Enter the day as 2026-11-21')
const WeighingQuestion = z.object({
  outcome: z.enum(weighingOutcomes).optional(),
  /** Of the packer, the station or the order number. */
  query: text(limits.name).optional(),
  from: Day.optional(),
  to: Day.optional(),
})
export type WeighingQuestion = z.infer<typeof WeighingQuestion>

export const weighingsSchemas = {
  components: { Weighing },
  calls: {
    list: {
      query: pageQuery.extend(WeighingQuestion.shape),
      reply: page(Weighing),
      summary: 'What parcels weighed at the stations, what was expected, and who took a weight that differs; the newest first.',
    },
    export: {
      query: WeighingQuestion,
      summary: 'The same as a CSV file.',
    },
  },
} satisfies ContractSchemas
