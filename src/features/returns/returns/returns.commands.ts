/** Writes returns: what is asked for, approved and ended. Two requests for one order wait for each other by the order's row. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { lockOrder } from '#features/orders/orders/order-facts.queries.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import { aboutReturn, type ReturnTools, setMoneyOfReturn, settleReturn, takeReturn } from './return-rows.commands.ts'
import { refundDueAt } from './return-window.rules.ts'
import { type Custody, type ReturnMethod, type ReturnOutcome, type ReturnStatus, returnLimits } from './returns.codes.ts'
import { amountOfPiece, leftToReturn, mayCancel, type ReturnableLine, returnReasons, returnWindows } from './returns.queries.ts'

export interface RequestedItem {
  order_line_id: number
  qty: number
  /** Code of a reason of the company. */
  reason: string
  note?: string | undefined
  outcome: ReturnOutcome
  exchange_product_id?: number | null | undefined
  /** Photos of the customer, recorded already with the order as their subject. */
  file_ids?: readonly number[] | undefined
}

export interface ReturnRequest {
  /** Sent again, it answers the return that it made. */
  client_id: string
  company_id: number
  /** Null for a withdrawal whose order is not known here: it is kept as a notice. */
  order_id: number | null
  source: 'portal' | 'desk'
  /** May be empty for a withdrawal: it is then of everything that is left. */
  items: readonly RequestedItem[]
  method: ReturnMethod
  language: Locale
  contact: { name?: string | null | undefined; email?: string | null | undefined; phone?: string | null | undefined }
  /** The shop that was asked, where no order was found. */
  shop?: string | undefined
  /** The order number as the customer wrote it, where no order was found. */
  claimed_order_no?: string | null | undefined
  note?: string | undefined
  /** Withdrawal from the contract: in its period it is approved at once, without a fee. */
  withdrawal: boolean
  /** Who asks: a name of staff, or 'customer'. */
  by: string
  /**
   * The fee that the customer has agreed to, in minor units; without it the company's. It is never taken for a withdrawal, nor where
   * each reason is the shop's or the courier's fault.
   */
  fee?: number | undefined
}

export interface RequestedReturn {
  id: number
  rma_no: string
  status: ReturnStatus
  /** False where the same request was sent before. */
  created: boolean
}

/** The fee of a return with these reasons, before it is known how much money there is to take it from. */
export const feeFor = ({ withdrawal, fee }: { withdrawal: boolean; fee: number }, reasons: readonly { fault: string }[]): number =>
  withdrawal || (reasons.length > 0 && reasons.every(({ fault }) => fault !== 'customer')) ? 0 : fee

/**
 * Somebody wants to send back. Takes the order's row, so that of two who ask for the last piece only one gets it.
 *
 * @throws {AppError} 404 order_not_found; 409 not_returnable, where fewer pieces are left; 422 return_reason_unknown, return_too_large,
 * refund_empty without an item; 409 return_period_over for a customer after the shop's window
 */
