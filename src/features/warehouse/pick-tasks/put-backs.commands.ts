/** Pieces that go back into their bins; when the last is back, tote and order are done with. */

import { conflict, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { type OrderFacts, takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { finishPutBack } from '#features/orders/orders/order-state.commands.ts'
import { freeCodesOfSlot } from '#features/warehouse/paperless/release-codes.commands.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { finishPutBacks, insertPutBacks, notePutBack } from '#features/warehouse/pick-lists/task-rows.commands.ts'
import { binKey } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { TaskTools } from './counts.commands.ts'

export interface ReturnedPiece {
  company_id: number
  order_id: number
  order_line_id: number | null
  return_id: number
  product_id: number | null
  sku: string | null
  name: string
  bin: string | null
}

/** Returned pieces belong into their bins: a task for each. Answers the ids in the order of the pieces. */
export async function addPutBacks({ db, notify }: Pick<TaskTools, 'db' | 'notify'>, pieces: readonly ReturnedPiece[]): Promise<number[]> {
  if (pieces.length === 0) return []
  const ids = await insertPutBacks(
    db,
    pieces.map(piece => ({ ...piece, quantity: 1, reason: 'return' as const })),
  )
  for (const [place, id] of ids.entries()) notify('pick_task', id, elementAt(pieces, place).company_id)
  return ids
}

/**
 * Pieces are back in their bin, some or all of them. When a tote is empty it is free again; when the last piece of a cancelled order is back,
 * the order is done with. Settles the list.
 *
 * @throws {Refusal} 404; 409 when it was done already, for too many pieces, or where another bin was scanned
 */
export async function putBack(
  tools: TaskTools,
  put_back_id: number,
  { quantity, by, bin, version }: { quantity: number; by: { name: string }; bin?: string | undefined; version?: number | undefined },
): Promise<void> {
  const { db, recordEvent, notify } = tools
  const seen = orNotFound(
    await db.selectFrom('put_backs').select('order_id').where('id', '=', put_back_id).executeTakeFirst(),
    'put_back_not_found',
    noPutBack,
  )
  const order = orNotFound(await takeOrder(db, seen.order_id), 'order_not_found', 'Order not found')
  const task = orNotFound(
    await db.selectFrom('put_backs').selectAll().where('id', '=', put_back_id).executeTakeFirst(),
    'put_back_not_found',
    noPutBack,
  )
  if (task.done_at !== null)
    throw conflict('put_back_done', '{{name}} has put this back already', { name: task.done_by ?? '–' }, { current: task })
  if (version !== undefined && version !== task.version)
    throw conflict('task_changed', 'Someone else changed this. Check it and try again.', {}, { current: task })
  const left = task.quantity - task.done
  if (quantity > left) throw conflict('put_back_too_many', '{{name}}: only {{n}} have to go back', { name: task.name, n: left })
  if (bin !== undefined && task.bin !== null && binKey(bin) !== binKey(task.bin))
    throw conflict('put_back_wrong_bin', 'This is {{scanned}}. {{name}} belongs in {{bin}}.', {
      scanned: bin,
      name: task.name,
      bin: task.bin,
    })
  const all = quantity === left
  await notePutBack(db, put_back_id, { quantity, by: by.name, all })
  await recordEvent({
    kind: 'order.piece_put_back',
    order_id: task.order_id,
    company_id: task.company_id,
    subject: 'put_back',
    subject_id: put_back_id,
    data: { quantity, name: task.name, bin: bin ?? task.bin },
  })
  notify('pick_task', put_back_id, task.company_id)
  if (all) await afterPutBack(tools, order, task)
}

const noPutBack = 'Put-back not found'

interface Slot {
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
}

/** An order that a shop changed stands on its wagon still: only what was too much of it went back. */
async function standsThere(db: Db, { pick_list_id, wagon_no, slot_no }: { pick_list_id: number; wagon_no: number; slot_no: number }) {
  const slot = await db
    .selectFrom('pick_slots')
    .select('order_id')
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('slot_no', '=', slot_no)
    .where('live', '=', true)
    .executeTakeFirst()
  return slot !== undefined
}

/** What follows when nothing of an order, or of one of its slots, has to go back any more. */
async function afterPutBack(tools: TaskTools, order: OrderFacts, slot: Slot): Promise<void> {
  const { db } = tools
  const open = await db
    .selectFrom('put_backs')
    .select(['pick_list_id', 'wagon_no', 'slot_no'])
    .where('order_id', '=', order.id)
    .where('done_at', 'is', null)
    .execute()
  const { pick_list_id, wagon_no, slot_no } = slot
  if (pick_list_id !== null && wagon_no !== null && slot_no !== null) {
    const still = open.some(one => one.pick_list_id === pick_list_id && one.wagon_no === wagon_no && one.slot_no === slot_no)
    if (!still && !(await standsThere(db, { pick_list_id, wagon_no, slot_no })))
      await freeCodesOfSlot(tools, { pick_list_id, wagon_no, slot_no })
  }
  if (open.length === 0 && order.cancelled_at !== null && order.put_back_due) await finishPutBack(tools, [order.id])
  if (pick_list_id !== null && wagon_no !== null) await settleList(tools, pick_list_id, wagon_no)
}

/** Everything of a cancelled order is back, as somebody said elsewhere: its put-backs are done and its totes free. */
export async function putAllBack(tools: TaskTools, order_id: number, by: { name: string }): Promise<void> {
  const { db, notify } = tools
  const done = await finishPutBacks(db, order_id, by.name)
  const order = done.length > 0 ? await takeOrder(db, order_id) : undefined
  for (const task of done) {
    notify('pick_task', task.id, task.company_id)
    if (order) await afterPutBack(tools, { ...order, put_back_due: false }, task)
  }
}
