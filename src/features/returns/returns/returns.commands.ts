/** Writes returns: what is asked for, approved and ended. Two requests for one order wait for each other by the order's row. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { lockOrder } from '#features/orders/orders/order-facts.queries.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import { listOrdersOfFile } from '#platform/files/file-store.ts'
import { returnsOfLabels } from './return-label.commands.ts'
import { type ReturnTerms, returnTerms } from './return-policy.queries.ts'
import { type ItemPolicy, wordsFor } from './return-policy.rules.ts'
import { aboutReturn, type ReturnTools, setMoneyOfReturn, settleReturn, type TakenReturn, takeReturn } from './return-rows.commands.ts'
import { closedStatuses, isRefunded, letGo } from './return-states.rules.ts'
import { refundDueAt } from './return-window.rules.ts'
import { type Custody, type ReturnMethod, type ReturnOutcome, type ReturnStatus, returnLimits, trackingKey } from './returns.codes.ts'
import { amountOfPiece, isOwed, leftToReturn, mayCancel, type ReturnableLine, returnReasons, returnWindows } from './returns.queries.ts'
import type { DropOff } from './returns.schemas.ts'

export interface RequestedItem {
  order_line_id: number
  qty: number
  /** Code of a reason of the company. */
  reason: string
  note?: string | undefined
  outcome: ReturnOutcome
  /** To the question of a rule. */
  answer?: string | undefined
  exchange_product_id?: number | null | undefined
  /** The customer wants another product, which a person chooses. */
  exchange_other?: boolean | undefined
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
  /** The parcel shop where the customer hands it in. */
  drop_off?: DropOff | null | undefined
  /** What of the fee is the price of the label. */
  postage?: number | undefined
  /** Someone at the desk takes it although a rule of the company refuses it. */
  despite_rules?: boolean | undefined
}

/** Where the rules send a piece, and what was asked about it. A withdrawal is asked nothing. */
function ruledOf(policy: ItemPolicy | undefined, { answer }: RequestedItem, withdrawal: boolean, [language, own]: [string, string]) {
  const asked = withdrawal || !policy?.question ? null : wordsFor(policy.question.words, language, own)
  return {
    destination: policy?.destination?.bin || null,
    destination_address: policy?.destination?.address || null,
    question: asked,
    answer: asked === null ? null : answer || null,
  }
}

export interface RequestedReturn {
  id: number
  rma_no: string
  status: ReturnStatus
  /** False where the same request was sent before. */
  created: boolean
}

/**
 * Somebody wants to send back. Takes the order's row, so that of two who ask for the last piece only one gets it.
 *
 * @throws {AppError} 404 order_not_found; 409 not_returnable, where fewer pieces are left; 422 return_reason_unknown, return_too_large,
 * refund_empty without an item; 409 return_period_over for a customer after the window that holds for the items, return_refused where a
 * rule of the company refuses them
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
  const windows = order ? await returnWindows(db, order.id) : null
  const terms =
    order && windows
      ? await returnTerms(db, {
          ...{ company_id, order_id: order.id, now: at, lines, windows },
          items: items.map(({ order_line_id, qty, reason, outcome }) => ({ order_line_id, qty, reason, outcome })),
        })
      : null
  if (terms && !withdrawal) mustBeTaken(terms, request, settings.locale)
  const reasons = await returnReasons(db, company_id)
  const pieces = items.flatMap((item, place) => piecesOf(item, lines).map(piece => ({ ...piece, place })))
  if (pieces.length > returnLimits.pieces)
    throw unprocessable('return_too_large', 'A return holds at most {{most}} items.', { most: returnLimits.pieces })
  for (const item of items) {
    const reason = reasons.find(({ code, active }) => code === item.reason && active)
    if (!reason)
      throw unprocessable(
        'return_reason_unknown',
        'Choose a reason from the list.',
        {},
        { fields: { reason: 'Choose a reason from the list.' } },
      )
  }
  // A withdrawal is sent back, as the law has it.
  const keeps = (place: number) => !withdrawal && (terms?.items[place]?.keeps ?? false)
  const keepsAll = items.length > 0 && items.every((_, place) => keeps(place))
  const isInTime = windows !== null && (windows.withdrawal === null || Date.parse(windows.withdrawal.ends_at) > at.getTime())
  // The law gives no withdrawal for some goods: the notice is taken, and a person answers it.
  const exempt = withdrawal && terms !== null && terms.items.length > 0 && terms.items.every(({ policy }) => policy.refuse?.exemption)
  const isApproved = withdrawal ? isInTime && !exempt : !(terms?.review ?? settings.returns.review === 'always')
  const noticed_at = withdrawal ? at.toISOString() : null
  const rma_no = await nextRma(tools, company_id)
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
      method: keepsAll ? 'none' : request.method,
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
      fee: withdrawal ? 0 : (request.fee ?? terms?.fee ?? 0),
      drop_off: keepsAll || !request.drop_off ? null : JSON.stringify(request.drop_off),
      postage: keepsAll ? 0 : (request.postage ?? 0),
      rule_set_id: terms?.rule_set_id ?? null,
      applied_rules: withdrawal && !exempt ? [] : (terms?.applied ?? []),
      exempt,
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
            pieces.map(({ line, item, piece_no, place }) => ({
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
              exchange_other: item.outcome === 'exchange' && (item.exchange_other ?? false),
              custody: 'advised' as const,
              keeps: keeps(place),
              ...ruledOf(terms?.items[place]?.policy, item, withdrawal, [request.language, settings.locale]),
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

/** @throws {AppError} 409 where the rules of the company, or the time that they give, refuse one of the items */
function mustBeTaken({ items }: ReturnTerms, { source, language, despite_rules }: ReturnRequest, own: Locale): void {
  for (const { refusal } of items) {
    if (refusal?.why === 'rule' && !despite_rules)
      throw conflict('return_refused', 'This return cannot be accepted: {{reason}}', { reason: wordsFor(refusal.words, language, own) })
    if (refusal?.why === 'period' && source === 'portal') throw conflict('return_period_over', 'The time to return this order is over.')
  }
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
  await leaveWithCustomer(tools, taken)
  return settleReturn(tools, taken)
}

