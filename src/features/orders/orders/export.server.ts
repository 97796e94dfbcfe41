/** The list as a file: the filtered orders read a thousand at a time, along the index of their order. */
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { fromMinor } from '#domain/money.ts'
import { orderTagNames } from '#features/company/tags/tags.queries.ts'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { firstKnown } from '#platform/database/indexed-choice.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { type ExportColumn, exportColumns, type Sort } from './orders.codes.ts'
import { duePhases } from './orders.rules.ts'
import { type Cursor, inBoth, listIds, type Narrowed, sortColumn, textIds } from './search.queries.ts'

/** Of the list that is sent at once; more is a job. */
const mostExported = 100_000
/** Of what a text finds. */
const mostFound = 100_000
const step = 1_000

/** A text that a spreadsheet would take for a formula is led by an apostrophe (OWASP; ASVS 1.2.10). Some take the full-width signs too. */
export const safeCell = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) && !/^-?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text)

type Tools = Pick<ExternalContext, 'transaction' | 'signal'>
export type ExportCell = string | number | null

/** What becomes of money, which has the decimals of its currency, and of the other cells in a file. */
export interface ExportForm {
  columns: readonly ExportColumn[]
  sort: Sort
  most: number
}

/** Each step is a transaction of its own: a slow reader holds no connection, and no more than two steps are in memory. */
export async function* exportedRows(
  { transaction, signal }: Tools,
  by: Narrowed,
  { columns, sort, most }: ExportForm,
): AsyncGenerator<ExportCell[][]> {
  const searched = await transaction(({ db, scope }) => textIds(db, scope, by, mostFound))
  const among = inBoth(searched, by.among)
  const read = (sent: number, after: Cursor | undefined) =>
    transaction(async ({ db }) => {
      const limit = Math.min(step, most - sent)
      const ids = limit > 0 ? await listIds(db, { ...by, among }, { sort, offset: 0, limit, ...(after && { after }) }) : []
      const [rows, last] = await Promise.all([cellsOf(db, ids, columns), ids.length < step ? undefined : cursorOf(db, ids.at(-1), sort)])
      return { rows, last, sent: sent + ids.length }
    })
  // The next step is read while this one is written.
  let next = read(0, undefined)
  try {
    while (!signal.aborted) {
      const { rows, last, sent } = await next
      if (last) {
        next = read(sent, last)
        next.catch(() => undefined)
      }
      if (rows.length > 0) yield rows
      if (!last) return
    }
  } finally {
    await next.catch(() => undefined)
  }
}

/** Where the list goes on. Of an instant the text is compared, which keeps its microseconds. */
async function cursorOf(db: Db, id: number | undefined, sort: Sort): Promise<Cursor | undefined> {
  if (id === undefined) return undefined
  const column = sortColumn(sort)
  if (column === 'id') return { id, key: null }
  const row = await db
    .selectFrom('orders')
    .select(eb => sql<string | null>`${eb.ref(column)}::text`.as('key'))
    .$if(column === 'ship_by', q => q.where('phase', 'in', duePhases))
    .where('id', '=', id)
    .executeTakeFirst()
  return { id, key: row?.key ?? null }
}

async function cellsOf(db: Db, ids: readonly number[], columns: readonly ExportColumn[]): Promise<ExportCell[][]> {
  if (ids.length === 0) return []
  const [rows, numbers, tags] = await Promise.all([
    factsOf(db, { ids }),
    columns.includes('tracking_no') ? trackingNumbers(db, { ids }) : [],
    columns.includes('tags') ? tagNames(db, { ids }) : [],
  ])
  const byId = new Map(rows.map(row => [row.id, row]))
  const numbersOf = new Map(numbers.map(row => [row.id, row.numbers]))
  const tagsOf = new Map(tags.map(row => [row.id, row.tags.join(', ')]))
  return ids.flatMap(id => {
    const row = byId.get(id)
    if (!row) return []
    const to = row.ship_to as Record<string, string | null>
    const cells: Record<ExportColumn, ExportCell> = {
      order_no: row.order_no,
      company: row.code,
      shop: row.shop,
      phase: row.phase,
      ordered_at: row.ordered_at,
      ship_by: row.ship_by,
      packed_at: row.packed_at,
      customer_name: row.customer_name,
      customer_email: row.customer_email,
      customer_phone: row.customer_phone,
      address1: to.address1 ?? null,
      address2: to.address2 ?? null,
      postcode: to.postcode ?? null,
      city: to.city ?? null,
      country: row.ship_country,
      items: row.item_count,
      weight_g: row.weight_g,
      currency: row.currency,
      total_incl_vat: row.total_incl_vat === null ? null : fromMinor(row.total_incl_vat, row.currency),
      agent_code: row.agent_code,
      shipping_method: row.shipping_method,
      tracking_no: numbersOf.get(id) ?? null,
      tags: tagsOf.get(id) ?? '',
    }
    return [columns.map(column => cells[column])]
  })
}

