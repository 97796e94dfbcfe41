/** Returns as people at the desk look for them, and everything about one. */
import { type SqlBool, sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { candidates, readCode } from '#domain/codes.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { isOneOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { everything, textIds } from '#features/orders/orders/search.queries.ts'
import { lineNeedsSerial } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { accessoriesOf } from './return-accessories.rules.ts'
import { deliveryPaid } from './return-amounts.rules.ts'
import { noReturn } from './return-rows.commands.ts'
import { closedStatuses, letGo } from './return-states.rules.ts'
import { weightDifference } from './return-weight.rules.ts'
import { type Custody, type MoneyState, type ReturnStatus, trackingKey } from './returns.codes.ts'
import { isOwed, leftOfOrders, mayCancel } from './returns.queries.ts'
import { DropOff, type Return, type ReturnAction, type ReturnRow, type ReturnsQuestion, type ScanAnswer } from './returns.schemas.ts'

/** Orders that a text may mean among the newest; returns of older ones are found by their own numbers. */
const mostOrders = 5_000

const openMoney = sql<boolean>`exists (select from return_items i where i.operator_id = r.operator_id and i.return_id = r.id
  and i.money in ('pending', 'proposed', 'in_doubt'))`
const undecided = sql<boolean>`exists (select from return_items i where i.operator_id = r.operator_id and i.return_id = r.id
  and i.custody = 'inspected')`

const allOf = (db: Db) =>
  db.selectFrom('returns as r').innerJoin('companies as c', 'c.id', 'r.company_id').leftJoin('orders as o', 'o.id', 'r.order_id')

function inView(view: ReturnsQuestion['view'], now: Date) {
  const open = sql<boolean>`r.status not in ('resolved', 'rejected', 'cancelled', 'expired')`
  switch (view) {
    case 'open':
      return open
    case 'approve':
      return sql<boolean>`r.status = 'requested'`
    case 'expected':
      return sql<boolean>`r.status in ('approved', 'in_transit')`
    case 'arrived':
      return sql<boolean>`r.status = 'arrived' and not ${undecided}`
    case 'decide':
      return sql<boolean>`(r.status = 'awaiting_review' or (r.status = 'arrived' and ${undecided}))`
    case 'money':
      return sql<boolean>`r.status in ('arrived', 'awaiting_review', 'decided') and ${openMoney}`
    case 'overdue':
      return sql<boolean>`${open} and r.refund_due_at < ${now.toISOString()}::timestamptz and ${openMoney}`
    case 'orphans':
      return sql<boolean>`${open} and r.order_id is null`
    case 'closed':
      return sql<boolean>`not ${open}`
    case 'all':
      return sql<boolean>`true`
  }
}

interface Asker {
  scope: TenantScope
  now: Date
}

/** Ids of orders by what the text means of them: numbers, names, e-mail addresses, serials, parcels. */
async function ordersMeant(db: Db, scope: TenantScope, text: string): Promise<number[]> {
  const by = { ...everything, companies: scope.companies, homes: scope.companies.map(() => ''), text }
  return (await textIds(db, scope, by, mostOrders)) ?? []
}

async function asked(
  db: Db,
  { query, view, source, company, money, requested_from, requested_until }: Omit<ReturnsQuestion, 'sort'>,
  { scope, now }: Asker,
) {
  let rows = allOf(db).where(inView(view, now))
  if (requested_from) rows = rows.where('r.requested_at', '>=', requested_from)
  if (requested_until) rows = rows.where('r.requested_at', '<', requested_until)
  if (source?.length) rows = rows.where('r.source', 'in', source)
  if (company?.length) rows = rows.where('r.company_id', 'in', company)
  if (money?.length)
    rows = rows.where(
      sql<SqlBool>`exists (select from return_items i where i.operator_id = r.operator_id and i.return_id = r.id and i.money = any (${money}::text[]))`,
    )
  const text = query.trim()
  if (text === '') return rows
  const orders = await ordersMeant(db, scope, text)
  const key = trackingKey(text)
  return rows.where(
    sql<SqlBool>`(r.rma_no like ${beginning(text.toUpperCase())} or r.order_id = any (${orders}::bigint[]) or r.claimed_order_no = ${text}
      or (${key} <> '' and r.id in (select p.return_id from return_parcels p where p.operator_id = r.operator_id and p.company_id = r.company_id and p.tracking_key = ${key}))
      or r.id in (select i.return_id from return_items i where i.operator_id = r.operator_id and i.company_id = r.company_id and upper(i.serial) = ${text.toUpperCase()}))`,
  )
}

const shown = (rows: ReturnType<typeof allOf>) =>
  rows
    .select(['r.id', 'r.rma_no', 'r.company_id', 'c.name as company', 'r.order_id', 'o.order_no', 'o.customer_name', 'r.shop', 'r.source'])
    .select(['r.status', 'r.method', 'r.withdrawal', 'r.requested_at', 'r.arrived_at', 'r.refund_due_at', 'r.currency', 'r.version'])
    .select([
      sql<string | null>`coalesce(nullif(o.customer_name, ''), r.contact_name)`.as('customer'),
      sql<number>`(select count(*)::integer from return_items i where i.operator_id = r.operator_id and i.return_id = r.id
        and i.custody not in ('cancelled', 'rejected', 'expired'))`.as('pieces'),
      sql<MoneyState>`coalesce((select i.money from return_items i where i.operator_id = r.operator_id and i.return_id = r.id
        order by array_position(array['in_doubt', 'proposed', 'pending', 'denied', 'confirmed', 'none'], i.money) limit 1), 'none')`.as(
        'money',
      ),
    ])

type ListedRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]
const asRow = ({ customer_name: _name, ...row }: ListedRow): ReturnRow => row

