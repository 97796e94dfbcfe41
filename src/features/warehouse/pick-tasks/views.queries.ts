/** Pick tasks as people look for them: shorts, counts and put-backs, open and done. */

import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { binKey } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import type { BinCount, Doneness, Needing, PutBack, Short, ShortDecision, ShortReason } from './pick-tasks.schemas.ts'

export interface Paging {
  offset: number
  limit: number
}
interface Question {
  query: string
  show: Doneness
  company?: readonly number[] | undefined
}
interface Paged<T> {
  rows: T[]
  total: number
  total_is_more: boolean
}

export async function openTasks(db: Db): Promise<{ shorts: number; counts: number; put_backs: number }> {
  const shorts = await cappedCount(db, db.selectFrom('pick_shorts').where('decided_at', 'is', null))
  const counts = await cappedCount(db, db.selectFrom('bin_counts').where('done_at', 'is', null))
  const put_backs = await cappedCount(db, db.selectFrom('put_backs').where('done_at', 'is', null))
  return { shorts: shorts.total, counts: counts.total, put_backs: put_backs.total }
}

/** What a typed or scanned text can mean; `t` is the task's row with `bin`, `sku` and `name`. */
function means(text: string, { order, product_id }: { order: boolean; product_id: string }) {
  const words = text.trim()
  const code = /^(\d{1,15}):(\d{1,15})$/.exec(words)
  if (code) return order ? sql<boolean>`(o.id = ${Number(code[2])} and o.company_id = ${Number(code[1])})` : sql<boolean>`false`
  const digits = /^PP(\d{1,20})$/i.exec(words)?.[1]
  const plain = words.replace(/^#/, '')
  const begins = beginning(plain)
  const parts = [
    sql<boolean>`upper(replace(t.bin, ' ', '')) = ${binKey(words)}`,
    sql<boolean>`upper(t.sku) = ${words.toUpperCase()}`,
    sql<boolean>`t.name ilike ${`%${begins}`}`,
    sql<boolean>`exists (select from product_barcodes b where b.operator_id = t.operator_id and b.company_id = t.company_id
      and b.product_id = ${sql.ref(product_id)} and b.barcode = ${words})`,
    ...(order
      ? [
          sql<boolean>`o.order_no like ${begins}`,
          sql<boolean>`o.order_no = ${`#${plain}`}`,
          ...(digits
            ? [
                sql<boolean>`exists (select from paperless_codes c where c.operator_id = t.operator_id and c.digits = ${digits} and c.order_id = o.id)`,
              ]
            : []),
        ]
      : []),
  ]
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}

/** What every list of tasks can be narrowed by; `done` is the column that says when the task ended. */
function narrowed(
  { query, show, company, reason }: Question & { reason?: readonly string[] | undefined },
  { done, ...of }: { done: 'decided_at' | 'done_at'; order: boolean; product_id: string },
) {
  const parts = [sql<boolean>`true`]
  if (show !== 'all')
    parts.push(show === 'open' ? sql<boolean>`${sql.ref(`t.${done}`)} is null` : sql<boolean>`${sql.ref(`t.${done}`)} is not null`)
  if (company?.length) parts.push(sql<boolean>`t.company_id = any(${company}::bigint[])`)
  if (reason?.length) parts.push(sql<boolean>`t.reason = any(${reason}::text[])`)
  if (query.trim() !== '') parts.push(means(query, of))
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

// --- Shorts ---

export interface ShortQuestion extends Question {
  reason?: readonly ShortReason[] | undefined
  decision?: readonly ShortDecision[] | undefined
}

function askedShorts(db: Db, { decision, ...question }: ShortQuestion) {
  const rows = db
    .selectFrom('pick_shorts as t')
    .innerJoin('orders as o', 'o.id', 't.order_id')
    .innerJoin('companies as k', 'k.id', 't.company_id')
    .leftJoin('order_lines as l', 'l.id', 't.order_line_id')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .where(narrowed(question, { done: 'decided_at', order: true, product_id: 'l.product_id' }))
  return decision?.length ? rows.where('t.decision', '=', sql<ShortDecision>`any(${decision}::text[])`) : rows
}

const shownShorts = (rows: ReturnType<typeof askedShorts>) =>
  rows
    .leftJoin('pick_lines as x', 'x.id', 't.pick_line_id')
    .leftJoin('pick_slots as s', j => j.onRef('s.order_id', '=', 'o.id').on('s.live', '=', true))
    .select([
      't.id',
      't.order_id',
      'o.order_no',
      't.company_id',
      'k.name as company',
      'o.phase',
      'o.ship_by',
      'o.work_state',
      'o.cancelled_at',
    ])
    .select([
      't.order_line_id',
      'l.product_id',
      't.sku',
      't.name',
      'l.variant',
      'p.image_file_id',
      't.pick_list_id',
      't.wagon_no',
      'x.slot_no',
      't.bin',
    ])
    .select([
      't.quantity',
      't.reason',
      't.note',
      't.photo_file_id',
      't.reported_by',
      't.reported_at',
      't.decision',
      't.decided_by',
      't.decided_at',
    ])
    .select(['t.version', 'x.state as line_state', 's.pick_list_id as live_list'])
    .select([
      sql<
        number | null
      >`(select b.counted from bin_counts b where b.operator_id = t.operator_id and b.company_id = t.company_id and b.bin = t.bin
        and (b.product_id is null or b.product_id = l.product_id) and b.done_at >= t.reported_at order by b.done_at desc limit 1)`.as(
        'counted',
      ),
      sql<number>`(select count(distinct y.order_id)::integer from pick_lines y where y.operator_id = t.operator_id and y.company_id = any (current_company_ids())
        and y.bin = t.bin and y.state in ('open', 'skipped') and y.order_id <> t.order_id)`.as('others'),
    ])

type ShortRow = Awaited<ReturnType<ReturnType<typeof shownShorts>['execute']>>[number]

const asShort = ({ work_state, cancelled_at, image_file_id, photo_file_id, line_state, live_list, ...row }: ShortRow): Short => ({
  ...row,
  phase: row.phase,
  has_picture: image_file_id !== null,
  picture_version: image_file_id,
  has_photo: photo_file_id !== null,
  decidable:
    (row.decision === null || row.decision === 'ask_customer') &&
    cancelled_at === null &&
    ['ready', 'in_pick', 'picked'].includes(work_state),
  on_wagon: live_list !== null && live_list === row.pick_list_id && line_state === 'short',
})

export async function shortsPage(db: Db, question: ShortQuestion, { offset, limit }: Paging): Promise<Paged<Short>> {
  const asked = askedShorts(db, question)
  const some = shownShorts(asked)
  const ordered =
    question.show === 'open'
      ? some.orderBy('t.reported_at').orderBy('t.id')
      : some.orderBy(sql`t.decided_at is null`, 'desc').orderBy('t.id', 'desc')
  const rows = await ordered.offset(offset).limit(limit).execute()
  const total = await cappedCount(db, asked)
  return { rows: rows.map(asShort), ...total }
}

const everything = { query: '', show: 'all' } as const

export const shortById = async (db: Db, id: number): Promise<Short> =>
  asShort(
    orNotFound(
      await shownShorts(askedShorts(db, everything)).where('t.id', '=', id).executeTakeFirst(),
      'short_report_not_found',
      'Report of missing items not found',
    ),
  )

/** Undecided shorts of a bin; of one product where it is known. */
export async function shortsOfBin(
  db: Db,
  { company_id, bin, product_id }: Pick<BinCount, 'company_id' | 'bin' | 'product_id'>,
): Promise<Short[]> {
  let rows = shownShorts(askedShorts(db, { query: '', show: 'open' }))
    .where('t.company_id', '=', company_id)
    .where('t.bin', '=', bin)
  if (product_id !== null) rows = rows.where('l.product_id', '=', product_id)
  return (await rows.orderBy('t.reported_at').limit(100).execute()).map(asShort)
}

export const photoOf = (db: Db, id: number) =>
  db
    .selectFrom('pick_shorts as t')
    .innerJoin('files as f', 'f.id', 't.photo_file_id')
    .select(['f.sha256', 'f.bytes', 'f.media_type'])
    .where('t.id', '=', id)
    .executeTakeFirst()

/** Other orders that need the same bin: on wagons, and released ones that no list has yet. The most urgent first, at most fifty. */
export async function ordersNeeding(
  db: Db,
  { order_id, bin, product_id, company_id }: Pick<Short, 'order_id' | 'bin' | 'product_id' | 'company_id'>,
): Promise<Needing[]> {
  if (bin === null) return []
  const { rows } = await sql<Needing>`
    select o.id order_id, o.order_no, o.company_id, k.name company, o.phase, o.ship_by, n.quantity, n.pick_list_id, n.wagon_no, w.user_name picker
    from (
      select y.order_id, sum(y.asked - y.picked)::integer quantity, y.pick_list_id, y.wagon_no from pick_lines y
      where y.operator_id = current_operator_id() and y.company_id = any (current_company_ids()) and y.bin = ${bin} and y.state in ('open', 'skipped')
      group by y.order_id, y.pick_list_id, y.wagon_no
      union all
      select l.order_id, sum(l.qty - l.cancelled_qty - l.packed_qty)::integer, null, null from orders r
      join order_lines l on l.operator_id = r.operator_id and l.company_id = any (current_company_ids()) and l.order_id = r.id
      where r.operator_id = current_operator_id() and r.company_id = ${company_id} and r.phase in ('new', 'ready')
        and l.product_id = ${product_id} and l.type = 'item' and l.qty - l.cancelled_qty > l.packed_qty
      group by l.order_id
    ) n
    join orders o on o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = n.order_id
    join companies k on k.operator_id = o.operator_id and k.id = o.company_id
    left join pick_wagons w on w.operator_id = o.operator_id and w.pick_list_id = n.pick_list_id and w.wagon_no = n.wagon_no
    where o.id <> ${order_id}
    order by o.ship_by nulls last, o.id limit 50`.execute(db)
  return rows
}

export const openCountsOf = (db: Db, { company_id, bin }: Pick<Short, 'company_id' | 'bin'>) =>
  db
    .selectFrom('bin_counts')
    .select(['id', 'bin', 'version'])
    .where('company_id', '=', company_id)
    .where('bin', '=', bin ?? '')
    .where('done_at', 'is', null)
    .execute()

// --- Counts ---

export interface CountQuestion extends Question {
  reason?: readonly BinCount['reason'][] | undefined
}

const askedCounts = (db: Db, question: CountQuestion) =>
  db
    .selectFrom('bin_counts as t')
    .innerJoin('companies as k', 'k.id', 't.company_id')
    .leftJoin('products as p', 'p.id', 't.product_id')
    .where(narrowed(question, { done: 'done_at', order: false, product_id: 't.product_id' }))

const shownCounts = (rows: ReturnType<typeof askedCounts>) =>
  rows
    .select([
      't.id',
      't.company_id',
      'k.name as company',
      't.product_id',
      't.sku',
      't.name',
      'p.image_file_id',
      't.bin',
      't.reason',
      't.blocks',
    ])
    .select(['t.asked_by', 't.asked_at', 't.counted', 't.note', 't.done_by', 't.done_at', 't.version'])
    .select([
      sql<number>`(select count(*)::integer from pick_shorts s where s.operator_id = t.operator_id and s.company_id = t.company_id and s.bin = t.bin
        and s.decided_at is null and (t.sku is null or s.sku = t.sku))`.as('shorts'),
      sql<number>`(select coalesce(sum(s.quantity), 0)::integer from pick_shorts s where s.operator_id = t.operator_id and s.company_id = t.company_id and s.bin = t.bin
        and s.decided_at is null and (t.sku is null or s.sku = t.sku))`.as('missing'),
    ])

type CountRow = Awaited<ReturnType<ReturnType<typeof shownCounts>['execute']>>[number]
const asCount = ({ image_file_id, ...row }: CountRow): BinCount => ({
  ...row,
  has_picture: image_file_id !== null,
  picture_version: image_file_id,
})

/** Open ones by bin, as one walks past them; bins that are blocked first. */
export async function countsPage(db: Db, question: CountQuestion, { offset, limit }: Paging): Promise<Paged<BinCount>> {
  const asked = askedCounts(db, question)
  const some = shownCounts(asked)
  const ordered =
    question.show === 'open'
      ? some.orderBy('t.blocks', 'desc').orderBy('t.bin').orderBy('t.id')
      : some.orderBy(sql`t.done_at is null`, 'desc').orderBy('t.id', 'desc')
  const rows = await ordered.offset(offset).limit(limit).execute()
  const total = await cappedCount(db, asked)
  return { rows: rows.map(asCount), ...total }
}

export const countById = async (db: Db, id: number): Promise<BinCount> =>
  asCount(
    orNotFound(
      await shownCounts(askedCounts(db, everything)).where('t.id', '=', id).executeTakeFirst(),
      'count_not_found',
      'Count not found',
    ),
  )

/** The product that a SKU or a barcode means; the one in this bin where several companies have it. */
export const productMeant = (db: Db, text: string, { bin, company_id }: { bin: string; company_id?: number | undefined }) => {
  const rows = db
    .selectFrom('products as p')
    .select(['p.id', 'p.company_id', 'p.sku', 'p.name'])
    .where(eb =>
      eb.or([
        eb('p.sku_key', '=', text.toUpperCase()),
        eb.exists(
          eb.selectFrom('product_barcodes as b').select('b.product_id').whereRef('b.product_id', '=', 'p.id').where('b.barcode', '=', text),
        ),
      ]),
    )
    .orderBy(sql`p.bin = ${bin}`, 'desc')
    .orderBy('p.id')
  return (company_id === undefined ? rows : rows.where('p.company_id', '=', company_id)).executeTakeFirst()
}

/** The company of a bin where none is given: the first that has a product there. */
export const companyOfBin = (db: Db, bin: string) =>
  db
    .selectFrom('products')
    .select('company_id')
    .where(sql`upper(replace(bin, ' ', ''))`, '=', binKey(bin))
    .orderBy('company_id')
    .limit(1)
    .executeTakeFirst()

// --- Put-backs ---

export interface PutBackQuestion extends Question {
  reason?: readonly PutBack['reason'][] | undefined
}

const askedPutBacks = (db: Db, question: PutBackQuestion) =>
  db
    .selectFrom('put_backs as t')
    .innerJoin('orders as o', 'o.id', 't.order_id')
    .innerJoin('companies as k', 'k.id', 't.company_id')
    .leftJoin('products as p', 'p.id', 't.product_id')
    .where(narrowed(question, { done: 'done_at', order: true, product_id: 't.product_id' }))

const shownPutBacks = (rows: ReturnType<typeof askedPutBacks>) =>
  rows
    .select([
      't.id',
      't.order_id',
      'o.order_no',
      't.company_id',
      'k.name as company',
      'o.phase',
      'o.ship_by',
      't.order_line_id',
      't.return_id',
      't.product_id',
      't.sku',
    ])
    .select([
      't.name',
      'p.image_file_id',
      't.pick_list_id',
      't.wagon_no',
      't.slot_no',
      't.bin',
      't.quantity',
      't.done',
      't.reason',
      't.created_at',
    ])
    .select(['t.done_by', 't.done_at', 't.version'])
    .select(
      sql<string[]>`array(select c.digits from paperless_codes c where c.operator_id = t.operator_id and c.pick_list_id = t.pick_list_id
        and c.wagon_no = t.wagon_no and c.slot_no = t.slot_no order by c.bound_at)`.as('codes'),
    )

type PutBackRow = Awaited<ReturnType<ReturnType<typeof shownPutBacks>['execute']>>[number]
const asPutBack = ({ image_file_id, ...row }: PutBackRow): PutBack => ({
  ...row,
  phase: row.phase,
  has_picture: image_file_id !== null,
  picture_version: image_file_id,
})

/** Open ones by bin, as one walks past them. */
export async function putBacksPage(db: Db, question: PutBackQuestion, { offset, limit }: Paging): Promise<Paged<PutBack>> {
  const asked = askedPutBacks(db, question)
  const some = shownPutBacks(asked)
  const ordered =
    question.show === 'open' ? some.orderBy('t.bin').orderBy('t.id') : some.orderBy(sql`t.done_at is null`, 'desc').orderBy('t.id', 'desc')
  const rows = await ordered.offset(offset).limit(limit).execute()
  const total = await cappedCount(db, asked)
  return { rows: rows.map(asPutBack), ...total }
}

export const putBackById = async (db: Db, id: number): Promise<PutBack> =>
  asPutBack(
    orNotFound(
      await shownPutBacks(askedPutBacks(db, everything)).where('t.id', '=', id).executeTakeFirst(),
      'put_back_not_found',
      'Put-back not found',
    ),
  )
