/** The list as a file: the filtered orders as CSV, read and sent a thousand at a time. */
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { orderTagNames } from '#features/company/tags/tags.queries.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { listIds, type Narrowed, textIds } from './search.queries.ts'

const mostExported = 100_000
const step = 1_000

const columns = [
  'order_no',
  'company',
  'shop',
  'phase',
  'ordered_at',
  'ship_by',
  'packed_at',
  'customer_name',
  'customer_email',
  'customer_phone',
  'address1',
  'address2',
  'postcode',
  'city',
  'country',
  'items',
  'weight_g',
  'currency',
  'total_incl_vat',
  'agent_code',
  'shipping_method',
  'tracking_no',
  'tags',
] as const

/** A text that a spreadsheet would take for a formula is led by an apostrophe (OWASP; ASVS 1.2.10). Some take the full-width signs too. */
export const safeCell = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) && !/^-?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text)

/**
 * CSV with a byte order mark, which spreadsheets need to see UTF-8. Semicolons and decimal commas where people write
 * decimal commas. Each step is a transaction of its own: a slow reader holds no connection.
 */
export async function* ordersAsCsv(
  { transaction, signal }: Pick<ExternalContext, 'transaction' | 'signal'>,
  by: Narrowed,
  locale: string,
): AsyncGenerator<string> {
  const comma = !locale.startsWith('en')
  const delimiter = comma ? ';' : ','
  const write = (rows: string[][]) => stringify(rows, { delimiter, record_delimiter: '\r\n', quoted_match: /^\s|\s$/ })
  yield `\uFEFF${write([[...columns]])}`
  let before = Number.MAX_SAFE_INTEGER
  const searched = await transaction(({ db, scope }) => textIds(db, scope, by, mostExported))
  for (let sent = 0; sent < mostExported && !signal.aborted; ) {
    const among = searched?.slice(sent, sent + step)
    if (among?.length === 0) return
    const rows = await transaction(async ({ db }) => {
      const own = by.among
      const narrowed = among ? { ...by, among: own === null ? among : among.filter(id => own.includes(id)) } : by
      const ids = await listIds(db, narrowed, { sort: 'newest', offset: 0, limit: step, ...(among ? {} : { before }) })
      return db
        .selectFrom('orders as o')
        .innerJoin('companies as c', 'c.id', 'o.company_id')
        .select([
          'o.id',
          'o.order_no',
          'c.code',
          'o.shop',
          'o.phase',
          'o.ordered_at',
          'o.ship_by',
          'o.packed_at',
          'o.customer_name',
          'o.customer_email',
        ])
        .select([
          'o.customer_phone',
          'o.ship_to',
          'o.ship_country',
          'o.item_count',
          'o.weight_g',
          'o.currency',
          'o.total_incl_vat',
          'o.agent_code',
        ])
        .select(['o.shipping_method', orderTagNames('o').as('tags')])
        .select(eb =>
          eb
            .selectFrom('shipments as s')
            .select(sql<string | null>`string_agg(s.tracking_no, ' ' order by s.id)`.as('tracking_no'))
            .whereRef('s.order_id', '=', 'o.id')
            .where('s.operation_code', '=', 'outbound')
            .where('s.state', 'not in', ['cancelled', 'blocked'])
            .as('tracking_no'),
        )
        .where('o.id', '=', sql<number>`any(${ids})`)
        .orderBy('o.id', 'desc')
        .execute()
    })
    if (rows.length > 0)
      yield write(
        rows.map(row => {
          const to = row.ship_to as Record<string, string | null>
          return [
            row.order_no,
            row.code,
            row.shop,
            row.phase,
            row.ordered_at,
            row.ship_by,
            row.packed_at,
            row.customer_name,
            row.customer_email,
            row.customer_phone,
            to.address1,
            to.address2,
            to.postcode,
            to.city,
            row.ship_country,
            String(row.item_count),
            String(row.weight_g),
            row.currency,
            amount(row.total_incl_vat, row.currency, comma),
            row.agent_code,
            row.shipping_method,
            row.tracking_no,
            row.tags.join(', '),
          ].map(cell => safeCell(cell ?? ''))
        }),
      )
    if (among) sent += among.length
    else {
      sent += rows.length
      if (rows.length < step) return
      before = rows.at(-1)?.id ?? 0
    }
  }
}

function amount(minor: number | null, currency: string, comma: boolean): string {
  if (minor === null) return ''
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const text = (minor / 10 ** digits).toFixed(digits)
  return comma ? text.replace('.', ',') : text
}