export async function returnsPage(
  db: Db,
  { sort, ...question }: ReturnsQuestion,
  paging: { page: number; limit: number },
  asker: Asker,
): Promise<Page<ReturnRow>> {
  const rows = await asked(db, question, asker)
  const listed = shown(rows)
  const sorted =
    sort === 'due' || sort === '-due'
      ? listed.orderBy(sql`r.refund_due_at`, order => (sort === 'due' ? order.asc() : order.desc()).nullsLast()).orderBy('r.id', 'desc')
      : listed.orderBy('r.id', sort === 'requested' ? 'asc' : 'desc')
  const offset = pageOffset(paging)
  const found = await sorted.offset(offset).limit(paging.limit).execute()
  return { rows: found.map(asRow), ...(await cappedCount(db, rows)), offset, limit: paging.limit }
}

export const returnsOfOrder = async (db: Db, order_id: number): Promise<ReturnRow[]> =>
  (await shown(allOf(db)).where('r.order_id', '=', order_id).orderBy('r.id', 'desc').limit(100).execute()).map(asRow)

export const returnsOfCustomer = async (db: Db, customer_id: number): Promise<ReturnRow[]> =>
  (
    await shown(allOf(db))
      .where(
        sql<SqlBool>`r.order_id = any (array(select q.id from orders q where q.operator_id = r.operator_id and q.customer_id = ${customer_id}))`,
      )
      .orderBy('r.id', 'desc')
      .limit(50)
      .execute()
  ).map(asRow)

export async function returnCounts(db: Db, now: Date) {
  const of = (view: ReturnsQuestion['view']) => inView(view, now)
  return db
    .selectFrom('returns as r')
    .select(eb => [
      eb.fn.countAll<number>().as('open'),
      eb.fn.countAll<number>().filterWhere(of('approve')).as('approve'),
      eb.fn.countAll<number>().filterWhere(of('expected')).as('expected'),
      eb.fn.countAll<number>().filterWhere(of('arrived')).as('arrived'),
      eb.fn.countAll<number>().filterWhere(of('decide')).as('decide'),
      eb.fn.countAll<number>().filterWhere(of('money')).as('money'),
      eb.fn.countAll<number>().filterWhere(of('overdue')).as('overdue'),
      eb.fn.countAll<number>().filterWhere(of('orphans')).as('orphans'),
    ])
    .where('r.status', 'in', ['requested', 'approved', 'in_transit', 'arrived', 'awaiting_review', 'decided'] satisfies ReturnStatus[])
    .executeTakeFirstOrThrow()
}

const itemColumns = ['id', 'order_line_id', 'product_id', 'sku', 'name', 'piece_no', 'outcome', 'unannounced', 'custody', 'money'] as const

