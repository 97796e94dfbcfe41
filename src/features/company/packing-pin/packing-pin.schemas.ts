/** Schemas of the calls in packing-pin.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

export const Pin = z.string().regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits')

export const packingPinSchemas = {
  calls: {
    pin: {
      reply: z.object({ set: z.boolean(), updated_at: z.string().nullable() }),
      summary: 'Whether a packing PIN is set; never the PIN itself.',
    },
    setPin: {
      body: z.object({ pin: Pin }),
      summary: 'Sets the packing PIN.',
    },
    removePin: {
      summary: 'Removes the packing PIN.',
    },
  },
} satisfies ContractSchemas
