/** The packing session that a call works on, and the order as the station shows it. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { isFor, missingApproval, neededFor } from '#features/packing/approval/approval.rules.ts'
import { markUsed } from '#features/packing/approval/approval-requests.commands.ts'
import { askedRules, givenApprovals } from '#features/packing/approval/approval-requests.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { lockSession, type OpenSession, packingOrder } from './packing.queries.ts'
import type { PackingOrder } from './packing.schemas.ts'

export const loadPackingOrder = async ({ db, now }: Context, id: number): Promise<PackingOrder> =>
  orNotFound(await packingOrder(db, id, now()), 'order_not_found', 'Order not found')

/** Refuses an act that packs or labels these lines while a rule still asks for an approval; the given ones are used by it. */
export async function mustBeApproved(
  { db }: Context,
  session: { id: number; plan: unknown },
  lines: readonly number[],
  act: 'count' | 'close',
): Promise<void> {
  const asked = askedRules(session.plan)
  if (asked.length === 0) return
  const given = await givenApprovals(db, session.id)
  const missing = missingApproval(asked, given, act, lines)
  if (missing) throw conflict('approval_required', 'Approval needed: {{rule}}', { rule: missing.rule.name })
  await markUsed(
    db,
    session.id,
    neededFor(asked, act, lines).filter(one => given.some(approval => !approval.used && isFor(approval, one))),
  )
}

/** The open session, in this person's hands, taken until the end of the transaction. */
export async function ownSession({ db, principal }: Context, order_id: number, states: readonly string[] = ['open']): Promise<OpenSession> {
  const session = orNotFound(await lockSession(db, order_id), 'order_not_open', 'This order is not open at any station')
  if (session.user_id !== principal.id)
    throw conflict('order_busy', '{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
  if (!states.includes(session.state)) throw conflict('order_closing', 'This order is being closed')
  return session
}
