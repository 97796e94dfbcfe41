/** What happens to parcels, as invoices see it: they wait, are cancelled, and leave with the courier. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { configById } from '#features/invoicing/bulk-invoicing/bulk-invoicing.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, RecordedEvent, Subscriptions } from '#platform/http/feature-module.ts'
import { queueInvoiceMails } from './invoice-mails.commands.ts'
import { dequeueParcels, endQueue, enqueueParcels, enqueueStanding } from './queue.commands.ts'

const subjects = (events: readonly Pick<RecordedEvent, 'subject_id'>[]): number[] => events.flatMap(event => event.subject_id ?? [])

/** A cancelled parcel waits no more, and an invoice that lists it must not leave. */
async function voided(events: readonly Pick<RecordedEvent, 'subject_id'>[], context: Context): Promise<void> {
  const ids = subjects(events)
  await dequeueParcels(context, ids)
  const { rows } = await sql<{ id: number; company_id: number; invoice_no: string; tracking_no: string | null }>`
    update trade_invoices i set state = 'blocked', version = version + 1,
      blocked_reason = 'Parcel ' || coalesce(t.tracking_no, t.order_no, '') || ' was cancelled'
    from trade_invoice_parcels t
    where t.operator_id = current_operator_id() and t.company_id = any (current_company_ids()) and t.live and t.shipment_id = any (${ids}::bigint[])
      and i.operator_id = t.operator_id and i.id = t.invoice_id and i.state in ('frozen', 'sent')
    returning i.id, i.company_id, i.invoice_no, t.tracking_no`.execute(context.db)
  await context.recordEvents(
    rows.map(row => ({
      kind: 'invoice.blocked',
      company_id: row.company_id,
      subject: 'invoice',
      subject_id: row.id,
      data: { invoice_no: row.invoice_no, tracking_no: row.tracking_no },
    })),
  )
  for (const row of rows) context.notify('invoice', row.id, row.company_id)
}

interface ListedInvoice {
  id: number
  company_id: number
  invoice_no: string
  state: string
  /** Parcels on it that are neither handed over nor scanned. */
  missing: number
  first_missing: string | null
  /** Parcels on it that have not left. */
  waiting: number
}

/** Invoices that count and list parcels of a collect list, with what is not there. Locked, in the order of their ids. */
async function invoicesOfList(db: Db, list: number): Promise<ListedInvoice[]> {
  const { rows } = await sql<ListedInvoice>`
    with listed as (
      select i.operator_id, i.id, i.company_id, i.invoice_no, i.state from trade_invoices i
      where i.operator_id = current_operator_id() and i.company_id = any (current_company_ids()) and i.state in ('frozen', 'sent', 'blocked')
        and i.kind = 'invoice' and i.id in (
          select t.invoice_id from collect_parcels c join trade_invoice_parcels t on t.operator_id = c.operator_id and t.shipment_id = c.shipment_id and t.live
          where c.operator_id = current_operator_id() and c.collect_list_id = ${list} and c.state = 'scanned')
      order by i.id for update),
    parcels as (
      select t.invoice_id, t.tracking_no, s.handed_over_at is not null and s.state not in ('cancelled', 'blocked') gone,
        s.state = 'booked' and exists (select from collect_parcels c where c.operator_id = s.operator_id and c.shipment_id = s.id and c.live
          and c.state = 'scanned') scanned
      from listed i join trade_invoice_parcels t on t.operator_id = i.operator_id and t.invoice_id = i.id and t.live
      join shipments s on s.operator_id = t.operator_id and s.id = t.shipment_id)
    select i.id, i.company_id, i.invoice_no, i.state, count(*) filter (where not p.gone and not p.scanned)::integer missing,
      min(p.tracking_no) filter (where not p.gone and not p.scanned) first_missing, count(*) filter (where not p.gone)::integer waiting
    from listed i join parcels p on p.invoice_id = i.id
    group by i.id, i.company_id, i.invoice_no, i.state order by i.id`.execute(db)
  return rows
}

