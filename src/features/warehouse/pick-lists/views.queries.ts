/** Reading pick lists: finding them, following them, and what waiting orders can be chosen by. */

import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { elementAt } from '#domain/objects.ts'
import { textIds } from '#features/orders/orders/search.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { listSorts } from './pick-lists.codes.ts'
import { metresOf, minutesOf } from './pick-lists.rules.ts'
import { type ListState, type ListType, type OrderOnList, type PickList, type PickListRow, WagonShape, Wave } from './pick-lists.schemas.ts'
import { codesOf, slotsOf, wagonOf } from './wagon-views.queries.ts'

const columns = [
  'id',
  'type',
  'state',
  'order_count',
  'line_count',
  'piece_count',
  'stop_count',
  'walk_dm',
  'first_walk_dm',
  'estimated_s',
  'created_by_name',
  'created_at',
  'completed_at',
  'cancelled_at',
  'version',
  'job_id',
] as const

interface Row {
  id: number
  type: ListType
  state: ListState
  order_count: number
  line_count: number
  piece_count: number
  stop_count: number
  walk_dm: number | null
  first_walk_dm: number | null
  estimated_s: number | null
  created_by_name: string
  created_at: string
  completed_at: string | null
  cancelled_at: string | null
  version: number
}

/** Orders that a text means: an order number, an order code, a paperless code. */
export const ordersMeant = async (db: Db, scope: TenantScope, text: string): Promise<number[]> =>
  (await textIds(
    db,
    scope,
    { companies: scope.companies, homes: [], text, phases: [], due: null, abroad: false, countries: [], pinned: false, among: null },
    200,
  )) ?? []

export interface Asking {
  query: string
  state?: readonly ListState[] | undefined
  type?: readonly ListType[] | undefined
  sort: (typeof listSorts)[number]
  page: number
  limit: number
}

/** A page of lists. A text is a list's number (`PL7` or `7`), an order that is or was on it, a paperless code on it, or a picker. */
export async function listsBy(db: Db, scope: TenantScope, asking: Asking): Promise<Page<PickListRow>> {
  const text = asking.query.trim()
  let asked = db.selectFrom('pick_lists')
  if (asking.state?.length) asked = asked.where('state', '=', sql<ListState>`any(${asking.state}::text[])`)
  if (asking.type?.length) asked = asked.where('type', '=', sql<ListType>`any(${asking.type}::text[])`)
  if (text !== '') {
    const ids = await listsMeant(db, scope, text)
    asked = asked.where('id', '=', sql<number>`any(${ids}::bigint[])`)
  }
  const sorted = {
    newest: asked.orderBy('id', 'desc'),
    oldest: asked.orderBy('id'),
    orders: asked.orderBy('order_count', 'desc').orderBy('id', 'desc'),
    walk: asked.orderBy('walk_dm', order => order.desc().nullsLast()).orderBy('id', 'desc'),
  }[asking.sort]
  const offset = pageOffset(asking)
  const rows = await sorted.select(columns).limit(asking.limit).offset(offset).execute()
  const count = await cappedCount(db, asked)
  return { rows: await asRows(db, rows), ...count, offset, limit: asking.limit }
}

async function listsMeant(db: Db, scope: TenantScope, text: string): Promise<number[]> {
  const number = /^(?:PL)?(\d{1,15})$/i.exec(text)?.[1] ?? '0'
  const digits = /^PP(\d{1,20})$/i.exec(text)?.[1] ?? ''
  const orders = await ordersMeant(db, scope, text)
  // One letter names half the pickers.
  const picker = text.length > 1 ? containing(text) : null
  const { rows } = await sql<{ id: number }>`
    select id from pick_lists where operator_id = current_operator_id() and id = ${Number(number)}
    union select pick_list_id from pick_slots where operator_id = current_operator_id() and company_id = any(current_company_ids()) and order_id = any(${orders}::bigint[])
    union select pick_list_id from paperless_codes where operator_id = current_operator_id() and digits = ${digits} and pick_list_id is not null
    union select pick_list_id from pick_wagons where operator_id = current_operator_id() and user_name ilike ${picker}
    order by id desc limit 10000`.execute(db)
  return rows.map(row => row.id)
}