/** One piece as commands judge it, with the bin of its product. */
export const itemOf = (db: Db, return_id: number, item_id: number) =>
  db
    .selectFrom('return_items as i')
    .leftJoin('products as p', 'p.id', 'i.product_id')
    .select(itemColumns.map(column => `i.${column}` as const))
    .select(['i.serial', 'i.serial_check', 'i.amount', 'i.version', 'p.bin as product_bin', 'i.destination'])
    .where('i.return_id', '=', return_id)
    .where('i.id', '=', item_id)
    .executeTakeFirst()
export type StoredItem = NonNullable<Awaited<ReturnType<typeof itemOf>>>

/** Whether each piece of the line went out with a serial number. */
export async function needsSerial(db: Db, order_line_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(lineNeedsSerial.as('needed'))
    .where('l.id', '=', order_line_id)
    .executeTakeFirst()
  return row?.needed ?? false
}

/** The product of a company that a SKU or a barcode means. */
export const productByCode = (db: Db, company_id: number, code: string) =>
  db
    .selectFrom('products as p')
    .select(['p.id', 'p.sku', 'p.name'])
    .where('p.company_id', '=', company_id)
    .where(eb =>
      eb.or([
        eb('p.sku_key', '=', code.trim().toUpperCase()),
        eb.exists(
          eb
            .selectFrom('product_barcodes as b')
            .select('b.product_id')
            .whereRef('b.product_id', '=', 'p.id')
            .where('b.barcode', 'in', [...new Set([code.trim(), ...candidates(code)])]),
        ),
      ]),
    )
    .orderBy('p.id')
    .executeTakeFirst()

const Accessories = z.array(z.object({ name: z.string(), here: z.boolean().nullable() }))

