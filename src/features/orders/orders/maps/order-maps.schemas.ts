/** Schemas of the calls in order-maps.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

export const orderMapsSchemas = {
  calls: {
    hasKey: {
      reply: z.object({ has_google_maps_api_key: z.boolean() }),
      summary: 'Whether the company has a key for Google Maps; never the key itself.',
    },
    map: {
      reply: z.object({ mode: z.enum(['google', 'link']), url: z.string() }),
      summary: 'Where the shipping address is shown: a map to embed with the key of the caller’s company, else a page to open.',
    },
  },
} satisfies ContractSchemas
