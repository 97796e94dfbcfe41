/** Reads of deadlines, and of the orders that they are about. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import type { Db } from '#platform/database/database.ts'
import { compilePlan, planText, ruleOf, type StoredDay } from './deadline-plan.server.ts'
import { clockHolds, type ShipBySource } from './deadlines.codes.ts'
import { Deadline, type DeadlineDay } from './deadlines.schemas.ts'
import { nextPickups, type PlannedDeadline } from './pickup.rules.ts'

const columns = [
  'd.id',
  'd.name',
  'd.company_ids',
  'd.agent_codes',
  'd.shipping_methods',
  'd.countries',
  'd.weekdays',
  'd.cut_off',
  'd.pickup_time',
  'd.sla_days',
  'd.target',
  'd.holidays',
  'd.active',
  'd.time_zone',
  'd.version',
  'd.updated_at',
] as const

const live = (db: Db) => db.selectFrom('deadlines as d').select(columns).where('d.deleted_at', 'is', null)

const Stored = Deadline.omit({ next: true, open_orders: true })
export type DeadlineRow = Omit<Deadline, 'next' | 'open_orders'>

export const deadlineRows = async (db: Db): Promise<DeadlineRow[]> =>
  (await live(db).orderBy('d.id').execute()).map(row => Stored.parse(row))

export async function deadlineRow(db: Db, id: number): Promise<DeadlineRow> {
  const row = await live(db).where('d.id', '=', id).executeTakeFirst()
  return Stored.parse(orNotFound(row, 'deadline_not_found', 'Deadline not found'))
}

export const dayOf = (db: Db, { deadline_id, day }: Pick<DeadlineDay, 'deadline_id' | 'day'>): Promise<DeadlineDay | undefined> =>
  db
    .selectFrom('deadline_days')
    .select(['deadline_id', 'day', 'open', 'cut_off', 'pickup_time', 'note'])
    .where('day', '=', day)
    .where('deadline_id', 'is not distinct from', deadline_id)
    .executeTakeFirst()

export const daysBetween = (db: Db, from: string, to: string): Promise<DeadlineDay[]> =>
  db
    .selectFrom('deadline_days')
    .select(['deadline_id', 'day', 'open', 'cut_off', 'pickup_time', 'note'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy(sql`coalesce(deadline_id, 0)`)
    .limit(5_000)
    .execute()

/** Days around an instant: what pickups of the next weeks and the last ones need. */
export function daysAround(db: Db, at: number): Promise<StoredDay[]> {
  const day = (shift: number) => new Date(at + shift * 86_400_000).toISOString().slice(0, 10)
  return daysBetween(db, day(-62), day(125))
}

/** Phases of orders that must still leave, as the partial indexes of orders name them. */
const notLeft = sql.raw(`'new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error', 'packed'`)
const notPacked = sql.raw(`'new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error'`)

async function openCounts(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ deadline_id: number; n: number }>`
    select o.deadline_id, count(*)::integer n from orders o
    where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.deadline_id is not null and o.phase in (${notLeft})
    group by o.deadline_id`.execute(db)
  return new Map(rows.map(row => [row.deadline_id, row.n]))
}

/** A shop sees the deadlines of its own orders, and no other companies. */
const seenBy = (rows: readonly DeadlineRow[], company: { id: number; is_main: boolean }): DeadlineRow[] =>
  company.is_main
    ? [...rows]
    : rows
        .filter(row => row.company_ids.length === 0 || row.company_ids.includes(company.id))
        .map(row => ({ ...row, company_ids: row.company_ids.filter(id => id === company.id) }))

interface Asker {
  db: Db
  now: () => Date
  principal: { company: { id: number; is_main: boolean } }
}

async function withFacts({ db, now }: Pick<Asker, 'db' | 'now'>, rows: readonly DeadlineRow[]): Promise<Deadline[]> {
  const at = now().getTime()
  const days = await daysAround(db, at)
  const counts = await openCounts(db)
  return rows.map(row => ({
    ...row,
    next: nextPickups(ruleOf(row, days), at, 2).map(pickup => new Date(pickup).toISOString()),
    open_orders: counts.get(row.id) ?? 0,
  }))
}

