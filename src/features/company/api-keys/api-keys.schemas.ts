/** Schemas of the calls in api-keys.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'

const ApiKeys = z.object({
  /** The last four characters of the PrintNode key ('' where it is too short to show them), or null when none is set. */
  printnode: z.string().nullable(),
  /** Of the Google Maps key in the same way. */
  google_maps: z.string().nullable(),
})

export const apiKeysSchemas = {
  components: { ApiKeys },
  calls: {
    get: {
      reply: ApiKeys,
      summary: 'Which keys of outside services are set; of a key only the last four characters are shown.',
    },
    set: {
      body: z.strictObject({ printnode: text(200).nullable().optional(), google_maps: text(200).nullable().optional() }),
      reply: ApiKeys,
      summary: 'Sets the keys that are given; null or an empty text removes one, and a key left out stays.',
    },
    test: {
      body: z.strictObject({ printnode: text(200).nullable().default(null) }),
      reply: z.object({ account_id: z.number(), name: z.string(), email: z.string(), computers: z.number() }),
      summary: 'Asks PrintNode whose key this is: the one given, or the one that is kept.',
    },
  },
} satisfies ContractSchemas
