/** Creating: one statement writes all new orders of a batch with everything that belongs to them. */

import { elementAt, isOneOf, valueAt } from '#domain/objects.ts'
import type { ImportedLine } from '#domain/order/canonical-order-checks.ts'
import { fillProductsText, insertBarcodesText, takeProductsText } from '#features/catalog/products/imported-products.commands.ts'
import { insertImportedTagsText } from '#features/company/tags/tags.commands.ts'
import { customerSteps, newCustomerCells, newLookupCells } from '#features/customers/customers/customers.commands.ts'
import type { Attachment } from '#features/customers/customers/customers.rules.ts'
import { commitWithNextStatement } from '#platform/database/database.ts'
import { type EventSteps, insertEventsText, returnedColumns, stepsAfter } from '#platform/database/events.ts'
import { countedColumns, countedOf, insertCountChangesText } from '../counts/order-counts.commands.ts'
import { initialStatus } from '../order-state.commands.ts'
import {
  attachmentCells,
  barcodeCells,
  commentCells,
  contentCells,
  deadlineCells,
  holdCells,
  lineCells,
  lineColumns,
  orderCells,
  packedCells,
  productCells,
  productColumns,
  unpacked,
} from './columns.queries.ts'
import type { Seen } from './existing-orders.queries.ts'
import type { Draft } from './order-upsert.rules.ts'
import { isGoods, size } from './order-upsert.rules.ts'
import { type Batch, batchOf, type Prepared, prepare } from './prepare-orders.server.ts'
import { type Cells, ours, run, type StoringOptions, type StoringTools, table, unit, values } from './sql.queries.ts'

interface Statement {
  text: string
  parameters(batch: Batch): unknown[]
}

