/** Schemas of the calls in order-deadlines.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'

const ShipByFields = z.strictObject({
  /** Null gives the order the date of its shop, deadline or company again. */
  ship_by: z.iso.datetime({ offset: true, message: 'Enter a date and time' }).nullable(),
  reason: text(200).min(1, 'Write why.'),
})

export const orderDeadlinesSchemas = {
  calls: {
    setShipBy: {
      body: ShipByFields.extend({ version: z.number().int().min(1).optional() }),
      reply: z.object({ ship_by: z.string().nullable(), version: z.number().int() }),
      summary:
        'Sets the ship-by date of an order that is not packed; no rule changes it from then on. 409 with the order when the version is old.',
    },
  },
} satisfies ContractSchemas
