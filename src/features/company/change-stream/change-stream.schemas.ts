/** Schemas of the calls in change-stream.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { changeTopics } from '#contract/topics.ts'
import { isOneOf } from '#domain/objects.ts'

const Interest = z
  .string()
  .refine(text => /^[a-z_]+(:[1-9]\d{0,15})?$/.test(text) && isOneOf(changeTopics, text.split(':')[0]), 'Not a topic')

export const liveSchemas = {
  calls: {
    listen: {
      /** Milliseconds before now from which notifications are repeated: what the screen loaded before the stream opened may have changed since. */
      query: z.object({
        missed: z.coerce.number<unknown>().int().min(0).default(0),
        /** What the screen shows: `order` for all orders, `order:42` for one; without it everything. */
        topics: z
          .string()
          .max(4_000)
          .transform(text => text.split(',').filter(Boolean))
          .pipe(z.array(Interest).max(200))
          .optional(),
      }),
      summary: 'Server-sent events: each lists topics and ids that changed; ask again for what you show. `topics` says what that is.',
    },
  },
} satisfies ContractSchemas
