/** The address of an order on a map. */
import { orNotFound } from '#contract/errors.ts'
import { googleMapsKey } from '#features/company/api-keys/api-keys.codes.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import { implement } from '#platform/http/feature-module.ts'
import { orderRowById } from '../orders.queries.ts'
import { ShipTo } from '../orders.schemas.ts'
import { orderMaps } from './order-maps.contract.ts'
import { googleMapUrl, mapPageUrl } from './order-maps.rules.ts'
import { orderMapsSchemas } from './order-maps.schemas.ts'

export const orderMapsServer = implement(orderMaps, orderMapsSchemas, {
  async hasKey(_, { db, scope }) {
    const row = await db
      .selectFrom('secrets')
      .select('last4')
      .where('company_id', '=', scope.company_id)
      .where('name', '=', googleMapsKey)
      .executeTakeFirst()
    return { has_google_maps_api_key: row !== undefined }
  },

  async map({ id }, { db, services, scope }) {
    const order = orNotFound(await orderRowById(db, id), 'order_not_found', 'Order not found')
    const place = ShipTo.parse(order.ship_to)
    const key = await readSecret(db, services.vault, {
      operator_id: scope.operator_id,
      company_id: scope.company_id,
      name: googleMapsKey,
    })
    if (key) return { mode: 'google' as const, url: googleMapUrl(place, key) }
    return { mode: 'link' as const, url: mapPageUrl(place) }
  },
})
