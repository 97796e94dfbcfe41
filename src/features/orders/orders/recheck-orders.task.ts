/** Checks open orders again when their products change: a product that gets its weight or tariff code clears warnings. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Subscriptions } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { asImported, badgesNow } from './order-edits.commands.ts'
import { takeOrder } from './order-facts.queries.ts'
import { editOrder } from './order-state.commands.ts'

/** The fields of a product that the checks of an order read. */
const checkedFields: readonly string[] = ['weight_g', 'hs_code', 'origin', 'customs_text']

export const recheckSubscriptions: Subscriptions = {
  'product.changed': async (events, { enqueue }) => {
    const checked = events.filter(({ data }) => data.changed.some(({ field }) => checkedFields.includes(field)))
    if (checked.length > 0) await enqueue('orders.judge', { sku_keys: checked.map(({ data }) => data.sku.toUpperCase()) })
  },
  'product.imported': async (events, { enqueue }) => {
    await enqueue('orders.judge', { sku_keys: events.flatMap(({ data }) => data.updated.map(sku => sku.toUpperCase())) })
  },
}

/** More would be a report: the rest is judged when it is edited or packed. */
const most = 5_000

/** The queue's task: `{ sku_keys }`. Each order is a change of its own, so that no one waits for the rest; judging twice changes nothing. */
export const judgeOrders: Tasks['orders.judge'] = async ({ sku_keys }, { transaction }) => {
  for (const id of await transaction(({ db }) => waitingFor(db, sku_keys)))
    await transaction(async context => {
      const order = await takeOrder(context.db, id)
      const stored = order && (await asImported(context.db, id))
      const before = await context.db.selectFrom('orders').select(['badges', 'weight_g']).where('id', '=', id).executeTakeFirst()
      if (!order || !stored || !before) return
      const badges = JSON.stringify(await badgesNow(context.db, stored))
      const goods = stored.order.lines.filter(line => line.type === 'item' && line.requires_shipping)
      // Who put the whole order on a scale knows better than its products.
      const weighed = await context.db
        .selectFrom('events')
        .select('id')
        .where('order_id', '=', id)
        .where('kind', '=', 'order.weight_set')
        .where(sql<boolean>`data ->> 'name' is null`)
        .executeTakeFirst()
      const weight_g = weighed ? before.weight_g : goods.reduce((sum, line) => sum + line.qty * (line.weight_g ?? 0), 0)
      if (weight_g === before.weight_g && badges === JSON.stringify(before.badges)) return
      await editOrder(context, id, { from: ['new', 'ready', 'in_pick', 'picked'], content: { badges, weight_g } })
    })
}

async function waitingFor(db: Db, sku_keys: readonly string[]): Promise<number[]> {
  if (sku_keys.length === 0) return []
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('order_lines as l', 'l.product_id', 'p.id')
    .innerJoin('orders as o', 'o.id', 'l.order_id')
    .select('o.id')
    .distinct()
    .where('p.sku_key', 'in', sku_keys)
    .where('o.work_state', 'in', ['new', 'ready', 'in_pick', 'picked'])
    .where('o.cancelled_at', 'is', null)
    .orderBy('o.id')
    .limit(most)
    .execute()
  return rows.map(row => row.id)
}
