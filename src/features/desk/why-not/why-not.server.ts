/** Why an order cannot be picked or packed: planning is asked for this one order, the station by what the order says. */
import { orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { orderById } from '#features/orders/orders/orders.queries.ts'
import { previewOf } from '#features/warehouse/pick-lists/create-pick-list.commands.ts'
import { Wave } from '#features/warehouse/pick-lists/pick-lists.schemas.ts'
import { implement } from '#platform/http/feature-module.ts'
import { whyNot } from './why-not.contract.ts'
import { aroundOrder } from './why-not.queries.ts'
import { packCauses, pickCauses } from './why-not.rules.ts'
import { whyNotSchemas } from './why-not.schemas.ts'

export const whyNotServer = implement(whyNot, whyNotSchemas, {
  async ask({ id }, context) {
    const { db, principal } = context
    const order = orNotFound(await orderById(db, id, principal.permissions), 'order_not_found', 'Order not found')
    const { pack_without_pick_list } = await companySettings(db, order.company_id)
    const around = { ...(await aroundOrder(db, id)), pack_without_pick_list }
    const { left_out } = await previewOf(context, Wave.parse({ order_ids: [id] }))
    const picking = pickCauses(order, around, left_out)
    // What stops both steps is said once.
    const said = new Set(picking.map(cause => cause.fix))
    return [...picking, ...packCauses(order, around).filter(cause => cause.fix === 'none' || !said.has(cause.fix))]
  },
})
