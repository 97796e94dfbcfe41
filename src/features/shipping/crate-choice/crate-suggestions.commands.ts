/** Writes the crates that are suggested with a pick list, so that the list and the picker's phone show them without computing. */
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { crateInput, suggestionOf } from './crate-choice.queries.ts'

/** Orders of one task: each takes some milliseconds. */
const batch = 50

const ordersOf = (events: readonly RecordedEvent[]): number[] => [...new Set(events.flatMap(event => event.order_id ?? []))]

async function hasCrates({ db }: Context): Promise<boolean> {
  const crate = await db
    .selectFrom('crate_types')
    .select('id')
    .where('active', '=', true)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return crate !== undefined
}

async function queue({ enqueue }: Context, order_ids: readonly number[]): Promise<void> {
  for (let at = 0; at < order_ids.length; at += batch) await enqueue('crates.suggest', { order_ids: order_ids.slice(at, at + batch) })
}

export async function suggestLater(events: readonly RecordedEvent[], context: Context): Promise<void> {
  if (await hasCrates(context)) await queue(context, ordersOf(events))
}

/** What was suggested before no longer holds. */
export async function suggestAgain(events: readonly RecordedEvent[], context: Context): Promise<void> {
  const ids = ordersOf(events)
  if (ids.length === 0) return
  const known = await context.db.deleteFrom('crate_suggestions').where('order_id', 'in', ids).returning('order_id').execute()
  await queue(
    context,
    known.map(row => row.order_id),
  )
}

export const suggestForPickList: Tasks['crates.suggest'] = async ({ order_ids }, { transaction, signal }) => {
  for (const order_id of order_ids) {
    if (signal.aborted) return
    await transaction(async ({ db, now, notify }) => {
      const order = await db.selectFrom('orders').select('company_id').where('id', '=', order_id).executeTakeFirst()
      if (!order) return
      const input = await crateInput(db, { order_id }, now())
      const { status, crates } = suggestionOf(input)
      const values = {
        status,
        crates: JSON.stringify(crates.map(({ crate: { id, name }, fill_percent }) => ({ id, name, fill_percent }))),
        made_at: now().toISOString(),
      }
      await db
        .insertInto('crate_suggestions')
        .values({ order_id, company_id: order.company_id, ...values })
        .onConflict(one => one.columns(['operator_id', 'order_id']).doUpdateSet(values))
        .execute()
      notify('picking', order_id, order.company_id)
    })
  }
}
