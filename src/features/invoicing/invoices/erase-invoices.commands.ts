/**
 * Invoices in the map of erasures: the law keeps them, five years after that of the invoice unless it says more. Their parcels hold number, postcode and
 * weight, and no name, so that an erasure changes nothing here; the person's own copy says what is kept and until when.
 */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const keepInvoices: ErasurePart = {
  tables: ['trade_invoice_parcels'],
  kept: true,
  erase: async () => ({}),
  async read(db, { order_ids }) {
    return {
      trade_invoice_parcels: await rowsOf(
        db,
        sql`select t.order_id, t.tracking_no, t.postcode, i.invoice_no, i.issued_on, i.kept_until
          from trade_invoice_parcels t join trade_invoices i on i.operator_id = t.operator_id and i.id = t.invoice_id
          where t.operator_id = current_operator_id() and t.order_id = any (${order_ids}::bigint[]) order by t.invoice_id, t.position`,
      ),
    }
  },
}
