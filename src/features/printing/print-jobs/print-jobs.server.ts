/** Print jobs: seeing what was printed, and printing again. */

import { randomUUID } from 'node:crypto'
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { markCancelled } from '#integrations/labels/cancelled-mark.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { mustReprint, reprint } from './copies.server.ts'
import { printJobSubscriptions } from './order-subscriptions.server.ts'
import { defaultExpiry } from './print-jobs.commands.ts'
import { printJobs } from './print-jobs.contract.ts'
import { bytesOfFile, isCancelledLabel, type PrintRow, printJobById, printJobsBy, printRowById } from './print-jobs.queries.ts'
import { printJobsSchemas } from './print-jobs.schemas.ts'
import { changeTo, sendPrint, step, takeBack } from './send-prints.task.ts'

const unknown = 'Print job not found'
const job = async ({ db }: Context, id: number) => orNotFound(await printJobById(db, id), 'print_job_not_found', unknown)

export const printJobsServer = implement(
  printJobs,
  printJobsSchemas,
  {
    list: (query, { db }) => printJobsBy(db, query),

    get: async ({ id }, { db }) => orNotFound(await printJobById(db, id), 'print_job_not_found', unknown),

    async retry({ id, printer_id }, outside) {
      await outside.transaction(async context => {
        const row = orNotFound(await printRowById(context.db, id), 'print_job_not_found', unknown)
        refuseIfOut(row, context.now())
        const printer = orNotFound(await printerById(context.db, printer_id ?? row.printer_id), 'printer_not_found', 'Printer not found')
        const again = printer.id !== row.printer_id
        if (again && ![context.scope.company_id, row.company_id, row.printer_company_id].includes(printer.company_id))
          throw notFound('printer_not_found', 'Printer not found')
        if (again && row.state === 'queued' && row.in_doubt)
          throw conflict('print_job_maybe_printed', '{{printer}} may have it already. Cancel it first, and look there.', {
            printer: row.printer_name,
          })
        // What still waits goes on under its key; what has ended, or goes elsewhere, is a new try.
        const change =
          again || row.state !== 'queued' ? (again ? await changeTo(context, row, printer) : { remote_key: randomUUID() }) : ({} as const)
        if (!change) throw conflict('printer_lacks_zpl', '{{printer}} does not take ZPL', { printer: printer.name })
        const expires_at = new Date(context.now().getTime() + defaultExpiry * 1_000).toISOString()
        const fresh = {
          state: 'queued',
          expires_at,
          error: null,
          leased_until: null,
          finished_at: null,
          moved_from_printer_id: null,
          ...(row.state === 'queued' ? {} : { in_doubt: false, doubted_at: null, remote_job_id: null, accepted_at: null }),
        } as const
        if (!(await step(context, row, { ...fresh, ...change }, 'print.retried')))
          throw conflict('busy', 'Someone else is changing this right now. Try again.')
      })
      return sendPrint(outside, id)
    },

    async cancel({ id }, outside) {
      const { transaction, now } = outside
      const row = await transaction(async ({ db }) => orNotFound(await printRowById(db, id), 'print_job_not_found', unknown))
      const given = row.state === 'accepted' || row.state === 'sent'
      if (row.state === 'sending') throw conflict('print_job_sending', 'It is being sent right now. Wait a moment.')
      if (given && !(await takeBack(outside, row)))
        throw conflict('print_job_taken', '{{printer}} already has this print job', { printer: row.printer_name })
      if (!given && row.state !== 'queued') throw conflict('print_job_ended', 'This print job has ended already')
      return transaction(async context => {
        const error = row.in_doubt ? 'It is not known whether it came out. Look at the printer before you print it again.' : null
        const change = { state: 'cancelled', finished_at: now().toISOString(), leased_until: null, error } as const
        if (!(await step(context, row, change, 'print.cancelled')))
          throw conflict('busy', 'Someone else is changing this right now. Try again.')
        return job(context, id)
      })
    },

    async reprint({ id, printer, request_id }, outside) {
      await outside.transaction(context => mustReprint(context))
      return reprint(outside, id, printer, request_id)
    },

    async document({ id }, { transaction, services, scope }) {
      const { file, title, format, cancelled } = await transaction(async ({ db }) => {
        const row = orNotFound(await printRowById(db, id), 'print_job_not_found', unknown)
        const cancelled = await isCancelledLabel(db, row)
        if (cancelled && row.format === 'zpl')
          throw conflict('label_cancelled_not_reprinted', 'This label was cancelled: it is not printed again')
        return { ...row, cancelled, file: orNotFound(await bytesOfFile(db, row.file_id), 'document_gone', 'The document is gone') }
      })
      return {
        bytes: cancelled ? await markCancelled(await services.files.get(scope.operator_id, file.sha256)) : file,
        media_type: file.media_type,
        name: `${title.replace(/[^\p{L}\p{N} ._-]+/gu, '-')}.${format}`,
        inline: true,
      }
    },
  },
  printJobSubscriptions,
)

function refuseIfOut(row: PrintRow, now: Date): void {
  if (row.state === 'done' || row.state === 'accepted' || row.state === 'sent')
    throw conflict('print_job_already_printed', '{{printer}} has it already. Print a copy instead.', { printer: row.printer_name })
  if (row.state === 'sending' && row.leased_until !== null && Date.parse(row.leased_until) >= now.getTime())
    throw conflict('print_job_sending', 'It is being sent right now. Wait a moment.')
}
