/** Erasures: asked for by a shop or a person, started when no order is open, and carried on after an interruption. */
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type Erasure, erasureById, hasOpenOrder } from './erasure.queries.ts'

/** Asks to erase the person of some orders, or of all orders of a shop; `report` only counts what that would touch. */
export async function requestErasure(
  context: Context,
  request: { kind: Erasure['kind']; reason: string; order_ids: readonly number[]; shop: string | null; customer_ids?: readonly number[] },
): Promise<number> {
  const { id } = await context.db
    .insertInto('erasures')
    .values({
      kind: request.kind,
      reason: request.reason,
      order_ids: [...request.order_ids],
      asked_customer_ids: [...(request.customer_ids ?? [])],
      shop: request.shop,
      requested_by: context.principal.id || null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await startErasure(context, id)
  return id
}

/** Queues the erasure's job, unless an order of the person is still open; `whileOpen` where the person was erased before. */
export async function startErasure(
  { db, now, enqueue, principal }: Context,
  id: number,
  { whileOpen = false }: { whileOpen?: boolean } = {},
): Promise<number | null> {
  await db.selectFrom('erasures').select('id').where('id', '=', id).forUpdate().execute()
  const erasure = await erasureById(db, id)
  if (!erasure || erasure.state === 'done') return null
  if (erasure.kind === 'erase' && !whileOpen && (await hasOpenOrder(db, erasure, now()))) return null
  const job_id = await newJob(db, { kind: 'customers.erase', title: `erasure ${id}`, created_by: principal.id || null })
  await db.updateTable('erasures').set({ state: 'running', job_id }).where('id', '=', id).execute()
  await enqueue('customers.erase', { job_id, erasure_id: id }, { key: `customers.erase/${job_id}`, queue: 'erasures' })
  return job_id
}

/** Keeps how far the erasure came, in the transaction that erased. */
export const keepProgress = async (
  db: Db,
  id: number,
  progress: { done_order_id: number; report: Record<string, number> } & Partial<{
    state: 'done'
    customer_ids: number[]
    finished_at: string
  }>,
): Promise<void> => {
  const { report, ...change } = progress
  await db
    .updateTable('erasures')
    .set({ ...change, report: JSON.stringify(report) })
    .where('id', '=', id)
    .execute()
}
