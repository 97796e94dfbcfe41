/** Schemas of the calls in tracking-help.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { MessageChannel } from '#features/messages/templates/templates.schemas.ts'
import { helpTopics, longestQuestion } from '#features/shipping/tracking/help-topics.rules.ts'

const Way = z.object({
  /** How the shop answers: by the contact of the order, which is not named; null where it has none. */
  channel: MessageChannel.nullable(),
})
const s = z.string().min(1).max(64)

export const trackingHelpSchemas = {
  components: {},
  calls: {
    ways: {
      query: z.object({ o: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER), s }),
      reply: Way,
      summary: 'Whether the recipient of the order behind a signed link can write to the shop from the tracking page, and how it answers.',
    },
    ask: {
      body: z.strictObject({
        o: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
        s,
        topic: z.enum(helpTopics),
        text: text(longestQuestion).min(1, 'Enter a text'),
        /** The page's own name of this question: sent again it is no second one. */
        client_id: z.uuid(),
      }),
      reply: Way,
      summary: 'Writes to the shop: a message in the thread of the order. 409 `help_limit` after five in a day.',
    },
  },
} satisfies ContractSchemas
