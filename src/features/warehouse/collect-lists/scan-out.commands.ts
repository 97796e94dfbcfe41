/**
 * Scanning out: lists are made of what waits in a cage, and parcels leave it one by one. Every change of a list locks its row first,
 * then orders by their number, then shipments: so scans, a closing and a cancelled label never pass each other.
 */

import { sql } from 'kysely'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { candidates, listCode } from '#domain/codes.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { leftStates } from '#domain/order/shipment-states.ts'
import { stopOfParcel } from '#features/orders/orders/holds.queries.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { isShipmentLink, isTrackingLink } from '#features/shipping/tracking/tracking-link.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { cagesOf, cutOffOf, keptCage } from './cages.queries.ts'
import { cageFor, scanSentences } from './collect-lists.rules.ts'
import { type Cage, type ScanAnswer, ScanAnswer as ScanAnswerShape, type ScanResult } from './collect-lists.schemas.ts'
import { cutOffs } from './cutoffs.server.ts'
import {
  companyOfOrder,
  nothingStands,
  parcelInFull,
  parcelsOfList,
  parcelsOfOrder,
  placeOf,
  type Scannable,
  shipmentByNumbers,
  shipmentWithoutOrder,
  standingsOf,
  takeShipment,
} from './parcels.queries.ts'
import { agentName, type Clockwork, freeToReopen, joiningCount, joiningParcels, type ListFacts, takeList } from './views.queries.ts'

export const noList = 'Collect list not found'
export const code = (id: number): string => listCode('CL', id)

/** Makes the list of a cage; answers its id. @throws {Refusal} 404, 409 where the cage has one that runs */
export async function createList(
  context: Context,
  asked: { agent_code: string; cage: string | null },
  { time_zone }: Clockwork,
): Promise<number> {
  const { db, now, principal, recordEvent, notify } = context
  const cages = (await cagesOf(db, [asked.agent_code])).filter(cage => cage.agent_code === asked.agent_code && cage.active)
  const only = cages.length === 1 ? cages[0] : undefined
  const chosen = asked.cage === null ? only : cages.find(cage => cage.name.toLowerCase() === asked.cage?.toLowerCase())
  if (asked.cage === null && cages.length > 1)
    throw unprocessable('cage_missing', 'Select a cage', {}, { fields: { cage: 'Select a cage' } })
  const cage = await keptCage(db, orNotFound(chosen, 'cage_not_found', 'Cage not found'))
  const { next } = cutOffs({ cut_off: cutOffOf(cage), days: cage.days }, now(), time_zone)
  const row = await db
    .insertInto('collect_lists')
    .values({
      agent_code: cage.agent_code,
      cage_id: cage.id,
      cage_name: cage.name,
      cut_off_at: next,
      created_by: principal.id || null,
      created_by_name: principal.name,
      created_at: now().toISOString(),
    })
    .onConflict(taken => taken.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) {
    const running = await freeToReopen(db, { id: 0, agent_code: cage.agent_code, cage_id: cage.id })
    throw conflict('cage_has_open_list', '{{cage}} has a running list already: {{list}}', {
      cage: cage.name,
      list: running ? code(running.id) : '',
    })
  }
  const joined = await joinWaiting(db, { id: row.id, agent_code: cage.agent_code, cage_id: cage.id, state: 'open' })
  await recordEvent({
    kind: 'collect_list.created',
    subject: 'collect_list',
    subject_id: row.id,
    data: { cage: cage.name, parcels: joined },
  })
  notify('collect_list', row.id)
  return row.id
}

/** Writes everything that waits in the cage onto its list; answers how many came. */
export async function joinWaiting(db: Db, list: Pick<ListFacts, 'id' | 'agent_code' | 'cage_id' | 'state'>): Promise<number> {
  const parcels = await joiningParcels(db, list)
  if (parcels.length === 0) return 0
  const { rows } = await sql`
    insert into collect_parcels (company_id, collect_list_id, shipment_id, order_id)
    select w.company_id, ${list.id}::bigint, w.shipment_id, w.order_id
    from unnest(${parcels.map(one => one.company_id)}::bigint[], ${parcels.map(one => one.shipment_id)}::bigint[], ${parcels.map(one => one.order_id)}::bigint[])
      as w(company_id, shipment_id, order_id)
    on conflict (operator_id, collect_list_id, shipment_id) do update set state = 'expected', reason = null, live = true
      where not collect_parcels.live
    returning 1`.execute(db)
  return rows.length
}

