/** The money of returns: proposed by the desk, answered by the shop alone or in its name. Nothing here pays. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { suggestedDelivery } from './desk.queries.ts'
import { deliveryPaid, proposalSums } from './return-amounts.rules.ts'
import { aboutReturn, type ReturnTools, settleReturn, type TakenReturn, takeReturn } from './return-rows.commands.ts'
import { closedStatuses, mayMoveMoney } from './return-states.rules.ts'
import type { Custody, MoneyState, ProposalState } from './returns.codes.ts'

export interface NewProposal {
  item_ids: readonly number[]
  /** What of the paid delivery goes back, in minor units. */
  delivery: number
  /** Beyond the deductions of the pieces. */
  deduction: number
  note: string
  /** The company proposes before the items are here. */
  unseen?: boolean | undefined
  by: { name: string }
  version?: number | undefined
}

/** What the order paid for its delivery and no proposal has paid back yet. */
async function deliveryLeft(db: Db, taken: Pick<TakenReturn, 'order_id'>): Promise<number> {
  if (taken.order_id === null) return 0
  const lines = await db
    .selectFrom('order_lines')
    .select(['id', 'type', 'qty', 'unit_price_excl_vat', 'unit_price_incl_vat', 'discount_excl_vat', 'vat_percent'])
    .where('order_id', '=', taken.order_id)
    .where('type', '=', 'shipping')
    .execute()
  const { before } = await db
    .selectFrom('refund_proposals as p')
    .innerJoin('returns as r', 'r.id', 'p.return_id')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('p.delivery'), eb.val(0)).as('before'))
    .where('r.order_id', '=', taken.order_id)
    .where('p.state', '<>', 'denied')
    .executeTakeFirstOrThrow()
  return Math.max(0, deliveryPaid(lines) - Number(before))
}

/** What of the return's fee no proposal has taken yet: it is taken once. */
async function feeLeft(db: Db, taken: TakenReturn): Promise<number> {
  const { before } = await db
    .selectFrom('refund_proposals')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('fee'), eb.val(0)).as('before'))
    .where('return_id', '=', taken.id)
    .where('state', '<>', 'denied')
    .executeTakeFirstOrThrow()
  return Math.max(0, taken.fee - Number(before))
}

/**
 * Proposes to the shop what it may pay for these pieces; refunds and store credit are proposals of their own.
 *
 * @throws {AppError} 404; 409 return_unlinked, custody_first; 422 refund_empty
 */
