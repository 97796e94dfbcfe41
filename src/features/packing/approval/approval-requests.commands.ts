/** Writes requests for an approval: asked, decided once, used, or cancelled with what they belong to. */
import { sql } from 'kysely'
import type { Permission } from '#contract/access.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { ApprovalMethod, ApprovedAct } from './approval.codes.ts'
import type { MissingApproval } from './approval.rules.ts'

export interface AskingSession {
  id: number
  company_id: number
  order_id: number
  station: string
}

/** How long a lead elsewhere has to answer. */
const remoteSeconds = 60

const sameLine = (line_id: number | null) => sql<boolean>`coalesce(order_line_id, 0) = ${line_id ?? 0}`

/** The open request for this approval, made where there is none. A question whose time is over is asked anew. */
export async function askApproval(context: Context, session: AskingSession, { rule, line_id }: MissingApproval): Promise<number> {
  const { db, principal, recordEvent, notify } = context
  await db
    .updateTable('approval_requests')
    .set({ state: 'expired' })
    .where('session_id', '=', session.id)
    .where('state', '=', 'asked')
    .where('expires_at', '<=', sql<string>`clock_timestamp()`)
    .execute()
  const asked = await db
    .insertInto('approval_requests')
    .values({
      company_id: session.company_id,
      rule_id: rule.rule_id,
      rule_name: rule.name,
      approver_codes: rule.approver_codes,
      reason_required: rule.reason_required,
      order_id: session.order_id,
      session_id: session.id,
      order_line_id: line_id,
      asked_by_id: principal.id,
      asked_by_name: principal.name,
      station: session.station,
    })
    // Of all unique keys only the open request can be there already.
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!asked) {
    const open = await db
      .selectFrom('approval_requests')
      .select('id')
      .where('session_id', '=', session.id)
      .where('rule_id', '=', rule.rule_id)
      .where(sameLine(line_id))
      .where('state', '=', 'asked')
      .executeTakeFirstOrThrow()
    return open.id
  }
  await recordEvent({
    kind: 'approval.asked',
    order_id: session.order_id,
    company_id: session.company_id,
    subject: 'approval_request',
    subject_id: asked.id,
    data: { rule: rule.name },
  })
  notify('approval', asked.id, session.company_id)
  return asked.id
}

/** How often leads elsewhere are asked the same of one packing session. */
const mostAsked = 3

/** Whether leads elsewhere have refused, or not answered, often enough. */
export async function isAskedEnough(db: Db, session_id: number, { rule, line_id }: MissingApproval): Promise<boolean> {
  const asked = await db
    .selectFrom('approval_requests')
    .select('id')
    .where('session_id', '=', session_id)
    .where('rule_id', '=', rule.rule_id)
    .where(sameLine(line_id))
    .where('method', '=', 'remote')
    .where(eb =>
      eb.or([eb('state', 'in', ['refused', 'expired']), eb('expires_at', '<=', sql<string>`clock_timestamp()`).and('state', '=', 'asked')]),
    )
    .limit(mostAsked)
    .execute()
  return asked.length === mostAsked
}

/** Leads elsewhere see it from now on, for a minute by the server's clock. */
export async function askElsewhere(db: Db, id: number): Promise<void> {
  await db
    .updateTable('approval_requests')
    .set({ method: 'remote', expires_at: sql<string>`clock_timestamp() + make_interval(secs => ${remoteSeconds})` })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute()
}

interface Answer {
  approve: boolean
  by: { id: number; name: string }
  method: ApprovalMethod
  photo_id?: number
  reason?: string | undefined
}

