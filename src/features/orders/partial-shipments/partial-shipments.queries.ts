/** Reads what was decided of the rest of orders. */
import * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import { type RestLine, rests } from './partial-shipments.codes.ts'

const RestLines = z.array(z.object({ order_line_id: z.number(), quantity: z.number(), rest: z.enum(rests) })).catch([])

export const restLinesOf = (stored: unknown): RestLine[] => RestLines.parse(stored)

export interface RestForRecipient {
  /** The day on which the newest rest should leave, where it was said. */
  expected_on: string | null
  /** A person still decides about some of the newest rest. */
  on_hold: boolean
  /** Pieces that were cancelled when a part was sent, by line. */
  cancelled: ReadonlyMap<number, number>
}

/** What the recipient is to know of the partial shipments of an order; null where nothing is. */
export async function restForRecipient(db: Db, order_id: number): Promise<RestForRecipient | null> {
  const rows = await db
    .selectFrom('partial_shipments')
    .select(['lines', 'expected_on'])
    .where('order_id', '=', order_id)
    .where('shipped_at', 'is not', null)
    .where('notify_recipient', '=', true)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const [newest] = rows
  if (!newest) return null
  const cancelled = new Map<number, number>()
  for (const { order_line_id, quantity, rest } of rows.flatMap(row => restLinesOf(row.lines)))
    if (rest === 'cancel') cancelled.set(order_line_id, (cancelled.get(order_line_id) ?? 0) + quantity)
  return { expected_on: newest.expected_on, on_hold: restLinesOf(newest.lines).some(line => line.rest === 'hold'), cancelled }
}
