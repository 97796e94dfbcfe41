/** Schemas of the calls in credentials.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

export const credentialsSchemas = {
  calls: {
    get: {
      reply: z.object({ pin_set_at: z.string().nullable(), badge_made_at: z.string().nullable() }),
      summary: 'Whether the user has a PIN and a badge; neither is ever shown again.',
    },
    setPin: {
      body: z.object({ pin: z.string().regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits') }),
      summary: 'Sets the personal PIN of the user.',
    },
    removePin: {
      summary: 'Removes the personal PIN of the user.',
    },
    makeBadge: {
      reply: z.object({ code: z.string() }),
      summary: 'Makes a new badge and answers its code once; the badge before is void.',
    },
    revokeBadge: {
      summary: 'Makes the badge of the user void.',
    },
  },
} satisfies ContractSchemas
