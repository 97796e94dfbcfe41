/** Queues a label for its printer. */

import { choosePrinter } from '#domain/printer-choice.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { type NewPrint, queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { rolesOfStation } from '#features/printing/station-printers/station-printers.queries.ts'
import { printed } from '#features/shipping/customs/customs-papers.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'

export interface PrintableLabel {
  id: number
  company_id: number
  order_id: number | null
  tracking_no: string | null
  label_pdf_file_id: number | null
  label_zpl_file_id: number | null
  label_printer_id: number | null
}

/** Sends raw ZPL where the printer takes it, else the PDF. The same label again is the same job; null without a printer. */
export async function printLabel(context: Context, shipment: PrintableLabel, client_id?: string): Promise<number | null> {
  const { db } = context
  if (shipment.label_printer_id === null) return null
  const [printer, { locale }] = await Promise.all([printerById(db, shipment.label_printer_id), companySettings(db, shipment.company_id)])
  if (!printer) return null
  const zpl = printer.raw && shipment.label_zpl_file_id !== null
  const file_id = zpl ? shipment.label_zpl_file_id : shipment.label_pdf_file_id
  if (file_id === null) return null
  const say = await translatorFor(locale)
  // The queue prints for a station too.
  const { station } = await db.selectFrom('shipments').select('station').where('id', '=', shipment.id).executeTakeFirstOrThrow()
  const print: NewPrint = {
    station,
    printer_id: printer.id,
    document: 'label',
    title: say('Label {{number}}', { number: shipment.tracking_no ?? shipment.id }),
    file_id,
    format: zpl ? 'zpl' : 'pdf',
    paper: 'label',
    order_id: shipment.order_id ?? undefined,
    shipment_id: shipment.id,
    company_id: shipment.company_id,
    client_id,
    idempotency_key: `label:${shipment.id}:0`,
  }
  return queuePrint(context, print, printer)
}

/** Customs papers after their label, on the station's printer of their kind; without one they can be saved from the parcel. */
export async function printPapers(
  context: Context,
  shipment: PrintableLabel & { a4_printer_id: number | null; station: string | null },
  papers: readonly { kind: string; format: 'pdf' | 'zpl'; paper: 'label' | 'a4'; file_id: number }[],
): Promise<void> {
  const wanted = papers.flatMap(one => {
    const how = printed[one.kind]
    return how && one.format === 'pdf' ? [{ ...one, ...how }] : []
  })
  if (wanted.length === 0) return
  const { db } = context
  const [roles, { locale }] = await Promise.all([
    rolesOfStation(db, shipment.company_id, shipment.station ?? ''),
    companySettings(db, shipment.company_id),
  ])
  const say = await translatorFor(locale)
  for (const { kind, format, paper, file_id, role, copies } of wanted) {
    const device = paper === 'label' ? { label: shipment.label_printer_id } : { a4: shipment.a4_printer_id }
    const chosen = choosePrinter(role, { roles, device })
    if (!chosen) continue
    for (let copy = 1; copy <= copies; copy++)
      await queuePrint(context, {
        ...{ station: shipment.station, printer_id: chosen.printer_id, document: role, file_id, format, paper },
        title: say('Customs papers {{number}}', { number: shipment.tracking_no ?? shipment.id }),
        order_id: shipment.order_id ?? undefined,
        shipment_id: shipment.id,
        company_id: shipment.company_id,
        idempotency_key: `customs:${shipment.id}:${kind}:${copy}`,
      })
  }
}
