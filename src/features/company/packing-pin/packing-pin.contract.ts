/** The packing PIN: it confirms what packers may do only with the consent of a lead. */

import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'

export const Pin = z.string().regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits')

export const packingPin = calls(
  { name: 'packingPin', area: 'company', access: access.settings },
  {
    pin: call('GET order_product_require_password/pin', {
      reply: z.object({ set: z.boolean(), updated_at: z.string().nullable() }),
      summary: 'Whether a packing PIN is set; never the PIN itself.',
    }),
    setPin: call('POST order_product_require_password/pin', {
      body: z.object({ pin: Pin }),
      external: true,
      summary: 'Sets the packing PIN.',
    }),
    removePin: call('DELETE order_product_require_password/pin', {
      summary: 'Removes the packing PIN.',
    }),
  },
)
