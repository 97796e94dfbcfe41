/** Gives an order another parcel shop. */

import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { editOrder } from '#features/orders/orders/order-state.commands.ts'
import type { ServicePoint } from '#integrations/couriers/courier.ts'
import type { Context } from '#platform/http/feature-module.ts'

const sayShop = ({ id, name, address1, postcode, city }: ServicePoint): string =>
  [name || id, address1, `${postcode} ${city}`.trim()].filter(Boolean).join(', ').slice(0, 300)

/** In the caller's transaction; false where the order may not be changed any more. The event informs the recipient. */
export async function replaceShop(
  context: Context,
  order_id: number,
  { before, after, automatic }: { before: ServicePoint | null; after: ServicePoint; automatic: boolean },
): Promise<boolean> {
  if (!(await takeOrder(context.db, order_id))) return false
  const changed = await editOrder(context, order_id, {
    from: ['new', 'ready', 'in_pick', 'picked', 'in_pack', 'packed'],
    content: { service_point: JSON.stringify(after) },
    clears_label_error: true,
    event: {
      kind: 'order.parcel_shop_changed',
      data: { before: before && sayShop(before), after: sayShop(after), automatic },
    },
  })
  return changed !== undefined
}
