/** Claims as people look for them. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import { claimKinds, dueDays } from './claims.codes.ts'
import { publishedPeriod } from './claims.rules.ts'
import type { Claim, ClaimRules, Question } from './claims.schemas.ts'

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

/** How long a courier takes claims of each kind, as the company has entered it, beside what the courier publishes. */
export async function claimRulesOf(db: Db, company_id: number, agent_code: string): Promise<ClaimRules> {
  const rows = await db
    .selectFrom('claim_rules')
    .select(['kind', 'count', 'unit', 'counts_from', 'version'])
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .execute()
  return {
    agent_code,
    version: Math.max(0, ...rows.map(row => row.version)),
    rules: claimKinds.map(kind => {
      const published = publishedPeriod(agent_code, kind)
      const { count, unit, counts_from } = rows.find(row => row.kind === kind) ?? {}
      return {
        kind,
        count: count ?? null,
        unit: unit ?? published?.unit ?? 'days',
        counts_from: counts_from ?? published?.counts_from ?? 'delivered',
        published,
      }
    }),
  }
}
