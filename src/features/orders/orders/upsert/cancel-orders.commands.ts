import { insertHolds } from '../locks/order-locks.commands.ts'
import { cancelOrders, holdOrders } from '../order-state.commands.ts'
import type { Seen } from './existing-orders.queries.ts'
import { type Known, type Stored, storingSentences } from './order-upsert.rules.ts'
import { actorOf, isCombined, ours, run, type StoringOptions, type StoringTools } from './sql.queries.ts'

/**
 * A shop cancels: before packing the order ends, and what was taken from the shelf has to go back; a packed one gets a hold, because
 * a person decides whether it is unpacked. So does one whose goods are being picked or packed with those of other orders.
 */
export const cancel = (tools: StoringTools, drafts: readonly Known[], _seen: Seen, options: StoringOptions): Promise<Set<number>> =>
  cancelAll(
    tools,
    drafts.map(draft => ({ id: draft.known.id, hash: draft.hash, version: draft.order.version })),
    options,
  )

async function cancelAll(
  tools: StoringTools,
  asked: readonly { id: number; hash: string | null; version: number | null }[],
  options: StoringOptions,
): Promise<Set<number>> {
  const [actor] = actorOf(tools, options)
  const ids = asked.map(one => one.id)
  const cancelled = await cancelOrders(tools, ids, { at: tools.now().toISOString(), by: 'shop', actor })
  const done = new Set(cancelled.map(({ id }) => id))
  const packed = await run<{ id: number; company_id: number }>(
    tools.db,
    `select o.id, o.company_id from orders o where ${ours('o')} and o.id = any ($1::bigint[]) and o.cancelled_at is null
        and (o.work_state = 'packed' or o.work_state not in ('handed_over', 'closed') and ${isCombined('o')})
      order by o.id for no key update`,
    [ids],
  )
  if (packed.length > 0) {
    await insertHolds(tools.db, packed, { reason: 'cancel_requested', by: { id: null, name: actor } })
    const event = { kind: 'order.held', data: { reason: 'cancel_requested', by: 'shop' } } as const
    for (const { id } of await holdOrders(
      tools,
      packed.map(({ id }) => id),
      event,
      { actor },
    ))
      done.add(id)
  }
  await run(
    tools.db,
    `update orders o set source_version = coalesce(r.version, o.source_version), fingerprint = coalesce(decode(r.fingerprint, 'hex'), o.fingerprint)
      from unnest($1::bigint[], $2::text[], $3::bigint[]) as r(id, fingerprint, version) where ${ours('o')} and o.id = r.id and o.id = any ($4::bigint[])`,
    [ids, asked.map(one => one.hash), asked.map(one => one.version), [...done]],
  )
  // The person who packs it is informed at once.
  for (const id of done) {
    tools.notify('order', id)
    tools.notify('packing', id)
    tools.notify('picking', id)
  }
  return done
}

/** The shop has deleted these orders: the same as cancelling them. Unknown ones are passed over. */
export async function cancelRemoved(
  tools: StoringTools,
  { shop, external_ids }: { shop: string; external_ids: readonly string[] },
  options: StoringOptions = {},
): Promise<Stored[]> {
  const known = await run<{ id: number; external_id: string; order_no: string; work_state: string; cancelled: boolean }>(
    tools.db,
    `select o.id, o.external_id, o.order_no, o.work_state, o.cancelled_at is not null as cancelled from orders o
      where ${ours('o')} and o.shop = $1::text and o.external_id = any ($2::text[]) order by o.id for no key update`,
    [shop, external_ids],
  )
  const open = known.filter(one => !one.cancelled)
  const done =
    open.length > 0
      ? await cancelAll(
          tools,
          open.map(({ id }) => ({ id, hash: null, version: null })),
          options,
        )
      : new Set<number>()
  return known.map(({ id, external_id, order_no, cancelled }) => ({
    external_id,
    order_no,
    order_id: id,
    result: done.has(id) ? 'updated' : cancelled ? 'unchanged' : 'refused',
    problems: done.has(id) || cancelled ? [] : [{ field: 'status', text: storingSentences.gone, values: {} }],
  }))
}
