/** Schemas of the calls in caches.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { cacheNames } from '#contract/cache-names.ts'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.schemas.ts'

const CacheRow = z.object({
  name: z.enum(cacheNames),
  /** Of the caller's operator, in all processes of the server. */
  entries: z.number().int(),
  /** Estimated. */
  bytes: z.number().int(),
  /** Share of the questions of the last hour that were answered from the cache; null without questions. */
  hit_rate: z.number().nullable(),
  oldest: Instant.nullable(),
  /** Seconds after which an entry is asked for again; null: it is compared with its source at each use. */
  lifetime_s: z.number().int().nullable(),
  /** Whether the caller may empty it: entries that several operators share stay. */
  can_empty: z.boolean(),
})
export type CacheRow = z.infer<typeof CacheRow>

export const cachesSchemas = {
  components: { CacheRow },
  calls: {
    list: { reply: z.array(CacheRow), summary: 'What the server remembers, so that it need not ask the database or read a file again.' },
    empty: {
      body: z.strictObject({ name: z.enum(cacheNames).nullable() }),
      reply: z.object({ entries: z.number().int() }),
      summary: 'Empties one cache, or all that the caller may empty, in every process of the server; answers how many entries went.',
    },
  },
} satisfies ContractSchemas
