/** Schemas of the calls in boards.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

export const boardsSchemas = {
  calls: {
    open: {
      body: z.strictObject({ token: z.string().max(100) }),
      reply: z.object({ id: z.number().int(), kind: z.string(), name: z.string() }),
      summary: 'Exchanges the token of a board for a cookie of this host; 410 where the board was revoked.',
    },
  },
} satisfies ContractSchemas
