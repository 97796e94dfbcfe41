/** Waves in the database: the orders that may go onto a list, with everything by which it is judged whether they do. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Asked, Blocked, Candidate, WaveLine } from './order-selection.rules.ts'
import type { Wave } from './pick-lists.schemas.ts'

/** Orders in these phases are read; shipped and cancelled ones only when requested by id. */
const looked = ['new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error']

/** Read along the index of open orders, company by company. The filters of the wave leave out silently, unless ids are given. */
export async function candidatesOf(db: Db, { companies }: TenantScope, wave: Wave): Promise<Candidate[]> {
  const asked = wave.order_ids.length > 0
  const none = <T>(list: readonly T[]) => list.length === 0
  const filters = sql<boolean>`(${none(wave.companies)} or o.company_id = any(${wave.companies}::bigint[]))
    and (${none(wave.agent_codes)} or o.agent_code = any(${wave.agent_codes}::text[]))
    and (${none(wave.methods)} or o.agent_code || ':' || o.shipping_method = any(${wave.methods}::text[]))
    and (${none(wave.countries)} or o.ship_country = any(${wave.countries}::text[]))
    and (${none(wave.tags)} or o.tags && ${wave.tags}::text[])
    and (${wave.ship_by_until === null} or o.ship_by <= ${wave.ship_by_until}::timestamptz)`
  const which = asked
    ? sql`o.id = any(${wave.order_ids}::bigint[])`
    : sql`o.phase = any(${looked}::text[]) and o.phase not in ('closed', 'delivered', 'cancelled', 'handed_over') and ${filters}`
  const { rows } = await sql<Candidate>`
    select o.id, o.company_id, o.order_no, o.work_state, o.held, o.cancelled_at is not null cancelled, o.short, o.label_error, o.pinned_at is not null pinned, o.combined_into is not null combined,
      o.ship_by, o.created_at, o.version, ${asked ? filters : sql`true`} matches,
      case when o.badges @? '$[*] ? (@.kind == "customs" && @.severity == "error")' then
        (select b.badge from jsonb_array_elements(o.badges) b(badge) where b.badge->>'kind' = 'customs' limit 1) end customs,
      exists (select from pick_slots s where s.operator_id = current_operator_id() and s.order_id = o.id and s.live) on_list,
      case when o.held then (select jsonb_build_object('kind', l.kind, 'reason', l.reason, 'note', l.note, 'actor', l.actor) from order_locks l
        where l.operator_id = current_operator_id() and l.order_id = any (array(select m.id from orders m where m.operator_id = o.operator_id and (m.id = o.id or m.combined_into = o.id)))
          and l.released_at is null order by l.id desc limit 1) end lock
    from orders o
    where o.operator_id = current_operator_id() and o.company_id = any(${companies}::bigint[]) and ${which}
    order by o.id`.execute(db)
  return rows
}

/** What there is to pick of these orders. A product's own bin counts more than what the order's line said when it came. */
export async function linesOf(db: Db, { companies }: TenantScope, order_ids: readonly number[]): Promise<WaveLine[]> {
  if (order_ids.length === 0) return []
  const { rows } = await sql<WaveLine>`
    select l.id, l.order_id, l.company_id, l.product_id, l.sku, l.name, l.variant, coalesce(p.bin, l.bin) bin, l.qty - l.cancelled_qty - l.packed_qty asked,
      coalesce(l.weight_g, p.weight_g) weight_g, p.length_mm::bigint * p.width_mm * p.height_mm / 1000 volume_ml
    from order_lines l left join products p on p.operator_id = l.operator_id and p.id = l.product_id
    where l.operator_id = current_operator_id() and l.company_id = any(${companies}::bigint[]) and l.order_id = any(${order_ids}::bigint[])
      and l.type = 'item' and l.requires_shipping and l.qty - l.cancelled_qty - l.packed_qty > 0
    order by l.order_id, l.line_no`.execute(db)
  return rows
}

/** Bins that are blocked until they are counted. */
export const blockedBins = (db: Db): Promise<Blocked[]> =>
  db.selectFrom('bin_counts').select(['company_id', 'bin', 'product_id']).where('done_at', 'is', null).where('blocks', '=', true).execute()

/** Names of companies, and the assumed weight of a product without one. */
export async function companiesOf(db: Db): Promise<Map<number, { name: string; code: string; default_weight_g: number }>> {
  const rows = await db
    .selectFrom('companies')
    .select(['id', 'name', 'code'])
    .select(sql<number>`coalesce((settings->>'default_weight_g')::integer, 500)`.as('default_weight_g'))
    .orderBy('is_main', 'desc')
    .orderBy('name')
    .execute()
  return new Map(rows.map(({ id, ...company }) => [id, company]))
}

/**
 * Takes these orders' rows until the end of the transaction, without waiting for those that somebody else has: answers the
 * ids of those that are still as they were looked at.
 */
export async function takeOrders(db: Db, asked: readonly Asked[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('orders as o')
    .select(['o.id', 'o.version'])
    .where('o.id', '=', sql<number>`any(${asked.map(order => order.id)}::bigint[])`)
    .where('o.work_state', '=', 'ready')
    .where('o.held', '=', false)
    .where('o.cancelled_at', 'is', null)
    .orderBy('o.id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const versions = new Map(asked.map(order => [order.id, order.version]))
  return new Set(rows.filter(row => versions.get(row.id) === row.version).map(row => row.id))
}
