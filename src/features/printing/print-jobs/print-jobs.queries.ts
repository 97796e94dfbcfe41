/** Print jobs in the database: every step is one conditional change, so that two who do it at once do it once. */
import { type Selectable, sql } from 'kysely'
import { interpolate } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { stopOfParcel } from '#features/orders/orders/holds.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { PrintJobsRow } from '#platform/database/schema.ts'
import type { PrintJob, PrintState } from './print-jobs.schemas.ts'

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
export const printColumns = [
  ...shown,
  'operator_id',
  'printer_company_id',
  'file_id',
  'idempotency_key',
  'remote_key',
  'remote_job_id',
  'leased_until',
  'fallback_printer_id',
  'copies',
  'doubted_at',
] as const
/** A print job with what only the server needs to know of it. */
export type PrintRow = Pick<Selectable<PrintJobsRow>, (typeof printColumns)[number]>

export const printJobById = (db: Db, id: number): Promise<PrintJob | undefined> =>
  db.selectFrom('print_jobs').select(shown).where('id', '=', id).executeTakeFirst()

export const printRowById = (db: Db, id: number): Promise<PrintRow | undefined> =>
  db.selectFrom('print_jobs').select(printColumns).where('id', '=', id).executeTakeFirst()

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
      sql<number>`count(*) filter (where state in ('failed', 'expired', 'unknown') and not exists (
        select from print_jobs later where later.operator_id = print_jobs.operator_id and later.copy_of = print_jobs.id))`.as('failed'),
    ])
    .where('printer_id', '=', sql<number>`any(${printer_ids})`)
    .where('created_at', '>', new Date(now.getTime() - 86_400_000).toISOString())
    .executeTakeFirstOrThrow()
  return { waiting, failed }
}

/** Papers that leave the warehouse with the parcel: they are stopped when the order is. Others (a test page, an overview) may still be printed. */
const goesWithParcel = (document: string) => ['label', 'slip', 'customs', 'return'].includes(document)

/**
 * Why this document must not come out now, as a sentence, or null. Holds the order's row for the rest of the transaction, so that
 * a stop and a print never pass each other.
 */
export async function stopOfPrint(db: Db, { order_id, shipment_id, document }: PrintRow): Promise<string | null> {
  if (!goesWithParcel(document)) return null
  const [stop, shipment] = await Promise.all([
    order_id === null ? null : stopOfParcel(db, order_id),
    shipment_id === null
      ? null
      : db.selectFrom('shipments').select(['state', 'operation_code']).where('id', '=', shipment_id).executeTakeFirst(),
  ])
  if (shipment === undefined) return 'The shipment is gone'
  // What comes back needs no order that may go out.
  if (stop && shipment?.operation_code !== 'return') return interpolate(stop.text, stop.values)
  if (shipment?.state === 'cancelled') return 'The shipment was cancelled'
  if (shipment?.state === 'blocked') return 'The label was blocked'
  return null
}

export const bytesOfFile = (db: Db, file_id: number) =>
  db
    .selectFrom('files')
    .select(['sha256', 'bytes', 'media_type', 'name'])
    .where('id', '=', file_id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()

/** Whether what a job printed is a label that the courier no longer takes. */
export async function isCancelledLabel(db: Db, row: PrintRow): Promise<boolean> {
  if (row.document !== 'label' || row.shipment_id === null) return false
  const shipment = await db.selectFrom('shipments').select('state').where('id', '=', row.shipment_id).executeTakeFirst()
  return shipment?.state === 'cancelled' || shipment?.state === 'blocked'
}

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
  /** What takes nothing while one of its jobs is not taken: a provider, or a printer that is reached by itself. */
  provider: string
  state: PrintState
}

/** What no one may have in hand any more, of all operators: to send, to expire, or to ask after. Only the system role sees this. */
export async function duePrints(db: Db, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select j.id, j.operator_id, j.company_id, j.printer_company_id, j.state,
      case when p.kind in ('raw9100', 'agent') then j.printer_id::text else p.kind || ' ' || j.printer_company_id end as provider
    from print_jobs j join printers p on p.operator_id = j.operator_id and p.id = j.printer_id
    where (j.state in ('queued', 'sending', 'sent') and ((j.state = 'queued' and (j.expires_at <= ${now.toISOString()} or coalesce(j.leased_until, j.created_at + interval '10 seconds') < ${now.toISOString()}))
          or (j.state = 'sending' and j.leased_until < ${now.toISOString()})
          or (j.state = 'sent' and coalesce(j.followed_at, j.accepted_at) < ${before(now, 60)} and j.accepted_at > ${before(now, 3_600)})))
      or (j.state = 'accepted' and j.accepted_at > ${before(now, 3_600)} and coalesce(j.followed_at, j.accepted_at) < ${before(now, 60)})
    order by j.id limit 200`.execute(db)
  return rows
}
const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString()