/** Everything about one return. */
export async function returnById(db: Db, id: number): Promise<Return> {
  const row = orNotFound(
    await shown(allOf(db))
      .select(['r.language', 'r.noticed_at', 'r.approved_at', 'r.expires_at', 'r.in_transit_at', 'r.decided_at', 'r.resolved_at'])
      .select([
        'r.contact_name',
        'r.contact_email',
        'r.contact_phone',
        'r.claimed_order_no',
        'r.note',
        'r.reason',
        'r.ended_as',
        'r.shelf',
        'r.drop_off',
      ])
      .select(['r.fee', 'r.applied_rules', 'r.exempt', 'r.created_by', 'r.reopened_at'])
      .where('r.id', '=', id)
      .executeTakeFirst(),
    'return_not_found',
    noReturn,
  )
  const [items, parcels, files, proposals] = await Promise.all([
    db
      .selectFrom('return_items as i')
      .leftJoin('products as p', 'p.id', 'i.product_id')
      .leftJoin('order_lines as l', 'l.id', 'i.order_line_id')
      .select(itemColumns.map(column => `i.${column}` as const))
      .select([
        'i.reason_code',
        'i.reason_note',
        'i.condition',
        'i.reason_seen',
        'i.serial',
        'i.serial_check',
        'i.inspected_at',
        'i.inspected_by',
      ])
      .select([
        'i.inspect_note',
        'i.decision',
        'i.decided_at',
        'i.decided_by',
        'i.bin',
        'i.put_back_id',
        'i.amount',
        'i.deduction',
        'i.proposal_id',
        'i.destination',
        'i.question',
        'i.answer',
        'i.accessories',
      ])
      .leftJoin('products as x', 'x.id', 'i.exchange_product_id')
      .leftJoin('orders as e', 'e.id', 'i.exchange_order_id')
      .select(['i.exchange_other', 'i.exchange_order_id', 'e.order_no as exchange_order_no'])
      .select(sql<string | null>`nullif(concat_ws(', ', x.name, x.variant, x.sku), '')`.as('exchange_product'))
      .select([
        'i.exchange_product_id',
        'i.version',
        'p.bin as product_bin',
        'p.image_file_id',
        'l.barcode',
        'p.weight_g as piece_weight_g',
      ])
      .select(eb => [
        sql<boolean>`coalesce(${lineNeedsSerial}, false)`.as('needs_serial'),
        eb
          .selectFrom('put_backs as b')
          .select(sql<boolean>`b.done_at is not null`.as('done'))
          .whereRef('b.id', '=', 'i.put_back_id')
          .as('put_back_done'),
        sql<string[]>`array(select s.serial from order_serials s where s.operator_id = i.operator_id and s.order_line_id = i.order_line_id
          and s.removed_at is null order by s.id limit 50)`.as('sent_serials'),
        sql<string | null>`(select q.order_no from order_serials s join orders q on q.operator_id = s.operator_id and q.id = s.order_id
          where i.serial_check = 'wrong' and s.operator_id = i.operator_id and s.company_id = i.company_id and s.serial = i.serial
          and s.removed_at is null order by s.id desc limit 1)`.as('serial_order_no'),
      ])
      .where('i.return_id', '=', id)
      .orderBy('i.id')
      .execute(),
    db
      .selectFrom('return_parcels as p')
      .leftJoin('shipments as s', 's.id', 'p.shipment_id')
      .select([
        'p.id',
        'p.shipment_id',
        'p.tracking_key',
        'p.agent_code',
        'p.weight_g',
        'p.arrived_at',
        'p.arrived_by',
        's.tracking_no',
        's.state',
      ])
      .where('p.return_id', '=', id)
      .orderBy('p.id')
      .execute(),
    db
      .selectFrom('return_files')
      .select(['file_id', 'item_id', 'kind', 'created_at', 'created_by'])
      .where('return_id', '=', id)
      .orderBy('created_at')
      .orderBy('file_id')
      .execute(),
    db
      .selectFrom('refund_proposals')
      .select([
        'id',
        'no',
        'kind',
        'goods',
        'delivery',
        'fee',
        'deduction',
        'total',
        'currency',
        'note',
        'state',
        'proposed_at',
        'proposed_by',
      ])
      .select(['shop_ref', 'paid', 'answered_at', 'answered_by', 'reason'])
      .where('return_id', '=', id)
      .orderBy('no')
      .execute(),
  ])
  const { returns } = await companySettings(db, row.company_id)
  const sent = items.filter(({ custody }) => !isOneOf<Custody>(['cancelled', 'rejected', 'expired', 'kept'], custody))
  const expected_weight_g =
    sent.length > 0 && sent.every(({ piece_weight_g }) => piece_weight_g !== null)
      ? sent.reduce((sum, { piece_weight_g }) => sum + (piece_weight_g ?? 0), 0)
      : null
  const arrived = parcels.filter(({ arrived_at }) => arrived_at !== null)
  // Of several boxes each has to be weighed before anything can be said.
  const measured =
    arrived.length > 0 && arrived.every(({ weight_g }) => weight_g !== null)
      ? arrived.reduce((sum, { weight_g }) => sum + (weight_g ?? 0), 0)
      : null
  return {
    ...asRow(row),
    language: row.language,
    noticed_at: row.noticed_at,
    approved_at: row.approved_at,
    expires_at: row.expires_at,
    in_transit_at: row.in_transit_at,
    decided_at: row.decided_at,
    resolved_at: row.resolved_at,
    contact_name: row.contact_name,
    contact_email: row.contact_email,
    contact_phone: row.contact_phone,
    claimed_order_no: row.claimed_order_no,
    note: row.note,
    reason: row.reason,
    ended_as: row.ended_as,
    shelf: row.shelf,
    drop_off: DropOff.nullable().catch(null).parse(row.drop_off),
    fee: row.fee,
    applied_rules: row.applied_rules,
    exempt: row.exempt,
    created_by: row.created_by,
    expected_weight_g,
    weight_difference_g: weightDifference(measured, expected_weight_g),
    items: items.map(({ image_file_id, put_back_done, piece_weight_g: _weight, accessories, ...item }) => ({
      ...item,
      accessories: Accessories.catch([]).parse(
        accessories ?? accessoriesOf(returns.accessories, item.sku).map(name => ({ name, here: null })),
      ),
      put_back_done: put_back_done ?? null,
      has_picture: image_file_id !== null,
      picture_version: image_file_id,
    })),
    parcels: parcels.map(({ tracking_key, tracking_no, state, ...parcel }) => ({
      ...parcel,
      tracking_no: tracking_no ?? tracking_key,
      state: state ?? null,
    })),
    files,
    proposals,
    delivery_paid: await suggestedDelivery(db, row, items),
    supported_actions: actionsOf(row, items, { mayReject: row.status === 'requested' && !(await isOwed(db, row)) }),
  }
}

