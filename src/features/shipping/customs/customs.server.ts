/** Handlers of an order's customs. */
import { orNotFound } from '#contract/errors.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { ShipTo } from '#features/orders/orders/orders.schemas.ts'
import { chosenMethods } from '#features/shipping/shipping-methods/method-rules.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { own } from '#integrations/couriers/own/own.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { setOrderCustoms } from './customs.commands.ts'
import { customs } from './customs.contract.ts'
import { customsSchemas, type OrderCustoms } from './customs.schemas.ts'
import { orderedGoods } from './order-goods.queries.ts'
import { customsOfParcel, StoredCustoms } from './parcel-customs.queries.ts'

export const customsServer = implement(customs, customsSchemas, {
  ofOrder: ({ id }, context) => orderCustoms(context, id),
  async set({ id, body }, context) {
    await setOrderCustoms(context, id, body)
    return orderCustoms(context, id)
  },
})

/** As if all of the order went today in one parcel. */
async function orderCustoms({ db, now }: Pick<Context, 'db' | 'now'>, id: number): Promise<OrderCustoms> {
  const order = orNotFound(
    await db
      .selectFrom('orders as o')
      .innerJoin('companies as c', 'c.id', 'o.company_id')
      .select([
        'o.company_id',
        'o.ship_to',
        'o.customs',
        'o.agent_code',
        'o.shipping_method',
        'o.ordered_at',
        'o.weight_g',
        'o.version',
        'c.settings',
      ])
      .where('o.id', '=', id)
      .executeTakeFirst(),
    'order_not_found',
    'Order not found',
  )
  const settings = CompanySettings.parse(order.settings)
  const [chosen] = order.agent_code === null ? await chosenMethods(db, [id], now()) : []
  const method = { agent_code: order.agent_code ?? chosen?.method?.agent_code ?? 'own', shipping_method: order.shipping_method ?? '' }
  const { capabilities } = courier(method.agent_code) ?? own
  const lines = await orderedGoods(db, id)
  const stored = StoredCustoms.parse(order.customs)
  const found = await customsOfParcel(db, {
    company_id: order.company_id,
    vat_no: settings.vat_no,
    operation: 'outbound',
    from: settings.sender,
    to: ShipTo.parse(order.ship_to),
    lines,
    weight_g: (order.weight_g ?? 0) + settings.packaging_weight_g,
    on: localDay(now(), settings.time_zone),
    ordered_on: order.ordered_at === null ? null : localDay(new Date(order.ordered_at), settings.time_zone),
    stored: order.customs,
    capabilities,
    method: method.shipping_method,
  })
  const { regime, papers, transit, why, findings } = found?.decision ?? {
    regime: 'none',
    papers: [],
    transit: false,
    why: [],
    findings: [],
  }
  return {
    ...{ regime, papers, transit, why },
    reason: stored.reason ?? 'sale_of_goods',
    terms: stored.incoterm,
    findings: findings.map(({ line, ...one }) => ({ ...one, order_item_id: line === null ? null : (lines[line]?.order_line_id ?? null) })),
    version: order.version,
  }
}
