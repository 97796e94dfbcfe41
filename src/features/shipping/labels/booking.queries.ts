/** Bookings in the database: which are open, and what a courier is asked. */

import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { bookingStates, type shipmentStates } from '#domain/order/shipment-states.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { additionsInParcel } from '#features/orders/additional-products/additional-products.queries.ts'
import { crateForLabel } from '#features/shipping/crate-choice/crate-use.queries.ts'
import { accountMethod } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { courierSettings } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { BookingRequest } from '#integrations/couriers/courier.ts'
import { courier, couriers } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { linesOfShipment } from './shipment-contents.queries.ts'
import { readStoredRequest } from './stored-request.server.ts'

/** Longer than the courier is given to answer, so that two never book one parcel at once. */
export const leaseSeconds = 60

/** A booking without an outcome for so long no longer keeps people from deciding what becomes of its order. */
const stuckMinutes = 5
const stuckBefore = (now: Date) => new Date(now.getTime() - stuckMinutes * 60_000).toISOString()

type ShipmentState = (typeof shipmentStates)[number]

const isOpen = (state: string) => state === 'booking' || state === 'unknown'

/** Whether the queue can bring this booking on: a courier that cannot be asked afterwards leaves an unknown outcome to a person. */
function canBeRetried({ state, agent_code }: { state: string; agent_code: string }): boolean {
  const recovery = courier(agent_code)?.capabilities.recovery
  return recovery !== undefined && isOpen(state) && (state === 'booking' || recovery !== 'none')
}

/** Whether a person may say what came of this booking. */
export function canSettle(shipment: { state: string; agent_code: string; created_at: string }, now: Date): boolean {
  if (!isOpen(shipment.state)) return false
  if (Date.parse(shipment.created_at) < Date.parse(stuckBefore(now))) return true
  return shipment.state === 'unknown' && courier(shipment.agent_code)?.capabilities.recovery === 'none'
}

