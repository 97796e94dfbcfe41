/** The label that the customer of a return gets: asked for once, whatever is clicked twice, and left for another way where the courier refuses. */
import { randomUUID } from 'node:crypto'
import { conflict } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import { bookingStates, printableStates } from '#domain/order/shipment-states.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { aboutReturn, type ReturnTools, takeReturn } from './return-rows.commands.ts'
import { closedStatuses } from './return-states.rules.ts'
import { type CourierMethod, courierMethods, type LabelState, labelRefusals, mostLabelAttempts } from './returns.codes.ts'

export interface ReturnLabel {
  state: LabelState
  shipment_id: number | null
  tracking_no: string | null
  file_id: number | null
  /** The page with the code that the customer shows instead, where one was asked for. */
  qr_link: string | null
  /** Another one may take its place. */
  can_renew: boolean
}

const noLabel: ReturnLabel = { state: 'none', shipment_id: null, tracking_no: null, file_id: null, qr_link: null, can_renew: false }

export async function labelOfReturn(db: Db, return_id: number): Promise<ReturnLabel> {
  const row = await db
    .selectFrom('returns as r')
    .innerJoin('shipments as s', join => join.onRef('s.client_id', '=', 'r.label_client_id').onRef('s.order_id', '=', 'r.order_id'))
    .select(['s.id', 's.state', 's.tracking_no', 's.label_pdf_file_id', 's.label_a4_file_id', 's.qr_link'])
    .select(['r.status', 'r.label_attempts'])
    .where('r.id', '=', return_id)
    .orderBy('s.id', 'desc')
    .executeTakeFirst()
  if (!row) return noLabel
  const file_id = row.label_a4_file_id ?? row.label_pdf_file_id
  const isReady = isOneOf(printableStates, row.state) && file_id !== null
  const state = isReady ? 'ready' : isOneOf(bookingStates, row.state) ? 'waiting' : 'failed'
  return {
    state,
    shipment_id: row.id,
    tracking_no: row.tracking_no,
    file_id: isReady ? file_id : null,
    qr_link: isReady ? row.qr_link : null,
    can_renew: isReady && row.status === 'approved' && row.label_attempts < mostLabelAttempts,
  }
}

export interface LabelToBook {
  client_id: string
  order_id: number
  method: CourierMethod
  language: string
  lines: { order_line_id: number; quantity: number }[]
}

/**
 * The request that books the label of this return; null where it is booked or being booked. Asked for again, it has the same id, by which
 * no second parcel is made; only after a refusal of the courier it gets another one.
 *
 * @throws {AppError} 404; 409 return_label_not_offered, return_label_failed
 */