/** A withdrawal from the whole order gives the paid delivery back too. */
export async function suggestedDelivery(
  db: Db,
  { order_id, withdrawal }: { order_id: number | null; withdrawal: boolean },
  items: readonly { order_line_id: number | null }[],
): Promise<number> {
  if (order_id === null || !withdrawal) return 0
  const lines = await db
    .selectFrom('order_lines')
    .select([
      'id',
      'type',
      'qty',
      'cancelled_qty',
      'requires_shipping',
      'unit_price_excl_vat',
      'unit_price_incl_vat',
      'discount_excl_vat',
      'vat_percent',
    ])
    .where('order_id', '=', order_id)
    .execute()
  const all = lines.every(
    line =>
      line.type !== 'item' ||
      !line.requires_shipping ||
      items.filter(({ order_line_id }) => order_line_id === line.id).length >= line.qty - line.cancelled_qty,
  )
  return all ? deliveryPaid(lines) : 0
}

function actionsOf(
  row: { status: ReturnStatus; approved_at: string | null; order_id: number | null; reopened_at: string | null },
  items: readonly { custody: string; money: MoneyState }[],
  { mayReject }: { mayReject: boolean },
): ReturnAction[] {
  const { status, order_id } = row
  if (status === 'resolved') return ['reopen']
  if (isOneOf(closedStatuses, status)) return []
  const actions: ReturnAction[] = []
  if (status === 'requested') actions.push('approve')
  if (mayReject) actions.push('reject')
  if (mayCancel(status) || order_id === null) actions.push('cancel')
  if (order_id === null) actions.push('link')
  if (row.approved_at !== null) actions.push('inspect')
  if (order_id !== null && items.some(({ custody }) => custody === 'inspected')) actions.push('decide')
  if (order_id !== null && items.some(({ custody, money }) => isProposable(custody, money))) actions.push('propose')
  if (row.reopened_at !== null) actions.push('close')
  return actions
}

const isProposable = (custody: string, money: MoneyState): boolean =>
  isOneOf<MoneyState>(['pending', 'denied'], money) && !['advised', 'in_transit', 'received', 'added'].includes(custody)

/** The file of a return, where it is still there. */
export const fileOfReturn = (db: Db, return_id: number, file_id: number) =>
  db
    .selectFrom('return_files as f')
    .innerJoin('files as b', 'b.id', 'f.file_id')
    .select(['b.sha256', 'b.bytes', 'b.media_type', 'b.name'])
    .where('f.return_id', '=', return_id)
    .where('f.file_id', '=', file_id)
    .where('b.erased_at', 'is', null)
    .executeTakeFirst()

const rowsById = async (db: Db, ids: readonly number[]): Promise<ReturnRow[]> =>
  ids.length === 0
    ? []
    : (
        await shown(allOf(db))
          .where('r.id', 'in', [...ids])
          .orderBy('r.id', 'desc')
          .execute()
      ).map(asRow)

/** Days in which an order may have gone out whose parcel came back without a word. */
const likelyDays = 90
const mostLikely = 5

/** The newest orders of which all unpacked pieces of a return may be: of each product as many are left to return. None before anything is unpacked. */
export async function likelyOrders(db: Db, return_id: number, now: Date) {
  const row = orNotFound(
    await db.selectFrom('returns').select(['company_id', 'order_id']).where('id', '=', return_id).executeTakeFirst(),
    'return_not_found',
    noReturn,
  )
  if (row.order_id !== null) return []
  const pieces = await db
    .selectFrom('return_items')
    .select(eb => ['product_id', eb.fn.countAll<number>().as('n')])
    .where('return_id', '=', return_id)
    .where('custody', 'not in', [...letGo])
    .where('product_id', 'is not', null)
    .groupBy('product_id')
    .execute()
  if (pieces.length === 0) return []
  const products = pieces.flatMap(({ product_id }) => product_id ?? [])
  const found = await db
    .selectFrom('orders as o')
    .select(['o.id', 'o.order_no', 'o.customer_name as customer', 'o.ordered_at'])
    .where('o.company_id', '=', row.company_id)
    .where('o.created_at', '>=', new Date(now.getTime() - likelyDays * 86_400_000).toISOString())
    .where(
      sql<SqlBool>`o.id in (select l.order_id from order_lines l where l.operator_id = o.operator_id and l.product_id = any (${products}::bigint[])
        and l.shipped_qty > 0 group by l.order_id having count(distinct l.product_id) = ${products.length})`,
    )
    .orderBy('o.id', 'desc')
    .limit(10 * mostLikely)
    .execute()
  const lines = await leftOfOrders(
    db,
    found.map(({ id }) => id),
  )
  return found
    .flatMap(order => {
      const own = lines.get(order.id) ?? []
      const leftOf = (product_id: number | null) =>
        own.filter(line => line.product_id === product_id).reduce((sum, { left }) => sum + left, 0)
      return pieces.every(({ product_id, n }) => leftOf(product_id) >= Number(n))
        ? [{ ...order, left: own.reduce((sum, { left }) => sum + left, 0) }]
        : []
    })
    .slice(0, mostLikely)
}

