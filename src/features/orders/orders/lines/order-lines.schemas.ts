/** Schemas of the calls in order-lines.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Changed } from '#features/orders/orders/orders.schemas.ts'

const item_id = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
/** Also kept with the product, so that its next order has it already. */
const SaveToProduct = z.object({ save_to_product: z.stringbool().optional() })

export const orderLinesSchemas = {
  calls: {
    setTariff: {
      params: { item_id, tariff: z.string().max(20) },
      query: SaveToProduct,
      reply: Changed,
      summary: 'The customs tariff code: 6 to 11 digits, dots and spaces aside.',
    },
    setOrigin: {
      params: { item_id, country_id: z.coerce.number<unknown>().int() },
      query: SaveToProduct,
      reply: Changed,
      summary: 'The country of origin by its id in the lookups of res/init.',
    },
    setWeight: {
      params: { kg: z.string().max(20), type: z.string().max(20) },
      query: SaveToProduct,
      reply: Changed,
      summary: 'A weight in kilograms with up to three decimals: of one piece of a line (type item), or of the whole order (type order).',
    },
  },
} satisfies ContractSchemas
