/** Prints a stored label a second time. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { isTakenBack } from '#domain/order/shipment-states.ts'
import { reprint } from '#features/printing/print-jobs/copies.server.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { printLabel } from './print-label.commands.ts'

/** A label a second time: the first print when there never was one, else a copy that says so. */
export async function reprintLabel(outside: ExternalContext, shipment_id: number, printer_id: number, client_id?: string): Promise<number> {
  const first = await outside.transaction(async context => {
    const shipment = orNotFound(
      await context.db
        .selectFrom('shipments')
        .select([
          'id',
          'company_id',
          'order_id',
          'session_id',
          'parcel_no',
          'tracking_no',
          'label_pdf_file_id',
          'label_zpl_file_id',
          'state',
        ])
        .where('id', '=', shipment_id)
        .executeTakeFirst(),
      'shipment_not_found',
      'Shipment not found',
    )
    if (isTakenBack(shipment)) throw conflict('label_cancelled_not_reprinted', 'This label was cancelled: it is not printed again')
    const before = await context.db
      .selectFrom('print_jobs')
      .select(['id', 'client_id'])
      .where('idempotency_key', '=', `label:${shipment_id}:0`)
      .executeTakeFirst()
    if (before) return { id: before.id, state: client_id !== undefined && before.client_id === client_id ? 'answered' : 'printed' } as const
    const id = orNotFound(
      await printLabel(context, { ...shipment, label_printer_id: printer_id }, client_id),
      'printer_not_found',
      'Printer not found',
    )
    return { id, state: 'fresh' } as const
  })
  if (first.state === 'fresh') await sendPrint(outside, first.id)
  if (first.state !== 'printed') return first.id
  const copy = await reprint(outside, first.id, printer_id, client_id)
  return copy.id
}
