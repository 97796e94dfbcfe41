/** Schemas of the calls in customs.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { customsPapers, findingCodes, regimes } from '#domain/customs/decision.ts'
import { orderReasons, orderTerms } from './customs.codes.ts'

const Values = z.record(z.string(), z.union([z.string(), z.number()]))

const OrderCustoms = z.object({
  regime: z.enum(regimes),
  papers: z.array(z.enum(customsPapers)),
  transit: z.boolean(),
  reason: z.enum(orderReasons),
  terms: z.string().nullable(),
  /** Rules that decided, each with the day from which it holds. */
  why: z.array(z.object({ rule: z.string(), from: z.string().nullable(), source: z.string(), text: z.string(), values: Values })),
  findings: z.array(
    z.object({
      code: z.enum(findingCodes),
      severity: z.enum(['error', 'warning', 'info']),
      order_item_id: z.number().int().nullable(),
      text: z.string(),
      values: Values,
    }),
  ),
  version: z.number().int(),
})
export type OrderCustoms = z.output<typeof OrderCustoms>

export const customsSchemas = {
  components: { OrderCustoms },
  calls: {
    ofOrder: { reply: OrderCustoms, summary: 'What the order needs at the borders that it crosses, why, and what is missing.' },
    set: {
      body: z.strictObject({
        reason: z.enum(orderReasons),
        terms: z.enum(orderTerms).nullable().default(null),
        version: z.number().int(),
      }),
      reply: OrderCustoms,
      summary: 'Sets the reason for sending and the terms of delivery; 409 when the order has another version.',
    },
  },
} satisfies ContractSchemas
