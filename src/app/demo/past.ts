/** The demo's past: weeks of pick lists, packed orders, parcels on their way and handed-over lists, stored in bulk. */
import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { elementAt, keysOf } from '#domain/objects.ts'
import { finalStates } from '#domain/order/shipment-states.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import { type PackedLine, parcelLine } from '#features/shipping/customs/parcel-lines.server.ts'
import { nextParcelNumber } from '#features/shipping/labels/booking.commands.ts'
import type { StoredRequest } from '#features/shipping/labels/stored-request.server.ts'
import { wagonOf } from '#features/warehouse/pick-lists/wagon-types.queries.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFiles } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { bookDemo, demoRequest, partsOf } from './parcels.ts'
import {
  type Dice,
  dayOfWork,
  journeyOf,
  type PastDay,
  type PastLine,
  type PastOrder,
  type PastPacking,
  type PastState,
  workingDays,
} from './past-days.rules.ts'

interface DemoPerson {
  id: number
  name: string
}

interface PastTeam {
  picker: DemoPerson
  packer: DemoPerson
  lead: DemoPerson
}

/** Orders of whole days in which everything was packed; what the last day has not reached yet stays open. */
export async function buildPast(
  services: Services,
  scope: TenantScope,
  ids: readonly number[],
  team: PastTeam,
  weeks: number,
): Promise<void> {
  const now = services.now().getTime()
  await services.database.transaction(scope, async db => {
    const companies = new Map<number, Company>()
    for (const id of scope.companies) {
      const { code, settings } = await companyById(db, id)
      companies.set(id, { id, code, ...settings })
    }
    const orders = await pastOrders(db, ids)
    const { time_zone } = companyOf(companies, scope.company_id)
    const roll = newChance(56).below
    let next = 0
    const done: number[] = []
    for (const day of workingDays(new Date(now - weeks * 7 * 86_400_000), new Date(now), time_zone)) {
      const first = next
      while (next < orders.length && elementAt(orders, next).ready_at < day.last_wagon_at - 3_600_000) next++
      const worked = dayOfWork(day, orders.slice(first, next), now, roll)
      if (worked.wagons.length === 0) continue
      await storeList(db, worked, team)
      await storePackings(db, worked, team)
      await storeParcels(db, worked, team, { services, scope, companies, now, roll })
      done.push(...worked.wagons.flatMap(wagon => wagon.packings.map(({ order }) => order.id)))
    }
    await restoreStatus(db, done)
  })
}

type Company = { id: number; code: string } & Awaited<ReturnType<typeof companyById>>['settings']
const companyOf = (companies: ReadonlyMap<number, Company>, id: number): Company => {
  const company = companies.get(id)
  if (!company) throw new Error(`The demo has no company ${id}`)
  return company
}

interface StoredOrder extends PastOrder {
  ship_to: unknown
  shipping_method: string | null
  currency: string
  lines: (PastLine & Omit<PackedLine, 'order_line_id' | 'ordered' | 'currency'>)[]
}

async function pastOrders(db: Db, ids: readonly number[]): Promise<StoredOrder[]> {
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'company_id', 'order_no', 'ordered_at', 'ship_country', 'ship_to', 'shipping_method', 'currency'])
    .where('id', 'in', ids)
    .orderBy('ordered_at')
    .execute()
  const lines = await db
    .selectFrom('order_lines')
    .selectAll()
    .select(eb => eb.val<number | null>(null).as('net_weight_g'))
    .where('order_id', 'in', ids)
    .where('type', '=', 'item')
    .where('requires_shipping', '=', true)
    .orderBy('order_id')
    .orderBy('line_no')
    .execute()
  const byOrder = Map.groupBy(lines, line => line.order_id)
  return orders.map(order => ({
    ...order,
    country: order.ship_country,
    ready_at: Date.parse(order.ordered_at) + 180_000,
    lines: byOrder.get(order.id) ?? [],
  }))
}

const iso = (at: number) => new Date(at).toISOString()

/** Inserts rows, some hundred at a time: a statement takes at most 65,535 values. */
export async function insertAll<T extends keyof DB>(db: Db, table: T, rows: readonly Insertable<DB[T]>[]): Promise<void> {
  const step = 1_000
  for (let at = 0; at < rows.length; at += step)
    await db
      .insertInto(table)
      .values(rows.slice(at, at + step))
      .execute()
}