/** Collects a statement's tables and what fills them, counting its places. */
class Places {
  #next = 1
  readonly #takes: ((batch: Batch) => readonly unknown[])[] = []
  rows<T>(alias: string, cells: Cells<T>, of: (batch: Batch) => readonly T[]): string {
    const text = table(alias, cells, this.#next)
    this.#next += cells.length
    this.#takes.push(batch => values(of(batch), cells))
    return text
  }
  one(type: string, of: (batch: Batch) => unknown): string {
    this.#takes.push(batch => [of(batch)])
    return `$${this.#next++}::${type}`
  }
  statement(text: string): Statement {
    return { text, parameters: batch => this.#takes.flatMap(take => take(batch)) }
  }
}

const writeStatements = new Map<string, Statement>()

/**
 * The one statement that writes new orders; parts that a batch does not need are left out of it. The last of its transaction makes
 * all of them or none: what somebody else made meanwhile is a collision.
 */
function writeStatement(batch: Batch, last: boolean, eventSteps: readonly EventSteps[]): Statement {
  const with_ = {
    last,
    products: batch.products.length > 0,
    barcodes: batch.barcodes.length > 0,
    holds: batch.holds.length > 0,
    comments: batch.comments.length > 0,
    tags: batch.rows.some(row => row.order.tags.length > 0),
    customers: batch.customers.lookups.length > 0 || batch.customers.customers.length > 0,
    steps: eventSteps.some(steps => steps.kinds.has('order.imported')),
  }
  const name = Object.values(with_).join()
  const known = writeStatements.get(name)
  if (known) return known
  const places = new Places()
  const allCells = [...orderCells, ...deadlineCells, ...contentCells, ...packedCells]
  const columns = [...orderCells.slice(1), ...deadlineCells, ...contentCells].map(([column]) => column)
  const attached: Cells<{ row: Prepared; attachment: Attachment }> = [
    ...allCells.map(([name, type, of]) => [name, type, ({ row }: { row: Prepared }) => of(row)] as const),
    ...attachmentCells.map(([name, type, of]) => [name, type, ({ attachment }: { attachment: Attachment }) => of(attachment)] as const),
  ]
  const attachedRows = ({ rows, customers }: Batch) => rows.map((row, at) => ({ row, attachment: elementAt(customers.attachments, at) }))
  const steps = [
    `o as materialized (select * from ${places.rows('o', attached, attachedRows)})`,
    ...(with_.customers ? storeCustomers(places) : []),
    `made as (insert into orders (${columns.join(', ')}, tags, fingerprint, phase, customer_id)
      select ${columns.map(column => `o.${column}`).join(', ')}, ${unpacked('o')}, ${initialStatus('o')}, ${with_.customers ? 'coalesce(o.customer_id, s.customer_id)' : 'o.customer_id'}
      from o ${with_.customers ? 'left join stored_lookups s on s.check_type = o.customer_check_type and s.check_value = o.customer_check_value ' : ''}order by o.shop, o.external_id
      ${last ? '' : 'on conflict (operator_id, company_id, shop, external_id) do nothing '}returning id, shop, external_id, ${countedColumns.join(', ')})`,
    `counted as (${insertCountChangesText(`select ${countedOf('m')}, 1 as n from made m`)})`,
    'k as materialized (select made.id, made.shop, o.n, o.words, o.source, o.item_count from made join o using (shop, external_id))',
  ]
  if (with_.products)
    steps.push(
      `goods as (${takeProductsText(
        productColumns,
        places.rows('p', productCells, b => b.products),
      )})`,
    )
  const productId = (alias: string) => (with_.products ? `coalesce(${alias}.product_id, goods.id)` : `${alias}.product_id`)
  const productJoin = (alias: string) =>
    with_.products ? ` left join goods on ${alias}.product_id is null and goods.sku_key = upper(${alias}.sku)` : ''
  if (with_.barcodes)
    steps.push(
      `codes as (${insertBarcodesText(`select distinct ${productId('b')}, b.barcode from ${places.rows('b', barcodeCells, b => b.barcodes)}${productJoin('b')}
      where ${productId('b')} is not null order by b.barcode`)})`,
    )
  steps.push(
    `lines as (insert into order_lines (order_id, ${lineColumns.join(', ')})
      select k.id, ${lineColumns.map(column => (column === 'product_id' ? productId('l') : `l.${column}`)).join(', ')}
      from ${places.rows('l', lineCells, b => b.lines)} join k on k.n = l.n${productJoin('l')} order by l.n, l.line_no)`,
    `found as (insert into order_words (order_id, words) select k.id, array_to_tsvector(string_to_array(k.words, '${unit}')) from k)`,
    `happened as (${insertEventsText(
      ['kind', 'order_id', 'actor_name', 'user_id', 'actor_company_id', 'station', 'actor_kind', 'data'],
      `select 'order.imported', k.id, ${actorPlaces(places)}, jsonb_build_object('source', k.source, 'items', k.item_count, 'shop', k.shop) from k`,
    )} returning ${returnedColumns})`,
    ...stepsAfter(
      eventSteps,
      ['order.imported'],
      'happened',
      places.one('timestamptz', b => b.rows[0]?.created_at),
    ),
  )
  if (with_.tags)
    steps.push(
      `tagged as (${insertImportedTagsText(`select made.id as order_id, made.company_id, string_to_array(lower(o.tags), '${unit}') as words
        from made join o using (shop, external_id) where o.tags <> ''`)})`,
    )
  if (with_.holds)
    steps.push(`locks as (insert into order_locks (order_id, kind, reason, actor)
      select k.id, 'hold', h.reason, ${places.one('text', b => b.actor[0])} from ${places.rows('h', holdCells, b => b.holds)} join k on k.n = h.n)`)
  if (with_.comments)
    steps.push(`notes as (insert into order_comments (order_id, type, comment, user_id, actor)
      select k.id, c.type, c.comment, ${places.one('bigint', b => b.actor[1])}, ${places.one('text', b => b.actor[0])}
      from ${places.rows('c', commentCells, b => b.comments)} join k on k.n = c.n)`)
  const statement = places.statement(`with ${steps.join(',\n')}\nselect k.n, k.id from k`)
  writeStatements.set(name, statement)
  return statement
}

const storeCustomers = (places: Places): string[] => {
  const customers = places.rows('c', newCustomerCells, b => b.customers.customers.map((customer, place) => ({ ...customer, place })))
  return customerSteps(
    customers,
    places.rows('l', newLookupCells, b => b.customers.lookups),
  )
}

const actorPlaces = (places: Places): string =>
  [
    places.one('text', b => b.actor[0]),
    places.one('bigint', b => b.actor[1]),
    places.one('bigint', b => b.actor[2]),
    places.one('text', b => b.actor[3]),
    places.one('text', b => b.actor[4]),
  ].join(', ')

/** Answers the ids of the orders that were made, by their place; one that is missing was made by somebody else meanwhile. */
export async function create(
  tools: StoringTools,
  drafts: readonly Draft[],
  seen: Seen,
  options: StoringOptions,
): Promise<Map<number, number>> {
  const rows = prepare(drafts, seen, tools, options)
  const batch = batchOf(rows, seen, tools, options)
  const fills = fillsOf(rows, seen)
  // A subscriber's statements have to come before the commit.
  const subscribed = tools.services.subscribers.has('order.imported')
  const ready = seen.additions ? new Set(rows.filter(row => row.ready).map(row => row.at)) : new Set<number>()
  const arrivals = seen.alerts || seen.tag_rules
  const last = options.ends === true && fills.length === 0 && !subscribed && ready.size === 0 && !arrivals
  const { text, parameters } = writeStatement(batch, last, tools.services.eventSteps)
  if (last) commitWithNextStatement(tools.db)
  const made = await run<{ n: number; id: number }>(tools.db, text, parameters(batch))
  await fill(tools, fills)
  const orderAt = new Map(rows.map(row => [row.at, row]))
  if (subscribed)
    await tools.runSubscribers(
      made.map(({ n, id }) => {
        const row = valueAt(orderAt, n)
        return { kind: 'order.imported', order_id: id, data: { source: row.order.source, items: row.item_count } }
      }),
    )
  await tools.runSubscribers(made.filter(({ n }) => ready.has(n)).map(({ id }) => ({ kind: 'order.ready', order_id: id })))
  if (arrivals) await tools.runSubscribers(made.map(({ id }) => ({ kind: 'order.arrived', order_id: id })))
  return new Map(made.map(({ n, id }) => [n, id]))
}

const fillable = [
  'variant',
  'weight_g',
  'length_mm',
  'width_mm',
  'height_mm',
  'bin',
  'hs_code',
  'origin',
  'customs_text',
  'image_url',
] as const

interface Fill {
  id: number
  line: ImportedLine
}

const fillCells: Cells<Fill> = [['id', 'bigint', row => row.id], ...productCells.filter(([name]) => isOneOf(fillable, name))]

const fillText = fillProductsText(fillable, table('r', fillCells, 1), ours('p'))

/** A shop may fill what is empty; what people set stays. */
export const fillProducts = (tools: StoringTools, rows: readonly Prepared[], seen: Seen): Promise<void> => fill(tools, fillsOf(rows, seen))

function fillsOf(rows: readonly Prepared[], seen: Seen): Fill[] {
  const fills = new Map<number, Fill>()
  for (const { order } of rows)
    for (const line of order.lines) {
      const product = line.sku !== null && isGoods(line) ? seen.products.get(line.sku) : undefined
      if (!product || fills.has(product.id)) continue
      const given = (name: (typeof fillable)[number]) => (name.endsWith('_mm') ? size(line[name] as number | null) : line[name])
      if (fillable.some(name => product[name] === null && given(name) !== null)) fills.set(product.id, { id: product.id, line })
    }
  return [...fills.values()].sort((one, other) => one.id - other.id)
}

async function fill({ db }: StoringTools, fills: readonly Fill[]): Promise<void> {
  if (fills.length > 0) await run(db, fillText, values(fills, fillCells))
}
