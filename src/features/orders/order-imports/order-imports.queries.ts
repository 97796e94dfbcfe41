/** Order imports in the database: their rows, the mappings that are kept, and taking an import back. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { deleteImported } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { ImportReason, type ImportsQuery, KeptMapping, type OrderImport } from './order-imports.schemas.ts'

const imports = (db: Db) =>
  db
    .selectFrom('order_imports as i')
    .leftJoin('jobs as j', join => join.onRef('j.operator_id', '=', 'i.operator_id').onRef('j.id', '=', 'i.job_id'))
    .leftJoin('users as u', join => join.onRef('u.operator_id', '=', 'i.operator_id').onRef('u.id', '=', 'i.created_by'))
    .select([
      'i.id',
      'i.shop',
      'i.file_name',
      'i.job_id',
      'j.state',
      'j.done',
      'j.total',
      'j.message',
      'i.rows_read',
      'i.rows_refused',
      'i.created',
      'i.updated',
      'i.unchanged',
      'i.refused',
      'i.problems',
      'i.error_file_id',
      'u.name as created_by',
      'i.created_at',
      'i.undone_at',
    ])
    .select(sql<OrderImport['refusal']>`j.result -> 'refusal'`.as('refusal'))

type Row = Awaited<ReturnType<ReturnType<typeof imports>['execute']>>[number]
const asImport = ({ error_file_id, problems, state, done, ...row }: Row): OrderImport => ({
  ...row,
  state: state ?? 'done',
  done: done ?? 0,
  problems: ImportReason.array().parse(problems),
  has_errors: error_file_id !== null,
})

export async function importById(db: Db, id: number): Promise<OrderImport | undefined> {
  const row = await imports(db).where('i.id', '=', id).executeTakeFirst()
  return row && asImport(row)
}

/** Older files are corrected already, or not at all. */
const recent = sql<string>`now() - interval '7 days'`

export async function newestImports(db: Db, query: ImportsQuery): Promise<Page<OrderImport>> {
  let from = imports(db)
  if (query.query) from = from.where('i.file_name', 'ilike', containing(query.query))
  if (query.shop) from = from.where('i.shop', '=', query.shop)
  if (query.problems) from = from.where(eb => eb.or([eb('j.state', '=', 'failed'), eb('i.refused', '>', 0), eb('i.rows_refused', '>', 0)]))
  if (query.problems === 'recent') from = from.where('i.created_at', '>=', recent)
  const rows = await from.orderBy('i.id', 'desc').limit(query.limit).offset(pageOffset(query)).execute()
  return { rows: rows.map(asImport), ...(await cappedCount(db, from.clearSelect())), offset: pageOffset(query), limit: query.limit }
}

/** A table that somebody has brought; labels, pictures and videos of the same store are no one's to read here. */
export const fileById = (db: Db, id: number) =>
  db
    .selectFrom('files')
    .select(['id', 'sha256', 'name', 'bytes'])
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .where('media_type', '=', 'text/csv')
    .executeTakeFirst()

export async function keptMapping(db: Db, shop: string): Promise<KeptMapping | null> {
  const row = await db.selectFrom('import_mappings').select('mapping').where('shop', '=', shop).executeTakeFirst()
  // A mapping kept by an older version may no longer be understood: then it is suggested anew.
  return (row && KeptMapping.safeParse(row.mapping).data) ?? null
}

export async function keepMapping(db: Db, shop: string, mapping: KeptMapping, now: Date): Promise<void> {
  const row = { mapping: JSON.stringify(mapping), updated_at: now.toISOString() }
  await db
    .insertInto('import_mappings')
    .values({ shop, ...row })
    .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'shop']).doUpdateSet(row))
    .execute()
}

export async function shopsOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ shop: string }>`
    select shop from cms_keys where operator_id = current_operator_id() and company_id = current_company_id() and removed_at is null
    union select shop from import_mappings where operator_id = current_operator_id() and company_id = current_company_id()
    union select shop from order_imports where operator_id = current_operator_id() and company_id = current_company_id()
    union select 'main' order by 1`.execute(db)
  return rows.map(row => row.shop)
}

/** What stands in the way of taking an import back, the first few of it. Takes the rows of its orders until the end of the transaction. */
export async function standingInTheWay(db: Db, import_id: number): Promise<{ order_no: string; phase: string }[]> {
  const rows = await db
    .selectFrom('orders as o')
    .select(['o.id', 'o.order_no', 'o.phase', 'o.work_state'])
    .where('o.import_id', '=', import_id)
    .orderBy('o.id')
    .forUpdate()
    .execute()
  const begun = await sql<{ id: number }>`
    select o.id from orders o where o.operator_id = current_operator_id() and o.company_id = current_company_id() and o.import_id = ${import_id}
      and (exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and (l.picked_qty > 0 or l.packed_qty > 0))
        or exists (select from packing_sessions s where s.operator_id = o.operator_id and s.order_id = o.id)
        or exists (select from shipments s where s.operator_id = o.operator_id and s.order_id = o.id)
        or exists (select from paperless_codes p where p.operator_id = o.operator_id and p.order_id = o.id))`.execute(db)
  const touched = new Set(begun.rows.map(row => row.id))
  return rows
    .filter(row => touched.has(row.id) || !['new', 'ready'].includes(row.work_state))
    .map(({ order_no, phase }) => ({ order_no, phase }))
}

/** Removes the orders that the import created; what it changed of others stays. What happened stays in the events. */
export async function removeImported(db: Db, import_id: number, now: Date): Promise<number> {
  const removed = await deleteImported(db, import_id)
  await db.updateTable('order_imports').set({ undone_at: now.toISOString() }).where('id', '=', import_id).execute()
  return removed
}
