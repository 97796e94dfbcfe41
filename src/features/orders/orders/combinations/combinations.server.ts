/** Orders in one parcel. Each change takes all orders of the parcel, in the order of their ids. */
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { takeOrder, takeOrders } from '../order-facts.queries.ts'
import { asChanged } from '../order-moves.commands.ts'
import { combineOrders, separateOrders } from '../order-state.commands.ts'
import { combinations } from './combinations.contract.ts'
import { comparedOrders, contentsOf, parcelOf, suggestedWith } from './combinations.queries.ts'
import { leadOf, refusalsOf } from './combinations.rules.ts'
import { type CombinationPreview, combinationsSchemas } from './combinations.schemas.ts'

export const combinationsServer = implement(combinations, combinationsSchemas, {
  suggest: async ({ order_id }, { db }) => ({ orders: await suggestedWith(db, order_id) }),

  preview: ({ body }, context) => previewOf(context, body.orders),

  async combine({ body }, context) {
    const { db } = context
    const asked = body.orders.map(order => order.id)
    const taken = await takeOrders(db, asked)
    if (taken.length < asked.length) throw notFound('order_not_found', 'Order not found')
    const versions = new Map(body.orders.map(order => [order.id, order.version]))
    const changed = taken.find(order => versions.get(order.id) !== order.version)
    const orders = await comparedOrders(db, asked)
    const refusals = refusalsOf(orders)
    for (const order of taken) {
      const why = refusals.get(order.id)
      if (why) throw conflict(why.code, why.text, why.values, { current: asChanged(order) })
    }
    if (changed)
      throw conflict('order_changed', 'Someone else changed this order. Check it and try again.', {}, { current: asChanged(changed) })
    const lead = orNotFound(leadOf(orders), 'order_not_found', 'Order not found')
    const combined = await combineOrders(context, [{ lead, members: orders.filter(order => order !== lead) }])
    if (combined.length < orders.length) throw conflict('busy', 'Someone else is changing this right now. Try again.')
    return elementAt(combined, 0)
  },

  async undo({ id }, context) {
    const parcel = await takenParcel(context, id)
    await separateOrders(context, [parcel.lead_id])
    return separated(context, id, parcel.members)
  },

  async takeOut({ id, order_id }, context) {
    const parcel = await takenParcel(context, id)
    if (parcel.lead_id === order_id || !parcel.members.includes(order_id))
      throw conflict('combine_no_member', 'Take out an order that goes in the parcel of another one')
    await separateOrders(context, [order_id])
    return separated(context, order_id, [order_id])
  },
})

async function takenParcel({ db }: Context, id: number) {
  orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  const parcel = await parcelOf(db, id)
  if (!parcel) throw conflict('combine_none', 'This order goes by itself')
  return parcel
}

/** The order as it is now; refuses where members stayed in the parcel. */
async function separated({ db }: Context, id: number, members: readonly number[]) {
  const now = await takeOrders(db, members)
  if (now.some(order => order.combined))
    throw conflict('combine_too_late', 'Someone has begun to pick or pack the parcel, or it has a label')
  return asChanged(orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found'))
}

async function previewOf({ db }: Context, ids: readonly number[]): Promise<CombinationPreview> {
  const orders = await comparedOrders(db, ids)
  if (orders.length < ids.length) throw notFound('order_not_found', 'Order not found')
  const refusals = refusalsOf(orders)
  const { lines, notes } = await contentsOf(db, ids)
  const lead = leadOf(orders.filter(order => !refusals.has(order.id))) ?? leadOf(orders)
  const sum = (of: (order: (typeof orders)[number]) => number) => orders.reduce((total, order) => total + of(order), 0)
  return {
    possible: refusals.size === 0,
    item_count: sum(order => order.item_count),
    weight_g: sum(order => order.weight_g),
    orders: orders.map(order => ({
      id: order.id,
      order_no: order.order_no,
      shop: order.shop,
      version: order.version,
      ordered_at: order.ordered_at,
      ship_by: order.ship_by,
      recipient: order.ship_to.name || order.ship_to.company || '',
      address: [
        order.ship_to.company ?? '',
        order.ship_to.address1,
        order.ship_to.address2 ?? '',
        `${order.ship_to.postcode} ${order.ship_to.city} ${order.ship_to.country}`.trim(),
      ].filter(line => line !== ''),
      contact: [order.customer_email, order.customer_phone].filter(one => one !== null),
      method: order.shipping_title ?? order.shipping_method,
      item_count: order.item_count,
      weight_g: order.weight_g,
      lines: lines
        .filter(line => line.order_id === order.id)
        .map(({ id, sku, name, variant, qty }) => ({ order_item_id: id, sku, name: [name, variant].filter(Boolean).join(', '), qty })),
      notes: notes.filter(note => note.order_id === order.id).map(note => note.comment),
      is_lead: order === lead,
      refusal: refusals.get(order.id) ?? null,
    })),
  }
}
