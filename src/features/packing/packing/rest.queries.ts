/** Lines of which a lead has decided in the exceptions that what is missing follows later. */
import type { Db } from '#platform/database/database.ts'

export interface DecidedLines {
  by: string
  /** Null is every line of the order. */
  order_line_id: number | null
}

/** Decided since the order was closed last: what it is closed without the next time was decided with it. */
export const linesSentLater = (db: Db, order_id: number): Promise<DecidedLines[]> =>
  db
    .selectFrom('packing_exceptions as x')
    .select(['x.resolved_by as by', 'x.order_line_id'])
    .$narrowType<{ by: string }>()
    .where('x.order_id', '=', order_id)
    .where('x.resolution', '=', 'ship_partial')
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('packing_sessions as s')
            .select('s.id')
            .whereRef('s.order_id', '=', 'x.order_id')
            .where('s.state', '=', 'done')
            .whereRef('s.ended_at', '>=', 'x.resolved_at'),
        ),
      ),
    )
    .orderBy('x.resolved_at', 'desc')
    .limit(200)
    .execute()
