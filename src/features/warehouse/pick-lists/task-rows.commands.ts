/** Writes the rows of put-backs and shorts: pieces that go back into their bins, and pieces that were not found. */
import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { PickShortsRow, PutBacksRow } from '#platform/database/schema.ts'

// Put-backs

/** Pieces of one line have to go back. */
export async function insertPutBack(db: Db, row: Insertable<PutBacksRow>): Promise<void> {
  await db.insertInto('put_backs').values(row).execute()
}

/** Pieces that came back for their bins, one row each; answers the ids in the order of the rows. */
export async function insertPutBacks(db: Db, rows: readonly Insertable<PutBacksRow>[]): Promise<number[]> {
  const made = await db.insertInto('put_backs').values(rows).returning('id').execute()
  return made.map(({ id }) => id).toSorted((one, other) => one - other)
}

/** Everything that was picked on a list for these orders has to go back; answers the pieces by order line. */
export async function insertPutBacksOfOrders(
  db: Db,
  pick_list_id: number,
  order_ids: readonly number[],
  reason: PutBacksRow['reason'],
): Promise<{ order_id: number; order_line_id: number; quantity: number }[]> {
  const { rows } = await sql<{ order_id: number; order_line_id: number; quantity: number }>`
    insert into put_backs (company_id, order_id, order_line_id, pick_list_id, wagon_no, slot_no, product_id, sku, name, bin, quantity, reason)
    select company_id, order_id, order_line_id, pick_list_id, wagon_no, slot_no, product_id, sku, name, bin, picked, ${reason}
    from pick_lines where operator_id = current_operator_id() and company_id = any(current_company_ids()) and pick_list_id = ${pick_list_id}
      and order_id = any(${order_ids}::bigint[]) and state <> 'gone' and picked > 0
    returning order_id, order_line_id, quantity`.execute(db)
  return rows
}

/** Some pieces of a put-back are in their bin; with `all` it is done. */
export async function notePutBack(
  db: Db,
  id: number,
  { quantity, by, all }: { quantity: number; by: string; all: boolean },
): Promise<void> {
  await db
    .updateTable('put_backs')
    .set(eb => ({
      done: eb('done', '+', quantity),
      done_by: by,
      version: eb('version', '+', 1),
      ...(all && { done_at: sql<string>`now()` }),
    }))
    .where('id', '=', id)
    .execute()
}

/** Every open put-back of an order is done; answers them. */
export const finishPutBacks = (db: Db, order_id: number, by: string) =>
  db
    .updateTable('put_backs')
    .set(eb => ({ done: eb.ref('quantity'), done_by: by, done_at: sql<string>`now()`, version: eb('version', '+', 1) }))
    .where('order_id', '=', order_id)
    .where('done_at', 'is', null)
    .returning(['id', 'company_id', 'pick_list_id', 'wagon_no', 'slot_no'])
    .execute()

// Shorts

/** Writes a short down and answers its id. */
export async function insertShort(db: Db, row: Insertable<PickShortsRow>): Promise<number> {
  const { id } = await db.insertInto('pick_shorts').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Which shorts: one by its id, those of an order, of several orders, or of a line of a list. */
type Shorts = { id: number } | { order_id: number } | { order_ids: readonly number[] } | { pick_line_id: number }

const which = (shorts: Shorts) => {
  if ('order_ids' in shorts) return sql<SqlBool>`order_id = any (${shorts.order_ids}::bigint[])`
  if ('order_id' in shorts) return sql<SqlBool>`order_id = ${shorts.order_id}`
  if ('pick_line_id' in shorts) return sql<SqlBool>`pick_line_id = ${shorts.pick_line_id}`
  return sql<SqlBool>`id = ${shorts.id}`
}

/** Decides shorts; only those that wait for it, unless `again`. Answers what it decided. */
export const writeDecision = (
  db: Db,
  shorts: Shorts,
  { decision, by, again = false }: { decision: NonNullable<PickShortsRow['decision']>; by: string; again?: boolean },
) =>
  db
    .updateTable('pick_shorts')
    .set(eb => ({ decision, decided_by: by, decided_at: sql<string>`now()`, version: eb('version', '+', 1) }))
    .where(which(shorts))
    .$if(!again, qb => qb.where('decided_at', 'is', null))
    .returning(['id', 'company_id'])
    .execute()

/** The undecided short of a line has another number of pieces; answers whether there is one. */
export async function setShortQuantity(db: Db, pick_line_id: number, quantity: number): Promise<boolean> {
  const rows = await db
    .updateTable('pick_shorts')
    .set(eb => ({ quantity, version: eb('version', '+', 1) }))
    .where('pick_line_id', '=', pick_line_id)
    .where('decided_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Sets the photo of a short; answers its company, or `undefined` where there is none. */
export async function setShortPhoto(db: Db, id: number, photo_file_id: number): Promise<number | undefined> {
  const row = await db
    .updateTable('pick_shorts')
    .set(eb => ({ photo_file_id, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('company_id')
    .executeTakeFirst()
  return row?.company_id
}

/** Deletes a short that no one has decided; answers whether there was one. */
export async function deleteOpenShort(db: Db, id: number): Promise<boolean> {
  const row = await db.deleteFrom('pick_shorts').where('id', '=', id).where('decided_at', 'is', null).returning('id').executeTakeFirst()
  return row !== undefined
}