/** A parcel of the list that waits for an invoice, while others of its courier and country stand on one. */
async function extraParcel(
  db: Db,
  list: number,
  invoices: readonly number[],
): Promise<{ tracking_no: string | null; invoice_no: string } | undefined> {
  if (invoices.length === 0) return undefined
  const { rows } = await sql<{ tracking_no: string | null; invoice_no: string }>`
    select s.tracking_no, i.invoice_no from collect_parcels c
    join invoice_queue q on q.operator_id = c.operator_id and q.shipment_id = c.shipment_id
    join trade_invoices i on i.operator_id = q.operator_id and i.company_id = q.company_id and i.agent_code = q.agent_code
      and i.country = q.country and i.id = any (${invoices}::bigint[])
    join shipments s on s.operator_id = c.operator_id and s.id = c.shipment_id
    where c.operator_id = current_operator_id() and c.company_id = any (current_company_ids()) and c.collect_list_id = ${list}
      and c.state = 'scanned' order by i.id, s.id limit 1`.execute(db)
  return rows[0]
}

/** The courier takes a list: what its invoices say must be what is on the truck. */
async function handedOver(events: readonly RecordedEvent<'collect_list.handed_over'>[], context: Context): Promise<void> {
  const { db, now } = context
  for (const list of subjects(events)) {
    const invoices = await invoicesOfList(db, list)
    const wrong = invoices.find(invoice => invoice.missing > 0)
    if (wrong)
      throw conflict(
        'invoice_blocked',
        'Invoice {{invoice}} lists {{count}} parcels that are not here, the first is {{parcel}}. Credit it and freeze it again without them.',
        { invoice: wrong.invoice_no, count: wrong.missing, parcel: wrong.first_missing ?? '' },
        { current: { invoice_id: wrong.id } },
      )
    const extra = await extraParcel(
      db,
      list,
      invoices.map(invoice => invoice.id),
    )
    if (extra)
      throw conflict('parcel_not_invoiced', 'Parcel {{parcel}} is on the list and not on invoice {{invoice}}. Invoice it first.', {
        parcel: extra.tracking_no ?? '',
        invoice: extra.invoice_no,
      })
    for (const invoice of invoices.filter(one => one.waiting === 0)) {
      await db
        .updateTable('trade_invoices')
        .set(eb => ({ state: 'handed_over', handed_over_at: now().toISOString(), version: eb('version', '+', 1) }))
        .where('id', '=', invoice.id)
        .execute()
      const { id, company_id, invoice_no } = invoice
      await context.recordEvent({ kind: 'invoice.handed_over', company_id, subject: 'invoice', subject_id: id, data: { invoice_no } })
      context.notify('invoice', id, company_id)
      await mailAtHandOver(context, invoice)
    }
  }
}

async function mailAtHandOver(context: Context, { id, company_id }: ListedInvoice): Promise<void> {
  const { config_id } = await context.db.selectFrom('trade_invoices').select('config_id').where('id', '=', id).executeTakeFirstOrThrow()
  if (config_id === null) return
  const { when, emails, formats, subject } = await configById(context.db, company_id, config_id)
  if (when === 'hand_over' && emails.length > 0)
    await queueInvoiceMails(context, { id, company_id }, { emails, formats, subject, by: context.principal.name })
}

export const parcelSubscriptions: Subscriptions = {
  'shipment.booked': (events, context) =>
    enqueueParcels(context, subjects(events.filter(event => !event.data.stopped))).then(() => undefined),
  'shipment.cancelled': voided,
  'shipment.blocked': voided,
  'collect_list.handed_over': handedOver,
  async 'bulk_config.activated'(events, context) {
    for (const company_id of new Set(events.map(event => event.company_id))) await enqueueStanding(context, company_id)
  },
  async 'bulk_config.deactivated'(events, context) {
    for (const { company_id, data } of events) await endQueue(context, { company_id, ...data })
  },
}