export async function requestReturn(tools: ReturnTools, request: ReturnRequest): Promise<RequestedReturn> {
  const { db, recordEvent, notify, now } = tools
  const order =
    request.order_id === null ? undefined : orNotFound(await lockOrder(db, request.order_id), 'order_not_found', 'Order not found')
  const company_id = order?.company_id ?? request.company_id
  const sent = await db
    .selectFrom('returns')
    .select(['id', 'rma_no', 'status'])
    .where('company_id', '=', company_id)
    .where('client_id', '=', request.client_id)
    .executeTakeFirst()
  if (sent) return { ...sent, created: false }
  const { withdrawal, source } = request
  const settings = await companySettings(db, company_id)
  const lines = order ? await leftToReturn(db, order.id) : []
  const items = withdrawal && request.items.length === 0 ? everythingLeft(lines) : request.items
  if (items.length === 0 && !withdrawal) throw unprocessable('refund_empty', 'Choose at least one item.')
  const at = now()
  const windows = order ? await returnWindows(db, order.id) : { shop: null, withdrawal: null }
  const isOver = (window: { ends_at: string } | null) => window !== null && Date.parse(window.ends_at) <= at.getTime()
  if (source === 'portal' && !withdrawal && isOver(windows.shop) && isOver(windows.withdrawal))
    throw conflict('return_period_over', 'The time to return this order is over.')
  const reasons = await returnReasons(db, company_id)
  const pieces = items.flatMap(item => piecesOf(item, lines))
  if (pieces.length > returnLimits.pieces)
    throw unprocessable('return_too_large', 'A return holds at most {{most}} items.', { most: returnLimits.pieces })
  const known = items.map(item => {
    const reason = reasons.find(({ code, active }) => code === item.reason && active)
    if (!reason)
      throw unprocessable(
        'return_reason_unknown',
        'Choose a reason from the list.',
        {},
        { fields: { reason: 'Choose a reason from the list.' } },
      )
    return reason
  })
  const isApproved = withdrawal ? order !== undefined && !isOver(windows.withdrawal) : settings.returns.review === 'never'
  const noticed_at = withdrawal ? at.toISOString() : null
  const number = await nextNumber(db, company_id, 'rma')
  const rma_no = `R${String(number).padStart(7, '0')}`
  const { currency, shop } = order
    ? await db.selectFrom('orders').select(['currency', 'shop']).where('id', '=', order.id).executeTakeFirstOrThrow()
    : { currency: settings.currency, shop: request.shop ?? 'main' }
  const { id } = await db
    .insertInto('returns')
    .values({
      company_id,
      client_id: request.client_id,
      rma_no,
      order_id: order?.id ?? null,
      shop,
      source,
      status: 'requested',
      language: request.language,
      method: request.method,
      withdrawal,
      noticed_at,
      refund_due_at: noticed_at === null ? null : refundDueAt(noticed_at, settings.time_zone),
      requested_at: at.toISOString(),
      contact_name: request.contact.name || null,
      contact_email: request.contact.email || null,
      contact_phone: request.contact.phone || null,
      claimed_order_no: request.claimed_order_no || null,
      note: request.note || null,
      currency,
      fee: feeFor({ withdrawal, fee: request.fee ?? settings.returns.fee }, known),
      created_by: request.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made =
    pieces.length === 0
      ? []
      : await db
          .insertInto('return_items')
          .values(
            pieces.map(({ line, item, piece_no }) => ({
              company_id,
              return_id: id,
              order_line_id: line.order_line_id,
              product_id: line.product_id,
              sku: line.sku,
              name: line.name,
              piece_no,
              reason_code: item.reason,
              reason_note: item.note || null,
              outcome: item.outcome,
              exchange_product_id: item.exchange_product_id ?? null,
              custody: 'advised' as const,
              amount: amountOfPiece(line, piece_no),
            })),
          )
          .returning(['id', 'order_line_id'])
          .execute()
  const photos = items.flatMap(item =>
    (item.file_ids ?? []).map(file_id => ({
      company_id,
      return_id: id,
      file_id,
      item_id: made.find(piece => piece.order_line_id === item.order_line_id)?.id ?? null,
      kind: 'customer' as const,
      created_by: request.by,
    })),
  )
  if (photos.length > 0)
    await db
      .insertInto('return_files')
      .values(photos)
      .onConflict(row => row.doNothing())
      .execute()
  const about = aboutReturn({ id, company_id, order_id: order?.id ?? null })
  await recordEvent({
    kind: 'return.requested',
    ...about,
    data: { rma_no, source, items: pieces.length, withdrawal, status: isApproved ? 'approved' : 'requested' },
  })
  if (withdrawal) await recordEvent({ kind: 'return.withdrawn', ...about, data: { rma_no, items: pieces.length } })
  if (isApproved) return { id, rma_no, status: await approve(tools, id), created: true }
  notify('return', id, company_id)
  if (order) notify('order', order.id, company_id)
  return { id, rma_no, status: 'requested', created: true }
}

const everythingLeft = (lines: readonly ReturnableLine[]): RequestedItem[] =>
  lines
    .filter(({ left }) => left > 0)
    .map(({ order_line_id, left }) => ({ order_line_id, qty: left, reason: 'withdrawal', outcome: 'refund' }))

/** The pieces that a requested item takes of its line. @throws {AppError} 409 where fewer are left */
function piecesOf(item: RequestedItem, lines: readonly ReturnableLine[]) {
  const line = lines.find(({ order_line_id }) => order_line_id === item.order_line_id)
  const left = line?.left ?? 0
  if (!line || item.qty > left) {
    if (left === 0) throw conflict('not_returnable', 'Nothing of this item is left to return.')
    throw conflict('not_returnable', 'Only {{n}} is left to return.', { n: left })
  }
  return line.free.splice(0, item.qty).map(piece_no => ({ line, item, piece_no }))
}

/** The return may be sent: its money is owed from now on. */
async function approve(tools: ReturnTools, id: number): Promise<ReturnStatus> {
  const { db, recordEvent, now } = tools
  const taken = await takeReturn(db, id)
  const { returns } = await companySettings(db, taken.company_id)
  const at = now()
  await db
    .updateTable('returns')
    .set({
      approved_at: at.toISOString(),
      expires_at: new Date(at.getTime() + returns.unused_days * 86_400_000).toISOString(),
    })
    .where('id', '=', id)
    .execute()
  if (taken.order_id !== null) await setMoneyOfReturn(db, id, 'none', 'pending')
  await recordEvent({ kind: 'return.approved', ...aboutReturn(taken), data: { rma_no: taken.rma_no } })
  return settleReturn(tools, taken)
}

/** A person approves what waits for it. @throws {AppError} 404; 409 return_state, return_changed */
export async function approveReturn(
  tools: ReturnTools,
  id: number,
  { version }: { version?: number | undefined } = {},
): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  if (taken.status !== 'requested') throw conflict('return_state', 'This return is not waiting for approval.')
  return approve(tools, id)
}

type End = 'rejected' | 'cancelled' | 'expired'

/** Nothing of the return will come: its pieces are free for another one, and their money is not owed. */
async function endReturn(tools: ReturnTools, id: number, ended_as: End, reason: string | null): Promise<ReturnStatus> {
  const { db } = tools
  const taken = await takeReturn(db, id)
  await db.updateTable('returns').set({ ended_as, reason, expires_at: null }).where('id', '=', id).execute()
  await db
    .updateTable('return_items')
    .set(eb => ({ custody: ended_as, money: 'none', version: eb('version', '+', 1) }))
    .where('return_id', '=', id)
    .where('custody', 'in', ['advised', 'in_transit', 'received', 'added'] satisfies Custody[])
    .execute()
  const about = aboutReturn(taken)
  const { rma_no } = taken
  if (ended_as === 'rejected') await tools.recordEvent({ kind: 'return.rejected', ...about, data: { rma_no, reason: reason ?? '' } })
  else if (ended_as === 'cancelled') await tools.recordEvent({ kind: 'return.cancelled', ...about, data: { rma_no, reason: reason ?? '' } })
  else await tools.recordEvent({ kind: 'return.expired', ...about, data: { rma_no } })
  return settleReturn(tools, taken)
}

/** @throws {AppError} 404; 409 return_state once something is on its way; 409 return_changed */
export async function cancelReturn(
  tools: ReturnTools,
  id: number,
  { reason = null, version }: { reason?: string | null; version?: number | undefined } = {},
): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  if (taken.status === 'cancelled') return 'cancelled'
  if (!mayCancel(taken.status)) throw conflict('return_state', 'This return can no longer be cancelled.')
  return endReturn(tools, id, 'cancelled', reason)
}
