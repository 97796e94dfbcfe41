/** Reads requests for an approval: of a session, open ones for a lead, and the log. */

import { sql } from 'kysely'
import * as z from 'zod'
import type { Permission } from '#contract/access.ts'
import type { Page } from '#contract/page.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import { type ApprovalState, type ApprovedAct, approvalMethods } from './approval.codes.ts'
import { neededFor } from './approval.rules.ts'
import {
  type ApprovalLogEntry,
  AskedRule,
  type GivenApproval,
  type LogQuestion,
  type OpenApproval,
  type OrderApproval,
} from './approval.schemas.ts'

const Plan = z.object({ approvals: z.array(AskedRule).default([]) })

/** What the rules asked when the session was opened. */
export const askedRules = (plan: unknown): AskedRule[] => Plan.parse(plan).approvals

/** Approvals of the session `s`, read with everything else that a scan needs; none where its plan asks for none. */
export const givenOfSession = sql<GivenApproval[]>`case when s.plan -> 'approvals' is null then '[]'::json else
  (select coalesce(json_agg(json_build_object('rule_id', a.rule_id, 'line_id', a.order_line_id, 'used', a.used_at is not null)), '[]')
    from approval_requests a where a.operator_id = s.operator_id and a.session_id = s.id
      and a.act = 'rule' and a.state = 'approved') end`

export async function givenApprovals(db: Db, session_id: number): Promise<GivenApproval[]> {
  const rows = await db
    .selectFrom('approval_requests')
    .select(['rule_id', 'order_line_id as line_id', 'used_at'])
    .where('session_id', '=', session_id)
    .where('act', '=', 'rule')
    .where('state', '=', 'approved')
    .execute()
  return rows.flatMap(({ rule_id, line_id, used_at }) => (rule_id === null ? [] : [{ rule_id, line_id, used: used_at !== null }]))
}

const stateNow = sql<ApprovalState>`case when q.state = 'asked' and q.expires_at <= clock_timestamp() then 'expired' else q.state end`
const leftMs = sql<number | null>`case when q.state = 'asked' and q.expires_at > clock_timestamp()
  then (extract(epoch from q.expires_at - clock_timestamp()) * 1000)::integer end`
const mostShown = 500

/** Every approval that the open session needs, as the station shows it. */
export async function orderApprovals(db: Db, session: { id: number; plan: unknown }, lines: readonly number[]): Promise<OrderApproval[]> {
  const needed = neededFor(askedRules(session.plan), 'close', lines).slice(0, mostShown)
  if (needed.length === 0) return []
  const rows = await db
    .selectFrom('approval_requests as q')
    .select(['q.rule_id', 'q.order_line_id', 'q.decided_by_name as by', stateNow.as('state'), leftMs.as('left_ms')])
    .where('q.session_id', '=', session.id)
    .orderBy('q.id')
    .execute()
  return needed.map(({ rule: { rule_id, name, subject, methods, reason_required }, line_id }) => {
    const last = rows.findLast(row => row.rule_id === rule_id && row.order_line_id === line_id)
    return {
      rule_id,
      line_id,
      name,
      subject,
      methods,
      reason_required,
      state: last?.state ?? 'needed',
      by: last?.by ?? null,
      left_ms: last?.left_ms ?? null,
    }
  })
}

export const requestById = (db: Db, id: number) =>
  db
    .selectFrom('approval_requests as q')
    .select([
      'q.id',
      'q.act',
      'q.station',
      'q.asked_by_id',
      'q.approver_codes',
      'q.reason_required',
      'q.decided_by_name',
      'q.method',
      stateNow.as('state'),
      leftMs.as('left_ms'),
    ])
    .where('q.id', '=', id)
    .executeTakeFirst()

/** Questions that this person may answer now, the oldest first. */
export async function openApprovals(db: Db, person: { id: number; permissions: readonly Permission[] }): Promise<OpenApproval[]> {
  const rows = await db
    .selectFrom('approval_requests as q')
    .innerJoin('orders as o', j => j.onRef('o.operator_id', '=', 'q.operator_id').onRef('o.id', '=', 'q.order_id'))
    .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'q.operator_id').onRef('c.id', '=', 'q.company_id'))
    .leftJoin('order_lines as l', j => j.onRef('l.operator_id', '=', 'q.operator_id').onRef('l.id', '=', 'q.order_line_id'))
    .select([
      'q.id',
      'q.act',
      'q.rule_name as rule',
      'q.order_id',
      'o.order_no',
      'c.name as company',
      'l.name as item',
      'q.asked_by_name as asked_by',
    ])
    .select(['q.station', 'q.reason_required', leftMs.as('left_ms')])
    .where('q.state', '=', 'asked')
    .where('q.method', '=', 'remote')
    .where('q.expires_at', '>', sql<string>`clock_timestamp()`)
    .where('q.asked_by_id', '<>', person.id)
    .$if(!person.permissions.includes('admin'), query =>
      query.where(
        sql<boolean>`(q.approver_codes && ${[...person.permissions]}::text[] or 'scan_admin' = any (q.approver_codes) and exists (
          select from user_group_members m join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id
          where m.operator_id = q.operator_id and m.user_id = ${person.id} and g.removed_at is null
            and case q.act when 'rule' then 'approve' else q.act end = any (g.acts)
            and (g.stations is null or lower(q.station) in (select lower(station) from unnest(g.stations) station))))`,
      ),
    )
    .orderBy('q.id')
    .limit(20)
    .execute()
  return rows.map(row => ({ ...row, left_ms: row.left_ms ?? 0 }))
}