export async function listRow(db: Db, id: number): Promise<(PickListRow & { job_id: number | null }) | undefined> {
  const row = await db.selectFrom('pick_lists').select(columns).where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const [shown] = await asRows(db, [row])
  return shown && { ...shown, job_id: row.job_id }
}

const ended = (state: string) => state === 'completed' || state === 'cancelled'

/** Progress is counted for lists that somebody still works on; of the others everything is done. */
async function asRows(db: Db, rows: readonly Row[]): Promise<PickListRow[]> {
  const ids = rows.map(row => row.id)
  const living = rows.filter(row => !ended(row.state)).map(row => row.id)
  const wagons = await db
    .selectFrom('pick_wagons')
    .select(['pick_list_id', 'wagon_no', 'state', 'user_id', 'user_name'])
    .where('pick_list_id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('wagon_no')
    .execute()
  const lines = await db
    .selectFrom('pick_lines')
    .select(['pick_list_id', 'wagon_no'])
    .select(eb => [
      eb.fn.countAll<number>().as('lines'),
      eb.fn.countAll<number>().filterWhere('state', 'not in', ['open', 'skipped']).as('lines_done'),
    ])
    .where('pick_list_id', '=', sql<number>`any(${living}::bigint[])`)
    .groupBy(['pick_list_id', 'wagon_no'])
    .execute()
  const deadlines = await db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.pick_list_id'])
    .select(eb => eb.fn.min('o.ship_by').as('ship_by'))
    .where('s.pick_list_id', '=', sql<number>`any(${living}::bigint[])`)
    .where('s.live', '=', true)
    .groupBy('s.pick_list_id')
    .execute()
  const progress = new Map(lines.map(line => [`${line.pick_list_id} ${line.wagon_no}`, line]))
  const ofList = Map.groupBy(wagons, wagon => wagon.pick_list_id)
  const due = new Map(deadlines.map(one => [one.pick_list_id, one.ship_by]))
  return rows.map(row => {
    const its = (ofList.get(row.id) ?? []).map(wagon => {
      const at = progress.get(`${row.id} ${wagon.wagon_no}`)
      return {
        wagon_no: wagon.wagon_no,
        state: wagon.state,
        user_id: wagon.user_id,
        user_name: wagon.user_name,
        lines: Number(at?.lines ?? 0),
        lines_done: Number(at?.lines_done ?? 0),
      }
    })
    return {
      ...shown(row),
      wagon_count: its.length,
      lines_done: ended(row.state) ? row.line_count : its.reduce((sum, wagon) => sum + wagon.lines_done, 0),
      wagons: its,
      ship_by: due.get(row.id) ?? null,
    }
  })
}

const shown = (row: Row) => ({
  id: row.id,
  type: row.type,
  state: row.state,
  order_count: row.order_count,
  line_count: row.line_count,
  piece_count: row.piece_count,
  stop_count: row.stop_count,
  metres: metresOf(row.walk_dm),
  first_metres: metresOf(row.first_walk_dm),
  minutes: row.estimated_s === null ? null : minutesOf(row.estimated_s),
  created_by_name: row.created_by_name,
  created_at: row.created_at,
  completed_at: row.completed_at,
  cancelled_at: row.cancelled_at,
  version: row.version,
})

/** A list with its wagons and their slots; undefined when it does not exist. */
export async function listById(db: Db, id: number): Promise<PickList | undefined> {
  const row = await db
    .selectFrom('pick_lists')
    .select([...columns, 'wave', 'wagon_type', 'map_result_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const wagons = await db.selectFrom('pick_wagons').selectAll().where('pick_list_id', '=', id).orderBy('wagon_no').execute()
  const slots = await slotsOf(db, id)
  const codes = await codesOf(db, id)
  const stops = await sql<{ wagon_no: number; stops: number }>`
      select wagon_no, count(distinct coalesce('c' || cell, 'b' || coalesce(bin, '')))::integer stops from pick_lines
      where operator_id = current_operator_id() and company_id = any(current_company_ids()) and pick_list_id = ${id} group by 1`.execute(db)
  const backs = await db
    .selectFrom('put_backs')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('pick_list_id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow()
  const shape = WagonShape.parse(row.wagon_type)
  const stopsOf = new Map(stops.rows.map(one => [one.wagon_no, one.stops]))
  const slotsByWagon = Map.groupBy(slots, slot => slot.wagon_no)
  const codesByWagon = Map.groupBy(codes, code => code.wagon_no)
  const all = wagons.map(wagon => ({
    ...wagonOf(wagon, shape, slotsByWagon.get(wagon.wagon_no) ?? [], codesByWagon.get(wagon.wagon_no) ?? []),
    stops: stopsOf.get(wagon.wagon_no) ?? 0,
  }))
  const deadlines = slots.flatMap(slot => (slot.live && slot.ship_by !== null ? [slot.ship_by] : []))
  return {
    ...shown(row),
    wagon_count: all.length,
    lines_done: all.reduce((sum, wagon) => sum + wagon.lines_done, 0),
    ship_by: deadlines.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    wagons: all,
    wagon_type: shape,
    wave: Wave.partial().catch({}).parse(row.wave),
    map_result_id: row.map_result_id,
    job_id: row.job_id,
    put_backs_open: backs.n,
  }
}

/** Which lists these orders are or were on, the newest first. */
export async function listsOfOrders(db: Db, order_ids: readonly number[]): Promise<OrderOnList[]> {
  const rows = await db
    .selectFrom('pick_slots as s')
    .innerJoin('pick_wagons as w', j => j.onRef('w.pick_list_id', '=', 's.pick_list_id').onRef('w.wagon_no', '=', 's.wagon_no'))
    .innerJoin('pick_lists as p', 'p.id', 's.pick_list_id')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select([
      's.pick_list_id',
      'p.type',
      'p.state as list_state',
      's.wagon_no',
      'w.state as wagon_state',
      's.slot_no',
      's.state as slot_state',
    ])
    .select(['s.live', 's.order_id', 'o.order_no', 's.company_id', 'w.user_name', 'p.created_at'])
    .where('s.order_id', '=', sql<number>`any(${order_ids}::bigint[])`)
    .orderBy('s.pick_list_id', 'desc')
    .limit(100)
    .execute()
  return rows
}

/** What the orders that wait can be chosen by. */
export async function choicesOf(db: Db) {
  const { rows } = await sql<{ agent_codes: string[] | null; methods: string[] | null; countries: string[] | null; tags: string[] | null }>`
    with waiting as (select agent_code, shipping_method, ship_country, tags from orders
      where operator_id = current_operator_id() and company_id = any(current_company_ids()) and phase in ('new', 'ready') limit 20000)
    select (select array_agg(distinct agent_code) filter (where agent_code is not null) from waiting) agent_codes,
      (select array_agg(distinct agent_code || ':' || shipping_method) filter (where agent_code is not null and shipping_method is not null) from waiting) methods,
      (select array_agg(distinct ship_country) from waiting) countries,
      (select array_agg(distinct tag) from waiting, unnest(tags) tag) tags`.execute(db)
  const { agent_codes, methods, countries, tags } = elementAt(rows, 0)
  return { agent_codes: agent_codes ?? [], methods: methods ?? [], countries: countries ?? [], tags: (tags ?? []).slice(0, 200) }
}

/** Orders that wait for a list of this type, counted to ten thousand. */
export async function availableOrders(db: Db, type: ListType): Promise<{ count: number; is_more: boolean }> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer n from (select 1 from orders where operator_id = current_operator_id() and company_id = any(current_company_ids())
      and phase = 'ready' and (${type !== 'singles'} or item_count = 1) limit 10001) few`.execute(db)
  const n = rows[0]?.n ?? 0
  return { count: Math.min(n, 10_000), is_more: n > 10_000 }
}