export async function findDeadlines(
  asker: Asker,
  { query, active, ...paging }: { query: string; active?: boolean | undefined; page: number; limit: number },
): Promise<Page<Deadline>> {
  const words = query.toLocaleLowerCase()
  const rows = seenBy(await deadlineRows(asker.db), asker.principal.company).filter(
    row => row.name.toLocaleLowerCase().includes(words) && (active === undefined || row.active === active),
  )
  const found = (await withFacts(asker, rows)).toSorted(
    (a, b) => Number(b.active) - Number(a.active) || (a.next[0] ?? '9').localeCompare(b.next[0] ?? '9') || a.id - b.id,
  )
  const offset = pageOffset(paging)
  return { rows: found.slice(offset, offset + paging.limit), total: found.length, total_is_more: false, offset, limit: paging.limit }
}

export async function deadlineById(asker: Asker, id: number): Promise<Deadline> {
  const [row] = seenBy([await deadlineRow(asker.db, id)], asker.principal.company)
  const [deadline] = await withFacts(asker, row ? [row] : [])
  return orNotFound(deadline, 'deadline_not_found', 'Deadline not found')
}

export async function readPlan(db: Db): Promise<PlannedDeadline[]> {
  const { rows } = await sql<{ plan: string }>`select ${sql.raw(planText)} as plan`.execute(db)
  return compilePlan(rows[0]?.plan ?? '{"deadlines":[],"days":[]}')
}

/** What of an open order decides its deadline. */
export interface OpenOrder {
  id: number
  company_id: number
  agent_code: string | null
  shipping_method: string | null
  country: string
  ordered_at: string
  created_at: string
  not_before: string | null
  /** What the shop has promised. */
  promised: string | null
  deadline_id: number | null
  deadline_at: string | null
  ship_by: string | null
  ship_by_source: ShipBySource | null
  /** When the last hold ended that stops the clock. */
  resumed_at: string | null
  /** Such a hold is open: its time does not run. */
  stopped: boolean
}

/** Instants in one form, so that the same ones are equal as text. */
const iso = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString())

const clockHold = sql`l.operator_id = o.operator_id and l.order_id = o.id and l.kind = 'hold' and l.reason = any (${[...clockHolds]}::text[])`

/** Orders that are not packed yet; with `lock` their rows are taken, in the order of their ids. */
export async function openOrders(db: Db, ids: readonly number[], { lock = false } = {}): Promise<OpenOrder[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OpenOrder>`
    select o.id, o.company_id, o.agent_code, o.shipping_method, o.ship_country as country, o.ordered_at, o.created_at,
      o.delivery ->> 'not_before' as not_before, o.delivery ->> 'ship_by' as promised, o.deadline_id, o.deadline_at, o.ship_by, o.ship_by_source,
      (select max(l.released_at) from order_locks l where ${clockHold}) as resumed_at,
      o.held and exists (select from order_locks l where ${clockHold} and l.released_at is null) as stopped
    from orders o
    where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = any (${ids}::bigint[])
      and o.phase in (${notPacked})
    order by o.id ${lock ? sql`for no key update of o` : sql``}`.execute(db)
  return rows.map(row => ({ ...row, deadline_at: iso(row.deadline_at), ship_by: iso(row.ship_by), promised: iso(row.promised) }))
}

/** Orders that are not packed yet, the oldest first. */
export async function openOrderIds(db: Db, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids())
      and o.phase in (${notPacked}) order by o.id limit ${most}`.execute(db)
  return rows.map(row => row.id)
}

/** Active methods of all companies in reach, each once. */
export const methodOptions = (db: Db) =>
  db
    .selectFrom('shipping_methods')
    .select(['agent_code', 'name'])
    .select(sql<string>`agent_code || ':' || shipping_method`.as('method'))
    .distinctOn(['agent_code', 'shipping_method'])
    .where('active', '=', true)
    .orderBy('agent_code')
    .orderBy('shipping_method')
    .orderBy('company_id')
    .limit(1_000)
    .execute()
