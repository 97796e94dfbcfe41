/** Changes of slots, each one statement, for callers that settle the wagon afterwards. */
import { finishPicking } from '#features/orders/orders/order-state.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { PickTools } from './pick-lists.queries.ts'

export interface SlotKey {
  pick_list_id: number
  wagon_no: number
  slot_no: number
}

/** The order is packed: its slot claims it no longer. Answers the slot; undefined for an order on no list. */
export const packSlot = (db: Db, order_id: number): Promise<SlotKey | undefined> =>
  db
    .updateTable('pick_slots')
    .set({ state: 'packed', live: false })
    .where('order_id', '=', order_id)
    .where('live', '=', true)
    .returning(['pick_list_id', 'wagon_no', 'slot_no'])
    .executeTakeFirst()

/** The order of a slot is picked, and nothing else of its wagon changes: what `settleList` does, with two statements instead of ten. */
export async function pickSlot(tools: PickTools, { pick_list_id, wagon_no, slot_no }: SlotKey, order_id: number): Promise<void> {
  await tools.db
    .updateTable('pick_slots')
    .set({ state: 'picked' })
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('slot_no', '=', slot_no)
    .where('live', '=', true)
    .where('state', '=', 'open')
    .execute()
  await finishPicking(tools, [{ order_id, list: pick_list_id, wagon: wagon_no, slot: slot_no }])
  tools.notify('pick_list', pick_list_id)
}