/** Pieces that a rule leaves with the customer are decided with the approval. */
async function leaveWithCustomer({ db, recordEvent, now }: ReturnTools, taken: TakenReturn): Promise<void> {
  const kept = await db
    .updateTable('return_items')
    .set(eb => ({ custody: 'kept', decision: 'keep', decided_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('return_id', '=', taken.id)
    .where('keeps', '=', true)
    .where('custody', '=', 'advised')
    .returning(['id', 'name'])
    .execute()
  if (kept.length === 0) return
  await recordEvent({
    kind: 'return.decided',
    ...aboutReturn(taken),
    data: { rma_no: taken.rma_no, pieces: kept.map(({ id, name }) => ({ item_id: id, name, decision: 'keep' })) },
  })
  const sent = await db
    .selectFrom('return_items')
    .select('id')
    .where('return_id', '=', taken.id)
    .where('custody', '=', 'advised')
    .limit(1)
    .executeTakeFirst()
  // Nothing has to be sent by a day.
  if (!sent) await db.updateTable('returns').set({ expires_at: null }).where('id', '=', taken.id).execute()
}

/** A person approves what waits for it. @throws {AppError} 404; 409 return_changed */
export async function approveReturn(
  tools: ReturnTools,
  id: number,
  { version }: { version?: number | undefined } = {},
): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  if (taken.status !== 'requested') throw conflict('return_not_requested', 'This return is not waiting for approval.')
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
    .where('custody', 'in', ['advised', 'in_transit', 'received', 'added', 'inspected'] satisfies Custody[])
    .execute()
  const about = aboutReturn(taken)
  const { rma_no } = taken
  if (ended_as === 'rejected') await tools.recordEvent({ kind: 'return.rejected', ...about, data: { rma_no, reason: reason ?? '' } })
  else if (ended_as === 'cancelled') await tools.recordEvent({ kind: 'return.cancelled', ...about, data: { rma_no, reason: reason ?? '' } })
  else await tools.recordEvent({ kind: 'return.expired', ...about, data: { rma_no } })
  return settleReturn(tools, taken)
}

/** @throws {AppError} 404; 409 once something is on its way; 409 return_changed */
export async function cancelReturn(
  tools: ReturnTools,
  id: number,
  { reason = null, version }: { reason?: string | null; version?: number | undefined } = {},
): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  if (taken.status === 'cancelled') return 'cancelled'
  if (!mayCancel(taken.status)) throw conflict('return_not_cancellable', 'This return can no longer be cancelled.')
  return endReturn(tools, id, 'cancelled', reason)
}

/** The shop takes nothing back, and says why. @throws {AppError} 404; 409 withdrawal_right, return_changed */
export async function rejectReturn(
  tools: ReturnTools,
  id: number,
  { reason, version }: { reason: string; version?: number | undefined },
): Promise<ReturnStatus> {
  const { db } = tools
  const taken = await takeReturn(db, id, version)
  if (taken.status !== 'requested') throw conflict('return_not_requested', 'This return is not waiting for approval.')
  if (await isOwed(db, taken)) throw conflict('withdrawal_right', 'A customer may withdraw in this period. The return cannot be rejected.')
  return endReturn(tools, id, 'rejected', reason)
}

/** Someone at the desk says that nothing of it comes, or that a parcel without an order is dealt with. @throws {AppError} 404; 409 */
export async function cancelAtDesk(
  tools: ReturnTools,
  id: number,
  { reason, version }: { reason: string; version?: number | undefined },
): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  const isUnlinked = taken.order_id === null && !isOneOf(closedStatuses, taken.status)
  if (!mayCancel(taken.status) && !isUnlinked) throw conflict('return_not_cancellable', 'This return can no longer be cancelled.')
  return endReturn(tools, id, 'cancelled', reason)
}

