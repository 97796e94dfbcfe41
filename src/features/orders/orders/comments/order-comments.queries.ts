/** The comments of orders. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { OrderComment } from './order-comments.schemas.ts'

const columns = ['id as comment_id', 'order_id', 'type', 'comment', 'actor', 'created_at'] as const
/** Of one order, and of all orders that one answer is about. */
export const mostComments = 1_000
export const mostCommentsAnswered = 5_000

/** Warnings first, each type with its oldest first, as they are to be read. One more than may be answered shows that there are too many. */
export const commentsQuery = (db: Db, order_ids: readonly number[]) =>
  db
    .selectFrom('order_comments')
    .select(columns)
    .where('order_id', '=', sql<number>`any(${order_ids})`)
    .orderBy(sql`type <> 'warning'`)
    .orderBy('id')
    .limit(mostCommentsAnswered + 1)

export const commentsOf = (db: Db, order_ids: readonly number[]): Promise<OrderComment[]> => commentsQuery(db, order_ids).execute()

interface NewComment {
  company_id: number
  order_id: number
  type: OrderComment['type']
  comment: string
  user_id: number | null
  actor: string
  created_at: string
}

export const addComment = (db: Db, comment: NewComment): Promise<OrderComment> =>
  db.insertInto('order_comments').values(comment).returning(columns).executeTakeFirstOrThrow()

export async function addComments(db: Db, comments: readonly NewComment[]): Promise<void> {
  if (comments.length > 0) await db.insertInto('order_comments').values(comments).execute()
}
