/** Parcels of collect lists in the database: what waits in which cage, and how each parcel of a list stands. */
import { sql } from 'kysely'
import * as z from 'zod'
import { parcelStopped } from '#features/orders/orders/holds.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Sorted } from './collect-lists.rules.ts'
import type { CollectParcel, Standing } from './collect-lists.schemas.ts'

const Receiver = z.object({ name: z.string().catch(''), city: z.string().catch(''), country: z.string().catch('') })

/**
 * In the joined rows of a parcel: all that was to go into it lies in it. Its closing at the station came to an end, though the rest of the
 * order may wait, or be packed at this moment; or the whole order is packed.
 */
const packed = sql<boolean>`(s.order_id is null or o.work_state in ('packed', 'handed_over') or coalesce(closing.state in ('label_check', 'done'), false))`

/** In the joined rows of a parcel: it may go, as far as its label, its pieces and its order are concerned. */
const mayGo = sql<boolean>`(s.state = 'booked' and not ${parcelStopped} and ${packed})`

/** When it was packed, which is earlier than its order where the rest followed. */
const packedAt = sql<string | null>`coalesce(closing.ended_at, o.packed_at, s.booked_at)`

const standing = sql<Standing>`case
  when p.state = 'scanned' and l.state <> 'handed_over' and s.state in ('booked', 'cancelled', 'blocked') and not ${mayGo} then 'take_out'
  when p.state = 'expected' and not ${mayGo} then 'dropped'
  else p.state end`

