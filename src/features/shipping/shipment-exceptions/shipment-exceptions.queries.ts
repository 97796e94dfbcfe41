/** Shipment exceptions as people look for them, and what the clock looks at. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { couriers } from '#integrations/couriers/couriers.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { ShipmentExceptionKind } from './shipment-exceptions.codes.ts'
import { kindByClock, lostDays, shopDays, stillHours } from './shipment-exceptions.rules.ts'
import type { Question, ShipmentException } from './shipment-exceptions.schemas.ts'

/** Who looks, and when: for what is theirs and what is late. */
interface Viewer {
  user_id: number
  now: Date
}

const allOf = (db: Db) =>
  db
    .selectFrom('shipment_exceptions as x')
    .innerJoin('shipments as s', 's.id', 'x.shipment_id')
    .innerJoin('companies as c', 'c.id', 'x.company_id')
    .leftJoin('orders as o', 'o.id', 'x.order_id')

/** Those that are asked for. Their shipment and order are read only where a condition is about them. */
function asked(db: Db, { query, view, kind, agent_code, company }: Omit<Question, 'sort'>, { user_id, now }: Viewer) {
  let rows = db.selectFrom('shipment_exceptions as x').where('x.resolved_at', view === 'resolved' ? 'is not' : 'is', null)
  if (view === 'mine') rows = rows.where('x.owner_user_id', '=', user_id)
  if (view === 'unassigned') rows = rows.where('x.owner_user_id', 'is', null)
  if (view === 'overdue') rows = rows.where('x.next_at', '<', now.toISOString())
  if (kind?.length) rows = rows.where('x.kind', 'in', kind)
  if (company?.length) rows = rows.where('x.company_id', 'in', company)
  if (agent_code)
    rows = rows.where(eb =>
      eb.exists(
        eb.selectFrom('shipments as s').select('s.id').whereRef('s.id', '=', 'x.shipment_id').where('s.agent_code', '=', agent_code),
      ),
    )
  if (query === '') return rows
  const plain = query.replace(/^#/, '')
  return rows.where(({ exists, or, selectFrom }) =>
    or([
      exists(
        selectFrom('shipments as s')
          .select('s.id')
          .whereRef('s.id', '=', 'x.shipment_id')
          .where(sql<boolean>`(s.tracking_no = any (${[query, scannedNumber(query)]}) or s.barcode = ${query})`),
      ),
      exists(
        selectFrom('orders as o')
          .select('o.id')
          .whereRef('o.id', '=', 'x.order_id')
          .where(sql<boolean>`(o.order_no like ${beginning(plain)} or o.order_no = ${`#${plain}`})`),
      ),
      sql<boolean>`x.owner_name ilike ${containing(plain)}`,
    ]),
  )
}

const shown = (rows: ReturnType<typeof allOf>) =>
  rows
    .select(['x.id', 'x.kind', 'x.shipment_id', 'x.order_id', 'x.company_id', 'c.name as company', 's.agent_code', 's.tracking_no'])
    .select(sql<string | null>`coalesce(o.order_no, s.request->>'order_no')`.as('order_no'))
    .select(sql<string>`coalesce(o.ship_country, '')`.as('country'))
    .select(['s.state as shipment_state', 'x.opened_at', 'x.owner_user_id', 'x.owner_name', 'x.next_step', 'x.next_at', 'x.note'])
    .select(['x.resolution', 'x.resolved_by', 'x.resolved_at', 'x.version'])

const sortColumns = { due: sql`coalesce(x.next_at, x.opened_at)`, since: sql`x.opened_at`, order: sql`o.order_no` } as const

/** The rows of the page are chosen first; what is shown of them is read for these alone. */
export async function shipmentExceptionsPage(
  db: Db,
  { sort, ...question }: Question,
  viewer: Viewer,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: ShipmentException[]; total: number; total_is_more: boolean }> {
  const column = sort.endsWith('due') ? 'due' : sort.endsWith('since') ? 'since' : 'order'
  const all = asked(db, question, viewer)
  const chosen = column === 'order' ? all.leftJoin('orders as o', 'o.id', 'x.order_id') : all
  const sorted =
    question.view === 'resolved' && sort === 'due'
      ? chosen.orderBy('x.resolved_at', 'desc').orderBy('x.id', 'desc')
      : chosen.orderBy(sortColumns[column], sort.startsWith('-') ? 'desc' : 'asc').orderBy('x.id')
  const [ids, counted] = await Promise.all([sorted.select('x.id').offset(offset).limit(limit).execute(), cappedCount(db, all)])
  const places = new Map(ids.map(({ id }, place) => [id, place]))
  const rows = await shown(allOf(db))
    .where('x.id', '=', sql<number>`any(${[...places.keys()]})`)
    .execute()
  return { rows: rows.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)), ...counted }
}

