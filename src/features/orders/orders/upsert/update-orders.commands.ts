/** Updating: orders that a shop has changed. They are rare, so a few statements more do no harm. */

import { elementAt, isRecord, valueAt } from '#domain/objects.ts'
import { insertBarcodesText, insertProductsText } from '#features/catalog/products/imported-products.commands.ts'
import { insertImportedTagsText } from '#features/company/tags/tags.commands.ts'
import { countedOf, insertCountChangesText } from '../counts/order-counts.commands.ts'
import { attachCustomers } from '../customers/attach-customers.commands.ts'
import { giveDeadlines } from '../deadlines/order-deadlines.commands.ts'
import { closeUnstarted, followHolds, releaseOrders, restoreOrders, separateOrders } from '../order-state.commands.ts'
import { barcodeCells, contentCells, lineCells, lineColumns, packedCells, productCells, productColumns } from './columns.queries.ts'
import { fillProducts } from './create-orders.commands.ts'
import type { Seen } from './existing-orders.queries.ts'
import { type Before, changedFields, changesOf } from './order-changes.server.ts'
import type { Known } from './order-upsert.rules.ts'
import { batchOf, type LineRow, type Prepared, prepare } from './prepare-orders.server.ts'
import { type Cells, isCombined, onList, ours, run, type StoringOptions, type StoringTools, table, unit, values } from './sql.queries.ts'

/** Holds that a shop sets and lifts: the others belong to people. */
const shopHolds = ['payment', 'shop', 'no_address', 'country', 'postcode']

const updateCells: Cells<Prepared & Known> = [
  ['id', 'bigint', row => row.known.id],
  ['was', 'text', row => row.known.fingerprint],
  ['was_cancelled', 'boolean', row => row.known.cancelled],
  ['closes', 'boolean', row => row.order.status === 'closed'],
  ['n', 'int', row => row.at],
  ...contentCells,
  ...packedCells,
]

const contentColumns = contentCells.map(([name]) => name)

/** A shipping method that a person chose stays when the shop changes the order. */
const choiceColumns = ['agent_code', 'shipping_method', 'method_why']
const changedCell = (name: string): string =>
  choiceColumns.includes(name) ? `case when o.method_why ->> 'source' = 'person' then o.${name} else r.${name} end` : `r.${name}`

// Country and pieces may change, by which orders are counted. The rows are locked before, so what the statement reads of them is what it changes.
const updateText = `with was as materialized (select o.id, ${countedOf('o')} from orders o where ${ours('o')} and o.id = any ($1::bigint[])),
  changed as (update orders o set ${contentColumns.map(name => `${name} = ${changedCell(name)}`).join(', ')},
    tags = string_to_array(r.tags, '${unit}'), fingerprint = decode(r.fingerprint, 'hex'), version = o.version + 1
  from ${table('r', updateCells, 1)}
  where ${ours('o')} and o.id = r.id and o.fingerprint = decode(r.was, 'hex') and (o.cancelled_at is not null) = r.was_cancelled
    and not ${isCombined('o')} and (o.work_state in ('new', 'ready')
      and not exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and (l.picked_qty > 0 or l.packed_qty > 0))
      or not r.closes and ${onList('o')})
    returning o.id, ${countedOf('o')}),
  counted as (${insertCountChangesText(`select ${countedOf('c')}, 1 as n from changed c
    union all select ${countedOf('w')}, -1 from changed c join was w using (id)`)})
  select id from changed`

/** Pieces that were cancelled here, and that the shop no longer orders either, are cancelled no more: they do not exist. */
const uncancelText = `update order_lines x set cancelled_qty = greatest(0, x.cancelled_qty - (x.qty - l.qty))
  from unnest($1::bigint[], $2::text[], $3::int[]) as l(order_id, external_id, qty)
  where ${ours('x')} and x.order_id = l.order_id and x.external_id = l.external_id and l.qty < x.qty and x.cancelled_qty > 0`

/** Lines keep their ids where the shop keeps its own: people may already look at them. */
const lineUpdateColumns = lineColumns.filter(name => name !== 'external_id')

