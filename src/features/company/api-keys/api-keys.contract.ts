/** Keys of external services that the company uses: written, never shown again. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { text } from '#contract/limits.ts'

const ApiKeys = z.object({
  /** The last four characters of the PrintNode key ('' where it is too short to show them), or null when none is set. */
  printnode: z.string().nullable(),
})

export const apiKeys = calls(
  { name: 'apiKeys', area: 'company', access: access.settings, schemas: { ApiKeys } },
  {
    get: call('GET company/api_keys', {
      reply: ApiKeys,
      summary: 'Which keys of outside services are set; of a key only the last four characters are shown.',
    }),
    set: call('POST company/api_keys', {
      body: z.strictObject({ printnode: text(200).nullable() }),
      reply: ApiKeys,
      summary: 'Sets the PrintNode key; null or an empty text removes it.',
    }),
    test: call('POST company/api_keys/test', {
      body: z.strictObject({ printnode: text(200).nullable().default(null) }),
      reply: z.object({ account_id: z.number(), name: z.string(), email: z.string(), computers: z.number() }),
      external: true,
      internal: true,
      rateLimit: { max: 10, seconds: 60 },
      summary: 'Asks PrintNode whose key this is: the one given, or the one that is kept.',
    }),
  },
)
