/** Schemas of the calls in rule-preview.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'

const PreviewBody = z.strictObject({
  kind: z.enum(['shipping_method', 'crate', 'approval', 'additional_product', 'alert', 'tag']),
  rule: RuleJson,
  /** Of a rule of the main company about orders of all: whose orders are looked at. Null stands for all. */
  company_ids: z.array(z.number().int().positive()).min(1).max(200).nullable().default(null),
  days: z.union([z.literal(30), z.literal(90)]).default(30),
  /** Looks at any number of orders in a job; its result is the preview. */
  as_job: z.boolean().default(false),
})

export const RulePreview = z.object({
  days: z.number().int(),
  /** Orders of these days, each looked at as of the moment in which it came. */
  checked: z.number().int(),
  met: z.number().int(),
  /** Orders that have not left, looked at as of now. */
  open: z.number().int(),
  open_now: z.number().int(),
  /** Orders with a condition that could not be compared, because two amounts have different currencies. */
  not_compared: z.number().int(),
  /** The newest orders that are met: open ones first. */
  sample: z.array(
    z.object({
      id: z.number().int(),
      order_no: z.string(),
      created_at: z.string(),
      country: z.string(),
      phase: z.string(),
      open: z.boolean(),
    }),
  ),
  /** Days on the company's calendar with orders that are met. */
  by_day: z.array(z.object({ day: z.string(), met: z.number().int() })),
})
export type RulePreview = z.infer<typeof RulePreview>

export const rulePreviewsSchemas = {
  components: { PreviewBody, RulePreview },
  calls: {
    preview: {
      body: PreviewBody,
      reply: z.object({
        /** `too_many`: more than 20,000 orders, which only a job looks at. */
        state: z.enum(['done', 'too_many', 'started']),
        preview: RulePreview.nullable(),
        job_id: z.number().int().nullable(),
      }),
      summary: 'What a rule would have met in the last 30 or 90 days, and what it meets now; nothing is changed.',
    },
  },
} satisfies ContractSchemas
