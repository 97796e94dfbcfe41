/** Which orders are meant by numbers that people wrote. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

export interface MeantOrder {
  id: number
  company_id: number
  order_no: string
  customer_name: string
}

/** One list per text, in their order: by order code `company:id`, else by order number. */
export async function meantOrders(db: Db, texts: readonly string[]): Promise<MeantOrder[][]> {
  const codes = texts.map(text => /^(\d{1,15}):(\d{1,15})$/.exec(text)).filter(code => code !== null)
  const ids = codes.map(code => Number(code[2]))
  const numbers = texts.map(text => text.replace(/^#/, ''))
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'company_id', 'order_no', 'customer_name'])
    .where(eb =>
      eb.or([eb('id', '=', sql<number>`any(${ids}::bigint[])`), eb('order_no', '=', sql<string>`any(${[...texts, ...numbers]}::text[])`)]),
    )
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
  return texts.map((text, i) =>
    rows.filter(row => `${row.company_id}:${row.id}` === text || row.order_no === text || row.order_no === numbers[i]),
  )
}