/** By one plan for any number of them: with the ids in sight the database expects fewer orders of the company, and reads an index of them to the end. */
interface Ids extends Record<string, unknown> {
  ids: readonly number[]
}
const among = (ids: readonly number[]) => sql<number>`any(${ids}::bigint[])`

const factsOf = compiledQuery((db, { ids }: Ids) =>
  db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.id', 'o.order_no', 'c.code', 'o.shop', 'o.phase', 'o.ordered_at', 'o.ship_by', 'o.packed_at', 'o.customer_name'])
    .select(['o.customer_email', 'o.customer_phone', 'o.ship_to', 'o.ship_country', 'o.item_count', 'o.weight_g', 'o.currency'])
    .select(['o.total_incl_vat', 'o.agent_code', 'o.shipping_method'])
    .where('o.id', '=', among(ids)),
)

/** Of the parcels on their way to the recipient; those of an order that went with another are the other's. Each order looks its own up. */
const trackingNumbers = compiledQuery((db, { ids }: Ids) =>
  db
    .selectFrom('orders as o')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('shipments as s')
          .select(sql<string | null>`string_agg(s.tracking_no, ' ' order by s.id)`.as('numbers'))
          .where('s.order_id', '=', sql.raw<number>(firstKnown('o.combined_into', 'o.id')))
          .where('s.operation_code', '=', 'outbound')
          .where('s.state', 'not in', ['cancelled', 'blocked'])
          .as('sent'),
      join => join.onTrue(),
    )
    .select(['o.id', 'sent.numbers'])
    .where('o.id', '=', among(ids))
    .where('sent.numbers', 'is not', null),
)

/** Few orders have tags: only those are asked for their names. */
const tagNames = compiledQuery((db, { ids }: Ids) =>
  db
    .selectFrom('orders as o')
    .select(['o.id', orderTagNames('o').as('tags')])
    .where('o.id', '=', among(ids))
    .where(eb =>
      eb.or([
        eb(sql<number>`cardinality(o.tags)`, '>', 0),
        eb.exists(eb.selectFrom('order_tags as t').select('t.tag_id').whereRef('t.order_id', '=', 'o.id')),
      ]),
    ),
)

/**
 * CSV with a byte order mark, which spreadsheets need to see UTF-8. Semicolons and decimal commas where people write
 * decimal commas.
 */
export async function* asCsv(
  batches: AsyncIterable<readonly (readonly ExportCell[])[]>,
  columns: readonly ExportColumn[],
  locale: string,
): AsyncGenerator<string> {
  const comma = !locale.startsWith('en')
  const delimiter = comma ? ';' : ','
  const write = (rows: readonly (readonly string[])[]) =>
    stringify(
      rows.map(row => [...row]),
      { delimiter, record_delimiter: '\r\n', quoted_match: /^\s|\s$/ },
    )
  const moneyAt = columns.indexOf('total_incl_vat')
  yield `\uFEFF${write([columns])}`
  for await (const rows of batches)
    yield write(
      rows.map(row =>
        row.map((value, at) => {
          const text = value === null ? '' : String(value)
          return at === moneyAt && comma ? text.replace('.', ',') : safeCell(text)
        }),
      ),
    )
}

/** The list as it is filtered, with all columns, the newest first. */
export const ordersAsCsv = (tools: Tools, by: Narrowed, locale: string): AsyncGenerator<string> =>
  asCsv(exportedRows(tools, by, { columns: exportColumns, sort: 'newest', most: mostExported }), exportColumns, locale)
