/** Claims as people look for them. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import { dueDays } from './claims.codes.ts'
import type { Claim, Question } from './claims.schemas.ts'

const allOf = (db: Db) =>
  db
    .selectFrom('claims as x')
    .innerJoin('shipments as s', 's.id', 'x.shipment_id')
    .innerJoin('companies as c', 'c.id', 'x.company_id')
    .leftJoin('orders as o', 'o.id', 'x.order_id')

const dueBefore = (now: Date) => new Date(now.getTime() + (dueDays + 1) * 86_400_000).toISOString().slice(0, 10)

function asked(db: Db, { query, view, kind, agent_code, company, shipment_id }: Omit<Question, 'sort'>, now: Date) {
  let rows = allOf(db)
  if (view === 'active') rows = rows.where('x.state', 'in', ['open', 'sent'])
  else if (view === 'due') rows = rows.where('x.state', '=', 'open').where('x.deadline_on', '<', dueBefore(now))
  else if (view !== 'all') rows = rows.where('x.state', '=', view)
  if (kind?.length) rows = rows.where('x.kind', 'in', kind)
  if (agent_code) rows = rows.where('s.agent_code', '=', agent_code)
  if (company?.length) rows = rows.where('x.company_id', 'in', company)
  if (shipment_id) rows = rows.where('x.shipment_id', '=', shipment_id)
  if (query === '') return rows
  const plain = query.replace(/^#/, '')
  return rows.where(
    sql<boolean>`(s.tracking_no = any (${[query, scannedNumber(query)]}) or s.barcode = ${query} or o.order_no like ${beginning(plain)}
      or o.order_no = ${`#${plain}`} or x.reference = ${query})`,
  )
}

const shown = (rows: ReturnType<typeof allOf>) =>
  rows
    .select([
      'x.id',
      'x.kind',
      'x.state',
      'x.shipment_id',
      'x.order_id',
      'x.company_id',
      'c.name as company',
      's.agent_code',
      's.tracking_no',
    ])
    .select(sql<string | null>`coalesce(o.order_no, s.request->>'order_no')`.as('order_no'))
    .select(['x.amount', 'x.granted', 'x.currency', 'x.noticed_on', 'x.deadline_on', 'x.sent_at', 'x.settled_at', 'x.reference', 'x.note'])
    .select(['x.created_by', 'x.created_at', 'x.version'])

export async function claimsPage(
  db: Db,
  { sort, ...question }: Question,
  now: Date,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: Claim[]; total: number; total_is_more: boolean }> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.endsWith('deadline') ? 'x.deadline_on' : sort.endsWith('created') ? 'x.created_at' : 'x.amount'
  const rows = await shown(asked(db, question, now))
    .orderBy(column, order => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('x.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return { rows, ...(await cappedCount(db, asked(db, question, now))) }
}

export const claimById = async (db: Db, id: number): Promise<Claim> =>
  orNotFound(await shown(allOf(db).where('x.id', '=', id)).executeTakeFirst(), 'claim_not_found', 'Claim not found')

export async function countClaims(db: Db, now: Date) {
  const { open, due, sent } = await db
    .selectFrom('claims as x')
    .select(eb => [
      eb.fn.countAll<number>().filterWhere('x.state', '=', 'open').as('open'),
      eb.fn.countAll<number>().filterWhere('x.state', '=', 'open').filterWhere('x.deadline_on', '<', dueBefore(now)).as('due'),
      eb.fn.countAll<number>().filterWhere('x.state', '=', 'sent').as('sent'),
    ])
    .where('x.state', 'in', ['open', 'sent'])
    .executeTakeFirstOrThrow()
  return { open: Number(open), due: Number(due), sent: Number(sent) }
}