/** Whether a label of this order has been on its way for so short a time that its outcome has to be waited for. */
export async function isBooking(db: Db, order_id: number, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('shipments')
    .select('id')
    .where('order_id', '=', order_id)
    .where('state', 'in', bookingStates)
    .where('created_at', '>=', stuckBefore(now))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Queues a booking that is still open for the end of its lease. */
export async function queueBooking({ db, enqueue, now }: Context, shipment_id: number): Promise<void> {
  const row = await db
    .selectFrom('shipments')
    .select(['state', 'agent_code', 'leased_until', 'consignment_id'])
    .where('id', '=', shipment_id)
    .executeTakeFirst()
  if (!row || !canBeRetried(row) || (row.consignment_id !== null && row.consignment_id !== shipment_id)) return
  const free = Math.max(now().getTime(), row.leased_until === null ? 0 : Date.parse(row.leased_until))
  await enqueue('labels.book', { shipment_id }, { key: `labels.book:${shipment_id}`, run_at: new Date(free + 1_000) })
}

/** Open bookings of all operators whose lease has run out and which no job would take up. Only the system role sees this. */
export async function bookingsWithoutJob(
  db: Db,
  now: Date,
): Promise<{ id: number; operator_id: number; company_id: number; companies: number[] }[]> {
  const askable = (state: string) => [...couriers.keys()].filter(agent_code => canBeRetried({ state, agent_code }))
  const { rows } = await sql<{ id: number; operator_id: number; company_id: number; companies: number[] }>`
    select s.id, s.operator_id, s.company_id, array(select c.id from companies c where c.operator_id = s.operator_id) companies
    from shipments s
    where (s.state = 'booking' and s.agent_code = any (${askable('booking')}) or s.state = 'unknown' and s.agent_code = any (${askable('unknown')}))
      and coalesce(s.leased_until, s.created_at) < ${now.toISOString()}
      and (s.consignment_id is null or s.consignment_id = s.id)
      and not has_live_job('labels.book:' || s.id)
    order by s.id limit 500`.execute(db)
  return rows
}

/** Grams of the products in this parcel, what was added, and box and filler; `unknown_g` of it is what products without a weight are taken for. */
export async function parcelWeight(
  db: Db,
  order_id: number,
  parcel_no: number,
  settings: { packaging_weight_g: number; default_weight_g: number },
): Promise<{ expected_g: number; unknown_g: number; unweighed: { product_id: number; pieces: number } | null }> {
  const [crate, additions, rows] = await Promise.all([
    crateForLabel(db, order_id, parcel_no),
    additionsInParcel(db, order_id, parcel_no),
    db
      .selectFrom('parcel_lines as b')
      .innerJoin('order_lines as l', 'l.id', 'b.order_line_id')
      .leftJoin('products as p', 'p.id', 'l.product_id')
      .select(['b.qty', 'l.product_id', 'l.weight_g', 'p.weight_g as product_weight_g'])
      .where('b.order_id', '=', order_id)
      .where('b.parcel_no', '=', parcel_no)
      .execute(),
  ])
  const known_g =
    (crate?.tare_g ?? settings.packaging_weight_g) +
    additions.reduce((sum, row) => sum + row.qty * row.weight_g, 0) +
    rows.reduce((sum, row) => sum + row.qty * (row.weight_g ?? row.product_weight_g ?? 0), 0)
  const unweighed = rows.filter(row => row.qty > 0 && row.weight_g === null && row.product_weight_g === null)
  const pieces = unweighed.reduce((sum, row) => sum + row.qty, 0)
  const [product_id = null, ...others] = new Set(unweighed.map(row => row.product_id))
  const unknown_g = pieces * settings.default_weight_g
  return {
    expected_g: known_g + unknown_g,
    unknown_g,
    unweighed: product_id === null || others.length > 0 ? null : { product_id, pieces },
  }
}

/** The shipments that are booked with this one, itself among them, in the order in which the courier is asked. */
export async function parcelsOfBooking(db: Db, shipment_id: number): Promise<{ id: number; state: ShipmentState }[]> {
  return db
    .selectFrom('shipments')
    .select(['id', 'state'])
    .where(eb => eb.or([eb('id', '=', shipment_id), eb('consignment_id', '=', shipment_id)]))
    .orderBy('id')
    .execute()
}

/** Takes the row of the first parcel of a booking of several, so that each of them is changed after the other. */
export async function takeBooking(db: Db, shipment_id: number): Promise<void> {
  await db
    .selectFrom('shipments')
    .select('id')
    .where('id', '=', eb => eb.selectFrom('shipments').select('consignment_id').where('id', '=', shipment_id))
    .forUpdate()
    .execute()
}

/** The intent of a booking, with every parcel of it, which its first parcel names. */
export async function requestOfBooking(
  context: Pick<Context, 'db' | 'services'>,
  shipment_ids: readonly number[],
): Promise<BookingRequest> {
  const [first, ...others] = await Promise.all(shipment_ids.map(id => requestOf(context, id)))
  if (!first) throw new Error('A booking without a parcel')
  return { ...first, parcels: [...first.parcels, ...others.flatMap(one => one.parcels)] }
}

/** The intent as the adapter is asked, with the company's settings of the courier. */
export async function requestOf({ db, services }: Pick<Context, 'db' | 'services'>, shipment_id: number): Promise<BookingRequest> {
  const [row, lines] = await Promise.all([
    db
      .selectFrom('shipments as s')
      .innerJoin('companies as c', 'c.id', 's.company_id')
      .select(['s.company_id', 's.agent_code', 's.request', 's.idempotency_key', 's.reference', 's.reserved_number', 's.operation_code'])
      .select(['s.created_at', 's.order_id', 'c.code', 'c.settings as company'])
      .select(eb =>
        jsonArrayFrom(eb.selectFrom('shipment_parties as p').select(['p.role', 'p.party']).whereRef('p.shipment_id', '=', 's.id')).as(
          'parties',
        ),
      )
      .where('s.id', '=', shipment_id)
      .executeTakeFirstOrThrow(),
    linesOfShipment(db, shipment_id),
  ])
  const request = readStoredRequest(
    { ...row, created_day: localDay(new Date(row.created_at), CompanySettings.parse(row.company).time_zone) },
    row.parties,
    lines,
  )
  // Derived, not stored: it gives access to the recipient's page.
  const tracking_url = trackingUrl(services, { id: row.company_id, code: row.code }, { order_id: row.order_id, shipment_id })
  const adapter = courier(row.agent_code)
  return {
    ...request,
    tracking_url,
    settings: await courierSettings(db, services.vault, row.company_id, row.agent_code),
    account_method: adapter && (await accountMethod(db, row.company_id, adapter, request.method)),
    asked_at: new Date(row.created_at).toISOString(),
  }
}

/** What was queued under this name, for the case that no one finished it, is not needed any more. */
export const dequeueJob = ({ db }: Context, key: string) => db.executeQuery(sql`select dequeue(${key})`.compile(db))
