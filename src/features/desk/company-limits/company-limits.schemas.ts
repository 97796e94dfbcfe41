/** Schemas of the calls in company-limits.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

const most = (least: number) =>
  z
    .number()
    .int()
    .min(least, least === 0 ? 'Not below 0' : 'At least 1')
    .max(100_000, 'At most 100,000')
    .nullable()

/** Null: no limit but the product's own. */
export const CompanyLimitsBody = z.strictObject({
  users: most(1),
  webhooks: most(0),
  imports: most(0),
  requests: most(1),
  storage: most(1),
})

const Limit = z.object({ limit: z.number().int().nullable(), used: z.number().int() })
const CompanyLimits = z.object({
  users: Limit,
  webhooks: Limit,
  imports: Limit,
  requests: Limit,
  storage: z.object({ limit: z.number().int().nullable(), used: z.number() }),
})

export const companyLimitsSchemas = {
  components: { CompanyLimits },
  calls: {
    get: {
      reply: CompanyLimits,
      summary:
        'How much a company may have and how much of it is used: users, webhooks, imports in 24 hours, requests of its keys in this minute, and gigabytes of files.',
    },
    set: {
      body: CompanyLimitsBody,
      reply: CompanyLimits,
      summary: 'Sets how much a company may have; null takes a limit away. What it has already stays.',
    },
  },
} satisfies ContractSchemas
