/** The packing session that a call works on, and the order as the station shows it. */
import { conflict, orNotFound } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { lockSession, type OpenSession, packingOrder } from './packing.queries.ts'
import type { PackingOrder } from './packing.schemas.ts'

export const loadPackingOrder = async ({ db, now }: Context, id: number): Promise<PackingOrder> =>
  orNotFound(await packingOrder(db, id, now()), 'order_not_found', 'Order not found')

/** The open session, in this person's hands, taken until the end of the transaction. */
export async function ownSession({ db, principal }: Context, order_id: number, states: readonly string[] = ['open']): Promise<OpenSession> {
  const session = orNotFound(await lockSession(db, order_id), 'order_not_open', 'This order is not open at any station')
  if (session.user_id !== principal.id)
    throw conflict('order_busy', '{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
  if (!states.includes(session.state)) throw conflict('order_closing', 'This order is being closed')
  return session
}
