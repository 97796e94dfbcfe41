/** Schemas of the calls in shop-replacement.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { ShopAddress } from '#domain/order/stored-shop.ts'

const State = z.object({
  agent_code: z.string().nullable(),
  shipping_method: z.string().nullable(),
  shop: ShopAddress.nullable(),
  /** Where the search for another begins. */
  near: z.object({ country: z.string(), postcode: z.string(), address1: z.string() }),
  /** The courier has left it out, or refused the last label for it. */
  closed: z.boolean(),
})

export const shopReplacementSchemas = {
  calls: {
    state: { reply: State, summary: 'The parcel shop of an order, and whether its courier still has it.' },
    choose: {
      body: z.strictObject({
        id: text(60).min(1, 'Enter the number of the parcel shop'),
        name: text(120).default(''),
        address1: text(200).default(''),
        postcode: text(20).default(''),
        city: text(100).default(''),
        country: z
          .string()
          .regex(/^([A-Z]{2})?$/)
          .default(''),
      }),
      reply: State,
      summary: 'Gives an order another parcel shop before its label is made; the recipient is informed.',
    },
  },
} satisfies ContractSchemas