async function storeList(db: Db, { created_at, wagons }: PastDay, { picker, lead }: PastTeam): Promise<void> {
  const picks = wagons.flatMap(wagon => wagon.picks.filter(pick => pick.right).map(pick => ({ wagon, pick })))
  const ended_at = Math.max(...wagons.flatMap(wagon => wagon.packings.map(packing => packing.ended_at)))
  const walk_dm = wagons.reduce((sum, wagon) => sum + wagon.walk_dm, 0)
  const { id: pick_list_id } = await db
    .insertInto('pick_lists')
    .values({
      type: 'cluster',
      state: 'completed',
      wagon_type: JSON.stringify({ id: null, ...wagonOf('4 × 3', 4, 3) }),
      order_count: wagons.reduce((sum, wagon) => sum + wagon.packings.length, 0),
      line_count: picks.length,
      piece_count: picks.reduce((sum, { pick }) => sum + pick.quantity, 0),
      stop_count: wagons.reduce((sum, wagon) => sum + new Set(wagon.picks.map(pick => pick.line.bin)).size, 0),
      walk_dm,
      first_walk_dm: Math.round(walk_dm * 1.08),
      estimated_s: Math.round(wagons.reduce((sum, wagon) => sum + wagon.picked_at - wagon.started_at, 0) / 1_000),
      created_by: lead.id,
      created_by_name: lead.name,
      created_at: iso(created_at),
      completed_at: iso(ended_at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertAll(
    db,
    'pick_wagons',
    wagons.map(wagon => ({
      pick_list_id,
      wagon_no: wagon.wagon_no,
      state: 'released',
      user_id: picker.id,
      user_name: picker.name,
      walk_dm: wagon.walk_dm,
      estimated_s: Math.round((wagon.picked_at - wagon.started_at) / 1_000),
      claimed_at: iso(wagon.started_at),
      started_at: iso(wagon.started_at),
      last_at: iso(wagon.picked_at),
      picked_at: iso(wagon.picked_at),
      released_at: iso(Math.max(...wagon.packings.map(packing => packing.ended_at))),
    })),
  )
  await insertAll(
    db,
    'pick_slots',
    wagons.flatMap(wagon =>
      wagon.packings.map(({ order, slot_no }) => ({
        company_id: order.company_id,
        pick_list_id,
        wagon_no: wagon.wagon_no,
        slot_no,
        order_id: order.id,
        state: 'packed' as const,
        weight_g: order.lines.reduce((sum, line) => sum + line.qty * (line.weight_g ?? 0), 0),
        live: false,
      })),
    ),
  )
  const lines = picks.map(({ wagon, pick: { order, line, slot_no, walk_no, at } }) => ({
    company_id: order.company_id,
    pick_list_id,
    wagon_no: wagon.wagon_no,
    slot_no,
    order_id: order.id,
    order_line_id: line.id,
    product_id: line.product_id,
    sku: line.sku,
    name: line.name,
    variant: line.variant,
    bin: line.bin,
    walk_no,
    asked: line.qty,
    picked: line.qty,
    state: 'picked' as const,
    taken_by: picker.id,
    taken_by_name: picker.name,
    decided_at: iso(at),
  }))
  await insertAll(db, 'pick_lines', lines)
  const stored = await db.selectFrom('pick_lines').select(['id', 'order_line_id']).where('pick_list_id', '=', pick_list_id).execute()
  const pickLineOf = new Map(stored.map(line => [line.order_line_id, line.id]))
  const scan = { user_id: picker.id, user_name: picker.name, pick_list_id }
  await insertAll(
    db,
    'pick_scans',
    wagons.flatMap(wagon => [
      { ...scan, id: randomUUID(), wagon_no: wagon.wagon_no, kind: 'claim' as const, result: 'claimed', at: iso(wagon.started_at) },
      ...wagon.picks.map(({ order, line, right, quantity, result, at }) => ({
        ...scan,
        id: randomUUID(),
        wagon_no: wagon.wagon_no,
        pick_line_id: pickLineOf.get(line.id) ?? null,
        order_id: order.id,
        order_company_id: order.company_id,
        kind: right ? ('pick' as const) : ('wrong' as const),
        raw: line.barcode ?? '',
        result,
        quantity,
        at: iso(at),
        received_at: iso(at + 400),
      })),
    ]),
  )
  await insertAll(
    db,
    'events',
    wagons.flatMap(wagon =>
      wagon.packings.map(({ order, slot_no }) => ({
        kind: 'order.picked',
        at: iso(wagon.picked_at),
        company_id: order.company_id,
        order_id: order.id,
        subject: 'pick_list',
        subject_id: pick_list_id,
        user_id: picker.id,
        actor_name: picker.name,
        actor_kind: 'user' as const,
        data: JSON.stringify({ list: pick_list_id, wagon: wagon.wagon_no, slot: slot_no }),
      })),
    ),
  )
}

const stationOf = (packing: PastPacking) => `Packing ${packing.packer + 1}`
const packerOf = (packing: PastPacking, { packer, lead }: PastTeam) => (packing.packer === 0 ? packer : lead)

async function storePackings(db: Db, { wagons }: PastDay, team: PastTeam): Promise<void> {
  const packings = wagons.flatMap(wagon => wagon.packings)
  await insertAll(
    db,
    'packing_sessions',
    packings.map(packing => {
      const person = packerOf(packing, team)
      return {
        company_id: packing.order.company_id,
        order_id: packing.order.id,
        user_id: person.id,
        user_name: person.name,
        station: stationOf(packing),
        state: 'done' as const,
        opened_at: iso(packing.opened_at),
        last_scan_at: iso(packing.scans.at(-1)?.at ?? packing.opened_at),
        ended_at: iso(packing.ended_at),
      }
    }),
  )
  const ids = packings.map(({ order }) => order.id)
  const sessions = await db.selectFrom('packing_sessions').select(['id', 'order_id']).where('order_id', 'in', ids).execute()
  const sessionOf = new Map(sessions.map(session => [session.order_id, session.id]))
  await insertAll(
    db,
    'packing_scans',
    packings.flatMap(packing => {
      const person = packerOf(packing, team)
      // A label that cannot be read is let pass with a reason, once in a while.
      const unread = packing.order.id % 83 === 0 ? packing.scans.find(one => one.right) : undefined
      return packing.scans.map(({ line, right, quantity, result, at }, place) => ({
        company_id: packing.order.company_id,
        id: randomUUID(),
        method: unread !== undefined && packing.scans[place] === unread ? ('bypass' as const) : ('scan' as const),
        session_id: sessionOf.get(packing.order.id) ?? 0,
        order_id: packing.order.id,
        raw: unread !== undefined && packing.scans[place] === unread ? 'Barcode cannot be read' : (line.barcode ?? ''),
        result,
        order_line_id: right ? line.id : null,
        product_id: line.product_id,
        quantity,
        user_id: person.id,
        user_name: person.name,
        station: stationOf(packing),
        at: iso(at),
      }))
    }),
  )
  await insertAll(
    db,
    'parcel_lines',
    packings.flatMap(({ order }) =>
      order.lines.map(line => ({ company_id: order.company_id, order_id: order.id, parcel_no: 1, order_line_id: line.id, qty: line.qty })),
    ),
  )
  await insertAll(
    db,
    'order_serials',
    packings.flatMap(({ order, ended_at }) =>
      order.lines.flatMap(line =>
        line.serial_required
          ? Array.from({ length: line.qty }, (_, piece) => {
              const serial = `SN-${line.id}-${piece + 1}`
              const sku_key = (line.sku ?? '').toUpperCase()
              return {
                company_id: order.company_id,
                order_id: order.id,
                order_line_id: line.id,
                sku_key,
                serial,
                serial_key: serialKey(serial, 'keep'),
                session_id: sessionOf.get(order.id) ?? null,
                created_at: iso(ended_at),
              }
            })
          : [],
      ),
    ),
  )
  await db
    .updateTable('order_lines')
    .set(eb => ({ picked_qty: eb.ref('qty'), packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
    .where('order_id', 'in', ids)
    .where('type', '=', 'item')
    .execute()
  await insertAll(
    db,
    'events',
    packings.flatMap(packing => {
      const person = packerOf(packing, team)
      const event = {
        company_id: packing.order.company_id,
        order_id: packing.order.id,
        user_id: person.id,
        actor_name: person.name,
        actor_kind: 'user' as const,
        station: stationOf(packing),
        subject: 'packing_session',
        subject_id: sessionOf.get(packing.order.id) ?? null,
      }
      return [
        { ...event, kind: 'packing.started', at: iso(packing.opened_at), data: JSON.stringify({ station: stationOf(packing) }) },
        { ...event, kind: 'order.packed', at: iso(packing.ended_at), data: JSON.stringify({}) },
      ]
    }),
  )
}

interface ParcelTools {
  services: Services
  scope: TenantScope
  companies: ReadonlyMap<number, Company>
  now: number
  roll: Dice
}

const sayings: Record<PastState, string> = {
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  ready_for_pickup: 'Ready for collection',
  delivered: 'Delivered',
  delivery_failed: 'The recipient was not at home',
  needs_attention: 'Not scanned since the hand-over',
  returning: 'Goes back to the sender',
  returned_to_sender: 'Returned to the sender',
  lost: 'Lost',
}

/** What the courier was asked for an order when it was packed. */
function requestPast(packing: PastPacking<StoredOrder>, reserved_number: string, { services, companies }: ParcelTools) {
  const { order } = packing
  const company = companyOf(companies, order.company_id)
  const goods = order.lines.reduce((sum, line) => sum + line.qty * (line.weight_g ?? company.default_weight_g ?? 0), 0)
  const request = demoRequest(services, {
    company,
    order,
    reserved_number,
    weight_g: goods + company.packaging_weight_g,
    lines: order.lines.map(line => parcelLine({ ...line, order_line_id: line.id, ordered: line.qty, currency: order.currency })),
    ship_date: localDay(new Date(packing.ended_at), company.time_zone),
  })
  return { packing, request, ...partsOf(request) }
}

async function storeParcels(db: Db, { wagons, handed_over_at }: PastDay<StoredOrder>, team: PastTeam, tools: ParcelTools): Promise<void> {
  const { now, roll, companies } = tools
  const requests: ReturnType<typeof requestPast>[] = []
  for (const packing of wagons.flatMap(wagon => wagon.packings)) {
    const { id, gs1_prefix } = companyOf(companies, packing.order.company_id)
    requests.push(requestPast(packing, await nextParcelNumber(db, id, gs1_prefix), tools))
  }
  const booked = await Promise.all(
    requests.map(async one => ({ ...one, ...(await bookDemo(tools.services, tools.scope, one.packing.order, one.request)) })),
  )
  const file_ids = await recordFiles(
    db,
    booked.flatMap(({ files }) => files),
  )
  let file = 0
  const collected = handed_over_at <= now
  const parcels = booked.map(one => {
    const { order, ended_at } = one.packing
    const files = Object.fromEntries(one.files.map(({ kind }) => [kind, file_ids[file++]]))
    const steps = collected ? journeyOf(handed_over_at, order.country !== 'DK', now, roll) : []
    const state: PastState | 'handed_over' | 'booked' = steps.at(-1)?.state ?? (collected ? 'handed_over' : 'booked')
    const delivered_at = state === 'delivered' ? (steps.at(-1)?.at ?? null) : null
    return { ...one, order, ended_at, file_of: files, steps, state, delivered_at }
  })
  await insertAll(
    db,
    'shipments',
    parcels.map(parcel => ({
      company_id: parcel.order.company_id,
      order_id: parcel.order.id,
      agent_code: 'own',
      shipping_method: parcel.request.method,
      state: parcel.state,
      idempotency_key: parcel.idempotency_key,
      reference: parcel.reference,
      reserved_number: parcel.reserved_number,
      request: JSON.stringify(parcel.stored),
      tracking_no: parcel.tracking_no,
      barcode: parcel.barcode,
      cage: parcel.cage,
      label_pdf_file_id: parcel.file_of.pdf ?? null,
      label_a4_file_id: parcel.file_of.a4 ?? null,
      label_zpl_file_id: parcel.file_of.zpl ?? null,
      weight_g: parcel.stored.parcel.weight_g,
      station: stationOf(parcel.packing),
      booked_at: iso(parcel.ended_at),
      created_at: iso(parcel.ended_at),
      handed_over_at: collected ? iso(handed_over_at) : null,
      delivered_at: parcel.delivered_at === null ? null : iso(parcel.delivered_at),
    })),
  )
  const ids = parcels.map(({ order }) => order.id)
  const stored = await db.selectFrom('shipments').select(['id', 'order_id']).where('order_id', 'in', ids).execute()
  const shipmentOf = new Map(stored.map(shipment => [shipment.order_id, shipment.id]))
  const idOf = ({ order }: { order: PastOrder }) => shipmentOf.get(order.id) ?? 0
  await insertAll(
    db,
    'shipment_parties',
    parcels.flatMap(parcel =>
      keysOf(parcel.parties).flatMap(role => {
        const party = parcel.parties[role]
        return party ? [{ company_id: parcel.order.company_id, shipment_id: idOf(parcel), role, party: JSON.stringify(party) }] : []
      }),
    ),
  )
  await insertAll(
    db,
    'shipment_lines',
    parcels.flatMap(parcel =>
      parcel.lines.map(({ value, transit_value: _, ...line }, i) => ({
        company_id: parcel.order.company_id,
        shipment_id: idOf(parcel),
        line_no: i + 1,
        ...line,
        value: value?.amount ?? null,
        currency: value?.currency ?? null,
      })),
    ),
  )
  await insertAll(
    db,
    'shipment_events',
    parcels.flatMap(parcel => {
      const event = { company_id: parcel.order.company_id, shipment_id: idOf(parcel), order_id: parcel.order.id, source: 'own' }
      return [
        { ...event, state: 'booked', at: iso(parcel.ended_at), text: 'The label was made' },
        ...(collected ? [{ ...event, state: 'handed_over', at: iso(handed_over_at), text: 'Handed over to the courier' }] : []),
        ...parcel.steps.map(({ state, at }) => ({ ...event, state, at: iso(at), text: sayings[state] })),
      ]
    }),
  )
  for (const parcel of parcels) {
    const { close_after_days } = companyOf(companies, parcel.order.company_id)
    const final_at = finalStates.some(state => state === parcel.state) ? (parcel.steps.at(-1)?.at ?? now) : now
    const closed = final_at + close_after_days * 86_400_000 < now
    await db
      .updateTable('orders')
      .set({
        work_state: !collected ? 'packed' : closed ? 'closed' : 'handed_over',
        packed_at: iso(parcel.ended_at),
        delivered_at: parcel.delivered_at === null ? null : iso(parcel.delivered_at),
      })
      .where('id', '=', parcel.order.id)
      .execute()
  }
  await insertAll(
    db,
    'events',
    parcels.flatMap(parcel => {
      const { order, packing } = parcel
      const person = packerOf(packing, team)
      const event = { company_id: order.company_id, order_id: order.id }
      const by = { user_id: person.id, actor_name: person.name, actor_kind: 'user' as const, station: stationOf(packing) }
      const bySystem = { actor_name: 'system', actor_kind: 'system' as const }
      const shipment = {
        subject: 'shipment',
        subject_id: idOf(parcel),
        data: JSON.stringify({ tracking_no: parcel.tracking_no, parcel_no: 1 }),
      }
      return [
        { ...event, ...by, ...shipment, kind: 'shipment.booked', at: iso(parcel.ended_at) },
        ...(collected ? [{ ...event, ...bySystem, kind: 'order.handed_over', at: iso(handed_over_at), data: JSON.stringify({}) }] : []),
        ...parcel.steps.flatMap(({ state, at }) =>
          state === 'delivered' || state === 'delivery_failed'
            ? [{ ...event, ...bySystem, ...shipment, kind: `shipment.${state}`, at: iso(at) }]
            : [],
        ),
      ]
    }),
  )
  if (collected)
    await storeCollectLists(
      db,
      parcels.map(parcel => ({ ...parcel, shipment_id: idOf(parcel) })),
      handed_over_at,
      team,
    )
}

/** The courier's van took the parcels of each cage with a list. */
async function storeCollectLists(
  db: Db,
  parcels: readonly { cage: string | null; order: PastOrder; shipment_id: number; stored: StoredRequest; ended_at: number }[],
  handed_over_at: number,
  { packer }: PastTeam,
): Promise<void> {
  for (const [cage, some] of Map.groupBy(parcels, parcel => parcel.cage ?? '')) {
    const { id: collect_list_id } = await db
      .insertInto('collect_lists')
      .values({
        agent_code: 'own',
        cage_name: cage,
        state: 'handed_over',
        expected_count: some.length,
        scanned_count: some.length,
        weight_g: some.reduce((sum, { stored }) => sum + stored.parcel.weight_g, 0),
        created_by: packer.id,
        created_by_name: packer.name,
        created_at: iso(handed_over_at - 40 * 60_000),
        closed_by_name: packer.name,
        closed_at: iso(handed_over_at - 6 * 60_000),
        handed_to: 'Bent Kruse',
        handed_over_by_name: packer.name,
        handed_over_at: iso(handed_over_at),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await insertAll(
      db,
      'collect_parcels',
      some.map(({ order, shipment_id }, i) => ({
        company_id: order.company_id,
        collect_list_id,
        shipment_id,
        order_id: order.id,
        state: 'scanned' as const,
        scanned_by_name: packer.name,
        scanned_at: iso(handed_over_at - 35 * 60_000 + i * 9_000),
        live: false,
      })),
    )
  }
}
