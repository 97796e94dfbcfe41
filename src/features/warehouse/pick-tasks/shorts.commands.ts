/** Shorts: what was not there, and what is decided about it. Pickers’ phones report through here. */
import { sql } from 'kysely'
import { AppError, conflict, orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { addComment } from '#features/orders/orders/comments/order-comments.queries.ts'
import { cancelPieces } from '#features/orders/orders/lines/order-lines.commands.ts'
import { addLock, endLock } from '#features/orders/orders/locks/order-locks.commands.ts'
import { type OrderFacts, takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { cancelOrders, type OrderEvent, setShort, waitForStock } from '#features/orders/orders/order-state.commands.ts'
import { leaveList, settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { reopenShortLine } from '#features/warehouse/pick-lists/pick-scans.commands.ts'
import { deleteOpenShort, insertShort, setShortPhoto, writeDecision } from '#features/warehouse/pick-lists/task-rows.commands.ts'
import type { Db } from '#platform/database/database.ts'
import { askCount, type TaskTools } from './counts.commands.ts'
import type { ShortDecision, ShortReason } from './pick-tasks.schemas.ts'

export interface NewShort {
  order_id: number
  company_id: number
  order_line_id: number
  pick_line_id: number | null
  pick_list_id: number | null
  wagon_no: number | null
  product_id: number | null
  sku: string | null
  name: string
  bin: string | null
  /** Pieces that are missing. */
  quantity: number
  reason: ShortReason
  note?: string
  photo_file_id?: number | null
  /** Who says so. */
  by: { id: number; name: string }
}

/**
 * Pieces were not there: writes the short down, has the bin counted and blocked until then, and marks the order. Where the wave or the
 * company has a rule, it is decided at once. Call it after the line was made short, before the list is settled; takes the order's row.
 */
export async function reportShort(tools: TaskTools, short: NewShort): Promise<{ short_id: number; decision: ShortDecision | null }> {
  const { db, notify } = tools
  orNotFound(await takeOrder(db, short.order_id), 'order_not_found', 'Order not found')
  const id = await insertShort(db, {
    company_id: short.company_id,
    order_id: short.order_id,
    order_line_id: short.order_line_id,
    pick_line_id: short.pick_line_id,
    pick_list_id: short.pick_list_id,
    wagon_no: short.wagon_no,
    sku: short.sku,
    name: short.name,
    bin: short.bin,
    quantity: short.quantity,
    reason: short.reason,
    note: short.note ?? '',
    photo_file_id: short.photo_file_id ?? null,
    reported_by: short.by.name,
  })
  if (short.bin) await askCount(tools, { ...short, bin: short.bin, reason: short.reason === 'damaged' ? 'damaged' : 'short', blocks: true })
  await setShort(tools, [short.order_id], true, {
    kind: 'order.short',
    subject: 'pick_short',
    subject_id: id,
    data: { quantity: short.quantity, name: short.name, bin: short.bin, reason: short.reason, list: short.pick_list_id },
  })
  notify('pick_task', id, short.company_id)
  const rule = await ruleFor(db, short)
  if (rule === 'ask') return { short_id: id, decision: null }
  // A rule that does not fit this order leaves the question to a person, and the picker's report stands.
  await sql`savepoint by_rule`.execute(db)
  try {
    await decideShort(tools, id, { decision: rule, by: { id: 0, name: short.by.name }, rule: true })
    return { short_id: id, decision: rule }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await sql`rollback to savepoint by_rule`.execute(db)
    return { short_id: id, decision: null }
  }
}

/** The wave's rule, else the company's. */
async function ruleFor(db: Db, { pick_list_id, company_id }: Pick<NewShort, 'pick_list_id' | 'company_id'>) {
  const list =
    pick_list_id === null
      ? undefined
      : await db
          .selectFrom('pick_lists')
          .select(sql<string | null>`wave->>'on_short'`.as('on_short'))
          .where('id', '=', pick_list_id)
          .executeTakeFirst()
  const own = rules.find(rule => rule === list?.on_short)
  return own ?? (await companySettings(db, company_id)).on_short
}

const rules = ['wait', 'ship_partial', 'ask_customer', 'cancel_line'] as const

/** The photo that followed a report. @throws {AppError} 404 */
export async function addShortPhoto({ db, notify }: Pick<TaskTools, 'db' | 'notify'>, short_id: number, file_id: number): Promise<void> {
  const company_id = orNotFound(await setShortPhoto(db, short_id, file_id), 'short_report_not_found', noShort)
  notify('pick_task', short_id, company_id)
}

/**
 * The picker takes a report back: the short is gone, and so is the count that it asked for, unless somebody counted meanwhile. The picking
 * feature opens the line again. @throws {AppError} 404; 409 when it was decided already
 */
export async function takeBackShort(tools: TaskTools, short_id: number): Promise<void> {
  const { db, notify } = tools
  const short = await shortToDecide(db, short_id)
  if (!(await deleteOpenShort(db, short_id))) throw decidedAlready(await shortRow(db, short_id))
  if (short.bin) {
    const { rows } = await sql<{ id: number }>`
      delete from bin_counts b where b.operator_id = current_operator_id() and b.company_id = ${short.company_id} and b.bin = ${short.bin}
        and b.done_at is null and b.reason in ('short', 'damaged') and b.sku is not distinct from ${short.sku}
        and not exists (select from pick_shorts s where s.operator_id = b.operator_id and s.company_id = b.company_id and s.bin = b.bin and s.decided_at is null)
      returning b.id`.execute(db)
    for (const { id } of rows) notify('pick_task', id, short.company_id)
  }
  await settleShortFlag(tools, short.order, { kind: 'order.short_taken_back', data: { quantity: short.quantity, name: short.name } })
  notify('pick_task', short_id, short.company_id)
}

const noShort = 'Report of missing items not found'

async function shortRow(db: Db, short_id: number) {
  const row = await db.selectFrom('pick_shorts').selectAll().where('id', '=', short_id).executeTakeFirst()
  return orNotFound(row, 'short_report_not_found', noShort)
}

const decidedAlready = (short: { decided_by: string | null; decision: string | null }) =>
  conflict('short_decided', '{{name}} has decided this already', { name: short.decided_by ?? '–' }, { current: short })

/** The short with its order, whose row is taken first, as everywhere. */
async function shortToDecide(db: Db, short_id: number) {
  const { order_id } = orNotFound(
    await db.selectFrom('pick_shorts').select('order_id').where('id', '=', short_id).executeTakeFirst(),
    'short_report_not_found',
    noShort,
  )
  const order = orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
  return { ...(await shortRow(db, short_id)), order }
}

/**
 * Says what becomes of a short, with everything that follows, and settles the list. What the customer was asked can be decided once more.
 *
 * @throws {AppError} 404; 409 when somebody decided before, or the order's state does not allow it
 */
export async function decideShort(
  tools: TaskTools,
  short_id: number,
  {
    decision,
    by,
    note = '',
    version,
    rule = false,
  }: { decision: ShortDecision; by: { id: number; name: string }; note?: string; version?: number | undefined; rule?: boolean },
): Promise<void> {
  const { db, notify } = tools
  const short = await shortToDecide(db, short_id)
  const { order } = short
  if (order.cancelled_at !== null)
    throw conflict('order_cancelled_by_number', 'Order {{order_no}} is cancelled', { order_no: order.order_no })
  if (short.decided_at !== null && short.decision !== 'ask_customer') throw decidedAlready(short)
  if (short.decision === decision) throw decidedAlready(short)
  if (version !== undefined && version !== short.version)
    throw conflict('task_changed', 'Someone else changed this. Check it and try again.', {}, { current: short })
  if (!['ready', 'in_pick', 'picked'].includes(order.work_state))
    throw conflict('order_past_picking', 'Order {{order_no}} is at a packing station or packed already', { order_no: order.order_no })
  const asked = short.decision === 'ask_customer'
  await writeDecision(db, { id: short_id }, { decision, by: rule ? 'system' : by.name, again: true })
  const slot = await liveSlot(db, short.order_id)
  await effects[decision](tools, { ...short, slot, by, note })
  if (asked) await endAsking(tools, short, by)
  await settleShortFlag(tools, order, {
    kind: `order.short_${decision}`,
    data: { quantity: short.quantity, name: short.name, note, rule, list: short.pick_list_id },
  })
  if (slot) await settleList(tools, slot.pick_list_id, slot.wagon_no)
  notify('pick_task', short_id, short.company_id)
}

interface Deciding {
  id: number
  order: OrderFacts
  order_id: number
  company_id: number
  order_line_id: number
  pick_line_id: number | null
  name: string
  quantity: number
  slot: { pick_list_id: number; wagon_no: number; slot_no: number } | undefined
  by: { id: number; name: string }
  note: string
}

const liveSlot = (db: Db, order_id: number) =>
  db
    .selectFrom('pick_slots')
    .select(['pick_list_id', 'wagon_no', 'slot_no'])
    .where('order_id', '=', order_id)
    .where('live', '=', true)
    .executeTakeFirst()

const effects: Record<ShortDecision, (tools: TaskTools, short: Deciding) => Promise<void>> = {
  /** All of the order waits: what else was short of it needs no decision any more. */
  async wait(tools, { order_id, slot, by, order }) {
    const { db, notify } = tools
    if (slot) await leaveList(tools, slot.pick_list_id, [order_id], 'short')
    await waitForStock(tools, [order_id])
    const others = await writeDecision(db, { order_id }, { decision: 'wait', by: by.name })
    for (const { id } of others) notify('pick_task', id, order.company_id)
  },

  async ship_partial({ db }, { order, order_id, slot }) {
    if (!slot) return
    const something = await db
      .selectFrom('pick_lines')
      .select('id')
      .where('pick_list_id', '=', slot.pick_list_id)
      .where('order_id', '=', order_id)
      .where(eb => eb.or([eb('picked', '>', 0), eb('state', 'in', ['open', 'skipped'])]))
      .limit(1)
      .executeTakeFirst()
    if (!something)
      throw conflict('nothing_picked', 'Nothing of order {{order_no}} was picked: let it wait, or cancel it', { order_no: order.order_no })
  },

  async ask_customer(tools, { id, order, order_id, company_id, quantity, name, by, note }) {
    const text = note || `${quantity} × ${name}`
    await addLock(tools, order, { kind: 'hold', reason: 'customer', note: text, body: { short_id: id }, by })
    await addComment(tools.db, {
      ...{ company_id, order_id, type: 'warning', comment: text, user_id: by.id || null, actor: by.name },
      created_at: tools.now().toISOString(),
    })
  },

  async cancel_line(tools, { order_id, company_id, order_line_id, quantity, name, by }) {
    const { db, recordEvent } = tools
    const cancelled = await cancelPieces(db, order_line_id, quantity)
    if (!cancelled) throw conflict('cancel_too_many', '{{name}}: fewer than {{n}} items are left to cancel', { name, n: quantity })
    await recordEvent({ kind: 'order.lines_cancelled', order_id, company_id, data: { pieces: quantity, name } })
    const left = await db
      .selectFrom('order_lines')
      .select('id')
      .where('order_id', '=', order_id)
      .where('type', '=', 'item')
      .whereRef('cancelled_qty', '<', 'qty')
      .limit(1)
      .executeTakeFirst()
    if (left) return
    // Nothing is left of it: the order itself is cancelled, and what else was in its tote goes back.
    await cancelOrders(tools, [order_id], { at: tools.now().toISOString(), note: by.name, together: true })
    const slot = await liveSlot(db, order_id)
    if (slot) await leaveList(tools, slot.pick_list_id, [order_id], 'order_cancelled')
  },

  async found({ db, notify }, { order_id, company_id, pick_line_id, slot, name }) {
    const line = slot && pick_line_id !== null && (await reopenShortLine(db, slot.pick_list_id, pick_line_id))
    if (!line) throw conflict('order_left_wagon', 'The order has left its wagon: {{name}} is picked with the next list', { name })
    notify('picking', order_id, company_id)
  },
}

/** The customer was asked, and now it is decided: the hold that waited for the answer ends. */
async function endAsking(tools: TaskTools, short: { id: number; order_id: number }, by: { id: number }): Promise<void> {
  const { db } = tools
  const hold = await db
    .selectFrom('order_locks')
    .select(['id as lock_id', 'kind', 'reason', 'note'])
    .where('order_id', '=', short.order_id)
    .where('kind', '=', 'hold')
    .where('released_at', 'is', null)
    .where(sql<number>`(body->>'short_id')::bigint`, '=', short.id)
    .executeTakeFirst()
  const order = hold && (await takeOrder(db, short.order_id))
  if (hold && order) await endLock(tools, order, hold, { by: by.id || null, now: tools.now() })
}

/** An order is short as long as something about it is undecided. */
async function settleShortFlag(tools: TaskTools, order: OrderFacts, event: OrderEvent): Promise<void> {
  const open = await tools.db
    .selectFrom('pick_shorts')
    .select('id')
    .where('order_id', '=', order.id)
    .where('decided_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  await setShort(tools, [order.id], open !== undefined, event)
}
