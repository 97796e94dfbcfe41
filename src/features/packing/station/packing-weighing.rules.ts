/** The packing station: the parcel is weighed before it is closed, or when the packer asks for it. */
import { access } from '#contract/access.ts'
import type { PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import type { MissingPhotoReason } from '#features/packing/packing-photos/packing-photos.codes.ts'
import type { AfterLook, CloseHow, PackingState, Situation, StationChoice, Waits } from './packing-model.rules.ts'
import { asksForPhotoOfFull } from './packing-photo.rules.ts'
import { call, enqueue, mayDo, play, type Step, say, set } from './packing-step.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'

/** Whether the open parcel has to be weighed before it gets its label. */
const needsWeight = ({ weighing }: PackingOrder, { scale }: Situation): boolean => {
  const { mode, pieces, weight_g } = weighing
  return pieces > 0 && weight_g === null && (mode === 'always' || (mode === 'scale' && scale?.state === 'ready'))
}

function begin(step: Step, order: PackingOrder, waits: Waits | null): Step {
  set(step, {
    weighing: { waits, asked: null },
    photographing: null,
    dialog: null,
    partial: null,
    wrong: null,
    choosing: null,
    approving: null,
    adding: null,
  })
  play(step, 'attention')
  // What it should weigh depends on scans that may still be on their way.
  const then: AfterLook = null
  return call(step, 'look', { order_id: order.order_id, seen: step.state.answers, then }, { afterScansOf: order.order_id })
}

/** Before the parcel is closed: whether it goes onto the scale first. */
export function asksForWeight(step: Step, order: PackingOrder, how: CloseHow): boolean {
  if (how.weight_g !== undefined || !needsWeight(order, step.situation)) return false
  begin(step, order, { kind: 'close', how })
  return true
}

/** The full parcel is photographed and weighed before the next one begins. */
export function nextParcel(step: Step, order: PackingOrder, without_photo?: MissingPhotoReason): Step {
  if (asksForPhotoOfFull(step, order, without_photo)) return step
  const next = { kind: 'next' as const, ...(without_photo && { without_photo }) }
  return needsWeight(order, step.situation) ? begin(step, order, next) : enqueue(step, next)
}

/** `CMD:WEIGH` and its key. */
export function askToWeigh(step: Step, order: PackingOrder): Step {
  if (order.weighing.mode === 'off') return say(step, 'Parcels are not weighed here', 'ignored')
  if (order.weighing.pieces === 0) return say(step, 'This parcel is empty', 'attention')
  return begin(step, order, null)
}

export function weigh(step: Step, weight_g: number, source: 'scale' | 'typed' | 'scanned'): Step {
  if (!step.state.weighing || step.state.weighing.asked) return step
  return enqueue(step, { kind: 'weight', weight_g, source })
}

/** Enter and `CMD:DONE`: what lies still on the scale now. */
export function weighNow(step: Step): Step {
  const { scale } = step.situation
  if (step.state.weighing?.asked) return weighAgain(step)
  if (scale?.state !== 'ready' || scale.weight_g === null || !scale.stable) return play(step, 'attention')
  return weigh(step, scale.weight_g, 'scale')
}

export function weighAgain(step: Step): Step {
  const { weighing } = step.state
  return weighing ? set(step, { weighing: { ...weighing, asked: null }, message: null }) : step
}

/** A weight that differs is taken by a lead, or with the consent of one. */
export function takeWeight(step: Step, approval?: string): Step {
  const { weighing } = step.state
  if (!weighing?.asked) return step
  if (approval === undefined && !mayDo(step.situation, access.scanAdmin, 'weight')) {
    set(step, { approving: { act: 'weight', sending: false, failure: null } })
    return play(step, 'attention')
  }
  const { weight_g, source } = weighing.asked
  return enqueue(step, { kind: 'weight', weight_g, source, confirmed: true, ...(approval !== undefined && { approval }) })
}

/** The server has judged the weight. Answers what goes on now, null where nothing does. */
export function weighed(step: Step, scan: Extract<QueuedScan, { kind: 'weight' }>, { result, values }: ScanAnswer): Waits | null {
  const { order, weighing } = step.state
  if (!order) return null
  if (result === 'weight_set') {
    set(step, { order: { ...order, weighing: { ...order.weighing, weight_g: scan.weight_g } }, weighing: null })
    return weighing?.waits ?? null
  }
  if (result === 'weight_asked' && weighing) {
    const reckoned = Number(values.reckoned)
    const expected_g = Number.isFinite(reckoned) ? reckoned : null
    set(step, { weighing: { ...weighing, asked: { weight_g: scan.weight_g, source: scan.source, expected_g } } })
  }
  return null
}

export function weightChoices({ weighing }: PackingState, situation: Pick<Situation, 'user' | 'station'>): StationChoice[] {
  if (!weighing?.asked) return []
  return [
    { key: 'again', text: 'Weigh again', event: { type: 'weigh_again' } },
    {
      key: 'take',
      text: 'Take this weight',
      detail: mayDo(situation, access.scanAdmin, 'weight') ? 'It is noted with your name' : 'A lead approves it with PIN or badge',
      event: { type: 'take_weight' },
    },
    { key: 'exception', text: 'Move to exceptions', event: { type: 'ask', dialog: 'exception' } },
  ]
}

/** Whether a weight lies within what was expected, as far as this device knows. */
export const fits = ({ weighing }: PackingOrder, weight_g: number): boolean =>
  weighing.expected_g !== null && weighing.tolerance_g !== null && Math.abs(weight_g - weighing.expected_g) <= weighing.tolerance_g