export const shipmentExceptionById = async (db: Db, id: number): Promise<ShipmentException> =>
  orNotFound(
    await shown(allOf(db).where('x.id', '=', id)).executeTakeFirst(),
    'shipment_exception_not_found',
    'Shipment exception not found',
  )

export async function openShipmentExceptions(db: Db, { user_id, now }: Viewer) {
  const rows = await db
    .selectFrom('shipment_exceptions as x')
    .select(eb => [
      'x.kind',
      eb.fn.countAll<number>().as('open'),
      eb.fn.countAll<number>().filterWhere('x.owner_user_id', '=', user_id).as('mine'),
      eb.fn.countAll<number>().filterWhere('x.owner_user_id', 'is', null).as('unassigned'),
      eb.fn.countAll<number>().filterWhere('x.next_at', '<', now.toISOString()).as('overdue'),
    ])
    .where('x.resolved_at', 'is', null)
    .groupBy('x.kind')
    .execute()
  const sum = (of: 'open' | 'mine' | 'unassigned' | 'overdue') => rows.reduce((total, row) => total + Number(row[of]), 0)
  return {
    open: sum('open'),
    mine: sum('mine'),
    unassigned: sum('unassigned'),
    overdue: sum('overdue'),
    kinds: Object.fromEntries(rows.map(row => [row.kind, Number(row.open)])),
  }
}

export interface SilentShipment {
  operator_id: number
  company_id: number
  shipment_id: number
  order_id: number | null
  kind: ShipmentExceptionKind
}

/** Days after the hand-over in which the clock looks at a parcel. */
const watchedDays = 60
const mostAtOnce = 500

/** Shipments of every operator for which the clock opens an exception. What a person has resolved since the last event stays resolved. */
export async function silentShipments(db: Db, now: Date): Promise<SilentShipment[]> {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
  const tracked = [...couriers].flatMap(([agent_code, { capabilities }]) => (capabilities.tracking ? [agent_code] : []))
  const { rows } = await sql<{
    operator_id: number
    company_id: number
    shipment_id: number
    order_id: number | null
    state: string
    handed_over_at: string
    last_event_at: string | null
    ready_at: string | null
    tracked: boolean
  }>`
    select s.operator_id, s.company_id, s.id shipment_id, s.order_id, s.state, s.handed_over_at, e.last_event_at, e.ready_at,
      s.agent_code = any (${tracked}::text[]) tracked
    from companies c
    join shipments s on s.operator_id = c.operator_id and s.company_id = c.id
    cross join lateral (
      select max(at) filter (where courier_key is not null) last_event_at, min(at) filter (where state = 'ready_for_pickup') ready_at,
        max(at) last_at
      from shipment_events where operator_id = s.operator_id and shipment_id = s.id) e
    where s.state in ('handed_over', 'in_transit', 'out_for_delivery', 'ready_for_pickup', 'delivery_failed', 'needs_attention')
      and s.handed_over_at > ${before(24 * watchedDays)} and s.handed_over_at < ${before(stillHours)}
      and case when s.state = 'ready_for_pickup' then coalesce(e.ready_at, e.last_event_at, s.handed_over_at) <= ${before(24 * shopDays)}
        else coalesce(e.last_event_at, s.handed_over_at) <= ${before(stillHours)}
          and (e.last_event_at is not null or s.agent_code = any (${tracked}::text[]))
          and (s.state in ('in_transit', 'out_for_delivery') or coalesce(e.last_event_at, s.handed_over_at) <= ${before(24 * lostDays)}) end
      and not exists (select from shipment_exceptions x where x.operator_id = s.operator_id and x.shipment_id = s.id
        and x.kind = case when s.state = 'ready_for_pickup' then 'waiting_in_shop'
          when coalesce(e.last_event_at, s.handed_over_at) <= ${before(24 * lostDays)} then 'lost' else 'no_movement' end
        and (x.resolved_at is null or x.resolved_at >= coalesce(e.last_at, s.handed_over_at)))
    order by s.operator_id, s.company_id, s.id limit ${mostAtOnce}`.execute(db)
  return rows.flatMap(({ operator_id, company_id, shipment_id, order_id, ...shipment }) => {
    const kind = kindByClock(shipment, now)
    return kind ? [{ operator_id, company_id, shipment_id, order_id, kind }] : []
  })
}
