import type { Seen } from './existing-orders.queries.ts'
import { type Known, type Stored, storingSentences } from './order-upsert.rules.ts'
import { actorOf, ours, run, type StoringOptions, type StoringTools } from './sql.queries.ts'

/**
 * A shop cancels: before packing the order ends, and what was taken from the shelf has to go back; a packed one gets a hold, because
 * a person decides whether it is unpacked.
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
  const actor = actorOf(tools, options)
  const cells = (some: typeof asked) => [some.map(one => one.id), some.map(one => one.hash), some.map(one => one.version)]
  const said = `source_version = coalesce(r.version, o.source_version), fingerprint = coalesce(decode(r.fingerprint, 'hex'), o.fingerprint), version = o.version + 1
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as r(id, fingerprint, version) where ${ours('o')} and o.id = r.id and o.cancelled_at is null`
  const ended = await run<{ id: number; put_back_due: boolean }>(
    tools.db,
    `update orders o set cancelled_at = $4::timestamptz,
        put_back_due = o.work_state in ('in_pick', 'picked', 'in_pack')
          or exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and (l.picked_qty > 0 or l.packed_qty > 0)),
        ${said} and o.work_state in ('new', 'ready', 'in_pick', 'picked', 'in_pack') returning o.id, o.put_back_due`,
    [...cells(asked), tools.now().toISOString()],
  )
  await tools.recordEvents(
    ended.map(({ id, put_back_due }) => ({ kind: 'order.cancelled', order_id: id, data: { by: 'shop', put_back_due } })),
    { actor: actor[0] },
  )
  const done = new Set(ended.map(({ id }) => id))
  const packed = asked.filter(one => !done.has(one.id))
  if (packed.length > 0) {
    const held = await run<{ id: number }>(
      tools.db,
      `update orders o set held = true, ${said} and o.work_state = 'packed' returning o.id`,
      cells(packed),
    )
    await run(
      tools.db,
      `insert into order_locks (order_id, kind, reason, actor) select r.id, 'hold', 'cancel_requested', $2::text from unnest($1::bigint[]) as r(id)
        where not exists (select from order_locks x where ${ours('x')} and x.order_id = r.id and x.kind = 'hold' and x.reason = 'cancel_requested' and x.released_at is null)`,
      [held.map(({ id }) => id), actor[0]],
    )
    await tools.recordEvents(
      held.map(({ id }) => ({ kind: 'order.held', order_id: id, data: { reason: 'cancel_requested', by: 'shop' } })),
      { actor: actor[0] },
    )
    for (const { id } of held) done.add(id)
  }
  // Whoever has it on the bench hears it at once.
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