export async function beginLabel({ db }: ReturnTools, id: number): Promise<LabelToBook | null> {
  const taken = await takeReturn(db, id)
  const { method, language, label_client_id, label_attempts } = await db
    .selectFrom('returns')
    .select(['method', 'language', 'label_client_id', 'label_attempts'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { order_id } = taken
  if (!isOneOf(courierMethods, method) || taken.status !== 'approved' || order_id === null)
    throw conflict('return_label_not_offered', labelRefusals.notOffered)
  const { state } = await labelOfReturn(db, id)
  if (state === 'ready' || state === 'waiting') return null
  const isFirst = label_client_id === null
  if (!isFirst && state === 'failed' && label_attempts >= mostLabelAttempts) throw conflict('return_label_failed', labelRefusals.failed)
  const client_id = isFirst || state === 'failed' ? randomUUID() : label_client_id
  if (client_id !== label_client_id)
    await db
      .updateTable('returns')
      .set({ label_client_id: client_id, label_attempts: label_attempts + 1 })
      .where('id', '=', id)
      .execute()
  return labelToBook(db, id, { client_id, order_id, method, language })
}

/**
 * Another label in the place of one that is lost or too old; the former one is taken back, so that one parcel has one label. Null where
 * this was asked before with the same id, or a label is being booked.
 *
 * @throws {AppError} 404; 409 already_sent, return_label_not_offered, return_label_limit
 */
export async function renewLabel(
  context: ReturnTools & Pick<Context, 'enqueue'>,
  id: number,
  client_id: string,
): Promise<LabelToBook | null> {
  const { db, recordEvent } = context
  const taken = await takeReturn(db, id)
  const { method, language, label_client_id, label_attempts, in_transit_at } = await db
    .selectFrom('returns')
    .select(['method', 'language', 'label_client_id', 'label_attempts', 'in_transit_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { order_id } = taken
  if (in_transit_at !== null || taken.arrived_at !== null) throw conflict('already_sent', labelRefusals.sent)
  if (!isOneOf(courierMethods, method) || taken.status !== 'approved' || order_id === null)
    throw conflict('return_label_not_offered', labelRefusals.notOffered)
  const { state, shipment_id } = await labelOfReturn(db, id)
  if (client_id === label_client_id || state === 'waiting') return null
  if (state !== 'ready' || shipment_id === null) throw conflict('return_label_not_offered', labelRefusals.notOffered)
  const used = await db
    .selectFrom('shipments')
    .select('id')
    .where('order_id', '=', order_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  // An answer that came late: that label was replaced meanwhile.
  if (used) return null
  if (label_attempts >= mostLabelAttempts) throw conflict('return_label_limit', labelRefusals.limit)
  await db
    .updateTable('returns')
    .set({ label_client_id: client_id, label_attempts: label_attempts + 1 })
    .where('id', '=', id)
    .execute()
  await takeBackLabel(context, shipment_id)
  await recordEvent({ kind: 'return.label_renewed', ...aboutReturn(taken), data: { rma_no: taken.rma_no } })
  return labelToBook(db, id, { client_id, order_id, method, language })
}

/** With the pieces that lie in its parcel. */
async function labelToBook(db: Db, return_id: number, label: Omit<LabelToBook, 'lines'>): Promise<LabelToBook> {
  const pieces = await db
    .selectFrom('return_items')
    .select(['order_line_id'])
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('return_id', '=', return_id)
    .where('custody', '=', 'advised')
    .where('order_line_id', 'is not', null)
    .groupBy('order_line_id')
    .orderBy('order_line_id')
    .execute()
  return {
    ...label,
    lines: pieces.flatMap(({ order_line_id, n }) => (order_line_id === null ? [] : [{ order_line_id, quantity: Number(n) }])),
  }
}

/** The customer labels the parcel instead, and pays no label. @throws {AppError} 404; 409 return_label_made */
export async function chooseOwnLabel(tools: ReturnTools, id: number): Promise<void> {
  const { db, recordEvent, notify } = tools
  const taken = await takeReturn(db, id)
  const { method, postage } = await db.selectFrom('returns').select(['method', 'postage']).where('id', '=', id).executeTakeFirstOrThrow()
  if (method === 'own_label') return
  const { state } = await labelOfReturn(db, id)
  if (!isOneOf(courierMethods, method) || state === 'ready' || state === 'waiting' || !isOneOf(['requested', 'approved'], taken.status))
    throw conflict('return_label_made', labelRefusals.made)
  await db
    .updateTable('returns')
    .set(eb => ({ method: 'own_label', drop_off: null, postage: 0, fee: Math.max(0, taken.fee - postage), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: 'return.method_set', ...aboutReturn(taken), data: { rma_no: taken.rma_no, method: 'own_label' } })
  notify('return', id, taken.company_id)
}

/** The returns to which labels belong that were just booked. */
export async function returnsOfLabels(db: Db, shipment_ids: readonly number[]) {
  if (shipment_ids.length === 0) return []
  const rows = await db
    .selectFrom('shipments as s')
    .innerJoin('returns as r', join => join.onRef('r.label_client_id', '=', 's.client_id').onRef('r.order_id', '=', 's.order_id'))
    .select(['r.id', 'r.status', 's.id as shipment_id'])
    .where('s.id', 'in', [...shipment_ids])
    .execute()
  return rows.map(({ status, ...row }) => ({ ...row, is_closed: isOneOf(closedStatuses, status) }))
}

/** The label of a return that ended is taken back, where the courier allows it. */
export const takeBackLabel = ({ enqueue }: Pick<Context, 'enqueue'>, shipment_id: number) =>
  enqueue('labels.void', { shipment_id }, { key: `labels.void:${shipment_id}` })
