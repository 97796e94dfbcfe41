/** Bins to count: requested when too little was found there, and done once. */
import { sql } from 'kysely'
import { conflict, notFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { CountReason } from './pick-tasks.schemas.ts'

/** What commands of pick tasks need of a transaction; `now` ends holds by the clock of the application. */
export type TaskTools = Pick<Context, 'db' | 'recordEvent' | 'recordEvents' | 'notify' | 'now'>

export interface NewCount {
  company_id: number
  bin: string
  product_id: number | null
  sku: string | null
  name: string
  reason: CountReason
  /** Nothing is sent to this bin to pick until it is counted. */
  blocks: boolean
  note?: string
  by: { name: string }
}

/** Has a bin counted. Asked again while it still waits it stays one task, which blocks once anybody said so. */
export async function askCount({ db, notify }: Pick<TaskTools, 'db' | 'notify'>, count: NewCount): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into bin_counts (company_id, bin, product_id, sku, name, reason, blocks, note, asked_by)
    values (${count.company_id}, ${count.bin}, ${count.product_id}, ${count.sku}, ${count.name}, ${count.reason}, ${count.blocks}, ${count.note ?? ''}, ${count.by.name})
    on conflict (operator_id, company_id, bin, coalesce(product_id, 0)) where done_at is null
    do update set blocks = bin_counts.blocks or excluded.blocks, version = bin_counts.version + 1,
      reason = case when excluded.blocks and not bin_counts.blocks then excluded.reason else bin_counts.reason end
    returning id`.execute(db)
  const { id } = elementAt(rows, 0)
  notify('pick_task', id, count.company_id)
  return id
}

/** A picker found the bin empty: a count of zero. */
export async function foundEmpty(
  db: Db,
  {
    company_id,
    bin,
    product_id,
    sku,
    name,
  }: { company_id: number; bin: string; product_id: number | null; sku: string | null; name: string },
  by: string,
  note: string,
): Promise<void> {
  await db
    .insertInto('bin_counts')
    .values({
      company_id,
      bin,
      product_id,
      sku,
      name,
      reason: 'zero_check',
      asked_by: by,
      counted: 0,
      note,
      done_by: by,
      done_at: sql<string>`now()`,
    })
    .execute()
}

/**
 * Somebody has counted a bin: it may be picked from again. We keep no stock, so the number is only kept and shown.
 * @throws {Refusal} 404; 409 when somebody counted before
 */
export async function countBin(
  { db, recordEvent, notify }: TaskTools,
  count_id: number,
  { counted, note, by, version }: { counted: number; note: string; by: { name: string }; version?: number | undefined },
): Promise<void> {
  let update = db
    .updateTable('bin_counts')
    .set(eb => ({
      counted,
      note: sql<string>`case when ${note} = '' then note else ${note} end`,
      done_by: by.name,
      done_at: sql<string>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', count_id)
    .where('done_at', 'is', null)
  if (version !== undefined) update = update.where('version', '=', version)
  const done = await update.returning(['company_id', 'bin', 'sku', 'name', 'reason']).executeTakeFirst()
  if (!done) {
    const current = await db.selectFrom('bin_counts').selectAll().where('id', '=', count_id).executeTakeFirst()
    if (!current) throw notFound('count_not_found', 'Count not found')
    throw current.done_at === null
      ? conflict('task_changed', 'Someone else changed this. Check it and try again.', {}, { current })
      : conflict(
          'bin_counted',
          '{{name}} has counted this bin already: {{counted}}',
          { name: current.done_by, counted: current.counted },
          { current },
        )
  }
  await recordEvent({
    kind: 'bin.counted',
    company_id: done.company_id,
    subject: 'bin_count',
    subject_id: count_id,
    data: { bin: done.bin, sku: done.sku, name: done.name, counted, reason: done.reason },
  })
  notify('pick_task', count_id, done.company_id)
}
