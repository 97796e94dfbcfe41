/** The rows of returns: each change takes the return's row, changes pieces, and settles the status, which is set here only. */
import { conflict, orNotFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type PieceState, statusOf } from './return-states.rules.ts'
import type { MoneyState, ReturnStatus } from './returns.codes.ts'

/** What commands of returns need of a transaction. */
export type ReturnTools = Pick<Context, 'db' | 'recordEvent' | 'recordEvents' | 'notify' | 'now'>

export interface TakenReturn {
  id: number
  company_id: number
  order_id: number | null
  rma_no: string
  status: ReturnStatus
  withdrawal: boolean
  noticed_at: string | null
  approved_at: string | null
  arrived_at: string | null
  currency: string
  fee: number
  ended_as: 'rejected' | 'cancelled' | 'expired' | null
  /** A withdrawal of goods that the law excludes from it. */
  exempt: boolean
  version: number
}

export const noReturn = 'There is no such return.'

/** The return, its row locked until the end of the transaction. @throws {AppError} 404; 409 where `version` is an older one */
export async function takeReturn(db: Db, id: number, version?: number): Promise<TakenReturn> {
  const row = await db
    .selectFrom('returns')
    .select(['id', 'company_id', 'order_id', 'rma_no', 'status', 'withdrawal', 'noticed_at', 'approved_at', 'arrived_at'])
    .select(['currency', 'fee', 'ended_as', 'exempt', 'version'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const taken = orNotFound(row, 'return_not_found', noReturn)
  if (version !== undefined && version !== taken.version)
    throw conflict('return_changed', 'Someone else changed this return. Check it and try again.')
  return taken
}

/** What events of a return and its notifications name. */
export const aboutReturn = ({ id, company_id, order_id }: Pick<TakenReturn, 'id' | 'company_id' | 'order_id'>) => ({
  order_id,
  company_id,
  subject: 'return',
  subject_id: id,
})

/** Money of pieces begins to be owed once their return is approved, and no more where it ended. */
export const setMoneyOfReturn = (db: Db, return_id: number, from: MoneyState, to: MoneyState) =>
  db
    .updateTable('return_items')
    .set(eb => ({ money: to, version: eb('version', '+', 1) }))
    .where('return_id', '=', return_id)
    .where('money', '=', from)
    .where('outcome', 'in', ['refund', 'credit'])
    .execute()

/** Gives the return the status that follows from its pieces, and a new version. Says what was decided or resolved by it. */
export async function settleReturn(tools: ReturnTools, taken: TakenReturn, { reopen = false } = {}): Promise<ReturnStatus> {
  const { db, recordEvent, notify, now } = tools
  const header = await db
    .selectFrom('returns')
    .select(['approved_at', 'in_transit_at', 'arrived_at', 'ended_as', 'decided_at', 'resolved_at'])
    .where('id', '=', taken.id)
    .executeTakeFirstOrThrow()
  const pieces: PieceState[] = await db
    .selectFrom('return_items')
    .select(['custody', 'money', 'unannounced', 'serial_check'])
    .where('return_id', '=', taken.id)
    .execute()
  const at = now().toISOString()
  // Whatever is done to it ends the reopening.
  const reopened_at = reopen ? at : null
  const status = statusOf({ ...header, reopened_at }, pieces)
  const isDecided = status === 'decided' || status === 'resolved'
  await db
    .updateTable('returns')
    .set(eb => ({
      status,
      reopened_at,
      decided_at: isDecided ? (header.decided_at ?? at) : null,
      resolved_at: status === 'resolved' ? (header.resolved_at ?? at) : null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', taken.id)
    .execute()
  if (status === 'resolved' && taken.status !== 'resolved')
    await recordEvent({ kind: 'return.resolved', ...aboutReturn(taken), data: { rma_no: taken.rma_no } })
  notify('return', taken.id, taken.company_id)
  if (taken.order_id !== null) notify('order', taken.order_id, taken.company_id)
  return status
}
