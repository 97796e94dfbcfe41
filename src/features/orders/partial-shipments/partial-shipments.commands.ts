/** Writes what was decided of the rest of an order, and when it became true. */
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { piecesOf, type RestLine } from './partial-shipments.codes.ts'
import { restLinesOf } from './partial-shipments.queries.ts'

interface PartialShipment {
  order_id: number
  company_id: number
  session_id: number
  lines: readonly RestLine[]
  notify_recipient: boolean
  /** YYYY-MM-DD. */
  expected_on: string | null
  decided_by: string
}

/** The order is being closed with something missing. Decided again before its labels are there, the newest decision counts. */
export async function decideRest(db: Db, { lines, ...decision }: PartialShipment): Promise<void> {
  const decided = { ...decision, lines: JSON.stringify(lines) }
  await db
    .insertInto('partial_shipments')
    .values(decided)
    .onConflict(one => one.columns(['operator_id', 'session_id']).doUpdateSet(decided).where('partial_shipments.shipped_at', 'is', null))
    .execute()
}

/** The labels of the session are there: from now on the recipient may know what follows. Said once. */
export async function shipPartially({ db, now, recordEvent }: Context, session_id: number): Promise<void> {
  const decided = await db
    .updateTable('partial_shipments')
    .set({ shipped_at: now().toISOString() })
    .where('session_id', '=', session_id)
    .where('shipped_at', 'is', null)
    .returning(['order_id', 'company_id', 'lines', 'notify_recipient', 'expected_on'])
    .executeTakeFirst()
  if (!decided) return
  const { order_id, company_id, notify_recipient, expected_on } = decided
  const lines = restLinesOf(decided.lines)
  await recordEvent({
    kind: 'order.partially_shipped',
    order_id,
    company_id,
    data: {
      follows: piecesOf(lines, 'backorder'),
      cancelled: piecesOf(lines, 'cancel'),
      held: piecesOf(lines, 'hold'),
      lines,
      expected_on,
      notify_recipient,
    },
  })
}
