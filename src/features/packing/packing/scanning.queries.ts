/** What a scan at the bench may mean beside the open order. */
import type { Db } from '#server/database.ts'

/** The order of the same wagon that still wants this product: the piece lay in the wrong tote, or the wrong tote was taken. */
export const wantedOnSameWagon = (
  db: Db,
  order_id: number,
  product_id: number,
): Promise<{ order_no: string; slot_no: number } | undefined> =>
  db
    .selectFrom('pick_slots as here')
    .innerJoin('pick_slots as there', on =>
      on.onRef('there.pick_list_id', '=', 'here.pick_list_id').onRef('there.wagon_no', '=', 'here.wagon_no').on('there.live', '=', true),
    )
    .innerJoin('order_lines as l', on =>
      on.onRef('l.order_id', '=', 'there.order_id').on(eb => eb('l.packed_qty', '<', eb('l.qty', '-', eb.ref('l.cancelled_qty')))),
    )
    .innerJoin('orders as o', 'o.id', 'there.order_id')
    .select(['o.order_no', 'there.slot_no'])
    .where('here.order_id', '=', order_id)
    .where('here.live', '=', true)
    .whereRef('there.order_id', '<>', 'here.order_id')
    .where('l.product_id', '=', product_id)
    .orderBy('there.slot_no')
    .limit(1)
    .executeTakeFirst()
