/** Writing exceptions: reported, given to a person, noted, resolved. */
import { sql } from 'kysely'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { type Approver, approverAnywhere, approverById, groupsWith } from '#features/company/users/credentials.queries.ts'
import { cancelPieces } from '#features/orders/orders/lines/order-lines.commands.ts'
import { type OrderFacts, takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { moveOrder } from '#features/orders/orders/order-moves.commands.ts'
import { cancelOrders } from '#features/orders/orders/order-state.commands.ts'
import { refillOrder } from '#features/warehouse/pick-lists/refill.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type ExceptionKind, type LabelKind, labelKinds } from '../packing/packing.codes.ts'
import { releaseSetAside } from '../packing/release-order.server.ts'
import { decisionsOn, type MissingLine } from './exception-decisions.queries.ts'
import type { DecidedResolution, Retry } from './exceptions.codes.ts'
import { exceptionReaders } from './exceptions.contract.ts'
import { exceptionById } from './exceptions.queries.ts'
import { dueAt } from './exceptions.rules.ts'
import type { Exception } from './exceptions.schemas.ts'

const longestNote = 4_000

interface Report {
  order_id: number
  company_id: number
  kind: ExceptionKind
  order_line_id?: number | null
  note: string
  field?: string | null
  reported_by: string
  station: string | null
}

/** Opens an exception. What is reported a second time joins the open one: its note grows, its owner and its time stay. */
export async function reportException(context: Context, report: Report): Promise<void> {
  const { db, now, recordEvent, notify } = context
  const { order_id, company_id, kind, note, field = null, reported_by, station } = report
  const order = await db.selectFrom('orders').select('ship_by').where('id', '=', order_id).executeTakeFirstOrThrow()
  const line = report.order_line_id
    ? await db
        .selectFrom('order_lines')
        .select(['id', 'name'])
        .where('order_id', '=', order_id)
        .where('id', '=', report.order_line_id)
        .executeTakeFirst()
    : undefined
  const settings = await companySettings(db, company_id)
  const due = dueAt(kind, { now: now(), ship_by: order.ship_by, settings })
  const { person, group } = await usualOwner(db, kind, company_id, settings.exceptions)
  const { rows } = await sql<{ id: number; reports: number }>`
    insert into packing_exceptions as x (company_id, order_id, order_line_id, kind, item, note, field, reported_by, station, reported_at, due_at,
        state, owner_user_id, owner_group_id, owner_name)
    values (${company_id}, ${order_id}, ${line?.id ?? null}, ${kind}, ${line?.name.slice(0, 300) ?? null}, ${note}, ${field}, ${reported_by}, ${station},
      ${now().toISOString()}, ${due.toISOString()}, ${person ? 'in_work' : 'open'}, ${person?.id ?? null},
      ${group?.id ?? null}, ${(person ?? group)?.name ?? null})
    on conflict (operator_id, order_id, kind, coalesce(order_line_id, 0)) where resolved_at is null do update
      set reports = x.reports + 1, field = excluded.field, station = excluded.station, version = x.version + 1,
        retry = null, retried_by = null,
        note = case when excluded.note = '' or right(x.note, length(excluded.note)) = excluded.note then x.note
          else right(concat_ws(E'\n', nullif(x.note, ''), excluded.note), ${longestNote}) end
    returning x.id, x.reports`.execute(db)
  for (const { id, reports } of rows) {
    await recordEvent({
      kind: 'exception.opened',
      order_id,
      company_id,
      subject: 'exception',
      subject_id: id,
      data: { exception: kind, note, again: reports > 1 },
    })
    notify('exception', id, company_id)
  }
}

type Owners = Pick<CompanySettings['exceptions'], 'owners' | 'owner_groups'>

/**
 * Who owns what is wrong in this way, a person or a group: as the company of the order says, else the company whose stations pack it. A person who
 * may not see it any more owns nothing, nor does a group of which no member may.
 */
async function usualOwner(db: Db, kind: ExceptionKind, company_id: number, own: Owners): Promise<{ person?: Approver; group?: Approver }> {
  const main = await db.selectFrom('companies').select(['id', 'settings']).where('is_main', '=', true).executeTakeFirst()
  const owned = ({ owners, owner_groups }: Owners) => owners[kind] !== undefined || owner_groups[kind] !== undefined
  const { owners, owner_groups } = owned(own) ? own : CompanySettings.parse(main?.settings ?? {}).exceptions
  const company_ids = [company_id, main?.id ?? company_id]
  const [user_id, group_id] = [owners[kind], owner_groups[kind]]
  if (user_id !== undefined) {
    const person = await approverAnywhere(db, { company_ids, user_id }, { codes: exceptionReaders })
    return person ? { person } : {}
  }
  const group = group_id === undefined ? undefined : (await groupsWith(db, company_ids, exceptionReaders)).find(one => one.id === group_id)
  return group ? { group } : {}
}

/** After a group was removed its exceptions have no owner. */
export async function releaseOfGroups({ db, notify }: Context, group_ids: readonly number[]): Promise<void> {
  const released = await db
    .updateTable('packing_exceptions')
    .set(eb => ({ owner_group_id: null, owner_name: null, version: eb('version', '+', 1) }))
    .where('owner_group_id', '=', sql<number>`any(${group_ids})`)
    .where('resolved_at', 'is', null)
    .returning(['id', 'company_id'])
    .execute()
  for (const { id, company_id } of released) notify('exception', id, company_id)
}

/** What happened to the orders ended their exceptions. The label of a parcel is booked in the change that packs its order. */
export async function endExceptions(
  context: Context,
  order_ids: readonly number[],
  resolution: 'label_booked' | 'packed' | 'order_cancelled',
): Promise<void> {
  const { db, now, principal, notify, recordEvents } = context
  if (order_ids.length === 0) return
  const ended = await db
    .updateTable('packing_exceptions')
    .set(eb => ({
      state: resolution === 'order_cancelled' ? 'cancelled' : 'resolved',
      resolution:
        resolution === 'order_cancelled'
          ? resolution
          : sql<
              typeof resolution
            >`case when kind = any (${[...labelKinds]}::text[]) then coalesce(retry, 'label_booked') else 'packed' end`,
      resolved_by: resolution === 'order_cancelled' ? principal.name : sql<string>`coalesce(retried_by, ${principal.name})`,
      retry: null,
      retried_by: null,
      resolved_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('order_id', 'in', [...order_ids])
    .where('resolved_at', 'is', null)
    .$if(resolution === 'label_booked', rows => rows.where('kind', 'in', labelKinds))
    .returning(['id', 'order_id', 'company_id', 'kind', 'resolution'])
    .execute()
  await recordEvents(
    ended.map(({ id, order_id, company_id, kind, resolution: ending }) => ({
      kind: 'exception.resolved',
      order_id,
      company_id,
      subject: 'exception',
      subject_id: id,
      data: { exception: kind, resolution: ending ?? resolution, note: '' },
    })),
  )
  for (const { id, company_id } of ended) notify('exception', id, company_id)
}

/** A label that is refused again for something else is still the same exception, which is of the kind of the new refusal. */
export async function followRetries({ db }: Context, order_id: number, kind: LabelKind): Promise<void> {
  await db
    .updateTable('packing_exceptions')
    .set({ kind })
    .where('order_id', '=', order_id)
    .where('resolved_at', 'is', null)
    .where('retry', 'is not', null)
    .where('kind', '<>', kind)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('packing_exceptions as other')
            .select('other.id')
            .where('other.order_id', '=', order_id)
            .where('other.resolved_at', 'is', null)
            .where('other.kind', '=', kind),
        ),
      ),
    )
    .execute()
}

/** The label is not tried again any more: a stop came, or a packer went on with the order. */
export async function endRetries({ db, notify }: Context, order_ids: readonly number[]): Promise<void> {
  if (order_ids.length === 0) return
  const ended = await db
    .updateTable('packing_exceptions')
    .set(eb => ({ retry: null, retried_by: null, version: eb('version', '+', 1) }))
    .where('order_id', 'in', [...order_ids])
    .where('resolved_at', 'is', null)
    .where('retry', 'is not', null)
    .returning(['id', 'company_id'])
    .execute()
  for (const { id, company_id } of ended) notify('exception', id, company_id)
}

/** Someone goes on with these orders at a station, and so with what was wrong. */
export async function takeOver(context: Context, order_ids: readonly number[]): Promise<void> {
  const { db, principal, notify } = context
  await endRetries(context, order_ids)
  const taken = await db
    .updateTable('packing_exceptions')
    .set(eb => ({
      state: 'in_work',
      owner_user_id: principal.id,
      owner_group_id: null,
      owner_name: principal.name,
      version: eb('version', '+', 1),
    }))
    .where('order_id', 'in', [...order_ids])
    .where('state', '=', 'open')
    .returning(['id', 'company_id'])
    .execute()
  for (const { id, company_id } of taken) notify('exception', id, company_id)
}

/** Gives it to a person of the caller's company who may see exceptions; without one it is open again. */
export async function assignException(
  context: Context,
  id: number,
  { user_id, version }: { user_id: number | null; version?: number | undefined },
): Promise<void> {
  const { db, principal, notify, recordEvent } = context
  const owner =
    user_id === null
      ? null
      : orNotFound(
          await approverById(db, { company_id: principal.company.id, user_id }, { codes: exceptionReaders }),
          'owner_not_found',
          'This person cannot take exceptions over',
        )
  const exception = await openException(context, id, version)
  if (exception.owner_group_id === null && exception.owner_user_id === (owner?.id ?? null)) return
  await change(context, exception, {
    owner_user_id: owner?.id ?? null,
    owner_group_id: null,
    owner_name: owner?.name ?? null,
    state: owner ? 'in_work' : 'open',
  })
  await recordEvent({
    kind: 'exception.assigned',
    ...subjectOf(exception),
    data: { exception: exception.kind, owner: owner?.name ?? null },
  })
  notify('exception', id, exception.company_id)
}

export async function addNote(context: Context, id: number, note: string): Promise<void> {
  const { notify, recordEvent } = context
  const exception = await openException(context, id)
  await change(context, exception, withNote(context, exception, note))
  await recordEvent({ kind: 'exception.noted', ...subjectOf(exception), data: { exception: exception.kind, note } })
  notify('exception', id, exception.company_id)
}

/**
 * Ends it. An order that still waits where it was set aside goes back into the queue, unless something else is wrong with it; what is missing is
 * picked again, follows later or is cancelled where that was decided.
 */
export async function resolveException(
  context: Context,
  id: number,
  {
    note,
    version,
    resolution: decided,
  }: { note: string; version?: number | undefined; resolution: 'solved' | Exclude<DecidedResolution, Retry> },
): Promise<void> {
  const { db, now, principal, notify, recordEvent } = context
  const { order_id } = await exceptionById(db, id)
  orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
  const exception = await openException(context, id, version)
  const end = async (resolution: NonNullable<Exception['resolution']>) => {
    await change(context, exception, {
      state: resolution === 'order_cancelled' ? 'cancelled' : 'resolved',
      resolution,
      resolved_by: principal.name,
      resolved_at: now().toISOString(),
      ...withNote(context, exception, note),
    })
    await recordEvent({ kind: 'exception.resolved', ...subjectOf(exception), data: { exception: exception.kind, resolution, note } })
    notify('exception', id, exception.company_id)
  }
  if (decided === 'solved') {
    const released = !(await hasOthers(context, exception)) && (await releaseSetAside(context, order_id))
    return end(released ? 'back_to_queue' : 'solved')
  }
  const { lines, order, refusalOf } = await decisionsOn(context, exception)
  const why = refusalOf(decided)
  if (why)
    throw why.code === 'cancel_lines_forbidden' ? forbidden(why.code, why.text, why.values) : conflict(why.code, why.text, why.values)
  // Before what follows of it: an order that is cancelled by it ends its other exceptions.
  await end(decided)
  if (decided === 'order_cancelled') {
    await moveOrder(context, order_id, 'cancelled')
  } else if (decided === 'refill') {
    await releaseSetAside(context, order_id)
    await refillOrder(context, order_id, lines)
  } else {
    if (decided === 'cancel_lines') await cancelLines(context, order, lines)
    if (!(await hasOthers(context, exception))) await releaseSetAside(context, order_id)
  }
}

const hasOthers = async ({ db }: Context, { id, order_id }: Exception): Promise<boolean> =>
  (await db
    .selectFrom('packing_exceptions')
    .select('id')
    .where('order_id', '=', order_id)
    .where('id', '<>', id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()) !== undefined

/** Takes the pieces off the order; with the last one the order itself is cancelled, and what lies in its box goes back. */
async function cancelLines(context: Context, order: OrderFacts, lines: readonly MissingLine[]): Promise<void> {
  const { db, now, principal, recordEvent } = context
  for (const { order_line_id, quantity } of lines)
    if (!(await cancelPieces(db, order_line_id, quantity))) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  const pieces = lines.reduce((sum, line) => sum + line.quantity, 0)
  const [first] = lines
  await recordEvent({
    kind: 'order.lines_cancelled',
    order_id: order.id,
    company_id: order.company_id,
    data: { pieces, ...(first && lines.length === 1 && { name: first.name }) },
  })
  const left = await db
    .selectFrom('order_lines')
    .select('id')
    .where('order_id', '=', order.id)
    .where('type', '=', 'item')
    .whereRef('cancelled_qty', '<', 'qty')
    .limit(1)
    .executeTakeFirst()
  if (!left) await cancelOrders(context, [order.id], { at: now().toISOString(), note: principal.name, together: true })
}

export const subjectOf = ({ id, order_id, company_id }: Exception) => ({ order_id, company_id, subject: 'exception', subject_id: id })

/** What a person adds to the words of an exception. */
export const withNote = ({ principal }: Context, exception: Exception, note: string): { note?: string } =>
  note === '' ? {} : { note: [exception.note, `${principal.name}: ${note}`].filter(Boolean).join('\n').slice(-longestNote) }

/** @throws {AppError} 409 where it is resolved, or where someone else has changed it since `version` */
export async function openException({ db }: Context, id: number, version?: number): Promise<Exception> {
  const exception = await exceptionById(db, id)
  if (exception.resolved_at !== null)
    throw conflict(
      'exception_resolved',
      '{{name}} has resolved this already',
      { name: exception.resolved_by ?? '' },
      { current: exception },
    )
  if (version !== undefined && version !== exception.version)
    throw conflict('exception_changed', 'Someone else has changed this. Check it and try again.', {}, { current: exception })
  return exception
}

export async function change(
  { db }: Context,
  { id, version }: Exception,
  set: Partial<
    Pick<
      Exception,
      | 'owner_user_id'
      | 'owner_group_id'
      | 'owner_name'
      | 'state'
      | 'note'
      | 'retry'
      | 'retried_by'
      | 'resolution'
      | 'resolved_by'
      | 'resolved_at'
    >
  >,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('packing_exceptions')
    .set({ ...set, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('exception_changed', 'Someone else has changed this. Check it and try again.')
}
