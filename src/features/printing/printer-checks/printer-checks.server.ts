/** Checks of a printer: handlers. */
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { printJobById, printJobsBy, printTrouble } from '#features/printing/print-jobs/print-jobs.queries.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { confirmPrinter, nextTestNumber } from '#features/printing/printers/printers.commands.ts'
import { printerById, printersOf } from '#features/printing/printers/printers.queries.ts'
import { refreshPrinters } from '#features/printing/printers/providers.server.ts'
import { testCode, testPrintPdf, testPrintZpl } from '#integrations/printers/test-print.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { implement } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { printerChecks } from './printer-checks.contract.ts'
import { printerChecksSchemas } from './printer-checks.schemas.ts'

const unknown = 'Printer not found'

export const printerChecksServer = implement(printerChecks, printerChecksSchemas, {
  async details({ id }, context) {
    await refreshPrinters(context, context.scope.company_id)
    return context.transaction(async ({ db, now }) => {
      const printer = orNotFound(await printerById(db, id), 'printer_not_found', unknown)
      // The warehouse prints for its companies, but does not look into their own printers.
      if (printer.company_id !== context.scope.company_id) throw notFound('printer_not_found', unknown)
      const { rows } = await printJobsBy(db, { printer_id: id, page: 1, limit: 10 })
      return { ...printer, jobs: rows, waiting: (await printTrouble(db, [id], now())).waiting }
    })
  },

  async testPrint({ printer_id, paper: use }, context) {
    const { services, transaction, scope, now, principal } = context
    await refreshPrinters(context, scope.company_id)
    const { printer, number, locale, time_zone } = await transaction(async ({ db }) => {
      const printer = printer_id
        ? await printerById(db, printer_id)
        : (await printersOf(db, scope.company_id)).find(one => one.paper === 'label' && one.state === 'online')
      if (!printer_id && !printer) throw conflict('no_label_printer', 'No label printer is online. Select a printer.')
      const { locale, time_zone } = await companySettings(db, scope.company_id)
      return {
        printer: orNotFound(printer, 'printer_not_found', unknown),
        number: await nextTestNumber(db, scope.company_id),
        locale,
        time_zone,
      }
    })
    const paper = use ?? printer.paper
    const at = now()
    const time = at.toLocaleString(locale.replace('_', '-'), { timeZone: time_zone, dateStyle: 'medium', timeStyle: 'short' })
    const page = { number, printer: printer.name, time, at }
    const format = printer.raw && paper === 'label' ? 'zpl' : 'pdf'
    const bytes = format === 'zpl' ? testPrintZpl(page) : await testPrintPdf(paper, page)
    const stored = await services.files.put(scope.operator_id, bytes)
    const title = (await translatorFor(locale))('Test page {{code}}', { code: testCode(number) })
    const job_id = await transaction(async inside => {
      const media_type = format === 'zpl' ? 'application/octet-stream' : 'application/pdf'
      const file_id = await recordFile(inside.db, stored, { media_type, name: `${testCode(number)}.${format}` })
      return queuePrint(inside, {
        printer_id: printer.id,
        document: 'test',
        title,
        file_id,
        format,
        paper,
        company_id: scope.company_id,
        idempotency_key: `test:${principal.company.id}:${number}`,
        // No one waits longer than this for a test page.
        expire_after_s: 120,
      })
    })
    return { job: await sendPrint(context, job_id), number, code: testCode(number) }
  },

  async proveTest({ number }, { db, scope, now, recordEvent, notify }) {
    const row = await db
      .selectFrom('print_jobs')
      .select(['id', 'printer_id'])
      .where('idempotency_key', '=', `test:${scope.company_id}:${number}`)
      .executeTakeFirst()
    const { printer_id, id } = orNotFound(row, 'test_page_unknown', 'This test page is not known here')
    await confirmPrinter(db, printer_id, now())
    await recordEvent({
      kind: 'printer.proved',
      subject: 'printer',
      subject_id: printer_id,
      data: { print_job_id: id, code: testCode(number) },
    })
    notify('printer', printer_id)
    orNotFound(await printJobById(db, id), 'test_page_unknown', 'This test page is not known here')
    return orNotFound(await printerById(db, printer_id), 'printer_not_found', unknown)
  },
})