/** The first answer counts: undefined when there was one, or the time is over. */
export async function decideApproval(context: Context, id: number, { approve, by, method, photo_id, reason }: Answer): Promise<boolean> {
  const { db, recordEvent, notify } = context
  let change = db
    .updateTable('approval_requests')
    .set({
      state: approve ? 'approved' : 'refused',
      method,
      ...(photo_id !== undefined && { photo_id }),
      ...(reason !== undefined && { reason }),
      decided_by_id: by.id,
      decided_by_name: by.name,
      decided_at: sql<string>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('state', '=', 'asked')
  // A lead at the station is in time whatever was asked elsewhere before.
  if (method === 'remote') change = change.where('expires_at', '>', sql<string>`clock_timestamp()`)
  const decided = await change.returning(['order_id', 'company_id', 'rule_name', 'act']).executeTakeFirst()
  if (!decided) return false
  const { order_id, company_id, rule_name, act } = decided
  // Other acts are written down when the station goes on.
  if (act === 'rule')
    await recordEvent({
      kind: approve ? 'approval.approved' : 'approval.refused',
      order_id,
      company_id,
      subject: 'approval_request',
      subject_id: id,
      data: { rule: rule_name, approver: by.name },
    })
  notify('approval', id, company_id)
  notify('packing', order_id, company_id)
  return true
}

/** How long a lead at the station has to prove who they are, before the log says that no answer came. */
const actSeconds = 120

/** The packer's question for this act, made where none is open: a wrong PIN leaves it in the log without an answer. */
export async function askForAct(
  { db, principal, station, notify }: Context,
  order: { id: number; company_id: number },
  { act, method, approver_codes }: { act: ApprovedAct; method: 'pin' | 'badge' | 'remote'; approver_codes: readonly Permission[] },
): Promise<{ request_id: number; station: string }> {
  const seconds = method === 'remote' ? remoteSeconds : actSeconds
  const open = await db
    .updateTable('approval_requests')
    .set({ method, expires_at: sql<string>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where('order_id', '=', order.id)
    .where('act', '=', act)
    .where('asked_by_id', '=', principal.id)
    .where('state', '=', 'asked')
    .where('expires_at', '>', sql<string>`clock_timestamp()`)
    .returning(['id', 'station'])
    .executeTakeFirst()
  if (open) {
    notify('approval', open.id, order.company_id)
    return { request_id: open.id, station: open.station }
  }
  const session = await db
    .selectFrom('packing_sessions')
    .select(['id', 'station'])
    .where('order_id', '=', order.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const asked = await db
    .insertInto('approval_requests')
    .values({
      ...{ company_id: order.company_id, act, rule_name: '', method, approver_codes: [...approver_codes], order_id: order.id },
      session_id: session?.id ?? null,
      ...{ asked_by_id: principal.id, asked_by_name: principal.name, station: station || (session?.station ?? '') },
      expires_at: sql<string>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .returning(['id', 'station'])
    .executeTakeFirstOrThrow()
  notify('approval', asked.id, order.company_id)
  return { request_id: asked.id, station: asked.station }
}

/** A lead has proved at the station who they are. */
export async function approveAct({ db, notify }: Context, id: number, company_id: number, by: { id: number; name: string }): Promise<void> {
  await db
    .updateTable('approval_requests')
    .set({ state: 'approved', decided_by_id: by.id, decided_by_name: by.name, decided_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute()
  notify('approval', id, company_id)
}

/** Whether it was unused until now: the act that it unlocks happens in this transaction. */
export async function markActUsed(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('approval_requests')
    .set({ used_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The act that an approval unlocks happens in this transaction. */
export async function markUsed(db: Db, session_id: number, used: readonly MissingApproval[]): Promise<void> {
  for (const { rule, line_id } of used)
    await db
      .updateTable('approval_requests')
      .set({ used_at: sql<string>`clock_timestamp()` })
      .where('session_id', '=', session_id)
      .where('rule_id', '=', rule.rule_id)
      .where(sameLine(line_id))
      .where('state', '=', 'approved')
      .where('used_at', 'is', null)
      .execute()
}

/** Open requests of these orders end, and approvals that nothing has used yet. */
export async function cancelRequestsOfOrders({ db, notify }: Context, order_ids: readonly number[]): Promise<void> {
  const cancelled = await db
    .updateTable('approval_requests')
    .set({ state: 'cancelled' })
    .where('order_id', 'in', [...order_ids, 0])
    .where('session_id', 'in', eb =>
      eb
        .selectFrom('packing_sessions')
        .select('packing_sessions.id')
        .where('packing_sessions.order_id', 'in', [...order_ids, 0]),
    )
    .where(eb => eb.or([eb('state', '=', 'asked'), eb.and([eb('state', '=', 'approved'), eb('used_at', 'is', null)])]))
    .returning(['id', 'company_id'])
    .execute()
  for (const { id, company_id } of cancelled) notify('approval', id, company_id)
}

export async function cancelRequestsOfRule({ db, notify }: Context, rule_id: number): Promise<void> {
  const cancelled = await db
    .updateTable('approval_requests')
    .set({ state: 'cancelled' })
    .where('rule_id', '=', rule_id)
    .where('state', '=', 'asked')
    .returning(['id', 'company_id'])
    .execute()
  for (const { id, company_id } of cancelled) notify('approval', id, company_id)
}
