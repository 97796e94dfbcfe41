/** Schemas of the calls in crate-choice.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

const Three = z.tuple([z.number(), z.number(), z.number()])

export const SuggestedCrates = z.object({
  /** `rule`: a rule decided; `estimate`: by volume alone, because sizes are missing or there are more than 200 pieces; `none`: no crate. */
  status: z.enum(['exact', 'rule', 'estimate', 'none']),
  crates: z.array(
    z.object({
      crate: z.object({ id: z.number().int(), name: z.string(), code: z.string(), inner_mm: Three }),
      /** Null in an estimate. */
      fill_percent: z.number().int().nullable(),
      /** With the crate; null where a weight is not known. */
      weight_g: z.number().int().nullable(),
      /** Pieces from the floor up, in mm: the corner next to the crate's origin, and the sides as turned. */
      items: z.array(z.object({ order_item_id: z.number().int(), at: Three, size: Three })),
    }),
  ),
  /** Of the crates, without the courier's price. Null where there is none. */
  cost: z.object({ amount: z.number().int(), currency: z.string() }).nullable(),
  /** Lines without a known size. */
  without_size: z.array(z.number().int()),
  /** Lines that go into no crate that they may go into. */
  too_large: z.array(z.number().int()),
})
export type SuggestedCrates = z.infer<typeof SuggestedCrates>

export const crateChoiceSchemas = {
  components: { SuggestedCrates },
  calls: {
    preview: {
      body: z.strictObject({ order_id: z.number().int().positive() }),
      reply: SuggestedCrates,
      summary: 'The cheapest crates for what an order still has to send, with where each piece lies. Nothing is changed.',
    },
  },
} satisfies ContractSchemas
