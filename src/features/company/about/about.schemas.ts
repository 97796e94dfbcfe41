/** Schemas of the calls in about.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.schemas.ts'

export const About = z.object({
  version: z.string(),
  build: z.string(),
  node: z.string(),
  started_at: Instant,
  database: z.object({
    version: z.string(),
    /** Size of the database in bytes, all companies together. */
    bytes: z.number(),
    /** Milliseconds of one query round trip. */
    answers_in: z.number(),
  }),
  migrations: z.array(z.object({ name: z.string(), applied_at: Instant })),
  queue: z.object({ waiting: z.number().int(), failed: z.number().int(), oldest: Instant.nullable() }),
  files: z.enum(['disk', 'bucket']),
})
export type About = z.infer<typeof About>

export const Library = z.object({ name: z.string(), version: z.string(), licence: z.string(), homepage: z.string().nullable() })
export type Library = z.infer<typeof Library>

export const aboutSchemas = {
  components: { About, Library },
  calls: {
    get: {
      reply: About,
      summary: 'Which Pakhus this is, and how it is doing.',
    },
    libraries: {
      reply: z.array(Library),
      summary: 'The libraries it stands on, with their licences.',
    },
  },
} satisfies ContractSchemas
