/** Order lines: the weight, tariff code and origin that customs and couriers ask for, corrected on an order or for good. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderLinesSchemas } from './order-lines.schemas.ts'

export const orderLines = contract<typeof orderLinesSchemas>({
  name: 'orderLines',
  area: 'orders',
  access: access.bench,
  tenantScope: 'operator',
}).calls({
  setTariff: call('POST order_tarif/set/item/{item_id}/to/{tariff}'),
  setOrigin: call('POST order_country_of_origin/set/item/{item_id}/to/{country_id}'),
  setWeight: call('POST order_weight/set/{kg}/on/{type}/{id}'),
})