/** A resolved return is looked at once more; confirmed money stays confirmed. @throws {AppError} 404; 409 */
export async function reopenReturn(
  tools: ReturnTools,
  id: number,
  { reason, version }: { reason: string; version?: number | undefined },
): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  if (taken.status !== 'resolved') throw conflict('return_not_resolved', 'Only a resolved return can be reopened.')
  await tools.db.updateTable('returns').set({ reason }).where('id', '=', id).execute()
  await tools.recordEvent({ kind: 'return.reopened', ...aboutReturn(taken), data: { rma_no: taken.rma_no, reason } })
  return settleReturn(tools, taken, { reopen: true })
}

/** Nothing more has to be done to a reopened return. @throws {AppError} 404; 409 */
export async function closeReopened(tools: ReturnTools, id: number, { version }: { version?: number | undefined }): Promise<ReturnStatus> {
  const taken = await takeReturn(tools.db, id, version)
  if (taken.status !== 'awaiting_review') throw conflict('return_not_reviewed', 'This return is not under review.')
  return settleReturn(tools, taken)
}

/** The customer of an approved return learns once that it ends unless it is sent. */
export async function remindOfReturn({ db, now, recordEvent }: ReturnTools, id: number): Promise<void> {
  const taken = await takeReturn(db, id)
  if (taken.status !== 'approved') return
  const { numUpdatedRows } = await db
    .updateTable('returns')
    .set({ reminded_at: now().toISOString() })
    .where('id', '=', id)
    .where('reminded_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await recordEvent({ kind: 'return.ends_soon', ...aboutReturn(taken), data: { rma_no: taken.rma_no } })
}

/** Of every company of the operator: approved returns that were not sent in time. */
export const expireReturn = (tools: ReturnTools, id: number): Promise<ReturnStatus> => endReturn(tools, id, 'expired', null)

/** A parcel that no one announced and no scan explains: it is kept with a photo until it is linked to an order. */
export async function keepOrphan(
  tools: ReturnTools,
  orphan: {
    client_id: string
    company_id: number
    tracking_key: string | null
    shelf: string
    note: string
    file_id: number
    by: string
  },
): Promise<{ id: number; rma_no: string; created: boolean }> {
  const { db, recordEvent, notify, now } = tools
  const { company_id, tracking_key } = orphan
  const sent = await db
    .selectFrom('returns')
    .select(['id', 'rma_no'])
    .where('company_id', '=', company_id)
    .where('client_id', '=', orphan.client_id)
    .executeTakeFirst()
  if (sent) return { ...sent, created: false }
  const settings = await companySettings(db, company_id)
  const at = now().toISOString()
  const rma_no = await nextRma(tools, company_id)
  const { id } = await db
    .insertInto('returns')
    .values({
      company_id,
      client_id: orphan.client_id,
      rma_no,
      shop: 'main',
      source: 'orphan',
      status: 'arrived',
      method: 'none',
      language: settings.locale,
      requested_at: at,
      approved_at: at,
      arrived_at: at,
      note: orphan.note || null,
      shelf: orphan.shelf || null,
      currency: settings.currency,
      created_by: orphan.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('return_parcels').values({ company_id, return_id: id, tracking_key, arrived_at: at, arrived_by: orphan.by }).execute()
  await db
    .insertInto('return_files')
    .values({ company_id, return_id: id, file_id: orphan.file_id, kind: 'arrival', created_by: orphan.by })
    .execute()
  const about = aboutReturn({ id, company_id, order_id: null })
  await recordEvent({
    kind: 'return.requested',
    ...about,
    data: { rma_no, source: 'orphan', items: 0, withdrawal: false, status: 'arrived' },
  })
  await recordEvent({ kind: 'return.arrived', ...about, data: { rma_no } })
  notify('return', id, company_id)
  return { id, rma_no, created: true }
}

async function nextRma({ db }: Pick<ReturnTools, 'db'>, company_id: number): Promise<string> {
  return `R${String(await nextNumber(db, company_id, 'rma')).padStart(7, '0')}`
}

/**
 * A parcel without an order gets one; its pieces take those that are left of the order's lines. Where the customer has announced a return of
 * this order and nothing was unpacked yet, the parcel joins that one. Answers the return that goes on.
 *
 * @throws {AppError} 404; 409 already_linked, order_of_other_shop
 */
export async function linkReturn(
  tools: ReturnTools,
  id: number,
  order_id: number,
  { version }: { version?: number | undefined } = {},
): Promise<number> {
  const { db, recordEvent } = tools
  const order = orNotFound(await lockOrder(db, order_id), 'order_not_found', 'Order not found')
  const taken = await takeReturn(db, id, version)
  if (taken.order_id === order_id) return id
  if (taken.order_id !== null) throw conflict('already_linked', 'This return belongs to another order already.')
  if (isOneOf(closedStatuses, taken.status)) throw conflict('return_closed', 'This return is closed.')
  if (order.company_id !== taken.company_id) throw conflict('order_of_other_shop', 'This order belongs to another company.')
  const { shop, currency } = await db.selectFrom('orders').select(['shop', 'currency']).where('id', '=', order_id).executeTakeFirstOrThrow()
  const items = await db
    .selectFrom('return_items')
    .select(['id', 'product_id', 'sku', 'outcome'])
    .where('return_id', '=', id)
    .where('custody', 'not in', [...letGo])
    .orderBy('id')
    .execute()
  const announced = await db
    .selectFrom('returns')
    .select(['id', 'rma_no'])
    .where('order_id', '=', order_id)
    .where('status', 'in', ['approved', 'in_transit'])
    .orderBy('id')
    .executeTakeFirst()
  if (announced && items.length === 0 && taken.arrived_at !== null) {
    await db.updateTable('return_parcels').set({ return_id: announced.id }).where('return_id', '=', id).execute()
    await db.updateTable('return_files').set({ return_id: announced.id }).where('return_id', '=', id).execute()
    await endReturn(tools, id, 'cancelled', announced.rma_no)
    return announced.id
  }
  await db.updateTable('returns').set({ order_id, shop, currency }).where('id', '=', id).execute()
  const photos = await db.selectFrom('return_files').select('file_id').where('return_id', '=', id).execute()
  for (const { file_id } of photos) await listOrdersOfFile(db, file_id, [order_id])
  const lines = await leftToReturn(db, order_id)
  for (const item of items) {
    const line = lines.find(
      one => one.free.length > 0 && (one.product_id === item.product_id || (one.sku !== null && one.sku === item.sku)),
    )
    const piece_no = line?.free.shift()
    if (line && piece_no !== undefined)
      await db
        .updateTable('return_items')
        .set(eb => ({
          order_line_id: line.order_line_id,
          piece_no,
          amount: amountOfPiece(line, piece_no),
          ...(isRefunded(item.outcome) && { money: 'pending' as const }),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', item.id)
        .execute()
  }
  const linked = { ...taken, order_id }
  await recordEvent({ kind: 'return.linked', ...aboutReturn(linked), data: { rma_no: taken.rma_no, order_no: order.order_no } })
  await settleReturn(tools, linked)
  return id
}

/** A parcel that could not be delivered comes back: its pieces are expected, and their money waits. */
export async function expectUndelivered(
  tools: ReturnTools,
  parcel: { shipment_id: number; order_id: number; parcel_no: number; tracking_no: string | null; agent_code: string },
): Promise<void> {
  const { db, recordEvent, now } = tools
  const order = await lockOrder(db, parcel.order_id)
  if (!order) return
  const known = await db.selectFrom('return_parcels').select('id').where('shipment_id', '=', parcel.shipment_id).executeTakeFirst()
  if (known) return
  const inside = await db
    .selectFrom('parcel_lines')
    .select(['order_line_id', 'qty'])
    .where('order_id', '=', order.id)
    .where('parcel_no', '=', parcel.parcel_no)
    .execute()
  const lines = await leftToReturn(db, order.id)
  const pieces = inside.flatMap(({ order_line_id, qty }) => {
    const line = lines.find(one => one.order_line_id === order_line_id)
    return line ? line.free.splice(0, qty).map(piece_no => ({ line, piece_no })) : []
  })
  if (pieces.length === 0 || pieces.length > returnLimits.pieces) return
  const { company_id } = order
  const { shop, currency } = await db.selectFrom('orders').select(['shop', 'currency']).where('id', '=', order.id).executeTakeFirstOrThrow()
  const settings = await companySettings(db, company_id)
  const at = now().toISOString()
  const rma_no = await nextRma(tools, company_id)
  const { id } = await db
    .insertInto('returns')
    .values({
      company_id,
      rma_no,
      order_id: order.id,
      shop,
      source: 'undelivered',
      status: 'in_transit',
      method: 'none',
      language: settings.locale,
      requested_at: at,
      approved_at: at,
      in_transit_at: at,
      currency,
      created_by: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('return_items')
    .values(
      pieces.map(({ line, piece_no }) => ({
        company_id,
        return_id: id,
        order_line_id: line.order_line_id,
        product_id: line.product_id,
        sku: line.sku,
        name: line.name,
        piece_no,
        custody: 'in_transit' as const,
        money: 'pending' as const,
        amount: amountOfPiece(line, piece_no),
      })),
    )
    .execute()
  await db
    .insertInto('return_parcels')
    .values({
      company_id,
      return_id: id,
      shipment_id: parcel.shipment_id,
      tracking_key: trackingKey(parcel.tracking_no ?? '') || null,
      agent_code: parcel.agent_code,
    })
    .execute()
  const about = aboutReturn({ id, company_id, order_id: order.id })
  await recordEvent({
    kind: 'return.requested',
    ...about,
    data: { rma_no, source: 'undelivered', items: pieces.length, withdrawal: false, status: 'in_transit' },
  })
  tools.notify('return', id, company_id)
}

/** The label of a return that waits for one. */
export async function addReturnLabel(
  tools: ReturnTools,
  parcel: { shipment_id: number; order_id: number; tracking_no: string | null; agent_code: string },
): Promise<void> {
  const { db, notify } = tools
  const [asked] = await returnsOfLabels(db, [parcel.shipment_id])
  const row = await db
    .selectFrom('returns')
    .select(['id', 'company_id'])
    .where('order_id', '=', parcel.order_id)
    .$if(asked !== undefined, all => all.where('id', '=', asked?.id ?? 0))
    .where('status', 'in', ['requested', 'approved'])
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!row) return
  await db
    .insertInto('return_parcels')
    .values({
      company_id: row.company_id,
      return_id: row.id,
      shipment_id: parcel.shipment_id,
      tracking_key: trackingKey(parcel.tracking_no ?? '') || null,
      agent_code: parcel.agent_code,
    })
    .onConflict(one => one.doNothing())
    .execute()
  notify('return', row.id, row.company_id)
}

/** The courier has scanned the parcel of a return for the first time. */
export async function markInTransit(tools: ReturnTools, shipment_id: number): Promise<void> {
  const { db, recordEvent, now } = tools
  const parcel = await db.selectFrom('return_parcels').select('return_id').where('shipment_id', '=', shipment_id).executeTakeFirst()
  if (!parcel) return
  const taken = await takeReturn(db, parcel.return_id)
  if (taken.status !== 'approved') return
  await db.updateTable('returns').set({ in_transit_at: now().toISOString(), expires_at: null }).where('id', '=', taken.id).execute()
  await db
    .updateTable('return_items')
    .set(eb => ({ custody: 'in_transit', version: eb('version', '+', 1) }))
    .where('return_id', '=', taken.id)
    .where('custody', '=', 'advised')
    .execute()
  await recordEvent({ kind: 'return.in_transit', ...aboutReturn(taken), data: { rma_no: taken.rma_no } })
  await settleReturn(tools, taken)
}
