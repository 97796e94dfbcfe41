/** Schemas of the calls in settings-search.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from './endpoint.ts'
import { text } from './fields.schemas.ts'

const FoundSetting = z.object({
  /** The path of the page. */
  path: z.string(),
  /** The label of the field, in English; the page’s title where the page itself was found. */
  label: z.string(),
  /** The words that were found, in the language in which they were found. */
  found: z.string(),
  /** Whether the page itself was found. */
  is_page: z.boolean(),
})
export type FoundSetting = z.infer<typeof FoundSetting>

export const settingsSearchSchemas = {
  components: { FoundSetting },
  calls: {
    find: {
      query: z.object({ query: text(80).min(1) }),
      reply: z.array(FoundSetting),
      summary:
        'Fields of the settings whose words in any language hold what was typed, the best first; pages that the caller may not open among them.',
    },
  },
} satisfies ContractSchemas
