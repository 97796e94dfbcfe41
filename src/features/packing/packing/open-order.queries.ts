/** What a code means to an idle station. */
import { sql } from 'kysely'
import { readCode } from '#domain/codes.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { orderOfCode } from '#features/warehouse/paperless/paperless.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { companyColor } from './packing.queries.ts'

/** The orders that a code at an idle station can mean. */
export async function findOrders({ db, principal }: Pick<Context, 'db' | 'principal'>, raw: string) {
  const code = readCode(raw)
  const list = db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.id as order_id', 'o.order_no', 'c.code as company', 'c.name as company_name', 'o.customer_name', 'o.phase'])
    .select(companyColor.as('company_color'))
    .limit(10)
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
  const number = scannedNumber(raw)
  const byParcel = await list
    .innerJoin('shipments as s', 's.order_id', 'o.id')
    .where(eb =>
      eb.or([
        eb('s.tracking_no', '=', sql<string>`any(${[code.text, number]})`),
        eb('s.barcode', '=', sql<string>`any(${[code.text, number, `00${number}`]})`),
      ]),
    )
    .execute()
  if (byParcel.length > 0) return as(byParcel, 'parcel')
  const plain = code.text.replace(/^#/, '')
  return as(
    await list
      .where('o.order_no', '=', sql<string>`any(${[code.text, plain, `#${plain}`]})`)
      .orderBy('o.id', 'desc')
      .execute(),
    'order_no',
  )
}
