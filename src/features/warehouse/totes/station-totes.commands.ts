/** Totes at a packing station: what opening, leaving, packing and clearing an order changes in its codes, its slot and its wagon. */

import { atPacking, freePackedTotes } from '#features/warehouse/paperless/packing-totes.commands.ts'
import { freeCodesOfOrder } from '#features/warehouse/paperless/release-codes.commands.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { packSlot } from '#features/warehouse/pick-lists/slots.commands.ts'
import type { TaskTools } from '#features/warehouse/pick-tasks/counts.commands.ts'
import { putAllBack } from '#features/warehouse/pick-tasks/put-backs.commands.ts'

/** The order was opened. Only the first of its wagon's orders moves the wagon. */
export async function totesOpened(tools: TaskTools, order_id: number): Promise<void> {
  const wagon = await atPacking(tools, order_id, true)
  if (wagon && wagon.state !== 'at_packing') await settleList(tools, wagon.pick_list_id, wagon.wagon_no)
}

/** The order was set aside, or given back. */
export async function totesLeft(tools: TaskTools, order_id: number): Promise<void> {
  const wagon = await atPacking(tools, order_id, false)
  if (wagon) await settleList(tools, wagon.pick_list_id, wagon.wagon_no)
}

/** What was in the totes is in parcels. */
export async function totesPacked(tools: TaskTools, order_id: number): Promise<void> {
  const slot = await packSlot(tools.db, order_id)
  const left = await freePackedTotes(tools, order_id, slot)
  const wagon = slot ?? left
  if (wagon) await settleList(tools, wagon.pick_list_id, wagon.wagon_no)
}

/** Everything of a cancelled order was put back by the packer. */
export async function totesCleared(tools: TaskTools, order_id: number, by: { name: string }): Promise<void> {
  await putAllBack(tools, order_id, by)
  await freeCodesOfOrder(tools, order_id)
}