/** What may be collected: labelled, packed, not stopped, and on no living list. */
const waiting = (db: Db) =>
  db
    .selectFrom('shipments as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('packing_sessions as closing', 'closing.id', 's.session_id')
    .where('s.operation_code', '=', 'outbound')
    .where('s.state', '=', 'booked')
    .where(mayGo)
    .where(({ not, exists, selectFrom }) => {
      const taken = selectFrom('collect_parcels as taken').select('taken.shipment_id').whereRef('taken.shipment_id', '=', 's.id')
      return not(exists(taken.where('taken.live', '=', true)))
    })

const about = ['s.id as shipment_id', 's.company_id', 's.order_id', 'o.order_no', 's.parcel_no', 's.tracking_no'] as const
/** How many parcels the courier took in one booking with it. */
const together = sql<number>`case when s.consignment_id is null then 0 else
  (select count(*)::int from shipments t where t.operator_id = s.operator_id and t.consignment_id = s.consignment_id) end`.as(
  'consignment_parcels',
)
const more = ['s.agent_code', 's.shipping_method', 's.cage', 's.weight_g', 'recipient.party'] as const

interface Row {
  shipment_id: number
  order_id: number | null
  order_no: string | null
  company: string
  parcel_no: number
  consignment_parcels: number
  tracking_no: string | null
  shipping_method: string
  weight_g: number
  party: unknown
  packed_at: string | null
}
const withSentence = (
  {
    party,
    shipment_id,
    order_id,
    order_no,
    company,
    parcel_no,
    consignment_parcels,
    tracking_no,
    shipping_method,
    weight_g,
    packed_at,
  }: Row,
  stands: Pick<CollectParcel, 'standing' | 'reason' | 'scanned_by' | 'scanned_at'>,
): CollectParcel => {
  const { name, city, country } = Receiver.catch({ name: '', city: '', country: '' }).parse(party)
  const parcel = {
    shipment_id,
    order_id,
    order_no,
    company,
    parcel_no,
    consignment_parcels,
    tracking_no,
    shipping_method,
    weight_g,
    packed_at,
  }
  return { ...parcel, receiver: name, city, country, ...stands }
}
const expected = { standing: 'expected', reason: null, scanned_by: null, scanned_at: null } as const

/** As many as one list is shown with. */
const most = 20_000

export type WaitingParcel = CollectParcel & Sorted & { company_id: number }

/** Everything that waits for one courier and stands on no list, oldest first. */
export async function waitingParcels(db: Db, agent_code: string): Promise<WaitingParcel[]> {
  const rows = await waiting(db)
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .leftJoin('shipment_parties as recipient', join =>
      join.onRef('recipient.shipment_id', '=', 's.id').on('recipient.role', '=', 'recipient'),
    )
    .select(about)
    .select(more)
    .select(together)
    .select(['c.code as company', packedAt.as('packed_at')])
    .where('s.agent_code', '=', agent_code)
    .orderBy('s.id')
    .limit(most)
    .execute()
  return rows.map(row => ({
    ...withSentence(row, expected),
    company_id: row.company_id,
    agent_code: row.agent_code,
    cage: row.cage,
  }))
}

/** A parcel with its order and receiver, on whatever list it stands. */
export async function parcelInFull(db: Db, shipment_id: number): Promise<CollectParcel | undefined> {
  const row = await db
    .selectFrom('shipments as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('packing_sessions as closing', 'closing.id', 's.session_id')
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .leftJoin('shipment_parties as recipient', join =>
      join.onRef('recipient.shipment_id', '=', 's.id').on('recipient.role', '=', 'recipient'),
    )
    .select(about)
    .select(more)
    .select(together)
    .select(['c.code as company', packedAt.as('packed_at')])
    .where('s.id', '=', shipment_id)
    .executeTakeFirst()
  return row && withSentence(row, expected)
}

export interface WaitingGroup extends Sorted {
  /** The minute in which they were packed. */
  packed_at: string | null
  count: number
  weight_g: number
}

/** How many wait on no list, by what decides on their cage and by the minute in which they were packed. */
export async function waitingGroups(db: Db, agent_code?: string): Promise<WaitingGroup[]> {
  const minute = sql<string | null>`date_trunc('minute', ${packedAt})`
  let asked = waiting(db)
    .select(['s.agent_code', 's.cage', 's.shipping_method', minute.as('packed_at')])
    .select(eb => [eb.fn.countAll<number>().as('count'), sql<number>`coalesce(sum(s.weight_g), 0)::bigint`.as('weight_g')])
    .groupBy(['s.agent_code', 's.cage', 's.shipping_method', minute])
  if (agent_code !== undefined) asked = asked.where('s.agent_code', '=', agent_code)
  return asked.execute()
}

const onLists = (db: Db) =>
  db
    .selectFrom('collect_parcels as p')
    .innerJoin('collect_lists as l', 'l.id', 'p.collect_list_id')
    .innerJoin('shipments as s', 's.id', 'p.shipment_id')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('packing_sessions as closing', 'closing.id', 's.session_id')

/** The rows of one list, oldest parcel first. */
export async function parcelsOfList(
  db: Db,
  id: number,
  shipment_ids?: readonly number[],
): Promise<(CollectParcel & { company_id: number })[]> {
  let asked = onLists(db)
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .leftJoin('shipment_parties as recipient', join =>
      join.onRef('recipient.shipment_id', '=', 's.id').on('recipient.role', '=', 'recipient'),
    )
    .select(about)
    .select(more)
    .select(together)
    .select(['c.code as company', packedAt.as('packed_at'), standing.as('standing'), 'p.reason', 'p.scanned_by_name', 'p.scanned_at'])
    .where('p.collect_list_id', '=', id)
  if (shipment_ids) asked = asked.where('p.shipment_id', '=', sql<number>`any(${shipment_ids})`)
  const rows = await asked.orderBy('s.id').limit(most).execute()
  return rows.map(row => ({
    ...withSentence(row, { standing: row.standing, reason: row.reason, scanned_by: row.scanned_by_name, scanned_at: row.scanned_at }),
    company_id: row.company_id,
  }))
}

export interface Standings {
  expected: number
  scanned: number
  missing: number
  take_out: number
  /** Grams of what was scanned. */
  weight_g: number
  /** Grams of what is not scanned yet. */
  expected_g: number
  /** By the minute in which they were packed: expected ones alone. */
  packed: { packed_at: string | null; count: number }[]
}
export const nothingStands = (): Standings => ({ expected: 0, scanned: 0, missing: 0, take_out: 0, weight_g: 0, expected_g: 0, packed: [] })

/** How the rows of these lists stand; parcels that wait on no list are not among them. */
export async function standingsOf(db: Db, ids: readonly number[]): Promise<Map<number, Standings>> {
  const minute = sql<string | null>`case when p.state = 'expected' then date_trunc('minute', ${packedAt}) end`
  const rows = await onLists(db)
    .select(['p.collect_list_id as id', standing.as('standing'), minute.as('packed_at')])
    .select(eb => [eb.fn.countAll<number>().as('count'), sql<number>`coalesce(sum(s.weight_g), 0)::bigint`.as('weight_g')])
    .where('p.collect_list_id', '=', sql<number>`any(${ids})`)
    .groupBy(['p.collect_list_id', standing, minute])
    .execute()
  const known = new Map<number, Standings>()
  for (const { id, standing: stands, packed_at, count, weight_g } of rows) {
    const of = known.get(id) ?? nothingStands()
    known.set(id, of)
    if (stands === 'taken_out' || stands === 'dropped') continue
    of[stands] += count
    if (stands === 'scanned') of.weight_g += weight_g
    if (stands === 'expected') {
      of.expected_g += weight_g
      of.packed.push({ packed_at, count })
    }
  }
  return known
}

export interface Scannable extends Sorted {
  shipment_id: number
  company_id: number
  order_id: number | null
  state: string
  operation_code: 'outbound' | 'return'
  tracking_no: string | null
  packed: boolean
}

const scannable = (db: Db) =>
  db
    .selectFrom('shipments as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('packing_sessions as closing', 'closing.id', 's.session_id')
    .select(['s.id as shipment_id', 's.company_id', 's.order_id', 's.state', 's.operation_code', 's.tracking_no'])
    .select(['s.agent_code', 's.shipping_method', 's.cage', packed.as('packed')])

/** The newest shipment that one of these numbers names. */
export const shipmentByNumbers = (db: Db, numbers: readonly string[]): Promise<Scannable | undefined> =>
  scannable(db)
    .where(eb => eb.or([eb('s.barcode', '=', sql<string>`any(${numbers})`), eb('s.tracking_no', '=', sql<string>`any(${numbers})`)]))
    .orderBy('s.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The shipment without an order of this id. */
export const shipmentWithoutOrder = (db: Db, id: number): Promise<Scannable | undefined> =>
  scannable(db).where('s.id', '=', id).where('s.order_id', 'is', null).executeTakeFirst()

/** The parcels of an order whose labels stand, for a code that names only the order. */
export const parcelsOfOrder = (db: Db, order_id: number): Promise<Scannable[]> =>
  scannable(db)
    .where('s.order_id', '=', order_id)
    .where('s.operation_code', '=', 'outbound')
    .where('s.state', 'not in', ['cancelled', 'blocked', 'draft', 'error'])
    .orderBy('s.id')
    .limit(2)
    .execute()

/** The shipment as it stands now, its row taken; its order is taken before. */
export const takeShipment = (db: Db, id: number): Promise<Scannable | undefined> =>
  scannable(db).where('s.id', '=', id).forNoKeyUpdate('s').executeTakeFirst()

/** The order's own company, where its id is all that is known. */
export const companyOfOrder = (db: Db, order_id: number) =>
  db.selectFrom('orders').select('company_id').where('id', '=', order_id).executeTakeFirst()

/** The living place of a parcel on a list. */
export const placeOf = (db: Db, shipment_id: number) =>
  db
    .selectFrom('collect_parcels as p')
    .innerJoin('collect_lists as l', 'l.id', 'p.collect_list_id')
    .select([
      'p.collect_list_id as list_id',
      'p.state',
      'p.scanned_by_name',
      'p.scanned_at',
      'l.state as list_state',
      'l.cage_name',
      'l.agent_code',
    ])
    .where('p.shipment_id', '=', shipment_id)
    .where('p.live', '=', true)
    .executeTakeFirst()