const linesText = `with l as materialized (select * from ${table('l', [['order_id', 'bigint', (row: LineRow & { order_id: number }) => row.order_id], ...lineCells], 2)}),
  gone as (delete from order_lines x where ${ours('x')} and x.order_id = any ($1::bigint[])
    and not exists (select from l where l.order_id = x.order_id and l.external_id = x.external_id)),
  kept as (update order_lines x set ${lineUpdateColumns.map(name => `${name} = ${name === 'product_id' ? 'coalesce(l.product_id, g.id)' : `l.${name}`}`).join(', ')}
    from l left join products g on ${ours('g')} and l.product_id is null and l.type = 'item' and l.requires_shipping and g.sku_key = upper(l.sku)
    where ${ours('x')} and x.order_id = l.order_id and x.external_id = l.external_id returning x.order_id, x.external_id)
  insert into order_lines (order_id, ${lineColumns.join(', ')})
  select l.order_id, ${lineColumns.map(name => (name === 'product_id' ? 'coalesce(l.product_id, g.id)' : `l.${name}`)).join(', ')}
  from l left join products g on ${ours('g')} and l.product_id is null and l.type = 'item' and l.requires_shipping and g.sku_key = upper(l.sku)
  where not exists (select from kept where kept.order_id = l.order_id and kept.external_id = l.external_id)
    and not exists (select from order_lines x where ${ours('x')} and x.order_id = l.order_id and x.external_id = l.external_id)
  order by l.order_id, l.line_no`

/** Words that the shop did not send before: a tag that a person took away stays away. */
const tagsText = insertImportedTagsText(`select o.id as order_id, o.company_id,
    array(select lower(w) from unnest(o.tags) w where w <> all (string_to_array(r.before, '${unit}'))) as words
  from unnest($1::bigint[], $2::text[]) as r(id, before) join orders o on ${ours('o')} and o.id = r.id`)

/** Products that a changed order brings along. */
const goodsText = `${insertProductsText(productColumns, table('p', productCells, 1))} do nothing`

const codesText = insertBarcodesText(
  `select distinct g.id, b.barcode from ${table('b', barcodeCells, 1)} join products g on ${ours('g')} and g.sku_key = upper(b.sku)
  order by b.barcode`,
)

const beforeText = `select o.id, to_jsonb(o) as row,
    (select coalesce(jsonb_agg(jsonb_build_object('external_id', l.external_id, 'name', l.name, 'sku', l.sku, 'qty', l.qty)), '[]')
      from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id) as lines
  from orders o where ${ours('o')} and o.id = any ($1::bigint[]) order by o.id for update of o`

const idsOf = (rows: readonly { known: { id: number } }[]): number[] => rows.map(row => row.known.id)