/** What came of the question that this packer asked a lead elsewhere; undefined where it is not theirs. */
export const askedActOf = (db: Db, asked: { id: number; order_id: number; asked_by_id: number }) =>
  db
    .selectFrom('approval_requests as q')
    .select([stateNow.as('state'), 'q.decided_by_name as by', leftMs.as('left_ms')])
    .where('q.id', '=', asked.id)
    .where('q.order_id', '=', asked.order_id)
    .where('q.asked_by_id', '=', asked.asked_by_id)
    .where('q.act', '<>', 'rule')
    .executeTakeFirst()

/** The approval that this packer was given for this act on this order. */
export const approvedRequest = (db: Db, asked: { id: number; order_id: number; act: ApprovedAct; asked_by_id: number }) =>
  db
    .selectFrom('approval_requests')
    .select(['decided_by_id', 'decided_at', 'used_at', 'station'])
    .where('id', '=', asked.id)
    .where('order_id', '=', asked.order_id)
    .where('act', '=', asked.act)
    .where('asked_by_id', '=', asked.asked_by_id)
    .where('state', '=', 'approved')
    .executeTakeFirst()

const hasPhoto = sql<boolean>`exists (select from packing_photos p
  where p.operator_id = q.operator_id and p.id = q.photo_id and p.deleted_at is null)`.as('has_photo')

/** The photo by which a request was answered; undefined where there is none. */
export const photoOfRequest = (db: Db, id: number) =>
  db
    .selectFrom('approval_requests')
    .select('photo_id')
    .where('id', '=', id)
    .executeTakeFirst()
    .then(row => row?.photo_id ?? undefined)

/** Whether this photo was taken in the session for an approval, and has answered none yet. */
export const isFreePhoto = async (db: Db, session_id: number, photo_id: number): Promise<boolean> =>
  (await db
    .selectFrom('packing_photos as p')
    .select('p.id')
    .where('p.id', '=', photo_id)
    .where('p.session_id', '=', session_id)
    .where('p.kind', '=', 'approval')
    .where('p.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('approval_requests as q').select('q.id').where('q.photo_id', '=', photo_id))),
    )
    .executeTakeFirst()) !== undefined

function logged(db: Db, { state, act, rule_id, query, from, to }: LogQuestion, time_zone: string) {
  let rows = db
    .selectFrom('approval_requests as q')
    .innerJoin('orders as o', j => j.onRef('o.operator_id', '=', 'q.operator_id').onRef('o.id', '=', 'q.order_id'))
  if (state) rows = rows.where(stateNow, '=', state)
  if (act) rows = rows.where('q.act', '=', act)
  if (rule_id !== undefined) rows = rows.where('q.rule_id', '=', rule_id)
  if (query) {
    const begins = beginning(query)
    rows = rows.where(eb =>
      eb.or([eb('q.asked_by_name', 'ilike', begins), eb('q.decided_by_name', 'ilike', begins), eb('o.order_no', 'ilike', begins)]),
    )
  }
  if (from) rows = rows.where('q.asked_at', '>=', boundsOfDay(from, time_zone).from)
  if (to) rows = rows.where('q.asked_at', '<', boundsOfDay(to, time_zone).to)
  return rows
}

export async function approvalLog(
  db: Db,
  asked: LogQuestion,
  { offset, limit, time_zone }: { offset: number; limit: number; time_zone: string },
): Promise<Page<ApprovalLogEntry>> {
  const from = logged(db, asked, time_zone)
  const rows = await from
    .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'q.operator_id').onRef('c.id', '=', 'q.company_id'))
    .leftJoin('order_lines as l', j => j.onRef('l.operator_id', '=', 'q.operator_id').onRef('l.id', '=', 'q.order_line_id'))
    .select(['q.id', 'q.asked_at', 'q.rule_name as rule', 'l.name as item', 'q.order_id', 'o.order_no', 'c.code as company', 'q.station'])
    .select(['q.act', 'q.asked_by_name as asked_by', 'q.method', stateNow.as('state'), 'q.decided_by_name as answered_by', 'q.reason'])
    .select(hasPhoto)
    .select(sql<number | null>`(extract(epoch from q.decided_at - q.asked_at) * 1000)::integer`.as('waited_ms'))
    .orderBy('q.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const Method = z.enum(approvalMethods).nullable()
  return { rows: rows.map(row => ({ ...row, method: Method.parse(row.method) })), ...(await cappedCount(db, from)), offset, limit }
}

const median = sql<
  number | null
>`(percentile_cont(0.5) within group (order by extract(epoch from q.decided_at - q.asked_at)) * 1000)::integer`
const inState = (state: ApprovalState) => sql<number>`count(*) filter (where ${stateNow} = ${state})`
const totals = [
  sql<number>`count(*)`.as('asked'),
  inState('approved').as('approved'),
  inState('refused').as('refused'),
  inState('expired').as('expired'),
  median.as('median_ms'),
]

/** How often each packer asked by each rule or act, and what came of it, the most frequent first; and all of it together. */
export async function approvalTotals(db: Db, asked: LogQuestion, { limit, time_zone }: { limit: number; time_zone: string }) {
  const all = await logged(db, asked, time_zone).select(totals).executeTakeFirstOrThrow()
  const rows = await logged(db, asked, time_zone)
    .select(['q.asked_by_name as asked_by', 'q.act', 'q.rule_name as rule'])
    .select(totals)
    .groupBy(['q.asked_by_name', 'q.act', 'q.rule_name'])
    .orderBy('asked', 'desc')
    .orderBy('asked_by')
    .orderBy('act')
    .orderBy('rule')
    .limit(limit)
    .execute()
  return { all, rows }
}
