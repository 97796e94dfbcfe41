/** Writing shipment exceptions: opened, given to a person, planned, noted, resolved. */
import { sql } from 'kysely'
import { access } from '#contract/access.ts'
import { conflict, orNotFound } from '#contract/errors.ts'
import { approverById } from '#features/company/users/credentials.queries.ts'
import { reportLost } from '#features/shipping/labels/shipment-steps.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { personResolutions, ShipmentExceptionKind, ShipmentExceptionResolution } from './shipment-exceptions.codes.ts'
import { shipmentExceptionById } from './shipment-exceptions.queries.ts'
import type { ShipmentException } from './shipment-exceptions.schemas.ts'

const longestNote = 4_000

export interface OpenedException {
  shipment_id: number
  order_id: number | null
  company_id: number
  kind: ShipmentExceptionKind
}

/** Opens exceptions; one that is open already stays as it is. */
export async function openExceptions(context: Context, found: readonly OpenedException[]): Promise<void> {
  const { db, now, notify, recordEvents } = context
  if (found.length === 0) return
  const opened = await db
    .insertInto('shipment_exceptions')
    .values(found.map(one => ({ ...one, opened_at: now().toISOString() })))
    .onConflict(known => known.columns(['operator_id', 'shipment_id', 'kind']).where('resolved_at', 'is', null).doNothing())
    .returning(['id', 'shipment_id', 'order_id', 'company_id', 'kind'])
    .execute()
  await recordEvents(opened.map(one => ({ kind: 'shipment_exception.opened' as const, ...subjectOf(one), data: { exception: one.kind } })))
  for (const { id, company_id } of opened) notify('shipment_exception', id, company_id)
  const lost = opened.filter(one => one.kind === 'lost').map(one => one.shipment_id)
  await endShipmentExceptions(context, lost, 'replaced', ['no_scan', 'no_movement'])
}

/** What the courier still names, as the kind of an exception `x`. */
const reasonOfShipment = sql`select case s.event_reason when 'address_problem' then 'address' else s.event_reason end from shipments s
  where s.operator_id = x.operator_id and s.id = x.shipment_id`

/** What happened to the shipments ended their exceptions. What their courier still names goes on. */
export async function endShipmentExceptions(
  context: Context,
  shipment_ids: readonly number[],
  resolution: Extract<ShipmentExceptionResolution, 'delivered' | 'moving' | 'replaced' | 'cancelled'>,
  kinds?: readonly ShipmentExceptionKind[],
): Promise<void> {
  const { db, now, principal, notify, recordEvents } = context
  if (shipment_ids.length === 0) return
  let ending = db
    .updateTable('shipment_exceptions as x')
    .set(eb => ({ resolution, resolved_by: principal.name, resolved_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('shipment_id', 'in', [...shipment_ids])
    .where('resolved_at', 'is', null)
  if (kinds) ending = ending.where('kind', 'in', [...kinds]).where(sql<boolean>`kind <> coalesce((${reasonOfShipment}), '')`)
  const ended = await ending.returning(['id', 'order_id', 'company_id', 'kind']).execute()
  await recordEvents(
    ended.map(one => ({
      kind: 'shipment_exception.resolved' as const,
      ...subjectOf(one),
      data: { exception: one.kind, resolution, note: '' },
    })),
  )
  for (const { id, company_id } of ended) notify('shipment_exception', id, company_id)
}

/** Gives it to a person of the caller's company who may see shipments; without one it has no owner. */
export async function assignShipmentException(
  context: Context,
  id: number,
  { user_id, version }: { user_id: number | null; version?: number | undefined },
): Promise<void> {
  const { db, principal, notify, recordEvent } = context
  const owner =
    user_id === null
      ? null
      : orNotFound(
          await approverById(db, { company_id: principal.company.id, user_id }, { codes: access.parcels }),
          'owner_not_found',
          'This person cannot take exceptions over',
        )
  const exception = await openException(context, id, version)
  if (exception.owner_user_id === (owner?.id ?? null)) return
  await change(context, exception, { owner_user_id: owner?.id ?? null, owner_name: owner?.name ?? null })
  await recordEvent({
    kind: 'shipment_exception.assigned',
    ...subjectOf(exception),
    data: { exception: exception.kind, owner: owner?.name ?? null },
  })
  notify('shipment_exception', id, exception.company_id)
}

export async function planStep(
  context: Context,
  id: number,
  { next_step, next_at, version }: { next_step: string; next_at: string | null; version?: number | undefined },
): Promise<void> {
  const { notify, recordEvent } = context
  const exception = await openException(context, id, version)
  await change(context, exception, { next_step, next_at: next_at === null ? null : new Date(next_at).toISOString() })
  await recordEvent({
    kind: 'shipment_exception.planned',
    ...subjectOf(exception),
    data: { exception: exception.kind, next_step, next_at },
  })
  notify('shipment_exception', id, exception.company_id)
}

const noted = ({ note }: ShipmentException, name: string, added: string) =>
  [note, `${name}: ${added}`].filter(Boolean).join('\n').slice(-longestNote)

export async function noteShipmentException(context: Context, id: number, note: string): Promise<void> {
  const { notify, principal, recordEvent } = context
  const exception = await openException(context, id)
  await change(context, exception, { note: noted(exception, principal.name, note) })
  await recordEvent({ kind: 'shipment_exception.noted', ...subjectOf(exception), data: { exception: exception.kind, note } })
  notify('shipment_exception', id, exception.company_id)
}

/** Ends it. A shipment that a person calls lost is lost. */
export async function resolveShipmentException(
  context: Context,
  id: number,
  { resolution, note, version }: { resolution: (typeof personResolutions)[number]; note: string; version?: number | undefined },
): Promise<void> {
  const { db, now, principal, notify, recordEvent } = context
  // Order, shipment and exception are locked in the order in which the courier's events lock them.
  if (resolution === 'lost') await reportLost(context, (await shipmentExceptionById(db, id)).shipment_id)
  const exception = await openException(context, id, version)
  await change(context, exception, {
    resolution,
    resolved_by: principal.name,
    resolved_at: now().toISOString(),
    ...(note && { note: noted(exception, principal.name, note) }),
  })
  await recordEvent({
    kind: 'shipment_exception.resolved',
    ...subjectOf(exception),
    data: { exception: exception.kind, resolution, note },
  })
  notify('shipment_exception', id, exception.company_id)
}

const subjectOf = ({ id, order_id, company_id }: { id: number; order_id: number | null; company_id: number }) => ({
  order_id,
  company_id,
  subject: 'shipment_exception',
  subject_id: id,
})

/** @throws {AppError} 409 where it is resolved, or where someone else has changed it since `version` */
async function openException({ db }: Context, id: number, version?: number): Promise<ShipmentException> {
  const exception = await shipmentExceptionById(db, id)
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

async function change(
  { db }: Context,
  { id, version }: ShipmentException,
  set: Partial<
    Pick<
      ShipmentException,
      'owner_user_id' | 'owner_name' | 'next_step' | 'next_at' | 'note' | 'resolution' | 'resolved_by' | 'resolved_at'
    >
  >,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('shipment_exceptions')
    .set({ ...set, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('exception_changed', 'Someone else has changed this. Check it and try again.')
}
