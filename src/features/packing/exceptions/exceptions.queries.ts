/** Exceptions as people look for them. */

import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import { labelKinds } from './exceptions.codes.ts'
import { remindAfter } from './exceptions.rules.ts'
import type { Exception, Question } from './exceptions.schemas.ts'

/** Who looks, and when: for what is theirs and what is late. */
interface Viewer {
  user_id: number
  /** The groups in which they are. */
  group_ids: readonly number[]
  now: Date
}

/** What a typed or scanned text can mean of the order `o` of an exception. */
function means(words: string) {
  const code = /^(\d{1,15}):(\d{1,15})$/.exec(words)
  if (code) return sql<boolean>`(o.id = ${Number(code[2])} and o.company_id = ${Number(code[1])})`
  const digits = /^PP(\d{1,20})$/i.exec(words)?.[1]
  if (digits)
    return sql<boolean>`exists (select from paperless_codes p where p.operator_id = x.operator_id and p.digits = ${digits} and p.order_id = x.order_id)`
  const plain = words.replace(/^#/, '')
  return sql<boolean>`(o.order_no like ${beginning(plain)} or o.order_no = ${`#${plain}`} or x.item ilike ${containing(plain)} or x.owner_name ilike ${containing(plain)})`
}
const isMeant = (words: string) =>
  sql<boolean>`exists (select from orders o where o.operator_id = x.operator_id and o.id = x.order_id and ${means(words)})`

/** Given to this person, or to a group in which they are. */
const isOf = ({ user_id, group_ids }: Pick<Viewer, 'user_id' | 'group_ids'>) =>
  sql<boolean>`(x.owner_user_id = ${user_id} or x.owner_group_id = any (${group_ids}::bigint[]))`
const isUnowned = sql<boolean>`(x.owner_user_id is null and x.owner_group_id is null)`

const allOf = (db: Db) =>
  db
    .selectFrom('packing_exceptions as x')
    .innerJoin('orders as o', 'o.id', 'x.order_id')
    .innerJoin('companies as c', 'c.id', 'x.company_id')

function asked(db: Db, { query, view, kind, company }: Question, { user_id, group_ids, now }: Viewer) {
  let rows = db.selectFrom('packing_exceptions as x').where('x.resolved_at', view === 'resolved' ? 'is not' : 'is', null)
  if (view === 'mine') rows = rows.where(isOf({ user_id, group_ids }))
  if (view === 'unassigned') rows = rows.where(isUnowned)
  if (view === 'overdue') rows = rows.where('x.due_at', '<', now.toISOString())
  if (view === 'label_error') rows = rows.where('x.kind', 'in', labelKinds)
  if (kind?.length) rows = rows.where('x.kind', 'in', kind)
  if (company?.length) rows = rows.where('x.company_id', 'in', company)
  return query.trim() === '' ? rows : rows.where(isMeant(query.trim()))
}

const shown = (rows: ReturnType<typeof allOf>) =>
  rows
    .select(['x.id', 'x.kind', 'x.state', 'x.order_id', 'o.order_no', 'x.company_id', 'c.name as company', 'o.phase', 'o.ship_by'])
    .select(['o.customer_name', 'x.item', 'x.note', 'x.field', 'x.reports', 'x.reported_by', 'x.reported_at', 'x.station'])
    .select([
      'x.owner_user_id',
      'x.owner_group_id',
      'x.owner_name',
      'x.due_at',
      'x.retry',
      'x.retried_by',
      'x.resolution',
      'x.resolved_by',
      'x.resolved_at',
      'x.version',
    ])
    .select(
      sql<string[]>`array(select p.digits from paperless_codes p
        where p.operator_id = x.operator_id and p.order_id = x.order_id order by p.digits)`.as('totes'),
    )

export async function exceptionsPage(
  db: Db,
  question: Question,
  viewer: Viewer,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: Exception[]; total: number; total_is_more: boolean }> {
  const resolved = question.view === 'resolved'
  // The page is cut from the index of its order before anything is joined, however many there are.
  const found = asked(db, question, viewer).select('x.id')
  const page = (resolved ? found.orderBy('x.resolved_at', 'desc').orderBy('x.id', 'desc') : found.orderBy('x.due_at').orderBy('x.id'))
    .offset(offset)
    .limit(limit)
  const rows = shown(allOf(db).where('x.id', 'in', page))
  return {
    rows: await (resolved
      ? rows.orderBy('x.resolved_at', 'desc').orderBy('x.id', 'desc')
      : rows.orderBy('x.due_at').orderBy('x.id')
    ).execute(),
    ...(await cappedCount(db, asked(db, question, viewer))),
  }
}

export const exceptionById = async (db: Db, id: number): Promise<Exception> =>
  orNotFound(await shown(allOf(db).where('x.id', '=', id)).executeTakeFirst(), 'exception_not_found', 'Exception not found')

/** Of these exceptions, as far as they are in reach. */
export const exceptionsById = (db: Db, ids: readonly number[]): Promise<Exception[]> =>
  shown(allOf(db).where('x.id', '=', sql<number>`any(${ids})`)).execute()

export async function openCounts(
  db: Db,
  { user_id, group_ids, now }: Viewer,
): Promise<{ open: number; mine: number; unassigned: number; overdue: number; mine_overdue: number; label_error: number }> {
  const own = isOf({ user_id, group_ids })
  const isLate = sql<boolean>`x.due_at < ${now.toISOString()}::timestamptz`
  return db
    .selectFrom('packing_exceptions as x')
    .select(eb => [
      eb.fn.countAll<number>().as('open'),
      eb.fn.countAll<number>().filterWhere(own).as('mine'),
      eb.fn.countAll<number>().filterWhere(isUnowned).as('unassigned'),
      eb.fn.countAll<number>().filterWhere(isLate).as('overdue'),
      eb.fn
        .countAll<number>()
        .filterWhere(eb.and([own, isLate]))
        .as('mine_overdue'),
      eb.fn.countAll<number>().filterWhere('x.kind', 'in', labelKinds).as('label_error'),
    ])
    .where('x.resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
}

interface Overdue {
  operator_id: number
  company_id: number
  id: number
  order_id: number
  kind: string
  owner_name: string | null
  due_at: string
  reminders: number
}

/** Of every operator: what no one has been reminded of since it became so late. Oldest first, at most 500. */
export async function overdueExceptions(db: Db, now: Date): Promise<Overdue[]> {
  const { rows } = await sql<Overdue>`
    select x.operator_id, x.company_id, x.id, x.order_id, x.kind, x.owner_name, x.due_at, x.reminders from packing_exceptions x
    where x.resolved_at is null and x.reminders < ${remindAfter.length}
      and x.due_at + (${[...remindAfter]}::integer[])[x.reminders + 1] * interval '1 minute' <= ${now.toISOString()}::timestamptz
    order by x.due_at limit 500`.execute(db)
  return rows
}
