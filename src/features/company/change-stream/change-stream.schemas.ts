/** Schemas of the calls in change-stream.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

export const liveSchemas = {
  calls: {
    listen: {
      /** Milliseconds before now from which notifications are repeated: what the screen loaded before the stream opened may have changed since. */
      query: z.object({ missed: z.coerce.number<unknown>().int().min(0).default(0) }),
      summary: 'Server-sent events: each names a topic and an id that changed; ask again for what you show.',
    },
  },
} satisfies ContractSchemas
