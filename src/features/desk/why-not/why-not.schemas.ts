/** Schemas of the calls in why-not.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { causeFixes, causeOwners } from './why-not.codes.ts'

export const Cause = z.object({
  /** Keeps it from being picked, or from being packed. */
  step: z.enum(['pick', 'pack']),
  code: z.string(),
  /** A sentence with places, and what fills them. */
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  owner: z.enum(causeOwners),
  /** The person, where one is known. */
  person: z.string().nullable(),
  since: z.string().nullable(),
  fix: z.enum(causeFixes),
})
export type Cause = z.infer<typeof Cause>

export const whyNotSchemas = {
  components: { Cause },
  calls: {
    ask: {
      reply: z.array(Cause),
      summary: 'Why the order cannot be picked or packed now; nothing where it can.',
    },
  },
} satisfies ContractSchemas