export async function proposeRefund(tools: ReturnTools, return_id: number, asked: NewProposal): Promise<number[]> {
  const { db, recordEvent, now } = tools
  const taken = await takeReturn(db, return_id, asked.version)
  if (taken.order_id === null) throw conflict('return_unlinked', 'Link this return to an order first.')
  if (isOneOf(closedStatuses, taken.status)) throw conflict('return_closed', 'This return is closed.')
  const items = await db
    .selectFrom('return_items')
    .select(['id', 'sku', 'name', 'custody', 'money', 'outcome', 'amount', 'deduction'])
    .where('return_id', '=', return_id)
    .where('id', 'in', [...new Set(asked.item_ids)])
    .orderBy('id')
    .execute()
  if (items.length === 0) throw unprocessable('refund_empty', 'Choose at least one item.')
  for (const item of items) {
    if (!asked.unseen && isOneOf<Custody>(['advised', 'in_transit', 'received', 'added'], item.custody))
      throw conflict('custody_first', 'Inspect the items first.')
    if (!mayMoveMoney(item.money, 'proposed'))
      throw conflict('refund_not_owed', '{{name}}: no money is owed for it, or it is proposed already.', { name: item.name })
  }
  const [most, fee] = [await deliveryLeft(db, taken), await feeLeft(db, taken)]
  const { no: last } = await db
    .selectFrom('refund_proposals')
    .select(eb => eb.fn.coalesce(eb.fn.max('no'), eb.val(0)).as('no'))
    .where('return_id', '=', return_id)
    .executeTakeFirstOrThrow()
  const made: number[] = []
  let rest = { delivery: Math.min(asked.delivery, most), fee, deduction: asked.deduction }
  for (const kind of ['refund', 'credit'] as const) {
    const lines = items.filter(({ outcome }) => (kind === 'credit') === (outcome === 'credit'))
    if (lines.length === 0) continue
    const goods = lines.reduce((sum, { amount }) => sum + amount, 0)
    const sums = proposalSums({
      goods,
      delivery: rest.delivery,
      fee: rest.fee,
      deduction: rest.deduction + lines.reduce((sum, { deduction }) => sum + deduction, 0),
    })
    rest = { delivery: 0, fee: rest.fee - sums.fee, deduction: 0 }
    const no = last + made.length + 1
    const { id } = await db
      .insertInto('refund_proposals')
      .values({
        company_id: taken.company_id,
        return_id,
        no,
        kind,
        lines: JSON.stringify(lines.map(({ id: item_id, sku, name, amount }) => ({ item_id, sku, name, amount }))),
        ...sums,
        currency: taken.currency,
        note: asked.note,
        proposed_at: now().toISOString(),
        proposed_by: asked.by.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('return_items')
      .set(eb => ({ money: 'proposed', proposal_id: id, version: eb('version', '+', 1) }))
      .where(
        'id',
        'in',
        lines.map(item => item.id),
      )
      .execute()
    await recordEvent({
      kind: 'return.refund_proposed',
      ...aboutReturn(taken),
      data: { rma_no: taken.rma_no, no, total: sums.total, currency: taken.currency },
    })
    made.push(no)
  }
  await settleReturn(tools, taken)
  return made
}

/**
 * Proposes what is owed for the pieces of a parcel that the courier has scanned, where the company wants that; pieces that are proposed
 * already are left alone.
 */
export async function proposeAtFirstScan(tools: ReturnTools, return_id: number): Promise<void> {
  const { db } = tools
  const taken = await takeReturn(db, return_id)
  const { returns } = await companySettings(db, taken.company_id)
  if (returns.propose_at !== 'first_scan' || taken.order_id === null || isOneOf(closedStatuses, taken.status)) return
  const items = await db
    .selectFrom('return_items')
    .select(['id', 'order_line_id', 'custody', 'money'])
    .where('return_id', '=', return_id)
    .execute()
  const owed = items.filter(({ custody, money }) => custody === 'in_transit' && money === 'pending')
  if (owed.length === 0) return
  const delivery = await suggestedDelivery(db, taken, items)
  await proposeRefund(tools, return_id, {
    item_ids: owed.map(({ id }) => id),
    delivery,
    deduction: 0,
    note: '',
    by: { name: '' },
    unseen: true,
  })
}

export interface RefundAnswer {
  state: Exclude<ProposalState, 'proposed'>
  /** Of the shop's refund; needed to confirm. */
  reference?: string | undefined
  /** What the shop paid, where it differs. */
  paid?: number | undefined
  reason?: string | undefined
  by: string
}

/**
 * The shop's answer to a proposal. The same reference again changes nothing.
 *
 * @throws {AppError} 404 proposal_not_found; 409 already_confirmed with another reference, proposal_answered
 */
export async function answerRefund(tools: ReturnTools, return_id: number, no: number, answer: RefundAnswer): Promise<void> {
  const { db, recordEvent, now } = tools
  const taken = await takeReturn(db, return_id)
  const row = await db
    .selectFrom('refund_proposals')
    .select(['id', 'state', 'shop_ref', 'total', 'currency', 'reason'])
    .where('return_id', '=', return_id)
    .where('no', '=', no)
    .executeTakeFirst()
  const proposal = orNotFound(row, 'proposal_not_found', 'There is no such proposal.')
  const { state, reference = null, reason = null } = answer
  if (proposal.state === 'confirmed') {
    if (state === 'confirmed' && reference === proposal.shop_ref) return
    throw conflict('already_confirmed', 'This refund is confirmed already, as {{reference}}.', { reference: proposal.shop_ref })
  }
  if (proposal.state === state) return
  if (!mayMoveMoney(proposal.state, state)) throw conflict('proposal_answered', 'This proposal was answered already.')
  const paid = answer.paid === undefined || answer.paid === proposal.total ? null : answer.paid
  await db
    .updateTable('refund_proposals')
    .set({
      state,
      shop_ref: state === 'confirmed' ? reference : null,
      paid: state === 'confirmed' ? paid : null,
      reason: state === 'denied' ? reason : null,
      answered_at: now().toISOString(),
      answered_by: answer.by,
    })
    .where('id', '=', proposal.id)
    .execute()
  await db
    .updateTable('return_items')
    .set(eb => ({ money: state satisfies MoneyState, version: eb('version', '+', 1) }))
    .where('proposal_id', '=', proposal.id)
    .where('money', 'in', ['proposed', 'in_doubt'])
    .execute()
  const about = aboutReturn(taken)
  const refund = { rma_no: taken.rma_no, no, total: proposal.total, currency: proposal.currency }
  if (state === 'confirmed') await recordEvent({ kind: 'return.refund_confirmed', ...about, data: { ...refund, paid } })
  else if (state === 'denied') await recordEvent({ kind: 'return.refund_denied', ...about, data: { ...refund, reason: reason ?? '' } })
  else await recordEvent({ kind: 'return.refund_in_doubt', ...about, data: refund })
  await settleReturn(tools, taken)
}

/** Nothing is paid for pieces whose money waits: a person says why. @throws {AppError} 404; 409 */
export async function waiveMoney(
  tools: ReturnTools,
  return_id: number,
  { item_ids, reason, version }: { item_ids: readonly number[]; reason: string; version?: number | undefined },
): Promise<void> {
  const { db, recordEvent } = tools
  const taken = await takeReturn(db, return_id, version)
  const denied = await db
    .updateTable('return_items')
    .set(eb => ({ money: 'denied', version: eb('version', '+', 1) }))
    .where('return_id', '=', return_id)
    .where('id', 'in', [...new Set(item_ids)])
    .where('money', '=', 'pending')
    .returning(['id', 'amount'])
    .execute()
  if (denied.length === 0) throw conflict('no_refund_open', 'No money waits for these items.')
  await recordEvent({
    kind: 'return.refund_denied',
    ...aboutReturn(taken),
    data: { rma_no: taken.rma_no, no: 0, total: denied.reduce((sum, { amount }) => sum + amount, 0), currency: taken.currency, reason },
  })
  await settleReturn(tools, taken)
}
