/** Schemas of the calls in courier-webhooks.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

const CourierWebhook = z.object({
  /** False where the courier sends no events. */
  offered: z.boolean(),
  /** The header that holds the secret; null where the courier signs with it. */
  secret_header: z.string().nullable(),
  /** Below the company's address. */
  path: z.string(),
  /** Null while there is no secret: nothing is received. */
  last4: z.string().nullable(),
  made_at: z.string().nullable(),
  received_at: z.string().nullable(),
  /** When a delivery came that does not prove itself. */
  refused_at: z.string().nullable(),
})

export const courierWebhooksSchemas = {
  calls: {
    get: { reply: CourierWebhook, summary: 'The webhook to which a courier sends events, and when the last one came.' },
    renew: {
      reply: CourierWebhook.extend({
        /** Shown this once. */
        secret: z.string(),
      }),
      summary: 'Makes the secret of a courier’s webhook and shows it once; the one before is taken for 24 hours more.',
    },
    remove: { reply: CourierWebhook, summary: 'Removes the webhook of a courier: its events are refused from now on.' },
  },
} satisfies ContractSchemas
