/** Schedules of self-tests, their pages, and what became of them. */

import { conflict, orNotFound } from '#contract/errors.ts'
import { choosePrinter } from '#domain/printer-choice.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { nextTestNumber } from '#features/printing/printers/printers.commands.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { stationsWithPrinters } from '#features/printing/station-printers/station-printers.queries.ts'
import { testCode, testPrintPdf, testPrintZpl } from '#integrations/printers/test-print.ts'
import type { Db } from '#platform/database/database.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { scanMinutes } from './self-tests.codes.ts'

interface Schedule {
  at: string
  days: number[]
  asks: boolean
}

export async function setSchedule(db: Db, { company_id, station_id, ...schedule }: Schedule & { company_id: number; station_id: number }) {
  const days = [...new Set(schedule.days)].sort()
  await db
    .insertInto('station_self_tests')
    .values({ company_id, station_id, ...schedule, days })
    .onConflict(same => same.columns(['operator_id', 'company_id', 'station_id']).doUpdateSet({ ...schedule, days }))
    .execute()
}

export async function removeSchedule(db: Db, company_id: number, station_id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('station_self_tests')
    .where('company_id', '=', company_id)
    .where('station_id', '=', station_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Queues the page of a station on its label printer and answers the test's id. The clock's page of a day is printed once. */
export async function printSelfTest(
  context: Context,
  { company_id, station_id, day, scheduled }: { company_id: number; station_id: number; day: string; scheduled: boolean },
): Promise<number> {
  const { db, now, services, recordEvent, notify } = context
  const [known] = await stationsWithPrinters(db, company_id, station_id)
  const { station, printers } = orNotFound(known, 'station_not_found', 'Station not found')
  const chosen = choosePrinter('test', { roles: printers })
  const printer = chosen && (await printerById(db, chosen.printer_id))
  if (!printer) throw conflict('station_without_printer', 'Set a label printer for this station first.')
  const number = await nextTestNumber(db, company_id)
  const { locale, time_zone } = await companySettings(db, company_id)
  const at = now()
  const time = at.toLocaleString(locale.replace('_', '-'), { timeZone: time_zone, dateStyle: 'medium', timeStyle: 'short' })
  const page = { number, printer: `${station} · ${printer.name}`, time, at }
  const format = printer.raw && printer.paper === 'label' ? 'zpl' : 'pdf'
  const bytes = format === 'zpl' ? testPrintZpl(page) : await testPrintPdf(printer.paper, page)
  const stored = await services.files.put(context.scope.operator_id, bytes)
  const media_type = format === 'zpl' ? 'application/octet-stream' : 'application/pdf'
  const code = testCode(number)
  const print_job_id = await queuePrint(
    context,
    {
      printer_id: printer.id,
      station,
      document: 'test',
      title: (await translatorFor(locale))('Self-test {{code}}', { code }),
      file_id: await recordFile(db, stored, { media_type, name: `${code}.${format}`, company_id }),
      format,
      paper: printer.paper,
      company_id,
      // The key of every test page, by which its scanned code is found.
      idempotency_key: `test:${company_id}:${number}`,
      expire_after_s: scanMinutes * 60,
    },
    printer,
  )
  const made = await db
    .insertInto('printer_self_tests')
    .values({ company_id, station_id, printer_id: printer.id, print_job_id, number, day, scheduled, asked_at: at.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'self_test.printed', company_id, subject: 'station', subject_id: station_id, data: { station, code } })
  notify('printer', printer.id, company_id)
  return made.id
}

/** The code of a page was scanned. */
export async function proveSelfTest({ db, now, principal, recordEvent }: Context, print_job_id: number): Promise<void> {
  const test = await db
    .updateTable('printer_self_tests')
    .set({ proved_at: now().toISOString(), proved_by_name: principal.name })
    .where('print_job_id', '=', print_job_id)
    .where('proved_at', 'is', null)
    .returning(['station_id', 'company_id', 'number'])
    .executeTakeFirst()
  if (!test) return
  const { company_id, station_id, number } = test
  await recordEvent({ kind: 'self_test.proved', company_id, subject: 'station', subject_id: station_id, data: { code: testCode(number) } })
}

export async function skipSelfTest({ db, now, principal, recordEvent, notify, scope }: Context, id: number): Promise<void> {
  const { station_id, number, printer_id } = orNotFound(
    await db
      .updateTable('printer_self_tests')
      .set({ skipped_at: now().toISOString(), skipped_by_name: principal.name })
      .where('company_id', '=', scope.company_id)
      .where('id', '=', id)
      .where('proved_at', 'is', null)
      .where('skipped_at', 'is', null)
      .returning(['station_id', 'number', 'printer_id'])
      .executeTakeFirst(),
    'test_page_unknown',
    'This test page is not known here',
  )
  await recordEvent({ kind: 'self_test.skipped', subject: 'station', subject_id: station_id, data: { code: testCode(number) } })
  notify('printer', printer_id)
}
