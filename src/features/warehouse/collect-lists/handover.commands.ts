/** After the scanning: lists are closed, handed over to the courier, and opened again – orders and shipments with them. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { recountShipped } from '#features/orders/orders/lines/order-lines.commands.ts'
import { undoHandOver } from '#features/orders/orders/order-state.commands.ts'
import { updateOrderByShipments } from '#features/shipping/labels/shipment-status.commands.ts'
import { handOverShipments, takeBackShipments } from '#features/shipping/labels/shipment-steps.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { missingEvents } from './collect-lists.rules.ts'
import type { MissingReason } from './collect-lists.schemas.ts'
import { parcelsOfList } from './parcels.queries.ts'
import { code, joinWaiting, mustRun, noList } from './scan-out.commands.ts'
import { type Clockwork, freeToReopen, isRunning, type ListFacts, takeList } from './views.queries.ts'

/** What must be out of the cage before the list goes on. */
function mustBeClean(list: ListFacts, take_out: readonly { tracking_no: string | null }[]): void {
  if (take_out.length > 0)
    throw conflict(
      'cage_holds_stopped_parcels',
      'Take {{count}} parcels out first: their label was cancelled or their order stopped. The first is {{parcel}}.',
      {
        count: take_out.length,
        parcel: take_out[0]?.tracking_no ?? '',
        list: code(list.id),
      },
    )
}

/** Their orders, each once, in the order in which all callers lock them. A shipment may have none. */
const ordersOf = (parcels: readonly { order_id: number | null }[]): number[] =>
  [...new Set(parcels.flatMap(parcel => parcel.order_id ?? []))].sort((a, b) => a - b)

/** Locks the orders of these parcels and then the parcels, the order that all callers use: from here on no label is cancelled. */
async function takeParcels(db: Db, parcels: readonly { order_id: number | null; shipment_id: number }[]): Promise<void> {
  for (const [table, ids] of [
    ['orders', ordersOf(parcels)],
    ['shipments', parcels.map(parcel => parcel.shipment_id)],
  ] as const)
    await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', sql<number>`any(${[...new Set(ids)]})`)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
}

