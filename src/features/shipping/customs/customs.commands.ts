/** Changes of customs: what a parcel was declared as, and what a person says of an order. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { editOrder } from '#features/orders/orders/order-state.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { OrderReason } from './customs.codes.ts'
import { type ParcelCustoms, StoredCustoms } from './parcel-customs.queries.ts'

/** Kept with the intent of a booking, so that papers say what was decided, whenever they are drawn. */
export async function storeParcelCustoms(
  db: Db,
  { company_id, shipment_id }: { company_id: number; shipment_id: number },
  { decision, reason, terms, data }: ParcelCustoms,
): Promise<void> {
  const numbers = new Map([...decision.numbers, ...(data?.numbers ?? [])].map(one => [one.kind, one.value]))
  await db
    .insertInto('shipment_customs')
    .values({
      company_id,
      shipment_id,
      regime: decision.regime,
      papers: decision.papers,
      transit: decision.transit,
      product_ids: decision.product_ids,
      reason,
      terms,
      numbers: JSON.stringify([...numbers].map(([kind, value]) => ({ kind, value }))),
      statements: decision.statements,
      why: JSON.stringify(decision.why.map(({ rule, from, source }) => ({ rule, from, source }))),
    })
    .execute()
}

/** @throws {Refusal} 404, 409 where the order changed, is packed or cancelled */
export async function setOrderCustoms(
  context: Context,
  id: number,
  { reason, terms, version }: { reason: OrderReason; terms: string | null; version: number },
): Promise<void> {
  const { db } = context
  orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  const row = await db.selectFrom('orders').select(['customs', 'version']).where('id', '=', id).executeTakeFirstOrThrow()
  if (row.version !== version) throw conflict('settings_changed', 'Someone else changed this. Check the saved version.')
  const customs = { ...StoredCustoms.parse(row.customs), reason, incoterm: terms }
  const changed = await editOrder(context, id, {
    content: { customs: JSON.stringify(customs) },
    clears_label_error: true,
    event: { kind: 'order.customs_set', data: { reason, terms: terms ?? '' } },
  })
  if (!changed) throw conflict('parcel_handed_over', 'The parcel has left the warehouse')
}
