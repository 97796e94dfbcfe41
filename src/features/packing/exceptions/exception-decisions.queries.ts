/** What can be decided about the order of an exception, by whom, and which of its pieces that is about. */
import { access } from '#contract/access.ts'
import { orNotFound } from '#contract/errors.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { stopSeen } from '#features/orders/orders/holds.queries.ts'
import { type OrderFacts, orderFacts } from '#features/orders/orders/order-facts.queries.ts'
import { type Reason, whyNot } from '#features/orders/orders/orders.rules.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { openSession, packingLines } from '../packing/packing.queries.ts'
import { type DecidedResolution, decidedResolutions, fitsKind } from './exceptions.codes.ts'
import { whyNotDecided } from './exceptions.rules.ts'
import type { Exception } from './exceptions.schemas.ts'

export interface MissingLine {
  order_line_id: number
  name: string
  quantity: number
}

interface Decisions {
  order: OrderFacts
  /** The line of the exception, else every line, as far as it is not packed. */
  lines: MissingLine[]
  /** What a problem of this kind can end with. */
  possible: { resolution: DecidedResolution; refused: Reason | null }[]
  refusalOf(resolution: DecidedResolution): Reason | null
}

export async function decisionsOn(context: Context, { id, kind, order_id, station }: Exception): Promise<Decisions> {
  const { db, principal } = context
  const order = orNotFound(await orderFacts(db, order_id), 'order_not_found', 'Order not found')
  const { order_line_id } = await db.selectFrom('packing_exceptions').select('order_line_id').where('id', '=', id).executeTakeFirstOrThrow()
  const all = await packingLines(db, order_id)
  const [session, stop] = await Promise.all([openSession(db, order_id), stopSeen(db, order_id)])
  const lines = all
    .filter(line => line.packed_qty < line.qty && (order_line_id === null || line.order_line_id === order_line_id))
    .map(line => ({ order_line_id: line.order_line_id, name: line.name, quantity: line.qty - line.packed_qty }))
  const missing = lines.reduce((sum, line) => sum + line.quantity, 0)
  const facts = {
    kind,
    order_no: order.order_no,
    missing,
    others: all.reduce((sum, line) => sum + line.qty, 0) - missing,
    label: labelOf(session?.state),
    stop: stop && { code: 'order_on_hold' as const, text: stop.text, values: stop.values },
    in_hand: session !== undefined && !['parked', 'label_error'].includes(session.state),
    may_cancel_lines: await mayAct(context, 'cancel_rest', station ?? '', [...access.scanAdmin, ...access.parcelsAdmin]),
    cancel: whyNot('cancel', order, principal.permissions),
  }
  const refusalOf = (resolution: DecidedResolution) => whyNotDecided(resolution, facts)
  const fitting = decidedResolutions.filter(resolution => fitsKind(resolution, kind))
  return { order, lines, refusalOf, possible: fitting.map(resolution => ({ resolution, refused: refusalOf(resolution) })) }
}

const labelOf = (state: string | undefined): 'waits' | 'booking' | null =>
  state === 'label_error' ? 'waits' : state === 'closing' || state === 'labelling' ? 'booking' : null
