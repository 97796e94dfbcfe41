/** The states of a return: where a piece may go next, and the status of the whole, which follows from its pieces. */
import { isOneOf } from '#domain/objects.ts'
import type { Condition, Custody, Decision, MoneyState, ReturnOutcome, ReturnStatus, SerialCheck } from './returns.codes.ts'

/** A piece that is none of the return's any more: its place in the order line is free. The unique index of pieces names the same. */
export const letGo: readonly Custody[] = ['cancelled', 'rejected', 'expired', 'missing', 'sent_back']

/** Nothing more happens to the piece itself. */
const finalCustodies: readonly Custody[] = ['restocked', 'scrapped', 'sent_back', 'kept', 'missing', 'cancelled', 'rejected', 'expired']

/** Not at the desk yet. */
export const expectedCustodies: readonly Custody[] = ['advised', 'in_transit']

const next: Readonly<Record<Custody, readonly Custody[]>> = {
  advised: ['in_transit', 'received', 'missing', 'kept', 'cancelled', 'rejected', 'expired'],
  in_transit: ['received', 'missing'],
  received: ['inspected', 'advised'],
  added: ['inspected', 'cancelled'],
  inspected: ['received', 'added', 'restocked', 'scrapped', 'sent_back', 'repaired', 'kept'],
  repaired: ['sent_back'],
  missing: ['received', 'advised', 'in_transit'],
  restocked: [],
  scrapped: [],
  sent_back: [],
  kept: [],
  cancelled: [],
  rejected: [],
  expired: [],
}

export const mayMove = (from: Custody, to: Custody): boolean => next[from].includes(to)

/** What is offered first for a piece. A used one is neither new nor useless, so a person says what becomes of it: ''. */
export const firstDecision = ({ condition, outcome }: { condition: Condition | null; outcome: ReturnOutcome }): Decision | '' => {
  if (condition === 'scrap') return 'scrap'
  if (outcome === 'repair') return 'repair'
  return condition === 'C' ? '' : 'restock'
}

export const custodyOf: Readonly<Record<Decision, Custody>> = {
  restock: 'restocked',
  send_back: 'sent_back',
  scrap: 'scrapped',
  repair: 'repaired',
  keep: 'kept',
}

const nextMoney: Readonly<Record<MoneyState, readonly MoneyState[]>> = {
  none: ['pending'],
  pending: ['proposed', 'none'],
  proposed: ['confirmed', 'denied', 'in_doubt'],
  in_doubt: ['confirmed', 'denied'],
  confirmed: [],
  // Asked once more, with another proposal.
  denied: ['proposed'],
}

export const mayMoveMoney = (from: MoneyState, to: MoneyState): boolean => nextMoney[from].includes(to)

/** Pieces whose money is paid back, once the return is approved. */
export const isRefunded = (outcome: ReturnOutcome): boolean => outcome === 'refund' || outcome === 'credit'

/** What a piece says about the status of its return. */
export interface PieceState {
  custody: Custody
  money: MoneyState
  unannounced: boolean
  serial_check: SerialCheck | null
}

/** What the return itself says about its status. */
export interface HeaderFacts {
  approved_at: string | null
  in_transit_at: string | null
  arrived_at: string | null
  /** Opened again after it was resolved, and nothing was done since. */
  reopened_at: string | null
  ended_as: 'rejected' | 'cancelled' | 'expired' | null
}

/** A missing piece is decided once a person has said what becomes of its money. */
const isDecided = ({ custody, money }: PieceState): boolean =>
  custody === 'repaired' || (custody === 'missing' ? money !== 'pending' : isOneOf(finalCustodies, custody))

const needsReview = ({ custody, unannounced, serial_check }: PieceState): boolean =>
  custody === 'missing' || serial_check === 'wrong' || (unannounced && isOneOf<Custody>(['added', 'inspected'], custody))

/** The status of a return: the first that holds. */
export function statusOf(header: HeaderFacts, pieces: readonly PieceState[]): ReturnStatus {
  for (const end of ['cancelled', 'rejected', 'expired'] as const)
    if (pieces.length === 0 ? header.ended_as === end : pieces.every(({ custody }) => custody === end)) return end
  const counted = pieces.filter(({ custody }) => !isOneOf<Custody>(['cancelled', 'rejected', 'expired'], custody))
  if (header.ended_as !== null && counted.length === 0) return header.ended_as
  const arrived = header.arrived_at !== null
  if (counted.length > 0 && counted.every(isDecided)) {
    const settled = counted.every(
      ({ custody, money }) => isOneOf(finalCustodies, custody) && isOneOf<MoneyState>(['none', 'confirmed', 'denied'], money),
    )
    if (settled && header.reopened_at !== null) return 'awaiting_review'
    return settled ? 'resolved' : 'decided'
  }
  if (arrived) return counted.some(needsReview) ? 'awaiting_review' : 'arrived'
  if (header.in_transit_at !== null || counted.some(({ custody }) => custody === 'in_transit')) return 'in_transit'
  return header.approved_at === null ? 'requested' : 'approved'
}

/** A return that nothing more happens to. */
export const closedStatuses: readonly ReturnStatus[] = ['resolved', 'rejected', 'cancelled', 'expired']