/**
 * What a scan means: a return by its number or its label, the open returns of an order by its number, a parcel or a serial, an order
 * without one, or nothing. Where orders of several shops have the number, none is taken for the other.
 */
export async function readScan(db: Db, code: string, { scope }: { scope: TenantScope }): Promise<Omit<ScanAnswer, 'blocked' | 'alarm'>> {
  const text = code.trim()
  const keys = [...new Set([text, scannedNumber(text), ...candidates(text)].map(trackingKey))].filter(key => key !== '')
  const own = await db
    .selectFrom('returns as r')
    .select('r.id')
    .where(eb =>
      eb.or([
        eb('r.rma_no', '=', text.toUpperCase()),
        eb(
          'r.id',
          'in',
          eb
            .selectFrom('return_parcels as p')
            .select('p.return_id')
            .where('p.tracking_key', 'in', keys.length === 0 ? [''] : keys),
        ),
        eb(
          'r.id',
          'in',
          eb
            .selectFrom('return_parcels as p')
            .innerJoin('shipments as s', 's.id', 'p.shipment_id')
            .select('p.return_id')
            .where(or => or.or([or('s.tracking_no', '=', text), or('s.barcode', '=', text)])),
        ),
      ]),
    )
    .orderBy('r.id', 'desc')
    .limit(20)
    .execute()
  if (own.length > 0)
    return answerOf(
      await rowsById(
        db,
        own.map(({ id }) => id),
      ),
    )
  const read = readCode(text)
  const meant = read.kind === 'order' ? `${read.company_id}:${read.order_id}` : text
  // One word with a digit in it is a number of something; a name is looked for in the list.
  const orders = /^\S*\d\S*$/.test(meant) ? (await ordersMeant(db, scope, meant)).slice(0, 20) : []
  if (orders.length === 0) return nothing
  const found = await db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.id', 'o.order_no', 'c.name as company', 'o.customer_name as customer'])
    .where('o.id', 'in', orders)
    .orderBy('o.id', 'desc')
    .execute()
  // A number of an order may also be part of something that another order holds.
  const named = found.filter(({ order_no }) => order_no.toUpperCase() === text.toUpperCase())
  const known = named.length > 0 ? named : found
  const ids = known.map(({ id }) => id)
  const open = await shown(allOf(db))
    .where('r.order_id', 'in', ids)
    .where('r.status', 'not in', [...closedStatuses])
    .orderBy('r.id', 'desc')
    .limit(20)
    .execute()
  const lines = await leftOfOrders(db, ids)
  const without = known
    .filter(({ id }) => !open.some(row => row.order_id === id))
    .map(order => {
      const sent = lines.get(order.id) ?? []
      return { ...order, left: sent.reduce((sum, { left }) => sum + left, 0), sent: sent.length > 0 }
    })
  const returnable = without.filter(({ left }) => left > 0)
  if (open.length > 0 && returnable.length === 0) return answerOf(open.map(asRow))
  const offered = returnable.length > 0 ? returnable : without
  const [only] = offered
  if (open.length === 0 && offered.length === 1 && only) return { ...nothing, order: only }
  return { ...nothing, choices: open.map(asRow), orders: offered }
}

const nothing: Omit<ScanAnswer, 'blocked' | 'alarm'> = { return_id: null, choices: [], order: null, orders: [] }

function answerOf(rows: readonly ReturnRow[]): Omit<ScanAnswer, 'blocked' | 'alarm'> {
  const open = rows.filter(({ status }) => !isOneOf(closedStatuses, status))
  const some = open.length > 0 ? open : rows
  const [only] = some
  return some.length === 1 && only ? { ...nothing, return_id: only.id } : { ...nothing, choices: [...some] }
}