export async function update(tools: StoringTools, drafts: readonly Known[], seen: Seen, options: StoringOptions): Promise<Set<number>> {
  const { db } = tools
  // A changed order may differ from those in whose parcel it goes.
  const combined = drafts.filter(draft => draft.known.combined)
  if (combined.length > 0) await separateOrders(tools, idsOf(combined))
  const before = await run<Before>(db, beforeText, [drafts.map(draft => draft.known.id)])
  const all = prepare(drafts, seen, tools, options)
  const changed = new Set((await run<{ id: number }>(db, updateText, values(all, updateCells))).map(({ id }) => id))
  const rows = all.filter(row => changed.has(row.known.id))
  if (rows.length === 0) return changed
  const tagged = rows.filter(row => row.order.tags.length > 0)
  if (tagged.length > 0) {
    const tagsBefore = new Map(before.map(one => [one.id, Array.isArray(one.row.tags) ? one.row.tags.join(unit) : '']))
    await run(db, tagsText, [idsOf(tagged), idsOf(tagged).map(id => tagsBefore.get(id) ?? '')])
  }
  await restoreOrders(tools, idsOf(rows.filter(row => row.known.cancelled)))
  await closeUnstarted(tools, idsOf(rows.filter(row => row.order.status === 'closed')))
  const batch = batchOf(rows, seen, tools, options)
  const ids = rows.map(row => row.known.id)
  const idOf = new Map(rows.map(row => [row.at, row.known.id]))
  if (batch.products.length > 0) await run(db, goodsText, values(batch.products, productCells))
  if (batch.barcodes.length > 0) await run(db, codesText, values(batch.barcodes, barcodeCells))
  const lines = batch.lines.map(line => ({ ...line, order_id: valueAt(idOf, line.at) }))
  const onLists = rows.filter(row => row.known.on_list)
  // Before the lines change: a deleted line takes the line of its pick list with it.
  await tools.runSubscribers(
    onLists.map(row => ({
      kind: 'order.lines_changing',
      order_id: row.known.id,
      data: {
        lines: row.order.lines
          .filter(line => line.type === 'item' && line.requires_shipping)
          .map(({ external_id, qty }) => ({ external_id, qty })),
      },
    })),
  )
  await run(db, uncancelText, [
    lines.map(line => line.order_id),
    lines.map(line => line.line.external_id),
    lines.map(line => line.line.qty),
  ])
  await run(db, linesText, [ids, lines.map(line => line.order_id), ...values(lines, lineCells)])
  await fillProducts(tools, rows, seen)
  await attachCustomers(db, ids, batch.customers)
  // A word that once found the order goes on finding it, as long as there are not too many.
  await run(
    db,
    `update order_words w set words = case when length(w.words) > 300 then r.words else w.words || r.words end
      from (select u.id, array_to_tsvector(string_to_array(u.words, '${unit}')) as words from unnest($1::bigint[], $2::text[]) as u(id, words)) r
      where ${ours('w')} and w.order_id = r.id`,
    [ids, rows.map(row => row.words)],
  )
  await run(
    db,
    `insert into order_comments (order_id, type, comment, user_id, actor)
      select c.id, c.type, c.comment, $4::bigint, $5::text from unnest($1::bigint[], $2::text[], $3::text[]) as c(id, type, comment)
      where not exists (select from order_comments x where ${ours('x')} and x.order_id = c.id and x.comment = c.comment)`,
    [
      batch.comments.map(note => idOf.get(note.at)),
      batch.comments.map(note => note.type),
      batch.comments.map(note => note.comment),
      batch.actor[1],
      batch.actor[0],
    ],
  )
  await run(
    db,
    `with wanted as materialized (select * from unnest($2::bigint[], $3::text[]) as w(order_id, reason)),
      lifted as (update order_locks x set released_at = $4::timestamptz where ${ours('x')} and x.order_id = any ($1::bigint[]) and x.kind = 'hold'
        and x.reason = any ($5::text[]) and x.released_at is null and not exists (select from wanted w where w.order_id = x.order_id and w.reason = x.reason))
      insert into order_locks (order_id, kind, reason, actor) select w.order_id, 'hold', w.reason, $6::text from wanted w
      where not exists (select from order_locks x where ${ours('x')} and x.order_id = w.order_id and x.kind = 'hold' and x.reason = w.reason and x.released_at is null)`,
    [
      ids,
      batch.holds.map(hold => idOf.get(hold.at)),
      batch.holds.map(hold => hold.reason),
      elementAt(rows, 0).created_at,
      shopHolds,
      batch.actor[0],
    ],
  )
  await followHolds(tools, ids)
  await run(
    db,
    `update orders o set release_at = case when o.work_state = 'new' and (o.held or not r.ready) then r.release_at end
      from unnest($1::bigint[], $2::boolean[], $3::timestamptz[]) as r(id, ready, release_at) where ${ours('o')} and o.id = r.id`,
    // An order that only waits for the end of a person's hold is released afterwards.
    [ids, rows.map(row => row.ready), rows.map(row => row.release_at ?? (row.ready ? row.created_at : null))],
  )
  await releaseOrders(tools, idsOf(rows.filter(row => row.ready)))
  await tools.runSubscribers(onLists.map(row => ({ kind: 'order.lines_changed', order_id: row.known.id })))
  const was = new Map(before.map(one => [one.id, one]))
  const [moving, staying] = [new Set<number>(), new Set(ids)]
  for (const { known, order } of rows) {
    const old = was.get(known.id)?.row
    const delivery = isRecord(old?.delivery) ? old.delivery : {}
    const wished = (delivery.not_before ?? null) !== order.delivery.not_before || (delivery.ship_by ?? null) !== order.delivery.ship_by
    // What the shop wishes or promises anew, and the end of its hold, may move what has passed.
    if ((wished || old?.held === true) && staying.delete(known.id)) moving.add(known.id)
  }
  await giveDeadlines(tools, [...moving], { moves: true })
  await giveDeadlines(tools, [...staying])
  await tools.recordEvents(
    rows.map(row => {
      const changed = changesOf(row, was.get(row.known.id))
      return {
        kind: 'order.changed',
        order_id: row.known.id,
        data: { source: row.order.source, changed, changed_fields: changedFields(changed) },
      }
    }),
    { actor: batch.actor[0] },
  )
  return changed
}
