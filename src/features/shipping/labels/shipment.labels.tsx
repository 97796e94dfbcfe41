/** How shipments are spoken of: their state, what a courier's answer was – each an icon and a word. */
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { LabelLogEntry, ShipmentState } from './labels.schemas.ts'

const tones: Record<ShipmentState, Tone> = {
  draft: 'plain',
  booking: 'busy',
  unknown: 'stop',
  booked: 'done',
  handed_over: 'done',
  in_transit: 'busy',
  out_for_delivery: 'busy',
  ready_for_pickup: 'soon',
  delivered: 'done',
  delivery_failed: 'stop',
  needs_attention: 'stop',
  returning: 'soon',
  returned_to_sender: 'soon',
  lost: 'stop',
  cancelled: 'quiet',
  blocked: 'quiet',
  error: 'stop',
}

export function shipmentWord(state: ShipmentState): string {
  const words: Record<ShipmentState, string> = {
    draft: t('Not booked'),
    booking: t('Registering'),
    unknown: t('Not confirmed'),
    booked: t('Label ready'),
    handed_over: t('Handed over'),
    in_transit: t('In transit'),
    out_for_delivery: t('Out for delivery'),
    ready_for_pickup: t('Ready for collection'),
    delivered: t('Delivered'),
    delivery_failed: t('Not delivered'),
    needs_attention: t('Needs attention'),
    returning: t('Returning'),
    returned_to_sender: t('Returned to sender'),
    lost: t('Lost'),
    cancelled: t('Label cancelled'),
    blocked: t('Label blocked'),
    error: t('Label error'),
  }
  return words[state]
}

/** The name of a courier's paper; a kind that only the courier knows is shown as it came. */
export function documentWord(kind: string): string {
  const words: Record<string, string> = {
    cn22: 'CN22',
    cn23: 'CN23',
    invoice: t('Commercial invoice'),
    proforma: t('Proforma invoice'),
    packing_list: t('Packing list'),
    transit: t('Goods in transit'),
    manifest: t('Manifest'),
  }
  return words[kind] ?? kind
}

export function ShipmentBadge({ state }: { state: ShipmentState }) {
  useT()
  return <StateBadge tone={tones[state]}>{shipmentWord(state)}</StateBadge>
}

type Outcome = LabelLogEntry['outcome']
const outcomeTones: Record<Outcome, Tone> = {
  ok: 'done',
  found: 'done',
  not_found: 'plain',
  refused: 'stop',
  unavailable: 'soon',
  unknown: 'stop',
}

export function outcomeWord(outcome: Outcome): string {
  const words: Record<Outcome, string> = {
    ok: t('Done'),
    refused: t('Rejected'),
    unavailable: t('Closed for a moment'),
    unknown: t('No clear answer'),
    found: t('Found'),
    not_found: t('Not there'),
  }
  return words[outcome]
}

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  useT()
  return <StateBadge tone={outcomeTones[outcome]}>{outcomeWord(outcome)}</StateBadge>
}

/** What the courier was asked to do. */
export const actionWord = (action: string): string =>
  new Map([
    ['book', t('Book')],
    ['find', t('Look up')],
    ['cancel', t('Cancel')],
  ]).get(action) ?? action
