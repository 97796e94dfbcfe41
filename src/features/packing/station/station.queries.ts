/** The lists of the idle packing station. */
import { sql } from 'kysely'
import { companyColor, idleMinutes } from '#features/packing/packing/packing.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Queue, RecentlyPacked, Waiting } from './station.schemas.ts'

const most = 50

/** Open sessions without a packer: set aside, failed, unchecked, or left alone for long. */
export async function waitingOrders(db: Db, now: Date): Promise<Waiting[]> {
  const left = new Date(now.getTime() - idleMinutes * 60_000).toISOString()
  const rows = await db
    .selectFrom('packing_sessions as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .select([
      's.order_id',
      'o.order_no',
      'c.code as company',
      'c.name as company_name',
      'o.customer_name',
      's.state',
      's.station',
      's.user_name',
    ])
    .select(companyColor.as('company_color'))
    .select(['s.last_scan_at as since', 's.parked_reason as reason'])
    .select([
      sql<number>`(select coalesce(sum(l.packed_qty), 0)::integer from order_lines l where l.operator_id = s.operator_id and l.order_id = s.order_id and l.type = 'item' and l.requires_shipping)`.as(
        'packed',
      ),
      sql<number>`(select coalesce(sum(l.qty - l.cancelled_qty), 0)::integer from order_lines l where l.operator_id = s.operator_id and l.order_id = s.order_id and l.type = 'item' and l.requires_shipping)`.as(
        'to_pack',
      ),
    ])
    .where('s.ended_at', 'is', null)
    .where('o.cancelled_at', 'is', null)
    .where(eb => eb.or([eb('s.state', 'in', ['parked', 'label_error', 'label_check']), eb('s.last_scan_at', '<', left)]))
    .orderBy('s.last_scan_at')
    .limit(most)
    .execute()
  return rows
}

/** Counting further costs more than the number is worth. */
const mostCounted = 1_000

/** What can be packed now: what was picked, and where the company packs without a pick list also what is ready; picked and oldest first. */
export async function packingQueue(db: Db, { user_id, since, now }: { user_id: number; since: string; now: Date }): Promise<Queue> {
  const packable = db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .where(eb =>
      eb.or([
        eb('o.phase', '=', 'picked'),
        eb.and([eb('o.phase', '=', 'ready'), eb(sql<string | null>`c.settings->>'pack_without_pick_list'`, 'is distinct from', 'false')]),
      ]),
    )
  const [counted, next, mine] = await Promise.all([
    db
      .selectFrom(packable.select('o.ship_by').limit(mostCounted).as('some'))
      .select(eb => [
        eb.fn.countAll<number>().as('waiting'),
        eb.fn.countAll<number>().filterWhere('some.ship_by', '<', now.toISOString()).as('late'),
      ])
      .executeTakeFirstOrThrow(),
    packable
      .select(['o.id as order_id', 'o.order_no', 'c.code as company', 'c.name as company_name', 'o.customer_name', 'o.ship_by'])
      .select(companyColor.as('company_color'))
      .select(
        sql<string | null>`(select min(k.digits) from paperless_codes k where k.operator_id = o.operator_id and k.order_id = o.id)`.as(
          'tote',
        ),
      )
      .orderBy(sql`o.phase = 'picked'`, 'desc')
      .orderBy(sql`o.ship_by asc nulls last`)
      .orderBy('o.id')
      .limit(5)
      .execute(),
    db
      .selectFrom('packing_sessions')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('user_id', '=', user_id)
      .where('state', '=', 'done')
      .where('ended_at', '>=', since)
      .executeTakeFirstOrThrow(),
  ])
  return {
    waiting: Number(counted.waiting),
    late: Number(counted.late),
    next: next.map(row => ({ ...row, tote: row.tote === null ? null : `PP${row.tote}` })),
    packed_today: Number(mine.n),
  }
}

export async function recentlyPacked(db: Db, by: { user_id: number; station: string }): Promise<RecentlyPacked[]> {
  const rows = await db
    .selectFrom('packing_sessions as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .select(['s.order_id', 'o.order_no', 'c.code as company', 'c.name as company_name', 'o.customer_name', 's.station', 's.user_name'])
    .select(companyColor.as('company_color'))
    .select(eb => eb.fn.coalesce('s.ended_at', 's.last_scan_at').as('packed_at'))
    .select([
      sql<number>`(select count(*)::integer from shipments p where p.operator_id = s.operator_id and p.session_id = s.id and p.operation_code = 'outbound' and p.state not in ('draft', 'error', 'cancelled', 'blocked'))`.as(
        'parcels',
      ),
      sql<
        string[]
      >`(select coalesce(array_agg(p.tracking_no order by p.parcel_no, p.id), '{}') from shipments p where p.operator_id = s.operator_id and p.session_id = s.id and p.operation_code = 'outbound' and p.tracking_no is not null and p.state not in ('draft', 'error', 'cancelled', 'blocked'))`.as(
        'tracking_nos',
      ),
    ])
    .where('s.state', '=', 'done')
    .where(eb => eb.or([eb('s.user_id', '=', by.user_id), ...(by.station ? [eb('s.station', '=', by.station)] : [])]))
    .orderBy('s.id', 'desc')
    .limit(8)
    .execute()
  return rows
}

export const handlingPictureOf = (db: Db, order_id: number) =>
  db
    .selectFrom('orders as o')
    .innerJoin('shipping_methods as m', j =>
      j
        .onRef('m.company_id', '=', 'o.company_id')
        .onRef('m.agent_code', '=', 'o.agent_code')
        .onRef('m.shipping_method', '=', 'o.shipping_method'),
    )
    .innerJoin('files as f', 'f.id', 'm.image_file_id')
    .select(['f.sha256', 'f.bytes', 'f.media_type'])
    .where('o.id', '=', order_id)
    .executeTakeFirst()
