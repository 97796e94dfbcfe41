/** Changes of print jobs: each step is one conditional update, so that concurrent callers do it once. */
import { type Selectable, sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { choosePrinter, roleOfDocument } from '#domain/printer-choice.ts'
import { type KnownPrinter, printerById } from '#features/printing/printers/printers.queries.ts'
import { rolesOfStation } from '#features/printing/station-printers/station-printers.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { PrintJobsRow } from '#platform/database/schema.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { processLockId } from '#platform/notifications/change-notifier.ts'
import { type PrintRow, printColumns } from './print-jobs.queries.ts'

export interface NewPrint {
  printer_id: number
  /** Where it is wanted, when the caller works for somebody who is not there any more. */
  station?: string | null
  /** label, slip, customs, test, sheet or another word of the caller's. */
  document: string
  title: string
  file_id: number
  format: 'pdf' | 'zpl'
  /** `a4` or `label` picks the printer's own paper of that size; another name is the printer's own; null leaves it to the printer. */
  paper: string | null
  /** Refuse a printer that has other paper. */
  paper_required?: boolean
  /** The id that the client gave to its request. */
  client_id?: string | undefined
  order_id?: number
  shipment_id?: number
  /** Whose document it is. */
  company_id: number
  copy_no?: number
  copy_of?: number
  idempotency_key: string
  /** Seconds after which it must not come out any more; ten minutes unless given. */
  expire_after_s?: number
}

export const defaultExpiry = 600

/**
 * Writes a print job down; the same key again answers the first job's id. `sendPrint` sends it at once after the commit; should that
 * never happen, the queue does. Throws when the printer does not exist or is not for this company's documents. `known` is the printer
 * where the caller has read it in this transaction.
 */
export async function queuePrint(context: Context, print: NewPrint, known?: KnownPrinter): Promise<number> {
  const { db, now, station, principal, recordEvent, notify, enqueue } = context
  const printer = orNotFound(known ?? (await printerById(db, print.printer_id)), 'printer_not_found', 'Printer not found')
  if (printer.company_id !== context.scope.company_id && printer.company_id !== print.company_id) {
    const owner = await db.selectFrom('companies').select('is_main').where('id', '=', printer.company_id).executeTakeFirst()
    // The warehouse's own printers serve everybody; another shop's printer must not show this one's papers.
    orNotFound(owner?.is_main || undefined, 'printer_not_found', 'Printer not found')
  }
  if (print.paper_required && printer.paper !== print.paper)
    throw conflict('printer_paper_differs', '{{printer}} prints on other paper. Select another printer.', { printer: printer.name })
  const at = station || print.station || ''
  const of = choosePrinter(roleOfDocument(print.document, print.paper), {
    named: printer.id,
    roles: await rolesOfStation(db, printer.company_id, at),
  })
  const row = await db
    .insertInto('print_jobs')
    .values({
      company_id: print.company_id,
      printer_id: printer.id,
      printer_company_id: printer.company_id,
      printer_name: printer.name,
      station: at || null,
      fallback_printer_id: of?.fallback_printer_id ?? null,
      // A person asks for one more copy; the station's number is that of the first print.
      copies: print.copy_of === undefined ? (of?.copies ?? 1) : 1,
      title: print.title.slice(0, 200),
      document: print.document,
      file_id: print.file_id,
      format: print.format,
      paper: print.paper,
      order_id: print.order_id ?? null,
      shipment_id: print.shipment_id ?? null,
      copy_no: print.copy_no ?? 0,
      copy_of: print.copy_of ?? null,
      client_id: print.client_id ?? null,
      idempotency_key: print.idempotency_key,
      requested_by: principal.id || null,
      requested_by_name: principal.kind === 'anonymous' && principal.id === 0 ? null : principal.name,
      created_at: now().toISOString(),
      expires_at: new Date(now().getTime() + (print.expire_after_s ?? defaultExpiry) * 1_000).toISOString(),
    })
    .onConflict(one => one.columns(['operator_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) {
    const first = await db.selectFrom('print_jobs').select('id').where('idempotency_key', '=', print.idempotency_key).executeTakeFirst()
    if (!first) throw conflict('already_exists', 'This exists already')
    return first.id
  }
  await Promise.all([
    recordEvent({
      kind: 'print.queued',
      company_id: print.company_id,
      order_id: print.order_id ?? null,
      subject: 'print_job',
      subject_id: row.id,
      data: { title: print.title, document: print.document, printer: printer.name, copy_no: print.copy_no ?? 0 },
    }),
    enqueue('print.send', { print_job_id: row.id }, { key: `print:${row.id}`, run_at: new Date(Date.now() + 5_000) }),
  ])
  notify('print', row.id, print.company_id)
  return row.id
}

/** Takes the job for one try of the process `holder`, until `until`. Nothing when another one has it, or it is no longer to be sent. */
export const claimPrint = (
  db: Db,
  id: number,
  { now, until, holder, in_doubt }: { now: Date; until: Date; holder: string | null; in_doubt: boolean },
): Promise<PrintRow | undefined> =>
  db
    .updateTable('print_jobs')
    .set(eb => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      leased_until: until.toISOString(),
      leased_by: holder,
      ...(in_doubt && { in_doubt }),
    }))
    .where('id', '=', id)
    .where(eb => eb.or([eb('state', '=', 'queued'), eb.and([eb('state', '=', 'sending'), eb('leased_until', '<', now.toISOString())])]))
    .where('expires_at', '>', now.toISOString())
    .returning(printColumns)
    .executeTakeFirst()

/** Ends the leases of processes that have died, of all operators: only the system role sees them. */
export const endLeasesOfDead = (db: Db, now: Date) =>
  db
    .updateTable('print_jobs')
    .set({ leased_until: new Date(now.getTime() - 1_000).toISOString() })
    .where('state', '=', 'sending')
    .where('leased_until', '>=', now.toISOString())
    .where('leased_by', 'is not', null)
    .where(
      sql<boolean>`not exists (select from pg_locks l where l.locktype = 'advisory' and l.classid = ${processLockId}
        and l.objid = (hashtext(leased_by)::bigint & 4294967295)::oid
        and l.database = (select d.oid from pg_database d where d.datname = current_database()))`,
    )
    .execute()

export type PrintChange = Partial<
  Pick<
    Selectable<PrintJobsRow>,
    | 'state'
    | 'error'
    | 'in_doubt'
    | 'doubted_at'
    | 'remote_job_id'
    | 'remote_key'
    | 'printer_id'
    | 'printer_company_id'
    | 'printer_name'
    | 'moved_from_printer_id'
    | 'format'
    | 'file_id'
    | 'leased_until'
    | 'accepted_at'
    | 'finished_at'
    | 'expires_at'
  >
>

/** Changes the job only when it still stands as `row` says: same state, same try. Undefined when somebody was quicker. */
export const changePrint = (db: Db, row: PrintRow, change: PrintChange): Promise<PrintRow | undefined> =>
  db
    .updateTable('print_jobs')
    .set(change)
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .where('attempts', '=', row.attempts)
    .where('remote_key', '=', row.remote_key)
    .returning(printColumns)
    .executeTakeFirst()

export const followedPrint = (db: Db, id: number, now: Date) =>
  db.updateTable('print_jobs').set({ followed_at: now.toISOString() }).where('id', '=', id).execute()
