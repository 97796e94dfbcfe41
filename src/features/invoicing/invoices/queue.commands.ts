/** The queue of parcels that wait for an invoice: they come in when they are booked, and leave when they are invoiced or cancelled. */
import { type RawBuilder, sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { QueueRefusal } from './invoices.codes.ts'
import { isBooked, isClearedAlone, isComplete, isInvoiced, isSkipped, parcelFacts } from './parcels.queries.ts'

interface Queued {
  shipment_id: number
  company_id: number
}

/** Those of the shipments `s` that may be invoiced by an active configuration join the queue. */
const enqueue = (which: RawBuilder<unknown>) => sql<Queued>`
    insert into invoice_queue (company_id, shipment_id, order_id, agent_code, country, complete)
    select s.company_id, s.id, s.order_id, c.agent_code, c.country, ${isComplete(sql`r`)}
    from shipments s
    join bulk_invoice_configs c on c.operator_id = s.operator_id and c.company_id = s.company_id and c.agent_code = s.agent_code and c.active
    join shipment_parties r on r.operator_id = s.operator_id and r.shipment_id = s.id and r.role = 'recipient' and r.party ->> 'country' = c.country
    where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and ${which}
      and ${isBooked} and not ${isSkipped} and not ${isClearedAlone} and not ${isInvoiced}
    on conflict do nothing
    returning shipment_id, company_id`

function notifyCompanies(context: Pick<Context, 'notify'>, rows: readonly { company_id: number }[]): void {
  for (const company_id of new Set(rows.map(row => row.company_id))) context.notify('invoice', undefined, company_id)
}

/** Answers the ids of those that came in. */
export async function enqueueParcels(context: Pick<Context, 'db' | 'notify'>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  // With each label: planning it anew takes ten times as long as running it.
  const rows = await executeWithGenericPlan(context.db, enqueue(sql`s.id = any (${ids}::bigint[])`))
  notifyCompanies(context, rows)
  return rows.map(row => row.shipment_id)
}

/** A configuration was switched on: what stands packed in the warehouse waits from now on. */
export async function enqueueStanding(context: Context, company_id: number): Promise<void> {
  notifyCompanies(context, (await enqueue(sql`s.company_id = ${company_id} and s.state = 'booked'`).execute(context.db)).rows)
}

export async function dequeueParcels(context: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await context.db
    .deleteFrom('invoice_queue')
    .where('shipment_id', '=', sql<number>`any(${ids})`)
    .returning('company_id')
    .execute()
  notifyCompanies(context, rows)
}

/** A configuration was switched off. @throws {Refusal} 409 while drafts use it */
export async function endQueue(context: Context, way: { company_id: number; agent_code: string; country: string }): Promise<void> {
  const { db } = context
  const drafts = await db
    .selectFrom('trade_invoices')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('company_id', '=', way.company_id)
    .where('agent_code', '=', way.agent_code)
    .where('country', '=', way.country)
    .where('state', '=', 'draft')
    .executeTakeFirstOrThrow()
  if (drafts.n > 0) throw conflict('config_in_use', '{{count}} drafts use it. Freeze or delete them first.', { count: drafts.n })
  await db
    .deleteFrom('invoice_queue')
    .where('company_id', '=', way.company_id)
    .where('agent_code', '=', way.agent_code)
    .where('country', '=', way.country)
    .execute()
  context.notify('invoice', undefined, way.company_id)
}

const sentences: Record<QueueRefusal, string> = {
  not_packed: 'It has no label yet.',
  no_config: 'Bulk invoicing is off for its courier and country.',
  skipped: 'Its products are left out of bulk invoicing.',
  cleared_alone: 'Its booking has customs papers of its own.',
  already_invoiced: 'It is on an invoice already.',
}

/** The order in reach, locked: changes of its parcels' queue come one after the other. */
const takeOrder = async (db: Db, order_id: number) =>
  orNotFound(
    await db.selectFrom('orders').select(['id', 'company_id']).where('id', '=', order_id).forNoKeyUpdate().executeTakeFirst(),
    'order_not_found',
    'Order not found',
  )

const parcelsOf = (db: Db, order_id: number) =>
  db
    .selectFrom('shipments')
    .select(['id', 'state'])
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'blocked', 'error'])
    .orderBy('id')
    .execute()

