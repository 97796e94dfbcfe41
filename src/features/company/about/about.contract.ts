/** About: version, health and the licences of the libraries in use. */

import * as z from 'zod'
import { call, calls } from '#contract/endpoint.ts'
import { Instant } from '#contract/limits.ts'
import { settingsPages } from '#contract/settings-access.ts'

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

export const about = calls(
  { name: 'about', area: 'company', access: settingsPages.about, internal: true, schemas: { About, Library } },
  {
    get: call('GET about', { reply: About, external: true, summary: 'Which Pakhus this is, and how it is doing.' }),
    libraries: call('GET about/libraries', {
      reply: z.array(Library),
      external: true,
      summary: 'The libraries it stands on, with their licences.',
    }),
  },
)
