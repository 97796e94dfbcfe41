/** Shop replacement: handlers. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { busy, changeParcelShop } from '#features/orders/orders/delivery-changes.commands.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { whyNot } from '#features/orders/orders/orders.rules.ts'
import { implement } from '#platform/http/feature-module.ts'
import { shopReplacement } from './shop-replacement.contract.ts'
import { shopOfOrder } from './shop-replacement.queries.ts'
import { shopReplacementSchemas } from './shop-replacement.schemas.ts'

export const shopReplacementServer = implement(shopReplacement, shopReplacementSchemas, {
  state: async ({ order_id }, { db }) => orNotFound(await shopOfOrder(db, order_id), 'order_not_found', 'Order not found'),

  async choose({ order_id, body }, context) {
    const { db, principal } = context
    const order = orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
    const why = whyNot('set_method', order, principal.permissions)
    if (why) throw conflict(why.code, why.text, why.values)
    const { near } = orNotFound(await shopOfOrder(db, order_id), 'order_not_found', 'Order not found')
    const after = { ...body, country: body.country || near.country }
    if (!(await changeParcelShop(context, order, after))) throw busy()
    return orNotFound(await shopOfOrder(db, order_id), 'order_not_found', 'Order not found')
  },
})
