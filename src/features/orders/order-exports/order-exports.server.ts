/** Exports of orders: the start. */
import { unprocessable } from '#contract/errors.ts'
import { narrow } from '#features/orders/orders/orders.server.ts'
import { countIds } from '#features/orders/orders/search.queries.ts'
import { implement } from '#platform/http/feature-module.ts'
import { mostExportedOrders } from './order-exports.codes.ts'
import { startExport } from './order-exports.commands.ts'
import { orderExports } from './order-exports.contract.ts'
import { orderExportsSchemas } from './order-exports.schemas.ts'

export const orderExportsServer = implement(orderExports, orderExportsSchemas, {
  async start({ body }, context) {
    const most = mostExportedOrders[body.format]
    const by = await narrow(context, { query: '', ...body.filters })
    // What a text finds is less than either limit, or is cut where searches end.
    if (by.text === '' && (await countIds(context.db, by, most + 1)) > most)
      throw unprocessable('export_too_many', 'This file holds at most {{count}} orders. Narrow the list.', { count: most })
    return startExport(context, body)
  },
})