/** The numbers that a scanned label may be known by. */
function numbersIn(raw: string): string[] {
  const number = scannedNumber(raw)
  const link = /\/00\/(\d{18})(?:[/?#]|$)/.exec(raw)?.[1]
  const all = [raw.trim(), number, ...candidates(raw), ...(link ? [link] : [])]
  return [...new Set(all.flatMap(one => (/^\d{18}$/.test(one) ? [one, `00${one}`] : [one])))].filter(Boolean)
}

/** The parcel that a code means: its number, its tracking link, or that of an order that has but one. */
async function meant({ db, services }: Context, raw: string): Promise<Scannable | 'several' | undefined> {
  const known = await shipmentByNumbers(db, numbersIn(raw))
  if (known) return known
  const [, shipment, proof] = /[?&]p=(\d{1,15})&s=([\w-]+)/.exec(raw) ?? []
  if (shipment !== undefined && proof !== undefined) {
    const parcel = await shipmentWithoutOrder(db, Number(shipment))
    return parcel && isShipmentLink(services, parcel.company_id, parcel.shipment_id, proof) ? parcel : undefined
  }
  const [, order, signature] = /[?&]o=(\d{1,15})&s=([\w-]+)/.exec(raw) ?? []
  if (order === undefined || signature === undefined) return undefined
  const owner = await companyOfOrder(db, Number(order))
  if (!owner || !isTrackingLink(services, owner.company_id, Number(order), signature)) return undefined
  const parcels = await parcelsOfOrder(db, Number(order))
  return parcels.length > 1 ? 'several' : parcels[0]
}

interface Judged {
  result: ScanResult
  text: string
  values: ScanAnswer['values']
  cage: Cage | null
}
const judged = (result: ScanResult, text: string, values: ScanAnswer['values'] = {}, cage: Cage | null = null): Judged => ({
  result,
  text,
  values,
  cage,
})

/** Says what the parcel is to this list. Order and shipment are taken already. */
async function judge({ db }: Context, list: ListFacts, parcel: Scannable): Promise<Judged> {
  const number = parcel.tracking_no ?? ''
  if (parcel.state === 'cancelled' || parcel.state === 'blocked') return judged('cancelled', scanSentences.cancelled, { parcel: number })
  if (parcel.operation_code === 'return') return judged('unknown', scanSentences.returned, { parcel: number })
  if (leftStates.includes(parcel.state)) return judged('gone', scanSentences.gone, { parcel: number })
  const stop = parcel.order_id === null ? null : await stopOfParcel(db, parcel.order_id)
  if (stop) return judged('stopped', stop.text, { ...stop.values, parcel: number })
  if (parcel.state !== 'booked' || !parcel.packed) return judged('not_packed', scanSentences.notPacked, { parcel: number })
  const place = await placeOf(db, parcel.shipment_id)
  if (place && place.list_id !== list.id && place.state === 'scanned' && place.cage_name === list.cage_name)
    return judged('again', scanSentences.againOn, { list: code(place.list_id), parcel: number })
  if (place?.list_id === list.id && place.state === 'scanned')
    return judged('again', scanSentences.again, { name: place.scanned_by_name, parcel: number })
  if (place && place.list_id !== list.id)
    return judged(
      'elsewhere',
      scanSentences.elsewhere,
      { cage: place.cage_name, courier: agentName(place.agent_code), parcel: number },
      await cageNamed(db, place),
    )
  // What stands on this list already belongs here, whatever became of the cages since.
  if (place) return judged('ok', scanSentences.ok, { parcel: number })
  const cage = cageFor(parcel, await cagesOf(db, [parcel.agent_code]))
  if (cage?.id !== list.cage_id || list.cage_id === null)
    return judged(
      'elsewhere',
      scanSentences.elsewhere,
      { cage: cage?.name ?? agentName(parcel.agent_code), courier: agentName(parcel.agent_code), parcel: number },
      cage ?? null,
    )
  return judged('ok', scanSentences.ok, { parcel: number })
}

const cageNamed = async (db: Db, of: { agent_code: string; cage_name: string }): Promise<Cage | null> =>
  (await cagesOf(db, [of.agent_code])).find(cage => cage.agent_code === of.agent_code && cage.name === of.cage_name) ?? null

const Stored = ScanAnswerShape.nullable().catch(null)

/** What this scan was answered, where it was answered before. */
async function answeredBefore(db: Db, scan_id: string): Promise<ScanAnswer | null> {
  const row = await db.selectFrom('collect_scans').select('answer').where('id', '=', scan_id).executeTakeFirst()
  return row ? Stored.parse(row.answer) : null
}

/** One scan of one parcel, once, however often it is sent. */
export async function scanParcel(context: Context, id: number, scan: { scan_id: string; code: string }): Promise<ScanAnswer> {
  const { db } = context
  const list = orNotFound(await takeList(db, id), 'collect_list_not_found', noList)
  const before = await answeredBefore(db, scan.scan_id)
  if (before) return before
  mustRun(list)
  const parcel = await meant(context, scan.code)
  if (parcel === undefined || parcel === 'several') {
    const judgement =
      parcel === 'several'
        ? judged('unknown', scanSentences.several)
        : judged('unknown', scanSentences.unknown, { code: scan.code.slice(0, 60) })
    return answer(context, list, scan, judgement, null)
  }
  if (parcel.order_id !== null) await takeOrder(db, parcel.order_id)
  const taken = orNotFound(await takeShipment(db, parcel.shipment_id), 'shipment_not_found', 'Shipment not found')
  const judgement = await judge(context, list, taken)
  if (judgement.result === 'ok') await putOnList(context, list, taken)
  if (judgement.result === 'cancelled' || judgement.result === 'stopped') await takeOff(context, taken, judgement.result)
  return answer(context, list, scan, judgement, taken)
}

export function mustRun(list: ListFacts): void {
  if (list.state === 'closed')
    throw conflict('collect_list_closed_for_scans', 'List {{list}} is closed: nothing more is scanned onto it', { list: code(list.id) })
  if (list.state === 'handed_over')
    throw conflict('collect_list_handed_over_for_scans', 'List {{list}} is handed over: nothing more is scanned onto it', {
      list: code(list.id),
    })
}

async function putOnList({ db, now, principal, recordEvent }: Context, list: ListFacts, parcel: Scannable): Promise<void> {
  const scanned = { state: 'scanned' as const, reason: null, live: true, scanned_by_name: principal.name, scanned_at: now().toISOString() }
  await db
    .insertInto('collect_parcels')
    .values({
      company_id: parcel.company_id,
      collect_list_id: list.id,
      shipment_id: parcel.shipment_id,
      order_id: parcel.order_id,
      ...scanned,
    })
    .onConflict(taken => taken.columns(['operator_id', 'collect_list_id', 'shipment_id']).doUpdateSet(scanned))
    .execute()
  if (list.state === 'open') await db.updateTable('collect_lists').set({ state: 'scanning' }).where('id', '=', list.id).execute()
  await recordEvent({
    kind: 'shipment.scanned_out',
    order_id: parcel.order_id,
    company_id: parcel.company_id,
    subject: 'shipment',
    subject_id: parcel.shipment_id,
    data: { list: code(list.id), cage: list.cage_name, tracking_no: parcel.tracking_no },
  })
}

/** Whichever living list it stands on, it is out of the cage now. Answers whether it stood on one. */
async function takeOff({ db, recordEvent, notify }: Context, parcel: Scannable, reason: 'cancelled' | 'stopped'): Promise<boolean> {
  const rows = await db
    .updateTable('collect_parcels')
    .set({ state: 'taken_out', reason, live: false })
    .where('shipment_id', '=', parcel.shipment_id)
    .where('live', '=', true)
    .returning('collect_list_id')
    .execute()
  for (const { collect_list_id } of rows) {
    await recordEvent({
      kind: 'shipment.taken_out',
      order_id: parcel.order_id,
      company_id: parcel.company_id,
      subject: 'shipment',
      subject_id: parcel.shipment_id,
      data: { list: code(collect_list_id), reason, tracking_no: parcel.tracking_no },
    })
    notify('collect_list', collect_list_id)
  }
  return rows.length > 0
}

async function answer(
  { db, now, principal, notify }: Context,
  list: ListFacts,
  scan: { scan_id: string; code: string },
  { cage, ...judgement }: Judged,
  parcel: Scannable | null,
): Promise<ScanAnswer> {
  const [shown] = parcel ? await parcelsOfList(db, list.id, [parcel.shipment_id]) : []
  // A parcel of another cage is named by its order and receiver too.
  const other = judgement.result === 'elsewhere' && parcel && !shown ? await parcelInFull(db, parcel.shipment_id) : undefined
  const stands = (await standingsOf(db, [list.id])).get(list.id) ?? nothingStands()
  const joining = await joiningCount(db, list)
  const answer: ScanAnswer = {
    scan_id: scan.scan_id,
    ...judgement,
    parcel: shown ? (({ company_id: _, ...rest }) => rest)(shown) : (other ?? null),
    cage: cage && { agent: cage.agent, name: cage.name, colour: cage.colour },
    counts: {
      expected: stands.expected + stands.scanned + joining,
      scanned: stands.scanned,
      missing: stands.expected + joining,
      take_out: stands.take_out,
    },
  }
  await db
    .insertInto('collect_scans')
    .values({
      id: scan.scan_id,
      collect_list_id: list.id,
      raw: scan.code.slice(0, 512),
      result: judgement.result,
      shipment_id: parcel?.shipment_id ?? null,
      user_id: principal.id,
      user_name: principal.name,
      at: now().toISOString(),
      answer: JSON.stringify(answer),
    })
    .execute()
  notify('collect_list', list.id)
  return answer
}

/** A scan by mistake, or a parcel that was taken out of the cage again. */
export async function undoScan(
  context: Context,
  id: number,
  { scan_id, shipment_id, unknown_scan_id = null }: { scan_id: string; shipment_id: number | null; unknown_scan_id?: string | null },
): Promise<ScanAnswer> {
  const { db, principal, recordEvent } = context
  const list = orNotFound(await takeList(db, id), 'collect_list_not_found', noList)
  const before = await answeredBefore(db, scan_id)
  if (before) return before
  mustRun(list)
  if (unknown_scan_id !== null) return removeUnknown(context, list, { scan_id, unknown_scan_id })
  const last =
    shipment_id ??
    (
      await db
        .selectFrom('collect_scans as c')
        .innerJoin('collect_parcels as p', j =>
          j.onRef('p.shipment_id', '=', 'c.shipment_id').onRef('p.collect_list_id', '=', 'c.collect_list_id'),
        )
        .select('c.shipment_id')
        .where('c.collect_list_id', '=', id)
        .where('c.user_id', '=', principal.id)
        .where('c.result', '=', 'ok')
        .where('p.state', '=', 'scanned')
        .orderBy('c.at', 'desc')
        .limit(1)
        .executeTakeFirst()
    )?.shipment_id ??
    null
  if (last === null) throw conflict('nothing_to_undo', scanSentences.nothingToUndo)
  const parcel = orNotFound(await takeShipment(db, last), 'shipment_not_found', 'Shipment not found')
  if (leftStates.includes(parcel.state)) throw conflict('parcel_gone', scanSentences.gone)
  const undone = await db
    .updateTable('collect_parcels')
    .set({ state: 'expected', scanned_at: null, scanned_by_name: null })
    .where('collect_list_id', '=', id)
    .where('shipment_id', '=', last)
    .where('state', '=', 'scanned')
    .returning(['shipment_id', 'order_id', 'company_id'])
    .executeTakeFirst()
  if (!undone) throw conflict('parcel_not_scanned', 'This parcel is not scanned onto this list')
  await recordEvent({
    kind: 'shipment.scan_undone',
    order_id: undone.order_id,
    company_id: undone.company_id,
    subject: 'shipment',
    subject_id: last,
    data: { list: code(id), tracking_no: parcel.tracking_no },
  })
  return answer(
    context,
    list,
    { scan_id, code: parcel.tracking_no ?? '' },
    judged('undone', scanSentences.undone, { parcel: parcel.tracking_no }),
    parcel,
  )
}

/** A code that is no parcel's leaves the list, however often it was scanned. */
async function removeUnknown(
  context: Context,
  list: ListFacts,
  { scan_id, unknown_scan_id }: { scan_id: string; unknown_scan_id: string },
): Promise<ScanAnswer> {
  const row = await context.db
    .selectFrom('collect_scans')
    .select('raw')
    .where('id', '=', unknown_scan_id)
    .where('collect_list_id', '=', list.id)
    .where('shipment_id', 'is', null)
    .where('result', '=', 'unknown')
    .executeTakeFirst()
  if (!row) throw conflict('nothing_to_undo', scanSentences.nothingToUndo)
  const { raw } = row
  await context.db
    .updateTable('collect_scans')
    .set({ result: 'undone' })
    .where('collect_list_id', '=', list.id)
    .where('shipment_id', 'is', null)
    .where('result', '=', 'unknown')
    .where('raw', '=', raw)
    .execute()
  return answer(context, list, { scan_id, code: raw }, judged('undone', scanSentences.removed, { code: raw.slice(0, 60) }), null)
}

/** A person says that a parcel that must not go is out of the cage. */
export async function takeOutParcel(context: Context, id: number, shipment_id: number): Promise<void> {
  const { db } = context
  const list = orNotFound(await takeList(db, id), 'collect_list_not_found', noList)
  if (list.state === 'handed_over') throw conflict('collect_list_handed_over', 'List {{list}} is handed over already', { list: code(id) })
  const [known] = await parcelsOfList(db, id, [shipment_id])
  const parcel = orNotFound(known, 'parcel_not_in_list', 'This parcel is not on this list')
  if (parcel.order_id !== null) await takeOrder(db, parcel.order_id)
  const taken = orNotFound(await takeShipment(db, shipment_id), 'shipment_not_found', 'Shipment not found')
  const [now] = await parcelsOfList(db, id, [shipment_id])
  if (now?.standing === 'taken_out') return
  if (now?.standing !== 'take_out') throw conflict('parcel_allowed', 'This parcel may go: take back its scan instead')
  await takeOff(context, taken, taken.state === 'booked' ? 'stopped' : 'cancelled')
}
