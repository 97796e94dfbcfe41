/** What a code means to an idle station. */
import { sql } from 'kysely'
import { candidates, readCode } from '#domain/codes.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { hasLabel } from '#features/shipping/labels/labels.queries.ts'
import { orderOfCode } from '#features/warehouse/paperless/paperless.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { companyColor } from './packing.queries.ts'
import { alarmOf, labelOfCode } from './scanned-labels.queries.ts'

const orderList = (db: Db) =>
  db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select([
      'o.id as order_id',
      'o.order_no',
      'c.code as company',
      'c.name as company_name',
      'o.customer_name',
      'o.phase',
      'o.combined_into',
    ])
    .select(companyColor.as('company_color'))
    .limit(10)

/** The oldest packable order that wants one piece of this product and nothing else. */
const oldestOfProduct = (list: ReturnType<typeof orderList>, raw: string) =>
  list
    .where(eb =>
      eb.or([
        eb('o.phase', '=', 'picked'),
        eb.and([eb('o.phase', '=', 'ready'), eb(sql<string | null>`c.settings->>'pack_without_pick_list'`, 'is distinct from', 'false')]),
      ]),
    )
    .where(
      'o.id',
      'in',
      sql<number>`(select l.order_id from product_barcodes b join order_lines l on l.operator_id = b.operator_id and l.product_id = b.product_id
        where b.operator_id = current_operator_id() and b.company_id = any (current_company_ids()) and b.barcode = any (${candidates(raw)})
          and b.quantity = 1 and l.type = 'item' and l.requires_shipping and l.qty - l.cancelled_qty = 1 and l.packed_qty = 0
          and not exists (select from order_lines x where x.operator_id = l.operator_id and x.order_id = l.order_id and x.id <> l.id
            and x.type = 'item' and x.requires_shipping and x.qty > x.cancelled_qty))`,
    )
    .orderBy(sql`o.ship_by asc nulls last`)
    .orderBy('o.id')
    .clearLimit()
    .limit(1)

/** The orders that a code at an idle station can mean. */
export async function findOrders(context: Pick<Context, 'db' | 'principal'>, raw: string) {
  const found = await foundOrders(context, raw)
  const carried = found.flatMap(row => (row.combined_into === null ? [] : [row.combined_into]))
  if (carried.length === 0) return found.map(shown)
  // An order that goes in the parcel of another one is packed with that one.
  const leads = await orderList(context.db).where('o.id', 'in', carried).execute()
  const rows = found.map(row => {
    const lead = leads.find(one => one.order_id === row.combined_into)
    return shown(lead ? { ...lead, found_by: row.found_by } : row)
  })
  return rows.filter((row, at) => rows.findIndex(one => one.order_id === row.order_id) === at)
}

const shown = <T extends { combined_into: number | null }>({ combined_into: _combined, ...row }: T) => row

async function foundOrders({ db, principal }: Pick<Context, 'db' | 'principal'>, raw: string) {
  const code = readCode(raw)
  const list = orderList(db)
  type Row = Awaited<ReturnType<(typeof list)['execute']>>[number]
  const as = (rows: Row[], found_by: string) => rows.map(row => ({ ...row, found_by }))
  if (code.kind === 'order')
    return as(await list.where('o.id', '=', code.order_id).where('o.company_id', '=', code.company_id).execute(), 'order_code')
  if (code.kind === 'paperless') {
    const reserved = await db
      .selectFrom('paperless_codes as k')
      .innerJoin('pick_slots as s', on =>
        on
          .onRef('s.pick_list_id', '=', 'k.pick_list_id')
          .onRef('s.wagon_no', '=', 'k.wagon_no')
          .onRef('s.slot_no', '=', 'k.slot_no')
          .on('s.live', '=', true),
      )
      .select('s.order_id')
      .where('k.digits', '=', code.digits)
      .where('k.order_id', 'is', null)
      .where('k.lost_at', 'is', null)
      .executeTakeFirst()
    // The order of its slot says why the tote is empty: it is still being picked, or nothing of it was found.
    if (reserved) return as(await list.where('o.id', '=', reserved.order_id).execute(), 'paperless')
    return as(await list.where('o.id', '=', await orderOfCode({ db, principal }, code.digits)).execute(), 'paperless')
  }
  if (code.kind === 'refused' || code.kind === 'command') return []
  const byParcel = await list.innerJoin('shipments as s', 's.order_id', 'o.id').where(hasLabel(code.text)).execute()
  if (byParcel.length > 0) return as(byParcel, 'parcel')
  const plain = code.text.replace(/^#/, '')
  const byNumber = await list
    .where('o.order_no', '=', sql<string>`any(${[code.text, plain, `#${plain}`]})`)
    .orderBy('o.id', 'desc')
    .execute()
  if (byNumber.length > 0 || !(await companySettings(db, principal.company.id)).open_by_product) return as(byNumber, 'order_no')
  return as(await oldestOfProduct(list, raw).execute(), 'product')
}

/** Why the label with this code must not go out, where a label has it and was cancelled. */
export async function blockedLabel(db: Db, raw: string) {
  const code = readCode(raw)
  if (code.kind !== 'other') return null
  const label = await labelOfCode(db, code.text)
  return (label && (await alarmOf(db, label))) ?? null
}