/** Ends the scanning. @throws {Refusal} 409 until every missing parcel has its reason */
export async function closeList(
  context: Context,
  id: number,
  reasons: readonly { shipment_id: number; reason: MissingReason }[],
): Promise<void> {
  const { db, now, principal, recordEvent, recordEvents, notify } = context
  const list = orNotFound(await takeList(db, id), 'collect_list_not_found', noList)
  if (list.state === 'closed') throw conflict('collect_list_closed', 'List {{list}} is closed already', { list: code(id) })
  mustRun(list)
  await joinWaiting(db, list)
  await takeParcels(db, await parcelsOfList(db, id))
  const parcels = await parcelsOfList(db, id)
  mustBeClean(
    list,
    parcels.filter(parcel => parcel.standing === 'take_out'),
  )
  const given = new Map(reasons.map(one => [one.shipment_id, one.reason]))
  const missing = parcels
    .filter(parcel => parcel.standing === 'expected')
    .map(parcel => ({ ...parcel, why: given.get(parcel.shipment_id) }))
  const silent = missing.filter(parcel => parcel.why === undefined)
  if (silent.length > 0)
    throw conflict(
      'missing_parcel_reason_required',
      'Say for each missing parcel why it is not there: {{count}} have no reason yet. The first is {{parcel}}.',
      { count: silent.length, parcel: silent[0]?.tracking_no ?? '' },
      { current: { missing: silent.map(parcel => parcel.shipment_id) } },
    )
  for (const reason of new Set(missing.map(parcel => parcel.why))) {
    const of = missing.filter(parcel => parcel.why === reason)
    await db
      .updateTable('collect_parcels')
      .set({ state: 'missing', reason: reason ?? null, live: false })
      .where('collect_list_id', '=', id)
      .where('shipment_id', '=', sql<number>`any(${of.map(parcel => parcel.shipment_id)})`)
      .execute()
    if (reason)
      await recordEvents(
        of.map(parcel => ({
          kind: missingEvents[reason],
          subject: 'collect_list',
          subject_id: id,
          order_id: parcel.order_id,
          company_id: parcel.company_id,
          data: { list: code(id), cage: list.cage_name, tracking_no: parcel.tracking_no },
        })),
      )
  }
  // Cancelled, stopped or gone another way before anybody scanned them: they were never here.
  const dropped = parcels.filter(parcel => parcel.standing === 'dropped')
  await db
    .updateTable('collect_parcels')
    .set({ state: 'taken_out', reason: null, live: false })
    .where('collect_list_id', '=', id)
    .where('shipment_id', '=', sql<number>`any(${dropped.map(parcel => parcel.shipment_id)})`)
    .execute()
  const scanned = parcels.filter(parcel => parcel.standing === 'scanned')
  await db
    .updateTable('collect_lists')
    .set(eb => ({
      state: 'closed',
      closed_at: now().toISOString(),
      closed_by_name: principal.name,
      expected_count: scanned.length + missing.length,
      scanned_count: scanned.length,
      missing_count: missing.length,
      weight_g: scanned.reduce((sum, parcel) => sum + parcel.weight_g, 0),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: 'collect_list.closed',
    subject: 'collect_list',
    subject_id: id,
    data: { cage: list.cage_name, scanned: scanned.length, missing: missing.length },
  })
  notify('collect_list', id)
}

/** The courier has it: shipments and orders move, in one transaction. */
export async function handOver(
  context: Context,
  id: number,
  { driver, driver_signature }: { driver: string; driver_signature?: string | undefined },
): Promise<void> {
  const { db, now, principal, recordEvent, recordEvents, notify } = context
  const list = orNotFound(await takeList(db, id), 'collect_list_not_found', noList)
  // The answer was lost, and the same is said again.
  if (list.state === 'handed_over' && list.handed_to === driver) return
  if (list.state === 'handed_over')
    throw conflict('collect_list_handed_over', 'List {{list}} was handed over to {{driver}} already', {
      list: code(id),
      driver: list.handed_to,
    })
  if (list.state !== 'closed') throw conflict('collect_list_open', 'Close list {{list}} first', { list: code(id) })
  const known = (await parcelsOfList(db, id)).filter(parcel => parcel.standing === 'scanned' || parcel.standing === 'take_out')
  await takeParcels(db, known)
  const parcels = await parcelsOfList(db, id)
  mustBeClean(
    list,
    parcels.filter(parcel => parcel.standing === 'take_out'),
  )
  const scanned = parcels.filter(parcel => parcel.standing === 'scanned')
  if (scanned.length === 0)
    throw conflict('collect_list_empty', 'Nothing was scanned onto list {{list}}: there is nothing to hand over', { list: code(id) })
  const at = now().toISOString()
  const moved = await handOverShipments(
    context,
    scanned.map(parcel => parcel.shipment_id),
    at,
  )
  await recordEvents(
    moved.map(one => ({
      kind: 'shipment.collected',
      subject: 'collect_list',
      subject_id: id,
      order_id: one.order_id,
      company_id: one.company_id,
      data: { list: code(id), cage: list.cage_name, driver, tracking_no: one.tracking_no, parcel_no: one.parcel_no },
    })),
  )
  for (const order_id of ordersOf(moved)) await updateOrderByShipments(context, order_id, at)
  await db
    .updateTable('collect_lists')
    .set(eb => ({
      state: 'handed_over',
      handed_to: driver,
      driver_signature: driver_signature ?? null,
      handed_over_at: at,
      handed_over_by_name: principal.name,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: 'collect_list.handed_over',
    subject: 'collect_list',
    subject_id: id,
    data: { cage: list.cage_name, driver, parcels: moved.length },
  })
  for (const company_id of new Set(moved.map(one => one.company_id))) notify('shipment', undefined, company_id)
  notify('collect_list', id)
}

/** Scanning goes on. What the courier has seen since the hand-over stays handed over. */
export async function reopenList(context: Context, id: number, note: string, { time_zone }: Clockwork): Promise<void> {
  const { db, now, principal, station, recordEvent, notify } = context
  const list = orNotFound(await takeList(db, id), 'collect_list_not_found', noList)
  if (isRunning(list.state)) throw conflict('collect_list_reopened', 'List {{list}} is open already', { list: code(id) })
  if (list.closed_at === null || localDay(new Date(list.closed_at), time_zone) !== localDay(now(), time_zone))
    throw conflict('collect_list_reopen_too_late', 'A list is opened again on the day on which it was closed, and on no other')
  if (list.cage_id === null) throw conflict('cage_deleted', 'The cage of this list exists no more')
  const other = await freeToReopen(db, list)
  if (other)
    throw conflict('cage_has_open_list', '{{cage}} has a running list already: {{list}}', { cage: list.cage_name, list: code(other.id) })
  const parcels = await parcelsOfList(db, id)
  await takeParcels(db, parcels)
  if (list.state === 'handed_over') await takeBack(context, list, note)
  // What was missing may turn up now, unless it went onto another list meanwhile.
  await sql`
    update collect_parcels p set state = 'expected', reason = null, live = true
    where p.operator_id = current_operator_id() and p.company_id = any(current_company_ids()) and p.collect_list_id = ${id} and p.state = 'missing' and not p.live
      and not exists (select from collect_parcels other where other.operator_id = p.operator_id and other.shipment_id = p.shipment_id and other.live)`.execute(
    db,
  )
  await db
    .updateTable('collect_lists')
    .set(eb => ({
      state: 'scanning',
      closed_at: null,
      closed_by_name: null,
      handed_to: null,
      driver_signature: null,
      handed_over_at: null,
      handed_over_by_name: null,
      reopened_at: now().toISOString(),
      reopen_note: note,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: 'collect_list.reopened',
    subject: 'collect_list',
    subject_id: id,
    data: { cage: list.cage_name, note, from: list.state, by: principal.name, station },
  })
  notify('collect_list', id)
}

/** Undoes the handover of every parcel of which no courier has reported an event since. */
async function takeBack(context: Context, list: ListFacts, note: string): Promise<void> {
  const { db, now, recordEvents, notify } = context
  const scanned = await db
    .selectFrom('collect_parcels')
    .select('shipment_id')
    .where('collect_list_id', '=', list.id)
    .where('state', '=', 'scanned')
    .where('live', '=', true)
    .execute()
  const back = await takeBackShipments(
    context,
    scanned.map(parcel => parcel.shipment_id),
    list.handed_over_at ?? now().toISOString(),
  )
  if (back.length === 0) return
  await recordEvents(
    back.map(one => ({
      kind: 'shipment.hand_over_undone',
      subject: 'shipment',
      subject_id: one.id,
      order_id: one.order_id,
      company_id: one.company_id,
      data: { list: code(list.id), note, tracking_no: one.tracking_no },
    })),
  )
  const orders = ordersOf(back)
  await undoHandOver(context, orders)
  // What other parcels of the order took with them has left.
  await recountShipped(db, orders)
  for (const company_id of new Set(back.map(one => one.company_id))) notify('shipment', undefined, company_id)
}
