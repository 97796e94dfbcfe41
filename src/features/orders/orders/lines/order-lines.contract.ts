/** Order lines: the weight, tariff code and origin that customs and couriers ask for, corrected on an order or for good. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { Changed } from '#features/orders/orders/orders.contract.ts'

const item_id = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
/** Also kept with the product, so that its next order has it already. */
const SaveToProduct = z.object({ save_to_product: z.stringbool().optional() })

export const orderLines = calls(
  { name: 'orderLines', area: 'orders', access: access.bench, tenantScope: 'operator' },
  {
    setTariff: call('POST order_tarif/set/item/{item_id}/to/{tariff}', {
      params: { item_id, tariff: z.string().max(20) },
      query: SaveToProduct,
      reply: Changed,
      summary: 'The customs tariff code: 6 to 12 digits, dots and spaces aside.',
    }),
    setOrigin: call('POST order_country_of_origin/set/item/{item_id}/to/{country_id}', {
      params: { item_id, country_id: z.coerce.number<unknown>().int() },
      query: SaveToProduct,
      reply: Changed,
      summary: 'The country of origin by its id in the lookups of res/init.',
    }),
    setWeight: call('POST order_weight/set/{kg}/on/{type}/{id}', {
      params: { kg: z.string().max(20), type: z.string().max(20) },
      query: SaveToProduct,
      reply: Changed,
      summary: 'A weight in kilograms with up to three decimals: of one piece of a line (type item), or of the whole order (type order).',
    }),
  },
)