export async function enqueueOrder(
  context: Context,
  order_id: number,
  shipment_ids: readonly number[] | undefined,
): Promise<{ queued: number[]; refused: { shipment_id: number; code: QueueRefusal; text: string }[] }> {
  const { db } = context
  const order = await takeOrder(db, order_id)
  const all = await parcelsOf(db, order_id)
  if (all.length === 0) throw conflict('order_has_no_parcel', 'This order has no packed parcel yet')
  const asked = shipment_ids === undefined ? all : all.filter(parcel => shipment_ids.includes(parcel.id))
  if (asked.length === 0) orNotFound(undefined, 'shipment_not_found', 'Shipment not found')
  const ids = asked.map(parcel => parcel.id)
  const added = await enqueueParcels(context, ids)
  const waiting = await db
    .selectFrom('invoice_queue')
    .select('shipment_id')
    .where('shipment_id', '=', sql<number>`any(${ids})`)
    .orderBy('shipment_id')
    .execute()
  const queued = waiting.map(row => row.shipment_id)
  if (added.length > 0)
    await context.recordEvent({ kind: 'invoice.queued', order_id, company_id: order.company_id, data: { parcels: added.length } })
  const others = (await parcelFacts(db, ids)).filter(parcel => !queued.includes(parcel.shipment_id))
  return {
    queued,
    refused: others.map(({ shipment_id, booked, on_invoice, cleared_alone, skipped }) => {
      const code: QueueRefusal = !booked
        ? 'not_packed'
        : on_invoice !== null
          ? 'already_invoiced'
          : cleared_alone
            ? 'cleared_alone'
            : skipped
              ? 'skipped'
              : 'no_config'
      return { shipment_id, code, text: sentences[code] }
    }),
  }
}

/** Leaves lines out of bulk invoicing or takes them in again, and their parcels with them. */
export async function setSkip(
  context: Context,
  order_id: number,
  skip: boolean,
  line_ids: readonly number[] | undefined,
): Promise<{ skipped_items: number[]; queued: number[] }> {
  const { db, principal, recordEvent } = context
  const order = await takeOrder(db, order_id)
  const known = await db.selectFrom('order_lines').select('id').where('order_id', '=', order_id).where('type', '=', 'item').execute()
  const ids = known.map(line => line.id).filter(id => line_ids === undefined || line_ids.includes(id))
  if (ids.length === 0) orNotFound(undefined, 'order_line_not_found', 'Order line not found')
  const of = sql<number>`any(${ids})`
  const parcels = (await parcelsOf(db, order_id)).map(parcel => parcel.id)
  if (skip) {
    const invoiced = (await parcelFacts(db, parcels)).find(parcel => parcel.on_invoice !== null)
    if (invoiced)
      throw conflict('already_invoiced', 'Parcel {{parcel}} is on invoice {{invoice}} already', {
        parcel: invoiced.tracking_no ?? '',
        invoice: invoiced.on_invoice,
      })
    await db
      .insertInto('bulk_invoice_skips')
      .values(ids.map(order_line_id => ({ company_id: order.company_id, order_id, order_line_id, skipped_by_name: principal.name })))
      .onConflict(conflicting => conflicting.doNothing())
      .execute()
    const skipped = await sql<{ id: number }>`select s.id from shipments s
      where s.operator_id = current_operator_id() and s.id = any (${parcels}::bigint[]) and ${isSkipped}`.execute(db)
    await dequeueParcels(
      context,
      skipped.rows.map(row => row.id),
    )
  } else {
    await db.deleteFrom('bulk_invoice_skips').where('order_line_id', '=', of).execute()
    await enqueueParcels(context, parcels)
  }
  const [left, waiting] = [
    await db.selectFrom('bulk_invoice_skips').select('order_line_id').where('order_id', '=', order_id).orderBy('order_line_id').execute(),
    await db.selectFrom('invoice_queue').select('shipment_id').where('order_id', '=', order_id).orderBy('shipment_id').execute(),
  ]
  await recordEvent({ kind: 'order.bulk_invoice_skip_set', order_id, company_id: order.company_id, data: { skip, items: ids.length } })
  context.notify('invoice', undefined, order.company_id)
  context.notify('order', order_id, order.company_id)
  return { skipped_items: left.map(row => row.order_line_id), queued: waiting.map(row => row.shipment_id) }
}
