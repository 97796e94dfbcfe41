/** Print jobs in the database: every step is one conditional change, so that two who do it at once do it once. */
import { type Selectable, sql } from 'kysely'
import { conflict, interpolate, orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { stopOfParcel } from '#features/orders/orders/holds.queries.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { PrintJobsRow } from '#platform/database/schema.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { PrintJob, PrintState } from './print-jobs.contract.ts'

export interface NewPrint {
  printer_id: number
  /** label, slip, customs, test, sheet or another word of the caller's. */
  document: string
  title: string
  file_id: number
  format: 'pdf' | 'zpl'
  /** `a4` or `label` picks the printer's own paper of that size; another name is the printer's own; null leaves it to the printer. */
  paper: string | null
  order_id?: number
  shipment_id?: number
  /** Whose document it is. */
  company_id: number
  copy_no?: number
  copy_of?: number
  idempotency_key: string
  /** Seconds after which it must not come out any more; ten minutes unless told. */
  expire_after_s?: number
}

const shown = [
  'id',
  'company_id',
  'printer_id',
  'printer_name',
  'station',
  'title',
  'document',
  'format',
  'paper',
  'copy_no',
  'copy_of',
  'state',
  'in_doubt',
  'error',
  'attempts',
  'order_id',
  'shipment_id',
  'moved_from_printer_id',
  'requested_by_name',
  'created_at',
  'accepted_at',
  'finished_at',
  'expires_at',
] as const
const all = [
  ...shown,
  'operator_id',
  'printer_company_id',
  'file_id',
  'idempotency_key',
  'remote_key',
  'remote_job_id',
  'leased_until',
] as const
/** A print job with what only the server needs to know of it. */
export type PrintRow = Pick<Selectable<PrintJobsRow>, (typeof all)[number]>

export const defaultExpiry = 600

/**
 * Writes a print job down; the same key again answers the first job's id. `sendPrint` sends it at once after the commit; should that
 * never happen, the queue does. Throws when the printer does not exist or is not for this company's documents.
 */
export async function queuePrint(context: Context, print: NewPrint): Promise<number> {
  const { db, now, station, principal, recordEvent, notify, enqueue } = context
  const printer = orNotFound(await printerById(db, print.printer_id), 'printer_not_found', 'This printer does not exist')
  if (printer.company_id !== context.scope.company_id && printer.company_id !== print.company_id) {
    const owner = await db.selectFrom('companies').select('is_main').where('id', '=', printer.company_id).executeTakeFirst()
    // The warehouse's own printers serve everybody; another shop's printer must not show this one's papers.
    orNotFound(owner?.is_main || undefined, 'printer_not_found', 'This printer does not exist')
  }
  const row = await db
    .insertInto('print_jobs')
    .values({
      company_id: print.company_id,
      printer_id: printer.id,
      printer_company_id: printer.company_id,
      printer_name: printer.name,
      station: station || null,
      title: print.title.slice(0, 200),
      document: print.document,
      file_id: print.file_id,
      format: print.format,
      paper: print.paper,
      order_id: print.order_id ?? null,
      shipment_id: print.shipment_id ?? null,
      copy_no: print.copy_no ?? 0,
      copy_of: print.copy_of ?? null,
      idempotency_key: print.idempotency_key,
      requested_by: principal.id || null,
      requested_by_name: principal.kind === 'nobody' && principal.id === 0 ? null : principal.name,
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
  await recordEvent({
    kind: 'print.queued',
    company_id: print.company_id,
    order_id: print.order_id ?? null,
    subject: 'print_job',
    subject_id: row.id,
    data: { title: print.title, document: print.document, printer: printer.name, copy_no: print.copy_no ?? 0 },
  })
  await enqueue('print.send', { print_job_id: row.id }, { key: `print:${row.id}`, run_at: new Date(Date.now() + 5_000) })
  notify('print', row.id, print.company_id)
  return row.id
}

export const printJobById = (db: Db, id: number): Promise<PrintJob | undefined> =>
  db.selectFrom('print_jobs').select(shown).where('id', '=', id).executeTakeFirst()

export const printRowById = (db: Db, id: number): Promise<PrintRow | undefined> =>
  db.selectFrom('print_jobs').select(all).where('id', '=', id).executeTakeFirst()

/** Newest first. */
export async function printJobsBy(
  db: Db,
  query: {
    state?: PrintState | undefined
    order_id?: number | undefined
    shipment_id?: number | undefined
    printer_id?: number | undefined
    station?: string | undefined
    page: number
    limit: number
  },
): Promise<Page<PrintJob>> {
  let asked = db.selectFrom('print_jobs')
  if (query.state) asked = asked.where('state', '=', query.state)
  if (query.order_id) asked = asked.where('order_id', '=', query.order_id)
  if (query.shipment_id) asked = asked.where('shipment_id', '=', query.shipment_id)
  if (query.printer_id) asked = asked.where('printer_id', '=', query.printer_id)
  if (query.station) asked = asked.where('station', '=', query.station)
  const rows = await asked.select(shown).orderBy('id', 'desc').limit(query.limit).offset(pageOffset(query)).execute()
  return { rows, ...(await cappedCount(db, asked)), offset: pageOffset(query), limit: query.limit }
}

/** How many jobs of these printers wait to come out, and how many of the last day did not. */
export async function printTrouble(db: Db, printer_ids: readonly number[], now: Date): Promise<{ waiting: number; failed: number }> {
  const { waiting, failed } = await db
    .selectFrom('print_jobs')
    .select([
      sql<number>`count(*) filter (where state in ('queued', 'sending', 'sent'))`.as('waiting'),
      sql<number>`count(*) filter (where state in ('failed', 'expired') and not exists (
        select from print_jobs later where later.operator_id = print_jobs.operator_id and later.copy_of = print_jobs.id))`.as('failed'),
    ])
    .where('printer_id', '=', sql<number>`any(${printer_ids})`)
    .where('created_at', '>', new Date(now.getTime() - 86_400_000).toISOString())
    .executeTakeFirstOrThrow()
  return { waiting, failed }
}

/** Papers that leave the house with the parcel: they are stopped when the order is. Others (a test page, an overview) may still be printed. */
const leavesTheHouse = (document: string) => ['label', 'slip', 'customs', 'return'].includes(document)

/**
 * Why this document must not come out now, as a sentence, or null. Holds the order's row for the rest of the transaction, so that
 * a stop and a print never pass each other.
 */
export async function stopOfPrint(db: Db, { order_id, shipment_id, document }: PrintRow): Promise<string | null> {
  if (!leavesTheHouse(document)) return null
  const stop = order_id === null ? null : await stopOfParcel(db, order_id)
  const shipment =
    shipment_id === null
      ? null
      : await db.selectFrom('shipments').select(['state', 'operation_code']).where('id', '=', shipment_id).executeTakeFirst()
  if (shipment === undefined) return 'The shipment is gone'
  // What comes back needs no order that may go out.
  if (stop && shipment?.operation_code !== 'return') return interpolate(stop.text, stop.values)
  if (shipment?.state === 'cancelled') return 'The shipment was cancelled'
  if (shipment?.state === 'blocked') return 'The label was blocked'
  return null
}

/** Takes the job for one try, until `until`. Nothing when somebody else has it, or it is no longer to be sent. */
export const claimPrint = (db: Db, id: number, now: Date, until: Date): Promise<PrintRow | undefined> =>
  db
    .updateTable('print_jobs')
    .set(eb => ({ state: 'sending', attempts: eb('attempts', '+', 1), leased_until: until.toISOString() }))
    .where('id', '=', id)
    .where(eb => eb.or([eb('state', '=', 'queued'), eb.and([eb('state', '=', 'sending'), eb('leased_until', '<', now.toISOString())])]))
    .where('expires_at', '>', now.toISOString())
    .returning(all)
    .executeTakeFirst()

export type PrintChange = Partial<
  Pick<
    Selectable<PrintJobsRow>,
    | 'state'
    | 'error'
    | 'in_doubt'
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
    .returning(all)
    .executeTakeFirst()

export const followedPrint = (db: Db, id: number, now: Date) =>
  db.updateTable('print_jobs').set({ followed_at: now.toISOString() }).where('id', '=', id).execute()

export const printedOn = (db: Db, printer_id: number, now: Date) =>
  db.updateTable('printers').set({ last_print_at: now.toISOString() }).where('id', '=', printer_id).execute()

export const bytesOfFile = (db: Db, file_id: number) =>
  db.selectFrom('files').select(['sha256', 'media_type', 'name']).where('id', '=', file_id).executeTakeFirst()

/** The label of a shipment as PDF, for a printer that takes no ZPL. */
export async function pdfInstead(db: Db, row: PrintRow): Promise<number | null> {
  if (row.document !== 'label' || row.shipment_id === null) return null
  const shipment = await db.selectFrom('shipments').select('label_pdf_file_id').where('id', '=', row.shipment_id).executeTakeFirst()
  return shipment?.label_pdf_file_id ?? null
}

/** The first print and all its copies. */
export const familyOf = (db: Db, root: number) =>
  db
    .selectFrom('print_jobs')
    .select(['id', 'state', 'in_doubt'])
    .where(eb => eb.or([eb('id', '=', root), eb('copy_of', '=', root)]))
    .orderBy('id')
    .execute()

interface Due {
  id: number
  operator_id: number
  company_id: number
  printer_company_id: number
  state: PrintState
}

/** What nobody may have in hand any more, of all operators: to send, to expire, or to ask after. Only the system role sees this. */
export async function duePrints(db: Db, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select id, operator_id, company_id, printer_company_id, state from print_jobs
    where (state in ('queued', 'sending', 'sent') and ((state = 'queued' and (expires_at <= ${now.toISOString()} or coalesce(leased_until, created_at + interval '10 seconds') < ${now.toISOString()}))
          or (state = 'sending' and leased_until < ${now.toISOString()})
          or (state = 'sent' and coalesce(followed_at, accepted_at) < ${before(now, 60)} and accepted_at > ${before(now, 3_600)})))
      or (state = 'accepted' and accepted_at > ${before(now, 3_600)} and coalesce(followed_at, accepted_at) < ${before(now, 60)})
    order by id limit 200`.execute(db)
  return rows
}
const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString()
