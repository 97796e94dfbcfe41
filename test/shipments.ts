/** Shipments on their way, for tests of what happens after the label. */
import { randomUUID } from 'node:crypto'
import type { ShipmentState } from '../src/features/shipping/labels/labels.schemas.ts'
import type { Database } from '../src/platform/database/database.ts'
import type { TenantScope } from '../src/platform/database/tenant-scope.ts'
import { type OrderPlan, placeOrder } from './orders.ts'

interface ShipmentPlan {
  agent_code?: string
  state?: ShipmentState
  /** ISO 8601, UTC. */
  handed_over_at?: string
  order?: OrderPlan
}

export interface PlacedShipment {
  id: number
  order_id: number
  order_no: string
  tracking_no: string
}

let count = 0

/** A shipment of a new order that a courier has. */
export async function placeShipment(
  database: Database,
  scope: TenantScope,
  { agent_code = 'own', state = 'handed_over', handed_over_at = '2026-11-19T12:00:00.000Z', order = {} }: ShipmentPlan = {},
): Promise<PlacedShipment> {
  const { id: order_id, order_no } = await placeOrder(database, scope, { ship_to: { phone: '+4520123456' }, ...order })
  const tracking_no = `T${++count}${randomUUID().slice(0, 8)}`
  const { id } = await database.transaction(scope, db =>
    db
      .insertInto('shipments')
      .values({
        order_id,
        parcel_no: 1,
        agent_code,
        shipping_method: 'parcel',
        operation_code: 'outbound',
        state,
        tracking_no,
        barcode: tracking_no,
        weight_g: 900,
        reference: tracking_no,
        idempotency_key: tracking_no,
        booked_at: handed_over_at,
        handed_over_at,
        request: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { id, order_id, order_no, tracking_no }
}
