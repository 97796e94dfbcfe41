/** Printing again: the second one on the table says that it is a copy, and whose. */
import { access } from '#contract/access.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { markCopy } from '#integrations/labels/copy-mark.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { queuePrint } from './print-jobs.commands.ts'
import { bytesOfFile, familyOf, type PrintRow, pdfInstead, printRowById } from './print-jobs.queries.ts'
import type { PrintJob } from './print-jobs.schemas.ts'
import { sendPrint } from './send-prints.task.ts'

const unknown = 'Print job not found'

export const reprintForbidden = () => forbidden('reprint_forbidden', 'You may not print again at this station.')

/** Refuses to print again without a permission for labels, or a group that allows it at this station. */
export async function mustReprint(context: Context, station = context.station): Promise<void> {
  if (!(await mayAct(context, 'reprint', station, access.bench))) throw reprintForbidden()
}

/** Prints the document of job `id` once more; the same `request_id` prints once. A first print that never came out is no copy. */
export async function reprint(outside: ExternalContext, id: number, printer_id: number, request_id?: string): Promise<PrintJob> {
  const { services, transaction, principal, scope } = outside
  const plan = await transaction(async ({ db }) => {
    const asked = orNotFound(await printRowById(db, id), 'print_job_not_found', unknown)
    const root = asked.copy_of === null ? asked : orNotFound(await printRowById(db, asked.copy_of), 'print_job_not_found', unknown)
    const printer = orNotFound(await printerById(db, printer_id), 'printer_not_found', 'Printer not found')
    const file_id = root.format === 'zpl' && !printer.raw ? await pdfInstead(db, root) : root.file_id
    if (file_id === null) throw conflict('printer_lacks_zpl', '{{printer}} does not take ZPL', { printer: printer.name })
    const family = await familyOf(db, root.id)
    // What failed, expired or was cancelled never came out; what is in doubt may have.
    const out = family.filter(one => one.in_doubt || ['sending', 'accepted', 'sent', 'done'].includes(one.state)).length
    const format: PrintRow['format'] = file_id === root.file_id ? root.format : 'pdf'
    return {
      root,
      file_id,
      format,
      copy_no: out,
      prints: family.length,
      file: orNotFound(await bytesOfFile(db, file_id), 'document_gone', 'The document is gone'),
    }
  })
  const { root, copy_no, format } = plan
  const marked =
    copy_no === 0
      ? null
      : await markCopy(await services.files.get(scope.operator_id, plan.file.sha256), `COPY ${copy_no} · ${principal.name}`)
  const stored = marked && (await services.files.put(scope.operator_id, marked))
  const copy_id = await transaction(async context => {
    const file_id = stored
      ? await recordFile(context.db, stored, {
          media_type: plan.file.media_type,
          name: plan.file.name,
          company_id: root.company_id,
          order_id: root.order_id,
        })
      : plan.file_id
    return queuePrint(context, {
      printer_id,
      document: root.document,
      title: root.title,
      file_id,
      format,
      paper: root.paper,
      ...(root.order_id === null ? {} : { order_id: root.order_id }),
      ...(root.shipment_id === null ? {} : { shipment_id: root.shipment_id }),
      company_id: root.company_id,
      copy_no,
      copy_of: root.id,
      idempotency_key: request_id ? `copy:${root.id}:${request_id}` : `copy:${root.id}:${plan.prints}`,
    })
  })
  return sendPrint(outside, copy_id)
}
