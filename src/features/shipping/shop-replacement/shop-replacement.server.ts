/** Shop replacement: handlers. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { whyNot } from '#features/orders/orders/orders.rules.ts'
import { implement } from '#platform/http/feature-module.ts'
import { replaceShop } from './shop-replacement.commands.ts'
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
    const before = orNotFound(await shopOfOrder(db, order_id), 'order_not_found', 'Order not found')
    const after = { ...body, country: body.country || before.near.country }
    if (!(await replaceShop(context, order_id, { before: before.shop, after, automatic: false })))
      throw conflict('busy', 'Someone else is changing this right now. Try again.')
    return orNotFound(await shopOfOrder(db, order_id), 'order_not_found', 'Order not found')
  },
})
