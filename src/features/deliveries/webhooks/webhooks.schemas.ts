/** Schemas of the calls in webhooks.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'

export const mostWebhooks = 20

const EventType = z.enum(publicTypes)

export const OutgoingWebhook = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  /** `paused`: nothing was delivered for three days, or the receiver answered 410; deliveries wait until it is made active. */
  state: z.enum(['active', 'paused', 'disabled']),
  failing_since: z.string().nullable(),
  /** The end of the secret, to recognise it. */
  last4: z.string(),
  /** Deliveries that wait. */
  waiting: z.number().int(),
  last_delivery_at: z.string().nullable(),
})
export type OutgoingWebhook = z.infer<typeof OutgoingWebhook>

export const webhooksSchemas = {
  components: { OutgoingWebhook },
  calls: {
    list: {
      reply: z.object({ rows: z.array(OutgoingWebhook) }),
      summary: 'The outgoing webhooks of the company, with what waits for each.',
    },
    save: {
      body: z.strictObject({
        /** Absent: a new one. */
        id: z.number().int().positive().optional(),
        name: text(limits.name).min(1, 'Give the webhook a name'),
        url: z.url().max(500),
        events: z.array(EventType).min(1).max(publicTypes.length),
        active: z.boolean().default(true),
      }),
      /** Contains the secret of a new webhook, which is shown only in this answer. */
      reply: z.object({ row: OutgoingWebhook, secret: z.string().nullable() }),
      example: { body: { name: 'Our shop', url: 'https://shop.example.com/pakhus', events: ['order.packed', 'shipment.booked'] } },
      summary: 'Adds an outgoing webhook, or changes the one of this id. It gets what happens from now on.',
    },
    remove: {
      query: z.object({ id: z.coerce.number<unknown>().int().positive() }),
      summary: 'Removes an outgoing webhook with everything that waits for it.',
    },
    replay: {
      body: z.strictObject({
        from: z.iso.datetime({ offset: true }),
        to: z.iso.datetime({ offset: true }),
        states: z
          .array(z.enum(['delivered', 'failed']))
          .min(1)
          .default(['failed']),
      }),
      reply: z.object({ count: z.number().int() }),
      example: { id: 1, body: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' } },
      summary: 'Sends the finished deliveries of a time again, in their order.',
    },
  },
} satisfies ContractSchemas
