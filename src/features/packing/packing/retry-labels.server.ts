/** Labels of an order that a courier refused, tried again away from the station where its parcels wait. */
import { conflict } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { beginClosing } from './close-order.server.ts'
import { lineFieldOf } from './label-correction.rules.ts'

/** The parcel whose label was refused last. */
export const refusedParcel = (db: Db, order_id: number) =>
  db
    .selectFrom('shipments')
    .select(['id', 'error', 'error_code', 'error_field', 'weight_g', 'label_printer_id', 'a4_printer_id'])
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .where('state', '=', 'error')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** What the courier refused of that parcel, and the line of the order that it means. */
export async function refusalOf(db: Db, order_id: number) {
  const parcel = await refusedParcel(db, order_id)
  if (!parcel) return null
  const of = lineFieldOf(parcel.error_field)
  const line =
    of &&
    (await db
      .selectFrom('shipment_lines')
      .select('order_line_id')
      .where('shipment_id', '=', parcel.id)
      .where('line_no', '=', of.line + 1)
      .executeTakeFirst())
  return { field: parcel.error_field, weight_g: parcel.weight_g, order_line_id: line?.order_line_id ?? null }
}

/**
 * Commits, with the caller's transaction, that each parcel without a label is booked again; the queue asks the courier. The labels come out
 * where those of the last try would have.
 * @throws {AppError} 409 unless the order waits with a refused label, or while it is stopped
 */
export async function retryLabels(context: Context, order_id: number, weight_g: number | undefined): Promise<void> {
  const last = await refusedParcel(context.db, order_id)
  const printers = { label_printer_id: last?.label_printer_id ?? null, a4_printer_id: last?.a4_printer_id ?? null }
  const begun = await beginClosing(context, order_id, { ...printers, weight_g, weight_confirmed: true }, { queued: true })
  if (begun.kind === 'stopped') throw conflict('order_on_hold', begun.text, begun.values)
}
